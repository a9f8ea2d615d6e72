package model

import "strconv"

// Fault is one thing wrong with a document, said for a person: where it is,
// what was found, what is allowed, and the fix when there is one.
type Fault struct {
	Pointer string // JSON Pointer (RFC 6901) into the document
	Message string // what was found and what is allowed, as a sentence
	State   string // the state's name when the place belongs to one
	Action  string // the action's name when the place belongs to one
	Fix     *Fix
}

// Fix is a repair that the person can accept: Label says what it does and the
// patch replaces the values at its pointers.
type Fix struct {
	Label string
	Patch []Replace // in order
}

// Replace sets the value at Pointer to the JSON text Value.
type Replace struct{ Pointer, Value string }

// Faults is every fault of a document, in document order.
type Faults []Fault

// Error gives the first fault and the number of the others.
func (f Faults) Error() string {
	switch len(f) {
	case 0:
		return "no faults"
	case 1:
		return f[0].Pointer + ": " + f[0].Message
	}
	return f[0].Pointer + ": " + f[0].Message + " (and " + strconv.Itoa(len(f)-1) + " more)"
}
