package solve

import (
	"fmt"
	"testing"

	"rcmdplab/core/evaluate"
)

// One-kernel problems of the paper's kind with five constraints that bind or
// nearly so, from nothing to the checked gap.
func BenchmarkOccupancyLP(b *testing.B) {
	for _, z := range []struct{ s, a int }{{7, 4}, {20, 5}, {30, 5}, {100, 5}} {
		m := garnet(z.s, z.a, 1, 5, 0.99, 1)
		ev, err := evaluate.New(m)
		if err != nil {
			b.Fatal(err)
		}
		// The mean of the best policies of every cost meets its own returns.
		x := newMDP(m, m.Kernels[0])
		var best [][]float64
		for n := range m.N + 1 {
			x.optimal(n)
			best = append(best, m.Deterministic(x.Choice))
		}
		ev.Evaluate(mean(m, best))
		copy(m.B[1:], ev.J[1:])
		if ev, err = evaluate.New(m); err != nil { // which knows its limits from its making
			b.Fatal(err)
		}
		b.Run(fmt.Sprintf("S=%d/A=%d/N=5", z.s, z.a), func(b *testing.B) {
			b.ReportAllocs()
			var p Progress
			for b.Loop() {
				if p = finish(b, "occupancy-lp", ev, nil); p.Status != ProvedOptimal {
					b.Fatal(p.Status, p.Note)
				}
			}
			b.ReportMetric(float64(p.K), "columns/op")
			b.ReportMetric(float64(p.Iterations), "factorisations/op")
			b.ReportMetric((p.Best.Objective-p.LowerBound)*1e12, "gap×1e12")
		})
	}
}
