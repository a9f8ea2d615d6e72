package model

import (
	"fmt"
	"math"
)

const maxFloat = math.MaxFloat64

// Sizes of what is read, besides 0: a cost, what a return of the longest horizon
// can come to, and a temperature. Sums of returns and products of two of them
// have to stay within what a 64-bit float can hold, which is 1e308, and so have
// the reciprocals that small ones are scaled by.
const (
	MaxCost        = 1e100
	MinCost        = 1e-100
	MaxReturn      = MaxCost * MaxHorizon
	MaxHorizon     = 1e12
	maxTemperature = 1e100
	minTemperature = 1e-100
)

var nan = math.NaN()

// amount reads a number that is 0 or between least and most in size, or reports
// why it is none.
func (r *reader) amount(f Fault, what string, least, most float64) (float64, bool) {
	kind := r.kind()
	start := r.i
	if kind == notJSON && what == "a cost" {
		r.say(start, f, "found %s, which is not a number; want a cost, a finite number; %s", r.raw(), notAvailable)
		return 0, false
	}
	want := what
	if what == "a cost" {
		want = "a cost, a finite number"
	}
	x, ok := r.finite(f, want)
	if size := math.Abs(x); ok && (size > most || size > 0 && size < least) {
		f.Message = fmt.Sprintf("found %s; want %s of at most %s in size, and at least %s if it is not 0: sums and products of others leave the range of 64-bit floats",
			Num(x), what, Num(most), Num(least))
		if size > most && what == "a cost" {
			f.Message += "; " + notAvailable
		}
		if size < least {
			f.Fix = &Fix{"write 0", []Replace{{f.Pointer, "0"}}}
		}
		r.fault(start, f)
		return 0, false
	}
	return x, ok
}

// plainCost reads a cost, what nearly every value of a cost is. Otherwise the
// cursor stays.
func (r *reader) plainCost() (x float64, ok bool) {
	start := r.i
	if x, ok = r.simple(-MaxCost, MaxCost); ok && x != 0 && math.Abs(x) < MinCost {
		r.i, ok = start, false
	}
	return x, ok
}

func (r *reader) objective(p *Problem, taken map[string]string) {
	const base = "/objective"
	start := r.i
	where, ok := r.fields(base, `a cost {"name": ..., "values": ...}`, "name", "sense", "values", "final", "scale", "over")
	if !ok {
		return
	}
	if r.seek(where, "sense") {
		p.Maximize = r.choice(base+"/sense", "minimize", "maximize") == 1
	}
	r.cost(&p.Objective, where, base, start, "objective", taken)
}

func (r *reader) constraints(p *Problem, taken map[string]string) {
	const base = "/constraints"
	if !r.into(Fault{Pointer: base}, "a list of constraints (an empty one if there are none)") {
		return
	}
	for r.more(']') {
		n, start := len(p.Constraints), r.i
		p.Constraints = append(p.Constraints, Constraint{})
		c := &p.Constraints[n]
		q := at(base, n)
		where, ok := r.fields(q, `a constraint {"name": ..., "values": ..., "atMost": ...}`, "name", "values", "final", "scale", "over", "atMost", "atLeast")
		if !ok {
			continue
		}
		end := r.i
		r.cost(&c.Cost, where, q, start, fmt.Sprintf("constraint %d", n+1), taken)
		_, most := where["atMost"]
		_, least := where["atLeast"]
		switch {
		case most && least:
			r.faultf(start, q, `constraint %s has both "atMost" and "atLeast"; want exactly one of them (two limits are two constraints)`, Quote(c.Name))
		case !most && !least:
			r.faultf(start, q, `constraint %s has no limit; want exactly one of "atMost" and "atLeast"`, Quote(c.Name))
		}
		for _, side := range []string{"atMost", "atLeast"} {
			if r.seek(where, side) {
				c.Bound, _ = r.amount(Fault{Pointer: q + "/" + side}, "a number", MinCost, MaxReturn)
			}
		}
		c.AtLeast = least
		r.i = end
	}
}

// cost reads what objective and constraints have in common.
func (r *reader) cost(c *Cost, where map[string]int, base string, start int, otherwise string, taken map[string]string) {
	c.Name = r.title(where, base, start, otherwise, "cost")
	if other, twice := taken[c.Name]; twice {
		r.faultf(start, base+"/name", "the name %s is taken by the %s; names must differ", Quote(c.Name), other)
	} else {
		taken[c.Name] = otherwise
	}
	if r.seek(where, "scale") {
		c.Average = r.choice(base+"/scale", "total", "average") == 1
	}
	if r.seek(where, "over") {
		c.Over = r.over(base + "/over")
	}
	if r.seek(where, "values") {
		r.costs(c, base+"/values", start)
	} else {
		r.faultf(start, base+"/values", `the field "values" is missing; want a cost for each [state][action], or for each [state][action][next state]`)
	}
	if r.seek(where, "final") {
		r.final(c, base+"/final")
	}
}

func (r *reader) values(c *Cost, base string) {
	const want = "a cost for each [state][action], or for each [state][action][next state]"
	if !r.dependsOnNext() {
		if r.s > 0 && r.a > 0 {
			c.Values = make([]float64, 0, r.s*r.a)
		}
		r.grid(base, want, func(s, a int) {
			if x, ok := r.plainCost(); ok {
				c.Values = append(c.Values, x)
				return
			}
			c.Values = append(c.Values, r.cell(r.pair(at(base, s, a), s, a), s, a, func(f Fault) float64 {
				x, _ := r.amount(f, "a cost", MinCost, MaxCost)
				return x
			}))
		})
		return
	}
	if r.s > 0 && r.a > 0 && r.s > MaxNext/(r.s*r.a) {
		r.faultf(r.i, base, "%d states squared times %d actions are too many costs; at most %d are read", r.s, r.a, MaxNext)
		return
	}
	r.grid(base, want, func(s, a int) {
		f := r.pair(at(base, s, a), s, a)
		if r.kind() == null {
			r.cell(f, s, a, nil)
			for range max(r.s, 0) {
				c.Next = append(c.Next, nan)
			}
			return
		}
		start, n := r.i, 0
		if !r.into(f, "a list with one cost for each next state, as elsewhere in this cost") {
			return
		}
		for ; r.more(']'); n++ {
			x, ok := r.plainCost()
			if !ok {
				g := f
				g.Pointer = at(base, s, a, n)
				x, _ = r.amount(g, "a cost", MinCost, MaxCost)
			}
			c.Next = append(c.Next, x)
		}
		if r.s >= 0 && n != r.s {
			r.say(start, f, "found %s for %s; want %d, one for each next state%s", Count(n, "cost"), f.in(), r.s, commas(n, r.s))
		}
	})
}

// dependsOnNext looks for the first value that is not null, and whether it is
// a list; the cursor stays.
func (r *reader) dependsOnNext() bool {
	c := r.cursor
	if c.kind() != list {
		return false
	}
	for c.i++; c.more(']'); {
		if c.kind() != list {
			c.raw()
			continue
		}
		for c.i++; c.more(']'); {
			if c.kind() != null {
				return c.kind() == list
			}
			c.raw()
		}
	}
	return false
}
