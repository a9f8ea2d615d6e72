package solve

import (
	"iter"
	"math"
	"slices"
	"testing"

	"rcmdplab/core/evaluate"
	"rcmdplab/core/internal/fixture"
)

// fixtureEvaluator is the evaluator of a problem of the fixtures.
func fixtureEvaluator(t testing.TB, name string) *evaluate.Evaluator {
	t.Helper()
	ev, err := evaluate.New(fixture.Problem(t, name).Standard())
	if err != nil {
		t.Fatal(err)
	}
	return ev
}

// finish runs a method to its last record.
func finish(t testing.TB, id string, ev *evaluate.Evaluator, change func(*Settings)) Progress {
	t.Helper()
	var last Progress
	for _, p := range steps(t, id, ev, change) {
		last = p
	}
	return last
}

// steps runs a method and copies the records that end an outer step, and the
// last record.
func steps(t testing.TB, id string, ev *evaluate.Evaluator, change func(*Settings)) []Progress {
	t.Helper()
	a, ok := Find(id)
	if !ok {
		t.Fatalf("no method %q", id)
	}
	s := a.Defaults()
	if change != nil {
		change(&s)
	}
	var all []Progress
	var last Progress
	for p := range outerSteps(func(yield func(Progress) bool) {
		for p := range a.Run(ev, s) {
			last = p
			if !yield(p) {
				return
			}
		}
	}) {
		all = append(all, p)
	}
	if last.Status == Running {
		t.Fatalf("%s ended without a final status", id)
	}
	return append(all, last)
}

// outerSteps keeps the records that end an outer step, copied, without the
// last record of the run.
func outerSteps(run iter.Seq[Progress]) iter.Seq[Progress] {
	return func(yield func(Progress) bool) {
		for p := range run {
			if !p.Step || p.Status != Running {
				continue
			}
			p.Policy, p.Multipliers, p.Mixture = slices.Clone(p.Policy), slices.Clone(p.Multipliers), slices.Clone(p.Mixture)
			if !yield(p) {
				return
			}
		}
	}
}

func near(x, want, tol float64) bool { return math.Abs(x-want) <= tol }
