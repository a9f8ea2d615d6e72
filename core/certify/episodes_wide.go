package certify

import (
	"fmt"

	"rcmdplab/core/certify/enclosure"
	"rcmdplab/core/model"
)

// Proofs about episodes of large models, see episodes.go, in numbers rounded outwards.

// paid is the weighted cost of an end state.
func (y *sweep) paid(i int) interval {
	y.pair = i
	return y.flat(i).Add(y.after(y.State[i]))
}

// stopped is the residual of an end state.
func (y *sweep) stopped(i int) interval { return y.paid(i).Sub(enclosure.Point(y.v[y.State[i]])) }

// duration goes from 0 to the expected number of steps of the policy, ends counted, under the kernel or
// any of the set; it fails where it is not proved that it surely ends.
func (x *image) duration(kernel *model.Kernel, pi []float64, more func() bool) (interval, error) {
	y, err := x.newSweep(kernel, make([]interval, len(x.costs)))
	if err != nil {
		return zero, err
	}
	if kernel != nil {
		if err := x.leaving(kernel, pi); err != nil {
			return zero, err
		}
	}
	y.clock = true
	w, err := y.find(pi, nil, more)
	if err != nil {
		return zero, err
	}
	for _, t := range w {
		if !zero.AtMost(enclosure.Point(t)) {
			return zero, errEndless{}
		}
	}
	e, _, err := y.residuals(pi, w, more)
	if err != nil {
		return zero, err
	}
	late := enclosure.Point(e.Hi()).Max(zero)
	if !late.Less(enclosure.Point(.5)) {
		return zero, errEndless{}
	}
	return y.startOf(w).Div(one.Sub(late)).Hull(zero), nil
}

// leaving fails where the policy may go on for ever under the kernel.
func (x *image) leaving(kernel *model.Kernel, pi []float64) error {
	to := func(i int) (list []int) {
		next, prob := kernel.Row(i)
		for j, s := range next {
			if enclosure.Point(prob[j]) != zero {
				list = append(list, s)
			}
		}
		return list
	}
	from := make([][]int32, x.S)
	reached, able := make([]bool, x.S), make([]bool, x.S)
	var queue []int
	walk := func(marked []bool, on func(s int, come func(t int))) {
		come := func(t int) {
			if !marked[t] {
				marked[t], queue = true, append(queue, t)
			}
		}
		for k := 0; k < len(queue); k++ {
			on(queue[k], come)
		}
		queue = queue[:0]
	}
	for s, p := range x.mu {
		if p != zero {
			reached[s], queue = true, append(queue, s)
		}
	}
	walk(reached, func(s int, come func(t int)) {
		for i := x.Off[s]; i < x.Off[s+1] && !x.p.Ends(s); i++ {
			if enclosure.Point(pi[i]) != zero {
				for _, t := range to(i) {
					from[t] = append(from[t], int32(s))
					come(t)
				}
			}
		}
	})
	for s := range able {
		if x.p.Ends(s) {
			able[s], queue = true, append(queue, s)
		}
	}
	walk(able, func(s int, come func(t int)) {
		for _, t := range from[s] {
			come(int(t))
		}
	})
	for i, s := range x.State {
		if reached[s] && !able[s] && enclosure.Point(pi[i]) != zero {
			return errEndless{fmt.Sprintf(" from state %q, by action %q", x.p.States[s], x.p.Actions[x.Act[i]])}
		}
	}
	return nil
}

// settled is an error where a pair that may be taken has a residual below 0. It tells for how many the
// nominal row did not suffice. Pairs that fail under the nominal row may be avoided where no policy surely
// ends: of the others, whose rows are worse ones, it is taken that they may lead anywhere and need not.
func (y *sweep) settled(v []float64, more func() bool) (searched int, err error) {
	y.begin(v)
	var bad []int
	worse := make([]bool, y.Pairs())
	for i := range y.State {
		if i%4096 == 0 && !more() {
			return 0, ErrLeft
		}
		if y.instance.ends(i) {
			if !zero.AtMost(y.stopped(i)) {
				bad = append(bad, i)
			}
			continue
		}
		if err := y.turn(i); err != nil {
			return 0, err
		}
		c := y.flat(i)
		if zero.AtMost(y.residual(y.rows.nominal(), c)) {
			continue
		}
		searched++
		y.ask()
		if worse[i] = true; !zero.AtMost(y.residual(y.rows.below(), c)) {
			bad = append(bad, i)
			worse[i] = y.rows.ends
		}
	}
	if len(bad) == 0 {
		return searched, nil
	}
	to := make([][]int, y.Pairs())
	for i := range to {
		next, prob := y.rows.given.Row(i)
		for j, s := range next {
			if worse[i] || enclosure.Point(prob[j]) != zero {
				to[i] = append(to[i], s)
			}
		}
		if worse[i] && (y.rows.open || y.rows.dense) {
			to[i] = nil // anywhere
		}
	}
	x := y.surelyBut(to, worse)
	for _, i := range bad {
		s := y.State[i]
		if _, all := leads(to[i], x); x[s] && (all || worse[i]) {
			return searched, fmt.Errorf("the value of state %q is above what %s comes to, and at discount 1 nothing makes up for that", y.p.States[s], y.pairName(i))
		}
	}
	for s, p := range y.mu {
		if p != zero && !x[s] {
			return searched, fmt.Errorf("no policy surely ends from state %q", y.p.States[s])
		}
	}
	return searched, nil
}
