package certify

import (
	"errors"
	"fmt"
	"math/big"
	"slices"

	"rcmdplab/core/certify/enclosure"
	"rcmdplab/core/certify/guess"
	"rcmdplab/core/proof"
)

// Proofs by values, for the worst case over a rectangular set or under one kernel of a
// finite one.
//
// Read: prices λ >= 0 of the limits and one value a state; the number of a kernel.
//
// Computed: with the weighted cost c_λ = w c_0 + Σ_n λ_n c_n (w = 1, or 0 when the claim is
// that no policy meets the constraints) the least residual Q(i) - V(s) of the pairs i of
// states s, where Q(i) = ⟨p, c_λ + γV⟩ less γ (w + Σ λ_n) temperature KL(p‖nominal) in the regularised set,
// for a row p that nature may use: of one kernel its own, of a polytope the vertex at which
// that is largest, of a curved set a member near nature's best (member.go, rowset_below.go).
// Then ⟨μ, V⟩ + H min (Q - V) - Σ λ_n b_n, H = 1/(1-γ), is compared with the target, or 0.
// Up to exactStates states all of it is in fractions, without error; beyond, in intervals
// (rowset, sweep), over all states instead of those reached.
//
// Why the claim follows. Every policy has
//
//	w J_0 + Σ_n λ_n J_n >= min_π max_P J_{c_λ,P}(π) >= ⟨μ, V⟩ + H min_{s,i} (Q(i) - V(s)),
//
// the first as each J is the largest over kernels and a sum of largest numbers is no less than the
// largest sum (of the regularised set each pays its own price, w + Σ λ_n in all); the
// last for any V, since T(V + x) = TV + γx for constants x and T is monotone
// (MacQueen 1966; Puterman 2005, theorem 6.3.1; for nature's maximum Iyengar 2005, theorem
// 3.2). Rows that nature may use make Q no larger than TV's. The states from which none is
// reached under those rows take no part, for nature may keep to them. So J_0 is at least
// that less Σ_n λ_n b_n for a policy that meets the constraints; and with w = 0 there is none when
// it is positive, or above Σ λ_n t none that misses all of them by no more than t.

// values proves the claim of c, or says what does not hold.
func (in *instance) values(c *proof.Claim, more func() bool) error {
	bound, _, err := in.worth(c, more)
	switch {
	case err != nil:
		return err
	case c.Infeasible() && bound.Sign() <= 0:
		return fmt.Errorf("its prices and values leave a weighted violation of %v; the claim needs a positive one", enclosure.Nearest(bound))
	case !c.Infeasible() && bound.Cmp(new(big.Rat).SetFloat64(c.Target)) < 0:
		return fmt.Errorf("its prices and values prove %v; it claims %v", enclosure.Below(bound), c.Target)
	}
	return nil
}

