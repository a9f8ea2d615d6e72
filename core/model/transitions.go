package model

import (
	"math"
	"slices"
)

// transitions is one kernel (or end of an interval) as read, with what is
// needed to point back into the document.
type transitions struct {
	base      string       // JSON Pointer
	what      string       // how a person calls it
	start     int          // byte
	kernel    *Kernel      // as read so far
	available []bool       // [s*A+a]
	pairs     []int        // s*A+a of each row of the kernel
	rowStart  []int        // byte of each row (its first entry when sparse)
	entry     []int        // sparse: entry number of each probability
	bad       map[int]bool // rows with a fault already
	ok        bool         // the shape is right: rows can be compared
}

// sparseEntry is one [state, action, next, probability].
type sparseEntry struct {
	pair, next, number, start int32   // documents are shorter than 2^31
	p                         float64 // probability
	good                      bool    // all its parts were read
}

// transitions reads dense or sparse transitions. Whether rows sum to 1 is for
// the caller to ask, as those of an interval need not.
func (r *reader) transitions(base, what string) *transitions {
	t := &transitions{base: base, what: what, kernel: &Kernel{Ptr: []int{0}}, bad: map[int]bool{}}
	switch r.kind() {
	case object:
		t.start = r.i
		r.sparse(t)
	case list:
		t.start = r.i
		r.dense(t)
	default:
		r.wrong(Fault{Pointer: base}, `transitions as [state][action][next state], or as {"entries": [...]}`)
	}
	if t.ok {
		t.close(r)
		r.someAction(t)
	}
	return t
}

const wantTransitions = "transitions as [state][action][next state]"

func (r *reader) dense(t *transitions) {
	if r.s >= 0 && r.a >= 0 {
		t.available = make([]bool, r.s*r.a)
	}
	k := t.kernel
	rows := true
	t.ok = r.grid(t.base, wantTransitions, func(s, a int) {
		if r.kind() == null {
			r.raw()
			return
		}
		f := r.pair("", s, a)
		if r.kind() != list {
			f.Pointer = at(t.base, s, a)
			r.wrong(f, "a list with one probability for each next state, or null when the action is not available")
			rows = false
			return
		}
		start, n, good := r.i, 0, true
		for r.i++; r.more(']'); n++ {
			var x float64
			ok := true
			if r.data[r.i] == '0' && delimiter(r.data[r.i+1]) { // most of a dense kernel
				r.i++
			} else if x, ok = r.simple(0, 1); !ok {
				f.Pointer = at(t.base, s, a, n)
				x, ok = r.probability(f, r.goes(&f, n))
			}
			good = good && ok
			if x != 0 && (r.s < 0 || n < r.s) {
				k.Next = append(k.Next, n)
				k.Prob = append(k.Prob, x)
			}
		}
		if r.s >= 0 && n != r.s {
			f.Pointer = at(t.base, s, a)
			r.say(start, f, "found %s for %s; want %d, one for each next state%s", Count(n, "probability"), f.in(), r.s, commas(n, r.s))
			good, rows = false, false
		}
		if !good {
			t.bad[len(t.pairs)] = true
		}
		if t.available != nil {
			t.available[s*r.a+a] = true
			t.pairs = append(t.pairs, s*r.a+a)
		}
		t.rowStart = append(t.rowStart, start)
		k.Ptr = append(k.Ptr, len(k.Next))
	}) && rows
}

// goes is the phrase for the probability of one successor.
func (r *reader) goes(f *Fault, next int) string {
	to := "a next state"
	if next >= 0 && next < len(r.states) {
		to = Quote(r.states[next])
	}
	return "the probability of " + f.in() + " leading to " + to
}

const wantEntry = `an entry [state, action, next state, probability]`

func (r *reader) sparse(t *transitions) {
	where, _ := r.fields(t.base, "transitions", "entries")
	if !r.seek(where, "entries") {
		r.faultf(t.start, t.base+"/entries", `the field "entries" is missing; want a list of entries [state, action, next state, probability]`)
		return
	}
	base := t.base + "/entries"
	start := r.i
	if (r.s < 0 || r.a < 0) && r.kind() == list { // names cannot be looked up
		r.raw()
		return
	}
	if !r.into(Fault{Pointer: base}, "a list of entries [state, action, next state, probability]") {
		return
	}
	t.start = start
	ids := [2]idRange{{lo: math.MaxInt, fault: -1}, {lo: math.MaxInt, fault: -1}} // states, actions
	var entries []sparseEntry
	ok, sorted, named := true, true, true
	for r.more(']') {
		e := sparseEntry{number: int32(len(entries)), start: int32(r.i)}
		if r.kind() != list {
			r.wrong(Fault{Pointer: at(base, len(entries))}, wantEntry)
			entries = append(entries, e)
			ok = false
			continue
		}
		if len(entries) == cap(entries) { // append would grow long lists by a quarter only
			entries = slices.Grow(entries, max(64, len(entries)))
		}
		var place [3]int // state, action, next
		n, good := 0, true
		for r.i++; r.more(']'); n++ {
			switch n {
			case 0, 1, 2:
				named = named && r.kind() == text
				i, k := r.id(base, len(entries), n, &ids)
				place[n], good = i, good && k
			case 3:
				x, k := r.simple(0, 1)
				if !k {
					f := Fault{Pointer: at(base, len(entries), 3)}
					if good {
						f = r.pair(f.Pointer, place[0], place[1])
					}
					x, k = r.probability(f, r.goes(&f, place[2]))
				}
				e.p, e.good = x, k
			default:
				r.raw()
			}
		}
		if n != 4 {
			r.faultf(int(e.start), at(base, len(entries)), "found %s; want %s", Count(n, "value"), wantEntry)
			good = false
		}
		if ok = ok && good; good {
			e.pair, e.next = int32(place[0]*r.a+place[1]), int32(place[2])
			if m := len(entries); m > 0 && compareEntries(entries[m-1], e) >= 0 {
				sorted = false
			}
		}
		entries = append(entries, e)
	}
	if !ok {
		r.hintOneBased(start, base, ids)
		return
	}
	if !sorted {
		sortEntries(entries)
	}
	t.kernel.Sparse, t.kernel.Named = true, named && len(entries) > 0
	t.available = make([]bool, r.s*r.a)
	t.ok = r.rows(t, base, entries)
}

