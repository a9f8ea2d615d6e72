package certify

import (
	"fmt"
	"math/big"
	"slices"

	"rcmdplab/core/certify/enclosure"
	"rcmdplab/core/model"
)

// instance is the problem as exact rational numbers: what everything here is
// certified for. Each number of the document is taken as the decimal that a
// person would type for it, the shortest one that reads back as the same
// float64; 0.1 is 1/10. The initial distribution and every transition row are
// then divided by their exact sum (within rowSlack of 1), as the format says; an
// end of an interval row that leaves no room by less than that gets it at its
// first largest entry. Costs are minimised, thresholds are those of discounted
// totals, as in model.Standard, with signs and scales undone exactly.
type instance struct {
	*model.Layout
	p       *model.Problem // as it was read
	gamma   *big.Rat       // γ
	total   bool           // the discount is 1, see episodes.go
	growth  []*big.Rat     // by time of a horizon: what costs then are multiplied by, see model.Growth; nil for 1
	horizon *big.Rat       // 1/(1-γ), 0 at discount 1, where nothing may rest on it
	mu      row            // the initial distribution, a row of sum 1
	costs   []cost         // the objective first
	b       []*big.Rat     // thresholds; b[0] is nil
	share   []*big.Rat     // by cost: the share of the models that it is averaged over, 0 for the worst; see average.go
	weights []*big.Rat     // by kernel of a finite set, of sum 1

	kernels     [][]row    // finite sets: by kernel, then pair
	nominal     []row      // by pair; the other kinds but interval
	lower       []row      // interval, by pair; rows of sums <= 1
	upper       []row      // interval, by pair; rows of sums >= 1
	radius      []*big.Rat // by pair
	temperature *big.Rat   // of the price of KL

	wide   *image // of a large model: this is but an outline, and its rows are there
	floats *image // of another, made when asked

	std *model.Standard // for searches that nothing depends on; made when asked
}

func (in *instance) standard() *model.Standard {
	if in.std == nil {
		in.std = in.p.Standard()
	}
	return in.std
}

// cost is one cost function of the internal convention, by pair, or by pair
// and next state, [i*S+s'].
type cost struct {
	list       []*big.Rat
	onward     bool       // list is by next state too
	least, top *big.Rat   // of list; of a large model, where it is not written out, the largest alone
	num        []*big.Int // the same over den, made when asked
	den        *big.Int   // of num
	average    bool       // the person's numbers are (1-γ) J
	flip       bool       // the person's numbers are -J
}

// take takes in what a step may cost.
func (k *cost) take(x *big.Rat) {
	if k.least == nil || x.Cmp(k.least) < 0 {
		k.least = x
	}
	if k.top == nil || x.Cmp(k.top) > 0 {
		k.top = x
	}
}

// row is a list of successors, ascending, with probabilities num[j]/den.
type row struct {
	next []int      // states
	num  []*big.Int // >= 0
	den  *big.Int   // a power of 10, or the sum of num where the row was rescaled
	near []float64  // the float64 nearest to each
}

// rowSlack is how far from 1 a row may sum. Documents are refused beyond 1e-9;
// the rest is room for the rounding of that test.
const rowSlack = 2e-9

// small reports whether x is no more than rowSlack, in size.
func small(x *big.Rat) bool { return enclosure.Around(x).Abs().AtMost(enclosure.Point(rowSlack)) }

// newInstance reads a problem that has passed model's validation; it fails
// where the numbers are not those of such a problem, or with ErrLeft when more
// says no.
func newInstance(p *model.Problem, more func() bool) *instance {
	l := p.Layout
	in := outline(p)
	in.mu = listed("the initial distribution", p.Initial)
	for n := range in.costs {
		in.readCost(n)
	}
	u := &p.Uncertainty
	for _, k := range u.Kernels {
		in.kernels = append(in.kernels, in.rows(k, 0, more))
	}
	switch h := shapeOf(u.Kind); {
	case h.family == alone:
		if len(in.kernels) == 0 {
			refuse("the finite set has no kernel")
		}
		return in
	case h.ends:
		in.lower, in.upper = in.rows(u.Lower, -1, more), in.rows(u.Upper, 1, more)
		in.checkEnds()
	default:
		in.nominal = in.rows(u.Nominal, 0, more)
	}
	for i := range l.Pairs() {
		if len(u.Radius) > 0 {
			r := in.radiusOf(i)
			if !enclosure.Share(r) {
				refuse("the radius of %s is %v; want 0 or a normal number > 0", in.pairName(i), r)
			}
			in.radius = append(in.radius, enclosure.Decimal(r))
		}
	}
	if shapeOf(u.Kind).family == priced {
		if !enclosure.Share(u.Temperature) || enclosure.Point(u.Temperature) == zero {
			refuse("the temperature is %v; want a positive number", u.Temperature)
		}
		in.temperature = enclosure.Decimal(u.Temperature)
	}
	return in
}

// radiusOf is the radius of pair i in the document, 0 in an end, which is outside the set.
func (in *instance) radiusOf(i int) float64 {
	r, s := in.p.Uncertainty.Radius, in.State[i]
	switch {
	case in.p.Ends(s):
		return 0
	case len(r) > 1:
		return r[s*in.A+in.Act[i]]
	}
	return r[0]
}

