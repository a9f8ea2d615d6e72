package wire

import "rcmdplab/core/model"

// Code is what a program can branch on; the list is part of the public API (rcmdp.d.ts).
type Code string

// The codes that this side can answer with. The page adds those of its own:
// closed, unavailable, quota, blocked.
const (
	InvalidProblem Code = "invalid-problem"
	InvalidOption  Code = "invalid-option"
	Unsupported    Code = "unsupported"
	ChoiceNeeded   Code = "choice-needed" // a reading is open; the faults' pointers name the options
	Crashed        Code = "crashed"
)

// Error is a refusal: a code, a sentence for a person and, where places can be
// named, what is wrong at each.
type Error struct {
	Code    Code
	Message string       // for a person
	Faults  model.Faults // with JSON Pointers into the document; may be empty
}

// Error is the code with its sentence.
func (e *Error) Error() string { return string(e.Code) + ": " + e.Message }

// refuse ends the call that is being answered: the Error is thrown, and caught by answered alone. Faults may be left out.
func refuse(code Code, message string, faults ...model.Fault) {
	panic(&Error{Code: code, Message: message, Faults: faults})
}

// refuseAll refuses what has faults.
func refuseAll(code Code, faults model.Faults) {
	if len(faults) > 0 {
		refuse(code, said(faults), faults...)
	}
}

// refuseOn refuses what an error was met in.
func refuseOn(code Code, err error) {
	if err != nil {
		refuse(code, err.Error())
	}
}

// answered has a call answered, or gives the refusal that ended it.
func answered(call func()) (refused *Error) {
	defer func() {
		if p := recover(); p != nil {
			var ours bool
			if refused, ours = p.(*Error); !ours {
				panic(p)
			}
		}
	}()
	call()
	return nil
}

// envelope writes {"error": ...}.
func (e *Error) envelope() []byte {
	t := new(text)
	t.open('{').key("error").open('{')
	t.key("code").str(string(e.Code)).key("message").str(e.Message)
	t.key("errors").faults(e.Faults)
	t.close('}').close('}')
	return Pack(t.b)
}

// faults writes them as in validate(): pointer and message always, state,
// action and fix when there is one.
func (t *text) faults(faults model.Faults) *text {
	return list(t, faults, func(f model.Fault) {
		t.open('{').key("pointer").str(f.Pointer).key("message").str(f.Message)
		if f.State != "" {
			t.key("state").str(f.State)
		}
		if f.Action != "" {
			t.key("action").str(f.Action)
		}
		if f.Fix != nil {
			list(t.key("fix").open('{').key("label").str(f.Fix.Label).key("patch"), f.Fix.Patch, func(r model.Replace) {
				t.open('{').key("pointer").str(r.Pointer).key("value").raw(r.Value).close('}')
			})
			t.close('}')
		}
		t.close('}')
	})
}
