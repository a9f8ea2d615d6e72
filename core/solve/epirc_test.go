package solve

import (
	"math"
	"strings"
	"testing"

	"rcmdplab/core/internal/fixture"
	"rcmdplab/core/model"
)

// twoSeeds is whether a recorded run is of the first two of the five seeds of its setting: the others
// take the same steps of the method with other numbers.
func twoSeeds(run string) bool {
	return strings.Contains(run, "seed0") || strings.Contains(run, "seed1")
}

// EpiRC-PGS in the paper's settings walks the recorded reference runs: the
// first outer step to 1e-6·H, later ones to 1e-3·H, because where constraints
// tie two faithful implementations drift apart (see the fixtures' README).
func TestEpiRCTrajectories(t *testing.T) {
	runs := fixture.Trajectories(t)
	for name, run := range runs {
		problem, mode, _ := strings.Cut(name, ":")
		p := fixture.Problem(t, problem)
		if mode != "exact" || !twoSeeds(problem) {
			continue
		}
		if p.Uncertainty.Kind != model.Finite {
			t.Fatalf("%s is not finite", name)
		}
		t.Run(name, func(t *testing.T) {
			ev := fixtureEvaluator(t, problem)
			h := ev.M.H
			trace := steps(t, "epirc-pgs", ev, func(s *Settings) {
				s.OuterIterations = len(run.EpiRCPGS.Trace)
				s.InnerIterations, s.StepSize = run.T, run.Alpha
				s.Tolerance = 1e-9 / h
			})
			if len(trace) != len(run.EpiRCPGS.Trace)+1 {
				t.Fatalf("%d outer steps, want %d and the final descent", len(trace), len(run.EpiRCPGS.Trace))
			}
			for k, want := range run.EpiRCPGS.Trace {
				tol := 1e-3 * h
				if k == 0 {
					tol = 1e-6 * h
				}
				got := trace[k]
				if !near(got.Threshold, want.B0, tol) || !near(got.Objective, want.J0, tol) ||
					!near(got.MaxViolation, want.MaxViolation, tol) || !near(got.Delta, want.Delta, tol) {
					t.Errorf("outer step %d: b0 %.6f J0 %.6f violation %.6f Δ %.6f, want %.6f %.6f %.6f %.6f", k,
						got.Threshold, got.Objective, got.MaxViolation, got.Delta, want.B0, want.J0, want.MaxViolation, want.Delta)
				}
			}
			last, want := trace[len(trace)-1], run.EpiRCPGS.Returned
			if !near(last.Objective, want.J0, 1e-3*h) {
				t.Errorf("returned objective %v, want %v", last.Objective, want.J0)
			}
			if last.Status != Feasible || last.Best.MaxViolation > 1e-9 || last.Best.Objective > last.Objective+1e-9 && last.MaxViolation <= 1e-9 {
				t.Errorf("status %v, best %v with violation %v; last outer step %v with %v", last.Status, last.Best.Objective, last.Best.MaxViolation, last.Objective, last.MaxViolation)
			}
		})
	}
	if len(runs) == 0 {
		t.Error("no reference runs")
	}
}

// What is returned was really evaluated: the best policy's numbers are those
// of a fresh evaluation, it is feasible exactly when it says so, and no outer
// step beats it.
func TestEpiRCReturnsTheBestPolicySeen(t *testing.T) {
	for seed := range uint64(6) {
		m := garnet(5, 3, 2, 2, 0.9, seed)
		d := newInner(m, 0, 1)
		ev := d.ev
		all := steps(t, "epirc-pgs", ev, func(s *Settings) { s.OuterIterations, s.InnerIterations, s.StepSize = 12, 300, 2e-3 })
		last := all[len(all)-1]
		tol := 1e-11 * m.H
		for _, p := range all {
			if p.MaxViolation <= tol && (!last.Best.Feasible || p.Objective < last.Best.Objective) {
				t.Errorf("seed %d: outer step %d has objective %v, best is %v", seed, p.K, p.Objective, last.Best.Objective)
			}
		}
		ev.Evaluate(last.Best.Policy)
		v, _ := ev.MaxViolation()
		if ev.J[0] != last.Best.Objective || v != last.Best.MaxViolation || last.Best.Feasible != (v <= tol) || (last.Status == Feasible) != last.Best.Feasible {
			t.Errorf("seed %d: best %+v, evaluated again objective %v violation %v, status %v", seed, last.Best, ev.J[0], v, last.Status)
		}
	}
}

// Same input, same bits; and stopping early by an option never returns a
// policy that violates what the full run met.
func TestEpiRCIsDeterministic(t *testing.T) {
	m := garnet(6, 3, 3, 2, 0.95, 4)
	for n := 1; n <= m.N; n++ {
		m.B[n] = 0.97 * m.H // loose enough that most descents reach Δ <= 0
	}
	run := func(early bool) []Progress {
		d := newInner(m, 0, 1)
		return steps(t, "epirc-pgs", d.ev, func(s *Settings) {
			s.OuterIterations, s.InnerIterations, s.StepSize, s.EarlyStop = 10, 200, 1e-3, early
		})
	}
	a, b, early := run(false), run(false), run(true)
	for k := range a {
		if a[k].Objective != b[k].Objective || a[k].Delta != b[k].Delta {
			t.Fatalf("outer step %d differs between two runs", k)
		}
	}
	ea, aa := early[len(early)-1], a[len(a)-1]
	if ea.Iterations >= aa.Iterations {
		t.Errorf("early stop took %d iterations, the full run %d", ea.Iterations, aa.Iterations)
	}
	if aa.Best.Feasible && !ea.Best.Feasible {
		t.Error("early stop lost feasibility")
	}
}

// Costs of another scale and offset give the same policies: the method
// rescales what is not within [0, 1].
func TestEpiRCRescalesCosts(t *testing.T) {
	m := garnet(5, 3, 2, 2, 0.9, 8)
	p := *m.Problem
	p.Objective.Values = append([]float64(nil), p.Objective.Values...)
	for i := range p.Objective.Values {
		p.Objective.Values[i] = 1000*p.Objective.Values[i] - 300
	}
	set := func(s *Settings) { s.OuterIterations, s.InnerIterations, s.StepSize = 12, 300, 2e-3 }
	a := newInner(m, 0, 1)
	b := newInner(p.Standard(), 0, 1)
	x, y := finish(t, "epirc-pgs", a.ev, set), finish(t, "epirc-pgs", b.ev, set)
	want := 1000*x.Best.Objective - 300*m.H
	if !(math.Abs(y.Best.Objective-want) <= 1e-3*1000*m.H) {
		t.Errorf("objective %v, want %v", y.Best.Objective, want)
	}
}
