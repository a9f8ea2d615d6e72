package certify

import (
	"rcmdplab/core/certify/enclosure"
	"rcmdplab/core/proof"
)

// block is the first column of the occupancies of kernel m, by pair, and for -1 that of the policy.
func (x *relaxation) block(m int) int { return (m + 1) * x.Pairs() }

// row adds the inequality named r, built from the frame g, times y: the exact
// row reads lo <= a·x <= hi, and is used as y·(a·x) >= y·lo for y > 0 and
// y·(a·x) >= y·hi for y < 0. A multiplier that asks for an infinite end counts
// as 0.
//
// Why the rows hold, for a policy within the ranges g that satisfies the
// hypotheses (d = d_m(s), d' = d_m'(s), R = R_{m,m'}(s), x(i) = π(i) d):
//
//	Flow        Σ_a x(s,a) - γ Σ_i P_m(s|i) x(i) = (1-γ) μ(s): the Bellman flow equation
//	Cost        c̃_{n,m}·x <= b̃_n: a hypothesis
//	Occupancy   L <= d <= U
//	BoxLow      x(i) - l_i d = (π(i)-l_i) d >= 0
//	BoxHigh     u_i d - x(i) = (u_i-π(i)) d >= 0
//	RatioLow    (R x'(i) - x(i)) - l_i (R d' - d) = (π(i)-l_i)(R d' - d) >= 0: one π for both kernels
//	RatioUp     u_i (R d' - d) - (R x'(i) - x(i)) = (u_i-π(i))(R d' - d) >= 0
//	Simplex     Σ_a π(s,a) = 1
//	McCormick1  x(i) - l_i d - L π(i) + l_i L = (π(i)-l_i)(d-L) >= 0
//	McCormick2  x(i) - u_i d - U π(i) + u_i U = (u_i-π(i))(U-d) >= 0
//	McCormick3  l_i d + U π(i) - x(i) - l_i U = (π(i)-l_i)(U-d) >= 0
//	McCormick4  u_i d + L π(i) - x(i) - u_i L = (u_i-π(i))(d-L) >= 0
func (x *relaxation) row(g *ranges, r proof.Row, y float64) {
	m, k := r.Kernel(), r.Index()
	kind := r.Kind()
	if kind >= proof.RowKinds {
		refuse("there is no row of kind %d", kind)
	}
	if kind != proof.Simplex && m >= x.kernels {
		refuse("a row is about kernel %d of %d", m, x.kernels)
	}
	size := x.Pairs()
	switch kind {
	case proof.Flow, proof.Occupancy, proof.Simplex:
		size = x.S
	case proof.Cost:
		size = len(x.limit)
	}
	if k >= size {
		refuse("a row of kind %d has index %d; there are %d", kind, k, size)
	}
	if kind == proof.Flow || kind == proof.Cost || kind == proof.Occupancy || kind == proof.Simplex {
		x.plainRow(g, kind, m, k, y)
		return
	}
	x.pairRow(g, r, y)
}

// pairRows are the rows of one pair: all read ±(x(i) - e d - D π(i) + e D) >= 0 for an end e of π(i) and D = 0 or
// an end of d; a ratio row that of d less R times that of d'.
var pairRows = [proof.RowKinds]struct{ minus, upper, ratio, policy, high bool }{
	proof.BoxHigh:    {minus: true, upper: true},
	proof.RatioLow:   {minus: true, ratio: true},
	proof.RatioUp:    {upper: true, ratio: true},
	proof.McCormick1: {policy: true},
	proof.McCormick2: {policy: true, upper: true, high: true},
	proof.McCormick3: {policy: true, minus: true, high: true},
	proof.McCormick4: {policy: true, minus: true, upper: true},
}

// pairRow adds a row that is of one pair.
func (x *relaxation) pairRow(g *ranges, r proof.Row, y float64) {
	m, k, shape := r.Kernel(), r.Index(), pairRows[r.Kind()]
	s, rest, minus := x.State[k], &x.rest, enclosure.Opposite
	end, d := g.policy[k].Lo(), g.occupancy[m*x.S+s].Lo()
	if shape.upper {
		end = g.policy[k].Hi()
	}
	if shape.high {
		d = g.occupancy[m*x.S+s].Hi()
	}
	sign, other, lo := 1., -1., enclosure.Point(minus(end)).Mul(enclosure.Point(d))
	if shape.minus {
		sign, other, end, d, lo = -1, 1, minus(end), minus(d), lo.Neg()
	}
	if !shape.policy {
		lo = zero
	}
	o, ratio := r.Other(), one
	if shape.ratio {
		if o >= x.kernels || o == m {
			refuse("a ratio row is about kernels %d and %d, which are not two of %d", m, o, x.kernels)
		}
		if ratio = g.ratio[x.at(m, o, s)]; !ratio.Finite() {
			refuse("a ratio row of kernels %d and %d in state %d is used where no ratio is known", m, o, s)
		}
	}
	if !rest.Begin(y, lo.Upto(enclosure.Line())) {
		return
	}
	rest.Pair(x.block(m), x.Off[s], x.Off[s+1], k, y, 1, sign, minus(end))
	if shape.ratio {
		rest.Pair(x.block(o), x.Off[s], x.Off[s+1], k, y, ratio.Hi(), other, end)
	}
	if shape.policy {
		rest.Pair(x.block(-1), k, k+1, -1, y, 1, 0, minus(d))
	}
}

// plainRow adds a row that is not of one pair.
func (x *relaxation) plainRow(g *ranges, kind proof.RowKind, m, k int, y float64) {
	rest := &x.rest
	switch kind {
	case proof.Flow:
		if rest.Begin(y, x.start[k]) {
			rest.Row(x.block(m), x.flowIdx[m*x.S+k], y, &x.flowVal[m*x.S+k])
		}
	case proof.Cost:
		if rest.Begin(y, enclosure.Line().Upto(x.limit[k])) {
			rest.Row(x.block(m), x.pairs, y, x.cost[m][k])
		}
	case proof.Occupancy:
		if rest.Begin(y, g.occupancy[m*x.S+k]) {
			rest.Pair(x.block(m), x.Off[k], x.Off[k+1], -1, y, 1, 0, 1)
		}
	case proof.Simplex:
		if rest.Begin(y, one) {
			rest.Pair(x.block(-1), x.Off[k], x.Off[k+1], -1, y, 1, 0, 1)
		}
	}
}

// box gives the ranges of column j: l_i L_m(s) <= x_m(i) <= u_i U_m(s), and
// l_i <= π(i) <= u_i.
func (x *relaxation) box(g *ranges) func(j int) interval {
	n := x.Pairs()
	return func(j int) interval {
		m, i := j/n-1, j%n
		if m < 0 {
			return g.policy[i]
		}
		return g.policy[i].Mul(g.occupancy[m*x.S+x.State[i]])
	}
}
