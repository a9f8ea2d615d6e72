package solve

import (
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

// sequence makes the run of a method: body finds policies, offers them to the incumbent, which lets limits be
// missed by a share of their scales, and passes on the record as it then is; false when no more are wanted. It
// reports whether it came to its end: then the last record says what was found, a gap up to none counting as closed.
func sequence(ev *evaluate.Evaluator, missed, none float64, body func(p *Progress, inc *incumbent, pass func() bool) bool) iter.Seq[Progress] {
	return func(yield func(Progress) bool) {
		ev.Restart()
		p := Nothing()
		if body(&p, newIncumbent(ev.M, &p.Best, missed), func() bool { return yield(p) }) {
			conclude(&p, ev.M, none)
			yield(p)
		}
	}
}

// The options that several methods have alike.
var (
	gradientStep = Option{"stepSize", "number", 5e-5, 1e-12, 1e6, "Step size α of the projected policy gradient, for costs in [0, 1]; other costs are rescaled."}
	firstDescent = Option{"initialPolicy", "policy", 0, 0, 0, "Where the first descent starts; uniform when not given."}
)

// tolerating is the option of what counts as no violation.
func tolerating(share float64) Option {
	return Option{"tolerance", "number", share, 0, 1e-3, "A violation up to this share of a constraint's limit, or of the range of returns if that is smaller, counts as none."}
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
	case !math.IsInf(p.LowerBound, -1):
		p.Status = Bounded
	default:
		p.Status = Feasible
	}
}
