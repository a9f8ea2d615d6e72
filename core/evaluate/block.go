package evaluate

import (
	"math"

	"rcmdplab/core/vector"
)

// block evaluates a finite set with small S. It computes exactly what finite
// does; finite is its plain twin and the tests hold the two against each other.
//
// What is different is the shape of the loops, because Go's wasm back end pays
// 2-3 ns for every loop back-edge and cannot vectorise: matrices are stored as
// rows of eight, and the innermost work on a row of eight is straight-line code
// on eight local variables. Three ideas do the rest:
//
//   - Row i of I - γP^π is never stored: it is summed from the rows of P into
//     the eight locals, eliminated there against the rows above (no pivoting:
//     the matrix is strictly row diagonally dominant), and written once. Pivots
//     are sums, as in System.
//   - μ is eliminated as one more row. What is left of it is y = μᵀU⁻¹, so the
//     occupancy measure d = (I - γP^π)⁻ᵀ μ needs only dᵀL = yᵀ.
//   - One function per kernel and evaluation, so that nothing is called inside.
type block struct {
	finite // policy, returns, worst kernels; its plain systems stay empty

	nb    int      // blocks of eight in a row of S numbers
	p     []octet  // [(kernel*pairs+i)*nb+b] transition rows
	up    []octet  // [(kernel*(S+1)+i)*nb+b] U, its diagonal and above
	low   []octet  // same shape: L below its unit diagonal; row S is y
	inv   []octet  // [kernel*nb+b] reciprocal diagonal of U
	dd    []octet  // [kernel*nb+b] unnormalised occupancy measure
	mu    []octet  // [nb]
	unit  [9]octet // unit rows, and a zero row
	slots int      // most actions of a state
	c     []octet  // [((set*(N+1)+n)*slots+j)*nb+b] cost of the state's j-th action
	sets  int      // 1, or one per kernel when costs depend on the next state
	pit   []octet  // [j*nb+b] π of the state's j-th action
	cp    []octet  // [n*nb+b] c^π of the cost set last used
	vv    []octet  // [nb] values
	from  []int    // rows of P mixed into a row of P^π: offsets into p, from kernel 0
	wgt   []float64
	end   []int // entries of state s in from and wgt: s*stride .. end[s]
	strd  int
	over  []octet   // [nb] of the kernel being eliminated: what is left of the row sums 1-γ
	signs []int     // by cost: 1 or -1 where no one-step cost is of the other sign
	most  []float64 // by cost: the error of a return whatever the policy
}

type octet = vector.Octet

// wide is from how many octets of rows above on their elimination is called for
// instead of being done in place.
const wide = 2

// blockStates is the most states block is used for. Its work grows as S³ like
// that of any dense elimination; above this the general path takes over.
const blockStates = 128

func newBlock(f *finite) *block {
	m := f.m
	s, n1, k := m.S, m.N+1, len(m.Kernels)
	w := &block{finite: *f, nb: (s + 7) / 8, sets: 1}
	nb := w.nb
	for st := range s {
		w.slots = max(w.slots, m.Off[st+1]-m.Off[st])
	}
	for n := range n1 {
		if m.CNext[n] != nil {
			w.sets = k
		}
	}
	w.p = make([]octet, k*m.Pairs()*nb)
	for q, ker := range m.Kernels {
		for i := range m.Pairs() {
			next, prob := ker.Row(i)
			for j, t := range next {
				w.p[(q*m.Pairs()+i)*nb+t/8][t%8] = prob[j]
			}
		}
	}
	w.up, w.low = make([]octet, k*(s+1)*nb), make([]octet, k*(s+1)*nb)
	w.inv, w.dd = make([]octet, k*nb), make([]octet, k*nb)
	w.mu, w.vv = make([]octet, nb), make([]octet, nb)
	for st, x := range m.Mu {
		w.mu[st/8][st%8] = x
	}
	for i := range 8 {
		w.unit[i][i] = 1
	}
	w.c = make([]octet, w.sets*n1*w.slots*nb)
	for set := range w.sets {
		for n := range n1 {
			for i, x := range f.expCost[set*n1+n] {
				st := m.State[i]
				w.c[((set*n1+n)*w.slots+i-m.Off[st])*nb+st/8][st%8] = x
			}
		}
	}
	w.pit, w.cp = make([]octet, w.slots*nb), make([]octet, n1*nb)
	w.strd = w.slots + w.slots&1
	w.from, w.wgt = make([]int, s*w.strd), make([]float64, s*w.strd)
	w.end = make([]int, s)
	w.over = make([]octet, nb)
	w.signs, w.most = make([]int, n1), make([]float64, n1)
	for n := range n1 {
		lo, hi := m.Bounds(n)
		w.most[n] = (&System{s: s, gamma: m.Gamma, rest: m.Rest}).ReturnError(max(-lo, hi))
		switch {
		case lo >= 0:
			w.signs[n] = 1
		case hi <= 0:
			w.signs[n] = -1
		}
	}
	return w
}

