package bound

import (
	"math"
	"testing"
)

// Where the work on a tree grows as some power of how near its target is, each
// target is chosen to take about three times the work of the last, once two trees
// have told the power; a tree of a moment's work is followed by the boldest step.
func TestTargetsGrowThreefold(t *testing.T) {
	for _, power := range []float64{1.3, 2, 2.7} {
		var p pace
		gap, before := 0.06, 0.0
		for rung := range 6 {
			work := 3e9 * math.Pow(0.06/gap, power)
			if ratio := work / before; rung >= 2 && math.Abs(ratio-grows) > 0.01*grows {
				t.Errorf("power %v, target %d: %.2f times the work of the last", power, rung, ratio)
			}
			gap, before = gap*p.closed(true, gap, work, 100), work
		}
	}
	var p pace
	if got := p.closed(true, 0.06, moment/1000, 1); got != leaves {
		t.Errorf("after a tree of one box the next target leaves %v of the gap; want %v", got, leaves)
	}
	if got, want := p.closed(true, 0.03, moment, 100), math.Pow(grows, -1/powers); got != want {
		t.Errorf("one box told how work grows: %v is left; want %v", got, want)
	}
	if got := p.closed(false, 0.015, 100*moment, 100); p.power != powers || got <= leaves {
		t.Errorf("limits alone took over the power %v of targets of the objective", p.power)
	}
}
