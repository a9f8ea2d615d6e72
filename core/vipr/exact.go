package vipr

import (
	"fmt"
	"math/big"
	"slices"
	"strconv"

	"rcmdplab/core/model"
)

// row is a list of successors with their probabilities.
type row struct {
	next []int      // states, ascending
	prob []*big.Rat // of each
}

// decimal is a number of the document as it was written: the shortest decimal that reads back as the same float64.
func decimal(x float64) *big.Rat {
	r, ok := new(big.Rat).SetString(strconv.FormatFloat(x, 'g', -1, 64))
	if !ok {
		panic("vipr: a number of the document is not finite")
	}
	return r
}

// binary is a number of the certificate, the fraction that its bits are.
func binary(x float64) *big.Rat { return new(big.Rat).SetFloat64(x) }

// plain is a list of probabilities as written.
func plain(next []int, prob []float64) row {
	r := row{next: next}
	for _, x := range prob {
		r.prob = append(r.prob, decimal(x))
	}
	return r
}

func (r *row) sum() *big.Rat {
	sum := new(big.Rat)
	for _, x := range r.prob {
		sum.Add(sum, x)
	}
	return sum
}

// at is the probability of a successor, 0 where it is not listed.
func (r *row) at(s int) *big.Rat {
	if j, ok := slices.BinarySearch(r.next, s); ok {
		return r.prob[j]
	}
	return new(big.Rat)
}

// normalised is plain divided by its sum, as the format says.
func normalised(next []int, prob []float64) row {
	r := plain(next, prob)
	sum := r.sum()
	for _, x := range r.prob {
		x.Quo(x, sum)
	}
	return r
}

// end is one end of an interval; where it leaves no room because of rounding, the first of its largest entries
// gets it, as the format says. side is -1 for lower ends, whose sum is 1 at most, and 1 for upper ends.
func end(next []int, prob []float64, side int) row {
	r := plain(next, prob)
	miss := new(big.Rat).Sub(big.NewRat(1, 1), r.sum())
	if len(prob) > 0 && miss.Sign() == side {
		k := 0
		for j, x := range prob {
			if x > prob[k] {
				k = j
			}
		}
		r.prob[k].Add(r.prob[k], miss)
	}
	return r
}

// nature picks rows.
type nature struct{ g *program }

// expected is the one-step cost k of pair i under a row, in the internal convention: minimised.
func (l nature) expected(k, i int, r *row) *big.Rat {
	sum, t := new(big.Rat), new(big.Rat)
	for j, s := range r.next {
		sum.Add(sum, t.Mul(r.prob[j], l.cost(k, i, s)))
	}
	return sum
}

// cost is what pair i costs when s comes next.
func (l nature) cost(k, i, s int) *big.Rat {
	p := l.g.p
	c, flip := &p.Objective, p.Maximize
	if k > 0 {
		c, flip = &p.Constraints[k-1].Cost, p.Constraints[k-1].AtLeast
	}
	at := p.Layout.State[i]*p.Layout.A + p.Layout.Act[i]
	x := new(big.Rat)
	if here := p.Layout.State[i]; p.Ends(here) { // paid once in all, which is 1-γ of it in each of the steps that follow
		x = decimal(p.EndCost(c, here))
		x.Mul(x, new(big.Rat).Sub(big.NewRat(1, 1), l.g.gamma))
	} else if c.Next != nil {
		x = decimal(c.Next[at*p.Layout.S+s])
	} else {
		x = decimal(c.Values[at])
	}
	if flip {
		x.Neg(x)
	}
	return x
}

