package vector

// Excess is what a row gives of values, relative to the largest of them.
type Excess struct {
	Top, Width float64 // the largest of the values; that less the least
	Value      float64 // Σ p (z - Top)
	Upper      float64 // at least as much as any row allowed gives
}

// Level is what values must differ by at the least for their reciprocal not to overflow.
const Level = 1e-290

// among fills in the largest of the values and that less the least.
func (x *Excess) among(z []float64) {
	top, bottom := z[0], z[0]
	for _, y := range z[1:] {
		if y > top {
			top = y
		} else if y < bottom {
			bottom = y
		}
	}
	x.Top, x.Width = top, top-bottom
}

// Order lists the places of z by falling z, equal z by rising place. It inserts one
// after the other, which is for few.
func Order(order []int32, z []float64) {
	order = order[:len(z)]
	if simd && len(z) >= few {
		simdOrder(&order[0], &z[0], int32(len(z)))
		return
	}
	orderOf(order, z)
}

func orderOf(order []int32, z []float64) {
	for j, x := range z {
		k := j
		for ; k > 0 && z[order[k-1]] < x; k-- {
			order[k] = order[k-1]
		}
		order[k] = int32(j)
	}
}

// Shift fills p with q after mass is moved from the places of the least z to that of
// the largest, as far as there is any below it; order is that of z. With λ the
// largest z less that of the last place emptied, or 0 if more could be moved,
//
//	Upper = λ mass + Σ q max(z - Top, -λ).
//
// Sums are two partial ones, for even and odd places.
func Shift(p, q, z []float64, order []int32, mass float64) (x Excess) {
	q, z, order = q[:len(p)], z[:len(p)], order[:len(p)]
	if simd && len(p) >= few {
		simdShift(&x.Top, &p[0], &q[0], &z[0], int32(len(p)), &order[0], mass)
	} else {
		shift(&x, p, q, z, order, mass)
	}
	return x
}

func shift(x *Excess, p, q, z []float64, order []int32, mass float64) {
	n, first := len(p), order[0]
	q, z = q[:n], z[:n]
	x.Top = z[first]
	x.Width = x.Top - z[order[n-1]]
	copy(p, q)
	left, moved, lambda := mass, 0.0, 0.0
	for k := n - 1; k > 0; k-- {
		j := order[k]
		if !(z[j] < x.Top) { // what is there already stays
			break
		}
		lambda = x.Top - z[j]
		if q[j] >= left {
			p[j] = q[j] - left
			moved += left
			left = 0
			break
		}
		p[j] = 0
		moved += q[j]
		left -= q[j]
	}
	p[first] += moved
	if left > 0 {
		lambda = 0
	}
	var v0, v1, u0, u1 float64
	i := 0
	for ; i+2 <= n; i += 2 {
		a, b := z[i]-x.Top, z[i+1]-x.Top
		v0 += float64(p[i] * a)
		v1 += float64(p[i+1] * b)
		if a < -lambda {
			a = -lambda
		}
		if b < -lambda {
			b = -lambda
		}
		u0 += float64(q[i] * a)
		u1 += float64(q[i+1] * b)
	}
	if i < n {
		a := z[i] - x.Top
		v0 += float64(p[i] * a)
		if a < -lambda {
			a = -lambda
		}
		u0 += float64(q[i] * a)
	}
	x.Value, x.Upper = v0+v1, float64(lambda*mass)+(u0+u1)
}

// Pour fills p with lo and adds, in the order of z, up to hi in each place until it
// sums to 1. With λ the z - Top of the last place that was added to,
//
//	Upper = λ + Σ max over p in [lo, hi] of p (z - Top - λ).
//
// Sums are two partial ones, for even and odd places.
func Pour(p, lo, hi, z []float64, order []int32) (x Excess) {
	lo, hi, z, order = lo[:len(p)], hi[:len(p)], z[:len(p)], order[:len(p)]
	if simd {
		simdPour(&x.Top, &p[0], &lo[0], &hi[0], &z[0], int32(len(p)), &order[0])
	} else {
		pour(&x, p, lo, hi, z, order)
	}
	return x
}

