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
		} else if value.Width().hi <= 4*underflow {
			vanished++
		}
	}
	if exact < 100 || vanished < 20 {
		t.Errorf("exact %d times; all products vanished %d times", exact, vanished)
	}
}

// A distribution is what its decimals come to over their sum, and exactly that where float64s say it.
func TestDistributionsHoldTheirDecimals(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 33))
	exact := 0
	for trial := range 1500 {
		n := 1 + rng.IntN(20)
		prob, total := make([]float64, n), new(big.Rat)
		for j := range prob {
			switch prob[j] = rng.Float64(); rng.IntN(5) {
			case 0:
				prob[j] = 0
			case 1:
				prob[j] = math.Ldexp(1+rng.Float64(), -1-rng.IntN(1021))
			}
			switch trial % 4 {
			case 1:
				prob[j] = float64(rng.IntN(20)) / 20
			case 3: // float64s, the sum of which is another than 1
				prob[j] = float64(rng.IntN(20)) / 16
			}
		}
		if trial%4 == 0 { // sixteenths that add up to 1
			left := 16
			for j := range prob {
				k := rng.IntN(left + 1)
				if j == n-1 {
					k = left
				}
				prob[j], left = float64(k)/16, left-k
			}
		}
		if trial%4 == 2 { // products with the inverse are below the normal range
			prob[0] = 1000 * (1 + rng.Float64())
			for j := range prob[1:] {
				prob[j+1] = 0x1p-1022 * (1 + rng.Float64())
			}
		}
		for _, x := range prob {
			total.Add(total, Decimal(x))
		}
		row, sum := Distribution(nil, prob)
		if !holds(sum, total) {
			t.Fatalf("%v adds up to %v", prob, sum)
		}
		if total.Sign() == 0 {
			continue
		}
		single := true
		for j, q := range row {
			if want := Decimal(prob[j]); !holds(q, want.Quo(want, total)) {
				t.Fatalf("entry %d of %v is %v", j, prob, q)
			}
			single = single && q.Single()
		}
		if single {
			exact++
		}
	}
	if exact < 300 {
		t.Errorf("%d were exact", exact)
	}
}

// Gaps between two rows are what they are, the last one as far as the others say; and distances are no less than
// their terms come to.
func TestGapsAndDistancesHoldTheirSums(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 34))
	for trial := range 1000 {
		n := 1 + rng.IntN(30)
		p, q, real := make([]Interval, n), make([]Interval, n), make([]*big.Rat, n)
		k, left, sum := rng.IntN(n), new(big.Rat), new(big.Rat)
		var most Most
		for j := range p {
			a, x := wildInterval(rng)
			b, y := wildInterval(rng)
			if rng.IntN(3) == 0 {
				a, x = b, y
			}
			if trial%2 == 0 { // of numbers alone, so that rounding is all that is left of the last gap
				a, b = Point(rng.NormFloat64()), Point(rng.NormFloat64()*0x1p-20)
				x, y = rat(a.lo), rat(b.lo)
			}
			p[j], q[j] = a, b
			if real[j] = x.Sub(x, y); j != k {
				left.Sub(left, x)
			}
			most.Add(a.Abs())
			sum.Add(sum, rat(a.Abs().hi))
		}
		real[k] = left
		for j, g := range Gaps(nil, p, q, k) {
			if !holds(g, real[j]) {
				t.Fatalf("%v to %v: gap %d of %d is said to be %v, and is %v", p, q, j, k, g, Nearest(real[j]))
			}
		}
		if !holds(most.Bound(), sum) {
			t.Fatalf("%v come to %v at most, not %v", p, most.Bound(), Nearest(sum))
		}
	}
	many, none, left := make([]Interval, 5000), make([]Interval, 5000), new(big.Rat) // sums that are much larger than their terms
	for j := range many[1:] {
		many[j+1] = Point(rng.Float64())
		left.Sub(left, rat(many[j+1].lo))
	}
	if g := Gaps(nil, many, none, 0)[0]; !holds(g, left) {
		t.Errorf("the gap that many others leave is said to be %v, and is %v", g, Nearest(left))
	}
	if g := Gaps(nil, []Interval{Point(.25), Point(.75)}, []Interval{Point(.25), Point(.75)}, 1); g[0] != (Interval{}) || g[1].Abs().hi > 2*tiny {
		t.Errorf("no gap is said to be %v", g)
	}
}
