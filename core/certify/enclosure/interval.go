// Package enclosure is the checker's arithmetic: numbers that are known within bounds, and
// fractions where they are known exactly.
//
// Each float64 operation returns the number nearest to the exact result, so moving
// the result to a neighbour of its neighbour encloses the exact one; no rounding
// mode is switched. A NaN never proves anything: every test here accepts on a
// comparison that is false for NaN. Results that are computed with an error proved beforehand
// come with it: relative ones hold for normal numbers, and what may underflow has an absolute
// one besides. All is held against exact rationals over the whole range of float64.
package enclosure

import "math"

const (
	Ulp  = 0x1p-52   // relative spacing of float64: twice the unit roundoff
	Tiny = 0x1p-1074 // the least positive float64
)

// Up returns a float64 that is at least the successor of x, hence at least
// every real number that rounds to x. Proof: |x|·Ulp is at least the distance
// from x to its neighbours when x is normal, and Tiny is that distance when x
// is not; the sum then rounds to no less than the successor, because rounding
// is monotone. A fused multiply-add only rounds once less.
func Up(x float64) float64 { return x + (math.Abs(x)*Ulp + Tiny) }

// Down returns a float64 that is at most the predecessor of x.
func Down(x float64) float64 { return x - (math.Abs(x)*Ulp + Tiny) }

// Interval is the closed interval [lo, hi] of real numbers.
type Interval struct{ lo, hi float64 }

// Of is the interval from lo to hi.
func Of(lo, hi float64) Interval { return Interval{lo, hi} }

// Lo is the lower end.
func (a Interval) Lo() float64 { return a.lo }

// Hi is the upper end.
func (a Interval) Hi() float64 { return a.hi }

// Line is the interval of all numbers.
func Line() Interval { return Interval{math.Inf(-1), math.Inf(1)} }

// Known is the interval with ends that are numbers or infinite: of one that is NaN nothing
// is known.
func (a Interval) Known() Interval {
	if math.IsNaN(a.lo) {
		a.lo = math.Inf(-1)
	}
	if math.IsNaN(a.hi) {
		a.hi = math.Inf(1)
	}
	return a
}

// Max encloses the larger of two numbers.
func (a Interval) Max(b Interval) Interval { return Interval{max(a.lo, b.lo), max(a.hi, b.hi)} }

// Meet is what both hold.
func (a Interval) Meet(b Interval) Interval { return Interval{max(a.lo, b.lo), min(a.hi, b.hi)} }

// Point is the interval that holds only the float64 x.
func Point(x float64) Interval { return Interval{x, x} }

// Add, Sub, Mul and Div enclose what comes of any two numbers of the intervals; Hull holds
// both. An interval with an end that is NaN proves nothing and nothing comes of it that does.
func (a Interval) Add(b Interval) Interval  { return Interval{Down(a.lo + b.lo), Up(a.hi + b.hi)} }
func (a Interval) Sub(b Interval) Interval  { return Interval{Down(a.lo - b.hi), Up(a.hi - b.lo)} }
func (a Interval) Hull(b Interval) Interval { return Interval{min(a.lo, b.lo), max(a.hi, b.hi)} }

func (a Interval) Mul(b Interval) Interval {
	p, q, r, s := a.lo*b.lo, a.lo*b.hi, a.hi*b.lo, a.hi*b.hi
	return Interval{Down(min(p, q, r, s)), Up(max(p, q, r, s))}
}

// Div is a/b; it is NaN when b holds 0.
func (a Interval) Div(b Interval) Interval {
	if !(b.lo > 0 || b.hi < 0) {
		return Interval{math.NaN(), math.NaN()}
	}
	p, q, r, s := a.lo/b.lo, a.lo/b.hi, a.hi/b.lo, a.hi/b.hi
	return Interval{Down(min(p, q, r, s)), Up(max(p, q, r, s))}
}

// scale is a·2^k, exact but for Underflow and overflow.
func (a Interval) scale(k int) Interval {
	return Interval{Down(math.Ldexp(a.lo, k)), Up(math.Ldexp(a.hi, k))}
}

// Sum adds up real numbers t_1..t_n that are known as float64 with a relative
// error: when every term added is within k unit roundoffs u = 2^-53 of its
// real, for any k below 2^20, the exact sum lies in bounds(k). Rounding errors
// of the additions are collected by Knuth's TwoSum, so the margin is
//
//	(k + 2)·2u·Σ|t_i| + (2nu)²·Σ|t_i| + 2^-1000
//
// where Ogita, Rump and Oishi (Accurate sum and dot product, 2005, theorem
// 4.5) need u·|Σt_i| + (n-1)²u²·Σ|t_i| up to second order and the terms' own
// errors k·u·Σ|t_i|; the factors of 2 leave room for the second order and for
// the rounding of Σ|t_i| and of this formula, the last summand for Underflow in
// fewer than 2^70 terms.
type Sum struct {
	v, low, abs float64 // the floating sum, its correction, and Σ|t_i|
	n           int     // terms
}

func (s *Sum) Add(t float64) {
	t = float64(t) // rounded: TwoSum must see the same t everywhere, no fused product
	x := float64(s.v + t)
	z := float64(x - s.v)
	s.low += float64(s.v-float64(x-z)) + float64(t-z)
	s.v = x
	s.abs += math.Abs(t)
	s.n++
}

func (s *Sum) margin(k int) float64 {
	n := float64(s.n) * Ulp
	return Up(float64(k+2)*Ulp*s.abs + n*n*s.abs + Underflow)
}

func (s *Sum) Bounds(k int) Interval {
	m, v := s.margin(k), s.v+s.low
	return Interval{Down(v - m), Up(v + m)}
}

// Underflow bounds the sum of the absolute errors that gradual Underflow can
// add to fewer than 2^70 products.
const Underflow = 0x1p-1000
