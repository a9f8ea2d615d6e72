package certify

import (
	"errors"
	"fmt"

	"rcmdplab/core/certify/enclosure"
	"rcmdplab/core/certify/guess"
	"rcmdplab/core/proof"
)

// values checks a proof by a value function, see Values, and returns a sentence
// about it. The bound is that of instance.values over all states, with rows of
// the set found and checked here, in intervals.
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
