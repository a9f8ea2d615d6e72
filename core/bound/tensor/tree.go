package tensor

import (
	"math"
	"slices"

	"rcmdplab/core/vector"
)

// Tree shows by branch and bound that no policy meets the thresholds at a
// parameter τ. It is plain state: it may be left after any box, eased to a lower
// τ, and parts of it handed out.
type Tree struct {
	*root
	tau   float64
	slim  float64   // relative margin
	whole []float64 // pieces at tau, then determinants, of the root
	most  []float64 // by piece, the largest |F|

	nodes []Place
	open  []Box
	cur   *Box        // the box being worked on, as it was; not in open
	out   map[int]Box // handed out, by place
	stuck []Box       // that cannot be closed at τ
	done  int         // boxes worked on
	shut  float64     // share of the tree that is closed, in halvings
	work  int64       // entries of tensors read or written

	dive   int  // place of the child to go on with
	deep   bool // see DepthFirst
	space  *space
	slabs  []*slab // not in use
	made   int
	room   int // how many slabs there may be
	block  []float64
	slices []int32
	point  []float64
	points int
	from   []float64 // of a part, the points of its box
	digest uint64    // see key; 0: not made
}

// New makes the tree of one box, that of all policies.
func New(p *Problem, tau float64) *Tree {
	t := &Tree{root: newRoot(p), out: map[int]Box{}}
	t.weight = t.fit()
	t.slim = 1e-11 + 1e-15*float64(p.S)/p.Rest
	t.space = newSpace(t)
	t.whole = make([]float64, len(p.Kernels)*(t.costs+1)*t.v)
	t.room = max(3, mostKept/len(t.whole))
	t.aim(tau)
	b := t.first()
	b.Place = 0
	t.nodes = append(t.nodes, Place{Node: Node{State: undecided}})
	t.open = append(t.open, b)
	return t
}

// first is the box of all policies.
func (t *Tree) first() Box {
	b := Box{
		Points: make([]float64, t.at[t.S]), Gain: make([]float64, t.Pairs()),
		Reach: math.Inf(-1),
	}
	for s := range t.S {
		a := t.actions(s)
		for i := range a {
			b.Points[t.at[s]+i*(a+1)] = 1
			if a > 1 {
				b.Gain[t.Off[s]+i] = 1
			}
		}
	}
	for p, most := range t.most {
		if most > 0 {
			b.Pieces = append(b.Pieces, p)
		}
	}
	return b
}

// aim makes the root's tensors those of a parameter.
func (t *Tree) aim(tau float64) {
	t.tau = tau
	pieces := len(t.Kernels) * t.costs
	t.most = make([]float64, pieces)
	for p := range pieces {
		m, n := p/t.costs, p%t.costs
		b := t.Base[n] + tau*t.Slope[n]
		if math.IsInf(t.Base[n], 1) {
			continue
		}
		f, det := t.whole[p*t.v:][:t.v], t.det[m*t.v:][:t.v]
		for i, v := range t.level[p*t.v:][:t.v] {
			f[i] = v - float64(b*det[i])
		}
	}
	copy(t.whole[pieces*t.v:], t.det)
	t.scaleWhole()
	for p := range pieces {
		if math.IsInf(t.Base[p%t.costs], 1) {
			continue
		}
		top, most := 0.0, 0.0
		for _, v := range t.whole[p*t.v:][:t.v] {
			top = max(top, v)
			most = max(most, math.Abs(v))
		}
		if top > 0 {
			t.most[p] = most
		}
	}
	t.slabs, t.made = nil, 0
	for i := range t.open {
		t.open[i].kept = nil
	}
}

// scaleWhole multiplies the tensors by the weights of the root.
func (t *Tree) scaleWhole() {
	if t.weight == nil {
		return
	}
	w := make([]float64, t.v)
	for i := range w {
		e := 0
		for s := range t.S {
			e += t.weight[t.Off[s]+i/t.stride[s]%t.actions(s)]
		}
		w[i] = math.Ldexp(1, e)
	}
	for o := 0; o < len(t.whole); o += t.v {
		x := t.whole[o:][:t.v]
		for i := range x {
			x[i] *= w[i]
		}
	}
}

// Bound is a parameter at which the tree is closed by what is known: no more
// than τ, and no more than what every open box is known to close at.
func (t *Tree) Bound() float64 {
	b := t.tau
	if t.cur != nil {
		b = min(b, t.cur.Reach)
	}
	for i := range t.open {
		b = min(b, t.open[i].Reach)
	}
	for i := range t.stuck {
		b = min(b, t.stuck[i].Reach)
	}
	for _, o := range t.out {
		b = min(b, o.Reach)
	}
	return b
}

// DepthFirst makes the tree go on where tensors are at hand, instead of on what
// holds its bound down: for one whose bound would pass what is proved already only
// when nearly all of it is closed.
func (t *Tree) DepthFirst() { t.deep = true }

