package certify_test

import (
	"math"
	"regexp"
	"strconv"
	"testing"

	"rcmdplab/core/certify"
	"rcmdplab/core/internal/fixture"
	"rcmdplab/core/proof"
)

// A constraint whose threshold is the largest return of its cost is met by
// every policy, also where the return itself is only enclosed.
func TestConstraintsThatCannotBindAreMet(t *testing.T) {
	found := 0
	for _, name := range []string{"b_seed0", "b_seed2", "b_seed3", "b_seed4", "a_seed1"} {
		p := fixture.Problem(t, name)
		h := 1 / (1 - p.Discount)
		e, err := certify.Evaluate(p, p.Layout.Uniform())
		if err != nil {
			t.Fatal(err)
		}
		for n, c := range p.Constraints {
			if c.Bound < h*(1-1e-12) { // costs of these problems are at most 1
				continue
			}
			found++
			if r := e.Returns[n+1]; r.Verdict != certify.Met || !(r.Slack >= -1e-6) {
				t.Errorf("%s: %q, which cannot be exceeded: %+v", name, c.Name, r)
			}
		}
	}
	if found < 4 {
		t.Errorf("only %d such constraints", found)
	}
}

// What is said of a met constraint never shows a number beyond its limit.
func TestMetIsNotShownAsMissed(t *testing.T) {
	met := regexp.MustCompile(`under every model: (\S+) at the worst, at most (\S+)\.$`)
	said := 0
	for _, name := range []string{"a_seed0", "a_seed2", "rect_l1", "machine_repair_kl"} {
		p := fixture.Problem(t, name)
		best := fixture.Expected(t, name).BestKnown
		// Looser by what the stored policy may exceed.
		for i := range p.Constraints {
			p.Constraints[i].Bound += 1e-8
		}
		r := certify.Check(p, proof.Claim{Target: math.Inf(1)}, best.Policy.Flat(p.Layout))
		for _, s := range r.Reasons {
			if x := met.FindStringSubmatch(s); x != nil {
				said++
				worst, _ := strconv.ParseFloat(x[1], 64)
				limit, _ := strconv.ParseFloat(x[2], 64)
				if worst > limit {
					t.Errorf("%s: %s", name, s)
				}
			}
		}
	}
	if said < 6 {
		t.Errorf("only %d constraints were met", said)
	}
}
