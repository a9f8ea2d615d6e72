package wire

import (
	"math"
	"strings"
	"testing"
)

const lens = `{"x":{"state":"s1","from":"a2","to":"a1"},"y":{"state":"s2","from":"a2","to":"a1"},`

// A landscape's value at a grid point is the Lagrangian of the policy there,
// as evaluate gives it.
func TestLandscapeEqualsEvaluation(t *testing.T) {
	var s Session
	doc := document(t, "fig1_epigraph")
	var side int
	cols, e := answer(t, s.Call("landscape", doc, []byte(lens+`"side":5,"lambda":[0.5]}`)), &side)
	if e != nil {
		t.Fatal(e)
	}
	if side != 5 || len(cols["value"]) != 25 || len(cols["dx"]) != 25 {
		t.Fatalf("side %d, %d values", side, len(cols["value"]))
	}
	// x = 0.25, y = 0.75; the absorbing states take either action.
	var r struct {
		Returns []struct{ Value, Threshold float64 }
	}
	policy := `[[0.25,0.75],[0.75,0.25],[0.5,0.5],[0.5,0.5]]`
	if _, e := answer(t, s.Call("evaluate", doc, []byte(policy)), &r); e != nil {
		t.Fatal(e)
	}
	want := r.Returns[0].Value + 0.5*(r.Returns[1].Value-r.Returns[1].Threshold)
	if got := cols["value"][3*5+1]; !(math.Abs(got-want) <= 1e-12) {
		t.Errorf("L = %v, want %v", got, want)
	}
	if got := cols["objective"][3*5+1]; !(math.Abs(got-r.Returns[0].Value) <= 1e-12) {
		t.Errorf("objective %v, want %v", got, r.Returns[0].Value)
	}
	pts, e := answer(t, s.Call("descent", doc, []byte(lens+`"epigraph":true,"b0":0.8,"start":[0.5,0.5],"step":0.05,"steps":50}`)), nil)
	if e != nil || len(pts["points"]) < 4 || pts["points"][0] != 0.5 {
		t.Errorf("path %v, %v", pts, e)
	}
}

func TestFiguresRefuseBadViews(t *testing.T) {
	var s Session
	doc := document(t, "fig1_epigraph")
	for _, tc := range []struct{ call, view, want string }{
		{"landscape", `7`, "a view is an object"},
		{"landscape", `{"x":{"state":"nowhere"}}`, `there is no state "nowhere"`},
		{"landscape", `{"x":{"state":"s1","from":"a1","to":"a9"}}`, `action "a9" is not available in state "s1"`},
		{"landscape", `{"x":{"state":"s1","from":"a1","to":"a1"}}`, "two different actions"},
		{"landscape", strings.ReplaceAll(lens, "s2", "s1") + `"side":5,"lambda":[1]}`, "different states"},
		{"landscape", lens + `"side":5,"lambda":[1,2]}`, "one for each of 1 constraints"},
		{"landscape", lens + `"side":1000,"lambda":[1]}`, "from 2 to 512"},
		{"descent", lens + `"lambda":[1],"step":0,"steps":5}`, "positive number"},
		{"descent", lens + `"lambda":[1],"step":1,"steps":5,"start":[2,0]}`, "two probabilities"},
	} {
		_, e := answer(t, s.Call(tc.call, doc, []byte(tc.view)), nil)
		if e == nil || e.Code != InvalidOption || !strings.Contains(e.Message, tc.want) {
			t.Errorf("%s %s: %v, want %q", tc.call, tc.view, e, tc.want)
		}
	}
}

