package wire

import (
	"errors"
	"math"

	"rcmdplab/core/certify"
	"rcmdplab/core/proof"
)

// check lets the independent checker judge a certificate, a policy, or both:
// part 0 is the problem, part 1 the certificate (null: only the policy), part 2
// the policy, which may be missing. Of a certificate of an earlier version nothing holds;
// the policy beside it is judged all the same.
func (s *Session) check(parts [][]byte) []byte {
	m, _ := problem(part(parts, 0))
	var cert *proof.Claim
	var earlier proof.VersionError
	if raw := part(parts, 1); raw != nil && !isNull(raw) {
		c, err := proof.Decode(raw)
		if cert = &c; errors.As(err, &earlier) && earlier.Earlier() {
			cert = nil
		} else {
			refuseOn(InvalidOption, err)
		}
	}
	var policy []float64
	if raw := part(parts, 2); raw != nil && !isNull(raw) {
		policy = givenPolicy(raw, m)
	}
	r := certify.NewChecker(m.Problem).Check(cert, policy, func() bool { return true })
	if earlier.Earlier() {
		r.OK = false
		r.Reasons = append(r.Reasons, "The certificate is of an earlier version, whose proofs are not read any more: nothing is claimed from it.")
	}
	w := newUnits(m)
	lower, upper := w.bound(r.LowerBound)
	worst := math.NaN()
	if r.Evaluation != nil {
		worst = m.Present(0, r.Evaluation.Returns[0].Hi)
	}
	t := value().open('{').key("ok").bool(r.OK)
	t.key("objective").num(m.Present(0, r.Objective))
	t.key("lowerBound").num(lower).key("upperBound").num(upper)
	t.key("gap").num(finite(m.PresentViolation(0, r.Gap)))
	t.key("value").num(finite(worst)).key("bound").num(finite(m.Present(0, r.LowerBound)))
	t.key("allow").maybe(r.Allow != nil, func() {
		allow := make([]float64, m.N)
		for n, x := range r.Allow {
			allow[n] = m.PresentViolation(n+1, x)
		}
		t.nums(allow)
	})
	t.key("infeasible").bool(r.OK && math.IsInf(r.LowerBound, 1))
	t.key("leastViolation").num(w.common(r.LeastViolation))
	t.key("reasons").strs(r.Reasons)
	return t.close('}').done()
}
