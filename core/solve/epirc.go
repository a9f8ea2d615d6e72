package solve

import (
	"iter"
	"math"

	"rcmdplab/core/evaluate"
)

var epircPGS = Algorithm{
	ID:     "epirc-pgs",
	Title:  "EpiRC-PGS",
	Solves: "Any problem with an evaluator. A local search: the paper's guarantee of global optimality is void (erratum).",
	Options: []Option{
		{"outerIterations", "integer", 20, 1, 100000, "Bisection steps K over the objective threshold b0."},
		{"innerIterations", "integer", 10000, 1, 10000000, "Projected gradient steps T within one bisection step."},
		{"stepSize", "number", 5e-5, 1e-12, 1e6, "Step size of the projected policy gradient, for costs in [0, 1]."},
		{"initialPolicy", "policy", 0, 0, 0, "Where the first descent starts; uniform when not given."},
		{"tolerance", "number", 1e-9, 0, 1, "A maximal violation up to this share of the horizon counts as none."},
		{"earlyStop", "boolean", 0, 0, 1, "End a descent at the first policy without violation; the paper runs all T steps."},
	},
	Run: runEpiRC,
}

// chunk is how many inner steps pass between two records: long enough that a
// record costs nothing, short enough that a stop is answered at once.
const chunk = 64

func runEpiRC(ev *evaluate.Evaluator, s Settings) iter.Seq[Progress] {
	return func(yield func(Progress) bool) {
		m := ev.M
		lo, hi := m.Bounds(0)
		low, high := lo*m.H, hi*m.H
		_ = math.NaN
		_, _ = low, high
		yield(Progress{Best: newBest(), Status: Failed, Note: "not built"})
	}
}
