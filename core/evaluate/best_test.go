package evaluate

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"rcmdplab/core/model"
)

// The best case of a contaminated row is (1-R) of the nominal one and R on the cheapest successor: iterated by
// hand. That of a list is the least of its members, and with no radius best, nominal and worst are one.
func TestBest(t *testing.T) {
	for seed := range uint64(8) {
		r := rand.New(rand.NewPCG(seed, 5))
		m := random(shape{s: 4, a: 3, m: 3, n: 1, gamma: 0.8}, seed)
		e, _ := New(m)
		pi := randomPolicy(m.Layout, r)
		e.Evaluate(pi)
		for n, got := range Best(e, pi) {
			if want := slices.Min(e.ByKernel(n)); got != want {
				t.Errorf("seed %d: cost %d is %v at best; the least of the kernels is %v", seed, n, got, want)
			}
		}
		radius := []float64{0, 0.3}[seed%2]
		p := *m.Problem
		p.Uncertainty = model.Uncertainty{Kind: model.Contamination, Nominal: m.Kernels[0], Radius: []float64{radius}}
		ball := p.Standard()
		e, err := New(ball)
		if err != nil {
			t.Fatal(err)
		}
		e.Evaluate(pi)
		for n, got := range Best(e, pi) {
			v := make([]float64, m.S)
			for range 200 {
				next := make([]float64, m.S)
				for i, s := range m.State {
					to, q := m.Kernels[0].Row(i)
					mean, least := 0.0, math.Inf(1)
					for j, u := range to {
						mean += q[j] * v[u]
						least = min(least, v[u])
					}
					next[s] += pi[i] * (ball.C[n][i] + m.Gamma*((1-radius)*mean+radius*least))
				}
				v = next
			}
			want := 0.0
			for s, x := range m.Mu {
				want += x * v[s]
			}
			if !(math.Abs(got-want) <= 1e-8) || radius == 0 && !(math.Abs(got-e.J[n]) <= 1e-8) || got > e.J[n]+1e-8 {
				t.Errorf("seed %d: cost %d is %v at best, iterated %v, at worst %v", seed, n, got, want, e.J[n])
			}
		}
	}
}
