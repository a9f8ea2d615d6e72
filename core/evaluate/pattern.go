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
	u := &m.Problem.Uncertainty
	wide, given := u.SupportAll && u.Nominal != nil, u.Nominal
	if given == nil {
		given = u.Upper
	}
	p.Ptr, p.Next, p.Fixed = make([]int, 1, m.Pairs()+1), make([]int, 0, len(given.Next)), true
	for i := range m.Pairs() {
		sup := set.Support(i)
		p.Widest = max(p.Widest, len(sup))
		p.Entries += len(sup)
		if p.Fixed = !wide || len(given.Next) >= p.Entries/4; p.Fixed {
			p.Next = append(p.Next, sup...)
			p.Ptr = append(p.Ptr, len(p.Next))
		}
	}
	if wide {
		p.Entries = len(given.Next)
	}
	if !p.Fixed {
		p.Ptr, p.Next = p.Ptr[:1], nil
	}
	return p
}
