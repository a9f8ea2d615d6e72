package tensor

import (
	"math"
	"slices"

	"rcmdplab/core/proof"
	"rcmdplab/core/vector"
)

// Box is an open box of policies with what is known of it.
type Box struct {
	Place  int       // in the tree
	Depth  int       // splits above it
	Steps  int       // pushes and splits above it
	Points []float64 // by state A_s rows of A_s: its points, in those of the root
	Pieces []int     // those that are positive somewhere in it, as far as known
	Gain   []float64 // by pair: what pushing the facet opposite it is expected to give
	Lambda []float64 // by piece: multipliers to try first
	Pool   []int32   // vertices that were bad together

	// Reach: at a parameter of at most that, Remedy closes the box.
	Reach  float64
	Remedy proof.TensorStep

	Away bool // it was handed out when the tree was saved

	kept          *slab // its tensors, when they are at hand
	moved, toward int   // the split that made it
}

// slab holds the tensors of one box: of its pieces, then of the determinants of
// every kernel.
type slab struct {
	pieces []int     // m(N+1)+n, ascending
	x      []float64 // [k*v+c]: pieces, then determinants, at every choice c of a point in each state
}

// space is the box being worked on.
type space struct {
	t *Tree
	*slab
	g     game      // the game over the pool
	trial game      // for children that are only estimated
	moved []int     // work: rows of such a child's game that differ
	hot   []int32   // pieces in the game, ascending: places among those at hand
	lam   []float64 // by piece in the game, as written
	use   []int32   // pieces with lam > 0
	val   []float64 // their multipliers
	sum   []float64 // G by vertex
	rise  []float64 // by vertex: how much G rises for each unit that τ is lowered
	block []float64 // its least, by block
	seen  []int32   // by vertex: the stamp of the pool it is in
	stamp int32     // of the present pool
	best  saved     // the vertex of the game that all of the pool agree on
	low   []float64 // [chunk*actions+i]: the least of G at point i, see worst
	at    []int32   // and the vertex of that, where it is below the margin
	chunk int       // the next that worst looks at

	held   [][]int32 // by pair: vertices that held the last game of the facet opposite it
	free   []int32   // work: the room of what was remembered before
	blends []blended // rows of the game of a facet
}

const blockSize = 256

func newSpace(t *Tree) *space {
	v := t.v
	a := 0
	for s := range t.S {
		a = max(a, t.actions(s))
	}
	return &space{
		t: t, sum: make([]float64, v), rise: make([]float64, v), block: make([]float64, max(1, v/blockSize)), seen: make([]int32, v),
		low: make([]float64, a*chunks), at: make([]int32, a*chunks), held: make([][]int32, t.Pairs()),
	}
}

func (r *root) actions(s int) int { return r.Off[s+1] - r.Off[s] }

// piece is the tensor of piece k of the box.
func (x *space) piece(k int) []float64 { return x.x[k*x.t.v:][:x.t.v] }

// tensors fills the slab with the tensors of a box, from the root's.
func (t *Tree) tensors(f *slab, b *Box) {
	f.pieces = append(f.pieces[:0], b.Pieces...)
	f.x = f.x[:(len(f.pieces)+len(t.Kernels))*t.v]
	for k, p := range f.pieces {
		copy(f.x[k*t.v:][:t.v], t.whole[p*t.v:])
	}
	copy(f.x[len(f.pieces)*t.v:], t.whole[len(t.Kernels)*t.costs*t.v:])
	for s := range t.S {
		if a := t.actions(s); a > 1 {
			t.turn(f.x, s, b.Points[t.at[s]:][:a*a])
		}
	}
}

