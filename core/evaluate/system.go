package evaluate

import (
	"math"

	"rcmdplab/core/model"
	"rcmdplab/core/vector"
)

// System is one factorisation of I - γP^π, from which values and occupancy
// measures of any cost follow by back substitution.
//
// Small systems are dense: elimination without pivoting, which the matrix does
// not need, being row diagonally dominant. What every row sums to, 1-γ, or 1 where it
// leads nowhere, is known beforehand and eliminated like one more column; a pivot is then the
// sum of what its row holds to the right, less, and of that, and no number is
// ever made by taking two others from each other (Grassmann, Taksar and Heyman
// 1985; Alfa, Xue and Ye 2002 for matrices like this one). Occupancy measures so
// have every entry to nearly full precision, however long the horizon.
//
// Without pivoting a row keeps its zeros before its first entry, and past the
// last entry of the rows it takes from: on grids and chains, whose states are
// numbered along the way, little of the matrix is ever touched. Large sparse
// systems are solved by an iteration (sparse.go); NewSystem chooses.
type System struct {
	s      int       // states
	gamma  float64   // γ
	rest   float64   // 1-γ
	lu     []float64 // row major; unit lower triangle below, upper on and above the diagonal
	inv    []float64 // 1/u_ii
	over   []float64 // what is left of the row sums
	lo, hi []int     // by row: where its entries, and those of the factors, start and end
	sparse *sparse   // instead of lu
}

// denseStates is where dense elimination stops paying for sparse rows: with five
// successors a pair the iteration is ahead from about here on (at S = 1000 by a
// factor of 50), see BenchmarkSystem. Rows that list an eighth of all states and
// more fill the incomplete factors, and elimination stays ahead.
const denseStates = 100

// patientStates is the same from a horizon of patientHorizon on. A residual is off by
// that horizon at the worst, and again by it in what a policy is worth, so that
// an iteration ends far from what elimination without subtractions knows.
const (
	patientStates  = 500
	patientHorizon = 1e5
)

// NewSystem makes the work space that suits a problem whose kernels list
// about entries successors over all pairs: dense for up to 100 states, 500 at
// very long horizons, or while an eighth of the kernel is listed; iterative
// beyond.
func NewSystem(m *model.Standard, entries int) *System {
	if dense(m, entries) {
		return eliminated(m)
	}
	return iterated(m)
}

func eliminated(m *model.Standard) *System {
	s := m.S
	return &System{s: s, gamma: m.Gamma, rest: m.Rest, lu: make([]float64, s*s), inv: make([]float64, s), over: make([]float64, s), lo: make([]int, s), hi: make([]int, s)}
}

func iterated(m *model.Standard) *System {
	return &System{s: m.S, gamma: m.Gamma, rest: m.Rest, sparse: newSparse(m)}
}

func dense(m *model.Standard, entries int) bool {
	return m.S <= denseStates || m.S <= patientStates && m.Rest*patientHorizon < 1 ||
		entries >= m.Pairs()*m.S/8 && m.S <= 30*denseStates
}

// Iterative reports whether the system is solved by iteration.
func (y *System) Iterative() bool { return y.sparse != nil }

// Load fills the system with I - γP^π of the policy (by pair) and the kernel.
// The layout is that of NewSystem.
func (y *System) Load(l *model.Layout, pi []float64, k *model.Kernel) {
	if y.sparse != nil {
		y.sparse.load(pi, k)
		return
	}
	s := y.s
	clear(y.lu)
	for st := range s {
		row, leads := y.lu[st*s:(st+1)*s], false
		for i := l.Off[st]; i < l.Off[st+1]; i++ {
			w := y.gamma * pi[i]
			if w == 0 {
				continue
			}
			next, prob := k.Row(i)
			leads = leads || somewhere(prob)
			if len(next) == s && s >= 16 {
				axpy(row, prob, w)
				continue
			}
			for j, t := range next {
				row[t] -= w * prob[j]
			}
		}
		y.over[st] = over(y.rest, leads)
		row[st]++
	}
}

// LoadPairs is Load for a deterministic policy, given by the pair it takes in
// each state.
func (y *System) LoadPairs(choice []int, k *model.Kernel) {
	if y.sparse != nil {
		y.sparse.loadPairs(choice, k)
		return
	}
	s := y.s
	clear(y.lu)
	for st, i := range choice {
		row := y.lu[st*s : (st+1)*s]
		next, prob := k.Row(i)
		for j, t := range next {
			row[t] -= y.gamma * prob[j]
		}
		y.over[st] = over(y.rest, somewhere(prob))
		row[st]++
	}
}

