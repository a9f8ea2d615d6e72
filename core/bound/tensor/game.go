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
	off    []bool
	slack  []float64 // row·λ - t
	place  []int     // of each row among the active constraints, or -1
	slope  []float64 // of each row along an edge
	edges  []float64 // [k*w], along which active constraint k grows at rate 1
	active []int     // id: λ_id for id < n, else row id-n
	bound  []int     // of each λ_j its place among the active, or -1
	x      []float64 // λ, t
	along  []float64
	row    []float64 // one row, with t
	use    []int32   // columns with a factor
	val    []float64 // these factors
	base   square    // of an active set that is taken over
	rows   []int     // places of its rows
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
	g.n, g.w, g.room = n, (n+4)&^3, 0
	g.edges = make([]float64, n*g.w)
	g.active, g.bound = make([]int, n), make([]int, n)
	g.x, g.along, g.row = make([]float64, g.w), make([]float64, g.w), make([]float64, g.w)
	g.factor = make([]float64, n)
	g.grow(192)
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

// add appends a row for a vertex; its entries are to be set, then call settle.
func (g *game) add(vertex int32) (row int) {
	r := g.count
	if r == g.room {
		g.grow(2 * g.room)
	}
	g.count++
	g.vertex[r], g.off[r], g.place[r] = vertex, false, -1
	return r
}

// settle takes in the last row added.
func (g *game) settle() {
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

// adopt starts from an active set of other rows: false when its constraints do
// not make a vertex. With f multipliers free, f rows and Σλ = 1 make a system in
// these and t, whose inverse has the edges that leave the rows; the edge that
// leaves λ_j follows from it.
func (g *game) adopt(active []int) bool {
	copy(g.active, active)
	for r := range g.count {
		g.place[r] = -1
	}
	for j := range g.bound {
		g.bound[j] = -1
	}
	rows := g.rows[:0] // their places
	for k, id := range g.active {
		if id < g.n {
			g.bound[id] = k
		} else {
			g.place[id-g.n] = k
			rows = append(rows, k)
		}
	}
	g.rows = rows
	free := g.use[:0]
	for j, k := range g.bound {
		if k < 0 {
			free = append(free, int32(j))
		}
	}
	g.use = free
	if len(free) != len(rows) {
		return false
	}
	f := len(free)
	b := &g.base
	b.reset(f + 1)
	for i, k := range rows {
		r := g.active[k] - g.n
		for c, j := range free {
			b.a[i*b.w+c] = g.cols[int(j)*g.room+r]
		}
		b.a[i*b.w+f] = -1
	}
	for c := range f {
		b.a[f*b.w+c] = 1
	}
	if !b.invert() {
		return false
	}
	clear(g.x)
	clear(g.edges)
	put := func(d []float64, c int, v float64) {
		if c == f {
			d[g.n] = v
		} else {
			d[free[c]] = v
		}
	}
	for c := range f + 1 {
		put(g.x, c, b.inv[c*b.w+f])
		for i, k := range rows {
			put(g.edges[k*g.w:], c, b.inv[c*b.w+i])
		}
	}
	col := g.row[:f+1]
	for j, k := range g.bound {
		if k < 0 {
			continue
		}
		for i, k := range rows {
			col[i] = g.cols[j*g.room+g.active[k]-g.n]
		}
		col[f] = 1
		d := g.edges[k*g.w:][:g.w]
		d[j] = 1
		for c := range f + 1 {
			put(d, c, -vector.Dot(b.inv[c*b.w:][:f+1], col))
		}
	}
	g.slacks()
	g.fresh = true
	return true
}

// square is a small matrix and its inverse, by rows.
type square struct {
	n, w   int
	a, inv []float64
}

func (b *square) reset(n int) {
	b.n, b.w = n, n
	if cap(b.a) < n*n {
		b.a, b.inv = make([]float64, n*n), make([]float64, n*n)
	}
	b.a, b.inv = b.a[:n*n], b.inv[:n*n]
	clear(b.a)
	clear(b.inv)
}

// invert fills inv by elimination with row pivots; false when a pivot is all but 0.
func (b *square) invert() bool {
	n := b.n
	for i := range n {
		b.inv[i*n+i] = 1
	}
	for k := range n {
		p := k
		for i := k + 1; i < n; i++ {
			if math.Abs(b.a[i*n+k]) > math.Abs(b.a[p*n+k]) {
				p = i
			}
		}
		if math.Abs(b.a[p*n+k]) < 1e-9 {
			return false
		}
		if p != k {
			for j := range n {
				b.a[p*n+j], b.a[k*n+j] = b.a[k*n+j], b.a[p*n+j]
				b.inv[p*n+j], b.inv[k*n+j] = b.inv[k*n+j], b.inv[p*n+j]
			}
		}
		f := 1 / b.a[k*n+k]
		vector.Scale(b.a[k*n+k:][:n-k], f)
		vector.Scale(b.inv[k*n:][:n], f)
		for i := range n {
			if f := b.a[i*n+k]; i != k && f != 0 {
				vector.Axpy(b.a[i*n+k:][:n-k], b.a[k*n+k:][:n-k], -f)
				vector.Axpy(b.inv[i*n:][:n], b.inv[k*n:][:n], -f)
			}
		}
	}
	return true
}

// free reports whether active constraint k is a row that is switched off.
func (g *game) free(k int) bool {
	id := g.active[k]
	return id >= g.n && g.off[id-g.n]
}

// rates fills factor with how fast constraint id grows along each edge.
func (g *game) rates(id int) {
	if id >= g.n {
		vector.Dots(g.factor, g.edges, g.w, g.read(id-g.n))
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
	g.times(g.slope, g.along)
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
	return id - g.n, max(0, -g.edges[k*g.w+g.n])
}
