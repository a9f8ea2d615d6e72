package wire

import (
	"fmt"
	"strings"
	"testing"
)

// paperCycle is a problem on which the paper's printed update ends up moving
// between two returns.
const paperCycle = `{"format":"rcmdp/1","name":"cycle","states":["s1","s2"],"actions":["go"],"discount":0.9,"initial":[1,0],
	"objective":{"name":"cost","values":[[0],[1]]},"constraints":[],"uncertainty":{"kind":"kl-regularized","evaluator":"%s","temperature":0.2,
	"nominal":{"entries":[[0,0,0,0.999964],[0,0,1,0.000036],[1,0,1,1]]}}}`

// That the paper's update does not settle is said by evaluate and by every run,
// with both ends; the soft evaluator has nothing to say.
func TestThePapersCycleIsSaid(t *testing.T) {
	for _, kind := range []string{"paper", "soft"} {
		doc := []byte(fmt.Sprintf(paperCycle, kind))
		var s Session
		var v struct{ Warnings []string }
		if _, err := answer(t, s.Call("evaluate", doc, []byte(`[[1],[1]]`)), &v); err != nil {
			t.Fatal(err)
		}
		said := func(what string, warnings []string) {
			all := strings.Join(warnings, " ")
			if got := strings.Contains(all, "7.7306") && strings.Contains(all, "8.4957"); got != (kind == "paper") || strings.Contains(all, "..") {
				t.Errorf("%s, %s: warnings %q", kind, what, warnings)
			}
		}
		said("evaluate", v.Warnings)
		for _, method := range []string{`"solve"`, `"slp"`, `"uniform"`, `"epirc-pgs","outerIterations":1,"innerIterations":5`, `"robust-policy-iteration"`} {
			if _, err := answer(t, s.Call("begin", []byte(`{"algorithm":`+method+`}`), doc), nil); err != nil {
				t.Fatal(err)
			}
			var r struct{ Result result }
			if _, err := answer(t, drive(t, &s, nil), &r); err != nil {
				t.Fatal(err)
			}
			said(method, r.Result.Warnings)
		}
	}
}
