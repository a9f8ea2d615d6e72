package evaluate

import (
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
	gamma  float64 // γ of the matrix
	widest int     // most entries of a row

	// I - γP^π by compressed rows, columns ascending, diagonal always present.
	ptr, col, diag []int32
	val            []float64 // entries, in the places of col
	lu             []float64 // incomplete factors, in the places of val

	rhs, r, r0, p, v, s, t, y, z, best []float64   // of the iteration
	at                                 []int32     // scratch by state, -1 between uses
	krylov                             [][]float64 // directions of minimal, made at the first need
	pace                               *pace       // asked between products; may be nil

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
