package evaluate

import (
	"math"

	"rcmdplab/core/vector"
)

// operations are what the iteration needs of the matrix or of its transpose.
type operations struct {
	apply, precondition func(dst, x []float64)    // the matrix times x; roughly its inverse times x
	norm                func(x []float64) float64 // what a residual is measured by
	size                func(x []float64) float64 // of what a residual at x is made, in that measure
}

func total(x []float64) float64 {
	m := 0.0
	for _, y := range x {
		m += math.Abs(y)
	}
	return m
}

// iterate replaces b by the solution, from the guess (nil is 0): rounds, each
// started from the true residual, until that residual is within tolerance or
// at the level of rounding. A round that does not halve it hands over to the
// next kind of round; see sparse.
func (a *sparse) iterate(b, guess []float64, tolerance, curvature float64, is *operations) {
	const (
		rounds    = 60
		patience  = 6 // rounds that may fail
		maxSweeps = 100000
		farOff    = 1e4 // what an iteration that has failed leaves, next to what rounding does
	)
	rhs, x, r := a.rhs, b, a.r
	copy(rhs, b)
	if guess == nil {
		clear(x)
	} else {
		copy(x, guess)
	}
	size := is.norm(rhs)
	residual := func() float64 {
		is.apply(r, x)
		for i, y := range r {
			r[i] = rhs[i] - y
		}
		return is.norm(r)
	}
	best := residual()
	a.pace.Spend(10 * len(a.places.Col)) // filling and factoring it
	tolerance = max(tolerance, min(curvature*best*best, best/100))
	for round, failed := 0, 0; round < rounds && failed < patience; round++ {
		floor := 4 * u * (size + is.size(x))
		if best <= max(tolerance, floor) || a.pace.Cut() {
			a.residual = best
			return
		}
		copy(a.best, x)
		aim := max(tolerance, floor) / 2
		switch failed {
		case 0:
			copy(a.r0, r)
			a.stabilised(x, aim, is)
		case 1:
			shadow(a.r0, uint64(round))
			a.stabilised(x, aim, is)
		default:
			a.minimal(x, aim, is)
		}
		now := residual()
		if !(now <= best/2) && !(now > farOff*max(tolerance, floor) && a.eliminate(mostFailed)) {
			failed++
		}
		if !(now < best) {
			copy(x, a.best)
			now = residual()
		}
		best = now
	}
	copy(a.best, x)
	for range maxSweeps {
		if best <= max(tolerance, 8*u*(size+is.size(x))) || !a.pace.Spend(2*len(a.places.Col)) {
			break
		}
		for i, y := range r {
			x[i] += y
		}
		now := residual()
		if !(now < best) { // rounding, or x does not contract
			copy(x, a.best)
			break
		}
		best = now
		copy(a.best, x)
	}
	a.residual = best
}

// shadow fills r0 with numbers in [-1, 1) that no residual is orthogonal to but
// by accident. From a start in one state, r0 = r is: BiCGStab then breaks down
// in its first steps.
func shadow(r0 []float64, seed uint64) {
	h := (seed + 1) * 0x9e3779b97f4a7c15
	for i := range r0 { // xorshift (Marsaglia 2003)
		h ^= h << 13
		h ^= h >> 7
		h ^= h << 17
		r0[i] = float64(int64(h)) * 0x1p-63
	}
}

// stabilised runs BiCGStab (van der Vorst 1992) on the residual r with the
// shadow residual r0 and adds the correction to x.
func (a *sparse) stabilised(x []float64, tolerance float64, is *operations) {
	const steps = 400
	r, r0, p, v, s, t, y, z := a.r, a.r0, a.p, a.v, a.s, a.t, a.y, a.z
	clear(p)
	clear(v)
	rho, alpha, omega := 1.0, 1.0, 1.0
	for range steps {
		next := dot(r0, r)
		beta := next / rho * (alpha / omega)
		rho = next
		axpy(p, v, omega) // p ← r + β (p - ω v)
		vector.Scale(p, beta)
		axpy(p, r, -1)
		is.precondition(y, p)
		is.apply(v, y)
		alpha = rho / dot(r0, v)
		if math.IsNaN(alpha) || math.IsInf(alpha, 0) {
			return
		}
		copy(s, r)
		axpy(s, v, alpha)
		is.precondition(z, s)
		is.apply(t, z)
		omega = dot(t, s) / dot(t, t)
		if math.IsNaN(omega) || math.IsInf(omega, 0) {
			omega = 0
		}
		axpy(x, y, -alpha)
		axpy(x, z, -omega)
		copy(r, s)
		axpy(r, t, omega)
		if omega == 0 || is.norm(r) <= tolerance || !a.pace.Spend(4*len(a.places.Col)+16*len(x)) {
			return
		}
	}
}

// minimal runs one cycle of GMRES (Saad and Schultz 1986), preconditioned from
// the right, on the residual r and adds the correction to x: it cannot break
// down, and costs a vector of memory a step.
func (a *sparse) minimal(x []float64, tolerance float64, is *operations) {
	const steps = 30
	for len(a.krylov) <= steps {
		a.krylov = append(a.krylov, make([]float64, len(x)))
	}
	var (
		h        [steps + 1][steps]float64 // upper triangular after the rotations
		cos, sin [steps]float64
		g        [steps + 1]float64
	)
	q, z := a.krylov, a.z
	length := math.Sqrt(dot(a.r, a.r))
	if length == 0 {
		return
	}
	enough := length * tolerance / is.norm(a.r) / 2
	for i, y := range a.r {
		q[0][i] = y / length
	}
	g[0] = length
	done := 0
	for k := range steps {
		w := q[k+1]
		is.precondition(z, q[k])
		is.apply(w, z)
		for j := range k + 1 {
			h[j][k] = dot(w, q[j])
			axpy(w, q[j], h[j][k])
		}
		rest := math.Sqrt(dot(w, w))
		for j := range k {
			h[j][k], h[j+1][k] = cos[j]*h[j][k]+sin[j]*h[j+1][k], cos[j]*h[j+1][k]-sin[j]*h[j][k]
		}
		pivot := math.Hypot(h[k][k], rest)
		if pivot == 0 || math.IsNaN(pivot) {
			break
		}
		cos[k], sin[k] = h[k][k]/pivot, rest/pivot
		h[k][k] = pivot
		g[k], g[k+1] = cos[k]*g[k], -sin[k]*g[k]
		done = k + 1
		if !a.pace.Spend(2*len(a.places.Col)+2*(k+2)*len(x)) || rest == 0 || math.Abs(g[k+1]) <= enough {
			break
		}
		for i := range w {
			w[i] /= rest
		}
	}
	for j := done - 1; j >= 0; j-- {
		for l := j + 1; l < done; l++ {
			g[j] -= h[j][l] * g[l]
		}
		g[j] /= h[j][j]
	}
	sum := a.t
	clear(sum)
	for j := range done {
		axpy(sum, q[j], -g[j])
	}
	is.precondition(z, sum)
	for i, y := range z {
		x[i] += y
	}
}
