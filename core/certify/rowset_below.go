package certify

import (
	"math"
	"slices"

	"rcmdplab/core/certify/enclosure"
)

// below bounds sup ⟨p, z⟩ - price·KL(p‖q) from below.
func (r *rowset) below() float64 {
	if r.level() {
		return below(r.top, r.slop)
	}
	switch r.family {
	case alone:
		return r.nominal()
	case mixture:
		return r.mixed().Lo()
	case priced:
		return r.logMean(enclosure.Up(enclosure.Up(r.price)*(1+4*enclosure.Ulp)), 0).Lo()
	case ranged:
		return r.inBox()
	}
	if k, ok := r.drawn(); ok {
		v, slack := enclosure.Mean(r.p, r.z, k)
		return max(r.nominal(), below(v, slack+r.slop))
	}
	return r.nominal()
}

// drawn draws the guess into a ball until it is inside, and reports whether it
// is; entry k is what the others leave of 1. A distance is convex and 0 at the
// nominal row, so that a share t of the way there takes off t of it.
func (r *rowset) drawn() (k int, ok bool) {
	limit := r.limit(r.radius * (1 - 4*enclosure.Ulp))
	for range 4 {
		k := r.close()
		d := r.distance(k)
		if d <= limit {
			return k, true
		}
		t := 1.5*(1-limit/d) + 1e-15
		if !(t < 1) {
			break
		}
		for j, q := range r.q {
			r.p[j] = (1-t)*r.p[j] + t*q
		}
	}
	return 0, false
}

// close makes the first largest entry of p what the others leave of 1, within
// (n+4) unit roundoffs, and returns its place.
func (r *rowset) close() int {
	k := first(r.p)
	left := 1.0
	for j, p := range r.p {
		if j != k {
			left -= p
		}
	}
	r.p[k] = left
	return k
}

// distance is at least that of p, whose entry k is what the others leave, as
// squared or summed by the set; NaN where that entry may be below 0.
func (r *rowset) distance(k int) float64 {
	if !(r.p[k] > 2*r.spare(k, k)) {
		return math.NaN()
	}
	if r.measure == divergence {
		return r.divergence(k)
	}
	d := 0.0
	for j, q := range r.q {
		gap := math.Abs(r.p[j]-q) + r.miss(j) + r.spare(j, k)
		if q -= r.miss(j); r.measure == chi2 && !(q > 0) {
			return math.Inf(1)
		}
		d += r.term(gap, q)
	}
	return d*(1+float64(len(r.q)+8)*enclosure.Ulp) + enclosure.Underflow
}

// spare bounds the error of entry j of p.
func (r *rowset) spare(j, k int) float64 {
	if j == k {
		return float64(len(r.p)+4) * enclosure.Ulp
	}
	return enclosure.Ulp * r.p[j] // of the difference; p itself is exact
}

// divergence is at least KL(p‖q) = Σ (p ln(p/q) - (p - q)), whose terms are
// positive and of second order in p - q. An error δ of p moves a term by |ln(p/q)| δ,
// one ε of q relatively by |p - q| ε, and both by less than p (δ/p + ε)² besides, as
// 1/p, 1/q and p/q² are the second derivatives, with room for where they are taken:
// next to the nominal row this is all there is.
func (r *rowset) divergence(k int) float64 {
	n := float64(len(r.q) + 8)
	total, margin := 0.0, enclosure.Underflow
	for j, q := range r.q {
		p := r.p[j]
		d := p - q
		if p == 0 {
			total += q
			margin += r.miss(j) + enclosure.Ulp*q
			continue
		}
		x := d / q
		spare, miss := r.spare(j, k), r.miss(j)
		second := spare/p + float64(len(r.q)+4)*enclosure.Ulp
		var l, slack float64
		if math.Abs(x) < .3 {
			l = enclosure.Log1pLittle(x)
			slack = enclosure.SeriesError * math.Abs(l)
		} else {
			l, slack = enclosure.LogNear(p / q)
			slack += 4 * enclosure.Ulp
		}
		total += p*l - d
		margin += p*slack + 4*enclosure.Ulp*(math.Abs(p*l)+math.Abs(d)) + 2*miss*math.Abs(x) + 2*spare*math.Abs(l) + 2*p*second*second
	}
	return total + margin*(1+n*enclosure.Ulp) + n*enclosure.Ulp*math.Abs(total)
}

// inBox is below for linf and interval sets.
func (r *rowset) inBox() float64 {
	k, _, ok := r.boxed()
	if !ok {
		return max(r.nominal(), r.least())
	}
	v, s := enclosure.Mean(r.p, r.z, k)
	for j := range r.p {
		if j != k {
			s += r.off[j] * math.Abs(r.z[j]-r.z[k])
		}
	}
	return max(r.nominal(), enclosure.Down(v-enclosure.Up(s)-r.slop))
}

