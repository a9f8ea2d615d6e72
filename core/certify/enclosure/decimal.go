package enclosure

import (
	"math"
	"math/big"
	"strconv"
)

// Digits gives x = m·10^e by its shortest decimal.
func Digits(x float64) (m int64, e int) {
	if x == 0 {
		return 0, 0
	}
	var buf [32]byte
	s := strconv.AppendFloat(buf[:0], x, 'e', -1, 64)
	k, point := 0, false
	for ; s[k] != 'e'; k++ {
		switch c := s[k]; c {
		case '-':
		case '.':
			point = true
		default:
			m = 10*m + int64(c-'0')
			if point {
				e--
			}
		}
	}
	exp, _ := strconv.Atoi(string(s[k+1:]))
	if x < 0 {
		m = -m
	}
	return m, e + exp
}

// Decimal is the shortest decimal of x as a fraction.
func Decimal(x float64) *big.Rat {
	m, e := Digits(x)
	r := new(big.Rat).SetInt64(m)
	if e > 0 {
		return r.Mul(r, new(big.Rat).SetInt(Pow10(e)))
	}
	return r.Quo(r, new(big.Rat).SetInt(Pow10(-e)))
}

func Pow10(k int) *big.Int { return new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(k)), nil) }

// Faint reports whether a number is below the normal range: it and what is computed
// from it have relative errors that no margin counts. A problem with one is refused, so
// that every error here is relative, or one of underflow, less than 2^-1074 an operation.
func Faint(x float64) bool { return x != 0 && !(math.Abs(x) >= 0x1p-1022) }

// Nearest is the float64 nearest to r: within one unit roundoff, relatively,
// or within 2^-1074.
func Nearest(r *big.Rat) float64 {
	f, _ := r.Float64()
	return f
}

// Above is the least float64 that is at least r.
func Above(r *big.Rat) float64 {
	f, exact := r.Float64()
	if !exact && (math.IsInf(f, -1) || !math.IsInf(f, 1) && new(big.Rat).SetFloat64(f).Cmp(r) < 0) {
		f = math.Nextafter(f, math.Inf(1))
	}
	return f
}

// Below is the largest float64 that is at most r.
func Below(r *big.Rat) float64 { return -Above(new(big.Rat).Neg(r)) }

// Under is Below, and less than r but where that would be less than 0.
func Under(r *big.Rat) float64 {
	f := Below(r)
	if f > 0 && new(big.Rat).SetFloat64(f).Cmp(r) == 0 {
		return math.Nextafter(f, 0)
	}
	return f
}

// Binary gives x = m·2^e, e = 0 for 0, of a finite x.
func Binary(x float64) (m int64, e int) {
	if x == 0 {
		return 0, 0
	}
	f, e := math.Frexp(x)
	return int64(math.Ldexp(f, 53)), e - 53
}

// OnGrid is the multiple of 2^-bits nearest to x, |x| < 2^(63-bits), as a count of them;
// FromGrid is that multiple, exact below 2^53.
func OnGrid(x float64, bits int) int64   { return int64(math.Round(math.Ldexp(x, bits))) }
func FromGrid(n int64, bits int) float64 { return math.Ldexp(float64(n), -bits) }
