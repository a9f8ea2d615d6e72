package wire

import (
	"encoding/json"
	"math"
	"slices"
	"testing"

	"rcmdplab/core/evaluate"
)

type evaluation struct {
	Returns []struct {
		Name                                string
		Value, ErrorBound, Slack, Violation float64
		ByKernel                            []float64
		Worst                               struct {
			Kernel  *struct{ Index int }
			Ties    []struct{ Index int }
			Support string
			Rows    []struct {
				State, Action                string
				Visits                       float64
				Moved                        *float64
				Successors                   []string
				Nominal, Lower, Upper, Worst []float64
				Omitted                      int
			}
		}
	}
	MaxViolation *float64
	Occupancy    [][]float64
}

func evaluated(t *testing.T, doc []byte, policy [][]float64) evaluation {
	t.Helper()
	p, err := json.Marshal(policy)
	if err != nil {
		t.Fatal(err)
	}
	var s Session
	var v evaluation
	if _, err := answer(t, s.Call("evaluate", doc, p), &v); err != nil {
		t.Fatal(err)
	}
	return v
}

// Kernels that are equally bad are all named, once each.
func TestTies(t *testing.T) {
	var doc map[string]any
	if err := json.Unmarshal(document(t, "machine_repair"), &doc); err != nil {
		t.Fatal(err)
	}
	u := doc["uncertainty"].(map[string]any)
	kernels := u["kernels"].([]any)
	m := standard(t, "machine_repair")
	one := evaluated(t, document(t, "machine_repair"), m.Grid(m.Uniform()))
	worst := one.Returns[0].Worst.Kernel.Index
	twin := map[string]any{"name": "twin", "transitions": kernels[worst].(map[string]any)["transitions"]}
	u["kernels"] = append(kernels, twin)
	b, err := json.Marshal(doc)
	if err != nil {
		t.Fatal(err)
	}
	two := evaluated(t, b, m.Grid(m.Uniform()))
	w := two.Returns[0].Worst
	if w.Kernel.Index != worst || len(w.Ties) != len(one.Returns[0].Worst.Ties)+1 || w.Ties[len(w.Ties)-1].Index != len(kernels) {
		t.Errorf("worst %v, ties %v; want %d and its twin %d", w.Kernel, w.Ties, worst, len(kernels))
	}
	if !slices.Equal(two.Returns[0].ByKernel[:len(kernels)], one.Returns[0].ByKernel) {
		t.Errorf("returns by kernel %v, want %v and one more", two.Returns[0].ByKernel, one.Returns[0].ByKernel)
	}
}

// The rows shown are nature's, beside the nominal ones, most moved first.
func TestWorstRows(t *testing.T) {
	for _, name := range []string{"rect_kl", "rect_l1", "rect_l2", "rect_tv", "rect_contamination", "rect_kl_regularized"} {
		m := standard(t, name)
		ev, err := evaluate.New(m)
		if err != nil {
			t.Fatal(err)
		}
		pi := m.Uniform()
		ev.Evaluate(pi)
		v := evaluated(t, document(t, name), m.Grid(pi))
		nominal := m.NormalisedNominal()
		for n, r := range v.Returns {
			if len(r.Worst.Rows) == 0 || r.Worst.Kernel != nil || r.Worst.Support == "" {
				t.Errorf("%s, %s: %d rows, support %q", name, r.Name, len(r.Worst.Rows), r.Worst.Support)
			}
			last := math.Inf(1)
			for _, row := range r.Worst.Rows {
				s, a := slices.Index(m.Problem.States, row.State), slices.Index(m.Problem.Actions, row.Action)
				p, q := make([]float64, m.S), make([]float64, m.S)
				ev.WorstRow(p, n, m.Pair(s, a))
				nominal.Dense(q, m.Pair(s, a))
				for i, name := range row.Successors {
					s := slices.Index(m.Problem.States, name)
					if row.Worst[i] != p[s] || row.Nominal[i] != q[s] {
						t.Errorf("%s: %s %s to %s: %v beside %v, want %v beside %v", name, row.State, row.Action, name, row.Worst[i], row.Nominal[i], p[s], q[s])
					}
				}
				if got := halfL1(p, q); *row.Moved != got || got*row.Visits > last {
					t.Errorf("%s: %s %s moved %v (want %v), after one of %v", name, row.State, row.Action, *row.Moved, got, last)
				}
				last = *row.Moved * row.Visits
			}
		}
	}
}

// An interval has no nominal row; its ends are shown instead.
func TestWorstRowsOfIntervals(t *testing.T) {
	doc := []byte(`{"format":"rcmdp/1","states":["a","b"],"actions":["x"],"discount":0.5,"initial":[1,0],
		"objective":{"name":"c","values":[[0],[1]]},
		"uncertainty":{"kind":"interval","lower":[[[0.2,0.3]],[[0.5,0.5]]],"upper":[[[0.7,0.8]],[[0.5,0.5]]]}}`)
	v := evaluated(t, doc, [][]float64{{1}, {1}})
	rows := v.Returns[0].Worst.Rows
	if len(rows) == 0 {
		t.Fatal("no rows")
	}
	r := rows[0]
	if r.State != "a" || r.Moved != nil || r.Nominal != nil || !slices.Equal(r.Lower, []float64{0.2, 0.3}) || !slices.Equal(r.Upper, []float64{0.7, 0.8}) {
		t.Errorf("first row %+v", r)
	}
	if !(math.Abs(r.Worst[0]-0.2) <= 1e-12) || !(math.Abs(r.Worst[1]-0.8) <= 1e-12) {
		t.Errorf("worst row %v, want [0.2 0.8]", r.Worst)
	}
	if v.MaxViolation != nil {
		t.Errorf("a violation without constraints: %v", *v.MaxViolation)
	}
}
