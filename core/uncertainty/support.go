package uncertainty

import "rcmdplab/core/model"

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

// radiusOf is what the document has for pair i, in a state where something happens.
func radiusOf(m *model.Standard, i int) float64 {
	radius := m.Problem.Uncertainty.Radius
	if len(radius) == 1 {
		return radius[0]
	}
	return radius[m.State[i]*m.A+m.Act[i]]
}

// outside is the nominal row of a pair with some successors left out, whose mass is above 0.
type outside struct {
	mass, most, squares float64 // on those left out: the sum, the largest, the sum of squares
	others              float64 // successors that are left, at least 1
}

// barring is a rule whose rows may give successors no mass at all; see Bars.
type barring interface {
	bars(i int, o outside) bool
}

// Bars reports whether some row of pair i gives the marked states no mass at all. Each rule says when
// it can; of intervals, where the lower ends are 0 and the upper ends of the others sum to at least 1.
//
// Where the last digit decides, what is left takes 1e16 steps to end, if it does.
func Bars(m *model.Standard, s Set, i int, marked []bool) bool {
	u := &m.Problem.Uncertainty
	if s := m.State[i]; m.Absorbs(s) {
		return !marked[s]
	}
	var o outside
	for _, s := range s.Support(i) {
		if !marked[s] {
			o.others++
		}
	}
	if o.others == 0 {
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
	sum := 0.0
	for j, s := range next {
		sum += prob[j]
		if marked[s] {
			o.mass += prob[j]
			o.squares += prob[j] * prob[j]
			o.most = max(o.most, prob[j])
		}
	}
	if o.mass == 0 {
		return true
	}
	o.mass, o.most, o.squares = o.mass/sum, o.most/sum, o.squares/(sum*sum)
	x, ok := s.(*set)
	if !ok {
		return false
	}
	r, ok := x.rule.(barring)
	return ok && r.bars(i, o)
}
