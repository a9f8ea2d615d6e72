package wire

import (
	"encoding/json"
	"math"
	"reflect"
	"strings"
	"testing"

	"rcmdplab/core/evaluate"
	"rcmdplab/core/model"
)

const shortRun = `{"algorithm":"epirc-pgs","outerIterations":6,"innerIterations":300}`

// edited is a fixture with some of its text replaced.
func edited(t testing.TB, name string, pairs ...string) []byte {
	t.Helper()
	s := string(document(t, name))
	for i := 0; i < len(pairs); i += 2 {
		if !strings.Contains(s, pairs[i]) {
			t.Fatalf("%s has no %s", name, pairs[i])
		}
		s = strings.ReplaceAll(s, pairs[i], pairs[i+1])
	}
	return []byte(s)
}

// kept is a snapshot that a run can be continued from.
func kept(s *Session) []byte {
	s.Call("keep")
	return s.Call("snapshot")
}

// Constraints in different units: the violation shown is the largest of those
// shown, not the largest inside times some unit.
func TestViolationInMixedUnits(t *testing.T) {
	var doc map[string]any
	if err := json.Unmarshal(document(t, "a_seed0"), &doc); err != nil {
		t.Fatal(err)
	}
	gamma := doc["discount"].(float64)
	for i, c := range doc["constraints"].([]any) {
		if c := c.(map[string]any); i%2 == 0 {
			c["scale"] = "average"
			c["atMost"] = c["atMost"].(float64) * (1 - gamma)
		}
	}
	b, err := json.Marshal(doc)
	if err != nil {
		t.Fatal(err)
	}
	p, faults, _ := model.Decode(b)
	if len(faults) > 0 {
		t.Fatal(faults)
	}
	m := p.Standard()
	var s Session
	if _, err := answer(t, s.Call("begin", []byte(shortRun), b), nil); err != nil {
		t.Fatal(err)
	}
	ev, err := evaluate.New(m)
	if err != nil {
		t.Fatal(err)
	}
	largest := func(pi []float64) float64 {
		ev.Evaluate(pi)
		v := math.Inf(-1)
		for n := 1; n <= m.N; n++ {
			v = max(v, m.PresentViolation(n, ev.J[n]-m.B[n]))
		}
		return v
	}
	clock := func() float64 { return 0 }
	var want []float64
	r := s.run
	for {
		before := len(r.trace.k())
		reply := s.Step(clock, -1, false) // one record
		if len(r.trace.k()) > before {
			want = append(want, largest(r.last.Policy))
		}
		if reply == nil {
			continue
		}
		var v struct{ Result result }
		columns, e := answer(t, reply, &v)
		if e != nil {
			t.Fatal(e)
		}
		if !reflect.DeepEqual(columns["maxViolation"], want) {
			t.Errorf("trace %v, want %v", columns["maxViolation"], want)
		}
		shown := math.Inf(-1)
		for _, c := range v.Result.Constraints {
			shown = max(shown, c.Violation)
		}
		if *v.Result.MaxViolation != shown {
			t.Errorf("largest violation %v, the constraints say %v", *v.Result.MaxViolation, shown)
		}
		return
	}
}

func TestStop(t *testing.T) {
	for _, after := range []int{0, 1, 5} {
		var s Session
		if _, err := answer(t, s.Call("begin", []byte(`{"algorithm":"epirc-pgs"}`), document(t, "a_seed0")), nil); err != nil {
			t.Fatal(err)
		}
		clock := func() float64 { return 0 }
		for range after {
			s.Step(clock, -1, false)
		}
		s.Call("stop")
		var v struct{ Result result }
		if _, err := answer(t, s.Step(clock, 1, true), &v); err != nil {
			t.Fatal(err)
		}
		if v.Result.Status != "stopped" || len(v.Result.Policy) != 7 || s.Running() {
			t.Errorf("stopped after %d slices: %s, policy %v", after, v.Result.Status, v.Result.Policy)
		}
		if v.Result.Objective.LowerBound != nil {
			t.Errorf("a bound %v came from nowhere", *v.Result.Objective.LowerBound)
		}
	}
}

