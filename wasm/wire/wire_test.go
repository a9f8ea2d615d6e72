package wire

import (
	"encoding/json"
	"os"
	"reflect"
	"testing"

	"rcmdplab/core/evaluate"
	"rcmdplab/core/model"
	"rcmdplab/core/solve"
)

const fixtures = "../../core/testdata/fixtures/"

func document(t testing.TB, name string) []byte {
	t.Helper()
	b, err := os.ReadFile(fixtures + "problems/" + name + ".json")
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func standard(t testing.TB, name string) *model.Standard {
	t.Helper()
	p, faults, _ := model.Decode(document(t, name))
	if len(faults) > 0 {
		t.Fatal(faults)
	}
	return p.Standard()
}

// answer decodes a reply into v and gives its columns; an error reply is
// returned as an Error.
func answer(t testing.TB, reply []byte, v any) (map[string][]float64, *Error) {
	t.Helper()
	text, columns, err := Unpack(reply)
	if err != nil {
		t.Fatal(err)
	}
	var r struct {
		Value json.RawMessage
		Error *struct {
			Code, Message string
			Errors        []struct{ Pointer, Message string }
		}
	}
	if err := json.Unmarshal(text, &r); err != nil {
		t.Fatalf("%v in %s", err, text)
	}
	if r.Error != nil {
		e := &Error{Code: Code(r.Error.Code), Message: r.Error.Message}
		for _, f := range r.Error.Errors {
			e.Faults = append(e.Faults, model.Fault{Pointer: f.Pointer, Message: f.Message})
		}
		return nil, e
	}
	if v != nil {
		if err := json.Unmarshal(r.Value, v); err != nil {
			t.Fatalf("%v in %s", err, r.Value)
		}
	}
	all := map[string][]float64{}
	for _, c := range columns {
		all[c.Name] = c.Data
	}
	return all, nil
}

// drive runs begin's run to its end with a clock that adds a millisecond each
// time it is read.
func drive(t testing.TB, s *Session, news func(text []byte)) []byte {
	t.Helper()
	now := 0.0
	clock := func() float64 { now += 0.001; return now }
	for {
		reply := s.Step(clock, 0.016, news != nil)
		if s.run == nil {
			return reply
		}
		if reply != nil {
			text, _, err := Unpack(reply)
			if err != nil {
				t.Fatal(err)
			}
			news(text)
		}
	}
}

// result mirrors what a test looks at.
type result struct {
	Status, Algorithm, Seed string
	Options                 map[string]any
	Policy                  [][]float64
	Feasible                bool
	Objective               struct{ Value, LowerBound, UpperBound, Gap, RelativeGap *float64 }
	Constraints             []struct {
		Name                               string
		Value, Threshold, Violation, Slack float64
	}
	MaxViolation *float64
	Worst        []struct {
		Cost   string
		Kernel *struct {
			Index int
			Name  string
		}
		Support string
		Rows    []struct {
			State, Action  string
			Visits, Moved  float64
			Successors     []string
			Nominal, Worst []float64
			Omitted        int
		}
	}
	Evaluations, Iterations int64
	Seconds                 float64
	Warnings                []string
}

// solveFixture runs a fixture to its end and gives the result and the trace.
func solveFixture(t testing.TB, name, options string) (result, map[string][]float64) {
	t.Helper()
	var s Session
	if _, err := answer(t, s.Call("begin", []byte(options), document(t, name)), nil); err != nil {
		t.Fatal(err)
	}
	var v struct{ Result result }
	columns, err := answer(t, drive(t, &s, func([]byte) {}), &v)
	if err != nil {
		t.Fatal(err)
	}
	return v.Result, columns
}

// The result of a run is what the method gives when it is called directly, and
// its numbers are those of exactly the policy in it.
func TestRunEqualsMethod(t *testing.T) {
	got, trace := solveFixture(t, "a_seed0", `{"algorithm":"epirc-pgs","outerIterations":6,"innerIterations":500,"seed":"18446744073709551615"}`)
	m := standard(t, "a_seed0")
	ev, err := evaluate.New(m)
	if err != nil {
		t.Fatal(err)
	}
	method, _ := solve.Find("epirc-pgs")
	settings := method.Defaults()
	settings.OuterIterations, settings.InnerIterations = 6, 500
	var want solve.Progress
	var objectives []float64
	for p := range method.Run(ev, settings) {
		want = p
		if p.Step {
			objectives = append(objectives, p.Objective)
		}
	}
	if got.Status != want.Status.String() || got.Seed != "18446744073709551615" || got.Evaluations != want.Evaluations {
		t.Errorf("status %s, seed %s, %d evaluations; want %s, 18446744073709551615, %d", got.Status, got.Seed, got.Evaluations, want.Status, want.Evaluations)
	}
	if !reflect.DeepEqual(got.Policy, m.Grid(want.Best.Policy)) {
		t.Errorf("policy %v, want %v", got.Policy, m.Grid(want.Best.Policy))
	}
	ev.Evaluate(want.Best.Policy)
	if *got.Objective.Value != ev.J[0] || got.Constraints[2].Value != ev.J[3] {
		t.Errorf("returns %v and %v, want %v and %v", *got.Objective.Value, got.Constraints[2].Value, ev.J[0], ev.J[3])
	}
	if !reflect.DeepEqual(trace["objective"], objectives) {
		t.Errorf("trace %v, want %v", trace["objective"], objectives)
	}
}
