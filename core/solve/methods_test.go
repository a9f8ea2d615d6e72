package solve

import (
	"math"
	"slices"
	"testing"

	"rcmdplab/core/evaluate"
	"rcmdplab/core/internal/fixture"
	"rcmdplab/core/model"
)

// quick shortens every method so that all of them can run on many problems.
func quick(s *Settings) {
	s.OuterIterations = min(s.OuterIterations, 12)
	s.InnerIterations = min(s.InnerIterations, 70) // more than one chunk
	s.StepSize = 1e-3
	s.Starts = min(s.Starts, 5)
}

// problems are small ones of every shape: missing actions, costs of the next
// state, negative and unscaled costs, one and several kernels, no constraint.
func problems(t *testing.T) map[string]*model.Standard {
	t.Helper()
	all := map[string]*model.Standard{}
	for _, name := range []string{"a_seed1", "c_seed0", "fig1_conflict", "machine_repair", "rect_l1", "b_seed2", "gridworld3x3_l1"} {
		all[name] = fixture.Problem(t, name).Standard()
	}
	for seed := range uint64(16) {
		if m := newRandomCMDP(seed); m.S <= 20 {
			all["random "+m.kind+string(rune('a'+seed))] = m.Standard
		}
	}
	free := fixture.Problem(t, "machine_repair")
	free.Constraints = nil
	all["no constraints"] = free.Standard()
	free = fixture.Problem(t, "c_seed0")
	free.Constraints = nil
	all["one kernel, no constraints"] = free.Standard()
	return all
}

// What every method promises on every problem: a final status from what was
// checked, a best policy that is a policy and has the returns reported, lower
// bounds below it, and the same answer again.
func TestMethodsKeepTheirPromises(t *testing.T) {
	for name, m := range problems(t) {
		t.Run(name, func(t *testing.T) {
			for _, a := range Algorithms() {
				ev, err := evaluate.New(m)
				if err != nil {
					t.Skip(err)
				}
				s := a.Defaults()
				quick(&s)
				s.InitialPolicy = m.Uniform()
				var last Progress
				records := 0
				for p := range a.Run(ev, s) {
					if last.Status != Running {
						t.Fatalf("%s: a record after the last one", a.ID)
					}
					last = p
					records++
				}
				switch last.Status {
				case Running, Stopped:
					t.Fatalf("%s: ends with %v after %d records", a.ID, last.Status, records)
				case Failed:
					if records != 1 || last.Note == "" || last.Best.Policy != nil {
						t.Errorf("%s: refused with %d records, note %q", a.ID, records, last.Note)
					}
					continue
				case ProvedInfeasible:
					if last.Best.Feasible {
						t.Errorf("%s: proved infeasible with a feasible policy", a.ID)
					}
				case NoFeasibleFound:
					if last.Best.Feasible {
						t.Errorf("%s: no feasible policy found, and one kept", a.ID)
					}
				case Feasible, Bounded, ProvedOptimal:
					if !last.Best.Feasible {
						t.Errorf("%s: %v without a feasible policy", a.ID, last.Status)
					}
					if (last.Status == Feasible) != math.IsInf(last.LowerBound, -1) {
						t.Errorf("%s: %v with lower bound %v", a.ID, last.Status, last.LowerBound)
					}
				}
				best := last.Best
				if best.Policy == nil {
					if last.Status != ProvedInfeasible {
						t.Errorf("%s: no policy", a.ID)
					}
					continue
				}
				checkPolicy(t, m, best.Policy)
				ev.Evaluate(best.Policy)
				// Rectangular evaluation starts from where the last one ended.
				tol := 1e-9 * m.H / costScales(m)[0]
				if !near(ev.J[0], best.Objective, tol) {
					t.Errorf("%s: the best policy has %v, reported %v", a.ID, ev.J[0], best.Objective)
				}
				if last.LowerBound > best.Objective+tol && best.Feasible {
					t.Errorf("%s: lower bound %v above the best %v", a.ID, last.LowerBound, best.Objective)
				}
				again := finish(t, a.ID, ev, func(s *Settings) {
					quick(s)
					s.InitialPolicy = m.Uniform()
				})
				if !near(again.Best.Objective, best.Objective, tol) || again.Status != last.Status {
					t.Errorf("%s: %v with %v, then %v with %v", a.ID, last.Status, best.Objective, again.Status, again.Best.Objective)
				}
			}
		})
	}
}

