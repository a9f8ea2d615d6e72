package wire

import (
	"encoding/json"
	"math"
	"os"
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
		before := len(r.trace.k)
		reply := s.Step(clock, -1, false) // one record
		if len(r.trace.k) > before {
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

// A run continued from a snapshot ends as the run that was not interrupted.
func TestSnapshotResumes(t *testing.T) {
	doc := document(t, "a_seed0")
	want, whole := solveFixture(t, "a_seed0", shortRun)
	for _, slices := range []int{1, 7, 20} {
		var s Session
		if _, err := answer(t, s.Call("begin", []byte(shortRun), doc), nil); err != nil {
			t.Fatal(err)
		}
		now := 0.0
		clock := func() float64 { now += 0.25; return now }
		for range slices {
			s.Step(clock, -1, false)
		}
		snapshot := kept(&s)
		var v struct{ Result result }
		if _, err := answer(t, snapshot, &v); err != nil {
			t.Fatal(err)
		}
		if v.Result.Status != "stopped" || len(v.Result.Policy) != 7 {
			t.Errorf("snapshot: %s, policy %v", v.Result.Status, v.Result.Policy)
		}
		rows := len(s.run.trace.k)

		var next Session
		if _, err := answer(t, next.Call("begin", []byte(shortRun), doc, snapshot), nil); err != nil {
			t.Fatal(err)
		}
		columns, err := answer(t, drive(t, &next, nil), &v)
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(v.Result.Policy, want.Policy) || v.Result.Status != want.Status {
			t.Errorf("after %d slices (%d outer steps): %s, policy %v; want %s, %v", slices, rows, v.Result.Status, v.Result.Policy, want.Status, want.Policy)
		}
		for name, column := range whole {
			// What was spent in a first outer step that is taken again stays counted.
			if name != "seconds" && (name != "evaluations" || rows > 0) && !equalBits(columns[name], column) {
				t.Errorf("after %d slices: column %s is %v, want %v", slices, name, columns[name], column)
			}
		}
		if rows > 0 && v.Result.Seconds <= 0.25*float64(slices) {
			t.Errorf("after %d slices the clock starts anew: %v s", slices, v.Result.Seconds)
		}
	}
}

func equalBits(a, b []float64) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if math.Float64bits(a[i]) != math.Float64bits(b[i]) {
			return false
		}
	}
	return true
}

// The default method goes on with what it has proved.
func TestSnapshotOfProof(t *testing.T) {
	const options = `{"algorithm":"solve","gap":0.001,"starts":3}`
	doc := document(t, "a_seed1")
	var s Session
	if _, err := answer(t, s.Call("begin", []byte(options), doc), nil); err != nil {
		t.Fatal(err)
	}
	clock := func() float64 { return 0 }
	for s.run.last.Nodes < 3 {
		if s.Step(clock, -1, false) != nil {
			t.Fatal("ended before it had proved anything")
		}
	}
	bound, best := s.run.last.LowerBound, s.run.last.Best.Objective
	snapshot := kept(&s)
	rows := len(s.run.trace.k)
	if math.IsInf(bound, -1) || rows == 0 {
		t.Fatalf("bound %v after %d rows", bound, rows)
	}
	var next Session
	if _, err := answer(t, next.Call("begin", []byte(options), doc, snapshot), nil); err != nil {
		t.Fatal(err)
	}
	for range 100 { // what was saved is checked anew first
		if next.Step(clock, -1, false); !math.IsInf(next.run.last.LowerBound, -1) {
			break
		}
	}
	if got := next.run.last; got.LowerBound < bound || got.Best.Objective > best || got.Nodes < 3 {
		t.Errorf("goes on with bound %v, best %v, %d nodes; had %v, %v, 3", got.LowerBound, got.Best.Objective, got.Nodes, bound, best)
	}
	for range 20 {
		next.Step(clock, -1, false)
	}
	next.Call("stop")
	var v struct{ Result result }
	var columns map[string][]float64
	for columns == nil {
		if reply := next.Step(clock, 1, false); reply != nil {
			var err *Error
			if columns, err = answer(t, reply, &v); err != nil {
				t.Fatal(err)
			}
		}
	}
	for i, k := range columns["k"] {
		if i > 0 && k <= columns["k"][i-1] {
			t.Errorf("outer steps %v", columns["k"])
			break
		}
	}
	if *v.Result.Objective.LowerBound < bound {
		t.Errorf("bound %v, had %v", *v.Result.Objective.LowerBound, bound)
	}
}

