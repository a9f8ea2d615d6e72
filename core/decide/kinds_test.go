package decide_test

import (
	"math"
	"testing"

	"rcmdplab/core/evaluate"
	"rcmdplab/core/model"
	"rcmdplab/core/solve"
)

// finds reports whether a method says it finds the optimum of such a problem; the
// search from many starts is held to it as well.
func finds(id string, p *model.Problem) bool {
	finite, limits := p.Uncertainty.Kind == model.Finite, len(p.Constraints)
	switch id {
	case "slp":
		return true
	case "occupancy-lp":
		return finite && len(p.Uncertainty.Kernels) == 1
	case "policy-iteration":
		return finite && len(p.Uncertainty.Kernels) == 1 && limits == 0
	case "robust-policy-iteration":
		return !finite && limits == 0
	}
	return false
}

// TestEveryMethodIsRightOnKnownAnswers: the optimum by every method that says it
// finds it, however the problem is said, and by no method a value better than that
// or a policy that exceeds a limit by more than the tolerance allows.
func TestEveryMethodIsRightOnKnownAnswers(t *testing.T) {
	for name, k := range known(t) {
		for how, v := range variants(k.p, k.value) {
			if how == "shifted by 1024" && len(name) > 4 && name[:4] == "tiny" {
				continue // what is tiny is lost in what is added
			}
			m := v.p.Standard()
			ev, err := evaluate.New(m)
			if err != nil {
				t.Fatal(err)
			}
			for _, a := range solve.Algorithms() {
				search := !finds(a.ID, v.p)
				if a.ID == "evaluate" || search && how != "as it is" {
					continue
				}
				got := ended(a, ev, search)
				if got.Status == solve.Failed && search {
					continue // it does not apply
				}
				if !got.Best.Feasible {
					if !search {
						t.Errorf("%s, %s: %s says %v (%s)", name, how, a.ID, got.Status, got.Note)
					}
					continue
				}
				ev.Evaluate(got.Best.Policy)
				for n := 1; n <= m.N; n++ {
					if x := ev.Excess(n); x > 1e-9*m.Scale(n, m.B[n])+ev.ErrorBound[n] {
						t.Errorf("%s, %s: %s exceeds limit %d by %g next to %g", name, how, a.ID, n, x, m.Scale(n, m.B[n]))
					}
				}
				off := got.Best.Objective - m.Internal(0, v.value) // positive is worse
				if size := 1e-6 * max(math.Abs(v.value), 1e-6*m.GapScale(0)); off < -size || off > size && !search {
					t.Errorf("%s, %s: %s gives %.12g, right is %.12g", name, how, a.ID, m.Present(0, got.Best.Objective), v.value)
				}
			}
		}
	}
}

// ended runs a method to its end, one that only searches with few steps.
func ended(a solve.Algorithm, ev *evaluate.Evaluator, few bool) (last solve.Progress) {
	s := a.Defaults()
	s.Starts = min(s.Starts, 10)
	if few {
		s.OuterIterations, s.InnerIterations = min(s.OuterIterations, 20), min(s.InnerIterations, 32)
	}
	for p := range a.Run(ev, s) {
		last = p
	}
	return last
}
