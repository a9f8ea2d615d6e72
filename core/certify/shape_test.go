//go:build !js

package certify

import (
	"math"
	"os"
	"regexp"
	"strings"
	"testing"

	"rcmdplab/core/internal/fixture"
	"rcmdplab/core/model"
	"rcmdplab/core/proof"
)

// Every kind of set is a shape, and no file but that of shapes tells one from another.
func TestKindsAreNamedInOnePlace(t *testing.T) {
	for _, kind := range model.Kinds() {
		if h := shapeOf(kind); (h.family == alone) != (kind == model.Finite) {
			t.Errorf("%s has no shape", kind)
		}
	}
	named := regexp.MustCompile(`model\.(KL|KLRegularized|L1|TV|L2|LInf|Chi2|Contamination|Interval)\b`)
	entries, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		name := e.Name()
		if !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") || name == "shape.go" {
			continue
		}
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if found := named.Find(text); found != nil {
			t.Errorf("%s names %s", name, found)
		}
	}
}

// Ends are outside the set: nature leads out of none, however large the radius, in fractions and in intervals.
func TestNatureDoesNotLeaveAnEnd(t *testing.T) {
	p := fixture.Decode(t, `{"format":"rcmdp/1","states":["end","bad"],"actions":["go"],"discount":0.5,"end":["end"],"initial":[1,0],
		"objective":{"name":"c","values":[[0],[1]]},"constraints":[],"uncertainty":{"kind":"l1","nominal":[[[1,0]],[[0,1]]],"radius":1,"support":"all"}}`)
	e, err := Evaluate(p, []float64{1, 1})
	if err != nil || e.Returns[0].Hi != 0 {
		t.Errorf("an end that costs nothing returns %v, %v", e.Returns, err)
	}
	for _, in := range []*instance{mustInstance(t, p), mustImage(t, p).instance} {
		for _, v := range []float64{0, .625} { // less than it comes to with half of the mass on bad
			c := &proof.Claim{Target: math.Inf(-1), Values: &proof.Values{V: []float64{v, 2}}}
			if bound, _, _ := in.worth(c, always); bound.Sign() > 0 {
				t.Errorf("values %v of an end that costs nothing prove %v", v, bound)
			}
		}
	}
}
