package tensor

import (
	"math"
	"slices"

	"rcmdplab/core/proof"
	"rcmdplab/core/vector"
)

// edge is a candidate for a split: points i and j of state s.
type edge struct {
	s, i, j int     // i, j: places among the state's points
	score   float64 // what the split is worth: a gain or a length, the larger the better
}

// deepest is how many splits deep a box may be: then it is so small that it
// holds a policy that meets the thresholds, as far as can be told.
const deepest = 200

// strong is for how many edges both children's games are solved.
const strong = 8

// leastGain is what any split is worth to a child's game.
const leastGain = 1e-6

// branch splits the box in two halves of an edge.
func (w *walk) branch() bool {
	t, x := w.t, w.x
	w.moveDeterminants()
	solved := w.reach()
	if w.b.Depth >= deepest {
		w.giveUp()
		return true
	}
	edges := w.edges(solved)
	if len(edges) == 0 { // one policy: nothing to split
		w.giveUp()
		return true
	}
	best, at, low := -1.0, edges[0], false
	for _, e := range edges[:min(strong, len(edges))] {
		if !solved {
			break
		}
		a := w.estimate(e.s, e.i, e.j)
		if a*max(leastGain, -w.value) > best { // the other cannot gain more than that
			b := w.estimate(e.s, e.j, e.i)
			if v := a * b; v > best {
				best, at, low = v, e, b < a
			}
		}
		if !w.more() {
			return false
		}
	}
	w.finish(proof.TensorStep{}, false)
	n := &t.nodes[w.b.Place]
	n.State, n.I, n.J, n.Theta, n.Left = at.s, at.i, at.j, 0.5, len(t.nodes)
	t.nodes = append(t.nodes, Place{TensorNode: proof.TensorNode{State: undecided}}, Place{TensorNode: proof.TensorNode{State: undecided}})
	left := t.nodes[w.b.Place].Left
	w.handOn()
	second := w.child(left, at.s, at.i, at.j)
	first := w.child(left+1, at.s, at.j, at.i)
	if low {
		first, second = second, first
	}
	// The first child goes on in the tensors at hand, the other has a copy while
	// there is room.
	f := x.slab
	x.slab = nil
	if other := t.spare(); other != nil {
		other.pieces = append(other.pieces[:0], f.pieces...)
		other.x = other.x[:len(f.x)]
		copy(other.x, f.x)
		t.halve(other, second, at.s)
		second.kept = other
	}
	t.halve(f, first, at.s)
	first.kept = f
	t.open = append(t.open, *second, *first)
	t.dive = first.Place
	return true
}

// spare is a slab for a copy, nil when memory is full.
func (t *Tree) spare() *slab {
	if len(t.slabs) > 0 || t.made < t.room {
		return t.slab()
	}
	return nil
}

// halve moves the tensors as the split of child b did its points.
func (t *Tree) halve(f *slab, b *Box, s int) {
	vector.Toward(f.x, t.stride[s], b.toward, b.shift(t.actions(s)))
	t.work += int64(len(f.x))
}

// child is the half of the box in which point i of state s goes half its way to
// point j.
func (w *walk) child(place, s, i, j int) *Box {
	c := w.b.clone()
	c.Place, c.Depth, c.Steps = place, w.b.Depth+1, w.b.Steps+1
	a := w.t.actions(s)
	c.moved, c.toward = i, j
	vector.Toward(c.Points[w.t.at[s]:][:a*a], a, j, c.shift(a))
	return &c
}

// shift is the shares of the split that made the box.
func (b *Box) shift(a int) []float64 {
	f := make([]float64, a)
	f[b.moved] = 0.5
	return f
}

// handOn prepares what the children inherit.
func (w *walk) handOn() {
	x, g := w.x, &w.x.g
	if w.b.Lambda == nil {
		w.b.Lambda = make([]float64, len(w.t.most))
	}
	clear(w.b.Lambda)
	for k, p := range x.pieces {
		w.b.Lambda[p] = x.lam[k]
	}
	limit := math.Inf(1)
	if g.count > poolSize {
		limit = kth(append([]float64(nil), g.slack[:g.count]...), poolSize)
	}
	w.b.Pool = w.b.Pool[:0]
	for r, v := range g.vertex[:g.count] {
		if g.slack[r] <= limit {
			w.b.Pool = append(w.b.Pool, v)
		}
	}
	for k := range w.b.Gain {
		if w.t.actions(w.t.State[k]) > 1 {
			w.b.Gain[k] += childGain
		}
	}
}

// kth is the kth smallest of the numbers.
func kth(v []float64, k int) float64 {
	slices.Sort(v)
	return v[k]
}

