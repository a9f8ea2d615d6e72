package bound

import (
	"math"

	"rcmdplab/core/lp"
	"rcmdplab/core/proof"
)

// witness holds the extreme values met at the points of a relaxation: a range that
// reaches a witness cannot be tightened.
type witness struct {
	lo, hi   []float64 // [o*n+i] π(i) by kernel o of the relaxation
	dlo, dhi []float64 // [o*S+s] occupancy
	r        []float64 // [o*S+s] d_o/d_{1-o}, pairs only
}

func (t *tree) witnesses(y *relaxation) *witness {
	d := t.d
	if t.ws == nil {
		t.ws = &witness{make([]float64, 2*d.n), make([]float64, 2*d.n), make([]float64, 2*d.s), make([]float64, 2*d.s), make([]float64, 2*d.s)}
	}
	w := t.ws
	for i := range w.lo {
		w.lo[i], w.hi[i] = 1, 0
	}
	for i := range w.dlo {
		w.dlo[i], w.dhi[i], w.r[i] = 1, 0, 0
	}
	w.see(y)
	return w
}

// see takes in the point of the last optimum.
func (w *witness) see(y *relaxation) {
	d := y.d
	x := y.lp.X()
	for o, m := range y.ms {
		c := y.at[m]
		for s := range d.s {
			a, b := d.m.Off[s], d.m.Off[s+1]
			sum := 0.0
			for i := a; i < b; i++ {
				sum += x[c+i]
			}
			k := o*d.s + s
			y.occ[k] = sum
			w.dlo[k], w.dhi[k] = min(w.dlo[k], sum), max(w.dhi[k], sum)
			if sum > 1e-12 {
				for i := a; i < b; i++ {
					p := x[c+i] / sum
					w.lo[o*d.n+i], w.hi[o*d.n+i] = min(w.lo[o*d.n+i], p), max(w.hi[o*d.n+i], p)
				}
			}
		}
	}
	if len(y.ms) == 2 {
		for s := range d.s {
			a, b := y.occ[s], y.occ[d.s+s]
			if a > 1e-12 && b > 1e-12 {
				w.r[s], w.r[d.s+s] = max(w.r[s], a/b), max(w.r[d.s+s], b/a)
			}
		}
	}
}

// enter sets a relaxation up for the current box and finds a first point of it;
// over when that alone settles the matter.
func (t *tree) enter(y *relaxation, id proof.Step) (v verdict, over bool) {
	y.reframe(t.cur.g, t.limits)
	t.note(proof.Step{Kind: proof.Open})
	clear(y.obj)
	switch st, ok := t.solve(y, 20); {
	case !ok:
		return halt, true
	case st == lp.Infeasible:
		return t.emptiness(y, id), true
	case st != lp.Optimal:
		return unsure, true
	}
	return unsure, false
}

// kernel tightens the ranges by the polytope of kernel m alone.
func (t *tree) kernel(m int) verdict {
	d, g := t.d, t.cur.g
	y := t.kernels[m]
	if y == nil {
		y = d.newRelaxation([]int{m}, false, kernelTol)
		t.kernels[m] = y
	}
	id := proof.Step{M: m, M2: -1, Of: m}
	if v, over := t.enter(y, id); over {
		return v
	}
	w := t.witnesses(y)
	for s := range d.s {
		for side := range 2 {
			k := m*d.s + s
			width := g.du[k] - g.dl[k]
			target, sign := proof.OccupancyLow, 1.0
			if side == 0 {
				if w.dlo[s] <= g.dl[k]*1.02+0.002*width {
					continue
				}
			} else {
				if w.dhi[s] >= g.du[k]-0.02*width {
					continue
				}
				target, sign = proof.OccupancyHigh, -1
			}
			clear(y.obj)
			for i := d.m.Off[s]; i < d.m.Off[s+1]; i++ {
				y.obj[i] = sign
			}
			step := id
			step.Target, step.Index = target, s
			if v := t.query(y, w, step, 2); v != unsure {
				return v
			}
		}
	}
	return t.policyRanges(y, w, id, 0.01)
}

// query solves for the objective set and takes the step; empty when the rows
// added on the way made the relaxation infeasible.
func (t *tree) query(y *relaxation, w *witness, s proof.Step, rounds int) verdict {
	v, _ := t.queryTaken(y, w, s, rounds)
	return v
}

func (t *tree) queryTaken(y *relaxation, w *witness, s proof.Step, rounds int) (verdict, bool) {
	st, ok := t.solve(y, rounds)
	y.lp.StopBelow(nil, nil)
	if !ok {
		return halt, false
	}
	switch st {
	case lp.Infeasible:
		return t.emptiness(y, s), false
	case lp.Reached:
		w.see(y)
	case lp.Optimal:
		w.see(y)
		return unsure, t.take(y, s)
	}
	return unsure, false
}

