package model

import (
	"cmp"
	"math"
	"slices"
)

// What stands in for episodes in the internal convention. An end state is an absorbing one whose cost
// is (1-γ) times what the document says, so that its discounted total is exactly that: every
// method, set and system works as on any other discounted problem.
//
// Where the document's discount is 1, an episode is lost with probability 1-γ = lost in each step, and
// to be lost costs as much as lostSteps of the dearest steps, in the objective, and a few times the
// threshold in a limit, so that what meets it here meets it there. A policy that
// ends in T steps is off by lost·T of its returns, and by lost·lostSteps·T of the dearest step, which in
// small models is rounding; one that goes on for ever pays more than it is worth to it. That
// is for searching and comparing alone: whether a policy ends surely, what it costs at discount 1
// and what is proved of all such policies is judged at 1 (evaluate.Episodes, bound, certify).
const (
	lost      = 1e-15
	lostLarge = 1e-11 // of models whose systems are solved by iteration, which has to end
	lostNear  = 1e-9  // of such with several kernels, or limits against a rectangular set: a search by gradients takes larger steps
	lostSteps = 1e4

	// largeEpisodes is the most states of a model whose systems are all eliminated.
	largeEpisodes = 500

	// episodeTime is H at discount 1, for tolerances and scales that take a time: no proof uses it.
	episodeTime = 1e4
)

// standIn makes cost n that of the stand-in.
func (m *Standard) standIn(n int) {
	if m.End == nil {
		return
	}
	price := 0.0
	if m.Total() {
		price = m.lostPrice(n)
	}
	for i, s := range m.State {
		c, w := m.C[n], 1
		if m.CNext[n] != nil {
			c, w = m.CNext[n], m.S
		}
		for j := range c[i*w : (i+1)*w] {
			if x := &c[i*w+j]; m.End[s] {
				*x *= m.Rest
			} else {
				*x += price
			}
		}
	}
}

// lostPrice is what each step costs of an episode that is lost, in cost n.
func (m *Standard) lostPrice(n int) float64 {
	if n > 0 {
		return m.Rest * 4 * math.Abs(m.B[n])
	}
	size := m.sizes[n].most
	if size == 0 {
		size = 1
	}
	return m.Rest * lostSteps * size
}

// Paid is cost n of the document when pair i leads to a state, in the internal convention: without
// what the stand-in makes of it.
func (m *Standard) Paid(n, i, to int) float64 {
	return m.flip[n] * m.Problem.Cost(n).At(m.State[i]*m.A+m.Act[i], to, m.S)
}

// Dearest is the largest |one-step cost| of cost n, ends counted.
func (m *Standard) Dearest(n int) float64 { return m.sizes[n].most }

// LeastProbability is the least of the given kernels that is not 0.
func (m *Standard) LeastProbability() float64 {
	least := 1.0
	for _, k := range append([]*Kernel{m.Problem.Uncertainty.Nominal, m.Problem.Uncertainty.Lower}, m.Kernels...) {
		if k == nil {
			continue
		}
		for _, p := range k.Prob {
			if p > 0 {
				least = min(least, p)
			}
		}
	}
	return least
}

// Total reports whether returns are totals of whole episodes: the document's discount is 1.
func (m *Standard) Total() bool { return m.Problem.Total() }

// Ends reports whether s is an end state.
func (m *Standard) Ends(s int) bool { return m.End != nil && m.End[s] }

// Losing is the stand-in in which an episode is lost with another probability in each step. Its costs are by
// pair, see Ending.
func (m *Standard) Losing(lost float64) *Standard {
	q := *m
	q.Rest, q.Gamma = lost, 1-lost
	return &q
}

// Ending makes expected costs by pair those of Losing, where what is paid once is spread over as many steps.
func (m *Standard) Ending(c []float64, lost float64) []float64 {
	c = slices.Clone(c)
	for i, s := range m.State {
		if m.Absorbs(s) {
			c[i] *= lost / m.Rest
		}
	}
	return c
}

// LosingBreaks adds to what Ending gives for limit n that an episode which is lost costs as much as lostSteps of its
// dearest steps: no limit is met by it.
func (m *Standard) LosingBreaks(n int, c []float64, lost float64) {
	for i, s := range m.State {
		if !m.Absorbs(s) {
			c[i] += lost * lostSteps * max(m.sizes[n].most, math.Abs(m.B[n]))
		}
	}
}

// Lost reports whether s is one of those that WithLost has marked.
func (m *Standard) Lost(s int) bool { return m.lost != nil && m.lost[s] }

// Absorbs reports whether nothing happens in s any more: it is an end, or lost.
func (m *Standard) Absorbs(s int) bool { return m.Ends(s) || m.Lost(s) }

// WithLost is the stand-in with states in which an episode counts as lost: they are never left, and
// cost, in every return, as much as lostSteps of its dearest steps.
func (m *Standard) WithLost(lost []bool) *Standard {
	q := *m
	q.lost = lost
	q.Kernels = nil
	q.C, q.CNext = m.altered(func(n, i, _ int, x float64) float64 {
		if lost[m.State[i]] {
			return m.Rest * lostSteps * max(m.sizes[n].most, MinCost)
		}
		return x
	})
	for _, k := range m.Kernels {
		q.Kernels = append(q.Kernels, q.absorbing(k))
	}
	return &q
}

// absorbing is the kernel with lost states never left.
func (m *Standard) absorbing(k *Kernel) *Kernel {
	if m.lost == nil {
		return k
	}
	q := &Kernel{Name: k.Name, Sparse: k.Sparse, Named: k.Named, Ptr: make([]int, 1, len(k.Ptr))}
	for i, s := range m.State {
		next, prob := k.Row(i)
		if m.lost[s] {
			next, prob = []int{s}, []float64{1}
		}
		q.AddRow(next, prob)
	}
	return q
}

// AtOne is the problem at discount 1 itself, with the document's own costs, without the price of time
// that the stand-in has. States where nothing happens any more cost what they are worth, and are left
// to whoever solves it: their rows lead to themselves.
func (m *Standard) AtOne() *Standard {
	q := *m
	q.Gamma, q.Rest = 1, 0
	q.C, q.CNext = m.altered(func(n, i, to int, x float64) float64 {
		switch s := m.State[i]; {
		case m.Lost(s):
			return x / m.Rest
		case m.Ends(s):
			return m.Paid(n, i, s)
		}
		return m.Paid(n, i, to)
	})
	return &q
}

// Timeless is the stand-in without the price of time, in which an episode is lost with another probability in each step, 0 for the
// least: what is paid once is spread over its steps all the same.
func (m *Standard) Timeless(losing float64) *Standard {
	q, one := m.Losing(cmp.Or(losing, lost)), m.AtOne()
	q.C, q.CNext = one.altered(func(_, i, _ int, x float64) float64 {
		if m.Absorbs(m.State[i]) {
			return x * q.Rest
		}
		return x
	})
	return q
}

// altered are copies of the costs, each number what change makes of it, for cost n of pair i when it leads to a
// state: 0 where that does not matter.
func (m *Standard) altered(change func(n, i, to int, x float64) float64) (c, next [][]float64) {
	each := func(n int, values []float64, w int) []float64 {
		values = slices.Clone(values)
		for j, x := range values {
			values[j] = change(n, j/w, j%w, x)
		}
		return values
	}
	for n := range m.N + 1 {
		c, next = append(c, each(n, m.C[n], 1)), append(next, each(n, m.CNext[n], m.S))
	}
	return c, next
}
