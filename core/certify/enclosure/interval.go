// Package enclosure is the checker's arithmetic: numbers that are known within bounds, and
// fractions where they are known exactly.
//
// An Interval is what is known of one real number. Nobody outside can add or compare its
// ends, so that no rounding is forgotten: operations round outwards, comparisons are true only
// where they hold for every number of both intervals, and what is not finite is the whole
// line, which proves nothing. Zero and one multiply exactly, and sums that are float64s are
// exact, so that what costs nothing costs exactly that.
//
// Each float64 operation returns the number nearest to the exact result, so moving the result
// to a neighbour of its neighbour encloses the exact one; no rounding mode is switched. All is
// held against exact rationals over the whole range of float64.
package enclosure

import (
	"math"
	"math/big"
)

const (
	Ulp  = 0x1p-52   // relative spacing of float64: twice the unit roundoff
	tiny = 0x1p-1074 // the least positive float64
)

// up returns a float64 that is at least the successor of x, hence at least
// every real number that rounds to x. Proof: |x|·Ulp is at least the distance
// from x to its neighbours when x is normal, and tiny is that distance when x
// is not; the sum then rounds to no less than the successor, because rounding
// is monotone. A fused multiply-add only rounds once less. Of an infinity it is
// that infinity or no number.
func up(x float64) float64 { return x + (math.Abs(x)*Ulp + tiny) }

// down returns a float64 that is at most the predecessor of x.
func down(x float64) float64 { return x - (math.Abs(x)*Ulp + tiny) }

// Interval is the closed interval [lo, hi] of real numbers; the zero value is the number 0.
// lo <= hi always, lo is never +Inf and hi never -Inf.
type Interval struct{ lo, hi float64 }

// Of is the interval from lo to hi, the line where these are no ends.
func Of(lo, hi float64) Interval {
	if !(lo <= hi) || lo > math.MaxFloat64 || hi < -math.MaxFloat64 {
		return Line()
	}
	return Interval{lo, hi}
}

// Line is the interval of all numbers.
func Line() Interval { return Interval{math.Inf(-1), math.Inf(1)} }

// Point is the interval that holds only the float64 x: the line, where x is not finite.
func Point(x float64) Interval { return Of(x, x) }

// Whole is a whole number, |n| < 2^53.
func Whole(n int) Interval { return Point(float64(n)) }

// Power is 2^e, |e| <= 1000.
func Power(e int) Interval { return Point(math.Ldexp(1, e)) }

// Typed holds the decimal that a person would type for x, the shortest that reads back as
// x: within half a spacing of it. That is x itself for a whole number below 2^53, since any
// shorter decimal would be a whole number too and those are all float64s; and for a multiple of
// 2^-10 below 2^16, which has at most 15 digits, of which no two read back as one float64.
func Typed(x float64) Interval {
	if typed(x) {
		return Interval{x, x}
	}
	return made(down(x), up(x))
}

// typed reports whether x is known to be its shortest decimal.
func typed(x float64) bool {
	y := x * 1024
	return y == math.Trunc(y) && math.Abs(y) < 0x1p26 || x == math.Trunc(x) && math.Abs(x) < 0x1p53
}

// Around is the tightest interval of float64s around r.
func Around(r *big.Rat) Interval { return made(Below(r), Above(r)) }

// Lo and Hi are the ends: a number that it is at least, and at most.
func (a Interval) Lo() float64 { return a.lo }
func (a Interval) Hi() float64 { return a.hi }

// made is the interval of ends that were rounded outwards: where one is no number they are
// of what overflowed, and nothing is known.
func made(lo, hi float64) Interval {
	if !(lo <= hi) {
		return Line()
	}
	return Interval{lo, hi}
}

// Finite reports whether both ends are.
func (a Interval) Finite() bool { return a.lo >= -math.MaxFloat64 && a.hi <= math.MaxFloat64 }

// Less and AtMost report whether every number of a is below, or at most, every one of b; Sign
// is that of all numbers of a, 0 where they have none in common.
func (a Interval) Less(b Interval) bool   { return a.hi < b.lo }
func (a Interval) AtMost(b Interval) bool { return a.hi <= b.lo }

