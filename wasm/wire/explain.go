package wire

import (
	"cmp"
	"math"
	"slices"

	"rcmdplab/core/evaluate"
	"rcmdplab/core/model"
	"rcmdplab/core/solve"
)

const (
	deviationsTried = 1500 // pairs: each is an evaluation
	termsShown      = 12   // successors in the terms of a state
)

// explain says why a policy is as it is: part 0 is the problem, part 1 the
// policy, part 2 {"state": number}, the state whose update is written out, with a horizon {"state", "step"}, both from 0.
func (s *Session) explain(parts [][]byte) []byte {
	m, pi := problemAndPolicy(parts)
	state := stateOf(part(parts, 2), m)
	ev := evaluator(m)
	w := newUnits(m)
	prices, priced := solve.LocalPrices(ev, pi)
	if !priced {
		ev.Evaluate(pi)
	}
	t := value().open('{')
	w.writePrices(t, ev, prices, priced)
	w.writeUpdate(t, ev, pi, state)
	w.writeStates(t, ev, pi, prices, priced) // evaluates other policies
	return t.close('}').done()
}

// stateOf is the state asked for, the first when none is.
func stateOf(raw []byte, m *model.Standard) int {
	given, _ := members(raw)
	n, states := decisions(m)
	if n == 0 {
		n, states = 1, m.S
	}
	place := func(name string, of int, what string) int {
		v, given := given[name]
		x, ok := v.Number()
		if given && (!ok || x != math.Trunc(x) || x < 0 || x >= float64(of)) {
			refuse(InvalidOption, name+": want the place of a "+what+" in the list, from 0")
		}
		return int(x)
	}
	s := place("state", states, "state")
	return place("step", n, "decision")*states + s
}

// writePrices writes the weights of the kernels that bind and the price of each
// limit in units of the objective for a unit of its threshold.
func (w *units) writePrices(t *text, ev *evaluate.Evaluator, q solve.Prices, known bool) {
	m := w.m
	t.key("residual").maybe(known, func() { t.num(m.PresentViolation(0, q.Residual)) })
	list(t.key("kernels"), q.Pieces, func(p solve.PieceWeight) {
		share := p.Weight
		if p.Cost > 0 && q.Lambda[p.Cost] > 0 {
			share /= q.Lambda[p.Cost]
		}
		if share < 1e-6 {
			return
		}
		t.open('{').key("cost").int(int64(p.Cost)).key("share").num(share).key("kernel")
		t.maybe(ev.Worst(p.Cost) >= 0, func() { w.writeKernel(t, kernelOf(ev, p.Piece)) }) // null: of no kernel alone
		t.close('}')
	})
	t.key("limits").open('[')
	for n := 1; n <= m.N; n++ {
		t.open('{').key("name").str(m.CostName(n)).key("value").num(m.Present(n, ev.J[n]))
		w.writeConstraint(t, n, ev.J[n])
		slack := m.B[n] - ev.J[n]
		t.key("binding").bool(slack <= 1e-5*m.Scale(n, m.B[n])).key("price")
		t.maybe(known, func() { t.num(q.Lambda[n] * m.PresentViolation(0, 1) / m.PresentViolation(n, 1)) }).close('}')
	}
	t.close(']')
}

// kernelOf is the place of a piece's kernel in a finite set: pieces of one cost
// come in the set's order.
func kernelOf(ev *evaluate.Evaluator, piece int) int {
	n, _ := ev.Piece(piece)
	k := -1
	for p := 0; p <= piece; p++ {
		if c, _ := ev.Piece(p); c == n {
			k++
		}
	}
	return k
}

