package certify

import (
	"rcmdplab/core/certify/enclosure"
	"rcmdplab/core/certify/guess"
)

// below bounds sup ⟨p, z⟩ - price·KL(p‖q) from below: by what a member gains.
func (r *rowset) below() interval {
	if r.level() {
		return r.top
	}
	best := r.nominal().Max(r.bottom)
	switch r.family {
	case alone:
		return best
	case mixture:
		return r.mixed().Max(best)
	case priced:
		return r.top.Add(r.logMean(r.price, zero)).Max(best)
	}
	if k, ok := r.member(); ok {
		return enclosure.Mean(r.row, r.z, k).Max(best)
	}
	if r.family == ranged {
		return r.least().Max(best)
	}
	return best
}

// member draws the guess into the set, as little as is needed, and reports whether it is
// there: it is then row, whose entry k is what the others leave of 1.
func (r *rowset) member() (k int, ok bool) {
	switch {
	case r.family == ball:
		return r.drawn()
	case r.family == ranged || r.family == mixture:
		return r.boxed()
	}
	return 0, false
}

// written writes p as a row whose first largest entry is what the others leave of 1, and
// reports whether that is not negative.
func (r *rowset) written() (k int, ok bool) {
	k = enclosure.First(r.p)
	var total enclosure.Total
	some := k >= 0
	r.row = r.row[:0]
	for j, x := range r.p {
		p := enclosure.Point(x)
		if r.row = append(r.row, p); j != k {
			total.Add(p)
			some = some && zero.AtMost(p)
		}
	}
	if !some {
		return k, false
	}
	r.row[k] = one.Sub(total.Bounds())
	return k, zero.AtMost(r.row[k])
}

// drawn draws the guess into a ball until it is inside. A distance is convex and 0 at the
// nominal row, so that a share t of the way there takes off t of it.
func (r *rowset) drawn() (k int, ok bool) {
	for range 4 {
		if k, ok = r.written(); !ok {
			return k, false
		}
		r.y = enclosure.Gaps(r.y[:0], r.row, r.q, k)
		d, inside := r.distance(r.y, r.q, r.radius)
		if inside {
			return k, true
		}
		if !guess.Nearer(r.p, r.near, d.Hi(), r.limit(r.radius).Lo()) {
			break
		}
	}
	return k, false
}

// boxed draws the guess between the ends: entries that are not are put to theirs, and k, the most inward one, is what
// the others leave of 1, where that is surely between its own.
func (r *rowset) boxed() (k int, ok bool) {
	for _, t := range [...]float64{0, 1e-12, 1e-9, 1e-6, 1} {
		k = guess.Inward(r.p, t, len(r.lo), func(j int) (lo, hi float64) { return r.lo[j].Hi(), r.hi[j].Lo() })
		if k < 0 {
			return k, false
		}
		left := one
		r.row = r.row[:0]
		for j, x := range r.p {
			p := enclosure.Point(x)
			switch {
			case !r.lo[j].AtMost(p):
				p = r.lo[j]
			case !p.AtMost(r.hi[j]):
				p = r.hi[j]
			}
			if r.row = append(r.row, p); j != k {
				left = left.Sub(p)
			}
		}
		if r.row[k] = left; r.lo[k].AtMost(left) && left.AtMost(r.hi[k]) {
			return k, true
		}
	}
	return k, false
}

// least bounds ⟨p, z⟩ from below for every p between the ends, which no set is
// without: for a set that is a point but for rounding.
func (r *rowset) least() interval {
	return r.between(r.z, r.bottom).Max(r.between(r.z, r.top))
}
