package certify

import (
	"slices"

	"rcmdplab/core/certify/enclosure"
	"rcmdplab/core/certify/guess"
	"rcmdplab/core/model"
	"rcmdplab/core/uncertainty"
)

// rowset looks at one pair's row of a rectangular set, or of one kernel, at a
// time: with z by successor, what nature gains from it is at least what below says and at
// most what above says. A row near nature's best comes from package
// uncertainty, as a guess: below counts it only once it is shown to be in the
// set, above takes from it nothing but the numbers of a weak dual. It works on
// the image of the instance, in time linear in the row.
type rowset struct {
	im *image
	shape
	given *model.Kernel   // nominal rows, or those of the one kernel
	set   uncertainty.Set // what guesses rows; nil under one kernel
	price interval        // regularised: the weight of KL in the row at hand
	fixed interval        // ... and for costs of the document

	// Where mass may go anywhere, states outside the row looked at have
	// nominal probability 0; byValue lists all states by falling v. With costs of
	// the next state the row is written out over all states.
	open    bool // mass may go to any state
	dense   bool // the row at hand is written out over all states
	byValue []int

	// The row looked at.
	next   []int      // successors, ascending
	near   []float64  // about q, for guesses; upper ends of an interval
	q      []interval // nominal; of an interval nothing
	rest   int        // place of the largest: a mean takes its entry for what the others leave of 1
	radius interval   // of the row
	z      []interval // what nature maximises
	top    interval   // the largest z that mass can go to
	bottom interval   // the least z of the row
	mean   interval   // what the nominal row gives
	told   bool       // mean is that of the z at hand
	p      []float64  // the guess
	row    []interval // a member near it
	lo, hi []interval // between which an entry is, where each has a range
	vague  bool       // of given ends: a state that may have mass need not be able to have it, as the lower ends may sum to 1

	asked []int      // the guess as it came
	found []float64  // their probabilities
	sight []float64  // z or y, for guesses
	cut   []float64  // of a dual, by successor
	y, a  []interval // scratch
}

// newRowset prepares the rows; weight is the total weight of the costs, which
// the regularised set's price is multiplied by, and onward says that z will hold
// costs of the next state.
func (x *image) newRowset(kernel *model.Kernel, weight interval, onward bool) *rowset {
	u := &x.p.Uncertainty
	r := &rowset{im: x, shape: shapeOf(u.Kind), given: kernel}
	if kernel != nil {
		r.shape = shape{}
		x.covers(kernel)
		return r
	}
	if r.family == alone {
		refuse("the set is finite and no model is named")
	}
	x.certain()
	if r.family == priced {
		if onward {
			weight = weight.Mul(x.g)
		}
		r.fixed = weight.Mul(enclosure.Typed(u.Temperature))
	}
	r.set = x.guesser(weight)
	for _, k := range []*model.Kernel{u.Nominal, u.Lower, u.Upper} {
		if k != nil {
			x.covers(k)
		}
	}
	if r.given = u.Nominal; r.ends {
		r.given = u.Upper
	}
	r.open = u.SupportAll && !r.positive && !onward
	r.dense = u.SupportAll && !r.positive && onward
	return r
}

// begin tells the values that rows will face, when z = v.
func (r *rowset) begin(v []float64) {
	if r.set != nil {
		r.set.Begin(v)
	}
	if r.open {
		for s := len(r.byValue); s < r.im.S; s++ {
			r.byValue = append(r.byValue, s)
		}
		enclosure.Falling(r.byValue, v)
	}
}

// load reads the nominal row of pair i.
func (r *rowset) load(i int) {
	next, prob := r.given.Row(i)
	if r.family == priced {
		r.price = r.im.pricedAt(i, r.fixed)
	}
	r.next, r.near = append(r.next[:0], next...), append(r.near[:0], prob...)
	if u := &r.im.p.Uncertainty; len(u.Radius) > 0 && r.family != alone {
		r.radius = enclosure.Typed(r.im.radiusOf(i))
		if !r.radius.Finite() || !zero.AtMost(r.radius) || r.family == mixture && !r.radius.AtMost(one) {
			refuse("the radius of %s is %v", r.im.pairName(i), r.im.radiusOf(i))
		}
	}
	if r.ends {
		r.loadEnds(i)
		return
	}
	if r.positive {
		n := 0
		for j, x := range r.near {
			if enclosure.Typed(x) != zero {
				r.next[n], r.near[n] = r.next[j], x
				n++
			}
		}
		r.next, r.near = r.next[:n], r.near[:n]
	}
	if r.dense {
		r.near = make([]float64, r.im.S)
		for j, s := range r.next {
			r.near[s] = prob[j]
		}
		r.next = r.next[:0]
		for s := range r.im.S {
			r.next = append(r.next, s)
		}
	}
	r.q = distributed(func() string { return "the row of " + r.im.pairName(i) }, r.q[:0], r.near)
	r.rest = enclosure.First(r.near)
	for j, q := range r.q {
		r.near[j] = q.Hi()
	}
}