// certain fails for the paper's evaluator of the regularised set.
func (in *instance) certain() {
	if in.p.Uncertainty.Paper && shapeOf(in.p.Uncertainty.Kind).family == priced {
		refuse(`the paper's evaluator of the regularised set is the return of no set of kernels, so there is nothing to certify; choose the evaluator "soft"`)
	}
}

// covers fails where a kernel has not one row for each pair.
func (in *instance) covers(k *model.Kernel) {
	if k == nil || len(k.Ptr) != in.Pairs()+1 {
		refuse("the kernel does not have one row for each of the %d available pairs", in.Pairs())
	}
}

// outline reads what does not grow with the model: discount, senses, scales,
// thresholds and weights.
func outline(p *model.Problem) *instance {
	in := &instance{Layout: p.Layout, p: p}
	if in.total = p.Total(); !enclosure.Share(p.Discount) || !in.total && p.Horizon == 0 && !enclosure.Point(p.Discount).Less(one) {
		refuse("the discount is %v; want 0 <= discount < 1", p.Discount)
	}
	in.gamma = enclosure.Decimal(p.Discount)
	in.grow()
	if in.horizon = new(big.Rat).Sub(big.NewRat(1, 1), in.gamma); !in.total {
		in.horizon.Inv(in.horizon)
	}
	in.costs, in.b = []cost{{average: p.Objective.Average, flip: p.Maximize}}, []*big.Rat{nil}
	for n := range p.Constraints {
		c := &p.Constraints[n]
		if !enclosure.Usable(c.Bound) {
			refuse("the bound of cost %q is %v", c.Name, c.Bound)
		}
		k := cost{average: c.Average, flip: c.AtLeast}
		b := k.decimal(c.Bound)
		if c.Average {
			b.Mul(b, in.horizon)
		}
		in.costs, in.b = append(in.costs, k), append(in.b, b)
	}
	in.readWeights()
	return in
}

// readCost reads the numbers of cost n.
func (in *instance) readCost(n int) {
	c, k, w := in.p.Cost(n), &in.costs[n], 1
	values := c.Values
	if k.onward = c.Next != nil; k.onward {
		values, w = c.Next, in.S
	}
	for i, s := range in.State {
		g := s*in.A + in.Act[i]
		for _, x := range values[g*w : (g+1)*w] {
			if !enclosure.Usable(x) {
				refuse("a value of cost %q is %v", c.Name, x)
			}
			v := k.decimal(x)
			if in.p.Ends(s) {
				v = in.perStep(n, in.p.EndCost(c, s))
			}
			v = in.grown(s, v)
			k.take(v)
			k.list = append(k.list, v)
		}
	}
}

// decimal is a number of the document as a cost, or a limit of one.
func (k *cost) decimal(x float64) *big.Rat {
	v := enclosure.Decimal(x)
	if k.flip {
		v.Neg(v)
	}
	return v
}

// perStep is what an end state costs as a discounted problem has it: x of the document is paid
// once in all, which is 1-γ of it in each of the steps that follow.
func (in *instance) perStep(n int, x float64) *big.Rat {
	c := in.costs[n].decimal(x)
	if in.total {
		return c
	}
	return c.Quo(c, in.horizon)
}

// most is the largest return that cost n can have: its largest one-step cost at
// every step. (What nature pays in the regularised set only lowers it.)
func (in *instance) most(n int) *big.Rat { return new(big.Rat).Mul(in.costs[n].top, in.horizon) }

// rows reads the rows of a kernel, or of one end of an interval, see distribution.
func (in *instance) rows(k *model.Kernel, end int, more func() bool) []row {
	in.covers(k)
	rows, i := make([]row, in.Pairs()), 0
	defer within(func() string {
		if k.Name == "" {
			return "the row of " + in.pairName(i)
		}
		return fmt.Sprintf("kernel %q: the row of %s", k.Name, in.pairName(i))
	})
	for i = range rows {
		onwards(i%8 == 0, more)
		next, prob := k.Row(i)
		normal(prob)
		rows[i] = distribution(next, prob, end)
	}
	return rows
}

func (in *instance) pairName(i int) string {
	return fmt.Sprintf("action %q in state %q", in.p.Actions[in.Act[i]], in.p.States[in.State[i]])
}

func (in *instance) costName(n int) string { return in.p.Cost(n).Name }

// normal fails where a probability of the problem has lost digits, see faint.
func normal(prob []float64) {
	for _, x := range prob {
		if enclosure.Faint(x) {
			refuse("has an entry of %v, which is below the normal range", x)
		}
	}
}

// plain reads nonnegative decimals over a common denominator. The float64
// nearest to the shortest decimal of x is x.
func plain(next []int, prob []float64) row {
	r := row{next: next, num: make([]*big.Int, len(prob)), near: slices.Clone(prob)}
	exponent := make([]int, len(prob))
	least := 0
	for j, x := range prob {
		if !enclosure.Point(x).Finite() || enclosure.Point(x).Sign() < 0 {
			refuse("has an entry of %v; want p >= 0", x)
		}
		var m int64
		m, exponent[j] = enclosure.Digits(x)
		r.num[j] = big.NewInt(m)
		least = min(least, exponent[j])
	}
	for j, e := range exponent {
		if e > least {
			r.num[j].Mul(r.num[j], enclosure.Pow10(e-least))
		}
	}
	r.den = enclosure.Pow10(-least)
	return r
}

