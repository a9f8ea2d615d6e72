package interchange

import (
	"fmt"
	"math"

	"rcmdplab/core/model"
)

// maxDenseNext is the most numbers that a cost of the next state may have
// before its expectation is taken instead.
const maxDenseNext = 4 << 20

// cost gives a reward structure its shape: [S][A] when the successor does not
// matter, [S][A][S] otherwise.
func (in *input) cost(d *draft, c *cost, available []bool) model.Cost {
	flat := make([]float64, d.s*d.a)
	copy(flat, c.pair)
	out := model.Cost{Name: c.name, Average: c.average, Values: flat}
	if c.entry == nil {
		return out
	}
	level := make([]float64, d.s*d.a) // what every transition of a pair gives
	seen := make([]bool, d.s*d.a)
	next := false
	for _, e := range d.entries {
		g := int(e.s)*d.a + int(e.a)
		if !seen[g] {
			seen[g], level[g] = true, c.by(e.id)
		} else if level[g] != c.by(e.id) {
			next = true
		}
	}
	if !next {
		for g := range flat {
			flat[g] += level[g]
		}
		return out
	}
	if d.s > maxDenseNext/(d.s*d.a) {
		return in.expected(d, c, out)
	}
	return in.byNext(d, c, out, available)
}

// byNext writes a cost of the next state. A successor that a row does not list
// gives nothing by itself.
func (in *input) byNext(d *draft, c *cost, out model.Cost, available []bool) model.Cost {
	flat := out.Values
	out.Values, out.Next = nil, make([]float64, d.s*d.a*d.s)
	for g, ok := range available {
		for t := range d.s {
			out.Next[g*d.s+t] = flat[g]
			if !ok {
				out.Next[g*d.s+t] = math.NaN()
			}
		}
	}
	set := map[int]float64{}
	for _, e := range d.entries {
		x := c.by(e.id)
		n := (int(e.s)*d.a+int(e.a))*d.s + int(e.t)
		if was, twice := set[n]; twice && was != x {
			in.fail(d.fault(int(e.s), int(e.a), int(e.at), "%s of %s leading to %s is %s here and %s under another kernel; a cost is the same under all kernels",
				model.Quote(c.name), d.place(int(e.s), int(e.a)), model.Quote(d.state(int(e.t))), model.Num(x), model.Num(was)))
			continue
		}
		if len(d.kernels) > 1 {
			set[n] = x
		}
		out.Next[n] = flat[int(e.s)*d.a+int(e.a)] + x
	}
	return out
}

// expected averages a cost of the next state over the rows of the only kernel.
func (in *input) expected(d *draft, c *cost, out model.Cost) model.Cost {
	if len(d.kernels) > 1 || d.interval {
		in.fail(Fault{Message: fmt.Sprintf("%s depends on the next state, for %d states times %d actions times %d states: that is too much to write down (at most %d numbers)", model.Quote(c.name), d.s, d.a, d.s, maxDenseNext)})
		return out
	}
	for _, e := range d.entries {
		out.Values[int(e.s)*d.a+int(e.a)] += e.p * c.by(e.id)
	}
	in.note("%s depends on the next state; the model is large, so its expectation under the file's own rows is taken", model.Quote(c.name))
	return out
}
