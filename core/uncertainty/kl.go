package uncertainty

import "math"

// kl is the ball {p : KL(p‖q) <= ρ}. The maximiser is the tilt p_b ∝ q e^{bw},
// w = (z - max z)/(max z - min z), where b solves
//
//	k(b) = KL(p_b‖q) = b E_b[w] - log E_q e^{bw} = ρ,  k'(b) = b Var_b(w) >= 0,
//
// unless the ball holds q conditioned on the largest z (ρ >= -log q(argmax)),
// which then is the answer. The root lies in (0, 746/gap), gap being the
// distance from the largest w to the next: beyond it the other exponentials
// underflow to 0. Halley's iteration on √k, which is close to linear, stays in
// that bracket, which is halved (in log b) whenever a step would leave it or does
// not shrink. Three to five rounds of n exponentials. The upper bound is the dual
// θρ + θ log E_q e^{z/θ} at θ = 1/b, which holds for every θ > 0.
type kl struct{ radius []float64 }

// tie is how far below the largest w still counts as largest: the tilt could
// not separate such values.
const tie = 1e-14

func (x *kl) worst(p []float64, i int, q, z []float64, _ []int32) Answer {
	rho := x.radius[i]
	top, bottom := extremes(z)
	width := top - bottom
	n := len(z)
	if width < level || rho < point {
		return stay(p, q, z, top, width)
	}
	scale := 1 / width
	heavy, mass, next := 0, 0.0, -1.0
	for j, y := range z {
		if w := (y - top) * scale; w >= -tie {
			mass += q[j]
		} else if w > next {
			next = w
		}
		if q[j] > q[heavy] {
			heavy = j
		}
	}
	if mass >= 1 || rho >= -math.Log(mass) {
		return conditioned(p, q, z, top, width, mass)
	}
	// All is measured from the heaviest successor: with nearly all mass on one,
	// deviations from it are tiny and must not be lost.
	base := z[heavy]
	lo, hi, step := 0.0, 746/-next, math.Inf(1)
	b, mean := firstTilt(q, z, base, scale, rho, hi)
	// A hair inside the ball, so that the row is a member whichever way it misses.
	const slack = 1e-12
	aim := rho * (1 - slack)
	root := math.Sqrt(aim)
	var t tilt
	for range 200 {
		if b <= 0.5 {
			t = tiltedLittle(p, q, z, base, scale, b, mean)
		} else if b*(top-base) <= 600*width {
			t = tilted(p, q, z, base, scale, b)
		} else {
			t = tilted(p, q, z, top, scale, b) // from base, e^{bw} would overflow
		}
		if math.Abs(t.k-aim) <= slack*rho {
			break
		}
		if t.k > aim {
			hi = b
		} else {
			lo = b
		}
		// Halley's method on f = √k, as long as its steps halve; else halve the
		// bracket.
		f := math.Sqrt(t.k)
		f1 := b * t.variance / (2 * f)
		f2 := (t.variance+b*t.skew)/(2*f) - f1*f1/f
		nb := b - 2*(f-root)*f1/(2*f1*f1-(f-root)*f2)
		if !(nb > lo && nb < hi && math.Abs(nb-b) <= step/2) {
			nb = math.Sqrt(lo * hi)
			if lo == 0 {
				nb = hi / 16
			}
		}
		step = math.Abs(nb - b)
		if nb == b {
			break
		}
		b = nb
	}
	inv := 1 / t.mass
	for j := range p {
		p[j] *= inv
	}
	shift := t.base - top
	return answer(n, top, width, t.mean*width+shift, (rho+t.log)/b*width+shift)
}

// conditioned writes q conditioned on the largest z, where it has the mass given.
func conditioned(p, q, z []float64, top, width, mass float64) Answer {
	scale, value := 1/width, 0.0
	for j, y := range z {
		p[j] = 0
		if w := (y - top) * scale; w >= -tie {
			p[j] = q[j] / mass
			value += p[j] * (y - top)
		}
	}
	return answer(len(z), top, width, value, 0)
}

