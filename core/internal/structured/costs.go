package structured

import (
	"fmt"
	"math"
	"math/rand/v2"

	"rcmdplab/core/model"
)

// pattern is a cost by state and action before size and sign, on the whole grid.
func pattern(r *rand.Rand, d *draft) (string, []float64) {
	c := make([]float64, d.s*d.a)
	each := func(f func(s, a int) float64) {
		for i := range c {
			c[i] = f(i/d.a, i%d.a)
		}
	}
	switch r.IntN(8) {
	case 0: // until the goal is reached
		each(func(s, _ int) float64 { return indicator(s != d.goal) })
		return "a unit a step", c
	case 1: // by action
		each(func(_, a int) float64 { return float64(a) })
		return "effort", c
	case 2:
		at := max(d.pit, 0)
		each(func(s, _ int) float64 { return indicator(s == at) })
		return "one bad state", c
	case 3:
		return "zero", c
	case 4:
		k := float64(1 + r.IntN(3))
		each(func(_, _ int) float64 { return k })
		return "constant", c
	case 5:
		each(func(_, _ int) float64 { return float64(r.IntN(4)) }) // ties
		return "small integers", c
	case 6: // a penalty far above everything else
		at, high := max(d.pit, d.s-1), pick(r, 1e3, 1e6, 1e9)
		each(func(s, a int) float64 { return 1 + float64((s+a)%3) + high*indicator(s == at && a == 0) })
		return fmt.Sprintf("a penalty of %g", high), c
	}
	each(func(_, _ int) float64 { return math.Round(1000*r.Float64()) / 1000 })
	return "scattered", c
}

func indicator(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

// cost draws one with its size, offset and sign; some are of the next state.
func cost(r *rand.Rand, d *draft, name string) (string, model.Cost) {
	what, values := pattern(r, d)
	size := pick(r, 1, 1, 1, 1, 1e-8, 1e-3, 1e6, 1e9)
	offset := pick(r, 0, 0, 0, 0, 0, -1, -3, 10, 1e6)
	if chance(r, 0.15) {
		size = -size
	}
	for i := range values {
		values[i] = size * (values[i] + offset)
	}
	what = fmt.Sprintf("%s x %g + %g", what, size, offset)
	c := model.Cost{Name: name, Values: values, Average: chance(r, 0.2)}
	if chance(r, 0.15) { // the same, paid on arrival
		what += " on arrival"
		c.Next, c.Values = make([]float64, d.s*d.a*d.s), nil
		for i := range c.Next {
			c.Next[i] = values[i%d.s*d.a+i/d.s%d.a]
		}
	}
	return what, c
}

func setObjective(r *rand.Rand, d *draft, p *model.Problem) string {
	what, c := cost(r, d, "objective")
	p.Objective, p.Maximize = c, chance(r, 0.3)
	if p.Maximize {
		what += " maximised"
	}
	return what
}

// setLimits adds none to two limits, set next to what policies reach: exactly
// at the least that any reaches, between two policies, out of reach, beyond
// anything, or at the given number 0.
func setLimits(r *rand.Rand, d *draft, p *model.Problem) string {
	said := "no limits"
	for n := range pick(r, 0, 1, 1, 1, 2) {
		what, c := cost(r, d, fmt.Sprintf("limit %d", n))
		limit := model.Constraint{Cost: c, AtLeast: chance(r, 0.3)}
		p.Constraints = append(p.Constraints, limit)
		m := Reread(p).Standard()
		least, most := reach(m, n+1)
		size := m.Scale(n+1, most)
		kind := pick(r, "tight", "tight", "between", "between", "between", "uniform", "impossible", "loose", "zero")
		var b float64
		switch kind {
		case "tight":
			b = least
		case "between":
			b = least + pick(r, 0.01, 0.3, 0.5, 0.8)*(most-least)
		case "uniform":
			j, _ := Returns(m, m.Uniform())
			b = j[n+1]
		case "impossible":
			b = least - pick(r, 1e-3, 0.1, 2)*size
		case "loose":
			b = most + pick(r, 1e-3, 0.1, 2)*size
		}
		p.Constraints[n].Bound = m.Present(n+1, b)
		if n == 0 {
			said = ""
		} else {
			said += " and "
		}
		said += fmt.Sprintf("%s limit on %s", kind, what)
	}
	return said
}

// reach is the range of worst-case returns of cost n over some deterministic
// policies; its lower end is the least over all policies in a rectangular set
// and with one kernel.
func reach(m *model.Standard, n int) (least, most float64) {
	w := newWorst(m)
	least = w.leastReturn(n)
	most = least
	for _, pi := range somePolicies(m, 8) {
		most = max(most, w.returns(pi)[n])
	}
	return least + w.base[n], most + w.base[n]
}
