package tensor

import (
	"fmt"
	"math"
	"slices"

	"rcmdplab/core/proof"
)

// State is a tree as plain data. It belongs to the problem it was made with.
type State struct {
	Tau    float64 // the parameter worked at
	Weight []int   // by pair: w is 2^Weight
	Nodes  []Place // in order of making, children side by side
	Open   []Box   // with those handed out
	Stuck  []Box   // that cannot be closed at Tau
	Done   int     // boxes worked on
	Work   int64   // numbers read or written

	// Of a part: the points of the box that it is the tree of. Key tells the root's
	// tensors from those of another problem, other kernels or another scaling.
	From []float64
	Key  uint64
}

// Save returns the tree as data, which shares nothing that changes with it.
func (t *Tree) Save() State {
	s := State{Tau: t.tau, Weight: t.weight, Nodes: slices.Clone(t.nodes), Done: t.done, Work: t.work, From: t.from, Key: t.key()}
	for _, k := range sortedPlaces(t.out) {
		b := t.out[k].plain()
		b.Away = true
		s.Open = append(s.Open, b)
	}
	for i := range t.open {
		s.Open = append(s.Open, t.open[i].plain())
	}
	if t.cur != nil {
		s.Open = append(s.Open, t.cur.plain())
	}
	for i := range t.stuck {
		s.Stuck = append(s.Stuck, t.stuck[i].plain())
	}
	return s
}

func sortedPlaces(m map[int]Box) []int {
	var list []int
	for k := range m {
		list = append(list, k)
	}
	slices.Sort(list)
	return list
}

// plain is the box without tensors.
func (b Box) plain() Box {
	c := b.clone()
	c.kept = nil
	return c
}

// Restore makes the tree that State described.
func Restore(p *Problem, s State) (*Tree, error) {
	t := New(p, s.Tau)
	if s.Weight != nil {
		if len(s.Weight) != p.Pairs() {
			return nil, fmt.Errorf("tensor: %d weights for %d pairs", len(s.Weight), p.Pairs())
		}
		t.weight, t.digest = s.Weight, 0
		t.aim(s.Tau)
	}
	t.nodes, t.open = slices.Clone(s.Nodes), nil
	t.done, t.work, t.from = s.Done, s.Work, s.From
	if s.Key != t.key() {
		return nil, fmt.Errorf("tensor: the saved tree is of another problem, or of other kernels")
	}
	if err := t.sound(s.Nodes, s.Open, s.Stuck); err != nil {
		return nil, err
	}
	for _, b := range s.Open {
		t.open = append(t.open, b.plain())
	}
	for _, b := range s.Stuck {
		t.stuck = append(t.stuck, b.plain())
	}
	t.count()
	return t, nil
}

// count finds what share of the tree is closed.
func (t *Tree) count() {
	t.shut = 0
	var walk func(k, depth int)
	walk = func(k, depth int) {
		switch n := &t.nodes[k]; {
		case n.State == -1:
			t.shut += math.Ldexp(1, -depth)
		case n.State >= 0:
			walk(n.Left, depth+1)
			walk(n.Left+1, depth+1)
		}
	}
	walk(0, 0)
}

// sound checks nodes and boxes that come from elsewhere.
func (t *Tree) sound(nodes []Place, lists ...[]Box) error {
	bad := fmt.Errorf("tensor: the saved tree is damaged or of another problem")
	if len(nodes) == 0 {
		return bad
	}
	open := 0
	taken := make([]bool, len(nodes)+1)
	for k := range nodes {
		n := &nodes[k]
		switch {
		case n.State == undecided:
			open++
		case n.State == -1:
		case n.State < 0 || n.State >= t.S || n.Left <= k || n.Left+1 >= len(nodes) || taken[n.Left] || taken[n.Left+1]:
			return bad
		default:
			taken[n.Left], taken[n.Left+1] = true, true
		}
	}
	seen := make([]bool, len(nodes))
	for _, list := range lists {
		for i := range list {
			b := &list[i]
			if b.Place < 0 || b.Place >= len(nodes) || seen[b.Place] || nodes[b.Place].State != undecided || !t.fits(b) {
				return bad
			}
			seen[b.Place] = true
			open--
		}
	}
	if open != 0 {
		return bad
	}
	return nil
}

// fits reports whether a box has the sizes of the problem's.
func (t *Tree) fits(b *Box) bool {
	pieces := len(t.most)
	if len(b.Points) != t.at[t.S] || len(b.Gain) != t.Pairs() || b.Lambda != nil && len(b.Lambda) != pieces || b.Depth < 0 || math.IsNaN(b.Reach) {
		return false
	}
	for i, p := range b.Pieces {
		if p < 0 || p >= pieces || math.IsInf(t.Base[p%t.costs], 1) || i > 0 && p <= b.Pieces[i-1] {
			return false
		}
	}
	for _, v := range b.Pool {
		if v < 0 || int(v) >= t.v {
			return false
		}
	}
	return true
}

// key is a digest (FNV-1a, by words) of the root's tensors and thresholds.
func (t *Tree) key() uint64 {
	if t.digest != 0 {
		return t.digest
	}
	h := uint64(14695981039346656037)
	add := func(x uint64) { h = (h ^ x) * 1099511628211 }
	for _, list := range [][]float64{t.det, t.level, t.Base, t.Slope} {
		for _, v := range list {
			add(math.Float64bits(v))
		}
	}
	for _, w := range t.weight {
		add(uint64(w))
	}
	t.digest = h
	return h
}

