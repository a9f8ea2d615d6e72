package decide

import (
	"fmt"
	"math"
	"slices"

	"rcmdplab/core/bound"
	"rcmdplab/core/certify"
	"rcmdplab/core/evaluate"
	"rcmdplab/core/model"
	"rcmdplab/core/solve"
)

// door is the one place where claims are made: it takes what a method found and
// the proofs that others propose, lets package certify judge them, and writes
// the status, the lower bound, the least violation, the certificate and the
// notes about them into a record. Nobody else does, whatever the method and
// however the run ends. A bound is shown only after its certificate was
// accepted, and that certificate is in the same record.
type door struct {
	m       *model.Standard
	checker *certify.Checker

	closed float64 // a gap up to this share of GapScale counts as closed
	missed float64 // a violation up to this share of Scale counts as none

	// What was accepted so far.
	known      solve.Best           // the best policy of the run that this one continues
	bound      float64              // of the objective; -Inf
	proof      *certify.Certificate // of bound
	values     *certify.Certificate // of the strongest bound by values, which bears allowances
	infeasible *certify.Certificate // that no policy meets the constraints
	least      float64              // the violation that this one proves
	refused    string               // why the last proof was not accepted
	guesses    [][]float64          // values near those of the best policy of a large model
	near       []float64            // where there are no limits, those that were proposed last

	// The strongest bound that a record of the run has shown, with what stood beside it.
	shown struct {
		best  solve.Best
		bound float64 // -Inf before the first
		proof certify.Certificate
	}

	// The proofs of bound and of infeasibility as they were offered, to be saved.
	source struct{ proof, infeasible *bound.Certificate }
}

// Below the least tolerance rounding decides. The default method lets no limit
// be missed by more than the most, however large a gap counts as closed.
const leastTolerance, mostMissed = 1e-12, 1e-9

func newDoor(m *model.Standard, s solve.Settings) *door {
	missed := s.Tolerance
	if missed == 0 {
		missed = 1e-9
	}
	d := &door{
		m: m, checker: certify.NewChecker(m.Problem),
		known: s.Known, closed: max(s.Tolerance, leastTolerance), missed: max(missed, leastTolerance), bound: math.Inf(-1),
	}
	d.shown.bound = math.Inf(-1)
	return d
}

// offer lets the checker judge a proof, which is kept if it says more than
// those before. It reports whether it was accepted; more is asked between small
// steps, and a proof that could not be judged to its end is forgotten.
func (d *door) offer(c *bound.Certificate, more func() bool) bool {
	if c == nil {
		return false
	}
	cert := certificate(c)
	cert.Problem = d.m.Hash()
	if cert.Values != nil || cert.Rays != nil { // a proposal: the checker says what it proves
		var err error
		if cert, err = d.checker.Strongest(cert, more); err != nil {
			return false
		}
	} else if r := d.checker.Check(&cert, nil, more); !r.OK {
		if !r.Left {
			d.refused = last(r.Reasons)
		}
		return false
	}
	d.keep(cert, c)
	return true
}

// keep takes in an accepted certificate.
func (d *door) keep(cert certify.Certificate, from *bound.Certificate) {
	if cert.Infeasible() {
		if d.infeasible == nil || cert.Relax > d.least {
			d.infeasible, d.least, d.source.infeasible = &cert, cert.Relax, from
		}
		return
	}
	if cert.Values != nil && (d.values == nil || cert.Target > d.values.Target) {
		d.values = &cert
	}
	if cert.Target > d.bound {
		d.bound, d.proof, d.source.proof = cert.Target, &cert, from
	}
}

// pass lets a record of a run in progress through with what is accepted so far.
func (d *door) pass(p *solve.Progress) {
	d.clear(p)
	if d.known.Beats(&p.Best) {
		p.Best = d.known
	}
	d.write(p)
}

