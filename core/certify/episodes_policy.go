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
	into := func(i int, visit func(s int)) {
		if in.ends(i) {
			return
		}
		for j, s := range rows[i].next {
			if rows[i].num[j].Sign() > 0 {
				visit(s)
			}
		}
	}
	reached, queue := make([]bool, in.S), []int(nil)
	come := func(s int) {
		if !reached[s] {
			reached[s], queue = true, append(queue, s)
		}
	}
	for j, s := range in.mu.next {
		if in.mu.num[j].Sign() > 0 {
			come(s)
		}
	}
	for k := 0; k < len(queue); k++ {
		for i := in.Off[queue[k]]; i < in.Off[queue[k]+1]; i++ {
			if grid[i] > 0 {
				into(i, come)
			}
		}
	}
	able := make([]bool, in.S)
	for s := range able {
		able[s] = in.p.Ends(s)
	}
	for more := true; more; {
		more = false
		for i, s := range in.State {
			if able[s] || grid[i] == 0 {
				continue
			}
			into(i, func(t int) {
				if able[t] {
					able[s], more = true, true
				}
			})
		}
	}
	for i, s := range in.State {
		if reached[s] && !able[s] && grid[i] > 0 {
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
