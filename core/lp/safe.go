package lp

import (
	"math"
	"slices"
)

// ulp is the spacing of doubles at 1: twice the rounding error of one operation.
const ulp = 0x1p-52

// SafeBound returns a lower bound of c·x over the problem that holds for any
// multipliers y (one a row; nil costs mean zero costs) and whatever the
// rounding (Neumaier and Shcherbina 2004; Jansson 2004):
//
//	c·x = Σ_i y_i a_i·x + r·x  >=  Σ_i min(y_i rlo_i, y_i rhi_i) + Σ_j min(r_j lo_j, r_j hi_j),  r = c - Aᵀy,
//
// with every r_j replaced by an interval that encloses its exact value and the
// sums lowered by a bound on their rounding errors. A multiplier whose sign
// asks for an infinite end of its row counts as 0. The result is -Inf when a
// column without the bound that r_j asks for may have r_j ≠ 0: give columns
// finite bounds where a bound is wanted. The bound holds for every problem
// within DataError of the coefficients given, which are stored exactly.
// O(non-zeros), no allocation after the first call.
func (p *LP) SafeBound(c, y []float64) float64 {
	b, _ := p.bound(c, y, 0)
	return b
}

// SafeInfeasible reports whether multipliers y prove that no x satisfies the
// constraints: SafeBound of the zero objective is positive. The margin is that
// bound relative to the size of its terms; a caller that also has errors in
// the data compares it with those.
func (p *LP) SafeInfeasible(y []float64) (margin float64, ok bool) {
	b, size := p.bound(nil, y, 0)
	if !(b > 0) {
		return 0, false
	}
	return b / size, true
}

// bound is SafeBound and the sum of the magnitudes of its terms. Reduced costs
// below slack times the largest terms count as 0 on columns without the bound
// they ask for, which is no proof any more: for verdicts on problems with
// infinite bounds.
func (p *LP) bound(c, y []float64, slack float64) (bound, size float64) {
	p.grow()
	r, mag := p.dx[:p.n], p.w[:p.n]
	for j := range r {
		r[j] = 0
		if c != nil {
			r[j] = c[j] * p.cs[j]
		}
		mag[j] = math.Abs(r[j])
	}
	terms, sum := 0, 0.0
	for i, v := range y {
		v /= p.rs[i]
		end := p.rlo[i]
		if v < 0 {
			end = p.rhi[i]
		}
		if v == 0 || math.IsInf(end, 0) {
			continue
		}
		terms++
		sum += math.Abs(v)
		t := v * end
		bound += t
		size += math.Abs(t)
		a, e := p.ptr[i], p.ptr[i]+p.size[i]
		coef := p.coef[a:e]
		for k, j := range p.idx[a:e] {
			if f := v * coef[k]; f != 0 {
				r[j] -= f
				mag[j] += math.Abs(f)
			}
		}
	}
	top := 0.0
	if slack > 0 {
		top = slack * slices.Max(mag)
	}
	for j := range r {
		e := ulp*float64(terms+2)*mag[j] + p.DataError*sum
		lo, hi := r[j]-e, r[j]+e
		t := math.Inf(1)
		for _, f := range [2]float64{lo, hi} {
			end := p.clo[j]
			if f < 0 {
				end = p.chi[j]
			}
			if math.IsInf(end, 0) && math.Abs(f) <= top || f == 0 {
				t = min(t, 0)
				continue
			}
			t = min(t, f*end)
		}
		if math.IsInf(t, -1) {
			return t, math.Inf(1)
		}
		bound += t
		size += math.Abs(t)
	}
	// Sums of terms+n products, each with one more rounding; sizes below are
	// computed too, hence the slack of the constant.
	return bound - (ulp*float64(terms+p.n+4)+p.DataError)*size, size
}
