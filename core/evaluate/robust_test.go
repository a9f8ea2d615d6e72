package evaluate_test

import (
	"math"
	"strings"
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
					if got := m.Present(n, e.J[n]); !(math.Abs(got-j) <= tol*math.Abs(j)) {
						t.Errorf("%s: J_%d = %.12g, want %.12g", id, n, got, j)
					}
					lo, hi := m.Bounds(n)
					if b := e.ErrorBound[n]; !(b >= 0 && b <= 1e-9*(hi-lo)*m.H+1e-14*m.H*m.H*max(hi, -lo)) {
						t.Errorf("%s: error bound of J_%d is %g", id, n, b)
					}
					v := make([]float64, m.S)
					e.Values(v, n)
					for s, x := range want.V[n] {
						if got := m.Present(n, v[s]); !(math.Abs(got-x) <= tol*math.Abs(x)+1e-13*m.H) {
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
						if got := m.Present(n, dst[i]); !(math.Abs(got-x) <= tol*most) {
							t.Errorf("dJ_%d/dπ(%d) = %.12g, want %.12g", n, i, got, x)
						}
					}
				}
			}
		})
	}
}

// twoState has the states s1 and s2 (absorbing); P(s2|s1) = out.
func twoState(gamma, out float64, cost []float64, u model.Uncertainty) *model.Standard {
	u.Nominal = &model.Kernel{Ptr: []int{0, 2, 3}, Next: []int{0, 1, 1}, Prob: []float64{1 - out, out, 1}}
	p := &model.Problem{
		States: []string{"s1", "s2"}, Actions: []string{"go"}, Discount: gamma, Initial: []float64{1, 0},
		Objective: model.Cost{Name: "cost", Values: cost}, Uncertainty: u, Layout: model.NewLayout(2, 1, nil),
	}
	return p.Standard()
}

// TestTwoStates holds the sets and the paper's update to the values of
// testdata/cases/README.md.
func TestTwoStates(t *testing.T) {
	rare := func(u model.Uncertainty) *model.Standard { return twoState(.9, 3.6e-5, []float64{0, 1}, u) }
	absorbed := func(u model.Uncertainty) *model.Standard { return twoState(.99, .99, []float64{1, 0}, u) }
	for _, c := range []struct {
		name string
		m    *model.Standard
		want float64
		tol  float64
		say  []string // what Warnings names
	}{
		{"soft", rare(model.Uncertainty{Kind: model.KLRegularized, Temperature: .2}), 7.1616, 1e-4, nil},
		{"kl .1", rare(model.Uncertainty{Kind: model.KL, Radius: []float64{.1}}), 1.456929, 1e-6, nil},
		{"kl .01", rare(model.Uncertainty{Kind: model.KL, Radius: []float64{.01}}), .256926, 1e-6, nil},
		{"paper cycles", rare(model.Uncertainty{Kind: model.KLRegularized, Temperature: .2, Paper: true}), 8.4957, 1e-4, []string{"7.7306", "8.4957", "amplitude 0.765"}},
		{"soft, one fixed point", absorbed(model.Uncertainty{Kind: model.KLRegularized, Temperature: 2}), 1.013, 1e-3, nil},
		{"paper, two fixed points", absorbed(model.Uncertainty{Kind: model.KLRegularized, Temperature: 2, Paper: true}), 1.0166, 1e-4, []string{"1.0166", "100"}},
	} {
		e, err := evaluate.New(c.m)
		if err != nil {
			t.Fatal(err)
		}
		for range 3 { // warm starts change nothing
			e.Evaluate(c.m.Uniform())
			if !(math.Abs(e.J[0]-c.want) <= c.tol) {
				t.Errorf("%s: J = %.8g, want %.8g", c.name, e.J[0], c.want)
			}
		}
		got := strings.Join(e.Warnings(), "\n")
		for _, x := range c.say {
			if !strings.Contains(got, x) {
				t.Errorf("%s: warnings %q do not name %s", c.name, got, x)
			}
		}
		if c.say == nil && got != "" {
			t.Errorf("%s: warnings %q", c.name, got)
		}
	}
}

// TestPaperFixtures holds the paper's update to the same program's values.
func TestPaperFixtures(t *testing.T) {
	for _, name := range fixture.Names(t) {
		p := fixture.Problem(t, name)
		if p.Uncertainty.Kind != model.KLRegularized {
			continue
		}
		t.Run(name, func(t *testing.T) {
			p.Uncertainty.Paper = true
			m := p.Standard()
			known := fixture.Expected(t, name)
			e, err := evaluate.New(m)
			if err != nil {
				t.Fatal(err)
			}
			check := func(id string, pi []float64, want []float64) {
				e.Evaluate(pi)
				for n, j := range want {
					if got := m.Present(n, e.J[n]); !(math.Abs(got-j) <= 1e-8*math.Abs(j)) {
						t.Errorf("%s: J_%d = %.12g, want %.12g", id, n, got, j)
					}
				}
			}
			for _, id := range []string{"uniform", "random0", "random1", "random2", "uniform"} {
				check(id, known.Policies[id].Flat(m.Layout), known.Evaluations[id].JPaper)
			}
			if b := known.BestKnownPaper; b != nil && b.Policy != nil {
				check("best known", b.Policy.Flat(m.Layout), b.Evaluation.JPaper)
			}
			g := known.Gradients.Paper
			e.Evaluate(known.Policies[known.Gradients.Policy].Flat(m.Layout))
			dst := make([]float64, m.Pairs())
			for n := range g {
				e.Gradient(dst, n)
				for i, x := range fixture.Policy(g[n]).Flat(m.Layout) {
					if got := m.Present(n, dst[i]); !(math.Abs(got-x) <= 1e-8*math.Abs(x)+1e-8) {
						t.Errorf("dJ_%d/dπ(%d) = %.12g, want %.12g", n, i, got, x)
					}
				}
			}
			if w := e.Warnings(); len(w) > 0 {
				t.Logf("warnings: %q", w)
			}
		})
	}
}
