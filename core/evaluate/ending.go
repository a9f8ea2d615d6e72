package evaluate

import (
	"math"
	"slices"

	"rcmdplab/core/model"
)

// ending is where costs end, for one kernel of a large model at a long horizon. A walk
// of a thousand steps to an end has a return of the size of the walk, and a measure of
// the size of the horizon, nearly all of it where nothing is paid any more: rounding of
// that size is neither to spoil the rest of the measure nor to count as an error.
//
// A cost is over in a state when neither it nor any state that the policy can reach from
// there under the kernel pays it; its values there are exactly 0. Measures are solved for
// in levels, by how many costs are over, each level from what the levels before hand on.
// With the residual ρ = μ - (I - γP^π)ᵀ d by state,
//
//	J_n - ⟨d, c_n⟩ = ⟨ρ, V_n⟩,    |V_n(s)| <= W(s) max |c_n|,
//
// for any W that is 0 where cost n is over and at least 1 + γ P^π W elsewhere: W - γP^π W
// less 1 is then no less than 0, and (I - γP^π)⁻¹ has no entry below 0. W is about the time
// for which cost n goes on, where H would count all that comes after as well. That
// inequality is checked, so that W may be any guess: often it is that of the policy before.
type ending struct {
	l *model.Layout
	a *sparse // of the policy and the kernel

	over  [][]bool    // by cost, by state
	paid  [][]float64 // by cost, by state: the policy's average of |one-step cost|
	level []int       // by state: how many costs are over
	time  [][]float64 // by cost, by state: W, of the last policy that had to find it

	miss       []float64 // by state: at least |ρ|
	part, left []float64 // work by state
	guess      []float64 // the answer to the last policy
	size       []float64 // work by state: of what a residual is made
	count      []int     // work by state: of how many numbers
	ptr, from  []int32   // from[ptr[s]:ptr[s+1]] are the states that s is reached from
	queue      []int32   // work
}

func newEnding(m *model.Standard, y *System) *ending {
	e := &ending{l: m.Layout, a: y.sparse, level: make([]int, m.S), count: make([]int, m.S), ptr: make([]int32, m.S+2)}
	for _, x := range []*[]float64{&e.miss, &e.part, &e.left, &e.guess, &e.size} {
		*x = make([]float64, m.S)
	}
	for range m.N + 1 {
		e.over, e.paid, e.time = append(e.over, make([]bool, m.S)), append(e.paid, make([]float64, m.S)), append(e.time, make([]float64, m.S))
	}
	return e
}

// find finds where each cost is over: costs are by pair, pi is the policy loaded.
func (e *ending) find(pi []float64, costs [][]float64) {
	e.predecessors()
	clear(e.level)
	for n, c := range costs {
		over, paid := e.over[n], e.paid[n]
		e.queue = e.queue[:0]
		for s := range over {
			paid[s] = 0
			for i := e.l.Off[s]; i < e.l.Off[s+1]; i++ {
				paid[s] += pi[i] * math.Abs(c[i])
			}
			if over[s] = paid[s] == 0; !over[s] {
				e.queue = append(e.queue, int32(s))
			}
		}
		for k := 0; k < len(e.queue); k++ {
			s := e.queue[k]
			for _, t := range e.from[e.ptr[s]:e.ptr[s+1]] {
				if over[t] {
					over[t] = false
					e.queue = append(e.queue, t)
				}
			}
		}
		for s, is := range over {
			if is {
				e.level[s]++
			}
		}
	}
}

// predecessors lists the states that each state is reached from.
func (e *ending) predecessors() {
	p := &e.a.places
	e.from = slices.Grow(e.from[:0], len(p.Col))[:len(p.Col)]
	clear(e.ptr)
	for _, t := range p.Col {
		e.ptr[t+2]++
	}
	for s := range e.level {
		e.ptr[s+2] += e.ptr[s+1]
	}
	for s := range e.level {
		for _, t := range p.Col[p.Ptr[s]:p.Ptr[s+1]] {
			e.from[e.ptr[t+1]] = int32(s)
			e.ptr[t+1]++
		}
	}
}

