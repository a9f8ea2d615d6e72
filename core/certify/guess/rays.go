package guess

import (
	"math"
	"slices"
)

// Rays guesses rows for two groups of costs at values given on rays (1-t, t).
type Rays struct {
	T     []float64   // ascending, from 0 to 1
	V     [][]float64 // by ray and state
	Gamma float64     // discount

	p, q, z0, z1, a, b []float64 // work: rows, what the set is asked with, its answers
}

// cell is the number of the last ray not above t, and not the last of all.
func (k *Rays) cell(t float64) int {
	j, found := slices.BinarySearch(k.T, t)
	if !found {
		j--
	}
	return max(0, min(j, len(k.T)-2))
}

// at is the interpolation at (b0, b1) and its gradient with
// the slope smoothed between the middles of two cells; t where there is no mass.
func (k *Rays) at(s int, b0, b1, t float64) (value, g0, g1 float64) {
	m := b0 + b1
	if m > 0 {
		t = b1 / m
	}
	ts, vs := k.T, k.V
	c := k.cell(t)
	slope := (vs[c+1][s] - vs[c][s]) / (ts[c+1] - ts[c])
	v := vs[c][s] + slope*(t-ts[c])
	mid := (ts[c] + ts[c+1]) / 2
	o := c + 1
	if t < mid {
		o = c - 1
	}
	if o >= 0 && o+1 < len(ts) {
		next := (vs[o+1][s] - vs[o][s]) / (ts[o+1] - ts[o])
		slope += (next - slope) * (t - mid) / ((ts[o]+ts[o+1])/2 - mid)
	}
	return m * v, v - t*slope, v + (1-t)*slope
}

// Below is x and y >= 0 with x r_c + y r_c+1 hardly less than (b0, b1), in either entry, on the
// rays next to it.
func (k *Rays) Below(b0, b1 float64) (c int, x, y float64) {
	const room = 16 * ulp
	c = k.cell(b1 / (b0 + b1))
	ta, tb := k.T[c], k.T[c+1]
	x = max(0, (b0*tb-b1*(1-tb))/(tb-ta))
	y = max(0, (b1*(1-ta)-b0*ta)/(tb-ta))
	// The entry that a ray is rich in is where it is shortened.
	d0 := math.Abs(b0-(x*(1-ta)+y*(1-tb))) + room*b0
	d1 := math.Abs(b1-(x*ta+y*tb)) + room*b1
	x, y = max(0, x-d0/(1-ta)), max(0, y-d1/tb)
	f := 1.0
	if x0 := x*(1-ta) + y*(1-tb); x0 > b0 {
		f = b0 / x0
	}
	if x1 := x*ta + y*tb; x1 > b1 {
		f = min(f, b1/x1)
	}
	f *= 1 - room
	return c, f * x, f * y
}

// Search looks for rows at which nature gains as much as wanted on the ray (w0, w1): both answer
// the weighted values at first, then step by step the gradient at each other.
func (k *Rays) Search(next []int, w0, w1, wanted float64, after0, after1 func(j int) float64, answer func(dst, z []float64)) (p, q []float64) {
	n := len(next)
	for _, x := range []*[]float64{&k.p, &k.q, &k.z0, &k.z1, &k.a, &k.b} {
		*x = slices.Grow((*x)[:0], n)[:n]
	}
	p, q, z0, z1, a, b := k.p, k.q, k.z0, k.z1, k.a, k.b
	total := func(p, q []float64) float64 {
		sum := 0.0
		for j, s := range next {
			v, _, _ := k.at(s, w0*p[j], w1*q[j], w1)
			sum += k.Gamma*v + w0*p[j]*after0(j) + w1*q[j]*after1(j)
		}
		return sum
	}
	for j, s := range next {
		v, _, _ := k.at(s, w0, w1, w1)
		z0[j] = k.Gamma*v + w0*after0(j) + w1*after1(j)
	}
	answer(p, z0)
	copy(q, p)
	best := total(p, q)
	wanted += 1e-14 * math.Abs(wanted)
	for step, round := 1.0, 0; round < 24 && best < wanted && w0 > 0 && w1 > 0; round++ {
		for j, s := range next {
			_, g0, g1 := k.at(s, w0*p[j], w1*q[j], w1)
			z0[j], z1[j] = k.Gamma*g0+after0(j), k.Gamma*g1+after1(j)
		}
		answer(a, z0)
		answer(b, z1)
		for j := range a {
			a[j], b[j] = a[j]-p[j], b[j]-q[j]
		}
		gained := false
		for ; step > 1e-3 && !gained; step /= 2 {
			for j := range a {
				z0[j], z1[j] = p[j]+step*a[j], q[j]+step*b[j]
			}
			if v := total(z0, z1); v > best+1e-15*math.Abs(best) {
				gained, best = true, v
				copy(p, z0)
				copy(q, z1)
			}
		}
		if !gained {
			break
		}
		step = min(1, 4*step)
	}
	return p, q
}
