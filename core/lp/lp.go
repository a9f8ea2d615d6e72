// Package lp is a small dense linear programming solver for the many related
// problems of a search: bounded columns, rows with ranges, warm starts after
// any change, and multipliers from which a caller derives a bound that holds
// whatever the rounding (SafeBound).
//
// A problem is
//
//	minimise c·x  subject to  rlo_i <= a_i·x <= rhi_i,  lo_j <= x_j <= hi_j,
//
// with infinite ends where there is no bound. It is solved by a simplex method
// on active sets: n active constraints (column bounds and rows) define the
// current vertex, and the matrix D whose column k is the change of x per unit
// of active constraint k is updated at each step. Of it only what inactive columns
// of x do is kept. Equality rows are eliminated
// once. A step costs O(n·(n-equalities)) plus one sparse product with the
// inactive rows, however many they are, so problems with many more rows than
// columns are cheap, and adding or removing an inactive row costs nothing.
//
// Everything is deterministic, and a step allocates nothing.
package lp

import (
	"fmt"
	"math"

	"rcmdplab/core/vector"
)

// Status is the outcome of Solve.
type Status int

// The outcomes.
const (
	Unsolved   Status = iota // changed since the last Solve
	Optimal                  // X is a minimiser, Duals its multipliers
	Infeasible               // no x: Duals is a Farkas ray, see SafeInfeasible
	Unbounded                // X is feasible and c·x falls for ever along Ray
	Stalled                  // step limit or lost accuracy: nothing is claimed
	Paused                   // after MaxSteps; Solve goes on from here
	Reached                  // X is feasible and beyond what Maximise was to stop at; there are no multipliers
)

// String names the status.
func (s Status) String() string {
	return [...]string{"unsolved", "optimal", "infeasible", "unbounded", "stalled", "paused", "reached"}[s]
}

// LP is one problem with the state of its last solution, from which the next
// Solve starts. It must not be used from two goroutines at once.
type LP struct {
	// MaxSteps, when positive, is after how many steps Solve pauses. It gives up
	// (Stalled) after 50 (columns+rows), at least 2000, in one call.
	MaxSteps int

	// DataError is how far a stored coefficient or finite row end may be from
	// the exact one, relative to the largest coefficient of its row (ends: to
	// their own size). SafeBound covers every problem within that distance.
	DataError float64

	// Steps counts the steps (pivots and bound flips) since New.
	Steps int64

	n, m     int       // columns and rows
	multiple []float64 // of the row that enters, by position
	stride   int       // n rounded up to a multiple of block

	// The problem, scaled: x = cs·x', row' = rs·row, powers of two only, so
	// that scaling commits no rounding error.
	clo, chi, rlo, rhi []float64
	cost               []float64
	cs, rs             []float64
	ptr, size          []int64 // row i is idx, coef[ptr[i] : ptr[i]+size[i]]
	idx                []int32
	coef               []float64
	waste              int  // entries of idx and coef that no row uses any more
	scaled             bool // cs and rs are chosen

	status   Status    // of the last solution
	restarts int       // since the last solution was begun
	x        []float64 // scaled, as are the next
	act      []float64 // activity of every row
	cpos     []int32   // active position of a column, or inactive
	rpos     []int32   // the same for a row, or eliminated
	non      []int32   // what is active at a position: column j, or row i as ^i
	side     []int8    // which end an active constraint sits at
	p        int       // active positions = n - eliminated rows
	basic    []int32   // inactive columns, in the order of the entries of D
	where    []int32   // of a column its place among them, or active
	d        []float64 // p columns of length stride: what basic does by unit of each active constraint, then zeros
	z        []float64 // reduced cost of the active positions
	weight   []float64 // Devex weights of the active positions
	elim     []int32   // eliminated equality rows
	right    []float64 // right inverse of the eliminated rows: len(elim) columns of length stride
	fresh    bool      // d belongs to the active set and coefficients, but for changed rows
	changed  []int32   // active rows with coefficients that d does not know yet
	placed   bool      // x and act belong to the active set, ranges and coefficients
	pivots   int       // since d was built
	xUser    []float64 // x in the units of the one who asks

	frac fraction  // see Maximise
	zden []float64 // reduced costs of its denominator

	// Work space of a step.
	alpha, g, w, dx []float64
	part            []float64 // of a vector, what belongs to basic
	at              []int32   // of a row, the places of its inactive columns
	by              []float64 // and their coefficients
	del             []float64
	cand            []candidate
	mult            []float64 // scaled row multipliers of the last outcome
	ray             []float64
	want            []int32 // of a refactorisation
	wantEnd         []int8
	keep            []bool
}

