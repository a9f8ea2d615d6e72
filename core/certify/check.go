package certify

import (
	"fmt"
	"math/big"
	"slices"

	"rcmdplab/core/certify/enclosure"
	"rcmdplab/core/model"
	"rcmdplab/core/proof"
)

// Report is what was checked, and what follows. Numbers are in the internal
// convention of model.Standard, rounded so that they hold; Reasons speak in the
// document's own units and signs.
type Report struct {
	// OK is true when everything that was given holds: the certificate, if one
	// was given, and of the policy, if one was given, that it meets every constraint
	// up to what the certificate allows. With a certificate that no policy does, the
	// policy is not said to meet them: then it must only not contradict that, by
	// missing none or none by more than is proved of every policy.
	OK bool

	// Objective is at least the worst-case objective of the policy, NaN without
	// a policy that is proved to meet the constraints.
	Objective float64

	// LowerBound: no policy that misses limit n by no more than Allow[n-1] has a
	// worst-case objective below that. -Inf when nothing is proved, +Inf when no policy
	// meets the constraints.
	LowerBound float64

	// Gap is Objective - LowerBound, rounded up: what the policy is at most above the
	// least objective of all that miss no limit by more than is allowed, and so of all that
	// miss none. What is allowed counts in it, as the bound is below all of them. NaN when
	// Objective is, +Inf without a lower bound.
	Gap float64

	// Allow is what the accepted certificate lets each limit be missed by, from
	// constraint 1; never above MostAllowed of its scale. Nil: nothing.
	Allow []float64

	// LeastViolation: the maximal violation of every policy exceeds that.
	// NaN when the certificate does not speak of infeasibility.
	LeastViolation float64

	Evaluation *Evaluation // of the policy; nil without a well-formed one

	Left bool // more said no before the end

	// Reasons are sentences for a person, in the order checked; when OK is false
	// the last one says what does not hold.
	Reasons []string
}

// Checker checks claims about one problem: it holds the exact instance, or of a
// large model its image.
type Checker struct {
	p        *model.Problem
	in, wide *instance   // read when they are needed
	seen     *seen       // of a proof by tensors, what Follow replayed; nil before
	guesses  [][]float64 // values by state to start from where proofs are found here; nothing rests on them
}

// Suggest gives value functions near those of a policy that is to be checked,
// as in Certificate.Guesses.
func (k *Checker) Suggest(guesses [][]float64) { k.guesses = guesses }

// NewChecker makes a checker of a problem. One that cannot be read as exact
// numbers makes every check fail.
func NewChecker(p *model.Problem) *Checker { return &Checker{p: p.Unrolled()} }

// instance is what to check a certificate with: of a large model the image,
// but for proofs by boxes and multipliers, and for those by rays of any model.
func (k *Checker) instance(c *proof.Claim, more func() bool) *instance {
	if c != nil && c.Rays != nil || k.p.Layout.S > exactStates && (c == nil || c.Tensor == nil && len(c.Nodes) == 0 && len(c.Kernels) == 0) {
		if k.wide == nil {
			k.wide = newImage(k.p).instance
		}
		return k.wide
	}
	if k.in == nil {
		k.in = newInstance(k.p, more)
	}
	return k.in
}

// Check checks a certificate and a policy of a problem, by itself: nothing of
// what found them is used or trusted. A nil certificate leaves a check of the
// policy alone, a nil policy one of the certificate alone. It asks more between
// small steps, for those who must answer others meanwhile; a check that was left
// is not OK, and Left.
//
// What holds, if OK, holds for the exact instance of the document: see
// instance. The cost is that of Evaluate, and for a certificate about one
// product and one addition for each multiplier and coefficient.
func (k *Checker) Check(cert *proof.Claim, policy []float64, more func() bool) Report {
	nothing := enclosure.Undefined()
	r := Report{Objective: nothing, LowerBound: enclosure.Line().Lo(), Gap: nothing, LeastViolation: nothing}
	watched := func() bool {
		r.Left = r.Left || !more()
		return !r.Left
	}
	read := func(c *proof.Claim) (in *instance) {
		if why := caught(func() { in = k.instance(c, watched) }); why != nil {
			r.say("The problem cannot be read as exact numbers: %v.", why)
		}
		return in
	}
	in := read(cert)
	switch {
	case in == nil:
		return r
	case cert == nil && policy == nil:
		r.say("There is nothing to check: no certificate and no policy.")
		return r
	}
	if r.OK = cert == nil || r.proof(in, cert, k.seen, watched); !r.OK || policy == nil {
		return r
	}
	guesses := k.guesses
	if cert != nil && cert.Guesses != nil {
		guesses = cert.Guesses
	}
	if (k.p.Layout.S > exactStates) != (in.wide != nil) {
		in = read(nil)
	}
	r.OK = in != nil && r.policy(in, policy, cert, guesses, watched)
	return r
}