// row is P at pair i: of a finite set the kernel's, of another the member at which the weighted cost with γV is largest,
// which is found greedily, from the dearest successor to the cheapest.
func (l nature) row(i int) (row, error) {
	g := l.g
	if kernels := g.p.Uncertainty.Kernels; kernels != nil {
		next, prob := kernels[g.c.Values.Kernel].Row(i)
		return normalised(next, prob), nil
	}
	low, high, room := l.ends(i)
	z := make([]*big.Rat, len(low.next))
	t := new(big.Rat)
	order := make([]int, len(z))
	for j, s := range low.next {
		order[j] = j
		z[j] = new(big.Rat).Mul(g.weight, l.cost(0, i, s))
		for n, price := range g.prices {
			z[j].Add(z[j], t.Mul(price, l.cost(n+1, i, s)))
		}
		z[j].Add(z[j], t.Mul(g.gamma, g.v[s]))
	}
	slices.SortStableFunc(order, func(a, b int) int { return z[b].Cmp(z[a]) })
	if room != nil {
		moved(low, order, room)
		return low, nil
	}
	left := new(big.Rat).Sub(big.NewRat(1, 1), low.sum())
	for _, j := range order {
		more := new(big.Rat).Sub(high.at(low.next[j]), low.prob[j])
		if more.Cmp(left) > 0 {
			more.Set(left)
		}
		low.prob[j].Add(low.prob[j], more)
		left.Sub(left, more)
	}
	if left.Sign() != 0 {
		return row{}, fmt.Errorf("no row fits the set of action %q in state %q", g.p.Actions[g.p.Layout.Act[i]], g.p.States[g.p.Layout.State[i]])
	}
	return low, nil
}

// known reports whether what binds rows is known here: a list, two ends, or what is asked of the kind in ends.
func known(u *model.Uncertainty) bool {
	return u.Nominal == nil || u.Kind.Moves() > 0 || u.Kind.Share() || u.Kind.Each()
}

// ends is the set of pair i: least and largest probabilities by successor, ascending; or, where room is not nil, the
// nominal row of which as much may be moved. Where the radius R is a share, p >= (1-R) q, nothing is above q+R.
func (l nature) ends(i int) (low, high row, room *big.Rat) {
	p := l.g.p
	u := &p.Uncertainty
	if u.Lower != nil {
		next, prob := u.Upper.Row(i)
		high = end(next, prob, 1)
		next, prob = u.Lower.Row(i)
		below := end(next, prob, -1)
		for _, s := range high.next {
			low.next, low.prob = append(low.next, s), append(low.prob, new(big.Rat).Set(below.at(s)))
		}
		return low, high, nil
	}
	next, prob := u.Nominal.Row(i)
	q := normalised(next, prob)
	if u.SupportAll {
		all := row{}
		for s := range p.Layout.S {
			all.next, all.prob = append(all.next, s), append(all.prob, new(big.Rat).Set(q.at(s)))
		}
		q = all
	}
	radius := l.radius(i)
	if moves := u.Kind.Moves(); moves > 0 {
		return q, row{}, radius.Mul(radius, binary(moves))
	}
	one := big.NewRat(1, 1)
	for j, s := range q.next {
		down := new(big.Rat).Set(radius)
		if u.Kind.Share() {
			down.Mul(down, q.prob[j])
		}
		least, most := down.Sub(q.prob[j], down), new(big.Rat).Add(q.prob[j], radius)
		if least.Sign() < 0 {
			least.SetInt64(0)
		}
		if most.Cmp(one) > 0 {
			most = one
		}
		low.next, low.prob = append(low.next, s), append(low.prob, least)
		high.next, high.prob = append(high.next, s), append(high.prob, most)
	}
	return low, high, nil
}

// radius is that of pair i, one for all or one for each of the document's grid.
func (l nature) radius(i int) *big.Rat {
	r := l.g.p.Uncertainty.Radius
	if l.g.p.Ends(l.g.p.Layout.State[i]) { // outside the set
		return new(big.Rat)
	}
	if len(r) == 1 {
		return decimal(r[0])
	}
	return decimal(r[l.g.p.Layout.State[i]*l.g.p.Layout.A+l.g.p.Layout.Act[i]])
}

// moved takes as much as there is room for from the cheapest successors to the dearest, the first in order.
func moved(r row, order []int, room *big.Rat) {
	for k := len(order) - 1; k > 0; k-- {
		j := order[k]
		take := new(big.Rat).Set(r.prob[j])
		if take.Cmp(room) > 0 {
			take.Set(room)
		}
		r.prob[j].Sub(r.prob[j], take)
		r.prob[order[0]].Add(r.prob[order[0]], take)
		room.Sub(room, take)
	}
}
