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
		a.Reset(3, n) // all of it in the second block
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
				a.Row(n, places, y, &b)
			}
		}
		for j, x := range r { // f takes away what the rows come to, but for rounding
			f := -Nearest(x)
			a.Aim(n+j, f)
			x.Add(x, rat(f))
			w.Add(w, x.Mul(x, rat(1e3)))
		}
		got := a.Bound(func(int) Interval { return Point(1e3) })
		if !holds(got, w) {
			t.Fatalf("%v is said of %v", got, Nearest(w))
		}
	}
}

// What a coefficient lost below the normal range counts times its multiplier, and so do products that
// vanish, each, however large x is.
func TestResidualsCountWhatVanished(t *testing.T) {
	for _, c := range []struct {
		rows  int
		y     float64
		a     *big.Rat
		large float64
	}{
		{1, 0x1p100, new(big.Rat).Mul(rat(tiny), rat(.5)), 1},
		{30, 0x1p-600, rat(0x1p-475), 0x1p500},
	} {
		var a Residual
		a.Reset(1, 1)
		for range c.rows {
			var b Block
			if b.Ratio(c.a.Num(), c.a.Denom()); a.Begin(c.y, Point(0)) {
				a.Row(0, []int{0}, c.y, &b)
			}
		}
		exact := new(big.Rat).Mul(c.a, rat(c.y))
		exact.Mul(exact, rat(-c.large)).Mul(exact, rat(float64(c.rows)))
		if got := a.Bound(func(int) Interval { return Point(c.large) }); !holds(got, exact) || a.r[0] != 0 {
			t.Errorf("%d times %b·%v vanish: %v is said", c.rows, c.y, Nearest(c.a), got)
		}
	}
}
