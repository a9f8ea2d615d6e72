package model

import (
	"fmt"
	"math"
)

const wantHorizon = `the number of decisions, a whole number from 1 on, such as 24`

// otherEnds is what to write where a horizon is not served.
const otherEnds = `take fewer and longer steps, a discount below 1 in its place, or the states in which it ends ("end")`

// horizon reads the number of decisions: -1 when it is none.
func (r *reader) horizon() int {
	const p = "/horizon"
	start := r.i
	x, ok := r.finite(Fault{Pointer: p}, wantHorizon)
	switch {
	case !ok:
		return -1
	case x == 0:
		r.faultf(start, p, `found 0, and without a decision there is nothing to find; want %s, or leave "horizon" out where there is no end of them`, wantHorizon)
		return -1
	case x != math.Trunc(x) || x < 0:
		r.faultf(start, p, "found %s; want %s", Num(x), wantHorizon)
		return -1
	case r.s > 0 && x*float64(r.s) > MostStateTimes:
		r.faultf(start, p, "found %s: so many decisions in %s are %s pairs of state and time, and at most %d are solved, which is %d decisions here; %s",
			Num(x), Count(r.s, "state"), Num(x*float64(r.s)), MostStateTimes, MostStateTimes/r.s, otherEnds)
		return -1
	case x > MostStateTimes:
		r.faultf(start, p, "found %s; at most %d decisions are solved: %s", Num(x), MostStateTimes, otherEnds)
		return -1
	}
	return int(x)
}

// timed judges what goes with a horizon and what does not.
func (r *reader) timed(p *Problem, here int) {
	for q, c := range p.costs {
		if c.Average {
			r.fault(here, Fault{Pointer: q + "/scale", Message: fmt.Sprintf(`%s has "scale": "average", an average over time without an end, which has no meaning with a horizon; write "total"`, Quote(c.Name)),
				Fix: &Fix{`write "total"`, []Replace{{q + "/scale", `"total"`}}}})
		}
		next := c.Next != nil || c.Steps != nil && c.Steps[0].Next != nil
		if all := p.Horizon*r.s + r.s; next && r.s > 0 && r.a > 0 && all > MaxNext/(all*r.a) {
			r.faultf(here, q+"/values", "the costs depend on the next state, and %d decisions in %s make %d of them by time squared, times %s: at most %d are read. Give what is expected of them for each [state][action], put what is paid on arrival at an end into that state's own cost, or take fewer decisions",
				p.Horizon, Count(r.s, "state"), all, Count(r.a, "action"), MaxNext)
		}
	}
	if p.Uncertainty.Paper {
		r.faultf(here, "/uncertainty/evaluator", `the evaluator "paper" is an update for discounted models without an end; write "soft", or leave "horizon" out`)
	}
	entries := 0
	for _, k := range p.Uncertainty.Every() {
		if entries += len(k.Next); p.Uncertainty.SupportAll {
			entries += r.s * len(k.Ptr)
		}
	}
	if p.Horizon > 0 && entries > mostUnrolled/p.Horizon {
		r.faultf(here, "/horizon", `found %d: with %s that are listed, over all times they are more than the %d that are solved; %s%s`,
			p.Horizon, Count(entries, "transition"), mostUnrolled, otherEnds,
			map[bool]string{true: `; with "support": "nominal" fewer next states are listed`}[p.Uncertainty.SupportAll])
	}
}

// shape is how many elements a nested list has at each level, as its first ones that are not null go on.
func (r *reader) shape() (sizes []int) {
	for c := r.cursor; c.kind() == list; {
		var inner *cursor
		n := 0
		for c.i++; c.more(']'); n++ {
			if inner == nil && c.kind() != null {
				at := c
				inner = &at
			}
			c.raw()
		}
		if sizes = append(sizes, n); inner == nil {
			break
		}
		c = *inner
	}
	return sizes
}

// wantSteps is a cost that differs by time.
const wantSteps = "a cost for each [state][action], or a list of such tables, one for each decision"

// costs reads the values of a cost, one table of them or, with a horizon, one for each decision.
func (r *reader) costs(c *Cost, base string, start int) {
	here, sizes := r.i, []int(nil)
	if r.decisions != 0 {
		sizes = r.shape()
	}
	tables := len(sizes) == 4
	if len(sizes) == 3 {
		next := sizes[0] == r.s && sizes[1] == r.a
		tables = sizes[0] == r.decisions || sizes[1] == r.s && !next
		if tables && next && sizes[1] == r.s {
			r.faultf(here, base, "found %d lists of %d lists, which may be tables by decision or costs of the next state, as there are as many decisions, states and actions; "+
				"write a table [state][action][next state] for each decision, or one action more that is never available", sizes[0], sizes[1])
			return
		}
		if r.decisions < 0 && !next {
			return
		}
	}
	if !tables || r.decisions < 0 {
		r.values(c, base)
		r.endCost(c, base, start)
		return
	}
	if sizes[0] != r.decisions {
		r.faultf(here, base, "found %s; want %d, one for each decision, or one for all of them", Count(sizes[0], "table"), r.decisions)
		return
	}
	r.i++
	for t := 0; r.more(']'); t++ {
		c.Steps = append(c.Steps, Cost{})
		x, at, from := &c.Steps[t], at(base, t), r.i
		if r.kind() != list {
			r.wrong(Fault{Pointer: at}, wantSteps)
			continue
		}
		r.values(x, at)
		r.endCost(x, at, from)
		if (x.Next != nil) != (c.Steps[0].Next != nil) {
			r.faultf(from, at, "the tables of some decisions depend on the next state and others do not; want all alike")
		}
	}
}

// final reads what is paid at the end of a horizon, by state.
func (r *reader) final(c *Cost, base string) {
	const want = "what is paid at the end, one number for each state"
	start := r.i
	if r.decisions == 0 {
		r.faultf(start, base, `this is paid when the last decision is over, and the model has no number of them; give "horizon", or leave this out`)
		return
	}
	if !r.into(Fault{Pointer: base}, want) {
		return
	}
	for r.more(']') {
		s := len(c.Final)
		f := r.pair(at(base, s), s, -1)
		here, isEnd := r.i, s < len(r.end) && r.end[s]
		x := 0.0
		if isEnd && r.kind() == null {
			r.raw()
		} else {
			x, _ = r.amount(f, "a cost", MinCost, MaxCost)
		}
		if isEnd && x != 0 {
			r.say(here, f, "%s is an end, where the episode is over before that, and %s is paid there; want 0, or that as its cost in \"values\"", f.in(), Num(x))
		}
		c.Final = append(c.Final, x)
	}
	if r.s >= 0 && len(c.Final) != r.s {
		r.faultf(start, base, "found %s; want %d, one for each state%s", Count(len(c.Final), "number"), r.s, commas(len(c.Final), r.s))
	}
}
