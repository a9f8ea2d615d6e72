package wire

import (
	"encoding/json"
	"strings"
	"testing"

	"rcmdplab/core/model"
)

const logs = `{"columns":["episode","step","state","action","next","cost","risk"],"rows":[
	[1,0,"a","go","b",1,0],[1,1,"b","go","a",2,0.5],[1,2,"a","wait","a",0,0],
	[2,0,"a","go","b",1,0],[2,1,"b","wait","b",3,1],[2,2,"b","go","a",2,0.5],
	[3,0,"a","go","a",1,0],[3,1,"a","go","b",1,null]]}`

type estimated struct {
	Problem, HeldOut json.RawMessage
	Warnings         []string
	Summary          struct {
		Kind, Formula, Source, Guarantee string
		Reached                          *float64
		Steps                            float64
		Episodes, Tried, NeverTried      int
		Costs                            []string
		Pairs                            []struct {
			State, Action string
			N             float64
			Radius        *float64
		}
	}
}

func TestEstimateMakesAProblemOfLogs(t *testing.T) {
	var s Session
	var e estimated
	reply := s.Call("estimate", []byte(logs), []byte(`{"kind":"l1","confidence":0.9,"discount":0.8,"name":"My logs",
		"objective":{"column":"cost","sense":"minimize","scale":"average"},"constraints":[{"column":"risk","atMost":2}],"seed":"3"}`))
	if _, err := answer(t, reply, &e); err != nil {
		t.Fatal(err)
	}
	p, faults, _ := model.Decode(e.Problem)
	if len(faults) > 0 {
		t.Fatal(faults)
	}
	if p.Name != "My logs" || p.Discount != 0.8 || !p.Objective.Average || p.Constraints[0].Bound != 2 || p.Uncertainty.Kind != model.L1 {
		t.Errorf("problem %s", e.Problem)
	}
	if e.Summary.Steps != 8 || e.Summary.Episodes != 3 || e.Summary.Tried != 4 || len(e.Summary.Pairs) != 4 || e.Summary.Pairs[0].Radius == nil {
		t.Errorf("summary %+v", e.Summary)
	}
	if e.Summary.Formula == "" || e.Summary.Source == "" || e.Summary.Guarantee == "" || string(e.HeldOut) != "null" {
		t.Errorf("summary %+v, held out %s", e.Summary, e.HeldOut)
	}
	reply = s.Call("estimate", []byte(logs), []byte(`{"kind":"posterior","samples":4,"heldOut":0.3,"objective":"cost"}`))
	if _, err := answer(t, reply, &e); err != nil {
		t.Fatal(err)
	}
	if p, faults, _ := model.Decode(e.HeldOut); len(faults) > 0 || len(p.Uncertainty.Kernels) != 41 {
		t.Errorf("held out: %v, %s", faults, e.HeldOut)
	}
}

func TestEstimateSaysWhereAFaultIs(t *testing.T) {
	var s Session
	for _, tc := range []struct{ table, options, code, pointer, message string }{
		{`[]`, `{}`, "invalid-problem", "", "a table is an object"},
		{`{"columns":["state"],"rows":[["a","b"]]}`, `{}`, "invalid-problem", "/rows/0", "row 1 has 2 cells; want 1"},
		{`{"columns":["state"],"rows":[[{}]]}`, `{}`, "invalid-problem", "/rows/0/0", "want a word or a number"},
		{`{"columns":[1],"rows":[]}`, `{}`, "invalid-problem", "/columns/0", "want a string"},
		{logs, `{"confidence":2,"objective":"cost"}`, "invalid-option", "/confidence", "below 1"},
		{logs, `{"confidence":"high"}`, "invalid-option", "/confidence", "want a number"},
		{logs, `{"prior":-1}`, "invalid-option", "/prior", "want a number >= 0"},
		{logs, `{"constraints":[{"column":"risk","atmost":2}]}`, "invalid-option", "/constraints/0/atmost", "no such field"},
		{logs, `{"objective":"cost","constraints":[{"column":"rust","atMost":2}]}`, "invalid-option", "/constraints/0/column", "no cost column"},
		{logs, `{"colour":1}`, "invalid-option", "/colour", "no such option"},
		{logs, `{"columns":{"state":"place"}}`, "invalid-problem", "/columns", "no column"},
		{logs, `{"columns":{"place":"state"}}`, "invalid-option", "/columns/place", "the roles are"},
		{logs, `{}`, "choice-needed", "/objective", "cost or risk"},
		{strings.ReplaceAll(logs, "cost", "euro"), `{"columns":{"reward":[]}}`, "choice-needed", "/objective", "euro or risk"},
		{`{"columns":["state","action","next","euro"],"rows":[["a","b","a",1]]}`, `{}`, "choice-needed", "/objective/sense", "more or less"},
		{`{"columns":["state","action","next","cost","done"],"rows":[["a","b","c",1,false],["a","b","a",1,true]]}`, `{}`, "choice-needed", "/initial", "not in the order"},
	} {
		_, err := answer(t, s.Call("estimate", []byte(tc.table), []byte(tc.options)), nil)
		if err == nil || string(err.Code) != tc.code || len(err.Faults) == 0 || err.Faults[0].Pointer != tc.pointer || !strings.Contains(err.Message, tc.message) {
			t.Errorf("%.40s %s: %+v; want %s at %s: ...%s...", tc.table, tc.options, err, tc.code, tc.pointer, tc.message)
		}
	}
}
