package solve

import (
	"math"

	"rcmdplab/core/game"
	"rcmdplab/core/model"
)

// mdp is the game of one kernel, or of the rectangular set, with the problem's costs
// about their centres: the return of cost n is J_n less base(n).
type mdp struct {
	*game.Game
	m       *model.Standard // centred
	offset  []float64       // nil for zeros
	d       []float64       // unnormalised occupancy of the choice, after occupancy()
	guess   []float64       // work: where an iterative solve begins
	weights []float64       // of the search for one cost

	// more, when not nil, is called between pieces of work; when it returns false
	// what is running ends as it is.
	more func() bool
}

// newMDP is under one kernel, or with nil against the rectangular set.
func newMDP(m *model.Standard, k *model.Kernel) *mdp {
	x := &mdp{d: make([]float64, m.S), weights: make([]float64, m.N+1)}
	x.m, x.offset = m.Centre()
	x.Game = game.New(x.m, k)
	return x
}

// base is what every policy pays of cost n.
func (x *mdp) base(n int) float64 {
	if x.offset == nil {
		return 0
	}
	return x.offset[n]
}

// raised is a lower bound on a centred return as one on the return itself.
func (x *mdp) raised(n int, bound float64) float64 {
	b := x.base(n)
	if b == 0 {
		return bound
	}
	return b + bound - 4*u*(math.Abs(b)+math.Abs(bound))
}

// optimal finds the best policy for cost n, or ends where more says no, which it
// reports.
func (x *mdp) optimal(n int) bool {
	clear(x.weights)
	x.weights[n] = 1
	return x.Play(x.weights, 0, x.more)
}

// worth is the value of each state for cost n, after a search for it.
func (x *mdp) worth(n int) []float64 {
	v, _ := x.Values()
	for s := range v {
		v[s] += x.base(n)
	}
	return v
}

// occupancy writes the unnormalised occupancy measure of the present choice to d.
func (x *mdp) occupancy() {
	x.guess = append(x.guess[:0], x.d...) // the last one
	x.Occupancy(x.d, x.guess, 0)
}