func TestTimeLimit(t *testing.T) {
	var s Session
	if _, err := answer(t, s.Call("begin", []byte(`{"algorithm":"epirc-pgs","timeLimit":0.5}`), document(t, "a_seed0")), nil); err != nil {
		t.Fatal(err)
	}
	var v struct{ Result result }
	if _, err := answer(t, drive(t, &s, nil), &v); err != nil {
		t.Fatal(err)
	}
	if v.Result.Status != "no-feasible-found" && v.Result.Status != "feasible" || v.Result.Seconds < 0.5 || v.Result.Seconds > 0.6 {
		t.Errorf("%s after %v s", v.Result.Status, v.Result.Seconds)
	}
	if !strings.Contains(strings.Join(v.Result.Warnings, " "), "time limit of 0.5 s") {
		t.Errorf("warnings %q", v.Result.Warnings)
	}
}

// More outer steps between two messages than a message holds: the last are
// told, all are in the trace.
func TestManySteps(t *testing.T) {
	var s Session
	if _, err := answer(t, s.Call("begin", []byte(`{"algorithm":"epirc-pgs","outerIterations":500,"innerIterations":1}`), document(t, "fig1_epigraph")), nil); err != nil {
		t.Fatal(err)
	}
	var v struct {
		Progress []struct {
			K    int
			Step bool
		}
	}
	columns, err := answer(t, drive(t, &s, nil), &v)
	if err != nil {
		t.Fatal(err)
	}
	if n := len(columns["k"]); n != 501 {
		t.Errorf("%d rows in the trace, want 501", n)
	}
	if len(v.Progress) != stepsKept || v.Progress[stepsKept-1].K != 500 || !v.Progress[0].Step {
		t.Errorf("%d records in the last message, up to step %d", len(v.Progress), v.Progress[len(v.Progress)-1].K)
	}
}

func set(name, want string, data []float64, i int, x float64) []float64 {
	if name == want {
		data[i] = x
	}
	return data
}

// Every outer step is one row of the trace and one record for the page,
// whatever the method's last record repeats.
func TestStepsOnce(t *testing.T) {
	for _, tc := range []struct{ problem, options string }{
		{"a_seed0", shortRun},
		{"a_seed0", `{"algorithm":"lagrangian","outerIterations":5,"innerIterations":100}`},
		{"a_seed0", `{"algorithm":"penalty","outerIterations":4,"innerIterations":100}`},
		{"c_seed0", `{"algorithm":"policy-mixing","outerIterations":5}`},
		{"c_seed0", `{"algorithm":"occupancy-lp"}`},
		{"a_seed0", `{"algorithm":"slp","starts":2}`},
		{"fig1_epigraph", `{"algorithm":"solve"}`},
		{"a_seed0", `{"algorithm":"uniform"}`},
	} {
		var s Session
		if _, err := answer(t, s.Call("begin", []byte(tc.options), document(t, tc.problem)), nil); err != nil {
			t.Fatal(err)
		}
		type news struct {
			Progress []struct {
				K    float64
				Step bool
			}
		}
		var told []float64
		tell := func(v news) {
			for _, p := range v.Progress {
				if p.Step {
					told = append(told, p.K)
				}
			}
		}
		last := drive(t, &s, func(b []byte) {
			var v struct{ Value news }
			if err := json.Unmarshal(b, &v); err != nil {
				t.Fatal(err)
			}
			tell(v.Value)
		})
		var v news
		trace, err := answer(t, last, &v)
		if err != nil {
			t.Fatal(err)
		}
		tell(v)
		for i := 1; i < len(told); i++ {
			if told[i] <= told[i-1] {
				t.Errorf("%s: steps %v are not counted up", tc.options, told)
				break
			}
		}
		if !reflect.DeepEqual(told, trace["k"]) || len(told) == 0 {
			t.Errorf("%s: told of steps %v, the trace has %v", tc.options, told, trace["k"])
		}
	}
}

// A crash of a run may leave nothing behind: a new one drops it.
func TestBeginDropsRun(t *testing.T) {
	var s Session
	for range 3 {
		if _, err := answer(t, s.Call("begin", []byte(shortRun), document(t, "a_seed0")), nil); err != nil {
			t.Fatal(err)
		}
		s.Step(func() float64 { return 0 }, -1, false)
	}
	if _, err := answer(t, s.Call("begin", []byte(`{"algorithm":"?"}`), document(t, "a_seed0")), nil); err == nil || s.Running() {
		t.Errorf("a refused run is in progress: %v", err)
	}
	if _, err := answer(t, s.Step(func() float64 { return 0 }, 1, true), nil); err == nil || err.Code != Unsupported {
		t.Errorf("a step without a run: %v", err)
	}
}

