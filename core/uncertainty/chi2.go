package uncertainty

import "rcmdplab/core/vector"

// chi2 is the ball {p : Σ (p-q)²/q <= ρ} within the simplex.
type chi2 struct {
	radius []float64 // ρ by pair
}

func (x *chi2) worst(p []float64, i int, q, z []float64, _ []int32) Answer {
	rho := x.radius[i]
	if rho < point {
		return stay(p, q, z)
	}
	return moved(p, q, z, vector.Lift(p, q, z, rho))
}

// bars: the others are scaled alike.
func (x *chi2) bars(i int, o outside) bool { return o.mass < 1 && o.mass/(1-o.mass) <= x.radius[i] }
