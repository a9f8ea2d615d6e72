package bound

import (
	"fmt"
	"slices"

	"rcmdplab/core/bound/tensor"
	"rcmdplab/core/model"
	"rcmdplab/core/proof"
)

// State is a search as plain data: save it, and Restore goes on from there. It
// belongs to the problem it was made with.
type State struct {
	LowerBound, ViolationLower float64        // proved, of J_0 and of the maximal violation; -Inf or NaN when not
	Upper, Excess              float64        // what Incumbent told
	Infeasible                 bool           // proved: no policy meets the limits
	Fraction                   float64        // of the gap that a target takes
	Kernels                    []proof.Kernel // in use; nil for a finite set
	Allow                      []float64      // by constraint, see Settings
	Target, Relax              float64        // of the open tree
	Tree                       []TreeNode     // of the target
	Open                       []Box          // still to be closed; empty when there is no tree
	Nodes                      int            // boxes worked on, all targets
	Steps                      int64          // simplex steps, all targets
	Proof, ViolationProof      *proof.Claim   // of LowerBound, and of ViolationLower
	Tensors                    *tensor.State  // of the tree, when it is one of tensors
}

// TreeNode is a Node with its place in the tree: Pair is -1 when closed, -2
// while open, else Left and Right are the places of the children.
type TreeNode struct {
	Steps       []proof.Step // as in Node
	Pair        int          // split, or a code above
	At          float64      // as in Node
	Left, Right int          // places in the tree
}

const stillOpen = -2

// Box is one open box with everything known of it, in the order of
// Certificate's ranges: by pair; [m*S+s]; [(m*M+m')*S+s]; [m*M+m'].
type Box struct {
	Place                   int       // in the tree
	Depth                   int       // splits above it
	Lower, Upper            []float64 // of π(i)
	OccupancyLow, Occupancy []float64 // of d_m(s)
	Ratio                   []float64 // d_m(s) is at most that times d_m'(s)
	Gain                    []float64 // what work on a pair of kernels is expected to give
}

// save is the box as plain data, load its inverse.
func (o *openBox) save() Box {
	return Box{
		Place: o.at, Depth: o.depth,
		Lower: slices.Clone(o.g.l), Upper: slices.Clone(o.g.u),
		OccupancyLow: slices.Clone(o.g.dl), Occupancy: slices.Clone(o.g.du),
		Ratio: slices.Clone(o.g.r), Gain: slices.Clone(o.gain),
	}
}

func (d *data) load(b Box) (openBox, error) {
	g := d.emptyRanges()
	if len(b.Lower) != len(g.l) || len(b.Upper) != len(g.u) || len(b.OccupancyLow) != len(g.dl) || len(b.Occupancy) != len(g.du) || len(b.Ratio) != len(g.r) || len(b.Gain) != d.mn*d.mn {
		return openBox{}, fmt.Errorf("bound: a saved box is of another problem: it has %d pairs and %d occupancies, want %d and %d", len(b.Lower), len(b.Occupancy), len(g.l), len(g.du))
	}
	if err := b.sound(); err != nil {
		return openBox{}, err
	}
	g.copy(&ranges{b.Lower, b.Upper, b.OccupancyLow, b.Occupancy, b.Ratio})
	return openBox{g: g, gain: slices.Clone(b.Gain), depth: b.Depth, at: b.Place}, nil
}

// State returns the search as data. Boxes handed out by Split count as open.
func (s *Search) State() State {
	st := State{
		LowerBound: s.lower, ViolationLower: s.vlower, Upper: s.upper, Excess: s.excess, Infeasible: s.infeas,
		Kernels: s.kernels, Allow: s.set.Allow, Target: s.target, Relax: s.relax, Nodes: s.nodes, Steps: s.steps,
		Proof: s.proof, ViolationProof: s.vproof,
	}
	for _, p := range s.provers {
		p.save(&st)
	}
	return st
}

func (s *ladder) save(st *State) {
	st.Fraction = s.fraction
	t := s.tree
	if t == nil {
		return
	}
	st.Nodes += t.done
	st.Steps += t.steps
	st.Tree = slices.Clone(t.nodes)
	for place := range t.nodes {
		if o, ok := s.out[place]; ok {
			st.Open = append(st.Open, o.save())
		}
	}
	for i := range t.stack {
		st.Open = append(st.Open, t.stack[i].save())
	}
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
	s.infeas = st.Infeasible
	s.nodes, s.steps, s.proof, s.vproof = st.Nodes, st.Steps, st.Proof, st.ViolationProof
	for _, p := range s.provers {
		took, err := p.restore(&st)
		if err != nil {
			return nil, err
		}
		if took {
			s.at = p
		}
	}
	return s, nil
}

func (s *ladder) restore(st *State) (took bool, err error) {
	s.fraction = st.Fraction
	if len(st.Open) == 0 || st.Tensors != nil {
		return false, nil
	}
	s.target, s.relax = st.Target, st.Relax
	s.tree = s.d.newTree(s.d.limits(s.target, s.relax), s.set.Record)
	s.tree.nodes = slices.Clone(st.Tree)
	s.tree.stack = nil
	for _, b := range st.Open {
		o, err := s.d.load(b)
		if err != nil {
			return false, err
		}
		s.tree.stack = append(s.tree.stack, o)
	}
	s.tree.share = s.left()
	return true, nil
}
