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
	above  int    // number of the box that it is a part of, 0 for the first of all
	second bool   // part of that
	box    string // see wording
}

// claimed is what a proof by tensors is about, but for the problem; wording is all that a box says. Numbers are written so that no two
// read alike, and lists in brackets.
func claimed(c *proof.Claim) string {
	return fmt.Sprint(c.Target, c.Relax, c.Allow, c.Tensor.Scale, c.Tensor.Weight)
}

func wording(n *proof.TensorNode) string { return fmt.Sprint(*n) }

// visit goes through the boxes of a proof, each after the one that it is a part of, into parts of those for
// which hold gives a number, which is told to the parts.
func (t *tensors) visit(nodes []proof.TensorNode, hold func(k int, at place) (number int)) {
	type part struct {
		k      int  // number of the box
		above  int  // of what it is a part, as told by hold
		second bool // part of that
	}
	stack := []part{{}}
	for len(stack) > 0 {
		p := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		n := hold(p.k, place{p.above, p.second, wording(&nodes[p.k])})
		if n > 0 && nodes[p.k].State >= 0 {
			first := p.k + 1
			stack = append(stack, part{first, n, false}, part{first + t.size[first], n, true})
		}
	}
}

// recall marks the boxes that were seen to hold: the same ones, parts of the same ones.
func (t *tensors) recall(c *proof.Claim, m *seen) {
	t.held = make([]bool, len(c.Tensor.Nodes))
	if m == nil || m.claim != claimed(c) {
		return
	}
	t.visit(c.Tensor.Nodes, func(k int, at place) int {
		n := m.held[at]
		t.held[k] = n > 0
		return n
	})
}

// keep is what was seen to hold, now or before of the same claim.
func (t *tensors) keep(c *proof.Claim, m *seen) *seen {
	if claim := claimed(c); m == nil || m.claim != claim {
		m = &seen{claim, map[place]int{}}
	}
	t.visit(c.Tensor.Nodes, func(k int, at place) int {
		if t.held[k] && m.held[at] == 0 {
			m.held[at] = len(m.held) + 1
		}
		return m.held[at]
	})
	return m
}
