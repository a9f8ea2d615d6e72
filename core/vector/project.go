package vector

// Projection is of a row q towards values w: (q + t (w - Mean) + Share)₊ on the
// places that are on, whose entries are 1, not 0.
type Projection struct {
	Count, Mean     float64 // places on, and the mean of w there
	Dropped, Square float64 // Σ q and Σ q² elsewhere
	Share           float64 // Dropped by Count
}

// Begin sets all places on but those without mass where w is below the mean of what
// is on, which dropping can but raise.
func (x *Projection) Begin(on, q, w []float64) {
	if len(on) > 0 {
		x.runBegin(on, q[:len(on)], w[:len(on)])
	}
}

func (x *Projection) begin(on, q, w []float64) {
	for j := range on {
		on[j] = 1
	}
	q, w = q[:len(on)], w[:len(on)]
	for hit := true; hit; {
		x.moments(on, q, w)
		hit = false
		for j, y := range w {
			if on[j] != 0 && q[j] <= 0 && y < x.Mean {
				on[j], hit = 0, true
			}
		}
	}
}

// Project sets those places off where the projection is negative, with the moments
// that this gives, until there are none, and reports whether it set any. Sums are two
// partial ones, for even and odd places.
func (x *Projection) Project(on, q, w []float64, t float64) bool {
	if len(on) == 0 {
		return false
	}
	return x.runProject(on, q[:len(on)], w[:len(on)], t)
}

func (x *Projection) project(on, q, w []float64, t float64) bool {
	q, w = q[:len(on)], w[:len(on)]
	for any := false; ; any = true {
		hit, mean, share := false, x.Mean, x.Share
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

func (x *Projection) moments(on, q, w []float64) {
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
	x.Count = c0 + c1
	x.Mean, x.Dropped, x.Square = (s0+s1)/x.Count, d0+d1, e0+e1
	x.Share = x.Dropped / x.Count
}

// Spread is Σ (w - Mean)² over the places on, in two partial sums.
func (x *Projection) Spread(on, w []float64) float64 {
	if len(on) == 0 {
		return 0
	}
	return x.runSpread(on, w[:len(on)])
}

func (x *Projection) spread(on, w []float64) float64 {
	var even, odd float64
	w = w[:len(on)]
	i := 0
	for ; i+2 <= len(on); i += 2 {
		if on[i] != 0 {
			even += float64((w[i] - x.Mean) * (w[i] - x.Mean))
		}
		if on[i+1] != 0 {
			odd += float64((w[i+1] - x.Mean) * (w[i+1] - x.Mean))
		}
	}
	if i < len(on) && on[i] != 0 {
		even += float64((w[i] - x.Mean) * (w[i] - x.Mean))
	}
	return even + odd
}

// Fill makes p, which is 1 where places are on and 0 elsewhere, the projection, and
// returns ⟨p, w⟩ and, with η = Mean - Share/t and u = max(w - η, -q/t), the sums
// Σ q u and Σ u², each in two partial sums.
func (x *Projection) Fill(p, q, w []float64, t float64) (value, linear, square float64) {
	if len(p) == 0 {
		return 0, 0, 0
	}
	return x.runFill(p, q[:len(p)], w[:len(p)], t)
}

func (x *Projection) fill(p, q, w []float64, t float64) (value, linear, square float64) {
	var v0, v1, l0, l1, s0, s1 float64
	mean, share := x.Mean, x.Share
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
