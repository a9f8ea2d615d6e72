//go:build !js

package certify

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"rcmdplab/core/model"
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
