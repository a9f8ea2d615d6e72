package uncertainty

import (
	"slices"

	"rcmdplab/core/model"
	"rcmdplab/core/vector"
)

// interval is {p : lower <= p <= upper} within the simplex: start from the
// lower ends and pour what is missing to 1 into the largest z first. O(n) once
// z is ordered. The rows hold a member of the set; lower and upper ends are
// aligned with it.
type interval struct {
	ptr    []int     // row i is lo[ptr[i]:ptr[i+1]]
	lo, hi []float64 // ends, in the places of the rows
}

func newInterval(m *model.Standard, bad func(int, string, ...any) error) (Set, error) {
	u := &m.Problem.Uncertainty
	// Sums within this of 1 count as 1: the document's tolerance.
	const tolerance = 1e-9
	size := len(u.Upper.Next)
	x := &interval{ptr: make([]int, 1, m.Pairs()+1), lo: make([]float64, 0, size), hi: make([]float64, 0, size)}
	t := rows{s: m.S, next: make([]int, 0, size), q: make([]float64, 0, size)}
	var both []int // successors of either end
	for i := range m.Pairs() {
		nl, pl := u.Lower.Row(i)
		nu, pu := u.Upper.Row(i)
		if s := m.State[i]; m.Lost(s) {
			nl, pl, nu, pu = []int{s}, []float64{1}, []int{s}, []float64{1}
		}
		from := len(x.lo)
		sl, su := 0.0, 0.0
		both = append(append(both[:0], nu...), nl...)
		for _, s := range both {
			if l, h := at(nl, pl, s), at(nu, pu, s); !(l >= 0 && l <= h) {
				return nil, bad(i, "the interval of successor %q is [%v, %v]; want 0 <= lower <= upper", m.Problem.States[s], l, h)
			}
		}
		for j, s := range nu { // what has no upper end gets nothing
			l, h := at(nl, pl, s), min(pu[j], 1)
			x.lo, x.hi = append(x.lo, l), append(x.hi, h)
			sl, su = sl+l, su+h
		}
		if sl > 1+tolerance || su < 1-tolerance {
			return nil, bad(i, "no row fits: lower ends sum to %v and upper ends to %v; want lower sum <= 1 <= upper sum", sl, su)
		}
		lo, hi := x.lo[from:], x.hi[from:]
		share := 0.0
		switch {
		case sl >= 1: // no freedom: the lower ends are the row
			for j := range lo {
				lo[j] /= sl
				hi[j] = lo[j]
			}
		case su <= 1:
			for j := range hi {
				hi[j] /= su
				lo[j] = hi[j]
			}
		default:
			share = (1 - sl) / (su - sl)
		}
		for j := range lo {
			t.q = append(t.q, lo[j]+share*(hi[j]-lo[j]))
		}
		t.next = append(t.next, nu...)
		x.ptr = append(x.ptr, len(x.lo))
	}
	t.ptr = x.ptr
	return newSet(t, x, true), nil
}

// at is the number that a compressed row holds for state s, 0 when not listed.
func at(next []int, p []float64, s int) float64 {
	if j, ok := slices.BinarySearch(next, s); ok {
		return p[j]
	}
	return 0
}

func (x *interval) worst(p []float64, i int, _, z []float64, order []int32) Answer {
	a, b := x.ptr[i], x.ptr[i+1]
	// Weak duality: for every λ, ⟨p, z - top⟩ <= λ + Σ max over p in [lo, hi] of
	// p (z - top - λ).
	return answerOf(len(z), vector.Pour(p, x.lo[a:b], x.hi[a:b], z, order))
}
