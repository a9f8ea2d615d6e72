package wire

import (
	"math"
	"slices"

	"rcmdplab/core/solve"
)

// traceColumns are the columns of Result.trace in their order on the wire.
var traceColumns = [...]string{
	"k", "threshold", "low", "high", "delta", // of the bisection, as in solve.Progress
	"objective", "maxViolation", // of the step's policy
	"activeCost", "activeKernel", // indices; -1: none
	"evaluations", "bestObjective", "lowerBound", "upperBound", "nodes", "seconds", // so far, of solving
}

// trace has one entry per outer step in each of traceColumns, in the person's own units.
type trace [len(traceColumns)][]float64

// k is the numbers of the outer steps.
func (t *trace) k() []float64 { return t[0] }

func (t *trace) columns() []Column {
	var all []Column
	for i, name := range traceColumns {
		all = append(all, Column{Name: name, Data: t[i]})
	}
	return all
}

// truncate keeps the first n rows.
func (t *trace) truncate(n int) {
	for i := range t {
		t[i] = t[i][:n]
	}
}

// restore takes the columns over from a message and reports whether all were of one
// length. Of one that is missing nothing is known; without the numbers of its rows there
// is no trace.
func (t *trace) restore(columns []Column) bool {
	if find(columns, traceColumns[0]) == nil {
		return true
	}
	ok := true
	for i, name := range traceColumns {
		if c := find(columns, name); c != nil {
			t[i] = c.Data
			ok = ok && len(c.Data) == len(t.k())
		} else {
			t[i] = slices.Repeat([]float64{math.NaN()}, len(t.k()))
		}
	}
	return ok
}

// add appends the outer step that the record ends.
func (t *trace) add(w *units, p *solve.Progress, seconds float64) {
	n := w.numbers(p)
	best := math.NaN()
	if p.Best.Feasible {
		best = n.bestObjective
	}
	for i, x := range [len(traceColumns)]float64{
		float64(p.K), n.threshold, n.low, n.high, p.Delta,
		n.objective, n.maxViolation,
		float64(p.ActiveCost), float64(p.ActiveKernel),
		float64(p.Evaluations), best, n.lowerBound, n.upperBound, float64(p.Nodes), seconds,
	} {
		t[i] = append(t[i], x)
	}
}
