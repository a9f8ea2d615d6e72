package decide

import (
	"math"
	"slices"

	"rcmdplab/core/bound"
	"rcmdplab/core/evaluate"
	"rcmdplab/core/model"
	"rcmdplab/core/proof"
	"rcmdplab/core/solve"
)

// mostRounds is how often prices and nature's kernel are made to fit each other.
const mostRounds = 12

// dual is weak duality at work for one problem: it offers the door proofs by
// one value function, see proof.Values, and hands on the policies met on the
// way. For each kernel of a finite set it finds the best prices; for a
// rectangular set prices and nature's kernel, each made best for the other in
// turn, which never lowers the bound. That is all there is to prove under one
// kernel, and without limits.
type dual struct {
	d     *door
	m     *model.Standard
	x     *bound.Pricing     // finds values for prices; nil where nothing does, or one kernel does not bound an average
	met   func(pi []float64) // told of policies; may be nil
	more  func() bool        // asked between small steps
	left  bool               // more has said no
	vague bool               // there were no values for the last prices, at discount 1
	vain  bool               // the search has found no policy that meets the limits

	held  *proof.Claim  // the best proposal since the last offer; nil: none
	worth float64       // what it comes to, a return
	most  float64       // what the best of all came to; -Inf before the first
	under *model.Kernel // nature's answers to that one; nil before
	begun bool          // from each cost's own worst kernel
	tight []int         // constraints whose least return of all policies is the limit, but for the tolerance
}

func newDual(d *door) *dual {
	y := &dual{d: d, m: d.m, most: math.Inf(-1)}
	if !d.m.Averaged() {
		y.x, _ = bound.NewPricing(d.m)
	}
	return y
}

// prove lets weak duality prove what it can, from each cost's own worst
// kernel, once, and those that are worst for a policy. It reports false when more says no.
func (y *dual) prove(ev *evaluate.Evaluator, policy []float64, met func(pi []float64), more func() bool) bool {
	if y.x == nil {
		return true
	}
	y.met, y.left = met, false
	y.more = func() bool {
		y.left = y.left || !more()
		return !y.left
	}
	if !y.m.Rectangular() {
		for k, ker := range y.m.Kernels {
			if y.kernel(ker, k); y.over() {
				break
			}
			y.offer()
		}
		return !y.left
	}
	for _, ker := range y.starts(ev, policy) {
		if y.over() || y.m.N == 0 {
			break
		}
		y.alternate(ker)
	}
	y.offer()
	return !y.left
}

// over reports whether nothing is left to do.
func (y *dual) over() bool { return y.left || y.d.infeasible != nil }

// starts are kernels to begin with: the worst for each cost's best policy, the
// first time, and for a policy given.
func (y *dual) starts(ev *evaluate.Evaluator, policy []float64) (list []*model.Kernel) {
	m := y.m
	for n := 0; n <= m.N && !y.begun && !y.over(); n++ {
		w := make([]float64, m.N+1)
		w[n] = 1
		ker, above := y.propose(w, 0)
		if ker == nil {
			continue
		}
		list = append(list, ker)
		if n > 0 && math.Abs(above) <= y.d.missed*m.Scale(n, m.B[n]) {
			y.tight = append(y.tight, n)
		}
	}
	y.begun = y.begun || !y.left
	if policy == nil || y.over() || m.N == 0 {
		return list
	}
	ev.Evaluate(policy)
	for p := range ev.Pieces() {
		k := *ev.PieceKernel(p) // what it points to may be written by the next evaluation
		k.Ptr, k.Next, k.Prob = slices.Clone(k.Ptr), slices.Clone(k.Next), slices.Clone(k.Prob)
		list = append(list, &k)
	}
	return list
}

// alternate makes prices best for nature's kernel and the kernel worst for the
// prices until the bound no longer rises.
func (y *dual) alternate(ker *model.Kernel) {
	last := math.Inf(-1)
	defer y.offer()
	for range mostRounds {
		next, value := y.kernel(ker, 0)
		if y.over() || next == nil || !(value > last+1e-12*math.Abs(last)) {
			return
		}
		last, ker = value, next
	}
}

// kernel offers the proof at the best prices under one kernel, number k of a
// finite set, and returns nature's answer to them and the bound to working
// precision. Where the limits leave no room, prices are those of limits raised by
// the tolerance.
func (y *dual) kernel(ker *model.Kernel, k int) (next *model.Kernel, value float64) {
	share, w := 0.0, []float64(nil)
	raised := func(n int) float64 { return share * y.m.Scale(n, y.m.B[n]) }
	for _, share = range []float64{0, leastTolerance, y.d.missed / 2} {
		if w = y.prices(ker, raised, 0); w == nil {
			return nil, 0
		}
		next, value = y.propose(w, k)
		if y.over() || w[0] != 0 {
			break
		}
	}
	for _, lost := range shorter {
		if !y.vague && !y.vain || y.over() || y.m.N == 0 || solve.Large(y.m) {
			break
		}
		twice := y.prices(ker, raised, 2*lost)
		once := y.prices(ker, raised, lost)
		if once == nil || twice == nil {
			return nil, 0
		}
		if w = once; twice[0] == once[0] { // what is left of them at 0
			for n := range w {
				w[n] = max(0, 2*w[n]-twice[n])
			}
		}
		next, value = y.propose(w, k)
	}
	y.steeply(w, k)
	if y.met != nil && y.coarse() && !y.over() {
		y.prices(ker, func(n int) float64 { return -y.d.grain(n) }, 0)
	}
	return next, value
}