// Split hands out the open box that is likely to take longest, when another
// remains to work on; before others one that was out when the tree was saved. The tree is closed only when what became of it has come
// back through Join.
func (t *Tree) Split() (Box, bool) {
	if len(t.open) == 0 || len(t.open) == 1 && t.cur == nil {
		return Box{}, false
	}
	k := 0
	for i := range t.open {
		if a, b := &t.open[i], &t.open[k]; a.Away && !b.Away || a.Away == b.Away && a.Depth < b.Depth {
			k = i
		}
	}
	b := t.open[k]
	t.open = slices.Delete(t.open, k, k+1)
	if b.kept != nil {
		t.slabs = append(t.slabs, b.kept)
	}
	b = b.plain()
	b.Away = false
	t.out[b.Place] = b
	return b, true
}

// Part makes the tree of one box that another tree has handed out.
func Part(p *Problem, s State, b Box) (*Tree, error) {
	b.Place = 0
	return Restore(p, State{Tau: s.Tau, Weight: s.Weight, Key: s.Key, Nodes: []Place{{TensorNode: proof.TensorNode{State: undecided}}}, Open: []Box{b}, From: b.Points})
}

// Again makes a part's tree that of another box, which a tree of the same root and
// parameter has handed out: false, and nothing is changed, when it is of another one.
func (t *Tree) Again(s State, b Box) bool {
	if s.Tau != t.tau || s.Key != t.key() || !slices.Equal(s.Weight, t.weight) || !t.fits(&b) {
		return false
	}
	for i := range t.open {
		if f := t.open[i].kept; f != nil {
			t.slabs = append(t.slabs, f)
		}
	}
	t.begin(b.plain())
	t.from = b.Points
	return true
}

// Head is the state without nodes and boxes: what Part needs beside a box.
func (t *Tree) Head() State { return State{Tau: t.tau, Weight: t.weight, Key: t.key()} }

// Join takes what became of a box that was handed out, of this tree or of one
// saved before, and worked on at the same τ or a higher one: what is left of it
// is open again here. It reports false when no box is the part's.
func (t *Tree) Join(part State) bool {
	if part.Tau < t.tau || part.Key != t.key() || t.sound(part.Nodes, part.Open, part.Stuck) != nil {
		return false
	}
	at, ok := t.takeBack(part.From)
	if !ok {
		return false
	}
	t.done += part.Done
	t.work += part.Work
	base := len(t.nodes) - 1 // the part's place k > 0 comes to base + k
	move := func(k int) int {
		if k == 0 {
			return at
		}
		return base + k
	}
	steps := t.nodes[at].Steps
	for k, n := range part.Nodes {
		if n.State >= 0 {
			n.Left = move(n.Left)
		}
		if k == 0 {
			n.Steps = append(steps[:len(steps):len(steps)], n.Steps...)
			t.nodes[at] = n
		} else {
			t.nodes = append(t.nodes, n)
		}
	}
	for _, list := range [][]Box{part.Open, part.Stuck} {
		for _, b := range list {
			b = b.plain()
			b.Place = move(b.Place)
			t.open = append(t.open, b)
		}
	}
	t.count()
	tau := t.tau
	t.open = slices.DeleteFunc(t.open, func(b Box) bool {
		if b.Reach < tau {
			return false
		}
		t.close(b.Place, b.Depth, b.Remedy)
		return true
	})
	return true
}

// takeBack removes the box of the points from those handed out, or, when it was
// handed out before the tree was saved, from the open ones.
func (t *Tree) takeBack(points []float64) (at int, ok bool) {
	for k, b := range t.out {
		if slices.Equal(b.Points, points) {
			delete(t.out, k)
			return k, true
		}
	}
	for i := range t.open {
		if b := t.open[i]; slices.Equal(b.Points, points) {
			t.open = slices.Delete(t.open, i, i+1)
			if b.kept != nil {
				t.slabs = append(t.slabs, b.kept)
			}
			return b.Place, true
		}
	}
	return 0, false
}

// Return takes back a box as it was handed out.
func (t *Tree) Return(at int) bool {
	b, ok := t.out[at]
	if ok {
		delete(t.out, at)
		t.open = append(t.open, b)
	}
	return ok
}

// Tau is the parameter worked at.
func (t *Tree) Tau() float64 { return t.tau }

// Open is the number of boxes still to be closed, with those handed out.
func (t *Tree) Open() int {
	n := len(t.open) + len(t.out) + len(t.stuck)
	if t.cur != nil {
		n++
	}
	return n
}

// Idle reports whether nothing can be done here: every open box is handed out,
// or cannot be closed at τ.
func (t *Tree) Idle() bool { return len(t.open) == 0 && t.cur == nil }

// Out is the number of boxes handed out.
func (t *Tree) Out() int { return len(t.out) }

// Done is the number of boxes worked on.
func (t *Tree) Done() int { return t.done }

// Work is about how many numbers were read or written for them.
func (t *Tree) Work() int64 { return t.work }

// Shut is the share of the tree that is closed, each split counting half.
func (t *Tree) Shut() float64 { return t.shut }

// Rest is how many boxes are expected until the tree is closed: as many more for
// what is open as were worked on for what is closed, counted in halvings, and two
// for each open box at least, for those that are left are the harder ones. 0 when
// nothing is closed.
func (t *Tree) Rest() float64 {
	if t.shut == 0 {
		return 0
	}
	return max(float64(t.done)*(1/t.shut-1), 2*float64(t.Open()))
}

// Point is a policy that the last games suggest, one number a pair; nil before the
// first.
func (t *Tree) Point() []float64 { return t.point }

// Points is how many were suggested: Point changes with it.
func (t *Tree) Points() int { return t.points }
