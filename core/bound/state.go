package bound

import (
	"fmt"
	"math"
	"slices"

	"rcmdplab/core/bound/tensor"
	"rcmdplab/core/model"
)

// State is a search as plain data: save it, and Restore goes on from there. It
// belongs to the problem it was made with.
type State struct {
	LowerBound, ViolationLower float64
	Upper, Excess              float64 // what Incumbent told
	Infeasible                 bool
	KernelsDone                int
	Fraction                   float64
	Kernels                    []Kernel // in use; nil for a finite set
	Allow                      []float64
	Target, Relax              float64 // of the open tree
	Tree                       []TreeNode
	Open                       []Box // still to be closed; empty when there is no tree
	Nodes                      int
	Steps                      int64
	Proof, ViolationProof      *Certificate
	Tensors                    *tensor.State // of the tree, when it is one of tensors
}

// TreeNode is a Node with its place in the tree: Pair is -1 when closed, -2
// while open, else Left and Right are the places of the children.
type TreeNode struct {
	Steps       []Step
	Pair        int
	At          float64
	Left, Right int
}

const stillOpen = -2

// Box is one open box with everything known of it, in the order of
// Certificate's ranges: by pair; [m*S+s]; [(m*M+m')*S+s]; [m*M+m'].
type Box struct {
	Place                   int // in the tree
	Depth                   int
	Lower, Upper            []float64
	OccupancyLow, Occupancy []float64
	Ratio                   []float64
	Gain                    []float64
}

// Part is one box of a target's tree that another search can close: make it
// with NewPart and give what Result says to Join.
type Part struct {
	Target, Relax float64
	Box           Box
	Tensor        *tensor.Box   // instead of Box, for a tree of tensors
	Head          *tensor.State // of that tree, without nodes and boxes
}

// PartResult is what became of a Part.
type PartResult struct {
	Target, Relax float64
	Place         int
	Closed        bool
	Boxes         int
	Steps         int64
	Nodes         []Node        // recorded, in preorder
	Tensor        *tensor.State // instead of Nodes
}

func (o *open) box() Box {
	return Box{
		Place: o.at, Depth: o.depth,
		Lower: slices.Clone(o.g.l), Upper: slices.Clone(o.g.u),
		OccupancyLow: slices.Clone(o.g.dl), Occupancy: slices.Clone(o.g.du),
		Ratio: slices.Clone(o.g.r), Gain: slices.Clone(o.gain),
	}
}

func (d *data) open(b Box) (open, error) {
	g := d.emptyRanges()
	if len(b.Lower) != len(g.l) || len(b.Upper) != len(g.u) || len(b.OccupancyLow) != len(g.dl) || len(b.Occupancy) != len(g.du) || len(b.Ratio) != len(g.r) || len(b.Gain) != d.mn*d.mn {
		return open{}, fmt.Errorf("bound: a saved box is of another problem: it has %d pairs and %d occupancies, want %d and %d", len(b.Lower), len(b.Occupancy), len(g.l), len(g.du))
	}
	if err := b.sound(); err != nil {
		return open{}, err
	}
	g.copy(&ranges{b.Lower, b.Upper, b.OccupancyLow, b.Occupancy, b.Ratio})
	return open{g: g, gain: slices.Clone(b.Gain), depth: b.Depth, at: b.Place}, nil
}

// State returns the search as data. Boxes handed out by Split count as open.
func (s *Search) State() State {
	st := State{
		LowerBound: s.lower, ViolationLower: s.vlower, Upper: s.upper, Excess: s.excess,
		Infeasible: s.infeas, KernelsDone: s.single, Fraction: s.fraction,
		Kernels: s.kernels, Allow: s.set.Allow, Target: s.target, Relax: s.relax, Nodes: s.nodes, Steps: s.steps,
		Proof: s.proof, ViolationProof: s.vproof,
	}
	if t := s.tensors; t != nil {
		save := t.Save()
		st.Tensors = &save
		st.Nodes += t.Done()
	}
	if t := s.tree; t != nil {
		st.Nodes += t.done
		st.Steps += t.steps
		st.Tree = slices.Clone(t.nodes)
		for place := range t.nodes {
			if o, ok := s.out[place]; ok {
				st.Open = append(st.Open, o.box())
			}
		}
		for i := range t.stack {
			st.Open = append(st.Open, t.stack[i].box())
		}
	}
	return st
}

