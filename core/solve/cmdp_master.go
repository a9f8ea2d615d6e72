package solve

import (
	"math"

	"rcmdplab/core/lp"
)

// The master of cmdp.

// newMaster makes the master of the policies at hand.
func (c *cmdp) newMaster() {
	n := c.m.N
	c.master = lp.New(n + 2)
	c.master.SetBounds(n+1, math.Inf(-1), math.Inf(1))
	c.master.SetBounds(0, 0, 0)
	sum := make([]float64, n)
	for j := range sum {
		sum[j] = 1
	}
	c.master.AddRow(c.cols[1:n+1], sum, math.Inf(-1), math.Inf(1))
	for _, ret := range c.all {
		c.addRow(ret)
	}
	c.setThresholds()
}

// addRow adds the row of a policy with these returns. That of the objective is
// the row's end: a policy that pays a penalty has a row far away, of ordinary
// coefficients.
func (c *cmdp) addRow(ret []float64) {
	for n := 1; n <= c.m.N; n++ {
		c.row[n] = -c.u[n] * ret[n]
	}
	c.row[c.m.N+1] = 1
	c.master.AddRow(c.cols[1:], c.row[1:], math.Inf(-1), c.end(ret))
}

// end is the end of a policy's row: without the objective in the first phase.
func (c *cmdp) end(ret []float64) float64 {
	if c.phase == 1 {
		return 0
	}
	return c.u[0] * ret[0]
}

// setThresholds puts b into the master's objective.
func (c *cmdp) setThresholds() {
	c.master.SetCost(c.m.N+1, -1)
	for n := 1; n <= c.m.N; n++ {
		c.master.SetCost(n, c.u[n]*c.m.B[n]-c.shift)
	}
}

func (c *cmdp) setPhase() {
	n := c.m.N
	for k, ret := range c.all {
		c.master.SetRange(k+1, math.Inf(-1), c.end(ret))
	}
	if c.phase == 1 {
		c.master.SetRange(0, 1, 1)
		for j := 1; j <= n; j++ {
			c.master.SetBounds(j, 0, 1)
		}
		return
	}
	c.master.SetRange(0, math.Inf(-1), math.Inf(1))
	for j := 1; j <= n; j++ {
		c.master.SetBounds(j, 0, c.box)
	}
}

// again solves the master from nothing, for a long history of pivots; then with
// the objective in ever larger units, for an optimum that costs very much more
// than the best policy without constraints.
func (c *cmdp) again() bool {
	for {
		c.newMaster()
		c.setPhase()
		if c.master.Solve() == lp.Optimal {
			return true
		}
		if c.phase == 1 || !c.enlarge() {
			return false
		}
	}
}

// enlarge puts the objective into larger units; it reports false when no return
// is larger than one of them.
func (c *cmdp) enlarge() bool {
	lo, hi := c.m.Bounds(0)
	if c.u[0]*(hi-lo)*c.m.H < 1 {
		return false
	}
	const larger = 1e4
	c.u[0] /= larger
	for n := 1; n < len(c.best); n++ {
		c.best[n] /= larger
	}
	return true
}

// relax moves every threshold outwards by a share of its size.
func (c *cmdp) relax(by float64) {
	c.shift = -by
	for n := 1; n <= c.m.N; n++ {
		c.limit[n] = c.m.B[n] + by/c.u[n]
	}
	c.setThresholds()
}

// boxed reports whether the bound on the multipliers lets the master's mixture
// violate a threshold by more than rounding.
func (c *cmdp) boxed() bool {
	x, full := c.master.X(), false
	for n := 1; n <= c.m.N; n++ {
		full = full || x[n] >= c.box
	}
	if !full {
		return false
	}
	c.rho = c.master.Duals(c.rho)
	for n := 1; n <= c.m.N; n++ {
		v := c.shift - c.u[n]*c.m.B[n]
		for k, r := range c.rho[1:] {
			v += math.Abs(r) * c.u[n] * c.all[k][n]
		}
		if v > 1e-12 {
			return true
		}
	}
	return false
}

// policy is the policy of the master's solution, a mixture of occupancy measures, of whose policies only those
// with a larger share than least count: rounding may have given one a small share.
func (c *cmdp) policy(least float64) []float64 {
	c.rho = c.master.Duals(c.rho)
	x, pi := make([]float64, c.m.Pairs()), make([]float64, c.m.Pairs())
	for k, choice := range c.choices {
		r := math.Abs(c.rho[k+1])
		if r <= least {
			continue
		}
		for s, i := range choice {
			x[i] += r * max(0, c.occ[k][s]) // which iteration leaves below 0 by rounding
		}
	}
	policyOf(c.m, pi, x)
	return pi
}

// tighten moves every scaled threshold inwards by a little and solves the
// master again with the policies at hand; it reports whether the master still
// has a solution that meets the thresholds.
func (c *cmdp) tighten(by float64) bool {
	c.shift += by
	c.setThresholds()
	if c.master.Solve() != lp.Optimal {
		return false
	}
	return !c.boxed()
}
