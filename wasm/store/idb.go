//go:build js && wasm

package store

import (
	"cmp"
	"context"
	"errors"
	"io"
	"log"
	"strings"
	"syscall/js"

	"github.com/hack-pad/go-indexeddb/idb"
)

// The database has one version for good: an upgrade is blocked by every tab
// that is open. A later schema adds stores under other names or fields within
// the records, and writes its number to "meta".
const (
	version = 1
	runs    = "runs"
	meta    = "meta"
	schema  = "1"
)

// all object stores; runs and blobs have their keys outside the values.
var stores = []string{runs, string(Problems), string(Results), string(Checkpoints), meta}

// database is the Backend over IndexedDB.
type database struct{ db *idb.Database }

// OpenIndexedDB opens the database of that name, making it when it is new.
//
// What the library does not do is done here: the "blocked" event ends the
// waiting, a cancelled context is an error, the upgrade never fails inside its
// callback (that would end the program), and a reference to an absent
// indexedDB is looked at before it is used, since even that may throw.
func OpenIndexedDB(ctx context.Context, name string) (Backend, error) {
	real, err := indexedDB()
	if err != nil {
		return nil, err
	}
	// The library logs from within its event handlers, where a write that waits
	// for the event loop, as in Node, never returns.
	log.SetOutput(io.Discard)
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	factory, release, err := observed(real, name, version, func() {
		cancel(&Failure{Obsolete, errors.New("the upgrade is blocked by another connection")})
	})
	if err != nil {
		return nil, failure(err)
	}
	defer release()
	f, err := idb.WrapFactory(factory)
	if err != nil {
		return nil, failure(err)
	}
	var upgrade error
	// The upgrade's context outlives ours: the library must not stop listening
	// while the browser still may call.
	request, err := f.Open(context.Background(), name, version, func(db *idb.Database, _, _ uint) error {
		for _, s := range stores {
			if _, err := db.CreateObjectStore(s, idb.ObjectStoreOptions{}); err != nil && domName(err) != "ConstraintError" {
				upgrade = errors.Join(upgrade, err)
			}
		}
		return nil
	})
	if err != nil {
		return nil, failure(err)
	}
	db, err := request.Await(ctx)
	if ctx.Err() != nil { // the library says nil
		return nil, context.Cause(ctx)
	}
	if err = errors.Join(err, upgrade); err != nil {
		return nil, failure(err)
	}
	d := &database{db}
	if err := d.probe(ctx); err != nil {
		d.Close()
		return nil, err
	}
	return d, nil
}

// probe writes and reads: some browsers open a database in which nothing can
// be kept.
func (d *database) probe(ctx context.Context) error {
	return d.transact(ctx, idb.TransactionReadWrite, []string{meta}, func(tx *transaction) error {
		tx.put(meta, "schema", js.ValueOf(schema))
		tx.get(meta, "schema")
		return nil
	})
}

// indexedDB is the browser's; in some frames its mere mention throws.
func indexedDB() (js.Value, error) {
	v, err := attempt(js.Global().Get("Reflect"), "get", js.Global(), "indexedDB")
	switch {
	case err != nil:
		return v, &Failure{Missing, err}
	case !v.Truthy():
		return v, &Failure{Missing, errors.New("there is no IndexedDB here")}
	}
	return v, nil
}

// attempt calls a method and gives what it throws as an error. Only a call
// turns what JavaScript throws into a panic of ours; thrown by a getter it
// would pass through Go's frames and leave the program dead, and a panic inside
// a function that JavaScript called ends the program.
func attempt(v js.Value, method string, args ...any) (result js.Value, err error) {
	defer func() {
		switch p := recover().(type) {
		case nil:
		case js.Error:
			err = p
		default:
			panic(p)
		}
	}()
	return v.Call(method, args...), nil
}

// observed opens the database and gives the library a factory whose open
// returns that request: so blocked is called when another connection is in the
// way, which the library cannot hear. release frees the factory; the listener
// stays, because a request that nobody waits for any more may still call it.
func observed(real js.Value, name string, version int, blocked func()) (factory js.Value, release func(), err error) {
	request, err := attempt(real, "open", name, version)
	if err != nil {
		return js.Undefined(), nil, err
	}
	request.Call("addEventListener", "blocked", js.FuncOf(func(js.Value, []js.Value) any {
		blocked()
		return nil
	}))
	open := js.FuncOf(func(js.Value, []js.Value) any { return request })
	factory = js.Global().Get("Object").New()
	factory.Set("open", open)
	return factory, open.Release, nil
}

// Close implements Backend.
func (d *database) Close() { _ = d.db.Close() } // a connection that cannot be closed is closed

// Do implements Backend.
func (d *database) Do(ctx context.Context, write bool, f func(Tx) error) error {
	mode := idb.TransactionReadOnly
	if write {
		mode = idb.TransactionReadWrite
	}
	return d.transact(ctx, mode, stores[:4], func(tx *transaction) error { return f(tx) })
}

func (d *database) transact(ctx context.Context, mode idb.TransactionMode, names []string, f func(*transaction) error) error {
	jsTx, err := d.db.Transaction(mode, names[0], names[1:]...)
	if err != nil {
		return failure(err)
	}
	// The listeners must be there before JavaScript gets control back: a
	// transaction that has ended is never heard again. The library's Await must
	// not see our context: when one ends it may wait for ever. Only completion
	// means that anything is kept.
	done := make(chan error, 1)
	go func() { done <- jsTx.Await(context.Background()) }()
	tx := &transaction{ctx: ctx, tx: jsTx}
	refusal := f(tx)
	if err := cmp.Or(tx.err, refusal); err != nil {
		_ = jsTx.Abort() // it may have ended by itself, with the same error
		select {
		case <-done:
		case <-ctx.Done():
		}
		return failure(err)
	}
	select {
	case err := <-done:
		return failure(err)
	case <-ctx.Done():
		_ = jsTx.Abort()
		return ctx.Err()
	}
}