// writeUpdate writes V(s) = Σ_a π(a|s) (c(s,a) + γ Σ p(s'|s,a) V(s')) of every
// cost at its worst kernel, term by term, as discounted totals in the person's
// signs; beside each probability the one of the reference: the nominal row, or
// the first kernel of a finite set.
func (w *units) writeUpdate(t *text, ev *evaluate.Evaluator, pi []float64, state int) {
	m := w.m
	v, q := make([]float64, m.S), make([]float64, m.Pairs())
	worst, beside := make([]float64, m.S), make([]float64, m.S)
	kernel := reference(m)
	d := make([]float64, m.S)
	at, step := state, 0
	if n, states := decisions(m); n > 0 {
		at, step = state%states, state/states
	}
	t.key("state").int(int64(at)).key("step").int(int64(step)).key("costs").open('[')
	for n := range m.N + 1 {
		if m.Averaged() && m.Over[n] > 0 {
			continue // the values of a mixture of models are those of no one equation
		}
		sign := sign(m, n)
		ev.Values(v, n)
		ev.ActionValues(q, n)
		ev.Visits(d, n)
		for s := range v { // of the document's own costs
			v[s] /= m.Grown(s)
		}
		t.open('{').key("name").str(m.CostName(n)).key("value").num(sign * v[state]).key("visits").num(d[state]).key("kernel")
		k := ev.Worst(n)
		t.maybe(k >= 0, func() { w.writeKernel(t, k) }).key("actions").open('[')
		for x := m.Off[state]; x < m.Off[state+1]; x++ {
			ev.WorstRow(worst, n, x)
			if kernel != nil {
				kernel.Dense(beside, x)
			}
			onward := 0.0
			for s, p := range worst {
				onward += m.Problem.Discount * p * v[s]
			}
			q[x] /= m.Grown(state)
			if m.Ends(m.State[x]) { // nothing comes after
				onward = 0
			}
			t.open('{').key("action").str(m.Problem.Actions[m.Act[x]]).key("probability").num(pi[x])
			t.key("value").num(sign * q[x]).key("now").num(sign * (q[x] - onward)).key("onward").num(sign * onward)
			writeTerms(t, m, worst, beside, v, sign, kernel != nil)
			t.close('}')
		}
		t.close(']').close('}')
	}
	t.close(']')
}

// reference is the kernel that nature's is compared with: the nominal one, or
// the first of a finite set; nil for intervals, which have none.
func reference(m *model.Standard) *model.Kernel {
	if models := m.Models(); models != nil {
		return models[0]
	}
	return nil
}

// writeTerms writes the successors that matter, those of largest part first.
func writeTerms(t *text, m *model.Standard, worst, reference, v []float64, sign float64, known bool) {
	var at []int
	for s := range worst {
		if worst[s] > 0 || known && reference[s] > 0 {
			at = append(at, s)
		}
	}
	weight := func(s int) float64 { return max(worst[s], reference[s]) }
	slices.SortStableFunc(at, func(a, b int) int { return cmp.Compare(weight(b), weight(a)) })
	t.key("omitted").int(int64(max(0, len(at)-termsShown)))
	list(t.key("next"), at[:min(len(at), termsShown)], func(s int) {
		t.open('{').key("state").str(m.Problem.States[s]).key("probability").num(worst[s])
		t.key("reference").maybe(known, func() { t.num(reference[s]) }).key("value").num(sign * v[s]).close('}')
	})
}

// writeStates writes for each state what another action would cost there: taken
// always, by evaluation, and to first order, by the prices.
func (w *units) writeStates(t *text, ev *evaluate.Evaluator, pi []float64, q solve.Prices, priced bool) {
	m := w.m
	t.key("states")
	if m.Pairs() > deviationsTried {
		t.null()
		return
	}
	j0 := ev.J[0]
	marginal := make([]float64, m.Pairs())
	if priced {
		q.Lagrangian(ev, marginal)
	}
	returns := solve.Deviations(ev, pi)
	t.byState(m, m.S, func(s int) {
		t.open('[')
		for x := m.Off[s]; x < m.Off[s+1]; x++ {
			worst := math.Inf(-1)
			broken := -1
			for n := 1; n <= m.N; n++ {
				if over := (returns[x][n] - m.B[n]) / m.Scale(n, m.B[n]); over > worst {
					worst, broken = over, n
				}
			}
			t.open('{').key("action").int(int64(m.Act[x])).key("probability").num(pi[x])
			t.key("extra").num(m.PresentViolation(0, returns[x][0]-j0)).key("marginal")
			t.maybe(priced, func() { t.num(m.PresentViolation(0, marginal[x])) }).key("breaks").maybe(broken > 0 && worst > 1e-6, func() {
				t.open('{').key("name").str(m.CostName(broken)).key("value").num(m.Present(broken, returns[x][broken])).close('}')
			}).close('}')
		}
		t.close(']')
	})
}
