package certify

import (
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"rcmdplab/core/certify/enclosure"
	"rcmdplab/core/evaluate"
	"rcmdplab/core/proof"
)

// What the prices of a leaf come to in a box no policy of it is below that meets what is priced; and a box that is nearly a policy is
// bounded by what that comes to, where nothing is priced alone.
func TestBoxesBoundTheirPolicies(t *testing.T) {
	meeting := 0
	for seed := range uint64(160) {
		r := rand.New(rand.NewPCG(seed, 9))
		p := averagedOver(t, r)
		p.Deterministic = false
		m := p.Standard()
		points := make([][]float64, m.Pairs())
		for i, s := range m.State {
			points[i] = make([]float64, m.Off[s+1]-m.Off[s])
			points[i][i-m.Off[s]] = 1
		}
		var moves [][2]int
		for range int(seed%8) * int(seed%8) {
			i := m.Off[r.IntN(2)] + r.IntN(2)
			j := m.Off[m.State[i]] + m.Off[m.State[i]+1] - 1 - i // the other of two
			moves = append(moves, [2]int{i, j})
			for k := range points[i] {
				points[i][k] = (points[i][k] + points[j][k]) / 2
			}
		}
		ev, _ := evaluate.New(m)
		var returns [][][]float64 // of policies of the box, by cost and model
		for trial := range 60 {
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
			returns = append(returns, [][]float64{slices.Clone(ev.ByKernel(0)), slices.Clone(ev.ByKernel(1))})
		}
		some := returns[r.IntN(len(returns))]
		p.Constraints[0].Bound = slices.Max(some[1])
		claim := &proof.Claim{Choices: &proof.Choices{Under: slices.Max(some[0])}}
		n := leafOf(m, r, false)
		if n.Scales = []float64{math.Exp(2 * r.NormFloat64()), math.Exp(r.NormFloat64()), 1}; seed%2 == 1 {
			n.Alone = make([]float64, 4*2*3)
			for i := range n.Alone {
				if cost := i / 3 % 2; r.IntN(3) == 0 && (m.Over[cost] == 0 || m.Weights[i%3] > m.Over[cost]) {
					n.Alone[i] = 3 * r.Float64()
				}
			}
		}
		in := newInstance(p, always)
		x := in.newMixtures(0, always)
		for _, e := range moves {
			x.move(e[0], e[1])
		}
		weights := make([][]*big.Rat, len(m.Kernels))
		for c := range 2 {
			for k := range weights {
				w := m.Weights[k]
				if n.Shares[c] != nil {
					w = n.Shares[c][k]
				}
				if c > 0 {
					w *= n.Prices[0]
				}
				weights[k] = append(weights[k], new(big.Rat).SetFloat64(w))
			}
		}
		low := x.least(claim, &n, weights)
		bound := enclosure.Nearest(low)
		least, most := math.Inf(1), math.Inf(-1)
		for _, j := range returns {
			got, meets := 0.0, true
			for k := range m.Kernels {
				for c, limit := range []float64{claim.Choices.Under, p.Constraints[0].Bound} {
					w, _ := weights[k][c].Float64()
					got += w * j[c][k]
					for use := range 4 {
						meets = meets && (n.Alone == nil || n.Alone[use*6+c*3+k] == 0 || j[c][k] <= limit)
					}
				}
			}
			if meets && n.Alone != nil {
				meeting++
			}
			if meets && got < bound-1e-9 {
				t.Fatalf("seed %d, %d moves: a policy of the box comes to %v, below the bound %v", seed, len(moves), got, bound)
			}
			least, most = min(least, got), max(most, got)
		}
		if len(moves) >= 36 && n.Alone == nil && least-bound > 1e-6+10*(most-least) {
			t.Errorf("seed %d, %d moves: the bound is %v, and policies come to %v to %v", seed, len(moves), bound, least, most)
		}
	}
	if meeting < 500 {
		t.Errorf("only %d policies meet what is priced", meeting)
	}
}
