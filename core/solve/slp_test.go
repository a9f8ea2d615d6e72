package solve

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"rcmdplab/core/evaluate"
	"rcmdplab/core/internal/fixture"
	"rcmdplab/core/model"
)

// On every fixture the best known policy is reached to 1e-6 H or beaten, from
// inside the constraints, and no lower bound is above it. best_known was found
// by another program.
func TestSLPReachesBestKnown(t *testing.T) {
	for _, name := range fixture.Names(t) {
		t.Run(name, func(t *testing.T) {
			ev, known := fixtureEvaluator(t, name), fixture.Expected(t, name)
			p := finish(t, "slp", ev, nil)
			if known.Infeasible {
				// Both are infeasible under one kernel, or for one constraint, alone.
				if p.Best.Feasible || p.Status != ProvedInfeasible {
					t.Errorf("%v with violation %g, want a proof that there is none", p.Status, p.Best.MaxViolation)
				}
				return
			}
			want := known.BestKnown.Objective
			if !p.Best.Feasible || p.Best.MaxViolation > 0 {
				t.Fatalf("%v, violation %g", p.Status, p.Best.MaxViolation)
			}
			if p.Best.Objective > want+1e-6*ev.M.H {
				t.Errorf("objective %.9g, best known %.9g", p.Best.Objective, want)
			}
			// best_known may violate by 1e-9, which its multipliers can turn into more.
			if p.LowerBound > want+1e-7*ev.M.H {
				t.Errorf("lower bound %.12g above the best known %.12g", p.LowerBound, want)
			}
			ev.Evaluate(p.Best.Policy)
			if !near(ev.J[0], p.Best.Objective, 2*ev.ErrorBound[0]+2*exactness*ev.M.H) {
				t.Errorf("the policy has %v, reported %v", ev.J[0], p.Best.Objective)
			}
			t.Logf("%+.1e H from best known, gap to the bound %.1e, %d evaluations, %d programs: %s",
				(p.Best.Objective-want)/ev.M.H, p.Best.Objective-p.LowerBound, p.Evaluations, p.Iterations, p.Note)
		})
	}
}

// The same with the paper's printed update for KL sets. The gradient that goes
// with it leaves out how the worst kernel moves with the policy, so it is not
// the derivative of the return and steps on it end near the best known policy,
// not at it; no bound is claimed for that update.
func TestSLPWithPrintedUpdate(t *testing.T) {
	for seed := range 5 {
		name := fmt.Sprintf("b_seed%d", seed)
		problem := fixture.Problem(t, name)
		problem.Uncertainty.Paper = true
		ev, err := evaluate.New(problem.Standard())
		if err != nil {
			t.Fatal(err)
		}
		want := fixture.Expected(t, name).BestKnownPaper.Objective
		p := finish(t, "slp", ev, nil)
		if !p.Best.Feasible || p.Best.Objective > want+3e-3*ev.M.H || p.Status != Feasible {
			t.Errorf("%s: %v with %.9g (bound %v), best known %.9g", name, p.Status, p.Best.Objective, p.LowerBound, want)
		}
		t.Logf("%s: %+.1e H from best known, %d evaluations: %s", name, (p.Best.Objective-want)/ev.M.H, p.Evaluations, p.Note)
	}
}

// Ten problems of setting (a). On numbers 1, 6 and 8 most random starts end in
// worse local minima; the best value known is reached with every seed tried.
func TestSLPOnRandomProblems(t *testing.T) {
	for i, want := range []float64{130.3506055, 117.7201935, 167.2253989, 115.6887505, 148.2149360, 139.3652500, 115.0666519, 168.2233364, 100.6890006, 153.1161795} {
		ev, err := evaluate.New(randomProblem(t, i).Standard())
		if err != nil {
			t.Fatal(err)
		}
		p := finish(t, "slp", ev, nil)
		if !(p.Best.Objective <= want+1e-6*ev.M.H) || p.Best.MaxViolation > 0 {
			t.Errorf("problem %d: %.7f, want %.7f", i, p.Best.Objective, want)
		}
	}
}

