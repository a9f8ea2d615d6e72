package certify

import (
	"math/big"

	"rcmdplab/core/certify/enclosure"
	"rcmdplab/core/proof"
)

// kernel fills the tensors of kernel m at the root, those that are needed: of each corner F = D (J - b̃) times 2^e, where
// J is of the costs (1-γ) c̃, and e adds up what the proof weighs the kernel and the pairs by.
func (t *tensors) kernel(in *instance, rows []row, m int, c *proof.Tensor, needed pieceSet) error {
	rest := new(big.Rat).Inv(in.horizon)
	var balls []*enclosure.Ball
	var limits []interval
	e := corners{in: in, rows: rows, gamma: in.gamma, stride: t.stride, scale: c.Scale[m], weight: c.Weight, going: func(work int) bool { return t.going(8 * work) }}
	for n := range t.costs {
		if k := m*t.costs + n; needed.has(k) {
			t.root[k] = enclosure.NewBall(t.v)
			list := in.mapped(n, rows, t.paid[m])
			for _, x := range list {
				x.Mul(x, rest)
			}
			balls, limits, e.costs = append(balls, t.root[k]), append(limits, enclosure.Point(t.limit[n].Hi())), append(e.costs, list)
		}
	}
	if len(balls) == 0 {
		return nil
	}
	e.told = func(corner int, d interval, dj []interval) error {
		for n, b := range balls {
			b.Enter(corner, dj[n].Sub(d.Mul(limits[n])))
		}
		return nil
	}
	return e.visit()
}
