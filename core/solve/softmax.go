package solve

import (
	"math"

	"rcmdplab/core/evaluate"
	"rcmdplab/core/model"
)

// softmax is a policy by its logits, for steps that multiply probabilities:
//
//	π(a|s) = exp θ(s,a) / Σ_a' exp θ(s,a')
//
// A probability of 0 has the logit -Inf and stays 0 under such steps; one that only
// becomes too small for a float64 does not.
type softmax struct {
	m     *model.Standard
	theta []float64 // by pair
	pi    []float64 // by pair
}

func newSoftmax(m *model.Standard, start []float64) *softmax {
	x := &softmax{m: m, theta: make([]float64, m.Pairs()), pi: m.ClonePolicy(start)}
	for i, p := range x.pi {
		x.theta[i] = math.Log(p)
	}
	return x
}

// step moves to π(a|s) ∝ exp(θ(s,a) - by·g(s,a)) with the given logits, which may be the policy's own. O(pairs).
func (x *softmax) step(theta []float64, by float64, g []float64) {
	for s := range x.m.S {
		from, to := x.m.Off[s], x.m.Off[s+1]
		top := math.Inf(-1)
		for i := from; i < to; i++ {
			x.theta[i] = theta[i] - float64(by*g[i])
			top = max(top, x.theta[i])
		}
		sum := 0.0
		for i := from; i < to; i++ {
			x.theta[i] -= top
			x.pi[i] = math.Exp(x.theta[i])
			sum += x.pi[i]
		}
		for i := from; i < to; i++ {
			x.pi[i] /= sum
		}
	}
}

// weightedValues writes Σ_n weight_n Q_n(s,a) by pair, each cost under its own worst kernel, for the
// evaluator's policy; work is as long. O((N+1) successors).
func weightedValues(dst, work []float64, ev *evaluate.Evaluator, weight []float64) {
	clear(dst)
	for n, w := range weight {
		if w == 0 {
			continue
		}
		ev.ActionValues(work, n)
		for i, q := range work {
			dst[i] += float64(w * q)
		}
	}
}