// reach takes the best multipliers and finds up to which parameter they close
// the box. False when the game could not be solved.
func (w *walk) reach() bool {
	t, x, g := w.t, w.x, &w.x.g
	if !g.fresh && !g.solve() {
		return false
	}
	w.suggest()
	x.take(g.x[:g.n], bitsFor(w.value))
	x.scan()
	share := make([]float64, len(t.Kernels))
	any := false
	for k, v := range x.use {
		p := x.pieces[v]
		share[p/t.costs] += x.val[k] * t.Slope[p%t.costs]
		any = any || t.Slope[p%t.costs] > 0
	}
	if !any {
		return true
	}
	// At τ - δ the sum rises by δ Σ share_m D_m.
	vector.Combine(x.rise, x.x[len(x.pieces)*t.v:], t.v, t.counted(len(share)), share)
	margin := 2 * x.margin()
	need := 0.0
	for i, d := range x.rise {
		if v := margin - x.sum[i]; v > need*d {
			need = v / d
		}
	}
	r := t.tau - need*(1+1e-12) - 1e-13*math.Abs(t.tau)
	if r > w.b.Reach {
		w.b.Reach = r
		w.b.Remedy = x.step() // a new one: boxes share what they inherit
	}
	return true
}

// suggest makes a policy of the weights of the game: by state the mean of the
// vertices' points.
func (w *walk) suggest() {
	t, g := w.t, &w.x.g
	if t.done&(t.done+1) != 0 { // at 0, 1, 3, 7, 15, ... boxes
		return
	}
	t.point = append(t.point[:0], make([]float64, t.Pairs())...)
	for k := range g.active {
		r, weight := g.weightOf(k)
		if weight == 0 || g.vertex[r] < 0 {
			continue
		}
		for s := range t.S {
			a := t.actions(s)
			c := int(g.vertex[r]) / t.stride[s] % a
			for i := range a {
				t.point[t.Off[s]+i] += weight * w.b.Points[t.at[s]+c*a+i]
			}
		}
	}
	for s := range t.S {
		sum := 0.0
		for i := t.Off[s]; i < t.Off[s+1]; i++ {
			if t.weight != nil {
				t.point[i] = math.Ldexp(t.point[i], t.weight[i])
			}
			sum += t.point[i]
		}
		for i := t.Off[s]; i < t.Off[s+1]; i++ {
			t.point[i] /= sum
		}
	}
	t.points++
}

// edges lists the edges by how much the weights of the game would shift if a
// point went to the other end: first those whose both ends resist.
func (w *walk) edges(solved bool) []edge {
	t, x, g := w.t, w.x, &w.x.g
	var list []edge
	for s := range t.S {
		a, stride := t.actions(s), t.stride[s]
		for i := range a {
			for j := i + 1; j < a; j++ {
				if !solved {
					list = append(list, edge{s, i, j, w.distance(s, i, j)})
					continue
				}
				up, down := 0.0, 0.0
				for k := range g.active {
					r, weight := g.weightOf(k)
					if weight == 0 || g.vertex[r] < 0 {
						continue
					}
					v := int(g.vertex[r])
					switch v / stride % a {
					case i:
						up += weight * (x.sum[v+(j-i)*stride] - w.value)
					case j:
						down += weight * (x.sum[v+(i-j)*stride] - w.value)
					}
				}
				list = append(list, edge{s, i, j, max(up, leastGain) * max(down, leastGain)})
			}
		}
	}
	slices.SortStableFunc(list, func(a, b edge) int {
		switch {
		case a.score > b.score:
			return -1
		case a.score < b.score:
			return 1
		}
		return 0
	})
	return list
}

// distance is between two points of a state.
func (w *walk) distance(s, i, j int) float64 {
	a := w.t.actions(s)
	p := w.b.Points[w.t.at[s]:]
	sum := 0.0
	for k := range a {
		sum += math.Abs(p[i*a+k] - p[j*a+k])
	}
	return sum
}

// estimate is by how much the value of the game rises, on the pool alone, in
// the child in which point i of state s goes half its way to j.
func (w *walk) estimate(s, i, j int) float64 {
	t, x := w.t, w.x
	g, h := &x.g, &x.trial
	a, stride := t.actions(s), t.stride[s]
	h.reset(g.n)
	for _, v := range g.vertex[:g.count] {
		h.add(v)
	}
	moved := x.moved[:0] // the rows whose vertex has point i
	for r, v := range g.vertex[:g.count] {
		if int(v)/stride%a == i {
			moved = append(moved, r)
		}
	}
	x.moved = moved
	for k := range x.pieces {
		f, col := x.piece(k), h.cols[k*h.room:][:h.count]
		copy(col, g.cols[k*g.room:])
		for _, r := range moved {
			col[r] += float64(0.5 * (f[int(g.vertex[r])+(j-i)*stride] - col[r]))
		}
	}
	h.fresh = h.adopt(g.active)
	if !h.solve() {
		return leastGain
	}
	return max(leastGain, min(h.value(), 0)-w.value)
}
