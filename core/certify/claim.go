package certify

import (
	"errors"
	"fmt"
	"math/big"

	"rcmdplab/core/certify/enclosure"
	"rcmdplab/core/proof"
)

// limit is the threshold of cost n that the certificate's statement is about.
func (in *instance) limit(c *proof.Claim, n int) *big.Rat {
	b := new(big.Rat).Add(in.b[n], new(big.Rat).SetFloat64(c.Relax))
	if n <= len(c.Allow) {
		b.Add(b, new(big.Rat).SetFloat64(c.Allow[n-1]))
	}
	return b
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
