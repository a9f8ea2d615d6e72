package solve

import (
	"slices"

	"rcmdplab/core/model"
)

// tight finds the constraints that leave no room: whose limit is the least that
// any policy can reach, as with a limit of 0 on a cost that is never negative.
// The policies that meet such a limit take, wherever they come, only actions of
// least value for that cost; the others are closed to the search, so that what
// is to be 0 is exactly 0. Several constraints, kernels and the closing itself
// leave less to choose from, so whoever looks goes on until nothing more is
// closed.
type tight struct {
	m      *model.Standard
	tol    float64   // a violation up to this share of size counts as none
	size   []float64 // Scale(n, b_n)
	is     []bool    // by constraint
	closed []bool    // by pair
	free   []bool    // by state: all was closed, so nothing is
}

// noRoom is how far inside its limit, as a share of its size, the least return of
// a cost may be and still leave no room: a search that ends a few billionths
// inside a limit would find nothing there.
const noRoom = 1e-7

func newTight(m *model.Standard, inc *incumbent) *tight {
	return &tight{
		m: m, tol: inc.tol, size: inc.size,
		is: make([]bool, m.N+1), closed: make([]bool, m.Pairs()), free: make([]bool, m.S),
	}
}

// look takes the least value that cost n has over all policies that keep to what
// is open: its excess over the limit, and by how much each pair is dearer than
// the best of its state, beyond rounding. It reports whether more is closed now.
func (t *tight) look(n int, excess float64, dearer func(i int) float64) bool {
	if excess < -noRoom*t.size[n] {
		return false
	}
	t.is[n] = true
	more := false
	allowed := t.tol * t.size[n] / t.m.H
	for s := range t.m.S {
		open := 0
		for i := t.m.Off[s]; i < t.m.Off[s+1]; i++ {
			if !t.closed[i] && !t.free[s] && dearer(i) > allowed {
				t.closed[i], more = true, true
			}
			if !t.closed[i] {
				open++
			}
		}
		// Kernels or constraints that contradict each other here: where the limits
		// can be met the state is not reached, and what it does is all the same.
		if open == 0 {
			t.free[s] = true
			for i := t.m.Off[s]; i < t.m.Off[s+1]; i++ {
				t.closed[i] = false
			}
		}
	}
	return more
}

// any reports whether something is closed.
func (t *tight) any() bool { return slices.Contains(t.closed, true) }
