package certify

import (
	"math"
	"slices"

	"rcmdplab/core/certify/enclosure"
)

// turn reads the costs of the pair.
func (k *reading) turn(i int) {
	k.pair = i
	k.cost, k.doubt = [2]float64{}, [2]float64{}
	n := len(k.rows.next)
	for g, weights := range k.y.Groups {
		size := 0.0
		clear(k.after[g])
		clear(k.unsure[g])
		for c, w := range weights {
			if w == 0 {
				continue
			}
			if v, onward := k.costOf(c, i); !onward {
				k.cost[g] += w * v
				size += math.Abs(w * v)
				continue
			}
			for j, s := range k.rows.next[:n] {
				v := w * k.nextCost(c, i, s)
				k.after[g][j] += v
				k.unsure[g][j] += float64(len(weights)+4)*enclosure.Ulp*math.Abs(v) + enclosure.Tiny
			}
		}
		k.doubt[g] = float64(len(weights)+4)*enclosure.Ulp*size + enclosure.Underflow
	}
}

// short is at least how far the value v of the pair's state on ray j is above
// what the pair leaves, or anything up to enough where that is not more.
func (k *reading) short(j int, v, enough float64) (best float64, err error) {
	t := k.y.T[j]
	w0, w1 := 1-t, t
	c := w0*k.cost[0] + w1*k.cost[1]
	slack := w0*k.doubt[0] + w1*k.doubt[1] + 8*enclosure.Ulp*(math.Abs(w0*k.cost[0])+math.Abs(w1*k.cost[1])) + enclosure.Underflow
	leaves := func(nature float64) float64 {
		return enclosure.Up(v - enclosure.Down(enclosure.Down(c-slack)+nature))
	}
	n := len(k.rows.next)
	p, q, dp, dq := k.p[:n], k.q[:n], k.dp[:n], k.dq[:n]
	best = math.Inf(1)
	try := func() { // p and q, as far as they are members
		if k.rows.member(p, dp) {
			if !k.rows.member(q, dq) {
				copy(q, p)
				copy(dq, dp)
			}
			best = min(best, leaves(k.gain(p, q, dp, dq, w0, w1)))
		}
	}
	ok, err := k.told(j, p, q)
	if err != nil {
		return 0, err
	}
	if ok {
		if try(); best <= enough {
			return best, nil
		}
	}
	if !k.rows.ends { // the nominal row for both
		copy(p, k.rows.q)
		for j := range dp {
			dp[j] = k.rows.miss(j)
		}
		if best = min(best, leaves(k.gain(p, p, dp, dp, w0, w1))); best <= enough {
			return best, nil
		}
	}
	if slices.Equal(k.rows.set.Support(k.pair), k.rows.next) {
		k.search(p, q, w0, w1, v-c)
		try()
	}
	if best > enough && k.rows.family == ranged {
		best = min(best, leaves(k.least(j, w0, w1)))
	}
	return best, nil
}

// least bounds what nature gains on ray j with one row for both groups, whatever
// member it is: for a set that is a point but for rounding.
func (k *reading) least(j int, w0, w1 float64) float64 {
	r, v := k.rows, k.y.V[j]
	if r.around() {
		r.box()
	}
	r.z, r.slop = r.z[:0], 0
	for i, s := range r.next {
		a, b, c := k.gamma*v[s], w0*k.after[0][i], w1*k.after[1][i]
		r.z = append(r.z, a+b+c)
		r.slop = max(r.slop, 8*enclosure.Ulp*(math.Abs(a)+math.Abs(b)+math.Abs(c))+w0*k.unsure[0][i]+w1*k.unsure[1][i]+enclosure.Underflow)
	}
	return r.least()
}

