package lp

import (
	"math"
	"slices"
)

// RemoveRows removes the rows for which drop is true; the others keep their
// order and are renumbered. Removing inactive rows keeps the warm start. O(non-zeros)
// now and then, else O(rows).
func (p *LP) RemoveRows(drop func(i int) bool) {
	to := 0
	if len(p.changed) > 0 { // they would need new numbers
		p.fresh = false
	}
	moved := make([]int32, p.m)
	for i := range p.m {
		if drop(i) {
			moved[i] = -1
			p.waste += int(p.size[i])
			if p.rpos[i] != inactive {
				p.fresh = false
			}
			continue
		}
		moved[i] = int32(to)
		p.rlo[to], p.rhi[to], p.rs[to] = p.rlo[i], p.rhi[i], p.rs[i]
		p.ptr[to], p.size[to], p.act[to], p.rpos[to] = p.ptr[i], p.size[i], p.act[i], p.rpos[i]
		to++
	}
	if to == p.m {
		return
	}
	p.m = to
	p.rlo, p.rhi, p.rs = p.rlo[:to], p.rhi[:to], p.rs[:to]
	p.ptr, p.size, p.act, p.rpos, p.del = p.ptr[:to], p.size[:to], p.act[:to], p.rpos[:to], p.del[:to]
	for k, v := range p.non {
		if v < 0 && v != gone {
			if i := moved[^v]; i >= 0 {
				p.non[k] = ^i
			} else {
				p.non[k] = gone
			}
		}
	}
	kept := p.elim[:0]
	for _, i := range p.elim {
		if moved[i] >= 0 {
			kept = append(kept, moved[i])
		}
	}
	p.elim = kept
	p.compact()
	p.status = Unsolved
}

// gone marks the place of an active row that was removed.
const gone = math.MinInt32

// write stores the scaled coefficients of row i, padded with zeros to a
// multiple of four.
func (p *LP) write(i int, cols []int32, coef []float64) {
	size := (len(cols) + 3) &^ 3
	if int64(size) > p.size[i] {
		p.waste += int(p.size[i])
		p.ptr[i] = int64(len(p.idx))
		p.idx = slices.Grow(p.idx, size)[:len(p.idx)+size]
		p.coef = slices.Grow(p.coef, size)[:len(p.coef)+size]
		p.size[i] = int64(size)
	}
	big := 0.0
	for k, j := range cols {
		if a := math.Abs(coef[k] * p.cs[j]); a > big {
			big = a
		}
	}
	p.rs[i] = powerOfTwo(big)
	at := int(p.ptr[i])
	for k := range int(p.size[i]) {
		if k < len(cols) {
			p.idx[at+k], p.coef[at+k] = cols[k], coef[k]*(p.rs[i]*p.cs[cols[k]])
		} else {
			p.idx[at+k], p.coef[at+k] = 0, 0
		}
	}
}

// compact rewrites the coefficient store when most of it is unused.
func (p *LP) compact() {
	if p.waste*2 < len(p.idx) {
		return
	}
	idx := make([]int32, 0, len(p.idx)-p.waste)
	coef := make([]float64, 0, len(p.idx)-p.waste)
	for i := range p.m {
		a, b := p.ptr[i], p.ptr[i]+p.size[i]
		p.ptr[i] = int64(len(idx))
		idx, coef = append(idx, p.idx[a:b]...), append(coef, p.coef[a:b]...)
	}
	p.idx, p.coef, p.waste = idx, coef, 0
}
