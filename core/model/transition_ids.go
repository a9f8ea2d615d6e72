package model

import (
	"fmt"
	"strings"

	"rcmdplab/core/jsontext"
)

// idRange is the range of the numbers used as ids of states or actions, and
// the first fault of one that is just beyond the range.
type idRange struct{ lo, hi, fault int }

// id reads a state or an action by name or index.
func (r *reader) id(base string, entry, column int, ids *[2]idRange) (i int, ok bool) {
	noun, names, index, seen := "state", r.states, r.stateAt, &ids[0]
	if column == 1 {
		noun, names, index, seen = "action", r.actions, r.actionAt, &ids[1]
	}
	start := r.i
	switch r.kind() {
	case text:
		s := r.name()
		if i, ok = index[s]; !ok {
			f := Fault{Pointer: at(base, entry, column), Message: fmt.Sprintf("found %s, which is not the name of a%s", Quote(s), article(noun))}
			if w := sameName(s, names); w != "" {
				f.Message += "; did you mean " + Quote(w) + "?"
				f.Fix = &Fix{"write " + Quote(w), []Replace{{f.Pointer, Quote(w)}}}
			}
			r.fault(start, f)
		}
		return i, ok
	case number:
		x := r.float()
		i = int(x)
		if float64(i) == x && i >= 0 && i < len(names) {
			seen.lo, seen.hi = min(seen.lo, i), max(seen.hi, i)
			return i, true
		}
		if x == float64(len(names)) {
			seen.hi = len(names)
			if seen.fault < 0 {
				seen.fault = len(r.faults)
			}
		} else {
			seen.lo = -1
		}
		r.faultf(start, at(base, entry, column), "found %s as a%s; indices go from 0 to %d", r.data[start:r.i], article(noun), len(names)-1)
	default:
		r.wrong(Fault{Pointer: at(base, entry, column)}, "the name or the 0-based index of a"+article(noun))
	}
	return 0, false
}

// sameName is the only name that differs from s in case, blanks, dashes and
// underscores alone, or "".
func sameName(s string, names []string) string {
	plain := func(s string) string {
		return strings.NewReplacer(" ", "", "_", "", "-", "").Replace(strings.ToLower(s))
	}
	found := ""
	for _, n := range names {
		if plain(n) == plain(s) {
			if found != "" {
				return ""
			}
			found = n
		}
	}
	if len(found) > 40 {
		return "" // quote would cut it
	}
	return found
}

// hintOneBased completes the first fault of an index when indices seem to
// count from 1.
func (r *reader) hintOneBased(start int, base string, ids [2]idRange) {
	shift, which, first := [2]int{}, "", len(r.faults)
	for c, noun := range []string{"state", "action"} {
		if seen := ids[c]; seen.fault >= 0 && seen.lo >= 1 {
			if shift[c] = 1; which != "" {
				which += " and "
			}
			which += noun
			first = min(first, seen.fault)
		}
	}
	if first >= len(r.faults) {
		return
	}
	f := &r.faults[first].Fault
	f.Message += "; the " + which + " indices here seem to count from 1"
	f.Fix = &Fix{"count " + which + " indices from 0", []Replace{{base, string(r.shifted(start, shift))}}}
}

// shifted is the text of the entries with the numeric indices reduced.
func (r *reader) shifted(start int, shift [2]int) []byte {
	out := []byte{'['}
	c := cursor{r.data, start + 1}
	for c.more(']') {
		out = jsontext.AppendComma(out)
		if c.kind() != list {
			out = append(out, c.raw()...)
			continue
		}
		out = append(out, '[')
		c.i++
		for n := 0; c.more(']'); n++ {
			out = jsontext.AppendComma(out)
			if d := shift[n&1]; n < 3 && d > 0 && c.kind() == number {
				out = jsontext.AppendNumber(out, c.float()-float64(d))
			} else {
				out = append(out, c.raw()...)
			}
		}
		out = append(out, ']')
	}
	return append(out, ']')
}
