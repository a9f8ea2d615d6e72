package certify

import (
	"errors"
	"slices"

	"rcmdplab/core/certify/enclosure"
	"rcmdplab/core/proof"
)

// Refusal is why a claim does not hold, for a person.
type Refusal string

func (e Refusal) Error() string { return string(e) }

// Accept judges a claim and returns it: as what its proof Shows, whatever it was said to
// prove, or of a tree as it is. It asks more between small steps. The error is ErrLeft when
// that said no before the end, or a Refusal; of what shows nothing it says no more than that.
func (k *Checker) Accept(c proof.Claim, more func() bool) (proof.Claim, error) {
	if c.Shows() {
		return k.Strongest(c, more)
	}
	switch r := k.Check(&c, nil, more); {
	case r.Left:
		return c, ErrLeft
	case !r.OK:
		return c, Refusal(r.Reasons[len(r.Reasons)-1])
	}
	return c, nil
}

// Allowing is an accepted claim made anew for policies that miss limits by as much as is
// allowed, or by more where it was about such already.
func (k *Checker) Allowing(c proof.Claim, allow []float64, more func() bool) (proof.Claim, error) {
	if c.Shows() {
		c.Allow = allow
		return k.Strongest(c, more)
	}
	covered, all := len(c.Allow) > 0, slices.Clone(allow)
	for n, x := range c.Allow {
		wanted, had := enclosure.Point(allow[n]), enclosure.Point(x)
		covered = covered && wanted.AtMost(had)
		all[n] = wanted.Max(had).Hi()
	}
	if covered {
		return c, nil
	}
	if c.Allow = all; !k.Check(&c, nil, more).OK {
		return c, errors.New("the proof does not hold for what is allowed")
	}
	return c, nil
}
