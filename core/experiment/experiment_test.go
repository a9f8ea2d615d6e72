package experiment

import (
	"encoding/csv"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"rcmdplab/core/evaluate"
	"rcmdplab/core/internal/fixture"
	"rcmdplab/core/model"
	"rcmdplab/core/solve"
)

func TestSummarise(t *testing.T) {
	nan := math.NaN()
	for _, tc := range []struct {
		in   []float64
		want Point
	}{
		{nil, Point{nan, nan, nan, nan, nan, 0}},
		{[]float64{nan, nan}, Point{nan, nan, nan, nan, nan, 0}},
		{[]float64{3}, Point{3, nan, 3, 3, 3, 1}},
		{[]float64{4, nan, 1, 1}, Point{2, math.Sqrt(3), 1, 1, 4, 3}},
		{[]float64{-1, 1, 3, 5}, Point{2, math.Sqrt(20.0 / 3), -1, 2, 5, 4}},
	} {
		got := Summarise(tc.in)
		same := func(a, b float64) bool { return math.Abs(a-b) <= 1e-14 || math.IsNaN(a) && math.IsNaN(b) }
		if !same(got.Mean, tc.want.Mean) || !same(got.SD, tc.want.SD) || !same(got.Min, tc.want.Min) ||
			!same(got.Median, tc.want.Median) || !same(got.Max, tc.want.Max) || got.Count != tc.want.Count {
			t.Errorf("Summarise(%v) = %+v, want %+v", tc.in, got, tc.want)
		}
	}
	// A large common offset does not cost the spread its digits.
	if sd := Summarise([]float64{1e9, 1e9 + 1, 1e9 + 2}).SD; !(math.Abs(sd-1) <= 1e-6) {
		t.Errorf("standard deviation %v, want 1", sd)
	}
}

// plan is three copies of one fixture run by two methods for a few steps.
func plan(t *testing.T) Plan {
	return Plan{
		Setting: Setting{ID: "x", Title: "X", Make: func(seed uint64) *model.Problem {
			return fixture.Problem(t, "c_seed"+strconv.FormatUint(seed, 10))
		}},
		Seeds: []uint64{0, 1, 2},
		Methods: []Method{
			{Name: "EpiRC-PGS", Settings: solve.Settings{Algorithm: "epirc-pgs", OuterIterations: 4, InnerIterations: 200, StepSize: 5e-4, Tolerance: 1e-11}},
			{Name: `quoted, "name"`, Settings: solve.Settings{Algorithm: "epirc-pgs", OuterIterations: 2, InnerIterations: 50, StepSize: 5e-4, Tolerance: 1e-11}},
		},
	}
}

