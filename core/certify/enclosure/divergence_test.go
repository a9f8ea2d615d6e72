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
		gap := new(big.Rat).Sub(p, q)
		got := Divergence(Around(gap), Around(q)).hi
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
	if got := Divergence(Point(-1).Add(Of(-Ulp, Ulp)), Point(1)); got.hi < 1 || got.hi > 1+1e-13 || got.lo != 0 {
		t.Errorf("no mass: %v, want all of q", got)
	}
	// Next to no nominal mass the logarithm of the quotient overflows nothing.
	for _, q := range []float64{0x1p-1022, 1e-306, 1e-300, 1e-30, 1e-16} {
		if got, want := Divergence(Point(.5).Sub(Point(q)), Point(q)), .5*(math.Log(.5)-math.Log(q))-.5; !(math.Abs(got.hi-want) <= 1e-12*want) || got.lo > want {
			t.Errorf("q = %v: %v, want %v", q, got, want)
		}
	}
	if got := Divergence(Interval{}, Point(.25)); got.hi > 2*tiny {
		t.Errorf("the nominal row: %v", got)
	}
}

// The series is never below φ(d), d at its worst of many and down to where d² vanishes, in
// fractions; nor above it by much more than its margin.
func TestSeriesOfDivergenceIsAboveIt(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 15))
	for k := range 1500 {
		d := (2*rng.Float64() - 1) / 8
		switch {
		case k%4 == 0:
			d = math.Ldexp(d, -rng.IntN(540))
		case k%4 == 1:
			d = math.Ldexp(d, -505-rng.IntN(32)) // d² is below the normal range
		}
		x := rat(d)
		least, power := new(big.Rat), new(big.Rat).Set(x)
		for n := int64(2); n < 24 && (n < 6 || math.Abs(d) > 1e-4); n++ { // as many terms of either sign
			power.Neg(power.Mul(power, x))
			least.Sub(least, new(big.Rat).Mul(power, big.NewRat(1, n*(n-1))))
		}
		got := rat(divergence(d))
		if got.Cmp(least) < 0 {
			t.Fatalf("φ(%b) is said to be %b at most", d, divergence(d))
		}
		if most := least.Add(least.Mul(least, rat(1+0x1p-44)), rat(4*tiny)); got.Cmp(most) > 0 {
			t.Fatalf("φ(%b) is said to be %b", d, divergence(d))
		}
	}
}
