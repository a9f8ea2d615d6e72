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
			c := &checking{ev: ev, set: s, d: newDoor(ev.M, s), p: nothing(), guard: guard{pull: yield}}
			c.d.recall(s.Proofs)
			c.part(ev, func() { c.d.hear(func() func() bool { return c.tick }) })
			ev.Pace(c.tell)
			defer ev.Pace(nil)
			if !c.left {
				c.part(ev, func() { c.search(run) })
			}
			if !c.left {
				c.part(ev, c.prove)
			}
			if !c.left {
				c.conclude(c.d, ev, &c.p, s, func() bool { return c.again(c.p) })
			}
			if !c.left {
				yield(c.p)
			}
		}
	}
	return a
}

// checking is a method in progress, and what the door says of it.
type checking struct {
	guard
	ev   *evaluate.Evaluator
	set  solve.Settings
	d    *door
	p    solve.Progress // the record before
	own  []float64      // its best policy
	left bool           // yield has said no: nothing may be yielded any more
}

// search passes on the records of the method, whose own claims are the door's now.
func (c *checking) search(run func(*evaluate.Evaluator, solve.Settings) iter.Seq[solve.Progress]) {
	for q := range run(c.ev, c.set) {
		if c.left {
			return
		}
		c.p = q
		if c.own = kept(&c.p, c.own); c.p.Status != solve.Running || c.set.Asked() {
			return
		}
		c.d.pass(&c.p)
		if c.left = !c.yield(c.p); c.left {
			return
		}
	}
}

// prove makes the proof of what the method believes to have proved.
func (c *checking) prove() {
	switch c.p.Status {
	case solve.Bounded, solve.ProvedOptimal, solve.ProvedInfeasible:
		if solve.Large(c.ev.M) {
			c.d.byBounds(c.ev, c.set, c.p.Proposal, c.tick)
			c.d.suggest(c.ev, c.p.Best.Policy)
		} else {
			c.d.byValues(c.ev, c.p.Best.Policy, func(pi []float64) { c.d.prefer(c.ev, &c.p.Best, pi) }, c.tick)
		}
	}
}

// tell yields the record before, with what was accepted since, while the next is worked on.
func (c *checking) tell() bool {
	q := c.p
	c.d.pass(&q)
	return c.again(q)
}

// again yields a record that is not the last.
func (c *checking) again(q solve.Progress) bool {
	q.Status, q.Step = solve.Running, false
	c.left = c.left || !c.yield(c.d.held(q))
	return !c.left
}

// tick is tell for work that ends when it is asked to.
func (c *checking) tick() bool { return c.tell() && !c.set.Asked() }

// nothing is a record in which every number is undefined.
func nothing() solve.Progress {
	nan := math.NaN()
	return solve.Progress{
		Objective: nan, MaxViolation: nan, Delta: nan, Threshold: nan, Low: nan, High: nan, ActiveCost: -1, ActiveKernel: -1,
		Best: solve.Best{Objective: nan, MaxViolation: nan}, LowerBound: math.Inf(-1),
	}
}
