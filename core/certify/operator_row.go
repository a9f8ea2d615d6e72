package certify

import (
	"fmt"
	"math/big"
	"slices"

	"rcmdplab/core/certify/enclosure"
	"rcmdplab/core/certify/guess"
	"rcmdplab/core/uncertainty"
)

// vertex is the maximum of ⟨p, z⟩ over a polytope, exact, and the successors of
// the vertex: fill up greedily in the order of z, which is decided exactly. The numbers of the row
// are whole ones over a denominator.
func (o *operator) vertex(i int) (best enclosure.Fraction, to []int) {
	in, x := o.in, o.x
	sup := x.support[i]
	z := o.facing(i, sup)
	den := new(big.Int)
	p, room := make([]*big.Int, len(sup)), make([]*big.Int, len(sup)) // the vertex, and how far an entry may rise
	order := make([]int, len(sup))
	scaled := func(r *row, s int, by *big.Int) *big.Int {
		if j, ok := slices.BinarySearch(r.next, s); ok {
			return new(big.Int).Mul(r.num[j], by)
		}
		return new(big.Int)
	}
	radius := new(big.Int) // over den
	if x.ends {
		low, high := &in.lower[i], &in.upper[i]
		den.Mul(low.den, high.den)
		for j, s := range sup {
			p[j], room[j] = scaled(low, s, high.den), scaled(high, s, low.den)
			room[j].Sub(room[j], p[j])
		}
	} else {
		r := &in.nominal[i]
		by := in.radius[i].Denom()
		if x.family == ball && x.share == 1 { // half of Σ|p-q| is moved
			by = new(big.Int).Lsh(by, 1)
		}
		den.Mul(r.den, by)
		radius.Mul(in.radius[i].Num(), r.den)
		for j, s := range sup {
			p[j] = scaled(r, s, by)
		}
	}
	for j := range order {
		order[j] = j
	}
	slices.SortStableFunc(order, func(a, b int) int { return z[a].Cmp(z[b]) })
	top := order[len(order)-1]
	switch x.family {
	case ball: // from the cheapest to the dearest, as far as the ball goes
		for _, j := range order[:len(order)-1] {
			move := p[j]
			if move.Cmp(radius) > 0 {
				move = radius
			}
			move = new(big.Int).Set(move)
			p[j].Sub(p[j], move)
			p[top].Add(p[top], move)
			radius.Sub(radius, move)
		}
	case mixture: // (1-R) q, and R on the dearest
		keep := new(big.Int).Sub(in.radius[i].Denom(), in.radius[i].Num())
		for j, s := range sup {
			p[j] = scaled(&in.nominal[i], s, keep)
		}
		p[top].Add(p[top], radius)
	default: // between two ends: the dearest first
		left := new(big.Int).Set(den)
		for j := range p {
			if x.around() {
				high := new(big.Int).Add(p[j], radius)
				if high.Cmp(den) > 0 {
					high.Set(den)
				}
				if p[j].Sub(p[j], radius); p[j].Sign() < 0 {
					p[j].SetInt64(0)
				}
				room[j] = high.Sub(high, p[j])
			}
			left.Sub(left, p[j])
		}
		for _, j := range slices.Backward(order) {
			move := room[j]
			if move.Cmp(left) > 0 {
				move = left
			}
			p[j].Add(p[j], move)
			left = new(big.Int).Sub(left, move)
		}
	}
	o.last = o.last[:0]
	for j, q := range p {
		if q.Sign() != 0 {
			to = append(to, sup[j])
			o.last = append(o.last, enclosure.Ratio(q, den))
		}
	}
	return over(p, z, den), to
}

// member is ⟨p, z⟩ less the price of p for a row p of a curved set near the
// worst one, drawn towards the nominal row until it is proved to be a member.
func (o *operator) member(i int) (q enclosure.Fraction, to []int, err error) {
	in, x := o.in, o.x
	sup := x.support[i]
	z := o.facing(i, sup)
	if o.search == nil {
		if o.search, err = uncertainty.NewWeighted(in.standard(), enclosure.Nearest(new(big.Rat).Mul(o.weight, in.gamma))); err != nil {
			return q, nil, err
		}
		o.row, o.mixed, o.near = make([]float64, in.S), make([]float64, in.S), make([]float64, in.S)
	}
	// The search sees the distances from the largest z, which keep their digits.
	o.fall(z)
	o.search.Answer(o.row[:len(sup)], i, o.sight)
	clear(o.near)
	for j, s := range in.nominal[i].next {
		o.near[s] = in.nominal[i].near[j]
	}
	for _, t := range [...]float64{0, 1e-15, 1e-14, 1e-13, 1e-12, 1e-11, 1e-10, 1e-9, 1e-7, 1e-5, 1} {
		clear(o.mixed)
		guess.Mix(o.mixed, o.row, o.near, t, sup)
		r, kl, err := x.member(i, o.mixed)
		if err != nil {
			continue
		}
		q = over(r.num, o.facing(i, r.next), r.den)
		o.last = o.last[:0]
		for j, s := range r.next {
			if r.num[j].Sign() > 0 {
				to = append(to, s)
				o.last = append(o.last, r.near[j])
			}
		}
		if kl != zero {
			pay := new(big.Rat).SetFloat64(kl.Hi())
			pay.Mul(pay.Mul(pay, in.gamma), in.temperature)
			pay.Mul(pay, o.weight)
			q.Add(-1, enclosure.Frac(new(big.Int).Mul(pay.Num(), o.zden), pay.Denom()))
		}
		return q, to, nil
	}
	return q, nil, fmt.Errorf("no row of %s is recognised as a member of the set", in.pairName(i))
}

// fall finds how far each z is below the largest, and the place of that.
func (o *operator) fall(z []*big.Int) (top int) {
	for j := range z {
		if z[j].Cmp(z[top]) > 0 {
			top = j
		}
	}
	o.y, o.sight = o.y[:0], o.sight[:0]
	d := new(big.Int)
	for j := range z {
		y := enclosure.Quotient(d.Sub(z[j], z[top]), o.zden)
		o.y, o.sight = append(o.y, y), append(o.sight, y.Hi())
	}
	return top
}

// dual bounds nature's maximum over a curved set from above, by a weak dual of its
// problem, see rowset.above.
func (o *operator) dual(i int) (q enclosure.Fraction, err error) {
	if o.floats == nil {
		x, err := o.in.image()
		if err != nil {
			return q, err
		}
		if o.floats, err = x.newRowset(nil, enclosure.Around(o.weight), true); err != nil {
			return q, err
		}
	}
	r := o.floats
	if err := r.load(i); err != nil {
		return q, err
	}
	z := o.facing(i, o.x.support[i])
	top, next := o.fall(z), r.next
	of := func(s int) interval {
		j, _ := slices.BinarySearch(next, s)
		return o.y[j]
	}
	r.faceCosts(of)
	r.ask(i, nil, of)
	q = enclosure.Frac(new(big.Int).Set(z[top]), big.NewInt(1))
	if b := r.above(nil); b.Sign() < 0 {
		less := new(big.Rat).SetFloat64(b.Hi())
		q.Add(1, enclosure.Frac(new(big.Int).Mul(less.Num(), o.zden), less.Denom()))
	}
	return q, nil
}
