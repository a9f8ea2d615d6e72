package lp

import (
	"math"
)

// repair minimises the sum of infeasibilities, long steps along a piecewise
// linear function, until the point is feasible or no step helps.
func (p *LP) repair(left *int) outcome {
	still := 0
	for *left > 0 {
		if p.pivots > refactorEvery {
			return restart
		}
		if !p.infeasibility() {
			return restart // feasible: the caller goes on with primal steps
		}
		p.reduced(p.g, p.w)
		q := p.price(p.g[:p.p], still > 200)
		if q < 0 {
			p.multipliers(p.w, p.g)
			p.infeasibilityRows(p.mult)
			return infeasible
		}
		*left--
		p.Steps++
		dir, own := p.aim(q, p.g[q])
		c, t := p.descend(math.Abs(p.g[q]), own)
		if math.IsInf(t, 1) { // the sum is bounded below: lost accuracy
			p.fresh = false
			return restart
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

// infeasibility writes the gradient of the sum of infeasibilities to w and
// reports whether there are any.
func (p *LP) infeasibility() bool {
	w := p.w
	clear(w)
	any := false
	for j, pos := range p.cpos {
		if pos < 0 {
			if p.x[j] < p.clo[j]-feasTol {
				w[j]--
				any = true
			} else if p.x[j] > p.chi[j]+feasTol {
				w[j]++
				any = true
			}
		}
	}
	for i, pos := range p.rpos {
		if pos != inactive {
			continue
		}
		f := 0.0
		if p.act[i] < p.rlo[i]-feasTol {
			f = -1
		} else if p.act[i] > p.rhi[i]+feasTol {
			f = 1
		} else {
			continue
		}
		any = true
		a, b := p.ptr[i], p.ptr[i]+p.size[i]
		coef := p.coef[a:b]
		for k, j := range p.idx[a:b] {
			w[j] += f * coef[k]
		}
	}
	return any
}

// infeasibilityRows adds the multipliers of the violated rows to y, which makes
// those of the gradient a Farkas ray.
func (p *LP) infeasibilityRows(y []float64) {
	for i, pos := range p.rpos {
		if pos == inactive {
			if p.act[i] < p.rlo[i]-feasTol {
				y[i]++
			} else if p.act[i] > p.rhi[i]+feasTol {
				y[i]--
			}
		}
	}
}

// descend finds the step at which the sum of infeasibilities stops falling:
// slope is its rate at 0. It returns the constraint to stop at (-1: the width
// own of the moving one) and the step.
func (p *LP) descend(slope, own float64) (c int, t float64) {
	cand := p.cand[:0]
	add := func(v int32, a, x, lo, hi float64) {
		if a < 0 { // mirror
			a, x, lo, hi = -a, -x, -hi, -lo
			if x < lo-feasTol {
				cand = append(cand, candidate{v, atUpper, a, lo - x})
			}
			if x <= hi+feasTol && hi < math.MaxFloat64 {
				cand = append(cand, candidate{v, atLower, a, max(0, hi-x)})
			}
			return
		}
		if x < lo-feasTol {
			cand = append(cand, candidate{v, atLower, a, lo - x})
		}
		if x <= hi+feasTol && hi < math.MaxFloat64 {
			cand = append(cand, candidate{v, atUpper, a, max(0, hi-x)})
		}
	}
	for j, pos := range p.cpos {
		if a := p.dx[j]; pos < 0 && (a > pivotTol || a < -pivotTol) {
			add(int32(j), a, p.x[j], p.clo[j], p.chi[j])
		}
	}
	for i, pos := range p.rpos {
		if a := p.del[i]; pos == inactive && (a > pivotTol || a < -pivotTol) {
			add(int32(^i), a, p.act[i], p.rlo[i], p.rhi[i])
		}
	}
	p.cand = cand
	// Walk the breakpoints in order; those passed stay at the front.
	done := 0
	big := 0
	for done < len(cand) {
		next, r := -1, math.Inf(1)
		for i := done; i < len(cand); i++ {
			if b := &cand[i]; b.slack < r*b.a || next < 0 {
				next, r = i, b.slack/b.a
			}
		}
		if own < r {
			return -1, own
		}
		cand[done], cand[next] = cand[next], cand[done]
		if cand[done].a >= cand[big].a {
			big = done
		}
		slope -= cand[done].a
		if slope <= 0 {
			break
		}
		done++
	}
	if done == len(cand) {
		if own < math.Inf(1) || done == 0 {
			return -1, own
		}
		done--
	}
	c = done
	if cand[c].a < 1e-6 { // too small to pivot on safely: stop earlier at a larger one
		c = big
	}
	return c, cand[c].slack / cand[c].a
}
