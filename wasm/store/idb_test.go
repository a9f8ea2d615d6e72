//go:build js && wasm

package store

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"syscall/js"
	"testing"
	"time"

	"github.com/hack-pad/go-indexeddb/idb"
)

// These tests are the contract with the library and the browser, run in Node on
// fake-indexeddb: NODE_OPTIONS="--require fake-indexeddb/auto". Nothing may
// print inside a transaction: writing gives control back, and the transaction
// ends.

func open(t *testing.T, name string) *database {
	t.Helper()
	if _, err := indexedDB(); err != nil {
		t.Skip("no IndexedDB; run Node with --require fake-indexeddb/auto")
	}
	b, err := OpenIndexedDB(ctx, name)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(b.Close)
	return b.(*database)
}

func TestIndexedDBKeepsRuns(t *testing.T) { keepsRuns(t, open(t, "keeps")) }

// What one connection wrote another reads, bytes and all.
func TestIndexedDBLasts(t *testing.T) {
	all := make([]byte, 256)
	for i := range all {
		all[i] = byte(i)
	}
	b := open(t, "lasts")
	if _, _, err := Put(ctx, b, Change{ID: "a", Fields: []byte(`{"name":"π → ∞"}`), Problem: all, Result: all}); err != nil {
		t.Fatal(err)
	}
	b.Close()
	run, err := Get(ctx, open(t, "lasts"), "a")
	if err != nil {
		t.Fatal(err)
	}
	if string(run.Result) != string(all) || string(run.ProblemText) != string(all) || !strings.Contains(string(run.Fields), "π → ∞") {
		t.Errorf("read back %v", run)
	}
}

func TestIndexedDBSecondConnection(t *testing.T) {
	a, b := open(t, "two tabs"), open(t, "two tabs")
	if _, _, err := Put(ctx, a, Change{ID: "r", Fields: []byte(`{"n":0}`), Problem: []byte("p")}); err != nil {
		t.Fatal(err)
	}
	// Both change the run at once, each another field, many times: none is lost.
	const rounds = 25
	done := make(chan error, 2)
	for i, tab := range []*database{a, b} {
		go func() {
			for n := range rounds {
				if _, _, err := Put(ctx, tab, Change{ID: "r", Fields: fmt.Appendf(nil, `{"tab%d":%d}`, i, n)}); err != nil {
					done <- err
					return
				}
			}
			done <- nil
		}()
	}
	for range 2 {
		if err := <-done; err != nil {
			t.Fatal(err)
		}
	}
	run, err := Get(ctx, a, "r")
	if err != nil {
		t.Fatal(err)
	}
	if want := 1 + 2*rounds; run.Rev != want || !strings.Contains(string(run.Fields), `"tab0":24`) || !strings.Contains(string(run.Fields), `"tab1":24`) {
		t.Errorf("revision %d of %s, want %d", run.Rev, run.Fields, want)
	}
}

// A connection that another tab's upgrade closed says InvalidStateError, which
// the Keeper takes for transient.
func TestIndexedDBClosedByUpgrade(t *testing.T) {
	b := open(t, "upgraded")
	f := idb.Global()
	request, err := f.Open(ctx, "upgraded", version+1, func(*idb.Database, uint, uint) error { return nil })
	if err != nil {
		t.Fatal(err)
	}
	newer, err := request.Await(ctx)
	if err != nil {
		t.Fatal(err)
	}
	defer newer.Close()
	_, err = List(ctx, b)
	if name(err) != "InvalidStateError" || !transient(err) {
		t.Errorf("List on a closed connection: %v", err)
	}
	_, err = OpenIndexedDB(ctx, "upgraded")
	if name(err) != "VersionError" {
		t.Errorf("opening a newer database: %v, want VersionError", err)
	}
}

// An opening that another connection blocks ends with a name, not never.
func TestIndexedDBBlocked(t *testing.T) {
	open(t, "probe").Close() // skips without IndexedDB
	// A connection of version 0.x that ignores versionchange.
	request := js.Global().Get("indexedDB").Call("open", "blocked", 1)
	opened := make(chan js.Value, 1)
	success := js.FuncOf(func(this js.Value, _ []js.Value) any {
		opened <- this.Get("result")
		return nil
	})
	request.Set("onsuccess", success)
	old := <-opened
	wait, cancel := context.WithTimeoutCause(ctx, time.Minute, &Failure{Silent, errors.New("hung")})
	defer cancel()
	real, _ := indexedDB()
	blocked := make(chan bool, 1)
	factory, release, err := observed(real, "blocked", 2, func() { blocked <- true })
	if err != nil {
		t.Fatal(err)
	}
	defer release()
	f, err := idb.WrapFactory(factory)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.Open(context.Background(), "blocked", 2, func(*idb.Database, uint, uint) error { return nil }); err != nil {
		t.Fatal(err)
	}
	select {
	case <-blocked:
	case <-wait.Done():
		t.Error("the blocked event was not heard")
	}
	old.Call("close")
}

