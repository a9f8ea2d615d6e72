package solve

import (
	"math"
	"slices"

	"rcmdplab/core/lp"
	"rcmdplab/core/model"
)

// cmdp solves the constrained problem of one kernel exactly, by column
// generation: the occupancy measures of the policies are the convex hull of
// those of the deterministic ones, so the problem is a linear program over
// mixtures ρ of deterministic policies π_k,
//
//	min_ρ Σ_k ρ_k J_0(π_k)   s.t.   Σ_k ρ_k J_n(π_k) <= b_n,  Σ_k ρ_k = 1,
//
// of which few columns are ever needed. Policy iteration on c_0 + Σ λ_n c_n
// finds the column of least reduced cost, and with it a lower bound by weak
// duality. The master is solved in its dual form, max over λ >= 0 and σ of
//
//	σ - Σ_n λ_n b_n   s.t.   σ <= J_0(π_k) + Σ_n λ_n J_n(π_k)  for every k,
//
// N+1 unknowns and a row a policy; its row multipliers are ρ. Returns are taken
// about their centres and divided by what errors in them are judged next to
// (model.Standard.Scale at b_n, and at the best return without constraints), or
// by a little of what the first policy exceeds the limit by, if that is more: so
// that the numbers of the program are of size 1 where they matter, and none is
// beyond its reach.
//
// Far from the optimum the master's multipliers jump about. From the third
// round on the prices asked for are those halfway between the master's and the
// best so far (in-out separation, Ben-Ameur and Neto 2007), until that brings a
// policy that is known; the master's own come next.
//
// A first phase without the objective, with Σ λ_n = 1, decides feasibility: its
// value is the least possible largest violation, in those units, and a lower
// bound on it above the tolerance (with λ as the Farkas ray) says that there is
// no policy. Limits that only the tolerance lets be met are moved by it.
type cmdp struct {
	m   *model.Standard // centred
	raw *model.Standard // as it came
	x   *mdp            // what finds best policies
	u   []float64       // see above
	tol float64         // violation that counts as none, as a share of Scale
	few []float64       // that violation, by constraint

	master *lp.LP    // columns: one unused, λ_1..λ_N, σ; rows: Σλ, then one a policy
	cols   []int32   // work: all columns of the master
	row    []float64 // work: a row of it
	weight []float64 // raw weights of c_0..c_N of the last pricing
	rho    []float64 // the master's own multipliers: the mixture

	choices [][]int     // by row of the master: the policy, a pair for each state
	occ     [][]float64 // unnormalised, by state
	ret     []float64   // of the last pricing
	all     [][]float64 // ret of every policy of the master

	phase  int       // 1 feasibility, 2 optimality, 3 done
	stage  stage     // within a round
	halved bool      // the prices asked for are halfway
	inner  bool      // the last ones were, and brought nothing new
	best   []float64 // prices of the best bound, scaled like the master's
	box    float64   // largest λ that the master may take
	least  float64   // of the master in the first phase
	shift  float64   // taken off every scaled threshold to end strictly inside
	rounds int64     // policies asked for so far

	limit      []float64 // the thresholds that bounds are for: b, or what the tolerance makes of it
	value      float64   // of the master, phase 2: upper bound on the optimum, about the centre
	lower      float64   // lower bound on the optimum, about the centre
	violation  float64   // phase 1: lower bound on the least scaled violation
	ray        []float64 // the weights of c_1..c_N that give it
	lambda     []float64 // the multipliers that give lower
	reduced    []float64 // c_λ + γPv - v by pair, of the same
	infeasible bool      // by phase 1, with ray
	stalled    bool      // the master gave no verdict

	known  [][]int // policies to begin with, see after
	beyond float64 // see past
}

// stage is what a step works at.
type stage int

const (
	first    stage = iota // prices the objective alone
	pricing               // finds the best policy for the weights
	mastered              // is to solve the master
)

