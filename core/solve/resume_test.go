package solve_test

import (
	"slices"
	"testing"

	"rcmdplab/core/evaluate"
	"rcmdplab/core/internal/fixture"
	"rcmdplab/core/solve"
)

// A run continued from the end of any outer step ends with the bits of the run
// that was never interrupted.
func TestResume(t *testing.T) {
	for _, method := range solve.Algorithms() {
		if !method.Resumes {
			continue
		}
		for _, gap := range []float64{0, 0.05} {
			settings := method.Defaults()
			settings.OuterIterations, settings.InnerIterations, settings.StepSize, settings.Gap = 7, 150, 5e-4, gap
			ev, err := evaluate.New(fixture.Problem(t, "a_seed0").Standard())
			if err != nil {
				t.Fatal(err)
			}
			var steps []solve.Progress
			for p := range method.Run(ev, settings) {
				if p.Step {
					steps = append(steps, keep(p))
				}
			}
			want := steps[len(steps)-1]
			for i := range len(steps) - 1 {
				settings.Resume = &steps[i]
				var got solve.Progress
				count := 0
				for p := range method.Run(ev, settings) {
					if p.Step {
						got = keep(p)
						count++
					}
				}
				if got.K != want.K || count != len(steps)-1-i || got.Low != want.Low || got.High != want.High || got.Objective != want.Objective ||
					!slices.Equal(got.Policy, want.Policy) || !slices.Equal(got.Best.Policy, want.Best.Policy) || got.Status != want.Status {
					t.Errorf("%s, gap %v: resumed after step %d: %d steps to step %d, J_0 = %v; want %d to %d, %v",
						method.ID, gap, i, count, got.K, got.Objective, len(steps)-1-i, want.K, want.Objective)
				}
			}
		}
	}
}

// keep is the record with slices of its own.
func keep(p solve.Progress) solve.Progress {
	p.Policy, p.Best.Policy = slices.Clone(p.Policy), slices.Clone(p.Best.Policy)
	return p
}
