package certify

import (
	"math/big"

	"rcmdplab/core/certify/enclosure"
)

// exactSystem is (I - γP^π)ᵀ d = μ of one kernel in integers, with a row for each
// cost below: the matrix of
//
//	| Tᵀ  m |      T = D (I - γP^π),  D diagonal and positive,
//	| c   0 |      m = μ·den(μ),  c_n(s) = D(s) c_n^π(s)·scale_n.
//
// Since d = D Tᵀ⁻¹ μ, the return J_n = Σ_s d(s) c_n^π(s) is c_n Tᵀ⁻¹ m over
// den(μ)·scale_n, and by Schur's formula
//
//	det |Tᵀ m; c_n 0| = -det(Tᵀ) · c_n Tᵀ⁻¹ m,
//
// so that fraction-free elimination gives every J_n without a back
// substitution.
type exactSystem struct {
	a     [][]*big.Int // S+N+1 rows of S+1
	scale []*big.Int   // den(μ)·scale_n
}

// exactSystem sets up kernel rows under the policy grid/2^48.
func (in *instance) exactSystem(rows []row, grid []int64) *exactSystem {
	n := in.S
	y := &exactSystem{a: make([][]*big.Int, n+len(in.costs)), scale: make([]*big.Int, len(in.costs))}
	for r := range y.a {
		y.a[r] = make([]*big.Int, n+1)
		for k := range y.a[r] {
			y.a[r][k] = new(big.Int)
		}
	}
	gn, gd := in.gamma.Num(), in.gamma.Denom()
	d := make([]*big.Rat, n) // D(s)
	t, f := new(big.Int), new(big.Int)
	for s := range n {
		den := in.common(s, rows, grid)
		for i := in.Off[s]; i < in.Off[s+1]; i++ {
			if grid[i] == 0 {
				continue
			}
			f.Quo(den, rows[i].den)
			f.Mul(f, t.SetInt64(grid[i]))
			f.Mul(f, gn)
			for j, to := range rows[i].next {
				x := y.a[to][s]
				x.Sub(x, t.Mul(f, rows[i].num[j]))
			}
		}
		diag := new(big.Int).Mul(gd, den)
		diag.Lsh(diag, gridBits)
		y.a[s][s].Add(y.a[s][s], diag)
		content := new(big.Int)
		for to := range n {
			content.GCD(nil, nil, content, t.Abs(y.a[to][s]))
		}
		for to := range n {
			y.a[to][s].Quo(y.a[to][s], content)
		}
		d[s] = new(big.Rat).SetFrac(diag, content)
	}
	for s, k := range in.mu.next {
		y.a[k][n].Set(in.mu.num[s])
	}
	for c := range in.costs {
		y.scale[c] = new(big.Int).Mul(in.costRow(y.a[n+c][:n], c, rows, grid, d), in.mu.den)
	}
	return y
}

// common is the least common denominator of the rows in use in state s.
func (in *instance) common(s int, rows []row, grid []int64) *big.Int {
	den := big.NewInt(1)
	for i := in.Off[s]; i < in.Off[s+1]; i++ {
		if grid[i] != 0 {
			den = enclosure.Common(den, rows[i].den)
		}
	}
	return den
}

// costRow writes D(s) c^π(s) times a common denominator, which it returns.
func (in *instance) costRow(dst []*big.Int, c int, rows []row, grid []int64, d []*big.Rat) *big.Int {
	v := make([]*big.Rat, in.S)
	for s := range v {
		v[s] = new(big.Rat)
		for i := in.Off[s]; i < in.Off[s+1]; i++ {
			if grid[i] != 0 {
				x := in.expected(c, i, &rows[i])
				v[s].Add(v[s], x.Mul(x, gridRat(grid[i])))
			}
		}
		v[s].Mul(v[s], d[s])
	}
	num, den := wholes(v)
	copy(dst, num)
	return den
}

// solve gives J_n for every cost by Bareiss' elimination: after step k every
// entry is a minor of order k+1, so the divisions are exact and the pivots are
// leading principal minors of Tᵀ, which are positive: T is a positive multiple
// of a strictly row diagonally dominant matrix with a positive diagonal. It
// overwrites the system. O(S³/3) products of numbers up to Σ_s bits long, see work.
func (y *exactSystem) solve() []*big.Rat {
	n := len(y.a[0]) - 1
	prev := big.NewInt(1)
	p, t := new(big.Int), new(big.Int)
	for k := range n {
		pivot := y.a[k][k]
		if pivot.Sign() <= 0 {
			panic("certify: a leading minor of I - γP is not positive")
		}
		for _, r := range y.a[k+1:] {
			for j := k + 1; j <= n; j++ {
				p.Mul(pivot, r[j])
				p.Sub(p, t.Mul(r[k], y.a[k][j]))
				r[j].Quo(p, prev)
			}
		}
		prev = pivot
	}
	out := make([]*big.Rat, len(y.scale))
	for c, s := range y.scale {
		num := new(big.Int).Neg(y.a[n+c][n])
		out[c] = new(big.Rat).SetFrac(num, s.Mul(s, prev))
	}
	return out
}

// work is about how many 64-bit products a system takes to set up and solve.
func (in *instance) work(rows []row, grid []int64) int {
	bits := 0 // Σ_s of the longest entry of T
	for s := range in.S {
		bits += in.common(s, rows, grid).BitLen() + gridBits + in.gamma.Denom().BitLen()
	}
	n, w := in.S+1, min(bits/64+1, 1<<20)
	return n * n * (n/3 + len(in.costs)) * w * w
}
