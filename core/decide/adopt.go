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
				t := newTeller(ev, s, yield)
				for _, pi := range policies {
					if b := t.door.evaluated(ev, pi, t.door.missed); b.Beats(&t.p.Best) {
						t.p.Best = b
					}
				}
				if len(starts) > 0 && !solve.Large(ev.M) && !ev.M.Problem.Deterministic {
					t.part(ev, func() { descend(ev, starts, &t.p, t.tick) })
				}
				for k := range proofs {
					if t.tell() {
						t.door.propose(&proofs[k], t.tell)
					}
				}
				t.door.refused = "" // that they hold here was a guess
				if t.left {
					return
				}
				if t.conclude(); !t.left {
					t.p.Policy, t.p.Objective, t.p.MaxViolation = t.p.Best.Policy, t.p.Best.Objective, t.p.Best.MaxViolation
					t.p.Step = true
					t.send(t.p)
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
