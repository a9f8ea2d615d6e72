package certify

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"rcmdplab/core/certify/enclosure"
	"rcmdplab/core/model"
	"rcmdplab/core/uncertainty"
)

// rowset looks at one pair's row of a rectangular set, or of one kernel, at a
// time: with z by successor, what nature gains from it is at least below and at
// most above, both outwards. A row near nature's best comes from package
// uncertainty, as a guess: below counts it only once it is shown to be in the
// set, above takes from it nothing but the numbers of a weak dual. It works on
// the image of the instance, in time linear in the row.
type rowset struct {
	im *image
	shape
	given *model.Kernel   // nominal rows, or those of the one kernel
	set   uncertainty.Set // what guesses rows; nil under one kernel
	price float64         // regularised: the weight of KL

	// Where mass may go anywhere, states outside the row looked at have
	// nominal probability 0; byValue lists all states by falling v. With costs of
	// the next state the row is written out over all states.
	open    bool // mass may go to any state
	dense   bool // the row at hand is written out over all states
	byValue []int

	// The row looked at.
	next   []int     // successors, ascending
	q      []float64 // nominal, the rest settled; upper ends of an interval
	rest   int       // place of the nominal entry that is what the others leave of 1
	radius float64   // of the row
	z      []float64 // what nature maximises, each within slop
	slop   float64   // as far as z may be from exact
	top    float64   // the largest z that mass can go to
	p      []float64 // the guess
	lo, hi []float64 // linf, interval: lo <= p <= hi, each within off
	off    []float64 // by successor

	asked []int     // the guess as it came
	found []float64 // their probabilities
	y, a  []float64 // scratch
}

// newRowset prepares the rows; weight is the total weight of the costs, which
// the regularised set's price is multiplied by, and onward says that z will hold
// costs of the next state.
func (x *image) newRowset(kernel *model.Kernel, weight float64, onward bool) (*rowset, error) {
	u := &x.p.Uncertainty
	r := &rowset{im: x, shape: shapeOf(u.Kind), given: kernel}
	if kernel != nil {
		if len(kernel.Ptr) != x.Pairs()+1 {
			return nil, fmt.Errorf("a kernel does not have one row for each of the %d available pairs", x.Pairs())
		}
		r.shape = shape{}
		return r, nil
	}
	if r.family == alone {
		return nil, errors.New("the set is finite and no model is named")
	}
	if r.family == priced {
		if u.Paper {
			return nil, errors.New(`the paper's evaluator of the regularised set is the return of no set of kernels, so there is nothing to certify; choose the evaluator "soft"`)
		}
		r.price = weight * u.Temperature
		if onward {
			weight *= x.gamma
			r.price *= x.gamma
		}
	}
	var err error
	if r.set, err = x.guesser(weight); err != nil {
		return nil, err
	}
	for _, k := range []*model.Kernel{u.Nominal, u.Lower, u.Upper} {
		if k != nil && len(k.Ptr) != x.Pairs()+1 {
			return nil, fmt.Errorf("a kernel does not have one row for each of the %d available pairs", x.Pairs())
		}
	}
	if r.given = u.Nominal; r.ends {
		r.given = u.Upper
	}
	r.open = u.SupportAll && !r.positive && !onward
	r.dense = u.SupportAll && !r.positive && onward
	return r, nil
}

// begin tells the values that rows will face, when z = v.
func (r *rowset) begin(v []float64) {
	if r.set != nil {
		r.set.Begin(v)
	}
	if r.open {
		if r.byValue == nil {
			for s := range r.im.S {
				r.byValue = append(r.byValue, s)
			}
		}
		slices.SortFunc(r.byValue, func(a, b int) int {
			switch {
			case v[a] > v[b]:
				return -1
			case v[a] < v[b]:
				return 1
			}
			return a - b
		})
	}
}