func newCMDP(m *model.Standard, k *model.Kernel, tol float64) *cmdp {
	x := newMDP(m, k)
	c := &cmdp{
		m: x.m, raw: m, x: x, u: make([]float64, m.N+1), tol: tol, few: make([]float64, m.N+1), phase: 2, box: 1e4,
		row: make([]float64, m.N+2), weight: make([]float64, m.N+1),
		limit: slices.Clone(x.m.B), lower: math.Inf(-1), value: math.Inf(1), violation: math.Inf(-1),
		beyond: math.NaN(), ray: make([]float64, m.N), lambda: make([]float64, m.N), reduced: make([]float64, m.Pairs()),
		ret: make([]float64, m.N+1), best: make([]float64, m.N+1),
	}
	for j := range m.N + 2 {
		c.cols = append(c.cols, int32(j))
	}
	c.weight[0] = 1
	c.ask()
	c.stage = first
	return c
}

// start takes the best policy without constraints, the first column; if it
// violates one, feasibility comes first.
func (c *cmdp) start() {
	m := c.m
	for n := range c.u {
		at := c.total(c.ret[0])
		if n > 0 {
			at = c.raw.B[n]
		}
		lo, hi := m.Bounds(n)
		size := max(c.raw.Scale(n, at), 1e-14*(hi-lo)*m.H)
		c.few[n] = c.tol * size
		if n > 0 {
			size = max(size, 1e-5*(c.ret[n]-m.B[n]))
		}
		if size == 0 {
			size = 1
		}
		c.u[n] = 1 / size
	}
	c.newMaster()
	c.takeBound()
	for n := 1; n <= m.N; n++ {
		if c.ret[n] > m.B[n] {
			c.phase = 1
		}
	}
	c.add()
	for _, choice := range c.known {
		copy(c.x.Choice, choice)
		c.x.occupancy()
		c.x.Returns(c.ret, c.x.d)
		c.add()
	}
	c.setPhase()
	c.stage = mastered
}

// after has the search begin with what the problem of a kernel nearby came to:
// the prices of its bound and the policies of its mixture, which need but be
// evaluated. It comes before the first step.
func (c *cmdp) after(near *cmdp) {
	copy(c.weight[1:], near.lambda)
	c.ask()
	c.stage = first
	near.rho = near.master.Duals(near.rho)
	for k, choice := range near.choices {
		if math.Abs(near.rho[k+1]) > 1e-9 {
			c.known = append(c.known, choice)
		}
	}
}

// past has the search end once it is decided how far the optimum is above a bound,
// to a hundredth of that distance, or that it is not.
func (c *cmdp) past(bound float64) { c.beyond = bound }

// enough is how near the two sides of the optimum are to come.
func (c *cmdp) enough() float64 {
	least := 1e-15 / c.u[0]
	if math.IsNaN(c.beyond) {
		return least
	}
	return max(least, .01*(c.total(c.value)-c.beyond), 1e-10*math.Abs(c.beyond))
}

// ask begins to look for the best deterministic policy for the weights.
func (c *cmdp) ask() {
	c.x.Weigh(c.weight, 0)
	c.stage = pricing
}

// priced goes on with that and reports whether policy and returns are there.
func (c *cmdp) priced() bool {
	if !c.x.Step() {
		return false
	}
	c.x.occupancy()
	c.x.Returns(c.ret, c.x.d)
	return true
}

// add makes the priced policy a row of the master; it reports whether it is new.
func (c *cmdp) add() bool {
	for _, old := range c.choices {
		if slices.Equal(old, c.x.Choice) {
			return false
		}
	}
	c.choices = append(c.choices, slices.Clone(c.x.Choice))
	c.occ = append(c.occ, slices.Clone(c.x.d))
	c.all = append(c.all, slices.Clone(c.ret))
	c.addRow(c.ret)
	return true
}

