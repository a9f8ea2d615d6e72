package bound

import (
	"encoding/json"
	"os"
	"testing"

	"rcmdplab/core/internal/fixture"
	"rcmdplab/core/model"
)

// problem loads a problem of testdata or of the fixtures, and the best value known.
func problem(t testing.TB, name string) (m *model.Standard, best float64) {
	t.Helper()
	if data, err := os.ReadFile("testdata/" + name + ".json"); err == nil {
		p, faults, _ := model.Decode(data)
		if len(faults) > 0 {
			t.Fatal(faults)
		}
		var known map[string]float64
		data, err := os.ReadFile("testdata/best.json")
		if err == nil {
			err = json.Unmarshal(data, &known)
		}
		if err != nil {
			t.Fatal(err)
		}
		return p.Standard(), known[name]
	}
	k := fixture.Expected(t, name)
	return fixture.Problem(t, name).Standard(), k.BestKnown.Objective
}
