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
		logs[c] = log2(sum)
		mean += logs[c] / float64(r.v)
	}
	if far := r.far(); far != nil {
		for c, x := range far {
			logs[c] += log2(1 + x)
			mean += log2(1+x) / float64(r.v)
		}
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

// log2 is a logarithm with a linear part between powers of two, so that every machine
// sees the same bits.
func log2(x float64) float64 {
	f, e := math.Frexp(x)
	return float64(e) + 2*f - 2
}

// uneven is how many times the least return of all deterministic policies, or a limit,
// another return is where it would hide what matters: F is then little but what a penalty comes to.
const uneven = 1 << 16

// far is, by deterministic policy, how many times the objective's least return, or a
// limit, its own is at most; nil where none is uneven. Rounding and margins are
// shares of the largest F, so that a policy that pays a penalty of 1e9 has to
// count 2^-30 as much as others for those to be told apart.
func (r *root) far() []float64 {
	far, most := make([]float64, r.v), 0.0
	for n := range r.costs {
		least := r.Base[n]
		if n == 0 {
			least = r.least()
		}
		if !(least > 0) || math.IsInf(least, 1) {
			continue
		}
		for m := range r.Kernels {
			det := r.det[m*r.v:][:r.v]
			for c, x := range r.level[(m*r.costs+n)*r.v:][:r.v] {
				far[c] = max(far[c], x/(det[c]*least))
				most = max(most, far[c])
			}
		}
	}
	if most < uneven {
		return nil
	}
	return far
}

// least is the least normalised return of the objective that a deterministic policy has
// under its worst kernel.
func (r *root) least() float64 {
	least := math.Inf(1)
	for c := range r.v {
		worst := 0.0
		for m := range r.Kernels {
			worst = max(worst, r.level[m*r.costs*r.v+c]/r.det[m*r.v+c])
		}
		least = min(least, worst)
	}
	return least
}
