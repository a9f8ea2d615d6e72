package certify

import (
	"math/big"
	"slices"

	"rcmdplab/core/certify/enclosure"
	"rcmdplab/core/model"
)

// corners are the policies that take one pair in each state, under one kernel: for each D = det(I - γP), which is
// positive, and J_n of costs n.
//
// One state after another is eliminated from rows of γP, by sums, products and quotients of numbers >= 0 alone but for costs
// (Grassmann, Taksar and Heyman, Regenerative analysis and steady state distributions for Markov chains, 1985). A row holds what leads
// to the other states, the excess, which is what the diagonal is larger by than the others together, and the costs. The last row
// holds μ and what was paid so far. State k is eliminated by
//
//	pivot = excess_k + Σ_{j≠k} a_kj,  a_ij += a_ik·(a_kj/pivot)
//
// for all other rows i and everything j that they hold: play that enters k is led on to where it leaves k. D is the product of
// the pivots, and J_n what the last row has paid in the end. Of the last state, whose pivot is its excess, no quotient is taken:
// with d the product of the pivots before it, D = d·excess and D J_n = d·(excess·paid_n + a·c_n), a being what enters it. The rows
// of all pairs of the states to come are kept up to date, so that choices that begin alike share the work: a choice costs a few
// steps, not a cubic number. All of it is in intervals, whose widths are the errors.
type corners struct {
	in     *instance
	rows   []row        // of the kernel; those of ends lead nowhere at discount 1
	gamma  *big.Rat     // the discount
	costs  [][]interval // by cost and pair
	scale  int          // every D and D J is multiplied by 2^scale
	weight []int        // by pair: and by the powers of 2 of those that are taken; nil: all 0
	stride []int        // by state: how far apart the corners of its pairs are
	told   func(corner int, d interval, dj []interval)
	going  func(work int) // told with about how many numbers were worked on since

	order []int        // states, in the order in which they are eliminated
	from  []int        // by place in order: the first row of its pairs; then the last row
	width int          // of a row: the states by place, the excess, the costs
	level [][]interval // all rows after so many eliminations
	ratio []interval   // work: the pivot's row over the pivot
	paid  []interval   // work: d·paid_n
	sums  []interval   // work: D J_n
}

// strides are how far apart the corners of the pairs of each state are, and how many corners there are; 0 if that is more than most.
func strides(l *model.Layout, most int) (stride []int, count int) {
	count = 1
	for s := range l.S {
		stride = append(stride, count)
		if count *= l.Off[s+1] - l.Off[s]; count > most {
			return nil, 0
		}
	}
	return stride, count
}

// visit tells D and D J by cost of each corner, in any order; what is told is good until the next.
func (e *corners) visit() {
	in := e.in
	e.width = in.S + 1 + len(e.costs)
	// What has fewest pairs comes first, so that what comes first changes least.
	place, at := make([]int, in.S), 0
	for s := range in.S {
		e.order = append(e.order, s)
	}
	pairs := func(s int) int { return in.Off[s+1] - in.Off[s] }
	slices.SortStableFunc(e.order, func(a, b int) int { return pairs(a) - pairs(b) })
	for k, s := range e.order {
		place[s], e.from, at = k, append(e.from, at), at+pairs(s)
	}
	e.from = append(e.from, at)
	for range in.S {
		e.level = append(e.level, make([]interval, (at+1)*e.width))
	}
	e.ratio, e.paid, e.sums = make([]interval, e.width), make([]interval, len(e.costs)), make([]interval, len(e.costs))
	rest := enclosure.Around(new(big.Rat).Sub(big.NewRat(1, 1), e.gamma))
	for i, s := range in.State {
		r := e.level[0][(e.from[place[s]]+i-in.Off[s])*e.width:][:e.width]
		for n, list := range e.costs {
			r[in.S+1+n] = list[i]
		}
		if r[in.S] = rest; in.ends(i) {
			r[in.S] = one
			continue
		}
		p := &e.rows[i]
		den := new(big.Int).Mul(e.gamma.Denom(), p.den)
		for j, to := range p.next {
			if to != s {
				r[place[to]] = enclosure.Quotient(new(big.Int).Mul(e.gamma.Num(), p.num[j]), den)
			}
		}
	}
	for k, w := range e.weight { // a row of I - γP times a number is its determinant times that
		r := e.level[0][(e.from[place[in.State[k]]]+k-in.Off[in.State[k]])*e.width:][:e.width]
		for j := range r {
			r[j] = r[j].Mul(enclosure.Power(w))
		}
	}
	for j, s := range in.mu.next {
		e.level[0][at*e.width+place[s]] = enclosure.Around(in.mu.at(j))
	}
	e.eliminate(0, enclosure.Power(e.scale), 0)
}

// eliminate goes on from the state at place k with each of its pairs, d being the product of the pivots before it.
func (e *corners) eliminate(k int, d interval, corner int) {
	states, w := e.in.S, e.width
	if k == states-1 {
		e.last(d, corner)
		return
	}
	old, next, first := e.level[k], e.level[k+1], e.from[k+1]*w
	for row := e.from[k]; row < e.from[k+1]; row++ {
		own := old[row*w:][:w]
		pivot := own[states]
		for _, x := range own[k+1 : states] {
			pivot = pivot.Add(x)
		}
		for j, x := range own[k+1:] {
			e.ratio[j] = x.Div(pivot)
		}
		e.going(len(old) - first)
		for at := first; at < len(old); at += w {
			enclosure.Lead(next[at+k+1:at+w], old[at+k+1:at+w], old[at+k], e.ratio)
		}
		e.eliminate(k+1, d.Mul(pivot), e.chosen(corner, k, row))
	}
}

// chosen is the corner that a row of the pairs of the state at place k makes of one.
func (e *corners) chosen(corner, k, row int) int {
	return corner + (row-e.from[k])*e.stride[e.order[k]]
}

// last tells the corners of each pair of the last state, d being the product of the pivots before it.
func (e *corners) last(d interval, corner int) {
	k, w := e.in.S-1, e.width
	rows := e.level[k]
	all := rows[e.from[k+1]*w:]
	enters := d.Mul(all[k])
	for n, x := range all[k+2:] {
		e.paid[n] = d.Mul(x)
	}
	for row := e.from[k]; row < e.from[k+1]; row++ {
		own := rows[row*w:][k+1 : w]
		for n, x := range e.paid {
			e.sums[n] = own[0].Mul(x)
		}
		enclosure.Lead(e.sums, e.sums, enters, own[1:])
		e.told(e.chosen(corner, k, row), d.Mul(own[0]), e.sums)
	}
}