const (
	inactive   = -1
	eliminated = -2
	active     = -1 // of a place among the inactive columns: none

	atLower int8 = 0
	atUpper int8 = 1
	atFree  int8 = 2 // no bound: sits anywhere
)

// New makes a problem with n columns in [0, +Inf), zero costs and no rows. The first
// Solve takes 8 n² bytes.
func New(n int) *LP {
	p := &LP{}
	for range n {
		p.addColumn(0, math.Inf(1), 0)
	}
	return p
}

// Columns is the number of columns.
func (p *LP) Columns() int { return p.n }

// Rows is the number of rows.
func (p *LP) Rows() int { return p.m }

// SetBounds sets lo <= x_j <= hi; either end may be infinite. It panics when lo > hi,
// as do AddRow and SetRange. O(1).
func (p *LP) SetBounds(j int, lo, hi float64) {
	p.checkRange(lo, hi)
	p.clo[j], p.chi[j] = lo/p.cs[j], hi/p.cs[j]
	p.placed = p.placed && p.cpos[j] == inactive
	p.status = Unsolved
}

// Bounds returns the bounds of column j.
func (p *LP) Bounds(j int) (lo, hi float64) { return p.clo[j] * p.cs[j], p.chi[j] * p.cs[j] }

// SetCost sets the objective coefficient of column j.
func (p *LP) SetCost(j int, c float64) {
	p.cost[j] = c * p.cs[j]
	p.frac.cols = nil
	p.status = Unsolved
}

// SetCosts sets the whole objective, one coefficient a column; it panics for another
// number of them.
func (p *LP) SetCosts(c []float64) {
	if len(c) != p.n {
		panic(fmt.Sprintf("lp: %d costs for %d columns", len(c), p.n))
	}
	for j, v := range c {
		p.cost[j] = v * p.cs[j]
	}
	p.frac.cols = nil
	p.status = Unsolved
}

// AddRow adds lo <= Σ_k coef[k] x[cols[k]] <= hi and returns its number. A
// column may be listed once only. lo == hi makes an equality, which is
// eliminated at the next Solve: that makes D anew, O(n³); any other row costs its
// non-zeros and keeps the warm start.
func (p *LP) AddRow(cols []int32, coef []float64, lo, hi float64) int {
	p.checkRange(lo, hi)
	i := p.m
	p.m++
	p.rlo, p.rhi = append(p.rlo, lo), append(p.rhi, hi)
	p.rs = append(p.rs, 1)
	p.ptr, p.size = append(p.ptr, 0), append(p.size, 0)
	p.act, p.rpos = append(p.act, 0), append(p.rpos, inactive)
	p.del = append(p.del, 0)
	p.write(i, cols, coef)
	p.rlo[i], p.rhi[i] = lo*p.rs[i], hi*p.rs[i]
	if lo == hi { // to be eliminated
		p.fresh = false
	} else if p.placed {
		a, b := p.ptr[i], p.ptr[i]+p.size[i]
		p.act[i] = sparseDot(p.idx[a:b], p.coef[a:b], p.x)
	}
	p.status = Unsolved
	return i
}

// SetRow replaces the coefficients of row i and keeps its range. An active row costs
// one pivot at the next Solve, an inactive one nothing.
func (p *LP) SetRow(i int, cols []int32, coef []float64) {
	lo, hi := p.Range(i)
	p.write(i, cols, coef)
	p.rlo[i], p.rhi[i] = lo*p.rs[i], hi*p.rs[i]
	switch {
	case p.rpos[i] == eliminated:
		p.fresh = false
	case p.rpos[i] != inactive:
		p.changed = append(p.changed, int32(i))
		p.placed = false
	case p.placed:
		a, b := p.ptr[i], p.ptr[i]+p.size[i]
		p.act[i] = sparseDot(p.idx[a:b], p.coef[a:b], p.x)
	}
	p.status = Unsolved
}