// Restore makes the search that State described; its kernels take the place of
// those of the settings. It fails for a state that no search of the problem can
// have left; what a state says to be proved is for a checker to believe.
func Restore(m *model.Standard, set Settings, st State) (*Search, error) {
	if err := st.sound(m); err != nil {
		return nil, err
	}
	if len(st.Kernels) > 0 {
		set.Kernels = st.Kernels
	}
	set.Allow = st.Allow
	s, err := New(m, set)
	if err != nil {
		return nil, err
	}
	s.lower, s.vlower, s.upper, s.excess = st.LowerBound, st.ViolationLower, st.Upper, st.Excess
	s.infeas, s.single, s.fraction = st.Infeasible, st.KernelsDone, st.Fraction
	s.nodes, s.steps, s.proof, s.vproof = st.Nodes, st.Steps, st.Proof, st.ViolationProof
	if st.Tensors != nil {
		if err := s.restoreTensors(*st.Tensors); err != nil {
			return nil, err
		}
		return s, nil
	}
	if len(st.Open) == 0 {
		return s, nil
	}
	s.target, s.relax = st.Target, st.Relax
	s.tree = s.td.newTree(s.td.limits(s.target, s.relax), set.Record)
	s.tree.nodes = slices.Clone(st.Tree)
	s.tree.stack = nil
	for _, b := range st.Open {
		o, err := s.td.open(b)
		if err != nil {
			return nil, err
		}
		s.tree.stack = append(s.tree.stack, o)
	}
	return s, nil
}

// Split hands out one open box of the current target, the shallowest, when
// another remains to work on. The target is proved only after every box handed
// out has come back through Join.
func (s *Search) Split() (Part, bool) {
	if s.tensors != nil && !s.sub {
		return s.splitTensors()
	}
	if s.tree == nil || len(s.tree.stack) < 2 || s.sub {
		return Part{}, false
	}
	o := s.tree.stack[0]
	s.tree.stack = slices.Delete(s.tree.stack, 0, 1)
	s.out[o.at] = o
	return Part{Target: s.target, Relax: s.relax, Box: o.box()}, true
}

// Join takes what became of a part (of this target or of a higher one before it
// was eased): a closed one is added to the tree, an
// unfinished one is worked on here again. False when the part's target has been
// given up meanwhile.
func (s *Search) Join(r PartResult) bool {
	if s.tensors != nil {
		return s.joinTensors(r)
	}
	o, ok := s.out[r.Place]
	if !ok || s.tree == nil || r.Target < s.target || r.Relax != s.relax {
		return false
	}
	delete(s.out, r.Place)
	if !r.Closed || r.sound(s.td.n) != nil {
		s.tree.stack = slices.Insert(s.tree.stack, 0, o)
		return true
	}
	s.tree.done += r.Boxes
	s.tree.steps += r.Steps
	if s.tree.graft(r.Place, r.Nodes); len(r.Nodes) == 0 {
		s.tree.nodes[r.Place].Pair = -1
	}
	if len(s.tree.stack) == 0 && len(s.out) == 0 {
		s.closed()
	}
	return true
}

// graft puts a preorder list of nodes, which must be whole, at a place of the
// tree.
func (t *tree) graft(place int, nodes []Node) {
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

// NewPart makes a search that works on one part only; its Run ends when the box
// is closed.
func NewPart(m *model.Standard, set Settings, p Part) (*Search, error) {
	if math.IsNaN(p.Target) || math.IsInf(p.Target, -1) || !(p.Relax >= 0) || math.IsInf(p.Relax, 1) {
		return nil, errDamaged
	}
	if err := soundKernels(m, set.Kernels); err != nil {
		return nil, err
	}
	s, err := New(m, set)
	if err != nil {
		return nil, err
	}
	s.sub, s.place = true, p.Box.Place
	s.target, s.relax = p.Target, p.Relax
	if p.Tensor != nil {
		return s, s.partTensors(p)
	}
	s.tree = s.td.newTree(s.td.limits(p.Target, p.Relax), set.Record)
	o, err := s.td.open(p.Box)
	if err != nil {
		return nil, err
	}
	o.at = 0
	s.tree.stack = []open{o}
	return s, nil
}

// Result says what became of the part of a search made by NewPart.
func (s *Search) Result() PartResult {
	r := PartResult{Target: s.target, Relax: s.relax, Place: s.place, Closed: s.shut, Boxes: s.nodes, Steps: s.steps}
	if s.shut && s.set.Record {
		r.Nodes = s.part
	}
	if t := s.tensors; t != nil {
		save := t.Save()
		r.Tensor, r.Closed = &save, t.Open() == 0
	}
	return r
}
