package model

import (
	"math"
	"slices"
)

// Uniform is the policy that takes every available action of a state with the
// same probability, in the layout's order.
func (l *Layout) Uniform() []float64 {
	pi := make([]float64, l.Pairs())
	for s := range l.S {
		row := pi[l.Off[s]:l.Off[s+1]]
		for i := range row {
			row[i] = 1 / float64(len(row))
		}
	}
	return pi
}

// Grid writes a policy of the layout as S rows of A probabilities, 0 where an
// action is not available.
func (l *Layout) Grid(pi []float64) [][]float64 {
	g := make([][]float64, l.S)
	for s := range g {
		g[s] = make([]float64, l.A)
		for i := l.Off[s]; i < l.Off[s+1]; i++ {
			g[s][l.Act[i]] = pi[i]
		}
	}
	return g
}

// Tables is the policy of a problem with a horizon as one Grid of the document's states for each decision.
func (m *Standard) Tables(pi []float64) [][][]float64 {
	p := m.Problem
	rows, tables := m.Grid(pi), make([][][]float64, p.Horizon)
	for t := range tables {
		n := len(p.Document().States)
		tables[t] = rows[t*n : (t+1)*n]
	}
	return tables
}

// Project replaces pi by the nearest policy in Euclidean norm, state by state:
// proj_Π of eq:policy update. It allocates nothing. The rows are found by the
// Michelot iteration on the active count, which only ever shrinks here, so it
// ends after at most A rounds whatever the rounding.
func (l *Layout) Project(pi []float64) {
	for s := range l.S {
		projectSimplex(pi[l.Off[s]:l.Off[s+1]])
	}
}

// projectSimplex compares where max would do, which the wasm back end calls a
// function for. A row with a NaN becomes NaN.
func projectSimplex(v []float64) {
	// Relative to the largest entry, which stays active, the threshold θ is in
	// [-1, 0]: entries below -1 are out whatever they are, and steps of any
	// length project without cancellation.
	top := math.Inf(-1)
	for _, x := range v {
		if x > top {
			top = x
		}
	}
	sum := 0.0
	for i, x := range v {
		if x -= top; x < -1 {
			x = -1
		}
		v[i] = x
		sum += x
	}
	count := len(v)
	theta := (sum - 1) / float64(count)
	for {
		n, t := 0, 0.0
		for _, x := range v {
			if x > theta {
				n++
				t += x
			}
		}
		if n == 0 || n >= count { // rounding could make n grow again: stop on no progress
			break
		}
		count, theta = n, (t-1)/float64(n)
	}
	for i, x := range v {
		if x -= theta; x <= 0 {
			x = 0
		}
		v[i] = x
	}
}

// Deterministic is the policy that takes the given pair in each state.
func (l *Layout) Deterministic(choice []int) []float64 {
	pi := make([]float64, l.Pairs())
	for _, i := range choice {
		pi[i] = 1
	}
	return pi
}

// ClonePolicy is a copy; a nil policy is the uniform one.
func (l *Layout) ClonePolicy(pi []float64) []float64 {
	if pi == nil {
		return l.Uniform()
	}
	return slices.Clone(pi)
}
