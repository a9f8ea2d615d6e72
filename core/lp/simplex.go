package lp

const (
	// Tolerances on scaled rows and columns: a constraint violated by less
	// counts as satisfied during the steps, a reduced cost of less as zero.
	feasTol = 1e-9
	dualTol = 1e-9

	// The final point must satisfy every constraint to checkTol (1+|end|) after
	// it has been recomputed from the active set.
	checkTol = 1e-7

	pivotTol = 1e-9 // entries below are no pivots
	dropTol  = 1e-7 // an active row with no entry above is dropped from the set at a refactorisation

	refactorEvery = 400 // pivots
	mostRestarts  = 50  // of one solution, pauses or not

	mostStretch = 1 << 10 // of a column by its scale
)

// Solve solves the problem from the active set of the last solution. After
// changes of the objective it takes primal steps, after changes of rows,
// ranges and bounds dual steps, and after both it first minimises the sum of
// infeasibilities. Every verdict is checked on numbers recomputed from the
// active set; one that fails the check after a refactorisation is Stalled.
func (p *LP) Solve() Status {
	if !p.scaled {
		p.rescale()
	}
	p.grow()
	left := max(2000, 50*(p.n+p.m))
	if p.MaxSteps > 0 {
		left = min(left, p.MaxSteps)
	}
	if len(p.changed) > 0 && p.fresh {
		p.fresh = p.replace()
	}
	if p.status != Paused {
		p.restarts = 0
	}
	p.status = Stalled
	for try := 0; left > 0; {
		if !p.fresh || p.pivots > refactorEvery {
			p.factor()
		}
		if !p.placed {
			p.place()
		}
		p.reduced(p.z, p.costs())
		if len(p.frac.cols) > 0 {
			p.slope()
		}
		var out outcome
		switch {
		case p.feasible():
			out = p.primal(&left)
		case p.flipToDual():
			out = p.dual(&left)
		default:
			out = p.repair(&left)
		}
		switch out {
		case restart:
			// From an inverse made anew. Where rounding does so again and again it ends.
			if p.restarts++; p.restarts > mostRestarts {
				p.fresh, p.placed = false, false
				return p.status
			}
			continue
		case enough:
			p.status = Reached
			return p.status
		case optimal:
			if p.finish() {
				p.status = Optimal
				return p.status
			}
		case infeasible:
			if _, ok := p.proof(); ok {
				p.status = Infeasible
				return p.status
			}
		case unbounded:
			if p.escapes() {
				p.status = Unbounded
				return p.status
			}
		}
		if try++; try > 3 {
			break
		}
		p.fresh, p.placed = false, false
	}
	if left <= 0 && p.MaxSteps > 0 {
		p.status = Paused
	}
	return p.status
}

// outcome is what one phase came to.
type outcome int

const (
	restart outcome = iota
	optimal
	infeasible
	unbounded
	enough // a point beyond what Maximise was to stop at
)

func (p *LP) costs() []float64 {
	c := p.w
	clear(c)
	copy(c, p.cost)
	return c
}

// grow fits the work space to n and m.
func (p *LP) grow() {
	fit := func(v []float64, n int) []float64 {
		if cap(v) < n {
			w := make([]float64, n, n+n/2)
			copy(w, v)
			return w
		}
		return v[:n]
	}
	p.dx, p.w = fit(p.dx, p.stride), fit(p.w, p.stride)
	p.zden, p.part = fit(p.zden, p.stride), fit(p.part, p.stride)
	p.del, p.mult = fit(p.del, p.m), fit(p.mult, p.m)
	p.alpha, p.g = fit(p.alpha, p.n), fit(p.g, p.n)
	p.ray = fit(p.ray, p.n)
	if cap(p.cand) < p.n+p.m {
		p.cand = make([]candidate, 0, 2*(p.n+p.m))
	}
}
