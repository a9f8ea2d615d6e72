package uncertainty

import (
	"math"

	"rcmdplab/core/model"
	"rcmdplab/core/vector"
)

// klRegularized is no set but a price: max_p ⟨p, z⟩ - τ KL(p‖q), attained by
// p ∝ q e^{z/τ} with value τ log E_q e^{z/τ} (eq:regularized-KL). O(n), and in
// a sweep the exponentials are those of the states, once for all rows.
type klRegularized struct {
	rows
	at          []int32   // next
	temperature float64   // τ > 0
	by          []float64 // ... by pair, where it differs; else nil
	free        bool      // the tilt without its price: see NewTilt
	v, e, w     []float64 // of the sweep: values, e^{(v-top)/τ} and v - top
	top, width  float64   // largest value of the sweep, and largest less least
	shared      bool      // e serves every row of the sweep
	zs, row     []float64 // work of one row
}

func newKLRegularized(m *model.Standard, nominal *model.Kernel, temperature float64, free bool) *klRegularized {
	t := positiveRows(m.S, nominal)
	n := t.widest()
	at := make([]int32, len(t.next))
	for j, s := range t.next {
		at[j] = int32(s)
	}
	x := &klRegularized{
		rows: t, at: at, temperature: temperature, free: free,
		e: make([]float64, m.S), w: make([]float64, m.S), zs: make([]float64, n), row: make([]float64, n),
	}
	for i := 0; m.Priced() && i < m.Pairs(); i++ {
		x.by = append(x.by, m.PriceAt(i, temperature))
	}
	return x
}

// little is the width of z, in temperatures, below which E_q e^{z/τ} is so close
// to 1 that its logarithm is summed from e^{z/τ} - 1.
const little = 0.1

// Answer implements Set in O(n): the row q e^{z/τ}/E_q e^{z/τ}, whose value is
// max z + τ log E_q e^{(z - max z)/τ}.
func (x *klRegularized) Answer(dst []float64, i int, z []float64) Answer {
	q, tau := x.nominal(i), x.of(i)
	top, bottom := extremes(z)
	p := dst[:len(z)]
	scale := 1 / tau
	if math.IsInf(scale, 1) { // τ = 0: q conditioned on the largest z
		mass := 0.0
		for j, y := range z {
			p[j] = 0
			if y == top {
				p[j] = q[j]
				mass += q[j]
			}
		}
		vector.Scale(p, 1/mass)
		return x.answer(tau, len(z), mass, 0, 0, top, top-bottom)
	}
	m := vector.Tilt(p, q, z, top, scale, 1)
	vector.Scale(p, 1/m.Mass)
	return x.answer(tau, len(z), m.Mass, x.log(tau, m.Mass, m.More), m.First*tau, top, top-bottom)
}

// of is the temperature of pair i.
func (x *klRegularized) of(i int) float64 {
	if x.by == nil {
		return x.temperature
	}
	return x.by[i]
}

// log is τ log(1 + less) of a mass of 1 + less.
func (x *klRegularized) log(tau, mass, less float64) float64 {
	if x.free {
		return 0
	}
	return tau * vector.Log(mass, less)
}

// answer is that of a row of n successors, where log is τ log E_q e^{(z-top)/τ}, mass
// that mean and tilt is Σ q e^{(z-top)/τ} (z - top).
func (x *klRegularized) answer(tau float64, n int, mass, log, tilt, top, width float64) Answer {
	inv := 1 / mass
	if x.free {
		return Answer{Value: top + tilt*inv, Upper: top}
	}
	// The mass has n+4 roundings of relative size u, and so has what it lacks to 1
	// when that is small; either way its logarithm times τ is off by no more than:
	size := tau + width
	if narrow := width / little; narrow < size {
		size = narrow
	}
	upper := log + (4*float64(n+4)*u*size + 4*u*math.Abs(top))
	if upper > 0 {
		upper = 0
	}
	return Answer{Value: top + log, Upper: top + upper, Penalty: tilt*inv - log}
}

// Begin implements Set: S exponentials, which rows then share.
func (x *klRegularized) Begin(v []float64) {
	var bottom float64
	x.v = v
	x.top, bottom = extremes(v)
	x.width = x.top - bottom
	// With wider values a row whose own largest is low could underflow to 0, or
	// lose digits to subnormal numbers; for narrower ones see little.
	x.shared = x.by == nil && x.width < 600*x.temperature && x.width >= little*x.temperature
	if !x.shared {
		return
	}
	tau, e, w := x.temperature, x.e[:len(v)], x.w[:len(v)]
	for j, y := range v {
		w[j] = y - x.top
		e[j] = w[j] / tau
	}
	vector.Exp(e, e)
}

// Row implements Set.
func (x *klRegularized) Row(dst []float64, i int) Answer {
	a, b := x.ptr[i], x.ptr[i+1]
	q := x.q[a:b]
	p := dst[:len(q)]
	if !x.shared {
		z := x.zs[:len(q)]
		for j, t := range x.next[a:b] {
			z[j] = x.v[t]
		}
		return x.Answer(p, i, z)
	}
	at := x.at[a:b]
	if len(q) == x.s {
		at = nil
	}
	mass, tilt := vector.Weigh(p, q, x.e, x.w, at)
	return x.answer(x.temperature, len(q), mass, x.log(x.temperature, mass, mass-1), tilt, x.top, x.width)
}

// AppendRow implements Set.
func (x *klRegularized) AppendRow(next []int, p []float64, i int) ([]int, []float64, Answer) {
	sup := x.Support(i)
	row := x.row[:len(sup)]
	a := x.Row(row, i)
	next, p = appendNonzero(next, p, sup, row)
	return next, p, a
}

// Penalty is τ KL(p‖q), summed as q (r log r - r + 1) with r = p/q so that rows
// close to the nominal one do not cancel, or as p log r - (p - q) where r log r may
// be infinite.
func (x *klRegularized) Penalty(p []float64, i int) float64 {
	if x.free {
		return 0
	}
	sum := 0.0
	for j, q := range x.nominal(i) {
		switch d := (p[j] - q) / q; {
		case d <= -1:
			sum += q
		case d > 1e9:
			sum += p[j]*(math.Log(p[j])-math.Log(q)) - (p[j] - q)
		default:
			sum += q * ((1+d)*math.Log1p(d) - d)
		}
	}
	return x.of(i) * sum
}
