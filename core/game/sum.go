package game

import "math"

// exactSum adds numbers and products in twice the working precision (Dot2 of
// Ogita, Rump and Oishi 2005). The conversions keep the compiler from fusing
// a product with a sum, which would spoil the error terms.
type exactSum struct {
	s, c  float64 // sum and its correction
	size  float64 // Σ|terms|
	terms int     // added so far; with size it bounds the error
}

func (t *exactSum) add(x float64) {
	s := t.s + x
	z := s - t.s
	t.c += (t.s - (s - z)) + (x - z)
	t.s = s
	t.size += math.Abs(x)
	t.terms++
}

func (t *exactSum) addProduct(a, b float64) {
	p, e := twoProduct(a, b)
	t.add(p)
	t.c += e
	if a != 0 && b != 0 && math.Abs(p) < 1e-270 { // its error may have underflowed
		t.size += 1e-270
	}
}

// value is the sum and a bound on its error: none when all terms were 0.
func (t *exactSum) value() (sum, err float64) {
	if t.size == 0 {
		return 0, 0
	}
	n := float64(2*t.terms + 2)
	sum = t.s + t.c
	return sum, u*math.Abs(sum) + 2*n*n*u*u*t.size + 1e-300
}

// twoProduct is a·b as p + e exactly, by Dekker's splitting. No overflow
// happens for |a|, |b| < 1e290.
func twoProduct(a, b float64) (p, e float64) {
	p = float64(a * b)
	ah, al := split(a)
	bh, bl := split(b)
	e = float64(al*bl) - (((p - float64(ah*bh)) - float64(al*bh)) - float64(ah*bl))
	return p, e
}

func split(a float64) (hi, lo float64) {
	c := float64(134217729 * a) // 2^27 + 1
	hi = c - (c - a)
	return hi, a - hi
}
