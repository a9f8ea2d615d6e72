package decide

import (
	"errors"
	"math"
	"slices"
	"strings"

	"rcmdplab/core/certify"
	"rcmdplab/core/evaluate"
	"rcmdplab/core/model"
	"rcmdplab/core/proof"
	"rcmdplab/core/solve"
)

// door is the one place where claims are made: it takes what a method found and
// the proofs that others propose, lets package certify judge them, and writes
// the status, the lower bound, the least violation, the certificate and the
// notes about them into a record. Nobody else does, whatever the method and
// however the run ends. A bound is shown only after its certificate was
// accepted, and that certificate is in the same record. What kind of proof a claim
// has is for those who make and judge it.
type door struct {
	m       *model.Standard
	checker *certify.Checker // judges every proof, of m alone

	none   float64 // a gap up to this share of GapScale counts as closed
	missed float64 // a violation up to this share of Scale counts as none

	accepted
	saved   accepted       // what the next run is to begin with: as accepted, before anything was allowed for
	unheard []*proof.Claim // claims of an earlier run, not judged to their end yet
	known   solve.Best     // the best policy of the run that this one continues
	refused string         // why the last proof was not accepted
	said    string         // what else the last record is to say
	crashed bool           // a part of the method has

	episodes *evaluate.Episodes // which policies end, at discount 1; nil below

	guesses [][]float64 // values near those of the best policy of a large model

	// The strongest bound that a record of the run has shown, with what stood beside it.
	shown struct {
		best  solve.Best
		bound float64 // -Inf before the first
		claim *proof.Claim
	}
}

// accepted are the strongest claims so far, nil before the first of each.
type accepted struct {
	lower      *proof.Claim // a bound of the objective
	priced     *proof.Claim // such a bound, which holds for whatever is allowed at a price
	free       *proof.Claim // such a bound, at no price
	infeasible *proof.Claim // that no policy meets the constraints
}

// bound is that of the objective, -Inf when there is none.
func (a *accepted) bound() float64 {
	if a.lower == nil {
		return math.Inf(-1)
	}
	return a.lower.Target
}

// keep takes in a claim if it says more.
func (a *accepted) keep(c *proof.Claim) {
	switch {
	case c.Infeasible():
		if a.infeasible == nil || c.Relax > a.infeasible.Relax {
			a.infeasible = c
		}
		return
	case c.Prices() == nil:
	default:
		if a.priced == nil || c.Target > a.priced.Target {
			a.priced = c
		}
		if (a.free == nil || c.Target > a.free.Target) && !slices.ContainsFunc(c.Prices(), func(x float64) bool { return x != 0 }) {
			a.free = c
		}
	}
	if c.Target > a.bound() {
		a.lower = c
	}
}

// Below the least tolerance rounding decides. The default method lets no limit
// be missed by more than the most, however large a gap counts as closed.
const leastTolerance, mostMissed = 1e-12, 1e-9

// mostClosed is the largest share of GapScale that a gap called closed may be, whatever tolerance is given: that no policy is
// better is said of what is left of nothing else.
const mostClosed = 1e-7

func newDoor(m *model.Standard, s solve.Settings) *door {
	missed := s.Tolerance
	if missed == 0 {
		missed = 1e-9
	}
	d := &door{
		m: m, checker: certify.NewChecker(m.Problem),
		known: s.Known, none: min(max(s.Tolerance, leastTolerance), mostClosed), missed: max(missed, leastTolerance),
	}
	d.shown.bound = math.Inf(-1)
	return d
}

// verdict is what became of a claim that was offered.
type verdict int

const (
	heard   verdict = iota // kept if it says more than those before
	left                   // more said no before it was judged to its end: it is as if it had not been offered
	refused                // whoever made it is wrong
)

// offer lets the checker judge a claim. More is asked between small steps.
func (d *door) offer(c *proof.Claim, more func() bool) verdict {
	if c == nil || c.Target <= d.bound() {
		return heard
	}
	claim := *c
	claim.Problem = d.m.Hash(func() { more() })
	claim, err := d.checker.Accept(claim, more)
	if err != nil {
		if errors.Is(err, certify.ErrLeft) {
			return left
		}
		if why, ok := err.(certify.Refusal); ok {
			d.refused = string(why)
		}
		return refused
	}
	d.keep(&claim)
	d.saved = d.accepted
	return heard
}

// propose offers a claim of which the checker is to say how much it proves.
func (d *door) propose(c *proof.Claim, more func() bool) {
	if c == nil {
		return
	}
	open := c.Open()
	d.offer(&open, more)
}

// recall takes in the claims of an earlier run, which say nothing until they are
// heard.
func (d *door) recall(saved []byte) {
	for len(saved) > 0 {
		part, rest, ok := unblock(saved)
		if !ok {
			return
		}
		if c, err := proof.Decode(part); err == nil {
			d.unheard = append(d.unheard, &c)
		}
		saved = rest
	}
}

// proofs is what recall reads: the claims accepted, then those that are unheard.
func (d *door) proofs() (saved []byte) {
	for _, c := range append([]*proof.Claim{d.saved.infeasible, d.saved.lower}, d.unheard...) {
		if c == nil {
			continue
		}
		if text, err := c.Encode(); err == nil {
			saved = block(saved, text)
		}
	}
	return saved
}

