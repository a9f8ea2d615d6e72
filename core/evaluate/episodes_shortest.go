package evaluate

import (
	"container/heap"

	"rcmdplab/core/model"
)

// EpisodesUnder analyses a problem under one kernel, or with nil against its rectangular set, for policies
// that leave out the pairs that are closed; nil for none. Cut by the pace, if there is one, it is of no use.
func EpisodesUnder(m *model.Standard, k *model.Kernel, closed []bool, pace *Pace) *Episodes {
	q := *m
	if q.Kernels = nil; k != nil {
		q.Kernels = []*model.Kernel{k}
	}
	e, err := newEpisodes(&q, closed, pace)
	if err != nil {
		panic("evaluate: " + err.Error()) // the evaluator has made such a set
	}
	return e
}

// Ending makes a choice of one pair a state one that surely ends wherever some policy does, under the one
// kernel or against the set: it is kept where that is so, and is otherwise that of the shortest ways, a step by a pair
// being so long, > 0 or at ends >= 0. It reports whether it was kept.
func (e *Episodes) Ending(choice []int, length func(i int) float64) (kept bool) {
	if kept = e.Held(choice) == nil; !kept {
		e.shortest(choice, length)
	}
	return kept
}

// Held marks the states, of those that some policy surely ends from, where a choice of one pair a state can be kept from
// every end, or may lead to where none can surely be reached any more; nil when there are none: it surely ends.
func (e *Episodes) Held(choice []int) (held []bool) {
	able := e.able(0, func(i int) bool { return choice[e.m.State[i]] == i })
	for s, is := range e.sure[0] {
		if is && !e.m.Ends(s) && !(able[s] && e.safe[choice[s]]) {
			if held == nil {
				held = make([]bool, len(able))
			}
			held[s] = true
		}
	}
	return held
}

// Lingering marks the states that such a policy may come to where the choice stays for ever, whatever nature does.
func (e *Episodes) Lingering(choice []int) []bool {
	all := make([]float64, e.m.Pairs())
	for i := range all {
		if e.safe[i] {
			all[i] = 1
		}
	}
	stays := e.reached(all, 0)
	for s := range stays {
		stays[s] = stays[s] && !e.m.Ends(s)
	}
	for again := true; again; {
		again = false
		for s, is := range stays {
			if is && (!e.safe[choice[s]] || e.leads(choice[s], 0, stays)) {
				stays[s], again = false, true
			}
		}
	}
	return stays
}

// shortest takes the pairs of shortest ways to where play ends, nearest states first (Dijkstra 1959). How far
// a state is, is told by the nominal row, as if what does not lead to nearer states led back. By such a
// pair nature cannot keep all mass from nearer states, so that whatever it does, play ends.
func (e *Episodes) shortest(choice []int, length func(i int) float64) {
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
				heap.Push(&q, near{i, (length(i) + far[i]) / mass[i]})
			}
		}
	}
	for s := range m.S {
		if m.Ends(s) {
			heap.Push(&q, near{m.Off[s], length(m.Off[s])})
		}
	}
	for len(q) > 0 {
		n := heap.Pop(&q).(near)
		if s := m.State[n.pair]; !done[s] && (m.Ends(s) || n.far == (length(n.pair)+far[n.pair])/mass[n.pair]) { // or it has come again since
			choice[s] = n.pair
			reach(s, n.far)
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

// near is a pair on the way to an end.
type near struct {
	pair int     // of the layout
	far  float64 // how far its state is by it
}

// queue is a heap of pairs, the nearest first.
type queue []near

func (q queue) Len() int           { return len(q) }
func (q queue) Less(i, j int) bool { return q[i].far < q[j].far }
func (q queue) Swap(i, j int)      { q[i], q[j] = q[j], q[i] }
func (q *queue) Push(x any)        { *q = append(*q, x.(near)) }
func (q *queue) Pop() any {
	last := len(*q) - 1
	n := (*q)[last]
	*q = (*q)[:last]
	return n
}
