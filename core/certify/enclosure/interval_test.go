package enclosure

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"
)

func rat(x float64) *big.Rat { return new(big.Rat).SetFloat64(x) }

// holds reports whether the exact r lies in a.
func holds(a Interval, r *big.Rat) bool {
	if math.IsNaN(a.lo) || math.IsNaN(a.hi) {
		return false
	}
	return (math.IsInf(a.lo, -1) || rat(a.lo).Cmp(r) <= 0) && (math.IsInf(a.hi, 1) || rat(a.hi).Cmp(r) >= 0)
}

// wild draws float64s of every scale the arithmetic meets, subnormals included.
func wild(rng *rand.Rand) float64 {
	switch rng.IntN(12) {
	case 0:
		return 0
	case 1:
		return math.Ldexp(rng.Float64()-0.5, -1060)
	case 2:
		return math.Ldexp(rng.Float64()-0.5, rng.IntN(600)-300)
	case 3:
		return float64(rng.IntN(5) - 2)
	case 4:
		return math.Ldexp(1, rng.IntN(40)-20) // powers of two: uneven neighbours
	}
	return rng.NormFloat64()
}

func wildInterval(rng *rand.Rand) (a Interval, inside *big.Rat) {
	x, y := wild(rng), wild(rng)
	a = Interval{min(x, y), max(x, y)}
	if rng.IntN(3) == 0 {
		a = Point(x)
	}
	w := rat(a.hi)
	w.Sub(w, rat(a.lo)).Mul(w, rat(rng.Float64())).Add(w, rat(a.lo))
	return a, w
}

func TestUpAndDownReachTheNeighbours(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	check := func(x float64) {
		if up(x) < math.Nextafter(x, math.Inf(1)) || down(x) > math.Nextafter(x, math.Inf(-1)) {
			t.Fatalf("up, down of %b are %b, %b: short of a neighbour", x, up(x), down(x))
		}
		// Not wider than four spacings, so that the margins mean something.
		if a := math.Abs(x); a > 0x1p-900 && (up(x)-x > 4*(math.Nextafter(a, math.Inf(1))-a)) {
			t.Fatalf("up(%b) is too far", x)
		}
	}
	for range 200_000 {
		check(wild(rng))
		check(math.Float64frombits(rng.Uint64() &^ (1 << 62))) // finite, any exponent below 2
	}
	for _, x := range []float64{0, tiny, -tiny, 0x1p-1022, 0x1p-970, 1, -1, 1 - 0x1p-53, math.MaxFloat64 / 2} {
		check(x)
	}
	if !math.IsInf(up(math.MaxFloat64), 1) {
		t.Error("up of the largest float64 is not +Inf")
	}
}

func TestIntervalOperationsHoldTheExactResult(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 1))
	for k := range 8_000 {
		a, x := wildInterval(rng)
		b, y := wildInterval(rng)
		if k%5 == 0 { // single numbers, of which sums may be exact
			a, b = Point(a.lo), Point(b.hi)
			x, y = rat(a.lo), rat(b.lo)
		}
		r, sum := new(big.Rat), a.Add(b)
		if !holds(sum, r.Add(x, y)) || !holds(a.Sub(b), r.Sub(x, y)) || !holds(a.Mul(b), r.Mul(x, y)) {
			t.Fatalf("%v, %v: an operation does not hold its exact result", a, b)
		}
		if f, exact := r.Add(x, y).Float64(); exact && a.Single() && b.Single() && sum != Point(f) {
			t.Fatalf("%v + %v = %v, want %v alone", a, b, sum, f)
		}
		if !holds(a.Square(), r.Mul(x, x)) || !holds(a.Abs(), r.Abs(x)) || !holds(a.Neg(), r.Neg(x)) || a.Square().lo < 0 {
			t.Fatalf("%v: an operation does not hold its exact result", a)
		}
		if s := a.Abs().Sqrt(); !holds(s.Square(), r.Abs(x)) || s.lo < 0 {
			t.Fatalf("√%v = %v", a.Abs(), s)
		}
		for c, op := range map[int]Interval{x.Cmp(y): a.Max(b), y.Cmp(x): a.Min(b)} {
			want := y
			if c > 0 {
				want = x
			}
			if !holds(op, want) {
				t.Fatalf("%v, %v: %v does not hold %v", a, b, op, want)
			}
		}
		if a.Less(b) && x.Cmp(y) >= 0 || a.AtMost(b) && x.Cmp(y) > 0 || a.Sign() != 0 && a.Sign() != x.Sign() {
			t.Fatalf("%v, %v: a comparison says more than is so", a, b)
		}
		if q := a.Div(b); b.Sign() != 0 {
			if !holds(q, r.Quo(x, y)) {
				t.Fatalf("%v / %v = %v does not hold %v", a, b, q, r)
			}
		} else if q != Line() {
			t.Fatalf("%v / %v = %v claims something about a division by 0", a, b, q)
		}
	}
}

