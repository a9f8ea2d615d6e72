package lp

import (
	"math"

	"rcmdplab/core/vector"
)

// ends returns the range of constraint v.
func (p *LP) ends(v int32) (lo, hi float64) {
	if v >= 0 {
		return p.clo[v], p.chi[v]
	}
	return p.rlo[^v], p.rhi[^v]
}

// level is the value an active constraint is held at.
func (p *LP) level(k int) float64 {
	lo, hi := p.ends(p.non[k])
	switch p.side[k] {
	case atLower:
		return lo
	case atUpper:
		return hi
	}
	if v := p.non[k]; v >= 0 {
		return p.x[v]
	}
	return p.act[^p.non[k]]
}

// place puts every active constraint at a finite end and recomputes x and the
// activities, with one step of iterative refinement.
func (p *LP) place() {
	for k := range p.non {
		lo, hi := p.ends(p.non[k])
		noLo, noHi := math.IsInf(lo, -1), math.IsInf(hi, 1)
		switch {
		case noLo && noHi:
			p.side[k] = atFree
		case noLo:
			p.side[k] = atUpper
		case noHi:
			p.side[k] = atLower
		case p.side[k] == atFree:
			p.side[k] = atLower
		}
	}
	p.correct()
	p.correct()
	p.rowDeltas(p.act, p.x)
	p.placed = true
}

// correct moves x by D times what the active constraints and the eliminated
// rows are off.
func (p *LP) correct() {
	st := p.stride
	dx := p.dx
	clear(dx)
	for e, i := range p.elim {
		a, b := p.ptr[i], p.ptr[i]+p.size[i]
		if f := p.rlo[i] - sparseDot(p.idx[a:b], p.coef[a:b], p.x); f != 0 {
			vector.Axpy(dx, p.right[e*st:(e+1)*st], f)
		}
	}
	for j := range p.x {
		p.x[j] += dx[j]
	}
	clear(dx)
	for k, v := range p.non {
		f := 0.0
		if v >= 0 {
			f = p.level(k) - p.x[v]
		} else {
			a, b := p.ptr[^v], p.ptr[^v]+p.size[^v]
			t := sparseDot(p.idx[a:b], p.coef[a:b], p.x)
			if p.side[k] == atFree {
				p.act[^v] = t
			}
			f = p.level(k) - t
			p.act[^v] = p.level(k)
		}
		if f != 0 {
			p.along(k, f)
		}
	}
	p.spread()
	for j := range p.x {
		p.x[j] += dx[j]
	}
	for k, v := range p.non {
		if v >= 0 {
			p.x[v] = p.level(k)
		}
	}
}

// reduced writes c·D to dst; c has length stride.
func (p *LP) reduced(dst, c []float64) {
	part := p.part[:p.width()]
	for i, j := range p.basic {
		part[i] = c[j]
	}
	vector.Dots(dst[:p.p], p.d, p.stride, part)
	clear(part)
	for k, v := range p.non {
		if v >= 0 {
			dst[k] += c[v]
		}
	}
}

// feasible reports whether every inactive constraint holds.
func (p *LP) feasible() bool {
	for j, pos := range p.cpos {
		if pos < 0 && (p.x[j] < p.clo[j]-feasTol || p.x[j] > p.chi[j]+feasTol) {
			return false
		}
	}
	for i, pos := range p.rpos {
		if pos == inactive && (p.act[i] < p.rlo[i]-feasTol || p.act[i] > p.rhi[i]+feasTol) {
			return false
		}
	}
	return true
}

// aim writes the direction in which position q goes down its slope to dx, and
// what it does to the rows to del; it returns the sign of the move and the width
// q may move by itself.
func (p *LP) aim(q int, slope float64) (dir, own float64) {
	dir = 1
	if slope > 0 {
		dir = -1
	}
	clear(p.dx)
	for i, x := range p.column(q)[:len(p.basic)] {
		p.dx[p.basic[i]] = dir * x
	}
	if v := p.non[q]; v >= 0 {
		p.dx[v] = dir
	}
	p.rowDeltas(p.del, p.dx)
	lo, hi := p.ends(p.non[q])
	return dir, hi - lo
}

// advance moves x and the activities by t along dx.
func (p *LP) advance(q int, dir, t float64) {
	if t != 0 {
		for j := range p.x {
			p.x[j] += t * p.dx[j]
		}
		for i, pos := range p.rpos {
			if pos == inactive {
				p.act[i] += t * p.del[i]
			}
		}
		if v := p.non[q]; v < 0 {
			p.act[^v] += dir * t
		}
	}
}

// move takes position q along dx by t: to where candidate c blocks and takes its
// place, or (-1) to its own other end.
func (p *LP) move(q int, dir float64, c int, t float64) {
	p.advance(q, dir, t)
	if c >= 0 {
		p.swap(q, p.cand[c].v, p.cand[c].end)
		return
	}
	p.side[q] ^= 1
	p.x0(q)
}

// swap exchanges position q for constraint v, which is held at the given end.
func (p *LP) swap(q int, v int32, end int8) {
	alpha := p.alpha[:p.p]
	p.pivotRow(alpha, v)
	p.exchange(q, v, alpha)
	p.side[q] = end
	lo, hi := p.ends(v)
	x := lo
	if end == atUpper {
		x = hi
	}
	if v >= 0 {
		p.x[v] = x
	} else {
		p.act[^v] = x
	}
}

// x0 snaps the active constraint at position q to its level.
func (p *LP) x0(q int) {
	if v := p.non[q]; v >= 0 {
		p.x[v] = p.level(q)
	} else {
		p.act[^v] = p.level(q)
	}
}
