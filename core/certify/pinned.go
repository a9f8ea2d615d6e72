package certify

import (
	"errors"
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
// (see values and image.returns, and at discount 1 episodes.go), so nothing is lost to rounding but what V
// itself misses; and that is removed by Newton steps in double the working
// precision, V <- V + (I - γP)⁻¹ (TV - V), P being nature's answer to V.
func (in *instance) pinned(grid []int64, more func() bool) ([]span, error) {
	each := make([][]span, len(in.costs))
	for k := range in.models() {
		steps := in.horizon
		if in.total {
			var err error
			if steps, err = in.steps(grid, k, more); err != nil {
				return nil, err
			}
		}
		for n := range each {
			s, err := in.returned(grid, n, k, steps, more)
			if err != nil {
				return nil, err
			}
			each[n] = append(each[n], s)
		}
	}
	return in.averageSpans(each), nil
}

// steps is at least how many steps the policy takes at discount 1 under a kernel, or any of the set.
func (in *instance) steps(grid []int64, k int, more func() bool) (*big.Rat, error) {
	x, err := in.image()
	if err != nil {
		return nil, err
	}
	most, err := x.duration(in.kernel(k), fromGrid(grid), seldom(more))
	if err != nil {
		return nil, err
	}
	if !most.Finite() {
		return nil, errEndless{}
	}
	return new(big.Rat).SetFloat64(most.Hi()), nil
}

// returned encloses the return of cost n of a policy that takes at most so many steps, 1/(1-γ) where it is discounted.
func (in *instance) returned(grid []int64, n, kernel int, steps *big.Rat, more func() bool) (best span, err error) {
	if !more() {
		return best, ErrLeft
	}
	w := make([]*big.Rat, len(in.costs))
	for k := range w {
		w[k] = new(big.Rat)
	}
	w[n].SetInt64(1)
	o, err := in.newOperator(w, kernel)
	if err != nil {
		return best, err
	}
	v, err := in.near(grid, n, more)
	if err != nil {
		return best, err
	}
	err = o.newtons(grid, guess.NewNewton(v, nil, enclosure.Nearest(in.gamma)), func(least, most *big.Rat) (enough bool) {
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
	if err == nil && best.lo == nil {
		err = errors.New("its return was not enclosed")
	}
	return best, err
}

// near are values of the policy that are found in intervals, where nature answers and they are worth it; else 0.
func (in *instance) near(grid []int64, n int, more func() bool) ([]float64, error) {
	if in.total || in.kernels != nil {
		return make([]float64, in.S), nil
	}
	x, err := in.image()
	if err != nil {
		return nil, err
	}
	y, err := x.alone(nil, n)
	if err != nil {
		return nil, err
	}
	return y.find(fromGrid(grid), nil, seldom(more))
}

// newtons improves values of the policy, or without one of the actions of least Q, as long as what look is told of them falls: least and most
// of TV - V; or until that is enough. At discount 1 it may have to rise at first.
func (o *operator) newtons(grid []int64, f *guess.Newton, look func(least, most *big.Rat) (enough bool), more func() bool) error {
	in := o.in
	var last *big.Rat // the least width so far
	failed, patience, rounds, four := 0, 0, 6, big.NewRat(4, 1)
	if in.total {
		patience, rounds = 3, 60
	}
	for range rounds {
		f.Begin()
		if !finiteAll(f.V, f.Low) {
			return errEndless{}
		}
		o.face(dyadic(f.V, f.Low))
		least, most, err := o.residuals(grid, f.Far, f.Choice, more)
		if err != nil {
			return err
		}
		width, rest := new(big.Rat).Sub(most, least), 0. // what all may miss alike
		if in.total && (most.Sign() < 0 || least.Sign() > 0) {
			width.Add(width, big.NewRat(1, 1)) // it has not begun
		}
		if grid == nil {
			rest = enclosure.Nearest(least)
		}
		if look(least, most) || width.Sign() == 0 {
			return nil
		}
		if last != nil && new(big.Rat).Mul(width, four).Cmp(last) >= 0 {
			if failed++; failed > patience {
				return nil
			}
		} else {
			last, failed = width, 0
		}
		f.Step(rest)
	}
	// It still falls: a value that is a number of single length, 0 above all, is found by leaving
	// the rest away.
	clear(f.Low)
	o.face(dyadic(f.V, f.Low))
	least, most, err := o.residuals(grid, f.Far, nil, more)
	if err == nil {
		look(least, most)
	}
	return err
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
