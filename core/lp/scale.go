package lp

import (
	"math"
)

// rescale chooses the scales of the columns once, from the rows present at the
// first Solve, so that the largest entry of each is about 1 like that of every
// row. (Means of large and small entries would be misled by entries that are
// tiny without any bad scaling.)
func (p *LP) rescale() {
	p.scaled = true
	f := make([]float64, p.n)
	for range 2 {
		clear(f)
		for q, v := range p.coef {
			f[p.idx[q]] = max(f[p.idx[q]], math.Abs(v))
		}
		for j, big := range f {
			if f[j] = powerOfTwo(big); big == 0 || f[j] >= 1.0/8 && f[j] <= 8 {
				f[j] = 1 // leave well-scaled columns in their own units
			}
			// Entries to come may be of ordinary size: a column stretched further
			// than its own range, or very far, would then drown in tolerances.
			f[j] = min(f[j], mostStretch)
			if width := p.chi[j] - p.clo[j]; width < mostStretch {
				f[j] = min(f[j], max(1, powerOfTwo(1/width))) // about the width
			}
			p.cs[j] *= f[j]
			p.cost[j] *= f[j]
			p.clo[j] /= f[j]
			p.chi[j] /= f[j]
			p.x[j] /= f[j]
		}
		for i := range p.m {
			big := 0.0
			for q := p.ptr[i]; q < p.ptr[i]+p.size[i]; q++ {
				p.coef[q] *= f[p.idx[q]]
				big = max(big, math.Abs(p.coef[q]))
			}
			g := powerOfTwo(big)
			for q := p.ptr[i]; q < p.ptr[i]+p.size[i]; q++ {
				p.coef[q] *= g
			}
			p.rs[i] *= g
			p.rlo[i] *= g
			p.rhi[i] *= g
		}
	}
	p.fresh = false
}

// powerOfTwo is the power of two s with 1/2 <= s·x < 1, within a range that
// keeps products of scales finite; 1 for 0.
func powerOfTwo(x float64) float64 {
	if x == 0 || math.IsInf(x, 0) {
		return 1
	}
	_, e := math.Frexp(x)
	return math.Ldexp(1, min(max(-e, -300), 300))
}
