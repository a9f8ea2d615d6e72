package uncertainty

import "rcmdplab/core/vector"

// linf is the ball {p : max |p - q| <= r} within the simplex: the interval set
// with ends max(0, q-r) and min(1, q+r).
type linf struct {
	radius []float64 // r by pair
	lo, hi []float64 // scratch
}

func newLInf(n int, radius []float64) *linf {
	return &linf{radius, make([]float64, n), make([]float64, n)}
}

func (x *linf) worst(p []float64, i int, q, z []float64, order []int32) Answer {
	return answerOf(len(z), vector.PourAround(p, x.lo, x.hi, q, z, order, x.radius[i]))
}

// bars: none of what is left out, and none of what each of the others takes, is above the radius.
func (x *linf) bars(i int, o outside) bool {
	return o.most <= x.radius[i] && o.mass <= o.others*x.radius[i]
}
