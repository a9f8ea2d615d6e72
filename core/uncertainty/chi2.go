package uncertainty

import "math"

// chi2 is the ball {p : Σ (p-q)²/q <= ρ} within the simplex. The maximiser is
// p ∝ q (z-η)₊ where η minimises the dual η + √(1+ρ) √(E_q (z-η)₊²). On the
// active set {z > η} that is one closed form, so η is found by solving it on
// the current active set and dropping what falls below, until nothing does.
// η only rises: the form on a superset minimises a function whose derivative is
// nowhere below the dual's. At most n passes, usually three to six.
type chi2 struct {
	radius []float64 // ρ by pair
	in     []bool    // scratch: active
}

func newChi2(n int, radius []float64) *chi2 { return &chi2{radius, make([]bool, n)} }

func (x *chi2) worst(p []float64, i int, q, z []float64, _ []int32) Answer {
	rho := x.radius[i]
	top, bottom := extremes(z)
	width := top - bottom
	n := len(z)
	if width < level || rho < point {
		return stay(p, q, z, top, width)
	}
	scale := 1 / width
	in := x.in[:n]
	for j := range in {
		in[j] = true
	}
	ref := heaviest(q, in)
	// All is measured from z of the heaviest active successor, in units of
	// width: the mean can lie so close to it that their difference would vanish.
	var mean, spread, dual float64
	for {
		base, below := z[ref], -1.0
		a0, a1, dropped, variance := 0.0, 0.0, 0.0, 0.0
		for j, y := range z {
			w := (y - base) * scale
			if in[j] {
				a0 += q[j]
				a1 += q[j] * w
			} else {
				dropped += q[j]
				below = max(below, w)
			}
		}
		mean = a1 / a0
		for j, y := range z {
			if in[j] {
				d := (y-base)*scale - mean
				variance += q[j] * d * d
			}
		}
		variance /= a0
		over := rho*a0 - dropped // (1+ρ) a0 - 1
		if variance == 0 {
			spread = 0 // q conditioned on the largest z
			break
		}
		if !(over > 0) {
			// The ball just reaches q conditioned on the active set.
			spread, dual = 0, bound(mean, mean-below, over, variance)+(base-top)*scale
			break
		}
		spread = math.Sqrt(variance / over)
		hit := false
		for j, y := range z {
			if in[j] && (y-base)*scale <= mean-spread {
				in[j], hit = false, true
			}
		}
		if !hit {
			dual = bound(mean, spread, over, variance) + (base-top)*scale
			break
		}
		ref = heaviest(q, in)
	}
	sum, value := 0.0, 0.0
	for j, y := range z {
		p[j] = 0
		if in[j] {
			p[j] = q[j]
			if spread > 0 {
				p[j] = q[j] * max(0, 1+((y-z[ref])*scale-mean)/spread)
			}
			sum += p[j]
			value += p[j] * (y - top)
		}
	}
	inv := 1 / sum
	for j := range p {
		p[j] *= inv
	}
	return answer(n, top, width, value*inv, dual*width)
}

// heaviest is the active successor with most mass, the first of them.
func heaviest(q []float64, in []bool) int {
	k := -1
	for j := range in {
		if in[j] && (k < 0 || q[j] > q[k]) {
			k = j
		}
	}
	return k
}

// bound is the dual at η = mean - x on an active set with the given moments,
// η + √(κ (x² + variance)) with κ = 1 + over, arranged so that η does not cancel
// against the root.
func bound(mean, x, over, variance float64) float64 {
	root := math.Sqrt((1 + over) * (x*x + variance))
	return mean + (over*x*x+(1+over)*variance)/(x+root)
}
