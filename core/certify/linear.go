package certify

import (
	"errors"
	"fmt"
	"math"

	"rcmdplab/core/certify/enclosure"
	"rcmdplab/core/model"
	"rcmdplab/core/proof"
)

// values checks a proof by a value function, see Values, and returns a sentence
// about it. The bound is that of instance.values over all states, with rows of
// the set found and checked here, in float64 rounded outwards.
func (x *image) values(c *proof.Claim, more func() bool) (string, error) {
	bound, searched, err := x.worth(c, more)
	if err != nil {
		return "", err
	}
	if c.Infeasible() && !(bound > 0) {
		return "", fmt.Errorf("its prices and values leave a weighted violation of %v; the claim needs a positive one", bound)
	}
	if !c.Infeasible() && !(bound >= c.Target) {
		return "", fmt.Errorf("its prices and values prove %v; it claims %v", bound, c.Target)
	}
	return fmt.Sprintf("One price for each limit and one value for each state prove the claim: %s, rounded outwards; rows worse than the nominal ones were needed, found and checked for %d.",
		plural(x.Pairs(), "inequality", "inequalities"), searched), nil
}

// worth is what the values prove: w J_0 + Σ λ_n (J_n - b_n) is at least that for
// every policy, with the limits b_n of the certificate.
func (x *image) worth(c *proof.Claim, more func() bool) (bound float64, searched int, err error) {
	p := c.Values
	v := p.V
	if len(p.Low) == len(v) {
		v = make([]float64, len(p.V))
		for s := range v {
			v[s] = p.V[s] + p.Low[s]
		}
	}
	switch {
	case len(p.Prices) != len(x.costs)-1:
		err = fmt.Errorf("it has %d prices; want one for each of %d constraints", len(p.Prices), len(x.costs)-1)
	case len(v) != x.S || len(p.Low) != 0 && len(p.Low) != x.S:
		err = fmt.Errorf("it has %d and %d values; want one for each of %d states", len(p.V), len(p.Low), x.S)
	case !finiteAll(p.Prices, v):
		err = errors.New("a price or value is not finite")
	}
	if err != nil {
		return 0, 0, err
	}
	w := []float64{1}
	if c.Infeasible() {
		w[0] = 0
	}
	charge := enclosure.Interval{}
	for n, price := range p.Prices {
		if !(price >= 0) {
			return 0, 0, fmt.Errorf("price %d is %v; want one >= 0", n+1, price)
		}
		w = append(w, price)
		if limit := x.limit(c, n+1); price > 0 && limit.Sign() != 0 {
			charge = charge.Add(enclosure.Point(price).Mul(enclosure.Around(limit)))
		}
	}
	kernel, err := x.kernelAt(p.Kernel)
	if err != nil {
		return 0, 0, err
	}
	y, err := x.newSweep(kernel, w)
	if err != nil {
		return 0, 0, err
	}
	least, searched, err := y.least(v, more)
	if err != nil {
		return 0, 0, err
	}
	base := x.startOf(v)
	if bound = base.Lo(); least != 0 {
		bound = base.Add(enclosure.Point(least).Mul(x.h)).Lo()
	}
	if charge != (enclosure.Interval{}) {
		bound = enclosure.Down(bound - charge.Hi())
	}
	return bound, searched, nil
}

// strongest is Checker.Strongest.
func (x *image) strongest(c proof.Claim, more func() bool) (proof.Claim, error) {
	bound, _, err := x.worth(&c, more)
	if err != nil {
		return c, err
	}
	if !c.Infeasible() {
		if c.Target = bound; math.IsInf(bound, 0) || math.IsNaN(bound) {
			return c, errors.New("the bound is no finite number")
		}
		return c, nil
	}
	if !(bound > 0) {
		return c, errors.New("the values leave no weighted violation")
	}
	// Σ λ_n (J_n - b_n - t) > 0 for t below bound / Σ λ_n; what the sums of Relax
	// round to is left room for.
	prices, size := 0.0, 0.0
	for n, price := range c.Values.Prices {
		prices = enclosure.Up(prices + price)
		size += price * math.Abs(enclosure.Nearest(x.limit(&c, n+1)))
	}
	c.Relax = max(0, enclosure.Down(enclosure.Down(bound/prices)*(1-16*enclosure.Ulp)-16*enclosure.Ulp*size/prices))
	if math.IsInf(c.Relax, 0) || math.IsNaN(c.Relax) {
		return c, errors.New("the violation is no finite number")
	}
	return c, nil
}

