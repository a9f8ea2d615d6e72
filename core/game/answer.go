package game

import (
	"math"

	"rcmdplab/core/model"
	"rcmdplab/core/uncertainty"
	"rcmdplab/core/vector"
)

// answer lets nature answer V at pair i and gives the value of the pair, its
// reward and the penalty in it, and where fixed the row in its place in ker;
// where not, it is in next and prob.
func (x *Game) answer(i int, ranked bool) (q, reward, paid float64) {
	m := x.m
	if x.set == nil {
		return x.flat[i] + m.Gamma*x.expect(x.ker, i), x.flat[i], 0
	}
	if s := m.State[i]; x.ended(s) {
		if reward, x.next = x.flat[i], x.next[:0]; x.onward {
			reward += x.stepCost(i, s)
		}
		return reward, reward, 0
	}
	v := x.v
	if !x.onward {
		var a uncertainty.Answer
		switch {
		case !x.fixed:
			x.next, x.prob, a = x.set.AppendRow(x.next[:0], x.prob[:0], i)
		case ranked:
			a = x.set.Row(x.ker.Prob[x.ker.Ptr[i]:x.ker.Ptr[i+1]], i)
		default:
			sup, p := x.placed(i)
			z := x.z[:len(sup)]
			for j, t := range sup {
				z[j] = v[t]
			}
			a = x.set.Answer(p, i, z)
		}
		return x.flat[i] + m.Gamma*a.Value, x.flat[i] - m.Gamma*a.Penalty, m.Gamma * a.Penalty
	}
	var sup []int
	var p []float64
	if x.fixed {
		sup, p = x.placed(i)
	} else {
		sup = x.set.Support(i)
		p = x.prob[:len(sup)]
	}
	z := x.z[:len(sup)]
	for j, t := range sup {
		z[j] = m.Gamma*v[t] + x.stepCost(i, t)
	}
	a := x.set.Answer(p, i, z)
	reward = x.flat[i] - a.Penalty
	if !x.fixed {
		x.next = x.next[:0]
	}
	k := 0
	for j, t := range sup {
		reward += p[j] * x.stepCost(i, t)
		if !x.fixed && p[j] != 0 {
			x.next = append(x.next, t)
			p[k] = p[j]
			k++
		}
	}
	return x.flat[i] + a.Value, reward, a.Penalty
}

// stepCost is the part of the weighted cost that depends on the next state.
func (x *Game) stepCost(i, next int) float64 {
	t := 0.0
	for n, w := range x.w {
		if w != 0 && x.m.CNext[n] != nil {
			t += w * x.m.CNext[n][i*x.m.S+next]
		}
	}
	return t
}

// expect is ⟨p, V⟩ for a row of a kernel.
func (x *Game) expect(k *model.Kernel, row int) float64 {
	from, to := k.Ptr[row], k.Ptr[row+1]
	next, prob := k.Next[from:to], k.Prob[from:to]
	t, v := 0.0, x.v // which the loop would load again for each
	for j, s := range next {
		t += prob[j] * v[s]
	}
	return t
}

// placed is the row of pair i in ker where rows are fixed: its successors, which are the set's, and their probabilities.
func (x *Game) placed(i int) ([]int, []float64) {
	from, to := x.ker.Ptr[i], x.ker.Ptr[i+1]
	return x.ker.Next[from:to], x.ker.Prob[from:to]
}

// atLeast is a number that the worst case of pair i cannot be below: the value
// of the row that answered some older V, or of the nominal row.
func (x *Game) atLeast(i int) float64 {
	k, row, paid := x.ker, i, 0.0
	if x.fixed {
		paid = x.paid[i]
	} else {
		k = x.nominal
	}
	q := x.flat[i] - paid + x.m.Gamma*x.expect(k, row)
	if x.onward {
		next, prob := k.Row(row)
		for j, t := range next {
			q += prob[j] * x.stepCost(i, t)
		}
	}
	return q
}

