package solve

import (
	"iter"
	"math"

	"rcmdplab/core/evaluate"
	"rcmdplab/core/model"
)

var policyIteration = Algorithm{
	ID:      "policy-iteration",
	Title:   "Policy iteration",
	Shape:   Exact,
	Solves:  "One kernel, no constraints: exact, with a checked lower bound.",
	Options: improvementOptions,
	Run:     runPolicyIteration,
	Unfit:   unfitUnconstrained,
}

// improvementOptions are those of both policy iterations.
var improvementOptions = []Option{
	{"outerIterations", "integer", 1000, 1, 1000000, "Largest number of improvement steps; a few are enough."},
	{"initialPolicy", "policy", 0, 0, 0, "Where to start (its likeliest actions); the first available actions when not given."},
	{"tolerance", "number", 1e-9, 0, 1, "The gap to the lower bound that counts as closed: a share of the return, or of the range of returns if that is smaller."},
}

// runPolicyIteration is Howard's policy iteration: evaluate, act greedily,
// until nothing changes. Each record's lower bound is from the Bellman
// residual of the current values.
func runPolicyIteration(ev *evaluate.Evaluator, s Settings) iter.Seq[Progress] {
	m := ev.M
	if reason := unfitUnconstrained(m); reason != "" {
		return refuse("Policy iteration", reason)
	}
	k := m.Kernels[0]
	if Large(m) {
		return saddleRun(ev, s, k)
	}
	return func(yield func(Progress) bool) {
		ev.Restart()
		p, x := Nothing(), newMDP(m, k)
		inc := newIncumbent(m, &p.Best, 0)
		likeliest(m, x.choice, s.InitialPolicy)
		only := []float64{1}
		for p.K = 0; ; p.K++ {
			pi := m.Deterministic(x.choice)
			ev.Evaluate(pi)
			inc.offer(ev, pi)
			changed := x.improve(x.c[0])
			p.LowerBound = max(p.LowerBound, x.raised(0, x.bound(only)))
			p.Policy, p.Objective, p.MaxViolation = pi, ev.J[0], math.Inf(-1)
			p.Step, p.Evaluations, p.Iterations = true, ev.Count, x.factorisations
			if !changed || p.K+1 >= s.OuterIterations {
				break
			}
			if !yield(p) {
				return
			}
		}
		conclude(&p, m, s.Tolerance)
		yield(p)
	}
}

// likeliest writes the most probable pair of each state, the first of them on
// a tie or when pi is nil.
func likeliest(m *model.Standard, choice []int, pi []float64) {
	copy(choice, m.Off)
	if pi == nil {
		return
	}
	for s := range choice {
		for i := m.Off[s]; i < m.Off[s+1]; i++ {
			if pi[i] > pi[choice[s]] {
				choice[s] = i
			}
		}
	}
}
