package certify

import "math"

// The arithmetic of everything that is not an exact rational. Each float64
// operation returns the number nearest to the exact result, so moving the
// result to a neighbour of its neighbour encloses the exact one; no rounding
// mode is switched. A NaN never proves anything: every test here accepts on a
// comparison that is false for NaN.

const (
	ulp  = 0x1p-52   // relative spacing of float64: twice the unit roundoff
	tiny = 0x1p-1074 // the least positive float64
)

var nan = math.NaN()

// up returns a float64 that is at least the successor of x, hence at least
// every real number that rounds to x. Proof: |x|·ulp is at least the distance
// from x to its neighbours when x is normal, and tiny is that distance when x
// is not; the sum then rounds to no less than the successor, because rounding
// is monotone. A fused multiply-add only rounds once less.
func up(x float64) float64 { return x + (math.Abs(x)*ulp + tiny) }

// down returns a float64 that is at most the predecessor of x.
func down(x float64) float64 { return x - (math.Abs(x)*ulp + tiny) }

// iv is the closed interval [lo, hi] of real numbers.
type iv struct{ lo, hi float64 }

// point is the interval that holds only the float64 x.
func point(x float64) iv { return iv{x, x} }

func (a iv) add(b iv) iv  { return iv{down(a.lo + b.lo), up(a.hi + b.hi)} }
func (a iv) sub(b iv) iv  { return iv{down(a.lo - b.hi), up(a.hi - b.lo)} }
func (a iv) hull(b iv) iv { return iv{min(a.lo, b.lo), max(a.hi, b.hi)} }

func (a iv) mul(b iv) iv {
	p, q, r, s := a.lo*b.lo, a.lo*b.hi, a.hi*b.lo, a.hi*b.hi
	return iv{down(min(p, q, r, s)), up(max(p, q, r, s))}
}

// div is a/b; it is NaN when b holds 0.
func (a iv) div(b iv) iv {
	if !(b.lo > 0 || b.hi < 0) {
		return iv{math.NaN(), math.NaN()}
	}
	p, q, r, s := a.lo/b.lo, a.lo/b.hi, a.hi/b.lo, a.hi/b.hi
	return iv{down(min(p, q, r, s)), up(max(p, q, r, s))}
}

// scale is a·2^k, exact but for underflow and overflow.
func (a iv) scale(k int) iv {
	return iv{down(math.Ldexp(a.lo, k)), up(math.Ldexp(a.hi, k))}
}

// sum adds up real numbers t_1..t_n that are known as float64 with a relative
// error: when every term added is within k unit roundoffs u = 2^-53 of its
// real, for any k below 2^20, the exact sum lies in bounds(k). Rounding errors
// of the additions are collected by Knuth's TwoSum, so the margin is
//
//	(k + 2)·2u·Σ|t_i| + (2nu)²·Σ|t_i| + 2^-1000
//
// where Ogita, Rump and Oishi (Accurate sum and dot product, 2005, theorem
// 4.5) need u·|Σt_i| + (n-1)²u²·Σ|t_i| up to second order and the terms' own
// errors k·u·Σ|t_i|; the factors of 2 leave room for the second order and for
// the rounding of Σ|t_i| and of this formula, the last summand for underflow in
// fewer than 2^70 terms.
type sum struct {
	v, low, abs float64 // the floating sum, its correction, and Σ|t_i|
	n           int     // terms
}

func (s *sum) add(t float64) {
	t = float64(t) // rounded: TwoSum must see the same t everywhere, no fused product
	x := float64(s.v + t)
	z := float64(x - s.v)
	s.low += float64(s.v-float64(x-z)) + float64(t-z)
	s.v = x
	s.abs += math.Abs(t)
	s.n++
}

func (s *sum) margin(k int) float64 {
	n := float64(s.n) * ulp
	return up(float64(k+2)*ulp*s.abs + n*n*s.abs + underflow)
}

func (s *sum) bounds(k int) iv {
	m, v := s.margin(k), s.v+s.low
	return iv{down(v - m), up(v + m)}
}

// underflow bounds the sum of the absolute errors that gradual underflow can
// add to fewer than 2^70 products.
const underflow = 0x1p-1000