// clear takes off a record whatever its method claims.
func (d *door) clear(p *solve.Progress) {
	p.LowerBound, p.ProvedInfeasible, p.ViolationBound, p.Certificate = math.Inf(-1), false, math.Inf(-1), nil
}

// write puts what is accepted into a record. A policy that meets the limits
// within the tolerance stands above a proof that none meets them exactly. The
// bound shown is never above the value shown, which its rounding could make it.
func (d *door) write(p *solve.Progress) {
	switch {
	case d.infeasible != nil && !p.Best.Feasible:
		p.ProvedInfeasible, p.ViolationBound, p.Certificate = true, d.least, *d.infeasible
	case d.proof != nil:
		p.LowerBound, p.Certificate = d.bound, *d.proof
		if p.Best.Feasible && p.Best.Objective < p.LowerBound {
			p.LowerBound = p.Best.Objective
		}
	}
}

// held is a record as it is shown, which keeps that from falling: one whose bound
// is below one that was shown before becomes that one again, with its policy and
// its proof. So it is when a policy is found whose value is below a proved bound by rounding or
// by what it misses of a limit, and while the last proof allows for that. Beside a
// value that it meets, the bound of a run in progress leaves as much room as the
// last record may take back. That one falls where it allows for what a policy misses.
func (d *door) held(p solve.Progress) solve.Progress {
	if p.ProvedInfeasible {
		return p
	}
	if p.Best.Feasible {
		p.LowerBound = min(p.LowerBound, p.Best.Objective-mostMissed*d.m.GapScale(p.Best.Objective))
	}
	was := &d.shown
	switch {
	case math.IsInf(p.LowerBound, -1) && math.IsInf(was.bound, -1):
	case p.LowerBound >= was.bound:
		if p.Best.Objective != was.best.Objective || was.best.Policy == nil {
			was.best = p.Best
			was.best.Policy = slices.Clone(p.Best.Policy)
		}
		was.bound, was.proof = p.LowerBound, p.Certificate.(certify.Certificate)
	default:
		p.Best, p.LowerBound, p.Certificate = was.best, was.bound, was.proof
	}
	return p
}

// Ending says why a run comes to its end.
type ending int

const (
	finished ending = iota // the method has said all it can
	stopped                // somebody asked for the end
	late                   // the time limit did
)

func endingOf(s solve.Settings) ending {
	switch {
	case s.Stop == nil || !*s.Stop:
		return finished
	case s.Late != nil && *s.Late:
		return late
	}
	return stopped
}

// conclude makes the last record of a run: what may be claimed of the best
// policy found, and for which reasons. more is asked between small steps.
func (d *door) conclude(p *solve.Progress, why ending, more func() bool) {
	d.clear(p)
	if p.Status == solve.Failed {
		return
	}
	if d.known.Beats(&p.Best) {
		p.Best = d.known
	}
	if p.Best.Policy != nil {
		p.Best.Policy = append([]float64(nil), p.Best.Policy...)
	}
	optimal := false
	if p.Best.Feasible && why != stopped && (d.proof != nil || d.infeasible != nil) {
		optimal = d.confirm(p, more)
		d.clear(p) // what was told meanwhile may not hold beside this policy
	}
	d.write(p)
	d.witness(p)
	switch {
	case p.ProvedInfeasible:
		p.Status = solve.ProvedInfeasible
	case optimal:
		p.Status = solve.ProvedOptimal
	case why == stopped:
		p.Status = solve.Stopped
	case !p.Best.Feasible:
		p.Status = solve.NoFeasibleFound
	case d.proof != nil:
		p.Status = solve.Bounded
	default:
		p.Status = solve.Feasible
	}
	if d.refused != "" {
		p.Note = join(p.Note, "A proof that was found did not pass the independent check, and nothing is claimed from it: "+d.refused)
	}
}