// Ease lowers the parameter; everything stays closed.
func (t *Tree) Ease(tau float64) {
	if tau >= t.tau {
		return
	}
	t.aim(tau)
	t.open = append(t.open, t.stuck...)
	t.stuck = nil
	t.open = slices.DeleteFunc(t.open, func(b Box) bool {
		if b.Reach < tau {
			return false
		}
		t.close(b.Place, b.Depth, b.Remedy)
		return true
	})
}

func (t *Tree) close(at, depth int, by Step) {
	n := &t.nodes[at]
	n.State = -1
	n.Steps = append(n.Steps, by)
	t.shut += math.Ldexp(1, -depth)
}

// Proof is the tree closed at Bound; nil when that is -Inf.
func (t *Tree) Proof() *Proof {
	if math.IsInf(t.Bound(), -1) {
		return nil
	}
	remedy := map[int]Step{}
	if t.cur != nil {
		remedy[t.cur.Place] = t.cur.Remedy
	}
	for i := range t.open {
		remedy[t.open[i].Place] = t.open[i].Remedy
	}
	for i := range t.stuck {
		remedy[t.stuck[i].Place] = t.stuck[i].Remedy
	}
	for k, b := range t.out {
		remedy[k] = b.Remedy
	}
	return &Proof{Scale: t.scale, Weight: t.weight, Nodes: t.preorder(0, remedy)}
}

// Step works on one box: it is closed or split. It asks pause now and then;
// when that says false, the box is left as it was. False then, and when no box
// is open.
func (t *Tree) Step(pause func() bool) bool {
	if len(t.open) == 0 {
		return false
	}
	k := t.next()
	b := t.open[k]
	t.open = slices.Delete(t.open, k, k+1)
	f := b.kept
	b.kept = nil // it is this box's alone: no copy of the box may have it
	t.cur = &b
	w := walk{t: t, x: t.space, b: b.clone(), pause: pause}
	ok := w.run(f)
	if !ok {
		t.open = append(t.open, b)
	}
	t.cur = nil
	return ok
}

// next is the open box to work on: the child whose tensors are at hand of the box
// just split; else the one that holds the bound down most, or one that holds it
// down nearly as much and whose tensors are at hand, for making them takes as
// long as a push or ten; one that may be worked on elsewhere only when there is
// no other.
func (t *Tree) next() int {
	k := len(t.open) - 1
	if t.open[k].Place == t.dive || t.deep && !t.open[k].Away {
		return k
	}
	for i := k - 1; i >= 0; i-- {
		if a, b := &t.open[i], &t.open[k]; !a.Away && b.Away || a.Away == b.Away && a.Reach < b.Reach {
			k = i
		}
	}
	if t.open[k].kept != nil || t.open[k].Away {
		return k
	}
	low, best := t.open[k].Reach, -1
	for i := range t.open {
		if b := &t.open[i]; !b.Away && b.kept != nil && b.Reach <= low+nearly*(t.tau-low) && (best < 0 || b.Reach < t.open[best].Reach) {
			best = i
		}
	}
	if best >= 0 {
		return best
	}
	return k
}

// nearly is how much of what is missing to τ a box at hand may be ahead of the
// one that holds the bound down.
const nearly = 0.2

func (b *Box) clone() Box {
	c := *b
	c.Points = slices.Clone(b.Points)
	c.Pieces = slices.Clone(b.Pieces)
	c.Gain = slices.Clone(b.Gain)
	c.Lambda = slices.Clone(b.Lambda)
	c.Pool = slices.Clone(b.Pool)
	return c
}

// walk is the work on one box.
type walk struct {
	t     *Tree
	x     *space
	b     Box
	steps []Step
	pause func() bool
	value float64 // of the game, at most
}

const (
	facetCalls = 60
	rootCalls  = 4 * facetCalls
	enough     = 0.2  // gain that a facet must promise
	worthwhile = 0.05 // gain of a push that is made
	ownGain    = 0.7  // what a facet keeps of its last gain
	nextGain   = 0.1  // what the others get of it
	childGain  = 0.1  // added to all at a split
	patience   = 0.3  // gains after which the game is solved anew
)

// run is the main loop; false when it was left.
//
//	try the multipliers of the parent
//	solve the game of the box: closed when its value is positive
//	push the facets that promise most, solving again now and then
//	split the edge that raises both children's games most
func (w *walk) run(f *slab) bool {
	t, x := w.t, w.x
	if f == nil {
		f = t.slab()
		t.tensors(f, &w.b)
		t.work += int64(len(f.x)) * 4
	}
	x.slab = f
	defer func() {
		if x.slab != nil {
			t.slabs = append(t.slabs, x.slab)
			x.slab = nil
		}
	}()
	if !w.thin() {
		w.giveUp()
		return true
	}
	if w.inherited() {
		w.finish(w.closing(), true)
		return true
	}
	x.gather(w.b.Pool)
	closed, value := x.converge()
	w.value = value
	if !closed {
		if !w.pause() {
			return false
		}
		var left bool
		if closed, left = w.contract(); left {
			return false
		}
	}
	if closed {
		w.finish(w.closing(), true)
		return true
	}
	return w.branch()
}

