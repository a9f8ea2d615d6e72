package certify

import "rcmdplab/core/certify/enclosure"

// Proofs about episodes of large models, see episodes.go, in numbers rounded outwards.

// paid is the weighted cost of an end state.
func (y *sweep) paid(i int) interval {
	y.pair = i
	return y.flat(i).Add(y.after(y.State[i]))
}

// stopped is the residual of an end state.
func (y *sweep) stopped(i int) interval { return y.paid(i).Sub(enclosure.Point(y.v[y.State[i]])) }

// upheld is that of values in intervals. It tells for how many pairs the nominal row did not suffice. Those that fail under the
// nominal row may be avoided where no policy surely ends: of the others, whose rows are worse ones, it is taken that they may
// lead anywhere and need not.
func (y *sweep) upheld(v []float64, more func() bool) (searched int) {
	y.begin(v)
	y.instance.upheld(y.closed, func(i int) (below bool, to []int, vague bool) {
		onwards(i%4096 == 0, more)
		if y.instance.ends(i) {
			return !zero.AtMost(y.stopped(i)), nil, false
		}
		y.turn(i)
		c := y.flat(i)
		if below = !zero.AtMost(y.residual(y.rows.nominal(), c)); below {
			searched++
			y.ask()
			below = !zero.AtMost(y.residual(y.rows.below(), c))
			vague = !below
		}
		to, vague = y.rows.leads(i, vague)
		return below, to, vague
	})
	return searched
}

// leads is to where the nominal row of pair i leads, or of a set of ranges a row between them that leads to all that it can: where
// it is not sure what that is, or where another row is meant, it is vague, as for surelyBut.
func (r *rowset) leads(i int, another bool) (to []int, vague bool) {
	if another && (r.open || r.dense) {
		return nil, true
	}
	next, prob := r.given.Row(i)
	vague = another || r.ends && r.vague
	for j, s := range next {
		if vague || enclosure.Point(prob[j]) != zero {
			to = append(to, s)
		}
	}
	return to, vague
}
