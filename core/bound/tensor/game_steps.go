package tensor

import (
	"math"

	"rcmdplab/core/vector"
)

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
			if step := (g.slack[r] + gameTol) / -a; step < limit {
				limit = step
			}
		}
	}
	for j, a := range g.along[:g.n] {
		if a < -gameTol && g.bound[j] < 0 {
			if step := (g.x[j] + gameTol/10) / -a; step < limit {
				limit = step
			}
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
	limit := math.Inf(1)
	for k, a := range g.factor {
		if a < 0 && g.free(k) {
			a = -a
		}
		if a > gameTol {
			if step := (g.hold(k) + gameTol/10) / a; step < limit {
				limit = step
			}
		}
	}
	q, big := -1, gameTol
	for k, a := range g.factor {
		if a < 0 && g.free(k) {
			a = -a
		}
		if a > big && g.hold(k) <= limit*a {
			q, big = k, a
		}
	}
	return q
}

// hold is the weight of the constraint in active place k, by which t would rise
// if it were let go at rate 1.
func (g *game) hold(k int) float64 {
	if v := -g.edges[k*g.w+g.n]; v > 0 { // a branch: min and max of floats are calls in wasm
		return v
	}
	return 0
}
