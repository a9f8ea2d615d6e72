// Package experiment runs many methods on many problems and sums up what they
// found, outer step by outer step: the paper's figures are made from it. A job
// is one method on one problem; jobs are independent, so whoever has several
// threads or workers spreads them, keeps the finished traces and resumes with
// the jobs that are missing.
//
// A Plan lists Jobs; each leaves a Trace; Aggregate and Table sum traces up.
// Landscape evaluates a surface over two coordinates of the policy.
package experiment

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"rcmdplab/core/evaluate"
	"rcmdplab/core/solve"
)

// Job names one run: the problem by setting and seed, the method by its index
// in the plan.
type Job struct {
	Seed   uint64 // of the problem and of the run
	Method int    // place in Plan.Methods
}

// Plan is a grid of jobs: every seed of a setting with every method.
type Plan struct {
	Setting Setting  // makes a problem a seed
	Seeds   []uint64 // each is a problem
	Methods []Method
}

// Method is a solve method with settings and the name it has in tables.
type Method struct {
	Name     string // of the algorithm, as in the page's options
	Settings solve.Settings
	Level    bool // only the best policy it ends with counts; its steps are no sequence to draw
}

// Jobs lists the plan's jobs, seeds first, so that a run stopped half-way has
// all methods for the seeds it finished.
func (p Plan) Jobs() []Job {
	var jobs []Job
	for _, s := range p.Seeds {
		for m := range p.Methods {
			jobs = append(jobs, Job{s, m})
		}
	}
	return jobs
}

// Trace is what one job left: one entry per outer step. Returns are in the
// internal convention (minimised totals).
type Trace struct {
	Job
	Objective   []float64    // J_{c0,U} of the outer step's policy
	Violation   []float64    // max_n J_{cn,U} - b_n
	Uniform     float64      // J_{c0,U} of the uniform policy
	Best        float64      // least objective of a policy within FeasibleTolerance, NaN when none
	First       int          // first outer step within FeasibleTolerance, -1 when none
	Evaluations int64        // policies, each under every kernel and cost
	Status      solve.Status // of the last record
	Note        string       // of the last record
}

// FeasibleTolerance is the violation, as a share of the horizon H, up to which
// a policy of a trace counts as feasible: the accuracy of an evaluation at
// γ = 0.995 with room to spare.
const FeasibleTolerance = 1e-11

// NewTrace makes the trace of a job from its columns, for the horizon h.
func NewTrace(job Job, uniform, h float64, objective, violation []float64) Trace {
	t := Trace{Job: job, Uniform: uniform, Best: math.NaN(), First: -1}
	for k := range objective {
		t.add(objective[k], violation[k], h)
	}
	return t
}

// add takes an outer step.
func (t *Trace) add(objective, violation, h float64) {
	t.Objective, t.Violation = append(t.Objective, objective), append(t.Violation, violation)
	if violation <= FeasibleTolerance*h { // one that is not defined is not feasible
		if t.First < 0 {
			t.First = len(t.Objective) - 1
		}
		if !(objective >= t.Best) {
			t.Best = objective
		}
	}
}

// Run does one job of the plan to its end.
func (p Plan) Run(job Job) (Trace, error) {
	ev, err := evaluate.New(p.Setting.Make(job.Seed).Standard())
	if err != nil {
		return Trace{}, err
	}
	return p.Methods[job.Method].run(ev, job)
}

// run is the trace of the method, which evaluates the uniform policy first.
func (m Method) run(ev *evaluate.Evaluator, job Job) (Trace, error) {
	alg, ok := solve.Find(m.Settings.Algorithm)
	if !ok {
		return Trace{}, fmt.Errorf("experiment: no method %q", m.Settings.Algorithm)
	}
	ev.Evaluate(ev.M.Uniform())
	t, best := NewTrace(job, ev.J[0], ev.M.H, nil, nil), solve.Best{}
	for p := range alg.Run(ev, m.Settings) {
		t.Evaluations, t.Status, t.Note, best = p.Evaluations, p.Status, cmp.Or(p.Note, t.Note), p.Best
		if p.Step && !m.Level {
			t.add(p.Objective, p.MaxViolation, ev.M.H)
		}
	}
	if m.Level {
		t.add(best.Objective, best.MaxViolation, ev.M.H)
	}
	return t, nil
}