func (a Interval) Sign() int {
	switch {
	case a.lo > 0:
		return 1
	case a.hi < 0:
		return -1
	}
	return 0
}

// Lowers and Raises report whether a has the lower lower end, or the higher upper one: whether it
// counts next to b for what is known from there.
func (a Interval) Lowers(b Interval) bool { return a.lo < b.lo }
func (a Interval) Raises(b Interval) bool { return a.hi > b.hi }

// Single reports whether it is one number.
func (a Interval) Single() bool { return a.lo == a.hi }

// Neg, Abs, Max and Min enclose these; Hull holds both, Meet is what both hold, of one number.
func (a Interval) Neg() Interval            { return Interval{-a.hi, -a.lo} }
func (a Interval) Max(b Interval) Interval  { return Interval{max(a.lo, b.lo), max(a.hi, b.hi)} }
func (a Interval) Min(b Interval) Interval  { return Interval{min(a.lo, b.lo), min(a.hi, b.hi)} }
func (a Interval) Hull(b Interval) Interval { return Interval{min(a.lo, b.lo), max(a.hi, b.hi)} }
func (a Interval) Meet(b Interval) Interval { return made(max(a.lo, b.lo), min(a.hi, b.hi)) }

func (a Interval) Abs() Interval {
	switch {
	case a.lo >= 0:
		return a
	case a.hi <= 0:
		return a.Neg()
	}
	return Interval{0, max(-a.lo, a.hi)}
}

// Upto goes from the lower end of a to the upper end of b: of what is at least a, and at most b.
func (a Interval) Upto(b Interval) Interval { return Of(a.lo, b.hi) }

// Both is what both hold, and whether there may be a number in it: one that is in both is none where
// they are apart.
func (a Interval) Both(b Interval) (c Interval, some bool) {
	c = Interval{max(a.lo, b.lo), min(a.hi, b.hi)}
	return Of(c.lo, c.hi), c.lo <= c.hi
}

// Width is how far apart its numbers are, at most.
func (a Interval) Width() Interval { return Interval{a.hi, a.hi}.Sub(Interval{a.lo, a.lo}) }

// Add and Sub enclose what comes of any two numbers of the intervals. The error of a sum is
// found exactly by Knuth's TwoSum, so that it is moved only to the side on which the exact one
// is: a sum that is a float64 stays that.
func (a Interval) Add(b Interval) Interval { return made(sumDown(a.lo, b.lo), sumUp(a.hi, b.hi)) }
func (a Interval) Sub(b Interval) Interval { return made(sumDown(a.lo, -b.hi), sumUp(a.hi, -b.lo)) }

func sumDown(a, b float64) float64 {
	s := a + b
	z := s - a
	if (a-(s-z))+(b-z) >= 0 {
		return s
	}
	return down(s) // NaN too, of what is infinite
}

func sumUp(a, b float64) float64 {
	s := a + b
	z := s - a
	if (a-(s-z))+(b-z) <= 0 {
		return s
	}
	return up(s)
}

// Total adds up intervals, without waiting for each sum to be rounded outwards. The zero value is 0.
type Total struct {
	lo, hi side
	apart  bool // some interval had two ends: before, the sums of both are lo
}

// side adds up float64s. What a sum of two loses is found exactly by TwoSum and added up as well,
// which is off by less than n u of the sizes of n such losses, u = 2^-53: by nothing, where there are none.
type side struct {
	v, low, abs float64 // the floating sum, what it lost, and the sizes of that
	n           int     // numbers
}

func (s *side) add(x float64) {
	v := s.v + x
	z := v - s.v
	e := (s.v - (v - z)) + (x - z)
	s.v = v
	s.low += e
	s.abs += math.Abs(e)
	s.n++
}

// within is at least how far v + low, rounded, is from the sum; no number, of what is infinite.
func (s *side) within() float64 { return up(float64(s.n+1) * Ulp * s.abs) }

