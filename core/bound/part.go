package bound

import (
	"iter"
	"math"
	"slices"

	"rcmdplab/core/bound/tensor"
	"rcmdplab/core/model"
	"rcmdplab/core/proof"
)

// Open boxes of a target do not depend on each other: Split hands one out, a
// PartSearch closes it elsewhere, and Join takes what became of it.

// Part is one box of a target's tree that another search can close: make it
// with NewPart and give what Result says to Join.
type Part struct {
	Target, Relax float64       // a return, and what is added to the limits, as in Search
	Box           Box           // empty for a tree of tensors
	Tensor        *tensor.Box   // instead of Box, for a tree of tensors
	Head          *tensor.State // of that tree, without nodes and boxes; its Work is what is asked for at a time, see Short
}

// PartResult is what became of a Part.
type PartResult struct {
	Target, Relax float64       // of the Part
	Place         int           // of the Part's box in its tree
	Closed        bool          // no policy of the box meets the hypotheses
	Boxes         int           // worked on
	Steps         int64         // of the simplex method
	Nodes         []proof.Node  // recorded, in preorder
	Tensor        *tensor.State // instead of Nodes
}

// Split hands out one open box of the current target, the shallowest, when
// another remains to work on. The target is proved only after every box handed
// out has come back through Join.
func (s *Search) Split() (Part, bool) {
	if s.at == nil || !s.at.open() {
		return Part{}, false
	}
	return s.at.split()
}

// Shared reports whether a box is handed out.
func (s *Search) Shared() bool { return s.at != nil && s.at.shared() }

// Join takes what became of a part (of this target or of a higher one before it
// was eased): a closed one is added to the tree, an
// unfinished one is worked on here again. False when the part's target has been
// given up meanwhile.
func (s *Search) Join(r PartResult) bool { return s.at != nil && s.at.open() && s.at.join(r) }

// Settle takes what became of parts that were handed out before the search was
// saved. It belongs between Restore and Run: their boxes are open again, and none
// is begun here whose result is at hand. It reports how many results were of use.
func (s *Search) Settle(results []PartResult) (used int) {
	for _, r := range results {
		if s.at != nil && s.at.open() {
			s.at.handed(r)
		}
		if s.Join(r) {
			used++
		}
	}
	return used
}

// Publish takes the proof of what is bounded now, for a last check.
func (s *Search) Publish() {
	if s.at != nil {
		s.at.publish()
	}
}

// Draft is what there is so far of the proof of the present target, in which open
// boxes are left so; nil where none is made. A checker that follows it has less to do in the end.
func (s *Search) Draft() *proof.Claim {
	if s.at == nil || !s.at.open() {
		return nil
	}
	return s.at.draft()
}

func (s *ladder) split() (Part, bool) {
	if len(s.tree.stack) < 2 {
		return Part{}, false
	}
	o := s.tree.stack[0]
	s.tree.stack = slices.Delete(s.tree.stack, 0, 1)
	s.out[o.at] = o
	return Part{Target: s.target, Relax: s.relax, Box: o.save()}, true
}

func (s *ladder) shared() bool { return len(s.out) > 0 }

func (s *ladder) join(r PartResult) bool {
	o, ok := s.out[r.Place]
	if !ok || r.Target < s.target || r.Relax != s.relax {
		return false
	}
	delete(s.out, r.Place)
	if !r.Closed || r.sound(s.d.n) != nil {
		s.tree.stack = slices.Insert(s.tree.stack, 0, o)
		return true
	}
	s.tree.done += r.Boxes
	s.tree.steps += r.Steps
	if s.tree.graft(r.Place, r.Nodes); len(r.Nodes) == 0 {
		s.tree.nodes[r.Place].Pair = -1
	}
	if len(s.tree.stack) == 0 && len(s.out) == 0 {
		s.proved()
	}
	return true
}

func (s *ladder) handed(r PartResult) {
	t := s.tree
	if !(r.Target >= s.target && r.Relax == s.relax) {
		return
	}
	if i := slices.IndexFunc(t.stack, func(o openBox) bool { return o.at == r.Place }); i >= 0 {
		s.out[r.Place] = t.stack[i]
		t.stack = slices.Delete(t.stack, i, i+1)
	}
}

