package enclosure

import (
	"math"
	"slices"
)

// Ball is a block of numbers: each is within radius of its float64, and none, of either, is larger
// in size than size. What overflowed has a radius that is infinite or no number, and
// proves nothing.
type Ball struct {
	v      []float64 // about the numbers
	radius float64   // how far a number may be from its float64
	size   float64   // none is larger
}

// NewBall is a block of so many zeros.
func NewBall(n int) *Ball { return &Ball{v: make([]float64, n)} }

// Copy is the block again.
func (b *Ball) Copy() *Ball { return &Ball{slices.Clone(b.v), b.radius, b.size} }

// Enter makes number i one that is known within an interval: the difference to the middle is off by half a spacing,
// and up adds a whole one.
func (b *Ball) Enter(i int, x Interval) {
	mid := x.lo + (x.hi-x.lo)/2
	b.v[i] = mid
	if r := up(max(x.hi-mid, mid-x.lo)); !(r <= b.radius) { // NaN stays
		b.radius = r + 0*b.radius
	}
	if s := up(max(math.Abs(x.lo), math.Abs(x.hi))); s > b.size {
		b.size = s
	}
}

// At is what is known of number i.
func (b *Ball) At(i int) Interval {
	return Of(down(b.v[i]-b.radius), up(b.v[i]+b.radius))
}

// fails makes a block of which nothing is known.
func (b *Ball) fails() { b.radius = math.Inf(1) }

// Combine makes b the sum of others times weights >= 0. Each of n products and sums is off by a roundoff
// of what it comes to, at most Σ w·size, in all less than (n+1) u of that: (n+3) 2u are taken, and
// all is multiplied by more than rounding of these terms may take off.
func (b *Ball) Combine(balls []*Ball, w []float64) {
	b.radius, b.size = 0, 0
	terms := float64(len(balls) + 3)
	for i, x := range balls {
		if !(w[i] >= 0) {
			b.fails()
		}
		b.radius += w[i] * (x.radius + Ulp*terms*x.size)
		b.size += w[i] * x.size // NaN where one of no weight overflowed
	}
	b.radius = b.radius*(1+1e-12) + underflow
	if b.size = 1.01 * b.size; !(b.size < 1e300) {
		b.fails()
	}
	b.add(balls, w)
}

// abreast is how many blocks are added at a time: the loop is much of a check.
const abreast = 6

// add fills b with the sum of others times weights, part by part, which stay at hand.
func (b *Ball) add(balls []*Ball, w []float64) {
	const part = 512
	clear(b.v)
	for from := 0; from < len(b.v) && len(balls) > 0; from += part {
		sum := b.v[from:min(from+part, len(b.v))]
		for first := 0; first < len(balls); first += abreast {
			var l [abreast]float64
			var f [abreast][]float64
			for i := range f { // what is missing has a weight of 0
				f[i] = balls[min(first+i, len(balls)-1)].v[from:][:len(sum)]
				if first+i < len(balls) {
					l[i] = w[first+i]
				}
			}
			addAll(sum, &f, &l)
		}
	}
}

func addAll(sum []float64, f *[abreast][]float64, l *[abreast]float64) {
	n := len(sum)
	a, b, c, d, e, g := f[0][:n], f[1][:n], f[2][:n], f[3][:n], f[4][:n], f[5][:n]
	la, lb, lc, ld, le, lg := l[0], l[1], l[2], l[3], l[4], l[5]
	for i, v := range sum {
		sum[i] = v + float64(la*a[i]) + float64(lb*b[i]) + float64(lc*c[i]) + float64(ld*d[i]) + float64(le*e[i]) + float64(lg*g[i])
	}
}

// Least is at most every number of the block: from there on is where they are.
func (b *Ball) Least() Interval {
	k := 0
	for i, x := range b.v {
		if x < b.v[k] {
			k = i
		}
	}
	return b.At(k).Upto(Line())
}

// LeastLerp is Least of the numbers of point i of an axis, see Lerp, and of what they come to a share
// 0 <= l <= 1 of the way to point j. That is off by at most 2^-53 of |y-x|, of the product and of the sum,
// each below 2·size: 4 ulp·size is more.
func (b *Ball) LeastLerp(stride, points, i, j int, l float64) Interval {
	low, end := math.Inf(1), math.Inf(1)
	for o := 0; o < len(b.v); o += points * stride {
		from := b.v[o+i*stride:][:stride]
		to := b.v[o+j*stride:][:len(from)]
		for c, g := range from {
			if g < low {
				low = g
			}
			if g += float64(l * (to[c] - g)); g < end {
				end = g
			}
		}
	}
	if !(l >= 0 && l <= 1) {
		return Line()
	}
	return Of(down(min(low, end-4*Ulp*b.size)-b.radius), math.Inf(1))
}

// Lerp replaces the numbers of each point i ≠ j of an axis by those a share 0 <= l_i <= 1 of the way to those of
// point j: x + l(y - x). The axis has stretches of stride numbers for one point after another. A move passes on
// at most the larger of the errors of x and y, and with |x|, |y| <= size the rounding of the
// difference (at most ulp·size), of the product (as much again) and of the sum
// (half of that) adds less than 4 ulp·size, which leaves room for what errors
// do to size itself.
func (b *Ball) Lerp(stride int, shares []float64, j int) {
	var points [16]int
	moved := points[:0]
	for i, l := range shares {
		if i == j || l == 0 {
			continue
		}
		if moved = append(moved, i); !(l > 0 && l <= 1) {
			b.fails()
		}
	}
	b.radius = up(b.radius + 4*Ulp*b.size)
	if stride >= 16 {
		b.stretches(stride, shares, j, moved)
	} else {
		b.scattered(stride, shares, j, moved)
	}
}

// stretches moves stretch by stretch, three points at a time: the loop is much of a check.
func (b *Ball) stretches(stride int, shares []float64, j int, points []int) {
	block := stride * len(shares)
	for f := b.v; len(f) >= block; f = f[block:] {
		to := f[j*stride:][:stride]
		k := 0
		for ; k+3 <= len(points); k += 3 {
			p, q, r := points[k], points[k+1], points[k+2]
			a, b, c := f[p*stride:][:len(to)], f[q*stride:][:len(to)], f[r*stride:][:len(to)]
			la, lb, lc := shares[p], shares[q], shares[r]
			for i, y := range to {
				a[i] += float64(la * (y - a[i]))
				b[i] += float64(lb * (y - b[i]))
				c[i] += float64(lc * (y - c[i]))
			}
		}
		for ; k < len(points); k++ {
			a, la := f[points[k]*stride:][:len(to)], shares[points[k]]
			for i, y := range to {
				a[i] += float64(la * (y - a[i]))
			}
		}
	}
}

// scattered moves number by number, for stretches that are so short that they cost more than they save.
func (b *Ball) scattered(stride int, shares []float64, j int, points []int) {
	f, block := b.v, stride*len(shares)
	for _, i := range points {
		l := shares[i]
		for o := range min(stride, len(f)) {
			for from, to := o+i*stride, o+j*stride; from < len(f) && to < len(f); from, to = from+block, to+block {
				f[from] += float64(l * (f[to] - f[from]))
			}
		}
	}
}