// What is led on is held, of numbers of either sign.
func TestWhatIsLedOnHoldsTheExactSum(t *testing.T) {
	rng := rand.New(rand.NewPCG(6, 5))
	for trial := range 4000 {
		x, a := wildInterval(rng)
		f, b := wildInterval(rng)
		y, c := wildInterval(rng)
		if trial%2 == 0 { // all of them as they are where nothing costs less than 0
			x, y, a, c = x.Abs(), y.Abs(), a.Abs(a), c.Abs(c)
		}
		switch {
		case trial%9 == 0:
			f, b = Interval{}, new(big.Rat)
		case trial%7 != 0:
			f, b = f.Abs(), b.Abs(b)
		}
		if trial%5 == 0 { // or nearly nothing
			x, y, f = Interval{}, Point(math.Ldexp(rng.Float64(), -1065)), Point(rng.Float64())
			a, b, c = new(big.Rat), rat(f.lo), rat(y.lo)
		}
		got := make([]Interval, 1)
		if Lead(got, []Interval{x}, f, []Interval{y}); !holds(got[0], a.Add(a, b.Mul(b, c))) {
			t.Fatalf("%v + %v·%v is said to be %v", x, f, y, got[0])
		}
	}
}

// A total holds the exact sum, of terms that all but cancel too, and is that where it is a float64.
func TestTotalsHoldTheExactSum(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 2))
	for trial := range 1000 {
		var sum Total
		exact, low, high := new(big.Rat), new(big.Rat), new(big.Rat)
		add := func(a Interval, x *big.Rat) {
			sum.Add(a)
			exact.Add(exact, x)
			low.Add(low, rat(a.lo))
			high.Add(high, rat(a.hi))
		}
		for range 1 + rng.IntN(20) {
			a, x := wildInterval(rng)
			if trial%3 == 0 {
				a = Point(float64(rng.IntN(100)) / 64)
				x = rat(a.lo)
			}
			add(a, x)
			if rng.IntN(3) == 0 {
				add(a.Neg(), x.Neg(x))
			}
		}
		got := sum.Bounds()
		if !holds(got, exact) || !holds(got, low) || !holds(got, high) {
			t.Fatalf("%v to %v is said to be %v", Nearest(low), Nearest(high), got)
		}
		if trial%3 == 0 && !got.Single() {
			t.Fatalf("%v is said to be %v", Nearest(exact), got)
		}
		// Numbers that cancel leave what was lost of them, which is a sum too.
		sum, exact = Total{}, new(big.Rat)
		var list []float64
		for range 20 {
			x := math.Ldexp(1+rng.Float64(), rng.IntN(150))
			list = append(list, x, -x)
		}
		rng.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
		for _, x := range append(list, rng.Float64()) {
			sum.Add(Point(x))
			exact.Add(exact, rat(x))
		}
		if got := sum.Bounds(); !holds(got, exact) {
			t.Fatalf("what is left is %v, not %v", Nearest(exact), got)
		}
		sum = Total{} // many numbers cost no more digits than a few
		for range trial % 100 * 5 {
			sum.Add(Point(rng.Float64()))
		}
		if got := sum.Bounds(); got.Width().hi > 8*Ulp*got.hi {
			t.Fatalf("the sum of %d numbers is said to be %v", trial%100*5, got)
		}
	}
	for _, a := range []Interval{Line(), Point(1).Upto(Line()), Line().Upto(Point(1)), Point(math.MaxFloat64)} {
		var sum Total
		sum.Add(a)
		if sum.Add(a); sum.Bounds() != Line() {
			t.Errorf("twice %v is %v", a, sum.Bounds())
		}
	}
}

