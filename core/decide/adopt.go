package decide

import (
	"iter"
	"slices"

	"rcmdplab/core/evaluate"
	"rcmdplab/core/proof"
	"rcmdplab/core/solve"
)

// AdoptID is the id of Adopt, which no list of methods has.
const AdoptID = "adopt"

// Adopt is the method that searches no further than one descent from each of
// starts: it claims for a problem what policies and proofs show that were found
// for others like it. A policy that is feasible under a tighter limit is so under
// a looser one, and what proves a bound under a looser limit proves it under a
// tighter one; whether it does is for the checker to say, about this problem, as
// for any other claim.
func Adopt(policies, starts [][]float64, proofs []proof.Claim) solve.Algorithm {
	return solve.Algorithm{ID: AdoptID, Title: "What others show", Concludes: true,
		Run: func(ev *evaluate.Evaluator, s solve.Settings) iter.Seq[solve.Progress] {
			return func(yield func(solve.Progress) bool) {
				d, p, left := newDoor(ev.M, s), nothing(), false
				tell := func() bool {
					d.pass(&p)
					left = left || !yield(d.held(p))
					return !left
				}
				for _, pi := range policies {
					if b := d.evaluated(ev, pi, d.missed); b.Beats(&p.Best) {
						p.Best = b
					}
				}
				if len(starts) > 0 && !solve.Large(ev.M) {
					if descend(ev, starts, &p, func() bool { return tell() && !s.Asked() }); left {
						return
					}
				}
				for k := range proofs {
					if !tell() {
						return
					}
					d.propose(&proofs[k], tell)
				}
				d.refused = "" // that they hold here was a guess
				if left {
					return
				}
				if d.conclude(&p, s, tell); !left {
					p.Policy, p.Objective, p.MaxViolation = p.Best.Policy, p.Best.Objective, p.Best.MaxViolation
					p.Step = true
					yield(p)
				}
			}
		}}
}

// descend is one local solve from each of the starts.
func descend(ev *evaluate.Evaluator, starts [][]float64, p *solve.Progress, more func() bool) {
	local := solve.NewLocal(ev)
	defer ev.KeepKernels(0)
	for _, from := range starts {
		for q := range local.Run(from) {
			if q.Best.Beats(&p.Best) {
				p.Best = q.Best
				p.Best.Policy = slices.Clone(p.Best.Policy)
			}
			if q.Status != solve.Running || !more() {
				break
			}
		}
		p.Evaluations = ev.Count
	}
}