func pour(x *Excess, p, lo, hi, z []float64, order []int32) {
	n := len(p)
	lo, hi, z = lo[:n], hi[:n], z[:n]
	x.Top = z[order[0]]
	x.Width = x.Top - z[order[n-1]]
	var l0, l1 float64
	i := 0
	for ; i+2 <= n; i += 2 {
		l0 += lo[i]
		l1 += lo[i+1]
	}
	if i < n {
		l0 += lo[i]
	}
	copy(p, lo)
	left, lambda := 1-(l0+l1), -x.Width
	for _, j := range order {
		if left <= 0 {
			break
		}
		lambda = z[j] - x.Top
		room := hi[j] - lo[j]
		if room >= left {
			p[j] += left
			break
		}
		p[j] = hi[j]
		left -= room
	}
	var v0, v1, u0, u1 float64
	i = 0
	for ; i+2 <= n; i += 2 {
		a, b := z[i]-x.Top, z[i+1]-x.Top
		v0 += float64(p[i] * a)
		v1 += float64(p[i+1] * b)
		u0 += dearest(a-lambda, lo[i], hi[i])
		u1 += dearest(b-lambda, lo[i+1], hi[i+1])
	}
	if i < n {
		a := z[i] - x.Top
		v0 += float64(p[i] * a)
		u0 += dearest(a-lambda, lo[i], hi[i])
	}
	x.Value, x.Upper = v0+v1, lambda+(u0+u1)
}

// dearest is the largest p d with p from lo to hi.
func dearest(d, lo, hi float64) float64 {
	if d > 0 {
		return float64(hi * d)
	}
	return float64(lo * d)
}

// PourAround is Pour with lo and hi, which are scratch, all that is within r of q, from 0 to 1.
func PourAround(p, lo, hi, q, z []float64, order []int32, r float64) (x Excess) {
	lo, hi, q, z, order = lo[:len(p)], hi[:len(p)], q[:len(p)], z[:len(p)], order[:len(p)]
	if simd {
		simdPourAround(&x.Top, &p[0], &lo[0], &hi[0], &q[0], &z[0], int32(len(p)), &order[0], r)
	} else {
		pourAround(&x, p, lo, hi, q, z, order, r)
	}
	return x
}

func pourAround(x *Excess, p, lo, hi, q, z []float64, order []int32, r float64) {
	around(lo, hi, q, r)
	pour(x, p, lo, hi, z, order)
}

func around(lo, hi, q []float64, r float64) {
	lo, hi = lo[:len(q)], hi[:len(q)]
	for j, y := range q {
		l, h := y-r, y+r
		if l < 0 {
			l = 0
		}
		if h > 1 {
			h = 1
		}
		lo[j], hi[j] = l, h
	}
}

// Share fills p with (1-r) q and r more at the first place of the largest z. Upper is
// Value, whose sum is of two, for even and odd places.
func Share(p, q, z []float64, r float64) (x Excess) {
	q, z = q[:len(p)], z[:len(p)]
	if simd {
		simdShare(&x.Top, &p[0], &q[0], &z[0], int32(len(p)), r)
	} else {
		share(&x, p, q, z, r)
	}
	return x
}

func share(x *Excess, p, q, z []float64, r float64) {
	n := len(p)
	q, z = q[:n], z[:n]
	first, bottom := 0, z[0]
	x.Top = z[0]
	for j, y := range z {
		if y > x.Top {
			first, x.Top = j, y
		} else if y < bottom {
			bottom = y
		}
	}
	x.Width = x.Top - bottom
	var v0, v1 float64
	keep, i := 1-r, 0
	for ; i+2 <= n; i += 2 {
		a, b := float64(keep*q[i]), float64(keep*q[i+1])
		p[i], p[i+1] = a, b
		v0 += float64(a * (z[i] - x.Top))
		v1 += float64(b * (z[i+1] - x.Top))
	}
	if i < n {
		p[i] = float64(keep * q[i])
		v0 += float64(p[i] * (z[i] - x.Top))
	}
	p[first] += r
	x.Value = v0 + v1
	x.Upper = x.Value
}
