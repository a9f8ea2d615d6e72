//go:build ignore

// Native solves and evaluates problems with the core as it runs outside a
// browser: what the end-to-end tests compare the page's numbers with. It
// reads a list of jobs from standard input and writes one answer each.
//
//	go run site/test/e2e/native.go < jobs.json
//
// A job is {"problem": document, "algorithm": id, "options": {name: number},
// "policy": rows}. With an algorithm the job is a solve, with a policy an
// evaluation of it; a job may be both. Numbers are in the person's units.
package main

import (
	"encoding/json"
	"fmt"
	"math"
	"os"

	"rcmdplab/core/evaluate"
	"rcmdplab/core/model"
	"rcmdplab/core/solve"
)

type job struct {
	Problem   json.RawMessage
	Algorithm string
	Options   map[string]float64
	Policy    [][]float64 // by state; by decision and state with a number of them, where what is over comes last and is left out
}

type answer struct {
	Solved    *point `json:"solved,omitempty"`
	Evaluated *point `json:"evaluated,omitempty"`
}

// point is a policy's returns, the objective's first.
type point struct {
	Feasible     bool        `json:"feasible"`
	Returns      []float64   `json:"returns"`
	Violations   []float64   `json:"violations"` // of the constraints
	WorstKernels []int       `json:"worstKernels"`
	Policy       [][]float64 `json:"policy"`
	OuterSteps   int         `json:"outerSteps,omitempty"`
}

func main() {
	var jobs []job
	if err := json.NewDecoder(os.Stdin).Decode(&jobs); err != nil {
		fail("input: %v", err)
	}
	answers := make([]answer, len(jobs))
	for i, j := range jobs {
		answers[i] = run(i, j)
	}
	if err := json.NewEncoder(os.Stdout).Encode(answers); err != nil {
		fail("output: %v", err)
	}
}

func run(i int, j job) answer {
	p, faults, _ := model.Decode(j.Problem)
	if len(faults) > 0 {
		fail("job %d: %v", i, faults)
	}
	m := p.Standard()
	ev, err := evaluate.New(m)
	if err != nil {
		fail("job %d: %v", i, err)
	}
	var a answer
	if j.Algorithm != "" {
		algorithm, ok := solve.Find(j.Algorithm)
		if !ok {
			fail("job %d: no algorithm %q", i, j.Algorithm)
		}
		settings := algorithm.Defaults()
		for name, v := range j.Options {
			if !settings.Set(name, v) {
				fail("job %d: no option %q", i, name)
			}
		}
		var last solve.Progress
		steps := 0
		for last = range algorithm.Run(ev, settings) {
			if last.Step {
				steps++
			}
		}
		a.Solved = at(m, ev, last.Best.Policy)
		a.Solved.OuterSteps = steps
		if a.Solved.Feasible != last.Best.Feasible {
			fail("job %d: the run says feasible %v, its policy %v", i, last.Best.Feasible, a.Solved.Feasible)
		}
	}
	if j.Policy != nil {
		pi := make([]float64, m.Pairs())
		for k := range pi {
			pi[k] = 1
			if s := m.State[k]; s < len(j.Policy) {
				pi[k] = j.Policy[s][m.Act[k]]
			}
		}
		a.Evaluated = at(m, ev, pi)
	}
	return a
}

func at(m *model.Standard, ev *evaluate.Evaluator, pi []float64) *point {
	ev.Evaluate(pi)
	v, _ := ev.MaxViolation()
	out := &point{Feasible: v <= 0 || math.IsInf(v, -1), Policy: m.Grid(pi), Violations: []float64{}}
	for n, value := range ev.J {
		out.Returns = append(out.Returns, m.Present(n, value))
		out.WorstKernels = append(out.WorstKernels, ev.Worst(n))
		if n > 0 {
			out.Violations = append(out.Violations, m.PresentViolation(n, value-m.B[n]))
		}
	}
	return out
}

func fail(format string, args ...any) {
	fmt.Fprintf(os.Stderr, "native: "+format+"\n", args...)
	os.Exit(1)
}
