package bound

import (
	"math"
	"testing"
)

// Where the work on a tree grows as some power of how near its target is, trees on the
// way to the gap asked for take about four times the work of the last each, and none is
// begun that the next makes useless; a tree of a moment's work is followed by a bold step.
func TestTargetsGrowFourfold(t *testing.T) {
	for _, power := range []float64{1.3, 2, 2.7} {
		for _, flat := range []float64{0, .005} {
			work := func(gap float64) float64 { return 3e9 * math.Pow((.06+flat)/(gap+flat), power/easing) }
			var p pace
			gap, before, trees := 0.06, 0.0, 0
			for gap >= .002 {
				w := work(gap)
				least, most := float64(grows)/2, float64(grows)*2
				if trees >= 2 && !(math.Pow(w/before, easing) > least-.01 && math.Pow(w/before, easing) < most+.01) {
					t.Errorf("power %v, target %d: %.2f times the work of the last", power, trees, w/before)
				}
				p.learn(true, gap, flat, w, 100)
				if trees++; gap == .002 {
					break
				}
				gap, before = p.next(gap, .002, w), w
			}
			if gap != .002 {
				t.Errorf("power %v: what is asked for is not aimed at, but %v", power, gap)
			}
		}
	}
}

// What is learnt of the growth: nothing of a tree of few boxes, nor of trees for another
// question; within a moment's work any step is taken.
func TestGrowthIsLearntFromTreesThatTell(t *testing.T) {
	var p pace
	if p.learn(true, 0.06, 0, moment/1e6, fewBoxes); p.next(.06, .003, p.work) != .003 {
		t.Error("after a tree of next to no work what is asked for is not aimed at")
	}
	if p.learn(true, 0.06, 0, moment/1e6, fewBoxes-1); p.next(.06, .003, p.work) != leaves*.06 {
		t.Error("a tree of few boxes is followed by one for a gap more than four times nearer")
	}
	if p.learn(true, 0.03, 0, moment, 100); p.power != powers {
		t.Errorf("one box told that work grows by the power of %v", p.power)
	}
	if p.learn(true, 0.015, 0, 4*moment, 100); p.power != 2*easing {
		t.Errorf("four times the work at half the gap is a power of %v; want %v of 2", p.power, easing)
	}
	if p.learn(false, 0.01, 0, 100*moment, 100); p.power != powers {
		t.Errorf("limits alone took over the power %v of targets of the objective", p.power)
	}
}