// What is not finite proves nothing: nothing that is done with it gives an end that is no number, and
// no comparison holds.
func TestWhatIsNotFiniteIsTheLine(t *testing.T) {
	inf := math.Inf(1)
	bad := []Interval{Point(math.NaN()), Point(inf), Point(-inf), Of(math.NaN(), 1), Of(2, 1), Of(inf, inf), Typed(inf), Typed(math.NaN()), Point(math.MaxFloat64).Mul(Point(2)), Point(math.MaxFloat64).Add(Point(math.MaxFloat64))}
	for _, a := range bad {
		if a.Finite() || a.Less(a) || a.AtMost(Point(math.MaxFloat64)) && a.Sign() > 0 || a.Sign() < 0 || a == (Interval{}) {
			t.Errorf("%v proves something", a)
		}
		for _, b := range append(bad, Interval{}, Point(1), Point(-1), Of(-1, 1), Of(math.Inf(-1), 3), Of(-3, inf), Of(0, inf)) {
			for k, c := range []Interval{a.Add(b), a.Sub(b), b.Sub(a), a.Mul(b), b.Mul(a), a.Div(b), b.Div(a), a.Hull(b), a.Max(b), a.Min(b), a.Meet(b), b.Sqrt(), b.Square(), b.Abs(), Exp(b), Expm1(b), Log(b), Log1p(b), Divergence(b, Point(.5)), Divergence(Point(.5), b)} {
				if !(c.lo <= c.hi) || c.lo == inf || c.hi == -inf {
					t.Fatalf("%d: %v and %v give %v", k, a, b, c)
				}
			}
		}
	}
}

// What a person types for a float64 is held, and alone where it is that float64.
func TestTypedHoldsTheDecimal(t *testing.T) {
	rng := rand.New(rand.NewPCG(6, 1))
	single := 0
	for k := range 40_000 {
		x := wild(rng)
		switch k % 4 {
		case 1:
			x = math.Trunc(math.Ldexp(rng.Float64()-.5, rng.IntN(56)))
		case 2:
			x = math.Ldexp(math.Trunc(math.Ldexp(rng.Float64()-.5, rng.IntN(30))), -rng.IntN(14))
		}
		if math.IsInf(x, 0) {
			continue
		}
		a := Typed(x)
		if !holds(a, Decimal(x)) {
			t.Fatalf("%v is held by %v", x, a)
		}
		if a.Single() {
			single++
		}
	}
	if single < 10_000 {
		t.Errorf("%d are single", single)
	}
}

