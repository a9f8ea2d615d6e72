package enclosure

import (
	"math/big"
	"testing"
)

const chained = 16 // states of an elimination

// determined is -det of rows written by fill, one a state: F where nothing costs anything.
func determined(fill func(p *Positive)) Interval {
	from := make([]int, chained+1)
	for k := range from {
		from[k] = k
	}
	p, b := NewPositive(chained, chained, 1, make([]bool, chained)), NewBall(1)
	fill(p)
	p.Cost(&Block{v: make([]float64, chained)}, from[:chained], Point(1))
	for k := range chained - 1 {
		p.Eliminate(k, k, from)
	}
	p.Close(chained-1, 0, []*Ball{b}, 0)
	p.Enclose(0, b)
	return b.At(0)
}

// A state leads to all later ones with half a spacing of 1 each, which its pivot loses as it adds them
// up: -det is off by a roundoff for each, by exact rationals.
func TestRoundoffsOfStepsAreCounted(t *testing.T) {
	exact := rat(-1)
	got := determined(func(p *Positive) {
		for i := range chained {
			p.Excess(i, 1)
			pivot := rat(1)
			for j := i + 1; j < chained; j++ {
				p.Lead(i, j, 0x1p-53, 1)
				pivot.Add(pivot, rat(0x1p-53))
			}
			exact.Mul(exact, pivot)
		}
	})
	if !holds(got, exact) {
		t.Errorf("-det is %v, and it is %v", got, exact.FloatString(30))
	}
}

// What is handed in is itself only near: both factors of a lead are half a spacing above their float64s,
// of which the product is rounded down by nearly as much. All that a chain of states does is to multiply
// such leads.
func TestRoundoffsBeforeStepsAreCounted(t *testing.T) {
	const x = 1 + 11585*0x1p-40
	lead, exact := new(big.Rat).Add(rat(x), rat(0x1p-53)), new(big.Rat).Add(rat(1), rat(0x1p-53))
	lead.Mul(lead, lead)
	got := determined(func(p *Positive) {
		for i := range chained - 1 {
			p.Lead(i, i+1, x, x)
			exact.Mul(exact, lead)
		}
		p.Excess(chained-1, 1)
	})
	if exact.Neg(exact); !holds(got, exact) {
		t.Errorf("-det is %v, and it is %v", got, exact.FloatString(30))
	}
}
