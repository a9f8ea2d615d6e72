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
//   - Nothing is called inside but once a row: a call costs as much as a block.
type block struct {
	finite // policy, returns, worst kernels; its plain systems stay empty

	nb    int       // blocks of eight in a row of S numbers
	p     []octet   // [(kernel*pairs+i)*nb+b] transition rows
	up    []octet   // [(kernel*(S+1)+i)*nb+b] U, its diagonal and above
	low   []octet   // same shape: L below its unit diagonal; row S is y
	inv   []octet   // [kernel*nb+b] reciprocal diagonal of U
	dd    []octet   // [kernel*nb+b] unnormalised occupancy measure
	mu    []octet   // [nb]
	unit  [9]octet  // unit rows, and a zero row
	slots int       // most actions of a state
	c     []octet   // [((set*(N+1)+n)*slots+j)*nb+b] cost of the state's j-th action
	sets  int       // 1, or one per kernel when costs depend on the next state
	pit   []octet   // [j*nb+b] π of the state's j-th action
	cp    []octet   // [n*nb+b] c^π of the cost set last used
	vv    []octet   // [nb] values
	from  []int     // rows of P mixed into a row of P^π: offsets into p, from kernel 0
	wgt   []float64 // their shares, π of the pairs they are of
	end   []int     // entries of state s in from and wgt: s*strd .. end[s]
	strd  int       // slots, rounded up to an even number
	over  []octet   // [nb] of the kernel being eliminated: what is left of the row sums 1-γ
	signs []int     // by cost: 1 or -1 where no one-step cost is of the other sign
	most  []float64 // by cost: the error of a return whatever the policy
}

type octet = vector.Octet

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
		w.occupy(k)
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
// System.policyError.
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
