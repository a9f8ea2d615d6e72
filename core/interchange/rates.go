package interchange

import (
	"cmp"
	"fmt"
	"math"

	"rcmdplab/core/model"
)

// A continuous-time chain has rates in the place of probabilities. Uniformised, it
// is one in steps: with Λ the largest rate of leaving a state, a step goes to t
// with rate/Λ and stays with what is missing of 1; it takes 1/Λ on average.

// chainOfRates says whether transitions without choices are rates: the header says
// so, or some number is above 1.
func (r *prism) chainOfRates(s *section, rows []rawLine) bool {
	if s.model == "CTMC" {
		return true
	}
	if r.mdp {
		return false
	}
	for _, l := range rows {
		w := fields(l.s, l.at)
		if len(w) < 3 {
			return false
		}
		if x, ok := rational(w[2].s); ok && x > 1+model.RepairTolerance {
			return true
		}
	}
	return false
}

// uniformise asks whether rates are to be turned into steps, and halts where they are not.
func (in *input) uniformise(src *source, at int) {
	if in.choose("rates", "Rates of a continuous-time chain", "Steps of the same length on average, one for each change that the fastest state can make.", "refuse",
		Option{"refuse", "refuse them"}, Option{"uniformise", "uniformise: a chain in steps"}) == "uniformise" {
		return
	}
	f := src.at(at, "this is a continuous-time chain (CTMC): its numbers are rates, not probabilities; uniformise it, which divides them by the largest rate of leaving a state and lets what is missing of 1 stay")
	f.Fix = &Fix{"uniformise it", "rates", `"uniformise"`}
	in.haltBy(f)
}

// uniformised turns rates into probabilities and gives Λ.
func (d *draft) uniformised(in *input) float64 {
	out := make([]float64, d.s)
	self := make([]int, d.s)
	for i := range d.entries {
		e := &d.entries[i]
		if !(e.p >= 0) || math.IsInf(e.p, 0) {
			in.fail(d.fault(int(e.s), -1, int(e.at), "the rate from state %s to %s is %s; want a number >= 0", model.Quote(d.state(int(e.s))), model.Quote(d.state(int(e.t))), show(e.p)))
			return 1
		}
		if e.s != e.t {
			out[e.s] += e.p
		}
	}
	speed := 0.0
	for _, x := range out {
		speed = math.Max(speed, x)
	}
	speed = cmp.Or(speed, 1) // nothing ever happens
	d.keep(func(e entry) bool { return e.s != e.t })
	for i := range d.entries {
		d.entries[i].p /= speed
		d.entries[i].hi = d.entries[i].p
		self[d.entries[i].s]++
	}
	for s, x := range out {
		if stay := 1 - x/speed; stay > 0 && self[s] > 0 {
			d.push(0, s, 0, s, stay, stay, -1)
		}
	}
	in.note("rates: uniformised at %s, so a step takes %s units of time on average", model.Digits(speed, 6), model.Digits(1/speed, 4))
	return speed
}

// perStep turns what a state gives in a unit of time into what it gives in a step.
func (d *draft) perStep(in *input, speed float64) {
	for _, c := range d.costs {
		for i := range c.pair {
			c.pair[i] /= speed
		}
		if c.pair != nil {
			in.note("%s", fmt.Sprintf("%s of a state is taken as so much in a unit of time: divided by %s", model.Quote(c.name), model.Digits(speed, 6)))
		}
	}
}
