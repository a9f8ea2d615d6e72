package uncertainty

import (
	"math"

	"rcmdplab/core/vector"
)

// chi2 is the ball {p : Σ (p-q)²/q <= ρ} within the simplex. The maximiser is
// p ∝ q (z-η)₊ where η minimises the dual η + √(1+ρ) √(E_q (z-η)₊²). On the
// active set {z > η} that is one closed form, so η is found by solving it on
// the current active set and dropping what falls below, until nothing does.
// η only rises: the form on a superset minimises a function whose derivative is
// nowhere below the dual's. At most n passes, usually three to six.
type chi2 struct {
	radius []float64 // ρ by pair
}

func (x *chi2) worst(p []float64, i int, q, z []float64, _ []int32) Answer {
	rho := x.radius[i]
	top, bottom := extremes(z)
	width := top - bottom
	n := len(z)
	if width < level || rho < point {
		return stay(p, q, z, top, width)
	}
	scale := 1 / width
	// All is measured from z of the heaviest active successor, in units of
	// width: the mean can lie so close to it that their difference would vanish.
	cut := math.Inf(-1) // the largest z that is not active
	base := z[max(vector.Heaviest(q, z, cut), 0)]
	var a vector.Spread // of the active
	var spread, dual float64
	for {
		a = vector.Above(q, z, base, scale, cut)
		if a.Variance == 0 {
			spread = 0 // q conditioned on the largest z
			break
		}
		over := rho*a.Mass - a.Dropped // (1+ρ) Mass - 1
		if !(over > 0) {
			// The ball just reaches q conditioned on the active set.
			below := (cut - base) * scale
			spread, dual = 0, bound(a.Mean, a.Mean-below, over, a.Variance)+(base-top)*scale
			break
		}
		spread = math.Sqrt(a.Variance / over)
		next := vector.Drop(z, base, scale, cut, a.Mean-spread)
		if next == cut {
			dual = bound(a.Mean, spread, over, a.Variance) + (base-top)*scale
			break
		}
		cut = next
		base = z[vector.Heaviest(q, z, cut)]
	}
	sum, value := vector.Lift(p, q, z, base, scale, cut, a.Mean, spread, top)
	inv := 1 / sum
	vector.Scale(p, inv)
	return answer(n, top, width, value*inv, dual*width)
}

// bars: the others are scaled alike.
func (x *chi2) bars(i int, o outside) bool { return o.mass < 1 && o.mass/(1-o.mass) <= x.radius[i] }

// bound is the dual at η = mean - x on an active set with the given moments,
// η + √(κ (x² + variance)) with κ = 1 + over, arranged so that η does not cancel
// against the root.
func bound(mean, x, over, variance float64) float64 {
	root := math.Sqrt((1 + over) * (x*x + variance))
	return mean + (over*x*x+(1+over)*variance)/(x+root)
}
