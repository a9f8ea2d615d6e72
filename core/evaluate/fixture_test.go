package evaluate

import (
	"math"
	"slices"
	"testing"

	"rcmdplab/core/internal/fixture"
	"rcmdplab/core/model"
)

// Returns, worst kernels, violations and gradients of every finite fixture, by
// both paths: J to 1e-9 relative, gradients to 1e-8 of the largest entry, the
// worst kernel one of those that attain the maximum.
func TestFiniteFixtures(t *testing.T) {
	count := 0
	for _, name := range fixture.Names(t) {
		p := fixture.Problem(t, name)
		if p.Uncertainty.Kind != model.Finite {
			continue
		}
		m, want := p.Standard(), fixture.Expected(t, name)
		for path, e := range natures(m) {
			for key, pol := range want.Policies {
				x, ok := want.Evaluations[key]
				if !ok {
					t.Fatalf("%s: no evaluation of policy %s", name, key)
				}
				e.Evaluate(pol.Flat(m.Layout))
				count++
				for n := range m.N + 1 {
					tol := 1e-9 * math.Max(1, math.Abs(x.J[n]))
					if got := m.Present(n, e.J[n]); !(math.Abs(got-x.J[n]) <= tol) {
						t.Errorf("%s %s %s: J[%d] = %.15g, want %.15g", name, path, key, n, got, x.J[n])
					}
					if !slices.Contains(x.Ties[n], e.Worst(n)) {
						t.Errorf("%s %s %s: worst kernel of cost %d is %d, want one of %v", name, path, key, n, e.Worst(n), x.Ties[n])
					}
					for k, j := range x.JByKernel[n] {
						if _, got := e.Piece(k*(m.N+1) + n); !(math.Abs(m.Present(n, got)-j) <= tol) {
							t.Errorf("%s %s %s: J[%d] under kernel %d = %.15g, want %.15g", name, path, key, n, k, got, j)
						}
					}
				}
				if v, _ := e.MaxViolation(); m.N > 0 && !(math.Abs(v-x.MaxViolation) <= 1e-9*m.H) {
					t.Errorf("%s %s %s: maximal violation %v, want %v", name, path, key, v, x.MaxViolation)
				}
			}
			if want.Gradients.Policy == "" {
				continue
			}
			e.Evaluate(want.Policies[want.Gradients.Policy].Flat(m.Layout))
			g := make([]float64, m.Pairs())
			for n, grid := range want.Gradients.Values {
				if len(want.Evaluations[want.Gradients.Policy].Ties[n]) > 1 {
					continue // any tied kernel's gradient is a subgradient
				}
				e.Gradient(g, n)
				w := fixture.Policy(grid).Flat(m.Layout)
				scale := 0.0
				for _, y := range w {
					scale = math.Max(scale, math.Abs(y))
				}
				for i := range g {
					if !(math.Abs(g[i]-w[i]) <= 1e-8*scale) {
						t.Errorf("%s %s: gradient of cost %d at pair %d = %.15g, want %.15g", name, path, n, i, g[i], w[i])
					}
				}
			}
		}
	}
	if count < 50 {
		t.Errorf("only %d evaluations were compared", count)
	}
}