// graft puts a preorder list of nodes, which must be whole, at a place of the
// tree.
func (t *tree) graft(place int, nodes []proof.Node) {
	stack := []int{place}
	for _, n := range nodes {
		place := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		t.nodes[place].Steps = append(t.nodes[place].Steps, n.Steps...)
		t.nodes[place].Pair, t.nodes[place].At = n.Pair, n.At
		if n.Pair >= 0 {
			left := len(t.nodes)
			t.nodes = append(t.nodes, TreeNode{Pair: stillOpen}, TreeNode{Pair: stillOpen})
			t.nodes[place].Left, t.nodes[place].Right = left, left+1
			stack = append(stack, left+1, left)
		}
	}
}

// PartSearch closes one Part, as far as it gets.
type PartSearch struct {
	part Part
	worker
}

// worker is how: by the kind of tree that the part is of.
type worker interface {
	short() int64                         // work to be done before what is found goes back
	again(p Part) bool                    // takes another part up; false when what is kept is of no use for it
	run(most int64, yield func(int) bool) // until it is closed or can be split no further, or so much work is done
	result(r *PartResult)                 // what became of it
}

// ShortPart is how much work a part by tensors is given, in numbers read or written,
// where what is found soon goes back to a run that may come to wait: some half second.
const ShortPart = 6e8

// shortPart is the same where so many boxes are left to work on meanwhile. To hand a
// part out and take it back costs a twentieth of that, and at the end of a tree the
// others wait for what is out, half of that.
func shortPart(open int) int64 {
	switch {
	case open < 4:
		return ShortPart / 2
	case open < 8:
		return ShortPart
	}
	return 3 * ShortPart
}

// Short is how much work is to be done before what is found goes back.
func (w *PartSearch) Short() int64 { return w.short() }

// NewPart makes the search that works on one part only, under the kernels and
// allowances of the settings, which must be those of the search that split it.
func NewPart(m *model.Standard, set Settings, p Part) (*PartSearch, error) {
	if math.IsNaN(p.Target) || math.IsInf(p.Target, -1) || !(p.Relax >= 0) || math.IsInf(p.Relax, 1) {
		return nil, errDamaged
	}
	if err := soundKernels(m, set.Kernels); err != nil {
		return nil, err
	}
	d, err := dataOf(m, set.Kernels, set.Allow)
	if err != nil {
		return nil, err
	}
	for _, of := range []func(*data, Settings, *Part) (worker, error){cornersOf, boxOf} {
		if w, err := of(d, set, &p); w != nil || err != nil {
			return &PartSearch{part: p, worker: w}, err
		}
	}
	return nil, errDamaged
}

// Again makes it the search for another part under the same kernels and allowances,
// and keeps what both have in common; false when they are of different targets.
func (w *PartSearch) Again(p Part) bool {
	if p.Target != w.part.Target || p.Relax != w.part.Relax || !w.again(p) {
		return false
	}
	w.part = p
	return true
}

// Run works until the box is closed or can be split no further, by tensors until so
// much work is done (see ShortPart), with the number of boxes worked on so far after
// each of them and within long ones.
func (w *PartSearch) Run(most int64) iter.Seq[int] {
	return func(yield func(int) bool) { w.run(most, yield) }
}

// Result says what became of the part.
func (w *PartSearch) Result() PartResult {
	r := PartResult{Target: w.part.Target, Relax: w.part.Relax}
	w.result(&r)
	return r
}

// boxWork works on one box of the ladder's.
type boxWork struct {
	tree   *tree
	place  int  // of the box in the tree that it is of
	record bool // the steps are kept for a certificate
}

func boxOf(d *data, set Settings, p *Part) (worker, error) {
	o, err := d.load(p.Box)
	if err != nil {
		return nil, err
	}
	o.at = 0
	w := &boxWork{tree: d.newTree(d.limits(p.Target, p.Relax), set.Record), place: p.Box.Place, record: set.Record}
	w.tree.stack = []openBox{o}
	return w, nil
}

func (w *boxWork) short() int64    { return ShortPart }
func (w *boxWork) again(Part) bool { return false }

func (w *boxWork) run(_ int64, yield func(int) bool) {
	t := w.tree
	t.listen(func() bool { return true }, func() bool { return yield(t.done) })
	for len(t.stack) > 0 && !t.stuck() {
		if !t.step() || !yield(t.done) {
			return
		}
	}
}

func (w *boxWork) result(r *PartResult) {
	t := w.tree
	r.Place, r.Closed, r.Boxes, r.Steps = w.place, len(t.stack) == 0, t.done, t.steps
	if r.Closed && w.record {
		r.Nodes = t.preorder(0)
	}
}
