package certify_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"rcmdplab/core/certify"
	"rcmdplab/core/model"
)

// unlikely is a problem in which nature makes a row with a nominal probability of q
// count: state s leads to bad, which costs 700 at every step, or to good; the others
// only make the model large.
func unlikely(t *testing.T, q float64, states int, kind string) *model.Problem {
	t.Helper()
	names, costs, entries := []string{`"s"`, `"bad"`, `"good"`}, []string{"[0]", "[700]", "[0]"}, []string{"[0,0,1," + fmt.Sprint(q) + "]", "[0,0,2,1]", "[1,0,1,1]", "[2,0,2,1]"}
	for k := 3; k < states; k++ {
		names, costs, entries = append(names, fmt.Sprintf(`"%d"`, k)), append(costs, "[1]"), append(entries, fmt.Sprintf("[%d,0,%d,1]", k, k))
	}
	p, faults, _ := model.Decode([]byte(`{"format":"rcmdp/1","states":[` + strings.Join(names, ",") + `],"actions":["x"],"discount":0.5,
		"initial":[1` + strings.Repeat(",0", states-1) + `],"objective":{"name":"money","values":[` + strings.Join(costs, ",") + `]},
		"uncertainty":{"nominal":{"entries":[` + strings.Join(entries, ",") + `]},` + kind + `}}`))
	if len(faults) > 0 {
		t.Fatal(faults)
	}
	return p
}

// Down to the least normal probability the returns of a policy are enclosed by what
// they are, at every size of model; below it a problem is refused with its place.
func TestUnlikelySuccessorsCountAsWhatTheyAre(t *testing.T) {
	for _, states := range []int{3, 80} {
		for _, q := range []float64{0x1p-1022, 3e-308, 1e-306, 1e-300, 1e-250, 1e-100, 1e-20} {
			policy := make([]float64, states)
			for i := range policy {
				policy[i] = 1
			}
			lo, hi := 0.0, 1.0
			for range 200 {
				p := (lo + hi) / 2
				if p*math.Log(p/q)+(1-p)*math.Log1p(-p)-(1-p)*math.Log1p(-q) > .3 {
					hi = p
				} else {
					lo = p
				}
			}
			for kind, want := range map[string]float64{
				`"kind":"kl-regularized","temperature":1`: max(0, 0.5*(1400+math.Log(q))),
				`"kind":"kl","radius":0.3`:                0.5 * lo * 1400,
				`"kind":"l1","radius":0.5`:                0.5 * 0.25 * 1400,
				`"kind":"contamination","radius":0.25`:    0.5 * 0.25 * 1400,
			} {
				p := unlikely(t, q, states, kind)
				e, err := certify.Evaluate(p, policy)
				if err != nil {
					t.Fatal(err)
				}
				if r := e.Returns[0]; !(r.Lo <= want*(1+1e-13) && r.Hi >= want*(1-1e-13) && r.Hi-r.Lo <= 1e-9*(1+want)) {
					t.Errorf("%d states, q = %v, %s: between %v and %v, and it is %v", states, q, kind, r.Lo, r.Hi, want)
				}
			}
			p := unlikely(t, 0x1p-1022, states, `"kind":"kl","radius":0.3`)
			p.Uncertainty.Nominal.Prob[0] = q * 0x1p-4
			if _, err := certify.Evaluate(p, policy); (err == nil) != (q > 1e-307) || err != nil && !strings.Contains(err.Error(), `action "x" in state "s"`) {
				t.Errorf("%d states, a probability of %v: %v", states, p.Uncertainty.Nominal.Prob[0], err)
			}
		}
	}
}