// Exponentials, logarithms and divergences of intervals hold those of the numbers in them, by the other way.
func TestFunctionsHoldThoseOfTheNumbersIn(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 1))
	for k := range 4_000 {
		x := rng.NormFloat64() * math.Pow(10, 3-float64(rng.IntN(12)))
		if k%3 == 0 {
			x = -.3 * rng.Float64()
		}
		a := Of(x-math.Abs(x)*rng.Float64()*math.Pow(2, -float64(rng.IntN(60))), x+rng.Float64()*math.Pow(10, 1-float64(rng.IntN(20))))
		if k%2 == 0 {
			a = Point(x)
		}
		near := func(name string, got, want Interval) {
			if got.lo > want.hi || got.hi < want.lo || a.Single() && want.Finite() && got.Finite() && got.hi-got.lo > 1e-13*max(math.Abs(want.lo), math.Abs(want.hi), 1e-290) {
				t.Fatalf("%s of %v, %v in it: %v, want %v", name, a, x, got, want)
			}
		}
		if x > -690 && x < 690 {
			near("exp", Exp(a), exp(x))
			near("expm1", Expm1(a.Min(Interval{})), expm1(min(x, 0)))
		}
		if x > 0 {
			near("log", Log(a), Of(-logUpper(1/x)-4*Ulp, logUpper(x)))
		}
		if x > -1 && x < 1e6 {
			d := Point(x)
			want := Point(1).Add(d).Mul(Of(down(math.Log1p(x)*(1-4*Ulp)), up(math.Log1p(x)*(1+4*Ulp)))).Sub(d)
			if got := Divergence(a, Point(1)); got.lo != 0 || got.hi < want.lo {
				t.Fatalf("divergence of %v, %v in it: %v, want %v", a, x, got, want)
			}
			if math.Abs(x) < .3 {
				l := Log1p(a)
				if w := Of(down(math.Log1p(x)*(1-4*Ulp)), up(math.Log1p(x)*(1+4*Ulp))); l.lo > w.hi || l.hi < w.lo {
					t.Fatalf("log1p of %v, %v in it: %v, want %v", a, x, l, w)
				}
			}
		}
	}
}

// bigExp is e^x to 300 bits by its series on x/2^k, an independent route.
func bigExp(x float64) *big.Float {
	const prec = 400
	k := 0
	y := new(big.Float).SetPrec(prec).SetFloat64(x)
	for f, _ := y.Float64(); math.Abs(f) > 0.01; f, _ = y.Float64() {
		y.SetMantExp(y, -1)
		k++
	}
	term := new(big.Float).SetPrec(prec).SetInt64(1)
	s := new(big.Float).SetPrec(prec).SetInt64(1)
	for i := 1; i < 60; i++ {
		term.Mul(term, y).Quo(term, new(big.Float).SetPrec(prec).SetInt64(int64(i)))
		s.Add(s, term)
	}
	for range k {
		s.Mul(s, s)
	}
	return s
}

func TestExponentialsAndLogarithmsEnclose(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 1))
	xs := []float64{0, 0.3, -0.3, 0.29999, math.Ln2, -math.Ln2, 1, -1, 699, -699, 1e-300, -1e-300, 0.35, 0.36, -0.36}
	for range 500 {
		xs = append(xs, rng.NormFloat64(), 200*rng.NormFloat64(), 1e-9*rng.NormFloat64(), math.Ldexp(rng.Float64()-0.5, -rng.IntN(200)))
	}
	one := big.NewFloat(1)
	for _, x := range xs {
		if math.Abs(x) > 700 {
			continue
		}
		e := bigExp(x)
		if a := exp(x); e.Cmp(big.NewFloat(a.lo)) < 0 || e.Cmp(big.NewFloat(a.hi)) > 0 || a.hi-a.lo > 1e-12*a.hi {
			t.Fatalf("exp(%v) = %v, exact %v", x, a, e)
		}
		m := new(big.Float).SetPrec(400).Sub(e, one)
		if math.Abs(x) < 1e-60 { // beyond 400 bits: x <= e^x - 1 <= x + x²
			m.SetFloat64(x)
		}
		if a := expm1(x); m.Cmp(big.NewFloat(a.lo)) < 0 || m.Cmp(big.NewFloat(a.hi)) > 0 || a.hi-a.lo > 1e-12*max(math.Abs(a.hi), math.Abs(a.lo)) && math.Abs(x) > 1e-300 {
			t.Fatalf("expm1(%v) = %v, exact %v", x, a, m)
		}
		// l >= ln v iff e^l >= v.
		if v := math.Abs(x); v > 1e-290 {
			if l := logUpper(v); bigExp(l).Cmp(big.NewFloat(v)) < 0 || l-math.Log(v) > 1e-12 {
				t.Fatalf("logUpper(%v) = %v", v, l)
			}
		}
		if x > -0.999 && math.Abs(x) > 1e-60 {
			u := log1pUpper(x)
			if new(big.Float).SetPrec(400).Sub(bigExp(u), one).Cmp(big.NewFloat(x)) < 0 || u-math.Log1p(x) > 1e-12*math.Abs(u)+0x1p-140 {
				t.Fatalf("log1pUpper(%v) = %v", x, u)
			}
		}
	}
	for _, x := range []float64{-1e6, -701, 701, 1e6, math.Inf(-1), math.Inf(1)} {
		if a := exp(x); !(a.lo <= math.Exp(x) && math.Exp(x) <= a.hi) {
			t.Errorf("exp(%v) = %v", x, a)
		}
		if a := expm1(x); !(a.lo <= math.Expm1(x) && math.Expm1(x) <= a.hi) {
			t.Errorf("expm1(%v) = %v", x, a)
		}
	}
	if l := logUpper(0); !math.IsInf(l, -1) {
		t.Errorf("logUpper(0) = %v", l)
	}
}

