package certify

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"rcmdplab/core/certify/enclosure"
	"rcmdplab/core/internal/fixture"
	"rcmdplab/core/proof"
)

// sets are small rectangular sets around one nominal model of two states.
func sets() map[string]string {
	const n = `"nominal":[[[0.7,0.3],[0.5,0.5]],[[0.5,0.5],[0.6,0.4]]]`
	return map[string]string{
		"kl": `{"kind":"kl","radius":0.05,` + n + `}`, "chi2": `{"kind":"chi2","radius":0.05,` + n + `}`,
		"l1": `{"kind":"l1","radius":0.2,` + n + `}`, "tv": `{"kind":"tv","radius":0.1,"support":"all",` + n + `}`,
		"l2": `{"kind":"l2","radius":0.1,` + n + `}`, "linf": `{"kind":"linf","radius":0.1,` + n + `}`,
		"contamination":  `{"kind":"contamination","radius":0.1,` + n + `}`,
		"kl-regularized": `{"kind":"kl-regularized","temperature":0.5,` + n + `}`,
		"interval":       `{"kind":"interval","lower":[[[0.6,0.2],[0.4,0.4]],[[0.4,0.4],[0.5,0.3]]],"upper":[[[0.8,0.4],[0.6,0.6]],[[0.6,0.6],[0.7,0.5]]]}`,
		"finite":         `{"kind":"finite","kernels":[{"transitions":[[[0.7,0.3],[0.5,0.5]],[[0.5,0.5],[0.6,0.4]]]}]}`,
	}
}

// costsOf is an objective in three forms.
func costsOf(form string) string {
	switch form {
	case "next":
		return `{"name":"c","values":[[[0,2],[1,0.5]],[[1,1],[0.3,0.1]]]}`
	case "maximised":
		return `{"name":"c","sense":"maximize","values":[[0,1],[1,0.25]]}`
	}
	return `{"name":"c","values":[[0,1],[1,0.25]]}`
}

// solved is a value function at which the Bellman equation of the problem's
// objective holds: plain value iteration with the checker's own operator.
func solved(t testing.TB, in *instance) []float64 {
	t.Helper()
	w := []*big.Rat{big.NewRat(1, 1)}
	for range in.costs[1:] {
		w = append(w, new(big.Rat))
	}
	o := in.newOperator(w, 0)
	v := make([]float64, in.S)
	for range 400 {
		o.face(v, nil)
		next := make([]float64, in.S)
		for s := range next {
			next[s] = math.Inf(1)
			for i := in.Off[s]; i < in.Off[s+1]; i++ {
				q, _ := o.below(i)
				next[s] = min(next[s], v[s]+q.Over(o.zden).Near())
			}
		}
		v = next
	}
	return v
}

// The bound of a value function is below the best of all deterministic policies,
// which without limits is the optimum, and meets it at the fixed point; for any
// other values it is below as well, and no stronger claim is accepted.
func TestValuesBoundTheOptimum(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 7))
	for kind, set := range sets() {
		for _, form := range []string{"flat", "next", "maximised"} {
			p := fixture.Decode(t, fmt.Sprintf(`{"format":"rcmdp/1","name":"t","states":["x","y"],"actions":["a","b"],"discount":0.9,"initial":[0.25,0.75],
				"objective":%s,"constraints":[],"uncertainty":%s}`, costsOf(form), set))
			in, k := mustInstance(t, p), NewChecker(p)
			best := math.Inf(1)
			fixture.Policies(p.Layout, func(pi []float64) {
				e, err := Evaluate(p, pi)
				if err != nil {
					t.Fatal(err)
				}
				best = min(best, e.Returns[0].Hi)
			})
			v := solved(t, in)
			c, err := k.Strongest(proof.Claim{Problem: p.Hash(), Values: &proof.Values{V: v}}, always)
			if err != nil || !(c.Target <= best) || c.Target < best-1e-12*math.Abs(best)-1e-12 {
				t.Errorf("%s, %s: proves %v, the best policy has %v: %v", kind, form, c.Target, best, err)
			}
			if r := k.Check(&c, nil, always); !r.OK || r.LowerBound != c.Target {
				t.Errorf("%s, %s: its own claim is refused: %q", kind, form, r.Reasons)
			}
			c.Target = math.Nextafter(c.Target, 1e9)
			if r := k.Check(&c, nil, always); r.OK {
				t.Errorf("%s, %s: a claim one spacing stronger is accepted", kind, form)
			}
			for range 20 {
				for s := range v {
					v[s] += rng.NormFloat64()
				}
				c, err := k.Strongest(proof.Claim{Problem: p.Hash(), Values: &proof.Values{V: v}}, always)
				if err != nil || !(c.Target <= best) {
					t.Errorf("%s, %s: the values %v prove %v, the best policy has %v: %v", kind, form, v, c.Target, best, err)
				}
			}
		}
	}
}

