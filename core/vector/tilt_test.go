package vector

import (
	"math"
	"math/rand/v2"
	"testing"
)

// draw is a row, values of it and an exponent, of every size that a row of kl meets.
func draw(r *rand.Rand) (q, z []float64, b float64) {
	n := r.IntN(12)
	q, z = make([]float64, n+r.IntN(3)), make([]float64, n+r.IntN(3))
	q, z = q[len(q)-n:], z[len(z)-n:]
	for j := range q {
		q[j] = math.Pow(r.Float64(), 1+20*r.Float64())
		z[j] = math.Trunc(8*r.NormFloat64()) * math.Exp(3*r.NormFloat64())
	}
	return q, z, math.Exp(5 * r.NormFloat64())
}

func numbers(r *rand.Rand, n int) []float64 {
	x := make([]float64, n)
	for i := range x {
		x[i] = r.NormFloat64()
	}
	return x
}

// The page's loops give the bits of plain Go, and those are the same natively.
func TestTiltSameBits(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 3000 {
		q, z, b := draw(r)
		p, want := make([]float64, len(q)), make([]float64, len(q))
		base, scale, mean := r.NormFloat64(), r.Float64(), r.NormFloat64()
		same := func(what string, m, v Moments) {
			t.Helper()
			x := append([]float64{m.Mass, m.First, m.Second, m.Third, m.More}, p...)
			y := append([]float64{v.Mass, v.First, v.Second, v.Third, v.More}, want...)
			for j, v := range y {
				if math.Float64bits(x[j]) != math.Float64bits(v) && !(math.IsNaN(x[j]) && math.IsNaN(v)) {
					t.Fatalf("%s of %d at %v: number %d is %v; want %v", what, len(q), b, j, x[j], v)
				}
			}
		}
		var plain Moments
		m := Tilt(p, q, z, base, scale, b)
		tilt(&plain, want, q, z, base, scale, b)
		same("tilt", m, plain)
		m = TiltLittle(p, q, z, base, scale, b/100, mean)
		tiltLittle(&plain, want, q, z, base, scale, b/100, mean)
		same("little tilt", m, plain)
		Exp(p, z)
		exp(want, z)
		same("exp", Moments{}, Moments{})
		e, w := numbers(r, 20), numbers(r, 20)
		at := []int32(nil)
		if r.IntN(2) == 0 {
			at = make([]int32, len(q))
			for j := range at {
				at[j] = r.Int32N(20)
			}
		}
		var a, sums Moments
		a.Mass, a.First = Weigh(p, q, e, w, at)
		if len(q) > 0 {
			sums.Mass, sums.First = weigh(want, q, e, w, at)
		}
		same("weigh", a, sums)
	}
}

// Exponentials and logarithms are those of package math to a few ulps, down to
// subnormal numbers, beyond the ends, and where e^x - 1 and the logarithm are small.
func TestTiltIsExact(t *testing.T) {
	near := func(what string, x, got, want, ulps float64) {
		t.Helper()
		if !(math.Abs(got-want) <= ulps*(math.Nextafter(math.Abs(want), math.Inf(1))-math.Abs(want))) && got != want {
			t.Fatalf("%s of %v is %v; want %v", what, x, got, want)
		}
	}
	r := rand.New(rand.NewPCG(5, 6))
	for _, x := range []float64{0, -745.2, -750, -1e300, 708, 720, 1e300, 1e-300, -708.5, -740, math.Inf(1), math.Inf(-1)} {
		e, _ := exponential(x)
		near("exp", x, e, math.Exp(x), 2)
	}
	if e, less := exponential(math.NaN()); !math.IsNaN(e) || !math.IsNaN(less) {
		t.Errorf("exponential of NaN is %v and %v", e, less)
	}
	for range 200_000 {
		x := r.NormFloat64() * math.Exp(3*r.NormFloat64())
		e, less := exponential(x)
		near("exp", x, e, math.Exp(x), 2)
		near("exp less 1", x, less, math.Expm1(x), 5)
		if math.Abs(less) < 1e-3 {
			near("log", e, Log(e, less), math.Log1p(less), 2)
		}
		y := math.Ldexp(r.Float64(), r.IntN(2100)-1074)
		near("log", y, Log(y, y-1), math.Log(y), 2)
	}
	for _, y := range []float64{0, math.Inf(1), 5e-324, 0x1p-1022, math.MaxFloat64, 1} {
		near("log", y, Log(y, y-1), math.Log(y), 1)
	}
}

// A little tilt is the tilt of the values about their mean: its moments are those
// of the row, and what they lack of the row's own is known to more digits.
func TestLittleTiltIsATilt(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for range 2000 {
		q, z, b := draw(r)
		b = math.Min(b, LittleTilt)
		sum, mean := 0.0, 0.0
		for j := range q {
			z[j] = -r.Float64()
			sum += q[j]
		}
		if sum == 0 {
			continue
		}
		for j := range q {
			q[j] /= sum
			mean += q[j] * z[j]
		}
		p, want := make([]float64, len(q)), make([]float64, len(q))
		m, w := TiltLittle(p, q, z, 0, 1, b, mean), Tilt(want, q, z, mean, 1, b)
		for _, c := range [][2]float64{{m.Mass, w.Mass}, {m.First, b * w.First}, {m.Second, b * b * w.Second}, {m.Third, b * b * b * w.Third}, {m.More, w.More}} {
			if !(math.Abs(c[0]-c[1]) <= 1e-15*float64(len(q))) {
				t.Fatalf("at b = %v of %v: %v; want %v", b, z, c[0], c[1])
			}
		}
	}
}