// sweep lets every state choose. The present choice comes first: another action
// needs an answer only if a row known to be possible leaves it ahead. seidel:
// V is replaced as the sweep goes, in one direction or the other.
func (x *Game) sweep(seidel, backwards bool) {
	m := x.m
	x.Sweeps++
	if x.set != nil && !x.onward && (!seidel || !x.fixed) {
		x.set.Begin(x.v)
	}
	if !x.fixed {
		x.ker.Ptr, x.ker.Next, x.ker.Prob = x.ker.Ptr[:1], x.ker.Next[:0], x.ker.Prob[:0]
		seidel = false
	}
	x.lo, x.up, x.moved, x.strict = math.Inf(1), math.Inf(-1), false, 0
	for s := 0; s < m.S && x.lasting(); s++ {
		if !m.Lost(s) {
			x.strict = max(x.strict, gains*math.Abs(x.v[s]))
		}
	}
	top := vector.Largest(x.v)
	x.coarse = x.grains(top)
	for k := range m.S {
		s := k
		if backwards && x.fixed {
			s = m.S - 1 - k
		}
		best := x.choose(s, !seidel) - x.gain
		x.tv[s] = best
		d := best - x.v[s]
		x.lo, x.up = min(x.lo, d), max(x.up, d)
		if seidel {
			x.v[s] = best
			if y := math.Abs(best); y > top {
				top, x.coarse = y, x.grains(y)
			}
		}
		if !x.spend(m.Off[s+1] - m.Off[s]) {
			x.lo, x.up = math.Inf(-1), math.Inf(1)
			return
		}
	}
	if !x.fixed && x.stage == sweeping {
		copy(x.v, x.tv)
	}
}

// choose makes the choice of one state and returns its value. An action is left for
// one that is better by more than rounding.
func (x *Game) choose(s int, ranked bool) float64 {
	m := x.m
	old := x.Choice[s]
	best, reward, paid := x.answer(old, ranked)
	x.keep(old, s, reward, paid, true)
	slack := -1.0 // of best, once it is asked for
	near := func(q float64, i int) bool {
		if q < best-x.coarse-x.coarse-x.strict {
			return false // whatever the grains are
		}
		if slack < 0 {
			slack = x.grain(x.Choice[s])
		}
		return q >= best-slack-x.grain(i)-x.strict
	}
	for i := m.Off[s]; i < m.Off[s+1]; i++ {
		if i == old || x.closed != nil && x.closed[i] {
			continue
		}
		if x.set != nil {
			if q := x.atLeast(i); q >= best || near(q, i) {
				continue
			}
		}
		q, reward, paid := x.answer(i, ranked)
		better := q < best && !near(q, i)
		if better {
			best, slack = q, -1
			x.Choice[s], x.moved = i, true
		}
		if x.fixed || better {
			x.keep(i, s, reward, paid, better)
		}
	}
	return best
}

// keep stores what answer gave for pair i, which is the choice of s if taken.
func (x *Game) keep(i, s int, reward, paid float64, taken bool) {
	switch {
	case x.set == nil:
		if taken && x.rows[s] != i {
			x.rows[s], x.held = i, false
		}
		return
	case x.fixed:
		x.reward[i], x.paid[i] = reward, paid
		if taken {
			x.rows[s], x.held = i, false
		}
		return
	}
	x.held = false
	k := x.ker
	k.Ptr = k.Ptr[:s+1]
	k.Next = append(k.Next[:k.Ptr[s]], x.next...)
	k.Prob = append(k.Prob[:k.Ptr[s]], x.prob[:len(x.next)]...)
	k.Ptr = append(k.Ptr, len(k.Next))
	x.reward[s], x.paid[s] = reward, paid
}

// takeRows makes the rows those of the choice, under one kernel.
func (x *Game) takeRows() {
	for s, i := range x.Choice {
		x.keep(i, s, 0, 0, true)
	}
}

// answers lets the rows of the choice answer V, the choice kept, and returns the
// residual.
func (x *Game) answers() (res float64) {
	x.Sweeps++
	if x.set != nil && !x.onward {
		x.set.Begin(x.v)
	}
	if !x.fixed {
		x.ker.Ptr = x.ker.Ptr[:1]
	}
	for s, i := range x.Choice {
		q, reward, paid := x.answer(i, true)
		x.keep(i, s, reward, paid, true)
		x.tv[s] = q - x.gain
		res = max(res, math.Abs(x.tv[s]-x.v[s]))
		if !x.spend(1) {
			return res
		}
	}
	return res
}
