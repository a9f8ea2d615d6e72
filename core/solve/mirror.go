package solve

import (
	"iter"
	"slices"

	"rcmdplab/core/evaluate"
)

var mirrorDescent = Algorithm{
	ID:     "mirror-descent",
	Title:  "Mirror descent on the robust Lagrangian",
	Shape:  Steps,
	Solves: "A discounted model. A local search on a relaxation; it can end without a feasible policy, and no guarantee is claimed for it here.",
	Options: []Option{
		{"outerIterations", "integer", 2000, 1, 1000000, "Multiplier updates K."},
		{"innerIterations", "integer", 1, 1, 1000000, "Mirror steps T on the Lagrangian between two updates, one evaluation each."},
		{"stepSize", "number", 0.05, 1e-12, 1e6, "1/α: the inverse weight of the divergence from the last outer step's policy, for costs in [0, 1]; other costs are rescaled."},
		{"multiplierStepSize", "number", 0.1, 0, 1e6, "Step size η of the multipliers, for costs in [0, 1]; other costs are rescaled."},
		{"initialPolicy", "policy", 0, 0, 0, "Where it starts; uniform when not given. What has probability 0 keeps it."},
		tolerating(1e-11),
	},
	Run:   runMirrorDescent,
	Unfit: unfitUndiscounted,
}

// runMirrorDescent is policy mirror descent on the robust Lagrangian after Bossens and Nitanda (Mirror
// Descent Policy Optimisation for Robust Constrained Markov Decision Processes, arXiv 2506.23165), who build on
// the primal-dual method PMD-PD of Liu, Zhou, Kalathil, Kumar and Tian (arXiv 2111.00552). With
// v_n(π) = w_n (J_{c_n,U}(π) - b_n) and v_n^k that of the policy π_k, outer step k takes T inner ones
// from π_k towards the least of
//
//	w_0 J_{c_0,U}(π) + Σ_n (λ_n + η v_n^k) w_n J_{c_n,U}(π) + α KL(π ‖ π_k),
//
//	π(a|s) <- π_k(a|s) exp(-Q̃(s,a)/α) / (sum over a),   Q̃ = w_0 Q_0 + Σ_n (λ_n + η v_n^k) w_n Q_n,
//
// the Q_n at the policy of the inner step (S·A numbers each). Its last policy is π_{k+1}, and
//
//	λ_n <- max{ -η v_n^{k+1}, λ_n + η v_n^{k+1} },   at first λ_n = max{ 0, -η v_n^0 },
//
// so that λ_n + η v_n is never negative. w_n as in costScales.
//
// From the paper, of which abstract and summaries were at hand: mirror steps on the robust Lagrangian, and that it
// stands on PMD-PD, whose modified multipliers and regularised steps these are, with a step of (1 - γ)/α, at
// which the inner policies drop out of the exponent. Otherwise here: nature answers with an exact
// worst kernel, where the paper climbs to one by mirror ascent on kernels, from samples; each cost
// has a worst kernel of its own, where a Lagrangian has one for the sum, so what is descended on is
// not less than that; the divergence counts in the state at hand and not in those to come, which makes no
// difference at the first inner step. Left open: step sizes and numbers of iterations for tabular models; the
// defaults are ours. The answer is the best feasible policy met.
//
// The paper states a rate of Õ(T^(-1/3)) from samples. No guarantee is claimed here: in robust constrained
// problems strong duality fails, and a policy that no small step improves can be far from the best (erratum
// of arXiv 2408.16286). No published number is reproduced: its experiments are by samples.
//
// Cost: T evaluations and O(T (N+1) successors) an outer step.
func runMirrorDescent(ev *evaluate.Evaluator, s Settings) iter.Seq[Progress] {
	return sequence(ev, s.Tolerance, 0, func(p *Progress, inc *incumbent, pass func() bool) bool {
		m := ev.M
		w, pi := costScales(m), newSoftmax(m, s.InitialPolicy)
		old, q, work := slices.Clone(pi.theta), make([]float64, m.Pairs()), make([]float64, m.Pairs())
		weight, lambda := make([]float64, m.N+1), make([]float64, m.N+1) // of the costs as they are; of costs in [0, 1]
		weight[0] = w[0]
		p.Multipliers = make([]float64, m.N)
		ev.Evaluate(pi.pi)
		inc.offer(ev, pi.pi)
		for p.K = range s.OuterIterations {
			copy(old, pi.theta)
			for n := 1; n <= m.N; n++ {
				step := s.MultiplierStepSize * w[n] * ev.Excess(n)
				if p.K == 0 {
					lambda[n] = max(0, -step)
				}
				weight[n] = (lambda[n] + step) * w[n]
				p.Multipliers[n-1] = weight[n] / w[0]
			}
			p.Step = false
			for p.Inner = 0; p.Inner < s.InnerIterations; {
				weightedValues(q, work, ev, weight)
				pi.step(old, s.StepSize, q)
				ev.Evaluate(pi.pi)
				inc.offer(ev, pi.pi)
				p.Inner++
				p.Iterations, p.Evaluations = p.Iterations+1, ev.Count
				if p.Inner%chunk(ev) == 0 && p.Inner < s.InnerIterations && !pass() {
					return false
				}
			}
			for n := 1; n <= m.N; n++ {
				step := s.MultiplierStepSize * w[n] * ev.Excess(n)
				lambda[n] = max(-step, lambda[n]+step)
			}
			p.Policy = pi.pi
			p.report(ev)
			if p.K+1 < s.OuterIterations && !pass() {
				return false
			}
		}
		return true
	})
}
