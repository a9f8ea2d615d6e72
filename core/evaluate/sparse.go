package evaluate

import (
	"math"
	"slices"

	"rcmdplab/core/model"
	"rcmdplab/core/vector"
)

// sparse solves (I - γP^π) x = b and its transpose by BiCGStab, preconditioned
// by the incomplete factorisation without fill. The matrix is an M-matrix, for
// which that factorisation exists without pivoting, or by the factors in full (banded.go). Where the iteration breaks
// down or stops short of the tolerance it starts again from another shadow
// residual; should that fail too, GMRES takes over, and in the end sweeps
// x ← b + γP^π x, which converge for every such matrix.
type sparse struct {
	l      *model.Layout
	gamma  float64 // γ of the matrix
	rest   float64 // 1-γ, what rows of the matrix sum to that lead somewhere
	widest int     // most entries of a row

	places vector.Sparse // of the entries of I - γP^π
	val    []float64     // entries
	lu     []float64     // incomplete factors, in the places of val
	band   banded        // factors in full, where they were made
	exact  bool          // they were, of this matrix

	rhs, r, r0, p, v, s, t, y, z, best []float64   // of the iteration
	at                                 []int32     // scratch by state, -1 between uses
	krylov                             [][]float64 // directions of minimal, made at the first need
	pace                               *Pace       // asked between products; may be nil

	// residual is ‖b - Ax‖ after the last solve, in the largest entry for solve
	// and the sum of entries for solveTransposed, as computed.
	residual float64
	products int64 // matrix-vector products so far
}

func newSparse(m *model.Standard) *sparse {
	n := m.S
	a := &sparse{l: m.Layout, gamma: m.Gamma, rest: m.Rest, places: vector.Sparse{Ptr: make([]int32, n+1), Diag: make([]int32, n)}, at: make([]int32, n)}
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
			a.copyRow(s, 1, []int{s}, []float64{1})
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

func (a *sparse) empty() { a.places.Col, a.val, a.widest = a.places.Col[:0], a.val[:0], 0 }

func (a *sparse) filled() { a.lu = slices.Grow(a.lu[:0], len(a.places.Col))[:len(a.places.Col)] }

// put adds an entry to the last row. Two statements: a slice that is appended to itself is written back by its length
// alone, others in full, through the collector.
func (a *sparse) put(t int, x float64) {
	a.places.Col = append(a.places.Col, int32(t))
	a.val = append(a.val, x)
}

// copyRow is the row of s when one action is taken, with probability w.
func (a *sparse) copyRow(s int, w float64, next []int, prob []float64) {
	w *= a.gamma
	placed, leads := false, false
	for j, t := range next {
		x := -w * prob[j]
		leads = leads || prob[j] != 0
		if !placed && t >= s {
			placed = true
			a.places.Diag[s] = int32(len(a.places.Col))
			a.put(s, 0)
			if t == s {
				continue
			}
		}
		if x != 0 {
			a.put(t, x)
		}
	}
	if !placed {
		a.places.Diag[s] = int32(len(a.places.Col))
		a.put(s, 0)
	}
	a.close(s, leads)
}

// mix is the row of s when several actions are.
func (a *sparse) mix(s int, pi []float64, k *model.Kernel) {
	from := len(a.places.Col)
	a.places.Col = append(a.places.Col, int32(s))
	a.at[s] = 0
	for i := a.l.Off[s]; i < a.l.Off[s+1]; i++ {
		if pi[i] == 0 {
			continue
		}
		next, prob := k.Row(i)
		for j, t := range next {
			if prob[j] != 0 && a.at[t] < 0 {
				a.at[t] = 0
				a.places.Col = append(a.places.Col, int32(t))
			} else if prob[j] != 0 && t == s {
				a.at[s] = 1
			}
		}
	}
	leads := len(a.places.Col) > from+1 || a.at[s] > 0
	slices.Sort(a.places.Col[from:])
	for j, t := range a.places.Col[from:] {
		a.at[t] = int32(from + j)
		a.val = append(a.val, 0)
	}
	a.places.Diag[s] = a.at[s]
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
	for _, t := range a.places.Col[from:] {
		a.at[t] = -1
	}
	a.close(s, leads)
}

// close ends the row of s. Its diagonal is made of what the others leave of its sum: a
// state that is seldom left keeps its digits. The sum is 1-γ, or 1 where it leads nowhere.
func (a *sparse) close(s int, leads bool) {
	a.places.Ptr[s+1] = int32(len(a.places.Col))
	others := 0.0
	for j := a.places.Ptr[s]; j < a.places.Ptr[s+1]; j++ {
		if j != a.places.Diag[s] {
			others -= a.val[j]
		}
	}
	a.val[a.places.Diag[s]] = over(a.rest, leads) + others
	a.widest = max(a.widest, int(a.places.Ptr[s+1]-a.places.Ptr[s]))
}

// factor is the incomplete LU factorisation on the pattern of the matrix.
func (a *sparse) factor() {
	copy(a.lu, a.val)
	a.places.Factor(a.lu, a.at)
	a.thin()
}

// apply writes the product with x.
func (a *sparse) apply(dst, x []float64) {
	a.products++
	a.places.Multiply(dst, a.val, x)
}

func (a *sparse) applyTransposed(dst, x []float64) {
	a.products++
	a.places.MultiplyTransposed(dst, a.val, x)
}

// precondition writes (LU)^{-1} x.
func (a *sparse) precondition(dst, x []float64) {
	if copy(dst, x); a.exact {
		a.solveBanded(dst)
		return
	}
	a.places.Solve(dst, a.lu)
}

func (a *sparse) preconditionTransposed(dst, x []float64) {
	if copy(dst, x); a.exact {
		a.solveBandedTransposed(dst)
		return
	}
	a.places.SolveTransposed(dst, a.lu)
}

// twice bounds what the entries of Ax are made of.
func twice(x []float64) float64 { return 2 * vector.Largest(x) }

// handed is the sum of what the entries of Aᵀx are made of: a state that is seldom left
// hands little on, however often it is visited.
func (a *sparse) handed(x []float64) float64 {
	m := 0.0
	for s, y := range x {
		m += a.val[a.places.Diag[s]] * math.Abs(y)
	}
	return 2 * m
}

// solve replaces b by the solution of Ax = b, to a residual in the vector.Largest
// entry as SolveFrom says.
func (a *sparse) solve(b, guess []float64, tolerance, curvature float64) {
	a.iterate(b, guess, tolerance, curvature, &operations{a.apply, a.precondition, vector.Largest, twice})
}

// solveTransposed replaces b by the solution of Aᵀx = b, to a residual in the
// sum of entries.
func (a *sparse) solveTransposed(b, guess []float64, tolerance float64) {
	a.iterate(b, guess, tolerance, 0, &operations{a.applyTransposed, a.preconditionTransposed, total, a.handed})
}
