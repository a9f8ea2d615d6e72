package certify

import (
	"rcmdplab/core/certify/enclosure"
	"rcmdplab/core/model"
	"rcmdplab/core/uncertainty"
)

// exactStates is the largest number of states that is checked in fractions, or
// by dense elimination. Beyond, the checks work on the image, in time and memory
// linear in the model; what they prove is some digits less sharp.
const exactStates = 64

// image is the exact instance (see instance) with its numbers enclosed: none but
// thresholds is ever written out as a fraction. A number of the document is
// the decimal that enclosure.Typed holds, and a probability that over the sum of its row,
// so that rows sum to exactly 1, see enclosure.Mean.
type image struct {
	*instance              // of outline: thresholds, horizon, names; no rows and no costs
	g, h      interval     // γ and 1/(1-γ)
	grown     []interval   // the growth of instance; nil for 1
	ends      [][]interval // by cost, by state: what an end costs, as instance.readCost has it
	mu        []interval   // by state
	rest      int          // place of the largest of mu

	guess    uncertainty.Set // see guesser
	guessFor interval        // the weight of KL that guess was made for
}

// image is that of the problem: the instance's own, where it is an outline.
func (in *instance) image() *image {
	if in.wide != nil {
		return in.wide
	}
	if in.floats == nil {
		x := newImage(in.p)
		x.std, in.floats = in.standard(), x
	}
	return in.floats
}

// newImage reads a problem that has passed model's validation.
func newImage(p *model.Problem) *image {
	in := outline(p)
	x := &image{instance: in, g: enclosure.Around(in.gamma), h: enclosure.Around(in.horizon), rest: enclosure.First(p.Initial)}
	x.mu = distributed(func() string { return "the initial distribution" }, nil, p.Initial)
	for _, g := range in.growth {
		x.grown = append(x.grown, enclosure.Around(g))
	}
	in.wide = x
	x.readCosts()
	return x
}

// distributed is a distribution, divided by its sum.
func distributed(what func() string, q []interval, prob []float64) []interval {
	for _, x := range prob {
		if !enclosure.Share(x) {
			refuse("%s has an entry of %v; want p >= 0", what(), x)
		}
	}
	q, sum := enclosure.Distribution(q, prob)
	if !sum.Sub(one).Abs().AtMost(enclosure.Point(rowSlack)) {
		refuse("%s sums to %v; want 1 within 1e-09", what(), sum.Hi())
	}
	return q
}

// costOf is cost n of pair i, 0 where it depends on the next state, and whether
// it does.
func (x *image) costOf(n, i int) (c interval, onward bool) {
	k := x.p.Cost(n)
	if k.Next != nil {
		return zero, true
	}
	if s := x.State[i]; x.p.Ends(s) {
		return x.ends[n][s], false
	}
	return x.turned(n, k.Values[x.State[i]*x.A+x.Act[i]]).Mul(x.grows(x.State[i])), false
}

// nextCost is cost n of pair i when it leads to a state.
func (x *image) nextCost(n, i, to int) interval {
	if s := x.State[i]; x.p.Ends(s) {
		return x.ends[n][s]
	}
	return x.turned(n, x.p.Cost(n).Next[(x.State[i]*x.A+x.Act[i])*x.S+to]).Mul(x.grows(x.State[i]))
}

// turned is a number of the document of cost n, as a cost.
func (x *image) turned(n int, c float64) interval {
	if x.costs[n].flip {
		return enclosure.Typed(c).Neg()
	}
	return enclosure.Typed(c)
}

// readCosts fails where a cost is no number, and finds the largest of each.
func (x *image) readCosts() {
	for n := range x.costs {
		c, k := x.p.Cost(n), &x.costs[n]
		steps, _ := x.extent(c, false)
		if k.flip {
			steps = steps.Neg()
		}
		if steps.Finite() {
			k.take(enclosure.Decimal(steps.Mul(x.growths()).Hi()))
		}
		x.ends = append(x.ends, make([]interval, x.S))
		for s := range x.S {
			if x.p.Ends(s) {
				v := x.instance.grown(s, x.perStep(n, x.p.EndCost(c, s)))
				k.take(v)
				x.ends[n][s] = enclosure.Around(v)
			}
		}
	}
}

// extent goes from the least to the largest number of a cost, exactly, with those of ends or without;
// it is the line where there is none. least is the smallest size of one that is not 0, or 0.
func (in *instance) extent(k *model.Cost, ends bool) (all, least interval) {
	all = enclosure.Line()
	for i, s := range in.State {
		g, w, values := s*in.A+in.Act[i], 1, k.Values
		if k.Next != nil {
			w, values = in.S, k.Next
		}
		for _, c := range values[g*w : (g+1)*w] {
			if !enclosure.Usable(c) {
				refuse("a value of cost %q is %v", k.Name, c)
			}
			if !ends && in.p.Ends(s) {
				continue
			}
			x := enclosure.Point(c)
			if size := x.Abs(); size != zero && (least == zero || size.Less(least)) {
				least = size
			}
			if !all.Finite() {
				all = x
			} else {
				all = all.Hull(x)
			}
		}
	}
	return all, least
}

// startOf encloses μ·v.
func (x *image) startOf(v []float64) interval {
	z := make([]interval, len(v))
	for s, y := range v {
		z[s] = enclosure.Point(y)
	}
	return enclosure.Mean(x.mu, z, x.rest)
}