func TestPlanRunsAndAggregates(t *testing.T) {
	p := plan(t)
	var traces []Trace
	for _, j := range p.Jobs() {
		tr, err := p.Run(j)
		if err != nil {
			t.Fatal(err)
		}
		traces = append(traces, tr)
	}
	if len(traces) != 6 || traces[0].Seed != 0 || traces[1].Method != 1 || traces[5].Seed != 2 {
		t.Fatalf("jobs out of order: %+v", p.Jobs())
	}
	// The trace is the method's own record, seen by evaluating its policies.
	ev, _ := evaluate.New(p.Setting.Make(1).Standard())
	ev.Evaluate(ev.M.Uniform())
	if traces[2].Uniform != ev.J[0] {
		t.Errorf("uniform objective %v, want %v", traces[2].Uniform, ev.J[0])
	}
	s := p.Aggregate(traces)
	if len(s[0].Violation) != 5 || len(s[1].Violation) != 3 {
		t.Fatalf("%d and %d steps, want 4 and 2 and a final descent each", len(s[0].Violation), len(s[1].Violation))
	}
	for k, pt := range s[0].Relative {
		mean := 0.0
		for i := 0; i < 6; i += 2 {
			mean += (traces[i].Objective[k] - traces[i].Uniform) / 3
		}
		if !(math.Abs(pt.Mean-mean) <= 1e-12*ev.M.H) || pt.Count != 3 {
			t.Errorf("step %d: mean %v of %d, want %v of 3", k, pt.Mean, pt.Count, mean)
		}
	}
	for _, r := range p.Table(traces) {
		if r.Jobs != 3 || r.Feasible < 0 || r.Feasible > 3 || r.Best.Count != r.Feasible {
			t.Errorf("row %+v", r)
		}
	}
	records, err := csv.NewReader(strings.NewReader(p.CSV(traces))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	if len(records) != 1+3*(5+3) || records[6][1] != `quoted, "name"` {
		t.Errorf("%d CSV records, row 6 %q", len(records), records[6])
	}
	if x, _ := strconv.ParseFloat(records[1][4], 64); x != traces[0].Objective[0] {
		t.Errorf("CSV objective %v, want %v", x, traces[0].Objective[0])
	}
}

// A trace that ended early keeps its last value in the means.
func TestAggregateCarriesTheLastValue(t *testing.T) {
	p := plan(t)
	p.Methods = p.Methods[:1]
	s := p.Aggregate([]Trace{
		{Objective: []float64{10, 6}, Violation: []float64{1, -1}, Uniform: 10},
		{Objective: []float64{8}, Violation: []float64{3}, Uniform: 10},
	})
	if got := s[0].Relative[1].Mean; got != -3 {
		t.Errorf("mean %v, want -3", got)
	}
	if got := s[0].Violation[1].Mean; got != 1 {
		t.Errorf("mean violation %v, want 1", got)
	}
}

// A level is the best policy a method ended with, whatever steps led there.
func TestLevelIsTheBestPolicy(t *testing.T) {
	p := plan(t)
	all, err := p.Run(Job{Method: 1})
	if err != nil {
		t.Fatal(err)
	}
	p.Methods[1].Level = true
	level, err := p.Run(Job{Method: 1})
	if err != nil {
		t.Fatal(err)
	}
	// The best inner iterate is at least as good as the best outer step: while
	// none is feasible, in its violation.
	if len(all.Objective) < 2 || len(level.Objective) != 1 {
		t.Fatalf("level %v of %v", level.Objective, all.Objective)
	}
	better := level.Violation[0] <= slices.Min(all.Violation)
	if all.First >= 0 {
		better = level.First == 0 && level.Best <= all.Best
	}
	if !better {
		t.Errorf("level %v %v of %v %v", level.Objective, level.Violation, all.Objective, all.Violation)
	}
	if level.Uniform != all.Uniform || level.Evaluations != all.Evaluations || level.Status != all.Status {
		t.Errorf("level %+v of %+v", level, all)
	}
}

// A step whose violation is not defined is not feasible, however low its
// objective.
func TestUndefinedViolationIsNotFeasible(t *testing.T) {
	nan := math.NaN()
	tr := NewTrace(Job{}, 10, 100, []float64{1, 6, 5}, []float64{nan, 0, 2})
	if tr.First != 1 || tr.Best != 6 {
		t.Errorf("first %d, best %v; want 1, 6", tr.First, tr.Best)
	}
	if tr = NewTrace(Job{}, 10, 100, []float64{nan}, []float64{nan}); tr.First != -1 || !math.IsNaN(tr.Best) {
		t.Errorf("first %d, best %v; want -1, NaN", tr.First, tr.Best)
	}
}

// A method that the plan names and nobody built is an error, not a trace.
func TestPlanRefusesUnknownMethods(t *testing.T) {
	p := plan(t)
	p.Methods = []Method{{Name: "x", Settings: solve.Settings{Algorithm: "nonesuch"}}}
	if _, err := p.Run(Job{}); err == nil {
		t.Error("no error")
	}
}

func epigraph(t *testing.T) *evaluate.Evaluator {
	ev, err := evaluate.New(fixture.Problem(t, "fig1_epigraph").Standard())
	if err != nil {
		t.Fatal(err)
	}
	return ev
}

// The landscape's derivatives are those of the surface along the coordinates.
func TestLandscapeDerivatives(t *testing.T) {
	ev := epigraph(t)
	m := ev.M
	x, y := Axis{m.Pair(0, 1), m.Pair(0, 0)}, Axis{m.Pair(1, 1), m.Pair(1, 0)}
	for _, f := range []Surface{{Lambda: []float64{1}}, {Lambda: []float64{0.3}}, {Epigraph: true, B0: 0.7}} {
		p := newPlane(ev, nil, x, y)
		for _, at := range [][2]float64{{0.3, 0.4}, {0.8, 0.15}, {0.55, 0.9}} {
			const h = 1e-5
			_, dx, dy := p.at(f, at[0], at[1])
			xp, _, _ := p.at(f, at[0]+h, at[1])
			xm, _, _ := p.at(f, at[0]-h, at[1])
			yp, _, _ := p.at(f, at[0], at[1]+h)
			ym, _, _ := p.at(f, at[0], at[1]-h)
			if !(math.Abs((xp-xm)/(2*h)-dx) <= 1e-8) || !(math.Abs((yp-ym)/(2*h)-dy) <= 1e-8) {
				t.Errorf("%+v at %v: derivatives %v %v, differences %v %v", f, at, dx, dy, (xp-xm)/(2*h), (yp-ym)/(2*h))
			}
		}
		l := NewLandscape(ev, nil, x, y, 21, f)
		if len(l.Value) != 441 || l.Side != 21 {
			t.Fatalf("%d values", len(l.Value))
		}
		if v, _, _ := p.at(f, 0.25, 0.5); l.Value[10*21+5] != v {
			t.Errorf("grid value %v, want %v", l.Value[10*21+5], v)
		}
	}
}

// leastDelta is the least Δ_{b0} over the grid's policies: an upper estimate
// of Δ*_{b0} (eq:epigraph problem-zero) whose error is the grid's.
func leastDelta(l Landscape, b0 float64) float64 {
	best := math.Inf(1)
	for i, j := range l.Objective {
		best = min(best, max(j-b0, l.Violation[i]))
	}
	return best
}

// Δ*_{b0} of the epigraph example changes sign at its known optimum
// J* = 3995/8082 + 11/36 and never increases with b0.
func TestLeastDeltaCrossesZeroAtTheOptimum(t *testing.T) {
	ev := epigraph(t)
	m := ev.M
	x, y := Axis{m.Pair(0, 1), m.Pair(0, 0)}, Axis{m.Pair(1, 1), m.Pair(1, 0)}
	l := NewLandscape(ev, nil, x, y, 401, Surface{Epigraph: true})
	want := 3995.0/8082 + 11.0/36
	const grid = 5e-3 // a step of 1/400 in a coordinate moves J by less
	if d := leastDelta(l, want); !(math.Abs(d) <= grid) {
		t.Errorf("Δ* at the optimum is %v", d)
	}
	if leastDelta(l, want-0.02) <= 0 || leastDelta(l, want+0.02) > 0 {
		t.Errorf("Δ* does not change sign at the optimum: %v, %v", leastDelta(l, want-0.02), leastDelta(l, want+0.02))
	}
	last := math.Inf(1)
	for b := 0.0; b < 1.2; b += 0.01 {
		d := leastDelta(l, b)
		if d > last {
			t.Errorf("Δ* increases at b0 = %v", b)
		}
		last = d
	}
}

// Gradient descent from a corner goes downhill and stays in the square.
func TestPathDescends(t *testing.T) {
	ev := epigraph(t)
	m := ev.M
	x, y := Axis{m.Pair(0, 1), m.Pair(0, 0)}, Axis{m.Pair(1, 1), m.Pair(1, 0)}
	f := Surface{Lambda: []float64{1}}
	pts := Path(ev, nil, x, y, f, 0.9, 0.2, 0.02, 500)
	p := newPlane(ev, nil, x, y)
	first, _, _ := p.at(f, pts[0], pts[1])
	end, _, _ := p.at(f, pts[len(pts)-2], pts[len(pts)-1])
	if len(pts) < 6 || !(end < first) {
		t.Errorf("%d points, from %v to %v", len(pts)/2, first, end)
	}
	for _, v := range pts {
		if v < 0 || v > 1 {
			t.Errorf("left the square: %v", v)
		}
	}
}

// Every method of every preset is built, its settings are within the method's
// ranges, and one step of it runs on the setting's first problem.
func TestPresetsRun(t *testing.T) {
	for _, quick := range []bool{true, false} {
		for _, p := range Presets(quick) {
			problem := p.Setting.Make(0)
			for _, m := range p.Methods {
				ev, err := evaluate.New(problem.Standard())
				if err != nil {
					t.Errorf("%s: %v", p.Setting.ID, err)
					break
				}
				s := &m.Settings
				s.OuterIterations, s.InnerIterations = min(s.OuterIterations, 1), min(s.InnerIterations, 5)
				if tr, err := m.run(ev, Job{}); err != nil || len(tr.Objective) == 0 || tr.Status == solve.Failed {
					t.Errorf("%s %s: %d steps, status %v %s, %v", p.Setting.ID, m.Name, len(tr.Objective), tr.Status, tr.Note, err)
				}
			}
		}
	}
}

// The quick runs have the shape of the long ones and EpiRC-PGS ends close to
// them: a feasible policy within 1% of H of the long run's objective.
func TestQuickPresetsComeClose(t *testing.T) {
	if testing.Short() {
		t.Skip("runs the paper's settings")
	}
	quick, long := Presets(true), Presets(false)
	for i, q := range quick {
		l := long[i]
		if q.Setting.ID != l.Setting.ID || len(q.Methods) != len(l.Methods) || len(q.Seeds) != len(l.Seeds) {
			t.Fatalf("setting %s: quick and long differ in more than their length", q.Setting.ID)
		}
		for m := range q.Methods {
			if q.Methods[m].Name != l.Methods[m].Name {
				t.Errorf("setting %s: method %d is %q and %q", q.Setting.ID, m, q.Methods[m].Name, l.Methods[m].Name)
			}
			if q.Methods[m].Name != "EpiRC-PGS" {
				continue
			}
			a, err := q.Run(Job{q.Seeds[0], m})
			if err != nil {
				t.Fatal(err)
			}
			b, err := l.Run(Job{l.Seeds[0], m})
			if err != nil {
				t.Fatal(err)
			}
			h := 1 / (1 - l.Setting.Make(0).Discount)
			if !(a.Best <= b.Best+0.01*h) || b.First < 0 {
				t.Errorf("setting %s: quick ends at %v, long at %v", q.Setting.ID, a.Best, b.Best)
			}
		}
	}
}

// A setting's seeds are the first ten whose problem leaves a choice: no kernel
// alone makes the best policy cost as much as any.
func TestSeedsLeaveAChoice(t *testing.T) {
	for _, p := range Presets(true) {
		var want []uint64
		for seed := uint64(0); len(want) < 10; seed++ {
			ev, err := evaluate.New(p.Setting.Make(seed).Standard())
			if err != nil {
				t.Fatal(err)
			}
			alg, _ := solve.Find("slp")
			s := alg.Defaults()
			s.Starts = 8 // each kernel alone is among them
			var last solve.Progress
			for last = range alg.Run(ev, s) {
			}
			if last.LowerBound < ev.M.H-1e-6 {
				want = append(want, seed)
			}
		}
		if !slices.Equal(p.Seeds, want) {
			t.Errorf("setting %s: seeds %v, want %v", p.Setting.ID, p.Seeds, want)
		}
	}
}
