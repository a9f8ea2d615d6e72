package certify

import (
	"math"
	"math/big"

	"rcmdplab/core/certify/guess"
)

// span is what is proved of a return, in exact fractions: lo <= J <= hi.
type span struct{ lo, hi *big.Rat }

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
			if r := &ranges[n]; k == 0 {
				*r = s
			} else {
				if s.lo.Cmp(r.lo) > 0 {
					r.lo = s.lo
				}
				if s.hi.Cmp(r.hi) > 0 {
					r.hi = s.hi
				}
			}
		}
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
	low, far := make([]float64, in.S), make([]float64, in.S)
	try := func(low []float64) (f *guess.Dense, width float64, err error) {
		f = guess.NewDense(in.S)
		for s := range in.S { // also of states that are not reached, which keep their values
			f.Row(s)[s] = 1
		}
		o.face(dyadic(v, low))
		least, most, err := o.residuals(grid, far, func(s int, to []int, p []float64) {
			for j, t := range to {
				f.Row(s)[t] -= o.gamma() * p[j]
			}
		}, more)
		if err != nil {
			return f, 0, err
		}
		for _, s := range far {
			width = max(width, math.Abs(s))
		}
		best.narrow(in, o, least, most)
		return f, width, nil
	}
	last := math.Inf(1)
	for range 6 {
		f, width, err := try(low)
		if err != nil || width == 0 || !(width < last/4) {
			return best, err
		}
		last = width
		f.Factor()
		f.Solve(far)
		for s, d := range far {
			v[s], low[s] = twoSum(v[s], low[s]+d)
		}
	}
	// A value that is a number of single length, 0 above all, is found by leaving
	// the rest away.
	_, _, err = try(nil)
	return best, err
}

// narrow takes in what residuals of the operator's values between least and most prove.
func (b *span) narrow(in *instance, o *operator, least, most *big.Rat) {
	lo, hi := least.Mul(least, in.horizon), most.Mul(most, in.horizon)
	lo.Add(lo, o.start())
	hi.Add(hi, o.start())
	if b.lo == nil || lo.Cmp(b.lo) > 0 {
		b.lo = lo
	}
	if b.hi == nil || hi.Cmp(b.hi) < 0 {
		b.hi = hi
	}
}

// twoSum is a + b as a float64 and the rest, exact (Knuth).
func twoSum(a, b float64) (sum, rest float64) {
	sum = float64(a + b)
	z := float64(sum - a)
	return sum, float64(a-float64(sum-z)) + float64(b-z)
}