// ratio is what the fraction in lowest terms says, of numbers of any length.
func TestRatioIsNearest(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 9))
	long := func() *big.Int {
		x := big.NewInt(1 + rng.Int64N(1<<20))
		for range rng.IntN(6) {
			x.Mul(x, new(big.Int).SetUint64(rng.Uint64()|1))
		}
		return x.Lsh(x, uint(rng.IntN(80)))
	}
	for range 20_000 {
		a, b := long(), long()
		if rng.IntN(4) == 0 { // halfway between two float64s, or next to it
			a.SetUint64(rng.Uint64()>>11<<1|1).Lsh(a, uint(rng.IntN(90)))
			a.Mul(a, b).Add(a, big.NewInt(rng.Int64N(3)-1))
		}
		if rng.IntN(2) == 0 {
			a.Neg(a)
		}
		if got, want := Ratio(a, b), Nearest(new(big.Rat).SetFrac(a, b)); got != want {
			t.Fatalf("%v / %v: %v, want %v", a, b, got, want)
		}
	}
	if got := Ratio(new(big.Int), big.NewInt(7)); got != 0 || math.Signbit(got) {
		t.Errorf("0: %v", got)
	}
	if got := Quotient(new(big.Int), big.NewInt(7)); got != (Interval{}) {
		t.Errorf("0/7 is in %v, want 0 and nothing else", got)
	}
}

// Intervals as wide as a slope is taken for, and wider, or further from 0 than a series goes, hold what becomes of both ends.
func TestSlopesHoldAsFarAsTheyAreTaken(t *testing.T) {
	for _, w := range []float64{.5, .99, 1.01, 1.99, 2.5} {
		if got, want := Exp(Of(0, w)), math.Exp(w); !(got.lo <= 1 && got.hi >= want*(1-1e-15)) {
			t.Errorf("e^x up to %v is %v; want %v", w, got, want)
		}
	}
	for x := -.5; x < .5; x += .01 {
		a := Of(x, x+.02)
		if got, lo, hi := Log1p(a), math.Log1p(a.lo), math.Log1p(a.hi); !(got.lo <= lo+1e-15 && got.hi >= hi-1e-15) {
			t.Errorf("ln(1+x) for %v is %v; want %v to %v", a, got, lo, hi)
		}
		if got, lo, hi := Expm1(a), math.Expm1(a.lo), math.Expm1(a.hi); !(got.lo <= lo+1e-15 && got.hi >= hi-1e-15) {
			t.Errorf("e^x - 1 for %v is %v; want %v to %v", a, got, lo, hi)
		}
	}
}
