package model

import "math"

// Centre returns the problem with an offset taken off every cost whose one-step
// values all lie on one side of 0 and further from it than they lie apart, and
// what that takes off each return: J_n here is J_n there plus base[n]. Where no
// cost is like that it returns m itself and nil.
//
// A cost c + k has the return J + k·H under every policy and kernel, so neither
// policies nor worst cases change; but rounding is relative to what is added up,
// and next to an offset a million times the differences between policies it
// would be as large as they. A cost that is 0 somewhere stays as it is: an
// absorbing state at no cost must go on costing exactly nothing.
func (m *Standard) Centre() (centred *Standard, base []float64) {
	c := *m
	base = make([]float64, m.N+1)
	moved := false
	for n := range m.N + 1 {
		offset := m.offset(n)
		if offset == 0 {
			continue
		}
		if !moved {
			moved = true
			c.C, c.CNext = append([][]float64(nil), m.C...), append([][]float64(nil), m.CNext...)
			c.B = append([]float64(nil), m.B...)
		}
		c.C[n], c.CNext[n] = less(m.C[n], offset), less(m.CNext[n], offset)
		base[n] = offset * m.H
		if n > 0 {
			c.B[n] = m.below(n, offset)
		}
	}
	if !moved {
		return m, nil
	}
	return &c, base
}

// offset is what Centre takes off cost n, 0 when nothing.
func (m *Standard) offset(n int) float64 {
	if m.End != nil { // what follows an end is no step
		return 0
	}
	lo, hi := m.Bounds(n)
	offset := lo
	if hi < 0 {
		offset = hi
	}
	if lo <= 0 && hi >= 0 || math.Abs(offset) < hi-lo {
		return 0
	}
	return offset
}

// below is b_n - offset·H in one rounding.
func (m *Standard) below(n int, offset float64) float64 {
	if offset == 0 {
		return m.B[n]
	}
	return math.FMA(m.B[n], m.Rest, -offset) * m.H
}

// CannotBind reports whether every policy meets limit n, because no return of the
// cost can exceed its largest one-step value times the horizon. The comparison,
// about the centre, allows for the rounding of H and of that product; without it
// a threshold typed as 10 at γ = 0.9 (H = 10.000000000000002) would never be met
// by a cost that is 1 everywhere. O(one-step costs).
func (m *Standard) CannotBind(n int) bool {
	if m.Total() {
		return false
	}
	offset := m.offset(n)
	lo, hi := m.Bounds(n)
	lo, hi = lo-offset, hi-offset
	return hi*m.H <= m.below(n, offset)+1e-12*m.H*max(-lo, hi)
}

// less is the numbers with x taken off each.
func less(v []float64, x float64) []float64 {
	if v == nil {
		return nil
	}
	w := make([]float64, len(v))
	for i, y := range v {
		w[i] = y - x
	}
	return w
}
