package lp

import (
	"math"
)

// flipToDual moves active constraints with two ends to the end their reduced
// cost asks for; it reports whether the active set is then dual feasible and
// the objective is not zero (which dual steps could not be guided by).
func (p *LP) flipToDual() bool {
	any := false
	for k, z := range p.z {
		lo, hi := p.ends(p.non[k])
		if lo == hi {
			continue
		}
		any = any || z > dualTol || z < -dualTol
		if z > dualTol && p.side[k] != atLower && math.IsInf(lo, -1) || z < -dualTol && p.side[k] != atUpper && math.IsInf(hi, 1) {
			return false
		}
	}
	if !any {
		return false
	}
	moved := false
	for k, z := range p.z {
		if lo, hi := p.ends(p.non[k]); lo == hi {
			continue
		}
		if z > dualTol && p.side[k] == atUpper {
			p.side[k], moved = atLower, true
		} else if z < -dualTol && p.side[k] == atLower {
			p.side[k], moved = atUpper, true
		}
	}
	if moved {
		p.place()
	}
	return true
}

// dual takes dual steps from a dual feasible active set: the constraint violated
// most becomes active, and what leaves for it is told by the ratio test.
func (p *LP) dual(left *int) outcome {
	still := 0
	for *left > 0 {
		if p.pivots > refactorEvery {
			return restart
		}
		v, end, short := p.worst()
		if short == 0 {
			return restart // primal feasible: the caller looks whether it is optimal
		}
		if still > 100 { // a long row of steps without progress: another method
			return p.repair(left)
		}
		*left--
		p.Steps++
		alpha := p.alpha[:p.p]
		p.pivotRow(alpha, v)
		sign := 1.0
		if end == atUpper {
			sign = -1
		}
		p.helpers(alpha, sign)
		flips, q, rest := p.longStep(short)
		if q < 0 {
			p.unreachable(v, sign, alpha)
			return infeasible
		}
		p.flip(flips)
		k := int(p.cand[q].v)
		p.approach(k, rest/alpha[k]*sign)
		for i := range p.cand[:flips] {
			p.x0(int(p.cand[i].v))
		}
		if math.Abs(p.z[k]) < 1e-12 {
			still++
		} else {
			still = 0
		}
		p.exchange(k, v, alpha)
		p.side[k] = end
		p.x0(k)
	}
	return restart
}

// helpers writes to cand the active positions whose move brings the entering row
// alpha towards its end; their slack is |z|.
func (p *LP) helpers(alpha []float64, sign float64) {
	cand := p.cand[:0]
	for k, a := range alpha {
		a *= sign
		if a < pivotTol && a > -pivotTol {
			continue
		}
		s := p.side[k]
		if s == atLower && a < 0 || s == atUpper && a > 0 {
			continue
		}
		if lo, hi := p.ends(p.non[k]); lo == hi {
			continue
		}
		cand = append(cand, candidate{int32(k), s, math.Abs(a), math.Abs(p.z[k])})
	}
	p.cand = cand
}

// longStep is the ratio test with bound flips: candidates are passed in the order
// of their ratios, each going to its other end, for as long as all of that leaves
// the entering constraint short. It returns how many are passed (the first of
// cand), the one that leaves (the largest entry among those within the tolerance
// of the next ratio; -1: even with every flip it stays short) and what is left of short.
func (p *LP) longStep(short float64) (flips, q int, rest float64) {
	cand := p.cand
	rest = short
	for flips < len(cand) {
		limit := math.Inf(1)
		for i := flips; i < len(cand); i++ {
			limit = min(limit, (cand[i].slack+dualTol)/cand[i].a)
		}
		// The group within the tolerance goes to the front.
		top, big, gain := flips, flips, 0.0
		for i := flips; i < len(cand); i++ {
			if cand[i].slack/cand[i].a <= limit { // divided like the limit, or rounding could leave the group empty
				cand[i], cand[top] = cand[top], cand[i]
				if cand[top].a > cand[big].a {
					big = top
				}
				lo, hi := p.ends(p.non[cand[top].v])
				gain += cand[top].a * (hi - lo)
				top++
			}
		}
		if gain >= rest-feasTol { // within rounding of enough is enough
			return flips, big, rest
		}
		rest -= gain
		flips = top
	}
	return flips, -1, rest
}

// unreachable writes the Farkas ray of a constraint v that stays short of its end
// with every active one at its best.
func (p *LP) unreachable(v int32, sign float64, alpha []float64) {
	clear(p.w)
	if v >= 0 {
		p.w[v] = -sign
	} else {
		a, b := p.ptr[^v], p.ptr[^v]+p.size[^v]
		for k := a; k < b; k++ {
			p.w[p.idx[k]] -= sign * p.coef[k]
		}
	}
	for k, a := range alpha {
		p.g[k] = -sign * a
	}
	p.multipliers(p.w, p.g)
	if v < 0 {
		p.mult[^v] += sign
	}
}

// flip sends the first candidates to their other ends; dx is what that moves.
func (p *LP) flip(flips int) {
	clear(p.dx)
	for i := range p.cand[:flips] {
		k := int(p.cand[i].v)
		lo, hi := p.ends(p.non[k])
		f := hi - lo
		if p.side[k] == atUpper {
			f = -f
		}
		p.along(k, f)
		p.side[k] ^= 1
	}
	p.spread()
}

// approach adds a move of position k by t to dx and goes there.
func (p *LP) approach(k int, t float64) {
	p.along(k, t)
	p.spread()
	p.rowDeltas(p.del, p.dx)
	p.advance(k, 1, 1)
	if u := p.non[k]; u < 0 { // advance added a unit step to it
		p.act[^u] += t - 1
	}
}

// worst is the inactive constraint violated most, the end it is beyond and by
// how much; 0 when none is.
func (p *LP) worst() (v int32, end int8, by float64) {
	by = 0
	for j, pos := range p.cpos {
		if pos >= 0 {
			continue
		}
		if e := p.clo[j] - p.x[j]; e > by && e > feasTol {
			v, end, by = int32(j), atLower, e
		}
		if e := p.x[j] - p.chi[j]; e > by && e > feasTol {
			v, end, by = int32(j), atUpper, e
		}
	}
	for i, pos := range p.rpos {
		if pos != inactive {
			continue
		}
		if e := p.rlo[i] - p.act[i]; e > by && e > feasTol {
			v, end, by = int32(^i), atLower, e
		}
		if e := p.act[i] - p.rhi[i]; e > by && e > feasTol {
			v, end, by = int32(^i), atUpper, e
		}
	}
	return v, end, by
}
