package wire

import (
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"testing"
)

// threeSteps has three decisions, an end that pays 7 on arrival, costs by step and something paid at the end.
const threeSteps = `{"format":"rcmdp/1","states":["a","b","goal"],"actions":["x","y"],"discount":0.9,"horizon":3,"end":["goal"],"initial":[0.5,0.5,0],
	"objective":{"name":"cost","values":[[[2,5],[1,4],[7,7]],[[2,5],[1,1],[7,7]],[[2,0],[1,4],[7,7]]],"final":[3,1,0]},
	"constraints":[{"name":"risk","values":[[1,0],[1,0],[0,0]],"atMost":2}],
	"uncertainty":{"kind":"l1","radius":0.2,"nominal":[[[0.2,0.5,0.3],[0,0,1]],[[0.4,0.3,0.3],[0,0.5,0.5]],[null,null]]}}`

// What is told of a policy by time is by decision, and adds up.
func TestWhatIsToldByDecision(t *testing.T) {
	var s Session
	doc := []byte(threeSteps)
	if _, err := answer(t, s.Call("begin", []byte(`{"algorithm":"solve","gap":0}`), doc), nil); err != nil {
		t.Fatal(err)
	}
	var run struct {
		Result struct {
			Status      string
			Policy      [][][]float64
			Reached     [][]bool
			Objective   struct{ Value float64 }
			Certificate json.RawMessage
		}
	}
	if _, err := answer(t, drive(t, &s, nil), &run); err != nil {
		t.Fatal(err)
	}
	r := run.Result
	if len(r.Policy) != 3 || len(r.Policy[2]) != 3 || len(r.Policy[2][0]) != 2 || len(r.Reached) != 3 || len(r.Reached[0]) != 3 || r.Reached[0][2] {
		t.Fatalf("policy %v, reached %v", r.Policy, r.Reached)
	}
	policy, _ := json.Marshal(r.Policy)
	var e struct {
		Returns []struct {
			Name  string
			Value float64
		}
		Occupancy [][][]float64
	}
	if _, err := answer(t, s.Call("evaluate", doc, policy), &e); err != nil || !(math.Abs(e.Returns[0].Value-r.Objective.Value) <= 1e-9) {
		t.Fatalf("%v: evaluated %v, found %v", err, e.Returns, r.Objective)
	}
	ended := 0.0 // before a step
	for step, d := range e.Occupancy[0] {
		sum := ended
		for _, p := range d {
			sum += p
		}
		if ended += d[2]; !(math.Abs(sum-1) <= 1e-9) {
			t.Errorf("step %d: %v and what has ended are %v", step+1, d, sum)
		}
	}
	var c struct{ Ok bool }
	if _, err := answer(t, s.Call("check", doc, r.Certificate, policy), &c); err != nil || !c.Ok {
		t.Errorf("check: %v %v", c, err)
	}
	start := 0.0
	for step := range 3 {
		for state := range 2 {
			var v struct {
				Step  int
				Costs []struct {
					Value   float64
					Actions []struct{ Probability, Value, Now, Onward float64 }
				}
				States [][][]struct{ Extra float64 }
			}
			if _, err := answer(t, s.Call("explain", doc, policy, fmt.Appendf(nil, `{"state":%d,"step":%d}`, state, step)), &v); err != nil {
				t.Fatal(err)
			}
			sum := 0.0
			for _, a := range v.Costs[0].Actions {
				sum += a.Probability * (a.Now + a.Onward)
			}
			if v.Step != step || len(v.States) != 3 || !(math.Abs(sum-v.Costs[0].Value) <= 1e-9) {
				t.Errorf("state %d at step %d: %v, terms of %v; %d", state, step, v.Costs[0].Value, sum, len(v.States))
			}
			if step == 0 {
				start += v.Costs[0].Value / 2
			}
		}
	}
	if !(math.Abs(start-r.Objective.Value) <= 1e-9) {
		t.Errorf("values at the start come to %v, the objective to %v", start, r.Objective.Value)
	}
	var sim simulation
	columns, err := answer(t, s.Call("simulate", doc, policy, []byte(`{"episodes":4000,"paths":3,"seed":1,"steps":50,"kernel":{"worst":"cost"}}`)), &sim)
	if err != nil {
		t.Fatal(err)
	}
	mean := 0.0
	for _, x := range columns["totals.0"] {
		mean += x / 4000
	}
	if !(math.Abs(mean-r.Objective.Value) <= .3) || sim.Truncation != 0 || !(math.Abs(sim.Costs[0].Expected-r.Objective.Value) <= 1e-9) {
		t.Errorf("simulated %v of %v, expected %v, truncation %v", mean, r.Objective.Value, sim.Costs[0].Expected, sim.Truncation)
	}
	if path := columns["path.0.states"]; len(path) < 3 || len(path) > 5 || path[len(path)-1] > 2 {
		t.Errorf("path %v", path)
	}
}

// A problem is summed up as the person wrote it, and what is not made for it says so.
func TestHorizonsAreSaid(t *testing.T) {
	var s Session
	var v struct {
		Ok      bool
		Summary struct {
			Text                     string
			States, Pairs, Decisions int
			Horizon                  float64
		}
	}
	if _, err := answer(t, s.Call("validate", []byte(threeSteps)), &v); err != nil {
		t.Fatal(err)
	}
	if x := v.Summary; !v.Ok || x.States != 3 || x.Pairs != 5 || x.Decisions != 3 || x.Horizon != 3 || !strings.Contains(x.Text, "3 decisions, discount 0.9") {
		t.Errorf("summary %+v", x)
	}
	_, err := answer(t, s.Call("landscape", []byte(threeSteps), []byte(`{"x":{"state":"a","from":"x","to":"y"},"y":{"state":"b","from":"x","to":"y"},"side":2,"lambda":[0]}`)), nil)
	if err == nil || !strings.Contains(err.Error(), "3 decisions") {
		t.Errorf("a landscape: %v", err)
	}
	var out struct {
		Text string
		Lost []string
	}
	if _, err := answer(t, s.Call("export", []byte(threeSteps), []byte(`"rcmdp"`), []byte(`{}`)), &out); err != nil || !strings.Contains(out.Text, `"horizon":3`) {
		t.Errorf("as it is: %v %v", err, out)
	}
	plain := strings.Replace(threeSteps, `"constraints":[{"name":"risk","values":[[1,0],[1,0],[0,0]],"atMost":2}],`, "", 1)
	plain = plain[:strings.Index(plain, `"uncertainty"`)] + `"uncertainty":{"kind":"finite","kernels":[{"transitions":[[[0.2,0.5,0.3],[0,0,1]],[[0.4,0.3,0.3],[0,0.5,0.5]],[null,null]]}]}}`
	if _, err := answer(t, s.Call("export", []byte(plain), []byte(`"drn"`), []byte(`{"lossy":true}`)), &out); err != nil || !strings.Contains(strings.Join(out.Lost, " "), "number of decisions (3)") || !strings.Contains(out.Text, "state 0") {
		t.Errorf("as DRN: %v %v", err, out)
	}
}
