package solve

import (
	"iter"

	"rcmdplab/core/evaluate"
	"rcmdplab/core/model"
	"rcmdplab/core/proof"
)

var policyIteration = Algorithm{
	ID:            "policy-iteration",
	Title:         "Policy iteration",
	Shape:         Exact,
	Solves:        "One kernel, no constraints: exact, with a checked lower bound.",
	Options:       improvementOptions,
	Deterministic: true,
	Run: func(ev *evaluate.Evaluator, s Settings) iter.Seq[Progress] {
		return improvements(ev, s, ev.M.Kernels[0])
	},
	Unfit: unfitPolicyIteration,
}

// improvementOptions are those of both policy iterations.
var improvementOptions = []Option{
	{"outerIterations", "integer", 1000, 1, 1000000, "Largest number of improvement steps; a few are enough."},
	{"initialPolicy", "policy", 0, 0, 0, "Where to start (its likeliest actions); the first available actions when not given."},
	{"tolerance", "number", 1e-9, 0, 1, "The gap to the lower bound that counts as closed: a share of the return, or of the range of returns if that is smaller."},
}

// improvements is policy iteration (Howard: evaluate, act greedily, until nothing changes), robust or not: the rounds of a game under one
// kernel, or with nil against the rectangular set. Each record's lower bound is from
// the residual of its values, see game.Game.Lower. A round is a record, with its policy
// evaluated in a small model; in a large one records come after each piece of work, and
// only the last policy is.
func improvements(ev *evaluate.Evaluator, s Settings, k *model.Kernel) iter.Seq[Progress] {
	return sequence(ev, 0, s.Tolerance, func(p *Progress, inc *incumbent, pass func() bool) bool {
		ev.SetTolerance(exactness)
		m, x, gap := ev.M, newMDP(ev.M, k), 0.0
		x.KeepPace(ev.Own())
		likeliest(m, x.Choice, s.InitialPolicy)
		if lo, hi := m.Bounds(0); Large(m) {
			gap = 1e-11 * (hi - lo) * m.H
		}
		x.weights[0] = 1
		x.Weigh(x.weights, gap)
		for done := false; !done; {
			round := x.Rounds
			for done = x.Step(); !done && x.Rounds == round; done = x.Step() {
				if Large(m) && !pass() {
					return false
				}
			}
			done = done || x.Rounds >= s.OuterIterations
			p.K, p.Iterations = x.Rounds, int64(x.Solves)
			if !Large(m) || done {
				p.Policy = m.Deterministic(x.Choice)
				if k == nil {
					ev.Near(0, x.worth(0))
				}
				ev.Evaluate(p.Policy)
				inc.offer(ev, p.Policy)
				p.report(ev)
				p.LowerBound = max(p.LowerBound, x.raised(0, x.Lower()))
			}
			if !done && !pass() {
				return false
			}
		}
		if Large(m) {
			p.Proposal = proof.ByValues(0, x.weights, x.worth(0), p.LowerBound)
		}
		return true
	})
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
