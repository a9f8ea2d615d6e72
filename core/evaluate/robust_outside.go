package evaluate

import (
	"math"
)

// longHorizon is where what a residual can come to, H times itself, is much more
// than where a policy ends up can make of it.
const longHorizon = 1e3

// sharpen is bracket for problems in which most of a long horizon is spent where
// nothing more is paid: in states Z of value 0 exactly, under every row of the
// set, and in ends, the residual TV - V is 0 without rounding. With W >= 0 such that
//
//	W >= 1{s ∉ Z} + γ Σ_a π(s,a) max_p ⟨p, W⟩,
//
// a supersolution for the time spent outside Z at the worst, monotony of T gives
//
//	|J - ⟨μ, V⟩| <= ⟨μ, W⟩ max |TV - V|
//
// instead of H max |TV - V|. W is the time under the kernel at hand, enlarged
// until that inequality, which is checked, holds. It gives +Inf where there is no
// Z or nature could stay outside it much longer than under this kernel.
func (r *rectangular) sharpen(f *face, lo, up, noise float64) float64 {
	m := r.m
	if m.Problem.Uncertainty.Kind.Regularised() {
		return math.Inf(1) // T is no maximum over rows at one price
	}
	if r.time == nil {
		r.time, r.within = make([]float64, m.S), make([]bool, m.S)
	}
	some, paid := false, 0.0
	for s := range m.S {
		if r.within[s] = m.Ends(s) && r.worthItsEnd(f, s); r.within[s] {
			some, paid = true, max(paid, math.Abs(f.v[s]))
			continue
		}
		r.within[s] = f.v[s] == 0
		for i := m.Off[s]; r.within[s] && i < m.Off[s+1]; i++ {
			if r.pi[i] == 0 {
				continue
			}
			r.within[s] = r.dearest(f.n, i) == 0
			for _, t := range r.set.Support(i) {
				r.within[s] = r.within[s] && f.v[t] == 0
			}
		}
		some = some || r.within[s]
	}
	if !some {
		return math.Inf(1)
	}
	w := r.time
	for s, is := range r.within {
		w[s] = 1
		if is {
			w[s] = 0
		}
	}
	r.system(f).Solve(w)
	r.set.Begin(w)
	const rounding = 1e-9 // far above that of W and of the sums below
	least := math.Inf(1)
	for s := range m.S {
		if !r.reached[s] {
			continue
		}
		t := 0.0
		for i := m.Off[s]; i < m.Off[s+1]; i++ {
			if x := r.pi[i]; x != 0 {
				t += x * r.set.Row(r.p[:len(r.set.Support(i))], i).Upper
			}
		}
		left := w[s] - m.Gamma*t
		if !r.within[s] {
			least = min(least, left-rounding*w[s])
		} else if left < 0 || w[s] < 0 {
			return math.Inf(1)
		}
	}
	if !(least > 0.01) {
		return math.Inf(1)
	}
	size := 0.0
	for s, p := range m.Mu {
		size += p * math.Abs(f.v[s])
	}
	return (max(up, -lo, 0)+noise)*dot(m.Mu, w)*(1+rounding)/least + 2*u*(float64(m.S+2)*size+4*paid)
}

// worthItsEnd reports whether the value of an end is what is paid there, but for rounding.
func (r *rectangular) worthItsEnd(f *face, s int) bool {
	m, i := r.m, r.m.Off[s]
	c := m.C[f.n]
	if m.CNext[f.n] != nil {
		c, i = m.CNext[f.n], i*m.S+s
	}
	paid := c[i] / m.Rest
	return math.Abs(f.v[s]-paid) <= 4*u*math.Abs(paid)
}