// firstTilt is where the root finding starts, b of at most hi, from the moments
// of w under q: k = b² variance/2 + b³ skew/3 + ... It returns E_q[w] as well.
func firstTilt(q, z []float64, base, scale, rho, hi float64) (b, mean float64) {
	variance, skew := 0.0, 0.0
	for j, y := range z {
		mean += q[j] * ((y - base) * scale)
	}
	for j, y := range z {
		d := (y-base)*scale - mean
		variance += q[j] * d * d
		skew += q[j] * d * d * d
	}
	b = hi
	if variance > 0 {
		b = math.Sqrt(2 * rho / variance)
		b = min(b/max(1+b*skew/(3*variance), .5), hi)
	}
	return b, mean
}

// tilt is what is known of the row p_b.
type tilt struct {
	base     float64 // w is measured from this z here
	mass     float64 // the row was written times this
	k        float64 // KL(p_b‖q)
	log      float64 // log E_q e^{bw}
	mean     float64 // E_b[w]
	variance float64 // Var_b(w); like skew, for the next step only
	skew     float64 // E_b[(w - mean)³]
}

// central sets mean, variance and skew from the moments of w.
func (t *tilt) central(mean, second, third float64) {
	t.mean, t.variance = mean, second-mean*mean
	t.skew = third - mean*(3*second-2*mean*mean)
}

// tilted writes p_b. k is the difference of two numbers; where little mass
// moves they are close to 0 both, and then summed as such.
func tilted(p, q, z []float64, base, scale, b float64) tilt {
	t := tilt{base: base}
	var s0, s1, s2, s3 float64
	for j, y := range z {
		w := (y - base) * scale
		e := q[j] * math.Exp(b*w)
		p[j] = e
		s0 += e
		e *= w
		s1 += e
		e *= w
		s2 += e
		s3 += e * w
	}
	t.mass = s0
	inv := 1 / s0
	t.central(s1*inv, s2*inv, s3*inv)
	t.log = math.Log(s0)
	if math.Abs(s0-1) < 1e-2 {
		g := 0.0
		for j, y := range z {
			g += q[j] * math.Expm1(b*((y-base)*scale))
		}
		t.log = math.Log1p(g)
	}
	t.k = b*t.mean - t.log
	return t
}

// tiltedLittle is tilted for b <= 1/2, where k is of order b² and both its parts
// of order b: with x = b (w - E_q w), of mean 0, q e^x = q (1 + x + x² h).
func tiltedLittle(p, q, z []float64, base, scale, b, mean float64) tilt {
	t := tilt{base: base}
	var g, first, second, third float64 // E_q[x² h] = E_q e^x - 1, then E_q[x^n e^x]
	for j, y := range z {
		x := b * ((y-base)*scale - mean)
		h := tail(x)
		x2 := q[j] * x * x
		g += x2 * h
		first += x2 * (1 + x*h)
		e := 1 + x + x*x*h
		second += x2 * e
		third += x2 * x * e
		p[j] = q[j] * e
	}
	t.mass = 1 + g
	inv := 1 / t.mass
	t.central(first*inv/b, second*inv/(b*b), third*inv/(b*b*b))
	log := math.Log1p(g)
	t.k = first*inv - log
	t.mean += mean
	t.log = b*mean + log
	return t
}

// tail is (e^x - 1 - x)/x² = 1/2! + x/3! + x²/4! + ... for |x| <= 1/2, to below
// one ulp.
func tail(x float64) float64 {
	const (
		f2  = 1.0 / 2
		f3  = f2 / 3
		f4  = f3 / 4
		f5  = f4 / 5
		f6  = f5 / 6
		f7  = f6 / 7
		f8  = f7 / 8
		f9  = f8 / 9
		f10 = f9 / 10
		f11 = f10 / 11
		f12 = f11 / 12
		f13 = f12 / 13
		f14 = f13 / 14
		f15 = f14 / 15
	)
	y := x * x
	even := f2 + y*(f4+y*(f6+y*(f8+y*(f10+y*(f12+y*f14)))))
	odd := f3 + y*(f5+y*(f7+y*(f9+y*(f11+y*(f13+y*f15)))))
	return even + x*odd
}