// thin leaves out the pieces that are positive nowhere in the box: they cannot
// help. False when none is left: then nothing can close it.
func (w *walk) thin() bool {
	x, t := w.x, w.t
	keep := 0
	for k, p := range x.pieces {
		f := x.piece(k)
		top := 0.0
		for _, v := range f {
			if v > top {
				top = v
			}
		}
		if top <= 0 {
			continue
		}
		if keep < k {
			copy(x.piece(keep), f)
		}
		x.pieces[keep] = p
		keep++
	}
	if keep < len(x.pieces) {
		n := len(t.Kernels) * t.v
		copy(x.x[keep*t.v:][:n], x.x[len(x.pieces)*t.v:][:n])
		x.pieces = x.pieces[:keep]
		x.x = x.x[:keep*t.v+n]
	}
	w.b.Pieces = append(w.b.Pieces[:0], x.pieces...)
	return keep > 0
}

// inherited tries the multipliers of the parent's game.
func (w *walk) inherited() bool {
	if w.b.Lambda == nil {
		return false
	}
	lam := make([]float64, len(w.x.pieces))
	any := false
	for k, p := range w.x.pieces {
		lam[k] = w.b.Lambda[p]
		any = any || lam[k] > leastLambda
	}
	if !any {
		return false
	}
	w.x.take(lam)
	return w.x.scan() > w.x.margin()
}

// closing is the step that closes the box by the multipliers taken.
func (w *walk) closing() Step {
	var s Step
	w.x.record(&s, -1, 0, nil)
	return s
}

// finish ends the work on the box.
func (w *walk) finish(by Step, closed bool) {
	t := w.t
	n := &t.nodes[w.b.Place]
	n.Steps = append(n.Steps, w.steps...)
	t.done++
	if closed {
		t.close(w.b.Place, w.b.Depth, by)
	}
}

// giveUp leaves the box for good: it cannot be closed at this parameter.
func (w *walk) giveUp() {
	w.finish(Step{}, false)
	w.t.stuck = append(w.t.stuck, w.b)
}

// contract pushes facets in the order of expected gain.
func (w *walk) contract() (closed, left bool) {
	t, x, g := w.t, w.x, &w.x.g
	calls := facetCalls
	if w.b.Depth == 0 {
		calls = rootCalls
	}
	gained := 0.0
	if !g.solve() {
		return false, false
	}
	g.save(&x.best)
	var push Step
	changed := false
	for range calls {
		if changed {
			changed = false
			if !g.solve() {
				return false, false
			}
			g.save(&x.best)
			if g.value() > 0 || gained > patience {
				gained = 0
				if closed, w.value = x.converge(); closed {
					return true, false
				}
				if !g.solve() {
					return false, false
				}
				g.save(&x.best)
			}
		}
		i := argmax(w.b.Gain)
		if w.b.Gain[i] <= enough {
			break
		}
		if !w.pause() {
			return false, true
		}
		s := t.State[i]
		rows := g.count
		gain := 1 - x.facet(s, i-t.Off[s], &push)
		w.b.Gain[i] = ownGain * gain
		if gain >= worthwhile {
			gained += gain
			for k := range w.b.Gain {
				if k != i && t.actions(t.State[k]) > 1 {
					w.b.Gain[k] += nextGain * gain
				}
			}
			w.push(&push)
			x.trim()
			x.reread()
			changed = true
		} else if g.count > rows { // bring the vertex of the game up to date
			g.load(&x.best)
			if !g.solve() {
				return false, false
			}
			g.save(&x.best)
		} else {
			g.load(&x.best)
		}
	}
	if gained > 0 {
		closed, w.value = x.converge()
		if !closed && g.solve() {
			g.save(&x.best)
		}
	}
	return closed, false
}

func argmax(v []float64) int {
	k := 0
	for i, x := range v {
		if x > v[k] {
			k = i
		}
	}
	return k
}

// push does a step to the tensors and the points of the box.
func (w *walk) push(p *Step) {
	t, x := w.t, w.x
	a := t.actions(p.State)
	vector.Toward(x.x, t.stride[p.State], p.J, p.Shift)
	t.work += int64(len(x.x))
	vector.Toward(w.b.Points[t.at[p.State]:][:a*a], a, p.J, p.Shift)
	w.b.Steps++
	w.steps = append(w.steps, p.clone())
}

// slab is an empty one, or nil tensors taken from the open box that matters least.
func (t *Tree) slab() *slab {
	if n := len(t.slabs); n > 0 {
		f := t.slabs[n-1]
		t.slabs = t.slabs[:n-1]
		return f
	}
	size := len(t.whole)
	if t.made < t.room {
		t.made++
		return &slab{x: make([]float64, size)}
	}
	last := -1
	for i := range t.open {
		if t.open[i].kept != nil && (last < 0 || t.open[i].Reach > t.open[last].Reach) {
			last = i
		}
	}
	if last < 0 {
		t.made++
		return &slab{x: make([]float64, size)}
	}
	f := t.open[last].kept
	t.open[last].kept = nil
	return f
}

// mostKept is how many numbers the tensors kept of open boxes take together.
const mostKept = 12 << 20
