package decide

import (
	"iter"
	"math"

	"rcmdplab/core/evaluate"
	"rcmdplab/core/solve"
)

// checked is a search method that says through the door what it found. What
// these methods prove they prove by one kernel, or one price for each limit
// alone: where one believes it has a bound, the proof is made again in the form
// that certify reads. It can be asked to end between any two records.
func checked(a solve.Algorithm) solve.Algorithm {
	run := a.Run
	a.Concludes = true
	a.Run = func(ev *evaluate.Evaluator, s solve.Settings) iter.Seq[solve.Progress] {
		return func(yield func(solve.Progress) bool) {
			d, p, left := newDoor(ev.M, s), nothing(), false
			tell := func() bool { // the record before with what was accepted since, while the next is worked on
				q := p
				q.Status, q.Step = solve.Running, false
				d.pass(&q)
				left = left || !yield(d.held(q))
				return !left
			}
			pause := func() bool { return tell() && !s.Asked() }
			d.recall(s.Proofs)
			if d.hear(func() func() bool { return pause }); left {
				return
			}
			ev.Pace(tell)
			defer ev.Pace(nil)
			var own []float64
			for q := range run(ev, s) {
				if left {
					return
				}
				p = q
				if own = kept(&p, own); p.Status != solve.Running || s.Asked() {
					break
				}
				d.pass(&p)
				if left = !yield(p); left {
					return
				}
			}
			switch p.Status {
			case solve.Bounded, solve.ProvedOptimal, solve.ProvedInfeasible:
				if solve.Large(ev.M) {
					d.byBounds(ev, s, p.Proposal, pause)
					d.suggest(ev, p.Best.Policy)
				} else {
					d.byValues(ev, p.Best.Policy, func(pi []float64) { d.prefer(ev, &p.Best, pi) }, pause)
				}
			}
			if left {
				return
			}
			d.conclude(&p, s, func() bool {
				if left {
					return false
				}
				q := p
				q.Status, q.Step = solve.Running, false
				left = !yield(d.held(q))
				return !left
			})
			if !left {
				yield(p)
			}
		}
	}
	return a
}

// nothing is a record in which every number is undefined.
func nothing() solve.Progress {
	nan := math.NaN()
	return solve.Progress{
		Objective: nan, MaxViolation: nan, Delta: nan, Threshold: nan, Low: nan, High: nan, ActiveCost: -1, ActiveKernel: -1,
		Best: solve.Best{Objective: nan, MaxViolation: nan}, LowerBound: math.Inf(-1),
	}
}
