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

// Strongest returns the certificate with the strongest claim that its values
// prove: the largest Target, or, when it is infinite, the largest Relax. It
// fails when they prove nothing.
func (k *Checker) Strongest(c proof.Claim, more func() bool) (proof.Claim, error) {
	if !c.Shows() {
		return c, errors.New("there are no values in the certificate")
	}
	err := caught(func() {
		in := k.instance(&c, more)
		c.Relax = 0
		in.fits(&c)
		if c.Values != nil && in.wide == nil && !in.total {
			caught(func() { c.Values = in.polished(&c, more) })
		}
		bound, prices, _ := in.worth(&c, more)
		c = raised(c, bound, prices)
	})
	return c, err
}

// Wanting lists the pairs and rays for which the rows found for a proof by rays
// leave less than its values by more than few, as a share of the costs of a step.
func (k *Checker) Wanting(c proof.Claim, few float64, more func() bool) (pairs, rays []int, err error) {
	if c.Rays == nil {
		return nil, nil, nil
	}
	err = caught(func() {
		y := k.instance(&c, more).wide.read(&c)
		if y.total { // where nothing makes up for it
			few = 0
		}
		y.wanting = func(j int, e interval) {
			if !e.AtMost(enclosure.Point(few)) {
				pairs, rays = append(pairs, y.pair), append(rays, j)
			}
		}
		y.excess(more)
	})
	return pairs, rays, err
}

// Follow replays what is new of a proof by tensors that is being made, in which
// boxes may be StillOpen, and keeps what holds: Check of the whole then has less to
// do. It says nothing of the claim. It is for finite sets, and asks more as Check does.
func (k *Checker) Follow(c *proof.Claim, more func() bool) {
	caught(func() {
		in := k.instance(c, more)
		if in.kernels == nil || len(in.kernels) > proof.MaxKernels || len(c.Kernels) > 0 {
			return
		}
		p := &replay{relaxation: in.newRelaxation(in.kernels, make([][]float64, len(in.kernels)), c, more), pace: pace{more: more}}
		t := p.tensor(in, in.kernels, c, k.seen, true)
		caught(func() { t.tree(c.Tensor.Nodes) })
		k.seen = t.seen
		k.seen.mark(c.Tensor.Nodes, t.held)
	})
}
