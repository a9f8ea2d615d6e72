package solve

import (
	"iter"

	"rcmdplab/core/evaluate"
	"rcmdplab/core/game"
	"rcmdplab/core/model"
	"rcmdplab/core/proof"
)

// saddleRun is policy iteration, robust or not, of a large model: Newton's method
// with a record after each piece of work, the policy of the last one.
func saddleRun(ev *evaluate.Evaluator, s Settings, k *model.Kernel) iter.Seq[Progress] {
	return func(yield func(Progress) bool) {
		ev.Restart()
		m, p := ev.M, Nothing()
		ev.SetTolerance(exactness)
		inc := newIncumbent(m, &p.Best, 0)
		g := game.New(m, k).KeepPace(ev)
		likeliest(m, g.Choice, s.InitialPolicy)
		w := []float64{1}
		lo, hi := m.Bounds(0)
		g.Weigh(w, 1e-11*(hi-lo)*m.H)
		for !g.Step() && g.Solves < s.OuterIterations {
			p.K, p.Iterations = g.Solves, int64(g.Solves)
			if !yield(p) {
				return
			}
		}
		pi := m.Deterministic(g.Choice)
		if k == nil {
			ev.Near(0, g.V)
		}
		ev.Evaluate(pi)
		inc.offer(ev, pi)
		p.K, p.Policy, p.Iterations = g.Solves, pi, int64(g.Solves)
		p.report(ev)
		p.LowerBound = g.Lower()
		p.Proposal = proof.ByValues(0, w, g.V, p.LowerBound)
		conclude(&p, m, s.Tolerance)
		yield(p)
	}
}
