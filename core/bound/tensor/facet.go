package tensor

import (
	"math"
	"slices"

	"rcmdplab/core/proof"
	"rcmdplab/core/vector"
)

const (
	chunks     = 16   // of a state's slices, looked at one after the other
	mostShift  = .999 // of a way that is taken at most
	leastLift  = 1e-6 // value of a facet's game below which it is not pushed
	inwardness = 1 - 1e-6

	bold      = 1.3 // times what the pool allows that is asked for first
	mostAsked = .9
	humbler   = .5 // of what was asked for and cannot be had
	leastAsk  = .03
)

// facet looks for the multipliers by which the facet opposite point j of state
// s can be pushed furthest: G > 0 on the facet, and at points part of the way to
// j. How far is asked for comes from the pool, which knows too little, and is asked
// for again by halves. It returns what fraction of the state's simplex stays, 1 when
// the facet cannot be pushed. The rows of vertices found on the way stay in the pool.
func (x *space) facet(s, j int, best *proof.TensorStep) (stays float64) {
	g := &x.g
	base := g.count
	var found []int32
	x.blends = x.blends[:0]
	defer func() {
		x.remember(s, j, base)
		g.count = base
		for r := range base {
			g.off[r] = false
		}
		g.fresh = false
		for _, v := range found {
			x.enter(v)
		}
	}()
	if !x.face(s, j) {
		return 1
	}
	ahead := min(mostAsked, bold*x.promise(s, j))
	x.lift(s, j, ahead)
	if !g.repair() || !g.ascend() {
		return 1
	}
	for range 100 {
		switch {
		case !g.sound():
			return 1
		case g.value() <= leastLift:
			if ahead == 0 {
				return 1
			}
			if ahead *= humbler; ahead < leastAsk {
				ahead = 0
			}
			x.blend(ahead)
			if !g.solve() {
				return 1
			}
			continue
		}
		x.take(g.x[:g.n], bitsFor(g.value()))
		margin := x.margin()
		if x.worst(s, j, ahead, margin) > margin {
			shift := make([]float64, x.t.actions(s))
			stays = x.shifts(s, j, margin, shift)
			x.record(best, s, j, shift)
			return stays
		}
		before := g.count
		found = x.enterLow(s, j, ahead, margin, found)
		if g.count == before || !g.repair() || !g.ascend() {
			return 1
		}
	}
	return 1
}

// face makes the game that of the facet opposite point j of state s, with the
// vertices that held its last one: false when its value is not positive.
func (x *space) face(s, j int) bool {
	g := &x.g
	g.load(&x.best)
	any := false
	for r, v := range g.vertex[:g.count] {
		g.off[r] = x.point(v, s) == j
		any = any || !g.off[r]
	}
	if !any || !g.ascend() || g.value() <= leastLift {
		return false
	}
	for _, v := range x.held[x.t.Off[s]+j] {
		if x.seen[v] != x.stamp {
			x.read(g.add(v), v)
			g.entered()
		}
	}
	return g.repair() && g.ascend() && g.sound() && g.value() > leastLift
}

// mostHeld is how many vertices are remembered for a facet.
const mostHeld = 24

// remember keeps the vertices that held the game of a facet, then others that came
// in, from a row on, then those of before.
func (x *space) remember(s, j, from int) {
	g := &x.g
	held := &x.held[x.t.Off[s]+j]
	now := x.free[:0]
	put := func(v int32) {
		if v >= 0 && len(now) < mostHeld && !slices.Contains(now, v) {
			now = append(now, v)
		}
	}
	for _, id := range g.active {
		if r := id - g.n; r >= 0 && !g.off[r] {
			put(g.vertex[r])
		}
	}
	for _, b := range x.blends {
		if g.place[b.row] >= 0 {
			put(b.from)
		}
	}
	for _, v := range g.vertex[from:g.count] {
		put(v)
	}
	for _, v := range *held {
		put(v)
	}
	*held, x.free = now, *held
}

// point is that of a state at a vertex.
func (x *space) point(v int32, s int) int { return int(v) / x.t.stride[s] % x.t.actions(s) }

// toward is the vertex with point j of state s in place of its own.
func (x *space) toward(v int32, s, j int) int32 {
	return v + int32((j-x.point(v, s))*x.t.stride[s])
}

// promise is the share of the way to point j that the multipliers of the facet's game
// allow, as far as the vertices in it tell.
func (x *space) promise(s, j int) float64 {
	g := &x.g
	least := 1.0
	for r, v := range g.vertex[:g.count] {
		if g.off[r] {
			continue
		}
		to, y := x.toward(v, s, j), 0.0
		for k, p := range x.hot {
			if l := g.x[k]; l > 0 {
				y += float64(l * x.piece(int(p))[to])
			}
		}
		if f := g.slack[r] + g.value(); y < 0 && f < least*(f-y) {
			least = f / (f - y)
		}
	}
	return least
}

// blended is a row for a point part of the way between two vertices.
type blended struct {
	row      int   // of the game
	from, to int32 // vertices
}

// lift adds rows part of the way to point j for the vertices of little slack.
func (x *space) lift(s, j int, share float64) {
	g := &x.g
	most := g.value() + .01
	for r, v := range g.vertex[:g.count] {
		if v >= 0 && !g.off[r] && g.slack[r] <= most {
			x.between(v, x.toward(v, s, j), share)
		}
	}
}

