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
		{"stepSize", "number", 5e-5, 1e-12, 1e6, "Step size α of the projected policy gradient, for costs in [0, 1]; other costs are rescaled."},
		{"initialPolicy", "policy", 0, 0, 0, "Where the first descent starts; uniform when not given."},
		{"tolerance", "number", 1e-11, 0, 1e-3, "A violation up to this share of a constraint's limit, or of the range of returns if that is smaller, counts as none."},
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
	return func(yield func(Progress) bool) {
		ev.Restart()
		m, p := ev.M, Nothing()
		inc := newIncumbent(m, &p.Best, s.Tolerance)
		d := newWeightedDescent(ev, s, inc)
		rho := 1.0
		worst := func() (v float64, n int) {
			for i := 1; i <= m.N; i++ {
				if x := d.w[i] * ev.Excess(i); x > v && !inc.never[i] {
					v, n = x, i
				}
			}
			return v, n
		}
		d.weigh = func() {
			clear(d.weight)
			d.weight[0] = 1 / rho
			if v, n := worst(); v > 0 {
				d.weight[n] = 1
			}
		}
		p.Multipliers = make([]float64, m.N)
		for p.K = range s.OuterIterations {
			if !d.descend(&p, s.InnerIterations, yield) {
				return
			}
			ev.Evaluate(d.best)
			p.Policy = d.best
			p.report(ev)
			_, n := worst()
			met := inc.excesses(ev) <= 0
			clear(p.Multipliers)
			if n > 0 {
				p.Multipliers[n-1] = rho * d.w[n] / d.w[0]
			}
			if !yield(p) {
				return
			}
			if !met {
				rho *= 2
			}
		}
		conclude(&p, m, 0)
		yield(p)
	}
}
