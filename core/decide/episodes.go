package decide

import (
	"fmt"
	"math"

	"rcmdplab/core/bound"
	"rcmdplab/core/evaluate"
	"rcmdplab/core/proof"
	"rcmdplab/core/solve"
)

// endless says of a policy that does not count that it may go on for ever, and where.
func (d *door) endless(p *solve.Progress) {
	if d.episodes == nil || p.Best.Feasible || p.Best.Policy == nil {
		return
	}
	if i := d.episodes.Endless(p.Best.Policy); i >= 0 {
		m := d.m
		p.Note = join(p.Note, fmt.Sprintf("The policy may go on for ever, in state %q by action %q, and at discount 1 only those count that surely end.",
			m.Problem.States[m.State[i]], m.Problem.Actions[m.Act[i]]))
	}
}

// atOne is a proposal by values made anew for discount 1, from its prices; nil when there is none.
func (t *teller) atOne(c *proof.Claim) *proof.Claim {
	if c.Values == nil || t.dual.x == nil {
		return nil
	}
	w := append([]float64{1}, c.Values.Prices...)
	if c.Infeasible() {
		w[0] = 0
	}
	one, _, _ := t.dual.x.Prove(w, c.Values.Kernel, t.tick)
	if one == nil || one.Values.V == nil {
		return nil
	}
	return one
}

// forEver is a return of so many of the dearest steps, below which it is no return of an episode.
const forEver = 1e8

// Collects is the state in which the objective can be made as small as one likes before an episode
// ends, empty where there is none: a cycle of negative cost. It is asked where there are no limits;
// with limits what it comes to may be finite.
func Collects(ev *evaluate.Evaluator) string {
	m := ev.M
	if ev.Episodes == nil || m.N > 0 {
		return ""
	}
	x, err := bound.NewPricing(m)
	if err != nil {
		return ""
	}
	for k := range max(1, len(m.Kernels)) {
		x.Prefer([]float64{1}, k)
		pi := x.Policy()
		if ev.Evaluate(pi); !(ev.J[0] < -forEver*m.Dearest(0)) || math.IsNaN(ev.J[0]) {
			continue
		}
		if i := ev.Episodes.Endless(pi); i >= 0 {
			return m.Problem.States[m.State[i]]
		}
	}
	return ""
}
