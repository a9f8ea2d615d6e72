package bound

import (
	"rcmdplab/core/bound/tensor"
	"rcmdplab/core/proof"
)

// The trees of tensors, as codec.go writes them.

func (c *coder) tensors(s *tensor.State) {
	c.float(&s.Tau)
	c.ints(&s.Weight)
	list(c, &s.Nodes, 5, func(p *tensor.Place) {
		c.tensorNode(&p.TensorNode)
		c.int(&p.Left)
	})
	list(c, &s.Open, 14, c.tensorBox)
	list(c, &s.Stuck, 14, c.tensorBox)
	c.int(&s.Done)
	c.int64(&s.Work)
	c.floats(&s.From)
	key := int(s.Key)
	c.int(&key)
	s.Key = uint64(key)
}

func (c *coder) tensorNode(n *proof.TensorNode) {
	list(c, &n.Steps, 6, c.tensorStep)
	c.int(&n.State)
	if n.State >= 0 {
		c.int(&n.I)
		c.int(&n.J)
		c.float(&n.Theta)
	}
}

func (c *coder) tensorStep(s *proof.TensorStep) {
	c.int(&s.State)
	c.int(&s.J)
	c.ints(&s.Pieces)
	c.floats(&s.Lambda)
	c.floats(&s.Shift)
}

func (c *coder) tensorBox(b *tensor.Box) {
	c.int(&b.Place)
	c.int(&b.Depth)
	c.int(&b.Steps)
	c.floats(&b.Points)
	c.ints(&b.Pieces)
	c.floats(&b.Gain)
	c.floats(&b.Lambda)
	list(c, &b.Pool, 1, func(v *int32) {
		x := int(*v)
		c.int(&x)
		c.bad = c.bad || x != int(int32(x))
		*v = int32(x)
	})
	c.float(&b.Reach)
	c.tensorStep(&b.Remedy)
	c.bool(&b.Away)
}

// ints codes small integers.
func (c *coder) ints(v *[]int) { list(c, v, 1, c.int) }
