package uncertainty

import "rcmdplab/core/model"

// rows is the table of nominal rows, and which successors each may move mass to.
type rows struct {
	s     int       // states
	ptr   []int     // nominal row i is q[ptr[i]:ptr[i+1]] at next[...]
	next  []int     // ascending within a row
	q     []float64 // probabilities, listed zeros among them
	all   []int     // 0..S-1 when every state is in every support, else nil
	dense []float64 // scratch: a nominal row spread over all states
}

// newRows takes over a nominal kernel. With all, mass may move to any state;
// otherwise only to the successors that the nominal row lists.
func newRows(s int, k *model.Kernel, all bool) rows {
	t := rows{s: s, ptr: k.Ptr, next: k.Next, q: k.Prob}
	if all {
		t.all, t.dense = make([]int, s), make([]float64, s)
		for j := range t.all {
			t.all[j] = j
		}
	}
	return t
}

// positiveRows is newRows without the listed zeros: divergences cannot give
// them mass.
func positiveRows(s int, k *model.Kernel) rows {
	t := rows{s: s, ptr: make([]int, 1, len(k.Ptr)), next: make([]int, 0, len(k.Next)), q: make([]float64, 0, len(k.Next))}
	for i := range len(k.Ptr) - 1 {
		next, prob := k.Row(i)
		for j, x := range prob {
			if x > 0 {
				t.next = append(t.next, next[j])
				t.q = append(t.q, x)
			}
		}
		t.ptr = append(t.ptr, len(t.q))
	}
	return t
}

func (t *rows) pairs() int { return len(t.ptr) - 1 }

// widest is the size of the largest support.
func (t *rows) widest() int {
	if t.all != nil {
		return t.s
	}
	n := 0
	for i := range t.pairs() {
		n = max(n, t.ptr[i+1]-t.ptr[i])
	}
	return n
}

// Support implements Set.
func (t *rows) Support(i int) []int {
	if t.all != nil {
		return t.all
	}
	return t.next[t.ptr[i]:t.ptr[i+1]]
}

// nominal is the nominal row aligned with Support(i), valid until the next call.
func (t *rows) nominal(i int) []float64 {
	a, b := t.ptr[i], t.ptr[i+1]
	if t.all == nil || b-a == t.s {
		return t.q[a:b]
	}
	clear(t.dense)
	for j := a; j < b; j++ {
		t.dense[t.next[j]] = t.q[j]
	}
	return t.dense
}

// Nominal implements Set.
func (t *rows) Nominal(dst []float64, i int) { copy(dst, t.nominal(i)) }
