package solve

import (
	"math"

	"rcmdplab/core/lp"
)

// stepper solves the program of Local's step for models too large for a simplex
// over all pairs: over steps Δ within the trust region that keep π + Δ a policy,
//
//	min max_{p of the objective} (J_p + ⟨∇J_p, Δ⟩) + ρ max(0, max_{p of a limit} (J_p + ⟨∇J_p, Δ⟩)).
//
// By duality it is the maximum over multipliers w >= 0 of the pieces, those of
// the objective summing to 1, the others to at most ρ, of
//
//	Σ_s min_{Δ_s} ⟨Σ_p w_p ∇J_p, Δ_s⟩ + Σ_p w_p J_p,
//
// where each state moves mass from its dearest actions to its cheapest by
// itself. Cutting planes find w, with a small program of one column a piece;
// the step is the mixture of the answers that its multipliers name. Each round
// costs a pass over the pieces; two pieces take about eight rounds, whatever
// the size of the model.
type stepper struct {
	off    []int
	closed []bool // by pair: probability stays 0; nil when all are open
	order  []int
	best   []float64 // multipliers of the last program, divided by 1 or ρ
	cost   []float64 // Σ w ∇J
	moves  [][]float64
	delta  []float64 // the step
	t, v   float64   // the two parts of the program's value at it
	most   float64   // Σ of the limits' multipliers, undivided
}

// answer writes the best Δ for a cost: in every state mass moves from dear
// actions to cheap ones, at most radius each way.
func (st *stepper) answer(dst, cost, pi []float64, radius float64) {
	for s := range len(st.off) - 1 {
		a, b := st.off[s], st.off[s+1]
		o := st.order[:0]
		for i := a; i < b; i++ {
			dst[i] = 0
			k := len(o)
			o = append(o, i)
			for ; k > 0 && cost[o[k-1]] > cost[i]; k-- {
				o[k] = o[k-1]
			}
			o[k] = i
		}
		st.order = o
		for to, from := 0, len(o)-1; to < from && cost[o[to]] < cost[o[from]]; {
			room := min(radius, 1-pi[o[to]]) - dst[o[to]]
			if st.closed != nil && st.closed[o[to]] {
				room = 0
			}
			have := min(radius, pi[o[from]]) + dst[o[from]]
			switch {
			case room <= 0:
				to++
			case have <= 0:
				from--
			default:
				m := min(room, have)
				dst[o[to]] += m
				dst[o[from]] -= m
				if m == room {
					to++
				} else {
					from--
				}
			}
		}
	}
}

// solve finds the step for the pieces, whose constants are values. It reports
// whether it did.
func (st *stepper) solve(pieces []piece, values, pi []float64, rho, radius float64) bool {
	const (
		rounds = 200
		enough = 1e-4 // of the improvement
	)
	k := len(pieces)
	w, base := make([]float64, k), math.Inf(-1)
	weight := make([]float64, k)
	for p := range pieces {
		weight[p] = rho
		if pieces[p].n == 0 {
			weight[p] = 1
			base = max(base, values[p])
		}
	}
	if len(st.best) == k {
		copy(w, st.best)
	} else {
		for p := range pieces {
			if pieces[p].n == 0 && values[p] == base {
				w[p] = 1
				break
			}
		}
	}
	constant := func(p int) float64 { // of the objective, from the highest on
		if pieces[p].n == 0 {
			return values[p] - base
		}
		return values[p]
	}
	prog, size := st.master(pieces)
	cols, row := make([]int32, k+1), make([]float64, k+1)
	for j := range cols {
		cols[j] = int32(j)
	}
	center, lowest, halved := append([]float64(nil), w...), math.Inf(-1), false
	used := 0
	for round := range rounds {
		if used == len(st.moves) {
			st.moves = append(st.moves, make([]float64, len(pi)))
		}
		d := st.moves[used]
		used++
		st.weigh(pieces, w, weight)
		st.answer(d, st.cost, pi, radius)
		value := 0.0
		for p := range pieces {
			row[p] = weight[p] * (constant(p) + inner(pieces[p].grad, d))
		}
		if round == 0 { // the first answer sets the scale of the program
			for p := range pieces {
				size = max(size, math.Abs(row[p]), weight[p]*math.Abs(constant(p)))
			}
			if size == 0 {
				size = 1
			}
		}
		for p := range pieces {
			row[p] /= -size
			value -= w[p] * row[p]
		}
		row[k] = 1
		prog.AddRow(cols, row, math.Inf(-1), 0)
		better := value > lowest
		if better {
			lowest = value
			copy(center, w)
		}
		if prog.Solve() != lp.Optimal {
			return false
		}
		x := prog.X()
		if x[k]-lowest <= enough*math.Abs(lowest)+1e-10 {
			break
		}
		copy(w, x[:k])
		if halved = round > 2 && (better || !halved); halved {
			for p := range w {
				w[p] = (w[p] + center[p]) / 2
			}
		}
	}
	st.best = append(st.best[:0], center...)
	st.mix(prog, used)
	st.t, st.v, st.most = math.Inf(-1), 0, 0
	for p := range pieces {
		y := values[p] + inner(pieces[p].grad, st.delta)
		if pieces[p].n == 0 {
			st.t = max(st.t, y)
		} else {
			st.v = max(st.v, y)
			st.most += center[p] * rho
		}
	}
	return true
}

// master is the program over the multipliers and the value, without answers.
func (st *stepper) master(pieces []piece) (prog *lp.LP, size float64) {
	k := len(pieces)
	prog = lp.New(k + 1)
	cols, one, limit := make([]int32, k), make([]float64, k), make([]float64, k)
	for p := range pieces {
		cols[p] = int32(p)
		prog.SetBounds(p, 0, 1)
		if pieces[p].n == 0 {
			one[p] = 1
		} else {
			limit[p] = 1
		}
	}
	prog.SetBounds(k, math.Inf(-1), math.Inf(1))
	prog.SetCost(k, -1)
	prog.AddRow(cols, one, 1, 1)
	prog.AddRow(cols, limit, math.Inf(-1), 1)
	return prog, 0
}

// weigh sums the gradients with the multipliers.
func (st *stepper) weigh(pieces []piece, w, weight []float64) {
	clear(st.cost)
	for p := range pieces {
		if f := w[p] * weight[p]; f != 0 {
			for i := range st.cost {
				st.cost[i] += f * pieces[p].grad[i]
			}
		}
	}
}

// mix makes the step of the answers.
func (st *stepper) mix(prog *lp.LP, used int) {
	shares := prog.Duals(nil)[2:]
	total := 0.0
	for k := range used {
		total += math.Abs(shares[k])
	}
	clear(st.delta)
	for k := range used {
		if r := math.Abs(shares[k]) / total; r > 0 {
			for i, x := range st.moves[k] {
				st.delta[i] += r * x
			}
		}
	}
}

// inner is ⟨g, d⟩ over the length of d.
func inner(g, d []float64) float64 {
	t := 0.0
	for i, x := range d {
		t += g[i] * x
	}
	return t
}