func TestAggregateTraces(t *testing.T) {
	var s Session
	var r struct {
		Series []struct {
			Method    string
			Violation struct{ Mean, SD []*float64 }
			Relative  struct{ Mean []*float64 }
		}
		Table []struct {
			Method         string
			Jobs, Feasible int
			Best           struct{ Mean *float64 }
		}
		CSV string
	}
	in := `{"setting":"a","methods":["A","B"],"traces":[
		{"method":0,"seed":3,"horizon":100,"uniform":50,"objective":[40,30],"violation":[1,-1]},
		{"method":0,"seed":4,"horizon":100,"uniform":60,"objective":[40,50],"violation":[-1,null]},
		{"method":1,"seed":3,"horizon":100,"uniform":50,"objective":[45],"violation":[2]}]}`
	if _, e := answer(t, s.Call("aggregate", []byte(in)), &r); e != nil {
		t.Fatal(e)
	}
	if *r.Series[0].Relative.Mean[0] != -15 || *r.Series[0].Violation.Mean[1] != -1 || len(r.Series[1].Violation.Mean) != 1 {
		t.Errorf("series %+v", r.Series)
	}
	if r.Table[0].Feasible != 2 || *r.Table[0].Best.Mean != -20 || r.Table[1].Feasible != 0 || r.Table[1].Best.Mean != nil {
		t.Errorf("table %+v", r.Table)
	}
	if !strings.Contains(r.CSV, "a,B,3,0,45,-5,2\n") {
		t.Errorf("CSV %s", r.CSV)
	}
	for _, bad := range []string{`[`, `{"methods":["A"],"traces":[{"method":1}]}`, `{"methods":["A"],"traces":[{"objective":[1]}]}`, `{"methods":["A"],"traces":[{"objective":[1],"violation":[1]}]}`} {
		if _, e := answer(t, s.Call("aggregate", []byte(bad)), nil); e == nil || e.Code != InvalidOption {
			t.Errorf("%s: %v", bad, e)
		}
	}
}

// The tolerance for a feasible step is a share of the horizon of the problem
// that the trace comes from.
func TestAggregateCountsFeasibleByHorizon(t *testing.T) {
	var s Session
	for _, tc := range []struct {
		horizon string
		want    int
	}{{"200", 1}, {"20", 0}} {
		var r struct{ Table []struct{ Feasible int } }
		in := `{"methods":["A"],"traces":[{"method":0,"seed":1,"horizon":` + tc.horizon + `,"uniform":5,"objective":[4],"violation":[1e-9]}]}`
		if _, e := answer(t, s.Call("aggregate", []byte(in)), &r); e != nil {
			t.Fatal(e)
		}
		if r.Table[0].Feasible != tc.want {
			t.Errorf("horizon %s: %d feasible, want %d", tc.horizon, r.Table[0].Feasible, tc.want)
		}
	}
}

func TestTheoryOfFigureOne(t *testing.T) {
	var s Session
	var r struct {
		Horizon, Epsilon, C, CAlpha, CT, StepSize, InnerIterations float64
		Mismatch                                                   *float64
		MismatchBound                                              bool
		OuterIterations, Evaluations                               *float64
		Corollary                                                  struct{ StepSize, InnerIterations *float64 }
	}
	if _, e := answer(t, s.Call("theory", document(t, "fig1_epigraph"), []byte(`{"epsilon":0.1}`)), &r); e != nil {
		t.Fatal(e)
	}
	// α = C_α ε², T = C_T ε⁻⁴; the corollary has α/4, 16 T and ⌈log2(2H/ε)⌉ outer steps.
	if !(math.Abs(r.StepSize/(r.CAlpha*0.01)-1) <= 1e-12) || !(math.Abs(*r.Corollary.InnerIterations/(16*r.CT*1e4)-1) <= 1e-12) || *r.OuterIterations != 5 {
		t.Errorf("theory %+v", r)
	}
	// Where the initial distribution misses a state, D is infinite: null.
	if _, e := answer(t, s.Call("theory", document(t, "gridworld3x3_start"), []byte(`{"epsilon":0.1}`)), &r); e != nil || r.Mismatch != nil || r.Evaluations != nil {
		t.Errorf("%v, D = %v", e, r.Mismatch)
	}
	for _, bad := range []string{`{}`, `{"epsilon":0}`, `{"epsilon":-1}`, `[`} {
		if _, e := answer(t, s.Call("theory", document(t, "fig1_epigraph"), []byte(bad)), nil); e == nil || e.Code != InvalidOption {
			t.Errorf("%s: %v", bad, e)
		}
	}
}
