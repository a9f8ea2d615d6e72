package certify

import (
	"math"
	"math/big"

	"rcmdplab/core/proof"
)

// exactRow is a row in fractions, from the formulas in the comment of
// relaxation.row: coefficients by column, and its ends (nil: infinite).
type exactRow struct {
	a      map[int]*big.Rat
	lo, hi *big.Rat
}

// exactly holds what exact rows are made of.
type exactly struct {
	in            *instance
	kernels       [][]row
	penalties     [][]float64
	target, relax float64
}

func mul(a ...*big.Rat) *big.Rat {
	p := new(big.Rat).Set(a[0])
	for _, x := range a[1:] {
		p.Mul(p, x)
	}
	return p
}

func minus(a, b *big.Rat) *big.Rat { return new(big.Rat).Sub(a, b) }

// mapped is c̃_{n,m}(i) and b̃_n.
func (e *exactly) mapped(n, m, i int) (c, b *big.Rat) {
	lo, w := e.in.costRange(n)
	c = e.in.expected(n, i, &e.kernels[m][i])
	if e.penalties != nil {
		c.Sub(c, rat(e.penalties[m][i]))
	}
	c.Quo(minus(c, lo), w)
	if n > 0 {
		b = new(big.Rat).Add(e.in.b[n], rat(e.relax))
	} else if math.IsInf(e.target, 1) {
		return c, nil
	} else {
		b = rat(e.target)
	}
	rest := minus(big.NewRat(1, 1), e.in.gamma)
	return c, b.Quo(minus(mul(b, rest), lo), w)
}

func (e *exactly) row(g *ends, r proof.Row) exactRow {
	in, one := e.in, big.NewRat(1, 1)
	m, o, k := r.Kernel(), r.Other(), r.Index()
	y := exactRow{a: map[int]*big.Rat{}}
	put := func(col int, v *big.Rat) {
		if y.a[col] == nil {
			y.a[col] = new(big.Rat)
		}
		y.a[col].Add(y.a[col], v)
	}
	occupancy := func(m, s int, v *big.Rat) {
		for i := in.Off[s]; i < in.Off[s+1]; i++ {
			put((m+1)*in.Pairs()+i, v)
		}
	}
	zero := new(big.Rat)
	if r.Kind() == proof.Flow || r.Kind() == proof.Cost || r.Kind() == proof.Occupancy || r.Kind() == proof.Simplex {
		switch r.Kind() {
		case proof.Flow:
			for i, s := range in.State {
				v := mul(in.gamma, e.kernels[m][i].find(k))
				v.Neg(v)
				if s == k {
					v.Add(v, one)
				}
				put((m+1)*in.Pairs()+i, v)
			}
			y.lo = mul(minus(one, in.gamma), in.mu.find(k))
			y.hi = y.lo
		case proof.Cost:
			for i := range in.Pairs() {
				var v *big.Rat
				v, y.hi = e.mapped(k, m, i)
				put((m+1)*in.Pairs()+i, v)
			}
		case proof.Occupancy:
			occupancy(m, k, one)
			y.lo, y.hi = rat(g.L[m*in.S+k]), rat(g.U[m*in.S+k])
		case proof.Simplex:
			for i := in.Off[k]; i < in.Off[k+1]; i++ {
				put(i, one)
			}
			y.lo, y.hi = one, one
		}
		return y
	}
	s := in.State[k]
	l, u := rat(g.l[k]), rat(g.u[k])
	L, U := rat(g.L[m*in.S+s]), rat(g.U[m*in.S+s])
	neg := func(x *big.Rat) *big.Rat { return new(big.Rat).Neg(x) }
	y.lo = zero
	switch r.Kind() {
	case proof.BoxLow:
		put((m+1)*in.Pairs()+k, one)
		occupancy(m, s, neg(l))
	case proof.BoxHigh:
		put((m+1)*in.Pairs()+k, neg(one))
		occupancy(m, s, u)
	case proof.RatioLow, proof.RatioUp:
		R := rat(g.R[(m*len(e.kernels)+o)*in.S+s])
		end, sign := l, one
		if r.Kind() == proof.RatioUp {
			end, sign = u, neg(one)
		}
		put((o+1)*in.Pairs()+k, mul(sign, R))
		put((m+1)*in.Pairs()+k, neg(sign))
		occupancy(o, s, neg(mul(sign, end, R)))
		occupancy(m, s, mul(sign, end))
	case proof.McCormick1:
		put((m+1)*in.Pairs()+k, one)
		occupancy(m, s, neg(l))
		put(k, neg(L))
		y.lo = neg(mul(l, L))
	case proof.McCormick2:
		put((m+1)*in.Pairs()+k, one)
		occupancy(m, s, neg(u))
		put(k, neg(U))
		y.lo = neg(mul(u, U))
	case proof.McCormick3:
		put((m+1)*in.Pairs()+k, neg(one))
		occupancy(m, s, l)
		put(k, U)
		y.lo = mul(l, U)
	case proof.McCormick4:
		put((m+1)*in.Pairs()+k, neg(one))
		occupancy(m, s, u)
		put(k, L)
		y.lo = mul(u, L)
	}
	return y
}

// occupancies solves for x_m(i), normalised, in fractions.
func occupancies(in *instance, rows []row, grid []int64) []*big.Rat {
	s := in.S
	a := make([][]*big.Rat, s)
	for i := range a {
		a[i] = make([]*big.Rat, s+1)
		for j := range a[i] {
			a[i][j] = new(big.Rat)
		}
		a[i][i].SetInt64(1)
		a[i][s] = mul(minus(big.NewRat(1, 1), in.gamma), in.mu.find(i))
	}
	for i, from := range in.State {
		for to := range s {
			a[to][from].Sub(a[to][from], mul(in.gamma, gridRat(grid[i]), rows[i].find(to)))
		}
	}
	for k := range s {
		for i := range s {
			if i != k {
				f := new(big.Rat).Quo(a[i][k], a[k][k])
				for j := k; j <= s; j++ {
					a[i][j].Sub(a[i][j], mul(f, a[k][j]))
				}
			}
		}
	}
	x := make([]*big.Rat, in.Pairs())
	for i, from := range in.State {
		x[i] = mul(gridRat(grid[i]), new(big.Rat).Quo(a[from][s], a[from][from]))
	}
	return x
}