// steeply proposes higher prices of the limits that no policy can be below. The bound
// only rises with them, until no other policy pays; a program in float64, in which a
// penalty hides the differences that matter, may have stopped before.
func (y *dual) steeply(w []float64, k int) {
	lo, hi := y.m.Bounds(0)
	for _, times := range []float64{1, 1e3, 1e6} {
		if len(y.tight) == 0 || y.over() || w[0] == 0 {
			return
		}
		y.offer() // what such prices come to is least certain
		steep := slices.Clone(w)
		for _, n := range y.tight {
			if size := y.m.Scale(n, y.m.B[n]); size > 0 {
				steep[n] = max(w[n], times*w[0]*(hi-lo)*y.m.H/size)
			}
		}
		y.propose(steep, k)
	}
}

// coarse reports whether a policy that just meets a limit may miss it on the grid
// of the checker. Then one that stays below by as much is of use.
func (y *dual) coarse() bool {
	return some(y.m, func(n int, scale float64) bool { return y.d.grain(n) > y.d.missed/4*scale })
}

// prices are the weights of the costs at the best bound of one kernel, its
// limits raised; nil when left. The policy of that bound is met on the way. At discount 1 so much more of an episode may
// be lost in each step, 0 for no more than there is.
func (y *dual) prices(ker *model.Kernel, raised func(n int) float64, lost float64) []float64 {
	one := y.x.Under(ker)
	b := slices.Clone(one.B)
	for n := 1; n < len(b); n++ {
		b[n] += raised(n)
	}
	c := make([][]float64, len(b))
	for n := range c {
		c[n] = one.ExpectedCost(n, ker)
		if lost > 0 {
			c[n] = one.Ending(c[n], lost)
			if n > 0 && y.vain {
				one.LosingBreaks(n, c[n], lost)
			}
		}
	}
	if lost > 0 {
		one = one.Losing(lost)
	}
	duals := solve.NewDuals(one.WithCosts(c, b), ker)
	for !duals.Step() {
		if !y.more() {
			return nil
		}
	}
	if pi := duals.Policy(); pi != nil && y.met != nil {
		y.met(pi)
	}
	return duals.Weights()
}

// propose offers the proof by values for the weights. It returns the kernel of
// nature's answers, nil when left, and what the weighted costs come to less the
// prices of the limits and rounding.
func (y *dual) propose(w []float64, k int) (ker *model.Kernel, value float64) {
	c, ker, value := y.x.Prove(w, k, y.more)
	if c == nil {
		y.left = true
		return nil, 0
	}
	size := math.Abs(value)
	for n := 1; n < len(w); n++ {
		value -= w[n] * y.m.B[n]
		size += math.Abs(w[n] * y.m.B[n])
	}
	value -= 2 * model.Roundoff * size // large prices prove no more by rounding
	if y.met != nil {
		y.met(y.x.Policy())
	}
	if y.vague = c.Values.V == nil; y.vague {
		return ker, value
	}
	if w[0] == 0 {
		if value > 0 {
			y.impossible(c)
		}
		return ker, value
	}
	if value > y.most {
		y.most, y.under = value, ker
	}
	if value > y.d.bound() && (y.held == nil || value > y.worth) {
		y.held, y.worth = c, value
	}
	return ker, value
}

// offer offers the best proposal since the last time, if it may say more than what
// is proved: to check one takes longer than to find it.
func (y *dual) offer() {
	if y.held != nil && y.worth > y.d.bound() {
		y.put(y.held, y.more)
	}
	y.held = nil
}

// impossible offers a proof by values that no policy meets the limits, for
// limits raised by the tolerance: what is missed by less counts as met.
func (y *dual) impossible(c *proof.Claim) {
	d := y.d
	c.Allow = make([]float64, d.m.N)
	for n := range c.Allow {
		c.Allow[n] = min(d.missed, mostAllowed) * d.m.Scale(n+1, d.m.B[n+1])
	}
	y.put(c, y.more)
}

// vain looks for a proof that no policy meets the limits where the search has found none, at discount 1: prices of
// the stand-in may rest on an episode that is lost after 1e15 steps.
func (r *runner) vain() {
	r.dual.vain = true
	r.values(r.p.Best.Policy)
	r.dual.vain = false
}
