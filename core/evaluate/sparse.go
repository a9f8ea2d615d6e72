package evaluate

import (
	"math"
	"slices"

	"rcmdplab/core/model"
)

// sparse solves (I - γP^π) x = b and its transpose by BiCGStab, preconditioned
// by the incomplete factorisation without fill. The matrix is an M-matrix, for
// which that factorisation exists without pivoting. Where the iteration breaks
// down or stops short of the tolerance it starts again from another shadow
// residual; should that fail too, GMRES takes over, and in the end sweeps
// x ← b + γP^π x, which converge for every such matrix.
type sparse struct {
	l      *model.Layout
	gamma  float64
	widest int

	// I - γP^π by compressed rows, columns ascending, diagonal always present.
	ptr, col, diag []int32
	val            []float64
	lu             []float64 // incomplete factors, in the places of val

	rhs, r, r0, p, v, s, t, y, z, best []float64 // of the iteration
	at                                 []int32   // scratch by state, -1 between uses
	krylov                             [][]float64

	// residual is ‖b - Ax‖ after the last solve, in the largest entry for solve
	// and the sum of entries for solveTransposed, as computed.
	residual float64
	products int64 // matrix-vector products so far
}

func newSparse(l *model.Layout, gamma float64) *sparse {
	n := l.S
	a := &sparse{l: l, gamma: gamma, ptr: make([]int32, n+1), diag: make([]int32, n), at: make([]int32, n)}
	for _, x := range []*[]float64{&a.rhs, &a.r, &a.r0, &a.p, &a.v, &a.s, &a.t, &a.y, &a.z, &a.best} {
		*x = make([]float64, n)
	}
	for i := range a.at {
		a.at[i] = -1
	}
	return a
}

// same reports whether two slices are one.
func same(x, y []int) bool {
	return len(x) == len(y) && (len(x) == 0 || &x[0] == &y[0])
}

// load writes the rows of the policy, which lists only the successors that it
// can reach.
func (a *sparse) load(pi []float64, k *model.Kernel) {
	a.empty()
	for s := range a.l.S {
		taken, many := -1, false
		for i := a.l.Off[s]; i < a.l.Off[s+1]; i++ {
			if pi[i] != 0 {
				many = many || taken >= 0
				taken = i
			}
		}
		switch {
		case many:
			a.mix(s, pi, k)
		case taken < 0:
			a.copyRow(s, 0, nil, nil)
		default:
			next, prob := k.Row(taken)
			a.copyRow(s, pi[taken], next, prob)
		}
	}
	a.filled()
}

// loadPairs writes the rows of a deterministic policy, one pair a state.
func (a *sparse) loadPairs(choice []int, k *model.Kernel) {
	a.empty()
	for s, i := range choice {
		next, prob := k.Row(i)
		a.copyRow(s, 1, next, prob)
	}
	a.filled()
}

func (a *sparse) empty() { a.col, a.val, a.widest = a.col[:0], a.val[:0], 0 }

func (a *sparse) filled() { a.lu = slices.Grow(a.lu[:0], len(a.col))[:len(a.col)] }

// copyRow is the row of s when one action is taken, with probability w.
func (a *sparse) copyRow(s int, w float64, next []int, prob []float64) {
	w *= a.gamma
	placed := false
	for j, t := range next {
		x := -w * prob[j]
		if !placed && t >= s {
			placed = true
			a.diag[s] = int32(len(a.col))
			if t == s {
				a.col, a.val = append(a.col, int32(s)), append(a.val, 1+x)
				continue
			}
			a.col, a.val = append(a.col, int32(s)), append(a.val, 1)
		}
		if x != 0 {
			a.col, a.val = append(a.col, int32(t)), append(a.val, x)
		}
	}
	if !placed {
		a.diag[s] = int32(len(a.col))
		a.col, a.val = append(a.col, int32(s)), append(a.val, 1)
	}
	a.close(s)
}

// mix is the row of s when several actions are.
func (a *sparse) mix(s int, pi []float64, k *model.Kernel) {
	from := len(a.col)
	a.col = append(a.col, int32(s))
	a.at[s] = 0
	for i := a.l.Off[s]; i < a.l.Off[s+1]; i++ {
		if pi[i] == 0 {
			continue
		}
		next, prob := k.Row(i)
		for j, t := range next {
			if prob[j] != 0 && a.at[t] < 0 {
				a.at[t] = 0
				a.col = append(a.col, int32(t))
			}
		}
	}
	slices.Sort(a.col[from:])
	for j, t := range a.col[from:] {
		a.at[t] = int32(from + j)
		a.val = append(a.val, 0)
	}
	a.diag[s] = a.at[s]
	a.val[a.diag[s]] = 1
	for i := a.l.Off[s]; i < a.l.Off[s+1]; i++ {
		w := a.gamma * pi[i]
		if w == 0 {
			continue
		}
		next, prob := k.Row(i)
		for j, t := range next {
			if prob[j] != 0 {
				a.val[a.at[t]] -= w * prob[j]
			}
		}
	}
	for _, t := range a.col[from:] {
		a.at[t] = -1
	}
	a.close(s)
}

func (a *sparse) close(s int) {
	a.ptr[s+1] = int32(len(a.col))
	a.widest = max(a.widest, int(a.ptr[s+1]-a.ptr[s]))
}

