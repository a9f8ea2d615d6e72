package uncertainty

import "math"

// l2 is the ball {p : ‖p - q‖₂ <= r} within the simplex. The maximiser is the
// projection of q + t z onto the simplex, with t such that it lies on the
// sphere: p = (q + t (z - η))₊. On an active set I of k successors that holds
// the dropped mass D, ‖p - q‖² = t² Σ_I (z - mean_I)² + D²/k + Σ_dropped q², so
// t² has a closed form there. The active set only shrinks as t grows, hence
// ‖p - q‖² is concave in t² and Newton's iteration (solve on the active set of
// the current t, project again) rises to the answer in finitely many steps.
type l2 struct {
	radius []float64 // r by pair
	in     []bool    // scratch: active
	w      []float64 // scratch by successor: z less its largest, rescaled
}

func newL2(n int, radius []float64) *l2 { return &l2{radius, make([]bool, n), make([]float64, n)} }

func (x *l2) worst(p []float64, i int, q, z []float64, _ []int32) Answer {
	r := x.radius[i]
	top, bottom := extremes(z)
	width := top - bottom
	n := len(z)
	if width < level || r < point {
		return stay(p, q, z, top, width)
	}
	scale := 1 / width
	w, in := x.w[:n], x.in[:n]
	for j, y := range z {
		w[j] = (y - top) * scale
	}
	k, mean := x.begin(q[:n])
	var t, share float64 // share = D/k
	dropped, square := 0.0, 0.0
	for {
		variance := 0.0
		for j, y := range w {
			if in[j] {
				variance += (y - mean) * (y - mean)
			}
		}
		if variance == 0 { // all active z are equal, so they are the largest
			t = math.Inf(1)
			break
		}
		room := r*r - square - dropped*share
		if !(room > 0) {
			break
		}
		next := math.Sqrt(room / variance)
		if next <= t {
			break
		}
		t = next
		if !x.project(q[:n], t, &k, &mean, &dropped, &square, &share) {
			break
		}
	}
	value := 0.0
	for j, y := range w {
		p[j] = 0
		if in[j] {
			p[j] = q[j] + share
			if !math.IsInf(t, 1) {
				if p[j] += t * (y - mean); p[j] < 0 {
					p[j] = 0
				}
			}
		}
		value += p[j] * y
	}
	upper := 0.0
	if t > 0 && !math.IsInf(t, 1) {
		upper = x.dual(q[:n], r, t, mean-share/t)
	}
	return answer(n, top, width, value*width, upper*width)
}

// begin makes the active set of t = 0+, in which a successor without mass is only
// when z is above the active mean, which dropping can but raise. It returns its
// size and mean.
func (x *l2) begin(q []float64) (k int, mean float64) {
	n := len(q)
	w, in := x.w[:n], x.in[:n]
	k = n
	sum := 0.0
	for j, y := range w {
		in[j] = true
		sum += y
	}
	mean = sum / float64(k)
	for {
		before := k
		for j, y := range w {
			if in[j] && q[j] <= 0 && y < mean {
				in[j] = false
				k--
			}
		}
		if k == before {
			return k, mean
		}
		sum, k = 0, 0 // afresh: no drift
		for j, y := range w {
			if in[j] {
				sum += y
				k++
			}
		}
		mean = sum / float64(k)
	}
}

// dual is weak duality in units of the width: for every η and u >= w - η,
// ⟨p, w⟩ <= η + ⟨q, u⟩ + r ‖u‖₂, tight at u = (p - q)/t.
func (x *l2) dual(q []float64, r, t, eta float64) float64 {
	upper, norm := eta, 0.0
	for j, y := range x.w[:len(q)] {
		u := y - eta
		if least := -q[j] / t; u < least {
			u = least
		}
		upper += q[j] * u
		norm += u * u
	}
	return upper + r*math.Sqrt(norm)
}

// project drops from the active set what the projection of q + t w onto the
// simplex sets to 0, and reports whether it dropped anything.
func (x *l2) project(q []float64, t float64, k *int, mean, dropped, square, share *float64) bool {
	any := false
	for {
		hit := false
		for j, y := range x.w[:len(q)] {
			if x.in[j] && q[j]+*share+t*(y-*mean) < 0 {
				x.in[j] = false
				hit = true
			}
		}
		if !hit {
			return any
		}
		any = true
		n, sum, d, s := 0, 0.0, 0.0, 0.0
		for j, y := range x.w[:len(q)] {
			if x.in[j] {
				sum += y
				n++
			} else {
				d += q[j]
				s += q[j] * q[j]
			}
		}
		*k, *mean, *dropped, *square, *share = n, sum/float64(n), d, s, d/float64(n)
	}
}
