package solve

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"rcmdplab/core/evaluate"
	"rcmdplab/core/internal/fixture"
	"rcmdplab/core/model"
)

// slopes are the derivatives of J_n by each probability, up to a number the same for the actions of a
// state: by differences of returns between two policies, and by nothing that steps are made of.
func slopes(ev *evaluate.Evaluator, pi []float64, n int) []float64 {
	const step = 1e-5
	m, dst := ev.M, make([]float64, len(pi))
	for s := range m.S {
		base := m.Off[s]
		for i := base + 1; i < m.Off[s+1]; i++ {
			x := slices.Clone(pi)
			x[i], x[base] = pi[i]+step, pi[base]-step
			up := returnsOf(ev, x)[n]
			x[i], x[base] = pi[i]-step, pi[base]+step
			dst[i] = (up - returnsOf(ev, x)[n]) / (2 * step)
		}
	}
	return dst
}

// moved is log π⁺/π less that of the state's first action.
func moved(m *model.Standard, from, to []float64) []float64 {
	dst := make([]float64, len(from))
	for s := range m.S {
		base := m.Off[s]
		for i := base; i < m.Off[s+1]; i++ {
			dst[i] = math.Log(to[i]/from[i]) - math.Log(to[base]/from[base])
		}
	}
	return dst
}

// Each step of RNPG multiplies probabilities by exp(-α (1-γ)/d ∂J_i/∂π), i the cost that attains the maximum:
// a limit where one is violated by more than J_0/λ, else the objective.
func TestRNPGSteps(t *testing.T) {
	chosen := map[bool]int{}
	for _, name := range []string{"a_seed0", "c_seed0", "rect_kl", "machine_repair"} {
		for _, lambda := range []float64{1, 1e6} {
			ev := fixtureEvaluator(t, name)
			m, w := ev.M, costScales(ev.M)
			lo, _ := m.Bounds(0)
			if w[0] == 1 {
				lo = 0
			}
			all := steps(t, "rnpg", ev, func(s *Settings) { s.OuterIterations, s.Lambda = 3, lambda })
			for k := range len(all) - 1 {
				pi, next := all[k].Policy, all[k+1].Policy
				j := returnsOf(ev, pi)
				top, i := w[0]*(j[0]-lo*m.H)/lambda, 0
				for n := 1; n <= m.N; n++ {
					if v := w[n] * (j[n] - m.B[n]); v > top {
						top, i = v, n
					}
				}
				chosen[i > 0]++
				if all[k].ActiveCost != i {
					t.Errorf("%s, λ = %g, step %d: on cost %d, want %d", name, lambda, k, all[k].ActiveCost, i)
				}
				slope, got, d := slopes(ev, pi, i), moved(m, pi, next), make([]float64, m.S)
				ev.Evaluate(pi)
				ev.Occupancy(d, i)
				for x := range got {
					if want := -0.01 * w[i] * slope[x] / (m.H * d[m.State[x]]); !near(got[x], want, 1e-4*(1e-3+math.Abs(want))) {
						t.Errorf("%s, λ = %g, step %d: pair %d moves by %.9g, want %.9g", name, lambda, k, x, got[x], want)
					}
				}
			}
		}
	}
	if chosen[true] == 0 || chosen[false] == 0 {
		t.Errorf("limits and objective chosen: %v", chosen)
	}
}

