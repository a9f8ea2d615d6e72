package guess

import "math"

// Sparse is a sparse system (I - γP) v = c that is solved by restarted GMRES,
// preconditioned by a Gauss-Seidel sweep forwards and one backwards: a walk that goes one way
// is then known at once, whichever way its states are numbered. Where that does not arrive, as in walks that go
// there and back for long, it is eliminated, if no state leads far from its own number. What it finds is a guess:
// whoever uses it looks at the residual.
type Sparse struct {
	n        int         // states
	ptr, col []int32     // row s is val[ptr[s]:ptr[s+1]], at columns col
	val      []float64   // γP, the diagonal in it
	diagonal []float64   // 1 - γP(s,s)
	c        []float64   // right side
	basis    [][]float64 // orthonormal, one vector a step since the restart
	r, z     []float64   // residual, and work
	gamma    float64     // discount
	taken    float64     // probability of the action at hand
	right    float64     // right side of the row to come
	best     float64     // least residual that Improve began with
	band     []float64   // factors of the system, where it was eliminated, by row from column s - wide on
	wide     int         // how far from the diagonal its entries are, at most
	known    []bool      // with band, by state: its row has nothing off the diagonal: where play ends, which many lead to from afar
	afar     []entry     // with band: the entries in the columns of these, over their diagonals
	banded   bool        // it was
	failed   int         // how often Improve did not halve it
	more     func() bool // asked every few vectors
	Left     bool        // more said no: v is as it was then
}

// entry is one of a matrix.
type entry struct {
	s, c int     // row and column
	x    float64 // its value
}

const ulp = 0x1p-52

// cycle is the number of vectors between restarts.
const cycle = 40

// NewSparse is a system of n states; more is asked every few vectors, and when it says no
// Left is set and v stays as it was then.
func NewSparse(n int, more func() bool) *Sparse {
	k := &Sparse{n: n, more: more, best: math.Inf(1), ptr: make([]int32, 1, n+1), diagonal: make([]float64, n), c: make([]float64, n), r: make([]float64, n), z: make([]float64, n)}
	for range cycle + 1 {
		k.basis = append(k.basis, make([]float64, n))
	}
	return k
}

// Begin starts the system anew, with γ.
func (k *Sparse) Begin(gamma float64) {
	k.ptr, k.col, k.val, k.gamma, k.right, k.banded = k.ptr[:1], k.col[:0], k.val[:0], gamma, 0, false
}

// Take begins what an action taken with a probability costs and leads to.
func (k *Sparse) Take(probability, cost float64) {
	k.taken = probability
	k.right += probability * cost
}

// Lead leads it to state t with probability p, which costs c besides.
func (k *Sparse) Lead(t int, p, c float64) {
	k.add(t, k.taken*k.gamma*p)
	k.right += k.taken * p * c
}

// Pay takes from its cost what nature pays for it, PayLater what it pays at the next step.
func (k *Sparse) Pay(x float64)      { k.right -= k.taken * x }
func (k *Sparse) PayLater(x float64) { k.right -= k.taken * k.gamma * x }

// add adds x to γP(s, t) of the row s that Row ends next.
func (k *Sparse) add(t int, x float64) {
	if x != 0 {
		k.col, k.val = append(k.col, int32(t)), append(k.val, x)
	}
}

// Row ends row s.
func (k *Sparse) Row(s int) {
	d := 1.0
	for e := int(k.ptr[s]); e < len(k.col); e++ {
		if int(k.col[e]) == s {
			d -= k.val[e]
		}
	}
	k.diagonal[s], k.c[s], k.right = d, k.right, 0
	k.ptr = append(k.ptr, int32(len(k.col)))
}

func (k *Sparse) apply(dst, x []float64) {
	for s := range dst {
		t := x[s]
		for e := k.ptr[s]; e < k.ptr[s+1]; e++ {
			t -= k.val[e] * x[k.col[e]]
		}
		dst[s] = t
	}
}

// sweep solves with the lower triangle, the diagonal and the upper triangle, (D-L) D⁻¹ (D-U).
func (k *Sparse) sweep(dst, x []float64) {
	for s := range dst {
		t := x[s]
		for e := k.ptr[s]; e < k.ptr[s+1]; e++ {
			if c := int(k.col[e]); c < s {
				t += k.val[e] * dst[c]
			}
		}
		dst[s] = t / k.diagonal[s]
	}
	for s := len(dst) - 1; s >= 0; s-- {
		t := 0.0
		for e := k.ptr[s]; e < k.ptr[s+1]; e++ {
			if c := int(k.col[e]); c > s {
				t += k.val[e] * dst[c]
			}
		}
		dst[s] += t / k.diagonal[s]
	}
}

// solve improves v, to a share of its residual or as far as rounding goes, and
// returns that residual, in the largest entry, and what rounding may make it.
func (k *Sparse) solve(v []float64, share float64) (before, floor float64) {
	size, least := 0.0, math.Inf(1)
	for round := range 40 {
		k.apply(k.r, v)
		res := 0.0
		for s, y := range k.r {
			k.r[s] = k.c[s] - y
			res = max(res, math.Abs(k.r[s]))
			size = max(size, math.Abs(v[s]), math.Abs(k.c[s]))
		}
		if round == 0 {
			before = res
		}
		if floor = 4 * ulp * size; k.Left || res <= max(floor, share*before) && round > 0 {
			break
		}
		switch {
		case res < .9*least && !k.banded:
			k.restart(v, norm(k.r))
		case !(res < .9*least) && (k.banded || !k.eliminate()):
			return before, floor
		default:
			k.correct(v)
		}
		least = res
	}
	return before, floor
}

