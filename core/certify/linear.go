package certify

import (
	"errors"
	"fmt"

	"rcmdplab/core/certify/enclosure"
	"rcmdplab/core/certify/guess"
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
	if err := proves(c, bound); err != nil {
		return "", err
	}
	return fmt.Sprintf("One price for each limit and one value for each state prove the claim: %s, rounded outwards; rows worse than the nominal ones were needed, found and checked for %d.",
		plural(x.Pairs(), "inequality", "inequalities"), searched), nil
}

// proves says what a claim lacks of which prices and values prove a bound, if anything.
func proves(c *proof.Claim, bound interval) error {
	if c.Infeasible() && bound.Sign() <= 0 {
		return fmt.Errorf("its prices and values leave a weighted violation of %v; the claim needs a positive one", bound.Lo())
	}
	if !c.Infeasible() && !enclosure.Point(c.Target).AtMost(bound) {
		return fmt.Errorf("its prices and values prove %v; it claims %v", bound.Lo(), c.Target)
	}
	return nil
}

// worth is what the values prove: w J_0 + Σ λ_n (J_n - b_n) is at least that for
// every policy, with the limits b_n of the certificate.
func (x *image) worth(c *proof.Claim, more func() bool) (bound interval, searched int, err error) {
	p := c.Values
	v := p.V
	if len(p.Low) == len(v) {
		v = guess.Sum(p.V, p.Low)
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
		return zero, 0, err
	}
	w := []interval{one}
	if c.Infeasible() {
		w[0] = zero
	}
	charge := zero
	for n, price := range p.Prices {
		lambda := enclosure.Point(price)
		if !zero.AtMost(lambda) {
			return zero, 0, fmt.Errorf("price %d is %v; want one >= 0", n+1, price)
		}
		w = append(w, lambda)
		if lambda != zero {
			charge = charge.Add(lambda.Mul(enclosure.Around(x.limit(c, n+1))))
		}
	}
	kernel, err := x.kernelAt(p.Kernel)
	if err != nil {
		return zero, 0, err
	}
	y, err := x.newSweep(kernel, w)
	if err != nil {
		return zero, 0, err
	}
	if x.total {
		searched, err := y.settled(v, more)
		return x.startOf(v).Sub(charge), searched, err
	}
	least, searched, err := y.least(v, more)
	return x.startOf(v).Add(least.Mul(x.h)).Sub(charge), searched, err
}

// strongest is Checker.Strongest.
func (x *image) strongest(c proof.Claim, more func() bool) (proof.Claim, error) {
	bound, _, err := x.worth(&c, more)
	if err != nil {
		return c, err
	}
	total := zero
	for _, price := range c.Values.Prices {
		total = total.Add(enclosure.Point(price))
	}
	return x.raised(c, bound, total)
}

// raised is the claim of which prices that add up to total prove the bound, as strong as
// it may be. Σ λ_n (J_n - b_n - t) > 0 for t below bound / Σ λ_n; what sums of limits and Relax
// round to, when the bound is worked out for it, is left room for.
func (x *image) raised(c proof.Claim, bound, total interval) (proof.Claim, error) {
	if !c.Infeasible() {
		if c.Target = bound.Lo(); !finiteAll([]float64{c.Target}) {
			return c, errors.New("the bound is no finite number")
		}
		return c, nil
	}
	if bound.Sign() <= 0 || total.Sign() <= 0 {
		return c, errors.New("the values leave no weighted violation")
	}
	size := zero
	for n := 1; n < len(x.costs); n++ {
		size = size.Max(enclosure.Around(x.limit(&c, n)).Abs())
	}
	t := bound.Div(total)
	room := enclosure.Point(64 * enclosure.Ulp).Mul(size.Add(t))
	c.Relax = enclosure.Point(t.Sub(room).Lo()).Max(zero).Lo()
	if !finiteAll([]float64{c.Relax}) {
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
	w      []interval // weights of the costs, >= 0
	onward bool       // some cost of the next state has weight
	rows   *rowset    // one row at a time
	clock  bool       // every step costs 1 instead, see duration
	pair   int        // being looked at
	closed []bool     // by pair: no policy that is spoken of takes it; nil: none
	v      []float64  // the values put forward, by state
	time   interval   // what a residual weighs in a return: 1/(1-γ), or from 0 to the steps of a policy
}

func (x *image) newSweep(kernel *model.Kernel, w []interval) (*sweep, error) {
	y := &sweep{image: x, w: w, time: x.h}
	total := zero // which multiplies the price of KL
	for n, weight := range w {
		if weight != zero {
			total = total.Add(weight)
			y.onward = y.onward || x.costAt(n).Next != nil
		}
	}
	var err error
	y.rows, err = x.newRowset(kernel, total, y.onward)
	return y, err
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
		if w != zero && y.costAt(n).Next != nil {
			c = c.Add(w.Mul(y.nextCost(n, y.pair, s)))
		}
	}
	return c
}

// facing is what nature maximises when the pair leads to a state: c + γv.
func (y *sweep) facing(s int) interval { return y.after(s).Add(y.g.Mul(enclosure.Point(y.v[s]))) }

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

// residual is the action value of the pair, for what nature gains and the cost c, less its state's.
func (y *sweep) residual(nature, c interval) interval {
	if !y.onward {
		nature = nature.Mul(y.g)
	}
	return c.Add(nature).Sub(enclosure.Point(y.v[y.State[y.pair]]))
}

// least is a number that no Tv - v is below, for any action in any state, and
// how many pairs the nominal row did not suffice for.
func (y *sweep) least(v []float64, more func() bool) (least interval, searched int, err error) {
	y.begin(v)
	first := true
	for i := range y.State {
		if i%4096 == 0 && !more() {
			return zero, 0, ErrLeft
		}
		if y.closed != nil && y.closed[i] {
			continue
		}
		if err := y.turn(i); err != nil {
			return zero, 0, err
		}
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
	return least, searched, nil
}
