package certify

import (
	"testing"

	"rcmdplab/core/bound"
	"rcmdplab/core/model"
	"rcmdplab/core/proof"
)

// Honest is a problem with a policy that meets its limits (nil: none does) and a proof
// that holds: what tests from outside forge.
type Honest struct {
	Name   string
	P      *model.Problem
	Policy []float64
	Cert   proof.Claim
}

// Honests are the proofs of testdata, by boxes, and one by tensors and one by rays.
func Honests(t testing.TB) (list []Honest) {
	for _, q := range proofs(t) {
		list = append(list, Honest{q.name, q.p, q.policy, q.cert})
	}
	p, _, c := tampered(t)
	w, rays := walked(t, 4, 8)
	e, ends := errand(t, 4, model.L1, 8)
	return append(list, Honest{"tensors", p, nil, *c}, Honest{"rays", w, nil, rays}, Honest{"rays of episodes", e, e.Standard().Uniform(), ends})
}

// Tight is a proof by boxes up to a hundred thousandth of the value of a policy.
func Tight(t testing.TB, p *model.Problem, value float64) *proof.Claim {
	c, _ := prove(t, p, bound.Settings{Gap: 1e-5}, value, 0, 200_000, never)
	return c
}
