package enclosure

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"
)

// What a residual says is at most what its formula comes to in fractions, of coefficients that their
// float64s only stand for, where nothing but rounding is left of the terms.
func TestResidualsAreBelowTheirFormula(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 1))
	for trial := range 400 {
		n, rows := 1+rng.IntN(4), 1+rng.IntN(12)
		var a Residual
		a.Reset(n)
		r, w := make([]*big.Rat, n), new(big.Rat)
		places := make([]int, n)
		for j := range r {
			r[j], places[j] = new(big.Rat), j
		}
		for range rows {
			y := float64(float32(rng.NormFloat64())) * math.Pow(2, float64(rng.IntN(9)))
			if trial%4 == 0 {
				y *= 0x1p-1040
			}
			var b Block
			for j := range r {
				x, scale := big.NewRat(rng.Int64N(1<<40)-1<<39, 3+rng.Int64N(1<<39)), rat(1)
				x.Mul(x, scale)
				b.Ratio(x.Num(), x.Denom())
				r[j].Sub(r[j], x.Mul(x, rat(y)))
			}
			if a.Begin(y, Point(0)) {
				a.Row(0, places, y, &b)
			}
		}
		for j, x := range r { // f takes away what the rows come to, but for rounding
			f := -Nearest(x)
			a.Aim(j, f)
			x.Add(x, rat(f))
			w.Add(w, x.Mul(x, rat(1e3)))
		}
		got := a.Bound(func(int) Interval { return Point(1e3) })
		if !holds(got, w) {
			t.Fatalf("%v is said of %v", got, Nearest(w))
		}
	}
}