func compareEntries(x, y sparseEntry) int {
	switch {
	case x.pair != y.pair:
		return int(x.pair) - int(y.pair)
	case x.next != y.next:
		return int(x.next) - int(y.next)
	}
	return int(x.number) - int(y.number)
}

// sortEntries sorts by pair and next state. Most documents list pair after pair
// and disorder only the next states: few places to move by.
func sortEntries(entries []sparseEntry) {
	const far = 32
	for i := range entries {
		e, k := entries[i], i
		for ; k > 0 && compareEntries(entries[k-1], e) > 0; k-- {
			if i-k == far {
				entries[k] = e
				slices.SortFunc(entries, compareEntries)
				return
			}
			entries[k] = entries[k-1]
		}
		entries[k] = e
	}
}

// rows turns sorted entries into the kernel's rows; a repeated one is a fault.
func (r *reader) rows(t *transitions, base string, entries []sparseEntry) (ok bool) {
	ok = true
	k, rows := t.kernel, 0
	for i := range entries {
		if i == 0 || entries[i-1].pair != entries[i].pair {
			rows++
		}
	}
	k.Next, k.Prob, k.Ptr = make([]int, 0, len(entries)), make([]float64, 0, len(entries)), append(make([]int, 0, rows+1), 0)
	t.entry, t.pairs, t.rowStart = make([]int, 0, len(entries)), make([]int, 0, rows), make([]int, 0, rows)
	for i := range entries {
		e := &entries[i]
		pair := int(e.pair)
		if i > 0 && entries[i-1].pair == e.pair && entries[i-1].next == e.next {
			f := r.pair(at(base, int(e.number)), pair/r.a, pair%r.a)
			r.say(int(e.start), f, "%s leading to %s is listed again, first by entry %d; add the probabilities up to one entry",
				f.in(), Quote(r.states[e.next]), entries[i-1].number)
			ok = false
			continue
		}
		if !t.available[pair] {
			t.available[pair] = true
			t.pairs = append(t.pairs, pair)
			t.rowStart = append(t.rowStart, int(e.start))
			k.Ptr = append(k.Ptr, len(k.Next))
		}
		if !e.good {
			t.bad[len(t.pairs)-1] = true
		}
		k.Next, k.Prob = append(k.Next, int(e.next)), append(k.Prob, e.p)
		k.Ptr[len(k.Ptr)-1] = len(k.Next)
		t.entry = append(t.entry, int(e.number))
	}
	return ok
}

// rowPointer is the pointer of row i, or of the whole list when it is sparse.
func (t *transitions) rowPointer(r *reader, i int) string {
	if t.kernel.Sparse {
		return at(t.base+"/entries", t.entry[t.kernel.Ptr[i]])
	}
	return at(t.base, t.pairs[i]/r.a, t.pairs[i]%r.a)
}

// cellPointer is the pointer of the j-th listed probability, which is in row i.
func (t *transitions) cellPointer(r *reader, i, j int) string {
	if t.kernel.Sparse {
		return at(t.base+"/entries", t.entry[j], 3)
	}
	return at(t.base, t.pairs[i]/r.a, t.pairs[i]%r.a, t.kernel.Next[j])
}

// someAction reports states without an available action.
func (r *reader) someAction(t *transitions) {
	for s := range r.s {
		if r.endless || slices.Contains(t.available[s*r.a:(s+1)*r.a], true) {
			continue
		}
		f := r.pair(at(t.base, s), s, -1)
		where := "every row is null"
		if t.kernel.Sparse {
			f.Pointer, where = t.base+"/entries", "no entry starts there"
		}
		r.say(t.start, f, "no action is available in %s (%s); every state needs one. A state that is never left has an action that leads back to it", f.in(), where)
	}
}