// An outer step of mirror descent with one inner one multiplies by exp(-Q̃/α): with the derivatives divided by
// the visits, those are the action values of the sum. Multipliers follow their recursion.
func TestMirrorDescentSteps(t *testing.T) {
	const eta, step = 0.05, 0.02
	for _, name := range []string{"a_seed0", "c_seed0", "rect_kl"} {
		ev := fixtureEvaluator(t, name)
		m, w := ev.M, costScales(ev.M)
		all := steps(t, "mirror-descent", ev, func(s *Settings) {
			s.OuterIterations, s.InnerIterations, s.StepSize, s.MultiplierStepSize = 4, 1, step, eta
		})
		pi, lambda, d := m.Uniform(), make([]float64, m.N+1), make([]float64, m.S)
		for k := range all {
			j := slices.Clone(returnsOf(ev, pi))
			want := make([]float64, m.Pairs())
			for n := 0; n <= m.N; n++ {
				weight := 1.0
				if n > 0 {
					v := eta * w[n] * (j[n] - m.B[n])
					if k == 0 {
						lambda[n] = max(0, -v)
					} else {
						lambda[n] = max(-v, lambda[n]+v)
					}
					weight = lambda[n] + v
					if got := all[k].Multipliers[n-1] * w[0] / w[n]; !near(got, weight, 1e-9) || weight < 0 {
						t.Errorf("%s, step %d: multiplier %d is %v, want %v", name, k, n, got, weight)
					}
				}
				slope := slopes(ev, pi, n)
				ev.Evaluate(pi)
				ev.Occupancy(d, n)
				for i, s := range m.State {
					want[i] -= step * weight * w[n] * slope[i] / (m.H * d[s])
				}
			}
			got := moved(m, pi, all[k].Policy)
			for i := range got {
				if !near(got[i], want[i], 1e-4*(1e-2+math.Abs(want[i]))) {
					t.Errorf("%s, step %d: pair %d moves by %.9g, want %.9g", name, k, i, got[i], want[i])
				}
			}
			pi = all[k].Policy
		}

		// A second inner step goes from π_k again, with the values at the first one's policy.
		first, pair := all[0], steps(t, "mirror-descent", ev, func(s *Settings) {
			s.OuterIterations, s.InnerIterations, s.StepSize, s.MultiplierStepSize = 1, 2, step, eta
		})
		want := make([]float64, m.Pairs())
		for n := 0; n <= m.N; n++ {
			weight := w[0]
			if n > 0 {
				weight = first.Multipliers[n-1] * w[0]
			}
			slope := slopes(ev, first.Policy, n)
			ev.Evaluate(first.Policy)
			ev.Occupancy(d, n)
			for i, s := range m.State {
				want[i] -= step * weight * slope[i] / (m.H * d[s])
			}
		}
		got := moved(m, m.Uniform(), pair[0].Policy)
		for i := range got {
			if !near(got[i], want[i], 1e-4*(1e-2+math.Abs(want[i]))) {
				t.Errorf("%s, second inner step: pair %d moves by %.9g, want %.9g", name, i, got[i], want[i])
			}
		}
	}
}

// On one kernel, where neither has anywhere to be caught, both come near the optimum of the linear program.
func TestMultiplicativeStepsOnOneKernel(t *testing.T) {
	for _, name := range []string{"c_seed0", "c_seed3"} {
		ev, want := fixtureEvaluator(t, name), fixture.Expected(t, name).BestKnown.Objective
		for _, id := range []string{"rnpg", "mirror-descent"} {
			p := finish(t, id, ev, func(s *Settings) {
				if id == "rnpg" {
					s.StepSize, s.Lambda = 0.1, 1e4
				}
			})
			t.Logf("%s, %s: %v, %+.1e H from best known after %d evaluations", name, id, p.Status, (p.Best.Objective-want)/ev.M.H, p.Evaluations)
			if !p.Best.Feasible || p.Best.Objective > want+1e-2*ev.M.H {
				t.Errorf("%s, %s: %v with %v (violation %v), best known %v", name, id, p.Status, p.Best.Objective, p.Best.MaxViolation, want)
			}
		}
	}
}

// A step of any length leaves a policy, and where it starts from 0 it stays there.
func TestMultiplicativeStepsStayPolicies(t *testing.T) {
	ev := fixtureEvaluator(t, "c_seed0")
	start := ev.M.Uniform()
	start[0], start[1] = 0, start[0]+start[1]
	for _, id := range []string{"rnpg", "mirror-descent"} {
		for _, step := range []float64{1e-12, 1, 1e6} {
			p := finish(t, id, ev, func(s *Settings) { s.StepSize, s.OuterIterations, s.InitialPolicy = step, 20, start })
			checkPolicy(t, ev.M, p.Policy)
			if p.Policy[0] != 0 {
				t.Errorf("%s, step %g: an action of probability 0 has %v", id, step, p.Policy[0])
			}
		}
	}
}

// Both refuse where nothing is discounted, in the words of Unfit.
func TestMultiplicativeStepsAreDiscounted(t *testing.T) {
	p := newToy(rand.New(rand.NewPCG(3, 4)), 3, 2, 1, true).problem()
	p.End = []bool{false, false, true}
	m := p.Standard()
	ev, err := evaluate.New(m)
	if err != nil {
		t.Fatal(err)
	}
	for _, id := range []string{"rnpg", "mirror-descent"} {
		if p := finish(t, id, ev, nil); p.Status != Failed || !strings.Contains(p.Note, unfitUndiscounted(m)) || unfitUndiscounted(m) == "" {
			t.Errorf("%s at discount 1: %v, %q", id, p.Status, p.Note)
		}
	}
}