// loadEnds reads the two ends of an interval row. Where the lower ends leave no
// room, or the upper ends no more than 1, the first largest takes the difference.
func (r *rowset) loadEnds(i int) {
	u := &r.im.p.Uncertainty
	r.lo, r.hi = r.lo[:0], r.hi[:0]
	next, prob := u.Lower.Row(i)
	lower := make([]float64, 0, len(r.next))
	var low, high interval
	maybe := false // something may have mass, and need not
	for j, s := range r.next {
		l := 0.0
		for len(next) > 0 && next[0] < s && enclosure.Typed(prob[0]) == zero { // listed by the lower end alone
			next, prob = next[1:], prob[1:]
		}
		if len(next) > 0 && next[0] == s {
			l, next, prob = prob[0], next[1:], prob[1:]
		}
		a, b := enclosure.Typed(l), enclosure.Typed(r.near[j])
		if !enclosure.Share(l) || !enclosure.Share(r.near[j]) || enclosure.Point(r.near[j]).Less(enclosure.Point(l)) {
			refuse("%s: the lower end %v of successor %q is above the upper end %v", r.im.pairName(i), l, r.im.p.States[s], r.near[j])
		}
		lower = append(lower, l)
		r.lo, r.hi, maybe = append(r.lo, a), append(r.hi, b), maybe || a == zero && b != zero
		low, high = low.Add(a), high.Add(b)
	}
	for _, l := range prob {
		if enclosure.Typed(l) != zero {
			refuse("%s: a lower end has no upper end", r.im.pairName(i))
		}
	}
	r.vague = maybe && !low.Less(one)
	over, under := low.Sub(one).Max(zero), one.Sub(high).Max(zero)
	if slack := enclosure.Point(rowSlack); !(over.AtMost(slack) && under.AtMost(slack)) {
		refuse("%s: the lower ends sum to %v and the upper ends to %v; want at most and at least 1", r.im.pairName(i), low.Hi(), high.Lo())
	}
	if k := enclosure.First(lower); k >= 0 {
		r.lo[k] = r.lo[k].Sub(over)
	}
	if k := enclosure.First(r.near); k >= 0 {
		r.hi[k] = r.hi[k].Add(under)
	}
}

// face writes what nature maximises: z = v.
func (r *rowset) face(v []float64) {
	r.z = r.z[:0]
	for _, s := range r.next {
		r.z = append(r.z, enclosure.Point(v[s]))
	}
	r.span()
	if r.open {
		r.top = enclosure.Point(v[r.byValue[0]])
	}
}

// faceCosts is face with z = c + γv, as computed by of.
func (r *rowset) faceCosts(of func(s int) interval) {
	r.z = r.z[:0]
	for _, s := range r.next {
		r.z = append(r.z, of(s))
	}
	r.span()
}

// span finds the largest and the least z: nature gains neither more nor less.
func (r *rowset) span() {
	r.bottom, r.top = enclosure.Extremes(r.z)
	r.told = false
}

// level reports whether every successor is worth as much as the best: nature
// then gains exactly that.
func (r *rowset) level() bool { return r.top == r.bottom && r.top.Single() }

// nominal is what the nominal row gives, at z as faced; of an interval, which has none, the least z.
func (r *rowset) nominal() interval {
	switch {
	case r.ends:
		return r.bottom
	case !r.told:
		r.mean, r.told = enclosure.Mean(r.q, r.z, r.rest), true
	}
	return r.mean
}

// mixed is the value of a contamination set: (1-R)⟨q, z⟩ + R max z.
func (r *rowset) mixed() interval {
	return one.Sub(r.radius).Mul(r.nominal()).Add(r.radius.Mul(r.top))
}

// guesser is what guesses rows for a total weight, kept for the next to ask: its
// answers are for the values that it was last told.
func (x *image) guesser(weight interval) uncertainty.Set {
	if x.guess == nil || x.guessFor != weight {
		set, err := uncertainty.NewWeighted(x.standard(), weight.Hi())
		if err != nil {
			refuse("%w", err)
		}
		x.guess, x.guessFor = set, weight
	}
	return x.guess
}

// answer takes nature's answer as it comes, and what it pays: to the v told to begin, or to z = of where costs of
// the next state are in it.
func (r *rowset) answer(i int, of func(s int) interval) (paid float64) {
	if of == nil {
		next, p, a := r.set.AppendRow(r.asked[:0], r.found[:0], i)
		r.asked, r.found = next, p
		return a.Penalty
	}
	r.asked, r.sight = append(r.asked[:0], r.set.Support(i)...), r.sight[:0]
	for _, s := range r.asked {
		r.sight = append(r.sight, of(s).Hi())
	}
	r.found = append(r.found[:0], make([]float64, len(r.asked))...)
	return r.set.Answer(r.found, i, r.sight).Penalty
}

// ask takes a guess of nature's best row, see answer, where one is needed.
func (r *rowset) ask(i int, v []float64, of func(s int) interval) {
	if r.set == nil || r.family == mixture || r.family == priced {
		return
	}
	if r.answer(i, of); r.open {
		r.widen(v)
	}
	r.p = guess.Spread(r.p[:0], r.next, r.asked, r.found)
	if r.around() {
		r.box()
	}
}

// widen adds the states of the guess to the row, with nominal probability 0.
func (r *rowset) widen(v []float64) {
	state := r.next[r.rest]
	for k, s := range r.asked {
		j, found := slices.BinarySearch(r.next, s)
		if found || enclosure.Point(r.found[k]) == zero {
			continue
		}
		r.next, r.near, r.q, r.z = slices.Insert(r.next, j, s), slices.Insert(r.near, j, 0), slices.Insert(r.q, j, zero), slices.Insert(r.z, j, enclosure.Point(v[s]))
	}
	r.rest, _ = slices.BinarySearch(r.next, state)
}

// box makes the ends of a ball that is one, or of a contamination set.
func (r *rowset) box() {
	r.lo, r.hi = r.lo[:0], r.hi[:0]
	for _, q := range r.q {
		lo, hi := r.edges(q, r.radius)
		r.lo, r.hi = append(r.lo, lo), append(r.hi, hi)
	}
}
