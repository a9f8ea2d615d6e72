package wire

import "rcmdplab/core/solve"

// writeProgress writes one record as a Run yields it to the page. secondsLeft is
// what a proof is expected to take on, NaN when that is not known.
func (w *units) writeProgress(t *text, p *solve.Progress, seconds, secondsLeft float64) {
	m, n := w.m, w.numbers(p)
	t.open('{')
	t.key("k").int(int64(p.K)).key("inner").int(int64(p.Inner)).key("step").bool(p.Step)
	t.key("threshold").num(n.threshold).key("low").num(n.low).key("high").num(n.high)
	t.key("delta").num(p.Delta)
	t.key("activeCost").name(m.CostName, p.ActiveCost, p.Step)
	t.key("activeKernel").name(w.kernelName, p.ActiveKernel, p.Step)
	t.key("objective").num(n.objective).key("maxViolation").num(n.maxViolation)
	t.key("multipliers").nums(w.multipliers(p))
	t.key("best").maybe(p.Best.Policy != nil, func() {
		t.open('{').key("objective").num(n.bestObjective).key("maxViolation").num(n.bestViolation)
		t.key("feasible").bool(p.Best.Feasible).close('}')
	})
	t.key("lowerBound").num(n.lowerBound).key("upperBound").num(n.upperBound)
	t.key("gap").num(n.gap).key("relativeGap").num(n.relativeGap)
	t.key("nodes").int(int64(p.Nodes)).key("openNodes").int(int64(p.Open)).key("secondsLeft").num(secondsLeft)
	t.key("evaluations").int(p.Evaluations).key("iterations").int(p.Iterations)
	t.key("seconds").num(seconds).key("status").str(p.Status.String()).key("note").str(p.Note)
	t.close('}')
}

// name writes the name of number i, or null when it does not apply.
func (t *text) name(of func(int) string, i int, known bool) *text {
	return t.maybe(known && i >= 0, func() { t.str(of(i)) })
}
