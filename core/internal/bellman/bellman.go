// Package bellman is the robust Bellman operator in its plainest form, for tests.
package bellman

import (
	"testing"

	"rcmdplab/core/model"
	"rcmdplab/core/uncertainty"
)

// Operator is that of a rectangular set, one answer of the set a pair
// and nothing else: what robust value iteration stands on.
type Operator struct {
	m    *model.Standard
	set  uncertainty.Set
	z, p []float64 // work by successor
}

// New makes that of a problem; in the regularised one nature pays once for each
// transition, whatever the weights.
func New(t testing.TB, m *model.Standard) *Operator {
	t.Helper()
	set, err := uncertainty.NewWeighted(m, m.Gamma)
	if err != nil {
		t.Fatal(err)
	}
	return &Operator{m: m, set: set, z: make([]float64, m.S), p: make([]float64, m.S)}
}

// Apply writes, by pair, for the cost c = Σ_n weights[n] c_n,
//
//	q(s,a) = max_{p ∈ U(s,a)} Σ_s' p(s') (c(s,a,s') + γ v(s')),
//
// less the penalty, and to upper, if not nil, numbers that are at least the exact maxima. It
// returns the rows that attain q.
func (b *Operator) Apply(q, upper, v, weights []float64) *model.Kernel {
	m, k := b.m, &model.Kernel{Ptr: []int{0}}
	for i := range m.Pairs() {
		next := b.set.Support(i)
		z, p := b.z[:len(next)], b.p[:len(next)]
		for j, s := range next {
			z[j] = m.Gamma * v[s]
			for n, w := range weights {
				switch {
				case w == 0:
				case m.CNext[n] != nil:
					z[j] += w * m.CNext[n][i*m.S+s]
				default:
					z[j] += w * m.C[n][i]
				}
			}
		}
		a := b.set.Answer(p, i, z)
		if q[i] = a.Value; upper != nil {
			upper[i] = a.Upper
		}
		k.AddNonzero(next, p)
	}
	return k
}
