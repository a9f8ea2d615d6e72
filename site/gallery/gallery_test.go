package main

import (
	"bytes"
	"encoding/json"
	"math"
	"os"
	"sync"
	"testing"

	"rcmdplab/core/instance"
	"rcmdplab/wasm/wire"
)

// claimed is what the lesson of a model rests on.
var claimed = map[string]string{"ambulance": "proved-infeasible", "river-swim": "proved-optimal", "queue": "proved-optimal"}

// made is the gallery, once for all tests: solved, or as the build has written it to the file that GALLERY names.
var made = sync.OnceValues(func() (items []item, err error) {
	file := os.Getenv("GALLERY")
	if file == "" {
		return gallery(), nil
	}
	text, err := os.ReadFile(file)
	if err == nil {
		err = json.Unmarshal(text, &items)
	}
	return items, err
})

// Every model of the gallery has an answer that the checker accepts with its
// certificate, and whose numbers are those of its own policy.
func TestAnswersHold(t *testing.T) {
	items, err := made()
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

// Along a limit the best value gets no worse as the limit is loosened, and no point's value is better
// than what is proved of a looser one. What is shown before the page's checker is there is held to that too.
func TestTradeoffsAreMonotone(t *testing.T) {
	items, err := made()
	if err != nil {
		t.Fatal(err)
	}
	for i, e := range instance.Examples() {
		a, ok := tradeoffs[e.ID]
		if !ok {
			continue
		}
		it := items[i]
		p := e.Make(map[string]float64{})
		own, sense := p.Constraints[a.limit].Bound, 1.0
		if p.Constraints[a.limit].AtLeast {
			sense = -1
		}
		if want := a.steps + 1; len(it.Curve.Points) != want {
			t.Errorf("%s: %d points, want %d", e.ID, len(it.Curve.Points), want)
		}
		type point struct {
			limit, value, bound float64
			feasible            bool
		}
		var points []point
		met, found := 0, false
		for _, fields := range it.Curve.Points {
			var q point
			var objective struct{ Value, LowerBound *float64 }
			for key, to := range map[string]any{"value": &q.limit, "feasible": &q.feasible, "objective": &objective} {
				if err := json.Unmarshal(fields[key], to); err != nil {
					t.Fatal(err)
				}
			}
			found = found || q.limit == own
			q.value, q.bound = math.Inf(1), math.Inf(-1)
			if q.feasible {
				met++
				q.value, q.bound = *objective.Value, *objective.LowerBound
			}
			points = append(points, q)
		}
		if !found || met < a.steps/3 {
			t.Errorf("%s: its own limit is among the points: %v; %d of them can be met", e.ID, found, met)
		}
		for _, tight := range points {
			for _, loose := range points {
				if (loose.limit-tight.limit)*sense > 0 && tight.value < loose.bound-1e-6*math.Abs(loose.bound) {
					t.Errorf("%s: %g at %g, though %g is proved of %g", e.ID, tight.value, tight.limit, loose.bound, loose.limit)
				}
			}
		}
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
			both[i] = must(json.Marshal(solved(e)))
		}
		if !bytes.Equal(both[0], both[1]) {
			t.Errorf("%s: two runs differ", e.ID)
		}
	}
}