// Check is Checker.Check at once; an empty certificate (the zero value with
// Target = +Inf) counts as none when there is a policy.
func Check(p *model.Problem, cert proof.Claim, policy []float64) Report {
	c := &cert
	if policy != nil && cert.Empty() {
		c = nil
	}
	return NewChecker(p).Check(c, policy, always)
}

func (r *Report) say(format string, args ...any) {
	r.Reasons = append(r.Reasons, fmt.Sprintf(format, args...))
}

// proof checks the certificate.
func (r *Report) proof(in *instance, c *proof.Claim, known *seen, more func() bool) bool {
	if h := in.p.HashWhile(func() { more() }); c.Problem != h {
		r.say("The certificate is about another problem: it names the content hash %.12s…, this problem has %.12s….", c.Problem, h)
		return false
	}
	r.say("The certificate is about this problem (content hash %.12s…).", c.Problem)
	why := caught(func() {
		in.statement(c)
		if given := c.Given(); given != 1 {
			refuse("the certificate holds %s; want one", plural(given, "proof", "proofs"))
		}
		if !c.Shows() {
			r.say("%s", r.multipliers(in, c, known, more))
			return
		}
		bound, _, how := in.worth(c, more)
		proves(c, bound)
		r.say("%s", how)
	})
	if why != nil {
		r.say("The proof does not hold: %v.", why)
		return false
	}
	for n, x := range c.Allow {
		if enclosure.Point(x) != zero {
			r.Allow = slices.Clone(c.Allow)
			r.say("The claim allows that %q is missed by %s.", in.costName(n+1), in.text(n+1, x, 1, 3))
		}
	}
	alone := ""
	if c.Choices != nil && c.Choices.Deterministic {
		alone = " of one action in each state"
	}
	switch {
	case !c.Infeasible():
		r.LowerBound = c.Target
		r.say("So no policy%s that meets the constraints has a %s %s of %s than %s.", alone, in.kindOf(0), in.costName(0), in.either(0, "less", "more"), in.shown(0, c.Target, 0))
	case len(in.costs) == 1:
		r.say("The claim is that no policy meets the constraints, but there are none, so the proof must be wrong.")
		return false
	default:
		r.LowerBound, r.LeastViolation = enclosure.Line().Hi(), c.Relax
		least := ""
		if enclosure.Point(c.Relax) != zero {
			least = ": some limit is missed by more than"
			if in.oneUnit() {
				least += " " + in.text(1, c.Relax, -1, 12)
			} else {
				least += " is proved here, in units that differ"
			}
			least += ", whatever the policy"
		}
		r.say("So no policy%s meets the constraints%s.", alone, least)
	}
	return true
}

// MostAllowed is the largest share of a limit's scale that a certificate may let it be
// missed by: a claim about policies that may do more says nothing of those that meet it.
const MostAllowed = 1e-6

// statement checks the form of a claim.
func (in *instance) statement(c *proof.Claim) {
	if !c.Infeasible() && !enclosure.Point(c.Target).Finite() || !enclosure.Point(c.Relax).Finite() || enclosure.Point(c.Relax).Sign() < 0 {
		refuse("it claims a target of %v with thresholds raised by %v; want a number or +Inf, and a number >= 0", c.Target, c.Relax)
	}
	in.fits(c)
}

// fits checks that a kind of proof is one for the problem, and what is allowed.
func (in *instance) fits(c *proof.Claim) {
	switch {
	case in.averaged() && c.Choices == nil:
		refuse("it is about the worst model of all, and a cost of the problem is averaged over the models")
	case in.total && c.Values == nil && c.Choices == nil && c.Rays == nil:
		refuse("it holds no proof by values, rays or choices, and at discount 1 it takes one")
	case len(c.Allow) > len(in.costs)-1:
		refuse("it allows %d limits to be missed; there are %d", len(c.Allow), len(in.costs)-1)
	}
	for n, x := range c.Allow {
		allowed, most := enclosure.Point(x), enclosure.Point(MostAllowed).Mul(in.limitScale(n+1))
		if !zero.AtMost(allowed) || most.Less(allowed) {
			refuse("it allows %q to be missed by %v; want a number from 0 to %v, a share of %v of what limits are judged next to", in.costName(n+1), x, most.Hi(), MostAllowed)
		}
	}
}

// limitScale is the size next to which a violation of limit n is judged: the width of
// the range of its returns, or if that is less the limit, or the least cost of a step that
// is not 0. Where all costs of a step are the same, the limit or that return.
func (in *instance) limitScale(n int) interval {
	all, least := in.extent(&in.p.Constraints[n-1].Cost, true) // which was read before
	h, size := enclosure.Around(in.horizon), enclosure.Around(in.b[n]).Abs()
	if in.total {
		return size.Max(least)
	}
	if all.Single() {
		return size.Max(least.Mul(h))
	}
	return all.Width().Mul(h).Min(size.Max(least))
}