// worth is what the values prove: w J_0 + Σ λ_n (J_n - b_n) is at least that for
// every policy, with the limits b_n of the certificate. prices is Σ λ_n.
func (in *instance) worth(c *proof.Claim, more func() bool) (bound, prices *big.Rat, err error) {
	v := c.Values
	switch {
	case len(v.Prices) != len(in.costs)-1:
		err = fmt.Errorf("it has %d prices; want one for each of %d constraints", len(v.Prices), len(in.costs)-1)
	case len(v.V) != in.S || len(v.Low) != 0 && len(v.Low) != in.S:
		err = fmt.Errorf("it has %d and %d values; want one for each of %d states", len(v.V), len(v.Low), in.S)
	case in.kernels != nil && (v.Kernel < 0 || v.Kernel >= len(in.kernels)) || in.kernels == nil && v.Kernel != 0:
		err = fmt.Errorf("it is about kernel %d; there are %d", v.Kernel, len(in.kernels))
	case !finiteAll(v.Prices, v.V, v.Low):
		err = errors.New("a price or value is not finite")
	}
	if err != nil {
		return nil, nil, err
	}
	w := []*big.Rat{new(big.Rat)}
	if !c.Infeasible() {
		w[0].SetInt64(1)
	}
	charge, prices := new(big.Rat), new(big.Rat) // Σ λ_n b_n, Σ λ_n
	for n, x := range v.Prices {
		if !zero.AtMost(enclosure.Point(x)) {
			return nil, nil, fmt.Errorf("price %d is %v; want one >= 0", n+1, x)
		}
		lambda := new(big.Rat).SetFloat64(x)
		w = append(w, lambda)
		charge.Add(charge, new(big.Rat).Mul(lambda, in.limit(c, n+1)))
		prices.Add(prices, lambda)
	}
	o, err := in.newOperator(w, v.Kernel)
	if err != nil {
		return nil, nil, err
	}
	o.face(dyadic(v.V, v.Low))
	if in.total {
		if err := o.settled(more); err != nil {
			return nil, nil, err
		}
		bound = o.start()
		return bound.Sub(bound, charge), prices, nil
	}
	least, _, err := o.residuals(nil, nil, nil, more)
	if err != nil {
		return nil, nil, err
	}
	bound = least.Mul(least, in.horizon)
	bound.Add(bound, o.start())
	return bound.Sub(bound, charge), prices, nil
}

// polished are the values with what they miss of their own Bellman equation
// removed, as far as that matters: by Newton steps V <- V + (I - γP)⁻¹(TV - V -
// least) in double the working precision, for the actions and rows at which the
// minimum is taken. Any values prove what they prove; these prove more.
func (in *instance) polished(c *proof.Claim, more func() bool) (*proof.Values, error) {
	w := []*big.Rat{new(big.Rat)}
	if !c.Infeasible() {
		w[0].SetInt64(1)
	}
	old := c.Values
	if len(old.Prices) != len(in.costs)-1 || len(old.V) != in.S || !finiteAll(old.Prices, old.V, old.Low) || in.kernels != nil && (old.Kernel < 0 || old.Kernel >= len(in.kernels)) {
		return nil, errors.New("not of this problem")
	}
	for _, x := range old.Prices {
		w = append(w, new(big.Rat).SetFloat64(x))
	}
	o, err := in.newOperator(w, old.Kernel)
	if err != nil {
		return nil, err
	}
	n := guess.NewNewton(old.V, old.Low, enclosure.Nearest(in.gamma))
	best := &proof.Values{Kernel: old.Kernel, Prices: old.Prices, V: slices.Clone(n.V), Low: slices.Clone(n.Low)}
	for range 4 {
		n.Begin()
		o.face(dyadic(n.V, n.Low))
		least, most, err := o.residuals(nil, n.Far, n.Choice, more)
		if err != nil {
			return nil, err
		}
		lost := most.Sub(most, least) // times the horizon: what may be gained
		if !n.Better(enclosure.Nearest(lost)) {
			break
		}
		best.V, best.Low = slices.Clone(n.V), slices.Clone(n.Low)
		if enclosure.Around(lost.Mul(lost, in.horizon)).AtMost(enclosure.Around(o.start()).Abs().Mul(enclosure.Point(1e-16))) {
			break
		}
		n.Step(enclosure.Nearest(least))
	}
	return best, nil
}

// asClaimed is a claim with what was proved: a bound of the objective, or, where it is that no policy meets
// the limits, a number > 0 that the largest violation of every policy is no less than.
func asClaimed(c proof.Claim, proved *big.Rat) (proof.Claim, error) {
	to, what := &c.Target, "bound"
	if c.Infeasible() { // every policy exceeds what is below that
		to, what = &c.Relax, "violation"
	}
	if *to = enclosure.Below(proved); c.Infeasible() {
		*to = enclosure.Under(proved)
	}
	if !finiteAll([]float64{*to}) {
		return c, fmt.Errorf("the %s is no finite number", what)
	}
	return c, nil
}