// takeBound keeps the checked bound of the last pricing if it is the best.
func (c *cmdp) takeBound() {
	b := c.x.Dual(c.limit)
	if c.weight[0] == 0 {
		if b > c.violation {
			c.violation = b
			copy(c.ray, c.weight[1:])
		}
		return
	}
	if b > c.lower {
		c.lower = b
		for n := range c.weight {
			c.best[n] = c.weight[n] * c.u[0] / c.u[n]
		}
		copy(c.lambda, c.weight[1:])
		c.x.Reduced(c.reduced)
	}
}

// step goes on by one piece of work, the master or a part of pricing a policy;
// it reports whether the problem is decided.
func (c *cmdp) step() bool {
	switch {
	case c.phase == 3:
		return true
	case c.stage == mastered:
		return c.consult()
	case !c.priced():
		return false
	case c.stage == first:
		c.start()
		return false
	}
	c.stage = mastered
	c.takeBound()
	if c.phase == 1 {
		return c.feasibility()
	}
	return c.optimality()
}

// consult solves the master and asks for its next policy.
func (c *cmdp) consult() bool {
	c.rounds++
	if c.master.Solve() != lp.Optimal && !c.again() {
		c.stalled, c.phase = true, 3
		return true
	}
	v := -c.master.Objective()
	x := c.master.X()
	if c.phase == 1 {
		if v <= 0 {
			c.optimise()
			return false
		}
		c.least = v
		c.weight[0] = 0
		for n := 1; n <= c.m.N; n++ {
			c.weight[n] = max(0, x[n]) * c.u[n] // rounding may leave it below 0, and prove nothing
		}
		c.ask()
		return false
	}
	c.value = v / c.u[0]
	c.weight[0] = 1
	c.halved = !c.inner && len(c.choices) > 3 && !math.IsInf(c.lower, -1)
	for n := 1; n <= c.m.N; n++ {
		y := max(0, x[n])
		if c.halved {
			y = (y + c.best[n]) / 2
		}
		c.weight[n] = y * c.u[n] / c.u[0]
	}
	c.ask()
	return false
}

// none is the scaled violation that counts as none of every constraint.
func (c *cmdp) none() float64 {
	least := math.Inf(1)
	for n := 1; n <= c.m.N; n++ {
		least = min(least, c.few[n]*c.u[n])
	}
	return least
}

// feasibility looks at a policy priced in the first phase.
func (c *cmdp) feasibility() bool {
	allowed := 0.0 // of the violation, weighted as by the ray
	for n, y := range c.ray {
		allowed += y * c.few[n+1]
	}
	if c.violation > allowed {
		c.infeasible, c.phase = true, 3
		return true
	}
	v, fresh := c.least, c.add()
	switch {
	case v <= max(c.none(), 1e-14) && (c.violation > 0 || !fresh):
		// The least violation is 0 up to the tolerance or to rounding: go on
		// with thresholds that the policies at hand can meet.
		c.relax(v + min(v, 1e-3*c.none()) + 4e-15)
		c.optimise()
	case !fresh: // within rounding of what counts as none
		c.relax(2 * v)
		c.optimise()
	}
	return false
}

// optimise begins the second phase.
func (c *cmdp) optimise() {
	c.phase = 2
	c.setPhase()
}

// total is a return of the objective about the centre as J_0.
func (c *cmdp) total(j float64) float64 { return c.x.base(0) + j }

// lowerBound is the lower bound on J_0 found so far.
func (c *cmdp) lowerBound() float64 { return c.x.raised(0, c.lower) }

// optimality looks at one priced in the second.
func (c *cmdp) optimality() bool {
	if c.value-c.lower > c.enough() && c.add() {
		c.inner = false
		return false
	}
	if c.halved && c.value-c.lower > c.enough() {
		c.inner = true // nothing new halfway: the master's own prices
		return false
	}
	if c.boxed() {
		switch {
		case c.box < 1e10:
			c.box *= 100
			c.setPhase()
			return false
		case c.enlarge():
			c.box = 1e8
			c.newMaster()
			c.setPhase()
			return false
		}
	}
	c.phase = 3
	return true
}