// turn replaces the slices of state s by the combinations of them that the rows
// of a matrix say.
func (t *Tree) turn(x []float64, s int, matrix []float64) {
	a, stride := t.actions(s), t.stride[s]
	if isUnit(matrix, a) {
		return
	}
	n := a * stride
	t.block = vector.Sized(t.block, n)
	old := t.block
	if a == 4 && stride < shortSlice {
		for ; len(x) >= n; x = x[n:] {
			copy(old, x)
			turn4(x[:n], old, (*[16]float64)(matrix))
		}
		return
	}
	if stride == 1 {
		for ; len(x) >= n; x = x[n:] {
			copy(old, x)
			for i := range a {
				sum := 0.0
				for j, y := range old {
					sum += float64(matrix[i*a+j] * y)
				}
				x[i] = sum
			}
		}
		return
	}
	all := t.counted(a)
	for ; len(x) >= n; x = x[n:] {
		copy(old, x)
		for i := range a {
			vector.Combine(x[i*stride:][:stride], old, stride, all, matrix[i*a:][:a])
		}
	}
}

// shortSlice is the length of slices below which a call for each costs more than it saves.
const shortSlice = 32

// turn4 fills x, four slices, with combinations of those of old.
func turn4(x, old []float64, m *[16]float64) {
	n := len(x) / 4
	y0, y1, y2, y3 := old[:n], old[n:][:n], old[2*n:][:n], old[3*n:][:n]
	x0, x1, x2, x3 := x[:n], x[n:][:n], x[2*n:][:n], x[3*n:][:n]
	for k, a := range y0 {
		b, c, d := y1[k], y2[k], y3[k]
		x0[k] = 0 + float64(m[0]*a) + float64(m[1]*b) + float64(m[2]*c) + float64(m[3]*d)
		x1[k] = 0 + float64(m[4]*a) + float64(m[5]*b) + float64(m[6]*c) + float64(m[7]*d)
		x2[k] = 0 + float64(m[8]*a) + float64(m[9]*b) + float64(m[10]*c) + float64(m[11]*d)
		x3[k] = 0 + float64(m[12]*a) + float64(m[13]*b) + float64(m[14]*c) + float64(m[15]*d)
	}
}

// counted is 0, 1, ..., n-1.
func (t *Tree) counted(n int) []int32 {
	for k := len(t.places); k < n; k++ {
		t.places = append(t.places, int32(k))
	}
	return t.places[:n]
}

func isUnit(m []float64, a int) bool {
	for i, v := range m {
		if (i%(a+1) == 0) != (v == 1) || v != 0 && v != 1 {
			return false
		}
	}
	return true
}

// take takes multipliers, rounded to so many bits of the largest.
func (x *space) take(lam []float64, bits int) {
	x.lam, x.use, x.val = x.lam[:0], x.use[:0], x.val[:0]
	_, e := math.Frexp(slices.Max(lam))
	unit := math.Ldexp(1, e-bits)
	most := math.Ldexp(1, e) - unit
	for k, v := range lam {
		if v = min(most, math.RoundToEven(v/unit)*unit); !(v > 0) {
			v = 0
		}
		x.lam = append(x.lam, v)
		if v > 0 {
			x.use, x.val = append(x.use, x.hot[k]), append(x.val, v)
		}
	}
}

// Bits of multipliers. What a proof is written with are most of its bytes, and G
// need not be known better than to a small share of the value of the game.
const (
	fewBits   = 3 // of the multipliers that close a box
	moreBits  = 3 // that are tried next
	leastBits = 6
	mostBits  = 24
	shareBits = 3
)

// bitsFor is with how many bits multipliers are taken in a game of a value.
func bitsFor(value float64) int {
	_, e := math.Frexp(value)
	return max(leastBits, min(mostBits, shareBits-e))
}

// margin is what G must exceed: more than the rounding errors of the tensors
// here and in a checker.
func (x *space) margin() float64 {
	m := 0.0
	for k, v := range x.use {
		m += x.val[k] * x.t.sure[x.pieces[v]]
	}
	return m
}

// fill fills a part of sum with G for the multipliers taken.
func (x *space) fill(from, to int) {
	x.t.work += int64(len(x.use)+1) * int64(to-from)
	vector.Combine(x.sum[from:to], x.x[from:], x.t.v, x.use, x.val)
}

