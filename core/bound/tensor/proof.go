package tensor

// Proof is a tree of boxes in preorder, as plain data: that no policy meets the
// thresholds of one parameter τ. See the package's comment for the rules.
type Proof struct {
	Scale  []int // by kernel: D_m is taken times 2^Scale
	Weight []int // by pair: w is 2^Weight; nil when all are 1
	Nodes  []Node
}

// Node is one box: steps in order, then a split; or, with State = -1, the last
// step closes it. The first child has point I of State moved the share Theta of
// its way to point J, the second point J the rest of its way to point I.
type Node struct {
	Steps []Step  // in order
	State int     // that is split; -1: none is
	I, J  int     // points of State
	Theta float64 // share of the way, in (0, 1)
}

// Step closes the box (State = -1) or pushes the facet opposite point J of a
// state: every point i of it moves the share Shift[i] of its way to point J.
type Step struct {
	State, J int       // whose facet moves, and the point J opposite; -1: none
	Pieces   []int     // of non-zero multipliers, ascending: m(N+1)+n
	Lambda   []float64 // their multipliers, of as few bits as do (see space.take)
	Shift    []float64 // by action of State, multiples of 2^-shiftBits; 0 for J
}

// undecided marks a box that is still open; only a Tree holds such.
const undecided = -2

// Place is a node with where its children are: at Left and Left+1.
type Place struct {
	Node
	Left int // place in the tree
}

// preorder lists the tree below place k. Open boxes are closed by what is known
// to close them at the parameter of the proof; without, they stay undecided.
func (t *Tree) preorder(k int, remedy map[int]Step) []Node {
	var out []Node
	var walk func(int)
	walk = func(k int) {
		n := t.nodes[k].Node
		switch {
		case n.State != undecided:
		case remedy == nil:
			n = Node{State: undecided}
		default:
			n = Node{Steps: append(n.Steps[:len(n.Steps):len(n.Steps)], remedy[k]), State: -1}
		}
		out = append(out, n)
		if n.State >= 0 {
			walk(t.nodes[k].Left)
			walk(t.nodes[k].Left + 1)
		}
	}
	walk(k)
	return out
}
