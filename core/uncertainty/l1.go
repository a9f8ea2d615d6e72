package uncertainty

import "rcmdplab/core/vector"

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
	// Weak duality: a row of the ball is q + a - b with a, b >= 0 of equal mass
	// <= r/2 and b <= q, so for every λ >= 0
	// ⟨p, z⟩ <= top + λ r/2 + Σ q max(z - top, -λ).
	return answerOf(len(z), vector.Shift(p, q, z, order, x.mass[i]))
}

// bars: what is left out moves.
func (x *l1) bars(i int, o outside) bool { return o.mass <= x.mass[i] }
