package decide

import (
	"errors"
	"math"
	"slices"
	"strings"

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
	checker *certify.Checker // judges every proof, of m alone
	dual    *dual            // proposes by weak duality; nil before it begins

	closed float64 // a gap up to this share of GapScale counts as closed
	missed float64 // a violation up to this share of Scale counts as none

	// What was accepted so far.
	unheard    []*bound.Certificate // proofs of an earlier run, not judged to their end yet
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
// those before. More is asked between small steps; left reports that it said no
// before the proof was judged to its end, after which it is as if it had not been offered.
func (d *door) offer(c *bound.Certificate, more func() bool) (left bool) {
	proposed := c != nil && (c.Values != nil || c.Rays != nil) // the checker says what it proves
	if c == nil || !proposed && c.Target <= d.bound {
		return false
	}
	cert := certificate(c)
	cert.Problem = d.m.Hash(func() { more() })
	if proposed {
		var err error
		if cert, err = d.checker.Strongest(cert, more); err != nil {
			return errors.Is(err, certify.ErrLeft)
		}
	} else if r := d.checker.Check(&cert, nil, more); !r.OK {
		if !r.Left {
			d.refused = last(r.Reasons)
		}
		return r.Left
	}
	d.keep(cert, c)
	return false
}

// recall takes in the proofs of an earlier run, which claim nothing until they are
// heard.
func (d *door) recall(saved []byte) {
	for len(saved) > 0 {
		part, rest, ok := unblock(saved)
		if !ok {
			return
		}
		if st, err := bound.ReadState(part); err == nil && st.Proof != nil {
			d.unheard = append(d.unheard, st.Proof)
		}
		saved = rest
	}
}

// proofs is what recall reads: the proofs accepted, then those that are unheard.
func (d *door) proofs() (saved []byte) {
	for _, c := range append([]*bound.Certificate{d.source.infeasible, d.source.proof}, d.unheard...) {
		if c != nil {
			st := bound.State{LowerBound: math.NaN(), Target: math.NaN(), Proof: c}
			saved = block(saved, st.Bytes())
		}
	}
	return saved
}

// hear judges the proofs that were recalled, each with a patience of its own. What is
// being judged, or was not judged to its end, is still unheard.
func (d *door) hear(patience func() func() bool) {
	for range len(d.unheard) {
		c := d.unheard[0]
		left := d.offer(c, patience())
		if d.unheard = d.unheard[1:]; left {
			d.unheard = append(d.unheard, c)
		}
	}
}

// follow lets the checker replay what is new of a proof that is being made.
func (d *door) follow(c *bound.Certificate, more func() bool) {
	cert := certificate(c)
	d.checker.Follow(&cert, more)
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
	p.Proofs = d.proofs
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
// by what it misses of a limit, and while the last proof allows for that. The bound of
// a run in progress leaves as much room as the last record may take back: what a policy
// may miss, and beside a value that it meets some for rounding.
func (d *door) held(p solve.Progress) solve.Progress {
	if p.ProvedInfeasible {
		return p
	}
	p.LowerBound -= d.room()
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

// room is by how much the bound may fall when it is to allow for what a policy misses:
// the limits that values set a price on, raised by the tolerance. Trees allow for it.
func (d *door) room() (sum float64) {
	if d.proof == nil || d.proof.Values == nil || len(d.proof.Allow) > 0 {
		return 0
	}
	for n, price := range d.proof.Values.Prices {
		sum += price * d.missed * d.m.Scale(n+1, d.m.B[n+1])
	}
	return sum
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

// patience is how long a check may take at the end of a run: as long as more says yes,
// or for a while where somebody waits. Each check has its own: what one takes is not
// lost to the next, or a bound that was shown would be.
func patience(s solve.Settings, m *model.Standard, more func() bool) func() bool {
	if endingOf(s) == stopped {
		return hurried(m, more)
	}
	return more
}

// hurried is a question that is answered no after about 30 ms of work: who stops a run
// waits for its answer. The checker asks between states, whose rows it reads in exact
// fractions, about a microsecond an entry; of a small model many fit in.
func hurried(m *model.Standard, more func() bool) func() bool {
	left := max(60, 30_000/m.Pairs())
	return func() bool {
		left--
		return left >= 0 && more()
	}
}

// conclude makes the last record of a run: what may be claimed of the best
// policy found, and for which reasons. more is asked between small steps; when it
// says no, less is claimed.
func (d *door) conclude(p *solve.Progress, s solve.Settings, more func() bool) {
	d.clear(p)
	if p.Status == solve.Failed {
		return
	}
	d.hear(func() func() bool { return patience(s, d.m, more) })
	why := endingOf(s)
	more = patience(s, d.m, more)
	p.Proofs = d.proofs
	if d.known.Beats(&p.Best) {
		p.Best = d.known
	}
	if p.Best.Policy != nil {
		p.Best.Policy = append([]float64(nil), p.Best.Policy...)
	}
	optimal := false
	if p.Best.Feasible && (d.proof != nil || d.infeasible != nil) {
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

// doubtful reports whether the evaluation of a small model, the last digits of a
// policy or those of a limit, which is a decimal, may be off by more than limits may
// be missed by.
func (d *door) doubtful(ev *evaluate.Evaluator) bool {
	for n := 1; n <= d.m.N; n++ {
		if max(ev.ErrorBound[n], d.grain(n), 0x1p-53*math.Abs(d.m.B[n])) > d.missed/4*d.m.Scale(n, d.m.B[n]) {
			return !solve.Large(d.m)
		}
	}
	return false
}

func last(reasons []string) string {
	if len(reasons) == 0 {
		return "no reason was given."
	}
	return reasons[len(reasons)-1]
}

func join(a, b string) string {
	return strings.TrimSpace(a + " " + b)
}
