package evaluate

import "rcmdplab/core/vector"

// wide is from how many octets of rows above on their elimination is called for
// instead of being done in place.
const wide = 2

// factor eliminates I - γP^π of kernel k, and μ as row S of it.
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
				r0, r1, r2, r3 = r0+(g*u[0]+h*v[0]), r1+(g*u[1]+h*v[1]), r2+(g*u[2]+h*v[2]), r3+(g*u[3]+h*v[3])
				r4, r5, r6, r7 = r4+(g*u[4]+h*v[4]), r5+(g*u[5]+h*v[5]), r6+(g*u[6]+h*v[6]), r7+(g*u[7]+h*v[7])
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
					r0, r1, r2, r3 = r0-(g*u[0]+h*v[0]), r1-(g*u[1]+h*v[1]), r2-(g*u[2]+h*v[2]), r3-(g*u[3]+h*v[3])
					r4, r5, r6, r7 = r4-(g*u[4]+h*v[4]), r5-(g*u[5]+h*v[5]), r6-(g*u[6]+h*v[6]), r7-(g*u[7]+h*v[7])
				}
			}
			// The columns of this block left of the diagonal, one after the other.
			for n := i - 8*b; n > 0; n = 0 {
				in, lb := &inv[b], &l[b]
				r0 *= in[0]
				u := &up[o]
				lb[0] = r0
				r1, r2, r3, r4, r5, r6, r7 = r1-r0*u[1], r2-r0*u[2], r3-r0*u[3], r4-r0*u[4], r5-r0*u[5], r6-r0*u[6], r7-r0*u[7]
				if n == 1 {
					break
				}
				o += nb
				r1 *= in[1]
				u, lb[1] = &up[o], r1
				r2, r3, r4, r5, r6, r7 = r2-r1*u[2], r3-r1*u[3], r4-r1*u[4], r5-r1*u[5], r6-r1*u[6], r7-r1*u[7]
				if n == 2 {
					break
				}
				o += nb
				r2 *= in[2]
				u, lb[2] = &up[o], r2
				r3, r4, r5, r6, r7 = r3-r2*u[3], r4-r2*u[4], r5-r2*u[5], r6-r2*u[6], r7-r2*u[7]
				if n == 3 {
					break
				}
				o += nb
				r3 *= in[3]
				u, lb[3] = &up[o], r3
				r4, r5, r6, r7 = r4-r3*u[4], r5-r3*u[5], r6-r3*u[6], r7-r3*u[7]
				if n == 4 {
					break
				}
				o += nb
				r4 *= in[4]
				u, lb[4] = &up[o], r4
				r5, r6, r7 = r5-r4*u[5], r6-r4*u[6], r7-r4*u[7]
				if n == 5 {
					break
				}
				o += nb
				r5 *= in[5]
				u, lb[5] = &up[o], r5
				r6, r7 = r6-r5*u[6], r7-r5*u[7]
				if n == 6 {
					break
				}
				o += nb
				r6 *= in[6]
				u, lb[6] = &up[o], r6
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
		if i < s {
			w.pivot(i, l, up[i*nb:(i+1)*nb], inv)
		}
	}
}

// pivot makes the diagonal entry of row i, whose L is l and whose U is z, as a
// sum: what row i's elimination leaves of 1-γ, less the entries to the right.
func (w *block) pivot(i int, l, z, inv []octet) {
	over := w.m.Rest
	for c := 0; 8*c < i; c++ {
		x, y := &l[c], &w.over[c]
		over -= (x[0]*y[0] + x[1]*y[1]) + (x[2]*y[2] + x[3]*y[3]) + ((x[4]*y[4] + x[5]*y[5]) + (x[6]*y[6] + x[7]*y[7]))
	}
	c, j := i>>3, i&7
	own := &z[c]
	pivot := over
	for _, x := range own[j+1:] {
		pivot -= x
	}
	for o := c + 1; o < len(z); o++ {
		x := &z[o]
		pivot -= (x[0] + x[1]) + (x[2] + x[3]) + ((x[4] + x[5]) + (x[6] + x[7]))
	}
	w.over[c][j], own[j], inv[c][j] = over, pivot, 1/pivot
}

// occupy solves dᵀL = yᵀ for the occupancy measure of kernel k, which is
// factored, from the last block to the first.
func (w *block) occupy(k int) {
	s, nb := w.m.S, w.nb
	low := w.low[k*(s+1)*nb : (k+1)*(s+1)*nb]
	y, d := low[s*nb:], w.dd[k*nb:(k+1)*nb]
	for b := nb - 1; b >= 0; b-- {
		x := &y[b]
		r0, r1, r2, r3, r4, r5, r6, r7 := x[0], x[1], x[2], x[3], x[4], x[5], x[6], x[7]
		for i, o := 8*b+8, (8*b+8)*nb+b; i < s; i++ {
			t, u := d[i>>3][i&7], &low[o]
			o += nb
			r0, r1, r2, r3, r4, r5, r6, r7 = r0-t*u[0], r1-t*u[1], r2-t*u[2], r3-t*u[3], r4-t*u[4], r5-t*u[5], r6-t*u[6], r7-t*u[7]
		}
		o := 8*b*nb + b
		var u *octet
		switch n := s - 8*b; {
		case n >= 8:
			u = &low[o+7*nb]
			r0, r1, r2, r3, r4, r5, r6 = r0-r7*u[0], r1-r7*u[1], r2-r7*u[2], r3-r7*u[3], r4-r7*u[4], r5-r7*u[5], r6-r7*u[6]
			fallthrough
		case n == 7:
			u = &low[o+6*nb]
			r0, r1, r2, r3, r4, r5 = r0-r6*u[0], r1-r6*u[1], r2-r6*u[2], r3-r6*u[3], r4-r6*u[4], r5-r6*u[5]
			fallthrough
		case n == 6:
			u = &low[o+5*nb]
			r0, r1, r2, r3, r4 = r0-r5*u[0], r1-r5*u[1], r2-r5*u[2], r3-r5*u[3], r4-r5*u[4]
			fallthrough
		case n == 5:
			u = &low[o+4*nb]
			r0, r1, r2, r3 = r0-r4*u[0], r1-r4*u[1], r2-r4*u[2], r3-r4*u[3]
			fallthrough
		case n == 4:
			u = &low[o+3*nb]
			r0, r1, r2 = r0-r3*u[0], r1-r3*u[1], r2-r3*u[2]
			fallthrough
		case n == 3:
			u = &low[o+2*nb]
			r0, r1 = r0-r2*u[0], r1-r2*u[1]
			fallthrough
		case n == 2:
			u = &low[o+nb]
			r0 = r0 - r1*u[0]
		}
		z := &d[b]
		z[0], z[1], z[2], z[3], z[4], z[5], z[6], z[7] = r0, r1, r2, r3, r4, r5, r6, r7
	}
}
