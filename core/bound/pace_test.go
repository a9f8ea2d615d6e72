package bound

import (
	"math"
	"testing"
)

// Where the work on a tree grows as some power of how near its target is, each
// target is chosen to take about four times the work of the last, once two trees
// have told the power; a tree of a moment's work is followed by the boldest step.
func TestTargetsGrowFourfold(t *testing.T) {
	for _, power := range []float64{1.3, 2, 2.7} {
		var p pace
		gap, before := 0.06, 0.0
		for rung := range 6 {
			work := 3e9 * math.Pow(0.06/gap, power)
			if ratio := work / before; rung >= 2 && math.Abs(ratio-grows) > 0.01*grows {
				t.Errorf("power %v, target %d: %.2f times the work of the last", power, rung, ratio)
			}
			gap, before = gap*p.learn(true, gap, work, 100), work
		}
	}
	var p pace
	if got := p.learn(true, 0.06, moment/1000, 1); got != leaves {
		t.Errorf("after a tree of one box the next target leaves %v of the gap; want %v", got, leaves)
	}
	if got, want := p.learn(true, 0.03, moment, 100), math.Pow(grows, -1/powers); got != want {
		t.Errorf("one box told how work grows: %v is left; want %v", got, want)
	}
	if got := p.learn(false, 0.015, 100*moment, 100); p.power != powers || got <= leaves {
		t.Errorf("limits alone took over the power %v of targets of the objective", p.power)
	}
}

// The gap asked for is aimed at straight from where a tree for it may be expected to
// take no more than one waits for; from farther off by trees of four times the work.
func TestWhatIsNearIsAimedAtStraight(t *testing.T) {
	var p pace
	if p.leftOpen(true, 0.1, 0.01, leaves) != leaves*0.1 {
		t.Error("the first target is aimed at the gap asked for, with nothing known of the work")
	}
	share := p.learn(true, 0.036, 6e9, 300)
	for _, c := range []struct{ asked, want float64 }{
		{0.01, 0.01},           // 7 times the work
		{0.006, 0.006},         // 15 times
		{0.001, share * 0.036}, // 200 times
		{0.3 * 0.036, 0.3 * 0.036},
		{0.5 * 0.036, 0.5 * 0.036}, // within reach anyway
	} {
		if got := p.leftOpen(true, 0.036, c.asked, share); got != c.want {
			t.Errorf("asked for %v, the next target leaves %v; want %v", c.asked, got, c.want)
		}
	}
	p.flat = 0.005
	for gap, want := range map[float64]float64{0.03: 0.001, 0.036: share * 0.036} { // 6 and 7 times nearer
		if got := p.leftOpen(true, gap, 0.001, share); got != want {
			t.Errorf("with a part of the gap that all trees work on, the target after %v leaves %v; want %v", gap, got, want)
		}
	}
	p.work *= 10
	if got := p.leftOpen(true, 0.036, 0.01, share); got != share*0.036 {
		t.Errorf("a tree of %v leaves %v at the next; want %v", p.work, got, share*0.036)
	}
	if got := p.leftOpen(false, 0.036, 0.01, share); got != share*0.036 {
		t.Errorf("limits alone took over the work of targets of the objective: %v", got)
	}
}
