package decide

import (
	"math"
	"testing"

	"rcmdplab/core/evaluate"
	"rcmdplab/core/internal/fixture"
	"rcmdplab/core/solve"
)

// finish runs the default method for at most the given number of boxes.
func finish(t testing.TB, name string, nodes int) (solve.Progress, *evaluate.Evaluator) {
	t.Helper()
	ev, err := evaluate.New(fixture.Problem(t, name).Standard())
	if err != nil {
		t.Fatal(err)
	}
	var p solve.Progress
	low, best := math.Inf(-1), math.Inf(1)
	for p = range Method.Run(ev, Method.Defaults()) {
		if p.LowerBound < low || p.Best.Feasible && p.Best.Objective > best {
			t.Errorf("%s: the interval widened: lower %v after %v, best %v after %v", name, p.LowerBound, low, p.Best.Objective, best)
		}
		low = p.LowerBound
		if p.Best.Feasible {
			best = p.Best.Objective
		}
		if p.Status == solve.Running && p.Nodes >= nodes {
			break
		}
	}
	return p, ev
}

// On every fixture the policy is within 1e-6 of the best known or better, and
// the bound is below it.
func TestFixtures(t *testing.T) {
	for _, name := range fixture.Names(t) {
		p, ev := finish(t, name, 12)
		want := fixture.Expected(t, name)
		if want.Infeasible {
			if p.Status != solve.ProvedInfeasible && !p.ProvedInfeasible {
				t.Errorf("%s: status %v, want a proof of infeasibility", name, p.Status)
			}
			continue
		}
		if want.BestKnown == nil || want.BestKnown.Policy == nil {
			continue
		}
		best := want.BestKnown.Objective
		got := ev.M.Present(0, p.Best.Objective)
		off := got - best
		if ev.M.Flipped(0) {
			off = -off
		}
		if !p.Best.Feasible || off > 1e-6*math.Max(1, math.Abs(best)) {
			t.Errorf("%s: best %v (feasible %v), known %v", name, got, p.Best.Feasible, best)
		}
		if low := p.LowerBound; low > p.Best.Objective+1e-9*ev.M.H {
			t.Errorf("%s: lower bound %v above the value %v", name, low, p.Best.Objective)
		}
		t.Logf("%-32s %v nodes %d value %.9g bound %.9g gap %.3g%% %s", name, p.Status, p.Nodes, p.Best.Objective, p.LowerBound, 100*(p.Best.Objective-p.LowerBound)/math.Abs(p.Best.Objective), p.Note)
	}
}
