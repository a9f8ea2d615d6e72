package enclosure

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"
)

// The mean of a row whose entries are off by as much as is said, of values of every size
// down to the least, is within its slack, in exact arithmetic.
func TestMeanIsWithinItsSlack(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 31))
	exact, vanished := 0, 0
	for trial := range 4000 {
		n := 1 + rng.IntN(9)
		q, z := make([]float64, n), make([]float64, n)
		k, left := rng.IntN(n), big.NewRat(1, 1)
		size := math.Pow(2, -1060+1400*rng.Float64()*float64(rng.IntN(2)))
		want := new(big.Rat)
		var real []*big.Rat
		for j := range q {
			q[j] = rng.Float64() / float64(n)
			switch rng.IntN(4) {
			case 0:
				q[j] = 0
			case 1:
				q[j] = math.Ldexp(1+rng.Float64(), -1-rng.IntN(1021))
			}
			if z[j] = size * rng.NormFloat64(); trial%5 == 0 {
				z[j] = size
			}
			r := rat(q[j]) // the entry that q[j] stands for
			r.Mul(r, new(big.Rat).Add(big.NewRat(1, 1), new(big.Rat).Mul(rat(float64(n+4)*0x1p-53), rat(2*rng.Float64()-1))))
			if real = append(real, r); j != k {
				left.Sub(left, r)
			}
		}
		real[k] = left
		q[k] = Nearest(left)
		for j, r := range real {
			want.Add(want, new(big.Rat).Mul(r, rat(z[j])))
		}
		rows, values := make([]Interval, n), make([]Interval, n)
		for j := range rows {
			rows[j], values[j] = Around(real[j]), Point(z[j])
		}
		value := Mean(rows, values, k)
		if !holds(value, want) {
			t.Fatalf("q %v, z %v, rest %d: %v, and it is %v", q, z, k, value, Nearest(want))
		}
		if value.Single() {
			exact++
		} else if value.Width().hi <= 4*Tiny*float64(n) {
			vanished++
		}
	}
	if exact < 100 || vanished < 20 {
		t.Errorf("exact %d times; all products vanished %d times", exact, vanished)
	}
}
