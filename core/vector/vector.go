// Package vector holds the inner loops that carry the linear programs, the
// elimination of the evaluator and the tensor bound: sums of multiples of rows,
// dot products, and slices of tensors.
//
// Every function is defined here, in plain Go, down to the order of its sums,
// and a conformance test holds each faster way to the same bits. No product is
// fused with a sum: the conversions float64(x*y) forbid it.
//
// In the page what stands on them takes 1.0 to 1.4 times as long as natively where rows have
// a hundred numbers and more, and 2 to 4.6 times where they have 5 to 20: there it is
// the calls and bounds of Go's own code between the loops.
//
// Slices are not checked against each other beyond what Go does; a length that
// does not fit panics.
package vector

import "math"

// In a page the loops run in a small module of their own (simd.go) where that pays for the call: from worth numbers on,
// or from few on in a row, whose loops do more for each.
const worth, few = 16, 8

// Axpy adds f·src to dst, element by element: dst[i] += f·src[i].
func Axpy(dst, src []float64, f float64) {
	src = src[:len(dst)]
	if simd && len(dst) >= worth {
		simdAxpy(&dst[0], &src[0], int32(len(dst)), f)
		return
	}
	runAxpy(dst, src, f)
}

func axpy(dst, src []float64, f float64) {
	src = src[:len(dst)]
	n := len(dst) &^ 7
	for i := 0; i < n; i += 8 {
		d, s := (*[8]float64)(dst[i:]), (*[8]float64)(src[i:])
		d[0] += float64(f * s[0])
		d[1] += float64(f * s[1])
		d[2] += float64(f * s[2])
		d[3] += float64(f * s[3])
		d[4] += float64(f * s[4])
		d[5] += float64(f * s[5])
		d[6] += float64(f * s[6])
		d[7] += float64(f * s[7])
	}
	for i := n; i < len(dst); i++ {
		dst[i] += float64(f * src[i])
	}
}

// Scale multiplies dst by f.
func Scale(dst []float64, f float64) {
	if simd && len(dst) >= worth {
		simdScale(&dst[0], int32(len(dst)), f)
		return
	}
	runScale(dst, f)
}

func scale(dst []float64, f float64) {
	for len(dst) >= 8 {
		d := (*[8]float64)(dst)
		d[0] *= f
		d[1] *= f
		d[2] *= f
		d[3] *= f
		d[4] *= f
		d[5] *= f
		d[6] *= f
		d[7] *= f
		dst = dst[8:]
	}
	for i := range dst {
		dst[i] *= f
	}
}

// Dot is the sum of x[i]·y[i] in four partial sums, one for each i mod 4, which
// are then added as (s0+s1)+(s2+s3).
func Dot(x, y []float64) float64 {
	y = y[:len(x)]
	if simd && len(x) >= worth {
		return simdDot(&x[0], &y[0], int32(len(x)))
	}
	return dot(x, y)
}

func dot(x, y []float64) float64 {
	y = y[:len(x)]
	var s0, s1, s2, s3 float64
	n := len(x) &^ 3
	for i := 0; i < n; i += 4 {
		a, b := (*[4]float64)(x[i:]), (*[4]float64)(y[i:])
		s0 += float64(a[0] * b[0])
		s1 += float64(a[1] * b[1])
		s2 += float64(a[2] * b[2])
		s3 += float64(a[3] * b[3])
	}
	switch len(x) - n {
	case 3:
		s2 += float64(x[n+2] * y[n+2])
		fallthrough
	case 2:
		s1 += float64(x[n+1] * y[n+1])
		fallthrough
	case 1:
		s0 += float64(x[n] * y[n])
	}
	return (s0 + s1) + (s2 + s3)
}

