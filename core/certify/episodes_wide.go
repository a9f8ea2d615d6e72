package certify

import (
	"fmt"

	"rcmdplab/core/certify/enclosure"
)

// Proofs about episodes of large models, see episodes.go, in numbers rounded outwards.

// paid is the weighted cost of an end state.
func (y *sweep) paid(i int) interval {
	y.pair = i
	return y.flat(i).Add(y.after(y.State[i]))
}

// stopped is the residual of an end state.
func (y *sweep) stopped(i int) interval { return y.paid(i).Sub(enclosure.Point(y.v[y.State[i]])) }

// upheld is an error where a pair that may be taken has a residual below 0. It tells for how many the
// nominal row did not suffice. Pairs that fail under the nominal row may be avoided where no policy surely
// ends: of the others, whose rows are worse ones, it is taken that they may lead anywhere and need not.
func (y *sweep) upheld(v []float64, more func() bool) (searched int, err error) {
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