// At a horizon of 10^9 the bound has all digits: nothing is lost to H² roundings.
func TestValuesKeepTheirDigitsAtLongHorizons(t *testing.T) {
	for kind, set := range sets() {
		doc := fmt.Sprintf(`{"format":"rcmdp/1","name":"t","states":["x","y"],"actions":["a","b"],"discount":0.999999999,"initial":[1,0],
			"objective":{"name":"c","values":[[0,1],[1,0.25]]},"constraints":[],"uncertainty":%s}`, set)
		p := fixture.Decode(t, doc)
		in := mustInstance(t, p)
		e := in.evaluate([]float64{0, 1, 0, 1}, nil, always)
		if r := e.Returns[0]; !(r.Hi-r.Lo <= 1e-12*r.Hi) && in.kernels != nil {
			t.Errorf("%s: [%v, %v]", kind, r.Lo, r.Hi)
		} else if !(r.Hi-r.Lo <= 1e-6*r.Hi) {
			t.Errorf("%s: [%v, %v]", kind, r.Lo, r.Hi)
		}
	}
}

// Exact residuals and fraction-free elimination agree: pinned holds the exact
// return, and is narrower than float64 can tell.
func TestPinnedHoldsTheExactReturn(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 9))
	for _, gamma := range []float64{0, 0.5, 0.99, 0.9999999} {
		p := garnet(rng, 6, 2, 2, gamma)
		in := mustInstance(t, p)
		grid := in.onGrid(randomPolicy(rng, p.Layout))
		ranges := in.underModels(func(k int) []span { return in.returns(grid, nil, k, true, nil, always) }, always)
		for n, v := range ranges {
			var worst *big.Rat
			for _, rows := range in.kernels {
				if j := in.exactSystem(rows, grid).solve()[n]; worst == nil || j.Cmp(worst) > 0 {
					worst = j
				}
			}
			wide, _ := new(big.Rat).Sub(v.hi, v.lo).Float64()
			if v.lo.Cmp(worst) > 0 || v.hi.Cmp(worst) < 0 || wide > 1e-20*math.Abs(enclosure.Nearest(worst)) {
				t.Errorf("γ = %v, cost %d: [%v, %v] of width %v, exact %v", gamma, n, enclosure.Nearest(v.lo), enclosure.Nearest(v.hi), wide, enclosure.Nearest(worst))
			}
		}
	}
}

// With a limit, prices carry it; a limit that none can meet is proved so, with
// the least violation; what is allowed to be missed weakens the claim.
func TestPricesCarryLimits(t *testing.T) {
	const doc = `{"format":"rcmdp/1","name":"t","states":["x"],"actions":["a","b"],"discount":0.5,"initial":[1],
		"objective":{"name":"c","values":[[0,1]]},"constraints":[{"name":"d","values":[[1,0.5]],"atMost":%v}],
		"uncertainty":{"kind":"l1","radius":0.1,"nominal":[[[1],[1]]]}}`
	p := fixture.Decode(t, fmt.Sprintf(doc, 1.5)) // half of each: J_0 = 1
	k := NewChecker(p)
	c := proof.Claim{Problem: p.Hash(), Values: &proof.Values{Prices: []float64{2}, V: []float64{4}}}
	c, err := k.Strongest(c, always)
	if err != nil || c.Target != 1 {
		t.Errorf("proves %v, %v; want 1", c.Target, err)
	}
	if r := k.Check(&c, []float64{0.5, 0.5}, always); !r.OK || r.Gap > 1e-300 {
		t.Errorf("the optimum is proved up to a gap of %v: %q", r.Gap, r.Reasons)
	}
	c.Allow = []float64{0x1p-21} // of a scale of 1
	if r := k.Check(&c, nil, always); r.OK {
		t.Error("the claim holds although the limit may be missed")
	}
	if c, err = k.Strongest(c, always); err != nil || c.Target != 1-0x1p-20 {
		t.Errorf("with an allowance proves %v, %v; want 1 - 2^-20", c.Target, err)
	}
	r := k.Check(&c, []float64{0.5 + 0x1p-21, 0.5 - 0x1p-21}, always)
	if !r.OK || r.Objective != 1-0x1p-20 || !slices.Equal(r.Allow, c.Allow) || !strings.Contains(strings.Join(r.Reasons, " "), "allows") {
		t.Errorf("a policy within the allowance: %v: %q", r.Allow, r.Reasons)
	}
	if r = k.Check(&c, []float64{0.5, 0.5}, always); !r.OK || r.Objective != 1 || r.Gap < 0x1p-20 {
		t.Errorf("what is allowed is no part of the gap %v: %q", r.Gap, r.Reasons)
	}
	for _, allow := range [][]float64{{1.01e-6}, {1}, {math.Inf(1)}, {math.NaN()}, {-1e-9}, {0, 0}} {
		c.Allow, c.Target = allow, -1e9
		if r := k.Check(&c, []float64{0.5, 0.5}, always); r.OK || r.Allow != nil || !math.IsInf(r.LowerBound, -1) {
			t.Errorf("%v is allowed: %q", allow, r.Reasons)
		}
		if _, err := k.Strongest(c, always); err == nil {
			t.Errorf("%v is allowed to what is proved", allow)
		}
	}
	p = fixture.Decode(t, fmt.Sprintf(doc, 0.75))
	k = NewChecker(p)
	c = proof.Claim{Problem: p.Hash(), Target: math.Inf(1), Values: &proof.Values{Prices: []float64{1}, V: []float64{1}}}
	if c, err = k.Strongest(c, always); err != nil || c.Relax >= 0.25 || c.Relax < 0.25-1e-15 {
		t.Errorf("the least violation is proved to exceed %v, %v; want 0.25", c.Relax, err)
	}
	if r := k.Check(&c, nil, always); !r.OK || r.LeastViolation != c.Relax {
		t.Errorf("%q", r.Reasons)
	}
	c.Relax = 0.25
	if r := k.Check(&c, nil, always); r.OK {
		t.Error("every policy is said to miss the limit by more than one does")
	}
}

