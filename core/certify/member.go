package certify

import (
	"fmt"
	"math/big"
	"slices"

	"rcmdplab/core/certify/enclosure"
)

// exactSet is a rectangular uncertainty set as exact numbers: it recognises rows that
// nature may really use (member).
type exactSet struct {
	in *instance
	shape
	support [][]int // by pair, ascending: where nature may put mass
}

// exactSet reads the set of the problem; nil for a finite one.
func (in *instance) exactSet() *exactSet {
	u := &in.p.Uncertainty
	x := &exactSet{in: in, shape: shapeOf(u.Kind)}
	one := big.NewRat(1, 1)
	for i := range in.Pairs() {
		if x.family == mixture && in.radius[i].Cmp(one) > 0 {
			refuse("the radius of %s is %v; want a share between 0 and 1", in.pairName(i), enclosure.Nearest(in.radius[i]))
		}
		var sup []int
		switch {
		case x.ends:
			sup = in.upper[i].next
		case x.positive:
			sup, _ = in.nominal[i].positive(nil) // divergences keep the positive part
		case u.SupportAll:
			for s := range in.S {
				sup = append(sup, s)
			}
		default:
			sup = in.nominal[i].next
		}
		x.support = append(x.support, sup)
	}
	in.certain()
	return x
}

// snap is how near to the nominal row a row is read as the nominal row.
var snap = enclosure.Point(1e-13)

// member reads a dense row of float64s as one that nature may use: exact, of
// sum 1, and in the set of pair i. A row that is the nominal one up to rounding
// is read as that; entries that overstep their own range by rounding are moved
// back and what the row then misses goes to the first that have room. Distances
// are computed outwards, so that a row at the edge of a ball may be outside, for which err is why, as one that does not sum to 1 is. For
// the regularised set, price is at least KL(row‖nominal); it is 0 for the others. What is no row for the pair is refused.
func (x *exactSet) member(i int, dense []float64) (r row, price interval, err error) {
	var next []int
	var prob []float64
	allowed := x.support[i]
	for s, p := range dense {
		if len(allowed) > 0 && allowed[0] == s {
			allowed = allowed[1:]
		} else if enclosure.Point(p) == zero {
			continue
		} else {
			refuse("gives successor %q, which is outside the support, probability %v", x.in.p.States[s], p)
		}
		if enclosure.Point(p) != zero || x.family == ranged || x.family == mixture {
			next, prob = append(next, s), append(prob, p)
		}
	}
	if x.family == ranged || x.family == mixture {
		r = plain(next, prob)
		x.fit(i, &r)
		return r, zero, nil
	}
	q, same := &x.in.nominal[i], true
	listed := 0
	for s, p := range dense {
		near := 0.0
		if listed < len(q.next) && q.next[listed] == s {
			near = q.near[listed]
			listed++
		}
		same = same && enclosure.Point(p).Sub(enclosure.Point(near)).Abs().AtMost(snap)
	}
	if same {
		return *q, zero, nil
	}
	if err = caught(func() { r = distribution(next, prob, 0) }); err == nil {
		price, err = x.priceOf(i, &r)
	}
	return r, price, err
}

// fit moves the entries of r between their ends and its sum to 1.
func (x *exactSet) fit(i int, r *row) {
	low, high, den := x.ranges(i, r.next)
	den, by := new(big.Int).Mul(den, r.den), den // of everything below
	left := new(big.Int).Set(den)
	for j, p := range r.num {
		v := new(big.Int).Mul(p, by)
		low[j], high[j] = new(big.Int).Mul(low[j], r.den), new(big.Int).Mul(high[j], r.den)
		switch {
		case v.Cmp(low[j]) < 0:
			v.Set(low[j])
		case v.Cmp(high[j]) > 0:
			v.Set(high[j])
		}
		if miss := new(big.Int).Mul(p, by); !small(new(big.Rat).SetFrac(miss.Sub(miss, v), den)) {
			refuse("gives successor %q probability %v; the set allows %v to %v", x.in.p.States[r.next[j]], r.near[j], enclosure.Ratio(low[j], den), enclosure.Ratio(high[j], den))
		}
		r.num[j] = v
		left.Sub(left, v)
	}
	if !small(new(big.Rat).SetFrac(left, den)) {
		refuse("sums to %v; want 1", enclosure.Ratio(new(big.Int).Sub(den, left), den))
	}
	r.den = den
	for j, v := range r.num {
		move := new(big.Int).Sub(high[j], v)
		if left.Sign() < 0 {
			move.Sub(low[j], v)
		}
		if move.CmpAbs(left) > 0 {
			move.Set(left)
		}
		v.Add(v, move)
		left.Sub(left, move)
		r.near[j] = enclosure.Ratio(v, den)
	}
	if left.Sign() != 0 {
		refuse("has no room to sum to 1")
	}
}

