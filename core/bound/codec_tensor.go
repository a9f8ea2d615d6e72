package bound

import (
	"rcmdplab/core/bound/tensor"
	"rcmdplab/core/proof"
)

// The trees of tensors, as codec.go writes them.

func (c *coder) tensors(s *tensor.State) {
	c.all(&s.Tau, &s.Weight)
	list(c, &s.Nodes, 5, func(p *tensor.Place) {
		c.tensorNode(&p.TensorNode)
		c.int(&p.Left)
	})
	list(c, &s.Open, 14, c.tensorBox)
	list(c, &s.Stuck, 14, c.tensorBox)
	c.all(&s.Done, &s.Work, &s.From, &s.Key)
}

func (c *coder) tensorNode(n *proof.TensorNode) {
	list(c, &n.Steps, 6, c.tensorStep)
	if c.int(&n.State); n.State >= 0 {
		c.all(&n.I, &n.J, &n.Theta)
	}
}

func (c *coder) tensorStep(s *proof.TensorStep) {
	c.all(&s.State, &s.J, &s.Pieces, &s.Lambda, &s.Shift)
}

func (c *coder) tensorBox(b *tensor.Box) {
	c.all(&b.Place, &b.Depth, &b.Steps, &b.Points, &b.Pieces, &b.Gain, &b.Lambda)
	list(c, &b.Pool, 1, func(v *int32) { as(c, v) })
	c.float(&b.Reach)
	c.tensorStep(&b.Remedy)
	c.all(&b.Away)
}
