package evaluate

import "rcmdplab/core/model"

// EpisodesUnder analyses a problem under one kernel, or with nil against its rectangular set, for policies
// that leave out the pairs that are closed; nil for none.
func EpisodesUnder(m *model.Standard, k *model.Kernel, closed []bool) *Episodes {
	q := *m
	if q.Kernels = nil; k != nil {
		q.Kernels = []*model.Kernel{k}
	}
	e, err := newEpisodes(&q, closed)
	if err != nil {
		panic("evaluate: " + err.Error()) // the evaluator has made such a set
	}
	return e
}

// Ending makes a choice of one pair a state one that surely ends wherever some policy does, under the one
// kernel or against the set: it is kept where that is so, and is otherwise that of the shortest ways. It
// reports whether it was kept.
func (e *Episodes) Ending(choice []int) (kept bool) {
	kept = true
	for s, is := range e.surely(0, choice) {
		kept = kept && (is || !e.sure[0][s])
	}
	if !kept {
		e.shortest(choice)
	}
	return kept
}

// shortest takes the pairs of shortest ways to where play ends, nearest states first (Dijkstra 1959). How far
// a state is, is told by the nominal row, as if what does not lead to nearer states led back. By such a
// pair nature cannot keep all mass from nearer states, so that whatever it does, play ends.
func (e *Episodes) shortest(choice []int) {
	m := e.m
	ptr, next, prob, pair := make([]int, m.S+2), []int(nil), []float64(nil), []int(nil) // of pairs that may be taken
	for i, s := range m.State {
		if !e.safe[i] || m.Ends(s) {
			continue
		}
		to, p := e.nominal(i)
		for j, t := range to {
			if p[j] > 0 {
				next, prob, pair = append(next, t), append(prob, p[j]), append(pair, i)
				ptr[t+2]++
			}
		}
	}
	for s := range m.S {
		ptr[s+2] += ptr[s+1]
	}
	into := make([]int, len(next)) // into[ptr[s]:ptr[s+1]] are the places in next that name s
	for j, t := range next {
		into[ptr[t+1]] = j
		ptr[t+1]++
	}
	mass, far := make([]float64, m.Pairs()), make([]float64, m.Pairs()) // by pair: to states that are done, and how far these are by mass
	done := make([]bool, m.S)
	var q queue
	reach := func(t int, d float64) {
		done[t] = true
		for _, j := range into[ptr[t]:ptr[t+1]] {
			i := pair[j]
			mass[i], far[i] = mass[i]+prob[j], far[i]+prob[j]*d
			if !done[m.State[i]] && !e.bars(i, 0, done) {
				q.push(i, (1+far[i])/mass[i])
			}
		}
	}
	for s := range m.S {
		if m.Ends(s) {
			reach(s, 0)
		}
	}
	for len(q) > 0 {
		if i, d := q.pop(); !done[m.State[i]] && d == (1+far[i])/mass[i] { // or it has come again since
			choice[m.State[i]] = i
			reach(m.State[i], d)
		}
	}
}

// nominal is the nominal row of pair i.
func (e *Episodes) nominal(i int) (next []int, prob []float64) {
	if e.set == nil {
		return e.m.Kernels[0].Row(i)
	}
	next = e.set.Support(i)
	prob = make([]float64, len(next))
	e.set.Nominal(prob, i)
	return next, prob
}

// queue is a heap of pairs, the nearest first.
type queue []struct {
	pair int
	far  float64 // steps
}

func (q *queue) push(pair int, far float64) {
	*q = append(*q, struct {
		pair int
		far  float64
	}{pair, far})
	h, k := *q, len(*q)-1
	for ; k > 0 && h[(k-1)/2].far > h[k].far; k = (k - 1) / 2 {
		h[k], h[(k-1)/2] = h[(k-1)/2], h[k]
	}
}

func (q *queue) pop() (pair int, far float64) {
	h := *q
	top, last := h[0], len(h)-1
	h[0] = h[last]
	h = h[:last]
	for k := 0; 2*k+1 < last; {
		c := 2*k + 1
		if c+1 < last && h[c+1].far < h[c].far {
			c++
		}
		if h[k].far <= h[c].far {
			break
		}
		h[k], h[c] = h[c], h[k]
		k = c
	}
	*q = h
	return top.pair, top.far
}
