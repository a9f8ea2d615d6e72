package enclosure

import "math"

// Mean is Σ q_j z_j for a distribution q whose entries are known, and normal numbers or 0,
// within (n+4) roundoffs each, but for entry k, which is what the others leave of 1:
//
//	⟨q, z⟩ = z_k + Σ_{j≠k} q_j (z_j - z_k),
//
// with what rounding and the entries' own errors can have moved it. In units of 2^-53: an
// entry n+4, a difference 1, the product 1, the sum n-1 and the last addition 1 of |z_k| and of
// the sum, in all less than 2n+8 of Σ|q_j (z_j - z_k)| and 1 of |z_k|, of which twice as many are
// allowed for; products that underflow are off by 2^-1075 each, less than Underflow for fewer than
// 2^70. Nothing is, when all z that matter are the same, so that nothing was multiplied: a
// product that is 0 by underflow is no reason to say so.
func Mean(q, z []float64, k int) (value, slack float64) {
	zk, t, size, exact := z[k], 0.0, 0.0, true
	for j, x := range q {
		if d := z[j] - zk; d != 0 && x != 0 && j != k {
			y := x * d
			t += y
			size += math.Abs(y)
			exact = false
		}
	}
	if exact {
		return zk, 0
	}
	return zk + t, Ulp*(float64(len(q)+8)*size+math.Abs(zk)) + Underflow
}
