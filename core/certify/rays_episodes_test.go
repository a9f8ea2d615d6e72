package certify

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"rcmdplab/core/internal/fixture"
	"rcmdplab/core/internal/structured"
	"rcmdplab/core/model"
	"rcmdplab/core/proof"
)

// errand is a walk that ends, with a limit on hazards, and a proof by rays of it.
func errand(t testing.TB, n int, kind model.Kind, rounds int) (p *model.Problem, c proof.Claim) {
	t.Helper()
	p = fixture.Errand(t, n, kind, 1)
	raysOf(t, p, []float64{1}, rounds, func(got proof.Claim, _ float64) { c = got })
	c, err := NewChecker(p).Strongest(c, always)
	if err != nil {
		t.Fatalf("%s: %v", kind, err)
	}
	return p, c
}

// At discount 1, for every kind of set: no policy's own worst case, worked out by other means, is below what a proof by rays
// says, which is what the search says; it does not fall, and no more than that is accepted.
func TestRaysHoldAtDiscountOne(t *testing.T) {
	rng := rand.New(rand.NewPCG(61, 1))
	better := 0
	for _, kind := range []model.Kind{model.L1, model.TV, model.L2, model.LInf, model.Chi2, model.KL, model.Interval, model.Contamination} {
		p := fixture.Errand(t, 4, kind, 1)
		var policies [][]float64 // by cost
		for range 12 {
			j, _ := structured.Returns(p.Standard(), randomPolicy(rng, p.Layout))
			policies = append(policies, j)
		}
		k, before := NewChecker(p), math.Inf(-1)
		raysOf(t, p, []float64{1}, 8, func(c proof.Claim, bound float64) {
			got, err := k.Strongest(c, always)
			if err != nil || math.Abs(got.Target-bound) > 1e-6*math.Abs(bound) || got.Target < before {
				t.Fatalf("%s: the search says %v, the checker %v after %v, %v", kind, bound, got.Target, before, err)
			}
			if got.Target > before+1e-3 && !math.IsInf(before, -1) {
				better++
			}
			before = got.Target
			w := pricesOf(c.Rays)
			for _, j := range policies {
				if total := j[0] + w[1]*(j[1]-p.Constraints[0].Bound); total < got.Target*(1-1e-9) {
					t.Errorf("%s: a policy has %v, proved is %v", kind, total, got.Target)
				}
			}
			if r := k.Check(&got, nil, always); !r.OK || r.LowerBound != got.Target {
				t.Errorf("%s: %q", kind, r.Reasons)
			}
			got.Target = math.Nextafter(got.Target, math.Inf(1))
			if k.Check(&got, nil, always).OK {
				t.Errorf("%s: more than is proved was accepted", kind)
			}
		})
	}
	if better < 8 {
		t.Errorf("proofs rose %d times", better)
	}
}

// An episode goes on with 1/2 and ends in a or b with 1/4 each, of which nature moves 1/20 where it likes: either costs .3/.5 at
// worst, though never both. Values that say so prove it, and none above them, or above what an end costs, are taken.
func TestRaysOfTwoEnds(t *testing.T) {
	p := fixture.Decode(t, `{"format": "rcmdp/1", "states": ["s", "a", "b"], "actions": ["go"], "discount": 1, "end": ["a", "b"], "initial": [1, 0, 0],
		"objective": {"name": "c", "values": [[0], [1], [0]]}, "constraints": [{"name": "d", "values": [[0], [0], [1]], "atMost": 0.6}],
		"uncertainty": {"kind": "l1", "radius": 0.1, "nominal": [[[0.5, 0.25, 0.25]], [[0, 1, 0]], [[0, 0, 1]]]}}`)
	claim := func(s, a, b float64) proof.Claim {
		return proof.Claim{Problem: p.Hash(), Rays: &proof.Rays{Groups: [2][]float64{{1, 0}, {0, 1}}, Start: 1, T: []float64{0, .5, 1},
			V:    [][]float64{{s, a, 0}, {s, a / 2, b / 2}, {s, 0, b}},
			Pair: []int{0}, Ray: []int{1}, Rows: slices.Concat([]float64{.5, .3, .2}, []float64{.5, .2, .3})}}
	}
	k := NewChecker(p)
	got, err := k.Strongest(claim(.6-1e-9, 1, 1), always)
	if err != nil || !(got.Target > .6-1e-8 && got.Target <= .6) {
		t.Errorf("proved is %v, want .6: %v", got.Target, err)
	}
	for name, c := range map[string]proof.Claim{"a value above": claim(.6+1e-9, 1, 1), "an end above": claim(.6-1e-9, 1+1e-12, 1), "the other end": claim(.6-1e-9, 1, 1+1e-12)} {
		if got, err := k.Strongest(c, always); err == nil {
			t.Errorf("%s: accepted for %v", name, got.Target)
		}
	}
}
