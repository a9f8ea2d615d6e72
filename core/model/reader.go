package model

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"sort"

	"rcmdplab/core/jsontext"
)

// reader decodes one document: a cursor with the faults met so far and what is
// known of the problem's sizes. A size is -1 while, or when, it is unknown;
// then what depends on it is read but not compared with it.
type reader struct {
	cursor
	faults  []placed
	dropped int // faults beyond maxFaults

	s, a            int            // sizes
	states, actions []string       // ids, nil when unknown
	stateAt         map[string]int // place by id
	actionAt        map[string]int // place by id
	available       []bool         // [s*A+a], nil when unknown
	faint           bool           // numbers below the normal range are read as they are: those of a policy
	end             []bool         // by state, nil when there are none
	endless         bool           // "end" has a fault: a state without a row may be meant by it
	decisions       int            // of a horizon, -1 when it has a fault, 0 without
	set             Kind           // of the uncertainty set, empty when unknown
	off             rescaling      // rows that do not sum to 1 by little
}

// placed is a fault with the byte it is about, for document order.
type placed struct {
	at int // byte
	Fault
}

// maxFaults is the number of faults kept: a document with more has one cause.
const maxFaults = 1000

func (r *reader) fault(at int, f Fault) {
	if len(r.faults) >= maxFaults {
		r.dropped++
		return
	}
	r.faults = append(r.faults, placed{at, f})
}

// say is the fault f with a message.
func (r *reader) say(at int, f Fault, format string, args ...any) {
	f.Message = fmt.Sprintf(format, args...)
	r.fault(at, f)
}

func (r *reader) faultf(at int, pointer, format string, args ...any) {
	if len(r.faults) >= maxFaults { // messages are not free
		r.dropped++
		return
	}
	r.say(at, Fault{Pointer: pointer}, format, args...)
}

// done returns the faults in document order.
func (r *reader) done() Faults {
	sort.SliceStable(r.faults, func(a, b int) bool { return r.faults[a].at < r.faults[b].at })
	var out Faults
	for _, f := range r.faults {
		out = append(out, f.Fault)
	}
	if r.dropped > 0 {
		out = append(out, Fault{Message: fmt.Sprintf("%d more faults are not listed", r.dropped)})
	}
	return out
}

// found describes the value at the cursor and moves over it.
func (r *reader) found() string {
	switch r.kind() {
	case object:
		r.raw()
		return "found an object"
	case list:
		r.raw()
		return "found a list"
	case text:
		return "found the text " + Quote(r.name())
	}
	raw := r.raw()
	if len(raw) > 40 {
		raw = append(slices.Clone(raw[:40]), "..."...)
	}
	return "found " + string(raw)
}

// wrong reports that the value at the cursor is not what is wanted, and moves
// over it.
func (r *reader) wrong(f Fault, want string) {
	start := r.i
	f.Message = r.found() + "; want " + want
	r.fault(start, f)
}

// into moves behind the opening bracket of the list at the cursor, or reports that there is none.
func (r *reader) into(f Fault, want string) bool {
	if r.kind() != list {
		r.wrong(f, want)
		return false
	}
	r.i++
	return true
}

// fields walks the object at the cursor and returns where the value of each
// known member starts. Unknown and repeated members are faults.
func (r *reader) fields(base, what string, known ...string) (where map[string]int, ok bool) {
	if r.kind() != object {
		r.wrong(Fault{Pointer: base}, what)
		return nil, false
	}
	where = make(map[string]int, len(known))
	var others map[string]bool
	for r.i++; r.more('}'); {
		start := r.i
		k := r.key()
		switch _, twice := where[k]; {
		case twice || others[k]:
			r.faultf(start, base+"/"+jsontext.Escape(k), "the field %s occurs twice; keep one", Quote(k))
		case slices.Contains(known, k):
			where[k] = r.i
		default:
			if others == nil {
				others = map[string]bool{}
			}
			others[k] = true
			r.faultf(start, base+"/"+jsontext.Escape(k), "unknown field %s; %s", Quote(k), suggest(k, known))
		}
		r.raw()
	}
	return where, true
}

// minNormal is the least positive number that a 64-bit float holds with all its
// digits. One below has a relative error of up to 1, which no bound counts.
const minNormal = 0x1p-1022

// below reports whether x is too small to be read: not 0, and with digits missing.
func (r *reader) below(x float64) bool { return x != 0 && math.Abs(x) < minNormal && !r.faint }

// simple reads a number from lo to hi, what nearly every value of a document
// is. Otherwise the cursor stays, for a reader that can say what is wrong.
func (r *reader) simple(lo, hi float64) (x float64, ok bool) {
	if r.kind() != number {
		return 0, false
	}
	start := r.i
	if x = r.float(); x >= lo && x <= hi && !r.below(x) {
		return x, true
	}
	r.i = start
	return 0, false
}

// finite reads a finite number that is 0 or has all its digits, or reports why it
// is none.
func (r *reader) finite(f Fault, want string) (x float64, ok bool) {
	kind := r.kind() // skips what stands before the value
	start := r.i
	switch kind {
	case number:
		x = r.float()
		if r.below(x) {
			f.Message = fmt.Sprintf("found %s, which is below the range in which a 64-bit float keeps its digits (%s); want %s, or 0", r.data[start:r.i], Digits(minNormal, 3), want)
			f.Fix = &Fix{"write 0", []Replace{{f.Pointer, "0"}}}
			r.fault(start, f)
			return 0, false
		}
		if !math.IsInf(x, 0) {
			return x, true
		}
		r.say(start, f, "found %s, which is beyond the range of a 64-bit float (1.8e308); want %s", r.data[start:r.i], want)
	case notJSON:
		r.say(start, f, "found %s, which is not a number; want %s", r.raw(), want)
	case text:
		s := r.name()
		f.Message = "found the text " + Quote(s) + "; want " + want
		if y, say, ok := meantNumber(s); ok {
			f.Message += ", " + say
			f.Fix = &Fix{"write " + Num(y) + " without quotes", []Replace{{f.Pointer, Num(y)}}}
		}
		r.fault(start, f)
	default:
		r.wrong(f, want)
	}
	return 0, false
}