func (w *block) evaluate(pi []float64) {
	m, n1, nb := w.m, w.m.N+1, w.nb
	copy(w.pi, pi)
	w.load()
	jj, arg := w.e.J[:n1], w.arg[:n1]
	clear(w.e.ErrorBound)
	for k := range m.Kernels {
		if k < w.sets {
			w.costs(k)
		}
		w.factor(k)
		ret := w.ret[k*n1 : (k+1)*n1]
		dots(ret, w.cp, w.dd[k*nb:(k+1)*nb])
		w.errors(k)
		if k == 0 {
			copy(jj, ret)
			clear(arg)
			continue
		}
		for n, j := range ret {
			if j > jj[n] {
				jj[n], arg[n] = j, k
			}
		}
	}
}

// errors raises ErrorBound to that of the returns of kernel k: see
// System.PolicyError.
func (w *block) errors(k int) {
	share, n1 := entrywise(w.m.S), w.m.N+1
	for n, sign := range w.signs {
		size := float64(sign) * w.ret[k*n1+n]
		if sign == 0 {
			for b := range w.nb {
				c, d := &w.cp[n*w.nb+b], &w.dd[k*w.nb+b]
				for i, x := range d {
					size += x * math.Abs(c[i])
				}
			}
		}
		w.e.ErrorBound[n] = max(w.e.ErrorBound[n], min(share*size, w.most[n]))
	}
}

// load derives from the policy the tables that the kernels share: the policy
// by action slot, and for each state the rows of P to mix, with weights -γπ,
// rows of weight 0 left out and the list padded to even length.
func (w *block) load() {
	m, nb := w.m, w.nb
	for st := range m.S {
		a, b := m.Off[st], m.Off[st+1]
		t, at := st&7, st>>3
		c := st * w.strd
		for _, x := range w.pi[a:b] {
			w.pit[at][t] = x
			at += nb
			if x != 0 {
				w.from[c], w.wgt[c] = a*nb, -m.Gamma*x
				c++
			}
			a++
		}
		if (c-st*w.strd)&1 != 0 {
			w.from[c], w.wgt[c] = 0, 0
			c++
		}
		w.end[st] = c
	}
}

// costs sums c^π of every cost from the tables of one cost set.
func (w *block) costs(set int) {
	n1, nb, sl := w.m.N+1, w.nb, w.slots*w.nb
	all := w.c[set*n1*sl : (set+1)*n1*sl]
	for n := range n1 {
		c := all[n*sl : (n+1)*sl]
		pit := w.pit[:len(c)]
		for b := range nb {
			var r0, r1, r2, r3, r4, r5, r6, r7 float64
			for o := b; o < len(c); o += nb {
				x, y := &pit[o], &c[o]
				r0 += x[0] * y[0]
				r1 += x[1] * y[1]
				r2 += x[2] * y[2]
				r3 += x[3] * y[3]
				r4 += x[4] * y[4]
				r5 += x[5] * y[5]
				r6 += x[6] * y[6]
				r7 += x[7] * y[7]
			}
			z := &w.cp[n*nb+b]
			z[0], z[1], z[2], z[3], z[4], z[5], z[6], z[7] = r0, r1, r2, r3, r4, r5, r6, r7
		}
	}
}

