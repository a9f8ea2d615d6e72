package tensor

import "rcmdplab/core/proof"

// undecided marks a box that is still open; only a Tree holds such.
const undecided = -2

// Place is a node with where its children are: at Left and Left+1.
type Place struct {
	proof.TensorNode
	Left int // place in the tree
}

// preorder lists the tree below place k. Open boxes are closed by what is known
// to close them at the parameter of the proof; without, they stay undecided.
func (t *Tree) preorder(k int, remedy map[int]proof.TensorStep) []proof.TensorNode {
	var out []proof.TensorNode
	var walk func(int)
	walk = func(k int) {
		n := t.nodes[k].TensorNode
		switch {
		case n.State != undecided:
		case remedy == nil:
			n = proof.TensorNode{State: undecided}
		default:
			n = proof.TensorNode{Steps: append(n.Steps[:len(n.Steps):len(n.Steps)], remedy[k]), State: -1}
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
