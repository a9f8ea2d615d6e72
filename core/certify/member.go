package certify

import (
	"fmt"
	"math/big"
	"slices"

	"rcmdplab/core/certify/enclosure"
)

// snap is how near to the nominal row a row is read as the nominal row.
var snap = enclosure.Point(1e-13)

// member reads a dense row of float64s as one that nature may use: exact, of
// sum 1, and in the set of pair i. A row that is the nominal one up to rounding
// is read as that; entries that overstep their own range by rounding are moved
// back and what the row then misses goes to the first that have room. Distances
// are computed outwards, so that a row at the edge of a ball may be refused. For
// the regularised set, price is at least KL(row‖nominal); it is 0 for the others.
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
			return row{}, zero, fmt.Errorf("gives successor %q, which is outside the support, probability %v", x.in.p.States[s], p)
		}
		if enclosure.Point(p) != zero || x.family == ranged || x.family == mixture {
			next, prob = append(next, s), append(prob, p)
		}
	}
	if x.family == ranged || x.family == mixture {
		if r, err = plain(next, prob); err == nil {
			err = x.fit(i, &r)
		}
		return r, zero, err
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
	if r, err = distribution(next, prob); err != nil {
		return r, zero, err
	}
	price, err = x.priceOf(i, &r)
	return r, price, err
}

// fit moves the entries of r between their ends and its sum to 1: what it misses goes to the first
// that has room, and where none has enough the row is at the same share everywhere.
func (x *exactSet) fit(i int, r *row) error {
	n, unit := len(r.next), enclosure.ExactOf(big.NewRat(1, 1))
	v, lo, hi := make([]enclosure.Exact, n), make([]enclosure.Exact, n), make([]enclosure.Exact, n)
	sum, low, high := new(big.Rat), new(big.Rat), new(big.Rat)
	for j, s := range r.next {
		lo[j], hi[j] = x.rangeOf(i, s)
		v[j] = enclosure.ExactOf(r.at(j)).Max(lo[j]).Min(hi[j])
		if !small(new(big.Rat).Sub(r.at(j), v[j].Rat())) {
			return fmt.Errorf("gives successor %q probability %v; the set allows %v to %v", x.in.p.States[s], enclosure.Nearest(r.at(j)), enclosure.Nearest(lo[j].Rat()), enclosure.Nearest(hi[j].Rat()))
		}
		sum.Add(sum, v[j].Rat())
		low.Add(low, lo[j].Rat())
		high.Add(high, hi[j].Rat())
	}
	if !small(new(big.Rat).Sub(sum, unit.Rat())) {
		return fmt.Errorf("sums to %v; want 1", enclosure.Nearest(sum))
	}
	fits := sum.Cmp(unit.Rat()) == 0
	for k := 0; k < n && !fits; k++ {
		moved := slices.Clone(v)
		if fits = between(moved, lo, hi, k, unit); fits {
			v = moved
		}
	}
	if !fits {
		share := new(big.Rat)
		if room := new(big.Rat).Sub(high, low); room.Sign() > 0 {
			share.Quo(share.Sub(unit.Rat(), low), room)
		}
		for j := range v {
			v[j] = lo[j].Add(hi[j].Sub(lo[j]).Mul(enclosure.ExactOf(share)))
		}
	}
	r.den = big.NewInt(1)
	for _, p := range v {
		r.den = enclosure.Common(r.den, p.Rat().Denom())
	}
	for j, p := range v {
		r.near[j] = enclosure.Nearest(p.Rat())
		r.num[j] = over(p.Rat(), r.den)
	}
	return nil
}

// rangeOf is between what the probability of successor s is.
func (x *exactSet) rangeOf(i, s int) (lo, hi enclosure.Exact) {
	if x.ends {
		return enclosure.ExactOf(x.in.lower[i].find(s)), enclosure.ExactOf(x.in.upper[i].find(s))
	}
	return edges(x.shape, enclosure.ExactOf(x.in.nominal[i].find(s)), enclosure.ExactOf(x.in.radius[i]), enclosure.ExactOf(new(big.Rat)), enclosure.ExactOf(big.NewRat(1, 1)))
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
			return zero, fmt.Errorf("gives successor %q, of nominal probability 0, a positive one", x.in.p.States[s])
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
