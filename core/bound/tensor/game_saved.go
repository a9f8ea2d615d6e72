package tensor

import (
	"math"

	"rcmdplab/core/vector"
)

// saved is a vertex of the game to come back to.
type saved struct {
	active []int     // as in game
	edges  []float64 // as in game
	x      []float64 // λ, t
}

func (g *game) save(s *saved) {
	s.active = append(s.active[:0], g.active...)
	s.edges = append(s.edges[:0], g.edges...)
	s.x = append(s.x[:0], g.x...)
}

func (g *game) load(s *saved) {
	g.activate(s.active)
	copy(g.edges, s.edges)
	copy(g.x, s.x)
	g.slacks()
	g.fresh = true
}

// activate makes these constraints active, each in its place.
func (g *game) activate(active []int) {
	copy(g.active, active)
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
}

// adopt starts from an active set of other rows: false when its constraints do
// not make a vertex. With f multipliers free, f rows and Σλ = 1 make a system in
// these and t, whose inverse has the edges that leave the rows; the edge that
// leaves λ_j follows from it.
func (g *game) adopt(active []int) bool {
	g.activate(active)
	rows := g.rows[:0] // their places
	for k, id := range g.active {
		if id >= g.n {
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
	if !g.invertBase(rows, free) {
		return false
	}
	f, b := len(free), &g.base
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

// invertBase makes the system of the active rows and Σλ = 1 in the free
// multipliers and t, and inverts it; false when it is singular.
func (g *game) invertBase(rows []int, free []int32) bool {
	f, b := len(free), &g.base
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
	return b.invert()
}

// square is a small matrix and its inverse, by rows.
type square struct {
	n, w   int       // rows; distance between two
	a, inv []float64 // [i*w+j]; a is used up by invert
}

func (b *square) reset(n int) {
	b.n, b.w = n, n
	b.a, b.inv = vector.Sized(b.a, n*n), vector.Sized(b.inv, n*n)
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
