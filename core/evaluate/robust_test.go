package evaluate_test

import (
	"math"
	"testing"

	"rcmdplab/core/evaluate"
	"rcmdplab/core/internal/fixture"
	"rcmdplab/core/model"
)

// TestRobustFixtures holds every rectangular fixture, policy by policy, against
// values that a separate program computed.
func TestRobustFixtures(t *testing.T) {
	const tol = 1e-8 // relative
	for _, name := range fixture.Names(t) {
		p := fixture.Problem(t, name)
		if p.Uncertainty.Kind == model.Finite {
			continue
		}
		t.Run(name, func(t *testing.T) {
			m := p.Standard()
			known := fixture.Expected(t, name)
			e, err := evaluate.New(m)
			if err != nil {
				t.Fatal(err)
			}
			for _, id := range []string{"uniform", "random0", "random1", "random2"} {
				want := known.Evaluations[id]
				pi := known.Policies[id].Flat(m.Layout)
				e.Evaluate(pi)
				for n, j := range want.J {
					if got := m.Present(n, e.J[n]); math.Abs(got-j) > tol*math.Abs(j) {
						t.Errorf("%s: J_%d = %.12g, want %.12g", id, n, got, j)
					}
					lo, hi := m.Bounds(n)
					if b := e.ErrorBound[n]; !(b >= 0 && b <= 1e-9*(hi-lo)*m.H+1e-14*m.H*m.H*max(hi, -lo)) {
						t.Errorf("%s: error bound of J_%d is %g", id, n, b)
					}
					v := make([]float64, m.S)
					e.Values(v, n)
					for s, x := range want.V[n] {
						if got := m.Present(n, v[s]); math.Abs(got-x) > tol*math.Abs(x)+1e-13*m.H {
							t.Errorf("%s: V_%d(%d) = %.12g, want %.12g", id, n, s, got, x)
						}
					}
				}
			}
			if g := known.Gradients; g.Policy != "" {
				e.Evaluate(known.Policies[g.Policy].Flat(m.Layout))
				dst := make([]float64, m.Pairs())
				for n := range g.Values {
					e.Gradient(dst, n)
					most := 0.0
					for _, x := range dst {
						most = max(most, math.Abs(x))
					}
					for i, x := range fixture.Policy(g.Values[n]).Flat(m.Layout) {
						if got := m.Present(n, dst[i]); math.Abs(got-x) > tol*most {
							t.Errorf("dJ_%d/dπ(%d) = %.12g, want %.12g", n, i, got, x)
						}
					}
				}
			}
		})
	}
}
