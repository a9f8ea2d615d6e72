package certify

import (
	"slices"

	"rcmdplab/core/certify/enclosure"
	"rcmdplab/core/certify/guess"
)

// above bounds sup ⟨p, z⟩ - price·KL(p‖q) from above: whatever the guess is, the bound
// holds, as it is one of the weak duals below, at numbers taken from the
// guess. With y = z - max z <= 0 every p has ⟨p, z⟩ = max z + ⟨p, y⟩, and -⟨p, y⟩ is small
// where ⟨p, z⟩ is large; max z is always a bound.
func (r *rowset) above(v []float64) interval {
	if r.level() {
		return r.top
	}
	switch r.family {
	case alone:
		return r.nominal().Min(r.top)
	case mixture:
		return r.mixed().Min(r.top)
	case priced:
		return r.top.Add(r.logMean(r.price, zero).Min(zero))
	}
	r.y = r.y[:0]
	for _, z := range r.z {
		r.y = append(r.y, z.Sub(r.top).Min(zero))
	}
	b := zero // of a distance that has no dual here
	switch {
	case r.family == ranged:
		b = r.aboveBox(v)
	case r.measure == moved:
		b = r.aboveL1()
	case r.measure == length:
		b = r.aboveL2(v)
	case r.measure == divergence:
		b = r.aboveKL()
	case r.measure == chi2:
		b = r.aboveChi2()
	}
	return r.top.Add(b.Min(zero))
}

// aboveL1: p = q + a - b with a, b >= 0, b <= q, Σa = Σb = m' <= m. For any w <= 0,
// since y <= 0 and w - y_j <= (w - y_j)⁺,
//
//	⟨p, y⟩ <= ⟨q, y⟩ - ⟨b, y⟩ = ⟨q, y⟩ - w m' + Σ b_j (w - y_j) <= Σ q_j max(y_j, w) - w m.
//
// w is the highest y that the guess takes from, the least of all when it takes nothing.
func (r *rowset) aboveL1() interval {
	w := r.bottom.Sub(r.top).Min(zero)
	if j := guess.Given(r.p, r.near, r.sights()); j >= 0 {
		w = r.y[j]
	}
	w = enclosure.Point(w.Lo())
	r.a = r.a[:0]
	for _, y := range r.y {
		r.a = append(r.a, y.Max(w))
	}
	moved := r.radius.Mul(enclosure.Whole(r.share)).Mul(enclosure.Point(.5))
	return enclosure.Mean(r.q, r.a, r.rest).Sub(w.Mul(moved))
}

// sights are y as float64s, for what only guesses.
func (r *rowset) sights() []float64 {
	r.sight = r.sight[:0]
	for _, y := range r.y {
		r.sight = append(r.sight, y.Lo())
	}
	return r.sight
}

// aboveBox: lo <= p <= hi, see between. w is the lowest y that the guess puts more than its
// lower end on, the largest of all when it puts no more anywhere. States outside the row could
// take the radius each.
func (r *rowset) aboveBox(v []float64) interval {
	w := zero
	if j := guess.Taken(r.p, func(j int) float64 { return r.lo[j].Hi() }, r.sights()); j >= 0 {
		w = enclosure.Point(r.y[j].Lo())
	}
	t := r.between(r.y, w)
	if r.open {
		most := zero.Hull(r.radius.Min(one))
		for _, s := range r.byValue {
			d := enclosure.Point(v[s]).Sub(r.top).Sub(w)
			if d.AtMost(zero) {
				break
			}
			if !r.holds(s) {
				t = t.Add(most.Mul(d))
			}
		}
	}
	return t
}

// between holds ⟨p, z⟩ for every distribution p with lo <= p <= hi: for any w, since Σp = 1,
//
//	⟨p, z⟩ = w + Σ p_j (z_j - w).
func (r *rowset) between(z []interval, w interval) interval {
	t := w
	for j, x := range z {
		t = t.Add(r.lo[j].Hull(r.hi[j]).Mul(x.Sub(w)))
	}
	return t
}

// holds reports whether the row looked at lists a state.
func (r *rowset) holds(s int) bool {
	_, found := slices.BinarySearch(r.next, s)
	return found
}

