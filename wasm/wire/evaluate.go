package wire

import (
	"math"
	"slices"
	"unicode"
	"unicode/utf8"

	"rcmdplab/core/evaluate"
	"rcmdplab/core/model"
)

// evaluate gives the worst-case returns of a policy: part 0 is the problem,
// part 1 the policy.
func (s *Session) evaluate(parts [][]byte) []byte {
	m, pi := problemAndPolicy(parts)
	ev := evaluator(m)
	ev = ev.Untimed()
	ev.Evaluate(pi)
	w, least := newUnits(m), evaluate.Best(ev, pi)
	t := value().open('{').key("returns").open('[')
	for n := range m.N + 1 {
		t.open('{').key("name").str(m.CostName(n)).key("value").num(m.Present(n, ev.J[n]))
		t.key("errorBound").num(m.PresentViolation(n, ev.ErrorBound[n]))
		if n > 0 {
			w.writeConstraint(t, n, ev.J[n])
		}
		t.key("worst")
		w.writeWorst(t, ev, pi, n)
		t.key("best").num(m.Present(n, least[n]))
		if each := ev.ByKernel(n); each != nil {
			list(t.key("byKernel"), each, func(j float64) { t.num(m.Present(n, j)) })
		}
		t.close('}')
	}
	t.close(']')
	t.key("maxViolation").num(w.largest(ev)).key("steps").num(steps(ev, pi))
	t.key("occupancy").open('[')
	d := make([]float64, m.S)
	for n := range m.N + 1 {
		ev.Visits(d, n)
		t.byState(m, m.S, func(s int) { t.num(d[s]) })
	}
	said := cautions(ev)
	if ev.Endless(pi) {
		said = append(said, "The policy may go on for ever, so at discount 1 it does not count, and its values are not those of an episode.")
	}
	t.close(']').key("warnings").strs(said).close('}')
	return t.done()
}

// steps is the expected number of steps until a policy ends, at the worst, at discount 1: NaN below,
// and where it may go on for ever.
func steps(ev *evaluate.Evaluator, pi []float64) float64 {
	if ev.Episodes == nil || pi == nil {
		return math.NaN()
	}
	return finite(ev.Episodes.Time(pi))
}

// cautions are the evaluator's warnings as sentences: what is wrong with the
// paper's update at the policies it has seen.
func cautions(ev *evaluate.Evaluator) []string {
	said := slices.Clone(ev.Warnings())
	for i, x := range said {
		first, size := utf8.DecodeRuneInString(x)
		said[i] = string(unicode.ToUpper(first)) + x[size:] + "."
	}
	return said
}

// writeConstraint writes the members that a constraint has and the objective
// has not: its sense and threshold, and where the return j stands to it.
func (w *units) writeConstraint(t *text, n int, j float64) {
	m := w.m
	sense := "atMost"
	if m.Flipped(n) {
		sense = "atLeast"
	}
	v := m.PresentViolation(n, j-m.B[n])
	t.key("sense").str(sense).key("threshold").num(m.Problem.Constraints[n-1].Bound)
	t.key("violation").num(v).key("slack").num(-v).key("scale").str(scale(m, n))
}

// scale is the document's word for the unit of cost n.
func scale(m *model.Standard, n int) string {
	c := &m.Problem.Objective
	if n > 0 {
		c = &m.Problem.Constraints[n-1].Cost
	}
	if c.Average {
		return "average"
	}
	return "total"
}
