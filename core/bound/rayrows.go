package bound

import "math"

// blend mixes the rows of rays a and b for the value of state s on ray k, which was
// raised to the line between them, and keeps the mixture for each pair where it
// gains nature more than its own: what proves the values there proves those between.
func (x *RaySearch) blend(s, k, a, b int) {
	if x.nodes.rows[s*len(x.t)+k] < 0 {
		x.wake(s, k)
	}
	t := x.t[k]
	part := (t - x.t[a]) / (x.t[b] - x.t[a])
	for i := x.m.Off[s]; i < x.m.Off[s+1]; i++ {
		p, q := x.rowsOf(i, k)
		c, d := x.c[:len(p)], x.d[:len(p)]
		clear(c)
		clear(d)
		for _, side := range []struct {
			k     int
			share float64
		}{{a, 1 - part}, {b, part}} {
			y, z := x.a[:len(p)], x.a[:len(p)]
			if x.nodes.rows[s*len(x.t)+side.k] >= 0 {
				y, z = x.rowsOf(i, side.k)
			} else {
				x.alone(y, i, side.k)
			}
			for j := range y {
				c[j] += side.share * (1 - x.t[side.k]) / (1 - t) * y[j]
				d[j] += side.share * x.t[side.k] / t * z[j]
			}
		}
		if x.total(i, k, c, d) > x.total(i, k, p, q) {
			copy(p, c)
			copy(q, d)
		}
	}
}

// alone is nature's answer with one kernel on ray k.
func (x *RaySearch) alone(row []float64, i, k int) {
	x.set.Nominal(row, i)
	x.face(i, k, row, row)
	z := x.z0[:len(row)]
	for j := range z {
		z[j] = (1-x.t[k])*z[j] + x.t[k]*x.z1[j]
	}
	x.set.Answer(row, i, z)
}

// cell is the number of the last ray not above t, and not the last of all,
// looked for from ray k on.
func (x *RaySearch) cell(t float64, k int) int {
	k = min(k, len(x.t)-2)
	for k > 0 && x.t[k] > t {
		k--
	}
	for k < len(x.t)-2 && x.t[k+1] <= t {
		k++
	}
	return k
}

// slope of the interpolation in cell k of state s.
func (x *RaySearch) slope(s, k int) float64 {
	v := x.nodes.v[s*len(x.t)+k:]
	return (v[1] - v[0]) * x.inv[k]
}

// value is the interpolation at the shares, looked for from ray k on.
func (x *RaySearch) value(s int, b0, b1 float64, k int) float64 {
	m := b0 + b1
	if m == 0 {
		return 0
	}
	t := b1 / m
	k = x.cell(t, k)
	v := x.nodes.v[s*len(x.t)+k:]
	return m * (v[0] + (t-x.t[k])*(v[1]-v[0])*x.inv[k])
}

// gradient is that of the interpolation, smoothed: between the middles of two
// cells its slope goes from one's to the other's, so that nature's rows, which
// would jump from one side of a kink to the other, find the place in between.
// Without mass the ratio is that of ray k.
func (x *RaySearch) gradient(s int, b0, b1 float64, k int) (g0, g1 float64) {
	t := x.t[k]
	if m := b0 + b1; m > 0 {
		t = b1 / m
	}
	k = x.cell(t, k)
	slope := x.slope(s, k)
	v := x.nodes.v[s*len(x.t)+k] + slope*(t-x.t[k])
	mid, other := (x.t[k]+x.t[k+1])/2, k+1
	if t < mid {
		other = k - 1
	}
	if other >= 0 && other+1 < len(x.t) {
		next := (x.t[other] + x.t[other+1]) / 2
		slope += (x.slope(s, other) - slope) * (t - mid) / (next - mid)
	}
	return v - t*slope, v + (1-t)*slope
}

// total is what nature gains at pair i on ray k with the rows p and q.
func (x *RaySearch) total(i, k int, p, q []float64) float64 {
	w0, w1 := 1-x.t[k], x.t[k]
	from, sum := x.ptr[i], 0.0
	for j, s := range x.next[from:x.ptr[i+1]] {
		sum += x.value(s, w0*p[j], w1*q[j], k)
	}
	sum *= x.m.Gamma
	for g, w := range [2]float64{w0, w1} {
		if x.onward[g] == nil {
			continue
		}
		row := p
		if g == 1 {
			row = q
		}
		for j, y := range row {
			sum += w * y * x.onward[g][from+j]
		}
	}
	return sum
}

