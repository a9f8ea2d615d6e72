package store

import (
	"context"
	"errors"
	"time"
)

// Failure is what a backend reports beyond the rules of this package: why it
// could not open, read or write.
type Failure struct {
	Name string // of the DOMException, or one of ours below
	Err  error  // from below; may be nil
}

// Error names the failure and says what it came from.
func (f *Failure) Error() string { return f.Name + ": " + f.Err.Error() }

// Unwrap is what it came from.
func (f *Failure) Unwrap() error { return f.Err }

// Names of failures that are not DOMExceptions.
const (
	Missing  = "Missing"  // the browser has no IndexedDB here
	Obsolete = "Obsolete" // another tab holds an older version open and does not let go
	Silent   = "Silent"   // the browser does not answer
)

// Keeper is a Backend over one that can be lost: it opens it when first
// needed, opens it again after transient failures, and turns to memory when it
// never could be opened.
type Keeper struct {
	// Open opens the lasting backend.
	Open func(ctx context.Context) (Backend, error)

	// Patience is how long an opening or a transaction may take.
	Patience time.Duration

	backend Backend // nil until it is first needed, and when it was lost
	notice  string  // for a person, when nothing can be kept; else empty
	memory  bool    // backend is one that ends with the page
	once    bool    // the lasting backend was open before
}

const attempts = 3

// Notice is a sentence for a person when runs are not kept, else "".
func (k *Keeper) Notice() string { return k.notice }

// InMemory reports whether runs are lost with the page.
func (k *Keeper) InMemory() bool { return k.memory }

// Do implements Backend.
func (k *Keeper) Do(ctx context.Context, write bool, f func(Tx) error) error {
	var err error
	for i := range attempts {
		if i > 0 {
			select {
			case <-time.After(time.Duration(i) * 100 * time.Millisecond):
			case <-ctx.Done():
				return ctx.Err()
			}
		}
		err = k.attempt(ctx, write, f)
		if !transient(err) {
			break
		}
		k.Close()
	}
	return explain(err)
}

func (k *Keeper) attempt(ctx context.Context, write bool, f func(Tx) error) error {
	ctx, cancel := context.WithTimeoutCause(ctx, k.Patience, &Failure{Silent, errors.New("no answer from the browser's storage")})
	defer cancel()
	if err := k.connect(ctx); err != nil {
		return err
	}
	err := k.backend.Do(ctx, write, f)
	if errors.Is(err, context.DeadlineExceeded) {
		return context.Cause(ctx)
	}
	return err
}

// Connect opens the backend, so that its state is known.
func (k *Keeper) Connect(ctx context.Context) error {
	return k.Do(ctx, false, func(Tx) error { return nil })
}

func (k *Keeper) connect(ctx context.Context) error {
	if k.backend != nil {
		return nil
	}
	var err error
	for i := range attempts {
		if i > 0 {
			time.Sleep(time.Duration(i) * 100 * time.Millisecond)
		}
		var b Backend
		if b, err = k.Open(ctx); err == nil {
			k.backend, k.once = b, true
			return nil
		}
		if errors.Is(err, context.DeadlineExceeded) {
			err = context.Cause(ctx)
		}
		if !transient(err) {
			break
		}
	}
	if k.once || name(err) == Obsolete {
		return err // there are runs; an empty list would say there are none
	}
	k.backend, k.memory = NewMemory(), true
	k.notice = "This browser does not let the page keep data here, so runs are lost when the page closes. Export what you want to keep."
	switch name(err) {
	case "VersionError":
		k.notice = "The saved runs were written by a newer version of this page. Reload to see them; until then runs are kept only while the page is open."
	case Silent:
		k.notice = "The browser's storage does not answer, so runs are lost when the page closes. Closing other tabs or restarting the browser helps."
	case "QuotaExceededError":
		k.notice = "The browser's storage is full, so runs are lost when the page closes. Free some space and reload."
	}
	return nil
}

// Close lets the backend go; the next transaction opens it again.
func (k *Keeper) Close() {
	if k.backend != nil && !k.memory {
		k.backend.Close()
		k.backend = nil
	}
}

// name is the failure's name, or "".
func name(err error) string {
	var f *Failure
	if errors.As(err, &f) {
		return f.Name
	}
	return ""
}

// transient reports whether opening the backend again may help: the connection
// was closed by another tab's upgrade or lost by the browser.
func transient(err error) bool {
	switch name(err) {
	case "InvalidStateError", "UnknownError", "AbortError", "TransactionInactiveError", "TimeoutError":
		return true
	}
	return false
}

// explain turns a failure into a refusal in words.
func explain(err error) error {
	var e *Error
	if err == nil || errors.As(err, &e) {
		return err
	}
	switch name(err) {
	case "QuotaExceededError":
		return &Error{Quota, "Not saved: the browser's storage for this site is full. Export or delete some runs.", err}
	case Obsolete:
		return &Error{Blocked, "Another tab of this site holds an older version of the saved runs open. Close it and try again.", err}
	case "VersionError":
		return &Error{Blocked, "Another tab has updated the saved runs to a newer version of this page. Reload this one.", err}
	}
	return &Error{Unavailable, "The browser's storage could not be used (" + err.Error() + "). Nothing was changed; try again.", err}
}