// over is what a row sums to: 1-γ, or 1 where it leads nowhere.
func over(rest float64, leads bool) float64 {
	if leads {
		return rest
	}
	return 1
}

// somewhere reports whether a row has mass.
func somewhere(prob []float64) bool {
	for _, p := range prob {
		if p != 0 {
			return true
		}
	}
	return false
}

// Factor readies a filled system for Solve. Dense: elimination in place,
// O(S³/3). Two rows at a time are reduced by four rows above them at a time, which
// stay at hand for the second. Iterative: an incomplete
// factorisation, O(entries).
func (y *System) Factor() {
	if y.sparse != nil {
		y.sparse.factor()
		return
	}
	y.ends()
	s, a, inv, lo, hi := y.s, y.lu, y.inv, y.lo, y.hi
	i := 0
	for ; i+2 <= s; i += 2 {
		p, q := a[i*s:(i+1)*s], a[(i+1)*s:(i+2)*s]
		k, end := min(lo[i], lo[i+1]), max(hi[i], hi[i+1])
		for ; k+4 <= i; k += 4 {
			r0, r1 := a[k*s:(k+1)*s], a[(k+1)*s:(k+2)*s]
			r2 := a[(k+2)*s : (k+3)*s]
			multipliers(p, r0, r1, r2, inv, k)
			multipliers(q, r0, r1, r2, inv, k)
			e := max(hi[k], hi[k+1], hi[k+2], hi[k+3])
			if k4 := k + 4; e > k4 {
				vector.Eliminate(p[k4:e], a[k*s+k4:], s, p[k:k4])
				vector.Eliminate(q[k4:e], a[k*s+k4:], s, q[k:k4])
			}
			end = max(end, e)
		}
		lo[i], lo[i+1] = min(lo[i], lo[i+1]), min(lo[i], lo[i+1])
		hi[i], hi[i+1] = end, end
		y.finish(p, i, k)
		y.finish(q, i+1, k)
	}
	if i < s {
		y.finish(a[i*s:(i+1)*s], i, lo[i])
	}
}

// ends finds where the rows of a filled system start and end.
func (y *System) ends() {
	s := y.s
	for i := range s {
		row := y.lu[i*s : (i+1)*s]
		lo, hi := 0, s
		for lo < i && row[lo] == 0 {
			lo++
		}
		for hi > i+1 && row[hi-1] == 0 {
			hi--
		}
		y.lo[i], y.hi[i] = lo, hi
	}
}

// finish eliminates columns k..i-1 of row i one by one.
func (y *System) finish(row []float64, i, k int) {
	s, lo := y.s, min(y.lo[i], k)
	for ; k < i; k++ {
		f := row[k] * y.inv[k]
		row[k] = f
		e := y.hi[k]
		if f == 0 || e <= k+1 {
			continue
		}
		if above := y.lu[k*s+k+1 : k*s+e]; len(above) < 8 { // a call costs as much
			for j, x := range above {
				row[k+1+j] -= float64(f * x)
			}
		} else {
			axpy(row[k+1:e], above, f)
		}
		if e > y.hi[i] {
			y.hi[i] = e
		}
	}
	over := y.over[i] - dot(row[lo:i], y.over[lo:i])
	pivot := over
	for _, x := range row[i+1 : y.hi[i]] {
		pivot -= x
	}
	row[i], y.over[i], y.inv[i] = pivot, over, 1/pivot
	y.lo[i] = lo
}

// multipliers eliminates columns k..k+3 of a row within themselves.
func multipliers(p, r0, r1, r2, inv []float64, k int) {
	f0 := p[k] * inv[k]
	f1 := (p[k+1] - f0*r0[k+1]) * inv[k+1]
	f2 := (p[k+2] - f0*r0[k+2] - f1*r1[k+2]) * inv[k+2]
	f3 := (p[k+3] - f0*r0[k+3] - f1*r1[k+3] - f2*r2[k+3]) * inv[k+3]
	p[k], p[k+1], p[k+2], p[k+3] = f0, f1, f2, f3
}

// axpy subtracts f x from y.
func axpy(y, x []float64, f float64) { vector.Axpy(y[:len(x)], x, -f) }