// between adds a row for the point a share of the way from vertex v to to.
func (x *space) between(v, to int32, share float64) {
	b := blended{x.g.add(-1), v, to}
	x.blends = append(x.blends, b)
	x.mix(b, share)
	x.g.entered()
}

// mix fills the row of a point between.
func (x *space) mix(b blended, share float64) {
	g := &x.g
	for k, p := range x.hot {
		f := x.piece(int(p))
		g.cols[k*g.room+b.row] = f[b.from] + float64(share*(f[b.to]-f[b.from]))
	}
}

// blend makes the points between those of another share.
func (x *space) blend(share float64) {
	for _, b := range x.blends {
		x.mix(b, share)
	}
	x.g.fresh = x.g.adopt(x.g.active)
}

// enterLow adds the rows of what worst found below the margin, and lists the vertices of these.
func (x *space) enterLow(s, j int, share, margin float64, found []int32) []int32 {
	a := x.t.actions(s)
	for c, m := range x.low {
		if c%a == j || !(m < margin) {
			continue
		}
		v := x.at[c]
		if x.sum[v] < margin && x.seen[v] != x.stamp {
			x.enter(v)
			found = append(found, v)
		}
		if share > 0 && x.sum[v] > m {
			x.between(v, x.toward(v, s, j), share)
		}
	}
	return found
}

// worst fills sum with G for the multipliers taken, chunk after chunk, until one has
// a vertex below the margin, beginning with the one that had it last. It fills low, by
// chunk and point i ≠ j of state s, with the least of G at the vertices of the point
// and at those a share of the way to point j, +Inf for chunks not reached, and at with
// where that is below the margin; it returns the least of all.
func (x *space) worst(s, j int, share, margin float64) float64 {
	a, stride := x.t.actions(s), x.t.stride[s]
	n := a * stride
	blocks := x.t.v / n
	x.low = x.low[:chunks*a]
	for i := range x.low {
		x.low[i] = math.Inf(1)
	}
	for range chunks {
		c := x.chunk % chunks
		low := x.low[c*a:][:a]
		from, to := (c*blocks+chunks-1)/chunks, ((c+1)*blocks+chunks-1)/chunks
		x.fill(from*n, to*n)
		vector.LeastToward(low, x.sum[from*n:to*n], stride, j, share)
		for i, m := range low {
			if m < margin {
				x.at[c*a+i] = x.where(from, to, n, stride, i, j, share, m)
			}
		}
		if least := vector.Least(low); least < margin {
			return least
		}
		x.chunk++
	}
	return vector.Least(x.low)
}

// where is the vertex of the least m that worst found among blocks of n entries,
// for point i.
func (x *space) where(from, to, n, stride, i, j int, share, m float64) int32 {
	for o := from * n; o < to*n; o += n {
		start := x.sum[o+i*stride:][:stride]
		end := x.sum[o+j*stride:][:len(start)]
		for k, v := range start {
			if y := end[k]; y < v {
				v += float64(share * (y - v))
			}
			if v == m {
				return int32(o + i*stride + k)
			}
		}
	}
	return int32(from * n)
}

// shifts fills the shares ℓ_i that the multipliers taken allow and returns what
// fraction of the simplex stays.
func (x *space) shifts(s, j int, margin float64, shift []float64) (stays float64) {
	a, stride := x.t.actions(s), x.t.stride[s]
	n := a * stride
	for i := range shift {
		shift[i] = 1
	}
	for o := 0; o < x.t.v; o += n {
		to := x.sum[o+j*stride:][:stride]
		for i, l := range shift {
			if i == j {
				continue
			}
			from := x.sum[o+i*stride:][:len(to)]
			for k, y := range to {
				if y -= margin; y < 0 {
					if v := from[k] - margin; v < l*(v-y) {
						l = v / (v - y)
					}
				}
			}
			shift[i] = l
		}
	}
	stays = 1
	for i := range shift {
		if i == j {
			shift[i] = 0
			continue
		}
		shift[i] = below(min(shift[i], mostShift) * inwardness)
		stays *= 1 - shift[i]
	}
	return stays
}

// shiftBits are those that a share of a way is written with in a proof.
const shiftBits = 9

// below is v rounded down to what a proof is written with.
func below(v float64) float64 { return max(0, math.Floor(v*(1<<shiftBits))/(1<<shiftBits)) }

// record makes the multipliers taken a step.
func (x *space) record(p *proof.TensorStep, s, j int, shift []float64) {
	p.State, p.J = s, j
	p.Pieces, p.Lambda = p.Pieces[:0], append(p.Lambda[:0], x.val...)
	for _, k := range x.use {
		p.Pieces = append(p.Pieces, x.pieces[k])
	}
	p.Shift = append(p.Shift[:0], shift...)
}

// step is the multipliers taken, as a step that closes.
func (x *space) step() (s proof.TensorStep) {
	x.record(&s, -1, 0, nil)
	return s
}

func cloned(p *proof.TensorStep) proof.TensorStep {
	c := *p
	c.Pieces = append([]int(nil), p.Pieces...)
	c.Lambda = append([]float64(nil), p.Lambda...)
	c.Shift = append([]float64(nil), p.Shift...)
	return c
}
