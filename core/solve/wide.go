package solve

import (
	"iter"
	"math"
	"slices"

	"rcmdplab/core/evaluate"
	"rcmdplab/core/model"
)

// Proposal is a value function that bounds the objective, or shows that no
// policy meets the limits, for whoever can check it: with weights w of the
// costs, w_0 being 1 or 0, over the rectangular set or under kernel Kernel of a
// finite one, every policy has
//
//	Σ_n w_n J_n >= ⟨μ, V⟩ + H min(0, min_s (TV - V)(s)).
type Proposal struct {
	Kernel  int
	Weights []float64
	V       []float64
	Bound   float64 // what that leaves for the objective, or of violation, but for rounding
}

// wide is the search for models of hundreds to tens of thousands of states: one
// pass of work in time that grows with the size of the model, not with its
// square, and a bound beside it.
//
// Without limits, against a rectangular set or under one kernel, it is exact
// (evaluate.Saddle). With limits and one kernel it is exact too (cmdp). With
// limits and a rectangular set the bound comes by turns: nature's kernel at the
// saddle point of the weighted cost, then the exact multipliers of that kernel's
// constrained problem; neither half can lower it. The search starts from
// policies that are best for multipliers raised until the limits are met at the
// worst, and goes on by Local. A finite set takes the best bound of one of its
// kernels and starts from their optimal mixtures.
type wide struct {
	ev    *evaluate.Evaluator
	m     *model.Standard
	set   Settings
	p     Progress
	inc   *incumbent
	local *Local
	w     []float64 // the weights of the best bound
	tried int       // starts of Local
	pull  func(Progress) bool
	left  bool
}

// Wide runs the search; see wide. Its records carry proposals of proofs; it ends
// when it has nothing more to try.
func Wide(ev *evaluate.Evaluator, s Settings) iter.Seq[Progress] {
	return func(yield func(Progress) bool) {
		ev.Restart()
		x := &wide{ev: ev, m: ev.M, set: s, p: newProgress(), pull: yield, w: make([]float64, ev.M.N+1)}
		x.w[0] = 1
		x.inc = sureIncumbent(x.m, &x.p.Best)
		ev.SetTolerance(exactness)
		defer ev.KeepKernels(0)
		x.run()
		if x.left {
			return
		}
		if !x.p.Best.Feasible && x.p.Best.Policy != nil && x.nearly() {
			x.p.Best.Feasible = true
		}
		x.p.Policy, x.p.Objective, x.p.MaxViolation = x.p.Best.Policy, x.p.Best.Objective, x.p.Best.MaxViolation
		x.p.Step = true
		conclude(&x.p, ev, s.Tolerance*unit(x.m, x.inc.w))
		yield(x.p)
	}
}

func (x *wide) run() {
	m := x.m
	if n := impossible(m); n > 0 {
		x.never(n)
		return
	}
	switch {
	case m.Kernels == nil && m.Problem.Uncertainty.Paper:
		x.search(m.Uniform(), 1)
	case m.Kernels == nil && m.N == 0:
		x.saddlePoint()
	case m.Kernels == nil:
		x.rectangular()
	default:
		x.finite()
	}
}

// never proposes that limit n cannot be met because the least one-step cost at
// every step exceeds it.
func (x *wide) never(n int) {
	lo, _ := x.m.Bounds(n)
	w, v := make([]float64, x.m.N+1), make([]float64, x.m.S)
	w[n] = 1
	for s := range v {
		v[s] = lo * x.m.H
	}
	x.offer(x.m.Uniform())
	x.propose(0, w, v, lo*x.m.H-x.m.B[n])
}

// tick yields a record of now; false when nobody wants more.
func (x *wide) tick() bool {
	if x.left || x.set.Stop != nil && *x.set.Stop {
		return false
	}
	x.p.Evaluations = x.ev.Count
	x.left = !x.pull(x.p)
	x.p.Step, x.p.Proposal = false, nil
	return !x.left
}

// propose yields a record with a proof; V is copied.
func (x *wide) propose(kernel int, w, v []float64, bound float64) bool {
	x.p.Proposal = &Proposal{Kernel: kernel, Weights: slices.Clone(w), V: slices.Clone(v), Bound: bound}
	if w[0] > 0 && bound > x.p.LowerBound {
		x.p.LowerBound = bound
		copy(x.w, w)
		x.p.Multipliers = x.w[1:]
	}
	x.p.Step = true
	x.p.K++
	return x.tick()
}