// SetRange sets the range of row i.
func (p *LP) SetRange(i int, lo, hi float64) {
	p.checkRange(lo, hi)
	if p.rpos[i] == eliminated && lo != hi {
		p.fresh = false
	}
	p.rlo[i], p.rhi[i] = lo*p.rs[i], hi*p.rs[i]
	p.placed = p.placed && p.rpos[i] == inactive
	p.status = Unsolved
}

// Range returns the range of row i.
func (p *LP) Range(i int) (lo, hi float64) { return p.rlo[i] / p.rs[i], p.rhi[i] / p.rs[i] }

// X is the current point, one number a column, valid after Optimal, Unbounded and
// Reached. The slice is overwritten by the next call.
func (p *LP) X() []float64 {
	p.xUser = append(p.xUser[:0], p.x...)
	for j := range p.xUser {
		p.xUser[j] *= p.cs[j]
	}
	return p.xUser
}

// Objective is c·x at X, in floating point: SafeBound for a bound.
func (p *LP) Objective() float64 {
	s := 0.0
	for j, c := range p.cost {
		s += c * p.x[j]
	}
	return s
}

// Active reports whether row i is among the constraints that define X.
func (p *LP) Active(i int) bool { return p.rpos[i] != inactive }

// Duals writes the row multipliers y, one a row, to dst and returns it (nil allocates).
// After Optimal: c - Aᵀy is the vector of reduced costs, y_i >= 0 where the
// row sits at its lower end and <= 0 at its upper end. After Infeasible: a
// Farkas ray, for which SafeInfeasible(dst) holds. They are only as accurate
// as the arithmetic; SafeBound makes them rigorous.
func (p *LP) Duals(dst []float64) []float64 {
	dst = vector.Sized(dst, p.m)
	for i := range dst {
		dst[i] = p.mult[i] * p.rs[i]
	}
	return dst
}

// ReducedCosts writes c - Aᵀy, one number a column, to dst for multipliers y, one a
// row, and returns it (nil allocates). O(non-zeros).
func (p *LP) ReducedCosts(dst, y []float64) []float64 {
	dst = vector.Sized(dst, p.n)
	for j := range dst {
		dst[j] = p.cost[j] / p.cs[j]
	}
	for i, v := range y {
		if v == 0 {
			continue
		}
		for q := p.ptr[i]; q < p.ptr[i]+p.size[i]; q++ {
			j := p.idx[q]
			dst[j] -= v * (p.coef[q] / p.rs[i] / p.cs[j])
		}
	}
	return dst
}

// Ray writes, after Unbounded, a direction along which every constraint stays
// satisfied and c·x falls, one number a column, and returns it (nil allocates).
func (p *LP) Ray(dst []float64) []float64 {
	dst = vector.Sized(dst, p.n)
	for j := range dst {
		dst[j] = p.ray[j] * p.cs[j]
	}
	return dst
}

func (p *LP) checkRange(lo, hi float64) {
	if !(lo <= hi) || math.IsInf(lo, 1) || math.IsInf(hi, -1) {
		panic(fmt.Sprintf("lp: range [%v, %v]; want lo <= hi", lo, hi))
	}
}

func (p *LP) addColumn(lo, hi, cost float64) int {
	j := p.n
	p.n++
	p.stride = (p.n + block - 1) / block * block
	p.clo, p.chi = append(p.clo, lo), append(p.chi, hi)
	p.cost, p.cs = append(p.cost, cost), append(p.cs, 1)
	p.x = append(p.x, 0)
	p.cpos = append(p.cpos, int32(len(p.non)))
	p.where = append(p.where, active)
	p.non = append(p.non, int32(j))
	p.side = append(p.side, atLower)
	p.fresh = false
	p.status = Unsolved
	return j
}
