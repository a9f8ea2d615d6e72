package certify

import (
	"slices"

	"rcmdplab/core/proof"
)

// StillOpen is the State of a box of which a proof in progress does not say yet
// what becomes of it.
const StillOpen = -2

// seen is what was replayed of a proof by tensors while it was made. It is kept
// with what it was replayed for, and shares no memory with the certificate: only a
// proof of the same claim, whose boxes came about by the same steps and splits from
// the first one on, has that part of it replayed already.
type seen struct {
	target, relax float64            // of the claim
	allow         []float64          // of the claim
	scale, weight []int              // of the tensors
	nodes         []proof.TensorNode // in preorder, of all boxes so far
	size          []int              // by node: of it and those below, how many
	held          []bool             // by node: its steps hold, and close it where it is not split
	root          [][]float64        // tensors of all policies, by piece, nil where not used yet
	first, most   []float64          // by piece, of the errors and sizes of these
}

// of reports whether the claim and the tensors are those of a certificate.
func (m *seen) of(c *proof.Claim) bool {
	return m != nil && m.target == c.Target && m.relax == c.Relax && slices.Equal(m.allow, c.Allow) &&
		slices.Equal(m.scale, c.Tensor.Scale) && slices.Equal(m.weight, c.Tensor.Weight)
}

// Follow replays what is new of a proof by tensors that is being made, in which
// boxes may be StillOpen, and keeps what holds: Check of the whole then has less to
// do. It says nothing of the claim. It is for finite sets, and asks more as Check does.
func (k *Checker) Follow(c *proof.Claim, more func() bool) {
	in, err := k.instance(c, more)
	if err != nil || in.kernels == nil || len(in.kernels) > proof.MaxKernels || len(c.Kernels) > 0 {
		return
	}
	x, err := in.newRelaxation(in.kernels, nil, c, more)
	if err != nil {
		return
	}
	p := &replay{x: x, more: more}
	if t, _ := p.tensor(in, in.kernels, c, true); t != nil {
		in.seen = t.keep(c)
	}
}

// keep is what was seen to hold, whether or not all of it did.
func (t *tensors) keep(c *proof.Claim) *seen {
	m := &seen{
		target: c.Target, relax: c.Relax, allow: slices.Clone(c.Allow), scale: slices.Clone(c.Tensor.Scale), weight: slices.Clone(c.Tensor.Weight),
		size: t.size, held: t.held, root: t.root, first: t.first, most: t.most,
	}
	for k := range c.Tensor.Nodes {
		m.nodes = append(m.nodes, cloned(&c.Tensor.Nodes[k]))
	}
	return m
}

func cloned(n *proof.TensorNode) proof.TensorNode {
	c := *n
	c.Steps = slices.Clone(n.Steps)
	for j := range c.Steps {
		s := &c.Steps[j]
		s.Pieces, s.Lambda, s.Shift = slices.Clone(s.Pieces), slices.Clone(s.Lambda), slices.Clone(s.Shift)
	}
	return c
}

// same reports whether two boxes have the same steps and the same split.
func same(n, o *proof.TensorNode) bool {
	return n.State == o.State && n.I == o.I && n.J == o.J && n.Theta == o.Theta && slices.EqualFunc(n.Steps, o.Steps, func(a, b proof.TensorStep) bool {
		return a.State == b.State && a.J == b.J && slices.Equal(a.Pieces, b.Pieces) && slices.Equal(a.Lambda, b.Lambda) && slices.Equal(a.Shift, b.Shift)
	})
}

// recall marks the boxes that were seen to hold: the same ones, below the same ones.
func (t *tensors) recall(c *proof.Claim, m *seen) {
	t.held = make([]bool, len(c.Tensor.Nodes))
	if !m.of(c) {
		return
	}
	type pair struct{ here, there int }
	stack := []pair{{0, 0}}
	for len(stack) > 0 {
		p := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		n := &c.Tensor.Nodes[p.here]
		if !m.held[p.there] || !same(n, &m.nodes[p.there]) {
			continue
		}
		if t.held[p.here] = true; n.State >= 0 {
			here, there := p.here+1, p.there+1
			stack = append(stack, pair{here, there}, pair{here + t.size[here], there + m.size[there]})
		}
	}
}
