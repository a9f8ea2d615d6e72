package certify

import (
	"fmt"
	"math/big"

	"rcmdplab/core/certify/enclosure"
	"rcmdplab/core/model"
	"rcmdplab/core/proof"
)

// relaxation holds the linear inequalities that every policy satisfies which
// satisfies the hypotheses of a certificate, with coefficients whose errors are known.
//
// # Units
//
// x_m(i) is the normalised occupancy of pair i = (s,a) under kernel m,
// (1-γ) Σ_t γ^t Pr(s_t = s, a_t = a) = d_m(s) π(i), and d_m(s) = Σ_a x_m(s,a);
// Σ_s d_m(s) = 1. Costs are mapped by their least and largest values,
// c̃ = (c - lo)/w with w = hi - lo, or 1 when they are equal, where c is the
// one-step cost averaged over kernel m's row less the kernel's penalty; since
// J = Σ_i x_m(i) c(i)/(1-γ), J_{n,m} <= β is c̃_{n,m}·x_m <= ((1-γ)β - lo)/w.
type relaxation struct {
	*model.Layout
	kernels int                  // how many
	start   []interval           // (1-γ) μ(s)
	flowIdx [][]int              // [m*S+s] the pairs with a coefficient in Flow
	flowVal []enclosure.Block    // its coefficients
	cost    [][]*enclosure.Block // [m][n] c̃ by pair
	limit   []interval           // by cost: b̃; the line for an objective without target

	paid  [][]float64        // by kernel: what nature pays for each pair; nil where it pays nothing
	pairs []int              // all of them
	rest  enclosure.Residual // of the step being recomputed
}

// newRelaxation prepares the rows for the certificate's kernels, but of a proof by tensors, and its limits;
// penalties are by kernel, nil or by pair. It fails only when more says no.
func (in *instance) newRelaxation(kernels [][]row, penalties [][]float64, cert *proof.Claim, more func() bool) *relaxation {
	x := &relaxation{Layout: in.Layout, kernels: len(kernels), paid: penalties, start: make([]interval, in.S)}
	for i := range in.Pairs() {
		x.pairs = append(x.pairs, i)
	}
	rest := new(big.Rat).Inv(in.horizon) // 1-γ
	for j, s := range in.mu.next {
		x.start[s] = enclosure.Around(new(big.Rat).Mul(rest, in.mu.at(j)))
	}
	for n := range in.costs {
		lo, w := in.costRange(n)
		b := new(big.Rat)
		if n > 0 {
			b = in.limit(cert, n)
		} else if cert.Infeasible() {
			x.limit = append(x.limit, enclosure.Line())
			continue
		} else {
			b.SetFloat64(cert.Target)
		}
		b.Mul(b, rest)
		x.limit = append(x.limit, enclosure.Around(b.Quo(b.Sub(b, lo), w)))
	}
	if x.cost = make([][]*enclosure.Block, len(kernels)); cert.Tensor != nil {
		return x
	}
	for m, rows := range kernels {
		x.addFlow(in, rows, more)
		for n := range in.costs {
			onwards(true, more)
			if m > 0 && !in.costs[n].onward && x.paid[m] == nil { // the same under all kernels
				x.cost[m] = append(x.cost[m], x.cost[0][n])
				continue
			}
			block := new(enclosure.Block)
			for _, c := range in.mapped(n, rows, x.paid[m]) {
				block.Ratio(c.Num(), c.Denom())
			}
			x.cost[m] = append(x.cost[m], block)
		}
	}
	return x
}

// mapped is c̃ of cost n by pair under kernel m; paid is nil, or by pair.
func (in *instance) mapped(n int, rows []row, paid []float64) []*big.Rat {
	lo, w := in.costRange(n)
	list := make([]*big.Rat, in.Pairs())
	for i := range list {
		c := in.expected(n, i, &rows[i])
		if paid != nil {
			c.Sub(c, new(big.Rat).SetFloat64(paid[i]))
		}
		list[i] = c.Quo(c.Sub(c, lo), w)
	}
	return list
}

// addFlow lists the coefficients of the Flow rows of a kernel by state:
// 1 - γP(s|i) exactly rounded at pairs of s, -γP(s|i) elsewhere.
func (x *relaxation) addFlow(in *instance, rows []row, more func() bool) {
	idx, val := make([][]int, in.S), make([]enclosure.Block, in.S)
	gamma := enclosure.Nearest(in.gamma)
	gn, gd, t := in.gamma.Num(), in.gamma.Denom(), new(big.Int)
	for i, s := range in.State {
		onwards(i%16 == 0, more)
		r := &rows[i]
		own := false
		for j, to := range r.next {
			if idx[to] = append(idx[to], i); to != s {
				val[to].Taken(gamma, r.near[j])
				continue
			}
			den := new(big.Int).Mul(gd, r.den)
			val[to].Ratio(t.Sub(den, t.Mul(gn, r.num[j])), den)
			own = true
		}
		if !own {
			idx[s] = append(idx[s], i)
			val[s].One()
		}
	}
	x.flowIdx, x.flowVal = append(x.flowIdx, idx...), append(x.flowVal, val...)
}

// replay reads the proof of a certificate.
type replay struct {
	*relaxation
	pace
	bound int // inequalities recomputed
	depth int // deepest box
}

// spot says where a tree of boxes is at fault: at a step of a node, or for -1 at the node as a whole.
func spot(node, step int) string {
	if step < 0 {
		return fmt.Sprintf("box %d:", node)
	}
	return fmt.Sprintf("box %d, step %d:", node, step)
}