// offer evaluates a policy and keeps it if it is the best.
func (x *wide) offer(pi []float64) {
	x.ev.Evaluate(pi)
	x.inc.offer(x.ev, pi)
	x.p.Policy, x.p.Objective = pi, x.ev.J[0]
	x.p.MaxViolation, _ = x.ev.MaxViolation()
}

// nearly reports whether the best policy meets the limits up to what counts as
// none.
func (x *wide) nearly() bool {
	x.ev.Evaluate(x.p.Best.Policy)
	for n := 1; n <= x.m.N; n++ {
		if !(x.ev.J[n]-x.m.B[n] <= max(x.set.Tolerance, 1e-9)*x.m.Scale(n, x.m.B[n])) {
			return false
		}
	}
	return true
}

// closed reports whether the gap asked for is reached.
func (x *wide) closed() bool {
	b := &x.p.Best
	return b.Feasible && b.Objective-x.p.LowerBound <= max(x.set.Gap/10*math.Abs(b.Objective), x.set.Tolerance*x.m.GapScale(b.Objective))
}

// gapOf is how near the two sides of a saddle point are to come, for weights w.
func (x *wide) gapOf(w []float64) float64 {
	size := 0.0
	for n, y := range w {
		lo, hi := x.m.Bounds(n)
		size += y * (hi - lo)
	}
	return 1e-11 * size * x.m.H
}

// settle runs a saddle to its end.
func (x *wide) settle(g *evaluate.Saddle, w []float64) bool {
	g.Weigh(w, x.gapOf(w))
	for !g.Step() {
		x.p.Iterations++
		if !x.tick() {
			return false
		}
	}
	return true
}

// charge is Σ_{n>=1} w_n b_n.
func (x *wide) charge(w []float64) float64 {
	t := 0.0
	for n := 1; n <= x.m.N; n++ {
		if w[n] > 0 {
			t += w[n] * x.m.B[n]
		}
	}
	return t
}

// saddlePoint is the exact answer without limits.
func (x *wide) saddlePoint() {
	g := x.ev.NewSaddle(nil)
	likeliest(x.m, g.Choice, x.set.InitialPolicy)
	if x.settle(g, x.w) {
		x.offer(x.m.Deterministic(g.Choice))
		x.propose(0, x.w, g.V, g.Lower())
	}
}

// rectangular is the search with limits against a rectangular set.
func (x *wide) rectangular() {
	m := x.m
	g := x.ev.NewSaddle(nil)
	w := slices.Clone(x.w)
	best := math.Inf(-1)
	var kernel *model.Kernel
	for round := range 12 {
		if !x.settle(g, w) {
			return
		}
		now := g.Lower() - x.charge(w)
		if round == 0 {
			x.offer(m.Deterministic(g.Choice)) // the best for the objective alone may do
		}
		if w[0] == 0 { // of the limits alone
			if !x.propose(0, w, g.V, now) || now > 0 {
				return
			}
			break
		}
		if now > best+1e-10*math.Abs(best) || round == 0 {
			if best = max(best, now); !x.propose(0, w, g.V, now) {
				return
			}
		}
		if x.closed() {
			return
		}
		kernel = g.Kernel()
		c := newCMDP(m, kernel)
		copy(c.x.choice, g.Choice)
		copy(c.x.v, g.V)
		if !x.price(c) {
			return
		}
		if c.infeasible {
			clear(w)
			copy(w[1:], c.ray)
			continue
		}
		if round > 0 && !(c.lower > best+1e-9*math.Abs(best)) {
			x.mixture(c)
			break
		}
		copy(w[1:], c.lambda)
	}
	if !x.raise(g) {
		return
	}
	start := m.ClonePolicy(x.p.Best.Policy)
	x.search(start, x.dearest())
}

// price runs the problem of one kernel to its end.
func (x *wide) price(c *cmdp) bool {
	for !c.step() {
		x.p.Iterations++
		if !x.tick() {
			return false
		}
	}
	return true
}

