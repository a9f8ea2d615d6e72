package evaluate

import (
	"slices"

	"rcmdplab/core/model"
	"rcmdplab/core/uncertainty"
)

// Solves is the number of linear solves so far.
func (e *Evaluator) Solves() int64 { return e.inner.(*rectangular).steps }

// RobustKernel is the kernel of the set that attains RobustBellman at v, newly
// allocated.
func (e *Evaluator) RobustKernel(v, weights []float64) *model.Kernel {
	set := e.operator().set
	k := &model.Kernel{Ptr: make([]int, 1, e.M.Pairs()+1)}
	e.sweep(v, weights, func(i int, p []float64, _ uncertainty.Answer) {
		for j, s := range set.Support(i) {
			if p[j] != 0 {
				k.Next, k.Prob = append(k.Next, s), append(k.Prob, p[j])
			}
		}
		k.Ptr = append(k.Ptr, len(k.Next))
	})
	k.Next, k.Prob = slices.Clip(k.Next), slices.Clip(k.Prob)
	return k
}
