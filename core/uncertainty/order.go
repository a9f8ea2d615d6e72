package uncertainty

import (
	"cmp"
	"math/bits"
	"slices"

	"rcmdplab/core/vector"
)

// sorter lists the positions of a row by falling z, equal z by rising position.
// In a sweep the order of all states is found once: a row over every state
// takes it as it is, a wide row picks its own out of it, and only a narrow row
// sorts for itself. All three give the same order.
type sorter struct {
	keys  []key   // scratch
	order []int32 // result of sort
	every []int32 // all states, by falling v of the sweep
	at    []int32 // scratch: position in the row of each state, plus stamp
	stamp int32   // rows seen so far, times the widest row
	wide  int     // rows with more successors use every
}

type key struct {
	z float64 // value, and place in the row
	j int32   // its place in the row
}

func newSorter(s, widest int) sorter {
	// A narrow row costs n log n, picking costs n + S.
	wide := s
	for n := range s {
		if n*bits.Len(uint(n)) > s+n {
			wide = n
			break
		}
	}
	x := sorter{order: make([]int32, widest), keys: make([]key, widest), wide: wide}
	if widest > wide || widest == s {
		x.keys = make([]key, s)
		x.every, x.at = make([]int32, s), make([]int32, s)
	}
	return x
}

func (x *sorter) worthRanking() bool { return x.every != nil }

// rank finds the order of all states.
func (x *sorter) rank(v []float64) { sortInto(x.every, x.keys, v) }

// sort finds the order of one row.
func (x *sorter) sort(z []float64) []int32 {
	o := x.order[:len(z)]
	sortInto(o, x.keys, z)
	return o
}

// sortRow is sort within a sweep: z is v at the states of the support.
func (x *sorter) sortRow(support []int, z []float64) []int32 {
	n := len(support)
	switch {
	case x.every == nil || n <= x.wide && n < len(x.every):
		return x.sort(z)
	case n == len(x.every):
		return x.every
	}
	if x.stamp > 1<<30 {
		x.stamp = 0
		clear(x.at)
	}
	base := x.stamp
	for j, t := range support {
		x.at[t] = base + int32(j) + 1
	}
	x.stamp += int32(n)
	o := x.order[:n]
	c := 0
	for _, t := range x.every {
		if j := x.at[t]; j > base {
			o[c] = j - base - 1
			if c++; c == n {
				break
			}
		}
	}
	return o
}

// sortInto writes the positions of z to o by falling z.
func sortInto(o []int32, keys []key, z []float64) {
	if len(z) <= 24 {
		vector.Order(o, z)
		return
	}
	keys = keys[:len(z)]
	for j, x := range z {
		keys[j] = key{x, int32(j)}
	}
	slices.SortFunc(keys, func(a, b key) int {
		if a.z != b.z {
			return cmp.Compare(b.z, a.z)
		}
		return int(a.j - b.j)
	})
	for j := range keys {
		o[j] = keys[j].j
	}
}