// face writes what nature's two rows maximise at p and q.
func (x *RaySearch) face(i, k int, p, q []float64) {
	w0, w1 := 1-x.t[k], x.t[k]
	from := x.ptr[i]
	for j, s := range x.next[from:x.ptr[i+1]] {
		g0, g1 := x.gradient(s, w0*p[j], w1*q[j], k)
		x.z0[j], x.z1[j] = x.m.Gamma*g0, x.m.Gamma*g1
		if x.onward[0] != nil {
			x.z0[j] += x.onward[0][from+j]
		}
		if x.onward[1] != nil {
			x.z1[j] += x.onward[1][from+j]
		}
	}
}

// rowsOf are the rows of pair i that ray k keeps.
func (x *RaySearch) rowsOf(i, k int) (p, q []float64) {
	s := x.m.State[i]
	n := x.ptr[i+1] - x.ptr[i]
	at := int(x.nodes.rows[s*len(x.t)+k]) + 2*(x.ptr[i]-x.ptr[x.m.Off[s]])
	return x.pool[at : at+n : at+n], x.pool[at+n : at+2*n : at+2*n]
}

// wake begins to improve the rows of a state on ray k: they are at first
// nature's answer with one kernel.
func (x *RaySearch) wake(s, k int) {
	m := x.m
	x.nodes.rows[s*len(x.t)+k] = int32(len(x.pool))
	x.pool = append(x.pool, make([]float64, 2*(x.ptr[m.Off[s+1]]-x.ptr[m.Off[s]]))...)
	for i := m.Off[s]; i < m.Off[s+1]; i++ {
		p, q := x.rowsOf(i, k)
		x.alone(p, i, k)
		copy(q, p)
	}
}

// nature improves the rows of pair i on ray k and returns what it gains: steps
// towards the rows that answer the gradient (Frank and Wolfe 1956), as long as
// they gain more than few.
func (x *RaySearch) nature(i, k int, few float64) float64 {
	w0, w1 := 1-x.t[k], x.t[k]
	p, q := x.rowsOf(i, k)
	n := len(p)
	a, b, c, d := x.a[:n], x.b[:n], x.c[:n], x.d[:n]
	best, step := x.total(i, k, p, q), 1.0
	for range 6 {
		x.face(i, k, p, q)
		x.set.Answer(a, i, x.z0[:n])
		x.set.Answer(b, i, x.z1[:n])
		promise := 0.0
		for j := range a {
			promise += w0*x.z0[j]*(a[j]-p[j]) + w1*x.z1[j]*(b[j]-q[j])
		}
		if promise <= few {
			break
		}
		gained := 0.0
		for ; step > 1e-2 && gained == 0; step /= 2 {
			for j := range c {
				c[j] = p[j] + step*(a[j]-p[j])
				d[j] = q[j] + step*(b[j]-q[j])
			}
			if v := x.total(i, k, c, d); v > best+few/8 {
				gained, best = v-best, v
				copy(p, c)
				copy(q, d)
			}
		}
		if gained <= few {
			break
		}
		step = min(1, 4*step)
	}
	return best
}

// update lets state s choose again on ray k, with better rows if asked. Its value
// never falls.
func (x *RaySearch) update(s, k int, few float64) {
	m := x.m
	at := s*len(x.t) + k
	best, old, choice := math.Inf(1), int(x.nodes.choice[at]), 0
	look := func(i int) {
		c := (1-x.t[k])*x.flat[0][i] + x.t[k]*x.flat[1][i]
		p, q := x.rowsOf(i, k)
		v := c + x.total(i, k, p, q)
		if x.stage == improving && v < best {
			v = c + x.nature(i, k, few)
		}
		if v < best {
			best, choice = v, i
		}
	}
	look(old)
	for i := m.Off[s]; i < m.Off[s+1]; i++ {
		if i != old {
			look(i)
		}
	}
	x.nodes.choice[at] = int32(choice)
	x.nodes.v[at] = max(x.nodes.v[at], best)
}
