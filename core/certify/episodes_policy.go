package certify

import (
	"rcmdplab/core/certify/enclosure"
	"rcmdplab/core/model"
)

// ending fails where the policy may go on for ever under the kernel from a state that it may reach: where it
// cannot reach an end any more.
func (in *instance) ending(kernel *model.Kernel, pi []float64) {
	taken := func(i int) bool { return enclosure.Point(pi[i]) != zero }
	back := make([][]int, in.S) // from where the policy comes to a state
	reached, able := in.from(in.starts()...), in.from()
	for s := range reached.states {
		for i := in.Off[s]; i < in.Off[s+1] && !in.p.Ends(s); i++ {
			if !taken(i) {
				continue
			}
			next, prob := kernel.Row(i)
			for j, t := range next {
				if enclosure.Point(prob[j]) != zero {
					back[t] = append(back[t], s)
					reached.come(t)
				}
			}
		}
	}
	for s := range in.S {
		if in.p.Ends(s) {
			able.come(s)
		}
	}
	for s := range able.states {
		able.come(back[s]...)
	}
	for i, s := range in.State {
		if reached.seen[s] && !able.seen[s] && taken(i) {
			goesOn(" from state %q, by action %q", in.p.States[s], in.p.Actions[in.Act[i]])
		}
	}
}

// duration goes from 0 to the expected number of steps of the policy, ends counted, under the kernel or
// any of the set; it fails where it is not proved that it surely ends.
func (x *image) duration(kernel *model.Kernel, pi []float64, more func() bool) interval {
	y := x.newSweep(kernel, make([]interval, len(x.costs)))
	if kernel != nil {
		x.ending(kernel, pi)
	}
	y.clock = true
	w := y.find(pi, nil, more)
	for _, t := range w {
		if !zero.AtMost(enclosure.Point(t)) {
			goesOn(slowly)
		}
	}
	e, _ := y.residuals(pi, w, more)
	late := enclosure.Point(e.Hi()).Max(zero)
	if !late.Less(enclosure.Point(.5)) {
		goesOn(slowly)
	}
	return y.startOf(w).Div(one.Sub(late)).Hull(zero)
}