// string reads a string, or reports that it is none.
func (r *reader) string(pointer, want string) (s string, ok bool) {
	if r.kind() != text {
		r.wrong(Fault{Pointer: pointer}, want)
		return "", false
	}
	return r.name(), true
}

// names reads a list of unique, non-empty names; nil when it is no list.
func (r *reader) names(base, each string) (names []string, index map[string]int) {
	start := r.i
	if !r.into(Fault{Pointer: base}, "a list of names, one for each "+each) {
		return nil, nil
	}
	index = map[string]int{}
	names = []string{}
	for r.more(']') {
		p, here := at(base, len(names)), r.i
		s, ok := r.string(p, "a name in quotes")
		switch first, twice := index[s]; {
		case !ok:
		case s == "":
			r.faultf(here, p, "the name of a%s is empty", article(each))
		case twice:
			r.faultf(here, p, "the name %s is taken by %s %d; names must differ", Quote(s), each, first+1)
		default:
			index[s] = len(names)
		}
		names = append(names, s)
	}
	if len(names) == 0 {
		r.faultf(start, base, "the list is empty; want at least one %s", each)
		return nil, nil
	}
	return names, index
}

// pair is a fault about (s, a); the message is to be filled in.
func (r *reader) pair(pointer string, s, a int) Fault {
	f := Fault{Pointer: pointer}
	if s >= 0 && s < len(r.states) {
		f.State = r.states[s]
	}
	if a >= 0 && a < len(r.actions) {
		f.Action = r.actions[a]
	}
	return f
}

// in names the place of a fault as a phrase.
func (f *Fault) in() string {
	switch {
	case f.State != "" && f.Action != "":
		return "action " + Quote(f.Action) + " in state " + Quote(f.State)
	case f.State != "":
		return "state " + Quote(f.State)
	}
	return "this place"
}

// grid walks [S][A], calling cell at each value that has a place there; cell
// must move over it. It reports rows too many or too few and returns whether
// the shape is right.
func (r *reader) grid(base, want string, cell func(s, a int)) bool {
	start, mark, ok, s := r.i, len(r.faults), true, 0
	if !r.into(Fault{Pointer: base}, want) {
		return false
	}
	for ; r.more(']'); s++ {
		if r.s >= 0 && s >= r.s {
			r.raw()
			continue
		}
		row := func() Fault { return r.pair(at(base, s), s, -1) }
		if r.kind() == null {
			f := row()
			f.Message = "found null for " + f.in() + "; want a list with one value for each action: unavailable actions are null one by one, and every state needs one that is available"
			r.fault(r.i, f)
			r.raw()
			ok = false
			continue
		}
		here, a := r.i, 0
		if !r.into(row(), "a list with one value for each action") {
			ok = false
			continue
		}
		for ; r.more(']'); a++ {
			if r.a >= 0 && a >= r.a {
				r.raw()
				continue
			}
			cell(s, a)
		}
		if r.a >= 0 && a != r.a {
			f := row()
			f.Message = fmt.Sprintf("found %s for %s; want %d, one for each action%s%s", Count(a, "value"), f.in(), r.a, r.missing(a), commas(a, r.a))
			if a < r.a && want == wantTransitions {
				f.Message += "; an action that is not available is null"
			}
			r.fault(here, f)
			ok = false
		}
	}
	if r.s >= 0 && s != r.s {
		f := Fault{Pointer: base, Message: fmt.Sprintf("found %s; want %d, one for each state", Count(s, "row"), r.s)}
		if swapped := r.swapped(start); swapped != nil {
			r.faults = r.faults[:mark] // one cause, one fault
			f.Message = fmt.Sprintf("found a list for each of the %d actions; want one for each of the %d states first, and the actions within", r.a, r.s)
			f.Fix = &Fix{"put states first", []Replace{{base, string(swapped)}}}
		}
		r.fault(start, f)
		ok = false
	}
	return ok && r.s >= 0 && r.a >= 0
}

// missing names the actions that a list of n values leaves out, where it is
// clear which.
func (r *reader) missing(n int) string {
	if n >= len(r.actions) || len(r.actions)-n > 3 {
		return ""
	}
	return " (none for " + Listed("and", r.actions[n:]) + ")"
}

// swapped is the text of a list [A][S] that starts at start with the two
// exchanged, or nil when it has another shape.
func (r *reader) swapped(start int) []byte {
	if r.s < 0 || r.a < 0 {
		return nil
	}
	c := cursor{r.data, start + 1}
	var cells [][]byte // [a*S+s]
	n := 0
	for ; c.more(']'); n++ {
		if c.kind() != list {
			return nil
		}
		for c.i++; c.more(']'); {
			cells = append(cells, c.raw())
		}
		if len(cells) != (n+1)*r.s {
			return nil
		}
	}
	if n != r.a {
		return nil
	}
	rows := make([][]byte, r.s)
	for s := range rows {
		row := make([][]byte, r.a)
		for a := range row {
			row[a] = cells[a*r.s+s]
		}
		rows[s] = bracketed(row)
	}
	return bracketed(rows)
}

// bracketed is the JSON list of values given as text.
func bracketed(values [][]byte) []byte {
	return slices.Concat([]byte("["), bytes.Join(values, []byte(",")), []byte("]"))
}