// Costs k·c + o with thresholds k·b + o·H are the same problem in other units:
// every method takes the same path, up to rounding, whatever k and o.
func TestMethodsRescaleCosts(t *testing.T) {
	const k, o = 1e3, -400
	for _, name := range []string{"c_seed0", "machine_repair", "rect_kl"} {
		plain, scaled := fixture.Problem(t, name), fixture.Problem(t, name)
		h := 1 / (1 - scaled.Discount)
		change := func(c *model.Cost) {
			for i := range c.Values {
				c.Values[i] = k*c.Values[i] + o
			}
		}
		change(&scaled.Objective)
		for i := range scaled.Constraints {
			change(&scaled.Constraints[i].Cost)
			scaled.Constraints[i].Bound = k*scaled.Constraints[i].Bound + o*h
		}
		a, err := evaluate.New(plain.Standard())
		if err != nil {
			t.Fatal(err)
		}
		b, err := evaluate.New(scaled.Standard())
		if err != nil {
			t.Fatal(err)
		}
		// Costs within [0, 1] keep the paper's unit; others are divided by their
		// range, which must then be 1 here for the paths to be the same.
		for n, w := range costScales(b.M) {
			if lo, hi := a.M.Bounds(n); !near(hi-lo, 1, 1e-12) {
				w *= hi - lo
			}
			if !near(w*k, 1, 1e-12) {
				t.Fatalf("%s: weight of cost %d is %v", name, n, w)
			}
		}
		exact := map[string]bool{"occupancy-lp": true, "slp": true}
		for _, id := range []string{"lagrangian", "penalty", "policy-mixing", "rnpg", "mirror-descent", "occupancy-lp", "slp"} {
			if name != "c_seed0" && !exact[id] {
				continue // the ranges there are not 1
			}
			x, y := finish(t, id, a, quick), finish(t, id, b, quick)
			if x.Status == Failed && y.Status == Failed {
				continue
			}
			tol := 1e-8 * a.M.H
			if got := (y.Best.Objective - o*h) / k; !near(got, x.Best.Objective, tol) || x.Best.Feasible != y.Best.Feasible {
				t.Errorf("%s on %s: %.12g in the other units, %.12g in these", id, name, got, x.Best.Objective)
			}
			for n := range x.Multipliers {
				if !near(x.Multipliers[n], y.Multipliers[n], 1e-6*(1+x.Multipliers[n])) {
					t.Errorf("%s on %s: λ_%d is %v and %v", id, name, n+1, x.Multipliers[n], y.Multipliers[n])
				}
			}
		}
	}
}

func checkPolicy(t *testing.T, m *model.Standard, pi []float64) {
	t.Helper()
	for s := range m.S {
		sum := 0.0
		for i := m.Off[s]; i < m.Off[s+1]; i++ {
			sum += pi[i]
			if !(pi[i] >= 0) {
				t.Errorf("π(%d) = %v", i, pi[i])
			}
		}
		if !near(sum, 1, 1e-12) {
			t.Errorf("row of state %d sums to %v", s, sum)
		}
	}
}

// A run can be left at any record.
func TestMethodsCanBeLeft(t *testing.T) {
	ev := fixtureEvaluator(t, "c_seed0")
	for _, a := range Algorithms() {
		s := a.Defaults()
		quick(&s)
		s.InitialPolicy = ev.M.Uniform()
		for limit := range 4 {
			n := 0
			for range a.Run(ev, s) {
				if n++; n > limit {
					break
				}
			}
		}
	}
}

// The option table gives every setting that a method reads; names are those
// that Set knows, and defaults lie in their ranges.
func TestOptionTables(t *testing.T) {
	seen := map[string]bool{}
	for _, a := range Algorithms() {
		if seen[a.ID] || a.Title == "" || a.Shape == "" || a.Solves == "" || a.Run == nil {
			t.Errorf("%q: repeated or incomplete", a.ID)
		}
		seen[a.ID] = true
		for _, o := range a.Options {
			var s Settings
			if !s.Set(o.Name, o.Default) || o.Help == "" {
				t.Errorf("%s: option %q is unknown or has no help", a.ID, o.Name)
			}
			if o.Type != "policy" && !(o.Min <= o.Default && o.Default <= o.Max) {
				t.Errorf("%s: default %v of %q outside [%v, %v]", a.ID, o.Default, o.Name, o.Min, o.Max)
			}
		}
	}
}

// Methods for one kernel say why they do not run on more.
func TestSingleKernelMethodsRefuse(t *testing.T) {
	for _, name := range []string{"a_seed0", "rect_l1"} {
		ev := fixtureEvaluator(t, name)
		for _, id := range []string{"occupancy-lp", "policy-iteration", "policy-mixing", "lagrangian-occupancy-average"} {
			p := finish(t, id, ev, nil)
			if p.Status != Failed || p.Note == "" {
				t.Errorf("%s on %s: %v, note %q", id, name, p.Status, p.Note)
			}
		}
	}
}

