package enclosure

import (
	"cmp"
	"math"
	"math/big"
	"slices"
)

// Exponentials, logarithms and the divergence of intervals: a series at one end, of which
// the error is known (series.go), and the slope for the rest of the interval.

// Exp encloses e^x: e^lo within seriesError, and from there e^w <= 1+2w for the width w <= 1.
func Exp(x Interval) Interval {
	low, high := 0.0, math.Inf(1)
	within := func(x float64) bool { return x >= expMin && x <= expMax }
	w := up(x.hi - x.lo)
	switch {
	case within(x.lo) && w <= 1:
		near := expNear(x.lo)
		return made(down(near*(1-seriesError)), up(near*(1+seriesError+3*w)))
	case within(x.lo):
		low = down(expNear(x.lo) * (1 - seriesError))
	}
	switch {
	case x.hi < expMin:
		high = 0x1p-1000 // e^-700 < 2^-1000
	case within(x.hi):
		high = up(expNear(x.hi) * (1 + seriesError))
	}
	return made(low, high)
}

// Expm1 encloses e^x - 1, without cancellation for -.31 <= x <= 0, where the slope is at
// most 1.
func Expm1(x Interval) Interval {
	if !(x.lo >= -.31 && x.hi <= 0) {
		return Exp(x).Sub(Point(1))
	}
	near := expm1Little(x.lo)
	return made(down(near*(1+seriesError)), min(0, up(near*(1-seriesError)+up(x.hi-x.lo))))
}

// Log encloses ln x; where that may be no number it is the line. With
// ln hi <= ln lo + (hi-lo)/lo; numbers near or below the normal range are multiplied by 2^200,
// exactly.
func Log(x Interval) Interval {
	if x.lo > 0 && x.lo < 0x1p-1000 {
		return Log(Interval{x.lo * 0x1p200, x.hi * 0x1p200}).Sub(Point(200).Mul(Point(ln2Hi).Add(ln2Lo)))
	}
	l, slack := logNear(x.lo)
	return made(down(l-slack), up(up(l+slack)+up(up(x.hi-x.lo)/x.lo)))
}

// Log1p encloses ln(1+x), without cancellation for |x| <= .31, where the slope is below 1.5.
func Log1p(x Interval) Interval {
	if !(x.lo >= -.31 && x.hi <= .31) {
		return Log(Point(1).Add(x))
	}
	l := log1pLittle(x.lo)
	slack := seriesError * math.Abs(l)
	return made(down(l-slack), up(up(l+slack)+1.5*up(x.hi-x.lo)))
}

// Divergence holds what an entry p = q + gap >= 0 adds to KL(p‖q) = Σ p ln(p/q), both sums being 1:
// q φ(d) for d = gap/q >= -1 and
//
//	φ(d) = (1+d) ln(1+d) - d >= 0.
//
// φ is convex, so that neither of its values at the ends is exceeded between them; and next to d = 0 an
// error of d is multiplied by about d. Where q is next to nothing it is p (ln p - ln q) - gap.
func Divergence(gap, q Interval) Interval {
	d := gap.Div(q)
	if d.hi > 0x1p60 {
		p := q.Add(gap)
		return p.Mul(Log(p).Sub(Log(q))).Sub(gap).Max(Interval{})
	}
	most := 0.0 // φ falls up to 0 and rises from there on
	if d.lo < 0 {
		most = divergence(max(-1, d.lo))
	}
	if d.hi > 0 {
		most = max(most, divergence(d.hi))
	}
	return q.Mul(Interval{0, most})
}

// curve are the coefficients of φ(d)/d², from that of d^16 down to that of 1, but for their signs.
var curve = [...]float64{1. / (18 * 17), 1. / (17 * 16), 1. / (16 * 15), 1. / (15 * 14), 1. / (14 * 13), 1. / (13 * 12), 1. / (12 * 11), 1. / (11 * 10), 1. / (10 * 9), 1. / (9 * 8), 1. / (8 * 7), 1. / (7 * 6), 1. / (6 * 5), 1. / (5 * 4), 1. / (4 * 3), 1. / (3 * 2), 1. / 2}

// divergence is at least φ(d). For |d| > 1/8 by x ln x - d for x = 1+d, which may be off by u = 2^-53 of it, and
// so its product with the logarithm by u x(1+|ln x|); by x·slack for the logarithm, u x|ln x| for the product and
// no more than u(x|ln x| + 1 + x) for the difference: in all x·slack + u x(2+3|ln x|) + u. For |d| <= 1/8 by Horner's rule on
//
//	φ(d)/d² = Σ_{k>=2} (-d)^(k-2) / (k(k-1)).
//
// What follows the term k = 18 is less than 2^-50 of the sum. Rounding is less than 2^-48 of
// it: the first term, 1/2, exceeds the sum of the others' sizes more than tenfold. Below the normal
// range d² and its product with the sum, which is below 0.6, are off by half of tiny each besides,
// together by less than the tiny that up adds: there nothing is lost of it.
func divergence(d float64) float64 {
	switch {
	case d == -1:
		return 1
	case !(math.Abs(d) <= .125):
		x := 1 + d
		l, slack := logNear(x)
		return up(x*l - d + up(x*(slack+2*Ulp*(math.Abs(l)+1))+Ulp))
	}
	t := 0.0
	for _, c := range curve {
		t = c - float64(d*t)
	}
	return up(d * d * (t * (1 + 0x1p-46)))
}

