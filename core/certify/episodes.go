package certify

import (
	"errors"
	"fmt"
	"math/big"

	"rcmdplab/core/certify/enclosure"
	"rcmdplab/core/certify/guess"
)

// Proofs about whole episodes, discount 1 to the end states E. A policy counts when it ends
// surely, from every state that it starts in, under every kernel of the set. Rows lead nowhere
// from an end, so that its residual is c(s) - V(s).
//
// A policy. For w >= 0 with w >= 1 + Σ_a π(a|s) sup_p ⟨p, w⟩ off the ends and w >= 1 there, in the states
// that π can reach, π ends surely and takes no longer than w under any kernel: w >= Σ_{t<n} Q^t 1 for all
// n. With e = T^π V - V over these states
//
//	⟨μ, V⟩ + min(0, e) ⟨μ, w⟩ <= J <= ⟨μ, V⟩ + max(0, e) ⟨μ, w⟩,
//
// as J_P - V = (I - Q)⁻¹(c_P + Q V - V) for every kernel P. w is found as V is, for the cost 1; where
// T w - w <= r < 1 with that cost, w/(1-r) does. For a finite set each kernel has its own V and w.
//
// All policies. For rows P that nature may use, and any V with
//
//	V(s) <= c_λ(s,a) + ⟨P(s,a), V⟩  for all pairs that may be taken,  V(s) <= c_λ(s) at the ends,
//
// every policy that ends surely has J_{c_λ} >= ⟨μ, V⟩: iterate, and Q^n V goes to 0 as it ends under P.
// Pairs that may be taken are those from which P cannot lead to where no policy ends surely under P.
// There is no horizon in it, and nothing makes up for a residual below 0, however small.

// errEndless is why a policy does not count.
type errEndless struct{ where string }

func (e errEndless) Error() string {
	return "it may go on for ever" + e.where + ": at discount 1 a policy counts only if it surely reaches an end, whatever nature does"
}

// stopped is the residual of an end state, c(s) - V(s), over zden.
func (o *operator) stopped(i int) enclosure.Fraction {
	o.facing(i, nil)
	q := new(big.Int).Set(o.own)
	if o.onward != nil {
		q.Add(q, new(big.Int).Mul(o.onward[i*o.in.S+o.in.State[i]], o.unit))
	}
	return enclosure.Frac(q, big.NewInt(1))
}

// ends reports whether the pair is of an end state of episodes.
func (in *instance) ends(i int) bool { return in.total && in.p.Ends(in.State[i]) }

// leads reports what of a list of successors is marked: any, and all.
func leads(to []int, marked []bool) (some, all bool) {
	all = true
	for _, s := range to {
		some, all = some || marked[s], all && marked[s]
	}
	return some, all
}

// surely marks the states from which some policy that takes pairs with the given successors ends
// surely: the greatest X from which ways lead to an end without a step that may leave X.
func (in *instance) surely(to [][]int) []bool { return in.surelyBut(to, make([]bool, len(to))) }

// surelyBut is surely, or more, where pairs may be vague: what they lead to is listed, or is anything
// where nothing is, and any of it may be missing.
func (in *instance) surelyBut(to [][]int, vague []bool) []bool {
	x := make([]bool, in.S)
	for s := range x {
		x[s] = true
	}
	for {
		y := make([]bool, in.S)
		for s := range y {
			y[s] = in.p.Ends(s)
		}
		for more, back := true, false; more; back = !back {
			more = false
			for k := range in.State {
				i := k
				if back {
					i = len(in.State) - 1 - k
				}
				s := in.State[i]
				if y[s] || !x[s] {
					continue
				}
				some, _ := leads(to[i], y)
				_, all := leads(to[i], x)
				if vague[i] {
					some, all = some || len(to[i]) == 0, true
				}
				if some && all {
					y[s], more = true, true
				}
			}
		}
		same := true
		for s := range x {
			same = same && x[s] == y[s]
		}
		if x = y; same {
			return x
		}
	}
}

// settled is an error where a pair that may be taken has a residual below 0.
func (o *operator) settled(more func() bool) error {
	in := o.in
	q, to := make([]enclosure.Fraction, in.Pairs()), make([][]int, in.Pairs())
	for i := range in.Pairs() {
		if !more() {
			return ErrLeft
		}
		var err error
		if q[i], to[i], err = o.below(i); err != nil {
			return err
		}
	}
	x := in.surely(to)
	seen, queue := make([]bool, in.S), []int(nil)
	for j, s := range in.mu.next {
		if in.mu.num[j].Sign() > 0 {
			if !x[s] {
				return fmt.Errorf("no policy surely ends from state %q", in.p.States[s])
			}
			seen[s], queue = true, append(queue, s)
		}
	}
	for k := 0; k < len(queue); k++ {
		s := queue[k]
		for i := in.Off[s]; i < in.Off[s+1]; i++ {
			if _, all := leads(to[i], x); !all {
				continue
			}
			if r := q[i].Over(o.zden).Rat(); r.Sign() < 0 {
				return fmt.Errorf("the value of state %q is %.3g above what %s comes to, and at discount 1 nothing makes up for that", in.p.States[s], -enclosure.Nearest(r), in.pairName(i))
			}
			for _, t := range to[i] {
				if !seen[t] {
					seen[t], queue = true, append(queue, t)
				}
			}
		}
	}
	return nil
}

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
	ranges := make([]span, len(in.costs))
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
			if r := &ranges[n]; k == 0 {
				*r = s
			} else {
				if s.lo.Cmp(r.lo) > 0 {
					r.lo = s.lo
				}
				if s.hi.Cmp(r.hi) > 0 {
					r.hi = s.hi
				}
			}
		}
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
