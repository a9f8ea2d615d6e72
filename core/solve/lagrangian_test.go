package solve

import (
	"iter"
	"strings"
	"testing"

	"rcmdplab/core/evaluate"
	"rcmdplab/core/internal/fixture"
)

// recordedEvaluator is the evaluator of a run's name such as b_seed0:literal.
func recordedEvaluator(t *testing.T, run string) *evaluate.Evaluator {
	t.Helper()
	name, reading, _ := strings.Cut(run, ":")
	p := fixture.Problem(t, name)
	p.Uncertainty.Paper = reading == "literal"
	ev, err := evaluate.New(p.Standard())
	if err != nil {
		t.Fatal(err)
	}
	return ev
}

// comparable runs the method until a start moved by 1e-12 or -1e-10 moves it by
// more than 2e-4 H, a fifth of what is allowed below. Where costs or kernels
// tie, subgradient steps amplify rounding, so that later steps of two faithful
// programs differ; on (a) that happens after 1 to 24 steps, on (c) not
// within 30.
func comparable(t *testing.T, run string, set func(*Settings)) []Progress {
	t.Helper()
	var next [3]func() (Progress, bool)
	var h float64
	for i, e := range []float64{0, 1e-12, -1e-10} {
		ev := recordedEvaluator(t, run)
		h = ev.M.H
		a, _ := Find("lagrangian")
		s := a.Defaults()
		set(&s)
		s.InitialPolicy = ev.M.Uniform()
		s.InitialPolicy[0] += e
		s.InitialPolicy[1] -= e
		var stop func()
		next[i], stop = iter.Pull(outerSteps(a.Run(ev, s)))
		defer stop()
	}
	var got []Progress
	for {
		p, ok := next[0]()
		if !ok {
			return got
		}
		for _, moved := range next[1:] {
			q, _ := moved()
			if !near(p.Objective, q.Objective, 2e-4*h) || !near(p.MaxViolation, q.MaxViolation, 2e-4*h) {
				return got
			}
		}
		got = append(got, p)
	}
}

// The recorded runs are of an independent implementation. The first outer step
// must agree to 1e-6 H; later ones, as far as they are comparable, to 1e-3 H.
func TestLagrangianFollowsRecordedRuns(t *testing.T) {
	for run, want := range fixture.Trajectories(t) {
		if !twoSeeds(run) {
			continue
		}
		t.Run(run, func(t *testing.T) {
			outer := 2 // of 30, for the time it takes
			set := func(s *Settings) {
				s.OuterIterations, s.InnerIterations = outer, want.T
				s.StepSize, s.MultiplierStepSize = want.Alpha, want.AlphaLambda
			}
			h := recordedEvaluator(t, run).M.H
			for _, x := range []struct {
				id    string
				trace []fixture.Step
			}{
				{"lagrangian", want.Lagrangian},
				{"lagrangian-policy-average", want.LagrangianPolicyAverage},
				{"lagrangian-occupancy-average", want.LagrangianOccupancyAverage},
			} {
				if len(x.trace) == 0 {
					continue
				}
				// Averages hide that the policies they are made of have parted,
				// so they are compared as far as the policies are.
				var got []Progress
				if x.id == "lagrangian" {
					got = comparable(t, run, set)
					outer = len(got)
				} else if outer > 0 {
					got = steps(t, x.id, recordedEvaluator(t, run), set)[:outer]
				}
				worst := 0.0
				if len(got) == 0 {
					t.Errorf("%s: not even the first step is comparable", x.id)
				}
				for i, p := range got {
					tol := 1e-3 * h
					if i == 0 {
						tol = 1e-6 * h
					}
					w := x.trace[i]
					worst = max(worst, abs(p.Objective-w.J0)/h, abs(p.MaxViolation-w.MaxViolation)/h)
					if p.K != w.K || !near(p.Objective, w.J0, tol) || !near(p.MaxViolation, w.MaxViolation, tol) {
						t.Errorf("%s step %d: J0 %.9g violation %.9g, recorded %.9g %.9g", x.id, i, p.Objective, p.MaxViolation, w.J0, w.MaxViolation)
					}
					for n, l := range w.Lambda {
						// λ sums one violation an outer step.
						if !near(p.Multipliers[n], l, float64(i)*want.AlphaLambda*tol) {
							t.Errorf("%s step %d: λ_%d = %v, recorded %v", x.id, i, n+1, p.Multipliers[n], l)
						}
					}
				}
				t.Logf("%s: %d of %d steps comparable, largest difference %.1e H", x.id, len(got), len(x.trace), worst)
			}
		})
	}
}

func abs(x float64) float64 { return max(x, -x) }
