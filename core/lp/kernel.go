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

// width is how much of a column of D is in use, to the end of a block.
func (p *LP) width() int { return (len(p.basic) + block - 1) / block * block }

// column is what D has of active constraint k.
func (p *LP) column(k int) []float64 { return p.d[k*p.stride:][:p.width()] }

// pivotRow writes the row of constraint v, a row or an inactive column, in terms of the
// active ones, alpha_k = a_v·D_k.
//
//go:noinline
func (p *LP) pivotRow(alpha []float64, v int32) {
	if v >= 0 {
		o := int(p.where[v])
		for k := range alpha {
			alpha[k] = p.d[o]
			o += p.stride
		}
		return
	}
	a, b := p.ptr[^v], p.ptr[^v]+p.size[^v]
	idx, coef := p.idx[a:b], p.coef[a:b]
	at, by := p.at[:0], p.by[:0]
	for k, j := range idx {
		if i := p.where[j]; i != active && coef[k] != 0 {
			at, by = append(at, i), append(by, coef[k])
		}
	}
	for len(at)%4 != 0 { // see sparseDot
		at, by = append(at, 0), append(by, 0)
	}
	p.at, p.by = at, by
	vector.GatherRows(alpha, at, by, p.d, p.stride)
	for k, j := range idx {
		if q := p.cpos[j]; q >= 0 {
			alpha[q] += coef[k]
		}
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
	if u := p.non[q]; u >= 0 {
		p.release(u, q)
	}
	dq := p.column(q)
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
	vector.Rank1(p.d, p.stride, dq, p.multiple)
	if len(p.frac.cols) > 0 {
		z := p.zden[q] * inv
		vector.Axpy(p.zden[:len(alpha)], p.multiple, z)
		p.zden[q] = z
	}
	p.z[q] = zq
	p.weight[q] = max(wq, 1)
	if v >= 0 {
		p.fix(v, len(alpha))
	}
	p.activate(q, v)
	p.pivots++
}

// release gives column u, active at position q until now, a place in D.
func (p *LP) release(u int32, q int) {
	p.where[u] = int32(len(p.basic))
	p.d[q*p.stride+len(p.basic)] = 1
	p.basic = append(p.basic, u)
}

// fix takes the place of column v, which becomes active, out of the columns of D.
func (p *LP) fix(v int32, columns int) {
	last := len(p.basic) - 1
	at, end := int(p.where[v]), last
	for range columns {
		p.d[at] = p.d[end]
		p.d[end] = 0
		at, end = at+p.stride, end+p.stride
	}
	moved := p.basic[last]
	p.basic[p.where[v]], p.where[moved] = moved, p.where[v]
	p.basic, p.where[v] = p.basic[:last], active
}

// along adds f times column k of D to what spread takes to dx.
func (p *LP) along(k int, f float64) {
	c := p.column(k)
	vector.Axpy(p.part[:len(c)], c, f)
	if v := p.non[k]; v >= 0 {
		p.dx[v] += f
	}
}

func (p *LP) spread() {
	for i, j := range p.basic {
		p.dx[j] += p.part[i]
	}
	clear(p.part[:p.width()])
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
