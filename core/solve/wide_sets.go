package solve

import (
	"math"
	"slices"

	"rcmdplab/core/game"
	"rcmdplab/core/model"
	"rcmdplab/core/proof"
)

// byValues is the claim that the values of a game prove.
func byValues(g *game.Game, kernel int, w []float64, bound float64) *proof.Claim {
	v, _ := g.Values()
	return proof.ByValues(kernel, w, v, bound)
}

// rectangular is the search with limits against a rectangular set.
func (x *wide) rectangular() {
	m := x.m
	g := game.New(x.m, nil).KeepPace(x.ev.Own())
	w := slices.Clone(x.w)
	best := math.Inf(-1)
	var kernel *model.Kernel
	var near *cmdp       // of the last kernel
	var nearly []float64 // where nature has next to no choice, the best but for rounding
	for round := range 12 {
		if !x.settle(g, w) {
			return
		}
		now := g.Dual(m.B)
		values, _ := g.Values()
		if round == 0 {
			x.ev.Near(0, values)
			x.offer(m.Deterministic(g.Choice)) // the best for the objective alone may do
		}
		if w[0] == 0 { // of the limits alone
			if !x.propose(proof.ByValues(0, w, values, now)) || now > 0 {
				return
			}
			break
		}
		if now > best+1e-10*math.Abs(best) || round == 0 {
			if best = max(best, now); !x.propose(proof.ByValues(0, w, values, now)) {
				return
			}
		}
		// Only what rounding leaves ends it here: the first feasible policies meet
		// the limits in any way.
		if x.p.near(m, x.set.Tolerance) || round == 0 && !x.narrow(g) {
			return
		}
		kernel, _ = g.Kernel()
		c := x.exact(kernel)
		c.x.Start(values, g.Choice)
		if c.past(best); near != nil {
			c.after(near)
		}
		if !x.price(c) {
			return
		}
		if c.infeasible {
			clear(w)
			copy(w[1:], c.ray)
			continue
		}
		if round > 0 && !(c.lowerBound() > best+1e-9*math.Abs(best)) {
			if !x.bound {
				if pi := x.mixture(c); pi != nil && x.inc.excesses(x.ev) < 1e-6 {
					nearly = pi
				}
			}
			break
		}
		copy(w[1:], c.lambda)
		near = c
	}
	if x.bound || x.p.Best.Policy == nil {
		return
	}
	if x.tight != nil && x.tight.any() {
		g.Close(x.tight.closed)
	}
	if !x.raise(g) {
		return
	}
	if x.search(m.ClonePolicy(x.p.Best.Policy), x.w) && nearly != nil {
		x.pullBack(nearly)
	}
}

// narrow looks at each limit alone: one that cannot be met ends the search, one
// that leaves no room closes the actions that would exceed it, and the policy
// that is best for it may be a feasible one. g is put back to where it was.
func (x *wide) narrow(g *game.Game) bool {
	values, _ := g.Values()
	choice := slices.Clone(g.Choice)
	m, q := x.m, make([]float64, x.m.Pairs())
	t := newTight(m, x.inc)
	w := make([]float64, m.N+1)
	for n := 1; n <= m.N; n++ {
		if x.inc.never[n] {
			continue
		}
		clear(w)
		w[n] = 1
		g.Start(nil, nil) // another cost: the values of the last one are further off than none
		if !x.settle(g, w) {
			return false
		}
		if !x.bound && !x.p.Best.Feasible {
			x.offer(m.Deterministic(g.Choice))
		}
		excess := g.Lower() - m.B[n]
		if excess > x.inc.tol*x.inc.size[n] {
			x.propose(byValues(g, 0, w, excess))
			return false
		}
		g.Reduced(q)
		t.look(n, excess, func(i int) float64 { return q[i] - g.Grain(i) - x.gapOf(w)/m.H })
	}
	for n := range t.is {
		if t.is[n] { // nothing meets it for certain
			x.inc.allow(n)
			x.tight = t
		}
	}
	x.inc.again(x.ev)
	g.Start(values, choice)
	return true
}

