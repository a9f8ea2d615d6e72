package bound

import (
	"cmp"
	"math"
	"slices"

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
	y.lp.SetCosts(y.obj)
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
	d := t.d
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
	t.ask(2 * d.s)
	for {
		c, ok := t.nearest(func(c int) (float64, bool) { return t.toOccupancy(y, w, c) })
		if !ok {
			break
		}
		side, s := c&1, c>>1
		step, sign := id, 1.0
		step.Target, step.Index = proof.OccupancyLow, s
		if side == 1 {
			step.Target, sign = proof.OccupancyHigh, -1
		}
		clear(y.obj)
		for i := d.m.Off[s]; i < d.m.Off[s+1]; i++ {
			y.obj[i] = sign
		}
		y.lp.SetCosts(y.obj)
		if v, _ := t.query(y, w, step, 2); v != unsure {
			return v
		}
	}
	return t.policyRanges(y, w, id, 0.01)
}

// toOccupancy is how far the current point of a kernel's relaxation is from an end of a
// state's occupancy (2·state, +1 for the upper end), as a share of the range's width;
// false when a witness is near to that end.
func (t *tree) toOccupancy(y *relaxation, w *witness, c int) (float64, bool) {
	d, g := t.d, t.cur.g
	side, s := c&1, c>>1
	i := y.ms[0]*d.s + s
	width := g.du[i] - g.dl[i]
	if side == 1 {
		return (g.du[i] - y.occ[s]) / width, w.dhi[s] < g.du[i]-0.02*width
	}
	return (y.occ[s] - g.dl[i]) / width, w.dlo[s] > g.dl[i]*1.02+0.002*width
}

// query solves for the objective set and takes the step; empty when the rows
// added on the way made the relaxation infeasible.
func (t *tree) query(y *relaxation, w *witness, s proof.Step, rounds int) (v verdict, taken bool) {
	st, ok := t.solve(y, rounds)
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
		if s.Target >= proof.PolicyLow { // a ratio
			s.Rho = y.reached()
		}
		return unsure, t.take(y, s)
	}
	return unsure, false
}

// policyRanges tightens l and u by the least and largest ratio x(i)/d(s) of
// each kernel of the relaxation.
func (t *tree) policyRanges(y *relaxation, w *witness, id proof.Step, filter float64) verdict {
	d, g := t.d, t.cur.g
	t.ask(2 * len(y.ms) * d.n)
	for {
		c, ok := t.nearest(func(c int) (float64, bool) { return t.toShare(y, w, c, filter) })
		if !ok {
			return unsure
		}
		side, o, i := c&1, c>>1/d.n, c>>1%d.n
		s, m := d.m.State[i], y.ms[o]
		width := g.u[i] - g.l[i]
		from, sign, target := w.hi[o*d.n+i], 1.0, proof.PolicyHigh
		end := g.u[i] - filter*width // a point beyond leaves nothing to gain
		if side == 1 {
			from, sign, target = w.lo[o*d.n+i], -1, proof.PolicyLow
			end = g.l[i] + filter*width
		}
		y.quotient()
		for k := d.m.Off[s]; k < d.m.Off[s+1]; k++ {
			if k == i {
				y.part(y.at[m]+k, sign, 1)
			} else {
				y.part(y.at[m]+k, 0, 1)
			}
		}
		y.largest(sign*from, sign*end)
		step := id
		step.Target, step.Of, step.Index = target, m, i
		if v, _ := t.query(y, w, step, ratioRounds); v != unsure {
			return v
		}
	}
}

// toShare is how far the current point is from an end of a policy's range under one of
// the relaxation's kernels (2·(kernel·pairs + pair), +1 for the lower end), as a share of
// the range's width; false when a witness is near to that end.
func (t *tree) toShare(y *relaxation, w *witness, c int, filter float64) (float64, bool) {
	d, g := t.d, t.cur.g
	side, o, i := c&1, c>>1/d.n, c>>1%d.n
	s := d.m.State[i]
	width := g.u[i] - g.l[i]
	if width < 1e-3 || !(g.dl[y.ms[o]*d.s+s] > 0) {
		return 0, false
	}
	v := y.lp.X()[y.at[y.ms[o]]+i] / y.occ[o*d.s+s]
	if side == 0 {
		return (g.u[i] - v) / width, w.hi[o*d.n+i] <= g.u[i]-filter*width
	}
	return (v - g.l[i]) / width, w.lo[o*d.n+i] >= g.l[i]+filter*width
}