// Mean encloses Σ q_j z_j for a distribution q >= 0, which adds up to 1, whatever entry k is:
//
//	⟨q, z⟩ = z_k + Σ_{j≠k} q_j (z_j - z_k).
//
// Each end adds up the ends of q_j (z_j - z_k), in two roundoffs u of a term and one of a sum: less than
// (n+2) u of Σ|terms| of both ends, of which more than twice as much is allowed for, besides less than
// underflow for products below the normal range. Nothing is, where nothing was added.
func Mean(q, z []Interval, k int) Interval {
	zk := z[k]
	low, high, size, exact := 0.0, 0.0, 0.0, true
	for j, x := range z {
		below, above, p := x.lo-zk.hi, x.hi-zk.lo, q[j]
		if j == k || below == 0 && above == 0 || p.hi == 0 {
			continue
		}
		if below < 0 {
			below *= p.hi
		} else {
			below *= p.lo
		}
		if above < 0 {
			above *= p.lo
		} else {
			above *= p.hi
		}
		low, high, size, exact = low+below, high+above, size+(math.Abs(below)+math.Abs(above)), false
	}
	if exact {
		return zk
	}
	margin := Ulp*(float64(len(z)+4)*size) + underflow
	return zk.Add(made(down(low-margin), up(high+margin)))
}

// Gaps appends by how much two rows of n entries differ that add up to 1. Entry k is what the others leave: their sum
// is off by less than n u of their sizes, and twice that is allowed for. Of numbers that are equal a difference is 0.
func Gaps(dst, p, q []Interval, k int) []Interval {
	low, high, size, from := 0.0, 0.0, 0.0, len(dst)
	for j, x := range p {
		y := q[j]
		below, above := x.lo-y.hi, x.hi-y.lo
		if below != 0 {
			below = down(below)
		}
		if above != 0 {
			above = up(above)
		}
		if dst = append(dst, Interval{below, above}); j != k {
			low, high, size = low+below, high+above, size+max(math.Abs(below), math.Abs(above))
		}
	}
	margin := float64(len(p)) * Ulp * size
	dst[from+k] = made(-up(high+margin), -down(low-margin))
	return dst
}

// Most adds up numbers >= 0 from above. The zero value is 0.
type Most struct {
	sum float64 // of their upper ends
	n   float64 // numbers
}

// Add adds one.
func (t *Most) Add(a Interval) {
	t.sum += a.hi
	t.n++
}

// Bound goes from 0 to at least the sum, of which each of n roundoffs takes less than u.
func (t *Most) Bound() Interval { return made(0, t.sum*(1+t.n*Ulp)) }

// Distribution appends what a person would type for some numbers >= 0, over what that adds up to, exactly where
// all of it is float64s. A decimal is within u of its float64, and so is their sum. Of an entry x that is
// x(1±u) times the inverse of the sum, rounded once more: factors of 1±4 Ulp are more, for their own rounding too, and a
// tiny where that is below the normal range.
func Distribution(dst []Interval, prob []float64) (row []Interval, sum Interval) {
	var total Total
	exact, from := true, len(dst)
	for _, x := range prob {
		total.Add(Interval{x, x})
		exact = exact && typed(x)
		dst = append(dst, Interval{x, x})
	}
	if sum = total.Bounds(); !exact {
		sum = made(down(sum.lo-Ulp*sum.hi), up(sum.hi+Ulp*sum.hi))
	}
	inverse := (Interval{1, 1}).Div(sum)
	if exact && inverse == (Interval{1, 1}) {
		return dst, sum
	}
	low, high := inverse.lo*(1-4*Ulp), inverse.hi*(1+4*Ulp)
	for j, x := range prob {
		if x != 0 {
			dst[from+j] = made(max(0, x*low-tiny), x*high+tiny)
		}
	}
	return dst, sum
}

// Quotient encloses num/den, for den > 0.
func Quotient(num, den *big.Int) Interval {
	if num.Sign() == 0 {
		return Interval{}
	}
	f := Ratio(num, den)
	return made(down(f), up(f))
}

// First is the place of the first largest number, -1 among none.
func First(x []float64) int {
	k := -1
	for j, y := range x {
		if k < 0 || y > x[k] {
			k = j
		}
	}
	return k
}

// Extremes hold the least and the largest of some numbers, 0 among none.
func Extremes(z []Interval) (least, most Interval) {
	for j, x := range z {
		if j == 0 {
			least, most = x, x
		}
		if x.lo < least.lo || x.hi < least.hi {
			least = least.Min(x)
		}
		if x.lo > most.lo || x.hi > most.hi {
			most = most.Max(x)
		}
	}
	return least, most
}

// Falling puts the places of v in order, largest first.
func Falling(order []int, v []float64) {
	slices.SortFunc(order, func(a, b int) int {
		if c := cmp.Compare(v[b], v[a]); c != 0 {
			return c
		}
		return a - b
	})
}

// Usable reports whether x is a finite number of which no digits are lost, see Faint.
func Usable(x float64) bool { return Share(math.Abs(x)) }

// Share reports whether x is a usable number that is not negative.
func Share(x float64) bool { return x == 0 || x >= 0x1p-1022 && x <= math.MaxFloat64 }

// Undefined is no number: what a report holds where nothing is said.
func Undefined() float64 { return math.NaN() }

// Opposite is -x, exactly.
func Opposite(x float64) float64 { return -x }
