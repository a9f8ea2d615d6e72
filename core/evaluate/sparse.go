package evaluate

import (
	"math"
	"slices"

	"rcmdplab/core/model"
)

// sparse solves (I - γP^π) x = b and its transpose by BiCGStab, preconditioned
// by the incomplete factorisation without fill. The matrix is an M-matrix, for
// which that factorisation exists without pivoting. Should the iteration break
// down or stop short of the tolerance, Gauss-Seidel sweeps, which converge for
// every M-matrix, take over from the best iterate.
type sparse struct {
	l      *model.Layout
	gamma  float64
	widest int

	// I - γP^π by compressed rows, columns ascending, diagonal always present.
	ptr, col, diag []int
	val            []float64
	lu             []float64 // incomplete factors, in the places of val
	place          []int     // place of each entry of the kernel in val
	ofPtr, ofNext  []int     // the kernel pattern that place belongs to

	rhs, r, r0, p, v, s, t, y, z, best []float64 // of the iteration
	at                                 []int     // scratch by state

	// residual is ‖b - Ax‖ after the last solve, in the largest entry for solve
	// and the sum of entries for solveTransposed, as computed.
	residual float64
	products int64 // matrix-vector products so far
}

func newSparse(l *model.Layout, gamma float64) *sparse {
	n := l.S
	a := &sparse{l: l, gamma: gamma, ptr: make([]int, n+1), diag: make([]int, n), at: make([]int, n)}
	for _, x := range []*[]float64{&a.rhs, &a.r, &a.r0, &a.p, &a.v, &a.s, &a.t, &a.y, &a.z, &a.best} {
		*x = make([]float64, n)
	}
	return a
}

// same reports whether two slices are one.
func same(x, y []int) bool {
	return len(x) == len(y) && (len(x) == 0 || &x[0] == &y[0])
}

// pattern lays out the union of the rows of each state's actions.
func (a *sparse) pattern(k *model.Kernel) {
	a.ofPtr, a.ofNext = k.Ptr, k.Next
	a.col = a.col[:0]
	a.place = slices.Grow(a.place[:0], len(k.Next))[:len(k.Next)]
	a.widest = 0
	for s := range a.l.S {
		from := len(a.col)
		a.col = append(a.col, s)
		a.col = append(a.col, k.Next[k.Ptr[a.l.Off[s]]:k.Ptr[a.l.Off[s+1]]]...)
		row := a.col[from:]
		slices.Sort(row)
		row = slices.Compact(row)
		a.col = a.col[:from+len(row)]
		a.ptr[s+1] = len(a.col)
		a.widest = max(a.widest, len(row))
		for j, t := range row {
			a.at[t] = from + j
		}
		a.diag[s] = a.at[s]
		for e := k.Ptr[a.l.Off[s]]; e < k.Ptr[a.l.Off[s+1]]; e++ {
			a.place[e] = a.at[k.Next[e]]
		}
	}
	a.val = slices.Grow(a.val[:0], len(a.col))[:len(a.col)]
	a.lu = slices.Grow(a.lu[:0], len(a.col))[:len(a.col)]
}

func (a *sparse) load(pi []float64, k *model.Kernel) {
	if !same(a.ofPtr, k.Ptr) || !same(a.ofNext, k.Next) {
		a.pattern(k)
	}
	clear(a.val)
	for s := range a.l.S {
		for i := a.l.Off[s]; i < a.l.Off[s+1]; i++ {
			w := a.gamma * pi[i]
			if w == 0 {
				continue
			}
			for e := k.Ptr[i]; e < k.Ptr[i+1]; e++ {
				a.val[a.place[e]] -= w * k.Prob[e]
			}
		}
		a.val[a.diag[s]]++
	}
}

// factor is the incomplete LU factorisation on the pattern of the matrix.
func (a *sparse) factor() {
	copy(a.lu, a.val)
	for i := range a.at {
		a.at[i] = -1
	}
	for i := range a.l.S {
		from, to := a.ptr[i], a.ptr[i+1]
		for e := from; e < to; e++ {
			a.at[a.col[e]] = e
		}
		for e := from; e < a.diag[i]; e++ {
			k := a.col[e]
			f := a.lu[e] / a.lu[a.diag[k]]
			a.lu[e] = f
			if f == 0 {
				continue
			}
			for g := a.diag[k] + 1; g < a.ptr[k+1]; g++ {
				if h := a.at[a.col[g]]; h >= 0 {
					a.lu[h] -= f * a.lu[g]
				}
			}
		}
		for e := from; e < to; e++ {
			a.at[a.col[e]] = -1
		}
	}
}

// apply writes the product with x.
func (a *sparse) apply(dst, x []float64) {
	a.products++
	for i := range dst {
		t := 0.0
		for e := a.ptr[i]; e < a.ptr[i+1]; e++ {
			t += a.val[e] * x[a.col[e]]
		}
		dst[i] = t
	}
}

func (a *sparse) applyTransposed(dst, x []float64) {
	a.products++
	clear(dst)
	for i, t := range x {
		for e := a.ptr[i]; e < a.ptr[i+1]; e++ {
			dst[a.col[e]] += a.val[e] * t
		}
	}
}

