package uncertainty_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"rcmdplab/core/model"
)

// BenchmarkRow times one row of a sweep (Begin's share included) over n
// successors; every state is one.
func BenchmarkRow(b *testing.B) {
	for _, k := range []struct {
		kind model.Kind
		r    float64
	}{
		{model.KL, .1}, {model.KLRegularized, 2}, {model.L1, .2}, {model.L2, .1}, {model.LInf, .05},
		{model.Chi2, .2}, {model.Contamination, .1}, {model.Interval, .05},
	} {
		for _, n := range []int{5, 20, 100, 300} {
			b.Run(fmt.Sprintf("%s/n=%d", k.kind, n), func(b *testing.B) {
				rng := rand.New(rand.NewPCG(1, uint64(n)))
				s := oneRow(b, k.kind, false, k.r, randomRow(rng, n, 0))
				z, p := make([]float64, n), make([]float64, n)
				for j := range z {
					z[j] = 50 + 5*math.Abs(rng.NormFloat64())
				}
				b.ReportAllocs()
				i := 0
				for b.Loop() {
					if i%n == 0 {
						z[i/n%n] += 1e-9
						s.Begin(z)
					}
					s.Row(p, i%n)
					i++
				}
			})
		}
	}
}
