package wire

import (
	"math"
	"reflect"
	"slices"
	"testing"
)

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
		rows := len(s.run.trace.k())

		var next Session
		if _, err := answer(t, next.Call("begin", []byte(shortRun), doc, []byte("checkpoint"), snapshot), nil); err != nil {
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
	rows := len(s.run.trace.k())
	if math.IsInf(bound, -1) || rows == 0 {
		t.Fatalf("bound %v after %d rows", bound, rows)
	}
	var next Session
	if _, err := answer(t, next.Call("begin", []byte(options), doc, []byte("checkpoint"), snapshot), nil); err != nil {
		t.Fatal(err)
	}
	for range 2000 { // what was saved is checked anew first
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
			if tc.stop && s.run != nil && len(s.run.trace.k()) == 2 {
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
		if _, err := answer(t, next.Call("begin", []byte(tc.options), doc, []byte("checkpoint"), reply), nil); err != nil {
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
	for len(s.run.trace.k()) < 3 {
		s.Step(clock, -1, false)
	}
	snapshot := kept(&s)
	known := s.run.last.Best
	var next Session
	if _, err := answer(t, next.Call("begin", []byte(options), doc, []byte("checkpoint"), snapshot), nil); err != nil {
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
	for len(s.run.trace.k()) < 2 {
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
		_, e := answer(t, next.Call("begin", []byte(shortRun), document(t, tc.problem), []byte("checkpoint"), tc.snapshot), nil)
		if (e == nil) != tc.ok || e != nil && e.Code != InvalidOption {
			t.Errorf("%s: %v", what, e)
		}
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

// Of a column that is missing nothing is known, and what is not known here is of no use:
// the best policy goes on all the same.
func TestMissingColumnsAreAbsent(t *testing.T) {
	var s Session
	doc := document(t, "a_seed0")
	if _, err := answer(t, s.Call("begin", []byte(shortRun), doc), nil); err != nil {
		t.Fatal(err)
	}
	for len(s.run.trace.k()) < 2 {
		s.Step(func() float64 { return 0 }, -1, false)
	}
	snapshot := kept(&s)
	text, columns, err := Unpack(snapshot)
	if err != nil {
		t.Fatal(err)
	}
	for k, missing := range columns {
		others := append([]Column{{Name: "state.later", Bytes: []byte{1}}}, slices.Delete(slices.Clone(columns), k, k+1)...)
		var next Session
		if _, e := answer(t, next.Call("begin", []byte(shortRun), doc, []byte("checkpoint"), Pack(text, others...)), nil); e != nil {
			if missing.Name != columnBest {
				t.Errorf("without %s: %v", missing.Name, e)
			}
			continue
		}
		if known := next.run.options.settings.Known; !slices.Equal(known.Policy, s.run.checkpoint.step.Best.Policy) {
			t.Errorf("without %s the best policy is lost", missing.Name)
		}
		if next.Step(func() float64 { return 0 }, -1, false); next.run == nil || next.run.last.Best.Policy == nil {
			t.Errorf("without %s it does not go on", missing.Name)
		}
	}
}