// precondition writes (LU)^{-1} x.
func (a *sparse) precondition(dst, x []float64) {
	for i := range dst {
		t := x[i]
		for e := a.ptr[i]; e < a.diag[i]; e++ {
			t -= a.lu[e] * dst[a.col[e]]
		}
		dst[i] = t
	}
	for i := len(dst) - 1; i >= 0; i-- {
		t := dst[i]
		for e := a.diag[i] + 1; e < a.ptr[i+1]; e++ {
			t -= a.lu[e] * dst[a.col[e]]
		}
		dst[i] = t / a.lu[a.diag[i]]
	}
}

func (a *sparse) preconditionTransposed(dst, x []float64) {
	copy(dst, x)
	for i := range dst {
		t := dst[i] / a.lu[a.diag[i]]
		dst[i] = t
		for e := a.diag[i] + 1; e < a.ptr[i+1]; e++ {
			dst[a.col[e]] -= a.lu[e] * t
		}
	}
	for i := len(dst) - 1; i >= 0; i-- {
		t := dst[i]
		for e := a.ptr[i]; e < a.diag[i]; e++ {
			dst[a.col[e]] -= a.lu[e] * t
		}
	}
}

// solve replaces b by the solution of Ax = b, to a residual in the largest
// entry as SolveFrom says.
func (a *sparse) solve(b, guess []float64, tolerance, curvature float64) {
	a.iterate(b, guess, tolerance, curvature, a.apply, a.precondition, largest)
}

// solveTransposed replaces b by the solution of Aᵀx = b.
func (a *sparse) solveTransposed(b []float64) {
	a.iterate(b, nil, 0, 0, a.applyTransposed, a.preconditionTransposed, total)
}

func largest(x []float64) float64 {
	m := 0.0
	for _, y := range x {
		m = max(m, math.Abs(y))
	}
	return m
}

func total(x []float64) float64 {
	m := 0.0
	for _, y := range x {
		m += math.Abs(y)
	}
	return m
}

// iterate replaces b by the solution, from the guess (nil is 0): rounds of
// BiCGStab, each started from the true residual, until that residual is within
// tolerance or at the level of rounding; a round that does not halve it hands over to sweeps
// x ← b + γP^π x, which contract by γ.
func (a *sparse) iterate(b, guess []float64, tolerance, curvature float64, apply, precondition func(dst, x []float64), norm func([]float64) float64) {
	const (
		u         = 0x1p-53
		rounds    = 20
		maxSweeps = 100000
	)
	rhs, x, r := a.rhs, b, a.r
	copy(rhs, b)
	if guess == nil {
		clear(x)
	} else {
		copy(x, guess)
	}
	size := norm(rhs)
	residual := func() float64 {
		apply(r, x)
		for i, y := range r {
			r[i] = rhs[i] - y
		}
		return norm(r)
	}
	best := residual()
	copy(a.best, x)
	tolerance = max(tolerance, min(curvature*best*best, best/100))
	for range rounds {
		if best <= max(tolerance, 4*u*(size+2*norm(x))) {
			a.residual = best
			return
		}
		a.round(x, max(tolerance/2, 2*u*(size+2*norm(x))), apply, precondition, norm)
		now := residual()
		if !(now <= best/2) {
			if now < best {
				best = now
				copy(a.best, x)
			}
			break
		}
		best = now
		copy(a.best, x)
	}
	copy(x, a.best)
	for sweep := range maxSweeps {
		now := residual()
		if sweep > 0 && !(now < best) { // rounding, or x does not contract
			copy(x, a.best)
			break
		}
		best = now
		copy(a.best, x)
		if now <= max(tolerance, 8*u*(size+2*norm(x))) {
			break
		}
		for i, y := range r {
			x[i] += y
		}
	}
	a.residual = best
}

// round runs BiCGStab on the residual r and adds the correction to x.
func (a *sparse) round(x []float64, tolerance float64, apply, precondition func(dst, x []float64), norm func([]float64) float64) {
	const steps = 200
	r, r0, p, v, s, t, y, z := a.r, a.r0, a.p, a.v, a.s, a.t, a.y, a.z
	copy(r0, r)
	clear(p)
	clear(v)
	rho, alpha, omega := 1.0, 1.0, 1.0
	for range steps {
		next := dot(r0, r)
		beta := next / rho * (alpha / omega)
		rho = next
		for i := range p {
			p[i] = r[i] + beta*(p[i]-omega*v[i])
		}
		precondition(y, p)
		apply(v, y)
		alpha = rho / dot(r0, v)
		if math.IsNaN(alpha) || math.IsInf(alpha, 0) {
			return
		}
		for i := range s {
			s[i] = r[i] - alpha*v[i]
		}
		precondition(z, s)
		apply(t, z)
		omega = dot(t, s) / dot(t, t)
		if math.IsNaN(omega) || math.IsInf(omega, 0) {
			omega = 0
		}
		for i := range x {
			x[i] += alpha*y[i] + omega*z[i]
			r[i] = s[i] - omega*t[i]
		}
		if omega == 0 || norm(r) <= tolerance {
			return
		}
	}
}