// factor eliminates I - γP^π of kernel k and solves for its occupancy measure.
func (w *block) factor(k int) {
	s, nb := w.m.S, w.nb
	up := w.up[k*(s+1)*nb : (k+1)*(s+1)*nb]
	low := w.low[k*(s+1)*nb : (k+1)*(s+1)*nb]
	inv := w.inv[k*nb : (k+1)*nb]
	pk := w.p[k*w.m.Pairs()*nb : (k+1)*w.m.Pairs()*nb]
	for i := 0; i <= s; i++ {
		l := low[i*nb : (i+1)*nb]
		var from []int
		var wgt []float64
		if i < s {
			from, wgt = w.from[i*w.strd:w.end[i]], w.wgt[i*w.strd:w.end[i]]
		}
		for b := range l {
			start := &w.unit[8]
			if i == s {
				start = &w.mu[b]
			} else if i>>3 == b {
				start = &w.unit[i&7]
			}
			r0, r1, r2, r3, r4, r5, r6, r7 := start[0], start[1], start[2], start[3], start[4], start[5], start[6], start[7]
			for j := 0; j+1 < len(from); j += 2 {
				g, h := wgt[j], wgt[j+1]
				u, v := &pk[from[j]+b], &pk[from[j+1]+b]
				r0 += g*u[0] + h*v[0]
				r1 += g*u[1] + h*v[1]
				r2 += g*u[2] + h*v[2]
				r3 += g*u[3] + h*v[3]
				r4 += g*u[4] + h*v[4]
				r5 += g*u[5] + h*v[5]
				r6 += g*u[6] + h*v[6]
				r7 += g*u[7] + h*v[7]
			}
			o, c := b, 0
			if above := min(b, (i+7)>>3); above >= wide {
				r := octet{r0, r1, r2, r3, r4, r5, r6, r7}
				vector.EliminateOctets(&r, up[b:], nb, l[:above])
				r0, r1, r2, r3, r4, r5, r6, r7 = r[0], r[1], r[2], r[3], r[4], r[5], r[6], r[7]
				o, c = b+8*above*nb, above
			}
			for ; c < b && 8*c < i; c++ {
				lc := &l[c]
				for j := 0; j < 8; j += 2 {
					g, h := lc[j], lc[j+1]
					u, v := &up[o], &up[o+nb]
					o += 2 * nb
					r0 -= g*u[0] + h*v[0]
					r1 -= g*u[1] + h*v[1]
					r2 -= g*u[2] + h*v[2]
					r3 -= g*u[3] + h*v[3]
					r4 -= g*u[4] + h*v[4]
					r5 -= g*u[5] + h*v[5]
					r6 -= g*u[6] + h*v[6]
					r7 -= g*u[7] + h*v[7]
				}
			}
			// The columns of this block left of the diagonal, one after the other.
			for n := i - 8*b; n > 0; n = 0 {
				in, lb := &inv[b], &l[b]
				r0 *= in[0]
				lb[0] = r0
				u := &up[o]
				r1 -= r0 * u[1]
				r2 -= r0 * u[2]
				r3 -= r0 * u[3]
				r4 -= r0 * u[4]
				r5 -= r0 * u[5]
				r6 -= r0 * u[6]
				r7 -= r0 * u[7]
				if n == 1 {
					break
				}
				o += nb
				r1 *= in[1]
				lb[1] = r1
				u = &up[o]
				r2 -= r1 * u[2]
				r3 -= r1 * u[3]
				r4 -= r1 * u[4]
				r5 -= r1 * u[5]
				r6 -= r1 * u[6]
				r7 -= r1 * u[7]
				if n == 2 {
					break
				}
				o += nb
				r2 *= in[2]
				lb[2] = r2
				u = &up[o]
				r3 -= r2 * u[3]
				r4 -= r2 * u[4]
				r5 -= r2 * u[5]
				r6 -= r2 * u[6]
				r7 -= r2 * u[7]
				if n == 3 {
					break
				}
				o += nb
				r3 *= in[3]
				lb[3] = r3
				u = &up[o]
				r4 -= r3 * u[4]
				r5 -= r3 * u[5]
				r6 -= r3 * u[6]
				r7 -= r3 * u[7]
				if n == 4 {
					break
				}
				o += nb
				r4 *= in[4]
				lb[4] = r4
				u = &up[o]
				r5 -= r4 * u[5]
				r6 -= r4 * u[6]
				r7 -= r4 * u[7]
				if n == 5 {
					break
				}
				o += nb
				r5 *= in[5]
				lb[5] = r5
				u = &up[o]
				r6 -= r5 * u[6]
				r7 -= r5 * u[7]
				if n == 6 {
					break
				}
				o += nb
				r6 *= in[6]
				lb[6] = r6
				u = &up[o]
				r7 -= r6 * u[7]
				if n == 7 {
					break
				}
				o += nb
				r7 *= in[7]
				lb[7] = r7
			}
			x := &up[i*nb+b]
			x[0], x[1], x[2], x[3], x[4], x[5], x[6], x[7] = r0, r1, r2, r3, r4, r5, r6, r7
		}
		if i < s { // the pivot, as a sum
			over := w.m.Rest
			for c := 0; 8*c < i; c++ {
				x, z := &l[c], &w.over[c]
				over -= (x[0]*z[0] + x[1]*z[1]) + (x[2]*z[2] + x[3]*z[3]) + ((x[4]*z[4] + x[5]*z[5]) + (x[6]*z[6] + x[7]*z[7]))
			}
			c, j := i>>3, i&7
			z := &up[i*nb+c]
			pivot := over
			for _, x := range z[j+1:] {
				pivot -= x
			}
			for o := i*nb + c + 1; o < (i+1)*nb; o++ {
				x := &up[o]
				pivot -= (x[0] + x[1]) + (x[2] + x[3]) + ((x[4] + x[5]) + (x[6] + x[7]))
			}
			w.over[c][j], z[j], inv[c][j] = over, pivot, 1/pivot
		}
	}

	// dᵀL = yᵀ from the last block to the first.
	y, d := low[s*nb:], w.dd[k*nb:(k+1)*nb]
	for b := nb - 1; b >= 0; b-- {
		x := &y[b]
		r0, r1, r2, r3, r4, r5, r6, r7 := x[0], x[1], x[2], x[3], x[4], x[5], x[6], x[7]
		for i, o := 8*b+8, (8*b+8)*nb+b; i < s; i++ {
			t, u := d[i>>3][i&7], &low[o]
			o += nb
			r0 -= t * u[0]
			r1 -= t * u[1]
			r2 -= t * u[2]
			r3 -= t * u[3]
			r4 -= t * u[4]
			r5 -= t * u[5]
			r6 -= t * u[6]
			r7 -= t * u[7]
		}
		o := 8*b*nb + b
		var u *octet
		switch n := s - 8*b; {
		case n >= 8:
			u = &low[o+7*nb]
			r0 -= r7 * u[0]
			r1 -= r7 * u[1]
			r2 -= r7 * u[2]
			r3 -= r7 * u[3]
			r4 -= r7 * u[4]
			r5 -= r7 * u[5]
			r6 -= r7 * u[6]
			fallthrough
		case n == 7:
			u = &low[o+6*nb]
			r0 -= r6 * u[0]
			r1 -= r6 * u[1]
			r2 -= r6 * u[2]
			r3 -= r6 * u[3]
			r4 -= r6 * u[4]
			r5 -= r6 * u[5]
			fallthrough
		case n == 6:
			u = &low[o+5*nb]
			r0 -= r5 * u[0]
			r1 -= r5 * u[1]
			r2 -= r5 * u[2]
			r3 -= r5 * u[3]
			r4 -= r5 * u[4]
			fallthrough
		case n == 5:
			u = &low[o+4*nb]
			r0 -= r4 * u[0]
			r1 -= r4 * u[1]
			r2 -= r4 * u[2]
			r3 -= r4 * u[3]
			fallthrough
		case n == 4:
			u = &low[o+3*nb]
			r0 -= r3 * u[0]
			r1 -= r3 * u[1]
			r2 -= r3 * u[2]
			fallthrough
		case n == 3:
			u = &low[o+2*nb]
			r0 -= r2 * u[0]
			r1 -= r2 * u[1]
			fallthrough
		case n == 2:
			u = &low[o+nb]
			r0 -= r1 * u[0]
		}
		z := &d[b]
		z[0], z[1], z[2], z[3], z[4], z[5], z[6], z[7] = r0, r1, r2, r3, r4, r5, r6, r7
	}
}

