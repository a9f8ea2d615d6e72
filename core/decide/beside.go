package decide

import (
	"math"

	"rcmdplab/core/certify"
	"rcmdplab/core/model"
	"rcmdplab/core/solve"
)

// Beside says of records of a run in progress whether their policy can stand beside
// their bound: whether the checker accepts it together with the certificate. It is for
// who gives such a record away as an answer; conclude sees to it for the last one.
type Beside struct {
	m       *model.Standard
	checker *certify.Checker
	best    solve.Best          // that was evaluated last, numbers only
	last    *certify.Evaluation // of it; nil when it took too long
}

// NewBeside makes one for the runs of a problem.
func NewBeside(m *model.Standard) *Beside {
	return &Beside{m: m, checker: certify.NewChecker(m.Problem), best: solve.Best{Objective: math.NaN()}}
}

// Holds reports whether the record's policy and certificate are accepted together. Of
// a large model, which takes long to tell, that is believed, as it is of a policy that
// is clearly within the limits.
func (b *Beside) Holds(p *solve.Progress) bool {
	c, ok := p.Certificate.(certify.Certificate)
	if !ok || math.IsInf(p.LowerBound, -1) || !p.Best.Feasible || solve.Large(b.m) || inside(b.m, &p.Best) {
		return true
	}
	if b.best.Objective != p.Best.Objective || b.best.MaxViolation != p.Best.MaxViolation {
		b.best = solve.Best{Objective: p.Best.Objective, MaxViolation: p.Best.MaxViolation}
		b.last = b.checker.Check(nil, p.Best.Policy, hurried(b.m, func() bool { return true })).Evaluation
	}
	return b.last != nil && c.Admits(b.last)
}

// inside reports whether a policy keeps clear of every limit, by more than any
// evaluation of it is off.
func inside(m *model.Standard, best *solve.Best) bool {
	for n := 1; n <= m.N; n++ {
		if !(best.MaxViolation < -mostMissed*m.Scale(n, m.B[n])) {
			return false
		}
	}
	return true
}
