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
// until that inequality, which is checked, holds; where nature could stay outside Z
// much longer than under this kernel, under the rows that it would take for that, by
// policy iteration. It gives +Inf where there is no Z, or no such W in a few steps.
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
	least := r.outside(f)
	if !(least > 0.01) {
		return math.Inf(1)
	}
	w := r.time
	size := 0.0
	for s, p := range m.Mu {
		size += p * math.Abs(f.v[s])
	}
	return (max(up, -lo, 0)+noise)*dot(m.Mu, w)*(1+rounded)/least + 2*u*(float64(m.S+2)*size+4*paid)
}

// rounded is far above what rounding does to a time, as a share of it.
const rounded = 1e-9

// outside fills time with a W and gives the least of W - γ Σ_a π(s,a) max_p ⟨p, W⟩ outside Z, less what rounding
// may do to it, where all that is needed inside holds; 0 where it does not.
func (r *rectangular) outside(f *face) (least float64) {
	const rounds = 8
	if r.slow == nil {
		r.slow = r.newResponse()
	}
	m, w, y := r.m, r.time, r.system(f)
	for round := 1; ; round++ {
		for s, is := range r.within {
			w[s] = 1
			if is {
				w[s] = 0
			}
		}
		y.Solve(w)
		r.set.Begin(w)
		r.slow.begin(f.is)
		least = math.Inf(1)
		for s := range m.S {
			t := 0.0
			for i := m.Off[s]; i < m.Off[s+1]; i++ {
				if x := r.pi[i]; x != 0 && r.reached[s] {
					t += x * r.worstRow(r.slow, i).Upper
				} else {
					r.slow.keep(f.is, i)
				}
			}
			left := w[s] - m.Gamma*t
			switch {
			case !r.reached[s]:
			case !r.within[s]:
				least = min(least, left-rounded*w[s])
			case left < 0 || w[s] < 0:
				return 0
			}
		}
		if least > 0.01 || math.IsNaN(least) || round == rounds {
			return least
		}
		k := f.slot % len(r.systems)
		r.holds[k], y = nil, r.systems[k]
		y.Load(m.Layout, r.pi, r.slow.ker)
		y.Factor()
	}
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
