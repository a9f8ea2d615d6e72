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
// N+1 unknowns and a row a policy; its row multipliers are ρ. Returns are
// divided by range times H, so every number in it is about 1.
//
// A first phase without the objective, with Σ λ_n = 1, decides feasibility:
// its value is the least possible largest violation, and a positive lower
// bound on it (checked, with λ as the Farkas ray) proves that there is none.
type cmdp struct {
	m *model.Standard
	x *mdp
	u []float64 // w_n / H

	master *lp.LP // columns: weight of J_0 (0 or 1), λ_1..λ_N, σ
	cols   []int32
	row    []float64
	weight []float64 // raw weights of c_0..c_N of the last pricing
	cost   []float64
	rho    []float64

	choices [][]int
	occ     [][]float64 // unnormalised, by state
	ret     []float64   // of the last pricing
	all     [][]float64 // ret of every policy of the master

	phase  int // 1 feasibility, 2 optimality, 3 done
	box    float64
	shift  float64 // taken off every scaled threshold to end strictly inside
	rounds int64

	value      float64   // of the master: phase 2, upper bound on the optimum (raw units)
	lower      float64   // checked lower bound on the optimum (raw units)
	violation  float64   // phase 1: checked lower bound on the least scaled violation
	ray        []float64 // the weights of c_1..c_N that give it
	lambda     []float64 // the multipliers that give lower
	reduced    []float64 // c_λ + γPv - v by pair, of the same
	infeasible bool
	stalled    bool // the master gave no verdict
}

func newCMDP(m *model.Standard, k *model.Kernel) *cmdp {
	c := &cmdp{
		m: m, x: newMDP(m, k), u: costScales(m), phase: 2, box: 1e4,
		row: make([]float64, m.N+2), weight: make([]float64, m.N+1), cost: make([]float64, m.Pairs()),
		lower: math.Inf(-1), value: math.Inf(1), violation: math.Inf(-1),
		ray: make([]float64, m.N), lambda: make([]float64, m.N), reduced: make([]float64, m.Pairs()),
		ret: make([]float64, m.N+1),
	}
	c.master = lp.New(m.N + 2)
	for j := range m.N + 2 {
		c.cols = append(c.cols, int32(j))
	}
	sum := make([]float64, m.N+1)
	for n := range sum {
		c.u[n] /= m.H
		sum[n] = 1
	}
	c.master.SetBounds(m.N+1, math.Inf(-1), math.Inf(1))
	// The sum of the multipliers. The objective's weight is in it, although it is
	// 0 in the first phase, so that every column has an entry of size 1: the
	// program chooses its column scales once, and the first policy's J_0 can be
	// next to nothing.
	c.master.AddRow(c.cols[:m.N+1], sum, math.Inf(-1), math.Inf(1))
	c.setThresholds()

	// The best policy without constraints is the first column; if it violates
	// one, feasibility comes first.
	c.weight[0] = 1
	c.price()
	c.takeBound()
	for n := 1; n <= m.N; n++ {
		if c.ret[n] > m.B[n] {
			c.phase = 1
		}
	}
	c.add()
	c.setPhase()
	return c
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
	if c.phase == 1 {
		c.master.SetBounds(0, 0, 0)
		c.master.SetRange(0, 1, 1)
		for j := 1; j <= n; j++ {
			c.master.SetBounds(j, 0, 1)
		}
		return
	}
	c.master.SetBounds(0, 1, 1)
	c.master.SetRange(0, math.Inf(-1), math.Inf(1))
	for j := 1; j <= n; j++ {
		c.master.SetBounds(j, 0, c.box)
	}
}

// price finds the best deterministic policy for the weights and its returns.
func (c *cmdp) price() {
	c.x.weigh(c.cost, c.weight)
	c.x.optimal(c.cost)
	c.x.occupancy()
	c.x.returns(c.ret)
}

// add makes the priced policy a row of the master; it reports whether it is new.
func (c *cmdp) add() bool {
	for _, old := range c.choices {
		if slices.Equal(old, c.x.choice) {
			return false
		}
	}
	c.choices = append(c.choices, slices.Clone(c.x.choice))
	c.occ = append(c.occ, slices.Clone(c.x.d))
	c.all = append(c.all, slices.Clone(c.ret))
	for n, j := range c.ret {
		c.row[n] = -c.u[n] * j
	}
	c.row[c.m.N+1] = 1
	c.master.AddRow(c.cols, c.row, math.Inf(-1), 0)
	return true
}

// takeBound keeps the checked bound of the last pricing if it is the best.
func (c *cmdp) takeBound() {
	b := c.x.dualBound(c.weight)
	if c.weight[0] == 0 {
		if b > c.violation {
			c.violation = b
			copy(c.ray, c.weight[1:])
		}
		return
	}
	if b > c.lower {
		c.lower = b
		copy(c.lambda, c.weight[1:])
		for i := range c.reduced {
			c.reduced[i] = c.x.action(c.cost, i) - c.x.v[c.m.State[i]]
		}
	}
}

// step solves the master and prices one policy; it reports whether the problem
// is decided.
func (c *cmdp) step() bool {
	if c.phase == 3 {
		return true
	}
	c.rounds++
	if c.master.Solve() != lp.Optimal {
		c.stalled, c.phase = true, 3
		return true
	}
	v := -c.master.Objective()
	x := c.master.X()
	if c.phase == 1 {
		if v <= 0 {
			c.phase = 2
			c.setPhase()
			return false
		}
		c.weight[0] = 0
		for n := 1; n <= c.m.N; n++ {
			c.weight[n] = x[n] * c.u[n]
		}
		c.price()
		c.takeBound()
		if c.violation > 0 {
			c.infeasible, c.phase = true, 3
			return true
		}
		if !c.add() {
			// The least violation is 0 up to rounding: go on with thresholds
			// that the policies at hand can meet.
			c.shift -= 2 * v
			c.setThresholds()
			c.phase = 2
			c.setPhase()
		}
		return false
	}
	c.value = v / c.u[0]
	c.weight[0] = 1
	for n := 1; n <= c.m.N; n++ {
		c.weight[n] = x[n] * c.u[n] / c.u[0]
	}
	c.price()
	c.takeBound()
	if c.value-c.lower > 1e-15/c.u[0] && c.add() {
		return false
	}
	if c.boxed() && c.box < 1e10 {
		c.box *= 100
		c.setPhase()
		return false
	}
	c.phase = 3
	return true
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
		if v > 1e-13 {
			return true
		}
	}
	return false
}

// mixture writes the occupancy measure by pair of the master's solution.
func (c *cmdp) mixture(x []float64) {
	c.rho = c.master.Duals(c.rho)
	clear(x)
	for k, choice := range c.choices {
		r := math.Abs(c.rho[k+1])
		if r == 0 {
			continue
		}
		for s, i := range choice {
			x[i] += r * c.occ[k][s]
		}
	}
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
