package certify

import (
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"rcmdplab/core/certify/enclosure"
	"rcmdplab/core/evaluate"
)

// Corners are returns of policies; what prices come to in a box no policy of it is below; and a box that is nearly a policy is
// bounded by what that comes to, but for how its models' determinants differ.
func TestBoxesBoundTheirPolicies(t *testing.T) {
	for seed := range uint64(120) {
		r := rand.New(rand.NewPCG(seed, 9))
		p := averagedOver(t, r)
		p.Deterministic = false
		m := p.Standard()
		in, err := newInstance(p, always)
		if err != nil {
			t.Fatal(err)
		}
		x, err := in.newMixtures(0, always)
		if err != nil {
			t.Fatal(err)
		}
		points := make([][]float64, m.Pairs())
		for i, s := range m.State {
			points[i] = make([]float64, m.Off[s+1]-m.Off[s])
			points[i][i-m.Off[s]] = 1
		}
		moves := int(seed%8) * int(seed%8)
		for range moves {
			s := r.IntN(2)
			i, j := m.Off[s]+r.IntN(2), m.Off[s]
			if i == j {
				j++
			}
			if err := x.move(i, j); err != nil {
				t.Fatal(err)
			}
			for k := range points[i] {
				points[i][k] = (points[i][k] + points[j][k]) / 2
			}
		}
		n := leafOf(m, r, false)
		share := make([][]float64, 2)
		weights := make([][]*big.Rat, len(m.Kernels))
		for c := range share {
			if share[c] = n.Shares[c]; share[c] == nil {
				share[c] = slices.Clone(m.Weights)
			}
			for k := range weights {
				w := share[c][k]
				if c > 0 {
					w *= n.Prices[0]
				}
				weights[k] = append(weights[k], new(big.Rat).SetFloat64(w))
			}
		}
		low, err := x.least(weights)
		if err != nil {
			t.Fatal(err)
		}
		bound := enclosure.Nearest(low)
		ev, _ := evaluate.New(m)
		least, most := math.Inf(1), math.Inf(-1)
		for trial := range 40 {
			pi := make([]float64, m.Pairs())
			for s := range m.S {
				sum, beta := 0.0, make([]float64, m.Off[s+1]-m.Off[s])
				for k := range beta {
					if beta[k] = r.Float64(); trial < 12 { // corners too
						beta[k] = float64(r.IntN(2)) + 1e-300
					}
					sum += beta[k]
				}
				for k, b := range beta {
					for a, y := range points[m.Off[s]+k] {
						pi[m.Off[s]+a] += b / sum * y
					}
				}
			}
			ev.Evaluate(pi)
			got := 0.0
			for k := range m.Kernels {
				for c := range share {
					w, _ := weights[k][c].Float64()
					got += w * ev.ByKernel(c)[k]
				}
			}
			if got < bound-1e-9 {
				t.Fatalf("seed %d, %d moves: a policy of the box comes to %v, below the bound %v", seed, moves, got, bound)
			}
			least, most = min(least, got), max(most, got)
		}
		if moves >= 36 && least-bound > 1e-6+10*(most-least) {
			t.Errorf("seed %d, %d moves: the bound is %v, and policies come to %v to %v", seed, moves, bound, least, most)
		}
	}
}