// at is the interpolation at (b0, b1), by floats alone, and its gradient with
// the slope smoothed between the middles of two cells; t where there is no mass.
func (k *reading) at(s int, b0, b1, t float64) (value, g0, g1 float64) {
	m := b0 + b1
	if m > 0 {
		t = b1 / m
	}
	ts, vs := k.y.T, k.y.V
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

// cell is the number of the last ray not above t, and not the last of all.
func (k *reading) cell(t float64) int {
	j, found := slices.BinarySearch(k.y.T, t)
	if !found {
		j--
	}
	return max(0, min(j, len(k.y.T)-2))
}

// search looks for rows at which nature gains as much as wanted: both answer
// the weighted values at first, then step by step the gradient at each other.
// What it finds is a guess.
func (k *reading) search(p, q []float64, w0, w1, wanted float64) {
	r, next := k.rows, k.rows.next
	n := len(next)
	z0, z1, a, b := k.z0[:n], k.z1[:n], k.trial0[:n], k.trial1[:n]
	total := func(p, q []float64) float64 {
		sum := 0.0
		for j, s := range next {
			v, _, _ := k.at(s, w0*p[j], w1*q[j], w1)
			sum += k.gamma*v + w0*p[j]*k.after[0][j] + w1*q[j]*k.after[1][j]
		}
		return sum
	}
	face := func(p, q []float64) {
		for j, s := range next {
			_, g0, g1 := k.at(s, w0*p[j], w1*q[j], w1)
			z0[j], z1[j] = k.gamma*g0+k.after[0][j], k.gamma*g1+k.after[1][j]
		}
	}
	for j, s := range next {
		v, _, _ := k.at(s, w0, w1, w1)
		z0[j] = k.gamma*v + w0*k.after[0][j] + w1*k.after[1][j]
	}
	r.set.Answer(p, k.pair, z0)
	copy(q, p)
	best := total(p, q)
	wanted += 1e-14 * math.Abs(wanted)
	for step, round := 1.0, 0; round < 24 && best < wanted && w0 > 0 && w1 > 0; round++ {
		face(p, q)
		r.set.Answer(a, k.pair, z0)
		r.set.Answer(b, k.pair, z1)
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
}

// gain bounds γ Σ_s' V(s', (w0 p, w1 q)) + the costs of the next state from below, by
// the interpolation, for rows known within dp and dq, and within n+4 ulps besides, and
// weights within an ulp.
func (k *reading) gain(p, q, dp, dq []float64, w0, w1 float64) float64 {
	sum, size, slack, after := 0.0, 0.0, 0.0, 0.0
	n := float64(len(k.rows.next) + 8)
	for j, s := range k.rows.next {
		b0, b1 := w0*p[j], w1*q[j]
		e0, e1 := spread(w0, p[j], dp[j], n), spread(w1, q[j], dq[j], n)
		if k.onward {
			c := b0*k.after[0][j] + b1*k.after[1][j]
			after += c
			slack += e0*math.Abs(k.after[0][j]) + e1*math.Abs(k.after[1][j]) + b0*k.unsure[0][j] + b1*k.unsure[1][j] + n*enclosure.Ulp*(math.Abs(b0*k.after[0][j])+math.Abs(b1*k.after[1][j]))
		}
		v, e := k.between(s, b0, b1, e0, e1)
		sum += v
		size += math.Abs(v)
		slack += e
	}
	low := enclosure.Down(sum - enclosure.Up(slack+n*enclosure.Ulp*size))
	nature := enclosure.Point(low).Mul(k.g).Lo()
	if !k.onward {
		return nature
	}
	return enclosure.Down(nature + enclosure.Down(after-enclosure.Up(slack)))
}

// between bounds V*(s, β) from below by V = v - e for β within e0, e1 of
// (b0, b1), apart from D times its mass: with x r_j + y r_k no more than β in
// either entry, and of the rest of β V* is at least what floor says.
func (k *reading) between(s int, b0, b1, e0, e1 float64) (v, e float64) {
	m := b0 + b1
	if m == 0 {
		return 0, e0*k.floor[0] + e1*k.floor[1]
	}
	c := k.cell(b1 / m)
	ta, tb := k.y.T[c], k.y.T[c+1]
	x := max(0, (b0*tb-b1*(1-tb))/(tb-ta))
	y := max(0, (b1*(1-ta)-b0*ta)/(tb-ta))
	// The entry that a ray is rich in is where it is shortened. Products below the
	// normal range are off by tiny each; what may underflow is multiplied last.
	d0 := math.Abs(b0-(x*(1-ta)+y*(1-tb))) + e0 + 8*enclosure.Ulp*b0 + 4*enclosure.Tiny
	d1 := math.Abs(b1-(x*ta+y*tb)) + e1 + 8*enclosure.Ulp*b1 + 4*enclosure.Tiny
	x, y = max(0, x-d0/(1-ta)), max(0, y-d1/tb)
	x0, x1 := outer(x, 1-ta, y, 1-tb), outer(x, ta, y, tb)
	f := 1.0
	if low := max(0, b0-e0-4*enclosure.Ulp*b0); !(x0 <= low) {
		f = low / x0
	}
	if low := max(0, b1-e1-4*enclosure.Ulp*b1); !(x1 <= low) {
		f = min(f, low/x1)
	}
	f *= 1 - 8*enclosure.Ulp
	left0, left1 := max(0, b0+e0-f*x0*(1-24*enclosure.Ulp)+4*enclosure.Ulp*b0+16*enclosure.Tiny), max(0, b1+e1-f*x1*(1-24*enclosure.Ulp)+4*enclosure.Ulp*b1+16*enclosure.Tiny)
	p, q := f*(x*k.y.V[c][s]), f*(y*k.y.V[c+1][s])
	return p + q, 1.01*(left0*k.floor[0]+left1*k.floor[1]) + 8*enclosure.Ulp*(math.Abs(p)+math.Abs(q)) + enclosure.Underflow
}

// spread is how far w·p may be from exact, for w within an ulp and p within d and n-1
// ulps: not at all where both are 0.
func spread(w, p, d, n float64) float64 {
	if w == 0 || p == 0 && d == 0 {
		return 0
	}
	return w*d + n*enclosure.Ulp*w*p + enclosure.Tiny
}

// outer is at least x·a + y·b of numbers >= 0, and more by less than 16 ulps and 8 tiny.
func outer(x, a, y, b float64) float64 {
	if (x == 0 || a == 0) && (y == 0 || b == 0) {
		return 0
	}
	return (x*a+y*b)*(1+8*enclosure.Ulp) + 4*enclosure.Tiny
}