// kernelAt is kernel m of a finite set, nil for another set.
func (x *image) kernelAt(m int) (*model.Kernel, error) {
	u := &x.p.Uncertainty
	switch {
	case u.Kind != model.Finite && m == 0:
		return nil, nil
	case m < 0 || m >= len(u.Kernels):
		return nil, fmt.Errorf("it names model %d; the set has %d", m, len(u.Kernels))
	}
	return u.Kernels[m], nil
}

// sweep goes over the rows of one weighted cost.
type sweep struct {
	*image
	w      []float64 // weights of the costs, >= 0
	total  float64   // Σ w, which multiplies the price of KL
	onward bool      // some cost of the next state has weight
	rows   *rowset   // one row at a time
	pair   int       // being looked at
	v      []float64 // the values put forward, by state
}

func (x *image) newSweep(kernel *model.Kernel, w []float64) (*sweep, error) {
	y := &sweep{image: x, w: w}
	for n, weight := range w {
		if weight != 0 {
			y.total = enclosure.Up(y.total + weight)
			y.onward = y.onward || x.costAt(n).Next != nil
		}
	}
	var err error
	y.rows, err = x.newRowset(kernel, y.total, y.onward)
	return y, err
}

// flat is the weighted cost of pair i, that of the next state apart, and how
// far rounding can have moved it: not at all where every cost is 0.
func (y *sweep) flat(i int) (c, slack float64) {
	size, least := 0.0, 0.0
	for n, w := range y.w {
		if w != 0 {
			if x, onward := y.costOf(n, i); !onward && x != 0 {
				c += w * x
				size += math.Abs(w * x)
				least = enclosure.Underflow
			}
		}
	}
	return c, float64(len(y.w)+4)*enclosure.Ulp*size + least
}

// facing is what nature maximises when the pair leads to a state: c + γv.
func (y *sweep) facing(s int) (z, slack float64) {
	z = y.gamma * y.v[s]
	size, least := math.Abs(z), 0.0
	if y.v[s] != 0 {
		least = enclosure.Underflow
	}
	for n, w := range y.w {
		if w != 0 && y.costAt(n).Next != nil {
			if x := y.nextCost(n, y.pair, s); x != 0 {
				c := w * x
				z += c
				size += math.Abs(c)
				least = enclosure.Underflow
			}
		}
	}
	return z, float64(len(y.w)+4)*enclosure.Ulp*size + least
}

// turn turns the rows to pair i.
func (y *sweep) turn(i int) error {
	if err := y.rows.load(i); err != nil {
		return err
	}
	y.pair = i
	if y.onward {
		y.rows.faceCosts(y.facing)
	} else {
		y.rows.face(y.v)
	}
	return nil
}

func (y *sweep) ask() {
	if y.onward {
		y.rows.ask(y.pair, y.v, y.facing)
	} else {
		y.rows.ask(y.pair, y.v, nil)
	}
}

// begin tells v. A row is good until the next begin.
func (y *sweep) begin(v []float64) {
	if y.v = v; !y.onward {
		y.rows.begin(v)
	}
}

// low and high are the action value of the pair, for nature's part, less what:
// exact where nothing is added.
func (y *sweep) low(nature float64, c, slack, less float64) float64 {
	if !y.onward && nature != 0 {
		nature = enclosure.Point(nature).Mul(y.g).Lo()
	}
	return downBy(downBy(below(c, slack), nature), -less)
}

func (y *sweep) high(nature float64, c, slack, less float64) float64 {
	if !y.onward && nature != 0 {
		nature = enclosure.Point(nature).Mul(y.g).Hi()
	}
	return upBy(upBy(above(c, slack), nature), -less)
}

// downBy and upBy are a + b rounded down and up, exact where one is 0.
func downBy(a, b float64) float64 {
	if a == 0 || b == 0 || a == -b {
		return a + b
	}
	return enclosure.Down(a + b)
}

func upBy(a, b float64) float64 {
	if a == 0 || b == 0 || a == -b {
		return a + b
	}
	return enclosure.Up(a + b)
}

// least is a number that no Tv - v is below, for any action in any state, and
// how many pairs the nominal row did not suffice for.
func (y *sweep) least(v []float64, more func() bool) (least float64, searched int, err error) {
	y.begin(v)
	least = math.Inf(1)
	for i, s := range y.State {
		if i%4096 == 0 && !more() {
			return 0, 0, ErrLeft
		}
		if err := y.turn(i); err != nil {
			return 0, 0, err
		}
		c, slack := y.flat(i)
		if y.low(y.rows.nominal(), c, slack, v[s]) >= least {
			continue
		}
		searched++
		y.ask()
		// Written so that a NaN lowers it to where nothing is proved.
		if r := y.low(y.rows.below(), c, slack, v[s]); !(r >= least) {
			if least = r; math.IsNaN(r) {
				return math.Inf(-1), searched, nil
			}
		}
	}
	return least, searched, nil
}
