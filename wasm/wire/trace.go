package wire

import (
	"math"
	"slices"

	"rcmdplab/core/solve"
)

// trace is the columns of Result.trace, one entry per outer step, in the
// person's own units.
type trace struct {
	k, threshold, low, high, delta       []float64 // of the bisection, as in solve.Progress
	objective, maxViolation              []float64 // of the step's policy
	activeCost, activeKernel             []float64 // indices; -1: none
	evaluations, bestObjective           []float64 // so far
	lowerBound, upperBound, nodes, clock []float64 // so far; clock: seconds of solving
}

// each visits the columns in their order on the wire.
func (t *trace) each(visit func(name string, column *[]float64)) {
	visit("k", &t.k)
	visit("threshold", &t.threshold)
	visit("low", &t.low)
	visit("high", &t.high)
	visit("delta", &t.delta)
	visit("objective", &t.objective)
	visit("maxViolation", &t.maxViolation)
	visit("activeCost", &t.activeCost)
	visit("activeKernel", &t.activeKernel)
	visit("evaluations", &t.evaluations)
	visit("bestObjective", &t.bestObjective)
	visit("lowerBound", &t.lowerBound)
	visit("upperBound", &t.upperBound)
	visit("nodes", &t.nodes)
	visit("seconds", &t.clock)
}

func (t *trace) columns() []Column {
	var all []Column
	t.each(func(name string, column *[]float64) { all = append(all, Column{Name: name, Data: *column}) })
	return all
}

// truncate keeps the first n rows.
func (t *trace) truncate(n int) {
	t.each(func(_ string, column *[]float64) { *column = (*column)[:n] })
}

// restore takes the columns over from a message and reports whether all were of one
// length. Of one that is missing nothing is known; without the numbers of its rows there
// is no trace.
func (t *trace) restore(columns []Column) bool {
	if !slices.ContainsFunc(columns, func(c Column) bool { return c.Name == "k" }) {
		return true
	}
	ok := true
	t.each(func(name string, column *[]float64) {
		for _, c := range columns {
			if c.Name == name {
				*column = c.Data
				ok = ok && len(c.Data) == len(t.k)
				return
			}
		}
		for range t.k {
			*column = append(*column, math.NaN())
		}
	})
	return ok
}

// add appends the outer step that the record ends.
func (t *trace) add(w *units, p *solve.Progress, seconds float64) {
	n := w.numbers(p)
	put := func(column *[]float64, x float64) { *column = append(*column, x) }
	put(&t.k, float64(p.K))
	put(&t.threshold, n.threshold)
	put(&t.low, n.low)
	put(&t.high, n.high)
	put(&t.delta, p.Delta)
	put(&t.objective, n.objective)
	put(&t.maxViolation, n.maxViolation)
	put(&t.activeCost, float64(p.ActiveCost))
	put(&t.activeKernel, float64(p.ActiveKernel))
	put(&t.evaluations, float64(p.Evaluations))
	best := math.NaN()
	if p.Best.Feasible {
		best = n.bestObjective
	}
	put(&t.bestObjective, best)
	put(&t.lowerBound, n.lowerBound)
	put(&t.upperBound, n.upperBound)
	put(&t.nodes, float64(p.Nodes))
	put(&t.clock, seconds)
}
