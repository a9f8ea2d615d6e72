package certify

import (
	"slices"

	"rcmdplab/core/certify/enclosure"
	"rcmdplab/core/certify/guess"
)

// turn reads the costs of the pair.
func (k *reading) turn(i int) {
	k.pair = i
	for g := range k.groups {
		y := &k.groups[g]
		y.pair, k.cost[g], k.after[g] = i, y.flat(i), k.after[g][:0]
		for _, s := range k.rows.next {
			k.after[g] = append(k.after[g], y.after(s))
		}
	}
}

// short is how far the value v of the pair's state on ray j is above what the pair leaves, at
// most: by the first rows that leave no more than enough, else by the best.
func (k *reading) short(j int, v, enough interval) (best interval) {
	w := k.ray(j)
	if k.instance.ends(k.pair) {
		return v.Sub(w[0].Mul(k.groups[0].paid(k.pair))).Sub(w[1].Mul(k.groups[1].paid(k.pair)))
	}
	left := v.Sub(w[0].Mul(k.cost[0]).Add(w[1].Mul(k.cost[1])))
	best = enclosure.Line()
	leaves := func(nature interval) bool {
		best = best.Min(left.Sub(nature))
		return !best.Raises(enough)
	}
	p, q := k.told(j)
	if p != nil && k.try(p, q) && leaves(k.gain(k.p, k.q, w)) {
		return best
	}
	if !k.rows.ends && leaves(k.gain(k.rows.q, k.rows.q, w)) { // the nominal row for both
		return best
	}
	if slices.Equal(k.rows.set.Support(k.pair), k.rows.next) {
		p, q := k.search.Search(k.rows.next, w[0].Hi(), w[1].Hi(), left.Hi(),
			func(j int) float64 { return k.after[0][j].Hi() }, func(j int) float64 { return k.after[1][j].Hi() },
			func(dst, z []float64) { k.rows.set.Answer(dst, k.pair, z) })
		if k.try(p, q) && leaves(k.gain(k.p, k.q, w)) {
			return best
		}
	}
	if k.rows.family == ranged {
		leaves(k.least(j, w))
	}
	return best
}

// try makes members of two rows, of the first alone where the second is none; false
// where neither can be had.
func (k *reading) try(p, q []float64) bool {
	member := func(dst []interval, p []float64) ([]interval, bool) {
		if k.rows.p = guess.Clip(k.rows.p[:0], p); k.rows.family == mixture || k.rows.around() {
			k.rows.box()
		}
		_, ok := k.rows.member()
		return append(dst[:0], k.rows.row...), ok
	}
	var ok, both bool
	if k.p, ok = member(k.p, p); !ok {
		return false
	}
	if k.q, both = member(k.q, q); !both {
		k.q = append(k.q[:0], k.p...)
	}
	return true
}

// least is what nature gains on ray j with one row for both groups, whatever
// member it is: for a set that is a point but for rounding.
func (k *reading) least(j int, w [2]interval) interval {
	r, v := k.rows, k.y.V[j]
	if r.around() {
		r.box()
	}
	r.z = r.z[:0]
	for i, s := range r.next {
		r.z = append(r.z, k.g.Mul(enclosure.Point(v[s])).Add(w[0].Mul(k.after[0][i])).Add(w[1].Mul(k.after[1][i])))
	}
	r.span()
	return r.least()
}

// gain is γ Σ_s' W(s', (w_0 p, w_1 q)) + the costs of the next state.
func (k *reading) gain(p, q []interval, w [2]interval) interval {
	values, after := zero, zero
	for j, s := range k.rows.next {
		b0, b1 := w[0].Mul(p[j]), w[1].Mul(q[j])
		after = after.Add(b0.Mul(k.after[0][j])).Add(b1.Mul(k.after[1][j]))
		values = values.Add(k.between(s, b0, b1))
	}
	return k.g.Mul(values).Add(after)
}

// between is W(s, β).
func (k *reading) between(s int, b0, b1 interval) interval {
	if b0 == zero && b1 == zero {
		return zero
	}
	c, x, y := k.search.Below(b0.Lo(), b1.Lo())
	value, left0, left1 := k.part(c, s, x, y, b0, b1)
	if !zero.AtMost(left0) || !zero.AtMost(left1) {
		value, left0, left1 = zero, b0, b1
	}
	first, last := k.y.V[0][s], k.y.V[len(k.y.V)-1][s]
	return value.Add(enclosure.Point(first).Mul(left0)).Add(enclosure.Point(last).Mul(left1))
}

// part is x V_c + y V_c+1, and what is left of β.
func (k *reading) part(c, s int, x, y float64, b0, b1 interval) (value, left0, left1 interval) {
	p, q := enclosure.Point(x).Max(zero), enclosure.Point(y).Max(zero)
	a, b := k.ray(c), k.ray(c+1)
	value = p.Mul(enclosure.Point(k.y.V[c][s])).Add(q.Mul(enclosure.Point(k.y.V[c+1][s])))
	return value, b0.Sub(p.Mul(a[0]).Add(q.Mul(b[0]))), b1.Sub(p.Mul(a[1]).Add(q.Mul(b[1])))
}
