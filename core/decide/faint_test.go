package decide_test

import (
	"fmt"
	"math"
	"os"
	"strings"
	"testing"

	"rcmdplab/core/certify"
	"rcmdplab/core/decide"
	"rcmdplab/core/evaluate"
	"rcmdplab/core/internal/fixture"
	"rcmdplab/core/proof"
	"rcmdplab/core/solve"
)

// One policy, one step of chance with a nominal probability near the end of the normal
// range, and nature's price of a divergence for it: the worst case is known in closed form,
// ½ (1400 + ln q) and more by less than the last digit. Limits on either side of it are met
// or missed by what they are, whatever exponents the quotients p/q have.
func TestPricesOfUnlikelyRowsAreNumbers(t *testing.T) {
	text, err := os.ReadFile("../certify/testdata/claims/least-violation-klreg-1e-306.json")
	if err != nil {
		t.Fatal(err)
	}
	for _, q := range []float64{0x1p-1022, 1e-306, 3e-305, 1e-300, 1e-200, 1e-20} {
		worth := 0.5 * (1400 + math.Log(q))
		for _, limit := range []float64{worth - 40, worth - 2.7, worth - 1e-6, worth + 1e-6, worth + 1.3, 360, 400, 690, 800} {
			doc := strings.NewReplacer("1e-306", fmt.Sprint(q), `"atMost": 345`, fmt.Sprintf(`"atMost": %v`, limit)).Replace(string(text))
			p := fixture.Decode(t, doc)
			ev, err := evaluate.New(p.Standard())
			if err != nil {
				t.Fatal(err)
			}
			var last solve.Progress
			for last = range decide.Method.Run(ev, decide.Method.Defaults()) {
			}
			miss := worth - limit
			switch {
			case limit > worth && (last.Status != solve.ProvedOptimal || !(math.Abs(last.Best.Objective-2) <= 1e-9)):
				t.Errorf("q = %v, at most %v: %v, %v (%s)", q, limit, last.Status, last.Best.Objective, last.Note)
			case limit < worth && (last.Status != solve.ProvedInfeasible || last.ViolationBound > miss || last.ViolationBound < miss-1e-9*worth):
				t.Errorf("q = %v, at most %v: %v, missed by %v and said to be by %v (%s)", q, limit, last.Status, miss, last.ViolationBound, last.Note)
			}
			if r := certify.Check(p, proof.Claim{Target: math.Inf(1)}, []float64{1, 1, 1}); r.Evaluation == nil ||
				!(math.Abs(r.Evaluation.Returns[1].Hi-worth) < 1e-9*worth && math.Abs(r.Evaluation.Returns[1].Lo-worth) < 1e-9*worth) {
				t.Errorf("q = %v: %v, and it is %v", q, r.Reasons, worth)
			}
		}
	}
}
