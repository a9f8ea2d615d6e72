package certify

import (
	"math/big"

	"rcmdplab/core/certify/enclosure"
	"rcmdplab/core/certify/guess"
)

// pinned encloses the return of cost n of a policy on the grid under a model, or the worst-case one, with exact
// residuals of the Bellman equation. For any V and T the operator of the policy,
// over the states that can be reached,
//
//	⟨μ, V⟩ + min (T V - V)/(1-γ) <= J <= ⟨μ, V⟩ + max (T V - V)/(1-γ),
//
// (see values and sweep.returns, and at discount 1, where it takes at most so many steps, episodes.go), so nothing is lost
// to rounding but what V itself misses; and that is removed by Newton steps in double the working
// precision, V <- V + (I - γP)⁻¹ (TV - V), P being nature's answer to V.
func (in *instance) pinned(grid []int64, n, kernel int, steps *big.Rat, more func() bool) (best span) {
	onwards(true, more)
	w := make([]*big.Rat, len(in.costs))
	for k := range w {
		w[k] = new(big.Rat)
	}
	w[n].SetInt64(1)
	o := in.newOperator(w, kernel)
	v := in.near(grid, n, more)
	o.newtons(grid, guess.NewNewton(v, nil, enclosure.Nearest(in.gamma)), func(least, most *big.Rat) (enough bool) {
		lo, hi := o.start(), o.start()
		if !in.total || least.Sign() < 0 {
			lo.Add(lo, least.Mul(least, steps))
		}
		if !in.total || most.Sign() > 0 {
			hi.Add(hi, most.Mul(most, steps))
		}
		best.within(lo, hi)
		return false
	}, more)
	if best.lo == nil {
		refuse("its return was not enclosed")
	}
	return best
}

// near are values of the policy that are found in intervals, where nature answers and they are worth it; else 0.
func (in *instance) near(grid []int64, n int, more func() bool) []float64 {
	if in.total || in.kernels != nil {
		return make([]float64, in.S)
	}
	x := in.image()
	y := x.alone(nil, n)
	return y.find(fromGrid(grid), nil, seldom(more))
}

// within takes in a range that holds the return.
func (b *span) within(lo, hi *big.Rat) {
	if b.lo == nil || lo.Cmp(b.lo) > 0 {
		b.lo = lo
	}
	if b.hi == nil || hi.Cmp(b.hi) < 0 {
		b.hi = hi
	}
}
