package bound

import "math"

// ranges is the state of Certificate: what is known of every policy in a box
// that satisfies the hypotheses.
type ranges struct {
	l, u   []float64 // by pair
	dl, du []float64 // [m*S+s]
	r      []float64 // [(m*M+m')*S+s]
}

func (d *data) newRanges() *ranges {
	g := d.emptyRanges()
	for i := range g.u {
		g.u[i] = 1
	}
	for m := range d.mn {
		for s := range d.s {
			g.dl[m*d.s+s] = d.start[s] * (1 - 4*ulp)
			g.du[m*d.s+s] = 1
		}
	}
	for i := range g.r {
		g.r[i] = math.Inf(1)
	}
	for m := range d.mn {
		for s := range d.s {
			g.r[d.ratio(m, m, s)] = 1
		}
	}
	return g
}

func (d *data) emptyRanges() *ranges {
	all := make([]float64, 2*d.n+2*d.mn*d.s+d.mn*d.mn*d.s)
	cut := func(n int) []float64 {
		v := all[:n:n]
		all = all[n:]
		return v
	}
	return &ranges{cut(d.n), cut(d.n), cut(d.mn * d.s), cut(d.mn * d.s), cut(d.mn * d.mn * d.s)}
}

func (g *ranges) copy(from *ranges) {
	copy(g.l, from.l)
	copy(g.u, from.u)
	copy(g.dl, from.dl)
	copy(g.du, from.du)
	copy(g.r, from.r)
}

func (d *data) clone(g *ranges) *ranges {
	h := d.emptyRanges()
	h.copy(g)
	return h
}

func (d *data) ratio(m, m2, s int) int { return (m*d.mn+m2)*d.s + s }

// up and down round a number that a few operations made outwards.
func up(x float64) float64   { return x + 8*ulp*math.Abs(x) }
func down(x float64) float64 { return x - 8*ulp*math.Abs(x) }

// close draws the consequences listed at Close; false when a range is empty.
func (d *data) close(g *ranges) bool {
	if !d.closePolicies(g) {
		return false
	}
	if d.mn > 1 {
		d.closeRatios(g)
		if !d.closeOccupancies(g) {
			return false
		}
	}
	return d.ordered(g)
}

// closePolicies draws what follows from the probabilities of a state summing to 1.
func (d *data) closePolicies(g *ranges) bool {
	off := d.m.Off
	for s := range d.s {
		a, b := off[s], off[s+1]
		eps := 4 * ulp * float64(b-a)
		for i := a; i < b; i++ {
			sum := 0.0
			for k := a; k < b; k++ {
				if k != i {
					sum += g.l[k]
				}
			}
			g.u[i] = min(g.u[i], 1-sum+eps)
			sum = 0
			for k := a; k < b; k++ {
				if k != i {
					sum += g.u[k]
				}
			}
			g.l[i] = max(g.l[i], 1-sum-eps)
		}
		low, high := 0.0, 0.0
		for i := a; i < b; i++ {
			if g.l[i] > g.u[i] {
				if g.l[i] > g.u[i]+eps {
					return false
				}
				g.l[i], g.u[i] = g.u[i], g.l[i]
			}
			low, high = low+g.l[i], high+g.u[i]
		}
		if low > 1+eps || high < 1-eps {
			return false
		}
	}
	return true
}

// closeRatios bounds the ratios of occupancies by their ranges and by each other.
func (d *data) closeRatios(g *ranges) {
	mn, st := d.mn, d.s
	for m := range mn {
		for m2 := range mn {
			if m == m2 {
				continue
			}
			r := g.r[(m*mn+m2)*st : (m*mn+m2+1)*st]
			for s := range r {
				if low := g.dl[m2*st+s]; low > 0 {
					r[s] = min(r[s], up(g.du[m*st+s]/low))
				}
			}
		}
	}
	for q := range mn {
		for m := range mn {
			if m == q {
				continue
			}
			a := g.r[(m*mn+q)*st : (m*mn+q+1)*st]
			for m2 := range mn {
				if m2 == m || m2 == q {
					continue
				}
				b := g.r[(q*mn+m2)*st : (q*mn+m2+1)*st]
				r := g.r[(m*mn+m2)*st : (m*mn+m2+1)*st]
				for s := range r {
					if v := a[s] * b[s]; v < r[s] {
						r[s] = min(r[s], up(v))
					}
				}
			}
		}
	}
}

// closeOccupancies bounds occupancies by their ratios to others.
func (d *data) closeOccupancies(g *ranges) bool {
	mn, st := d.mn, d.s
	for m := range mn {
		for m2 := range mn {
			if m == m2 {
				continue
			}
			for s := range st {
				r := g.r[(m*mn+m2)*st+s]
				if r*g.r[(m2*mn+m)*st+s] < 1-16*ulp {
					return false
				}
				if math.IsInf(r, 1) {
					continue
				}
				if v := up(r * g.du[m2*st+s]); v < g.du[m*st+s] {
					g.du[m*st+s] = v
				}
				if v := down(g.dl[m*st+s] / r); v > g.dl[m2*st+s] {
					g.dl[m2*st+s] = v
				}
			}
		}
	}
	return true
}

// ordered reports whether no occupancy range is empty; one that is empty by
// rounding only becomes a point.
func (d *data) ordered(g *ranges) bool {
	for i, lo := range g.dl {
		if hi := g.du[i]; lo > hi {
			if lo > hi*(1+64*ulp) {
				return false
			}
			g.dl[i], g.du[i] = hi, lo
		}
	}
	return true
}

// crossed reports whether a range has its lower end above its upper end.
func (g *ranges) crossed() bool {
	for i, lo := range g.l {
		if lo > g.u[i] {
			return true
		}
	}
	for i, lo := range g.dl {
		if lo > g.du[i] {
			return true
		}
	}
	return false
}

// spread is Σ_s log(R_{m,m'} R_{m',m}); states without a finite ratio count as 40.
func (d *data) spread(g *ranges, m, m2 int) float64 {
	v := 0.0
	for s := range d.s {
		v += d.logWidth(g, m, m2, s)
	}
	return v
}

func (d *data) logWidth(g *ranges, m, m2, s int) float64 {
	return min(40, math.Log(g.r[d.ratio(m, m2, s)]*g.r[d.ratio(m2, m, s)]))
}
