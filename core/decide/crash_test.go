package decide

import (
	"iter"
	"math"
	"strings"
	"testing"

	"rcmdplab/core/evaluate"
	"rcmdplab/core/internal/fixture"
	"rcmdplab/core/solve"
)

// A crash in any part of any method, wherever it is, ends with the best policy that was
// shown and with what was proved, and says so. A limit that is no number all at once is
// what crashes the parts here: a linear program refuses it, and the evaluator goes on.
func TestACrashIsNotTheEndOfTheAnswer(t *testing.T) {
	crashes := map[string]int{}
	for _, name := range []string{"fig1_conflict_feasible", "rect_l1"} {
		for _, a := range Algorithms() {
			for _, at := range []int{1, 3, 10, 30, 100, 300} {
				m := fixture.Problem(t, name).Standard()
				ev, err := evaluate.New(m)
				if err != nil {
					t.Fatal(err)
				}
				s := a.Defaults()
				s.Starts, s.OuterIterations, s.InnerIterations = min(s.Starts, 3), min(s.OuterIterations, 3), min(s.InnerIterations, 30)
				var before, p solve.Progress
				records := 0
				for p = range a.Run(ev, s) {
					if records++; records == at {
						before = p
						before.Best.Policy = append([]float64(nil), p.Best.Policy...)
						for n := 1; n <= m.N; n++ {
							m.B[n] = math.NaN()
						}
					}
				}
				if !strings.Contains(p.Note, Crashed) {
					continue
				}
				crashes[a.ID]++
				if p.Status == solve.Running || before.Best.Feasible && (!p.Best.Feasible || p.Best.Objective > before.Best.Objective+1e-9) {
					t.Errorf("%s, %s after %d records: %v, value %v after %v (%v): %s", name, a.ID, at, p.Status, p.Best.Objective, before.Best.Objective, before.Best.Feasible, p.Note)
				}
			}
		}
	}
	if crashes["solve"] == 0 || crashes["slp"] == 0 {
		t.Errorf("crashes by method: %v", crashes)
	}
}

// Who pulls crashes by themselves: their crash is theirs.
func TestTheirCrashIsTheirs(t *testing.T) {
	defer func() {
		if e := recover(); e != "theirs" {
			t.Errorf("recovered %v", e)
		}
	}()
	ev, err := evaluate.New(fixture.Problem(t, "fig1_conflict_feasible").Standard())
	if err != nil {
		t.Fatal(err)
	}
	for range Method.Run(ev, Method.Defaults()) {
		panic("theirs")
	}
}

// A method that crashes before it has found anything has failed, and says why.
func TestACrashAtOnceIsAFailure(t *testing.T) {
	ev, err := evaluate.New(fixture.Problem(t, "fig1_conflict_feasible").Standard())
	if err != nil {
		t.Fatal(err)
	}
	broken := solve.Algorithm{ID: "broken", Run: func(*evaluate.Evaluator, solve.Settings) iter.Seq[solve.Progress] {
		return func(func(solve.Progress) bool) { panic("broken") }
	}}
	var p solve.Progress
	for p = range checked(broken).Run(ev, solve.Settings{}) {
	}
	if p.Status != solve.Failed || p.Note != Crashed+"broken" {
		t.Errorf("%v: %s", p.Status, p.Note)
	}
}
