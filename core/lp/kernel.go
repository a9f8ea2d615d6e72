package lp

import "rcmdplab/core/vector"

// block is the unit in which the columns of D are processed: what the loops of
// package vector do without a remainder.
const block = 8

// rowDeltas writes a_i·v to dst for every inactive row.
//
//go:noinline
func (p *LP) rowDeltas(dst, v []float64) {
	vector.GatherSome(dst, p.rpos, inactive, p.ptr, p.size, p.idx, p.coef, v)
}

// sparseDot is Σ coef[k] v[idx[k]]; the lengths are multiples of four.
func sparseDot(idx []int32, coef, v []float64) float64 { return vector.Gather(idx, coef, v) }

// pivotRow writes the row of constraint v in terms of the active ones,
// alpha_k = a_v·D_k.
//
//go:noinline
func (p *LP) pivotRow(alpha []float64, v int32) {
	if v >= 0 {
		o := int(v)
		for k := range alpha {
			alpha[k] = p.d[o]
			o += p.stride
		}
		return
	}
	a, b := p.ptr[^v], p.ptr[^v]+p.size[^v]
	idx, coef := p.idx[a:b], p.coef[a:b]
	if len(idx) == 8 && len(coef) == 8 {
		p.pivotRow8(alpha, (*[8]int32)(idx), (*[8]float64)(coef))
		return
	}
	vector.GatherRows(alpha, idx, coef, p.d, p.stride)
}

// pivotRow8 is pivotRow for a row of eight coefficients.
func (p *LP) pivotRow8(alpha []float64, idx *[8]int32, coef *[8]float64) {
	st := p.stride
	i0, i1, i2, i3, i4, i5, i6, i7 := idx[0], idx[1], idx[2], idx[3], idx[4], idx[5], idx[6], idx[7]
	c0, c1, c2, c3, c4, c5, c6, c7 := coef[0], coef[1], coef[2], coef[3], coef[4], coef[5], coef[6], coef[7]
	for k := range alpha {
		d := p.d[k*st : (k+1)*st]
		alpha[k] = ((c0*d[i0] + c1*d[i1]) + (c2*d[i2] + c3*d[i3])) + ((c4*d[i4] + c5*d[i5]) + (c6*d[i6] + c7*d[i7]))
	}
}

// dropped is what counts as zero in a pivot row, whose entries are about 1: what
// is left of it is seen and mended by the checks of a solution.
const dropped = 1e-14

// exchange makes constraint v active at position q, whose constraint becomes
// inactive; alpha is v's pivotRow.
//
//go:noinline
func (p *LP) exchange(q int, v int32, alpha []float64) {
	st := p.stride
	dq := p.d[q*st : (q+1)*st]
	inv := 1 / alpha[q]
	vector.Scale(dq, inv)
	zq := p.z[q] * inv
	wq := p.weight[q] * inv * inv
	p.multiple = append(p.multiple[:0], alpha...)
	for k, f := range alpha {
		if f < dropped && f > -dropped || k == q {
			p.multiple[k] = 0
			continue
		}
		p.multiple[k] = -f
		p.z[k] -= f * zq
		if w := f * f * wq; w > p.weight[k] {
			p.weight[k] = w
		}
	}
	vector.Rank1(p.d, st, dq, p.multiple)
	if len(p.frac.cols) > 0 {
		z := p.zden[q] * inv
		vector.Axpy(p.zden[:len(alpha)], p.multiple, z)
		p.zden[q] = z
	}
	p.z[q] = zq
	p.weight[q] = max(wq, 1)
	if v >= 0 { // exact unit row, so that the column cannot drift
		o := int(v)
		for range alpha {
			p.d[o] = 0
			o += st
		}
		dq[v] = 1
	}
	p.activate(q, v)
	p.pivots++
}

// activate records that constraint v takes position q.
func (p *LP) activate(q int, v int32) {
	if u := p.non[q]; u >= 0 {
		p.cpos[u] = inactive
	} else {
		p.rpos[^u] = inactive
	}
	p.non[q] = v
	if v >= 0 {
		p.cpos[v] = int32(q)
	} else {
		p.rpos[^v] = int32(q)
	}
}
