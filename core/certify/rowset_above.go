package certify

import (
	"math"

	"rcmdplab/core/certify/enclosure"
)

// above bounds sup ⟨p, z⟩ - price·KL(p‖q) from above: whatever the guess is, the bound
// holds, as it is one of the weak duals below, evaluated outwards at numbers taken from the
// guess. With y = z - max z <= 0 every p has ⟨p, z⟩ = max z + ⟨p, y⟩, and -⟨p, y⟩ is small
// where ⟨p, z⟩ is large; 0 is always a bound for ⟨p, y⟩.
func (r *rowset) above(v []float64) float64 {
	if r.level() {
		return above(r.top, r.slop)
	}
	switch r.family {
	case alone:
		t, slack := enclosure.Mean(r.q, r.z, r.rest)
		return above(t, slack+r.slop)
	case mixture:
		return r.mixed().Hi()
	case priced:
		return r.logMean(enclosure.Down(enclosure.Down(r.price)*(1-4*enclosure.Ulp)), 0).Hi()
	}
	if r.measure == divergence {
		return r.aboveKL()
	}
	r.y = r.y[:0]
	least := 0.0
	for _, z := range r.z {
		r.y = append(r.y, z-r.top)
		least = min(least, z-r.top)
	}
	b := 0.0
	switch {
	case r.family == ranged:
		b = r.aboveBox(v)
	case r.measure == moved:
		b = r.aboveL1(r.radius*float64(r.share)/2, least)
	case r.measure == length:
		b = r.aboveL2(v)
	default:
		b = r.aboveChi2()
	}
	if !(b < 0) {
		b = 0
	}
	// y is within ulp·|y| of z - top.
	return enclosure.Up(r.top + enclosure.Up(b-enclosure.Ulp*least) + r.slop)
}

// mean bounds ⟨q, a⟩ from above; a carries two roundoffs.
func (r *rowset) mean(a []float64) float64 {
	t, slack := enclosure.Mean(r.q, a, r.rest)
	return enclosure.Up(t + slack + 2*enclosure.Ulp*math.Abs(a[r.rest]))
}

// aboveL1: p = q + a - b with a, b >= 0, b <= q, Σa = Σb = m' <= m. For any w <= 0,
// since y <= 0 and w - y_j <= (w - y_j)⁺,
//
//	⟨p, y⟩ <= ⟨q, y⟩ - ⟨b, y⟩ = ⟨q, y⟩ - w m' + Σ b_j (w - y_j) <= Σ q_j max(y_j, w) - w m.
//
// w is the highest y that the guess takes from, the least of all when it takes nothing.
func (r *rowset) aboveL1(m, least float64) float64 {
	w := least
	for j, q := range r.q {
		if r.p[j] < q-1e-13 {
			w = max(w, r.y[j])
		}
	}
	r.a = r.a[:0]
	for _, y := range r.y {
		r.a = append(r.a, max(y, w))
	}
	return enclosure.Up(r.mean(r.a) + enclosure.Up(-w*enclosure.Up(m)))
}

// aboveBox: lo <= p <= hi. For any w, since Σp = 1,
//
//	⟨p, y⟩ = w + Σ p_j (y_j - w) <= w + Σ_{y_j >= w} hi_j (y_j - w) + Σ_{y_j < w} lo_j (y_j - w).
//
// w is the lowest y that the guess puts more than its lower end on, the largest of all
// when it puts no more anywhere.
func (r *rowset) aboveBox(v []float64) float64 {
	w := 0.0
	for j, l := range r.lo {
		if r.p[j] > l+1e-13 {
			w = min(w, r.y[j])
		}
	}
	t, size, n := w, math.Abs(w), len(r.y)
	for j, y := range r.y {
		d := y - w
		x := r.lo[j] * d
		if d > 0 {
			x = r.hi[j] * d
		}
		t += x
		size += math.Abs(x)
		size += r.off[j] / enclosure.Ulp * math.Abs(d)
	}
	if r.open { // states outside the row, which could take the radius each
		for _, s := range r.byValue {
			d := (v[s] - r.top) - w
			if !(d > 0) {
				break
			}
			if r.holds(s) {
				continue
			}
			x := min(1, r.radius) * d
			t += x
			size += 4 * x
			n++
		}
	}
	return enclosure.Up(t + float64(n+8)*enclosure.Ulp*size + enclosure.Underflow)
}

