package decide

import (
	"math"
	"slices"

	"rcmdplab/core/bound"
	"rcmdplab/core/evaluate"
	"rcmdplab/core/model"
	"rcmdplab/core/solve"
)

// mostRounds is how often prices and nature's kernel are made to fit each other.
const mostRounds = 12

// byValues offers proofs by one value function: for each kernel of a finite set
// the best prices under it; for a rectangular set prices and nature's kernel
// against each other, each made best for the other in turn, which never lowers
// the bound, from each cost's own worst kernel and those of a policy. It is all
// there is to prove for one kernel, and without limits. It reports false when
// more says no.
func (d *door) byValues(ev *evaluate.Evaluator, policy []float64, more func() bool) bool {
	m := d.m
	x, err := bound.NewPricing(m)
	if err != nil {
		return true // nothing bounds the paper's update
	}
	if m.Kernels != nil {
		for k, ker := range m.Kernels {
			w, ok := prices(m, ker, more)
			if !ok {
				return false
			}
			if _, _, ok = d.priced(x, w, k, more); !ok {
				return false
			}
			if d.infeasible != nil {
				return true
			}
		}
		return true
	}
	w := make([]float64, m.N+1)
	w[0] = 1
	ker, _, ok := d.priced(x, w, 0, more)
	if !ok || m.N == 0 {
		return ok
	}
	from := []*model.Kernel{ker}
	for n := 1; n <= m.N; n++ { // each limit alone
		alone := make([]float64, m.N+1)
		alone[n] = 1
		ker, value, ok := d.weighed(x, alone, more)
		if !ok {
			return false
		}
		if value > m.B[n] {
			if _, _, ok := d.priced(x, alone, 0, more); !ok || d.infeasible != nil {
				return ok
			}
		}
		from = append(from, ker)
	}
	ev.Evaluate(m.ClonePolicy(policy))
	for p := range ev.Pieces() {
		k := *ev.PieceKernel(p) // what it points to may be written by the next evaluation
		k.Ptr, k.Next, k.Prob = slices.Clone(k.Ptr), slices.Clone(k.Next), slices.Clone(k.Prob)
		from = append(from, &k)
	}
	for _, ker := range from {
		last := math.Inf(-1)
		for range mostRounds {
			w, ok := prices(x.Under(ker), ker, more)
			if !ok {
				return false
			}
			next, value, ok := d.priced(x, w, 0, more)
			if !ok {
				return false
			}
			if w[0] == 0 || d.infeasible != nil {
				if d.infeasible != nil {
					return true
				}
				break
			}
			for n := 1; n <= m.N; n++ {
				value -= w[n] * m.B[n]
			}
			if !(value > last+1e-12*math.Abs(last)) {
				break
			}
			last, ker = value, next
		}
	}
	return true
}

// prices are the weights of the costs at the best bound of one kernel.
func prices(m *model.Standard, ker *model.Kernel, more func() bool) (w []float64, ok bool) {
	duals := solve.NewDuals(m, ker)
	for !duals.Step() {
		if !more() {
			return nil, false
		}
	}
	return duals.Weights(), true
}

// priced offers the proof by values for the weights.
func (d *door) priced(x *bound.Pricing, w []float64, k int, more func() bool) (ker *model.Kernel, value float64, ok bool) {
	c, ker, value := x.Prove(w, k, more)
	if c == nil {
		return nil, 0, false
	}
	left := false
	d.offer(c, func() bool {
		left = left || !more()
		return !left
	})
	return ker, value, !left
}

// weighed is priced without the offer.
func (d *door) weighed(x *bound.Pricing, w []float64, more func() bool) (ker *model.Kernel, value float64, ok bool) {
	c, ker, value := x.Prove(w, 0, more)
	return ker, value, c != nil
}
