package certify

import (
	"math/big"

	"rcmdplab/core/certify/enclosure"
	"rcmdplab/core/certify/guess"
)

// pinned encloses the worst-case returns of a policy on the grid with exact
// residuals of the Bellman equation. For any V and T the operator of the policy,
// over the states that can be reached,
//
//	⟨μ, V⟩ + min (T V - V)/(1-γ) <= J <= ⟨μ, V⟩ + max (T V - V)/(1-γ),
//
// (see values and image.returns), so nothing is lost to rounding but what V
// itself misses; and that is removed by Newton steps in double the working
// precision, V <- V + (I - γP)⁻¹ (TV - V), P being nature's answer to V.
func (in *instance) pinned(grid []int64, more func() bool) ([]span, error) {
	ranges := make([]span, len(in.costs))
	x, err := in.image()
	if err != nil {
		return nil, err
	}
	each := make([][]span, len(ranges))
	for k := range max(1, len(in.kernels)) {
		for n := range ranges {
			if !more() {
				return nil, ErrLeft
			}
			v := make([]float64, in.S)
			if in.kernels == nil {
				y, err := x.alone(nil, n)
				if err != nil {
					return nil, err
				}
				if v, err = y.find(fromGrid(grid), nil, seldom(more)); err != nil {
					return nil, err
				}
			}
			s, err := in.newton(grid, n, k, v, more)
			if err != nil {
				return nil, err
			}
			each[n] = append(each[n], s)
		}
	}
	for n := range ranges {
		ranges[n] = in.averageSpan(n, each[n])
	}
	return ranges, nil
}

// newton improves v until its residual is gone or no longer falls.
func (in *instance) newton(grid []int64, n, kernel int, v []float64, more func() bool) (best span, err error) {
	w := make([]*big.Rat, len(in.costs))
	for k := range w {
		w[k] = new(big.Rat)
	}
	w[n].SetInt64(1)
	o, err := in.newOperator(w, kernel)
	if err != nil {
		return best, err
	}
	f := guess.NewNewton(v, nil, enclosure.Nearest(in.gamma))
	try := func(low []float64) error {
		f.Begin()
		o.face(dyadic(f.V, low))
		least, most, err := o.residuals(grid, f.Far, f.Choice, more)
		if err == nil {
			best.narrow(in, o, least, most)
		}
		return err
	}
	for range 6 {
		if err := try(f.Low); err != nil || f.Done() {
			return best, err
		}
		f.Step(0)
	}
	// A value that is a number of single length, 0 above all, is found by leaving
	// the rest away.
	return best, try(nil)
}

// narrow takes in what residuals of the operator's values between least and most prove.
func (b *span) narrow(in *instance, o *operator, least, most *big.Rat) {
	lo, hi := least.Mul(least, in.horizon), most.Mul(most, in.horizon)
	lo.Add(lo, o.start())
	hi.Add(hi, o.start())
	b.within(lo, hi)
}