// Improve solves for v, roughly where the system depends on it and comes again, and reports
// whether that is worth while: as long as its first residual falls, with a few exceptions.
func (k *Sparse) Improve(v []float64, again bool) bool {
	share := 0.0
	if again {
		share = 1e-3
	}
	res, floor := k.solve(v, share)
	if !again || res <= 2*floor {
		return false
	}
	if !(res < k.best/2) {
		k.failed++
	}
	k.best = min(k.best, res)
	return k.failed <= 5
}

// mostBand is the largest number of entries of a system that is eliminated.
const mostBand = 1 << 22

// eliminate makes the factors of the system within its band, without pivots, as its rows are dominated by their
// diagonals; false where that is too much, or more said no.
func (k *Sparse) eliminate() bool {
	k.known = append(k.known[:0], make([]bool, k.n)...)
	for s := range k.n {
		k.known[s] = true
		k.outside(s, func(int, float64) { k.known[s] = false })
	}
	k.wide, k.afar = 0, k.afar[:0]
	for s := range k.n {
		k.outside(s, func(c int, x float64) {
			if k.known[c] {
				k.afar = append(k.afar, entry{s, c, x / k.diagonal[c]})
			} else {
				k.wide = max(k.wide, s-c, c-s)
			}
		})
	}
	w := 2*k.wide + 1
	if k.n*w > mostBand {
		return false
	}
	k.band = append(k.band[:0], make([]float64, k.n*w)...)
	for s := range k.n {
		row := k.band[s*w : (s+1)*w]
		k.outside(s, func(c int, x float64) {
			if !k.known[c] {
				row[c-s+k.wide] -= x
			}
		})
		row[k.wide] = k.diagonal[s]
		for c := max(0, s-k.wide); c < s; c++ {
			above := k.band[c*w : (c+1)*w]
			f := row[c-s+k.wide] / above[k.wide]
			if row[c-s+k.wide] = f; f == 0 {
				continue
			}
			to := row[c-s+k.wide+1:][:k.wide]
			for j, y := range above[k.wide+1:] {
				to[j] -= f * y
			}
		}
		if s*w*k.wide>>20 != (s+1)*w*k.wide>>20 && !k.more() {
			k.Left = true
			return false
		}
	}
	k.banded = true
	return true
}

// outside visits the entries of row s off the diagonal.
func (k *Sparse) outside(s int, visit func(c int, x float64)) {
	for e := k.ptr[s]; e < k.ptr[s+1]; e++ {
		if c := int(k.col[e]); c != s && k.val[e] != 0 {
			visit(c, k.val[e])
		}
	}
}

// correct adds to v what the factors say that its residual leaves out.
func (k *Sparse) correct(v []float64) {
	w, x := 2*k.wide+1, k.r
	for _, e := range k.afar { // rows that are known have none
		x[e.s] += e.x * x[e.c]
	}
	for s := range x {
		for c := max(0, s-k.wide); c < s; c++ {
			x[s] -= k.band[s*w+c-s+k.wide] * x[c]
		}
	}
	for s := k.n - 1; s >= 0; s-- {
		for c := s + 1; c <= min(k.n-1, s+k.wide); c++ {
			x[s] -= k.band[s*w+c-s+k.wide] * x[c]
		}
		x[s] /= k.band[s*w+k.wide]
		v[s] += x[s]
	}
}

// Sum adds up two lists.
func Sum(a, b []float64) []float64 {
	c := make([]float64, len(a))
	for j := range c {
		c[j] = a[j] + b[j]
	}
	return c
}

// restart adds to v the best correction of one cycle.
func (k *Sparse) restart(v []float64, length float64) {
	var h [cycle + 1][cycle]float64
	var cos, sin [cycle]float64
	var g [cycle + 1]float64
	g[0] = length
	for s, y := range k.r {
		k.basis[0][s] = y / length
	}
	m := 0
	for m < cycle {
		w := k.basis[m+1]
		k.sweep(k.z, k.basis[m])
		k.apply(w, k.z)
		whole := norm(w)
		for j := 0; j <= m; j++ {
			t := 0.0
			for s, y := range w {
				t += y * k.basis[j][s]
			}
			for s, y := range k.basis[j] {
				w[s] -= t * y
			}
			h[j][m] = t
		}
		rest := norm(w)
		if rest <= 16*ulp*whole { // only rounding is left
			rest = 0
		}
		for j := range m {
			h[j][m], h[j+1][m] = cos[j]*h[j][m]+sin[j]*h[j+1][m], cos[j]*h[j+1][m]-sin[j]*h[j][m]
		}
		d := math.Hypot(h[m][m], rest)
		if !(d > 0) {
			break
		}
		cos[m], sin[m] = h[m][m]/d, rest/d
		h[m][m] = d
		g[m], g[m+1] = cos[m]*g[m], -sin[m]*g[m]
		m++
		if !(rest > 0) || math.Abs(g[m]) <= ulp*length {
			break
		}
		for s := range w {
			w[s] /= rest
		}
		if m%4 == 0 && !k.more() {
			k.Left = true
			return
		}
	}
	for j := m - 1; j >= 0; j-- {
		for l := j + 1; l < m; l++ {
			g[j] -= h[j][l] * g[l]
		}
		g[j] /= h[j][j]
	}
	clear(k.r)
	for j := range m {
		for s, y := range k.basis[j] {
			k.r[s] += g[j] * y
		}
	}
	k.sweep(k.z, k.r)
	for s, y := range k.z {
		v[s] += y
	}
}

// norm is the Euclidean length.
func norm(x []float64) float64 {
	t := 0.0
	for _, y := range x {
		t += y * y
	}
	return math.Sqrt(t)
}