// Add adds one.
func (t *Total) Add(a Interval) {
	if a.lo != a.hi && !t.apart {
		t.hi, t.apart = t.lo, true
	}
	if t.lo.add(a.lo); t.apart {
		t.hi.add(a.hi)
	}
}

// Bounds hold the sum of any numbers of the intervals; what is not finite is the line.
func (t *Total) Bounds() Interval {
	top := &t.lo
	if t.apart {
		top = &t.hi
	}
	lo, hi := t.lo.v, top.v
	if t.lo.abs != 0 { // NaN too
		lo = down(down(lo+t.lo.low) - t.lo.within())
	}
	if top.abs != 0 {
		hi = up(up(hi+top.low) + top.within())
	}
	return made(lo, hi)
}

// Mul encloses every product; 0 of what is finite, and 1, multiply exactly.
func (a Interval) Mul(b Interval) Interval {
	switch {
	case a.lo == a.hi && (a.lo == 1 || a.lo == 0 && b.Finite()):
		if a.lo == 0 {
			return a
		}
		return b
	case b.lo == b.hi && (b.lo == 1 || b.lo == 0 && a.Finite()):
		if b.lo == 0 {
			return b
		}
		return a
	case a.lo >= 0 && b.lo >= 0:
		return made(max(0, down(a.lo*b.lo)), up(a.hi*b.hi))
	case b.lo >= 0:
		x, y := b.lo, b.hi
		if a.lo < 0 {
			x = b.hi
		}
		if a.hi < 0 {
			y = b.lo
		}
		return made(down(a.lo*x), up(a.hi*y))
	}
	p, q, r, s := a.lo*b.lo, a.lo*b.hi, a.hi*b.lo, a.hi*b.hi
	return made(down(min(p, q, r, s)), up(max(p, q, r, s)))
}

// Lead writes row + f·ratio. Of numbers >= 0 a sum is no less than a product in it, so that each is off by at most half of the
// spacing there: together by no more than the spacing that up and down reach.
func Lead(dst, row []Interval, f Interval, ratio []Interval) {
	if f == (Interval{}) {
		copy(dst, row)
		return
	}
	dst, ratio = dst[:len(row)], ratio[:len(row)]
	some := f.lo >= 0
	for j, x := range row {
		switch y := ratio[j]; {
		case some && y.lo == 0 && y.hi == 0:
			dst[j] = x
		case some && y.lo >= 0 && x.lo >= 0:
			dst[j] = made(max(0, down(x.lo+f.lo*y.lo)), up(x.hi+f.hi*y.hi))
		default:
			dst[j] = x.Add(f.Mul(y))
		}
	}
}

// Square encloses the squares, which are not negative.
func (a Interval) Square() Interval {
	b := a.Abs()
	return b.Mul(b)
}

// Div encloses every quotient; it is the line when b holds 0.
func (a Interval) Div(b Interval) Interval {
	switch {
	case !(b.lo > 0 || b.hi < 0):
		return Line()
	case a.lo == 0 && a.hi == 0 && b.Finite() || b.lo == 1 && b.hi == 1:
		return a
	case a.lo >= 0 && b.lo > 0:
		return made(max(0, down(a.lo/b.hi)), up(a.hi/b.lo))
	case b.lo > 0:
		x, y := b.hi, b.lo
		if a.lo < 0 {
			x = b.lo
		}
		if a.hi < 0 {
			y = b.hi
		}
		return made(down(a.lo/x), up(a.hi/y))
	}
	p, q, r, s := a.lo/b.lo, a.lo/b.hi, a.hi/b.lo, a.hi/b.hi
	return made(down(min(p, q, r, s)), up(max(p, q, r, s)))
}

// Sqrt encloses the square roots of what is not negative in it.
func (a Interval) Sqrt() Interval {
	if a.hi == 0 {
		return Interval{}
	}
	return made(max(0, down(math.Sqrt(max(0, a.lo)))), up(math.Sqrt(max(0, a.hi))))
}

// underflow bounds the sum of the absolute errors that gradual underflow can
// add to fewer than 2^70 products.
const underflow = 0x1p-1000
