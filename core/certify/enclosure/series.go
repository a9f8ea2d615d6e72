package enclosure

import "math"

// Exponentials and logarithms in plain float64 with error bounds proved
// beforehand: for checks that go
// through every row of a large model. With u = 2^-53, every operation returns
// its exact result times 1+δ, |δ| <= u, but for underflow.

// ln 2 = ln2Hi + ln2Lo with ln2Lo an interval. ln2Hi has 32 significant bits,
// so k·ln2Hi is exact for every |k| < 2^20.
const ln2Hi = 0x1.62e42feep-1

var ln2Lo = Interval{0x1.a39ef35793c76p-33, 0x1.a39ef35793c77p-33}

// The arguments between which e^x is worked out; outside it is
// enclosed by the trivial bounds.
const expMin, expMax = -700, 700

// seriesError is a bound on the relative error of expNear, and on that of
// logNear relative to |ln m| + |k| ln 2 for x = m·2^k.
const seriesError = 4 * Ulp // 8u

// inverse of 1..14
var inverse = [...]float64{0, 1, 1. / 2, 1. / 3, 1. / 4, 1. / 5, 1. / 6, 1. / 7, 1. / 8, 1. / 9, 1. / 10, 1. / 11, 1. / 12, 1. / 13, 1. / 14}

// expNear is e^x within seriesError of it, relatively, for expMin <= x <= expMax.
//
// k·ln2Hi is exact and so is the difference from x (Sterbenz, for k ≠ 0), so
// that |r - exact| <= 0.4u. By Horner's rule on T_j = 1 + r/j·T_{j+1}, with
// |r| <= 0.3466: the error ε_j of T_j, relatively, is at most
// u + |r|/j·(T_{j+1}/T_j)·(ε_{j+1} + 3u), where |r|·T_{j+1}/T_j <= 0.58; from
// any ε_5 <= 4u follow ε_4 <= 2.1u, ε_3 <= 2u, ε_2 <= 2.5u, ε_1 <= 4.2u. The
// terms left out are below |r|^15/15! < 2^-62. In sum 4.2u + 0.6u + 0.1u.
func expNear(x float64) float64 {
	k := math.Round(x / math.Ln2)
	return math.Ldexp(1+expm1Little((x-k*ln2Hi)-k*ln2Lo.lo), int(k))
}

// odd are the inverses of 3, 5, 7, ...
var odd = [...]float64{1. / 3, 1. / 5, 1. / 7, 1. / 9, 1. / 11, 1. / 13, 1. / 15, 1. / 17, 1. / 19, 1. / 21, 1. / 23, 1. / 25, 1. / 27}

// logNear gives a number within slack of ln x for a positive normal x.
//
// ln m = 2f (1 + f²/3 + f⁴/5 + ...), f = (m-1)/(m+1), with m in [√½, √2], where
// m - 1 is exact and |f| <= 0.1716. f carries 2u, f² 5u, the series, of which
// all but the 1 is below 0.0101, 1.1u, the last products 2u: 5.1u; terms left
// out are below 2^-66. k·ln2Hi is exact, k·ln2Lo carries 1.5u of 2^-32·|k|, the
// two sums 2u.
func logNear(x float64) (l, slack float64) {
	if !(x >= 0x1p-1022) || math.IsInf(x, 1) {
		return math.NaN(), math.NaN()
	}
	m, k := math.Frexp(x)
	if m < math.Sqrt2/2 {
		m *= 2
		k--
	}
	near, e := log1pLittle(m-1), float64(k)
	return e*ln2Hi + (e*ln2Lo.lo + near), seriesError * (math.Abs(near) + math.Abs(e))
}

// expm1Little is e^x - 1 within seriesError of it, relatively, for
// -0.31 <= x <= 0; see expNear.
func expm1Little(x float64) float64 {
	t := 1.0
	for j := len(inverse) - 1; j >= 2; j-- {
		t = 1 + x*inverse[j]*t
	}
	return x * t
}

// log1pLittle is ln(1+x) within seriesError of it, relatively, for |x| <= 0.31;
// see logNear: f = x/(2+x) carries 2u, |f| <= 0.184.
func log1pLittle(x float64) float64 {
	f := x / (2 + x)
	s, t := f*f, 0.0
	for j := len(odd) - 1; j >= 0; j-- {
		t = s * (odd[j] + t)
	}
	return 2 * f * (1 + t)
}
