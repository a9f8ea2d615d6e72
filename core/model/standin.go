package model

import "math"

// What stands in for episodes in the internal convention. An end state is an absorbing one whose cost
// is (1-γ) times what the document says, so that its discounted total is exactly that: every
// method, set and system works as on any other discounted problem.
//
// Where the document's discount is 1, an episode is lost with probability 1-γ = lost in each step, and
// to be lost costs as much as lostSteps of the dearest steps, in the objective. A policy that
// ends in T steps is off by lost·T of its returns, and by lost·lostSteps·T of the dearest step, which
// rounding is no smaller than; one that goes on for ever pays more than it is worth to it. That
// is for searching and comparing alone: whether a policy ends surely, what it costs at discount 1
// and what is proved of all such policies is judged at 1 (evaluate.Episodes, bound, certify).
const (
	lost      = 1e-15
	lostSteps = 1e4

	// episodeTime is H at discount 1, for tolerances and scales that take a time: no proof uses it.
	episodeTime = 1e4
)

// standIn makes cost n that of the stand-in.
func (m *Standard) standIn(n int) {
	if m.End == nil {
		return
	}
	size := 0.0
	for _, c := range [2][]float64{m.C[n], m.CNext[n]} {
		for _, x := range c {
			size = max(size, math.Abs(x))
		}
	}
	price := 0.0
	if n == 0 && m.Total() {
		if price = lost * lostSteps * size; size == 0 {
			price = lost * lostSteps
		}
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

// Total reports whether returns are totals of whole episodes: the document's discount is 1.
func (m *Standard) Total() bool { return m.Problem.Total() }

// Ends reports whether s is an end state.
func (m *Standard) Ends(s int) bool { return m.End != nil && m.End[s] }
