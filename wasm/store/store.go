// Package store keeps runs: a record with what a list shows, the problem's
// text (once for all runs of it), the packed result, and the last checkpoint
// of a run in progress. It stores bytes and knows nothing of what is in them.
//
// The rules are written once, on transactions (Tx); where the bytes go is a
// Backend: IndexedDB, or memory where the browser does not let us. Ids are
// unique, every change raises the record's revision, and a change is merged
// into the stored record within one transaction, so that two tabs cannot undo
// each other's edits of different fields.
package store

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"rcmdplab/core/jsontext"
	"rcmdplab/core/sha256"
)

// Code is what a program can branch on.
type Code string

// The codes of this package.
const (
	InvalidOption Code = "invalid-option"
	Unavailable   Code = "unavailable"
	Quota         Code = "quota"
	Blocked       Code = "blocked"
)

// Error is a refusal with a sentence for a person.
type Error struct {
	Code    Code
	Message string // for a person
	Err     error  // what caused it; may be nil
}

// Error is the code with its sentence.
func (e *Error) Error() string { return string(e.Code) + ": " + e.Message }

// Unwrap is what it came from.
func (e *Error) Unwrap() error { return e.Err }

// Record is one saved run without its large parts.
type Record struct {
	ID        string // of the run, chosen by the page
	Rev       int    // goes up by one with every change
	Fields    []byte // a JSON object: everything the page keeps with a run
	Problem   string // key of the problem's text
	Resumable bool   // there is a checkpoint

	ProblemBytes, ResultBytes int // lengths, 0 for what there is not
}

// Bytes is the size of everything that belongs to the run.
func (r *Record) Bytes() int { return len(r.Fields) + r.ProblemBytes + r.ResultBytes }

// Kind says what a blob is.
type Kind string

// The kinds of blobs: problems by the hash of their text, the others by run.
const (
	Problems    Kind = "problems"
	Results     Kind = "results"
	Checkpoints Kind = "checkpoints"
)

// Tx is one transaction: all of it happens or nothing. A missing record or
// blob is nil. After a failure, which Do returns, nothing is there and nothing is done.
type Tx interface {
	Record(id string) *Record
	Records() []*Record
	PutRecord(r *Record)
	DeleteRecord(id string)
	Blob(kind Kind, key string) []byte
	PutBlob(kind Kind, key string, b []byte)
	DeleteBlob(kind Kind, key string)
}

// Backend runs transactions. Do returns nil only when what f wrote is kept for
// good, a failure before what f says, which is a refusal. It may run f again after a failure, so f must have no other effects.
type Backend interface {
	Do(ctx context.Context, write bool, f func(Tx) error) error
	Close()
}

// MaxBytes is the most one run may take: a larger value is copied several
// times on its way to disk and takes the page with it.
const MaxBytes = 32 << 20

// Change is what Put saves. Nil parts stay as they are.
type Change struct {
	ID      string // of a run, new or kept
	Fields  []byte // a JSON object; its members replace those of the same name
	New     []byte // a JSON object or nil: members that a run gets when it has none of the name
	Problem []byte // text; kept once, however many runs are of it
	Result  []byte // an ended run's; its checkpoint goes unless it is Resumable

	Keep      bool // leave a run that is there already as it is
	Resumable bool // the run ended and can be continued: its checkpoint stays
}

// Put saves a new run, which needs a problem, or changes a saved one. It
// returns the record as it now is, and whether it was changed.
func Put(ctx context.Context, b Backend, c Change) (r *Record, changed bool, err error) {
	if c.ID == "" || len(c.ID) > 200 {
		return nil, false, &Error{Code: InvalidOption, Message: "a run needs an id, a text of at most 200 characters"}
	}
	given, err := members(c.Fields)
	if err != nil {
		return nil, false, &Error{Code: InvalidOption, Message: "the run's fields are not an object", Err: err}
	}
	var first map[string]jsontext.Value
	if c.New != nil {
		if first, err = members(c.New); err != nil {
			return nil, false, &Error{Code: InvalidOption, Message: "a new run's fields are not an object", Err: err}
		}
	}
	err = b.Do(ctx, true, func(tx Tx) error {
		old := tx.Record(c.ID)
		changed = !(c.Keep && old != nil)
		if !changed {
			r = old
			return nil
		}
		r = &Record{ID: c.ID}
		if old != nil {
			*r = *old
		} else if c.Problem == nil {
			return &Error{Code: InvalidOption, Message: "this run is not saved any more; it was deleted, perhaps in another tab"}
		}
		r.Rev++
		fields, err := merge(r.Fields, given, first)
		if err != nil {
			return err
		}
		r.Fields = fields
		before := r.Problem
		if c.Problem != nil {
			r.Problem, r.ProblemBytes = key(c.Problem), len(c.Problem)
		}
		if c.Result != nil {
			r.ResultBytes, r.Resumable = len(c.Result), r.Resumable && c.Resumable
		}
		if n := r.Bytes(); n > MaxBytes {
			return &Error{Code: Quota, Message: fmt.Sprintf("this run takes %.1f MB and at most %d MB can be saved; export it as a file instead", float64(n)/(1<<20), MaxBytes>>20)}
		}
		if c.Problem != nil {
			tx.PutBlob(Problems, r.Problem, c.Problem)
		}
		if c.Result != nil {
			tx.PutBlob(Results, c.ID, c.Result)
			if !r.Resumable {
				tx.DeleteBlob(Checkpoints, c.ID)
			}
		}
		tx.PutRecord(r)
		if before != "" && before != r.Problem {
			release(tx, before)
		}
		return nil
	})
	if err != nil {
		return nil, false, err
	}
	return r, changed, nil
}

