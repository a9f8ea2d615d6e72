package interchange

import (
	"math"
	"slices"
)

// draft makes the underlying MDP.
func (c *cassandra) draft() *draft {
	in := c.in
	if c.t == nil {
		c.fail(len(c.src.data), "there are no transitions T:")
	}
	d := in.newDraft(c.src, c.states, c.actions, 0)
	d.states, d.actions = c.stateNames, c.actionNames
	d.discount, d.discountAt = c.discount, c.discountAt
	if math.IsNaN(d.discount) {
		d.discount = 1 // the format's default
	}
	if c.cost {
		d.sense = "minimize"
	}
	if d.initial = c.start; d.initial == nil {
		d.initial = uniformRow(c.states)
		in.note("the file has no start: every state is equally likely, as the format says")
	}
	if c.observations > 0 {
		in.note("this is a partially observed problem: the underlying MDP is taken, in which the state is seen")
		in.warnings = append(in.warnings, "the problem was partially observed; here the state is seen, so the value is at least as good as it can be with observations")
		c.unobserved()
	}
	cost := d.costNamed(map[bool]string{true: "cost", false: "reward"}[c.cost])
	for s := range c.states {
		for a := range c.actions {
			g := a*c.states + s
			if c.t[g] == nil {
				d.push(0, s, a, s, 0, 0, 0) // zeros: judged with the other rows
			}
			for t, p := range c.t[g] {
				if p == 0 {
					continue
				}
				d.add(in, 0, s, a, t, p, p, c.tAt[g])
				in.full()
				if c.rank == 3 {
					d.onEntry(cost, c.r[g*c.states+t])
				}
			}
			if c.rank == 2 {
				d.onPair(cost, s, a, c.r[g])
			}
		}
	}
	return d
}

// unobserved takes the observation out of the rewards: where they depend on
// it, only with the person's word.
func (c *cassandra) unobserved() {
	if c.rank < 4 {
		return
	}
	m := c.observations
	depends := false
	for g := 0; g < len(c.r) && !depends; g += m {
		depends = slices.ContainsFunc(c.r[g:g+m], func(x float64) bool { return x != c.r[g] })
	}
	if depends && c.in.choose("observationRewards", "Rewards that depend on the observation", "The underlying MDP has no observations.", "refuse",
		Option{"refuse", "refuse the file"}, Option{"expectation", "take their expectation over the observation"}) == "refuse" {
		c.in.haltBy(Fault{File: c.src.shown, Message: "rewards depend on the observation, which the underlying MDP does not have; their expectation over it can be taken instead",
			Fix: &Fix{"take the expectation", "observationRewards", `"expectation"`}})
	}
	flat := make([]float64, len(c.r)/m)
	for i := range flat {
		row := c.r[i*m : (i+1)*m]
		if flat[i] = row[0]; !depends {
			continue
		}
		a, t := i/(c.states*c.states), i%c.states
		flat[i] = 0
		o := c.o[a*c.states+t]
		if o == nil {
			o = uniformRow(m)
		}
		for k, x := range row {
			flat[i] += o[k] * x
		}
	}
	if depends {
		c.in.note("rewards that depend on the observation: their expectation is taken")
	}
	c.r, c.rank = flat, 3
}

// identifier says whether the format can hold a name.
func identifier(name string) bool {
	for k, r := range name {
		letter := r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z'
		if !letter && (k == 0 || !(r >= '0' && r <= '9' || r == '_' || r == '-')) {
			return false
		}
	}
	return name != ""
}
