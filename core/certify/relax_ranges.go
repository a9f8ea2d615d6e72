package certify

import (
	"math"
)

// ranges are what is known of every policy of a box that satisfies the
// hypotheses: l_i <= π(i) <= u_i, L_m(s) <= d_m(s) <= U_m(s) and
// d_m(s) <= R_{m,m'}(s) d_m'(s). They are float64s, and exactly those.
type ranges struct {
	l, u []float64 // by pair
	L, U []float64 // [m*S+s]
	R    []float64 // [(m*M+m')*S+s]
}

// root is the box of all policies.
func (x *relaxation) root() *ranges {
	n, s, m := x.Pairs(), x.S, x.kernels
	g := newRanges(n, m*s, m*m*s)
	for i := range g.u {
		g.u[i] = 1
	}
	for k := range g.U {
		g.L[k], g.U[k] = max(0, x.start[k%s].Lo()), 1 // d = (1-γ)μ + γPᵀx >= (1-γ)μ
	}
	for k := range g.R {
		if g.R[k] = math.Inf(1); k/s/m == k/s%m {
			g.R[k] = 1
		}
	}
	return g
}

func newRanges(pairs, occupancies, ratios int) *ranges {
	v := make([]float64, 2*pairs+2*occupancies+ratios)
	cut := func(n int) []float64 {
		c := v[:n:n]
		v = v[n:]
		return c
	}
	return &ranges{cut(pairs), cut(pairs), cut(occupancies), cut(occupancies), cut(ratios)}
}

func (g *ranges) size() int { return 2*len(g.l) + 2*len(g.L) + len(g.R) }

func (g *ranges) copy(from *ranges) {
	copy(g.l, from.l)
	copy(g.u, from.u)
	copy(g.L, from.L)
	copy(g.U, from.U)
	copy(g.R, from.R)
}

func (g *ranges) clone() *ranges {
	c := newRanges(len(g.l), len(g.L), len(g.R))
	c.copy(g)
	return c
}

func (x *relaxation) ratio(m, other, s int) int { return (m*x.kernels+other)*x.S + s }
