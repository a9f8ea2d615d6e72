package solve

import (
	"iter"

	"rcmdplab/core/evaluate"
)

var policyMixing = Algorithm{
	ID:     "policy-mixing",
	Title:  "Policy mixing",
	Shape:  Steps,
	Solves: "One kernel. A distribution over deterministic policies, drawn once at the start; the averaged policy beside it carries no guarantee.",
	Options: []Option{
		{"outerIterations", "integer", 1000, 1, 1000000, "Rounds: one multiplier update and one exact best response each."},
		{"multiplierStepSize", "number", 0.01, 0, 1e6, "Step size α of the multipliers, for costs in [0, 1]; other costs are rescaled."},
		{"initialPolicy", "policy", 0, 0, 0, "The policy that the first multiplier update looks at; uniform when not given."},
		tolerating(1e-9),
	},
	Run:   runPolicyMixing,
	Unfit: unfitManyKernels,
}

// runPolicyMixing is the procedure of sec:mixing-policy-notes over the set of
// all deterministic policies:
//
//	λ_n <- max(λ_n + α w_n (J_n(π^(t-1)) - b_n), 0)
//	π^(t) <- argmin_π J_0(π) + Σ_n λ_n (J_n(π) - b_n)   (policy iteration, exact)
//
// The mixture ρ after t rounds draws one of π^(1)..π^(t) with equal chance
// before the first step and keeps it, so its returns are means of theirs:
// Progress.Mixture. The averaged policy (1/t) Σ π^(j) is another object with
// other returns, Progress.Policy; the paper's point is that nothing bounds the
// distance between the two. Every best response gives a lower bound by weak
// duality. A policy that is mixed in time 0 is not stationary, so a mixture
// never becomes Best.
func runPolicyMixing(ev *evaluate.Evaluator, s Settings) iter.Seq[Progress] {
	return sequence(ev, s.Tolerance, s.Tolerance, func(p *Progress, inc *incumbent, pass func() bool) bool {
		m := ev.M
		x, w := newMDP(m, m.Kernels[0]), costScales(m)
		lambda := make([]float64, m.N+1) // for costs as they are; entry 0 is the objective's weight 1
		lambda[0] = 1
		p.Multipliers = lambda[1:]
		sum, mean, pi := make([]float64, m.Pairs()), make([]float64, m.Pairs()), m.ClonePolicy(s.InitialPolicy)
		last, total := make([]float64, m.N+1), make([]float64, m.N+1)
		p.Mixture = make([]float64, m.N+1)

		take := func() {
			ev.Evaluate(pi)
			inc.offer(ev, pi)
			for n := range last {
				last[n] = ev.Centred(n)
			}
		}
		take()
		for p.K = range s.OuterIterations {
			for n := 1; n <= m.N; n++ {
				step := s.MultiplierStepSize * w[n] * (last[n] - x.m.B[n])
				lambda[n] = max(lambda[n]+step*w[n]/w[0], 0)
			}
			x.Play(lambda, 0, nil)
			p.LowerBound = max(p.LowerBound, x.raised(0, x.Dual(x.m.B)))
			clear(pi)
			for _, i := range x.Choice {
				pi[i] = 1
			}
			take()
			t := float64(p.K + 1)
			for i, q := range pi {
				sum[i] += q
				mean[i] = sum[i] / t
			}
			for n, j := range last {
				total[n] += j
				p.Mixture[n] = x.base(n) + total[n]/t
			}
			ev.Evaluate(mean)
			inc.offer(ev, mean)
			p.Policy, p.Iterations = mean, int64(x.Factorisations)
			p.report(ev)
			if !pass() {
				return false
			}
		}
		return true
	})
}
