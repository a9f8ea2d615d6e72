package evaluate

import (
	"math"
)

// Best is what a policy costs at best: by cost the least return min_P J_{c_n,P}(π) over the kernels of the set, the other
// end of the interval that every kernel's return is in. Nature is asked for the worst case of -c_n. In the
// regularised problem nature pays for the best case as it does for the worst one. NaN for the paper's update,
// which is the return of no kernel. It costs an evaluation of a rectangular set; ev must have evaluated pi.
func Best(ev *Evaluator, pi []float64) []float64 {
	m := ev.M
	best := make([]float64, m.N+1)
	if !m.Rectangular() {
		for n := range best {
			best[n] = math.Inf(1)
			for _, j := range ev.ByKernel(n) {
				best[n] = min(best[n], j)
			}
		}
		return best
	}
	if m.Problem.Uncertainty.Paper {
		for n := range best {
			best[n] = math.NaN()
		}
		return best
	}
	turned := *m
	turned.C, turned.CNext = make([][]float64, m.N+1), make([][]float64, m.N+1)
	for n := range best {
		turned.C[n], turned.CNext[n] = negated(m.C[n]), negated(m.CNext[n])
	}
	other, err := New(&turned)
	if err != nil {
		panic("evaluate: " + err.Error()) // the same set was accepted before
	}
	other.pace = ev.pace
	other.Evaluate(pi)
	for n, j := range other.J {
		best[n] = -j
	}
	return best
}

func negated(v []float64) []float64 {
	if v == nil {
		return nil
	}
	out := make([]float64, len(v))
	for i, x := range v {
		out[i] = -x
	}
	return out
}
