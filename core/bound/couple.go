package bound

import (
	"math"

	"rcmdplab/core/lp"
	"rcmdplab/core/proof"
)

// pairQueue works on the pairs of kernels that keep the coupling LP from showing the
// box empty, for as long as two of them bring it so much nearer to that.
func (t *tree) pairQueue() verdict {
	if v := t.couple(); v != unsure {
		return v
	}
	calls := nodeCalls
	if t.cur.depth == 0 {
		calls = rootCalls
	}
	for range calls / 2 {
		before := t.coupling.lp.Objective()
		t.weigh()
		for range 2 {
			m, m2 := t.nextPair()
			if m2 == 0 {
				break
			}
			t.need[m*t.d.mn+m2] = 0
			if v := t.tighten(m, m2); v != unsure {
				return v
			}
		}
		if v := t.couple(); v != unsure {
			return v
		}
		if t.coupling.lp.Objective()-before < -enoughRise*before {
			return unsure
		}
	}
	return unsure
}

// nextPair is the pair of kernels whose ratios hold the coupling LP back most, next to
// what work on the pair is expected to give; 0, 0 when none does.
func (t *tree) nextPair() (m, m2 int) {
	mn := t.d.mn
	best := 0.0
	for k, need := range t.need {
		if v := need * max(anyGain, t.cur.gain[k]); v > best {
			best, m, m2 = v, k/mn, k%mn
		}
	}
	return m, m2
}

// weigh adds up, by pair, how much the least excess of the coupling LP would rise, to
// first order, with the logarithm of each ratio's bound.
func (t *tree) weigh() {
	d, y := t.d, t.coupling
	if t.need == nil {
		t.need = make([]float64, d.mn*d.mn)
	}
	clear(t.need)
	x := y.lp.X()
	for k, v := range y.multipliers(false) {
		kind := y.rows[k].Kind()
		if v == 0 || kind != proof.RatioLow && kind != proof.RatioUp {
			continue
		}
		m, o, i := y.rows[k].Kernel(), y.rows[k].Other(), y.rows[k].Index()
		s, c := d.m.State[i], y.at[o]
		occ := 0.0
		for j := d.m.Off[s]; j < d.m.Off[s+1]; j++ {
			occ += x[c+j]
		}
		moved := x[c+i] - y.frame.l[i]*occ
		if kind == proof.RatioUp {
			moved = y.frame.u[i]*occ - x[c+i]
		}
		r := y.frame.r[d.ratio(m, o, s)]
		t.need[min(m, o)*d.mn+max(m, o)] += math.Abs(v) * max(0, moved) * r * d.logWidth(y.frame, m, o, s)
	}
}

// tighten works on a pair of kernels and learns what that gave.
func (t *tree) tighten(m, m2 int) verdict {
	d, g, gain := t.d, t.cur.g, t.cur.gain
	k := m*d.mn + m2
	before := d.spread(g, m, m2)
	if v := t.pair(m, m2); v != unsure {
		if v == empty {
			gain[k]++
			t.log.pair++
		}
		return v
	}
	if !t.close() {
		return empty
	}
	won := (before - d.spread(g, m, m2)) / (before + 1e-9)
	gain[k] = ownGain * won
	for a := range d.mn {
		for b := a + 1; b < d.mn; b++ {
			if q := a*d.mn + b; q != k && (a == m || a == m2 || b == m || b == m2) {
				gain[q] += nextGain * won
			}
		}
	}
	return unsure
}