// transaction is a Tx. Waiting for one of its own requests keeps it alive;
// anything else would end it.
type transaction struct {
	ctx context.Context
	tx  *idb.Transaction
	err error // the first failure, after which nothing is asked
}

// on has something asked of an object store.
func (t *transaction) on(store string, ask func(s *idb.ObjectStore) error) {
	if t.err != nil {
		return
	}
	s, err := t.tx.ObjectStore(store)
	if err == nil {
		err = ask(s)
	}
	t.err = err
}

// waited is the error of a request that was waited for; the library is silent about a context that ends.
func (t *transaction) waited(err error) error { return cmp.Or(err, t.ctx.Err()) }

func (t *transaction) get(store, key string) (v js.Value) {
	t.on(store, func(s *idb.ObjectStore) error {
		r, err := s.Get(js.ValueOf(key))
		if err != nil {
			return err
		}
		found, err := r.Await(t.ctx)
		if err = t.waited(err); err == nil {
			v = found
		}
		return err
	})
	return v
}

// put and remove do not wait: the transaction's end tells of their failure.
func (t *transaction) put(store, key string, value js.Value) {
	t.on(store, func(s *idb.ObjectStore) error {
		_, err := s.PutKey(js.ValueOf(key), value)
		return err
	})
}

func (t *transaction) remove(store, key string) {
	t.on(store, func(s *idb.ObjectStore) error {
		_, err := s.Delete(js.ValueOf(key))
		return err
	})
}

// Record implements Tx.
func (t *transaction) Record(id string) *Record {
	v := t.get(runs, id)
	if !v.Truthy() {
		return nil
	}
	return recordOf(v)
}

// Records implements Tx. A cursor's callback must not wait for anything.
func (t *transaction) Records() (all []*Record) {
	t.on(runs, func(s *idb.ObjectStore) error {
		request, err := s.OpenCursor(idb.CursorNext)
		if err != nil {
			return err
		}
		return t.waited(request.Iter(t.ctx, func(c *idb.CursorWithValue) error { // a list cut short is not a list
			v, err := c.Value()
			if err == nil {
				all = append(all, recordOf(v))
			}
			return err
		}))
	})
	return all
}

// PutRecord implements Tx.
func (t *transaction) PutRecord(r *Record) {
	t.put(runs, r.ID, js.ValueOf(map[string]any{
		"id": r.ID, "rev": r.Rev, "fields": string(r.Fields), "problem": r.Problem, "resumable": r.Resumable,
		"problemBytes": r.ProblemBytes, "resultBytes": r.ResultBytes,
	}))
}

func recordOf(v js.Value) *Record {
	return &Record{
		ID: text(v, "id"), Rev: number(v, "rev"), Fields: []byte(text(v, "fields")), Problem: text(v, "problem"),
		Resumable: v.Get("resumable").Truthy(), ProblemBytes: number(v, "problemBytes"), ResultBytes: number(v, "resultBytes"),
	}
}

// text and number read what another version may not have written.
func text(v js.Value, name string) string {
	if p := v.Get(name); p.Type() == js.TypeString {
		return p.String()
	}
	return ""
}

func number(v js.Value, name string) int {
	if p := v.Get(name); p.Type() == js.TypeNumber {
		return p.Int()
	}
	return 0
}

// DeleteRecord implements Tx.
func (t *transaction) DeleteRecord(id string) { t.remove(runs, id) }

var uint8Array = js.Global().Get("Uint8Array")

// Blob implements Tx.
func (t *transaction) Blob(kind Kind, key string) []byte {
	v := t.get(string(kind), key)
	if !v.InstanceOf(uint8Array) {
		return nil
	}
	b := make([]byte, v.Get("byteLength").Int())
	js.CopyBytesToGo(b, v)
	return b
}

// PutBlob implements Tx.
func (t *transaction) PutBlob(kind Kind, key string, b []byte) {
	v := uint8Array.New(len(b))
	js.CopyBytesToJS(v, b)
	t.put(string(kind), key, v)
}

// DeleteBlob implements Tx.
func (t *transaction) DeleteBlob(kind Kind, key string) { t.remove(string(kind), key) }

// failure gives an error of the library its DOMException's name. Refusals of
// this package pass as they are.
func failure(err error) error {
	var e *Error
	var f *Failure
	switch {
	case err == nil || errors.As(err, &e) || errors.As(err, &f),
		errors.Is(err, context.DeadlineExceeded), errors.Is(err, context.Canceled):
		return err
	}
	name := domName(err)
	if name == "" {
		name = "UnknownError"
	}
	return &Failure{name, err}
}

// domName is the name of the DOMException behind an error. Those that JavaScript
// threw at a call come as js.Error however wrapped, those of an event as the
// library's own type.
func domName(err error) string {
	var thrown js.Error
	if errors.As(err, &thrown) {
		return text(thrown.Value, "name")
	}
	var event idb.DOMException
	if errors.As(err, &event) {
		name, _, _ := strings.Cut(event.Error(), ":")
		return name
	}
	return ""
}
