package uncertainty

import (
	"math"

	"rcmdplab/core/vector"
)

// l2 is the ball {p : ‖p - q‖₂ <= r} within the simplex. The maximiser is the
// projection of q + t z onto the simplex, with t such that it lies on the
// sphere: p = (q + t (z - η))₊. On an active set I of k successors that holds
// the dropped mass D, ‖p - q‖² = t² Σ_I (z - mean_I)² + D²/k + Σ_dropped q², so
// t² has a closed form there. The active set only shrinks as t grows, hence
// ‖p - q‖² is concave in t² and Newton's iteration (solve on the active set of
// the current t, project again) rises to the answer in finitely many steps.
type l2 struct {
	radius []float64 // r by pair
	w      []float64 // scratch by successor: z less its largest, rescaled
}

func newL2(n int, radius []float64) *l2 { return &l2{radius, make([]float64, n)} }

func (x *l2) worst(p []float64, i int, q, z []float64, _ []int32) Answer {
	r := x.radius[i]
	top, bottom := extremes(z)
	width := top - bottom
	n := len(z)
	if width < level || r < point {
		return stay(p, q, z, top, width)
	}
	scale := 1 / width
	w := x.w[:n]
	for j, y := range z {
		w[j] = (y - top) * scale
	}
	var a vector.Projection
	a.Begin(p, q, w) // the active set of t = 0+; p says who is in
	t := 0.0
	for {
		variance := a.Spread(p, w)
		if variance == 0 { // all active z are equal, so they are the largest
			t = math.Inf(1)
			break
		}
		room := r*r - a.Square - a.Dropped*a.Share
		if !(room > 0) {
			break
		}
		next := math.Sqrt(room / variance)
		if next <= t {
			break
		}
		t = next
		if !a.Project(p, q, w, t) {
			break
		}
	}
	if t == 0 || math.IsInf(t, 1) {
		value := 0.0
		for j, y := range w {
			if p[j] != 0 {
				p[j] = q[j] + a.Share
			}
			value += p[j] * y
		}
		return answer(n, top, width, value*width, 0)
	}
	// Weak duality in units of the width: for every η and u >= w - η,
	// ⟨p, w⟩ <= η + ⟨q, u⟩ + r ‖u‖₂, tight at u = (p - q)/t.
	value, linear, square := a.Fill(p, q, w, t)
	upper := a.Mean - a.Share/t + linear + r*math.Sqrt(square)
	return answer(n, top, width, value*width, upper*width)
}

// bars: what is left out is spread evenly over the others.
func (x *l2) bars(i int, o outside) bool {
	return o.squares+o.mass*o.mass/o.others <= x.radius[i]*x.radius[i]
}
