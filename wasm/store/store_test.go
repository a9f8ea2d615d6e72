package store

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
)

var ctx = context.Background()

// keepsRuns is what every Backend must do.
func keepsRuns(t *testing.T, b Backend) {
	put := func(c Change) *Record {
		t.Helper()
		r, _, err := Put(ctx, b, c)
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	field := func(r *Record, name string) string {
		var m map[string]any
		if err := json.Unmarshal(r.Fields, &m); err != nil {
			t.Fatal(err)
		}
		return fmt.Sprint(m[name])
	}
	problem := []byte(`{"format":"rcmdp/1"}`)

	// A change of a run that is not there must not make half a run.
	_, _, err := Put(ctx, b, Change{ID: "gone", Fields: []byte(`{"name":"x"}`)})
	wantCode(t, err, InvalidOption)
	if _, err := Get(ctx, b, "gone"); err == nil {
		t.Error("a refused change left a run behind")
	}

	r := put(Change{ID: "a", Fields: []byte(`{"name":"first","status":"running"}`), Problem: problem})
	if r.Rev != 1 || r.Problem == "" || r.Resumable {
		t.Errorf("new record %+v", r)
	}
	put(Change{ID: "b", Fields: []byte(`{"name":"second"}`), Problem: problem})

	// A checkpoint belongs to a saved run without a result.
	for id, want := range map[string]bool{"a": true, "nobody": false} {
		if ok, err := Checkpoint(ctx, b, id, []byte{1, 2, 3}); ok != want || err != nil {
			t.Errorf("Checkpoint(%s) = %v, %v; want %v", id, ok, err, want)
		}
	}
	run, err := Get(ctx, b, "a")
	if err != nil {
		t.Fatal(err)
	}
	if !run.Resumable || !bytes.Equal(run.Checkpoint, []byte{1, 2, 3}) || run.Result != nil {
		t.Errorf("run with a checkpoint: %+v", run)
	}

	// Changes of different fields are merged, whoever made them.
	put(Change{ID: "a", Fields: []byte(`{"name":"renamed"}`)})
	r = put(Change{ID: "a", Fields: []byte(`{"status":"feasible"}`), Result: []byte("result")})
	if field(r, "name") != "renamed" || field(r, "status") != "feasible" || r.Rev != 3 || r.Resumable {
		t.Errorf("after two changes: rev %d, %s, resumable %v", r.Rev, r.Fields, r.Resumable)
	}
	run, err = Get(ctx, b, "a")
	if err != nil {
		t.Fatal(err)
	}
	if string(run.Result) != "result" || run.Checkpoint != nil || !bytes.Equal(run.ProblemText, problem) {
		t.Errorf("finished run: %q, checkpoint %v, problem %q", run.Result, run.Checkpoint, run.ProblemText)
	}

	// A run that ended and can be continued keeps its checkpoint, once more.
	for _, resumable := range []bool{true, false} {
		if ok, err := Checkpoint(ctx, b, "b", []byte{7}); !ok || err != nil {
			t.Errorf("Checkpoint = %v, %v", ok, err)
		}
		put(Change{ID: "b", Fields: []byte(`{}`), Result: []byte("so far"), Resumable: resumable})
		run, err := Get(ctx, b, "b")
		if err != nil {
			t.Fatal(err)
		}
		if run.Resumable != resumable || (run.Checkpoint != nil) != resumable {
			t.Errorf("ended, resumable %v: %v, checkpoint %v", resumable, run.Resumable, run.Checkpoint)
		}
	}

	// What a new run gets by itself does not replace what a person gave.
	r = put(Change{ID: "a", Fields: []byte(`{"n":1}`), New: []byte(`{"name":"default","created":"now"}`)})
	if field(r, "name") != "renamed" || field(r, "created") != "now" {
		t.Errorf("defaults: %s", r.Fields)
	}

	// Keep leaves what is there.
	if r, changed, err := Put(ctx, b, Change{ID: "a", Keep: true, Fields: []byte(`{"name":"import"}`), Problem: problem}); err != nil || changed || field(r, "name") != "renamed" {
		t.Errorf("Keep changed the run: %v, %v, %s", err, changed, r.Fields)
	}

	all, err := List(ctx, b)
	if err != nil || len(all) != 2 {
		t.Fatalf("List: %d records, %v", len(all), err)
	}

	// The problem goes with its last run.
	key := all[0].Problem
	has := func() (ok bool) {
		if err := b.Do(ctx, false, func(tx Tx) error {
			ok = tx.Blob(Problems, key) != nil
			return nil
		}); err != nil {
			t.Fatal(err)
		}
		return ok
	}
	for i, id := range []string{"a", "b"} {
		if err := Delete(ctx, b, id); err != nil {
			t.Fatal(err)
		}
		if has() != (i == 0) {
			t.Errorf("after deleting %s the problem is there: %v", id, has())
		}
	}
	if err := Delete(ctx, b, "a"); err != nil {
		t.Errorf("deleting a run that is gone: %v", err)
	}
	put(Change{ID: "c", Fields: []byte(`{}`), Problem: problem})
	put(Change{ID: "c", Fields: []byte(`{}`), Problem: []byte("other")})
	if has() {
		t.Error("a problem that no run has any more is still there")
	}

	// What is too large is refused before anything is written.
	_, _, err = Put(ctx, b, Change{ID: "c", Fields: []byte(`{"name":"big"}`), Result: make([]byte, MaxBytes)})
	wantCode(t, err, Quota)
	if run, err := Get(ctx, b, "c"); err != nil || run.Result != nil || run.Rev != 2 {
		t.Errorf("after a refused put: %+v, %v", run, err)
	}

	// A transaction that fails leaves nothing.
	broken := errors.New("broken")
	err = b.Do(ctx, true, func(tx Tx) error {
		tx.DeleteRecord("c")
		return &Error{Code: Unavailable, Err: broken}
	})
	if !errors.Is(err, broken) {
		t.Errorf("Do = %v, want the function's error", err)
	}
	if _, err := Get(ctx, b, "c"); err != nil {
		t.Errorf("a failed transaction deleted a run: %v", err)
	}
	if err := Delete(ctx, b, "c"); err != nil {
		t.Fatal(err)
	}
}

func wantCode(t *testing.T, err error, code Code) {
	t.Helper()
	var e *Error
	if !errors.As(err, &e) || e.Code != code {
		t.Errorf("error %v, want code %s", err, code)
	}
}

func TestMemoryKeepsRuns(t *testing.T) { keepsRuns(t, NewMemory()) }

// A blob handed over may be reused by the caller.
func TestMemoryCopies(t *testing.T) {
	m, b := NewMemory(), []byte("before")
	if _, _, err := Put(ctx, m, Change{ID: "a", Fields: []byte("{}"), Problem: []byte("p"), Result: b}); err != nil {
		t.Fatal(err)
	}
	copy(b, "AFTER!")
	if run, _ := Get(ctx, m, "a"); string(run.Result) != "before" {
		t.Errorf("result %q", run.Result)
	}
}

// stub is a Backend that fails as it is told, and then is a memory.
type stub struct {
	*Memory
	fail []error // one for each Do, nil to succeed
}

func (s *stub) Do(ctx context.Context, write bool, f func(Tx) error) error {
	if len(s.fail) > 0 {
		err := s.fail[0]
		s.fail = s.fail[1:]
		if err != nil {
			return err
		}
	}
	return s.Memory.Do(ctx, write, f)
}

func named(name string) error { return &Failure{name, errors.New("from the browser")} }

// opens makes a Keeper whose openings fail as told before they succeed.
func opens(s *stub, fail ...error) (*Keeper, *int) {
	count := 0
	return &Keeper{Patience: time.Second, Open: func(ctx context.Context) (Backend, error) {
		count++
		if count <= len(fail) && fail[count-1] != nil {
			return nil, fail[count-1]
		}
		return s, nil
	}}, &count
}

func TestKeeperOpening(t *testing.T) {
	for _, tc := range []struct {
		name   string
		fail   []error
		memory bool
		says   string
		code   Code
		opens  int
	}{
		{"first time", nil, false, "", "", 1},
		{"WebKit loses the connection twice", []error{named("UnknownError"), named("UnknownError")}, false, "", "", 3},
		{"WebKit never answers well", slices.Repeat([]error{named("UnknownError")}, 9), true, "does not let the page keep", "", 3},
		{"sandboxed frame", []error{named(Missing)}, true, "does not let the page keep", "", 1},
		{"storage denied", []error{named("SecurityError")}, true, "does not let the page keep", "", 1},
		{"private mode of old Firefox", slices.Repeat([]error{named("InvalidStateError")}, 9), true, "does not let the page keep", "", 3},
		{"newer version", []error{named("VersionError")}, true, "newer version", "", 1},
		{"full disk", []error{named("QuotaExceededError")}, true, "full", "", 1},
		{"upgrade blocked by another tab", []error{named(Obsolete)}, false, "", Blocked, 1},
	} {
		t.Run(tc.name, func(t *testing.T) {
			k, count := opens(&stub{Memory: NewMemory()}, tc.fail...)
			err := k.Connect(ctx)
			if tc.code != "" {
				wantCode(t, err, tc.code)
			} else if err != nil {
				t.Errorf("Connect: %v", err)
			}
			if k.InMemory() != tc.memory || !strings.Contains(k.Notice(), tc.says) || (k.Notice() == "") != (tc.says == "") {
				t.Errorf("in memory %v, notice %q; want %v, %q", k.InMemory(), k.Notice(), tc.memory, tc.says)
			}
			if *count != tc.opens {
				t.Errorf("opened %d times, want %d", *count, tc.opens)
			}
			if err == nil {
				keepsRuns(t, k)
			}
		})
	}
}

// A browser that does not answer costs the patience once, not the page.
func TestKeeperSilentOpening(t *testing.T) {
	k := &Keeper{Patience: 20 * time.Millisecond, Open: func(ctx context.Context) (Backend, error) {
		<-ctx.Done()
		return nil, ctx.Err()
	}}
	if err := k.Connect(ctx); err != nil || !k.InMemory() || !strings.Contains(k.Notice(), "does not answer") {
		t.Errorf("Connect = %v, in memory %v, notice %q", err, k.InMemory(), k.Notice())
	}
	keepsRuns(t, k)
}

func TestKeeperLosesConnection(t *testing.T) {
	for _, name := range []string{"InvalidStateError", "UnknownError", "AbortError"} {
		s := &stub{Memory: NewMemory()}
		k, count := opens(s)
		if _, _, err := Put(ctx, k, Change{ID: "a", Fields: []byte("{}"), Problem: []byte("p")}); err != nil {
			t.Fatal(err)
		}
		s.fail = []error{named(name)}
		all, err := List(ctx, k)
		if err != nil || len(all) != 1 || *count != 2 {
			t.Errorf("%s: %d records, %v, opened %d times; want 1, nil, 2", name, len(all), err, *count)
		}
		// Lost for good: an error, never an empty list.
		s.fail = slices.Repeat([]error{named(name)}, 9)
		all, err = List(ctx, k)
		wantCode(t, err, Unavailable)
		if all != nil || k.InMemory() {
			t.Errorf("%s: a failed read gave %v, in memory %v", name, all, k.InMemory())
		}
	}
}

// Once there were runs, an opening that fails is not an empty memory.
func TestKeeperReopenFails(t *testing.T) {
	s := &stub{Memory: NewMemory()}
	k, _ := opens(s, nil, named("VersionError"))
	if err := k.Connect(ctx); err != nil {
		t.Fatal(err)
	}
	s.fail = []error{named("InvalidStateError")} // another tab upgraded: our connection was closed
	_, err := List(ctx, k)
	wantCode(t, err, Blocked)
	if k.InMemory() {
		t.Error("turned to memory although runs are saved")
	}
}

func TestKeeperQuota(t *testing.T) {
	s := &stub{Memory: NewMemory(), fail: []error{nil, named("QuotaExceededError")}}
	k, count := opens(s)
	if err := k.Connect(ctx); err != nil {
		t.Fatal(err)
	}
	_, _, err := Put(ctx, k, Change{ID: "a", Fields: []byte("{}"), Problem: []byte("p")})
	wantCode(t, err, Quota)
	if *count != 1 {
		t.Errorf("a full disk was tried %d times", *count)
	}
}

func TestAnswerPutReadsTheWholeHead(t *testing.T) {
	k, _ := opens(&stub{Memory: NewMemory()})
	put := func(head, fields string) string {
		reply, _, err := Answer(ctx, k, "put", [][]byte{[]byte(head), []byte(fields), []byte("problem"), []byte("result")})
		if err != nil {
			t.Fatal(err)
		}
		return string(reply)
	}
	if got, want := put(`{"id":"a\u0062", "new":{"name":"<x>", "n":1}, "other":[]}`, ` { "n" : [2, 3] } `),
		`{"changed":true,"record":{"id":"ab","rev":1,"resumable":false,"bytes":38,"fields":{"n":[2, 3],"name":"<x>"}}}`; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if got := put(`{"id":"ab","keep":true,"new":null}`, `{"n":4}`); !strings.Contains(got, `"changed":false`) || !strings.Contains(got, `"n":[2, 3]`) {
		t.Errorf("keep: got %s", got)
	}
	for _, head := range []string{``, `[]`, `{"id":1}`, `{"id":"a","keep":"yes"}`, `{"id":"a"`} {
		_, _, err := Answer(ctx, k, "put", [][]byte{[]byte(head), []byte(`{}`)})
		var e *Error
		if !errors.As(err, &e) || !strings.Contains(e.Message, "head is not readable") {
			t.Errorf("%s: got %v", head, err)
		}
	}
}

func TestADamagedRecordHidesNoOther(t *testing.T) {
	m := NewMemory()
	err := m.Do(ctx, true, func(tx Tx) error {
		tx.PutRecord(&Record{ID: "a"})
		tx.PutRecord(&Record{ID: "b", Fields: []byte(`{"n":1}`)})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	k, _ := opens(&stub{Memory: m})
	reply, _, err := Answer(ctx, k, "list", nil)
	if err != nil || !json.Valid(reply) || !strings.Contains(string(reply), `"id":"b"`) {
		t.Errorf("got %s, %v", reply, err)
	}
}

// Answer must survive any request.
func FuzzAnswer(f *testing.F) {
	f.Add("put", []byte(`{"id":"a"}`), []byte(`{"name":"x"}`), []byte("problem"), []byte(""))
	f.Add("get", []byte("a"), []byte(nil), []byte(nil), []byte(nil))
	f.Add("checkpoint", []byte("a"), []byte("state"), []byte(nil), []byte(nil))
	f.Add("list", []byte("[]"), []byte("null"), []byte("null"), []byte("null"))
	f.Fuzz(func(t *testing.T, name string, a, b, c, d []byte) {
		k, _ := opens(&stub{Memory: NewMemory()})
		for _, parts := range [][][]byte{{a, b, c, d}, {a}, {}} {
			reply, _, err := Answer(ctx, k, name, parts)
			var e *Error
			switch {
			case err == nil && !json.Valid(reply):
				t.Errorf("%s: reply %q is not JSON", name, reply)
			case err != nil && !errors.As(err, &e):
				t.Errorf("%s: %v has no code", name, err)
			}
		}
	})
}
