package evaluate

import (
	"rcmdplab/core/model"
	"rcmdplab/core/uncertainty"
)

// Pattern is where the answers of a rectangular set have their numbers.
type Pattern struct {
	// Fixed says that all answers share the rows Ptr, Next; where mass may move to any
	// state and seldom does, an answer lists its non-zeros only and Ptr is [0].
	Fixed     bool
	Ptr, Next []int // successors of pair i: Next[Ptr[i]:Ptr[i+1]], states
	Entries   int   // about so many in an answer
	Widest    int   // most successors of a pair
}

// NewPattern is that of a set over a problem's pairs.
func NewPattern(m *model.Standard, set uncertainty.Set) (p Pattern) {
	entries := 0
	for i := range m.Pairs() {
		n := len(set.Support(i))
		p.Widest = max(p.Widest, n)
		entries += n
	}
	p.Entries = entries
	if u := m.Problem.Uncertainty; u.SupportAll && u.Nominal != nil {
		p.Entries = len(u.Nominal.Next)
	}
	p.Ptr = make([]int, 1, m.Pairs()+1)
	if p.Fixed = p.Entries >= entries/4; p.Fixed {
		p.Next = make([]int, 0, entries)
		for i := range m.Pairs() {
			p.Next = append(p.Next, set.Support(i)...)
			p.Ptr = append(p.Ptr, len(p.Next))
		}
	}
	return p
}
