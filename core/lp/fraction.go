package lp

import (
	"math"

	"rcmdplab/core/vector"
)

// fraction is a ratio of a few columns that is to be as large as it can be.
type fraction struct {
	cols     []int32   // of both; none: the objective is that of SetCosts
	num, den []float64 // coefficients for x in the units of the one who asks
	rho      float64   // the objective is rho den·x − num·x
	stop     float64   // a ratio beyond ends Solve
}

// Maximise makes the next Solves maximise num·x / den·x, whose denominator is positive
// wherever a primal step comes to. The objective is rho den·x − num·x, rho being from or
// the largest ratio met so far (Dinkelbach 1967, at every step instead of every optimum):
// at an Optimal point it is 0 and rho the largest ratio. Solve ends with Reached at the
// first feasible point whose ratio is beyond stop. The slices are kept, not copied; SetCosts
// ends it.
func (p *LP) Maximise(cols []int32, num, den []float64, from, stop float64) {
	clear(p.cost)
	p.frac = fraction{cols, num, den, from, stop}
	p.reprice(from)
	p.status = Unsolved
}

// Ratio is the rho of the objective.
func (p *LP) Ratio() float64 { return p.frac.rho }

// ratio is num·x / den·x at the point.
func (p *LP) ratio() float64 {
	num, den := 0.0, 0.0
	for k, j := range p.frac.cols {
		x := p.x[j] * p.cs[j]
		num += p.frac.num[k] * x
		den += p.frac.den[k] * x
	}
	if !(den > 0) {
		return math.Inf(-1)
	}
	return num / den
}

// reprice makes rho that of the objective.
func (p *LP) reprice(rho float64) {
	f := &p.frac
	for k, j := range f.cols {
		p.cost[j] = (rho*f.den[k] - f.num[k]) * p.cs[j]
	}
	f.rho = rho
}

// slope writes the reduced costs of den to zden.
func (p *LP) slope() {
	clear(p.w)
	for k, j := range p.frac.cols {
		p.w[j] = p.frac.den[k] * p.cs[j]
	}
	p.reduced(p.zden, p.w)
}

// climb takes the ratio at the point for rho when it is larger; at the end, when nothing
// makes the objective less, also when it is less, since from may be out of reach. It
// reports whether rho changed.
func (p *LP) climb(end bool) bool {
	was, rho := p.frac.rho, p.ratio()
	if !(rho > was || end && rho < was-1e-9*math.Abs(was) && !math.IsInf(rho, -1)) {
		return false
	}
	p.reprice(rho)
	vector.Axpy(p.z, p.zden[:len(p.z)], rho-was)
	return true
}
