//go:build !js

package solve

import (
	"testing"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/optimize/convex/lp"

	"rcmdplab/core/evaluate"
)

// gonumOptimum solves the occupancy LP of a one-kernel problem with gonum's
// simplex: x >= 0 by pair and a slack a constraint, scaled by 1-γ. It is known not
// to end on some problems; it does on those of the seeds below.
func gonumOptimum(m randomCMDP) (value float64, err error) {
	x := newMDP(m.Standard, m.Kernels[0])
	pairs, scale := m.Pairs(), 1-m.Gamma
	w := costScales(m.Standard)
	c := make([]float64, pairs+m.N)
	a := mat.NewDense(m.S+m.N, pairs+m.N, nil)
	b := make([]float64, m.S+m.N)
	for s, p := range m.Mu {
		b[s] = scale * p
	}
	for i := range pairs {
		c[i] = w[0] * x.C[0][i]
		next, prob := m.Kernels[0].Row(i)
		for j, t := range next {
			a.Set(t, i, a.At(t, i)-m.Gamma*prob[j])
		}
		a.Set(m.State[i], i, a.At(m.State[i], i)+1)
		for n := 1; n <= m.N; n++ {
			a.Set(m.S+n-1, i, w[n]*x.C[n][i])
		}
	}
	for n := 1; n <= m.N; n++ {
		a.Set(m.S+n-1, pairs+n-1, 1)
		b[m.S+n-1] = scale * w[n] * x.m.B[n]
	}
	v, _, err := lp.Simplex(c, a, b, 1e-9, nil)
	return x.base(0) + v/(scale*w[0]), err
}

// gonum's simplex is an oracle with known faults: it may fail or call a
// feasible problem infeasible, all of which are counted. An optimum that it
// returns must be ours.
func TestOccupancyLPAgainstGonum(t *testing.T) {
	agree, failed := 0, 0
	for seed := range 240 {
		m := newRandomCMDP(uint64(seed))
		value, err := gonumOptimum(m)
		if err != nil {
			failed++
			continue
		}
		ev, e := evaluate.New(m.Standard)
		if e != nil {
			t.Fatal(e)
		}
		p := finish(t, "occupancy-lp", ev, nil)
		w := costScales(m.Standard)
		// Its feasibility tolerance of 1e-9 is worth 1e-9 times the multipliers.
		tol := 1e-7
		for n, l := range p.Multipliers {
			tol += 1e-8 * l * w[0] / w[n+1]
		}
		tol *= m.H / w[0]
		switch {
		case p.Status == ProvedInfeasible && m.kind == "barely infeasible":
		case p.Status != ProvedOptimal || !near(p.Best.Objective, value, tol):
			t.Errorf("seed %d (%s): %v with %v, gonum %v", seed, m.kind, p.Status, p.Best.Objective, value)
		default:
			agree++
		}
	}
	t.Logf("gonum: %d optima agree, %d errors", agree, failed)
	if agree < 100 {
		t.Errorf("only %d optima to compare with", agree)
	}
}
