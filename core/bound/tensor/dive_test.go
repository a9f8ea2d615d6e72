//go:build !js

package tensor

import (
	"math"
	"slices"
	"testing"

	"rcmdplab/core/evaluate"
	"rcmdplab/core/solve"
)

// A policy that is a little better than the target is never cut off: followed
// through the tree, always into the box that holds it, it stays inside every
// push and no box that holds it is closed.
func TestBestPolicyIsNeverCut(t *testing.T) {
	for _, k := range []int{3, 7} {
		p, _ := random(t, k)
		pi, value := bestPolicy(t, k)
		tree := New(p, value*(1+1e-5))
		depth := 0
		for range 60 {
			if !tree.Step(always) {
				break
			}
			i := slices.IndexFunc(tree.open, func(b Box) bool { return tree.holds(&b, pi) })
			if i < 0 {
				t.Fatalf("random%d: the policy is cut off at depth %d", k, depth)
			}
			b := tree.open[i]
			depth = b.Depth
			tree.open = []Box{b}
		}
		if depth < 40 {
			t.Errorf("random%d: followed for %d splits only", k, depth)
		}
	}
}

// bestPolicy is what the local search finds for one of the problems.
func bestPolicy(t *testing.T, k int) (pi []float64, value float64) {
	ev, err := evaluate.New(standard(t, k))
	if err != nil {
		t.Fatal(err)
	}
	alg, _ := solve.Find("slp")
	s := alg.Defaults()
	s.Starts = 4
	var last solve.Progress
	for last = range alg.Run(ev, s) {
	}
	if !last.Best.Feasible {
		t.Fatal("no policy")
	}
	return last.Best.Policy, last.Best.Objective
}

// narrow reports whether a box is so narrow that rounding decides which points are in it.
func (t *Tree) narrow(b *Box) bool {
	for s := range t.S {
		a := t.actions(s)
		for i := range a {
			for j := range i {
				apart := 0.0
				for k := range a {
					apart += math.Abs(b.Points[t.at[s]+i*a+k] - b.Points[t.at[s]+j*a+k])
				}
				if apart < 1e-9 {
					return true
				}
			}
		}
	}
	return false
}

// holds reports whether the policy has coordinates in the box that are at least
// 0, up to rounding: for each state, weights of its points whose mean is π(s,·).
func (t *Tree) holds(b *Box, pi []float64) bool {
	for s := range t.S {
		a := t.actions(s)
		if a == 1 {
			continue
		}
		// Solve Σ_i x_i point_i = the policy, scaled as the root is, by elimination.
		m := make([][]float64, a)
		for j := range m {
			m[j] = make([]float64, a+1)
			for i := range a {
				m[j][i] = b.Points[t.at[s]+i*a+j]
			}
			m[j][a] = pi[t.Off[s]+j]
			if t.weight != nil {
				m[j][a] = math.Ldexp(m[j][a], -t.weight[t.Off[s]+j])
			}
		}
		for k := range a {
			best := k
			for j := k; j < a; j++ {
				if math.Abs(m[j][k]) > math.Abs(m[best][k]) {
					best = j
				}
			}
			m[k], m[best] = m[best], m[k]
			for j := range a {
				if f := m[j][k] / m[k][k]; j != k && f != 0 {
					for c := k; c <= a; c++ {
						m[j][c] -= f * m[k][c]
					}
				}
			}
		}
		for k := range a {
			if x := m[k][a] / m[k][k]; !(x > -1e-6) {
				return false
			}
		}
	}
	return true
}