// ranges are between what the probabilities of some successors are, over one denominator; see edges.
func (x *exactSet) ranges(i int, states []int) (low, high []*big.Int, den *big.Int) {
	in := x.in
	if x.ends {
		lower, upper := &in.lower[i], &in.upper[i]
		return lower.times(upper.den, states), upper.times(lower.den, states), new(big.Int).Mul(lower.den, upper.den)
	}
	q, radius := &in.nominal[i], in.radius[i]
	den = new(big.Int).Mul(q.den, radius.Denom())
	if x.family == mixture {
		low = q.times(new(big.Int).Sub(radius.Denom(), radius.Num()), states)
		for range states {
			high = append(high, den)
		}
		return low, high, den
	}
	share := new(big.Int).Mul(radius.Num(), q.den)
	low = q.times(radius.Denom(), states)
	for _, p := range low {
		high = append(high, new(big.Int).Add(p, share)) // above 1 too, which a row of sum 1 is not
		if p.Sub(p, share); p.Sign() < 0 {
			p.SetInt64(0)
		}
	}
	return low, high, den
}

// times are the row's numerators for some states, ascending, times a factor.
func (r *row) times(by *big.Int, states []int) []*big.Int {
	list := make([]*big.Int, len(states))
	for k, s := range states {
		list[k] = new(big.Int)
		if j, ok := slices.BinarySearch(r.next, s); ok {
			list[k].Mul(r.num[j], by)
		}
	}
	return list
}

// priceOf fails when row r may lie outside the ball around the nominal row.
// For the regularised set it returns KL(r‖nominal), which is finite.
func (x *exactSet) priceOf(i int, r *row) (interval, error) {
	q := &x.in.nominal[i]
	var gaps, nominal []interval
	both := new(big.Int).Mul(r.den, q.den)
	none, t := new(big.Int), new(big.Int)
	add := func(p, n *big.Int) { // one entry, over the denominators of r and q
		d := new(big.Int).Mul(p, q.den)
		if d.Sub(d, t.Mul(n, r.den)); d.Sign() != 0 { // over both
			gaps, nominal = append(gaps, enclosure.Quotient(d, both)), append(nominal, enclosure.Quotient(n, q.den))
		}
	}
	j := 0
	for k, s := range r.next {
		for ; j < len(q.next) && q.next[j] < s; j++ {
			add(none, q.num[j])
		}
		n := none
		if j < len(q.next) && q.next[j] == s {
			n = q.num[j]
			j++
		}
		if n.Sign() == 0 && x.positive && r.num[k].Sign() != 0 {
			refuse("gives successor %q, of nominal probability 0, a positive one", x.in.p.States[s])
		}
		add(r.num[k], n)
	}
	for ; j < len(q.next); j++ {
		add(none, q.num[j])
	}
	if x.family == priced {
		total, _ := x.distance(gaps, nominal, zero)
		if !total.Finite() {
			return zero, fmt.Errorf("is at a distance of the nominal row that is no finite number")
		}
		return total, nil
	}
	radius := enclosure.Around(x.in.radius[i])
	if total, inside := x.distance(gaps, nominal, radius); !inside {
		return zero, fmt.Errorf("is at distance %v of the nominal row, as squared or summed by the set; want at most %v", total.Hi(), x.limit(radius).Lo())
	}
	return zero, nil
}