// holds reports whether the row looked at lists a state.
func (r *rowset) holds(s int) bool {
	lo, hi := 0, len(r.next)
	for lo < hi {
		if mid := (lo + hi) / 2; r.next[mid] < s {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return lo < len(r.next) && r.next[lo] == s
}

// line fits f(j) = slope·(y_j - level) through the entries of the guess of
// lowest and highest y that pass: the dual variables of a smooth ball.
func (r *rowset) line(f func(j int) float64) (slope, level float64) {
	a, b := -1, -1
	for j, p := range r.p {
		if p > 1e-14 {
			if a < 0 || r.y[j] < r.y[a] {
				a = j
			}
			if b < 0 || r.y[j] > r.y[b] {
				b = j
			}
		}
	}
	if a < 0 || r.y[a] == r.y[b] {
		return math.NaN(), math.NaN()
	}
	slope = (f(b) - f(a)) / (r.y[b] - r.y[a])
	return slope, r.y[a] - f(a)/slope
}

// aboveKL bounds ⟨p, z⟩: KL(p‖q) <= ρ gives ⟨p, y⟩ <= θρ + θ log Σ q_j e^{y_j/θ} for every
// θ > 0, see logMean.
func (r *rowset) aboveKL() float64 {
	if r.radius == 0 {
		t, slack := enclosure.Mean(r.q, r.z, r.rest)
		return enclosure.Up(t + slack + r.slop)
	}
	r.y = append(r.y[:0], r.z...)
	slope, _ := r.line(func(j int) float64 { return math.Log(r.p[j] / r.q[j]) })
	theta := 1 / slope
	if !(theta > 0) || math.IsInf(theta, 1) {
		// As for a small ball: the deviation of a normal variable.
		m, s := 0.0, 0.0
		for j, z := range r.z {
			m += r.q[j] * z
		}
		for j, z := range r.z {
			s += r.q[j] * (z - m) * (z - m)
		}
		if theta = math.Sqrt(s / (2 * r.radius)); !(theta > 0) || math.IsInf(theta, 1) {
			return enclosure.Up(r.top + r.slop)
		}
	}
	return r.logMean(theta, enclosure.Up(r.radius)).Hi()
}

// logMean encloses max z + θ(ρ + log Σ q_j e^{y_j/θ}) for θ > 0, ρ >= 0, with
// y = z - max z: by Donsker and Varadhan ⟨p, y⟩ - θ KL(p‖q) <= θ log Σ q_j e^{y_j/θ} for
// every p and θ > 0, with equality for p ∝ q e^{y/θ}. For ρ = 0 it falls with θ, so that a
// price rounded down, or up, will do.
func (r *rowset) logMean(theta, rho float64) enclosure.Interval {
	if !(theta > 0) {
		return enclosure.Of(math.Inf(-1), enclosure.Up(r.top+r.slop))
	}
	least := 0.0
	for _, z := range r.z {
		least = min(least, z-r.top)
	}
	r.a = r.a[:0]
	var l, slack float64
	if x := least / theta; x > -0.3 {
		// Σ q e^{y/θ} - 1 as such, and log(1+g) = 2 artanh(g/(2+g)).
		for _, z := range r.z {
			r.a = append(r.a, enclosure.Expm1Little((z-r.top)/theta))
		}
		g, e := enclosure.Mean(r.q, r.a, r.rest)
		e += (enclosure.SeriesError+4*enclosure.Ulp)*math.Abs(x)*1.2 + enclosure.Underflow
		l = enclosure.Log1pLittle(g)
		slack = enclosure.SeriesError*math.Abs(l) + 2*e // d log(1+g) <= 1.36 dg
	} else {
		if l, slack = r.logSum(theta, 0); !(slack <= 1e-9) {
			// Hardly any mass is near the top: times e^690 the sum is far from 0.
			const lift = 690
			l, slack = r.logSum(theta, lift)
			l, slack = l-lift, slack+2*enclosure.Ulp*lift
		}
		if !(slack <= 1) {
			return enclosure.Of(math.Inf(-1), enclosure.Up(r.top+r.slop))
		}
	}
	low, high := enclosure.Down(l-slack), enclosure.Up(l+slack)
	low, high = enclosure.Down(theta*enclosure.Down(rho+low)), enclosure.Up(theta*enclosure.Up(rho+high))
	return enclosure.Of(enclosure.Down(r.top+low-r.slop-enclosure.Ulp*math.Abs(r.top)), min(enclosure.Up(r.top+high+r.slop+enclosure.Ulp*math.Abs(r.top)), enclosure.Up(r.top+r.slop)))
}

// logSum is log Σ q_j e^{y_j/θ + lift} within slack, 0 <= lift <= enclosure.ExpMax; that is NaN
// where rounding may be half of the sum. An exponent carries two roundoffs of its size.
func (r *rowset) logSum(theta, lift float64) (l, slack float64) {
	size := 0.0
	r.a = r.a[:0]
	for j, z := range r.z {
		x := (z-r.top)/theta + lift
		e := 0.0
		if x >= enclosure.ExpMin {
			e = enclosure.ExpNear(x)
			size += r.q[j] * e * (1 + math.Abs(x) + 2*lift)
		} else {
			size += 0x1p-1000 / enclosure.Ulp
		}
		r.a = append(r.a, e)
	}
	rest := r.a[r.rest]
	g, e := enclosure.Mean(r.q, r.a, r.rest)
	e += (enclosure.SeriesError+4*enclosure.Ulp)*(size+2*rest*(1+2*lift+math.Abs(math.Log(max(rest, 0x1p-1000))))) + enclosure.Underflow
	if !(g > 2*e) {
		return math.NaN(), math.NaN()
	}
	l, slack = enclosure.LogNear(g)
	return l, slack + 2*e/g
}

// aboveChi2: Σ (p_j-q_j)²/q_j <= ρ. For any a >= y and any m, since p >= 0 and
// Σ(p-q) = 0, by Cauchy and Schwarz
//
//	⟨p, y⟩ <= ⟨p, a⟩ = ⟨q, a⟩ + Σ (p_j-q_j)(a_j-m) <= ⟨q, a⟩ + √ρ √(Σ q_j (a_j-m)²).
//
// At nature's best p/q - 1 = t (y - η), cut off at -1, and so is a.
func (r *rowset) aboveChi2() float64 {
	slope, level := r.line(func(j int) float64 { return r.p[j]/r.q[j] - 1 })
	cut := level - 1/slope
	if !(slope > 0) || math.IsInf(slope, 1) || math.IsNaN(cut) {
		cut = math.Inf(-1)
	}
	r.a = r.a[:0]
	for _, y := range r.y {
		r.a = append(r.a, max(y, cut))
	}
	m, _ := enclosure.Mean(r.q, r.a, r.rest)
	s := 0.0
	for j, a := range r.a {
		d := math.Abs(a-m) + 2*enclosure.Ulp*math.Abs(a)
		s += (r.q[j] + r.miss(j)) * (d * d)
	}
	s = s*(1+float64(len(r.a)+16)*enclosure.Ulp) + enclosure.Underflow
	return enclosure.Up(r.mean(r.a) + enclosure.Up(math.Sqrt(enclosure.Up(enclosure.Up(r.radius)*enclosure.Up(s)))))
}

// aboveL2: ‖p-q‖₂ <= r. As for chi2, for any a >= y and any m
//
//	⟨p, y⟩ <= ⟨q, a⟩ + Σ (p_j-q_j)(a_j-m) <= ⟨q, a⟩ + r ‖a-m‖₂.
//
// At nature's best p - q = t (y - η), cut off at -q, and so is a.
func (r *rowset) aboveL2(v []float64) float64 {
	slope, level := r.line(func(j int) float64 { return r.p[j] - r.q[j] })
	if !(slope > 0) || math.IsInf(slope, 1) || math.IsNaN(level) || math.IsInf(level, 0) {
		slope, level = math.Inf(1), 0
		if r.radius == 0 && !r.open {
			return r.mean(r.y)
		}
		level = 0
		for _, y := range r.y {
			level += y / float64(len(r.y))
		}
	}
	r.a = r.a[:0]
	s := 0.0
	for j, y := range r.y {
		a := y
		if !math.IsInf(slope, 1) {
			a = max(y, level-r.q[j]/slope)
		}
		r.a = append(r.a, a)
		d := math.Abs(a-level) + 2*enclosure.Ulp*math.Abs(a)
		s += d * d
	}
	n := len(r.a)
	if r.open {
		for _, state := range r.byValue {
			d := (v[state] - r.top) - level
			if !(d > 0) && !math.IsInf(slope, 1) {
				break
			}
			if !r.holds(state) {
				d = math.Abs(d) + 2*enclosure.Ulp*(math.Abs(d)+math.Abs(level))
				s += d * d
				n++
			}
		}
	}
	s = s*(1+float64(n+16)*enclosure.Ulp) + enclosure.Underflow
	return enclosure.Up(r.mean(r.a) + enclosure.Up(enclosure.Up(r.radius)*enclosure.Up(math.Sqrt(s))))
}
