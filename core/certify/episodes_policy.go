package certify

import (
	"errors"
	"fmt"
	"math/big"

	"rcmdplab/core/certify/enclosure"
	"rcmdplab/core/certify/guess"
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

// episodes encloses the worst-case returns of a policy on the grid at discount 1.
func (in *instance) episodes(grid []int64, more func() bool) ([]span, error) {
	ranges, each := make([]span, len(in.costs)), make([][]span, len(in.costs))
	for k := range max(1, len(in.kernels)) {
		if in.kernels != nil {
			if err := in.ending(in.kernels[k], grid); err != nil {
				return nil, err
			}
		}
		o, err := in.clock(k)
		if err != nil {
			return nil, err
		}
		steps, err := o.duration(grid, more)
		if err != nil {
			return nil, err
		}
		for n := range ranges {
			s, err := in.returned(grid, n, k, steps, more)
			if err != nil {
				return nil, err
			}
			each[n] = append(each[n], s)
		}
	}
	for n := range ranges {
		ranges[n] = in.averageSpan(n, each[n])
	}
	return ranges, nil
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

// turns are the most rounds of nature's answers to the values of a policy.
const turns = 60

// newtons finds values of the policy, from 0 on, as long as what look is told of them falls: least and most
// of T^π V - V.
func (o *operator) newtons(grid []int64, look func(least, most *big.Rat), more func() bool) error {
	in := o.in
	f := guess.NewNewton(make([]float64, in.S), nil, 1)
	var last *big.Rat // the least width so far
	failed, four := 0, big.NewRat(4, 1)
	for range turns {
		f.Begin()
		if !finiteAll(f.V, f.Low) {
			return errEndless{}
		}
		o.face(dyadic(f.V, f.Low))
		least, most, err := o.residuals(grid, f.Far, f.Choice, more)
		if err != nil {
			return err
		}
		width := new(big.Rat).Sub(most, least)
		if most.Sign() < 0 || least.Sign() > 0 {
			width.Add(width, big.NewRat(1, 1)) // it has not begun
		}
		done := most.Sign() == 0 && least.Sign() == 0
		if look(least, most); done {
			return nil
		}
		if last != nil && new(big.Rat).Mul(width, four).Cmp(last) >= 0 {
			if failed++; failed > 3 {
				return nil
			}
		} else {
			last, failed = width, 0
		}
		f.Step(0)
	}
	return nil
}

// duration is at least the expected number of steps of the policy, ends counted, under every kernel.
func (o *operator) duration(grid []int64, more func() bool) (best *big.Rat, err error) {
	half := big.NewRat(1, 2)
	err = o.newtons(grid, func(_, most *big.Rat) {
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

// returned encloses the return of cost n of a policy that takes at most so many steps.
func (in *instance) returned(grid []int64, n, kernel int, steps *big.Rat, more func() bool) (best span, err error) {
	w := make([]*big.Rat, len(in.costs))
	for k := range w {
		w[k] = new(big.Rat)
	}
	w[n].SetInt64(1)
	o, err := in.newOperator(w, kernel)
	if err != nil {
		return best, err
	}
	err = o.newtons(grid, func(least, most *big.Rat) {
		lo, hi := o.start(), o.start()
		if least.Sign() < 0 {
			lo.Add(lo, least.Mul(least, steps))
		}
		if most.Sign() > 0 {
			hi.Add(hi, most.Mul(most, steps))
		}
		best.within(lo, hi)
	}, more)
	if err == nil && best.lo == nil {
		err = errors.New("its return was not enclosed")
	}
	return best, err
}

// within takes in a range that holds the return.
func (b *span) within(lo, hi *big.Rat) {
	if b.lo == nil || lo.Cmp(b.lo) > 0 {
		b.lo = lo
	}
	if b.hi == nil || hi.Cmp(b.hi) < 0 {
		b.hi = hi
	}
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
