package solve

import (
	"math"
	"math/rand/v2"
	"testing"

	"rcmdplab/core/lp"
)

// TestStepperIsTheProgram: on random pieces, with ties, zeros and policies at
// the edge, the step's value is that of the linear program over all pairs.
func TestStepperIsTheProgram(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 9))
	for trial := range 300 {
		states := 1 + rng.IntN(6)
		off, pi := []int{0}, []float64(nil)
		for range states {
			a, total := 1+rng.IntN(4), 0.0
			from := len(pi)
			for range a {
				pi = append(pi, rng.ExpFloat64()*float64(rng.IntN(2)))
				total += pi[len(pi)-1]
			}
			if total == 0 {
				pi[from], total = 1, 1
			}
			for i := from; i < len(pi); i++ {
				pi[i] /= total
			}
			off = append(off, len(pi))
		}
		n := len(pi)
		pieces, values := []piece(nil), []float64(nil)
		for p := range 2 + rng.IntN(5) {
			x := piece{n: min(p, rng.IntN(3)), grad: make([]float64, n+2)}
			for i := range n {
				x.grad[i] = math.Round(4*rng.NormFloat64()) / 4 * math.Pow(10, float64(rng.IntN(3)-1))
			}
			pieces = append(pieces, x)
			values = append(values, rng.NormFloat64())
		}
		rho, radius := math.Pow(10, float64(rng.IntN(4)-1)), []float64{1, .3, 1e-3}[rng.IntN(3)]

		prog := lp.New(n + 2)
		prog.SetBounds(n, math.Inf(-1), math.Inf(1))
		prog.SetCost(n, 1)
		prog.SetCost(n+1, rho)
		var cols []int32
		for i, p := range pi {
			prog.SetBounds(i, max(-p, -radius), min(1-p, radius))
			cols = append(cols, int32(i))
		}
		for s := range states {
			one := make([]float64, off[s+1]-off[s])
			for j := range one {
				one[j] = 1
			}
			prog.AddRow(cols[off[s]:off[s+1]], one, 0, 0)
		}
		for p, x := range pieces {
			row := append([]float64(nil), x.grad...)
			row[n], row[n+1] = -1, 0
			if x.n > 0 {
				row[n], row[n+1] = 0, -1
			}
			all := make([]int32, len(row))
			for j := range all {
				all[j] = int32(j)
			}
			prog.AddRow(all, row, math.Inf(-1), -values[p])
		}
		if prog.Solve() != lp.Optimal {
			continue
		}
		want := prog.Objective()

		st := &stepper{off: off, cost: make([]float64, n), move: make([]float64, n), delta: make([]float64, n)}
		if !st.solve(pieces, values, pi, rho, radius) {
			t.Fatalf("trial %d: no step", trial)
		}
		here := math.Inf(-1) // without a step
		limits := 0.0
		for p, x := range pieces {
			if x.n == 0 {
				here = max(here, values[p])
			} else {
				limits = max(limits, values[p])
			}
		}
		gain := here + rho*limits - want
		if got := st.t + rho*st.v; !(got >= want-1e-9 && got <= want+2e-4*math.Abs(gain)+1e-7*(1+rho)) {
			t.Fatalf("trial %d: %v, want %v (%v without a step)", trial, got, want, here+rho*limits)
		}
		for s := range states {
			sum := 0.0
			for i := off[s]; i < off[s+1]; i++ {
				d := st.delta[i]
				sum += d
				if d < -radius-1e-12 || d > radius+1e-12 || pi[i]+d < -1e-12 {
					t.Fatalf("trial %d: a step of %v from %v", trial, d, pi[i])
				}
			}
			if !(math.Abs(sum) <= 1e-12) {
				t.Fatalf("trial %d: a state's step sums to %v", trial, sum)
			}
		}
	}
}
