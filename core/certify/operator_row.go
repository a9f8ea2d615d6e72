package certify

import (
	"math/big"
	"slices"

	"rcmdplab/core/certify/enclosure"
	"rcmdplab/core/certify/guess"
)

// vertex is the maximum of ⟨p, z⟩ over a polytope, exact, and the successors of
// the vertex: mass goes greedily in the order of z, which is decided exactly. The numbers of the row
// are whole ones over a denominator.
func (o *operator) vertex(i int) (best enclosure.Fraction, to []int) {
	sup := o.x.support[i]
	z := o.facing(i, sup)
	order := make([]int, len(sup))
	for j := range order {
		order[j] = j
	}
	slices.SortStableFunc(order, func(a, b int) int { return z[a].Cmp(z[b]) })
	var p []*big.Int
	var den *big.Int
	if o.x.family == ball {
		p, den = o.transported(i, order)
	} else {
		p, den = o.filled(i, order)
	}
	o.last = o.last[:0]
	for j, q := range p {
		if q.Sign() != 0 {
			to = append(to, sup[j])
			o.last = append(o.last, enclosure.Ratio(q, den))
		}
	}
	return o.mean(p, z, den), to
}

// transported is the nominal row with mass moved from the cheapest to the dearest, as far as the ball
// goes: half of Σ|p-q|.
func (o *operator) transported(i int, order []int) (p []*big.Int, den *big.Int) {
	q, radius := &o.in.nominal[i], o.in.radius[i]
	by := radius.Denom()
	if o.x.share == 1 {
		by = new(big.Int).Lsh(by, 1)
	}
	p = q.times(by, o.x.support[i])
	left, top := new(big.Int).Mul(radius.Num(), q.den), order[len(order)-1]
	for _, j := range order[:len(order)-1] {
		move := p[j]
		if move.Cmp(left) > 0 {
			move = left
		}
		move = new(big.Int).Set(move)
		p[j].Sub(p[j], move)
		p[top].Add(p[top], move)
		left.Sub(left, move)
	}
	return p, new(big.Int).Mul(q.den, by)
}

// filled is the row between its ends with what the lower ones leave of 1 on the dearest first.
func (o *operator) filled(i int, order []int) (p []*big.Int, den *big.Int) {
	p, high, den := o.x.ranges(i, o.x.support[i])
	left := new(big.Int).Set(den)
	for _, x := range p {
		left.Sub(left, x)
	}
	for _, j := range slices.Backward(order) {
		move := new(big.Int).Sub(high[j], p[j])
		if move.Cmp(left) > 0 {
			move.Set(left)
		}
		p[j].Add(p[j], move)
		left.Sub(left, move)
	}
	return p, den
}

// asked turns the rows in intervals to pair i of a curved set, to face how far each z is below the largest, top, which keeps its digits;
// and has a row near nature's best, where its dual needs one or it is wanted.
func (o *operator) asked(i int, wanted bool) (r *rowset, top *big.Int) {
	if o.floats == nil {
		x := o.in.image()
		o.floats = x.newRowset(nil, enclosure.Around(o.weight), true)
		weight := enclosure.Nearest(new(big.Rat).Mul(o.weight, o.in.gamma))
		o.floats.set = x.guesser(enclosure.Point(weight))
	}
	r = o.floats
	r.load(i)
	z := o.facing(i, r.next)
	top = slices.MaxFunc(z, (*big.Int).Cmp)
	y, d := make([]interval, len(z)), new(big.Int)
	for j := range z {
		y[j] = enclosure.Quotient(d.Sub(z[j], top), o.zden)
	}
	of := func(s int) interval {
		j, _ := slices.BinarySearch(r.next, s)
		return y[j]
	}
	r.faceCosts(of)
	if wanted || r.family != priced {
		r.answer(i, of)
		r.p = guess.Spread(r.p[:0], r.next, r.asked, r.found)
	}
	return r, top
}

// member is ⟨p, z⟩ less the price of p for a row p of a curved set near the
// worst one, drawn towards the nominal row until it is proved to be a member.
func (o *operator) member(i int) (q enclosure.Fraction, to []int) {
	in := o.in
	nature, _ := o.asked(i, true)
	near, mixed := make([]float64, in.S), make([]float64, in.S)
	for j, s := range in.nominal[i].next {
		near[s] = in.nominal[i].near[j]
	}
	for _, t := range [...]float64{0, 1e-15, 1e-14, 1e-13, 1e-12, 1e-11, 1e-10, 1e-9, 1e-7, 1e-5, 1} {
		clear(mixed)
		guess.Mix(mixed, nature.p, near, t, nature.next)
		r, kl, outside := o.x.member(i, mixed)
		if outside != nil {
			continue
		}
		q = o.mean(r.num, o.facing(i, r.next), r.den)
		to, o.last = r.positive(o.last[:0])
		if kl != zero {
			pay := new(big.Rat).SetFloat64(kl.Hi())
			pay.Mul(pay.Mul(pay, in.gamma), in.priceAt(i))
			pay.Mul(pay, o.weight)
			q.Add(-1, enclosure.Frac(new(big.Int).Mul(pay.Num(), o.zden), pay.Denom()))
		}
		return q, to
	}
	panic(refusal("no row of %s is recognised as a member of the set", in.pairName(i)))
}

// dual bounds nature's maximum over a curved set from above, by a weak dual of its
// problem, see rowset.above.
func (o *operator) dual(i int) (q enclosure.Fraction) {
	r, top := o.asked(i, false)
	q = enclosure.Frac(new(big.Int).Add(top, o.own), big.NewInt(1))
	if b := r.above(nil); b.Sign() < 0 {
		less := new(big.Rat).SetFloat64(b.Hi())
		q.Add(1, enclosure.Frac(new(big.Int).Mul(less.Num(), o.zden), less.Denom()))
	}
	return q
}
