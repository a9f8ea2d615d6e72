package lp

import (
	"math"

	"rcmdplab/core/vector"
)

// multipliers writes y with c - Aᵀy equal to the reduced costs z of active
// columns and zero on inactive ones: y is z on active rows, and follows on the
// eliminated rows from the columns that their right inverse uses.
func (p *LP) multipliers(c, z []float64) {
	y := p.mult
	clear(y)
	big := 0.0
	for k := range p.non {
		big = max(big, math.Abs(z[k]))
	}
	for k, v := range p.non {
		if v < 0 && math.Abs(z[k]) > 1e-14*big { // less is what rounding leaves of a zero
			y[^v] = z[k]
		}
	}
	if len(p.elim) == 0 {
		return
	}
	r := p.dx
	p.unpaid(r, c, y, z)
	st := p.stride
	for e, i := range p.elim {
		y[i] = vector.Dot(r, p.right[e*st:(e+1)*st])
	}
}

// unpaid writes c − Aᵀy to r, less the reduced costs z of the columns that rest at an end.
func (p *LP) unpaid(r, c, y, z []float64) {
	copy(r, c)
	for i, f := range y {
		if f == 0 {
			continue
		}
		a, b := p.ptr[i], p.ptr[i]+p.size[i]
		coef := p.coef[a:b]
		for k, j := range p.idx[a:b] {
			r[j] -= f * coef[k]
		}
	}
	for k, v := range p.non {
		if v >= 0 {
			r[v] -= z[k]
		}
	}
}

// finish recomputes the point and the multipliers from the active set and
// checks both.
func (p *LP) finish() bool {
	p.correct()
	c := p.costs()
	p.reduced(p.z, c)
	for j, pos := range p.cpos {
		if pos < 0 && (p.x[j] < p.clo[j]-checkTol*(1+math.Abs(p.clo[j])) || p.x[j] > p.chi[j]+checkTol*(1+math.Abs(p.chi[j]))) {
			return false
		}
	}
	size := 1.0
	for _, f := range p.cost {
		size = max(size, math.Abs(f))
	}
	for i := range p.m {
		a, b := p.ptr[i], p.ptr[i]+p.size[i]
		t := sparseDot(p.idx[a:b], p.coef[a:b], p.x)
		p.act[i] = t
		if t < p.rlo[i]-checkTol*(1+math.Abs(p.rlo[i])) || t > p.rhi[i]+checkTol*(1+math.Abs(p.rhi[i])) {
			return false
		}
	}
	for k, z := range p.z {
		if lo, hi := p.ends(p.non[k]); lo == hi {
			continue
		}
		if z > checkTol*size && p.side[k] != atLower || z < -checkTol*size && p.side[k] != atUpper {
			return false
		}
	}
	p.multipliers(c, p.z)
	return p.agrees(size)
}

// agrees checks the multipliers against the reduced costs: c - Aᵀy must be z on
// active columns and zero on the others. It fails when D has lost accuracy.
func (p *LP) agrees(size float64) bool {
	for _, f := range p.mult {
		size = max(size, math.Abs(f))
	}
	r := p.dx
	p.unpaid(r, p.cost, p.mult, p.z)
	for _, f := range r[:p.n] {
		if math.Abs(f) > 1e-9*size {
			return false
		}
	}
	return true
}

// proof checks the Farkas ray in mult.
func (p *LP) proof() (margin float64, ok bool) {
	y := p.del // user scale
	for i, f := range p.mult {
		y[i] = f * p.rs[i]
	}
	b, size := p.bound(nil, y, 1e-9)
	return b / size, b > 0
}

// escapes checks the ray: no constraint ends along it and the objective falls.
func (p *LP) escapes() bool {
	p.place()
	if !p.feasible() {
		return false
	}
	big, fall := 0.0, 0.0
	for j, f := range p.ray {
		big = max(big, math.Abs(f))
		fall += f * p.cost[j]
	}
	if !(fall < 0) {
		return false
	}
	tol := checkTol * big
	for j, f := range p.ray {
		if f > tol && p.chi[j] < math.MaxFloat64 || f < -tol && p.clo[j] > -math.MaxFloat64 {
			return false
		}
	}
	for i := range p.m {
		a, b := p.ptr[i], p.ptr[i]+p.size[i]
		f := sparseDot(p.idx[a:b], p.coef[a:b], p.ray)
		if f > tol && p.rhi[i] < math.MaxFloat64 || f < -tol && p.rlo[i] > -math.MaxFloat64 {
			return false
		}
	}
	return true
}
