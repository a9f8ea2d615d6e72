package solve

import (
	"iter"

	"rcmdplab/core/evaluate"
)

var penalty = Algorithm{
	ID:     "penalty",
	Title:  "Exact penalty",
	Shape:  Steps,
	Solves: "Any model. A local search on objective plus a multiple of the violation.",
	Options: []Option{
		{"outerIterations", "integer", 20, 1, 100000, "Descents K; the penalty doubles after one that ends with a violation."},
		{"innerIterations", "integer", 10000, 1, 10000000, "Projected gradient steps T within one descent."},
		gradientStep, firstDescent, tolerating(1e-11),
	},
	Run: runPenalty,
}

// runPenalty descends on the exact penalty function
//
//	φ_ρ(π) = w_0 J_{c_0,U}(π) + ρ max(0, max_n w_n (J_{c_n,U}(π) - b_n))
//
// by projected subgradient steps, T at a time from the best iterate so far. ρ
// starts at 1 and doubles after a descent whose best iterate violates a
// constraint. Both terms are divided by ρ, which leaves the minimisers alone
// and keeps one step size fit for every ρ. Threshold and bracket are not used;
// Multipliers holds ρ for the most violated constraint, 0 for the others.
func runPenalty(ev *evaluate.Evaluator, s Settings) iter.Seq[Progress] {
	return sequence(ev, s.Tolerance, 0, func(p *Progress, inc *incumbent, pass func() bool) bool {
		d := newWeightedDescent(ev, s, inc)
		rho := 1.0
		d.weigh = func() {
			clear(d.weight)
			d.weight[0] = 1 / rho
			if n := inc.exceeded(ev, d.w, 0); n > 0 {
				d.weight[n] = 1
			}
		}
		p.Multipliers = make([]float64, ev.M.N)
		for p.K = range s.OuterIterations {
			if !d.descend(p, s.InnerIterations, pass) {
				return false
			}
			ev.Evaluate(d.best)
			p.Policy = d.best
			p.report(ev)
			met := inc.excesses(ev) <= 0
			clear(p.Multipliers)
			if n := inc.exceeded(ev, d.w, 0); n > 0 {
				p.Multipliers[n-1] = rho * d.w[n] / d.w[0]
			}
			if !pass() {
				return false
			}
			if !met {
				rho *= 2
			}
		}
		return true
	})
}
