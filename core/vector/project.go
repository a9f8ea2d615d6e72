package vector

import "math"

// Project fills p with the row that gives most of values z in the ball {p : ‖p - q‖₂ <= r} within the
// simplex, and Upper with a dual of it; w is scratch. Where the values are within Level of each other it says Top and
// Width alone.
//
// The row is the projection of q + t z onto the simplex, with t such that it lies on the
// sphere: p = (q + t (z - η))₊. On an active set I of k successors that holds
// the dropped mass D, ‖p - q‖² = t² Σ_I (z - mean_I)² + D²/k + Σ_dropped q², so
// t² has a closed form there. The active set only shrinks as t grows, hence
// ‖p - q‖² is concave in t² and Newton's iteration (solve on the active set of
// the current t, project again) rises to the answer in finitely many steps.
//
// Sums are two partial ones, for even and odd places.
func Project(p, w, q, z []float64, r float64) (x Excess) {
	w, q, z = w[:len(p)], q[:len(p)], z[:len(p)]
	if simd {
		simdProject(&x.Top, &p[0], &w[0], &q[0], &z[0], int32(len(p)), r)
	} else {
		project(&x, p, w, q, z, r)
	}
	return x
}

func project(x *Excess, p, w, q, z []float64, r float64) {
	x.among(z)
	if x.Width < Level {
		return
	}
	scale := 1 / x.Width
	w = w[:len(z)]
	for j, y := range z { // less the largest, in units of the width
		w[j] = (y - x.Top) * scale
	}
	var a projection
	a.begin(p, q, w) // the active set of t = 0+; p says who is in
	t := 0.0
	for {
		variance := a.spread(p, w)
		if variance == 0 { // all active z are equal, so they are the largest
			t = math.Inf(1)
			break
		}
		room := float64(r*r) - a.square - float64(a.dropped*a.share)
		if !(room > 0) {
			break
		}
		next := math.Sqrt(room / variance)
		if next <= t {
			break
		}
		t = next
		if !a.step(p, q, w, t) {
			break
		}
	}
	if t == 0 || math.IsInf(t, 1) {
		value := 0.0
		for j, y := range w {
			if p[j] != 0 {
				p[j] = q[j] + a.share
			}
			value += float64(p[j] * y)
		}
		x.Value, x.Upper = value*x.Width, 0
		return
	}
	// Weak duality in units of the width: for every η and u >= w - η,
	// ⟨p, w⟩ <= η + ⟨q, u⟩ + r ‖u‖₂, tight at u = (p - q)/t.
	value, linear, square := a.fill(p, q, w, t)
	x.Value = value * x.Width
	x.Upper = (a.mean - a.share/t + linear + float64(r*math.Sqrt(square))) * x.Width
}

// projection is of a row q towards values w: (q + t (w - mean) + share)₊ on the
// places that are on, whose entries are 1, not 0.
type projection struct {
	count, mean     float64 // places on, and the mean of w there
	dropped, square float64 // Σ q and Σ q² elsewhere
	share           float64 // dropped by count
}

// begin sets all places on but those without mass where w is below the mean of what
// is on, which dropping can but raise.
func (x *projection) begin(on, q, w []float64) {
	for j := range on {
		on[j] = 1
	}
	q, w = q[:len(on)], w[:len(on)]
	for hit := true; hit; {
		x.moments(on, q, w)
		hit = false
		for j, y := range w {
			if on[j] != 0 && q[j] <= 0 && y < x.mean {
				on[j], hit = 0, true
			}
		}
	}
}

// step sets those places off where the projection is negative, with the moments
// that this gives, until there are none, and reports whether it set any.
func (x *projection) step(on, q, w []float64, t float64) bool {
	q, w = q[:len(on)], w[:len(on)]
	for any := false; ; any = true {
		hit, mean, share := false, x.mean, x.share
		for j, y := range w {
			if on[j] != 0 && (q[j]+share)+float64(t*(y-mean)) < 0 {
				on[j], hit = 0, true
			}
		}
		if !hit {
			return any
		}
		x.moments(on, q, w)
	}
}

func (x *projection) moments(on, q, w []float64) {
	var c0, c1, s0, s1, d0, d1, e0, e1 float64
	q, w = q[:len(on)], w[:len(on)]
	i := 0
	for ; i+2 <= len(on); i += 2 {
		if on[i] != 0 {
			c0++
			s0 += w[i]
		} else {
			d0 += q[i]
			e0 += float64(q[i] * q[i])
		}
		if on[i+1] != 0 {
			c1++
			s1 += w[i+1]
		} else {
			d1 += q[i+1]
			e1 += float64(q[i+1] * q[i+1])
		}
	}
	if i < len(on) {
		if on[i] != 0 {
			c0++
			s0 += w[i]
		} else {
			d0 += q[i]
			e0 += float64(q[i] * q[i])
		}
	}
	x.count = c0 + c1
	x.mean, x.dropped, x.square = (s0+s1)/x.count, d0+d1, e0+e1
	x.share = x.dropped / x.count
}

// spread is Σ (w - mean)² over the places on.
func (x *projection) spread(on, w []float64) float64 {
	var even, odd float64
	w = w[:len(on)]
	i := 0
	for ; i+2 <= len(on); i += 2 {
		if on[i] != 0 {
			even += float64((w[i] - x.mean) * (w[i] - x.mean))
		}
		if on[i+1] != 0 {
			odd += float64((w[i+1] - x.mean) * (w[i+1] - x.mean))
		}
	}
	if i < len(on) && on[i] != 0 {
		even += float64((w[i] - x.mean) * (w[i] - x.mean))
	}
	return even + odd
}

// fill makes p, which is 1 where places are on and 0 elsewhere, the projection, and
// returns ⟨p, w⟩ and, with η = mean - share/t and u = max(w - η, -q/t), the sums
// Σ q u and Σ u².
func (x *projection) fill(p, q, w []float64, t float64) (value, linear, square float64) {
	var v0, v1, l0, l1, s0, s1 float64
	mean, share := x.mean, x.share
	eta := mean - share/t
	q, w = q[:len(p)], w[:len(p)]
	for j, y := range w {
		f := (q[j] + share) + float64(t*(y-mean))
		if f < 0 || p[j] == 0 {
			f = 0
		}
		p[j] = f
		u := y - eta
		if least := -q[j] / t; u < least {
			u = least
		}
		if j&1 == 0 {
			v0 += float64(f * y)
			l0 += float64(q[j] * u)
			s0 += float64(u * u)
		} else {
			v1 += float64(f * y)
			l1 += float64(q[j] * u)
			s1 += float64(u * u)
		}
	}
	return v0 + v1, l0 + l1, s0 + s1
}
