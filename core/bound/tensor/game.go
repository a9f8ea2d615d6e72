package tensor

import (
	"math"

	"rcmdplab/core/vector"
)

// game is the linear program of a matrix game,
//
//	maximise t  over λ >= 0, Σλ = 1  with  row·λ >= t for every row,
//
// by a simplex method in the space of (λ, t): at a vertex n constraints are
// active, the n edges that leave them one by one are kept as directions, and
// rows may be added, or switched off, with the vertex kept. The rows with an
// active place carry the weights of the other player, the vertices of the box
// that are worst together.
type game struct {
	n, w   int       // multipliers; width of edges, n+1 rounded up
	count  int       // rows
	room   int       // for so many rows
	cols   []float64 // [j*room+r], what row r gives for λ_j; column n is -1, for t
	vertex []int32   // what each row is from; -1: a point that is no vertex
	off    []bool    // rows that are left out for now
	slack  []float64 // row·λ - t
	place  []int     // of each row among the active constraints, or -1
	slope  []float64 // of each row along an edge
	edges  []float64 // [k*w], along which active constraint k grows at rate 1
	active []int     // id: λ_id for id < n, else row id-n
	bound  []int     // of each λ_j its place among the active, or -1
	x      []float64 // λ, t
	along  []float64 // direction of the step in work, in (λ, t)
	row    []float64 // one row, with t
	use    []int32   // columns with a factor
	val    []float64 // these factors
	base   square    // of an active set that is taken over
	rows   []int     // places of its rows
	factor []float64 // work: by edge, its product with the constraint that enters
	fresh  bool      // x, slack and edges fit the rows
	drift  int       // exchanges since the slacks were computed
	steps  int64     // exchanges, since the game was made
}

const (
	gameTol   = 1e-9  // of slacks, slopes and gains
	pivotTol  = 1e-13 // multiples of an edge that are left out
	mostSteps = 600
)

// reset makes the game one of n multipliers without rows.
func (g *game) reset(n int) {
	g.count, g.fresh = 0, false
	if g.n == n {
		return
	}
	g.n, g.w = n, (n+4)&^3
	g.edges = vector.Sized(g.edges, n*g.w)
	g.active, g.bound = vector.Sized(g.active, n), vector.Sized(g.bound, n)
	g.x, g.along, g.row = vector.Sized(g.x, g.w), vector.Sized(g.along, g.w), vector.Sized(g.row, g.w)
	g.factor = vector.Sized(g.factor, n)
	if g.room == 0 || cap(g.cols) < (n+1)*g.room {
		room := max(192, g.room)
		g.room = 0
		g.grow(room)
		return
	}
	g.cols = g.cols[:(n+1)*g.room]
	for r := range g.room {
		g.cols[n*g.room+r] = -1
	}
}

// grow makes room for more rows.
func (g *game) grow(room int) {
	cols := make([]float64, (g.n+1)*room)
	for j := range g.n + 1 {
		copy(cols[j*room:], g.cols[min(len(g.cols), j*g.room):][:min(g.count, g.room)])
	}
	for r := range room {
		cols[g.n*room+r] = -1
	}
	more := room - len(g.vertex)
	if more > 0 {
		g.vertex = append(g.vertex, make([]int32, more)...)
		g.off = append(g.off, make([]bool, more)...)
		g.slack = append(g.slack, make([]float64, more)...)
		g.place = append(g.place, make([]int, more)...)
		g.slope = append(g.slope, make([]float64, more)...)
	}
	g.cols, g.room = cols, room
}

// add appends a row for a vertex; its entries are to be set, then call entered.
func (g *game) add(vertex int32) (row int) {
	r := g.count
	if r == g.room {
		g.grow(2 * g.room)
	}
	g.count++
	g.vertex[r], g.off[r], g.place[r] = vertex, false, -1
	return r
}

// entered takes in the last row added.
func (g *game) entered() {
	if g.fresh {
		r := g.count - 1
		g.slack[r] = vector.Dot(g.read(r), g.x[:g.n+1])
	}
}

// read is a row, with -1 for t, until the next is read.
func (g *game) read(r int) []float64 {
	for j := range g.n + 1 {
		g.row[j] = g.cols[j*g.room+r]
	}
	return g.row[:g.n+1]
}

// times fills dst with every row times x, of which most entries are often 0.
func (g *game) times(dst, x []float64) {
	g.use, g.val = g.use[:0], g.val[:0]
	for j, v := range x[:g.n+1] {
		if v != 0 {
			g.use, g.val = append(g.use, int32(j)), append(g.val, v)
		}
	}
	vector.Combine(dst[:g.count], g.cols, g.room, g.use, g.val)
}

func (g *game) slacks() {
	g.times(g.slack, g.x)
	g.drift = 0
}

// start takes the best vertex with a single λ_j.
func (g *game) start() {
	j0, best, r0 := -1, math.Inf(-1), -1
	for j := range g.n {
		m, at := math.Inf(1), -1
		for r, v := range g.cols[j*g.room:][:g.count] {
			if !g.off[r] && v < m {
				m, at = v, r
			}
		}
		if m > best {
			j0, best, r0 = j, m, at
		}
	}
	clear(g.x)
	g.x[j0], g.x[g.n] = 1, best
	for r := range g.count {
		g.place[r] = -1
	}
	clear(g.edges)
	k := 0
	for j := range g.n {
		g.bound[j] = -1
		if j == j0 {
			continue
		}
		d := g.edges[k*g.w:][:g.w]
		d[j], d[j0] = 1, -1
		d[g.n] = g.cols[j*g.room+r0] - g.cols[j0*g.room+r0]
		g.active[k], g.bound[j] = j, k
		k++
	}
	g.edges[k*g.w+g.n] = -1
	g.active[k], g.place[r0] = g.n+r0, k
	g.slacks()
	g.fresh = true
}

// solve goes to the best vertex, from the present one where that is of use.
func (g *game) solve() bool {
	if g.fresh && g.repair() && g.ascend() && g.sound() {
		return true
	}
	g.start()
	return g.ascend() && g.sound()
}

// sound checks the vertex against its constraints.
func (g *game) sound() bool {
	if g.drift > 30 {
		g.slacks()
	}
	sum := 0.0
	for _, v := range g.x[:g.n] {
		if v < -1e-7 {
			return false
		}
		sum += v
	}
	if math.Abs(sum-1) > 1e-6 {
		return false
	}
	for r, v := range g.slack[:g.count] {
		if v < -1e-6 && !g.off[r] {
			return false
		}
	}
	return true
}

// value is t.
func (g *game) value() float64 { return g.x[g.n] }

// weightOf is the other player's weight of the row in active place k; 0 for a
// multiplier.
func (g *game) weightOf(k int) (row int, weight float64) {
	id := g.active[k]
	if id < g.n {
		return -1, 0
	}
	return id - g.n, g.hold(k)
}