// dots writes out[i] = ⟨row i, x⟩ for rows of len(x) octets.
func dots(out []float64, rows, x []octet) {
	nb := len(x)
	for b := range x {
		t := &x[b]
		t0, t1, t2, t3, t4, t5, t6, t7 := t[0], t[1], t[2], t[3], t[4], t[5], t[6], t[7]
		o := b
		if b == 0 {
			for i := range out {
				p := &rows[o]
				o += nb
				out[i] = (p[0]*t0 + p[1]*t1) + (p[2]*t2 + p[3]*t3) + ((p[4]*t4 + p[5]*t5) + (p[6]*t6 + p[7]*t7))
			}
			continue
		}
		for i := range out {
			p := &rows[o]
			o += nb
			out[i] += (p[0]*t0 + p[1]*t1) + (p[2]*t2 + p[3]*t3) + ((p[4]*t4 + p[5]*t5) + (p[6]*t6 + p[7]*t7))
		}
	}
}

// solve makes w.vv the values of piece p: L(Uv) = c^π. Entries of v not yet
// known are zero, so whole rows can be multiplied.
func (w *block) solve(p int) {
	s, nb, n1 := w.m.S, w.nb, w.m.N+1
	k, n := p/n1, p%n1
	if w.sets > 1 && k != w.sets-1 {
		w.costs(k)
	}
	cp := w.cp[n*nb : (n+1)*nb]
	v := w.vv
	clear(v)
	low, up := w.low[k*(s+1)*nb:], w.up[k*(s+1)*nb:]
	for i := range s {
		t := cp[i>>3][i&7]
		o := i * nb
		for b := 0; b <= i>>3; b++ {
			x, y := &low[o+b], &v[b]
			t -= (x[0]*y[0] + x[1]*y[1]) + (x[2]*y[2] + x[3]*y[3]) + ((x[4]*y[4] + x[5]*y[5]) + (x[6]*y[6] + x[7]*y[7]))
		}
		v[i>>3][i&7] = t
	}
	for i := s - 1; i >= 0; i-- {
		z := &v[i>>3]
		t := z[i&7]
		z[i&7] = 0
		o := i * nb
		for b := nb - 1; b > i>>3; b-- {
			x, y := &up[o+b], &v[b]
			t -= (x[0]*y[0] + x[1]*y[1]) + (x[2]*y[2] + x[3]*y[3]) + ((x[4]*y[4] + x[5]*y[5]) + (x[6]*y[6] + x[7]*y[7]))
		}
		x := &up[o+i>>3]
		for j := i&7 + 1; j < 8; j++ {
			t -= x[j] * z[j]
		}
		z[i&7] = t * w.inv[k*nb+i>>3][i&7]
	}
	if w.sets > 1 && k != w.sets-1 {
		w.costs(w.sets - 1)
	}
}

func (w *block) gradient(dst []float64, p int) {
	w.action(dst, p)
	d := w.dd[p/(w.m.N+1)*w.nb:]
	for st := range w.m.S {
		t := d[st>>3][st&7]
		row := dst[w.m.Off[st]:w.m.Off[st+1]]
		for i := range row {
			row[i] *= t
		}
	}
}

func (w *block) occupancy(dst []float64, p int) {
	d := w.dd[p/(w.m.N+1)*w.nb:]
	for st := range dst {
		dst[st] = d[st>>3][st&7] / w.m.H
	}
}

func (w *block) value(dst []float64, p int) {
	w.solve(p)
	for st := range dst {
		dst[st] = w.vv[st>>3][st&7]
	}
}

func (w *block) action(dst []float64, p int) {
	w.solve(p)
	n, g := w.m.Pairs()*w.nb, w.m.Gamma
	k := p / (w.m.N + 1)
	dots(dst, w.p[k*n:(k+1)*n], w.vv)
	c := w.expCost[p][:len(dst)]
	for i, x := range dst {
		dst[i] = c[i] + g*x
	}
}