// A run that was stopped, or ended by its time limit, leaves what it takes to
// go on, if it is kept; one that came to its end does not.
func TestEndLeavesState(t *testing.T) {
	for _, tc := range []struct {
		name, options string
		stop, keep    bool
		want          bool
	}{
		{"stopped", `{"algorithm":"epirc-pgs"}`, true, true, true},
		{"stopped, not kept", `{"algorithm":"epirc-pgs"}`, true, false, false},
		{"out of time", `{"algorithm":"epirc-pgs","timeLimit":0.5}`, false, true, true},
		{"came to its end", shortRun, false, true, false},
		{"out of time with a proof begun", `{"algorithm":"solve","gap":0,"starts":2,"timeLimit":2}`, false, true, true},
	} {
		var s Session
		doc := document(t, "a_seed0")
		if _, err := answer(t, s.Call("begin", []byte(tc.options), doc), nil); err != nil {
			t.Fatal(err)
		}
		if tc.keep {
			s.Call("keep")
		}
		now := 0.0
		clock := func() float64 { now += 0.01; return now }
		var reply []byte
		for reply == nil {
			reply = s.Step(clock, -1, false)
			if tc.stop && s.run != nil && len(s.run.trace.k) == 2 {
				s.Call("stop")
			}
		}
		var v struct{ Result result }
		columns, err := answer(t, reply, &v)
		if err != nil {
			t.Fatal(err)
		}
		if _, got := columns[columnNumbers]; got != tc.want {
			t.Errorf("%s: state left: %v, want %v", tc.name, got, tc.want)
		}
		if !tc.want {
			continue
		}
		var next Session
		if _, err := answer(t, next.Call("begin", []byte(tc.options), doc, reply), nil); err != nil {
			t.Errorf("%s: %v", tc.name, err)
			continue
		}
		for range 100 {
			if next.Step(clock, -1, false); v.Result.Objective.LowerBound == nil || next.run.last.LowerBound >= *v.Result.Objective.LowerBound {
				break // all its proofs were looked at again
			}
		}
		if r := next.run; r == nil || r.seconds <= v.Result.Seconds || v.Result.Objective.LowerBound != nil && r.last.LowerBound < *v.Result.Objective.LowerBound*(1-1e-8) { // a run in progress leaves room below a value that it meets
			t.Errorf("%s: does not go on from %v s", tc.name, v.Result.Seconds)
		}
	}
}

// A method that cannot be set to a state goes on from the best policy and
// counts its outer steps on.
func TestSnapshotOfOtherMethods(t *testing.T) {
	const options = `{"algorithm":"lagrangian","outerIterations":5,"innerIterations":50}`
	doc := document(t, "a_seed0")
	var s Session
	if _, err := answer(t, s.Call("begin", []byte(options), doc), nil); err != nil {
		t.Fatal(err)
	}
	clock := func() float64 { return 0 }
	for len(s.run.trace.k) < 3 {
		s.Step(clock, -1, false)
	}
	snapshot := kept(&s)
	known := s.run.last.Best
	var next Session
	if _, err := answer(t, next.Call("begin", []byte(options), doc, snapshot), nil); err != nil {
		t.Fatal(err)
	}
	columns, err := answer(t, drive(t, &next, nil), nil)
	if err != nil {
		t.Fatal(err)
	}
	for i, k := range columns["k"] {
		if i > 0 && k != columns["k"][i-1]+1 {
			t.Errorf("outer steps %v", columns["k"])
			break
		}
	}
	if known.Feasible && !(columns["bestObjective"][len(columns["k"])-1] <= known.Objective) {
		t.Errorf("the best was lost: %v after %v", columns["bestObjective"], known.Objective)
	}
}

