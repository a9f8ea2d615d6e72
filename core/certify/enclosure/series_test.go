package enclosure

import (
	"math"
	"math/rand/v2"
	"testing"
)

// TestSeries holds the plain exponential and logarithm against the enclosures
// of explog_test.go.
func TestSeries(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 5))
	for k := range 20000 {
		x := -math.Exp(rng.NormFloat64() * 4)
		if k%3 == 0 {
			x = -rng.Float64()
		}
		if k%100 == 0 {
			x = -float64(k/100) * math.Ln2
		}
		if k%5 == 0 {
			x = expMax * rng.Float64()
		}
		if x >= expMin {
			e, want := expNear(x), exp(x)
			if e*(1+seriesError) < want.hi-4*Ulp*want.hi || e*(1-seriesError) > want.lo+4*Ulp*want.lo || math.Abs(e-math.Exp(x)) > seriesError*e {
				t.Fatalf("e^%v: got %v, want within %v", x, e, want)
			}
		}
		y := math.Exp(rng.NormFloat64() * 20)
		if k%2 == 0 {
			y = 1 + 1e-3*rng.NormFloat64()
		}
		l, slack := logNear(y)
		// math.Log is within an Ulp; the enclosure itself is wider than that.
		if d := math.Abs(l - math.Log(y)); !(d <= slack+Ulp*math.Abs(l)) || !(slack <= 1e-13*(1+math.Abs(l))) {
			t.Fatalf("ln %v: got %v, off by %g, slack %g", y, l, d, slack)
		}
		// e^(l+slack) >= y >= e^(l-slack), by the other enclosure.
		if l < 600 && l > -600 && !(exp(up(l+slack)).hi >= y && exp(down(l-slack)).lo <= y) {
			t.Fatalf("ln %v = %v ± %g does not hold", y, l, slack)
		}
	}
	for range 20000 {
		x := .3 * (2*rng.Float64() - 1) * math.Pow(10, -float64(rng.IntN(10)))
		if l, want := log1pLittle(x), math.Log1p(x); math.Abs(l-want) > (seriesError+Ulp)*math.Abs(want) {
			t.Fatalf("ln(1+%v) = %v, want %v", x, l, want)
		}
		if x = -math.Abs(x); math.Abs(expm1Little(x)-math.Expm1(x)) > (seriesError+Ulp)*math.Abs(x) {
			t.Fatalf("e^%v - 1 = %v, want %v", x, expm1Little(x), math.Expm1(x))
		}
	}
	if l, _ := logNear(1); l != 0 {
		t.Errorf("ln 1 = %v", l)
	}
	for _, x := range []float64{0, -1, math.NaN(), math.Inf(1), 1e-310} {
		if l, _ := logNear(x); !math.IsNaN(l) {
			t.Errorf("ln %v = %v, want NaN", x, l)
		}
	}
}