// pair tightens the ratios between two kernels' occupancies and the policy
// ranges by the polytopes of both, tied by the ratio rows.
func (t *tree) pair(m, m2 int) verdict {
	d, g := t.d, t.cur.g
	y := t.pairs[m*d.mn+m2]
	if y == nil {
		y = d.newRelaxation([]int{m, m2}, false, pairTol)
		t.pairs[m*d.mn+m2] = y
	}
	id := proof.Step{M: m, M2: m2, Of: m, To: m2}
	if v, over := t.enter(y, id); over {
		return v
	}
	w := t.witnesses(y)
	t.ask(2 * d.s)
	for {
		c, ok := t.nearest(func(c int) (float64, bool) { return t.toRatio(y, c), true })
		if !ok {
			break
		}
		o, s := c/d.s, c%d.s
		p, q := y.ms[o], y.ms[1-o]
		if !(g.dl[q*d.s+s] > 0) {
			continue
		}
		k := d.ratio(p, q, s)
		for range 4 {
			width := math.Log(y.frame.r[d.ratio(m, m2, s)] * y.frame.r[d.ratio(m2, m, s)])
			rho := w.r[o*d.s+s]
			if width < 1e-3 || math.Log(g.r[k]/rho) < near*width {
				break
			}
			y.quotient()
			for i := d.m.Off[s]; i < d.m.Off[s+1]; i++ {
				y.part(y.at[p]+i, 1, 0)
				y.part(y.at[q]+i, 0, 1)
			}
			y.largest(rho, g.r[k]*math.Exp(-near*width))
			step := id
			step.Target, step.Of, step.To, step.Index = proof.RatioHigh, p, q, s
			v, taken := t.query(y, w, step, ratioRounds)
			if v != unsure {
				return v
			}
			if taken && math.Log(y.frame.r[k]/g.r[k]) > 0.1*width {
				y.refresh(g, p, q, s)
				t.note(proof.Step{Kind: proof.Refresh, M: p, M2: q, Index: s})
			}
			if g.r[k] < w.r[o*d.s+s]*(1+0.02*width) {
				break
			}
		}
	}
	return t.policyRanges(y, w, id, near)
}

// toRatio is how far, in the logarithm, the ratio at the current point is below its bound
// (side·states + state, the side of the kernel that is above).
func (t *tree) toRatio(y *relaxation, c int) float64 {
	d, o, s := t.d, c/t.d.s, c%t.d.s
	return math.Log(t.cur.g.r[d.ratio(y.ms[o], y.ms[1-o], s)] * y.occ[(1-o)*d.s+s] / y.occ[o*d.s+s])
}

// couple solves the relaxation over the policy and every kernel: the least
// amount t by which some cost must exceed its limit. Positive: the box is empty.
func (t *tree) couple() verdict {
	d, g := t.d, t.cur.g
	y := t.coupling
	if y == nil {
		var all []int
		for m := range d.mn {
			all = append(all, m)
		}
		y = d.newRelaxation(all, true, couplTol)
		t.coupling = y
	}
	y.reframe(g, t.limits)
	t.note(proof.Step{Kind: proof.Open})
	id := proof.Step{M: -1, M2: -1}
	clear(y.obj)
	y.obj[y.slack] = 1
	y.lp.SetCosts(y.obj)
	tried := 1e-8
	for round := 0; round < 30; round++ {
		st, ok := t.solve(y, 0)
		if !ok {
			return halt
		}
		if st == lp.Infeasible {
			v := t.emptiness(y, id)
			if v == empty {
				t.log.coupling++
			}
			return v
		}
		if st != lp.Optimal {
			break
		}
		if y.lp.Objective() > tried {
			// The multipliers without the column t are a Farkas ray.
			y.lp.SetBounds(y.slack, 0, 0)
			v := t.emptiness(y, id)
			y.lp.SetBounds(y.slack, -2, 2)
			if v == empty {
				t.log.coupling++
				return v
			}
			tried = 2 * y.lp.Objective()
		}
		t.remember(y)
		if y.separate() == 0 {
			break
		}
	}
	return unsure
}

// remember keeps the policy of the coupling LP's point and the score by which
// to branch.
func (t *tree) remember(y *relaxation) {
	x := y.lp.X()
	t.point = append(t.point[:0], x...)
	t.points++
}
