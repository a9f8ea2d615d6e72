package certify

import (
	"math/big"

	"rcmdplab/core/certify/enclosure"
)

// Probabilities of a policy are certified on the grid of multiples of 2^-48:
// they are exact as float64, and cheap as integers.
const gridBits = 48

const gridOne = 1 << gridBits

// GridStep is the step of the grid on which probabilities are taken.
const GridStep = 1.0 / gridOne

// onGrid rounds a policy to the grid, per state, with the first largest entry
// moved so that the row sums to exactly 1. It returns numerators over 2^48, by
// pair.
func (in *instance) onGrid(policy []float64) []int64 {
	if len(policy) != in.Pairs() {
		refuse("the policy has %d probabilities; the problem has %d available state-action pairs", len(policy), in.Pairs())
	}
	out, slack := make([]int64, len(policy)), enclosure.OnGrid(rowSlack, gridBits)
	for s := range in.S {
		a, b := in.Off[s], in.Off[s+1]
		top, total := a, int64(0)
		for i := a; i < b; i++ {
			x := enclosure.Point(policy[i])
			if !x.Finite() || x.Sign() < 0 || !x.AtMost(enclosure.Point(1+rowSlack)) {
				refuse("the policy's probability of %s is %v; want a number between 0 and 1", in.pairName(i), policy[i])
			}
			out[i] = enclosure.OnGrid(policy[i], gridBits)
			total += out[i]
			if out[i] > out[top] {
				top = i
			}
		}
		if miss := gridOne - total; miss < -slack || miss > slack {
			refuse("the policy's probabilities in state %q sum to %.12g; want 1 within 1e-09", in.p.States[s], enclosure.FromGrid(total, gridBits))
		}
		out[top] += gridOne - total
		if in.p.Deterministic && out[top] != gridOne {
			refuse("the policy mixes actions in state %q, %s among them with probability %v; the problem asks for one action in each state",
				in.p.States[s], in.p.Actions[in.Act[top]], policy[top])
		}
	}
	return out
}

// fromGrid gives the exact float64 probabilities.
func fromGrid(grid []int64) []float64 {
	pi := make([]float64, len(grid))
	for i, g := range grid {
		pi[i] = enclosure.FromGrid(g, gridBits)
	}
	return pi
}

func gridRat(g int64) *big.Rat { return big.NewRat(g, gridOne) }
