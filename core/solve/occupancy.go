package solve

import (
	"fmt"
	"iter"
	"math"
	"slices"

	"rcmdplab/core/evaluate"
)

var occupancyLP = Algorithm{
	ID:     "occupancy-lp",
	Title:  "Occupancy LP",
	Shape:  Exact,
	Solves: "One kernel, any constraints: exact, with multipliers, reduced costs and a checked gap, or a checked proof of infeasibility.",
	Options: []Option{
		{"tolerance", "number", 1e-9, 0, 1e-3, "The gap to the lower bound, and the violation, that count as none: shares of the return or of the limit, or of the range of returns if that is smaller."},
	},
	Run:   runOccupancyLP,
	Unfit: unfitManyKernels,
}

// runOccupancyLP solves the constrained MDP of a single kernel, the linear
// program over occupancy measures, by column generation (see cmdp). Records
// come after each column: Objective is the master's value, LowerBound the
// checked dual bound, Multipliers the λ that gives it. The last record's
// policy is the mixture's, moved inside the constraints by their rounding
// error and evaluated afresh. After ProvedInfeasible, Multipliers is the
// Farkas ray y >= 0: min_π Σ y_n (J_n(π) - b_n) > 0, checked.
func runOccupancyLP(ev *evaluate.Evaluator, s Settings) iter.Seq[Progress] {
	m := ev.M
	return func(yield func(Progress) bool) {
		ev.Restart()
		p := Nothing()
		inc := certainIncumbent(m, &p.Best, s.Tolerance)
		record := func(c *cmdp) {
			p.Step = int(c.rounds) > p.K // not in the middle of a pricing
			p.K, p.Iterations, p.Evaluations = int(c.rounds), int64(c.x.Factorisations), ev.Count
			p.LowerBound, p.Multipliers = c.lowerBound(), c.lambda
			p.Objective = math.NaN()
			if c.phase > 1 {
				p.Objective = c.total(c.value)
			}
		}
		c := newCMDP(m, m.Kernels[0], s.Tolerance)
		for !c.step() {
			record(c)
			if !yield(p) {
				return
			}
		}
		record(c)
		if c.stalled && !c.infeasible {
			p.Status, p.Note = Failed, "The occupancy LP lost too much accuracy to answer."
			yield(p)
			return
		}
		p.Policy = c.inside(ev, inc)
		p.report(ev)
		if Large(m) {
			p.Proposal = c.proposal(0)
		}
		if c.infeasible {
			p.Status, p.Multipliers = ProvedInfeasible, c.ray
			p.Note = fmt.Sprintf("For the multipliers y given, every policy has Σ y_n (J_n - b_n) of at least %.3g.", c.violation)
		} else {
			p.ReducedCosts = c.reduced
			conclude(&p, m, s.Tolerance)
			if p.Best.Feasible {
				p.Note = fmt.Sprintf("The gap between the policy and the dual bound is %.1e.", max(p.Best.Objective-p.LowerBound, 0))
			}
		}
		yield(p)
	}
}

// inside evaluates the mixture's policy. If rounding leaves it outside a
// constraint, the thresholds are moved inwards by as much, at most three times;
// where no policy is strictly inside, the policies that are hardly in the mixture
// are left out of it, and what the tolerance allows counts.
func (c *cmdp) inside(ev *evaluate.Evaluator, inc *incumbent) (pi []float64) {
	const much = 1e-3 // of a limit: not by rounding
	try := func() (scaled float64, again bool) {
		pi = c.policy(0)
		ev.Evaluate(pi)
		inc.offer(ev, pi)
		for n := 1; n <= c.m.N; n++ {
			if !inc.never[n] {
				scaled = max(scaled, c.u[n]*(ev.Excess(n)+ev.ErrorBound[n]))
			}
		}
		v := inc.excesses(ev)
		return scaled, v > 0 && v <= much
	}
	v, again := try()
	for range 3 {
		if !again || !c.tighten(2*v+1e-16) {
			break
		}
		v, again = try()
	}
	if inc.best.Feasible || inc.best.Policy == nil {
		return pi
	}
	inc.allowAll()
	pi = c.policy(1e-9)
	if ev.Evaluate(pi); c.phase > 1 && inc.excesses(ev) <= 0 && ev.J[0]-c.lowerBound() <= inc.tol*c.m.Scale(0, ev.J[0]) {
		*inc.best = newBest() // whose objective may be less by what it misses a limit by
		inc.offer(ev, pi)
		return pi
	}
	inc.again(ev)
	return slices.Clone(inc.best.Policy)
}
