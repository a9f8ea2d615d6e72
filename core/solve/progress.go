package solve

import (
	"fmt"
	"iter"
	"math"

	"rcmdplab/core/evaluate"
	"rcmdplab/core/model"
)

// What every method shares of a run's records: how one begins, what it takes
// from the evaluator, and what the last one says.

// u is the unit roundoff of float64.
const u = model.Roundoff

// Nothing is the record before the first: every number is undefined, and nothing is claimed.
func Nothing() Progress {
	nan := math.NaN()
	return Progress{
		Threshold: nan, Low: nan, High: nan, Delta: nan, ActiveCost: -1, ActiveKernel: -1,
		Objective: nan, MaxViolation: nan, Best: newBest(), LowerBound: math.Inf(-1),
	}
}

// report fills the record of an outer step from the evaluator, whose policy it
// speaks of.
func (p *Progress) report(ev *evaluate.Evaluator) {
	p.Step = true
	p.Objective, p.Evaluations = ev.J[0], ev.Count
	p.MaxViolation, _ = ev.MaxViolation()
}

// refuse is the whole run of a method that does not apply.
func refuse(title, reason string) iter.Seq[Progress] {
	return func(yield func(Progress) bool) {
		p := Nothing()
		p.Status, p.Note = Failed, title+" was not run: "+reason+"."
		yield(p)
	}
}

// singleKernel is the only kernel of the problem, or the reason why there is
// none.
func singleKernel(m *model.Standard) (*model.Kernel, string) {
	switch {
	case m.Problem.Uncertainty.Kind != model.Finite:
		return nil, fmt.Sprintf("it needs a single transition kernel, and the uncertainty set is of kind %q", m.Problem.Uncertainty.Kind)
	case len(m.Kernels) != 1:
		return nil, fmt.Sprintf("it needs a single transition kernel, and the uncertainty set has %d", len(m.Kernels))
	}
	return m.Kernels[0], ""
}

// unconstrained is the reason why a method without a place for constraints
// cannot run, or "".
func unconstrained(m *model.Standard) string {
	if m.N == 0 {
		return ""
	}
	return fmt.Sprintf("it has no place for constraints, and the problem has %d", m.N)
}

// near reports whether the gap between the best policy and the lower bound
// counts as none: see model.Standard.GapScale.
func (p *Progress) near(m *model.Standard, tolerance float64) bool {
	j := p.Best.Objective
	return p.Best.Feasible && j-p.LowerBound <= tolerance*m.GapScale(j)
}

// conclude sets the final status from the best policy and the lower bound. It
// says what the method found; what may be claimed of it is not decided here.
func conclude(p *Progress, m *model.Standard, tolerance float64) {
	switch {
	case !p.Best.Feasible:
		p.Status = NoFeasibleFound
	case p.near(m, tolerance):
		p.Status = ProvedOptimal
		p.Note = fmt.Sprintf("The gap to the lower bound is %.1e.", max(p.Best.Objective-p.LowerBound, 0))
	case !math.IsInf(p.LowerBound, -1):
		p.Status = Bounded
	default:
		p.Status = Feasible
	}
}
