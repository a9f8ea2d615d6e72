package certify

import (
	"math"
	"slices"
)

// logMean bounds θ·(ρ + log Σ q_j e^{y_j/θ}) from above for θ > 0, ρ >= 0: by
// Donsker and Varadhan ⟨p, y⟩ - θ KL(p‖q) <= θ log Σ q_j e^{y_j/θ} for every
// p and θ > 0. For ρ = 0 it falls with θ, so that a price rounded down will do.
//
// The sum is taken both as 1 + Σ q_j (e^{y_j/θ} - 1), exact where θ is large,
// and as it stands, exact where little mass has a y near 0; times e^690 where hardly any
// has, so that the rest is not below what an exponential is told apart from 0.
func (x *exactSet) logMean(i int, theta, rho float64) float64 {
	if !(theta > 0) {
		return 0
	}
	const lift = 690
	var near, far, further sum
	for j, y := range x.y {
		a := up(y / theta)
		near.add(x.q[i][j] * expm1(a).hi)
		far.add(x.q[i][j] * exp(a).hi)
		further.add(x.q[i][j] * exp(up(a+lift)).hi)
	}
	l := log1pUpper(near.bounds(2).hi)
	if e := far.bounds(2).hi; e < 0.5 {
		if l = min(l, logUpper(e)); e < 0x1p-900 {
			l = min(l, up(logUpper(further.bounds(2).hi)-lift))
		}
	}
	return up(theta * up(rho+l))
}

// upperKL: KL(p‖q) <= ρ gives ⟨p, y⟩ <= θρ + θ log Σ q_j e^{y_j/θ} for every
// θ > 0. The best b = 1/θ solves k(b) = b E_b[y] - log E_q e^{by} = ρ under the
// tilted row ∝ q e^{by}, k increasing.
func (x *exactSet) upperKL(i int) float64 {
	rho := x.radius[i]
	if rho == 0 {
		return x.mean(i).hi
	}
	k := func(b float64) (value, slope float64) {
		m, t, tt := 0.0, 0.0, 0.0
		for j, y := range x.y {
			e := x.q[i][j] * math.Exp(b*y)
			m, t, tt = m+e, t+e*y, tt+e*y*y
		}
		mean := t / m
		return b*mean - math.Log(m), b * (tt/m - mean*mean)
	}
	span := -slices.Min(x.y)
	low, high, b := 0.0, math.Inf(1), 1/span
	for range 200 {
		v, slope := k(b)
		if v < rho {
			low = b
		} else {
			high = b
		}
		next := b + (rho-v)/slope
		if !(next > low && next < high && next <= 16*b) { // flat at first, where little mass is near the top
			if next = (low + high) / 2; math.IsInf(high, 1) {
				next = 2 * b
			}
		}
		if math.Abs(next-b) <= 1e-14*b || next > 1e12/span {
			break
		}
		b = next
	}
	return x.logMean(i, 1/b, rho)
}

// clipped bounds Σ q_j a_j + √(ρ Σ q_j (a_j - m)²) from above.
func (x *exactSet) clipped(i int, a []float64, rho float64) float64 {
	var s sum
	for j, v := range a {
		s.add(x.q[i][j] * v)
	}
	m := s.v
	var t sum
	for j, v := range a {
		d := v - m
		t.add(x.q[i][j] * (d * d))
	}
	root := iv{0, max(0, up(rho*max(0, t.bounds(6).hi)))}.sqrt().hi
	return up(s.bounds(2).hi + root)
}

// upperChi2: Σ (p_j-q_j)²/q_j <= ρ. For any a >= y and any m, since p >= 0 and
// Σ(p-q) = 0, by Cauchy and Schwarz
//
//	⟨p, y⟩ <= ⟨p, a⟩ = ⟨q, a⟩ + Σ (p_j-q_j)(a_j-m) <= ⟨q, a⟩ + √ρ √(Σ q_j (a_j-m)²).
//
// Best for a = max(y, η) with the η at which (1+ρ)(Σ q w)² = Σ q w²,
// w = (y-η)⁺, or without clipping when no entry of p would be negative.
func (x *exactSet) upperChi2(i int) float64 {
	rho, low := x.radius[i], slices.Min(x.y)
	if rho == 0 {
		return x.mean(i).hi
	}
	short := func(eta float64) bool { // the worst row at η is nearer than ρ
		a, b := 0.0, 0.0
		for j, y := range x.y {
			if w := y - eta; w > 0 {
				a, b = a+x.q[i][j]*w, b+x.q[i][j]*w*w
			}
		}
		return b <= (1+rho)*a*a
	}
	eta := low
	if short(eta) {
		lo, hi := low, 0.0
		for range 100 {
			if eta = (lo + hi) / 2; short(eta) {
				lo = eta
			} else {
				hi = eta
			}
		}
	}
	x.p = x.p[:0]
	for _, y := range x.y {
		x.p = append(x.p, max(y, eta))
	}
	return x.clipped(i, x.p, rho)
}

// upperL2: ‖p-q‖₂ <= r. As for chi2, for any a >= y and any m
//
//	⟨p, y⟩ <= ⟨q, a⟩ + Σ (p_j-q_j)(a_j-m) <= ⟨q, a⟩ + r ‖a-m‖₂.
//
// Best for a_j = max(y_j, η - q_j/t), where p = (q + t(y-η))⁺ is the row at
// distance r: t by bisection, η by the projection on the simplex.
func (x *exactSet) upperL2(i int) float64 {
	r, q := x.radius[i], x.q[i]
	if r == 0 {
		return x.mean(i).hi
	}
	project := func(t float64) (eta, distance float64) {
		x.p = x.p[:0]
		for j, y := range x.y {
			x.p = append(x.p, q[j]+t*y)
		}
		level := simplexLevel(x.p)
		d := 0.0
		for j, v := range x.p {
			e := max(v-level, 0) - q[j]
			d += e * e
		}
		return level / t, math.Sqrt(d)
	}
	span := -slices.Min(x.y)
	lo, hi := 1e-12/span, 1e12/span
	if _, d := project(hi); d <= r {
		return 0
	}
	for range 100 {
		mid := math.Sqrt(lo * hi)
		if _, d := project(mid); d <= r {
			lo = mid
		} else {
			hi = mid
		}
	}
	t := lo
	eta, _ := project(t)
	var mean, square sum
	for j, y := range x.y {
		a := max(y, eta-q[j]/t)
		mean.add(q[j] * a)
		square.add((a - eta) * (a - eta))
	}
	root := iv{0, max(0, square.bounds(4).hi)}.sqrt().hi
	return up(mean.bounds(2).hi + up(r*root))
}

// simplexLevel is the level with Σ (v_j - level)⁺ = 1.
func simplexLevel(v []float64) float64 {
	s := slices.Clone(v)
	slices.Sort(s)
	total, level := -1.0, 0.0
	for k := len(s) - 1; k >= 0; k-- {
		total += s[k]
		if l := total / float64(len(s)-k); k == 0 || l >= s[k-1] {
			level = l
			break
		}
	}
	return level
}
