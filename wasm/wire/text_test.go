package wire

import (
	"encoding/json"
	"math"
	"testing"
)

func FuzzText(f *testing.F) {
	f.Add("π \u2028 \"quoted\" \\ \x00\x7f", 0.1)
	f.Add("\xff\xfe", math.Inf(-1))
	f.Fuzz(func(t *testing.T, s string, x float64) {
		b := new(text)
		b.open('{').key(s).nums([]float64{x, -x}).key("s").strs([]string{s, ""}).key("g").grid([][]float64{{x}, {}}).close('}')
		var got map[string]any
		if err := json.Unmarshal(b.b, &got); err != nil {
			t.Fatalf("%v in %s", err, b.b)
		}
		want, _ := json.Marshal(s) // the same reading of what is not UTF-8
		var ws string
		if err := json.Unmarshal(want, &ws); err != nil {
			t.Fatal(err)
		}
		if list, ok := got["s"].([]any); !ok || list[0] != ws {
			t.Errorf("string %q came back as %v", s, got["s"])
		}
		grid, ok := got["g"].([]any)
		if !ok {
			t.Fatalf("no grid in %s", b.b)
		}
		switch y := grid[0].([]any)[0].(type) {
		case nil:
			if !math.IsNaN(x) && !math.IsInf(x, 0) {
				t.Errorf("%v came back as null", x)
			}
		case float64:
			if y != x {
				t.Errorf("%v came back as %v", x, y)
			}
		}
	})
}