// boxed draws the guess between the ends and reports whether it is there.
// Entries at an end are that end, exactly, and known within off; the most inward
// one, k, is the rest, known within slack.
func (r *rowset) boxed() (k int, slack float64, ok bool) {
	const near = 1e-13
	sum, room := 0.0, 0.0
	for j := range r.lo {
		sum += r.lo[j]
		room += r.hi[j] - r.lo[j]
	}
	share := 0.0
	if room > 0 {
		share = min(1, max(0, (1-sum)/room))
	}
	for _, t := range [...]float64{0, 1e-12, 1e-9, 1e-6, 1} {
		k, most := 0, math.Inf(-1)
		for j := range r.p {
			mid := r.lo[j] + share*(r.hi[j]-r.lo[j])
			r.p[j] = (1-t)*r.p[j] + t*mid
			if inward := min(r.p[j]-r.lo[j], r.hi[j]-r.p[j]); inward > most {
				k, most = j, inward
			}
		}
		left, slack, ok := 1.0, float64(len(r.p)+4)*enclosure.Ulp, true
		for j, p := range r.p {
			if j == k {
				continue
			}
			switch {
			case p <= r.lo[j]+near:
				r.p[j] = r.lo[j]
				slack += r.off[j]
			case p >= r.hi[j]-near:
				r.p[j] = r.hi[j]
				slack += r.off[j]
			default:
				ok = ok && p >= r.lo[j]+r.off[j] && p <= r.hi[j]-r.off[j]
			}
			left -= r.p[j]
		}
		if ok && left-slack >= r.lo[k]+r.off[k] && left+slack <= r.hi[k]-r.off[k] {
			r.p[k] = left
			return k, slack, true
		}
	}
	return 0, 0, false
}

// member draws a row into the set, as little as is needed, and reports whether
// it is there. The row is then p, each entry known within what doubt says.
func (r *rowset) member(p, doubt []float64) bool {
	r.p = r.p[:0]
	for _, x := range p {
		r.p = append(r.p, max(0, x))
	}
	clear(doubt)
	switch {
	case r.family == ball:
		k, ok := r.drawn()
		doubt[k] = float64(len(p)+4) * enclosure.Ulp
		if copy(p, r.p); !ok {
			return false
		}
		return p[k] >= doubt[k]
	case r.family == mixture: // at least (1-R)q everywhere
		r.lo, r.hi, r.off = r.lo[:0], r.hi[:0], r.off[:0]
		for j, q := range r.q {
			l := (1 - r.radius) * q
			r.lo, r.hi, r.off = append(r.lo, l), append(r.hi, 1), append(r.off, r.miss(j)+4*enclosure.Ulp*l)
		}
	case r.around():
		r.box()
	case r.family != ranged:
		return false
	}
	k, slack, ok := r.boxed()
	for j, x := range r.p {
		if x == r.lo[j] || x == r.hi[j] {
			doubt[j] = r.off[j]
		}
	}
	doubt[k] = slack
	copy(p, r.p)
	return ok && p[k] >= slack
}

// least bounds ⟨p, z⟩ from below for every p between the ends, which no set is
// without: for a set that is a point but for rounding. With Σp = 1,
//
//	⟨p, z⟩ = min z + Σ p_j (z_j - min z) >= min z + Σ lo_j (z_j - min z)
//
// and the like from the upper ends and max z.
func (r *rowset) least() float64 {
	low, high := slices.Min(r.z), slices.Max(r.z)
	a, b := 0.0, 0.0
	for j, z := range r.z {
		a += max(0, r.lo[j]-r.off[j]) * (z - low)
		b += (r.hi[j] + r.off[j]) * (high - z)
	}
	n := float64(len(r.z)+8) * enclosure.Ulp
	return enclosure.Down(max(low+a-n*(a+math.Abs(low)), high-b-n*(b+math.Abs(high))) - enclosure.Underflow - r.slop)
}

// mixed encloses the value of a contamination set: (1-R)⟨q, z⟩ + R max z.
func (r *rowset) mixed() enclosure.Interval {
	t, slack := enclosure.Mean(r.q, r.z, r.rest)
	mean := enclosure.Of(enclosure.Down(t-slack), enclosure.Up(t+slack))
	share := enclosure.Of(enclosure.Down(r.radius), enclosure.Up(r.radius))
	v := enclosure.Point(1).Sub(share).Mul(mean).Add(share.Mul(enclosure.Point(r.top)))
	return enclosure.Of(enclosure.Down(v.Lo()-r.slop), enclosure.Up(v.Hi()+r.slop))
}
