package decide

import (
	"iter"

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
			c := &checking{teller: newTeller(ev, s, yield), run: run}
			if a.Shape == solve.Given { // no other policy stands in for it
				c.set.InitialPolicy = s.InitialPolicy
			}
			if a.Unfit != nil {
				if why := a.Unfit(ev.M); why != "" {
					c.door.unfit(&c.p, a.Title+" was not run: "+why+".")
					c.send(c.p)
					return
				}
			}
			ev.Pace(c.tell)
			defer ev.Pace(nil)
			for _, work := range []func(){c.hear, c.search, c.prove, c.conclude} {
				if c.part(ev, work); c.left {
					return
				}
			}
			c.p.Step = c.step
			c.send(c.p)
		}
	}
	return a
}

// checking is a method in progress, and what the door says of it.
type checking struct {
	teller
	run  func(*evaluate.Evaluator, solve.Settings) iter.Seq[solve.Progress]
	own  []float64 // the best policy of the record before
	step bool      // the last record of the method ends an outer step
}

// search passes on the records of the method, whose own claims are the door's now.
func (c *checking) search() {
	for q := range c.run(c.ev, c.set) {
		if c.left {
			return
		}
		c.p = q
		c.own = kept(&c.p, c.own)
		c.step, c.p.Step = q.Step, false // what is told of it meanwhile ends none
		if c.p.Status != solve.Running || c.set.Asked() {
			return
		}
		c.door.pass(&c.p)
		q, q.Step = c.p, c.step
		if !c.send(q) {
			return
		}
	}
}

// prove makes the proof of what the method believes to have proved.
func (c *checking) prove() {
	switch c.p.Status {
	case solve.Bounded, solve.ProvedOptimal, solve.ProvedInfeasible:
		if solve.Large(c.m) {
			c.byBounds()
			c.suggest()
		} else {
			c.dual.prove(c.ev, c.p.Best.Policy, func(pi []float64) { c.door.prefer(c.ev, &c.p.Best, pi) }, c.tick)
		}
	}
}

// kept copies the best policy of a record into own, which is returned: the method
// that made the record writes the next best over it.
func kept(p *solve.Progress, own []float64) []float64 {
	if p.Best.Policy != nil {
		own = append(own[:0], p.Best.Policy...)
		p.Best.Policy = own
	}
	return own
}
