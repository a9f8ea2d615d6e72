package wire

import (
	"math"

	"rcmdplab/core/certify"
)

// check lets the independent checker judge a certificate, a policy, or both:
// part 0 is the problem, part 1 the certificate (null: only the policy), part 2
// the policy, which may be missing.
func (s *Session) check(parts [][]byte) ([]byte, error) {
	m, _, err := problem(part(parts, 0))
	if err != nil {
		return nil, err
	}
	var cert *certify.Certificate
	if raw := part(parts, 1); raw != nil && !isNull(raw) {
		c, err := certify.Decode(raw)
		if err != nil {
			return nil, refuse(InvalidOption, err.Error())
		}
		cert = &c
	}
	var policy []float64
	if raw := part(parts, 2); raw != nil && !isNull(raw) {
		if policy, err = givenPolicy(raw, m); err != nil {
			return nil, err
		}
	}
	r := certify.NewChecker(m.Problem).Check(cert, policy, func() bool { return true })
	w := newUnits(m)
	lower, upper := w.bound(r.LowerBound)
	t := value().open('{').key("ok").bool(r.OK)
	t.key("objective").num(m.Present(0, r.Objective))
	t.key("lowerBound").num(lower).key("upperBound").num(upper)
	t.key("gap").num(finite(m.PresentViolation(0, r.Gap)))
	t.key("infeasible").bool(r.OK && math.IsInf(r.LowerBound, 1))
	t.key("leastViolation").num(w.common(r.LeastViolation))
	t.key("reasons").strs(r.Reasons)
	return t.close('}').done(), nil
}
