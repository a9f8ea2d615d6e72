package certify

import (
	"fmt"
	"math"
	"math/big"

	"rcmdplab/core/model"
)

// relaxation holds the linear inequalities that every policy satisfies which
// satisfies the hypotheses of a certificate, in float64 with known errors.
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
	kernels int
	start   []iv        // (1-γ) μ(s)
	flowIdx [][]int     // [m*S+s] the pairs with a coefficient in Flow
	flowVal [][]float64 // its coefficients
	cost    [][][]float64
	limit   []float64 // by cost: b̃, rounded up; +Inf for an objective without target
	acc     accumulator
}

// Coefficients are within this many unit roundoffs of those of the exact
// instance and the ranges of the frame: γP and its two factors in Flow, R(1-l)
// in the ratio rows; every other row has fewer.
const coefficientError = 3

// newRelaxation prepares the rows for the certificate's kernels and its limits;
// penalties is nil, or by kernel and pair. It fails only when more says no.
func (in *instance) newRelaxation(kernels [][]row, penalties [][]float64, cert *Certificate, more func() bool) (*relaxation, error) {
	x := &relaxation{Layout: in.Layout, kernels: len(kernels), start: make([]iv, in.S)}
	rest := new(big.Rat).Inv(in.horizon) // 1-γ
	for j, s := range in.mu.next {
		x.start[s] = enclose(new(big.Rat).Mul(rest, in.mu.at(j)))
	}
	for _, rows := range kernels {
		if !x.addFlow(in, rows, more) {
			return nil, errLeft
		}
	}
	x.cost = make([][][]float64, len(kernels))
	for n := range in.costs {
		lo, w := in.costRange(n)
		for m, rows := range kernels {
			if !more() {
				return nil, errLeft
			}
			c := make([]float64, in.Pairs())
			for i := range c {
				v := in.expected(n, i, &rows[i])
				if penalties != nil {
					v.Sub(v, new(big.Rat).SetFloat64(penalties[m][i]))
				}
				c[i] = nearest(v.Quo(v.Sub(v, lo), w))
			}
			x.cost[m] = append(x.cost[m], c)
		}
		b := new(big.Rat)
		if n > 0 {
			b = in.limit(cert, n)
		} else if math.IsInf(cert.Target, 1) {
			x.limit = append(x.limit, cert.Target)
			continue
		} else {
			b.SetFloat64(cert.Target)
		}
		b.Mul(b, rest)
		x.limit = append(x.limit, floatAbove(b.Quo(b.Sub(b, lo), w)))
	}
	return x, nil
}

// costRange is the least value of a one-step cost and the width of its range.
func (in *instance) costRange(n int) (lo, w *big.Rat) {
	v := in.costs[n].flat
	if v == nil {
		v = in.costs[n].next
	}
	lo, hi := v[0], v[0]
	for _, x := range v {
		if x.Cmp(lo) < 0 {
			lo = x
		}
		if x.Cmp(hi) > 0 {
			hi = x
		}
	}
	if w = new(big.Rat).Sub(hi, lo); w.Sign() == 0 {
		w.SetInt64(1)
	}
	return lo, w
}

// addFlow lists the coefficients of the Flow rows of a kernel by state:
// 1 - γP(s|i) exactly rounded at pairs of s, -γP(s|i) elsewhere; false when more
// says no.
func (x *relaxation) addFlow(in *instance, rows []row, more func() bool) bool {
	idx, val := make([][]int, in.S), make([][]float64, in.S)
	gamma, one := nearest(in.gamma), big.NewRat(1, 1)
	for i, s := range in.State {
		if i%16 == 0 && !more() {
			return false
		}
		r := &rows[i]
		own := false
		for j, to := range r.next {
			v := -(gamma * r.near[j])
			if to == s {
				e := r.at(j)
				v, own = nearest(e.Sub(one, e.Mul(e, in.gamma))), true
			}
			idx[to], val[to] = append(idx[to], i), append(val[to], v)
		}
		if !own {
			idx[s], val[s] = append(idx[s], i), append(val[s], 1)
		}
	}
	x.flowIdx, x.flowVal = append(x.flowIdx, idx...), append(x.flowVal, val...)
	return true
}