// Dots fills dst[r] with the Dot of x and row r of a matrix whose rows start
// stride apart.
func Dots(dst, rows []float64, stride int, x []float64) {
	if len(dst) == 0 {
		return
	}
	_ = rows[(len(dst)-1)*stride:][:len(x)]
	if simd && len(x)*len(dst) >= worth {
		simdDots(&dst[0], int32(len(dst)), &rows[0], int32(stride), &x[0], int32(len(x)))
		return
	}
	dots(dst, rows, stride, x)
}

func dots(dst, rows []float64, stride int, x []float64) {
	for r := range dst {
		dst[r] = dot(x, rows[r*stride:][:len(x)])
	}
}

// Sized is a slice of n entries in the memory of x where that is enough; of what they hold nothing is known.
func Sized[T any](x []T, n int) []T {
	if cap(x) < n {
		return make([]T, n)
	}
	return x[:n]
}

// Rank1 adds f[r]·src to row r of a matrix whose rows start stride apart, for
// every r with f[r] ≠ 0.
func Rank1(rows []float64, stride int, src, f []float64) {
	if len(f) == 0 {
		return
	}
	_ = rows[(len(f)-1)*stride:][:len(src)]
	if simd && len(src)*len(f) >= worth {
		simdRank1(&rows[0], int32(stride), &src[0], int32(len(src)), &f[0], int32(len(f)))
		return
	}
	runRank1(rows, stride, src, f)
}

func rank1(rows []float64, stride int, src, f []float64) {
	for r, v := range f {
		if v != 0 {
			axpy(rows[r*stride:][:len(src)], src, v)
		}
	}
}

// Eliminate takes from dst, for k = 0, 2, 4, ..., the sum f[k]·row k + f[k+1]·row k+1
// of a matrix whose rows start stride apart: the rows above a row in an elimination.
// The length of f is even.
func Eliminate(dst, rows []float64, stride int, f []float64) {
	if len(f) == 0 {
		return
	}
	_ = rows[(len(f)-1)*stride:][:len(dst)]
	if simd && len(dst)*len(f) >= worth {
		simdEliminate(&dst[0], int32(len(dst)), &rows[0], int32(stride), &f[0], int32(len(f)))
		return
	}
	eliminate(dst, rows, stride, f)
}

func eliminate(dst, rows []float64, stride int, f []float64) {
	for ; len(f) >= 4; f = f[4:] {
		f0, f1, f2, f3 := f[0], f[1], f[2], f[3]
		a, b, c, e := rows[:len(dst)], rows[stride:][:len(dst)], rows[2*stride:][:len(dst)], rows[3*stride:][:len(dst)]
		for i := range dst {
			dst[i] = dst[i] - (float64(f0*a[i]) + float64(f1*b[i])) - (float64(f2*c[i]) + float64(f3*e[i]))
		}
		if rows = rows[3*stride:]; len(f) > 4 {
			rows = rows[stride:]
		}
	}
	if len(f) >= 2 {
		f0, f1 := f[0], f[1]
		a, b := rows[:len(dst)], rows[stride:][:len(dst)]
		for i := range dst {
			dst[i] -= float64(f0*a[i]) + float64(f1*b[i])
		}
	}
}

// runEliminateOctets is Eliminate for eight numbers, with a matrix of octets and its
// factors eight to an octet.
func runEliminateOctets(dst *Octet, rows []Octet, stride int, f []Octet) {
	if simd {
		simdEliminate(&dst[0], 8, &rows[0][0], int32(8*stride), &f[0][0], int32(8*len(f)))
		return
	}
	eliminateOctets(dst, rows, stride, f)
}

