package solve

import (
	"testing"

	"rcmdplab/core/evaluate"
	"rcmdplab/core/internal/fixture"
)

// The unconstrained robust optima of the rectangular fixtures, found by value
// iteration in another program.
func TestRobustPolicyIteration(t *testing.T) {
	n := 0
	for _, name := range fixture.Names(t) {
		known := fixture.Expected(t, name).RobustUnconstrained
		if known == nil {
			continue
		}
		n++
		problem := fixture.Problem(t, name)
		problem.Constraints = nil
		m := problem.Standard()
		ev, err := evaluate.New(m)
		if err != nil {
			t.Fatal(err)
		}
		p := finish(t, "robust-policy-iteration", ev, nil)
		tol := 1e-9 * m.H
		if p.Status != ProvedOptimal || !near(p.Best.Objective, known.Value, tol) {
			t.Errorf("%s: %v with %.12g, bound %.12g; want %.12g", name, p.Status, p.Best.Objective, p.LowerBound, known.Value)
		}
		// The recorded value was reached by value iteration to 1e-11 H.
		if p.LowerBound > known.Value+1e-10*m.H {
			t.Errorf("%s: lower bound %.15g above the optimum %.15g", name, p.LowerBound, known.Value)
		}
		t.Logf("%s: gap %.1e after %d steps", name, p.Best.Objective-p.LowerBound, p.Iterations)
	}
	if n < 15 {
		t.Errorf("%d fixtures with a robust optimum, want at least 15", n)
	}
}

// The bound of every step holds, not only that of the last: it is below the
// worst case of every policy tried.
func TestResidualBoundHoldsAtEveryStep(t *testing.T) {
	problem := fixture.Problem(t, "rect_l1")
	problem.Constraints = nil
	ev, err := evaluate.New(problem.Standard())
	if err != nil {
		t.Fatal(err)
	}
	all := steps(t, "robust-policy-iteration", ev, nil)
	last := all[len(all)-1]
	for i, p := range all {
		if p.LowerBound > last.Best.Objective {
			t.Errorf("step %d: bound %v above the optimum %v", i, p.LowerBound, last.Best.Objective)
		}
	}
	if len(all) < 2 {
		t.Error("one step only: nothing was improved")
	}
}

func TestRobustPolicyIterationRefuses(t *testing.T) {
	for _, name := range []string{"machine_repair", "rect_l1"} {
		if p := finish(t, "robust-policy-iteration", fixtureEvaluator(t, name), nil); p.Status != Failed || p.Note == "" {
			t.Errorf("%s: %v, %q", name, p.Status, p.Note)
		}
	}
}
