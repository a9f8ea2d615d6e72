package experiment_test

import (
	"testing"

	"rcmdplab/core/evaluate"
	"rcmdplab/core/instance"
	"rcmdplab/core/internal/fixture"
	"rcmdplab/core/solve"
)

// BenchmarkReferenceExperiment projects what the authors' older experiment
// takes: 20 seeds, EpiRC-PGS and LF, 1 000 outer steps of 1 000 inner steps,
// S = 15, A = 5, five kernels. Their notes give 30 minutes on 20 processors,
// 600 processor minutes. One seed is run for a few outer steps of full length;
// cpu-min/experiment scales the time of a step to all of them.
func BenchmarkReferenceExperiment(b *testing.B) {
	const seeds, outer, inner = 20, 1000, 1000
	const few = 3
	ev, err := evaluate.New(instance.FamilyReference().Problem(0).Standard())
	if err != nil {
		b.Fatal(err)
	}
	steps := int64(0)
	b.ReportAllocs()
	from := fixture.CPU()
	for b.Loop() {
		for _, id := range []string{"epirc-pgs", "lagrangian"} {
			a, ok := solve.Find(id)
			if !ok {
				b.Fatalf("no method %s", id)
			}
			s := a.Defaults()
			s.OuterIterations, s.InnerIterations, s.StepSize = few, inner, 5e-4
			last := solve.Progress{}
			for p := range a.Run(ev, s) {
				last = p
			}
			if last.Iterations < few*inner {
				b.Fatalf("%s: %d inner steps", id, last.Iterations)
			}
			steps += last.Iterations
		}
	}
	perStep := (fixture.CPU() - from).Minutes() / float64(steps)
	b.ReportMetric(perStep*2*seeds*outer*inner, "cpu-min/experiment")
	b.ReportMetric(perStep*60e6, "µs/step")
}
