package solve

import (
	"math"

	"rcmdplab/core/evaluate"
	"rcmdplab/core/lp"
)

// Prices are the local multipliers at a policy: what a small change of each
// threshold is worth, and which kernels the policy is a compromise between.
type Prices struct {
	// Pieces are the pieces of the evaluator that bind at the policy, with their
	// weights: those of the objective sum to 1, those of constraint n to its
	// price Lambda[n].
	Pieces []PieceWeight

	// Lambda[n] is -dJ_0/db_n to first order, by constraint from 1; 0 where the
	// constraint has slack.
	Lambda []float64

	// Residual is how fast the Lagrangian of these weights can still be reduced
	// by moving the policy, in units of the objective: 0 at a local optimum. The
	// prices of a policy that is none mean little.
	Residual float64
}

// PieceWeight is one binding (cost, kernel) and its multiplier.
type PieceWeight struct {
	Piece, Cost int     // as the evaluator numbers them; n of its cost
	Weight      float64 // >= 0, for returns as they are
}

const (
	mostPriced = 400  // states: the program has one column each
	binds      = 1e-5 // of the cost's scale: a piece this near to the edge binds
)

// LocalPrices finds the multipliers at the policy by the conditions of
// Karush, Kuhn and Tucker, as well as they can be met: over weights w of the
// binding objective pieces (w >= 0, Σ w = 1) and λ >= 0 of the binding pieces of
// constraints,
//
//	min Σ_s ( Σ_a π(a|s) G(s,a) - min_a G(s,a) ),  G = Σ_p w_p ∇J_p + Σ_p λ_p ∇J_p,
//
// a linear program; its value is Prices.Residual. It reports false for a problem
// that is too large for it. The evaluator is left at the policy.
func LocalPrices(ev *evaluate.Evaluator, pi []float64) (Prices, bool) {
	m := ev.M
	if m.S > mostPriced {
		return Prices{}, false
	}
	ev.Evaluate(pi)
	out := Prices{Lambda: make([]float64, m.N+1)}
	for p := range ev.Pieces() {
		n, j := ev.Piece(p)
		edge, size := ev.J[0], m.Scale(0, ev.J[0])
		if n > 0 {
			edge, size = m.B[n], m.Scale(n, m.B[n])
		}
		if j >= edge-binds*size-ev.ErrorBound[n] {
			out.Pieces = append(out.Pieces, PieceWeight{Piece: p, Cost: n})
		}
	}
	k := len(out.Pieces)
	prog := lp.New(k + m.S)
	grads := make([][]float64, k)
	sum, one := []int32(nil), []float64(nil)
	for i, p := range out.Pieces {
		grads[i] = make([]float64, m.Pairs())
		ev.PieceGradient(grads[i], p.Piece)
		if p.Cost == 0 {
			sum, one = append(sum, int32(i)), append(one, 1)
		}
		c := 0.0
		for x, g := range grads[i] {
			c += pi[x] * g
		}
		prog.SetCost(i, c)
	}
	prog.AddRow(sum, one, 1, 1)
	cols, coef := make([]int32, k+1), make([]float64, k+1)
	for s := range m.S {
		prog.SetBounds(k+s, math.Inf(-1), math.Inf(1))
		prog.SetCost(k+s, -1)
		for x := m.Off[s]; x < m.Off[s+1]; x++ { // t_s - G(s,a) <= 0
			for i := range k {
				cols[i], coef[i] = int32(i), -grads[i][x]
			}
			cols[k], coef[k] = int32(k+s), 1
			prog.AddRow(cols, coef, math.Inf(-1), 0)
		}
	}
	if prog.Solve() != lp.Optimal {
		return Prices{}, false
	}
	x := prog.X()
	for i := range out.Pieces {
		p := &out.Pieces[i]
		p.Weight = x[i]
		if p.Cost > 0 {
			out.Lambda[p.Cost] += p.Weight
		}
	}
	out.Residual = math.Max(0, prog.Objective())
	return out, true
}

// Lagrangian writes, for each pair, by how much the Lagrangian of the prices
// grows per unit of probability that moves to the action from the best one of
// its state: 0 for the best, Σ_p weight_p (∇J_p(s,a) - min_a). The evaluator must
// be at the policy.
func (q Prices) Lagrangian(ev *evaluate.Evaluator, dst []float64) {
	m := ev.M
	clear(dst)
	g := make([]float64, m.Pairs())
	for _, p := range q.Pieces {
		if p.Weight == 0 {
			continue
		}
		ev.PieceGradient(g, p.Piece)
		for x := range dst {
			dst[x] += p.Weight * g[x]
		}
	}
	for s := range m.S {
		lowest := math.Inf(1)
		for x := m.Off[s]; x < m.Off[s+1]; x++ {
			lowest = math.Min(lowest, dst[x])
		}
		for x := m.Off[s]; x < m.Off[s+1]; x++ {
			dst[x] -= lowest
		}
	}
}

// Deviations writes, for each pair, the returns of the policy that takes that
// action always in its state and is otherwise the same: [pair][n], J_0..J_N in the
// internal convention. One evaluation a pair. The evaluator is left at the policy.
func Deviations(ev *evaluate.Evaluator, pi []float64) [][]float64 {
	m := ev.M
	out := make([][]float64, m.Pairs())
	trial := append([]float64(nil), pi...)
	for s := range m.S {
		a, b := m.Off[s], m.Off[s+1]
		for x := a; x < b; x++ {
			clear(trial[a:b])
			trial[x] = 1
			ev.Evaluate(trial)
			out[x] = append([]float64(nil), ev.J...)
		}
		copy(trial[a:b], pi[a:b])
	}
	ev.Evaluate(pi)
	return out
}