// scan fills sum, and block with its least by block, and returns the least.
func (x *space) scan() float64 {
	x.fill(0, x.t.v)
	vector.Leasts(x.block, x.sum, x.t.v/len(x.block))
	return vector.Least(x.block)
}

// find is where in sum a block has its least.
func (x *space) find(b int) int32 {
	size := x.t.v / len(x.block)
	for i := b * size; i < len(x.sum); i++ {
		if x.sum[i] == x.block[b] {
			return int32(i)
		}
	}
	return 0
}

// enter adds a vertex to the pool and its row to the game.
func (x *space) enter(v int32) {
	x.read(x.g.add(v), v)
	x.g.entered()
	x.seen[v] = x.stamp
}

// read fills a row of the game from the tensors.
func (x *space) read(r int, v int32) {
	g := &x.g
	for k, p := range x.hot {
		g.cols[k*g.room+r] = x.x[int(p)*x.t.v+int(v)]
	}
}

// gather starts the pool anew.
func (x *space) gather(pool []int32) {
	x.stamp++
	x.chunk = 0
	x.g.reset(len(x.hot))
	for _, v := range pool {
		if x.seen[v] != x.stamp {
			x.enter(v)
		}
	}
}

// reread takes the rows of the pool from tensors that have changed.
func (x *space) reread() {
	for r, v := range x.g.vertex[:x.g.count] {
		x.read(r, v)
	}
	x.g.fresh = x.g.adopt(x.best.active)
}

// converge solves the game of all vertices by adding the worst ones to the
// pool: closed when the multipliers taken close the box; else the value of the
// game is at most value.
func (x *space) converge() (closed bool, value float64) {
	for range 100 {
		value = math.Inf(1)
		if x.g.count > 0 {
			if !x.g.solve() {
				return false, 0
			}
			value = x.g.value()
			x.take(x.g.x[:x.g.n], bitsFor(value))
		} else {
			even := make([]float64, len(x.hot))
			for k := range even {
				even[k] = 1 / float64(len(even))
			}
			x.take(even, leastBits)
		}
		low := x.scan()
		if low > x.margin() {
			return true, low
		}
		if value <= 0 && low > 1.15*value-1e-5 {
			return false, value
		}
		if !x.enterWorst(value) {
			return value > 0 && x.finely(), value
		}
	}
	return false, value
}

// finely reports whether the multipliers of the game close the box but for their
// rounding, and takes them so.
func (x *space) finely() bool {
	x.take(x.g.x[:x.g.n], mostBits)
	return x.scan() > x.margin()
}

// mostEntered is how many vertices join the pool at a time.
const mostEntered = 10

// enterWorst adds the worst vertices below a value, one a block; false when none is new.
func (x *space) enterWorst(value float64) (any bool) {
	for range mostEntered {
		worst := -1
		for b, v := range x.block {
			if v < value-gameTol && (worst < 0 || v < x.block[worst]) {
				worst = b
			}
		}
		if worst < 0 {
			return any
		}
		v := x.find(worst)
		x.block[worst] = math.Inf(1)
		if x.seen[v] == x.stamp {
			continue
		}
		x.enter(v)
		any = true
	}
	return any
}

// poolSize is how many vertices are kept from one game to the next.
const poolSize = 90

// trim keeps the vertices of least slack at the saved vertex of the game.
func (x *space) trim() {
	g := &x.g
	if g.count <= poolSize+20 {
		return
	}
	g.load(&x.best)
	limit := kth(append([]float64(nil), g.slack[:g.count]...), poolSize)
	n := 0
	x.stamp++
	for r := range g.count {
		if g.slack[r] <= limit || g.place[r] >= 0 {
			if k := g.place[r]; k >= 0 {
				x.best.active[k] = g.n + n
			}
			g.vertex[n] = g.vertex[r]
			x.seen[g.vertex[n]] = x.stamp
			n++
		}
	}
	g.count, g.fresh = n, false // until the rows are read again
}
