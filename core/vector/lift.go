package vector

import "math"

// Lift fills p with the row that gives most of values z in the ball
// {p : Σ (p-q)²/q <= rho} within the simplex, and Upper with the dual of it. Where the values are
// within Level of each other it says Top and Width alone.
//
// The row is p ∝ q (z-η)₊ where η minimises the dual η + √(1+rho) √(E_q (z-η)₊²). On the
// active set {z > η} that is one closed form, so η is found by solving it on
// the current active set and dropping what falls below, until nothing does.
// η only rises: the form on a superset minimises a function whose derivative is
// nowhere below the dual's. At most n passes, usually three to six.
//
// Sums are two partial ones, for even and odd places.
func Lift(p, q, z []float64, rho float64) (x Excess) {
	q, z = q[:len(p)], z[:len(p)]
	if simd {
		simdLift(&x.Top, &p[0], &q[0], &z[0], int32(len(p)), rho)
	} else {
		lift(&x, p, q, z, rho)
	}
	return x
}

func lift(x *Excess, p, q, z []float64, rho float64) {
	x.among(z)
	if x.Width < Level {
		return
	}
	scale := 1 / x.Width
	// All is measured from z of the heaviest active successor, in units of
	// width: the mean can lie so close to it that their difference would vanish.
	cut := math.Inf(-1) // the largest z that is not active
	base := heaviest(q, z, cut)
	var a active
	var spread, dual float64
	for {
		a.above(q, z, base, scale, cut)
		if a.variance == 0 {
			spread = 0 // q conditioned on the largest z
			break
		}
		over := float64(rho*a.mass) - a.dropped // (1+rho) mass - 1
		if !(over > 0) {
			// The ball just reaches q conditioned on the active set.
			below := float64((cut - base) * scale)
			spread, dual = 0, bound(a.mean, a.mean-below, over, a.variance)+float64((base-x.Top)*scale)
			break
		}
		spread = math.Sqrt(a.variance / over)
		next := drop(z, base, scale, cut, a.mean-spread)
		if next == cut {
			dual = bound(a.mean, spread, over, a.variance) + float64((base-x.Top)*scale)
			break
		}
		cut = next
		base = heaviest(q, z, cut)
	}
	sum, value := a.fill(p, q, z, base, scale, cut, spread, x.Top)
	inv := 1 / sum
	for j := range p {
		p[j] *= inv
	}
	x.Value, x.Upper = value*inv, dual*x.Width
}

// bound is the dual at η = mean - x on an active set with the given moments,
// η + √(κ (x² + variance)) with κ = 1 + over, arranged so that η does not cancel
// against the root.
func bound(mean, x, over, variance float64) float64 {
	root := math.Sqrt((1 + over) * (float64(x*x) + variance))
	return mean + (float64(float64(over*x)*x)+float64((1+over)*variance))/(x+root)
}

// active is what is known of the places where z is above a cut, w = (z - base) scale.
type active struct {
	mass, mean, variance float64 // Σ q there; Σ q w and Σ q (w - mean)² there, each by mass
	dropped              float64 // Σ q elsewhere
}

func (a *active) above(q, z []float64, base, scale, cut float64) {
	q = q[:len(z)]
	var mass, first, dropped, square [2]float64
	for j, y := range z {
		if y > cut {
			mass[j&1] += q[j]
			first[j&1] += float64(q[j] * float64((y-base)*scale))
		} else {
			dropped[j&1] += q[j]
		}
	}
	a.mass, a.dropped = mass[0]+mass[1], dropped[0]+dropped[1]
	a.mean = (first[0] + first[1]) / a.mass
	for j, y := range z {
		if y > cut {
			d := float64((y-base)*scale) - a.mean
			square[j&1] += float64(float64(q[j]*d) * d)
		}
	}
	a.variance = (square[0] + square[1]) / a.mass
}

// drop raises the cut to the largest z with w of at most eta, w = (z - base) scale,
// or leaves it where there is none above it.
func drop(z []float64, base, scale, cut, eta float64) float64 {
	for _, y := range z {
		if y > cut && float64((y-base)*scale) <= eta {
			cut = y
		}
	}
	return cut
}

// heaviest is the z of the first place of the largest q where z is above the cut.
func heaviest(q, z []float64, cut float64) float64 {
	k, most := 0, -1.0
	q = q[:len(z)]
	for j, y := range z {
		if y > cut && q[j] > most {
			k, most = j, q[j]
		}
	}
	return z[k]
}

// fill makes p q max(0, 1 + (w - mean)/spread), w = (z - base) scale, where z is
// above the cut and 0 elsewhere; q itself there when spread is 0. It returns
// Σ p and Σ p (z - top).
func (a *active) fill(p, q, z []float64, base, scale, cut, spread, top float64) (mass, value float64) {
	var m, v [2]float64
	q, z = q[:len(p)], z[:len(p)]
	for j, y := range z {
		x := 0.0
		if y > cut {
			x = q[j]
			if spread > 0 {
				f := 1 + (float64((y-base)*scale)-a.mean)/spread
				if f < 0 {
					f = 0
				}
				x *= f
			}
		}
		p[j] = x
		m[j&1] += x
		v[j&1] += float64(x * (y - top))
	}
	return m[0] + m[1], v[0] + v[1]
}