// confirm lets the checker judge the best policy and reports whether it is
// proved optimal. One that meets a limit only within the tolerance is compared
// with all that do so as well: the bound is made to allow for what it misses.
func (d *door) confirm(p *solve.Progress, more func() bool) (optimal bool) {
	best := &p.Best
	r := d.checker.Check(nil, best.Policy, more)
	if r.Left || r.Evaluation == nil {
		d.proof = d.exactly(best, math.Inf(1))
		return false
	}
	returns := r.Evaluation.Returns
	allow, worst, surely := d.excess(returns)
	value := min(max(best.Objective, returns[0].Lo), returns[0].Hi)
	if !surely && math.Abs(value-best.Objective) > onGrid*d.m.GapScale(value) {
		best.Policy = slices.Clone(r.Evaluation.Policy)
		best.MaxViolation = d.missedMost(returns)
	}
	best.Objective = value
	switch {
	case surely:
		best.Feasible = false
		p.Note = join(p.Note, fmt.Sprintf("The policy was taken to meet the constraints, but the independent check shows that it misses %q by more than the tolerance.", d.m.CostName(worst)))
		return false
	case allow == nil && worst > 0:
		p.Note = join(p.Note, fmt.Sprintf("The policy meets %q as evaluated, but not beyond all rounding.", d.m.CostName(worst)))
		d.proof = d.exactly(best, returns[0].Hi)
		return false
	case allow != nil:
		d.allow(allow, more)
		if allow[worst-1] > leastTolerance*d.m.Scale(worst, d.m.B[worst]) {
			p.Note = join(p.Note, fmt.Sprintf("The policy meets %q within the tolerance only: it may miss it by %.2g. The bound allows for as much.",
				d.m.CostName(worst), d.m.PresentViolation(worst, allow[worst-1])))
		}
	}
	if d.proof == nil {
		return false
	}
	if d.bound > returns[0].Hi { // cannot be: one of the two is wrong
		p.Note = join(p.Note, "The bound and the policy contradict each other, so nothing is claimed.")
		d.proof, d.bound = nil, math.Inf(-1)
		return false
	}
	return returns[0].Hi-d.bound <= d.closed*d.m.GapScale(returns[0].Hi)
}

// onGrid is the share of the value's size beyond which it makes a difference that
// the checker takes probabilities on its grid of 2^-48: beside a penalty of 1e9 a
// probability of 5e-16, which the grid has no place for, is worth more than all
// else. Then the policy shown is the one that was checked.
const onGrid = 1e-9

// missedMost is the largest violation of a policy as the checker sees it.
func (d *door) missedMost(returns []certify.Return) float64 {
	most := math.Inf(-1)
	for n := 1; n <= d.m.N; n++ {
		most = max(most, returns[n].Hi-d.m.B[n])
	}
	return most
}

// exactly is the proof as far as it can stand beside a policy that was not
// confirmed: none when it contradicts the value.
func (d *door) exactly(best *solve.Best, value float64) *certify.Certificate {
	if d.infeasible != nil || d.bound > value {
		d.bound = math.Inf(-1)
		return nil
	}
	return d.proof
}

// excess is how far the policy may miss each limit, nil when it provably misses
// none or may miss one by more than the tolerance; worst is the constraint that
// it misses most, next to its scale, and surely reports that it does so beyond
// the tolerance.
func (d *door) excess(returns []certify.Return) (allow []float64, worst int, surely bool) {
	most := 0.0
	for n := 1; n <= d.m.N; n++ {
		r := &returns[n]
		if r.Verdict == certify.Met {
			continue
		}
		scale := d.m.Scale(n, d.m.B[n])
		if allow == nil {
			allow = make([]float64, d.m.N)
		}
		allow[n-1] = max(0, -r.Slack)
		if share := allow[n-1] / scale; worst == 0 || share > most {
			worst, most = n, share
			surely = r.Lo-d.m.B[n] > d.missed*scale
		}
	}
	if most > d.missed {
		return nil, worst, surely
	}
	return allow, worst, false
}

