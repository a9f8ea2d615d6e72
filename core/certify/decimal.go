package certify

import (
	"math"
	"math/big"
	"strconv"
)

// digits gives x = m·10^e by its shortest decimal.
func digits(x float64) (m int64, e int) {
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

// decimal is the shortest decimal of x as a fraction.
func decimal(x float64) *big.Rat {
	m, e := digits(x)
	r := new(big.Rat).SetInt64(m)
	if e > 0 {
		return r.Mul(r, new(big.Rat).SetInt(pow10(e)))
	}
	return r.Quo(r, new(big.Rat).SetInt(pow10(-e)))
}

func pow10(k int) *big.Int { return new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(k)), nil) }

// faint reports whether a number is below the normal range: it and what is computed
// from it have relative errors that no margin counts. A problem with one is refused, so
// that every error here is relative, or one of underflow, less than 2^-1074 an operation.
func faint(x float64) bool { return x != 0 && !(math.Abs(x) >= 0x1p-1022) }

// nearest is the float64 nearest to r: within one unit roundoff, relatively,
// or within 2^-1074.
func nearest(r *big.Rat) float64 {
	f, _ := r.Float64()
	return f
}

// floatAbove is the least float64 that is at least r.
func floatAbove(r *big.Rat) float64 {
	f, exact := r.Float64()
	if !exact && (math.IsInf(f, -1) || !math.IsInf(f, 1) && new(big.Rat).SetFloat64(f).Cmp(r) < 0) {
		f = math.Nextafter(f, math.Inf(1))
	}
	return f
}

// floatBelow is the largest float64 that is at most r.
func floatBelow(r *big.Rat) float64 { return -floatAbove(new(big.Rat).Neg(r)) }

// enclose is the tightest interval of float64s around r.
func enclose(r *big.Rat) iv { return iv{floatBelow(r), floatAbove(r)} }
