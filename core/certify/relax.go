package certify

import (
	"math"
	"math/big"

	"rcmdplab/core/certify/enclosure"
	"rcmdplab/core/model"
	"rcmdplab/core/proof"
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
	kernels int                  // how many
	start   []enclosure.Interval // (1-γ) μ(s)
	flowIdx [][]int              // [m*S+s] the pairs with a coefficient in Flow
	flowVal [][]float64          // its coefficients
	cost    [][][]float64        // [m][n] c̃ by pair, nearest
	limit   []float64            // by cost: b̃, rounded up; +Inf for an objective without target
	acc     accumulator          // of the step being recomputed
}

// Coefficients are within this many unit roundoffs of those of the exact
// instance and the ranges of the frame: γP and its two factors in Flow, R(1-l)
// in the ratio rows; every other row has fewer.
const coefficientError = 3

// newRelaxation prepares the rows for the certificate's kernels and its limits;
// penalties is nil, or by kernel and pair. It fails only when more says no.
func (in *instance) newRelaxation(kernels [][]row, penalties [][]float64, cert *proof.Claim, more func() bool) (*relaxation, error) {
	x := &relaxation{Layout: in.Layout, kernels: len(kernels), start: make([]enclosure.Interval, in.S)}
	rest := new(big.Rat).Inv(in.horizon) // 1-γ
	for j, s := range in.mu.next {
		x.start[s] = enclosure.Around(new(big.Rat).Mul(rest, in.mu.at(j)))
	}
	for _, rows := range kernels {
		if !x.addFlow(in, rows, more) {
			return nil, ErrLeft
		}
	}
	x.cost = make([][][]float64, len(kernels))
	for n := range in.costs {
		lo, w := in.costRange(n)
		for m, rows := range kernels {
			if !more() {
				return nil, ErrLeft
			}
			if m > 0 && in.costs[n].next == nil && penalties == nil { // the same under all kernels
				x.cost[m] = append(x.cost[m], x.cost[0][n])
				continue
			}
			var paid []float64
			if penalties != nil {
				paid = penalties[m]
			}
			x.cost[m] = append(x.cost[m], in.mapped(n, rows, paid))
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
		x.limit = append(x.limit, enclosure.Above(b.Quo(b.Sub(b, lo), w)))
	}
	return x, nil
}

// mapped is c̃ of cost n by pair, each the nearest float64; paid is nil, or by pair.
func (in *instance) mapped(n int, rows []row, paid []float64) []float64 {
	num, den := in.costs[n].whole()
	lo, hi := num[0], num[0]
	for _, x := range num {
		if x.Cmp(lo) < 0 {
			lo = x
		}
		if x.Cmp(hi) > 0 {
			hi = x
		}
	}
	w := new(big.Int).Sub(hi, lo) // over den
	if w.Sign() == 0 {
		w.Set(den)
	}
	c := make([]float64, in.Pairs())
	t := new(big.Int)
	for i := range c {
		v, by := new(big.Int), w
		if in.costs[n].next == nil {
			v.Sub(num[i], lo)
		} else {
			r := &rows[i]
			for j, to := range r.next {
				v.Add(v, t.Mul(r.num[j], num[i*in.S+to]))
			}
			v.Sub(v, t.Mul(lo, r.den))
			by = new(big.Int).Mul(w, r.den)
		}
		if paid != nil && paid[i] != 0 {
			p := new(big.Rat).SetFloat64(paid[i]) // p den w^-1 by, over by
			v.Mul(v, p.Denom())
			v.Sub(v, t.Quo(t.Mul(t.Mul(p.Num(), den), by), w))
			by = new(big.Int).Mul(by, p.Denom())
		}
		c[i] = enclosure.Ratio(v, by)
	}
	return c
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
	gamma := enclosure.Nearest(in.gamma)
	gn, gd, t := in.gamma.Num(), in.gamma.Denom(), new(big.Int)
	for i, s := range in.State {
		if i%16 == 0 && !more() {
			return false
		}
		r := &rows[i]
		own := false
		for j, to := range r.next {
			v := -(gamma * r.near[j])
			if to == s {
				den := new(big.Int).Mul(gd, r.den)
				v, own = enclosure.Ratio(t.Sub(den, t.Mul(gn, r.num[j])), den), true
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

// accumulator forms r = f - Aᵀy column by column with error bounds.
type accumulator struct {
	r, abs []float64     // r_j and Σ of the magnitudes of its terms
	rows   int           // taken so far
	weight float64       // Σ_i |y_i|, roughly
	total  enclosure.Sum // Σ_i y_i·(end of row i), the ends rounded outwards
}

func (a *accumulator) reset(columns int) {
	if cap(a.r) < columns {
		a.r, a.abs = make([]float64, columns), make([]float64, columns)
	}
	a.r, a.abs = a.r[:columns], a.abs[:columns]
	clear(a.r)
	clear(a.abs)
	a.rows, a.weight, a.total = 0, 0, enclosure.Sum{}
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
	a.weight += math.Abs(y)
	a.total.Add(y * end)
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
// that is allowed for. A coefficient below the normal range is off by up to 2^-1073
// more, which y multiplies. Since x_j >= 0, r_j may be replaced by a lower bound.
func (a *accumulator) bound(box func(j int) (lo, hi float64)) float64 {
	k, faint := float64(a.rows+coefficientError+3)*enclosure.Ulp, enclosure.Up(a.weight*0x1p-1070)+enclosure.Underflow
	for j, r := range a.r {
		low := enclosure.Down(r - enclosure.Up(k*a.abs[j]+faint))
		lo, hi := box(j)
		if low >= 0 {
			a.total.Add(low * lo)
		} else {
			a.total.Add(low * hi)
		}
	}
	return a.total.Bounds(1).Lo()
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
		return max(0, enclosure.Down(g.l[i]*g.L[k])), enclosure.Up(g.u[i] * g.U[k])
	}
}
