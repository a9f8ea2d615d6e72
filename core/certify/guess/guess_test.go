package guess

import (
	"math"
	"math/rand/v2"
	"testing"
)

// Systems (I - γP) v = c, sparse and dense, with v known: both find it.
func TestSystemsAreSolved(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 4))
	for trial := range 60 {
		n, gamma := 1+rng.IntN(120), []float64{0, .5, .99, .999}[trial%4]
		dense, sparse := NewDense(n), NewSparse(n, func() bool { return true })
		want, right := make([]float64, n), make([]float64, n)
		for s := range want {
			want[s] = rng.NormFloat64()
		}
		sparse.Begin(gamma)
		for s := range n {
			dense.Row(s)[s]++
			sparse.Take(1, 0)
			right[s] = want[s]
			for _, p := range []float64{.5, .3, .2} {
				to := rng.IntN(n)
				dense.Row(s)[to] -= gamma * p
				sparse.Lead(to, p, 0)
				right[s] -= gamma * p * want[to]
			}
			sparse.Take(.5, 2*right[s])
			sparse.Row(s)
		}
		v := make([]float64, n)
		if before, floor := sparse.solve(v, 0); sparse.Left || !(before > floor) {
			t.Fatalf("left %v, a residual of %v at first, %v by rounding", sparse.Left, before, floor)
		}
		dense.Factor()
		dense.Solve(right)
		for s := range want {
			if tol := 1e-12 / (1 - gamma); math.Abs(v[s]-want[s]) > tol || math.Abs(right[s]-want[s]) > tol {
				t.Fatalf("n = %d, γ = %v: %v and %v, want %v", n, gamma, v[s], right[s], want[s])
			}
		}
	}
}

// A walk there and back that ends at the far end, or with a tiny probability anywhere, takes so long that an iteration
// does not arrive: it is eliminated, however many its states.
func TestLongWalksAreSolved(t *testing.T) {
	const n, lost = 6000, 1e-9
	k, v := NewSparse(n, func() bool { return true }), make([]float64, n)
	k.Begin(1)
	for s := range n {
		k.Take(1, 1)
		if s+1 < n {
			k.Lead(s+1, .55-lost, 0)
			k.Lead(max(s-1, 0), .45, 0)
			k.Lead(n-1, lost, 0)
		}
		k.Row(s)
	}
	k.Improve(v, false)
	for s := range n - 1 {
		if e := 1 + (.55-lost)*v[s+1] + .45*v[max(s-1, 0)] + lost*v[n-1] - v[s]; math.Abs(e) > 1e-9 || v[s] < v[n-1] {
			t.Fatalf("%v steps from state %d, a residual of %v", v[s], s, e)
		}
	}
}
