package uncertainty

import (
	"math"

	"rcmdplab/core/model"
)

// klRegularized is no set but a price: max_p ⟨p, z⟩ - τ KL(p‖q), attained by
// p ∝ q e^{z/τ} with value τ log E_q e^{z/τ} (eq:regularized-KL). O(n), and in
// a sweep the exponentials are those of the states, once for all rows.
type klRegularized struct {
	rows
	temperature float64
	v, e        []float64 // of the sweep: values and e^{(v-top)/τ}
	top, width  float64
	shared      bool // e serves every row of the sweep
	zs, row     []float64
}

func newKLRegularized(m *model.Standard, nominal *model.Kernel, temperature float64) *klRegularized {
	t := positiveRows(m.S, nominal)
	n := t.widest()
	return &klRegularized{rows: t, temperature: temperature, e: make([]float64, m.S), zs: make([]float64, n), row: make([]float64, n)}
}

func (x *klRegularized) Answer(dst []float64, i int, z []float64) Answer {
	q, tau := x.nominal(i), x.temperature
	top, bottom := extremes(z)
	p := dst[:len(z)]
	mass, tilt := 0.0, 0.0
	for j, y := range z {
		e := q[j]
		if y != top {
			e *= math.Exp((y - top) / tau)
		}
		p[j] = e
		mass += e
		tilt += e * (y - top)
	}
	return x.finish(p, mass, tilt, top, top-bottom)
}

// finish scales the tilted row to a distribution; tilt is Σ p (z - top).
func (x *klRegularized) finish(p []float64, mass, tilt, top, width float64) Answer {
	inv := 1 / mass
	for j := range p {
		p[j] *= inv
	}
	log := 0.0
	if x.temperature > 0 {
		log = x.temperature * math.Log(mass)
	}
	const u = 0x1p-53
	// log mass is as accurate as the mass: n+4 roundings of relative size u.
	slack := 4*float64(len(p)+4)*u*(x.temperature+width) + 4*u*math.Abs(top)
	return Answer{Value: top + log, Upper: top + min(log+slack, 0), Penalty: tilt*inv - log}
}

func (x *klRegularized) Begin(v []float64) {
	var bottom float64
	x.v = v
	x.top, bottom = extremes(v)
	x.width = x.top - bottom
	// Beyond this a row whose own largest value is low could underflow to 0, or
	// lose digits to subnormal numbers.
	x.shared = x.width < 600*x.temperature
	if !x.shared {
		return
	}
	tau := x.temperature
	for j, y := range v {
		x.e[j] = math.Exp((y - x.top) / tau)
	}
}

func (x *klRegularized) Row(dst []float64, i int) Answer {
	a, b := x.ptr[i], x.ptr[i+1]
	sup, q := x.next[a:b], x.q[a:b]
	if !x.shared {
		z := x.zs[:len(sup)]
		for j, t := range sup {
			z[j] = x.v[t]
		}
		return x.Answer(dst, i, z)
	}
	p := dst[:len(sup)]
	q = q[:len(sup)]
	mass, tilt := 0.0, 0.0
	for j, t := range sup {
		e := q[j] * x.e[t]
		p[j] = e
		mass += e
		tilt += e * (x.v[t] - x.top)
	}
	return x.finish(p, mass, tilt, x.top, x.width)
}

func (x *klRegularized) WorstRow(dst []float64, i int, z []float64) float64 {
	return x.Answer(dst, i, z).Value
}

func (x *klRegularized) UpperBound(i int, z []float64) float64 { return x.Answer(x.row, i, z).Upper }

// Penalty is τ KL(p‖q); a p of 0 contributes 0.
func (x *klRegularized) Penalty(p []float64, i int) float64 {
	sum := 0.0
	for j, q := range x.nominal(i) {
		if p[j] > 0 {
			sum += p[j] * math.Log(p[j]/q)
		}
	}
	return x.temperature * sum
}