// firstHit is the number of evaluations that a local solve needs to a policy
// within 1e-3 H of the best known in objective and constraints; 0 when it ends
// elsewhere.
func firstHit(l *Local, pi []float64, want float64) (hit, total int) {
	h, start := l.m.H, l.ev.Count
	for p := range l.Run(pi) {
		if b := p.Best; hit == 0 && b.MaxViolation <= 1e-3*h && b.Objective <= want+1e-3*h {
			hit = int(l.ev.Count - start)
		}
	}
	return hit, int(l.ev.Count - start)
}

// From random starts a local solve is within 1e-3 H of the best known after a
// median of at most 30 evaluations, in settings (a) and (b).
func TestLocalEvaluationCounts(t *testing.T) {
	for _, name := range fixture.Names(t) {
		if !strings.HasPrefix(name, "a_") && !strings.HasPrefix(name, "b_") {
			continue
		}
		t.Run(name, func(t *testing.T) {
			ev, want := fixtureEvaluator(t, name), fixture.Expected(t, name).BestKnown.Objective
			l, x := NewLocal(ev), &starts{m: ev.M, source: rand.NewPCG(1, 2)}
			var hits, totals []int
			for k := range 30 {
				pi := ev.M.Uniform()
				if k > 0 {
					pi = x.dirichlet(1)
				}
				hit, total := firstHit(l, pi, want)
				if hit > 0 {
					hits = append(hits, hit)
				}
				totals = append(totals, total)
			}
			slices.Sort(hits)
			slices.Sort(totals)
			if len(hits) < 10 || hits[len(hits)/2] > 30 {
				t.Fatalf("evaluations to within 1e-3 H: %v", hits)
			}
			t.Logf("%d of %d starts get within 1e-3 H, after a median of %d evaluations; a start takes %d (median), %d (most)",
				len(hits), len(totals), hits[len(hits)/2], totals[len(totals)/2], totals[len(totals)-1])
		})
	}
}

// smallProblem has two states with two actions each, so that policies are
// points of the unit square.
func smallProblem(r *rand.Rand) *model.Standard {
	l := model.NewLayout(2, 2, nil)
	unit, offset := 1.0, 0.0
	if r.IntN(2) == 0 {
		unit, offset = math.Pow(10, 3*r.Float64()), r.NormFloat64()*10
	}
	cost := func() model.Cost {
		c := model.Cost{Name: "c", Values: make([]float64, 4)}
		for i := range c.Values {
			c.Values[i] = offset + unit*r.Float64()
		}
		return c
	}
	p := &model.Problem{Discount: 0.5 + 0.45*r.Float64(), Initial: []float64{0.3, 0.7}, Layout: l, Objective: cost(), States: make([]string, 2), Actions: make([]string, 2)}
	for range 1 + r.IntN(2) {
		p.Constraints = append(p.Constraints, model.Constraint{Cost: cost(), Bound: (offset + unit*(0.4+0.3*r.Float64())) / (1 - p.Discount)})
	}
	p.Uncertainty.Kind = model.Finite
	for range 2 + r.IntN(2) {
		var rows []float64
		for range 4 {
			q := r.Float64()
			rows = append(rows, q, 1-q)
		}
		p.Uncertainty.Kernels = append(p.Uncertainty.Kernels, model.NewKernel(2, rows))
	}
	return p.Standard()
}

// Nothing on a dense grid of policies is better, whatever the scale and sign of
// the costs; and where the grid has a feasible policy, one is found.
func TestSLPAgainstGrid(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 9))
	const n = 100
	feasible := 0
	for trial := range 60 {
		m := smallProblem(r)
		ev, err := evaluate.New(m)
		if err != nil {
			t.Fatal(err)
		}
		p := finish(t, "slp", ev, nil)
		best := math.Inf(1)
		for i := range n + 1 {
			for j := range n + 1 {
				a, b := float64(i)/n, float64(j)/n
				ev.Evaluate([]float64{a, 1 - a, b, 1 - b})
				if v, _ := ev.MaxViolation(); v <= 0 {
					best = min(best, ev.J[0])
				}
			}
		}
		lo, hi := m.Bounds(0)
		switch {
		case math.IsInf(best, 1):
		case !p.Best.Feasible:
			t.Errorf("trial %d: %v, but the grid has %v", trial, p.Status, best)
		case p.Best.Objective > best+1e-8*(hi-lo)*m.H:
			t.Errorf("trial %d: %v, grid %v", trial, p.Best.Objective, best)
		case p.LowerBound > best:
			t.Errorf("trial %d: lower bound %v, grid %v", trial, p.LowerBound, best)
		default:
			feasible++
		}
		if p.Status == ProvedInfeasible && !math.IsInf(best, 1) {
			t.Errorf("trial %d: called infeasible, grid %v", trial, best)
		}
	}
	if feasible < 20 {
		t.Errorf("only %d feasible trials", feasible)
	}
}