func TestResumeRefusesOtherSnapshots(t *testing.T) {
	var s Session
	if _, err := answer(t, s.Call("begin", []byte(shortRun), document(t, "a_seed0")), nil); err != nil {
		t.Fatal(err)
	}
	for len(s.run.trace.k) < 2 {
		s.Step(func() float64 { return 0 }, -1, false)
	}
	snapshot := kept(&s)
	text, columns, err := Unpack(snapshot)
	if err != nil {
		t.Fatal(err)
	}
	tampered := func(change func(name string, data []float64) []float64) []byte {
		var all []Column
		for _, c := range columns {
			all = append(all, Column{Name: c.Name, Bytes: c.Bytes, Data: change(c.Name, append([]float64(nil), c.Data...))})
		}
		return Pack(text, all...)
	}
	same := func(_ string, d []float64) []float64 { return d }
	for what, tc := range map[string]struct {
		problem  string
		snapshot []byte
		ok       bool
	}{
		"untouched":            {"a_seed0", tampered(same), true},
		"of another problem":   {"machine_repair", snapshot, false},
		"cut":                  {"a_seed0", snapshot[:len(snapshot)/2], false},
		"a policy that is NaN": {"a_seed0", tampered(func(n string, d []float64) []float64 { return set(n, columnPolicy, d, 3, math.NaN()) }), false},
		"a negative policy":    {"a_seed0", tampered(func(n string, d []float64) []float64 { return set(n, columnBest, d, 0, -1) }), false},
		"step NaN":             {"a_seed0", tampered(func(n string, d []float64) []float64 { return set(n, columnNumbers, d, 1, math.NaN()) }), false},
		"a shorter column": {"a_seed0", tampered(func(n string, d []float64) []float64 {
			if n == "low" {
				return d[1:]
			}
			return d
		}), false},
	} {
		var next Session
		_, e := answer(t, next.Call("begin", []byte(shortRun), document(t, tc.problem), tc.snapshot), nil)
		if (e == nil) != tc.ok || e != nil && e.Code != InvalidOption {
			t.Errorf("%s: %v", what, e)
		}
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
		if _, err := answer(t, s.Call("begin", []byte(options), doc, nil, nil), nil); err != nil {
			t.Fatal(err)
		}
		if from != nil {
			if _, err := answer(t, s.Call("begin", []byte(options), doc, from), nil); err != nil {
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

// A snapshot is due when the best policy is another than in the last one, and a
// snapshot of the result alone has nothing to continue from.
func TestASnapshotIsDueWhenTheBestIsAnother(t *testing.T) {
	var s Session
	if _, err := answer(t, s.Call("begin", []byte(shortRun), document(t, "a_seed0")), nil); err != nil {
		t.Fatal(err)
	}
	s.Call("keep")
	clock := func() float64 { return 0 }
	changes := 0
	var before *result
	for s.Running() {
		if s.Step(clock, -1, true); !s.Running() {
			break
		}
		if s.Better() {
			var v struct{ Result result }
			columns, err := answer(t, s.Call("snapshot", []byte{1}), &v)
			if err != nil {
				t.Fatal(err)
			}
			if columns[columnNumbers] != nil {
				t.Error("a snapshot of the result alone holds what it takes to continue")
			}
			if before != nil && reflect.DeepEqual(before.Policy, v.Result.Policy) && reflect.DeepEqual(before.Objective.LowerBound, v.Result.Objective.LowerBound) {
				t.Error("a snapshot was due, and it says the same")
			}
			before = &v.Result
			changes++
		}
		if s.Better() {
			t.Fatal("a snapshot is due right after one")
		}
	}
	if changes < 2 {
		t.Errorf("%d snapshots were due", changes)
	}
	if s.Better() {
		t.Error("a snapshot of a run that is over is due")
	}
}

// A snapshot is due as well when more is proved, whatever the best policy: what a
// stop tells is never less than what was shown.
func TestASnapshotIsDueWhenMoreIsProved(t *testing.T) {
	var s Session
	if _, err := answer(t, s.Call("begin", []byte(`{"algorithm":"solve","starts":2,"timeLimit":0}`), document(t, "fig1_conflict_feasible")), nil); err != nil {
		t.Fatal(err)
	}
	told, risen := math.Inf(-1), 0
	for s.Step(func() float64 { return 0 }, -1, true); s.Running(); s.Step(func() float64 { return 0 }, -1, true) {
		if s.run.last.LowerBound > told {
			risen++
			if !s.Better() {
				t.Fatalf("a bound of %v is shown after %v, and no snapshot is due", s.run.last.LowerBound, told)
			}
		}
		if s.Better() {
			if _, err := answer(t, s.Call("snapshot", []byte{1}), nil); err != nil {
				t.Fatal(err)
			}
			told = s.run.last.LowerBound
		}
	}
	if risen < 2 {
		t.Errorf("the bound rose %d times", risen)
	}
}

// A run that an earlier version saved, its bytes packed as numbers, goes on from
// where it was: with its proof and its open boxes.
func TestRunsOfEarlierVersionsAreContinued(t *testing.T) {
	saved, err := os.ReadFile("testdata/checkpoint-of-numbers.bin")
	if err != nil {
		t.Fatal(err)
	}
	doc := document(t, "a_seed4")
	var s Session
	if _, e := answer(t, s.Call("begin", []byte(`{"algorithm":"solve","gap":0.02,"timeLimit":0,"starts":2}`), doc, saved), nil); e != nil {
		t.Fatal(e)
	}
	if s.run.options.settings.Resume == nil || len(s.run.options.settings.Memory) < 1000 {
		t.Fatalf("a memory of %d bytes", len(s.run.options.settings.Memory))
	}
	var was struct {
		Result struct {
			Objective struct{ Value, LowerBound float64 }
		}
	}
	if _, e := answer(t, saved, &was); e != nil {
		t.Fatal(e)
	}
	for k := 0; k == 0 || k < 200 && s.run.last.Nodes == 6 && math.IsInf(s.run.last.LowerBound, -1); k++ {
		s.Step(func() float64 { return 0 }, -1, false) // the checker looks at the proofs again
	}
	if p := &s.run.last; p.Nodes < 6 || !(math.Abs(p.LowerBound/was.Result.Objective.LowerBound-1) <= 1e-8) || // a run in progress leaves room below a value that it meets
		p.Best.Objective != was.Result.Objective.Value {
		t.Errorf("[%v, %v] after %d boxes; want [%v, %v]", p.LowerBound, p.Best.Objective, p.Nodes, was.Result.Objective.LowerBound, was.Result.Objective.Value)
	}
}
