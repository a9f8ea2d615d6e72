package decide

import (
	"encoding/json"
	"math"
	"os"
	"strings"
	"testing"

	"rcmdplab/core/certify"
	"rcmdplab/core/evaluate"
	"rcmdplab/core/model"
	"rcmdplab/core/solve"
)

// modelCase reads a document of testdata/cases/models.
func modelCase(t testing.TB, name string, change ...string) *model.Problem {
	t.Helper()
	text, err := os.ReadFile("../testdata/cases/models/" + name + ".json")
	if err != nil {
		t.Fatal(err)
	}
	var held struct {
		Document json.RawMessage `json:"document"`
	}
	if err := json.Unmarshal(text, &held); err != nil {
		t.Fatal(err)
	}
	if change == nil {
		return problem(t, string(held.Document))
	}
	var short strings.Builder
	if err := compact(&short, held.Document); err != nil {
		t.Fatal(err)
	}
	return problem(t, strings.NewReplacer(change...).Replace(short.String()))
}

func compact(w *strings.Builder, doc json.RawMessage) error {
	var v any
	if err := json.Unmarshal(doc, &v); err != nil {
		return err
	}
	b, err := json.Marshal(v)
	w.Write(b)
	return err
}

func problem(t testing.TB, doc string) *model.Problem {
	t.Helper()
	p, faults, _ := model.Decode([]byte(doc))
	if len(faults) > 0 {
		t.Fatal(faults)
	}
	return p
}

// episode is the last record of the default method, whose claims the checker accepts again.
func episode(t testing.TB, p *model.Problem) (solve.Progress, certify.Report) {
	t.Helper()
	m := p.Standard()
	ev, err := evaluate.New(m)
	if err != nil {
		t.Fatal(err)
	}
	var last solve.Progress
	for last = range Method.Run(ev, Method.Defaults()) {
	}
	r := certify.NewChecker(p).Check(last.Certificate, last.Best.Policy, func() bool { return true })
	return last, r
}

// With a discount below 1 an end pays once, on arrival, discounted.
func TestDiscountedEnds(t *testing.T) {
	for _, g := range []float64{0.5, 0.9, 0.999} {
		p := modelCase(t, "total-risk", `"discount":1`, `"discount":`+num(g))
		last, r := episode(t, p)
		// Steps (1 + (1-q) g/2 x) ...: x = 1 + g(1-q)/2 x, crash = (.3 q g)/(1 - g(1-q)/2).
		crash := func(q float64) float64 { return .3 * q * g / (1 - g*(1-q)/2) }
		lo, hi := 0.0, 1.0
		for range 100 {
			if mid := (lo + hi) / 2; crash(mid) <= .1 {
				lo = mid
			} else {
				hi = mid
			}
		}
		want := 1 / (1 - g*(1-lo)/2)
		if !r.OK || math.Abs(last.Best.Objective-want) > 1e-7 || last.Best.Objective-last.LowerBound > 1e-7 {
			t.Errorf("discount %v: %v of [%v, ], want %v: %v %q", g, last.Best.Objective, last.LowerBound, want, last.Status, r.Reasons)
		}
	}
}

func num(x float64) string {
	b, _ := json.Marshal(x)
	return string(b)
}