// The library answers (undefined, nil) when a context has ended; we do not.
func TestIndexedDBCancelled(t *testing.T) {
	b := open(t, "cancelled")
	if _, _, err := Put(ctx, b, Change{ID: "a", Fields: []byte(`{"v":1}`), Problem: []byte("p")}); err != nil {
		t.Fatal(err)
	}
	ended, cancel := context.WithCancel(ctx)
	err := b.Do(ended, true, func(tx Tx) error {
		tx.PutRecord(&Record{ID: "a", Rev: 99})
		cancel()
		tx.Record("a")
		return errors.New("a failure goes before what is said")
	})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("Do with a cancelled context: %v", err)
	}
	ended, cancel = context.WithCancel(ctx)
	cancel()
	if all, err := List(ended, b); err == nil {
		t.Errorf("List with a cancelled context: %v, nil", all)
	}
	if run, err := Get(ctx, b, "a"); err != nil || run.Rev != 1 {
		t.Errorf("a cancelled transaction was kept: %+v, %v", run, err)
	}
}

// Waiting for anything else ends a transaction; the error has a name.
func TestIndexedDBTransactionEnded(t *testing.T) {
	b := open(t, "ended")
	err := b.Do(ctx, true, func(tx Tx) error {
		tx.PutRecord(&Record{ID: "a"})
		if _, err := List(ctx, b); err != nil { // begins when this transaction has ended
			return err
		}
		tx.PutRecord(&Record{ID: "b"})
		return nil
	})
	if n := name(err); n != "TransactionInactiveError" && n != "InvalidStateError" {
		t.Errorf("a put after the transaction ended: %v (%q)", err, n)
	}
}

// What cannot be cloned is refused with its name, wherever the library wraps it.
func TestIndexedDBUncloneable(t *testing.T) {
	b := open(t, "clone")
	f := js.FuncOf(func(js.Value, []js.Value) any { return nil })
	defer f.Release()
	err := b.transact(ctx, idb.TransactionReadWrite, []string{meta}, func(tx *transaction) error {
		tx.put(meta, "f", f.Value)
		return nil
	})
	if name(err) != "DataCloneError" {
		t.Errorf("putting a function: %v", err)
	}
}

// Where indexedDB may not even be mentioned, or is missing, that is said.
func TestIndexedDBMissing(t *testing.T) {
	open(t, "there").Close()
	global, object := js.Global(), js.Global().Get("Object")
	was := object.Call("getOwnPropertyDescriptor", global, "indexedDB")
	defer object.Call("defineProperty", global, "indexedDB", was)
	throws := js.Global().Get("Function").New(`throw new DOMException("denied", "SecurityError")`)
	for what, descriptor := range map[string]map[string]any{
		"throws":  {"get": throws, "configurable": true},
		"missing": {"value": js.Undefined(), "configurable": true},
	} {
		object.Call("defineProperty", global, "indexedDB", js.ValueOf(descriptor))
		if _, err := OpenIndexedDB(ctx, "x"); name(err) != Missing {
			t.Errorf("indexedDB that %s: %v", what, err)
		}
	}
}

// A sandboxed frame has an indexedDB that throws when it is used.
func TestIndexedDBDenied(t *testing.T) {
	open(t, "there").Close()
	global, object := js.Global(), js.Global().Get("Object")
	was := object.Call("getOwnPropertyDescriptor", global, "indexedDB")
	defer object.Call("defineProperty", global, "indexedDB", was)
	denied := js.ValueOf(map[string]any{"open": js.Global().Get("Function").New(`throw new DOMException("denied", "SecurityError")`)})
	object.Call("defineProperty", global, "indexedDB", js.ValueOf(map[string]any{"value": denied, "configurable": true}))
	if _, err := OpenIndexedDB(ctx, "x"); name(err) != "SecurityError" {
		t.Errorf("indexedDB that may not be used: %v", err)
	}
}

// Records of another version, with fields of other types, do not end us.
func TestIndexedDBStrangeRecord(t *testing.T) {
	b := open(t, "strange")
	if err := b.transact(ctx, idb.TransactionReadWrite, []string{runs}, func(tx *transaction) error {
		tx.put(runs, "s", js.ValueOf(map[string]any{"id": "s", "rev": "many", "fields": 7, "extra": []any{1}}))
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	all, err := List(ctx, b)
	if err != nil || len(all) != 1 || all[0].ID != "s" || all[0].Rev != 0 {
		t.Errorf("List = %v, %v", all, err)
	}
}

// Many transactions leave nothing behind but the listener of each opening.
func TestIndexedDBManyTransactions(t *testing.T) {
	b := open(t, "many")
	for i := range 200 {
		if _, _, err := Put(ctx, b, Change{ID: fmt.Sprint("r", i%10), Fields: []byte("{}"), Problem: []byte("p")}); err != nil {
			t.Fatal(err)
		}
	}
	if all, err := List(ctx, b); err != nil || len(all) != 10 {
		t.Errorf("%d records, %v", len(all), err)
	}
}
