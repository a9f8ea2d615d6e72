package bound

import (
	"fmt"
	"math"

	"rcmdplab/core/model"
	"rcmdplab/core/proof"
)

// ulp is the spacing of doubles at 1.
const ulp = 2 * model.Roundoff

// data is a problem in the units of Certificate: normalised occupancies, costs
// mapped to [0, 1].
type data struct {
	m       *model.Standard
	kernels []*model.Kernel // in use: of the finite set, or members of the rectangular one
	mn      int             // kernels
	n       int             // pairs
	s       int             // states
	start   []float64       // (1-γ) μ
	flowIdx [][]int32       // [m*S+s] pairs of the flow row
	flowVal [][]float64     // its coefficients
	cost    [][][]float64   // [m][n] c̃ by pair
	lo, w   []float64       // c = lo + w c̃
	allow   []float64       // by constraint from 1, added to its threshold; nil: nothing
	costs   []int           // the constraints that can bind, ascending, without 0
	dropped []int           // the others
}

// dataOf is the data of the given kernels, or of a finite set's.
func dataOf(m *model.Standard, given []proof.Kernel, allow []float64) (*data, error) {
	kernels, penalties, err := members(m, given)
	if err != nil {
		return nil, err
	}
	if allow != nil && len(allow) != m.N {
		return nil, fmt.Errorf("%d allowances for %d constraints", len(allow), m.N)
	}
	if m.Pairs() >= proof.MaxIndex || len(kernels) >= proof.MaxKernels {
		return nil, fmt.Errorf("%d state-action pairs and %d kernels; at most %d and %d are supported", m.Pairs(), len(kernels), proof.MaxIndex-1, proof.MaxKernels-1)
	}
	d := newData(m, kernels, penalties)
	d.allow = allow
	return d, nil
}

// members lists the kernels to bound with.
func members(m *model.Standard, given []proof.Kernel) (kernels []*model.Kernel, penalties [][]float64, err error) {
	if !m.Rectangular() {
		return m.Kernels, nil, nil
	}
	if len(given) == 0 {
		return nil, nil, fmt.Errorf("a %s set needs members to bound with; see Worst", m.Problem.Uncertainty.Kind)
	}
	paid := false
	for _, k := range given {
		kernels = append(kernels, model.NewKernel(m.S, k.Rows))
		p := k.Penalty
		if p == nil {
			p = make([]float64, m.Pairs())
		} else {
			paid = true
		}
		penalties = append(penalties, p)
	}
	if !paid {
		penalties = nil
	}
	return kernels, penalties, nil
}

// newData maps the problem. penalties is nil or, per kernel, what nature pays
// by pair (already discounted).
func newData(m *model.Standard, kernels []*model.Kernel, penalties [][]float64) *data {
	d := &data{m: m, kernels: kernels, mn: len(kernels), n: m.Pairs(), s: m.S}
	for _, p := range m.Mu {
		d.start = append(d.start, m.Rest*p)
	}
	for n := range m.N + 1 {
		lo, hi := m.Bounds(n)
		w := hi - lo
		if !(w > 0) {
			w = 1
		}
		d.lo, d.w = append(d.lo, lo), append(d.w, w)
		if n > 0 {
			if penalties == nil && m.CannotBind(n) {
				d.dropped = append(d.dropped, n)
			} else {
				d.costs = append(d.costs, n)
			}
		}
	}
	for k, ker := range kernels {
		d.addFlow(ker)
		var all [][]float64
		for n := range m.N + 1 {
			c := make([]float64, d.n)
			for i := range c {
				v := 0.0
				if next := m.CNext[n]; next != nil {
					// The least cost is taken off first: probabilities sum to 1, and a
					// large common part would leave its rounding error behind.
					to, prob := ker.Row(i)
					for j, t := range to {
						v += prob[j] * (next[i*m.S+t] - d.lo[n])
					}
				} else {
					v = m.C[n][i] - d.lo[n]
				}
				if penalties != nil {
					v -= penalties[k][i]
				}
				c[i] = v / d.w[n]
			}
			all = append(all, c)
		}
		d.cost = append(d.cost, all)
	}
	return d
}

// addFlow lists the flow rows of a kernel: row s has 1 for the pairs of s and
// -γ P(s|i) for the pairs i that lead there.
func (d *data) addFlow(ker *model.Kernel) {
	a := make([]float64, d.s*d.n)
	for i := range d.n {
		a[d.m.State[i]*d.n+i]++
		to, prob := ker.Row(i)
		for j, t := range to {
			a[t*d.n+i] -= d.m.Gamma * prob[j]
		}
	}
	for s := range d.s {
		var idx []int32
		var val []float64
		for i, v := range a[s*d.n : (s+1)*d.n] {
			if v != 0 {
				idx, val = append(idx, int32(i)), append(val, v)
			}
		}
		d.flowIdx, d.flowVal = append(d.flowIdx, idx), append(d.flowVal, val)
	}
}

// limit maps a threshold of J_n to the units of c̃_n, rounded up by more than
// the rounding errors of the mapping.
func (d *data) limit(n int, b float64) float64 {
	h := d.m.H
	v := (b/h - d.lo[n]) / d.w[n]
	return v + 8*ulp*(math.Abs(b/h)+math.Abs(d.lo[n])+math.Abs(v*d.w[n]))/d.w[n]
}

// limits lists the limits of every cost for a target of the objective (a
// return; +Inf: none) and thresholds raised by relax.
func (d *data) limits(target, relax float64) []float64 {
	v := make([]float64, d.m.N+1)
	for n := range v {
		b := target
		if n > 0 {
			if b = d.m.B[n] + relax; d.allow != nil {
				b = up(b + d.allow[n-1])
			}
		}
		if v[n] = b; !math.IsInf(b, 1) {
			v[n] = d.limit(n, b)
		}
	}
	return v
}

// value maps a bound on c̃_n·x to a bound on J_n, rounded down.
func (d *data) value(n int, v float64) float64 {
	h := d.m.H
	return h*(d.lo[n]+d.w[n]*v) - 8*ulp*h*(math.Abs(d.lo[n])+math.Abs(d.w[n]*v))
}

// dataError is the relative error of the coefficients made here with respect
// to those of the exact problem: probabilities are quotients by a sum of at
// most S terms, costs and thresholds a few operations.
func (d *data) dataError() float64 { return ulp * float64(d.s+16) }
