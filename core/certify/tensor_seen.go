package certify

import (
	"fmt"

	"rcmdplab/core/proof"
)

// StillOpen is the State of a box of which a proof in progress does not say yet
// what becomes of it.
const StillOpen = -2

// seen are the boxes of a proof by tensors that were seen to hold while it was made, by
// what was claimed and how they came about, word for word. Nothing that was worked out is kept.
type seen struct {
	claim string        // what is claimed, and of which tensors
	held  map[place]int // numbers, from 1
}

// place is where a box is in a proof, with its steps, and its split.
type place struct {
	above  int    // number of the box that it is a part of, 0 for the first of all; -1 where that has none
	second bool   // part of that
	box    string // see wording
}

// claimed is what a proof by tensors is about, but for the problem; wording is all that a box says. Numbers are written so that no two
// read alike, and lists in brackets.
func claimed(c *proof.Claim) string {
	return fmt.Sprint(c.Target, c.Relax, c.Allow, c.Tensor.Scale, c.Tensor.Weight)
}

func wording(n *proof.TensorNode) string { return fmt.Sprint(*n) }

// recall marks the boxes that were seen to hold: the same ones, parts of the same ones.
func (t *tensors) recall(c *proof.Claim, m *seen) {
	if t.seen = m; m == nil || m.claim != claimed(c) {
		t.seen = &seen{claimed(c), map[place]int{}}
	}
	t.held = make([]bool, len(c.Tensor.Nodes))
	t.seen.mark(c.Tensor.Nodes, t.held)
}

// mark adds the boxes that are held to those seen, and marks those that were seen, each after the one that it is a part of.
func (m *seen) mark(nodes []proof.TensorNode, held []bool) {
	stack := []place{{}}
	for k := range nodes {
		if len(stack) == 0 { // they form no tree
			return
		}
		at := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		number := 0
		if at.above >= 0 {
			at.box = wording(&nodes[k])
			if number = m.held[at]; number == 0 && held[k] {
				number = len(m.held) + 1
				m.held[at] = number
			}
			held[k] = number > 0
		}
		if number == 0 {
			number = -1 // no part of it was
		}
		if nodes[k].State >= 0 {
			stack = append(stack, place{above: number, second: true}, place{above: number})
		}
	}
}
