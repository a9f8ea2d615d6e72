package uncertainty

// l1 is the ball {p : ‖p - q‖₁ <= r} within the simplex: mass r/2 moves from
// the lowest z upward to the largest. O(n) once z is ordered. (Also the total
// variation ball of radius r/2; see tv.go.)
type l1 struct{ mass []float64 } // r/2 by pair

func newL1(radius []float64) *l1 {
	x := &l1{make([]float64, len(radius))}
	for i, r := range radius {
		x.mass[i] = r / 2
	}
	return x
}

func (x *l1) worst(p []float64, i int, q, z []float64, order []int32) Answer {
	n, mass := len(z), x.mass[i]
	first := order[0]
	top, width := z[first], z[first]-z[order[n-1]]
	copy(p, q)
	left, moved, lambda := mass, 0.0, 0.0
	// Mass that already sits at the largest value stays: ties move nothing.
	for k := n - 1; k > 0 && z[order[k]] < top; k-- {
		j := order[k]
		lambda = top - z[j]
		if q[j] >= left {
			p[j] = q[j] - left
			moved += left
			left = 0
			break
		}
		p[j] = 0
		moved += q[j]
		left -= q[j]
	}
	p[first] += moved
	if left > 0 {
		lambda = 0
	}
	// Weak duality: a row of the ball is q + a - b with a, b >= 0 of equal mass
	// <= r/2 and b <= q, so for every λ >= 0
	// ⟨p, z⟩ <= top + λ r/2 + Σ q max(z - top, -λ).
	value, upper := 0.0, lambda*mass
	for j, y := range z {
		w := y - top
		value += p[j] * w
		upper += q[j] * max(w, -lambda)
	}
	return answer(n, top, width, value, upper)
}
