//go:build !js

package tensor

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"rcmdplab/core/model"
)

// pair is a problem of two states, two actions and two kernels whose returns have
// a closed form.
type pair struct {
	*Problem
	p [2][4][2]float64 // by kernel, pair and successor
}

// random makes a problem with up to two constraints. Base holds thresholds that
// some policy meets with room share.
func randomPair(r *rand.Rand, room float64) *pair {
	q := &pair{}
	n := 1 + r.IntN(3)
	mu := r.Float64()
	q.Problem = &Problem{
		Layout: model.NewLayout(2, 2, []bool{true, true, true, true}), Gamma: []float64{0.5, 0.9, 0.99}[r.IntN(3)],
		Mu: []float64{mu, 1 - mu}, Base: make([]float64, n), Slope: make([]float64, n),
	}
	q.Rest, q.Slope[0] = model.Rest(q.Gamma), 1
	for m := range 2 {
		rows := make([]float64, 8)
		for i := range 4 {
			v := r.Float64()
			if r.IntN(4) == 0 {
				v = math.Round(v) // some moves are impossible
			}
			q.p[m][i] = [2]float64{v, 1 - v}
			rows[2*i], rows[2*i+1] = v, 1-v
		}
		q.Kernels = append(q.Kernels, model.NewKernel(2, rows))
		var costs [][]float64
		for range n {
			c := make([]float64, 4)
			for i := range c {
				c[i] = r.Float64()
			}
			costs = append(costs, c)
		}
		q.Cost = append(q.Cost, costs)
	}
	x, y := r.Float64(), r.Float64()
	for k := 1; k < n; k++ {
		q.Base[k] = q.worst(k, x, y) + room*r.Float64()
	}
	return q
}

// worst is (1-γ) J_n of the policy with probabilities x and y of the first
// action: by Cramer's rule, in the kernel where it is largest.
func (q *pair) worst(n int, x, y float64) float64 {
	worst := math.Inf(-1)
	for m := range 2 {
		at := func(s int, x float64, f func(i int) float64) float64 { return x*f(2*s) + (1-x)*f(2*s+1) }
		to := func(s int, x float64) float64 { return at(s, x, func(i int) float64 { return q.p[m][i][1-s] }) }
		cost := func(s int, x float64) float64 { return at(s, x, func(i int) float64 { return q.Cost[m][n][i] }) }
		a, b := to(0, x), to(1, y) // of leaving
		g := q.Gamma
		det := (1-g*(1-a))*(1-g*(1-b)) - g*g*a*b
		v0 := ((1-g*(1-b))*cost(0, x) + g*a*cost(1, y)) / det
		v1 := ((1-g*(1-a))*cost(1, y) + g*b*cost(0, x)) / det
		worst = max(worst, (1-g)*(q.Mu[0]*v0+q.Mu[1]*v1))
	}
	return worst
}

// best is the least objective that a grid of policies, refined twice, finds within
// the thresholds; false when it finds none.
func (q *pair) best() (value, x, y float64, ok bool) {
	value = math.Inf(1)
	const n = 16
	for width, cx, cy := 0.5, 0.5, 0.5; width > 1e-3; width /= 8 {
		for i := -n; i <= n; i++ {
			for j := -n; j <= n; j++ {
				u := min(1, max(0, cx+width*float64(i)/n))
				w := min(1, max(0, cy+width*float64(j)/n))
				v := q.worst(0, u, w)
				for k := 1; k < len(q.Base) && v < value; k++ {
					if q.worst(k, u, w) > q.Base[k] {
						v = math.Inf(1)
					}
				}
				if v < value {
					value, x, y = v, u, w
				}
			}
		}
		if math.IsInf(value, 1) {
			return value, 0, 0, false
		}
		cx, cy = x, y
	}
	return value, x, y, true
}

// Of 1 000 problems: no bound is above what a policy has, a target just above that
// is never called out of reach, and the policy, followed for 60 splits, is never
// cut off.
func TestNothingFeasibleIsExcluded(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 5))
	feasible, closed, splits := 0, 0, 0
	for k := range 1000 {
		q := randomPair(r, 0.05)
		best, x, y, ok := q.best()
		if !ok {
			continue
		}
		feasible++
		tree := New(q.Problem, best-0.01)
		for range 40 {
			if !tree.Step(always) {
				break
			}
			if b := tree.Bound(); b > best+1e-12 {
				t.Fatalf("problem %d: bound %v above the feasible value %v", k, b, best)
			}
		}
		if tree.Open() == 0 {
			closed++
		}
		tree = New(q.Problem, best+1e-6)
		pi := []float64{x, 1 - x, y, 1 - y}
		for depth := range 60 {
			if !tree.Step(always) {
				break
			}
			if tree.Open() == 0 {
				t.Fatalf("problem %d: nothing below %v is called possible, yet a policy has %v", k, tree.Tau(), best)
			}
			if slices.ContainsFunc(tree.open, func(b Box) bool { return tree.narrow(&b) }) {
				break
			}
			i := slices.IndexFunc(tree.open, func(b Box) bool { return tree.holds(&b, pi) })
			if i < 0 && len(tree.stuck) == 0 {
				t.Fatalf("problem %d: the policy is cut off after %d splits", k, depth)
			}
			if i >= 0 {
				tree.open = []Box{tree.open[i]}
				splits++
			}
		}
	}
	t.Logf("%d feasible; .01 below the best is out of reach in %d; %d splits followed", feasible, closed, splits)
	if feasible < 900 || closed < feasible*9/10 || splits < 10*feasible {
		t.Errorf("of %d problems with a policy %d were closed, and %d splits followed: too few to tell", feasible, closed, splits)
	}
}
