package certify

import (
	"math/big"
	"strconv"
	"strings"

	"rcmdplab/core/certify/enclosure"
	"rcmdplab/core/proof"
)

// policy checks the policy and compares it with what a claim, or nil, says, as meeting the
// constraints when it misses none by more than that allows.
func (r *Report) policy(in *instance, policy []float64, c *proof.Claim, guesses [][]float64, more func() bool) bool {
	var e Evaluation
	if why := caught(func() { e = in.evaluate(policy, guesses, more) }); why != nil {
		r.say("The policy cannot be checked: %v.", why)
		return false
	}
	r.Evaluation = &e
	var allow []float64
	if c != nil {
		allow = c.Allow
	}
	how := "enclosed with outward rounding"
	if e.Exact {
		how = "computed as exact fractions"
	} else if in.p.Uncertainty.Kind.Rectangular() {
		how = "enclosed by residuals of the robust Bellman equation"
	}
	what := "worst-case returns"
	if in.averaged() {
		what = "returns, averaged over the models where that is asked for,"
	}
	r.say("The policy is well formed; its probabilities are taken on the grid of 2^-48 and its %s are %s.", what, how)
	impossible, meets := c != nil && c.Infeasible(), true
	for n := 1; n < len(e.Returns); n++ {
		meets = r.meets(in, n, &e.Returns[n], allow) && meets
		if !meets && !impossible {
			return false
		}
	}
	if !meets {
		return r.misses(&e)
	}
	if impossible {
		r.say("But the certificate says that no policy meets the constraints: one of the two is wrong.")
		return false
	}
	r.Objective = e.Returns[0].Hi
	r.say("Its %s %s is %s.", in.kindOf(0), in.costName(0), in.shown(0, r.Objective, 1))
	objective, bound := enclosure.Point(r.Objective), enclosure.Point(r.LowerBound)
	if r.Gap = objective.Sub(bound).Hi(); c == nil {
		r.say("Nothing is proved about how good that is.")
		return true
	}
	if objective.Less(bound) {
		r.say("But the certificate says that every such policy is worse than that: one of the two is wrong.")
		return false
	}
	among := "the best possible"
	if r.Allow != nil {
		among = "the best that misses no limit by more than is allowed"
	}
	r.say("So the policy is at most %s away from %s.", in.text(0, r.Gap, 1, 12), among)
	return true
}

// meets says whether the policy is proved to meet constraint n, up to what is allowed.
func (r *Report) meets(in *instance, n int, v *Return, allow []float64) bool {
	name, end := in.costName(n), in.shown(n, v.Hi, 1)
	under, at, misses := in.where(n)
	limit, sense := strconv.FormatFloat(in.p.Constraints[n-1].Bound, 'g', 12, 64), in.sense(n)
	switch {
	case n <= len(allow) && v.Verdict != Met && enclosure.Point(allow[n-1]).Neg().AtMost(enclosure.Point(v.Slack)):
		r.say("The policy meets %q %s up to the %s that the certificate allows.", name, under, in.text(n, allow[n-1], 1, 3))
		return true
	case v.Verdict == Met:
		if b := enclosure.Around(in.b[n]); b.Sub(b.Abs().Mul(enclosure.Point(1e-9))).Less(enclosure.Point(v.Hi)) {
			end = limit // rounded up for show it would seem to miss what it is proved to meet
		}
		r.say("The policy meets %q %s: %s %s, %s %s.", name, under, end, at, sense, limit)
		return true
	case v.Verdict == Violated:
		r.say("The policy violates %q: %s %s misses %s %s by %s.", name, in.shown(n, v.Lo, -1), misses, sense, limit, in.text(n, v.Miss, -1, 3))
	default:
		r.say("It is not proved that the policy meets %q: its %s return is between %s and %s, and the limit is %s %s; a policy better by %s would do.", name, strings.TrimSuffix(in.kindOf(n), "-case"), in.shown(n, v.Lo, -1), end, sense, limit, in.text(n, enclosure.Opposite(v.Slack), 1, 3))
	}
	return false
}

// misses compares a policy that is not proved to meet the constraints with the
// proof that none does: it must miss one of them by more than is proved of all.
func (r *Report) misses(e *Evaluation) bool {
	beyond, least := false, enclosure.Point(r.LeastViolation).Neg()
	for _, v := range e.Returns[1:] {
		beyond = beyond || !least.AtMost(enclosure.Point(v.Slack))
	}
	if !beyond {
		r.say("But the certificate says that every policy misses some limit by more than that: one of the two is wrong.")
		return false
	}
	r.say("That agrees with the certificate: no policy meets the constraints, and this one is not said to.")
	return true
}

// text writes a return of cost n, or a difference of two, in the person's units but for
// the sign, with at most so many digits, rounded up (1), down (-1) or to the nearest (0).
func (in *instance) text(n int, j float64, round, digits int) string {
	x := new(big.Rat)
	if x.SetFloat64(j) == nil { // not finite
		return strconv.FormatFloat(j, 'g', -1, 64)
	}
	if in.costs[n].average {
		x.Quo(x, in.horizon)
	}
	s := strconv.FormatFloat(enclosure.Nearest(x), 'e', digits-1, 64)
	if y, _ := new(big.Rat).SetString(s); y.Cmp(x)*round < 0 {
		_, power, _ := strings.Cut(s, "e")
		last, _ := strconv.Atoi(power)
		unit, _ := new(big.Rat).SetString("1e" + strconv.Itoa(last+1-digits))
		s = strconv.FormatFloat(enclosure.Nearest(y.Add(y, unit.Mul(unit, big.NewRat(int64(round), 1)))), 'e', digits-1, 64)
	}
	f, _ := strconv.ParseFloat(s, 64)
	return strconv.FormatFloat(f, 'g', -1, 64)
}

// shown is a return in the person's units, rounded up (1), down (-1) or to the
// nearest (0) in the internal convention.
func (in *instance) shown(n int, j float64, round int) string {
	if in.costs[n].flip {
		j, round = enclosure.Opposite(j), -round
	}
	return in.text(n, j, round, 12)
}

// sense is the person's side of a constraint.
func (in *instance) sense(n int) string { return in.either(n, "at most", "at least") }

// either is one word where less of cost n is better, and another where more is.
func (in *instance) either(n int, less, more string) string {
	if in.costs[n].flip {
		return more
	}
	return less
}
