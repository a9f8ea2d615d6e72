package uncertainty

import (
	"math"

	"rcmdplab/core/model"
)

// What nature can do to successors altogether: give one some mass, or none of it to many. Both
// are decided from the parameters of the row, not from a worst row computed, which would call a
// probability of 1e-13 nothing.

// Gives reports whether some row of pair i gives successor s mass, for s of its support.
func Gives(m *model.Standard, i, s int) bool {
	u := &m.Problem.Uncertainty
	if m.Absorbs(m.State[i]) {
		return s == m.State[i]
	}
	if u.Kind == model.Interval {
		nl, pl := u.Lower.Row(i)
		nu, pu := u.Upper.Row(i)
		room := 1 - at(nl, pl, s)
		for _, l := range pl {
			room -= l
		}
		room += at(nl, pl, s)
		return at(nl, pl, s) > 0 || at(nu, pu, s) > 0 && room > 1e-12
	}
	next, prob := u.Nominal.Row(i)
	if at(next, prob, s) > 0 {
		return true
	}
	return u.Kind.Reaches() && radiusOf(m, i) > 0
}

func radiusOf(m *model.Standard, i int) float64 {
	u := &m.Problem.Uncertainty
	switch {
	case len(u.Radius) == 0 || m.Absorbs(m.State[i]):
		return 0
	case len(u.Radius) == 1:
		return u.Radius[0]
	}
	return u.Radius[m.State[i]*m.A+m.Act[i]]
}

// Bars reports whether some row of pair i gives the marked states no mass at all. With o the
// nominal mass on them and m > 0 successors beside them it can, by kind, when
//
//	l1 2o <= r,  tv o <= r,  contamination o = 0 or r = 1,  linf no more than r on each and o <= m r,
//	l2 Σ q² + o²/m <= r²,  chi2 o/(1-o) <= r,  kl -log(1-o) <= r,  interval: lower ends 0, upper ends
//	of the others at least 1.
//
// Where the last digit decides, what is left takes 1e16 steps to end, if it does.
func Bars(m *model.Standard, set Set, i int, marked []bool) bool {
	u := &m.Problem.Uncertainty
	if s := m.State[i]; m.Absorbs(s) {
		return !marked[s]
	}
	others := 0
	for _, s := range set.Support(i) {
		if !marked[s] {
			others++
		}
	}
	if others == 0 {
		return false
	}
	if u.Kind == model.Interval {
		nl, pl := u.Lower.Row(i)
		for j, s := range nl {
			if marked[s] && pl[j] > 0 {
				return false
			}
		}
		nu, pu := u.Upper.Row(i)
		room := 0.0
		for j, s := range nu {
			if !marked[s] {
				room += min(pu[j], 1)
			}
		}
		return room >= 1
	}
	next, prob := u.Nominal.Row(i)
	o, squares, most, sum := 0.0, 0.0, 0.0, 0.0
	for j, s := range next {
		sum += prob[j]
		if marked[s] {
			o += prob[j]
			squares += prob[j] * prob[j]
			most = max(most, prob[j])
		}
	}
	if o == 0 {
		return true
	}
	o, most, squares = o/sum, most/sum, squares/(sum*sum)
	r, n := radiusOf(m, i), float64(others)
	switch u.Kind {
	case model.L1:
		return 2*o <= r
	case model.TV:
		return o <= r
	case model.Contamination:
		return radiusOf(m, i) >= 1
	case model.LInf:
		return most <= r && o <= n*r
	case model.L2:
		return squares+o*o/n <= r*r
	case model.Chi2:
		return o < 1 && o/(1-o) <= r
	case model.KL:
		return o < 1 && -math.Log1p(-o) <= r
	}
	return false
}
