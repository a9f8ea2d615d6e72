package certify

import (
	"rcmdplab/core/certify/enclosure"
	"rcmdplab/core/model"
)

// sweep goes over the rows of one weighted cost.
type sweep struct {
	*image
	w      []interval // weights of the costs, >= 0
	onward bool       // some cost of the next state has weight
	rows   *rowset    // one row at a time
	clock  bool       // every step costs 1 instead, see duration
	pair   int        // being looked at
	closed []bool     // by pair: no policy that is spoken of takes it; nil: none
	v      []float64  // the values put forward, by state
	time   interval   // what a residual weighs in a return: 1/(1-γ), or from 0 to the steps of a policy
}

func (x *image) newSweep(kernel *model.Kernel, w []interval) *sweep {
	y := &sweep{image: x, w: w, time: x.h}
	total := zero // which multiplies the price of KL
	for n, weight := range w {
		if weight != zero {
			total = total.Add(weight)
			y.onward = y.onward || x.p.Cost(n).Next != nil
		}
	}
	y.rows = x.newRowset(kernel, total, y.onward)
	return y
}

// flat is the weighted cost of pair i, that of the next state apart.
func (y *sweep) flat(i int) interval {
	if y.clock {
		return one
	}
	c := zero
	for n, w := range y.w {
		if w != zero {
			x, _ := y.costOf(n, i)
			c = c.Add(w.Mul(x))
		}
	}
	return c
}

// after is the weighted cost of the next state.
func (y *sweep) after(s int) interval {
	c := zero
	for n, w := range y.w {
		if w != zero && y.p.Cost(n).Next != nil {
			c = c.Add(w.Mul(y.nextCost(n, y.pair, s)))
		}
	}
	return c
}

// facing is what nature maximises when the pair leads to a state: c + γv.
func (y *sweep) facing(s int) interval { return y.after(s).Add(y.g.Mul(enclosure.Point(y.v[s]))) }

// turn turns the rows to pair i.
func (y *sweep) turn(i int) {
	y.rows.load(i)
	y.pair = i
	if y.onward {
		y.rows.faceCosts(y.facing)
	} else {
		y.rows.face(y.v)
	}
}

func (y *sweep) ask() { y.rows.ask(y.pair, y.v, y.faced()) }

// faced is facing where costs of the next state are in it, and else nil: nature answers v.
func (y *sweep) faced() func(s int) interval {
	if !y.onward {
		return nil
	}
	return y.facing
}

// begin tells v. A row is good until the next begin.
func (y *sweep) begin(v []float64) {
	if y.v = v; !y.onward {
		y.rows.begin(v)
	}
}

// residual is the action value of the pair, for what nature gains and the cost c, less its state's.
func (y *sweep) residual(nature, c interval) interval {
	if !y.onward {
		nature = nature.Mul(y.g)
	}
	return c.Add(nature).Sub(enclosure.Point(y.v[y.State[y.pair]]))
}

// least is a number that no Tv - v is below, for any action in any state, and
// how many pairs the nominal row did not suffice for.
func (y *sweep) least(v []float64, more func() bool) (least interval, searched int) {
	y.begin(v)
	first := true
	for i := range y.State {
		onwards(i%4096 == 0, more)
		if y.closed != nil && y.closed[i] {
			continue
		}
		y.turn(i)
		c := y.flat(i)
		if !first && !y.residual(y.rows.nominal(), c).Lowers(least) {
			continue
		}
		searched++
		y.ask()
		if r := y.residual(y.rows.below(), c); first {
			least, first = r, false
		} else {
			least = least.Min(r)
		}
	}
	return least, searched
}