// dot is ⟨x, y⟩.
func dot(x, y []float64) float64 { return vector.Dot(x, y) }

// Solve replaces x by (I - γP^π)^{-1} x, O(S²).
func (y *System) Solve(x []float64) {
	if y.sparse != nil {
		y.sparse.solve(x, nil, 0, 0)
		return
	}
	s := y.s
	for i := range s {
		x[i] -= dot(y.lu[i*s+y.lo[i]:i*s+i], x[y.lo[i]:i])
	}
	for i := s - 1; i >= 0; i-- {
		x[i] = (x[i] - dot(y.lu[i*s+i+1:i*s+y.hi[i]], x[i+1:y.hi[i]])) * y.inv[i]
	}
}

// SolveFrom is Solve for an iteration, which starts from a guess of the answer
// and ends once no residual is above tolerance, or above min(curvature r², r/100)
// when the guess's was r: the next step of Newton's method sees an error of that
// order whatever is done here. A dense system uses none of the three.
func (y *System) SolveFrom(x, guess []float64, tolerance, curvature float64) {
	if y.sparse != nil {
		y.sparse.solve(x, guess, tolerance, curvature)
		return
	}
	y.Solve(x)
}

// SolveTransposed replaces x by (I - γP^π)^{-ᵀ} x, O(S²): μ becomes the
// unnormalised occupancy measure.
func (y *System) SolveTransposed(x []float64) {
	if y.sparse != nil {
		y.sparse.solveTransposed(x, nil, 0)
		return
	}
	s := y.s
	for i := range s {
		t := x[i] * y.inv[i]
		x[i] = t
		if t != 0 {
			axpy(x[i+1:y.hi[i]], y.lu[i*s+i+1:i*s+y.hi[i]], t)
		}
	}
	for i := s - 1; i > 0; i-- {
		if t := x[i]; t != 0 {
			axpy(x[y.lo[i]:i], y.lu[i*s+y.lo[i]:i*s+i], t)
		}
	}
}

// SolveTransposedFrom is SolveTransposed for an iteration, which starts from a
// guess of the answer (nil is 0) and ends once the residuals sum to at most
// tolerance. A dense system uses neither.
func (y *System) SolveTransposedFrom(x, guess []float64, tolerance float64) {
	if y.sparse != nil {
		y.sparse.solveTransposed(x, guess, tolerance)
		return
	}
	y.SolveTransposed(x)
}

// ReturnError bounds the error of ⟨d, c⟩ with |c| <= most where d is what the
// last SolveTransposed made of μ. Dense: the backward error of elimination is a
// few S ulps of a matrix that dominates by rows (Higham 2002, theorems 9.4 and
// 9.9), whose inverse has norm H, on numbers of size most H.
// Iterative: ‖d - exact‖₁ <= H ‖residual‖₁, besides rounding.
func (y *System) ReturnError(most float64) float64 {
	h := 1 / y.rest
	if y.sparse != nil {
		return (y.sparse.residual + 8*float64(y.sparse.widest+2)*2*u*h) * h * most
	}
	return 8 * float64(y.s) * 2 * u * h * h * most
}

// policyError bounds the error of ⟨d, c⟩ for the one-step costs c by state and
// the d that the last SolveTransposed made of μ: ReturnError for the largest cost
// where d is not 0, or less where every entry of d is known to nearly full
// precision (see entrywise).
func (y *System) policyError(d, c []float64) float64 {
	most, weight := 0.0, 0.0
	for s, x := range d {
		if x != 0 {
			a := math.Abs(c[s])
			most = max(most, a)
			weight += math.Abs(x) * a
		}
	}
	err := y.ReturnError(most)
	if y.sparse == nil {
		err = min(err, entrywise(y.s)*weight)
	}
	return err
}

// entrywise bounds the relative error of every entry of an occupancy measure of
// s states found without subtractions, and of its products with costs. Each of s
// eliminations changes what it computes by at most s+4 roundings, which is to
// say that the off-diagonal entries and the row sums of the matrix were changed
// by that share; and a share ε in those changes no entry of the inverse by more
// than about 2 s ε of it (O'Cinneide 1993; Alfa, Xue and Ye 2002, theorem 2.1).
func entrywise(s int) float64 {
	n := float64(s)
	return 2*n*n*(n+4)*u + 4*(n+4)*u
}