// Point is the spread of one quantity over the traces of a method at one outer
// step. Count is how many traces had that step.
type Point struct {
	Mean, SD, Min, Median, Max float64 // of the values; SD with n-1
	Count                      int     // traces that it is over; the others have no value there
}

// Series is a method's quantities over outer steps: violation, and objective
// relative to the uniform policy's.
type Series struct {
	Method    string
	Violation []Point // by outer step, longest trace
	Relative  []Point // objective over that of the uniform policy, by outer step
}

// Aggregate sums up traces by method, in the plan's order. A trace that ended
// early keeps its last value from then on, so that means stay comparable.
func (p Plan) Aggregate(traces []Trace) []Series {
	out := make([]Series, len(p.Methods))
	for m := range p.Methods {
		var of []Trace
		steps := 0
		for _, t := range traces {
			if t.Method == m && len(t.Objective) > 0 {
				of = append(of, t)
				steps = max(steps, len(t.Objective))
			}
		}
		s := Series{Method: p.Methods[m].Name}
		var v, o []float64
		for k := range steps {
			v, o = v[:0], o[:0]
			for _, t := range of {
				j := min(k, len(t.Objective)-1)
				v = append(v, t.Violation[j])
				o = append(o, t.Objective[j]-t.Uniform)
			}
			s.Violation = append(s.Violation, Summarise(v))
			s.Relative = append(s.Relative, Summarise(o))
		}
		out[m] = s
	}
	return out
}

// Summarise is the spread of the values that are not NaN; SD is the sample
// standard deviation, NaN for fewer than two values.
func Summarise(values []float64) Point {
	x := slices.DeleteFunc(slices.Clone(values), math.IsNaN)
	n := len(x)
	nan := math.NaN()
	if n == 0 {
		return Point{nan, nan, nan, nan, nan, 0}
	}
	slices.Sort(x)
	// Two passes: the second sum removes what rounding left of the first.
	mean := 0.0
	for _, v := range x {
		mean += v / float64(n)
	}
	ss := 0.0
	for _, v := range x {
		ss += (v - mean) * (v - mean)
	}
	p := Point{Mean: mean, SD: nan, Min: x[0], Max: x[n-1], Median: (x[(n-1)/2] + x[n/2]) / 2, Count: n}
	if n > 1 {
		p.SD = math.Sqrt(ss / float64(n-1))
	}
	return p
}

// Row is one method's line of the comparison table.
type Row struct {
	Method   string
	Jobs     int   // run
	Feasible int   // traces with a feasible outer step
	Best     Point // best feasible objective relative to uniform
	Final    Point // violation of the last outer step
	First    Point // first feasible outer step
}

// Table sums up traces as the published per-seed results are summed up.
func (p Plan) Table(traces []Trace) []Row {
	rows := make([]Row, len(p.Methods))
	for m := range rows {
		var best, final, first []float64
		r := Row{Method: p.Methods[m].Name}
		for _, t := range traces {
			if t.Method != m || len(t.Objective) == 0 {
				continue
			}
			r.Jobs++
			final = append(final, t.Violation[len(t.Violation)-1])
			if t.First >= 0 {
				r.Feasible++
				best = append(best, t.Best-t.Uniform)
				first = append(first, float64(t.First))
			}
		}
		r.Best, r.Final, r.First = Summarise(best), Summarise(final), Summarise(first)
		rows[m] = r
	}
	return rows
}

// CSV writes every outer step of every trace: method, seed, k, objective,
// objective relative to uniform, violation.
func (p Plan) CSV(traces []Trace) string {
	var b strings.Builder
	b.WriteString("setting,method,seed,k,objective,relative_objective,max_violation\n")
	num := func(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }
	for _, t := range traces {
		for k := range t.Objective {
			for i, f := range []string{p.Setting.ID, p.Methods[t.Method].Name, strconv.FormatUint(t.Seed, 10), strconv.Itoa(k),
				num(t.Objective[k]), num(t.Objective[k] - t.Uniform), num(t.Violation[k])} {
				if i > 0 {
					b.WriteByte(',')
				}
				if strings.ContainsAny(f, ",\"\n") {
					f = `"` + strings.ReplaceAll(f, `"`, `""`) + `"`
				}
				b.WriteString(f)
			}
			b.WriteByte('\n')
		}
	}
	return b.String()
}
