package enclosure

import (
	"math"
	"math/big"
)

// Fraction is num/den, not in its lowest terms: what is only compared and added up needs
// no greatest common divisors, which took most of the time of a small check.
type Fraction struct{ num, den *big.Int }

// Frac is num/den, for den > 0; it keeps both.
func Frac(num, den *big.Int) Fraction { return Fraction{num, den} }

// Over is the fraction next to a unit: num/(den·unit).
func (a Fraction) Over(unit *big.Int) Fraction { return Fraction{a.num, new(big.Int).Mul(a.den, unit)} }

// Rat is the fraction in its lowest terms.
func (a Fraction) Rat() *big.Rat { return new(big.Rat).SetFrac(a.num, a.den) }

// Near is the float64 nearest to it, see Ratio.
func (a Fraction) Near() float64 { return Ratio(a.num, a.den) }

// None reports whether there is no number yet.
func (a Fraction) None() bool { return a.num == nil }

// Cmp compares two.
func (a Fraction) Cmp(b Fraction) int {
	if a.den.Cmp(b.den) == 0 {
		return a.num.Cmp(b.num)
	}
	return new(big.Int).Mul(a.num, b.den).Cmp(new(big.Int).Mul(b.num, a.den))
}

// Add adds w·b, for a whole number w.
func (a *Fraction) Add(w int64, b Fraction) {
	t := new(big.Int).Mul(big.NewInt(w), b.num)
	if a.den.Cmp(b.den) != 0 {
		a.num = new(big.Int).Mul(a.num, b.den)
		t.Mul(t, a.den)
		a.den = new(big.Int).Mul(a.den, b.den)
	}
	a.num = t.Add(t, a.num)
}

// Ratio is the float64 nearest to num/den, for den > 0; below the normal range it may be
// off by 2^-1074.
func Ratio(num, den *big.Int) float64 {
	if num.Sign() == 0 {
		return 0
	}
	// The quotient to 64 bits or one more, of which the last says whether anything is left.
	shift := 64 - num.BitLen() + den.BitLen()
	n := new(big.Int).Abs(num)
	if shift >= 0 {
		n.Lsh(n, uint(shift))
	} else {
		den = new(big.Int).Lsh(den, uint(-shift))
	}
	rest := new(big.Int)
	n.QuoRem(n, den, rest)
	sticky := rest.Sign() != 0
	if n.BitLen() == 65 {
		sticky = sticky || n.Bit(0) == 1
		n.Rsh(n, 1)
		shift--
	}
	m := n.Uint64()
	if sticky {
		m |= 1
	}
	f := math.Ldexp(float64(m), -shift)
	if num.Sign() < 0 {
		return -f
	}
	return f
}

// Common is the least common multiple of positive numbers.
func Common(a, b *big.Int) *big.Int {
	if a.Cmp(b) == 0 {
		return a
	}
	g := new(big.Int).GCD(nil, nil, a, b)
	return g.Mul(a, g.Quo(b, g))
}