// The mixture of best responses approaches the optimum of the constrained MDP,
// as sec:mixing-policy-notes says; its averaged policy is another object, and
// on this problem it stays away.
func TestPolicyMixing(t *testing.T) {
	ev, want := fixtureEvaluator(t, "c_seed0"), fixture.Expected(t, "c_seed0").CMDPLP.Optimum
	h := ev.M.H
	all := steps(t, "policy-mixing", ev, func(s *Settings) { s.OuterIterations, s.MultiplierStepSize = 2000, 1e-3 })
	last := all[len(all)-1]
	if !near(last.Mixture[0], want, 2e-2*h) {
		t.Errorf("mixture's objective %v, optimum %v", last.Mixture[0], want)
	}
	for n := 1; n <= ev.M.N; n++ {
		if last.Mixture[n] > ev.M.B[n]+2e-2*h {
			t.Errorf("mixture's J_%d = %v, threshold %v", n, last.Mixture[n], ev.M.B[n])
		}
	}
	if last.LowerBound > want+1e-8 || last.LowerBound < want-1e-2*h {
		t.Errorf("lower bound %v, optimum %v", last.LowerBound, want)
	}
	gap := 0.0
	for n, j := range last.Mixture {
		gap = max(gap, abs(j-returnsOf(ev, last.Policy)[n]))
	}
	if gap < 1e-2*h {
		t.Errorf("the averaged policy's returns are within %v of the mixture's, so nothing is shown", gap)
	}
	t.Logf("mixture %.4g (optimum %.4g), bound %.6g, largest distance to the averaged policy's returns %.3g", last.Mixture[0], want, last.LowerBound, gap)
	// The first mixture is the first best response alone.
	if first := all[0]; !slices.Equal(first.Mixture, returnsOf(ev, first.Policy)) {
		t.Errorf("mixture of one policy %v, the policy %v", first.Mixture, returnsOf(ev, first.Policy))
	}
}

func returnsOf(ev *evaluate.Evaluator, pi []float64) []float64 {
	ev.Evaluate(pi)
	return slices.Clone(ev.J)
}

// The penalty method ends at a feasible policy near the optimum of a
// one-kernel problem, whose penalty function has no other minima.
func TestPenalty(t *testing.T) {
	// Gradients grow with H², so a shorter horizon needs longer steps.
	for name, step := range map[string]float64{"c_seed0": 5e-5, "c_seed3": 5e-5, "inventory": 1e-3} {
		ev, want := fixtureEvaluator(t, name), fixture.Expected(t, name).BestKnown.Objective
		p := finish(t, "penalty", ev, func(s *Settings) { s.InnerIterations, s.StepSize = 5000, step })
		if !p.Best.Feasible || p.Best.Objective > want+1e-2*ev.M.H {
			t.Errorf("%s: %v with %v (violation %v), best known %v", name, p.Status, p.Best.Objective, p.Best.MaxViolation, want)
		}
		t.Logf("%s: %+.1e H from best known after %d evaluations", name, (p.Best.Objective-want)/ev.M.H, p.Evaluations)
	}
}

// Policy iteration against value iteration, with a bound that closes.
func TestPolicyIteration(t *testing.T) {
	for seed := range uint64(200) {
		m := newRandomCMDP(seed)
		m.Standard.N, m.B, m.C, m.CNext = 0, m.B[:1], m.C[:1], m.CNext[:1]
		ev, err := evaluate.New(m.Standard)
		if err != nil {
			t.Fatal(err)
		}
		want := leastWeighted(m.Standard, []float64{1})
		p := finish(t, "policy-iteration", ev, nil)
		tol := 1e-10 * m.H / costScales(m.Standard)[0]
		if p.Status != ProvedOptimal || !near(p.Best.Objective, want, tol) || p.LowerBound > want+tol {
			t.Errorf("seed %d: %v, %v, bound %v; value iteration %v", seed, p.Status, p.Best.Objective, p.LowerBound, want)
		}
	}
}

func TestUniformAndEvaluate(t *testing.T) {
	ev := fixtureEvaluator(t, "machine_repair")
	known := fixture.Expected(t, "machine_repair")
	u := finish(t, "uniform", ev, nil)
	if want := known.Evaluations["uniform"].J[0]; !near(u.Best.Objective, want, 1e-10) {
		t.Errorf("uniform: %v, want %v", u.Best.Objective, want)
	}
	pi := known.Policies["random0"].Flat(ev.M.Layout)
	e := finish(t, "evaluate", ev, func(s *Settings) { s.InitialPolicy = pi })
	if want := known.Evaluations["random0"]; !near(e.Best.Objective, want.J[0], 1e-10) || e.Best.Feasible != (want.MaxViolation <= 0) || !slices.Equal(e.Best.Policy, pi) {
		t.Errorf("evaluate: %v (feasible %v), want %v", e.Best.Objective, e.Best.Feasible, want.J[0])
	}
	if p := finish(t, "evaluate", ev, nil); p.Status != Failed || p.Note == "" {
		t.Errorf("evaluate without a policy: %v, %q", p.Status, p.Note)
	}
	conflict := fixtureEvaluator(t, "fig1_conflict")
	if p := finish(t, "uniform", conflict, nil); p.Status != NoFeasibleFound || p.Note == "" {
		t.Errorf("uniform on an infeasible problem: %v, %q", p.Status, p.Note)
	}
}