// load reads the nominal row of pair i.
func (r *rowset) load(i int) error {
	next, prob := r.given.Row(i)
	r.next, r.q = append(r.next[:0], next...), append(r.q[:0], prob...)
	if u := &r.im.p.Uncertainty; len(u.Radius) > 0 && r.family != alone {
		g := 0
		if len(u.Radius) > 1 {
			g = r.im.State[i]*r.im.A + r.im.Act[i]
		}
		if r.radius = u.Radius[g]; r.im.p.Ends(r.im.State[i]) {
			r.radius = 0 // outside the set
		}
		if !(r.radius >= 0) || math.IsInf(r.radius, 1) || r.family == mixture && r.radius > 1 {
			return fmt.Errorf("the radius of %s is %v", r.im.pairName(i), r.radius)
		}
	}
	if r.ends {
		return r.loadEnds(i)
	}
	if r.positive {
		n := 0
		for j, x := range r.q {
			if x > 0 {
				r.next[n], r.q[n] = r.next[j], x
				n++
			}
		}
		r.next, r.q = r.next[:n], r.q[:n]
	}
	if r.dense {
		r.q = make([]float64, r.im.S)
		for j, s := range r.next {
			r.q[s] = prob[j]
		}
		r.next = r.next[:0]
		for s := range r.im.S {
			r.next = append(r.next, s)
		}
	}
	var err error
	if r.rest, err = settle(r.q); err != nil {
		return fmt.Errorf("the row of %s %w", r.im.pairName(i), err)
	}
	return nil
}

// miss bounds the error of entry j of q.
func (r *rowset) miss(j int) float64 { return float64(len(r.q)+4) * enclosure.Ulp * r.q[j] }

// loadEnds reads the two ends of an interval row. Where the lower ends leave no
// room, or the upper ends no more than 1, the first largest is settled.
func (r *rowset) loadEnds(i int) error {
	u := &r.im.p.Uncertainty
	r.hi = append(r.hi[:0], r.q...)
	r.lo, r.off = r.lo[:0], r.off[:0]
	next, prob := u.Lower.Row(i)
	low, high := 0.0, 0.0
	for j, s := range r.next {
		l := 0.0
		if len(next) > 0 && next[0] == s {
			l, next, prob = prob[0], next[1:], prob[1:]
		}
		if !(l >= 0 && l <= r.hi[j]) || math.IsInf(r.hi[j], 1) {
			return fmt.Errorf("%s: the lower end %v of successor %q is above the upper end %v", r.im.pairName(i), l, r.im.p.States[s], r.hi[j])
		}
		r.lo, r.off = append(r.lo, l), append(r.off, enclosure.Ulp*r.hi[j])
		low, high = low+l, high+r.hi[j]
	}
	for _, l := range prob {
		if l != 0 {
			return fmt.Errorf("%s: a lower end has no upper end", r.im.pairName(i))
		}
	}
	if !(low <= 1+rowSlack && high >= 1-rowSlack) {
		return fmt.Errorf("%s: the lower ends sum to %v and the upper ends to %v; want at most and at least 1", r.im.pairName(i), low, high)
	}
	// Where a side leaves no room, its first largest end moves by what is
	// missing.
	room := float64(len(r.lo)+4) * enclosure.Ulp
	if low > 1-room {
		r.off[first(r.lo)] += max(0, low-1) + room
	}
	if high < 1+room {
		r.off[first(r.hi)] += max(0, 1-high) + room
	}
	return nil
}

// first is the place of the first largest number.
func first(x []float64) int {
	k := 0
	for j, y := range x {
		if y > x[k] {
			k = j
		}
	}
	return k
}

// face writes what nature maximises: z = v, each exact.
func (r *rowset) face(v []float64) {
	r.z, r.slop = r.z[:0], 0
	r.top = math.Inf(-1)
	for _, s := range r.next {
		r.z = append(r.z, v[s])
		r.top = max(r.top, v[s])
	}
	if r.open {
		r.top = v[r.byValue[0]]
	}
}

// faceCosts is face with z = c + γv, as computed by of within the slack given.
func (r *rowset) faceCosts(of func(s int) (z, slack float64)) {
	r.z, r.slop = r.z[:0], 0
	r.top = math.Inf(-1)
	for _, s := range r.next {
		z, slack := of(s)
		r.z = append(r.z, z)
		r.slop = max(r.slop, slack)
		r.top = max(r.top, z)
	}
}

// nominal is at least what the nominal row gives less slack, at z as faced.
func (r *rowset) nominal() float64 {
	if r.ends {
		return math.Inf(-1)
	}
	t, slack := enclosure.Mean(r.q, r.z, r.rest)
	return below(t, slack+r.slop)
}

// level reports whether every successor is worth as much as the best: nature
// then gains exactly that.
func (r *rowset) level() bool {
	for _, z := range r.z {
		if z != r.top {
			return false
		}
	}
	return true
}