// No request brings the session down, and every reply is JSON with a value or
// an error.
func FuzzCall(f *testing.F) {
	for name := range calls {
		f.Add(name, []byte(shortRun), document(f, "machine_repair"), []byte(nil))
		f.Add(name, document(f, "machine_repair"), []byte(`[[1,0],[0.5,0.5]]`), []byte(nil))
	}
	f.Add("example", []byte(`"machine-repair"`), []byte(`{"x":1}`), []byte(nil))
	f.Add("begin", []byte(`{"algorithm":"epirc-pgs","outerIterations":1,"innerIterations":1}`), edited(f, "machine_repair", "0.95", "0.5"), []byte("x"))
	f.Fuzz(func(t *testing.T, name string, a, b, c []byte) {
		if len(a)+len(b) > 1<<16 {
			return // sizes are tested elsewhere
		}
		var s Session
		replies := [][]byte{s.Call(name, a, b, c)}
		now := 0.0
		for range 3 {
			replies = append(replies, s.Step(func() float64 { now += 0.01; return now }, 0.01, true))
		}
		replies = append(replies, s.Call("snapshot"), s.Call("keep"), s.Call("snapshot"), s.Call("stop"))
		for _, reply := range replies {
			if reply == nil {
				continue
			}
			text, _, err := Unpack(reply)
			var v map[string]json.RawMessage
			if err != nil || json.Unmarshal(text, &v) != nil || len(v) != 1 || v["value"] == nil && v["error"] == nil {
				t.Errorf("%s: reply %q, %v", name, text, err)
			}
		}
	})
}

// A run that is continued has what is left of its time limit, or as long again
// when that was used up: never more for having been interrupted.
func TestContinuedRunsKeepTheirTimeLimit(t *testing.T) {
	const options = `{"algorithm":"epirc-pgs","timeLimit":1}`
	doc := document(t, "a_seed0")
	now := 0.0
	clock := func() float64 { now += 0.01; return now }
	// run goes on from what was kept for at most so long and gives what it leaves.
	run := func(from []byte, atMost float64) (reply []byte, seconds float64) {
		var s Session
		if _, err := answer(t, s.Call("begin", []byte(options), doc), nil); err != nil {
			t.Fatal(err)
		}
		if from != nil {
			if _, err := answer(t, s.Call("begin", []byte(options), doc, []byte("checkpoint"), from), nil); err != nil {
				t.Fatal(err)
			}
		}
		s.Call("keep")
		begun := s.run.base.seconds
		for reply == nil {
			if s.run.seconds-begun >= atMost {
				s.Call("stop")
			}
			reply = s.Step(clock, -1, false)
		}
		var v struct{ Result result }
		if _, err := answer(t, reply, &v); err != nil {
			t.Fatal(err)
		}
		return reply, v.Result.Seconds
	}
	near := func(got, want float64) bool { return got >= want-0.03 && got <= want+0.15 } // a record takes 0.02 s of this clock, the end a few
	first, used := run(nil, 0.4)
	if !near(used, 0.4) {
		t.Fatalf("stopped after %v s", used)
	}
	second, used := run(first, 99)
	if !near(used, 1) {
		t.Errorf("stopped after 0.4 s and continued, the run ended after %v s in all; want 1", used)
	}
	third, used := run(second, 0.3)
	if !near(used, 1.3) {
		t.Errorf("continued after its limit and stopped: %v s in all; want 1.3", used)
	}
	if _, used := run(third, 99); !near(used, 2) {
		t.Errorf("and continued once more: %v s in all; want 2", used)
	}
}

// What a run is to begin with has a name, and a wrong one is said.
func TestExtrasHaveNames(t *testing.T) {
	x := readExtras([][]byte{[]byte("result"), {1}, []byte("whole"), {2}, []byte("result"), {3}, []byte("checkpoint"), {4}, []byte("found"), nil})
	if len(x.results) != 2 || x.results[1][0] != 3 || x.part[0] != 2 || !x.whole || x.checkpoint[0] != 4 || x.found != nil {
		t.Errorf("%+v", x)
	}
	var s Session
	if _, err := answer(t, s.Call("begin", []byte(shortRun), document(t, "a_seed0"), []byte("check"), []byte("?")), nil); err == nil || err.Code != Unsupported {
		t.Errorf("a name that there is not: %v", err)
	}
}
