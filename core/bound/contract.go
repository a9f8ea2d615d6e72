package bound

import (
	"math"

	"rcmdplab/core/lp"
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
func (t *tree) enter(y *relaxation, id Step) (v verdict, over bool) {
	y.reframe(t.cur.g, t.limits)
	t.note(Step{Kind: Open})
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
	id := Step{M: m, M2: -1, Of: m}
	if v, over := t.enter(y, id); over {
		return v
	}
	w := t.witnesses(y)
	for s := range d.s {
		for side := range 2 {
			k := m*d.s + s
			width := g.du[k] - g.dl[k]
			target, sign := OccupancyLow, 1.0
			if side == 0 {
				if w.dlo[s] <= g.dl[k]*1.02+0.002*width {
					continue
				}
			} else {
				if w.dhi[s] >= g.du[k]-0.02*width {
					continue
				}
				target, sign = OccupancyHigh, -1
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
func (t *tree) query(y *relaxation, w *witness, s Step, rounds int) verdict {
	v, _ := t.queryTaken(y, w, s, rounds)
	return v
}

func (t *tree) queryTaken(y *relaxation, w *witness, s Step, rounds int) (verdict, bool) {
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
func (t *tree) policyRanges(y *relaxation, w *witness, id Step, filter float64) verdict {
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
			rho, sign, target := w.hi[o*d.n+i], -1.0, PolicyHigh
			end := g.u[i] - filter*width // a point beyond leaves nothing to gain
			if side == 1 {
				rho, sign, target = w.lo[o*d.n+i], 1, PolicyLow
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

// pairQueue works on pairs of kernels in order of expected gain.
func (t *tree) pairQueue() verdict {
	d, g, gain := t.d, t.cur.g, t.cur.gain
	calls := nodeCalls
	if t.cur.depth == 0 {
		calls = rootCalls
	}
	for range calls {
		best, bm, bm2 := enoughGain, -1, -1
		for m := range d.mn {
			for m2 := m + 1; m2 < d.mn; m2++ {
				if v := gain[m*d.mn+m2]; v >= best && (v > best || bm < 0) {
					best, bm, bm2 = v, m, m2
				}
			}
		}
		if bm < 0 {
			return unsure
		}
		k := bm*d.mn + bm2
		before := d.spread(g, bm, bm2)
		v := t.pair(bm, bm2)
		if v != unsure {
			if v == empty {
				gain[k]++
				t.log.pair++
			}
			return v
		}
		if !t.close() {
			return empty
		}
		won := (before - d.spread(g, bm, bm2)) / (before + 1e-9)
		gain[k] = ownGain * won
		for m := range d.mn {
			for m2 := m + 1; m2 < d.mn; m2++ {
				if q := m*d.mn + m2; q != k && (m == bm || m == bm2 || m2 == bm || m2 == bm2) {
					gain[q] += nextGain * won
				}
			}
		}
	}
	return unsure
}

// pair tightens the ratios between two kernels' occupancies and the policy
// ranges by the polytopes of both, tied by the ratio rows.
func (t *tree) pair(m, m2 int) verdict {
	d, g := t.d, t.cur.g
	y := t.pairs[m*d.mn+m2]
	if y == nil {
		y = d.newRelaxation([]int{m, m2}, false, pairTol)
		t.pairs[m*d.mn+m2] = y
	}
	id := Step{M: m, M2: m2, Of: m, To: m2}
	if v, over := t.enter(y, id); over {
		return v
	}
	w := t.witnesses(y)
	t.todo = t.todo[:0]
	for k := range 2 * d.s {
		t.todo = append(t.todo, k)
	}
	for len(t.todo) > 0 {
		o, s := t.nextRatio(y)
		p, q := y.ms[o], y.ms[1-o]
		if !(g.dl[q*d.s+s] > 0) {
			continue
		}
		k := d.ratio(p, q, s)
		for range 4 {
			width := math.Log(y.frame.r[d.ratio(m, m2, s)] * y.frame.r[d.ratio(m2, m, s)])
			rho := w.r[o*d.s+s]
			if width < 1e-3 || math.Log(g.r[k]/rho) < near*width {
				break
			}
			clear(y.obj)
			for i := d.m.Off[s]; i < d.m.Off[s+1]; i++ {
				y.obj[y.at[p]+i], y.obj[y.at[q]+i] = -1, rho
			}
			y.stopRatio(p, q, s, g.r[k]*math.Exp(-near*width))
			step := id
			step.Target, step.Of, step.To, step.Index, step.Rho = RatioHigh, p, q, s, rho
			v, taken := t.queryTaken(y, w, step, 3)
			if v != unsure {
				return v
			}
			if taken && math.Log(y.frame.r[k]/g.r[k]) > 0.1*width {
				y.refresh(g, p, q, s)
				t.note(Step{Kind: Refresh, M: p, M2: q, Index: s})
			}
			if g.r[k] < w.r[o*d.s+s]*(1+0.02*width) {
				break
			}
		}
	}
	return t.policyRanges(y, w, id, near)
}

// nextRatio takes from the list the ratio whose bound the current point is
// nearest to.
func (t *tree) nextRatio(y *relaxation) (o, s int) {
	d, g := t.d, t.cur.g
	best, at := math.Inf(1), 0
	for k, c := range t.todo {
		o, s := c/d.s, c%d.s
		if v := math.Log(g.r[d.ratio(y.ms[o], y.ms[1-o], s)] * y.occ[(1-o)*d.s+s] / y.occ[o*d.s+s]); v < best {
			best, at = v, k
		}
	}
	c := t.todo[at]
	t.todo[at] = t.todo[len(t.todo)-1]
	t.todo = t.todo[:len(t.todo)-1]
	return c / d.s, c % d.s
}

// couple solves the relaxation over the policy and every kernel: the least
// amount t by which some cost must exceed its limit. Positive: the box is empty.
func (t *tree) couple() verdict {
	d, g := t.d, t.cur.g
	y := t.coupling
	if y == nil {
		var all []int
		for m := range d.mn {
			all = append(all, m)
		}
		y = d.newRelaxation(all, true, couplTol)
		t.coupling = y
	}
	y.reframe(g, t.limits)
	t.note(Step{Kind: Open})
	id := Step{M: -1, M2: -1}
	clear(y.obj)
	y.obj[y.slack] = 1
	tried := 1e-8
	for round := 0; round < 30; round++ {
		st, ok := t.solve(y, 0)
		if !ok {
			return halt
		}
		if st == lp.Infeasible {
			v := t.emptiness(y, id)
			if v == empty {
				t.log.coupling++
			}
			return v
		}
		if st != lp.Optimal {
			break
		}
		if y.lp.Objective() > tried {
			// The multipliers without the column t are a Farkas ray.
			y.lp.SetBounds(y.slack, 0, 0)
			v := t.emptiness(y, id)
			y.lp.SetBounds(y.slack, -2, 2)
			if v == empty {
				t.log.coupling++
				return v
			}
			tried = 2 * y.lp.Objective()
		}
		t.remember(y)
		if y.separate() == 0 {
			break
		}
	}
	return unsure
}

// remember keeps the policy of the coupling LP's point and the score by which
// to branch.
func (t *tree) remember(y *relaxation) {
	x := y.lp.X()
	t.point = append(t.point[:0], x...)
	t.points++
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

// stopRatio ends the next query at a point with d_p(s) > r d_q(s).
func (y *relaxation) stopRatio(p, q, s int, r float64) {
	d := y.d
	y.stops, y.below = y.stops[:0], y.below[:0]
	for k := d.m.Off[s]; k < d.m.Off[s+1]; k++ {
		y.stops = append(y.stops, int32(y.at[p]+k), int32(y.at[q]+k))
		y.below = append(y.below, -1, r)
	}
	y.lp.StopBelow(y.stops, y.below)
}
