package bound

import (
	"math"
	"slices"

	"rcmdplab/core/model"
)

// Rays at discount 1, where V <= TV has to hold to the last digit: see package certify.

const (
	// An episode is lost in a step with that probability: as many times as an episode has steps, that is what the bound loses, which
	// is small next to what rays leave open.
	loses = 0x1p-30

	keeps     = 1 - 0x1p-40 // share of a value that a proof keeps, for the rounding of what steps cost
	roundsOff = 1e-12       // next to the largest value: what rounding may take one above what it comes to
	mostRises = 1000        // sweeps of values from below
	someRises = 4e6         // rows in them
)

// losing is the problem with which the search works: episodes are lost for nothing, and every end costs what it costs more
// than least, by cost: than the least of all ends and 0, a hundredth of the dearest step below that where it is negative. As
// every episode has one end, that is the same problem but for least. Where no step costs less than 0, values V >= 0 with V <= TV there
// have V <= TV at discount 1 as well, with as much to spare as is lost.
func losing(m *model.Standard) (q *model.Standard, least []float64) {
	q, least = m.Timeless(loses), make([]float64, m.N+1)
	q.B = slices.Clone(q.B)
	for n := range least {
		for i, s := range m.State {
			if m.Ends(s) {
				least[n] = min(least[n], m.Paid(n, i, s))
			}
		}
		if least[n] < 0 {
			least[n] -= .01 * m.Dearest(n)
		}
		for i, s := range m.State {
			switch {
			case !m.Ends(s):
			case q.CNext[n] != nil:
				q.CNext[n][i*m.S+s] -= q.Rest * least[n]
			default:
				q.C[n][i] -= q.Rest * least[n]
			}
		}
		q.B[n] -= least[n]
	}
	return q, least
}

// settle lowers values v on ray k, the game's, that rounding left above what they come to. Those that are above by more are
// of a state where waiting is free, which to the game is no policy: they all rise from 0 then, which is no more than it comes to. States from
// which no policy surely ends have 0.
func (x *RaySearch) settle(v []float64, k int) {
	m := x.m
	size := 0.0
	for s := range v {
		switch {
		case m.Ends(s):
			c := x.paid(s, k)
			v[s] = c - 0x1p-50*math.Abs(c)
		case m.Lost(s):
			v[s] = 0
		}
		size = max(size, v[s])
	}
	above := false
	for s := range v {
		if c := x.comes(v, s, k); c < v[s] {
			above = above || c < v[s]-roundsOff*size
			v[s] = c
		}
	}
	if !above {
		return
	}
	for s := range v {
		if !m.Ends(s) {
			v[s] = 0
		}
	}
	rose := true
	for n := 0; rose && n < mostRises && n*m.Pairs() < someRises; n++ {
		rose = false
		for j := range v {
			s := j
			if n%2 == 0 {
				s = m.S - 1 - j
			}
			if c := x.comes(v, s, k); c > v[s] {
				rose = rose || c > v[s]*(1+1e-9)
				v[s] = c
			}
		}
	}
}

// paid is what state s costs on ray k as an end.
func (x *RaySearch) paid(s, k int) float64 {
	i, c := x.m.Off[s], 0.0
	for g, w := range [2]float64{1 - x.t[k], x.t[k]} {
		c += w * x.flat[g][i] / x.m.Rest
		if x.onward[g] != nil {
			c += w * x.onward[g][x.ptr[i]] / x.m.Rest
		}
	}
	return c
}

// comes is what values v come to in state s on ray k, with one kernel; in an end its value.
func (x *RaySearch) comes(v []float64, s, k int) float64 {
	m, best := x.m, math.Inf(1)
	if m.Absorbs(s) {
		return v[s]
	}
	for i := m.Off[s]; i < m.Off[s+1]; i++ {
		next := x.next[x.ptr[i]:x.ptr[i+1]]
		row, z := x.a[:len(next)], x.z0[:len(next)]
		for j, to := range next {
			z[j] = m.Gamma * v[to]
			for g, w := range [2]float64{1 - x.t[k], x.t[k]} {
				if x.onward[g] != nil {
					z[j] += w * x.onward[g][x.ptr[i]+j]
				}
			}
		}
		x.set.Answer(row, i, z)
		c := (1-x.t[k])*x.flat[0][i] + x.t[k]*x.flat[1][i]
		for j, p := range row {
			c += p * z[j]
		}
		best = min(best, c)
	}
	return best
}
