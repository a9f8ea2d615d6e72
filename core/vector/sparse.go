package vector

// Sparse is a square matrix by compressed rows, columns ascending, with its diagonal
// always present. Values that go with it are in the places of Col.
type Sparse struct {
	Ptr, Col []int32 // row i is Col[Ptr[i]:Ptr[i+1]]
	Diag     []int32 // by row: where its diagonal is in Col
}

// check panics when the lengths do not fit. That the places do is up to whoever made them.
func (a *Sparse) check(val, x, y []float64) {
	n := len(a.Diag)
	_, _, _ = val[:a.Ptr[n]], x[:n], y[:n]
}

// Multiply fills dst with the product of the matrix and x, each sum in the order of
// the columns.
func (a *Sparse) Multiply(dst, val, x []float64) {
	if len(a.Diag) == 0 {
		return
	}
	a.check(val, dst, x)
	if simd {
		simdSparseMultiply(int32(len(a.Diag)), &a.Ptr[0], &a.Col[0], &dst[0], &val[0], &x[0])
		return
	}
	a.multiply(dst, val, x)
}

func (a *Sparse) multiply(dst, val, x []float64) {
	from := a.Ptr[0]
	for i := range dst[:len(a.Diag)] {
		to := a.Ptr[i+1]
		col, val := a.Col[from:to], val[from:to]
		t := 0.0
		for e, c := range col {
			t += float64(val[e] * x[c])
		}
		dst[i] = t
		from = to
	}
}

// MultiplyTransposed fills dst with the product of the transpose and x, row by row.
func (a *Sparse) MultiplyTransposed(dst, val, x []float64) {
	if len(a.Diag) == 0 {
		return
	}
	a.check(val, dst, x)
	clear(dst[:len(a.Diag)])
	if simd {
		simdSparseMultiplyTransposed(int32(len(a.Diag)), &a.Ptr[0], &a.Col[0], &dst[0], &val[0], &x[0])
		return
	}
	a.multiplyTransposed(dst, val, x)
}

func (a *Sparse) multiplyTransposed(dst, val, x []float64) {
	from := a.Ptr[0]
	for i, t := range x[:len(a.Diag)] {
		to := a.Ptr[i+1]
		if t != 0 {
			col, val := a.Col[from:to], val[from:to]
			for e, c := range col {
				dst[c] += float64(val[e] * t)
			}
		}
		from = to
	}
}

// Factor makes of lu, the matrix, its incomplete factors without fill: a unit lower
// triangle and an upper one with the diagonal. at is scratch by state, -1 everywhere before
// and after.
func (a *Sparse) Factor(lu []float64, at []int32) {
	if len(a.Diag) == 0 {
		return
	}
	a.check(lu, lu, lu)
	at = at[:len(a.Diag)]
	if simd {
		simdSparseFactor(int32(len(a.Diag)), &a.Ptr[0], &a.Col[0], &a.Diag[0], &lu[0], &at[0])
		return
	}
	a.factor(lu, at)
}

func (a *Sparse) factor(lu []float64, at []int32) {
	for i, d := range a.Diag {
		from, to := a.Ptr[i], a.Ptr[i+1]
		if from == d { // nothing below the diagonal
			continue
		}
		for e := from; e < to; e++ {
			at[a.Col[e]] = e
		}
		for e := from; e < d; e++ {
			k := a.Col[e]
			f := lu[e] / lu[a.Diag[k]]
			lu[e] = f
			if f == 0 {
				continue
			}
			for g := a.Diag[k] + 1; g < a.Ptr[k+1]; g++ {
				if h := at[a.Col[g]]; h >= 0 {
					lu[h] -= float64(f * lu[g])
				}
			}
		}
		for e := from; e < to; e++ {
			at[a.Col[e]] = -1
		}
	}
}

// Solve replaces x by (LU)^{-1} x of the factors.
func (a *Sparse) Solve(x, lu []float64) {
	if len(a.Diag) == 0 {
		return
	}
	a.check(lu, x, x)
	if simd {
		simdSparseSolve(int32(len(a.Diag)), &a.Ptr[0], &a.Col[0], &a.Diag[0], &x[0], &lu[0])
		return
	}
	a.solve(x, lu)
}

func (a *Sparse) solve(x, lu []float64) {
	for i, d := range a.Diag {
		t := x[i]
		from := a.Ptr[i]
		col, lu := a.Col[from:d], lu[from:d]
		for e, c := range col {
			t -= float64(lu[e] * x[c])
		}
		x[i] = t
	}
	for i := len(a.Diag) - 1; i >= 0; i-- {
		t := x[i]
		d, to := a.Diag[i], a.Ptr[i+1]
		col, upper := a.Col[d+1:to], lu[d+1:to]
		for e, c := range col {
			t -= float64(upper[e] * x[c])
		}
		x[i] = t / lu[d]
	}
}

// SolveTransposed replaces x by (LU)^{-ᵀ} x of the factors.
func (a *Sparse) SolveTransposed(x, lu []float64) {
	if len(a.Diag) == 0 {
		return
	}
	a.check(lu, x, x)
	if simd {
		simdSparseSolveTransposed(int32(len(a.Diag)), &a.Ptr[0], &a.Col[0], &a.Diag[0], &x[0], &lu[0])
		return
	}
	a.solveTransposed(x, lu)
}

func (a *Sparse) solveTransposed(x, lu []float64) {
	for i, d := range a.Diag {
		t := x[i] / lu[d]
		x[i] = t
		if t == 0 {
			continue
		}
		to := a.Ptr[i+1]
		col, upper := a.Col[d+1:to], lu[d+1:to]
		for e, c := range col {
			x[c] -= float64(upper[e] * t)
		}
	}
	for i := len(a.Diag) - 1; i >= 0; i-- {
		t := x[i]
		if t == 0 {
			continue
		}
		from, d := a.Ptr[i], a.Diag[i]
		col, lower := a.Col[from:d], lu[from:d]
		for e, c := range col {
			x[c] -= float64(lower[e] * t)
		}
	}
}