// ask makes a list of n queries.
func (t *tree) ask(n int) {
	t.todo = t.todo[:0]
	for c := range n {
		t.todo = append(t.todo, c)
	}
}

// nearest takes from the list the query whose end the current point is nearest to, since
// fewest steps lead there, and drops those of which nothing is left to gain; false when
// none is left.
func (t *tree) nearest(distance func(c int) (v float64, open bool)) (c int, ok bool) {
	best, at := math.Inf(1), -1
	for k := 0; k < len(t.todo); k++ {
		v, open := distance(t.todo[k])
		if !open {
			t.drop(k)
			k--
			continue
		}
		if at < 0 {
			at = k
		}
		if v < best {
			best, at = v, k
		}
	}
	if at < 0 {
		return 0, false
	}
	return t.drop(at), true
}

// drop takes the k-th query from the list; the last comes in its place.
func (t *tree) drop(k int) int {
	c, last := t.todo[k], len(t.todo)-1
	t.todo[k] = t.todo[last]
	t.todo = t.todo[:last]
	return c
}

// branchAt chooses where to split: among the pairs whose occupancies are furthest from
// being the product of policy and occupancy, the one whose halves the coupling LP comes
// nearest to showing empty; both, each by what it rises.
func (t *tree) branchAt(g *ranges) (pair int, at float64) {
	order := t.furthest(g)
	y := t.coupling
	if len(order) > 0 {
		pair = order[0]
	}
	if len(order) < 2 || y == nil || len(t.point) == 0 {
		return pair, t.between(g, pair)
	}
	from, best, spent := y.lp.Objective(), -1.0, t.spent
	for _, i := range order[:min(tried, len(order))] {
		if best >= 0 && t.spent-spent > (spent-t.begun)/trialShare {
			break
		}
		x, l, u := t.between(g, i), g.l[i], g.u[i]
		gain := 1.0
		for _, half := range [2][2]float64{{l, x}, {x, u}} {
			g.l[i], g.u[i] = half[0], half[1]
			y.turn(g, t.d.m.State[i])
			rise := -from // all there is to gain
			switch st, ok := t.solve(y, 0); {
			case !ok:
				g.l[i], g.u[i] = l, u
				return pair, t.between(g, pair)
			case st == lp.Optimal:
				rise = min(rise, y.lp.Objective()-from)
			}
			gain *= max(rise, -1e-3*from)
		}
		g.l[i], g.u[i] = l, u
		y.turn(g, t.d.m.State[i])
		if gain > best {
			best, pair = gain, i
		}
	}
	return pair, t.between(g, pair)
}

// furthest lists the pairs that can be split, those whose occupancies at the coupling
// LP's point are furthest from policy times occupancy first.
func (t *tree) furthest(g *ranges) []int {
	d, y := t.d, t.coupling
	var order []int
	off := make([]float64, d.n)
	for i, s := range d.m.State {
		width := g.u[i] - g.l[i]
		if width < 1e-7 {
			continue
		}
		order = append(order, i)
		off[i] = 1e-3 * width / d.m.H
		if y != nil && len(t.point) > 0 {
			for _, m := range y.ms {
				c := y.at[m]
				sum := 0.0
				for k := d.m.Off[s]; k < d.m.Off[s+1]; k++ {
					sum += t.point[c+k]
				}
				off[i] += math.Abs(t.point[c+i] - sum*t.point[i])
			}
		}
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(off[j], off[i]) })
	return order
}

// between is the point of a pair's range to split at, between the middle and the
// coupling LP's policy.
func (t *tree) between(g *ranges, pair int) float64 {
	lo, hi := g.l[pair], g.u[pair]
	mid := (lo + hi) / 2
	x := mid
	if len(t.point) > 0 {
		x = min(max(t.point[pair], lo+0.2*(hi-lo)), hi-0.2*(hi-lo))
	}
	return (mid + x) / 2
}
