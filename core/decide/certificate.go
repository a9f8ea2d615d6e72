package decide

import (
	"rcmdplab/core/bound"
	"rcmdplab/core/bound/tensor"
	"rcmdplab/core/certify"
)

// certificate hands a proof from the search that made it to the checker, which
// shares no type with it. The numbers that name kinds and rows are one format.
func certificate(c *bound.Certificate) certify.Certificate {
	out := certify.Certificate{Problem: c.Problem, Target: c.Target, Relax: c.Relax, Allow: c.Allow}
	for _, k := range c.Kernels {
		out.Kernels = append(out.Kernels, certify.Kernel{Rows: k.Rows, Penalty: k.Penalty})
	}
	if v := c.Values; v != nil {
		out.Values = &certify.Values{Kernel: v.Kernel, Prices: v.Prices, V: v.V, Low: v.Low}
	}
	if y := c.Rays; y != nil {
		out.Rays = &certify.Rays{Groups: y.Groups, Start: y.Start, T: y.T, V: y.V, Pair: y.Pair, Ray: y.Ray, Rows: y.Rows}
	}
	for _, n := range c.Nodes {
		node := certify.Node{Pair: n.Pair, At: n.At, Steps: make([]certify.Step, len(n.Steps))}
		for i, s := range n.Steps {
			t := certify.Step{
				Kind: certify.StepKind(s.Kind), Target: certify.Target(s.Target),
				M: s.M, M2: s.M2, Of: s.Of, To: s.To, Index: s.Index, Rho: s.Rho, Value: s.Value, Y: s.Y,
				Rows: make([]certify.Row, len(s.Rows)),
			}
			for j, r := range s.Rows {
				t.Rows[j] = certify.Row(r)
			}
			node.Steps[i] = t
		}
		out.Nodes = append(out.Nodes, node)
	}
	if c.Tensor != nil {
		out.Tensor = tensorProof(c.Tensor)
	}
	return out
}

func tensorProof(p *tensor.Proof) *certify.Tensor {
	out := &certify.Tensor{Scale: p.Scale, Weight: p.Weight}
	for i := range p.Nodes {
		n := &p.Nodes[i]
		node := certify.TensorNode{State: n.State, I: n.I, J: n.J, Theta: n.Theta}
		for j := range n.Steps {
			s := &n.Steps[j]
			node.Steps = append(node.Steps, certify.TensorStep{State: s.State, J: s.J, Pieces: s.Pieces, Lambda: s.Lambda, Shift: s.Shift})
		}
		out.Nodes = append(out.Nodes, node)
	}
	return out
}
