package tensor

import "math"

// fit is a scaling of the root that evens out the sum of the determinants over
// the kernels where it varies by more than rounding to powers of two hides: the exponents, by pair, of the log-linear fit of its inverse. (The
// mean of its logarithm over the vertices with c_s = a, against the mean of all.)
func (r *root) fit() []int {
	logs := make([]float64, r.v)
	mean := 0.0
	for c := range logs {
		sum := 0.0
		for m := range r.Kernels {
			sum += r.det[m*r.v+c]
		}
		// A power of two with a linear part in between, so that every machine sees
		// the same bits.
		f, e := math.Frexp(sum)
		logs[c] = float64(e) + 2*f - 2
		mean += logs[c] / float64(r.v)
	}
	w := make([]int, r.Pairs())
	any := false
	for s := range r.S {
		a, stride := r.actions(s), r.stride[s]
		for i := range a {
			sum := 0.0
			for c := range logs {
				if c/stride%a == i {
					sum += (logs[c] - mean) * float64(a) / float64(r.v)
				}
			}
			w[r.Off[s]+i] = int(math.Round(-sum))
			any = any || w[r.Off[s]+i] != 0
		}
	}
	if !any {
		return nil
	}
	return w
}
