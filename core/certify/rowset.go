package certify

import (
	"errors"
	"fmt"
	"math"
	"slices"

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
	im    *image
	kind  model.Kind
	given *model.Kernel // nominal rows, or those of the one kernel
	set   uncertainty.Set
	price float64 // regularised: the weight of KL

	// Where mass may go anywhere, states outside the row looked at have
	// nominal probability 0; byValue lists all states by falling v. With costs of
	// the next state the row is written out over all states.
	open    bool
	dense   bool
	byValue []int

	// The row looked at.
	next   []int
	q      []float64 // nominal, the rest settled; upper ends of an interval
	rest   int
	radius float64
	z      []float64 // what nature maximises, each within slop
	slop   float64
	top    float64   // the largest z that mass can go to
	p      []float64 // the guess
	lo, hi []float64 // linf, interval: lo <= p <= hi, each within off
	off    []float64

	asked []int // the guess as it came
	found []float64
	y, a  []float64 // scratch
}

// newRowset prepares the rows; weight is the total weight of the costs, which
// the regularised set's price is multiplied by, and onward says that z will hold
// costs of the next state.
func (x *image) newRowset(kernel *model.Kernel, weight float64, onward bool) (*rowset, error) {
	u := &x.p.Uncertainty
	r := &rowset{im: x, kind: u.Kind, given: kernel}
	if kernel != nil {
		if len(kernel.Ptr) != x.Pairs()+1 {
			return nil, fmt.Errorf("a kernel does not have one row for each of the %d available pairs", x.Pairs())
		}
		r.kind = model.Finite
		return r, nil
	}
	if u.Kind == model.Finite {
		return nil, errors.New("the set is finite and no model is named")
	}
	if u.Kind == model.KLRegularized {
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
	if r.given = u.Nominal; u.Kind == model.Interval {
		r.given = u.Upper
	}
	r.open = u.SupportAll && !r.positive() && !onward
	r.dense = u.SupportAll && !r.positive() && onward
	return r, nil
}

// guesser is what guesses rows for a total weight, kept for the next to ask: its
// answers are for the values that it was last told.
func (x *image) guesser(weight float64) (uncertainty.Set, error) {
	if x.guess == nil || x.guessFor != weight {
		set, err := uncertainty.NewWeighted(x.standard(), weight)
		if err != nil {
			return nil, err
		}
		x.guess, x.guessFor = set, weight
	}
	return x.guess, nil
}

// positive: a divergence, whose rows stay within the positive nominal entries.
func (r *rowset) positive() bool {
	return r.kind == model.KL || r.kind == model.Chi2 || r.kind == model.KLRegularized
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
	if u := &r.im.p.Uncertainty; len(u.Radius) > 0 && r.kind != model.Finite {
		g := 0
		if len(u.Radius) > 1 {
			g = r.im.State[i]*r.im.A + r.im.Act[i]
		}
		if r.radius = u.Radius[g]; !(r.radius >= 0) || math.IsInf(r.radius, 1) || r.kind == model.Contamination && r.radius > 1 {
			return fmt.Errorf("the radius of %s is %v", r.im.pairName(i), r.radius)
		}
	}
	if r.kind == model.Interval {
		return r.ends(i)
	}
	if r.positive() {
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
func (r *rowset) miss(j int) float64 { return float64(len(r.q)+4) * ulp * r.q[j] }

// ends reads the two ends of an interval row. Where the lower ends leave no
// room, or the upper ends no more than 1, the first largest is settled.
func (r *rowset) ends(i int) error {
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
		r.lo, r.off = append(r.lo, l), append(r.off, ulp*r.hi[j])
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
	room := float64(len(r.lo)+4) * ulp
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
	if r.kind == model.Interval {
		return math.Inf(-1)
	}
	t, slack := around(r.q, r.z, r.rest)
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

// ask takes a guess of nature's best row: its answer to the v told to begin, or
// to z = of where costs of the next state are in it.
func (r *rowset) ask(i int, v []float64, of func(s int) (z, slack float64)) {
	switch {
	case r.set == nil || r.kind == model.Contamination || r.kind == model.KLRegularized:
		return // no guess is needed
	case of != nil:
		r.asked = append(r.asked[:0], r.set.Support(i)...)
		r.y = r.y[:0]
		for _, s := range r.asked {
			z, _ := of(s)
			r.y = append(r.y, z)
		}
		r.found = slices.Grow(r.found[:0], len(r.asked))[:len(r.asked)]
		r.set.Answer(r.found, i, r.y)
	default:
		r.asked, r.found, _ = r.set.AppendRow(r.asked[:0], r.found[:0], i)
	}
	if r.open {
		r.widen(v)
	}
	r.p = r.p[:0]
	k := 0
	for _, s := range r.next {
		for k < len(r.asked) && r.asked[k] < s {
			k++
		}
		p := 0.0
		if k < len(r.asked) && r.asked[k] == s {
			p = max(0, r.found[k])
		}
		r.p = append(r.p, p)
	}
	if r.kind == model.LInf {
		r.box()
	}
}

// widen adds the states of the guess to the row, with nominal probability 0.
func (r *rowset) widen(v []float64) {
	state := r.next[r.rest]
	for k, s := range r.asked {
		if r.found[k] == 0 {
			continue
		}
		j, found := slices.BinarySearch(r.next, s)
		if !found {
			r.next, r.q = slices.Insert(r.next, j, s), slices.Insert(r.q, j, 0)
			r.z = slices.Insert(r.z, j, v[s])
		}
	}
	r.rest, _ = slices.BinarySearch(r.next, state)
}

// box makes the ends of a linf ball.
func (r *rowset) box() {
	r.lo, r.hi, r.off = r.lo[:0], r.hi[:0], r.off[:0]
	for j, q := range r.q {
		r.lo, r.hi = append(r.lo, max(0, q-r.radius)), append(r.hi, min(1, q+r.radius))
		r.off = append(r.off, r.miss(j)+2*ulp*(q+r.radius))
	}
}

// below bounds sup ⟨p, z⟩ - price·KL(p‖q) from below.
func (r *rowset) below() float64 {
	if r.level() {
		return below(r.top, r.slop)
	}
	switch r.kind {
	case model.Finite:
		return r.nominal()
	case model.Contamination:
		return r.mixed().lo
	case model.KLRegularized:
		return r.logMean(up(up(r.price)*(1+4*ulp)), 0).lo
	case model.Interval, model.LInf:
		return r.inBox()
	}
	if k, ok := r.drawn(); ok {
		v, slack := around(r.p, r.z, k)
		return max(r.nominal(), below(v, slack+r.slop))
	}
	return r.nominal()
}

// drawn draws the guess into a ball until it is inside, and reports whether it
// is; entry k is what the others leave of 1. A distance is convex and 0 at the
// nominal row, so that a share t of the way there takes off t of it.
func (r *rowset) drawn() (k int, ok bool) {
	limit := r.limit()
	for range 4 {
		k := r.close()
		d := r.distance(k)
		if d <= limit {
			return k, true
		}
		t := 1.5*(1-limit/d) + 1e-15
		if !(t < 1) {
			break
		}
		for j, q := range r.q {
			r.p[j] = (1-t)*r.p[j] + t*q
		}
	}
	return 0, false
}

// close makes the first largest entry of p what the others leave of 1, within
// (n+4) unit roundoffs, and returns its place.
func (r *rowset) close() int {
	k := first(r.p)
	left := 1.0
	for j, p := range r.p {
		if j != k {
			left -= p
		}
	}
	r.p[k] = left
	return k
}

// limit is what the distance of a member may be at most.
func (r *rowset) limit() float64 {
	limit := r.radius
	switch r.kind {
	case model.TV:
		limit = 2 * r.radius
	case model.L2:
		limit = r.radius * r.radius
	}
	return limit * (1 - 4*ulp)
}

// distance is at least that of p, whose entry k is what the others leave, as
// squared or summed by the set.
func (r *rowset) distance(k int) float64 {
	if r.kind == model.KL {
		return r.divergence(k)
	}
	if !(r.p[k] > 0) {
		return math.NaN()
	}
	d := 0.0
	for j, q := range r.q {
		gap := math.Abs(r.p[j]-q) + r.miss(j) + r.spare(j, k)
		switch r.kind {
		case model.L1, model.TV:
			d += gap
		case model.L2:
			d += gap * gap
		case model.Chi2:
			if q -= r.miss(j); !(q > 0) {
				return math.Inf(1)
			}
			d += gap * gap / q
		default:
			return math.NaN()
		}
	}
	return d * (1 + float64(len(r.q)+8)*ulp)
}

// spare bounds the error of entry j of p.
func (r *rowset) spare(j, k int) float64 {
	if j == k {
		return float64(len(r.p)+4) * ulp
	}
	return ulp * r.p[j] // of the difference; p itself is exact
}

// divergence is at least KL(p‖q) = Σ (p ln(p/q) - (p - q)), whose terms are
// positive and of second order in p - q. An error of p moves a term by
// |ln(p/q)| times as much, one of q by |p/q - 1|.
func (r *rowset) divergence(k int) float64 {
	n := float64(len(r.q) + 8)
	total, margin := 0.0, 0.0
	for j, q := range r.q {
		p := r.p[j]
		d := p - q
		if p == 0 {
			total += q
			margin += r.miss(j) + ulp*q
			continue
		}
		x := d / q
		var l, slack float64
		if math.Abs(x) < .3 {
			l = log1pLittle(x)
			slack = seriesError * math.Abs(l)
		} else {
			l, slack = logNear(p / q)
			slack += 4 * ulp
		}
		total += p*l - d
		margin += p*slack + 4*ulp*(math.Abs(p*l)+math.Abs(d)) + 2*r.miss(j)*math.Abs(x) + 2*r.spare(j, k)*math.Abs(l)
	}
	return total + margin*(1+n*ulp) + n*ulp*math.Abs(total)
}

// inBox is below for linf and interval sets.
func (r *rowset) inBox() float64 {
	k, _, ok := r.boxed()
	if !ok {
		return max(r.nominal(), r.least())
	}
	v, s := around(r.p, r.z, k)
	for j := range r.p {
		if j != k {
			s += r.off[j] * math.Abs(r.z[j]-r.z[k])
		}
	}
	return max(r.nominal(), down(v-up(s)-r.slop))
}

// boxed draws the guess between the ends and reports whether it is there.
// Entries at an end are that end, exactly, and known within off; the most inward
// one, k, is the rest, known within slack.
func (r *rowset) boxed() (k int, slack float64, ok bool) {
	const near = 1e-13
	sum, room := 0.0, 0.0
	for j := range r.lo {
		sum += r.lo[j]
		room += r.hi[j] - r.lo[j]
	}
	share := 0.0
	if room > 0 {
		share = min(1, max(0, (1-sum)/room))
	}
	for _, t := range [...]float64{0, 1e-12, 1e-9, 1e-6, 1} {
		k, most := 0, math.Inf(-1)
		for j := range r.p {
			mid := r.lo[j] + share*(r.hi[j]-r.lo[j])
			r.p[j] = (1-t)*r.p[j] + t*mid
			if inward := min(r.p[j]-r.lo[j], r.hi[j]-r.p[j]); inward > most {
				k, most = j, inward
			}
		}
		left, slack, ok := 1.0, float64(len(r.p)+4)*ulp, true
		for j, p := range r.p {
			if j == k {
				continue
			}
			switch {
			case p <= r.lo[j]+near:
				r.p[j] = r.lo[j]
				slack += r.off[j]
			case p >= r.hi[j]-near:
				r.p[j] = r.hi[j]
				slack += r.off[j]
			default:
				ok = ok && p >= r.lo[j]+r.off[j] && p <= r.hi[j]-r.off[j]
			}
			left -= r.p[j]
		}
		if ok && left-slack >= r.lo[k]+r.off[k] && left+slack <= r.hi[k]-r.off[k] {
			r.p[k] = left
			return k, slack, true
		}
	}
	return 0, 0, false
}

// member draws a row into the set, as little as is needed, and reports whether
// it is there. The row is then p, each entry known within what doubt says.
func (r *rowset) member(p, doubt []float64) bool {
	r.p = r.p[:0]
	for _, x := range p {
		r.p = append(r.p, max(0, x))
	}
	clear(doubt)
	switch r.kind {
	case model.L1, model.TV, model.L2, model.Chi2, model.KL:
		k, ok := r.drawn()
		doubt[k] = float64(len(p)+4) * ulp
		if copy(p, r.p); !ok {
			return false
		}
		return p[k] >= doubt[k]
	case model.Contamination: // at least (1-R)q everywhere
		r.lo, r.hi, r.off = r.lo[:0], r.hi[:0], r.off[:0]
		for j, q := range r.q {
			l := (1 - r.radius) * q
			r.lo, r.hi, r.off = append(r.lo, l), append(r.hi, 1), append(r.off, r.miss(j)+4*ulp*l)
		}
	case model.LInf:
		r.box()
	case model.Interval:
	default:
		return false
	}
	k, slack, ok := r.boxed()
	for j, x := range r.p {
		if x == r.lo[j] || x == r.hi[j] {
			doubt[j] = r.off[j]
		}
	}
	doubt[k] = slack
	copy(p, r.p)
	return ok && p[k] >= slack
}

// least bounds ⟨p, z⟩ from below for every p between the ends, which no set is
// without: for a set that is a point but for rounding. With Σp = 1,
//
//	⟨p, z⟩ = min z + Σ p_j (z_j - min z) >= min z + Σ lo_j (z_j - min z)
//
// and the like from the upper ends and max z.
func (r *rowset) least() float64 {
	low, high := slices.Min(r.z), slices.Max(r.z)
	a, b := 0.0, 0.0
	for j, z := range r.z {
		a += max(0, r.lo[j]-r.off[j]) * (z - low)
		b += (r.hi[j] + r.off[j]) * (high - z)
	}
	n := float64(len(r.z)+8) * ulp
	return down(max(low+a-n*(a+math.Abs(low)), high-b-n*(b+math.Abs(high))) - r.slop)
}

// mixed encloses the value of a contamination set: (1-R)⟨q, z⟩ + R max z.
func (r *rowset) mixed() iv {
	t, slack := around(r.q, r.z, r.rest)
	mean := iv{down(t - slack), up(t + slack)}
	share := iv{down(r.radius), up(r.radius)}
	v := point(1).sub(share).mul(mean).add(share.mul(point(r.top)))
	return iv{down(v.lo - r.slop), up(v.hi + r.slop)}
}
