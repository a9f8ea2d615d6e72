package uncertainty

import "rcmdplab/core/vector"

// l2 is the ball {p : ‖p - q‖₂ <= r} within the simplex.
type l2 struct {
	radius []float64 // r by pair
	w      []float64 // scratch by successor
}

func newL2(n int, radius []float64) *l2 { return &l2{radius, make([]float64, n)} }

func (x *l2) worst(p []float64, i int, q, z []float64, _ []int32) Answer {
	r := x.radius[i]
	if r < point {
		return stay(p, q, z)
	}
	return moved(p, q, z, vector.Project(p, x.w, q, z, r))
}

// bars: what is left out is spread evenly over the others.
func (x *l2) bars(i int, o outside) bool {
	return o.squares+o.mass*o.mass/o.others <= x.radius[i]*x.radius[i]
}