// The same seed gives the same run, another seed another one.
func TestSLPIsDeterministic(t *testing.T) {
	run := func(seed uint64) []Progress {
		return steps(t, "slp", fixtureEvaluator(t, "a_seed4"), func(s *Settings) { s.Seed, s.Starts = seed, 14 })
	}
	a, b, c := run(3), run(3), run(4)
	if len(a) != len(b) {
		t.Fatalf("%d and %d records", len(a), len(b))
	}
	for i := range a {
		if a[i].Objective != b[i].Objective || a[i].Evaluations != b[i].Evaluations || !slices.Equal(a[i].Policy, b[i].Policy) {
			t.Fatalf("start %d differs between two runs of one seed", i)
		}
	}
	if c[len(c)-1].Evaluations == a[len(a)-1].Evaluations {
		t.Error("another seed gave the same number of evaluations")
	}
}

// Constraints that cannot bind are named; one that cannot be met is a proof.
func TestSLPOnTrivialConstraints(t *testing.T) {
	p := finish(t, "slp", fixtureEvaluator(t, "a_seed1"), func(s *Settings) { s.Starts = 1 })
	if !strings.Contains(p.Note, `"constraint4" can never bind`) {
		t.Errorf("note %q", p.Note)
	}
	problem := fixture.Problem(t, "machine_repair")
	for i := range problem.Constraints[0].Values {
		problem.Constraints[0].Values[i] += 1
	}
	problem.Constraints[0].Bound = 9
	ev, err := evaluate.New(problem.Standard())
	if err != nil {
		t.Fatal(err)
	}
	if p := finish(t, "slp", ev, nil); p.Status != ProvedInfeasible || !strings.Contains(p.Note, `"unsafe" cannot be met`) {
		t.Errorf("%v: %s", p.Status, p.Note)
	}
}

// A threshold at the least possible value leaves no room inside: the policy is
// still found, and called feasible.
func TestSLPWithThresholdAtMinimum(t *testing.T) {
	found := 0
	for seed := uint64(4); seed < 800; seed += uint64(len(cmdpKinds)) { // "at the minimum"
		m := newRandomCMDP(seed)
		ev, err := evaluate.New(m.Standard)
		if err != nil {
			t.Fatal(err)
		}
		if m.S > 15 || m.N > 12 {
			continue
		}
		p := finish(t, "slp", ev, func(s *Settings) { s.Starts = 10 })
		if !p.Best.Feasible {
			t.Errorf("seed %d (S=%d N=%d γ=%v): %v, violation %g", seed, m.S, m.N, m.Gamma, p.Status, p.Best.MaxViolation)
			continue
		}
		found++
	}
	if found < 20 {
		t.Errorf("only %d problems", found)
	}
}

// One local solve from the uniform policy, and the whole search.
func BenchmarkSLP(b *testing.B) {
	for _, name := range []string{"a_seed0", "a_seed4", "b_seed0", "ref_seed0"} {
		ev := fixtureEvaluator(b, name)
		b.Run("local/"+name, func(b *testing.B) {
			l, pi := NewLocal(ev), ev.M.Uniform()
			start, n := ev.Count, 0
			b.ReportAllocs()
			for b.Loop() {
				l.Polish(pi)
				n++
			}
			b.ReportMetric(float64(ev.Count-start)/float64(n), "evaluations/op")
		})
		b.Run("40-starts/"+name, func(b *testing.B) {
			start, n := ev.Count, 0
			for b.Loop() {
				finish(b, "slp", ev, nil)
				n++
			}
			b.ReportMetric(float64(ev.Count-start)/float64(n), "evaluations/op")
		})
	}
}

// Polish runs from the policy to the end and returns the best policy found.
func (l *Local) Polish(pi []float64) Best {
	var last Progress
	for p := range l.Run(pi) {
		last = p
	}
	return last.Best
}
