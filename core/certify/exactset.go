package certify

import (
	"fmt"
	"math"
	"math/big"
	"slices"

	"rcmdplab/core/model"
)

// exactSet is a rectangular uncertainty set as exact numbers, with the float64s
// that proofs about it start from. It bounds what nature can gain from above
// (upper) and recognises rows that nature may really use (member).
type exactSet struct {
	in      *instance
	kind    model.Kind
	support [][]int     // by pair, ascending: where nature may put mass
	q       [][]float64 // nominal row, nearest float64s, aligned with support
	lo, hi  [][]float64 // linf, interval: p lies between, rounded outwards
	radius  []float64   // by pair, rounded up
	keep    []iv        // contamination: 1 - R
	work
}

// work is scratch for one row.
type work struct {
	y, p  []float64 // gains and a row, aligned with the support
	order []int     // places in the support, by gain
}

// exactSet reads the set of the problem; nil for a finite one.
func (in *instance) exactSet() (*exactSet, error) {
	u := &in.p.Uncertainty
	x := &exactSet{in: in, kind: u.Kind}
	one := big.NewRat(1, 1)
	for i := range in.Pairs() {
		if in.radius != nil {
			x.radius = append(x.radius, floatAbove(in.radius[i]))
		}
		if u.Kind == model.Interval {
			sup, lo, hi := in.upper[i].next, []float64(nil), []float64(nil)
			for j := range sup {
				lo = append(lo, floatBelow(in.lower[i].find(sup[j])))
				hi = append(hi, floatAbove(in.upper[i].at(j)))
			}
			x.support, x.lo, x.hi = append(x.support, sup), append(x.lo, lo), append(x.hi, hi)
			continue
		}
		r := &in.nominal[i]
		var sup []int
		var q []float64
		switch {
		case u.Kind == model.KL || u.Kind == model.Chi2 || u.Kind == model.KLRegularized:
			for j, to := range r.next { // divergences keep the positive part
				if r.num[j].Sign() > 0 {
					sup, q = append(sup, to), append(q, r.near[j])
				}
			}
		case u.SupportAll:
			q = make([]float64, in.S)
			for s := range in.S {
				sup = append(sup, s)
			}
			for j, to := range r.next {
				q[to] = r.near[j]
			}
		default:
			sup = r.next
			for j := range sup {
				q = append(q, r.near[j])
			}
		}
		x.support, x.q = append(x.support, sup), append(x.q, q)
		switch u.Kind {
		case model.LInf:
			lo, hi := make([]float64, len(sup)), make([]float64, len(sup))
			for j, to := range sup {
				l, h := in.box(i, r.find(to))
				lo[j], hi[j] = floatBelow(l), floatAbove(h)
			}
			x.lo, x.hi = append(x.lo, lo), append(x.hi, hi)
		case model.Contamination:
			if in.radius[i].Cmp(one) > 0 {
				return nil, fmt.Errorf("the radius of %s is %v; want a share between 0 and 1", in.pairName(i), x.radius[i])
			}
			x.keep = append(x.keep, enclose(new(big.Rat).Sub(one, in.radius[i])))
		}
	}
	if u.Kind == model.KLRegularized && u.Paper {
		return nil, fmt.Errorf("the paper's evaluator of the regularised set is the return of no set of kernels, so there is nothing to certify; choose the evaluator \"soft\"")
	}
	return x, nil
}

// box is the range of an entry of the Linf ball of pair i around q.
func (in *instance) box(i int, q *big.Rat) (lo, hi *big.Rat) {
	lo, hi = new(big.Rat).Sub(q, in.radius[i]), new(big.Rat).Add(q, in.radius[i])
	if lo.Sign() < 0 {
		lo.SetInt64(0)
	}
	if one := big.NewRat(1, 1); hi.Cmp(one) > 0 {
		hi = one
	}
	return lo, hi
}

// find is the probability of successor s, 0 when it is not listed.
func (r *row) find(s int) *big.Rat {
	if j, ok := slices.BinarySearch(r.next, s); ok {
		return r.at(j)
	}
	return new(big.Rat)
}