// aboveKL bounds ⟨p, y⟩: KL(p‖q) <= ρ gives ⟨p, y⟩ <= θρ + θ log Σ q_j e^{y_j/θ} for every
// θ > 0, see logMean.
func (r *rowset) aboveKL() interval {
	if r.radius == zero {
		return enclosure.Mean(r.q, r.y, r.rest)
	}
	theta, ok := guess.Theta(r.p, r.near, r.sights(), r.radius.Hi())
	if !ok {
		return zero
	}
	return r.logMean(enclosure.Point(theta), r.radius)
}

// logMean is θ(ρ + log Σ q_j e^{y_j/θ}) for θ > 0, ρ >= 0, with
// y = z - max z: by Donsker and Varadhan ⟨p, y⟩ - θ KL(p‖q) <= θ log Σ q_j e^{y_j/θ} for
// every p and θ > 0, with equality for p ∝ q e^{y/θ}. Where no y/θ is far from 0 the sum less 1
// is taken as such; and where hardly any mass is near the top, e^690 times the sum.
func (r *rowset) logMean(theta, rho interval) interval {
	if theta.Sign() <= 0 {
		return enclosure.Line()
	}
	inverse := one.Div(theta)
	exponents := func(of func(interval) interval) interval {
		r.a = r.a[:0]
		for _, z := range r.z {
			r.a = append(r.a, of(z.Sub(r.top).Min(zero).Mul(inverse)))
		}
		return enclosure.Mean(r.q, r.a, r.rest)
	}
	var l interval
	if enclosure.Point(-.3).Less(r.bottom.Sub(r.top).Mul(inverse)) {
		l = enclosure.Log1p(exponents(enclosure.Expm1))
	} else if l = enclosure.Log(exponents(enclosure.Exp)); !l.Width().AtMost(enclosure.Point(1e-9)) {
		lift := enclosure.Point(690)
		l = enclosure.Log(exponents(func(x interval) interval { return enclosure.Exp(x.Add(lift)) })).Sub(lift)
	}
	return theta.Mul(rho.Add(l))
}

// aboveChi2: Σ (p_j-q_j)²/q_j <= ρ. For any a >= y and any m, since p >= 0 and
// Σ(p-q) = 0, by Cauchy and Schwarz
//
//	⟨p, y⟩ <= ⟨p, a⟩ = ⟨q, a⟩ + Σ (p_j-q_j)(a_j-m) <= ⟨q, a⟩ + √ρ √(Σ q_j (a_j-m)²).
//
// At nature's best p/q - 1 = t (y - η), cut off at -1, and so is a.
func (r *rowset) aboveChi2() interval {
	cut, cuts := guess.CutChi2(r.p, r.near, r.sights())
	r.a = r.a[:0]
	for _, y := range r.y {
		if cuts {
			y = y.Max(enclosure.Point(cut))
		}
		r.a = append(r.a, y)
	}
	mean := enclosure.Mean(r.q, r.a, r.rest)
	m, s := enclosure.Point(mean.Hi()), zero
	for j, a := range r.a {
		s = s.Add(r.q[j].Mul(a.Sub(m).Square()))
	}
	return mean.Add(r.radius.Mul(s).Sqrt())
}

// aboveL2: ‖p-q‖₂ <= r. As for chi2, for any a >= y and any m
//
//	⟨p, y⟩ <= ⟨q, a⟩ + Σ (p_j-q_j)(a_j-m) <= ⟨q, a⟩ + r ‖a-m‖₂.
//
// At nature's best p - q = t (y - η), cut off at -q, and so is a.
func (r *rowset) aboveL2(v []float64) interval {
	if r.radius == zero && !r.open {
		return enclosure.Mean(r.q, r.y, r.rest)
	}
	cut, m, cuts := guess.CutL2(r.cut, r.p, r.near, r.sights())
	r.cut = cut
	level, s := enclosure.Point(m), zero
	r.a = r.a[:0]
	for j, y := range r.y {
		if cuts {
			y = y.Max(enclosure.Point(cut[j]))
		}
		r.a = append(r.a, y)
		s = s.Add(y.Sub(level).Square())
	}
	if r.open { // outside a is y or, above the highest that is cut, m
		for _, state := range r.byValue {
			d := enclosure.Point(v[state]).Sub(r.top).Sub(level)
			if cuts && d.AtMost(zero) {
				break
			}
			if !r.holds(state) {
				s = s.Add(d.Square())
			}
		}
	}
	return enclosure.Mean(r.q, r.a, r.rest).Add(r.radius.Mul(s.Sqrt()))
}