// exact is the problem of one kernel, at the pace of the search.
func (x *wide) exact(kernel *model.Kernel) *cmdp {
	c := newCMDP(x.m, kernel, x.inc.tol)
	c.x.KeepPace(x.ev.Own())
	return c
}

// price runs the problem of one kernel to its end.
func (x *wide) price(c *cmdp) bool {
	x.turn = c.x.Choice
	for !c.step() {
		x.p.Iterations++
		if !x.tick() {
			return false
		}
	}
	return !x.ev.Cut()
}

// mixture offers the policy of a kernel's optimal mixture.
func (x *wide) mixture(c *cmdp) []float64 {
	if c.stalled || c.infeasible {
		return nil
	}
	pi := c.policy(0)
	x.offer(pi)
	return pi
}

// raise looks for a policy that meets the limits at the worst: the best for
// multipliers raised more and more, in the end for the limits alone.
func (x *wide) raise(g *game.Game) bool {
	factor, by := 1.0, 1.3
	w := slices.Clone(x.w)
	none := true
	for n := 1; n < len(w); n++ {
		none = none && w[n] == 0
	}
	for n := 1; n < len(w) && none; n++ { // nothing is known of the prices
		w[n] = x.m.Scale(0, x.ev.J[0]) / max(x.inc.size[n], 1e-300) / 64
	}
	base := slices.Clone(w)
	for k := 0; ; k++ {
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
		if now := g.Dual(x.m.B); w[0] > 0 && now > x.p.LowerBound && !x.propose(byValues(g, 0, w, now)) {
			return false
		}
		x.offer(x.m.Deterministic(g.Choice))
		met := x.inc.excesses(x.ev) <= 0
		if !x.tick() || met {
			return met
		}
	}
}

// severalStarts is the number of rows beyond which one start has to do, if it
// leads to a feasible policy.
const severalStarts = 100_000

// finite is the search over a finite set.
func (x *wide) finite() {
	m := x.m
	starts := [][]float64(nil)
	var near *cmdp // of the last kernel
	for k, kernel := range m.Kernels {
		c := x.exact(kernel)
		if near == nil {
			likeliest(m, c.x.Choice, x.set.InitialPolicy)
		} else {
			values, _ := near.x.Values()
			c.x.Start(values, near.x.Choice)
			c.after(near)
			c.past(x.p.LowerBound)
		}
		if !x.price(c) {
			return
		}
		if p := c.proposal(k); c.infeasible || p.Target > x.p.LowerBound {
			if c.infeasible {
				x.offer(m.Uniform())
			}
			if !x.propose(p) || c.infeasible {
				return
			}
		}
		switch {
		case x.bound:
		case len(m.Kernels) == 1:
			c.inside(x.ev, x.inc)
			return
		default:
			if pi := x.mixture(c); pi != nil {
				starts = append(starts, pi)
			}
		}
		if near = c; c.stalled {
			near = nil
		}
		if !x.tick() {
			return
		}
	}
	if x.bound || len(starts) == 0 {
		return
	}
	starts = append([][]float64{mean(m, starts)}, starts...)
	most := 2
	if m.Pairs()*len(m.Kernels) > severalStarts {
		most = 0
	}
	for k, pi := range starts {
		if k > most && x.p.Best.Feasible || x.near() || !x.search(pi, x.w) {
			return
		}
	}
}

// proposal is the proof that the search under one kernel found.
func (c *cmdp) proposal(kernel int) *proof.Claim {
	w := append([]float64{1}, c.lambda...)
	bound := c.lowerBound()
	if c.infeasible {
		w = append([]float64{0}, c.ray...)
		bound = c.violation
	}
	c.x.Play(w, 0, nil)
	return byValues(c.x.Game, kernel, w, bound)
}
