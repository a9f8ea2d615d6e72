package solve_test

import (
	"encoding/json"
	"os"
	"testing"

	"rcmdplab/core/evaluate"
	"rcmdplab/core/model"
	"rcmdplab/core/solve"
)

// The values recorded as the best of the ten problems of setting (a), which
// proofs are measured against, are not beaten by the search with its defaults,
// and the search reaches them.
func TestRecordedBestIsBest(t *testing.T) {
	var known map[string]float64
	text, err := os.ReadFile("../bound/testdata/best.json")
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, &known); err != nil || len(known) != 10 {
		t.Fatal(len(known), err)
	}
	alg, _ := solve.Find("slp")
	for name, best := range known {
		if testing.Short() && name != "random6" {
			continue
		}
		text, err := os.ReadFile("../bound/testdata/" + name + ".json")
		if err != nil {
			t.Fatal(err)
		}
		p, faults, _ := model.Decode(text)
		if len(faults) > 0 {
			t.Fatal(faults)
		}
		ev, err := evaluate.New(p.Standard())
		if err != nil {
			t.Fatal(err)
		}
		var last solve.Progress
		for last = range alg.Run(ev, alg.Defaults()) {
		}
		t.Logf("%s: %.14g, recorded %.14g", name, last.Best.Objective, best)
		if off := last.Best.Objective - best; !last.Best.Feasible || off < -1e-6*best || off > 1e-6*best {
			t.Errorf("%s: the search finds %v; recorded is %v", name, last.Best.Objective, best)
		}
	}
}
