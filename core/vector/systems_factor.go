package vector

// wide is from how many octets of rows above on their elimination is called for
// instead of being done in place.
const wide = 2

// factor eliminates I - γP^π of kernel k, and μ as row S of it.
func (y *Systems) factor(k int) {
	s, nb := y.States, y.nb
	up, low, inv := y.factors(k)
	pk := y.P[k*y.Pairs*nb : (k+1)*y.Pairs*nb]
	for i := 0; i <= s; i++ {
		l := low[i*nb : (i+1)*nb]
		var from []int32
		var wgt []float64
		if i < s {
			from, wgt = y.from[i*y.stride:y.end[i]], y.weight[i*y.stride:y.end[i]]
		}
		for b := range l {
			start := &y.unit[8]
			if i == s {
				start = &y.Mu[b]
			} else if i>>3 == b {
				start = &y.unit[i&7]
			}
			r0, r1, r2, r3, r4, r5, r6, r7 := start[0], start[1], start[2], start[3], start[4], start[5], start[6], start[7]
			for j := 0; j+1 < len(from); j += 2 {
				g, h := wgt[j], wgt[j+1]
				u, v := &pk[int(from[j])+b], &pk[int(from[j+1])+b]
				r0 += float64(g*u[0]) + float64(h*v[0])
				r1 += float64(g*u[1]) + float64(h*v[1])
				r2 += float64(g*u[2]) + float64(h*v[2])
				r3 += float64(g*u[3]) + float64(h*v[3])
				r4 += float64(g*u[4]) + float64(h*v[4])
				r5 += float64(g*u[5]) + float64(h*v[5])
				r6 += float64(g*u[6]) + float64(h*v[6])
				r7 += float64(g*u[7]) + float64(h*v[7])
			}
			o, c := b, 0
			if above := min(b, (i+7)>>3); above >= wide {
				r := Octet{r0, r1, r2, r3, r4, r5, r6, r7}
				runEliminateOctets(&r, up[b:], nb, l[:above])
				r0, r1, r2, r3, r4, r5, r6, r7 = r[0], r[1], r[2], r[3], r[4], r[5], r[6], r[7]
				o, c = b+8*above*nb, above
			}
			for ; c < b && 8*c < i; c++ {
				lc := &l[c]
				for j := 0; j < 8; j += 2 {
					g, h := lc[j], lc[j+1]
					u, v := &up[o], &up[o+nb]
					o += 2 * nb
					r0 -= float64(g*u[0]) + float64(h*v[0])
					r1 -= float64(g*u[1]) + float64(h*v[1])
					r2 -= float64(g*u[2]) + float64(h*v[2])
					r3 -= float64(g*u[3]) + float64(h*v[3])
					r4 -= float64(g*u[4]) + float64(h*v[4])
					r5 -= float64(g*u[5]) + float64(h*v[5])
					r6 -= float64(g*u[6]) + float64(h*v[6])
					r7 -= float64(g*u[7]) + float64(h*v[7])
				}
			}
			// The columns of this block left of the diagonal, one after the other.
			for n := i - 8*b; n > 0; n = 0 {
				in, lb := &inv[b], &l[b]
				r0 *= in[0]
				u := &up[o]
				lb[0] = r0
				r1 -= float64(r0 * u[1])
				r2 -= float64(r0 * u[2])
				r3 -= float64(r0 * u[3])
				r4 -= float64(r0 * u[4])
				r5 -= float64(r0 * u[5])
				r6 -= float64(r0 * u[6])
				r7 -= float64(r0 * u[7])
				if n == 1 {
					break
				}
				o += nb
				r1 *= in[1]
				u, lb[1] = &up[o], r1
				r2 -= float64(r1 * u[2])
				r3 -= float64(r1 * u[3])
				r4 -= float64(r1 * u[4])
				r5 -= float64(r1 * u[5])
				r6 -= float64(r1 * u[6])
				r7 -= float64(r1 * u[7])
				if n == 2 {
					break
				}
				o += nb
				r2 *= in[2]
				u, lb[2] = &up[o], r2
				r3 -= float64(r2 * u[3])
				r4 -= float64(r2 * u[4])
				r5 -= float64(r2 * u[5])
				r6 -= float64(r2 * u[6])
				r7 -= float64(r2 * u[7])
				if n == 3 {
					break
				}
				o += nb
				r3 *= in[3]
				u, lb[3] = &up[o], r3
				r4 -= float64(r3 * u[4])
				r5 -= float64(r3 * u[5])
				r6 -= float64(r3 * u[6])
				r7 -= float64(r3 * u[7])
				if n == 4 {
					break
				}
				o += nb
				r4 *= in[4]
				u, lb[4] = &up[o], r4
				r5 -= float64(r4 * u[5])
				r6 -= float64(r4 * u[6])
				r7 -= float64(r4 * u[7])
				if n == 5 {
					break
				}
				o += nb
				r5 *= in[5]
				u, lb[5] = &up[o], r5
				r6 -= float64(r5 * u[6])
				r7 -= float64(r5 * u[7])
				if n == 6 {
					break
				}
				o += nb
				r6 *= in[6]
				u, lb[6] = &up[o], r6
				r7 -= float64(r6 * u[7])
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
			y.pivot(i, l, up[i*nb:(i+1)*nb], inv)
		}
	}
}

// pivot makes the diagonal entry of row i, whose L is l and whose U is z, as a
// sum: what row i's elimination leaves of 1-γ, less the entries to the right.
func (y *Systems) pivot(i int, l, z, inv []Octet) {
	over := y.rest
	for c := 0; 8*c < i; c++ {
		a, b := &l[c], &y.over[c]
		p0, p1, p2, p3, p4, p5, p6, p7 := a[0]*b[0], a[1]*b[1], a[2]*b[2], a[3]*b[3], a[4]*b[4], a[5]*b[5], a[6]*b[6], a[7]*b[7]
		over -= ((p0 + p1) + (p2 + p3)) + ((p4 + p5) + (p6 + p7))
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
	y.over[c][j], own[j], inv[c][j] = over, pivot, 1/pivot
}

// occupy solves dᵀL = yᵀ for the occupancy measure of kernel k, which is
// factored, from the last block to the first.
func (y *Systems) occupy(k int) {
	s, nb := y.States, y.nb
	_, low, _ := y.factors(k)
	rest, d := low[s*nb:], y.Occupancy(k)
	for b := nb - 1; b >= 0; b-- {
		x := &rest[b]
		r0, r1, r2, r3, r4, r5, r6, r7 := x[0], x[1], x[2], x[3], x[4], x[5], x[6], x[7]
		for i, o := 8*b+8, (8*b+8)*nb+b; i < s; i++ {
			t, u := d[i>>3][i&7], &low[o]
			o += nb
			r0 -= float64(t * u[0])
			r1 -= float64(t * u[1])
			r2 -= float64(t * u[2])
			r3 -= float64(t * u[3])
			r4 -= float64(t * u[4])
			r5 -= float64(t * u[5])
			r6 -= float64(t * u[6])
			r7 -= float64(t * u[7])
		}
		o := 8*b*nb + b
		var u *Octet
		switch n := s - 8*b; {
		case n >= 8:
			u = &low[o+7*nb]
			r0 -= float64(r7 * u[0])
			r1 -= float64(r7 * u[1])
			r2 -= float64(r7 * u[2])
			r3 -= float64(r7 * u[3])
			r4 -= float64(r7 * u[4])
			r5 -= float64(r7 * u[5])
			r6 -= float64(r7 * u[6])
			fallthrough
		case n == 7:
			u = &low[o+6*nb]
			r0 -= float64(r6 * u[0])
			r1 -= float64(r6 * u[1])
			r2 -= float64(r6 * u[2])
			r3 -= float64(r6 * u[3])
			r4 -= float64(r6 * u[4])
			r5 -= float64(r6 * u[5])
			fallthrough
		case n == 6:
			u = &low[o+5*nb]
			r0 -= float64(r5 * u[0])
			r1 -= float64(r5 * u[1])
			r2 -= float64(r5 * u[2])
			r3 -= float64(r5 * u[3])
			r4 -= float64(r5 * u[4])
			fallthrough
		case n == 5:
			u = &low[o+4*nb]
			r0 -= float64(r4 * u[0])
			r1 -= float64(r4 * u[1])
			r2 -= float64(r4 * u[2])
			r3 -= float64(r4 * u[3])
			fallthrough
		case n == 4:
			u = &low[o+3*nb]
			r0 -= float64(r3 * u[0])
			r1 -= float64(r3 * u[1])
			r2 -= float64(r3 * u[2])
			fallthrough
		case n == 3:
			u = &low[o+2*nb]
			r0 -= float64(r2 * u[0])
			r1 -= float64(r2 * u[1])
			fallthrough
		case n == 2:
			u = &low[o+nb]
			r0 -= float64(r1 * u[0])
		}
		z := &d[b]
		z[0], z[1], z[2], z[3], z[4], z[5], z[6], z[7] = r0, r1, r2, r3, r4, r5, r6, r7
	}
}

// solve makes v the values of a cost: L(Uv) = c^π. Entries of v not yet known
// are zero, so whole rows can be multiplied.
func (y *Systems) solve(k, n int) {
	nb, v := y.nb, y.v
	cp := y.cp[n*nb : (n+1)*nb]
	clear(v)
	up, low, inv := y.factors(k)
	for i := range y.States {
		t := cp[i>>3][i&7]
		o := i * nb
		for b := 0; b <= i>>3; b++ {
			t -= dot8(&low[o+b], &v[b])
		}
		v[i>>3][i&7] = t
	}
	for i := y.States - 1; i >= 0; i-- {
		z := &v[i>>3]
		t := z[i&7]
		z[i&7] = 0
		o := i * nb
		for b := nb - 1; b > i>>3; b-- {
			t -= dot8(&up[o+b], &v[b])
		}
		x := &up[o+i>>3]
		for j := i&7 + 1; j < 8; j++ {
			t -= float64(x[j] * z[j])
		}
		z[i&7] = t * inv[i>>3][i&7]
	}
}
