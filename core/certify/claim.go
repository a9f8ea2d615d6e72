package certify

import (
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

// proves says what a claim lacks of which a proof shows a bound, if anything.
func proves(c *proof.Claim, bound *big.Rat) {
	switch {
	case c.Infeasible() && bound.Sign() <= 0:
		refuse("it leaves a weighted violation of %v; the claim needs a positive one", enclosure.Nearest(bound))
	case !c.Infeasible() && bound.Cmp(new(big.Rat).SetFloat64(c.Target)) < 0:
		refuse("it proves %v; it claims %v", enclosure.Below(bound), c.Target)
	}
}

// raised is the claim of which prices that add up to total prove the bound, as strong as it may be:
// Σ λ_n (J_n - b_n - t) > 0 for t below bound / Σ λ_n.
func raised(c proof.Claim, bound, total *big.Rat) proof.Claim {
	if !c.Infeasible() {
		return asClaimed(c, bound)
	}
	if bound.Sign() <= 0 || total.Sign() == 0 {
		refuse("the values leave no weighted violation")
	}
	return asClaimed(c, bound.Quo(bound, total))
}

// asClaimed is a claim with what was proved: a bound of the objective, or, where it is that no policy meets
// the limits, a number > 0 that the largest violation of every policy is no less than.
func asClaimed(c proof.Claim, proved *big.Rat) proof.Claim {
	to, what := &c.Target, "bound"
	if c.Infeasible() { // every policy exceeds what is below that
		to, what = &c.Relax, "violation"
	}
	if *to = enclosure.Below(proved); c.Infeasible() {
		*to = enclosure.Under(proved)
	}
	if !enclosure.Point(*to).Finite() {
		refuse("the %s is no finite number", what)
	}
	return c
}

// lowerEnd is that of an interval as a fraction.
func lowerEnd(a interval) *big.Rat {
	x := new(big.Rat).SetFloat64(a.Lo())
	if x == nil {
		refuse("the bound is no finite number")
	}
	return x
}
