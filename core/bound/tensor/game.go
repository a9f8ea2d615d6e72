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
	n, w   int       // multipliers; width of rows and edges, n+1 rounded up
	count  int       // rows
	rows   []float64 // [r*w], entry n is -1 for t
	vertex []int32   // what each row is from; -1: a point that is no vertex
	off    []bool
	slack  []float64 // row·λ - t
	place  []int     // of each row among the active constraints, or -1
	slope  []float64 // of each row along an edge
	edges  []float64 // [k*w], along which active constraint k grows at rate 1
	active []int     // id: λ_id for id < n, else row id-n
	bound  []int     // of each λ_j its place among the active, or -1
	x      []float64 // λ, t
	along  []float64
	factor []float64
	fresh  bool // x, slack and edges fit the rows
	drift  int  // exchanges since the slacks were computed
	steps  int64
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
	g.rows = make([]float64, len(g.vertex)*g.w)
	g.edges = make([]float64, n*g.w)
	g.active, g.bound = make([]int, n), make([]int, n)
	g.x, g.along = make([]float64, g.w), make([]float64, g.w)
	g.factor = make([]float64, n)
}

func (g *game) row(r int) []float64 { return g.rows[r*g.w:][:g.w] }

// add appends a row for a vertex and returns it to be filled; call settle when it is.
func (g *game) add(vertex int32) []float64 {
	r := g.count
	if r == len(g.vertex) {
		more := r + 64
		g.rows = append(g.rows, make([]float64, more*g.w)...)
		g.vertex = append(g.vertex, make([]int32, more)...)
		g.off = append(g.off, make([]bool, more)...)
		g.slack = append(g.slack, make([]float64, more)...)
		g.place = append(g.place, make([]int, more)...)
		g.slope = append(g.slope, make([]float64, more)...)
	}
	g.count++
	g.vertex[r], g.off[r], g.place[r] = vertex, false, -1
	row := g.row(r)
	clear(row)
	row[g.n] = -1
	return row
}

// settle takes in the last row added.
func (g *game) settle() {
	if g.fresh {
		r := g.count - 1
		g.slack[r] = vector.Dot(g.row(r), g.x)
	}
}

func (g *game) slacks() {
	vector.Dots(g.slack[:g.count], g.rows, g.w, g.x)
	g.drift = 0
}

