package uncertainty

import "rcmdplab/core/vector"

// contamination is {(1-R) q + R p : p any row of the support}: the share R goes
// to the largest z. O(n).
type contamination struct{ share []float64 }

func (x *contamination) worst(p []float64, i int, q, z []float64, _ []int32) Answer {
	return answerOf(len(z), vector.Share(p, q, z, x.share[i]))
}

// bars: the nominal row keeps what it has unless its share is 0.
func (x *contamination) bars(i int, _ outside) bool { return x.share[i] >= 1 }