// hear judges the proofs that were recalled, each with a patience of its own. What is
// being judged, or was not judged to its end, is still unheard.
func (d *door) hear(patience func() func() bool) {
	for range len(d.unheard) {
		c := d.unheard[0]
		said := d.offer(c, patience())
		if d.unheard = d.unheard[1:]; said == left {
			d.unheard = append(d.unheard, c)
		}
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
		p.ProvedInfeasible, p.ViolationBound, p.Certificate = true, d.infeasible.Relax, d.infeasible
	case d.lower != nil:
		p.LowerBound, p.Certificate = d.bound(), d.lower
		if p.Best.Feasible && p.Best.Objective < p.LowerBound {
			p.LowerBound = p.Best.Objective
		}
	}
}

// repeat puts into a record what another, which the door wrote, says of the same policy.
func (d *door) repeat(p, written *solve.Progress) {
	p.Best, p.LowerBound, p.Certificate = written.Best, written.LowerBound, written.Certificate
	if written.Note != "" {
		p.Note = join(p.Note, written.Note)
	}
}

// stops makes a record one of a run that is stopped there, unfit one of a method that is not run.
func (d *door) stops(p *solve.Progress)              { p.Status = solve.Stopped }
func (d *door) unfit(p *solve.Progress, note string) { p.Status, p.Note = solve.Failed, note }

// suggest gives the checker values near those of the best policy; kept: the record's
// certificate has them too.
func (d *door) suggest(guesses [][]float64, kept bool) {
	d.checker.Suggest(guesses)
	if kept {
		d.guesses = guesses
	}
}

// witness puts the guesses into a record's certificate, for the next who checks
// it with its policy.
func (d *door) witness(p *solve.Progress) {
	if p.Certificate != nil && d.guesses != nil {
		c := *p.Certificate
		c.Guesses = d.guesses
		p.Certificate = &c
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
		was.bound, was.claim = p.LowerBound, p.Certificate
	default:
		p.Best, p.LowerBound, p.Certificate = was.best, was.bound, was.claim
	}
	return p
}

// room is by how much the bound may fall when it is to allow for what a policy misses:
// the limits that values set a price on, raised by the tolerance. Trees allow for it.
func (d *door) room() (sum float64) {
	if d.lower == nil || len(d.lower.Allow) > 0 {
		return 0
	}
	for n, price := range d.lower.Prices() {
		sum += price * d.missed * d.m.Scale(n+1, d.m.B[n+1])
	}
	return sum
}

// ending says why a run comes to its end.
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

// oftener is more for evaluating a policy under the kernels of a small finite set, which have been read: the checker then
// asks between numbers of one state, each about a tenth of a microsecond's work a state, and not between rows.
func (d *door) oftener(more func() bool) func() bool {
	if d.m.Rectangular() || solve.Large(d.m) {
		return more
	}
	asked, each := -1, 10*d.m.Pairs()/d.m.S
	return func() bool {
		asked++
		return asked%each > 0 || more()
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
	evaluating := d.oftener(patience(s, d.m, more))
	more = patience(s, d.m, more)
	p.Proofs = d.proofs
	if d.known.Beats(&p.Best) {
		p.Best = d.known
	}
	if p.Best.Policy != nil {
		p.Best.Policy = append([]float64(nil), p.Best.Policy...)
	}
	if d.m.Problem.Deterministic && mixes(p.Best.Policy) {
		p.Best.Feasible = false
		p.Note = join(p.Note, "The policy mixes actions, and the model asks for one action in each state.")
	}
	optimal := false
	if p.Best.Feasible && (d.lower != nil || d.infeasible != nil || d.m.Total()) {
		optimal = d.confirm(p, evaluating, more)
		d.clear(p) // what was told meanwhile may not hold beside this policy
	}
	d.write(p)
	d.endless(p)
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
	case d.lower != nil:
		p.Status = solve.Bounded
	default:
		p.Status = solve.Feasible
	}
	if p.Note = join(d.said, p.Note); d.crashed && p.Best.Policy == nil && p.Certificate == nil {
		p.Status = solve.Failed
	}
	if d.refused != "" {
		p.Note = join(p.Note, "A proof that was found did not pass the independent check, and nothing is claimed from it: "+d.refused)
	}
}

// say has the last record say something, once.
func (d *door) say(note string) {
	if !strings.Contains(d.said, note) {
		d.said = join(d.said, note)
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
// One that does not count, because it mixes actions where the problem asks for one, is none.
func (d *door) evaluated(ev *evaluate.Evaluator, pi []float64, missed float64) solve.Best {
	if d.m.Problem.Deterministic && mixes(pi) {
		return solve.Nothing().Best
	}
	ev.Evaluate(pi)
	b := solve.Best{Policy: pi, Objective: ev.J[0], Feasible: within(ev, missed) && !ev.Endless(pi)}
	b.MaxViolation, _ = ev.MaxViolation()
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
	return !solve.Large(d.m) && some(d.m, func(n int, scale float64) bool {
		return max(ev.ErrorBound[n], d.grain(n), model.Roundoff*math.Abs(d.m.B[n])) > d.missed/4*scale
	})
}

func join(a, b string) string {
	return strings.TrimSpace(a + " " + b)
}
