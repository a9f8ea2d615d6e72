package vector

import "math"

// Exponentials and logarithms of this room's own: within two ulps, and the same
// bits everywhere, which those of package math are not.

// series holds what exponential multiplies by, for the page's loops too: log₂e; log 2
// in two parts, the first of 32 bits, so that its multiples are exact; the number
// whose sum with another rounds that to an integer; the ends beyond which all is 0
// or +Inf; 1; and 1/2!, 1/3!, ... 1/13!.
var series = [...]float64{
	math.Log2E, ln2High, ln2Low, rounder, -760, 720, 1,
	1. / 2, 1. / 6, 1. / 24, 1. / 120, 1. / 720, 1. / 5040, 1. / 40320, 1. / 362880, 1. / 3628800,
	1. / 39916800, 1. / 479001600, 1. / 6227020800,
}

const (
	ln2High = 6.93147180369123816490e-01
	ln2Low  = 1.90821492927058770002e-10
	rounder = 0x1.8p52
)

// LittleTilt is up to which b TiltLittle is exact to rounding.
const LittleTilt = 0.34

// remainder is (e^r - 1 - r)/r² = 1/2! + r/3! + ... for |r| <= log 2/2.
func remainder(r float64) float64 {
	c := (*[12]float64)(series[7:])
	s := r * r
	u := s * s
	low := (c[0] + float64(c[1]*r)) + float64((c[2]+float64(c[3]*r))*s)
	mid := (c[4] + float64(c[5]*r)) + float64((c[6]+float64(c[7]*r))*s)
	high := (c[8] + float64(c[9]*r)) + float64((c[10]+float64(c[11]*r))*s)
	return low + float64(u*(mid+float64(u*high)))
}

// exponential is e^x, and e^x - 1 to full relative precision: with k the integer
// next to x/log 2 and r = x - k log 2, it is 2^k times the series of e^r.
func exponential(x float64) (e, less float64) {
	if x < -760 {
		x = -760
	}
	if x > 720 {
		x = 720
	}
	t := float64(x*math.Log2E) + rounder
	k := t - rounder
	r := (x - float64(k*ln2High)) - float64(k*ln2Low)
	c := (*[12]float64)(series[7:]) // remainder, in place for its speed
	s := r * r
	u := s * s
	low := (c[0] + float64(c[1]*r)) + float64((c[2]+float64(c[3]*r))*s)
	mid := (c[4] + float64(c[5]*r)) + float64((c[6]+float64(c[7]*r))*s)
	high := (c[8] + float64(c[9]*r)) + float64((c[10]+float64(c[11]*r))*s)
	less = r + float64(s*(low+float64(u*(mid+float64(u*high)))))
	n := int64(math.Float64bits(t) - math.Float64bits(rounder))
	half := n >> 1 // 2^k in two factors, for results that are subnormal
	e = float64((1+less)*math.Float64frombits(uint64(half+1023)<<52)) * math.Float64frombits(uint64(n-half+1023)<<52)
	if n != 0 {
		less = e - 1
	}
	return e, less
}

// Exp fills dst[i] with e^src[i].
func Exp(dst, src []float64) {
	src = src[:len(dst)]
	if simd && len(dst) > 0 {
		simdExp(&dst[0], &src[0], int32(len(dst)), &series[0])
		return
	}
	exp(dst, src)
}

func exp(dst, src []float64) {
	for i, x := range src[:len(dst)] {
		dst[i], _ = exponential(x)
	}
}

// Moments are sums over a tilted row, each in two partial sums, for even and odd j.
type Moments struct {
	Mass, First, Second, Third float64 // Σ p wⁿ
	More                       float64 // Σ p - Σ q, to full relative precision
}

// Tilt fills p[j] with q[j] e^{b w}, w = (z[j] - base) scale, and returns its
// moments.
func Tilt(p, q, z []float64, base, scale, b float64) (m Moments) {
	q, z = q[:len(p)], z[:len(p)]
	if simd && len(p) > 0 {
		simdTilt(&m.Mass, &p[0], &q[0], &z[0], int32(len(p)), base, scale, b, &series[0])
	} else {
		tilt(&m, p, q, z, base, scale, b)
	}
	return m
}

func tilt(sums *Moments, p, q, z []float64, base, scale, b float64) {
	var even, odd Moments
	q, z = q[:len(p)], z[:len(p)]
	i := 0
	for ; i+2 <= len(p); i += 2 {
		v, w := float64((z[i]-base)*scale), float64((z[i+1]-base)*scale)
		e, less := exponential(float64(b * v))
		f, more := exponential(float64(b * w))
		p[i] = even.tilted(q[i], v, e, less)
		p[i+1] = odd.tilted(q[i+1], w, f, more)
	}
	if i < len(p) {
		w := float64((z[i] - base) * scale)
		e, less := exponential(float64(b * w))
		p[i] = even.tilted(q[i], w, e, less)
	}
	sums.add(&even, &odd)
}

// tilted adds a place with w, where q is tilted by e = 1 + less, and returns what q becomes.
func (m *Moments) tilted(q, w, e, less float64) float64 {
	m.More += float64(q * less)
	e *= q
	first := float64(e * w)
	second := float64(first * w)
	m.Mass += e
	m.First += first
	m.Second += second
	m.Third += float64(second * w)
	return e
}