func eliminateOctets(dst *Octet, rows []Octet, stride int, f []Octet) {
	r0, r1, r2, r3, r4, r5, r6, r7 := dst[0], dst[1], dst[2], dst[3], dst[4], dst[5], dst[6], dst[7]
	o := 0
	for c := range f {
		fc := &f[c]
		for j := 0; j < 8; j += 2 {
			g, h := fc[j], fc[j+1]
			u, v := &rows[o], &rows[o+stride]
			o += 2 * stride
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
	dst[0], dst[1], dst[2], dst[3], dst[4], dst[5], dst[6], dst[7] = r0, r1, r2, r3, r4, r5, r6, r7
}

// Combine fills dst with the sum of f[k] times row at[k] of a matrix whose rows
// start stride apart, added in the order of k from 0.
func Combine(dst, rows []float64, stride int, at []int32, f []float64) {
	f = f[:len(at)]
	for _, r := range at {
		_ = rows[int(r)*stride:][:len(dst)]
	}
	if simd && len(dst)*len(at) >= worth {
		simdCombine(&dst[0], int32(len(dst)), &rows[0], int32(stride), &at[0], &f[0], int32(len(at)))
		return
	}
	runCombine(dst, rows, stride, at, f)
}

func combine(dst, rows []float64, stride int, at []int32, f []float64) {
	const block = 512 // stays in the nearest cache
	for from := 0; from < len(dst); from += block {
		d := dst[from:min(from+block, len(dst))]
		k := 0
		if len(at) >= 4 {
			combine4(d, rows[from:], stride, at, f, true)
			k = 4
		} else {
			clear(d)
		}
		for ; k+4 <= len(at); k += 4 {
			combine4(d, rows[from:], stride, at[k:], f[k:], false)
		}
		for ; k < len(at); k++ {
			axpy(d, rows[from+int(at[k])*stride:][:len(d)], f[k])
		}
	}
}

// combine4 adds four rows to d, or to 0 when first.
func combine4(d, rows []float64, stride int, at []int32, f []float64, first bool) {
	f0, f1, f2, f3 := f[0], f[1], f[2], f[3]
	a, b := rows[int(at[0])*stride:][:len(d)], rows[int(at[1])*stride:][:len(d)]
	c, e := rows[int(at[2])*stride:][:len(d)], rows[int(at[3])*stride:][:len(d)]
	if first {
		for i := range d {
			d[i] = float64(0+float64(f0*a[i])) + float64(f1*b[i]) + float64(f2*c[i]) + float64(f3*e[i])
		}
		return
	}
	for i := range d {
		d[i] = d[i] + float64(f0*a[i]) + float64(f1*b[i]) + float64(f2*c[i]) + float64(f3*e[i])
	}
}

// Least is the least of the numbers, +Inf for none; there must be no NaN. Which
// zero it is when zeros of both signs are least is not said.
func Least(x []float64) float64 {
	if simd && len(x) >= worth {
		return simdLeast(&x[0], int32(len(x)))
	}
	return smallest(x)
}

// Leasts fills dst[i] with the least of x[i·size:(i+1)·size], the last block
// taking what is left.
func Leasts(dst, x []float64, size int) {
	for i := range dst {
		if i == len(dst)-1 {
			dst[i] = Least(x[i*size:])
		} else {
			dst[i] = Least(x[i*size:][:size])
		}
	}
}

// Toward moves, in a tensor, the slices i ≠ j of one index towards slice j:
// x(i,·) += f[i]·(x(j,·) - x(i,·)). The index has len(f) values whose slices
// start stride apart; x is that many slices, repeated.
func Toward(x []float64, stride, j int, f []float64) {
	_ = f[j]
	if simd && len(x) >= worth {
		simdToward(&x[0], int32(len(x)/(stride*len(f))), int32(stride), int32(j), &f[0], int32(len(f)))
		return
	}
	toward(x, stride, j, f)
}

func toward(x []float64, stride, j int, f []float64) {
	n := len(f) * stride
	if stride == 1 || stride == 4 {
		for block := n * max(1, 1024/n); len(x) >= n; x = x[min(block, len(x)):] {
			towardNarrow(x[:min(block, len(x))], stride, j, f)
		}
		return
	}
	for ; len(x) >= n; x = x[n:] {
		to := x[j*stride:][:stride]
		for i, v := range f {
			if i == j || v == 0 {
				continue
			}
			r := x[i*stride:][:stride]
			m := stride &^ 3
			for k := 0; k < m; k += 4 {
				move4((*[4]float64)(r[k:]), (*[4]float64)(to[k:]), v)
			}
			for k := m; k < stride; k++ {
				r[k] += float64(v * (to[k] - r[k]))
			}
		}
	}
}

// towardNarrow is toward for slices of one number or four, one slice after the
// other in all of x, which stays in the nearest cache.
func towardNarrow(x []float64, stride, j int, f []float64) {
	n := len(f) * stride
	for i, v := range f {
		switch {
		case i == j || v == 0:
		case stride == 1:
			for k, o := i, j; max(k, o) < len(x); k, o = k+n, o+n {
				x[k] += float64(v * (x[o] - x[k]))
			}
		default:
			for k, o := 4*i, 4*j; max(k, o) < len(x); k, o = k+n, o+n {
				move4((*[4]float64)(x[k:]), (*[4]float64)(x[o:]), v)
			}
		}
	}
}

// move4 moves four numbers the share v of their way to others.
func move4(a, b *[4]float64, v float64) {
	a[0] += float64(v * (b[0] - a[0]))
	a[1] += float64(v * (b[1] - a[1]))
	a[2] += float64(v * (b[2] - a[2]))
	a[3] += float64(v * (b[3] - a[3]))
}

// LeastToward fills dst[i], i ≠ j, with the least that slice i of one index of a
// tensor comes to when each of its numbers v goes the share f of its way to its
// fellow w in slice j where that is less: v + f·min(w-v, 0). dst[j] is +Inf. The
// index has len(dst) values whose slices start stride apart; x is that many
// slices, repeated; f is 0 or more and there must be no NaN.
func LeastToward(dst, x []float64, stride, j int, f float64) {
	_ = dst[j]
	if simd && len(x) >= worth {
		simdLeastToward(&dst[0], int32(len(dst)), &x[0], int32(len(x)/(stride*len(dst))), int32(stride), int32(j), f)
		return
	}
	leastToward(dst, x, stride, j, f)
}

func leastToward(dst, x []float64, stride, j int, f float64) {
	for i := range dst {
		dst[i] = math.Inf(1)
	}
	n := len(dst) * stride
	for ; len(x) >= n; x = x[n:] {
		to := x[j*stride:][:stride]
		for i, m := range dst {
			if i == j {
				continue
			}
			from := x[i*stride:][:stride]
			switch {
			case f == 0 && stride >= 16:
				m = min(m, smallest(from))
			case f == 0:
				for _, v := range from {
					if v < m {
						m = v
					}
				}
			default:
				for k, v := range from {
					if w := to[k]; w < v {
						v += float64(f * (w - v))
					}
					if v < m {
						m = v
					}
				}
			}
			dst[i] = m
		}
	}
}

func smallest(x []float64) float64 {
	m := math.Inf(1)
	n := len(x) &^ 3
	m1, m2, m3 := m, m, m
	for i := 0; i < n; i += 4 {
		a := (*[4]float64)(x[i:])
		if a[0] < m {
			m = a[0]
		}
		if a[1] < m1 {
			m1 = a[1]
		}
		if a[2] < m2 {
			m2 = a[2]
		}
		if a[3] < m3 {
			m3 = a[3]
		}
	}
	for _, v := range x[n:] {
		if v < m {
			m = v
		}
	}
	return min(m, m1, m2, m3)
}

// Largest is the largest magnitude, NaN if one is: floats without their sign are
// in the order of their bits, NaN last, and whole numbers compare sooner.
func Largest(x []float64) float64 {
	m := uint64(0)
	for _, y := range x {
		m = max(m, math.Float64bits(y)&^(1<<63))
	}
	return math.Float64frombits(m)
}