// policyRanges tightens l and u by the least and largest ratio x(i)/d(s) of
// each kernel of the relaxation: Dinkelbach's method, in which only the objective
// changes.
func (t *tree) policyRanges(y *relaxation, w *witness, id proof.Step, filter float64) verdict {
	d, g := t.d, t.cur.g
	t.todo = t.todo[:0]
	for k := range 2 * len(y.ms) * d.n {
		t.todo = append(t.todo, k)
	}
	for {
		side, o, i := t.nextShare(y, w, filter)
		if i < 0 {
			return unsure
		}
		s, m := d.m.State[i], y.ms[o]
		for range 3 {
			width := g.u[i] - g.l[i]
			rho, sign, target := w.hi[o*d.n+i], -1.0, proof.PolicyHigh
			end := g.u[i] - filter*width // a point beyond leaves nothing to gain
			if side == 1 {
				rho, sign, target = w.lo[o*d.n+i], 1, proof.PolicyLow
				end = g.l[i] + filter*width
			}
			if width < 1e-3 || sign*(rho-end) < 0 {
				break
			}
			clear(y.obj)
			for k := d.m.Off[s]; k < d.m.Off[s+1]; k++ {
				y.obj[y.at[m]+k] = -sign * rho
			}
			y.obj[y.at[m]+i] += sign
			y.stopShare(m, i, sign, end)
			step := id
			step.Target, step.Of, step.Index, step.Rho = target, m, i, rho
			if v := t.query(y, w, step, 3); v != unsure {
				return v
			}
			if y.lp.Objective() > -1e-8 {
				break
			}
		}
	}
}

// nextShare takes from the list the side of a policy range whose end the current
// point is nearest to, since fewest steps lead there; i is -1 when none is left.
// Sides that a witness is near to are dropped.
func (t *tree) nextShare(y *relaxation, w *witness, filter float64) (side, o, i int) {
	d, g := t.d, t.cur.g
	x := y.lp.X()
	best, at := math.Inf(1), -1
	for k := 0; k < len(t.todo); k++ {
		c := t.todo[k]
		side, o, i := c&1, c>>1/d.n, c>>1%d.n
		s := d.m.State[i]
		width := g.u[i] - g.l[i]
		if width < 1e-3 || !(g.dl[y.ms[o]*d.s+s] > 0) ||
			side == 0 && w.hi[o*d.n+i] > g.u[i]-filter*width ||
			side == 1 && w.lo[o*d.n+i] < g.l[i]+filter*width {
			t.todo[k] = t.todo[len(t.todo)-1]
			t.todo = t.todo[:len(t.todo)-1]
			k--
			continue
		}
		v := x[y.at[y.ms[o]]+i] / y.occ[o*d.s+s]
		if side == 0 {
			v = g.u[i] - v
		} else {
			v -= g.l[i]
		}
		if v /= width; v < best || at < 0 {
			best, at = v, k
		}
	}
	if at < 0 {
		return 0, 0, -1
	}
	c := t.todo[at]
	t.todo[at] = t.todo[len(t.todo)-1]
	t.todo = t.todo[:len(t.todo)-1]
	return c & 1, c >> 1 / d.n, c >> 1 % d.n
}

// branchAt chooses the pair whose occupancies are furthest from being the
// product of policy and occupancy, and a point between the middle of its range
// and the coupling LP's policy.
func (t *tree) branchAt(g *ranges) (pair int, at float64) {
	d, y := t.d, t.coupling
	best := -1.0
	for i, s := range d.m.State {
		width := g.u[i] - g.l[i]
		if width < 1e-7 {
			continue
		}
		v := 1e-3 * width / d.m.H
		if y != nil && len(t.point) > 0 {
			for _, m := range y.ms {
				c := y.at[m]
				sum := 0.0
				for k := d.m.Off[s]; k < d.m.Off[s+1]; k++ {
					sum += t.point[c+k]
				}
				v += math.Abs(t.point[c+i] - sum*t.point[i])
			}
		}
		if v > best {
			best, pair = v, i
		}
	}
	lo, hi := g.l[pair], g.u[pair]
	mid := (lo + hi) / 2
	x := mid
	if len(t.point) > 0 {
		x = min(max(t.point[pair], lo+0.2*(hi-lo)), hi-0.2*(hi-lo))
	}
	return pair, (mid + x) / 2
}

// stopShare ends the next query at a point whose share x(i)/d(s) under kernel m
// is beyond end: above it for sign -1, below for 1.
func (y *relaxation) stopShare(m, i int, sign, end float64) {
	d := y.d
	s := d.m.State[i]
	y.stops, y.below = y.stops[:0], y.below[:0]
	for k := d.m.Off[s]; k < d.m.Off[s+1]; k++ {
		v := -sign * end
		if k == i {
			v += sign
		}
		y.stops, y.below = append(y.stops, int32(y.at[m]+k)), append(y.below, v)
	}
	y.lp.StopBelow(y.stops, y.below)
}