// TiltLittle is Tilt for q of mass 1 and b of at most LittleTilt, with x = b (w - mean)
// for bw, where mean is that of w under q: First, Second and Third are the moments
// Σ p xⁿ, and More is Σ q (e^x - 1 - x).
func TiltLittle(p, q, z []float64, base, scale, b, mean float64) (m Moments) {
	q, z = q[:len(p)], z[:len(p)]
	if simd && len(p) > 0 {
		simdTiltLittle(&m.Mass, &p[0], &q[0], &z[0], int32(len(p)), base, scale, b, mean, &series[0])
	} else {
		tiltLittle(&m, p, q, z, base, scale, b, mean)
	}
	return m
}

func tiltLittle(sums *Moments, p, q, z []float64, base, scale, b, mean float64) {
	var by [2]Moments
	q, z = q[:len(p)], z[:len(p)]
	for j := range p {
		x := float64(b * (float64((z[j]-base)*scale) - mean))
		h := float64(x * remainder(x))
		e := (1 + x) + float64(x*h)
		square := float64(float64(q[j]*x) * x)
		m := &by[j&1]
		m.More += float64(float64(q[j]*x) * h)
		m.First += float64(square * (1 + h))
		square *= e
		m.Second += square
		m.Third += float64(square * x)
		p[j] = float64(q[j] * e)
		m.Mass += p[j]
	}
	sums.add(&by[0], &by[1])
}

// add sets m to the sums of even and odd.
func (m *Moments) add(even, odd *Moments) {
	m.Mass, m.First, m.Second = even.Mass+odd.Mass, even.First+odd.First, even.Second+odd.Second
	m.Third, m.More = even.Third+odd.Third, even.More+odd.More
}

// Weigh fills p with the distribution proportional to q[j] e[at[j]], or q[j] e[j]
// when at is nil. It returns the sum of these products and that of the products
// times w at the same places, each in two partial sums, for even and odd j. All
// of at must be below the length of e and of w.
func Weigh(p, q, e, w []float64, at []int32) (mass, first float64) {
	if len(p) == 0 {
		return 0, 0
	}
	var places *int32
	if q, w = q[:len(p)], w[:len(e)]; at == nil {
		_ = e[:len(p)]
	} else {
		at = at[:len(p)]
		places = &at[0]
	}
	if !simd {
		return weigh(p, q, e, w, at)
	}
	var sums [2]float64
	simdWeigh(&sums[0], &p[0], &q[0], int32(len(p)), &e[0], &w[0], places)
	return sums[0], sums[1]
}

func weigh(p, q, e, w []float64, at []int32) (mass, first float64) {
	var m0, m1, f0, f1 float64
	if at == nil {
		q, e, w = q[:len(p)], e[:len(p)], w[:len(p)]
		i := 0
		for ; i+2 <= len(p); i += 2 {
			y, z := float64(q[i]*e[i]), float64(q[i+1]*e[i+1])
			p[i], p[i+1] = y, z
			m0 += y
			m1 += z
			f0 += float64(y * w[i])
			f1 += float64(z * w[i+1])
		}
		if i < len(p) {
			y := float64(q[i] * e[i])
			p[i] = y
			m0 += y
			f0 += float64(y * w[i])
		}
	} else {
		for j, y := range q {
			t := at[j]
			y *= e[t]
			p[j] = y
			if j&1 == 0 {
				m0 += y
				f0 += float64(y * w[t])
			} else {
				m1 += y
				f1 += float64(y * w[t])
			}
		}
	}
	mass, first = m0+m1, f0+f1
	scale(p, 1/mass)
	return mass, first
}

// Log is the natural logarithm of x, which is 1 + less where less is small; it is
// then as precise as less.
func Log(x, less float64) float64 {
	if math.Abs(less) < 1e-2 {
		return logarithm(0, less)
	}
	if !(x >= 0x1p-1022 && x <= math.MaxFloat64) {
		return math.Log(x)
	}
	bits := math.Float64bits(x)
	k, f := float64(int(bits>>52)-1023), math.Float64frombits(bits&(1<<52-1)|1023<<52)
	if f > math.Sqrt2 {
		f *= 0.5
		k++
	}
	return logarithm(k, f-1)
}

// logarithm is log(2^k (1+f)) for f between √½ - 1 and √2 - 1, by
// log(1+f) = f - f²/2 + s (f²/2 + R(s²)), s = f/(2+f), with the polynomial of
// FreeBSD's e_log.c.
func logarithm(k, f float64) float64 {
	s := f / (2 + f)
	s2 := s * s
	s4 := s2 * s2
	t1 := s2 * (6.666666666666735130e-01 + float64(s4*(2.857142874366239149e-01+float64(s4*(1.818357216161805012e-01+float64(s4*1.479819860511658591e-01))))))
	t2 := s4 * (3.999999999940941908e-01 + float64(s4*(2.222219843214978396e-01+float64(s4*1.531383769920937332e-01))))
	half := 0.5 * f * f
	return float64(k*ln2High) - ((half - (float64(s*(half+(t1+t2))) + float64(k*ln2Low))) - f)
}
