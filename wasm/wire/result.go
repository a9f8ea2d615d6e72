package wire

import (
	"fmt"
	"math"
	"slices"

	"rcmdplab/core/evaluate"
	"rcmdplab/core/solve"
)

// result ends the run: the policy is evaluated once more by the run's own
// evaluator, so that every number of the result speaks of exactly that policy.
// A run that could have gone on leaves what it takes to continue it.
func (r *run) result(s *Session) []byte {
	t := value().open('{').key("progress")
	r.writeNews(t) // before the evaluator is used: the record's slices may be its own
	var state []Column
	if done := r.last.Status; done != solve.ProvedOptimal && done != solve.ProvedInfeasible && done != solve.Failed &&
		(r.stopping || r.late || r.last.Memory != nil) {
		state = r.state()
	}
	t.key("result")
	r.writeResult(t, s, r.ev, &r.last)
	return t.close('}').done(slices.Concat(r.trace.columns(), state, r.partResult())...)
}

// writeResult writes a Result but for its trace, which travels as columns. What
// it claims is what the record claims.
func (r *run) writeResult(t *text, s *Session, ev *evaluate.Evaluator, p *solve.Progress) {
	m, w, best := r.m, r.units, &p.Best
	pi := best.Policy
	var at []bool
	if pi != nil {
		ev.Evaluate(pi)
		at = reached(m, pi)
		if completes(r.options.algorithm.ID, p.Status) && slices.Contains(at, false) {
			pi = complete(ev, pi, p.Multipliers, at)
			ev.Evaluate(pi)
		}
		if ev.Episodes != nil {
			ev = ev.Untimed()
			ev.Evaluate(pi)
		}
	}
	j := func(n int) float64 {
		if pi == nil {
			return math.NaN()
		}
		return ev.J[n]
	}

	t.open('{').key("status").str(p.Status.String())
	t.key("algorithm").str(r.options.algorithm.ID).key("options")
	r.options.write(t)
	t.key("seed").str(fmt.Sprint(r.options.settings.Seed)).key("version")
	s.writeVersion(t)

	t.key("policy")
	if pi == nil {
		t.open('[').close(']')
	} else {
		t.policy(m, pi)
	}
	t.key("reached").byState(m, len(at), func(s int) { t.bool(at[s]) })
	t.key("feasible").bool(best.Feasible)

	var good []float64                                      // by cost: under the kernel that is best for the policy
	if pi != nil && (!m.Rectangular() || !solve.Large(m)) { // of a large set it takes long; evaluate tells it
		good = evaluate.Best(ev, pi)
	}
	t.key("objective")
	w.writeObjective(t, p, good)
	t.key("constraints").open('[')
	for n := 1; n <= m.N; n++ {
		t.open('{').key("name").str(m.CostName(n)).key("value").num(m.Present(n, j(n)))
		w.writeConstraint(t, n, j(n))
		allowed := 0.0 // what the proof lets the limit be missed by
		if c := p.Certificate; c != nil && n <= len(c.Allow) {
			allowed = m.PresentViolation(n, c.Allow[n-1])
		}
		t.key("allowed").num(allowed)
		w.writeBest(t, n, good)
		t.close('}')
	}
	t.close(']')
	violation := math.NaN()
	if pi != nil {
		violation = w.largest(ev)
	}
	t.key("maxViolation").num(violation)
	least := math.NaN()
	if p.ProvedInfeasible {
		least = w.common(p.ViolationBound)
	}
	t.key("leastViolation").num(least)
	t.key("multipliers").nums(w.multipliers(p))

	t.key("steps").num(steps(ev, pi))
	t.key("worst").open('[')
	for n := 0; pi != nil && n <= m.N; n++ {
		w.writeWorst(t, ev, pi, n)
	}
	t.close(']')

	writeCertificate(t, p)
	t.key("evaluations").int(p.Evaluations).key("iterations").int(p.Iterations).key("nodes").int(int64(p.Nodes))
	t.key("seconds").num(r.seconds)
	if len(r.options.settings.Results) > 0 {
		t.key("joined").int(int64(p.Joined))
	}
	warnings := slices.Clone(r.warnings)
	if r.late {
		warnings = append(warnings, r.endedByLimit())
	}
	if p.Note != "" {
		warnings = append(warnings, p.Note)
	}
	if pi != nil {
		warnings = append(warnings, cautions(ev)...)
	}
	t.key("warnings").strs(warnings).close('}')
}

// writeBest writes what cost n comes to under the kernel that is best for the policy.
func (w *units) writeBest(t *text, n int, least []float64) {
	if least != nil {
		t.key("best").num(w.m.Present(n, least[n]))
	}
}

// writeObjective writes the value of the best policy with what bounds it; least has the best case, where it is known.
func (w *units) writeObjective(t *text, p *solve.Progress, least []float64) {
	m, best := w.m, &p.Best
	sense := "minimize"
	if m.Flipped(0) {
		sense = "maximize"
	}
	lower, upper := w.bound(p.LowerBound)
	gap, relative := math.NaN(), math.NaN()
	if best.Feasible {
		gap, relative = w.gap(best.Objective, p.LowerBound)
	}
	t.open('{').key("name").str(m.CostName(0)).key("sense").str(sense).key("scale").str(scale(m, 0))
	t.key("value").num(m.Present(0, best.Objective))
	t.key("lowerBound").num(lower).key("upperBound").num(upper).key("gap").num(gap).key("relativeGap").num(relative)
	w.writeBest(t, 0, least)
	t.close('}')
}
