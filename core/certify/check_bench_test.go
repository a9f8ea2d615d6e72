package certify

import (
	"fmt"
	"testing"

	"rcmdplab/core/bound"
	"rcmdplab/core/internal/fixture"
)

func BenchmarkCheck(b *testing.B) {
	for _, name := range []string{"a_seed0"} {
		p := fixture.Problem(b, name)
		best := fixture.Expected(b, name).BestKnown
		cert, _ := prove(b, p, bound.Settings{}, p.Standard().Internal(0, best.Objective), 0, 400_000, never)
		multipliers := 0
		for _, n := range cert.Nodes {
			for _, s := range n.Steps {
				multipliers += len(s.Y)
			}
		}
		b.Run(fmt.Sprintf("%s/boxes=%d", name, len(cert.Nodes)), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if r := Check(p, *cert, nil); !r.OK {
					b.Fatal(r.Reasons)
				}
			}
			b.ReportMetric(float64(multipliers), "multipliers")
			b.ReportMetric(float64(b.Elapsed().Milliseconds())/float64(b.N)/float64(len(cert.Nodes)), "ms/box")
		})
	}
}