// factor is the incomplete LU factorisation on the pattern of the matrix.
func (a *sparse) factor() {
	copy(a.lu, a.val)
	lu, at := a.lu, a.at
	for i := range a.l.S {
		from, to, d := a.ptr[i], a.ptr[i+1], a.diag[i]
		if from == d { // nothing below the diagonal
			continue
		}
		for e := from; e < to; e++ {
			at[a.col[e]] = e
		}
		for e := from; e < d; e++ {
			k := a.col[e]
			f := lu[e] / lu[a.diag[k]]
			lu[e] = f
			if f == 0 {
				continue
			}
			for g := a.diag[k] + 1; g < a.ptr[k+1]; g++ {
				if h := at[a.col[g]]; h >= 0 {
					lu[h] -= f * lu[g]
				}
			}
		}
		for e := from; e < to; e++ {
			at[a.col[e]] = -1
		}
	}
}

// apply writes the product with x.
func (a *sparse) apply(dst, x []float64) {
	a.products++
	from := a.ptr[0]
	for i := range dst {
		to := a.ptr[i+1]
		col, val := a.col[from:to], a.val[from:to]
		t := 0.0
		for e, c := range col {
			t += val[e] * x[c]
		}
		dst[i] = t
		from = to
	}
}

func (a *sparse) applyTransposed(dst, x []float64) {
	a.products++
	clear(dst)
	from := a.ptr[0]
	for i, t := range x {
		to := a.ptr[i+1]
		if t != 0 {
			col, val := a.col[from:to], a.val[from:to]
			for e, c := range col {
				dst[c] += val[e] * t
			}
		}
		from = to
	}
}

// precondition writes (LU)^{-1} x.
func (a *sparse) precondition(dst, x []float64) {
	for i := range dst {
		t := x[i]
		from, d := a.ptr[i], a.diag[i]
		col, lu := a.col[from:d], a.lu[from:d]
		for e, c := range col {
			t -= lu[e] * dst[c]
		}
		dst[i] = t
	}
	for i := len(dst) - 1; i >= 0; i-- {
		t := dst[i]
		d, to := a.diag[i], a.ptr[i+1]
		col, lu := a.col[d+1:to], a.lu[d+1:to]
		for e, c := range col {
			t -= lu[e] * dst[c]
		}
		dst[i] = t / a.lu[d]
	}
}

func (a *sparse) preconditionTransposed(dst, x []float64) {
	copy(dst, x)
	for i := range dst {
		d, to := a.diag[i], a.ptr[i+1]
		t := dst[i] / a.lu[d]
		dst[i] = t
		if t == 0 {
			continue
		}
		col, lu := a.col[d+1:to], a.lu[d+1:to]
		for e, c := range col {
			dst[c] -= lu[e] * t
		}
	}
	for i := len(dst) - 1; i >= 0; i-- {
		t := dst[i]
		if t == 0 {
			continue
		}
		from, d := a.ptr[i], a.diag[i]
		col, lu := a.col[from:d], a.lu[from:d]
		for e, c := range col {
			dst[c] -= lu[e] * t
		}
	}
}

// solve replaces b by the solution of Ax = b, to a residual in the largest
// entry as SolveFrom says.
func (a *sparse) solve(b, guess []float64, tolerance, curvature float64) {
	a.iterate(b, guess, tolerance, curvature, &operations{a.apply, a.precondition, largest})
}

// solveTransposed replaces b by the solution of Aᵀx = b, to a residual in the
// sum of entries.
func (a *sparse) solveTransposed(b, guess []float64, tolerance float64) {
	a.iterate(b, guess, tolerance, 0, &operations{a.applyTransposed, a.preconditionTransposed, total})
}

// operations are what the iteration needs of the matrix or of its transpose.
type operations struct {
	apply, precondition func(dst, x []float64)
	norm                func(x []float64) float64
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

// iterate replaces b by the solution, from the guess (nil is 0): rounds, each
// started from the true residual, until that residual is within tolerance or
// at the level of rounding. A round that does not halve it hands over to the
// next kind of round; see sparse.
func (a *sparse) iterate(b, guess []float64, tolerance, curvature float64, is *operations) {
	const (
		u         = 0x1p-53
		rounds    = 60
		patience  = 6 // rounds that may fail
		maxSweeps = 100000
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
	tolerance = max(tolerance, min(curvature*best*best, best/100))
	for round, failed := 0, 0; round < rounds && failed < patience; round++ {
		floor := 4 * u * (size + 2*is.norm(x))
		if best <= max(tolerance, floor) {
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
		if !(now <= best/2) {
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
		if best <= max(tolerance, 8*u*(size+2*is.norm(x))) {
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
		for i := range p {
			p[i] = r[i] + beta*(p[i]-omega*v[i])
		}
		is.precondition(y, p)
		is.apply(v, y)
		alpha = rho / dot(r0, v)
		if math.IsNaN(alpha) || math.IsInf(alpha, 0) {
			return
		}
		for i := range s {
			s[i] = r[i] - alpha*v[i]
		}
		is.precondition(z, s)
		is.apply(t, z)
		omega = dot(t, s) / dot(t, t)
		if math.IsNaN(omega) || math.IsInf(omega, 0) {
			omega = 0
		}
		for i := range x {
			x[i] += alpha*y[i] + omega*z[i]
			r[i] = s[i] - omega*t[i]
		}
		if omega == 0 || is.norm(r) <= tolerance {
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
		if rest == 0 || math.Abs(g[k+1]) <= enough {
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
