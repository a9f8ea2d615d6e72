package lp

import (
	"math"
	"slices"

	"rcmdplab/core/vector"
)

// factor builds D for the current active set from that of all columns: equality rows
// are eliminated first, then the active rows enter. A row that is dependent
// on those before it leaves the active set.
func (p *LP) factor() {
	p.placed = false
	p.changed = p.changed[:0]
	// What is to be active, and at which end, before non and side are rewritten.
	want := append(p.want[:0], p.non...)
	ends := append(p.wantEnd[:0], p.side...)
	p.want, p.wantEnd = want, ends
	keep := slices.Grow(p.keep[:0], p.n)[:p.n] // columns that stay active if possible
	clear(keep)
	p.keep = keep
	n, st := p.n, p.stride
	p.d = vector.Sized(p.d, n*st)
	clear(p.d)
	p.basic = p.basic[:0]
	p.p = n
	p.non, p.side = slices.Grow(p.non[:0], n)[:n], slices.Grow(p.side[:0], n)[:n]
	p.z, p.weight = vector.Sized(p.z, n), vector.Sized(p.weight, n)
	clear(p.z)
	for j := range n {
		p.non[j], p.cpos[j], p.where[j], p.side[j], p.weight[j] = int32(j), int32(j), active, atLower, 1
		if math.Abs(p.x[j]-p.chi[j]) < math.Abs(p.x[j]-p.clo[j]) {
			p.side[j] = atUpper
		}
	}
	for k, v := range want {
		if v >= 0 {
			keep[v], p.side[v] = true, ends[k]
		}
	}
	for i := range p.rpos {
		p.rpos[i] = inactive
	}
	// Equality rows. Columns that are to become inactive anyway are taken first.
	p.elim = p.elim[:0]
	for i := range p.m {
		if p.rlo[i] != p.rhi[i] {
			continue
		}
		if q := p.enter(int32(^i), keep); q >= 0 {
			p.elim = append(p.elim, int32(i))
		}
	}
	p.eliminate()
	for k, v := range want {
		if v < 0 && v != gone && p.rpos[^v] == inactive {
			if q := p.enter(v, keep); q >= 0 {
				p.side[q] = ends[k]
			}
		}
	}
	p.pivots = 0
	p.fresh = true
	for k := range p.p {
		p.weight[k] = 1
	}
}

// replace brings D up to date with the active rows whose coefficients changed,
// one pivot each, where a factorisation takes one for every active row. It
// reports false when that is no less work or not safe: D is to be made anew.
func (p *LP) replace() bool {
	const least = 1e-4 // of a pivot, next to the largest entry of its row
	rows := p.changed
	p.changed = p.changed[:0]
	p.placed = false
	if 2*len(rows) > p.n-len(p.elim) || p.pivots+len(rows) > refactorEvery {
		return false
	}
	alpha := p.alpha[:p.p]
	for _, i := range rows {
		q := int(p.rpos[i])
		if q < 0 {
			continue // changed twice, and inactive by now
		}
		p.pivotRow(alpha, ^i)
		most := 0.0
		for _, a := range alpha {
			if a = math.Abs(a); a > most {
				most = a
			}
		}
		if a := math.Abs(alpha[q]); a < least*most || a < dropTol {
			return false
		}
		p.exchange(q, ^i, alpha)
	}
	return true
}

// enter makes row v active in place of the column with the largest entry,
// preferring columns that need not stay active; -1 when all are too small.
func (p *LP) enter(v int32, keep []bool) int {
	alpha := p.alpha[:p.p]
	p.pivotRow(alpha, v)
	best, q := dropTol, -1
	kept, kq := dropTol, -1
	for k, a := range alpha {
		u := p.non[k]
		if u < 0 {
			continue
		}
		if a = math.Abs(a); keep[u] {
			if a > kept {
				kept, kq = a, k
			}
		} else if a > best {
			best, q = a, k
		}
	}
	if q < 0 {
		q = kq
	}
	if q >= 0 {
		p.exchange(q, v, alpha)
	}
	return q
}

// eliminate takes the active equality rows out of D and keeps their columns,
// a right inverse of those rows, apart.
func (p *LP) eliminate() {
	st := p.stride
	p.right = slices.Grow(p.right[:0], len(p.elim)*st)[:len(p.elim)*st]
	for e, i := range p.elim {
		k := int(p.rpos[i])
		right := p.right[e*st : (e+1)*st]
		clear(right)
		for q, j := range p.basic {
			right[j] = p.d[k*st+q]
		}
		p.rpos[i] = eliminated
		last := p.p - 1
		if k != last {
			copy(p.column(k), p.column(last))
			p.side[k] = p.side[last]
			v := p.non[last]
			p.non[k] = v
			if v >= 0 {
				p.cpos[v] = int32(k)
			} else {
				p.rpos[^v] = int32(k)
			}
		}
		p.p = last
	}
	p.non, p.side, p.z, p.weight = p.non[:p.p], p.side[:p.p], p.z[:p.p], p.weight[:p.p]
}