// columns says where the variables of a step are: the occupancies of kernel m
// from at[m], or -1; with policy, π from 0.
type columns struct {
	at     []int
	policy bool
	count  int
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

// accumulator forms r = f - Aᵀy column by column with error bounds.
type accumulator struct {
	r, abs []float64 // r_j and Σ of the magnitudes of its terms
	rows   int
	total  sum // Σ_i y_i·(end of row i), the ends rounded outwards
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
func (x *relaxation) row(c *columns, g *ranges, r Row, y float64) error {
	m, k := r.Kernel(), r.Index()
	kind := r.Kind()
	if kind >= rowKinds {
		return fmt.Errorf("there is no row of kind %d", kind)
	}
	if kind != Simplex && (m >= x.kernels || c.at[m] < 0) {
		return fmt.Errorf("a row is about kernel %d, which the step does not use", m)
	}
	size := x.Pairs()
	switch kind {
	case Flow, Occupancy, Simplex:
		size = x.S
	case Cost:
		size = len(x.limit)
	}
	if k >= size {
		return fmt.Errorf("a row of kind %d has index %d; there are %d", kind, k, size)
	}
	if !c.policy && kind >= Simplex {
		return fmt.Errorf("a row is about the policy's columns, which the step does not use")
	}
	inf := math.Inf(1)
	if kind == Flow || kind == Cost || kind == Occupancy || kind == Simplex {
		x.plainRow(c, g, kind, m, k, y)
		return nil
	}
	s := x.State[k]
	l, u, low, high := g.l[k], g.u[k], g.L[m*x.S+s], g.U[m*x.S+s]
	at := c.at[m]
	switch kind {
	case BoxLow:
		if x.acc.begin(y, 0, inf) {
			x.line(at, s, k, y, 1, -l)
		}
	case BoxHigh:
		if x.acc.begin(y, 0, inf) {
			x.line(at, s, k, y, -1, u)
		}
	case RatioLow, RatioUp:
		o := r.Other()
		if o >= x.kernels || o == m || c.at[o] < 0 {
			return fmt.Errorf("a ratio row is about kernels %d and %d, which are not two kernels of the step", m, o)
		}
		q := g.R[x.ratio(m, o, s)]
		if math.IsInf(q, 0) {
			return fmt.Errorf("a ratio row of kernels %d and %d in state %d is used where no ratio is known", m, o, s)
		}
		if x.acc.begin(y, 0, inf) {
			if kind == RatioLow {
				x.line(at, s, k, y, -1, l)
				x.line(c.at[o], s, k, y*q, 1, -l)
			} else {
				x.line(at, s, k, y, 1, -u)
				x.line(c.at[o], s, k, y*q, -1, u)
			}
		}
	case McCormick1:
		if x.acc.begin(y, -up(l*low), inf) {
			x.line(at, s, k, y, 1, -l)
			x.acc.add(k, -y*low)
		}
	case McCormick2:
		if x.acc.begin(y, -up(u*high), inf) {
			x.line(at, s, k, y, 1, -u)
			x.acc.add(k, -y*high)
		}
	case McCormick3:
		if x.acc.begin(y, down(l*high), inf) {
			x.line(at, s, k, y, -1, l)
			x.acc.add(k, y*high)
		}
	case McCormick4:
		if x.acc.begin(y, down(u*low), inf) {
			x.line(at, s, k, y, -1, u)
			x.acc.add(k, y*low)
		}
	}
	return nil
}

// plainRow adds a row that is not of one pair.
func (x *relaxation) plainRow(c *columns, g *ranges, kind RowKind, m, k int, y float64) {
	a, b := 0, 0
	if kind != Cost {
		a, b = x.Off[k], x.Off[k+1]
	}
	switch kind {
	case Flow:
		if x.acc.begin(y, x.start[k].lo, x.start[k].hi) {
			val := x.flowVal[m*x.S+k]
			for j, i := range x.flowIdx[m*x.S+k] {
				x.acc.add(c.at[m]+i, y*val[j])
			}
		}
	case Cost:
		if x.acc.begin(y, math.Inf(-1), x.limit[k]) {
			for i, v := range x.cost[m][k] {
				x.acc.add(c.at[m]+i, y*v)
			}
		}
	case Occupancy:
		if x.acc.begin(y, g.L[m*x.S+k], g.U[m*x.S+k]) {
			for i := a; i < b; i++ {
				x.acc.add(c.at[m]+i, y)
			}
		}
	case Simplex:
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

func (a *accumulator) reset(columns int) {
	if cap(a.r) < columns {
		a.r, a.abs = make([]float64, columns), make([]float64, columns)
	}
	a.r, a.abs = a.r[:columns], a.abs[:columns]
	clear(a.r)
	clear(a.abs)
	a.rows, a.total = 0, sum{}
}

// begin adds y times the end of a row that its sign asks for, and reports
// whether the row counts.
func (a *accumulator) begin(y, lo, hi float64) bool {
	end := lo
	if y < 0 {
		end = hi
	}
	if y == 0 || math.IsInf(end, 0) {
		return false
	}
	a.rows++
	a.total.add(y * end)
	return true
}

// add subtracts the product t = y·a from the residual of column j.
func (a *accumulator) add(j int, t float64) {
	a.r[j] -= t
	a.abs[j] += math.Abs(t)
}

// target adds t to column j of the function that is bounded.
func (a *accumulator) target(j int, t float64) {
	a.r[j] += t
	a.abs[j] += math.Abs(t)
}

// bound is a lower bound of f over every x with lo_j <= x_j <= hi_j that
// satisfies the rows added, 0 <= lo_j (Neumaier and Shcherbina 2004):
//
//	f = Σ_i y_i a_i·x + r·x >= Σ_i y_i end_i + Σ_j min(r_j lo_j, r_j hi_j).
//
// The float64 r_j differs from the exact one by at most
// (rows + 2 + coefficientError + 1)·u·Σ|terms| to first order: one addition a
// row and two for f, the coefficient's own error and its product with y. Twice
// that is allowed for. Since x_j >= 0, r_j may be replaced by a lower bound.
func (a *accumulator) bound(box func(j int) (lo, hi float64)) float64 {
	k := float64(a.rows+coefficientError+3) * ulp
	for j, r := range a.r {
		low := down(r - up(k*a.abs[j]+underflow))
		lo, hi := box(j)
		if low >= 0 {
			a.total.add(low * lo)
		} else {
			a.total.add(low * hi)
		}
	}
	return a.total.bounds(1).lo
}

// box gives the ranges of column j: l_i L_m(s) <= x_m(i) <= u_i U_m(s), and
// l_i <= π(i) <= u_i.
func (x *relaxation) box(c *columns, g *ranges) func(j int) (lo, hi float64) {
	n := x.Pairs()
	var kernel []int // by block of n columns; -1: the policy
	if c.policy {
		kernel = append(kernel, -1)
	}
	for len(kernel)*n < c.count {
		for m, at := range c.at {
			if at == len(kernel)*n {
				kernel = append(kernel, m)
				break
			}
		}
	}
	return func(j int) (lo, hi float64) {
		m, i := kernel[j/n], j%n
		if m < 0 {
			return g.l[i], g.u[i]
		}
		k := m*x.S + x.State[i]
		return max(0, down(g.l[i]*g.L[k])), up(g.u[i] * g.U[k])
	}
}
