package solve

import (
	"math"
	"slices"

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
// itself. Cutting planes find w, with a small program of one column a piece; the
// states are taken in a few groups with planes of their own, for which a third of
// the rounds will do. The step is the mixture of the answers that the program's
// multipliers name, group by group. Each round costs a pass over the pieces; two
// pieces take about six rounds, whatever the size of the model.
type stepper struct {
	off    []int       // the pairs of state s are off[s] .. off[s+1]-1
	closed []bool      // by pair: probability stays 0; nil when all are open
	order  []int       // work: the pairs of a state by cost
	best   []float64   // multipliers of the last program, divided by 1 or ρ
	cost   []float64   // Σ w ∇J
	asked  [][]float64 // multipliers of each round
	planes []float64   // of a round, by group and piece: ⟨∇J_p, Δ⟩ over the group
	move   []float64   // of a round
	delta  []float64   // the step
	t, v   float64     // the two parts of the program's value at it
	most   float64     // Σ of the limits' multipliers, undivided
	more   func() bool // asked now and then, when not nil; false ends it
	left   bool        // it said no
}

// breath is how many products of a piece and a pair there are between two pauses.
const breath = 2_000_000

// groups is how many groups of states have planes of their own.
const groups = 8

// group is where group g of the states begins.
func (st *stepper) group(g int) int { return g * (len(st.off) - 1) / groups }

// answer writes the best Δ of states from..to-1 for their cost: in every state
// mass moves from dear actions to cheap ones, at most radius each way.
func (st *stepper) answer(dst, cost, pi []float64, radius float64, from, to int) {
	for s := from; s < to; s++ {
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

// respond answers the multipliers w in the states from..to-1, a few at a time so
// that what is read of the pieces is at hand twice, and adds the pieces' slopes
// along the answer to plane.
func (st *stepper) respond(plane []float64, r *round, w []float64, from, to int) {
	const few = 64
	pieces, weight := r.pieces, r.weight
	for ; from < to; from += few {
		last := min(from+few, to)
		a, b := st.off[from], st.off[last]
		cost, move := st.cost[a:b], st.move[a:b]
		clear(cost)
		for p := range pieces {
			if f := w[p] * weight[p]; f != 0 {
				for i, y := range pieces[p].grad[a:b] {
					cost[i] += f * y
				}
			}
		}
		st.answer(st.move, st.cost, r.pi, r.radius, from, last)
		for p := range pieces {
			plane[p] += inner(pieces[p].grad[a:b], move)
		}
	}
}

// round is one solve in progress: its program and what every round reads.
type round struct {
	pieces []piece   // with gradients at pi
	values []float64 // J of the pieces
	pi     []float64 // the policy stepped from, by pair
	radius float64   // most that a probability changes by

	weight   []float64 // by piece: 1, or ρ for a limit
	constant []float64 // of the objective of the multipliers, from the highest on
	size     float64   // the program's unit
	prog     *lp.LP    // the master: a column a piece, then one a group of states
	cols     []int32   // of a plane: the multipliers, and the value of its group
	row      []float64 // its coefficients
}

// begin prepares the rounds for the pieces, whose constants are values, and
// returns the first multipliers: the last solve's, where there were as many.
func (st *stepper) begin(pieces []piece, values, pi []float64, rho, radius float64) (r *round, w []float64) {
	k := len(pieces)
	r = &round{
		pieces: pieces, values: values, pi: pi, radius: radius,
		weight: make([]float64, k), constant: make([]float64, k),
		prog: st.master(pieces), cols: make([]int32, k+1), row: make([]float64, k+1),
	}
	base, highest := math.Inf(-1), 0
	for p := range pieces {
		r.cols[p], r.weight[p] = int32(p), rho
		if pieces[p].n == 0 {
			r.weight[p] = 1
			if values[p] > base {
				base, highest = values[p], p
			}
		}
	}
	for p := range pieces {
		if r.constant[p] = r.weight[p] * values[p]; pieces[p].n == 0 {
			r.constant[p] = values[p] - base
		}
	}
	w = make([]float64, k)
	if len(st.best) == k {
		copy(w, st.best)
	} else {
		w[highest] = 1
	}
	st.planes = slices.Grow(st.planes[:0], groups*k)[:groups*k]
	return r, w
}

// scale makes the first answer the unit of the program.
func (r *round) scale(planes []float64) {
	k := len(r.pieces)
	for p := range k {
		along := 0.0
		for g := range groups {
			along += planes[g*k+p]
		}
		r.size = max(r.size, r.weight[p]*math.Abs(along), math.Abs(r.constant[p]))
	}
	if r.size == 0 {
		r.size = 1
	}
	for p := range k {
		r.prog.SetCost(p, -r.constant[p]/r.size)
	}
}

// cut adds the planes of the answer to w and returns its value.
func (r *round) cut(planes, w []float64) (value float64) {
	k := len(r.pieces)
	for p := range k {
		value += w[p] * r.constant[p] / r.size
	}
	for g := range groups {
		for p := range k {
			y := r.weight[p] * planes[g*k+p] / r.size
			r.row[p] = -y
			value += w[p] * y
		}
		r.cols[k], r.row[k] = int32(k+g), 1
		r.prog.AddRow(r.cols, r.row, math.Inf(-1), 0)
	}
	return value
}

// solve finds the step for the pieces, whose constants are values. It reports
// whether it did.
func (st *stepper) solve(pieces []piece, values, pi []float64, rho, radius float64) bool {
	const (
		rounds = 200
		enough = 1e-4 // of the improvement
	)
	k := len(pieces)
	r, w := st.begin(pieces, values, pi, rho, radius)
	center, lowest, halved := append([]float64(nil), w...), math.Inf(-1), false
	used, work := 0, 0
	for n := range rounds {
		if work += k * len(pi); st.more != nil && work > breath {
			if work = 0; !st.more() {
				st.left = true
				return false
			}
		}
		if used == len(st.asked) {
			st.asked = append(st.asked, make([]float64, 0, k))
		}
		st.asked[used] = append(st.asked[used][:0], w...)
		used++
		clear(st.planes)
		for g := range groups {
			st.respond(st.planes[g*k:(g+1)*k], r, w, st.group(g), st.group(g+1))
		}
		if n == 0 {
			r.scale(st.planes)
		}
		value := r.cut(st.planes, w)
		better := value > lowest
		if better {
			lowest = value
			copy(center, w)
		}
		if r.prog.Solve() != lp.Optimal {
			return false
		}
		if -r.prog.Objective()-lowest <= enough*math.Abs(lowest)+1e-10 {
			break
		}
		copy(w, r.prog.X()[:k])
		if halved = n > 2 && (better || !halved); halved {
			for p := range w {
				w[p] = (w[p] + center[p]) / 2
			}
		}
	}
	st.best = append(st.best[:0], center...)
	st.mix(r, used)
	st.finish(r, center, rho)
	return true
}

// finish works out the two parts of the program's value at the step.
func (st *stepper) finish(r *round, w []float64, rho float64) {
	st.t, st.v, st.most = math.Inf(-1), 0, 0
	for p := range r.pieces {
		y := r.values[p] + inner(r.pieces[p].grad, st.delta)
		if r.pieces[p].n == 0 {
			st.t = max(st.t, y)
		} else {
			st.v = max(st.v, y)
			st.most += w[p] * rho
		}
	}
}

// master is the program over the multipliers and the values of the groups,
// without answers.
func (st *stepper) master(pieces []piece) *lp.LP {
	k := len(pieces)
	prog := lp.New(k + groups)
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
	for g := range groups {
		prog.SetBounds(k+g, math.Inf(-1), math.Inf(1))
		prog.SetCost(k+g, -1)
	}
	prog.AddRow(cols, one, 1, 1)
	prog.AddRow(cols, limit, math.Inf(-1), 1)
	return prog
}

// mix makes the step of the answers, which are found again.
func (st *stepper) mix(r *round, used int) {
	shares := r.prog.Duals(nil)[2:]
	unused := make([]float64, len(r.pieces))
	clear(st.delta)
	for g := range groups {
		total := 0.0
		for k := range used {
			total += math.Abs(shares[k*groups+g])
		}
		from, to := st.group(g), st.group(g+1)
		a, b := st.off[from], st.off[to]
		for k := range used {
			if share := math.Abs(shares[k*groups+g]) / total; share > 0 {
				st.respond(unused, r, st.asked[k], from, to)
				for i, x := range st.move[a:b] {
					st.delta[a+i] += share * x
				}
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
