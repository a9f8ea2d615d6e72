package evaluate_test

import (
	"encoding/json"
	"fmt"
	"math"
	"testing"

	"rcmdplab/core/evaluate"
	"rcmdplab/core/internal/bellman"
	"rcmdplab/core/internal/fixture"
	"rcmdplab/core/model"
)

// fallsBack is an episode in which a step leads on, or back to the start: what is worst there comes to
// light one state after the other. Its end costs something, or nothing.
func fallsBack(t *testing.T, states int, end float64, set map[string]any) *model.Standard {
	var names []string
	var rows, costs []any
	for s := range states {
		names = append(names, fmt.Sprint("s", s))
		row := make([]float64, states)
		row[0] += .25
		row[max(s-1, 0)] += .25
		row[min(s+1, states-1)] += .5
		rows, costs = append(rows, []any{row}), append(costs, []float64{float64(1 + s*s%3)})
	}
	rows[states-1], costs[states-1] = []any{nil}, []float64{end}
	doc := map[string]any{
		"format": "rcmdp/1", "states": names, "actions": []string{"go"}, "discount": 1, "end": names[states-1:], "initial": append([]float64{1}, make([]float64, states-1)...),
		"objective": map[string]any{"name": "cost", "values": costs}, "constraints": []any{}, "uncertainty": set,
	}
	set["nominal"] = rows
	text, err := json.Marshal(doc)
	if err != nil {
		t.Fatal(err)
	}
	return fixture.Decode(t, string(text)).Standard()
}

// At discount 1 no step takes anything off a distance for sure: nature's policy iteration goes on until the residual says, by the time
// that is left, that it is there, and its error bound holds.
func TestEpisodesAtTheirWorst(t *testing.T) {
	for kind, radius := range map[string]float64{"kl": .05, "l1": .2, "tv": .1, "l2": .1, "linf": .1, "chi2": .05, "contamination": .1} {
		for _, end := range []float64{0, 7, -3} {
			m := fallsBack(t, 7, end, map[string]any{"kind": kind, "radius": radius})
			e, err := evaluate.New(m)
			if err != nil {
				t.Fatal(kind, err)
			}
			e.Evaluate(m.Uniform())
			b := bellman.New(t, m)
			q, v, w := make([]float64, m.Pairs()), make([]float64, m.S), []float64{1}
			v[m.S-1] = m.Paid(0, m.Pairs()-1, m.S-1)
			for range 100_000 {
				b.Apply(q, nil, v, w)
				moved := 0.0
				for s := range m.S - 1 {
					moved, v[s] = max(moved, math.Abs(q[s]-v[s])), q[s]
				}
				if moved < 1e-12*math.Abs(v[0]) {
					break
				}
			}
			if got, bound := e.J[0], e.ErrorBound[0]; !(math.Abs(got-v[0]) <= bound+1e-9*v[0]) || !(bound <= 1e-8*v[0]) {
				t.Errorf("%s, an end of %v: %.14g within %.2g; value iteration has %.14g", kind, end, got, bound, v[0])
			}
		}
	}
}