// mixture offers the policy of a kernel's optimal mixture.
func (x *wide) mixture(c *cmdp) []float64 {
	if c.stalled || c.infeasible {
		return nil
	}
	occ, pi := make([]float64, x.m.Pairs()), make([]float64, x.m.Pairs())
	c.mixture(occ)
	policyOf(x.m, pi, occ)
	x.offer(pi)
	return pi
}

// raise looks for a policy that meets the limits at the worst: the best for
// multipliers raised more and more, in the end for the limits alone.
func (x *wide) raise(g *evaluate.Saddle) bool {
	factor, by := 1.0, 1.3
	w := slices.Clone(x.w)
	none := true
	for n := 1; n < len(w); n++ {
		none = none && w[n] == 0
	}
	for n := 1; n < len(w) && none; n++ { // nothing is known of the prices
		w[n] = x.inc.w[n] / x.inc.w[0] / 64
	}
	base := slices.Clone(w)
	for k := 0; !x.p.Best.Feasible; k++ {
		switch {
		case factor < 1e12:
			factor *= by
			by = min(by*by, 1e3)
			if k < 4 {
				by = 1.3
			}
			for n := 1; n < len(w); n++ {
				w[n] = base[n] * factor
			}
		case w[0] > 0:
			w[0] = 0
			copy(w[1:], base[1:])
		default:
			return true
		}
		if !x.settle(g, w) {
			return false
		}
		x.offer(x.m.Deterministic(g.Choice))
		if !x.tick() {
			return false
		}
	}
	return true
}

// dearest is the largest multiplier in the units of Local.
func (x *wide) dearest() float64 {
	most := 0.0
	for n := 1; n < len(x.w); n++ {
		most = max(most, x.w[n]*x.inc.w[0]/x.inc.w[n])
	}
	return most
}

// search runs Local from a policy. multiplier is that of the limits, which its
// penalty starts from.
func (x *wide) search(from []float64, multiplier float64) bool {
	if x.local == nil {
		x.local = NewLocal(x.ev)
	}
	l := x.local
	x.tried++
	l.opening, l.reach = max(4*multiplier, 1e-6), .3
	if !x.p.Best.Feasible {
		l.opening = max(l.opening, firstRho)
	}
	before, slow := math.Inf(1), 0
	for i := range l.run(from, x.inc) {
		x.p.Inner, x.p.Policy = i, l.pi
		x.p.Objective, x.p.MaxViolation = x.p.Best.Objective, x.p.Best.MaxViolation
		x.p.Iterations++
		if !x.tick() || x.closed() {
			return false
		}
		b := &x.p.Best
		if !b.Feasible {
			continue
		}
		// The last digits come slowly, and none of them closes the gap.
		if gap := b.Objective - x.p.LowerBound; before-b.Objective <= 1e-4*gap {
			if slow++; slow > 12 {
				break
			}
		} else {
			before, slow = b.Objective, 0
		}
	}
	return true
}

// finite is the search over a finite set.
func (x *wide) finite() {
	m := x.m
	starts := [][]float64(nil)
	most := 0.0
	for k, kernel := range m.Kernels {
		c := newCMDP(m, kernel)
		if k == 0 {
			likeliest(m, c.x.choice, x.set.InitialPolicy)
		}
		if !x.price(c) {
			return
		}
		if c.infeasible {
			w := append([]float64{0}, c.ray...)
			x.offer(m.Uniform())
			x.propose(k, w, c.values(w), c.violation)
			return
		}
		if c.lower > x.p.LowerBound {
			w := append([]float64{1}, c.lambda...)
			if !x.propose(k, w, c.values(w), c.lower) {
				return
			}
			most = max(most, x.dearest())
		}
		if len(m.Kernels) == 1 {
			pi := make([]float64, m.Pairs())
			c.inside(x.ev, x.inc, pi, 0)
			return
		}
		if pi := x.mixture(c); pi != nil {
			starts = append(starts, pi)
		}
		if !x.tick() {
			return
		}
	}
	starts = append([][]float64{mean(m, starts)}, starts...)
	for k, pi := range starts {
		if k > 2 && x.p.Best.Feasible || x.closed() || !x.search(pi, most) {
			return
		}
	}
}

// values is the value function of the best policy for weighted costs.
func (c *cmdp) values(w []float64) []float64 {
	copy(c.weight, w)
	c.x.weigh(c.cost, w)
	c.x.optimal(c.cost)
	return c.x.v
}