// upper bounds sup_{p ∈ U_i} ⟨p, z⟩ - price·KL(p‖nominal) from above, z aligned
// with support[i]; the price matters for the regularised set only, is positive
// or 0 and at most nature's real one. Whatever the float64 search for good dual
// variables does, the bound holds: it is one of the weak duals below, evaluated
// outwards at the numbers found.
//
// With top = max z every p has ⟨p, z⟩ = top + ⟨p, y⟩, y = z - top <= 0, and
// -⟨p, y⟩ is small where ⟨p, z⟩ is large; rounding y moves the supremum by at
// most 2^-53·max|y|. 0 is always a bound for ⟨p, y⟩.
func (x *exactSet) upper(i int, z []float64, price float64) float64 {
	if len(z) == 0 {
		return nan
	}
	top, bottom := slices.Max(z), slices.Min(z)
	x.y = x.y[:0]
	for _, v := range z {
		x.y = append(x.y, v-top)
	}
	if top == bottom {
		return top
	}
	var b float64
	switch x.kind {
	case model.KLRegularized:
		b = x.logMean(i, price, 0)
	case model.KL:
		b = x.upperKL(i)
	case model.L1:
		b = x.upperL1(i, x.radius[i]/2) // exact: a power of two
	case model.TV:
		b = x.upperL1(i, x.radius[i])
	case model.L2:
		b = x.upperL2(i)
	case model.Chi2:
		b = x.upperChi2(i)
	case model.Contamination:
		b = x.keep[i].mul(x.mean(i)).hi
	case model.Interval, model.LInf:
		b = x.upperBox(i)
	default:
		return nan
	}
	if !(b < 0) { // also when the search went wrong
		return top
	}
	return min(top, up(top+up(b+ulp*up(top-bottom))))
}

// mean encloses ⟨q, y⟩.
func (x *exactSet) mean(i int) iv {
	var s sum
	for j, y := range x.y {
		s.add(x.q[i][j] * y)
	}
	return s.bounds(2)
}

// byValue lists the positions of y in ascending order.
func (x *exactSet) byValue() []int {
	x.order = x.order[:0]
	for j := range x.y {
		x.order = append(x.order, j)
	}
	slices.SortFunc(x.order, func(a, b int) int {
		if d := x.y[a] - x.y[b]; d != 0 {
			return int(math.Copysign(1, d))
		}
		return a - b
	})
	return x.order
}

// upperL1: p = q + a - b with a, b >= 0, b <= q, Σa = Σb = m' <= m. For any
// w <= 0, since y <= 0 and w - y_j <= (w - y_j)⁺,
//
//	⟨p, y⟩ <= ⟨q, y⟩ - ⟨b, y⟩ = ⟨q, y⟩ - w m' + Σ b_j (w - y_j) <= Σ q_j max(y_j, w) - w m.
//
// Best at the y_j below which q has mass m.
func (x *exactSet) upperL1(i int, m float64) float64 {
	w, mass := 0.0, 0.0
	for _, j := range x.byValue() {
		if mass += x.q[i][j]; mass >= m {
			w = x.y[j]
			break
		}
	}
	var s sum
	for j, y := range x.y {
		s.add(x.q[i][j] * max(y, w))
	}
	s.add(-w * m)
	return s.bounds(2).hi
}

// upperBox: lo <= p <= hi. For any w, since Σp = 1,
//
//	⟨p, y⟩ = w + Σ p_j (y_j - w) <= w + Σ_{y_j >= w} hi_j (y_j - w) + Σ_{y_j < w} lo_j (y_j - w).
//
// Best at the y_j where filling up from lo to hi, highest y first, uses up the
// mass.
func (x *exactSet) upperBox(i int) float64 {
	lo, hi := x.lo[i], x.hi[i]
	left := 1.0
	for _, l := range lo {
		left -= l
	}
	w := 0.0
	for _, j := range slices.Backward(x.byValue()) {
		w = x.y[j]
		if left -= hi[j] - lo[j]; left <= 0 {
			break
		}
	}
	var s sum
	s.add(w)
	for j, y := range x.y {
		if y >= w {
			s.add(hi[j] * (y - w))
		} else {
			s.add(lo[j] * (y - w))
		}
	}
	return s.bounds(2).hi
}
