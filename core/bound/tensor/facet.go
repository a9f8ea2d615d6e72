package tensor

import (
	"math"

	"rcmdplab/core/proof"
	"rcmdplab/core/vector"
)

const (
	chunks     = 16   // of a state's slices, looked at one after the other
	trials     = 2    // attempts at a longer push
	mostShift  = .999 // of a way that is taken at most
	leastLift  = 1e-6 // value of a facet's game below which it is not pushed
	inwardness = 1 - 1e-6
)

// facet looks for the multipliers by which the facet opposite point j of state
// s can be pushed furthest: G > 0 on the facet, then at points part of the way
// to j as well. It returns what fraction of the state's simplex stays, 1 when
// the facet cannot be pushed. The rows of vertices found on the way stay in the
// pool.
func (x *space) facet(s, j int, best *proof.TensorStep) (stays float64) {
	g, a, stride := &x.g, x.t.actions(s), x.t.stride[s]
	action := func(v int32) int { return int(v) / stride % a }
	base := g.count
	g.load(&x.best)
	on := 0
	for r := range base {
		if g.off[r] = action(g.vertex[r]) == j; !g.off[r] {
			on++
		}
	}
	var found []int32
	defer func() {
		g.count = base
		for r := range base {
			g.off[r] = false
		}
		g.fresh = false
		for _, v := range found {
			x.enter(v)
		}
	}()
	stays = 1
	if on == 0 || !g.ascend() {
		return stays
	}
	ahead := 0.0 // share of the way that the last attempt asked for
	tried := 0
	shift := make([]float64, a)
	for range 60 {
		if !g.sound() || g.value() <= leastLift {
			return stays
		}
		x.take(g.x[:g.n], bitsFor(g.value()))
		margin := x.margin()
		low := x.worst(s, j, ahead, margin)
		if low > margin {
			rest, least := x.shifts(s, j, margin, shift)
			if rest < stays {
				stays = rest
				x.record(best, s, j, shift)
			}
			if tried == trials {
				return stays
			}
			tried++
			if ahead = min(.95, max(1.3*least, least+.1)); ahead <= least {
				return stays
			}
			value := g.value()
			for r := range base {
				if v := g.vertex[r]; !g.off[r] && g.slack[r] <= 3*value+.05 {
					x.between(v, v+int32((j-action(v))*stride), ahead)
				}
			}
		} else {
			before := g.count
			for c, m := range x.low {
				i := c % a
				if i == j || !(m < margin) {
					continue
				}
				v := x.at[c]
				if x.sum[v] < margin && x.seen[v] != x.stamp {
					x.enter(v)
					found = append(found, v)
				}
				if ahead > 0 && x.sum[v] > m {
					x.between(v, v+int32((j-i)*stride), ahead)
				}
			}
			if g.count == before {
				return stays
			}
		}
		if !g.repair() || !g.ascend() {
			return stays
		}
	}
	return stays
}

// between adds a row for the point a share of the way from vertex v to to.
func (x *space) between(v, to int32, share float64) {
	g := &x.g
	r := g.add(-1)
	for k, p := range x.hot {
		f := x.piece(int(p))
		g.cols[k*g.room+r] = f[v] + float64(share*(f[to]-f[v]))
	}
	g.entered()
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
// fraction of the simplex stays, and the least share.
func (x *space) shifts(s, j int, margin float64, shift []float64) (stays, least float64) {
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
	stays, least = 1, 1
	for i := range shift {
		if i == j {
			shift[i] = 0
			continue
		}
		least = min(least, shift[i])
		shift[i] = below(min(shift[i], mostShift) * inwardness)
		stays *= 1 - shift[i]
	}
	return stays, least
}

// shiftBits are those that a share of a way is written with in a proof.
const shiftBits = 12

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
