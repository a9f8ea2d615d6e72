package uncertainty_test

import (
	"math"
	"math/big"
	"slices"
)

// The definitions.

func klExcess(p, q []float64, r float64) float64 {
	sum := 0.0
	for j, x := range p {
		if x > 0 {
			sum += x*math.Log(x/q[j]) - x + q[j]
		}
		if x == 0 {
			sum += q[j]
		}
	}
	return sum - r
}

func chi2Excess(p, q []float64, r float64) float64 {
	sum := 0.0
	for j, x := range p {
		sum += (x - q[j]) * (x - q[j]) / q[j]
	}
	return sum - r
}

func l1Excess(p, q []float64, r float64) float64 {
	sum := 0.0
	for j, x := range p {
		sum += math.Abs(x - q[j])
	}
	return sum - r
}

func tvExcess(p, q []float64, r float64) float64 { return l1Excess(p, q, 2*r) / 2 }

func l2Excess(p, q []float64, r float64) float64 {
	sum := 0.0
	for j, x := range p {
		sum += (x - q[j]) * (x - q[j])
	}
	return math.Sqrt(sum) - r
}

func linfExcess(p, q []float64, r float64) float64 {
	m := 0.0
	for j, x := range p {
		m = max(m, math.Abs(x-q[j]))
	}
	return m - r
}

func contaminationExcess(p, q []float64, r float64) float64 {
	m := 0.0
	for j, x := range p {
		m = max(m, (1-r)*q[j]-x)
	}
	return m
}

// The slow maximisers. All but l2 minimise the dual, which is convex in one
// number, by golden section or over all its kinks; l2 bisects the multiplier
// with a projection by sorting.

func klSup(q, z []float64, r float64) float64 {
	if r == 0 {
		return dot(q, z)
	}
	top, bottom := slices.Max(z), slices.Min(z)
	if top == bottom {
		return top
	}
	w := top - bottom
	dual := func(logTheta float64) float64 { // θ next to the width of the values, which may be below the normal range
		th := math.Exp(logTheta)
		g, e := 0.0, 0.0
		for j, y := range z {
			g += q[j] * math.Expm1((y-top)/w/th)
			e += q[j] * math.Exp((y-top)/w/th)
		}
		if g > -.5 {
			return top + w*(th*(r+math.Log1p(g)))
		}
		return top + w*(th*(r+math.Log(e)))
	}
	return min(golden(dual, math.Log(1e-16), math.Log(1e9)), top)
}

// chi2Sup bisects for η in 256-bit arithmetic: with tiny q it can lie closer to
// a z than doubles resolve.
func chi2Sup(q, z []float64, r float64) float64 {
	if r == 0 {
		return dot(q, z)
	}
	top, bottom := slices.Max(z), slices.Min(z)
	if top == bottom {
		return top
	}
	num := func(x float64) *big.Float { return new(big.Float).SetPrec(256).SetFloat64(x) }
	mass := num(0) // q sums to 1 only within ulps, and here they would count
	var qs, zs []*big.Float
	for j, x := range q {
		qs, zs = append(qs, num(x)), append(zs, num(z[j]))
		mass.Add(mass, qs[j])
	}
	// a1 = E(z-η)₊, a2 = E(z-η)₊², both times the mass
	a1, a2, d := num(0), num(0), num(0)
	moments := func(eta *big.Float) {
		a1.SetInt64(0)
		a2.SetInt64(0)
		for j, y := range zs {
			if d.Sub(y, eta); d.Sign() > 0 {
				t := num(0).Mul(qs[j], d)
				a1.Add(a1, t)
				a2.Add(a2, t.Mul(t, d))
			}
		}
	}
	rho := num(r)
	rho.Add(rho, num(1))
	w := top - bottom
	lo, hi := num(bottom-w*1e9), num(top)
	for range 180 {
		mid := num(0).Add(lo, hi)
		moments(mid.SetMantExp(mid, -1))
		a1.Mul(a1, a1)
		if a1.Mul(a1, rho).Cmp(a2.Mul(a2, mass)) > 0 {
			lo = mid
		} else {
			hi = mid
		}
	}
	moments(lo) // ⟨p, z⟩ = E[(z-η)₊ z]/E(z-η)₊ = η + a2/a1
	v, _ := a1.Quo(a2, a1).Float64()
	eta, _ := a1.Add(a1, lo).Float64()
	if v == 0 || math.IsNaN(v) {
		return top
	}
	return eta
}

func l1Sup(q, z []float64, r float64) float64 {
	top := slices.Max(z)
	best := math.Inf(1)
	for _, k := range append(slices.Clone(z), top) {
		lambda := top - k
		t := lambda * r / 2
		for j, y := range z {
			t += q[j] * max(y-top, -lambda)
		}
		best = min(best, t)
	}
	return top + best
}

func tvSup(q, z []float64, r float64) float64 { return l1Sup(q, z, 2*r) }

func linfSup(q, z []float64, r float64) float64 {
	top := slices.Max(z)
	best := math.Inf(1)
	for _, k := range z {
		lambda := k - top
		t := lambda
		for j, y := range z {
			d := y - top - lambda
			t += max(d*max(0, q[j]-r), d*min(1, q[j]+r))
		}
		best = min(best, t)
	}
	return top + best
}

func contaminationSup(q, z []float64, r float64) float64 {
	best := math.Inf(-1)
	for k := range z {
		best = max(best, (1-r)*dot(q, z)+r*z[k])
	}
	return best
}

func l2Sup(q, z []float64, r float64) float64 {
	top, bottom := slices.Max(z), slices.Min(z)
	if r == 0 || top == bottom {
		return dot(q, z)
	}
	at := func(t float64) []float64 {
		y := make([]float64, len(z))
		for j := range y {
			y[j] = q[j] + t*(z[j]-top)/(top-bottom)
		}
		return projectBySorting(y)
	}
	lo, hi := 0.0, 1e-20
	for hi < 1e20 && l2Excess(at(hi), q, r) <= 0 {
		lo, hi = hi, 2*hi
	}
	for range 200 {
		mid := (lo + hi) / 2
		if l2Excess(at(mid), q, r) <= 0 {
			lo = mid
		} else {
			hi = mid
		}
	}
	return dot(at(lo), z)
}

func projectBySorting(y []float64) []float64 {
	u := slices.Clone(y)
	slices.Sort(u)
	slices.Reverse(u)
	sum, theta := 0.0, 0.0
	for k, x := range u {
		sum += x
		if t := (sum - 1) / float64(k+1); x > t {
			theta = t
		}
	}
	for j, x := range y {
		u[j] = max(0, x-theta)
	}
	return u
}

// golden minimises a unimodal function.
func golden(f func(float64) float64, a, b float64) float64 {
	g := (math.Sqrt(5) - 1) / 2
	x, y := b-g*(b-a), a+g*(b-a)
	fx, fy := f(x), f(y)
	for range 120 {
		if fx < fy {
			b, y, fy = y, x, fx
			x = b - g*(b-a)
			fx = f(x)
		} else {
			a, x, fx = x, y, fy
			y = a + g*(b-a)
			fy = f(y)
		}
	}
	return min(fx, fy)
}