// merge replaces the given members of an object, which may be nil, and adds
// those of first that it then lacks.
func merge(object []byte, given, first map[string]jsontext.Value) ([]byte, error) {
	all := map[string]jsontext.Value{}
	if object != nil {
		var err error
		if all, err = members(object); err != nil {
			return nil, fmt.Errorf("store: a saved record is not readable: %w", err)
		}
	}
	maps.Copy(all, given)
	for name, value := range first {
		if _, ok := all[name]; !ok {
			all[name] = value
		}
	}
	b := []byte("{")
	for _, name := range slices.Sorted(maps.Keys(all)) {
		b = append(append(jsontext.AppendString(jsontext.AppendComma(b), name), ':'), all[name]...)
	}
	return append(b, '}'), nil
}

// members reads an object; null has none.
func members(object []byte) (map[string]jsontext.Value, error) {
	v, err := jsontext.Parse(object)
	if err != nil {
		return nil, err
	}
	all := map[string]jsontext.Value{}
	if v.Kind() != '{' && v.Kind() != 'n' {
		return nil, errors.New("not an object")
	}
	for name, x := range v.Members {
		all[name] = x
	}
	return all, nil
}

func key(b []byte) string { return sha256.Hex(b) }

// release removes a problem that no run has any more.
func release(tx Tx, problem string) {
	if !slices.ContainsFunc(tx.Records(), func(r *Record) bool { return r.Problem == problem }) {
		tx.DeleteBlob(Problems, problem)
	}
}

// List returns all records, in no particular order.
func List(ctx context.Context, b Backend) (all []*Record, err error) {
	err = b.Do(ctx, false, func(tx Tx) error {
		all = tx.Records()
		return nil
	})
	return all, err
}

// Run is a saved run with its large parts; those that it has not are nil.
type Run struct {
	Record
	ProblemText, Result, Checkpoint []byte // as they were given
}

// Get returns one run.
func Get(ctx context.Context, b Backend, id string) (run *Run, err error) {
	err = b.Do(ctx, false, func(tx Tx) error {
		r := tx.Record(id)
		if r == nil {
			return &Error{Code: InvalidOption, Message: "there is no saved run with this id; it was deleted, perhaps in another tab"}
		}
		run = &Run{Record: *r, ProblemText: tx.Blob(Problems, r.Problem), Result: tx.Blob(Results, id), Checkpoint: tx.Blob(Checkpoints, id)}
		return nil
	})
	if err != nil {
		return nil, err
	}
	if run.ProblemText == nil {
		return nil, errors.New("store: a saved run has lost its problem")
	}
	return run, nil
}

// Delete removes a run and, when it was the last of its problem, the problem.
// A run that is not there is no error.
func Delete(ctx context.Context, b Backend, id string) error {
	return b.Do(ctx, true, func(tx Tx) error {
		if r := tx.Record(id); r != nil {
			tx.DeleteBlob(Results, id)
			tx.DeleteBlob(Checkpoints, id)
			tx.DeleteRecord(id)
			release(tx, r.Problem)
		}
		return nil
	})
}

// Checkpoint keeps what it takes to continue a run. One for a run that is not
// saved goes nowhere; ok says whether it was kept.
func Checkpoint(ctx context.Context, b Backend, id string, state []byte) (ok bool, err error) {
	if len(state) > MaxBytes {
		return false, nil
	}
	err = b.Do(ctx, true, func(tx Tx) error {
		r := tx.Record(id)
		if ok = r != nil; !ok {
			return nil
		}
		tx.PutBlob(Checkpoints, id, state)
		if !r.Resumable {
			r.Resumable = true
			tx.PutRecord(r)
		}
		return nil
	})
	return ok && err == nil, err
}