// allow replaces the proofs by such that hold for policies that miss the limits
// by no more than that.
func (d *door) allow(allow []float64, more func() bool) {
	var found []certify.Certificate
	if v := d.values; v != nil {
		c := *v
		c.Allow = allow
		if c, err := d.checker.Strongest(c, more); err == nil {
			found = append(found, c)
		}
	}
	if y := d.proof; y != nil && y.Rays != nil {
		c := *y
		c.Allow = allow
		if c, err := d.checker.Strongest(c, more); err == nil {
			found = append(found, c)
		}
	} else if tree := d.proof; tree != nil && tree.Values == nil {
		c, covered := *tree, len(tree.Allow) > 0
		c.Allow = slices.Clone(allow)
		for n, x := range tree.Allow {
			covered = covered && allow[n] <= x
			c.Allow[n] = max(allow[n], x)
		}
		if covered || d.checker.Check(&c, nil, more).OK {
			found = append(found, c)
		}
	}
	d.bound, d.proof, d.values, d.infeasible, d.least = math.Inf(-1), nil, nil, nil, 0
	for _, c := range found {
		d.keep(c, d.source.proof)
	}
}

// Reassess is the best policy of an earlier run as the evaluator sees it. What
// was saved of it is kept, to the last bit, where the two agree.
func Reassess(ev *evaluate.Evaluator, s solve.Settings, saved solve.Best) solve.Best {
	m, d := ev.M, newDoor(ev.M, s)
	now := d.evaluated(ev, saved.Policy, d.missed)
	if saved.Feasible && !now.Feasible || !(math.Abs(now.Objective-saved.Objective) <= 1e-6*m.GapScale(now.Objective)+ev.ErrorBound[0]) {
		return now
	}
	return saved
}

// prefer takes in a policy met on the way if it is the best so far, and returns
// what it comes to. Feasible are here those that meet the limits but for rounding.
func (d *door) prefer(ev *evaluate.Evaluator, best *solve.Best, pi []float64) solve.Best {
	b := d.evaluated(ev, pi, leastTolerance)
	if b.Beats(best) {
		b.Policy = slices.Clone(pi)
		*best = b
	}
	return b
}

// evaluated is a policy with the evaluator's numbers, which meets a limit when it
// misses it by no more than a share of its scale.
func (d *door) evaluated(ev *evaluate.Evaluator, pi []float64, missed float64) solve.Best {
	ev.Evaluate(pi)
	b := solve.Best{Policy: pi, Objective: ev.J[0], Feasible: true}
	b.MaxViolation, _ = ev.MaxViolation()
	for n := 1; n <= d.m.N; n++ {
		b.Feasible = b.Feasible && ev.J[n]-d.m.B[n] <= missed*d.m.Scale(n, d.m.B[n])
	}
	if b.Feasible && d.doubtful(ev) {
		r := d.checker.Check(nil, pi, func() bool { return true })
		if r.Evaluation != nil {
			allow, worst, _ := d.excess(r.Evaluation.Returns)
			b.Feasible = worst == 0 || allow != nil
		}
	}
	return b
}

// doubtful reports whether the evaluation of a small model, or the last digits of
// a policy, may be off by more than limits may be missed by.
func (d *door) doubtful(ev *evaluate.Evaluator) bool {
	for n := 1; n <= d.m.N; n++ {
		if max(ev.ErrorBound[n], d.grain(n)) > d.missed/4*d.m.Scale(n, d.m.B[n]) {
			return !solve.Large(d.m)
		}
	}
	return false
}

// grain is by how much the return of cost n may change when a policy is rounded to
// the grid on which the checker takes it: a step of 2^-48 at every visit, each
// worth up to the range of returns.
func (d *door) grain(n int) float64 {
	lo, hi := d.m.Bounds(n)
	return 0x1p-48 * (hi - lo) * d.m.H * d.m.H
}

func last(reasons []string) string {
	if len(reasons) == 0 {
		return "no reason was given."
	}
	return reasons[len(reasons)-1]
}

func join(a, b string) string {
	if a == "" {
		return b
	}
	return a + " " + b
}
