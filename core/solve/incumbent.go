package solve

import (
	"math"

	"rcmdplab/core/evaluate"
	"rcmdplab/core/model"
)

// incumbent keeps the best policy of a run by the scaled violations
//
//	w_n (J_{c_n,U}(π) - b_n),  n = 1..N,
//
// so that constraints of different units weigh the same: a policy is feasible
// when none exceeds tol. With sure and tol = 0 that is a fact about the exact
// returns, not only about their evaluation.
type incumbent struct {
	best  *Best
	w     []float64 // 1/range of the cost, 1 for costs within [0, 1]
	never []bool    // the constraint cannot bind, whatever the policy
	tol   float64
	sure  bool // add the evaluator's error bounds to the returns

	scaled float64 // the best's largest scaled violation
}

// sureIncumbent is one for tol = 0 and exact returns.
func sureIncumbent(m *model.Standard, best *Best) *incumbent {
	k := newIncumbent(m, best, 0)
	k.sure = true
	return k
}

func newIncumbent(m *model.Standard, best *Best, tol float64) *incumbent {
	return &incumbent{best: best, w: costScales(m), never: neverBinding(m), tol: tol, scaled: math.Inf(1)}
}

// neverBinding marks the constraints that every policy meets because no return
// of the cost can exceed its largest one-step value times the horizon. The
// comparison allows for the rounding of H and of that product; without it a
// threshold typed as 10 at γ = 0.9 (H = 10.000000000000002) would never be met
// by a cost that is 1 everywhere.
func neverBinding(m *model.Standard) []bool {
	never := make([]bool, m.N+1)
	for n := 1; n <= m.N; n++ {
		lo, hi := m.Bounds(n)
		never[n] = hi*m.H <= m.B[n]+1e-12*m.H*max(-lo, hi)
	}
	return never
}

// impossible is the first constraint that no policy meets because even the
// least one-step cost at every step exceeds the threshold, 0 when there is
// none. The margin covers the rounding of H and of the product.
func impossible(m *model.Standard) int {
	for n := 1; n <= m.N; n++ {
		lo, hi := m.Bounds(n)
		if lo*m.H > m.B[n]+1e-12*m.H*max(-lo, hi) {
			return n
		}
	}
	return 0
}

// violation is the largest scaled violation of the evaluator's policy over the
// constraints that can bind, -Inf when none can.
func (k *incumbent) violation(ev *evaluate.Evaluator) float64 {
	v := math.Inf(-1)
	for n := 1; n <= ev.M.N; n++ {
		if !k.never[n] {
			x := ev.J[n] - ev.M.B[n]
			if k.sure {
				x += ev.ErrorBound[n]
			}
			v = max(v, k.w[n]*x)
		}
	}
	return v
}

// offer keeps the policy, which must be the evaluator's, if it is better: a
// feasible one of less objective, or one of less violation while none is
// feasible. It reports whether it was kept.
func (k *incumbent) offer(ev *evaluate.Evaluator, pi []float64) bool {
	v := k.violation(ev)
	ok := v <= k.tol
	b := k.best
	switch {
	case b.Policy == nil:
	case ok && !b.Feasible:
	case ok && b.Feasible && ev.J[0] < b.Objective:
	case !ok && !b.Feasible && v < k.scaled:
	default:
		return false
	}
	k.scaled = v
	b.Policy = append(b.Policy[:0], pi...)
	b.Objective, b.Feasible = ev.J[0], ok
	b.MaxViolation = k.maxViolation(ev)
	return true
}

// maxViolation is Evaluator.MaxViolation, except that a constraint that cannot
// bind is not violated by the rounding of its return.
func (k *incumbent) maxViolation(ev *evaluate.Evaluator) float64 {
	v := math.Inf(-1)
	for n := 1; n <= ev.M.N; n++ {
		x := ev.J[n] - ev.M.B[n]
		if k.never[n] {
			x = min(x, 0)
		}
		v = max(v, x)
	}
	return v
}