// oneUnit reports whether all limits are totals, or all are averages.
func (in *instance) oneUnit() bool {
	for n := 2; n < len(in.costs); n++ {
		if in.costs[n].average != in.costs[1].average {
			return false
		}
	}
	return true
}

// worth is what a proof that shows by itself how much it proves does prove: w J_0 + Σ λ_n (J_n - b_n) is at least the bound for
// every policy, the limits b_n being those of the claim, and w 1, or 0 where the claim is that no policy meets them;
// prices is Σ λ_n.
func (in *instance) worth(c *proof.Claim, more func() bool) (bound, prices *big.Rat, how string) {
	switch {
	case len(c.Kernels) > 0:
		refuse("it brings models of its own, which such a proof does not use")
	case c.Choices != nil:
		return in.choices(c, more)
	case c.Rays != nil:
		return in.rays(c, more)
	}
	return in.values(c, more)
}

// multipliers follows a proof by multipliers of models: of boxes, or of boxes by tensors.
func (r *Report) multipliers(in *instance, c *proof.Claim, known *seen, more func() bool) (how string) {
	kernels, penalties := in.certified(c.Kernels)
	if len(kernels) > proof.MaxKernels || in.Pairs() > proof.MaxIndex || len(in.costs) > proof.MaxIndex {
		refuse("the problem has more models, pairs or costs than a certificate can name")
	}
	if in.kernels == nil {
		r.say("All %d models that the proof uses are in the uncertainty set.", len(kernels))
	}
	p := &replay{relaxation: in.newRelaxation(kernels, penalties, c, more), pace: pace{more: more}}
	if c.Tensor != nil {
		p.tensor(in, kernels, c, known, false).tree(c.Tensor.Nodes)
	} else {
		p.tree(c.Nodes)
	}
	return fmt.Sprintf("The proof covers all policies by %s (at most %d splits deep), each shown to hold none of the kind excluded; %d inequalities were recomputed.",
		plural((c.Boxes()+1)/2, "box", "boxes"), p.depth, p.bound)
}

// certified reads the kernels of a certificate: those of a finite set, or
// members of an infinite one with, for the regularised set, their penalties.
func (in *instance) certified(list []proof.Kernel) (kernels [][]row, penalties [][]float64) {
	if in.kernels != nil {
		if len(list) > 0 {
			refuse("the set is finite and the certificate brings models of its own")
		}
		return in.kernels, make([][]float64, len(in.kernels))
	}
	x := in.exactSet()
	if len(list) == 0 {
		refuse("the certificate brings no models")
	}
	paying := 0 // pairs for which nature pays
	if x.family == priced {
		paying = in.Pairs()
	}
	k, i := 0, 0
	defer within(func() string {
		return fmt.Sprintf("model %d is not in the uncertainty set: the row of %s", k, in.pairName(i))
	})
	for k = range list {
		penalty := list[k].Penalty
		if penalty == nil && paying > 0 {
			penalty = make([]float64, paying)
		}
		if i = 0; len(list[k].Rows) != in.Pairs()*in.S || len(penalty) != paying || paying == 0 && penalty != nil {
			refuse("is not one of %d numbers and %d penalties; there are %d and %d for all", in.S, paying, len(list[k].Rows), len(penalty))
		}
		rows := make([]row, in.Pairs())
		for i = range rows {
			r, kl, outside := x.member(i, list[k].Rows[i*in.S:(i+1)*in.S])
			if outside != nil {
				refuse("%w", outside)
			}
			if rows[i] = r; paying == 0 {
				continue
			}
			price := enclosure.Around(new(big.Rat).Mul(in.gamma, in.priceAt(i))) // of a unit of KL in units of cost
			if need, paid := price.Mul(kl), enclosure.Point(penalty[i]); !paid.Finite() || !zero.AtMost(paid) || !need.AtMost(paid) {
				refuse("has a penalty of %v; nature pays up to %v", penalty[i], need.Hi())
			}
		}
		kernels, penalties = append(kernels, rows), append(penalties, penalty)
	}
	return kernels, penalties
}

// Evaluate proves the worst-case returns of a policy, by pair of the layout.
//
// For a finite set the returns are exact rational numbers, rounded outwards at
// the very end, when the problem is small (S up to about 20), so that a
// constraint is Met if and only if J_n <= b_n. Others are enclosed by residuals of
// values found by iteration, in time and memory linear in the model (see sweep.returns); of
// up to 64 states, where that leaves a verdict or the objective open, by exact
// residuals, see pinned.
//
// It fails when the problem or the policy is not well formed, and for the
// paper's evaluator of the regularised set, which is the return of no set.
func Evaluate(p *model.Problem, policy []float64) (e Evaluation, err error) {
	why := caught(func() { e = NewChecker(p).instance(nil, always).evaluate(policy, nil, always) })
	if why != nil {
		why = fmt.Errorf("certify: %w", why)
	}
	return e, why
}
