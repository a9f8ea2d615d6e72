package enclosure

import (
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"
)

// wildBall is a block of numbers of one scale with the exact ones that it may stand for.
func wildBall(rng *rand.Rand, n int, scale float64) (*Ball, []*big.Rat) {
	b, exact := NewBall(n), make([]*big.Rat, n)
	b.radius = scale * math.Pow(2, -float64(40+rng.IntN(30)))
	for i := range b.v {
		if rng.IntN(5) > 0 {
			b.v[i] = scale * rng.NormFloat64()
		}
		exact[i] = rat(b.v[i])
		exact[i].Add(exact[i], new(big.Rat).Mul(rat(b.radius), rat(2*rng.Float64()-1)))
		b.size = max(b.size, up(math.Abs(b.v[i])+b.radius))
	}
	return b, exact
}

func (b *Ball) hold(t *testing.T, what string, exact []*big.Rat) {
	t.Helper()
	for i, x := range exact {
		if !holds(b.At(i), x) {
			t.Fatalf("%s: %v within %v does not hold %v", what, b.v[i], b.radius, Nearest(x))
		}
		if size := new(big.Rat).Abs(x); b.size < math.MaxFloat64 && size.Cmp(new(big.Rat).Mul(rat(b.size), rat(1+1e-9))) > 0 {
			t.Fatalf("%s: %v is larger than %v", what, Nearest(x), b.size)
		}
	}
}

// Blocks that are added up and moved, in any order and shape, hold what the exact numbers come to,
// and none of these is below what is said to be the least.
func TestBallsHoldWhatBecomesOfTheirNumbers(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 1))
	positive := 0
	for trial := range 40 {
		points := 2 + rng.IntN(4)
		stride := []int{1, 2, 3, 4, 8, 16, 18}[rng.IntN(7)]
		n, scale := points*stride*(1+rng.IntN(3)), math.Pow(2, float64(rng.IntN(600)-400))
		if trial%20 == 0 {
			scale = 1e299
		}
		lerp := func(b *Ball, exact []*big.Rat) {
			shares, j := make([]float64, points), rng.IntN(points)
			for i := range shares {
				shares[i] = []float64{0, rng.Float64(), rng.Float64(), 1, 0x1p-1074}[rng.IntN(5)]
			}
			before := slices.Clone(exact)
			for o := range exact {
				i := o / stride % points
				if i == j {
					continue
				}
				to := before[o+(j-i)*stride]
				d := new(big.Rat).Sub(to, exact[o])
				exact[o] = d.Add(d.Mul(d, rat(shares[i])), exact[o])
				if low := b.LeastLerp(stride, points, i, j, shares[i]); low.lo > Nearest(exact[o]) || low.lo > Nearest(before[o]) {
					t.Fatalf("%v and %v are said to be %v at least", Nearest(before[o]), Nearest(exact[o]), low)
				}
			}
			b.Lerp(stride, shares, j)
			b.hold(t, "moved", exact)
		}
		var balls []*Ball
		var all [][]*big.Rat
		var weights []float64
		for range rng.IntN(9) {
			b, exact := wildBall(rng, n, scale)
			for range rng.IntN(3) {
				lerp(b, exact)
			}
			balls, all, weights = append(balls, b.Copy()), append(all, exact), append(weights, math.Pow(2, float64(rng.IntN(60)-30))*float64(rng.IntN(4))*rng.Float64())
		}
		sum, exact := NewBall(n), make([]*big.Rat, n)
		sum.Combine(balls, weights)
		least := math.Inf(1)
		for i := range exact {
			exact[i] = new(big.Rat)
			for k := range balls {
				exact[i].Add(exact[i], new(big.Rat).Mul(rat(weights[k]), all[k][i]))
			}
			least = min(least, Nearest(exact[i]))
		}
		sum.hold(t, "added up", exact)
		if low := sum.Least(); low.lo > least || low.Sign() < 0 {
			t.Fatalf("%v is said to be %v at least", least, low)
		} else if low.Sign() > 0 {
			positive++
		}
		for range rng.IntN(3) {
			lerp(sum, exact)
		}
	}
	if positive < 1 {
		t.Errorf("only %d were positive", positive)
	}
}

// Weights and shares that are none, and numbers that overflow, leave nothing known.
func TestBallsOfWhatIsNoNumberProveNothing(t *testing.T) {
	one := func() *Ball { return &Ball{v: []float64{1, 1}, size: 1} }
	huge := &Ball{v: []float64{1e308, 1e308}, size: 1e308}
	for _, w := range [][]float64{{-1, 1}, {math.NaN(), 1}, {math.Inf(1), 1}, {1e308, 1e308}} {
		b := NewBall(2)
		if b.Combine([]*Ball{one(), one()}, w); b.Least().Sign() > 0 {
			t.Errorf("weights %v: %v", w, b)
		}
	}
	b := NewBall(2)
	if b.Combine([]*Ball{huge, huge}, []float64{1, 1}); b.Least().Sign() > 0 {
		t.Errorf("%v", b)
	}
	for _, l := range []float64{-.1, 1.1, math.NaN()} {
		b := one()
		if b.LeastLerp(1, 2, 0, 1, l).Sign() > 0 {
			t.Errorf("a share of %v is taken", l)
		}
		if b.Lerp(1, []float64{l, 0}, 1); b.Least().Sign() > 0 {
			t.Errorf("a share of %v is taken: %v", l, b)
		}
	}
}

// Where numbers of either sign all but cancel, and nothing but their rounding is left, what moves is
// still at least what it is said to be, and within its radius.
func TestMovesToZeroCountTheirRounding(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 2))
	for range 500 {
		x, y := 1+rng.Float64(), -math.Ldexp(1+rng.Float64(), rng.IntN(5)-2)
		l := x / (x - y)
		b := &Ball{v: []float64{x, y}, size: max(x, -y)}
		exact := new(big.Rat).Sub(rat(y), rat(x))
		exact.Add(rat(x), exact.Mul(exact, rat(l)))
		if low := b.LeastLerp(1, 2, 0, 1, l); !holds(low, exact) {
			t.Fatalf("from %b to %b by %b is said to be %v at least, and is %v", x, y, l, low, Nearest(exact))
		}
		b.Lerp(1, []float64{l, 0}, 1)
		b.hold(t, "moved", []*big.Rat{exact, rat(y)})
	}
}

// What enters is held with all that it may be, over the whole range of float64.
func TestWhatEntersIsHeld(t *testing.T) {
	rng := rand.New(rand.NewPCG(12, 4))
	for range 3000 {
		b, exact := NewBall(3), make([]*big.Rat, 3)
		for i := range exact {
			x, inside := wildInterval(rng)
			b.Enter(i, x)
			exact[i] = inside
			if !(b.radius <= math.MaxFloat64) { // too large
				continue
			}
			if d := new(big.Rat).Sub(exact[i], rat(b.v[i])); d.Abs(d).Cmp(rat(b.radius)) > 0 {
				t.Fatalf("%v is %v, and not within %v", x, b.v[i], b.radius)
			}
		}
		b.hold(t, "entered", exact)
	}
	b := NewBall(2)
	for i, x := range []Interval{Line(), Point(1)} {
		if b.Enter(i, x); b.Least().Finite() {
			t.Error("a number of which nothing is known is forgotten")
		}
	}
}
