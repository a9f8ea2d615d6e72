package certify

import (
	"fmt"
	"math/big"

	"rcmdplab/core/certify/enclosure"
	"rcmdplab/core/model"
)

// clock is the operator of the time until the end, 1 a step and 1 at the end.
func (in *instance) clock(kernel int) (*operator, error) {
	none := make([]*big.Rat, len(in.costs))
	for n := range none {
		none[n] = new(big.Rat)
	}
	o, err := in.newOperator(none, kernel)
	if err != nil {
		return nil, err
	}
	for range in.Pairs() {
		o.flat = append(o.flat, big.NewInt(1))
	}
	return o, nil
}

// lasts is at least the expected number of steps of a policy on the grid at discount 1, see duration.
func (in *instance) lasts(grid []int64, kernel int, more func() bool) (*big.Rat, error) {
	if in.kernels != nil {
		if err := in.ending(in.kernels[kernel], grid); err != nil {
			return nil, err
		}
	}
	o, err := in.clock(kernel)
	if err != nil {
		return nil, err
	}
	return o.duration(grid, more)
}

// ending fails where the policy may go on for ever under the rows.
func (in *instance) ending(rows []row, grid []int64) error {
	return in.leaving(func(i int) bool { return grid[i] > 0 }, func(i int) (to []int) {
		to, _ = rows[i].positive(nil)
		return to
	})
}

// leaving fails where a policy that takes some pairs, each of which leads to a list, may go on for ever from
// a state that it may reach: where it cannot reach an end any more.
func (in *instance) leaving(taken func(i int) bool, to func(i int) []int) error {
	back := make([][]int, in.S) // from where the policy comes to a state
	reached, able := in.from(in.starts()...), in.from()
	for s := range reached.states {
		for i := in.Off[s]; i < in.Off[s+1] && !in.p.Ends(s); i++ {
			if taken(i) {
				for _, t := range to(i) {
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
			return errEndless{fmt.Sprintf(" from state %q, by action %q", in.p.States[s], in.p.Actions[in.Act[i]])}
		}
	}
	return nil
}

// duration is at least the expected number of steps of the policy, ends counted, under every kernel.
func (o *operator) duration(grid []int64, more func() bool) (best *big.Rat, err error) {
	half := big.NewRat(1, 2)
	err = o.newtons(grid, make([]float64, o.in.S), func(_, most *big.Rat) {
		for _, x := range o.v.num {
			if x.Sign() < 0 {
				return
			}
		}
		if most.Cmp(half) > 0 {
			return
		}
		w := o.start()
		if most.Sign() > 0 {
			w.Quo(w, most.Sub(big.NewRat(1, 1), most))
		}
		if best == nil || w.Cmp(best) < 0 {
			best = w
		}
	}, more)
	if err == nil && best == nil {
		err = errEndless{}
	}
	return best, err
}

// duration goes from 0 to the expected number of steps of the policy, ends counted, under the kernel or
// any of the set; it fails where it is not proved that it surely ends.
func (x *image) duration(kernel *model.Kernel, pi []float64, more func() bool) (interval, error) {
	y, err := x.newSweep(kernel, make([]interval, len(x.costs)))
	if err != nil {
		return zero, err
	}
	if kernel != nil {
		if err := x.ending(kernel, pi); err != nil {
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

// ending is instance.ending of a large model.
func (x *image) ending(kernel *model.Kernel, pi []float64) error {
	return x.leaving(func(i int) bool { return enclosure.Point(pi[i]) != zero }, func(i int) (to []int) {
		next, prob := kernel.Row(i)
		for j, s := range next {
			if enclosure.Point(prob[j]) != zero {
				to = append(to, s)
			}
		}
		return to
	})
}