// What is no proof by values is refused with a reason.
func TestValuesThatAreNoneAreRefused(t *testing.T) {
	p := fixture.Decode(t, `{"format":"rcmdp/1","name":"t","states":["x"],"actions":["a","b"],"discount":0.5,"initial":[1],
		"objective":{"name":"c","values":[[0,1]]},"constraints":[{"name":"d","values":[[1,0.5]],"atMost":1.5}],
		"uncertainty":{"kind":"l1","radius":0.1,"nominal":[[[1],[1]]]}}`)
	nan, k := math.NaN(), NewChecker(p)
	for what, c := range map[string]proof.Claim{
		"no price":           {Values: &proof.Values{V: []float64{4}}},
		"a negative price":   {Values: &proof.Values{Prices: []float64{-1}, V: []float64{4}}},
		"a price of NaN":     {Values: &proof.Values{Prices: []float64{nan}, V: []float64{4}}},
		"two values":         {Values: &proof.Values{Prices: []float64{2}, V: []float64{4, 4}}},
		"an infinite value":  {Values: &proof.Values{Prices: []float64{2}, V: []float64{math.Inf(1)}}},
		"a kernel":           {Values: &proof.Values{Kernel: 1, Prices: []float64{2}, V: []float64{4}}},
		"models of its own":  {Kernels: []proof.Kernel{{Rows: []float64{1, 1}}}, Values: &proof.Values{Prices: []float64{2}, V: []float64{4}}},
		"two proofs":         {Values: &proof.Values{Prices: []float64{2}, V: []float64{4}}, Nodes: []proof.Node{{Pair: -1}}},
		"no proof":           {},
		"a negative room":    {Allow: []float64{-1}, Values: &proof.Values{Prices: []float64{2}, V: []float64{4}}},
		"room for a cost":    {Allow: []float64{0, 1}, Values: &proof.Values{Prices: []float64{2}, V: []float64{4}}},
		"too many low parts": {Values: &proof.Values{Prices: []float64{2}, V: []float64{4}, Low: []float64{0, 0}}},
	} {
		c.Problem, c.Target = p.Hash(), 0.5
		if r := k.Check(&c, nil, always); r.OK || len(r.Reasons) == 0 {
			t.Errorf("%s: accepted: %q", what, r.Reasons)
		}
	}
	if r := k.Check(nil, nil, always); r.OK {
		t.Error("nothing at all is called right")
	}
}

// A certificate by values survives its document.
func TestValuesTravel(t *testing.T) {
	c := proof.Claim{Problem: "p", Target: 0.1, Relax: 0, Allow: []float64{1e-17, 0}, Values: &proof.Values{Kernel: 2, Prices: []float64{1e-9, 3}, V: []float64{1, -2.5}, Low: []float64{1e-20, 0}}}
	if d := clone(t, &c); fmt.Sprintf("%+v %+v", *d.Values, d.Allow) != fmt.Sprintf("%+v %+v", *c.Values, c.Allow) {
		t.Errorf("%+v reads back as %+v", *c.Values, *d.Values)
	}
}
