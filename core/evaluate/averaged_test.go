package evaluate

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"rcmdplab/core/model"
)

// weighted is a random problem whose kernels have weights, some of them 0, with shares by cost.
func weighted(sh shape, seed uint64, over ...float64) *model.Standard {
	p := random(sh, seed).Problem
	r := rand.New(rand.NewPCG(seed, 2))
	sum := 0.0
	for k := range p.Uncertainty.Kernels {
		w := r.ExpFloat64()
		if k > 0 && r.Float64() < 0.2 {
			w = 0
		}
		p.Uncertainty.Weights = append(p.Uncertainty.Weights, w)
		sum += w
	}
	for k := range p.Uncertainty.Weights {
		p.Uncertainty.Weights[k] /= sum
	}
	p.Objective.Over = over[0]
	for n := range p.Constraints {
		p.Constraints[n].Over = over[n+1]
	}
	return p.Standard()
}

// tailMean is ρ by its other formula, min_t t + Σ w_k max(J_k - t, 0)/α (Rockafellar and Uryasev
// 2000), whose minimum is at one of the returns.
func tailMean(j, w []float64, share float64) float64 {
	if share == 0 {
		share = math.Inf(-1)
		for _, x := range j {
			share = max(share, x)
		}
		return share
	}
	best := math.Inf(1)
	for _, t := range j {
		sum := t
		for k, x := range j {
			sum += w[k] * max(x-t, 0) / share
		}
		best = min(best, sum)
	}
	return best
}

// Returns are averages of those of each kernel alone, and pieces are smooth functions no
// larger than they, with the gradients that differences show.
func TestAveraged(t *testing.T) {
	for seed := range uint64(24) {
		r := rand.New(rand.NewPCG(seed, 3))
		sh := shape{s: 2 + r.IntN(5), a: 3, m: 2 + r.IntN(5), n: 2, gamma: 0.9, missing: true, next: true}
		shares := []float64{0, 1, 1e-9, 0.3, 0.55}
		m := weighted(sh, seed, shares[seed%5], shares[seed/5%5], shares[r.IntN(5)])
		e, err := New(m)
		if err != nil {
			t.Fatal(err)
		}
		plain := *m.Problem
		plain.Objective.Over = 0
		plain.Constraints = append([]model.Constraint(nil), plain.Constraints...)
		for n := range plain.Constraints {
			plain.Constraints[n].Over = 0
		}
		each, _ := New(plain.Standard())
		pi := randomPolicy(m.Layout, r)
		for i := range 4 { // minorants of earlier policies join
			pi = randomPolicy(m.Layout, r)
			e.Evaluate(pi)
			if got := e.Matched(); i == 0 && got != e.Pieces() {
				t.Errorf("seed %d: %d of %d pieces are no minorants before there was an earlier policy", seed, got, e.Pieces())
			}
		}
		each.Evaluate(pi)
		if got, want := each.Matched(), sh.m*(m.N+1); got != want || each.Pieces() != want {
			t.Errorf("seed %d: %d of %d pieces of %d kernels are no minorants, want %d", seed, got, each.Pieces(), sh.m, want)
		}
		for n := range m.N + 1 {
			j := make([]float64, sh.m)
			for p := range each.Pieces() {
				if c, x := each.Piece(p); c == n {
					j[p/(m.N+1)] = x
				}
			}
			if got := e.ByKernel(n); !slices.Equal(got, each.ByKernel(n)) || len(got) != sh.m || !(math.Abs(got[sh.m-1]-j[sh.m-1]) <= each.ErrorBound[n]) {
				t.Errorf("seed %d: returns %v of cost %d by kernel, want %v", seed, got, n, j)
			}
			want := tailMean(j, m.Weights, m.Over[n])
			if !(math.Abs(e.J[n]-want) <= e.ErrorBound[n]+1e-13) {
				t.Errorf("seed %d: J_%d over %v is %v, want %v", seed, n, m.Over[n], e.J[n], want)
			}
			if (e.Worst(n) >= 0) != (m.Over[n] == 0 || sh.m == 1) {
				t.Errorf("seed %d: cost %d over %v has the worst kernel %d", seed, n, m.Over[n], e.Worst(n))
			}
		}
		checkPieces(t, fmt.Sprint("seed ", seed), e, pi, r)
	}
}

// checkPieces compares the pieces of the policy with J and with differences along a direction.
func checkPieces(t *testing.T, name string, e *Evaluator, pi []float64, r *rand.Rand) {
	t.Helper()
	m := e.M
	other := randomPolicy(m.Layout, r)
	const h = 1e-6
	moved := make([]float64, len(pi))
	for i := range pi {
		moved[i] = pi[i] + h*(other[i]-pi[i])
	}
	count := e.Pieces()
	n, j, slope := make([]int, count), make([]float64, count), make([]float64, count)
	g := make([]float64, m.Pairs())
	for p := range count {
		n[p], j[p] = e.Piece(p)
		e.PieceGradient(g, p)
		for i := range g {
			slope[p] += g[i] * (other[i] - pi[i])
		}
		if j[p] > e.J[n[p]]+1e-12 {
			t.Errorf("%s: piece %d is %v, above the return %v", name, p, j[p], e.J[n[p]])
		}
	}
	matched := e.Matched()
	e.Evaluate(moved)
	for p := range matched {
		c, x := e.Piece(p)
		if c != n[p] {
			t.Fatalf("%s: piece %d is of cost %d and was of %d", name, p, c, n[p])
		}
		if got := (x - j[p]) / h; !(math.Abs(got-slope[p]) <= 1e-4*(1+math.Abs(slope[p]))) {
			t.Errorf("%s: piece %d rises by %v, its gradient says %v", name, p, got, slope[p])
		}
	}
	e.Evaluate(pi)
	v, d := make([]float64, m.S), make([]float64, m.S)
	for c := range m.N + 1 {
		e.Values(v, c)
		e.Occupancy(d, c)
		value, mass := 0.0, 0.0
		for s, mu := range m.Mu {
			value += mu * v[s]
			mass += d[s]
		}
		if !(math.Abs(value-e.J[c]) <= 1e-10) || !(math.Abs(mass-1) <= 1e-12) {
			t.Errorf("%s: cost %d: values come to %v, the return is %v; occupancies sum to %v", name, c, value, e.J[c], mass)
		}
	}
}
