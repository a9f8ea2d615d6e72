package enclosure

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"
)

// One successor's part of a KL divergence is bounded from above with nearly all of
// its digits, however near the row is to the nominal one: by its series in fractions
// where that converges fast, else by its definition in floats.
func TestDivergenceKeepsItsDigits(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 14))
	series := func(d *big.Rat) *big.Rat {
		sum, power := new(big.Rat), new(big.Rat).Set(d)
		for k := int64(2); k < 20; k++ {
			power.Neg(power.Mul(power, d))
			sum.Sub(sum, new(big.Rat).Mul(power, big.NewRat(1, k*(k-1))))
		}
		return sum
	}
	for k := range 400 {
		size := math.Pow(10, -9*rng.Float64())
		q := Decimal(math.Round(1e6*(0.01+0.9*rng.Float64())) / 1e6)
		d := Decimal(size * (2*rng.Float64() - 1))
		if k%2 == 0 && size > 0.01 {
			d = Decimal(4*rng.Float64() - 1)
		}
		p := new(big.Rat).Mul(q, new(big.Rat).Add(d, big.NewRat(1, 1)))
		got := Divergence(Frac(p.Num(), p.Denom()), Frac(q.Num(), q.Denom()))
		f, _ := d.Float64()
		if math.Abs(f) < 0.1 {
			want := new(big.Rat).Mul(q, series(d))
			share, _ := new(big.Rat).Quo(new(big.Rat).Sub(new(big.Rat).SetFloat64(got), want), want).Float64()
			if !(share >= 0 && share < 1e-13) {
				t.Errorf("q %v, d %v: above by a share of %v", Nearest(q), f, share)
			}
			continue
		}
		want := Nearest(q) * ((1+f)*math.Log1p(f) - f)
		if !(got >= want*(1-1e-12) && got <= want*(1+1e-12)) {
			t.Errorf("q %v, d %v: %v, want %v", Nearest(q), f, got, want)
		}
	}
	if got := Divergence(Frac(new(big.Int), big.NewInt(1)), Frac(big.NewInt(1), big.NewInt(4))); got < 0.25 || got > 0.25+1e-15 {
		t.Errorf("no mass: %v, want all of q", got)
	}
}
