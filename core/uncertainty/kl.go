package uncertainty

import (
	"math"

	"rcmdplab/core/vector"
)

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
	if width < vector.Level || rho < point {
		return stay(p, q, z)
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
		if b <= vector.LittleTilt {
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

// bars: the others are scaled alike.
func (x *kl) bars(i int, o outside) bool { return o.mass < 1 && -math.Log1p(-o.mass) <= x.radius[i] }

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
		f := 1 + b*skew/(3*variance)
		if f < .5 {
			f = .5
		}
		if b /= f; b > hi {
			b = hi
		}
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
	m := vector.Tilt(p, q, z, base, scale, b)
	t := tilt{base: base, mass: m.Mass}
	inv := 1 / m.Mass
	t.central(m.First*inv, m.Second*inv, m.Third*inv)
	t.log = vector.Log(m.Mass, m.More)
	t.k = b*t.mean - t.log
	return t
}

// tiltedLittle is tilted for little b, where k is of order b² and both its parts
// of order b: with x = b (w - E_q w), of mean 0, q e^x = q (1 + x + x² h).
func tiltedLittle(p, q, z []float64, base, scale, b, mean float64) tilt {
	m := vector.TiltLittle(p, q, z, base, scale, b, mean)
	t := tilt{base: base, mass: 1 + m.More}
	inv := 1 / t.mass
	t.central(m.First*inv/b, m.Second*inv/(b*b), m.Third*inv/(b*b*b))
	log := vector.Log(t.mass, m.More)
	t.k = m.First*inv - log
	t.mean += mean
	t.log = b*mean + log
	return t
}