// distribution is plain, divided by its sum; or of the ends of ranges, which sum to at least 1 (1) or at most (-1), and
// where they do not the first largest takes the difference.
func distribution(next []int, prob []float64, end int) row {
	r := plain(next, prob)
	switch {
	case len(prob) == 0 && end < 0: // every distribution is above these
		return r
	case len(prob) == 0:
		refuse("is empty; want probabilities that sum to 1")
	}
	miss := new(big.Int).Set(r.den)
	for _, x := range r.num {
		miss.Sub(miss, x)
	}
	if miss.Sign() == 0 || end != 0 && miss.Sign() != end {
		return r
	}
	sum := new(big.Int).Sub(r.den, miss)
	if !small(new(big.Rat).SetFrac(miss, r.den)) {
		refuse("sums to %v; want 1 within 1e-09", enclosure.Ratio(sum, r.den))
	}
	if end == 0 {
		r.den = sum
		for j := range r.num {
			r.near[j] = enclosure.Nearest(r.at(j))
		}
		return r
	}
	k := enclosure.First(prob)
	r.num[k] = new(big.Int).Add(r.num[k], miss)
	if r.num[k].Sign() < 0 {
		refuse("has no entry large enough to sum to 1")
	}
	r.near[k] = enclosure.Nearest(r.at(k))
	return r
}

// listed is a distribution of the document over all of something.
func listed(what string, prob []float64) row {
	defer within(func() string { return what })
	all := make([]int, len(prob))
	for k := range all {
		all[k] = k
	}
	normal(prob)
	return distribution(all, prob, 0)
}

// checkEnds fails where a lower end is above its upper end.
func (in *instance) checkEnds() {
	for i := range in.lower {
		for j, s := range in.lower[i].next {
			if l, h := in.lower[i].at(j), in.upper[i].find(s); l.Cmp(h) > 0 {
				refuse("%s: the lower end %v of successor %q is above the upper end %v", in.pairName(i), enclosure.Nearest(l), in.p.States[s], enclosure.Nearest(h))
			}
		}
	}
}

// at is entry j as a fraction.
func (r *row) at(j int) *big.Rat { return new(big.Rat).SetFrac(r.num[j], r.den) }

// positive are the successors of positive probability, with the float64s nearest to these behind what is in p.
func (r *row) positive(p []float64) (to []int, near []float64) {
	for j, s := range r.next {
		if r.num[j].Sign() > 0 {
			to, p = append(to, s), append(p, r.near[j])
		}
	}
	return to, p
}

// starts are the states in which play may begin.
func (in *instance) starts() (to []int) {
	if in.wide == nil {
		to, _ = in.mu.positive(nil)
		return to
	}
	for s, p := range in.wide.mu {
		if p != zero {
			to = append(to, s)
		}
	}
	return to
}

// from begins at states.
func (in *instance) from(states ...int) *frontier {
	w := &frontier{seen: make([]bool, in.S)}
	w.come(states...)
	return w
}

// find is the probability of successor s, 0 when it is not listed.
func (r *row) find(s int) *big.Rat {
	if j, ok := slices.BinarySearch(r.next, s); ok {
		return r.at(j)
	}
	return new(big.Rat)
}

// costRange is the least value of a one-step cost and the width of its range, 1 where that is 0.
func (in *instance) costRange(n int) (lo, w *big.Rat) {
	k := &in.costs[n]
	if w = new(big.Rat).Sub(k.top, k.least); w.Sign() == 0 {
		w.SetInt64(1)
	}
	return k.least, w
}

// whole gives the numbers of a cost over their least common denominator.
func (c *cost) whole() ([]*big.Int, *big.Int) {
	if c.num == nil {
		c.num, c.den = wholes(c.list)
	}
	return c.num, c.den
}

// wholes are fractions as whole numbers over their least common denominator.
func wholes(list []*big.Rat) (num []*big.Int, den *big.Int) {
	den = big.NewInt(1)
	for _, x := range list {
		den = enclosure.Common(den, x.Denom())
	}
	for _, x := range list {
		t := new(big.Int).Quo(den, x.Denom())
		num = append(num, t.Mul(t, x.Num()))
	}
	return num, den
}

// expected is the one-step cost c of pair i, averaged over its row where it
// depends on the next state.
func (in *instance) expected(c, i int, r *row) *big.Rat {
	k := &in.costs[c]
	if !k.onward {
		return new(big.Rat).Set(k.list[i])
	}
	num, den := k.whole()
	sum, t := new(big.Int), new(big.Int)
	for j, to := range r.next {
		sum.Add(sum, t.Mul(r.num[j], num[i*in.S+to]))
	}
	return new(big.Rat).SetFrac(sum, t.Mul(den, r.den))
}
