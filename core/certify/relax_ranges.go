package certify

import (
	"slices"

	"rcmdplab/core/certify/enclosure"
)

// ranges are what is known of every policy of a box that satisfies the
// hypotheses: π(i) and d_m(s) are in an interval each, and d_m(s) <= R_{m,m'}(s) d_m'(s).
type ranges struct {
	policy    []interval // π, by pair
	occupancy []interval // d, [m*S+s]
	ratio     []interval // R, single numbers, [(m*M+m')*S+s]; the line where none is known
}

// root is the box of all policies.
func (x *relaxation) root() *ranges {
	s, m := x.S, x.kernels
	g := &ranges{make([]interval, x.Pairs()), make([]interval, m*s), make([]interval, m*m*s)}
	for i := range g.policy {
		g.policy[i] = enclosure.Of(0, 1)
	}
	for k := range g.occupancy {
		g.occupancy[k] = x.start[k%s].Max(zero).Upto(one) // d = (1-γ)μ + γPᵀx >= (1-γ)μ
	}
	for k := range g.ratio {
		if g.ratio[k] = enclosure.Line(); k/s/m == k/s%m {
			g.ratio[k] = one
		}
	}
	return g
}

// size is how many numbers they are.
func (g *ranges) size() int { return 2 * (len(g.policy) + len(g.occupancy) + len(g.ratio)) }

func (g *ranges) copy(from *ranges) {
	copy(g.policy, from.policy)
	copy(g.occupancy, from.occupancy)
	copy(g.ratio, from.ratio)
}

func (g *ranges) clone() *ranges {
	return &ranges{slices.Clone(g.policy), slices.Clone(g.occupancy), slices.Clone(g.ratio)}
}

func (x *relaxation) at(m, other, s int) int { return (m*x.kernels+other)*x.S + s }

// narrow takes what is known of a number besides into its range; false where there is none.
func narrow(range_ *interval, by interval) bool {
	both, some := range_.Both(by)
	if some {
		*range_ = both
	}
	return some
}

// lessen takes another number that R may be.
func lessen(r *interval, by interval) {
	if by = enclosure.Point(by.Hi()); by.Finite() && !(r.Finite() && r.AtMost(by)) {
		*r = by
	}
}
