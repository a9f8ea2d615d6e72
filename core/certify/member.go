package certify

import (
	"fmt"
	"math"
	"math/big"

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
	price, err = x.distance(i, &r)
	return r, price, err
}

// fit moves the entries of r into their ranges and its sum to 1.
func (x *exactSet) fit(i int, r *row) error {
	one := big.NewRat(1, 1)
	n := len(r.next)
	v, lo, hi := make([]*big.Rat, n), make([]*big.Rat, n), make([]*big.Rat, n)
	miss := big.NewRat(1, 1)
	for j, s := range r.next {
		v[j] = r.at(j)
		switch {
		case x.ends:
			lo[j], hi[j] = x.in.lower[i].find(s), x.in.upper[i].find(s)
		case x.family == ranged:
			lo[j], hi[j] = x.in.box(i, x.in.nominal[i].find(s))
		default:
			lo[j], hi[j] = new(big.Rat).Sub(one, x.in.radius[i]), one
			lo[j].Mul(lo[j], x.in.nominal[i].find(s))
		}
		end := v[j]
		if end.Cmp(lo[j]) < 0 {
			end = lo[j]
		} else if end.Cmp(hi[j]) > 0 {
			end = hi[j]
		}
		if !small(new(big.Rat).Sub(v[j], end)) {
			return fmt.Errorf("gives successor %q probability %v; the set allows %v to %v", x.in.p.States[s], enclosure.Nearest(v[j]), enclosure.Nearest(lo[j]), enclosure.Nearest(hi[j]))
		}
		v[j] = end
		miss.Sub(miss, end)
	}
	if !small(miss) {
		return fmt.Errorf("sums to %v; want 1", enclosure.Nearest(new(big.Rat).Sub(one, miss)))
	}
	for j := range v { // what is missing is tiny: the first entries with room take it
		if miss.Sign() == 0 {
			break
		}
		step := new(big.Rat).Sub(hi[j], v[j])
		if miss.Sign() < 0 {
			step.Sub(lo[j], v[j])
		}
		if step.Cmp(miss)*miss.Sign() > 0 {
			step = miss
		}
		v[j] = new(big.Rat).Add(v[j], step)
		miss = new(big.Rat).Sub(miss, step)
	}
	if miss.Sign() != 0 {
		return fmt.Errorf("cannot be moved to sum to 1 within the set")
	}
	r.den = big.NewInt(1)
	for _, p := range v {
		g := new(big.Int).GCD(nil, nil, r.den, p.Denom())
		r.den = new(big.Int).Mul(r.den, g.Quo(p.Denom(), g))
	}
	for j, p := range v {
		r.near[j] = enclosure.Nearest(p)
		r.num[j] = new(big.Int).Mul(p.Num(), new(big.Int).Quo(r.den, p.Denom()))
	}
	return nil
}

// distance fails when row r may lie outside the ball around the nominal row.
// For the regularised set it returns KL(r‖nominal), which is finite.
func (x *exactSet) distance(i int, r *row) (interval, error) {
	q := &x.in.nominal[i]
	total, same := zero, true
	both := new(big.Int).Mul(r.den, q.den)
	none, t := new(big.Int), new(big.Int)
	add := func(p, n *big.Int) { // one entry, over the denominators of r and q
		d := new(big.Int).Mul(p, q.den)
		if d.Sub(d, t.Mul(n, r.den)); d.Sign() != 0 { // over both
			same = false
			total = total.Add(x.term(enclosure.Quotient(d, both), enclosure.Quotient(n, q.den)))
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
	if same {
		return zero, nil
	}
	if x.family == priced {
		if !total.AtMost(enclosure.Point(math.MaxFloat64)) {
			return zero, fmt.Errorf("is at a distance of the nominal row that is no finite number")
		}
		return total, nil
	}
	if limit := x.limit(enclosure.Around(x.in.radius[i])); !total.AtMost(limit) {
		return zero, fmt.Errorf("is at distance %v of the nominal row, as squared or summed by the set; want at most %v", total.Hi(), limit.Lo())
	}
	return zero, nil
}
