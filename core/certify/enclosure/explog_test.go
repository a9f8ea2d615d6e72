package enclosure

import "math"

// Exponentials and logarithms that enclose, by another way: what those in use are held against. math.Exp and math.Log serve only
// as guesses: the exponential below is a Taylor polynomial with its remainder
// in interval arithmetic, and a logarithm is accepted when the exponential of
// the guess is large enough.

// expm1 encloses e^x - 1 for a float64 x, without cancellation near 0.
func expm1(x float64) Interval {
	k := math.Round(x / math.Ln2)
	if x == 0 {
		return Interval{}
	} else if x > -0.3 && x < 0.3 {
		k = 0
	}
	switch {
	case x < expMin:
		return Interval{-1, -1 + 0x1p-52} // e^x < 2^-1000
	case x > expMax:
		return Interval{math.MaxFloat64 * 0x1p-100, math.Inf(1)}
	case math.IsNaN(x):
		return Point(x)
	case k == 0:
		return expm1Series(Point(x))
	}
	return exp(x).Sub(Point(1))
}

// exp encloses e^x for a float64 x.
func exp(x float64) Interval {
	switch {
	case x < expMin:
		return Interval{0, 0x1p-1000} // e^-700 < 2^-1000
	case x > expMax:
		return Interval{math.MaxFloat64 * 0x1p-100, math.Inf(1)} // e^700 > 2^1009 > 2^924
	case math.IsNaN(x):
		return Point(x)
	}
	k := math.Round(x / math.Ln2)
	r := Point(x).Sub(Point(k * ln2Hi)).Sub(Point(k).Mul(ln2Lo))
	return expm1Series(r).Add(Point(1)).scale(int(k))
}

// expm1Series encloses e^r - 1 for |r| <= 0.36 by Horner's rule on
//
//	(e^r - 1)/r = T_1,  T_j = 1 + r/(j+1)·T_{j+1}.
//
// It starts from T_18 ∈ [1/2, 2], which holds since
// |T_18 - 1| <= Σ_{i>=1} |r|^i/19^i < 0.02; the start moves the result by less
// than 2·0.36^17/18! < 2^-75 relative to r.
func expm1Series(r Interval) Interval {
	t := Interval{0.5, 2}
	for j := 17; j >= 1; j-- {
		t = t.Mul(r.Div(Point(float64(j + 1)))).Add(Point(1))
	}
	return t.Mul(r)
}

// search walks from a guess in steps that double, until ok accepts.
func search(guess, step float64, ok func(l float64) bool) float64 {
	direction := math.Copysign(1, step)
	for range 60 {
		if ok(guess) {
			return guess
		}
		guess += step
		step *= 2
	}
	return math.Inf(int(direction))
}

// logUpper is at least ln x: some l with e^l >= x. Far from 1 it is that of m plus
// k ln 2 for x = m·2^k.
func logUpper(x float64) float64 {
	switch {
	case math.IsNaN(x) || math.IsInf(x, 1):
		return x
	case !(x > 0):
		return math.Inf(-1)
	case x < 0x1p-900 || x > 0x1p900:
		m, k := math.Frexp(x)
		e := Point(float64(k))
		return e.Mul(Point(ln2Hi)).Add(e.Mul(ln2Lo)).Add(Point(logUpper(m))).hi
	}
	return search(math.Log(x), Ulp, func(l float64) bool { return exp(l).lo >= x })
}

// log1pUpper is at least ln(1+y), accurate near y = 0.
func log1pUpper(y float64) float64 {
	switch {
	case !(y > -1):
		return math.Inf(1)
	case y > 0x1p60:
		return logUpper(up(1 + y))
	}
	guess := math.Log1p(y)
	return search(guess, max(min(math.Abs(y), 1+math.Abs(guess))*Ulp, tiny), func(l float64) bool { return expm1(l).lo >= y })
}

// scale is a·2^k, exact but for underflow and overflow.
func (a Interval) scale(k int) Interval {
	return made(down(math.Ldexp(a.lo, k)), up(math.Ldexp(a.hi, k)))
}
