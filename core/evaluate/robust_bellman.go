package evaluate

import "rcmdplab/core/uncertainty"

// RobustBellman applies the robust Bellman operator to v (by state) for the cost
// c = Σ_n weights[n] c_n and writes, by pair,
//
//	q(s,a) = max_{p ∈ U(s,a)} Σ_s' p(s') (c(s,a,s') + γ v(s')),
//
// less the penalty for the regularised set: what robust value and policy
// iteration stand on. q is attained by rows of the set; upper, when not nil,
// gets numbers that are at least the exact maxima, so that
// min_a upper <= v in every state proves v an upper bound of the optimal values.
// weights has length N+1. With the paper's update it is the operator of the
// same set with the price (soft). It says nothing of the last policy. It panics for a finite set,
// whose worst case is not taken row by row. Cost: one row maximum a pair.
func (e *Evaluator) RobustBellman(q, upper, v, weights []float64) {
	e.sweep(v, weights, func(i int, p []float64, a uncertainty.Answer) {
		q[i] = a.Value
		if upper != nil {
			upper[i] = a.Upper
		}
	})
}

func (e *Evaluator) operator() *operator {
	switch n := e.inner.(type) {
	case *rectangular:
		return &n.operator
	case *paper:
		return &n.priced
	}
	return nil
}

// sweep hands the answer of every pair to v, with its row over the support.
func (e *Evaluator) sweep(v, weights []float64, each func(i int, p []float64, a uncertainty.Answer)) {
	r, m := e.operator(), e.M
	if r == nil {
		panic("evaluate: a finite set has no robust Bellman operator")
	}
	onward := false
	for n, w := range weights {
		onward = onward || w != 0 && m.CNext[n] != nil
	}
	if !onward {
		r.set.Begin(v)
	}
	for i := range m.Pairs() {
		sup := r.set.Support(i)
		p := r.p[:len(sup)]
		c := 0.0
		for n, w := range weights {
			if w != 0 && m.CNext[n] == nil {
				c += w * m.C[n][i]
			}
		}
		var a uncertainty.Answer
		if onward {
			z := r.z[:len(sup)]
			for j, s := range sup {
				z[j] = m.Gamma * v[s]
				for n, w := range weights {
					if w != 0 && m.CNext[n] != nil {
						z[j] += w * m.CNext[n][i*m.S+s]
					}
				}
			}
			a = r.onward.Answer(p, i, z)
			a.Value, a.Upper = c+a.Value, c+a.Upper
		} else {
			a = r.set.Row(p, i)
			a.Value, a.Upper = c+m.Gamma*a.Value, c+m.Gamma*a.Upper
		}
		each(i, p, a)
	}
}
