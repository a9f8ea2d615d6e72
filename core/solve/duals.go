package solve

import "rcmdplab/core/model"

// Duals finds the multipliers of the constrained problem of one kernel, see
// cmdp: the prices at which weak duality bounds it best, or those that show that
// no policy meets its constraints.
type Duals struct{ c *cmdp }

// dualsTolerance is the violation, as a share of what it is judged next to, up to
// which limits are moved rather than called impossible to meet.
const dualsTolerance = 2e-10

// NewDuals begins with the best policy for the objective alone.
func NewDuals(m *model.Standard, k *model.Kernel) *Duals {
	return &Duals{newCMDP(m, k, dualsTolerance)}
}

// Step does a piece of pricing a policy and reports whether the multipliers are
// found.
func (d *Duals) Step() bool { return d.c.step() }

// Weights are those of the costs 0..N: 1 and the multipliers, or, when no policy
// meets the constraints, 0 and a Farkas ray.
func (d *Duals) Weights() []float64 {
	w := make([]float64, d.c.m.N+1)
	if d.c.infeasible {
		copy(w[1:], d.c.ray)
		return w
	}
	w[0] = 1
	copy(w[1:], d.c.lambda)
	return w
}

// Policy is the best policy under the kernel, up to rounding: of least violation
// when none meets the constraints. Nil before the multipliers are found.
func (d *Duals) Policy() []float64 {
	if d.c.stalled || d.c.phase != 3 {
		return nil
	}
	return d.c.policy(0)
}
