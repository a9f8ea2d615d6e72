package certify

import (
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

// values is what one price for each limit and one value for each state prove, see worth.
func (in *instance) values(c *proof.Claim, more func() bool) (bound, prices *big.Rat, how string) {
	v := c.Values
	w, charge, prices := in.weighed(c, v.Prices, c.Infeasible())
	bound, searched := in.bounded(w, v.Kernel, v.V, v.Low, nil, more)
	how = "evaluated as exact fractions"
	if in.wide != nil {
		how = fmt.Sprintf("rounded outwards; rows worse than the nominal ones were needed, found and checked for %d", searched)
	}
	how = fmt.Sprintf("One price for each limit and one value for each state prove the claim: %s, %s.", plural(in.Pairs(), "inequality", "inequalities"), how)
	return bound.Sub(bound, charge), prices, how
}

// weighed are the weights of the costs, w = 1 or, of the limits alone, 0 and the prices λ, with Σ λ_n b_n and Σ λ_n.
func (in *instance) weighed(c *proof.Claim, list []float64, limits bool) (w []*big.Rat, charge, prices *big.Rat) {
	switch {
	case len(list) != len(in.costs)-1:
		refuse("it has %d prices; want one for each of %d constraints", len(list), len(in.costs)-1)
	case !finiteAll(list):
		refuse("a price is not finite")
	}
	w, charge, prices = []*big.Rat{new(big.Rat)}, new(big.Rat), new(big.Rat)
	if !limits {
		w[0].SetInt64(1)
	}
	for n, x := range list {
		lambda := new(big.Rat).SetFloat64(x)
		if lambda.Sign() < 0 {
			refuse("price %d is %v; want one >= 0", n+1, x)
		}
		w = append(w, lambda)
		charge.Add(charge, new(big.Rat).Mul(lambda, in.limit(c, n+1)))
		prices.Add(prices, lambda)
	}
	return w, charge, prices
}

// bounded is what values prove of a weighted cost under model k, or against a rectangular set: no policy
// of the pairs that are not closed has a smaller return. Of a large model it tells for how many pairs the nominal row
// did not suffice.
func (in *instance) bounded(w []*big.Rat, k int, v, low []float64, closed []bool, more func() bool) (bound *big.Rat, searched int) {
	switch {
	case k < 0 || k >= max(1, len(in.p.Uncertainty.Kernels)):
		refuse("it names model %d; the set has %d", k, len(in.p.Uncertainty.Kernels))
	case len(v) != in.S || len(low) != 0 && len(low) != in.S:
		refuse("model %d has %d and %d values; want one for each of %d states", k+1, len(v), len(low), in.S)
	case !finiteAll(v, low):
		refuse("a value is not finite")
	case in.wide != nil:
		if len(low) > 0 {
			v = guess.Sum(v, low)
		}
		return in.wide.bounded(w, k, v, closed, more)
	}
	o := in.newOperator(w, k)
	o.closed = closed
	o.face(v, low)
	if in.total {
		o.upheld(more)
		return o.start(), 0
	}
	least, _ := o.residuals(nil, nil, nil, more)
	bound = least.Mul(least, in.horizon)
	return bound.Add(bound, o.start()), 0
}

// bounded is instance.bounded of a large model, rounded outwards.
func (x *image) bounded(w []*big.Rat, k int, v []float64, closed []bool, more func() bool) (bound *big.Rat, searched int) {
	weights := make([]interval, len(w))
	for n := range w {
		weights[n] = enclosure.Around(w[n])
	}
	y := x.newSweep(x.kernel(k), weights)
	y.closed = closed
	var least interval
	if x.total {
		searched = y.upheld(v, more)
	} else {
		least, searched = y.least(v, more)
	}
	return lowerEnd(x.startOf(v).Add(least.Mul(x.h))), searched
}

// polished are the values with what they miss of their own Bellman equation
// removed, as far as that matters: by Newton steps V <- V + (I - γP)⁻¹(TV - V -
// least) in double the working precision, for the actions and rows at which the
// minimum is taken. Any values prove what they prove; these prove more.
func (in *instance) polished(c *proof.Claim, more func() bool) *proof.Values {
	old := c.Values
	w, _, _ := in.weighed(c, old.Prices, c.Infeasible())
	if len(old.V) != in.S || !finiteAll(old.V, old.Low) || in.kernels != nil && (old.Kernel < 0 || old.Kernel >= len(in.kernels)) {
		refuse("not of this problem")
	}
	o := in.newOperator(w, old.Kernel)
	n := guess.NewNewton(old.V, old.Low, enclosure.Nearest(in.gamma))
	best := &proof.Values{Kernel: old.Kernel, Prices: old.Prices}
	var least *big.Rat // that was lost so far
	o.newtons(nil, n, func(from, to *big.Rat) (enough bool) {
		lost := to.Sub(to, from) // times the horizon: what may be gained
		if least != nil && lost.Cmp(least) >= 0 {
			return true
		}
		least, best.V, best.Low = lost, slices.Clone(n.V), slices.Clone(n.Low)
		gain := new(big.Rat).Mul(lost, in.horizon)
		return enclosure.Around(gain).AtMost(enclosure.Around(o.start()).Abs().Mul(enclosure.Point(1e-16)))
	}, more)
	return best
}
