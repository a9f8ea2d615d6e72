package certify

import (
	"fmt"
	"math/big"
	"slices"

	"rcmdplab/core/model"
	"rcmdplab/core/uncertainty"
)

// polytope reports whether the set is described by linear inequalities.
func (x *exactSet) polytope() bool {
	switch x.kind {
	case model.L1, model.TV, model.Contamination, model.LInf, model.Interval:
		return true
	}
	return false
}

// vertex is the maximum of ⟨p, z⟩ over a polytope, exact, and the successors of
// the vertex: fill up greedily in the order of z, which is decided exactly.
func (o *operator) vertex(i int) (best *big.Rat, to []int) {
	in, x := o.in, o.x
	sup := x.support[i]
	z := o.facing(i, sup)
	p := make([]*big.Rat, len(sup)) // the vertex
	order := make([]int, len(sup))
	for j, s := range sup {
		order[j] = j
		switch x.kind {
		case model.Interval:
			p[j] = in.lower[i].find(s)
		case model.LInf:
			p[j], _ = in.box(i, in.nominal[i].find(s))
		default:
			p[j] = in.nominal[i].find(s)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return z[a].Cmp(z[b]) })
	top := order[len(order)-1]
	one := big.NewRat(1, 1)
	switch x.kind {
	case model.L1, model.TV: // from the cheapest to the dearest, as far as the ball goes
		left := new(big.Rat).Set(in.radius[i])
		if x.kind == model.L1 {
			left.Mul(left, big.NewRat(1, 2))
		}
		if room := new(big.Rat).Sub(one, p[top]); left.Cmp(room) > 0 {
			left = room
		}
		for _, j := range order[:len(order)-1] {
			move := p[j]
			if move.Cmp(left) > 0 {
				move = left
			}
			p[j], p[top] = new(big.Rat).Sub(p[j], move), new(big.Rat).Add(p[top], move)
			left = new(big.Rat).Sub(left, move)
		}
	case model.Contamination:
		keep := new(big.Rat).Sub(one, in.radius[i])
		for j := range p {
			p[j] = new(big.Rat).Mul(keep, p[j])
		}
		p[top].Add(p[top], in.radius[i])
	default: // between two ends: the dearest first
		left := new(big.Rat).Set(one)
		for _, q := range p {
			left.Sub(left, q)
		}
		for _, j := range slices.Backward(order) {
			var hi *big.Rat
			if x.kind == model.Interval {
				hi = in.upper[i].find(sup[j])
			} else {
				_, hi = in.box(i, in.nominal[i].find(sup[j]))
			}
			room := new(big.Rat).Sub(hi, p[j])
			if room.Cmp(left) > 0 {
				room = left
			}
			p[j] = new(big.Rat).Add(p[j], room)
			left = new(big.Rat).Sub(left, room)
		}
	}
	best = new(big.Rat)
	t := new(big.Rat)
	o.last = o.last[:0]
	for j, q := range p {
		if q.Sign() != 0 {
			to = append(to, sup[j])
			o.last = append(o.last, nearest(q))
			best.Add(best, t.Mul(q, t.SetInt(z[j])))
		}
	}
	return best.Quo(best, t.SetInt(o.zden)), to
}

// member is ⟨p, z⟩ less the price of p for a row p of a curved set near the
// worst one, drawn towards the nominal row until it is proved to be a member.
func (o *operator) member(i int) (q *big.Rat, to []int, err error) {
	in, x := o.in, o.x
	sup := x.support[i]
	z := o.facing(i, sup)
	if o.search == nil {
		w, _ := new(big.Rat).Mul(o.weight, in.gamma).Float64()
		if o.search, err = uncertainty.NewWeighted(in.standard(), w); err != nil {
			return nil, nil, err
		}
		o.row, o.mixed, o.near = make([]float64, in.S), make([]float64, in.S), make([]float64, in.S)
	}
	// The search sees the distances from the largest z, which keep their digits.
	y, _ := o.fall(z)
	o.search.Answer(o.row[:len(sup)], i, y)
	clear(o.near)
	for j, s := range in.nominal[i].next {
		o.near[s] = in.nominal[i].near[j]
	}
	for _, t := range [...]float64{0, 1e-15, 1e-14, 1e-13, 1e-12, 1e-11, 1e-10, 1e-9, 1e-7, 1e-5, 1} {
		clear(o.mixed)
		for j, s := range sup {
			o.mixed[s] = (1-t)*o.row[j] + t*o.near[s]
		}
		r, kl, err := x.member(i, o.mixed)
		if err != nil {
			continue
		}
		z := o.facing(i, r.next)
		q = o.over(r.num, z, r.den)
		o.last = o.last[:0]
		for j, s := range r.next {
			if r.num[j].Sign() > 0 {
				to = append(to, s)
				o.last = append(o.last, r.near[j])
			}
		}
		if !(kl <= 0) {
			pay := new(big.Rat).SetFloat64(kl)
			pay.Mul(pay.Mul(pay, in.gamma), in.temperature)
			q.Sub(q, pay.Mul(pay, o.weight))
		}
		return q, to, nil
	}
	return nil, nil, fmt.Errorf("no row of %s is recognised as a member of the set", in.pairName(i))
}

// fall is how far each z is below the largest, as the nearest float64s, and the
// place of the largest.
func (o *operator) fall(z []*big.Int) (y []float64, top int) {
	for j := range z {
		if z[j].Cmp(z[top]) > 0 {
			top = j
		}
	}
	o.y = o.y[:0]
	d, r := new(big.Int), new(big.Rat)
	for j := range z {
		f := 0.0
		if d.Sub(z[j], z[top]); d.Sign() != 0 {
			f = nearest(r.SetFrac(d, o.zden))
		}
		o.y = append(o.y, f)
	}
	return o.y, top
}

// dual bounds nature's maximum over a curved set from above, by a weak dual of its
// problem with z as the nearest float64s, see rowset.above.
func (o *operator) dual(i int) (*big.Rat, error) {
	z := o.facing(i, o.x.support[i])
	y, top := o.fall(z)
	q := new(big.Rat).SetFrac(z[top], o.zden)
	if o.floats == nil {
		x, err := o.in.image()
		if err != nil {
			return nil, err
		}
		if o.floats, err = x.newRowset(nil, nearest(o.weight), true); err != nil {
			return nil, err
		}
	}
	r := o.floats
	if err := r.load(i); err != nil {
		return nil, err
	}
	next := r.next
	of := func(s int) (z, slack float64) { // y is within a roundoff; nothing exceeds the largest z
		j, _ := slices.BinarySearch(next, s)
		return y[j], -ulp * y[j]
	}
	r.faceCosts(of)
	r.ask(i, nil, of)
	if b := r.above(nil); b < 0 {
		q.Add(q, new(big.Rat).SetFloat64(b))
	}
	return q, nil
}
