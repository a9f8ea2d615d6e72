package solve

import (
	"math"
	"testing"

	"rcmdplab/core/evaluate"
	"rcmdplab/core/internal/fixture"
)

// polished is a local optimum of the problem, from the uniform policy.
func polished(t *testing.T, ev *evaluate.Evaluator) Best {
	t.Helper()
	b := NewLocal(ev).Polish(ev.M.Uniform())
	if !b.Feasible {
		t.Fatal("no feasible policy")
	}
	return b
}

// The price of a limit is the slope of the optimal value against its threshold:
// differences of the values of two problems say the same, and a limit with slack
// has no price.
func TestLocalPricesAreSlopes(t *testing.T) {
	for _, name := range []string{"machine_repair", "a_seed0", "c_seed0"} {
		ev := fixtureEvaluator(t, name)
		best := polished(t, ev)
		q, ok := LocalPrices(ev, best.Policy)
		if !ok {
			t.Fatalf("%s: no prices", name)
		}
		if size := math.Abs(best.Objective); q.Residual > 1e-4*size {
			t.Errorf("%s: residual %v of %v at a local optimum", name, q.Residual, size)
		}
		sum := 0.0
		for _, p := range q.Pieces {
			if p.Cost == 0 {
				sum += p.Weight
			}
		}
		if math.Abs(sum-1) > 1e-9 || q.Lambda[0] != 0 {
			t.Errorf("%s: weights of the objective sum to %v, and it has the price %v", name, sum, q.Lambda[0])
		}
		for n := 1; n <= ev.M.N; n++ {
			value := func(by float64) float64 {
				m := fixture.Problem(t, name).Standard()
				m.B[n] += by
				e, err := evaluate.New(m)
				if err != nil {
					t.Fatal(err)
				}
				return NewLocal(e).Polish(best.Policy).Objective
			}
			h := 1e-3 * math.Abs(ev.M.B[n])
			left, right := (value(-h)-best.Objective)/h, (best.Objective-value(h))/h
			// A concave kink has a slope on either side and any price in between.
			lo, hi := math.Min(left, right), math.Max(left, right)
			slack := 0.02*math.Max(math.Abs(lo), math.Abs(hi)) + 1e-6
			if got := q.Lambda[n]; got < lo-slack || got > hi+slack {
				t.Errorf("%s: price of limit %d is %v, slopes %v and %v", name, n, got, left, right)
			}
		}
	}
}

// At the optimum of the Lagrangian no action that is taken could be left for a
// cheaper one, and every deviation costs what an evaluation says.
func TestDeviations(t *testing.T) {
	ev := fixtureEvaluator(t, "machine_repair")
	best := polished(t, ev)
	pi := append([]float64(nil), best.Policy...)
	q, ok := LocalPrices(ev, pi)
	if !ok {
		t.Fatal("no prices")
	}
	extra := make([]float64, ev.M.Pairs())
	q.Lagrangian(ev, extra)
	for x, p := range pi {
		if p*extra[x] > 1e-4*math.Abs(best.Objective) {
			t.Errorf("pair %d is taken with probability %v although another is cheaper by %v", x, p, extra[x])
		}
	}
	returns := Deviations(ev, pi)
	if got := ev.J[0]; math.Abs(got-best.Objective) > 1e-9*math.Abs(got) {
		t.Errorf("the evaluator is left at %v, want the policy's %v", got, best.Objective)
	}
	trial := append([]float64(nil), pi...)
	for x := range pi {
		s := ev.M.State[x]
		copy(trial, pi)
		clear(trial[ev.M.Off[s]:ev.M.Off[s+1]])
		trial[x] = 1
		ev.Evaluate(trial)
		for n, j := range ev.J {
			if returns[x][n] != j {
				t.Errorf("pair %d, cost %d: %v, evaluated alone %v", x, n, returns[x][n], j)
			}
		}
	}
}
