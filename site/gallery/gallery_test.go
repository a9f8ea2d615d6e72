package main

import (
	"bytes"
	"encoding/json"
	"math"
	"testing"

	"rcmdplab/core/instance"
	"rcmdplab/wasm/wire"
)

// claimed is what the lesson of a model rests on.
var claimed = map[string]string{"ambulance": "proved-infeasible", "river-swim": "proved-optimal", "queue": "proved-optimal"}

// Every model of the gallery has an answer that the checker accepts with its
// certificate, and whose numbers are those of its own policy.
func TestAnswersHold(t *testing.T) {
	items, err := gallery()
	if err != nil {
		t.Fatal(err)
	}
	if want := len(instance.Examples()); len(items) != want {
		t.Fatalf("%d items of %d examples", len(items), want)
	}
	groups := map[string]int{}
	for _, it := range items {
		groups[it.Group]++
		if it.Thumbnail == "" || it.Group == "" || it.Title == "" || it.Teaches == "" || it.Size == "" {
			t.Errorf("%s: no picture, group, title, size or lesson", it.ID)
		}
		var r struct {
			Status    string
			Feasible  bool
			Policy    json.RawMessage
			Objective struct{ Value, LowerBound, UpperBound, Gap *float64 }
		}
		if err := json.Unmarshal(it.Result, &r); err != nil {
			t.Fatal(err)
		}
		certificate, policy := it.Certificate, r.Policy
		if certificate == nil {
			certificate = json.RawMessage("null")
		}
		if !r.Feasible {
			policy = json.RawMessage("null")
		}
		v, err := value((&wire.Session{}).Call("check", it.Problem, certificate, policy))
		if err != nil {
			t.Errorf("%s: %v", it.ID, err)
			continue
		}
		var report struct {
			OK, Infeasible                    bool
			Objective, LowerBound, UpperBound *float64
			Reasons                           []string
		}
		if err := json.Unmarshal(v, &report); err != nil {
			t.Fatal(err)
		}
		if !report.OK {
			t.Errorf("%s: refused: %v", it.ID, report.Reasons)
		}
		if want, ok := claimed[it.ID]; ok && r.Status != want {
			t.Errorf("%s: %s, want %s", it.ID, r.Status, want)
		}
		near := func(what string, got, want *float64) {
			if got == nil && want == nil {
				return
			}
			if got == nil || want == nil || math.Abs(*got-*want) > 1e-6*math.Max(1e-9, math.Abs(*want)) {
				t.Errorf("%s: %s is %v, the checker says %v", it.ID, what, show(got), show(want))
			}
		}
		if r.Status == "proved-infeasible" {
			if !report.Infeasible {
				t.Errorf("%s: not proved infeasible", it.ID)
			}
			continue
		}
		near("the objective", r.Objective.Value, report.Objective)
		near("the lower bound", r.Objective.LowerBound, report.LowerBound)
		near("the upper bound", r.Objective.UpperBound, report.UpperBound)
	}
	if len(groups) != 3 || groups[stories] < 14 || groups[paper] == 0 || groups[random] == 0 {
		t.Errorf("groups %v: want three, with at least 14 stories", groups)
	}
}

func show(x *float64) any {
	if x == nil {
		return "unknown"
	}
	return *x
}

// The same sources give the same bytes: there is no clock in them.
func TestTheSameBytes(t *testing.T) {
	for _, e := range instance.Examples()[:3] {
		var both [2][]byte
		for i := range both {
			it, err := solved(e)
			if err != nil {
				t.Fatal(err)
			}
			if both[i], err = json.Marshal(it); err != nil {
				t.Fatal(err)
			}
		}
		if !bytes.Equal(both[0], both[1]) {
			t.Errorf("%s: two runs differ", e.ID)
		}
	}
}