// measure replaces d, the answer to the last policy, by (I - γP^π)⁻ᵀ μ, level by level.
func (e *ending) measure(d, mu []float64) {
	a := e.a
	only := func(x []float64, level int) {
		for s, l := range e.level {
			if l != level {
				x[s] = 0
			}
		}
	}
	copy(e.guess, d)
	clear(d)
	for level := range len(e.over) + 1 {
		if !slices.Contains(e.level, level) {
			continue
		}
		a.applyTransposed(e.left, d)
		for s, x := range mu {
			e.left[s] = x - e.left[s]
		}
		copy(e.part, e.guess)
		only(e.left, level)
		only(e.part, level)
		a.iterate(e.left, e.part, 0, 0, &operations{
			func(dst, x []float64) { a.applyTransposed(dst, x); only(dst, level) },
			func(dst, x []float64) { a.preconditionTransposed(dst, x); only(dst, level) },
			total, a.handed,
		})
		for s, x := range e.left {
			d[s] += x
		}
	}
	e.residual(d, mu)
}

// residual bounds |ρ| by state, with the rounding of its sums and of the matrix.
func (e *ending) residual(d, mu []float64) {
	p := &e.a.places
	copy(e.miss, mu)
	copy(e.size, mu)
	clear(e.count)
	for s, x := range d {
		for j := p.Ptr[s]; j < p.Ptr[s+1]; j++ {
			t, y := p.Col[j], e.a.val[j]*x
			e.miss[t] -= y
			e.size[t] += math.Abs(y)
			e.count[t]++
		}
	}
	for s := range e.miss {
		e.miss[s] = math.Abs(e.miss[s]) + float64(2*e.count[s]+2*e.l.A+8)*u*e.size[s]
	}
}

// error bounds |J_n - ⟨d, c_n⟩|, as computed.
func (e *ending) error(n int, d []float64, h float64) float64 {
	most, weight, missed := 0.0, 0.0, 0.0
	for s, c := range e.paid[n] {
		if e.size[s] > 0 { // the policy gets there
			most = max(most, c)
		}
		weight += math.Abs(d[s]) * c
		missed += e.miss[s]
	}
	during := missed * h
	if least := e.lasts(n); least > 0 {
		t := 0.0
		for s, w := range e.time[n] {
			t += e.miss[s] * w
		}
		during = min(during, t/least)
	}
	return (1+1e-9)*during*most + float64(2*(len(d)+e.l.A)+8)*u*weight
}

// lasts makes e.time[n] a time for which cost n goes on, and returns what the inequality
// leaves of 1: W/least is such a W. It returns 0 when there is none at hand.
func (e *ending) lasts(n int) (least float64) {
	if !slices.Contains(e.over[n], true) {
		return 0
	}
	for k := range n {
		if slices.Equal(e.over[k], e.over[n]) {
			copy(e.time[n], e.time[k])
			return e.holds(n)
		}
	}
	w := e.time[n]
	for s, is := range e.over[n] {
		if is {
			w[s] = 0
		}
	}
	if least = e.holds(n); least > 0 {
		return least
	}
	copy(e.part, w)
	for s, is := range e.over[n] {
		w[s] = 1
		if is {
			w[s] = 0
		}
	}
	e.a.solve(w, e.part, 0.1, 0)
	return e.holds(n)
}

// holds is the least of W - γP^π W where the cost is not over, less rounding; 0 when W is
// no bound.
func (e *ending) holds(n int) float64 {
	const enough = 0.1
	w, p := e.time[n], &e.a.places
	least := math.Inf(1)
	for s, is := range e.over[n] {
		if is {
			continue
		}
		t, size := 0.0, w[s]
		for j := p.Ptr[s]; j < p.Ptr[s+1]; j++ {
			y := e.a.val[j] * w[p.Col[j]]
			t += y
			size += math.Abs(y)
		}
		least = min(least, t-float64(2*(p.Ptr[s+1]-p.Ptr[s])+int32(2*e.l.A)+8)*u*size)
		if !(least >= enough) { // which makes W no less than 0, too
			return 0
		}
	}
	return least
}
