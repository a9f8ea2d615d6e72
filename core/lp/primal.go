package lp

import (
	"math"
)

// candidate is a constraint that may block a step: a and slack are positive
// for an approach to the given end.
type candidate struct {
	v        int32   // column j, or row i as ^i
	end      int8    // atLower or atUpper
	a, slack float64 // rate of approach, and distance left
}

// price returns the position that may move with the best z²/weight, -1 when
// none may. With first it returns the first constraint in order instead, which
// ends every cycle (Bland).
func (p *LP) price(z []float64, first bool) int {
	best, q := 0.0, -1
	for k, d := range z {
		if d <= dualTol && d >= -dualTol {
			continue
		}
		if s := p.side[k]; d > 0 && s == atLower || d < 0 && s == atUpper {
			continue
		}
		v := p.non[k]
		if lo, hi := p.ends(v); lo == hi {
			continue
		}
		if first {
			if q < 0 || v < p.non[q] {
				q = k
			}
			continue
		}
		if s := d * d / p.weight[k]; s > best {
			best, q = s, k
		}
	}
	return q
}

// primal takes primal steps from a feasible point.
func (p *LP) primal(left *int) outcome {
	still, rational := 0, len(p.frac.cols) > 0
	for k := range p.weight {
		p.weight[k] = 1
	}
	for *left > 0 {
		if p.pivots > refactorEvery {
			return restart
		}
		if rational && p.climb(false) && p.frac.rho > p.frac.stop {
			return enough
		}
		q := p.price(p.z, still > 200)
		if q < 0 {
			if rational && p.climb(true) {
				continue
			}
			return optimal
		}
		*left--
		p.Steps++
		dir, own := p.aim(q, p.z[q])
		c, t := p.block()
		if c < 0 || own <= t {
			c, t = -1, own
		}
		if math.IsInf(t, 1) {
			copy(p.ray, p.dx[:p.n])
			return unbounded
		}
		p.move(q, dir, c, t)
		if t > 1e-12 {
			still = 0
		} else {
			still++
		}
	}
	return restart
}

// block is the ratio test of Harris: among the constraints that block within
// feasTol of the first, the one with the largest entry. It returns its place
// in cand (-1: nothing blocks) and the step.
func (p *LP) block() (c int, t float64) {
	cand := p.cand[:0]
	limit := math.Inf(1)
	// A candidate beyond the limit so far is beyond the final one too.
	for j, pos := range p.cpos {
		if pos >= 0 {
			continue
		}
		a, end := p.dx[j], atUpper
		var s float64
		if a > pivotTol {
			s = p.chi[j] - p.x[j]
		} else if a < -pivotTol {
			s, a, end = p.x[j]-p.clo[j], -a, atLower
		} else {
			continue
		}
		if s < math.MaxFloat64 && s <= limit*a {
			cand = append(cand, candidate{int32(j), end, a, s})
			if s+feasTol < limit*a {
				limit = (s + feasTol) / a
			}
		}
	}
	act, rlo, rhi := p.act, p.rlo, p.rhi
	for i, a := range p.del[:p.m] {
		if p.rpos[i] != inactive {
			continue
		}
		var s float64
		end := atUpper
		if a > pivotTol {
			s = rhi[i] - act[i]
		} else if a < -pivotTol {
			s, a, end = act[i]-rlo[i], -a, atLower
		} else {
			continue
		}
		if s < math.MaxFloat64 && s <= limit*a {
			cand = append(cand, candidate{int32(^i), end, a, s})
			if s+feasTol < limit*a {
				limit = (s + feasTol) / a
			}
		}
	}
	p.cand = cand
	c = -1
	best := 0.0
	for i := range cand {
		if b := &cand[i]; b.a > best && b.slack/b.a <= limit { // divided like the limit: the one that set it is within it
			best, c = b.a, i
		}
	}
	if c >= 0 {
		t = max(0, cand[c].slack/cand[c].a)
	}
	return c, t
}
