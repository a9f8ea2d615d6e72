package model

import "math"

// gapShare is the share of a cost's least one-step value that a gap at a return
// of zero is judged next to: there only a bound that is practically zero closes.
const gapShare = 1e-6

// Scale is the size next to which an error in the return J_n of cost n, or the
// distance of that return from value, is judged:
//
//	min(range_n·H, max(|value|, least_n)),
//
// where range_n is the largest minus the least one-step cost over the available
// pairs, least_n the smallest |one-step cost| there that is not 0, and H the
// effective horizon 1/(1-γ). Where every one-step cost is the same it is
// max(|value|, least_n·H). value is in the internal convention, like J_n.
//
// A limit counts as met when
//
//	J_n - b_n <= tolerance · Scale(n, b_n),
//
// so a penalty far above the other costs does not excuse a violation that
// matters to them, small costs are judged by what they amount to, and the
// answer is the same whatever the unit of the cost and its sense. O(1).
func (m *Standard) Scale(n int, value float64) float64 {
	return m.sizes[n].scale(value, m.span(), 1)
}

// span is the H of Scale: at discount 1 there is none, and a range of returns says nothing.
func (m *Standard) span() float64 {
	if m.Total() {
		return math.Inf(1)
	}
	return m.H
}

// Roundoff is the unit roundoff of float64: how far rounding may move a number, as a share of it.
const Roundoff = 0x1p-53

// GapScale is the size next to which the gap between the return J_0 of the best
// policy known and a lower bound is judged: Scale(0, value) at value = J_0 with
// least_0 a millionth of itself. A gap is closed when
//
//	J_0 - bound <= tolerance · GapScale(J_0),
//
// that is, when it is small next to both the value and the range of returns.
func (m *Standard) GapScale(value float64) float64 {
	return m.sizes[0].scale(value, m.span(), gapShare)
}

// WithCosts is the problem with other one-step costs, by pair, and thresholds:
// those of one kernel, or in another unit. Present no longer applies to it.
func (m *Standard) WithCosts(c [][]float64, b []float64) *Standard {
	q := *m
	q.C, q.CNext, q.B, q.sizes = c, make([][]float64, len(c)), b, nil
	for _, values := range c {
		q.sizes = append(q.sizes, sizeOf(values))
	}
	return &q
}

// costSize is what Scale knows of a cost.
type costSize struct {
	width float64 // largest minus least one-step cost
	most  float64 // the largest |one-step cost|
	least float64 // the smallest |one-step cost| that is not 0; 0 when all are
}

// sizeOf measures the one-step costs of the available pairs.
func sizeOf(costs []float64) costSize {
	lo, hi, least := math.Inf(1), math.Inf(-1), math.Inf(1)
	for _, x := range costs {
		lo, hi = min(lo, x), max(hi, x)
		if x != 0 {
			least = min(least, math.Abs(x))
		}
	}
	if math.IsInf(least, 1) {
		least = 0
	}
	return costSize{hi - lo, max(-lo, hi), least}
}

func (z costSize) scale(value, horizon, share float64) float64 {
	if math.IsInf(horizon, 1) {
		return max(math.Abs(value), share*z.least)
	}
	if z.width == 0 {
		return max(math.Abs(value), share*z.least*horizon)
	}
	return min(z.width*horizon, max(math.Abs(value), share*z.least))
}
