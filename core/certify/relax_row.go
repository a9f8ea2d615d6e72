package certify

import (
	"fmt"
	"math"

	"rcmdplab/core/certify/enclosure"
	"rcmdplab/core/proof"
)

// columns says where the variables of a step are: the occupancies of kernel m
// from at[m], or -1; with policy, π from 0.
type columns struct {
	at     []int // first column, by kernel
	policy bool
	count  int // of all columns
}

// columns lays out the columns of kernels m and m2 (-1: none), or for m = -1
// those of the policy and every kernel.
func (x *relaxation) columns(m, m2 int) (columns, error) {
	c := columns{at: make([]int, x.kernels)}
	for k := range c.at {
		c.at[k] = -1
	}
	put := func(k int) {
		c.at[k] = c.count
		c.count += x.Pairs()
	}
	switch {
	case m == -1 && m2 == -1:
		c.policy, c.count = true, x.Pairs()
		for k := range c.at {
			put(k)
		}
	case m < 0 || m >= x.kernels || m2 < -1 || m2 >= x.kernels || m == m2:
		return c, fmt.Errorf("a step is about kernels %d and %d; there are %d", m, m2, x.kernels)
	default:
		if put(m); m2 >= 0 {
			put(m2)
		}
	}
	return c, nil
}

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
func (x *relaxation) row(c *columns, g *ranges, r proof.Row, y float64) error {
	m, k := r.Kernel(), r.Index()
	kind := r.Kind()
	if kind >= proof.RowKinds {
		return fmt.Errorf("there is no row of kind %d", kind)
	}
	if kind != proof.Simplex && (m >= x.kernels || c.at[m] < 0) {
		return fmt.Errorf("a row is about kernel %d, which the step does not use", m)
	}
	size := x.Pairs()
	switch kind {
	case proof.Flow, proof.Occupancy, proof.Simplex:
		size = x.S
	case proof.Cost:
		size = len(x.limit)
	}
	if k >= size {
		return fmt.Errorf("a row of kind %d has index %d; there are %d", kind, k, size)
	}
	if !c.policy && kind >= proof.Simplex {
		return fmt.Errorf("a row is about the policy's columns, which the step does not use")
	}
	inf := math.Inf(1)
	if kind == proof.Flow || kind == proof.Cost || kind == proof.Occupancy || kind == proof.Simplex {
		x.plainRow(c, g, kind, m, k, y)
		return nil
	}
	s := x.State[k]
	l, u, low, high := g.l[k], g.u[k], g.L[m*x.S+s], g.U[m*x.S+s]
	at := c.at[m]
	switch kind {
	case proof.BoxLow:
		if x.acc.begin(y, 0, inf) {
			x.line(at, s, k, y, 1, -l)
		}
	case proof.BoxHigh:
		if x.acc.begin(y, 0, inf) {
			x.line(at, s, k, y, -1, u)
		}
	case proof.RatioLow, proof.RatioUp:
		o := r.Other()
		if o >= x.kernels || o == m || c.at[o] < 0 {
			return fmt.Errorf("a ratio row is about kernels %d and %d, which are not two kernels of the step", m, o)
		}
		q := g.R[x.ratio(m, o, s)]
		if math.IsInf(q, 0) {
			return fmt.Errorf("a ratio row of kernels %d and %d in state %d is used where no ratio is known", m, o, s)
		}
		if x.acc.begin(y, 0, inf) {
			if kind == proof.RatioLow {
				x.line(at, s, k, y, -1, l)
				x.line(c.at[o], s, k, y*q, 1, -l)
			} else {
				x.line(at, s, k, y, 1, -u)
				x.line(c.at[o], s, k, y*q, -1, u)
			}
		}
	case proof.McCormick1:
		if x.acc.begin(y, -enclosure.Up(l*low), inf) {
			x.line(at, s, k, y, 1, -l)
			x.acc.add(k, -y*low)
		}
	case proof.McCormick2:
		if x.acc.begin(y, -enclosure.Up(u*high), inf) {
			x.line(at, s, k, y, 1, -u)
			x.acc.add(k, -y*high)
		}
	case proof.McCormick3:
		if x.acc.begin(y, enclosure.Down(l*high), inf) {
			x.line(at, s, k, y, -1, l)
			x.acc.add(k, y*high)
		}
	case proof.McCormick4:
		if x.acc.begin(y, enclosure.Down(u*low), inf) {
			x.line(at, s, k, y, -1, u)
			x.acc.add(k, y*low)
		}
	}
	return nil
}

// plainRow adds a row that is not of one pair.
func (x *relaxation) plainRow(c *columns, g *ranges, kind proof.RowKind, m, k int, y float64) {
	a, b := 0, 0
	if kind != proof.Cost {
		a, b = x.Off[k], x.Off[k+1]
	}
	switch kind {
	case proof.Flow:
		if x.acc.begin(y, x.start[k].Lo(), x.start[k].Hi()) {
			val := x.flowVal[m*x.S+k]
			for j, i := range x.flowIdx[m*x.S+k] {
				x.acc.add(c.at[m]+i, y*val[j])
			}
		}
	case proof.Cost:
		if x.acc.begin(y, math.Inf(-1), x.limit[k]) {
			for i, v := range x.cost[m][k] {
				x.acc.add(c.at[m]+i, y*v)
			}
		}
	case proof.Occupancy:
		if x.acc.begin(y, g.L[m*x.S+k], g.U[m*x.S+k]) {
			for i := a; i < b; i++ {
				x.acc.add(c.at[m]+i, y)
			}
		}
	case proof.Simplex:
		if x.acc.begin(y, 1, 1) {
			for i := a; i < b; i++ {
				x.acc.add(i, y)
			}
		}
	}
}

// line adds y·(e x(k) + f d(s)) of the kernel whose columns start at at.
func (x *relaxation) line(at, s, k int, y, e, f float64) {
	for i := x.Off[s]; i < x.Off[s+1]; i++ {
		v := f
		if i == k {
			v += e
		}
		x.acc.add(at+i, y*v)
	}
}