// start takes the best vertex with a single λ_j.
func (g *game) start() {
	j0, best, r0 := -1, math.Inf(-1), -1
	for j := range g.n {
		m, at := math.Inf(1), -1
		for r := range g.count {
			if v := g.rows[r*g.w+j]; !g.off[r] && v < m {
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
		d[g.n] = g.rows[r0*g.w+j] - g.rows[r0*g.w+j0]
		g.active[k], g.bound[j] = j, k
		k++
	}
	g.edges[k*g.w+g.n] = -1
	g.active[k], g.place[r0] = g.n+r0, k
	g.slacks()
	g.fresh = true
}

// saved is a vertex of the game to come back to.
type saved struct {
	active []int
	edges  []float64
	x      []float64
}

func (g *game) save(s *saved) {
	s.active = append(s.active[:0], g.active...)
	s.edges = append(s.edges[:0], g.edges...)
	s.x = append(s.x[:0], g.x...)
}

func (g *game) load(s *saved) {
	copy(g.active, s.active)
	copy(g.edges, s.edges)
	copy(g.x, s.x)
	for r := range g.count {
		g.place[r] = -1
	}
	for j := range g.bound {
		g.bound[j] = -1
	}
	for k, id := range g.active {
		if id < g.n {
			g.bound[id] = k
		} else {
			g.place[id-g.n] = k
		}
	}
	g.slacks()
	g.fresh = true
}

// free reports whether active constraint k is a row that is switched off.
func (g *game) free(k int) bool {
	id := g.active[k]
	return id >= g.n && g.off[id-g.n]
}

// rates fills factor with how fast constraint id grows along each edge.
func (g *game) rates(id int) {
	if id >= g.n {
		vector.Dots(g.factor, g.edges, g.w, g.row(id-g.n))
		return
	}
	for k := range g.factor {
		g.factor[k] = g.edges[k*g.w+id]
	}
}

// exchange makes constraint id, with its rates, active in place q.
func (g *game) exchange(q, id int) {
	dq := g.edges[q*g.w:][:g.w]
	vector.Scale(dq, 1/g.factor[q])
	for k, f := range g.factor {
		if g.factor[k] = -f; k == q || math.Abs(f) < pivotTol {
			g.factor[k] = 0
		}
	}
	vector.Rank1(g.edges, g.w, dq, g.factor)
	if old := g.active[q]; old < g.n {
		g.bound[old] = -1
	} else {
		g.place[old-g.n] = -1
	}
	g.active[q] = id
	if id < g.n {
		g.bound[id] = q
		for k := range g.n {
			g.edges[k*g.w+id] = 0
		}
		dq[id] = 1
		g.x[id] = 0
	} else {
		g.place[id-g.n] = q
		g.slack[id-g.n] = 0
	}
	g.steps++
	g.drift++
}

// move goes a step along the direction in along, whose slopes are known, away
// from active constraint q.
func (g *game) move(q int, step, sign float64) {
	vector.Axpy(g.x, g.along, step)
	vector.Axpy(g.slack[:g.count], g.slope[:g.count], step)
	if id := g.active[q]; id >= g.n {
		g.slack[id-g.n] = sign * step
	}
}

// slopes fills slope for the direction in along; active rows do not move but
// for one that leaves, which move sets.
func (g *game) slopes() {
	vector.Dots(g.slope[:g.count], g.rows, g.w, g.along)
	for k := range g.active {
		if id := g.active[k]; id >= g.n {
			g.slope[id-g.n] = 0
		}
	}
}

// ascend goes from a vertex that satisfies all constraints to the best one.
func (g *game) ascend() bool {
	for range mostSteps {
		q, sign := g.steepest()
		if q < 0 {
			return true
		}
		copy(g.along, g.edges[q*g.w:][:g.w])
		if sign < 0 {
			vector.Scale(g.along, -1)
		}
		g.slopes()
		id, step := g.blocking()
		if id < 0 {
			return false
		}
		g.move(q, max(step, 0), sign)
		g.rates(id)
		g.exchange(q, id)
	}
	return false
}

// steepest is the edge along which t rises most for its length; -1 at the best.
func (g *game) steepest() (q int, sign float64) {
	q, sign = -1, 1
	best := 0.0
	for k := range g.n {
		d := g.edges[k*g.w:][:g.w]
		z, s := d[g.n], 1.0
		if z < 0 && g.free(k) {
			z, s = -z, -1
		}
		if z <= gameTol {
			continue
		}
		if v := z * z / (1e-3 + vector.Dot(d, d)); v > best {
			q, best, sign = k, v, s
		}
	}
	return q, sign
}

// blocking is the constraint that ends the step along the edge: of those that
// end it within the tolerance, the one of the largest slope (Harris).
func (g *game) blocking() (id int, step float64) {
	limit := math.Inf(1)
	for r, a := range g.slope[:g.count] {
		if a < -gameTol && !g.off[r] {
			limit = min(limit, (g.slack[r]+gameTol)/-a)
		}
	}
	for j, a := range g.along[:g.n] {
		if a < -gameTol && g.bound[j] < 0 {
			limit = min(limit, (g.x[j]+gameTol/10)/-a)
		}
	}
	id = -1
	big := gameTol
	for r, a := range g.slope[:g.count] {
		if -a > big && !g.off[r] && g.slack[r] <= -limit*a {
			id, big, step = g.n+r, -a, g.slack[r]/-a
		}
	}
	for j, a := range g.along[:g.n] {
		if -a > big && g.bound[j] < 0 && g.x[j] <= -limit*a {
			id, big, step = j, -a, g.x[j]/-a
		}
	}
	return id, step
}

// repair goes from the best vertex of fewer constraints to that of all.
func (g *game) repair() bool {
	for range mostSteps {
		id, worst := g.violated()
		if id < 0 {
			return true
		}
		g.rates(id)
		q := g.leaving()
		if q < 0 {
			return false
		}
		copy(g.along, g.edges[q*g.w:][:g.w])
		g.slopes()
		g.move(q, -worst/g.factor[q], 1)
		g.exchange(q, id)
	}
	return false
}

// violated is the most violated constraint and by how much (negative); -1 for none.
func (g *game) violated() (id int, worst float64) {
	id, worst = -1, -gameTol
	for r, v := range g.slack[:g.count] {
		if v < worst && !g.off[r] && g.place[r] < 0 {
			id, worst = g.n+r, v
		}
	}
	for j, v := range g.x[:g.n] {
		if v < worst && g.bound[j] < 0 {
			id, worst = j, v
		}
	}
	return id, worst
}

// leaving is the active constraint that gives way to the one whose rates are in
// factor while t stays as high as possible.
func (g *game) leaving() int {
	rate := func(k int) float64 {
		if g.free(k) {
			return math.Abs(g.factor[k])
		}
		return g.factor[k]
	}
	limit := math.Inf(1)
	for k := range g.n {
		if a := rate(k); a > gameTol {
			limit = min(limit, (max(0, -g.edges[k*g.w+g.n])+gameTol/10)/a)
		}
	}
	q, big := -1, gameTol
	for k := range g.n {
		if a := rate(k); a > big && max(0, -g.edges[k*g.w+g.n]) <= limit*a {
			q, big = k, a
		}
	}
	return q
}

// solve goes to the best vertex, from the present one where that is of use.
func (g *game) solve() bool {
	if g.fresh {
		id, _ := g.violated()
		if (id < 0 || g.repair()) && g.ascend() && g.sound() {
			return true
		}
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

// weight is the other player's weight of the row in active place k; 0 for a
// multiplier.
func (g *game) weightOf(k int) (row int, weight float64) {
	id := g.active[k]
	if id < g.n {
		return -1, 0
	}
	return id - g.n, max(0, -g.edges[k*g.w+g.n])
}
