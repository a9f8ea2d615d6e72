package enclosure

import (
	"math"
	"math/big"
	"math/rand/v2"
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

// F is what it is in fractions for costs of either sign, next to a limit that is nearly what is paid, of leads and
// costs that their float64s only stand for, times a power of 2.
func TestWhatIsPaidIsWithinItsRoundoffs(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 2))
	near := func(x float64, units float64) *big.Rat { // within so many roundoffs of x
		return new(big.Rat).Mul(rat(x), new(big.Rat).Add(rat(1), new(big.Rat).Mul(rat(0x1p-53*units), rat(2*rng.Float64()-1))))
	}
	for range 300 {
		n, from := 2+rng.IntN(4), []int(nil)
		for k := range n + 1 {
			from = append(from, k)
		}
		p, b, costs := NewPositive(n, n, 1, make([]bool, n)), NewBall(1), Block{}
		rest := math.Pow(2, -float64(1+rng.IntN(20)))
		m, c := make([][]*big.Rat, n), make([]*big.Rat, n+1) // I - γP, and μ next to it; what is paid
		for i := range m {
			p.Excess(i, rest)
			m[i] = make([]*big.Rat, n)
			diagonal := rat(rest)
			for j := range m[i] {
				m[i][j] = new(big.Rat)
				if x, y := rng.Float64(), rng.Float64(); j != i && rng.IntN(3) > 0 {
					p.Lead(i, j, x, y)
					real := new(big.Rat).Mul(near(x, 1), near(y, 1))
					diagonal.Add(diagonal, real)
					m[i][j].Neg(real)
				}
			}
			m[i][i] = diagonal
			x := rng.NormFloat64()
			costs.v, c[i] = append(costs.v, x), near(x, 3)
		}
		p.Start(rng.IntN(n-1), Point(rest))
		start := 0
		for s, x := range p.level[0][n*p.width:][:n] {
			if x != 0 {
				start = s
			}
		}
		// V = M^-1 c by elimination, and det M.
		det := rat(1)
		for k := range m {
			det.Mul(det, m[k][k])
			for i := range m {
				if i == k {
					continue
				}
				f := new(big.Rat).Quo(m[i][k], m[k][k])
				for j := range m {
					m[i][j] = new(big.Rat).Sub(m[i][j], new(big.Rat).Mul(f, m[k][j]))
				}
				c[i] = new(big.Rat).Sub(c[i], new(big.Rat).Mul(f, c[k]))
			}
		}
		paid := new(big.Rat).Mul(rat(rest), new(big.Rat).Quo(c[start], m[start][start]))
		limit := Nearest(paid)
		e := rng.IntN(2*MostPower) - MostPower
		p.Cost(&costs, from[:n], Point(limit))
		for k := range n - 1 {
			p.Eliminate(k, k, from)
		}
		p.Close(n-1, e, []*Ball{b}, 0)
		p.Enclose(0, b)
		f := new(big.Rat).Sub(paid, rat(limit))
		f.Mul(f.Mul(f, det), rat(math.Ldexp(1, e)))
		if got := b.At(0); !holds(got, f) {
			t.Fatalf("F is said to be %v, and is %v (costs %v, power %d)", got, Nearest(f), costs.v, e)
		}
	}
}
