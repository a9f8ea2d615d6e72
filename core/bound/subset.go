package bound

import (
	"fmt"
	"math"
	"slices"

	"rcmdplab/core/evaluate"
	"rcmdplab/core/model"
	"rcmdplab/core/proof"
	"rcmdplab/core/uncertainty"
)

// A member of a ball is moved towards the nominal model by so small a share, and by
// as much more as rounding may have moved an entry, next to how far it is from there, so that rounding
// cannot take it out of the set. More would be felt at long horizons: what nature
// keeps away from the goal may come back at every step.
const inward, rounding = 1e-12, 1e-15

// drawn is that share for a row of so many entries, of which one is as far as that from
// its nominal value. Where entries have ranges of their own, and where there is
// a price instead of a ball, rounding is no matter.
func (n *membership) drawn(entries int, far float64) float64 {
	if !n.m.Problem.Uncertainty.Kind.Ball() {
		return 0
	}
	return min(1, inward+rounding*float64(entries)/far)
}

// Worst lists members of a rectangular set to bound with: the worst kernel of each
// cost whose worst-case return by the policy is above a threshold, by cost from the
// objective's 0; of every cost for nil. Each is moved into the set, see drawn. It
// evaluates the policy with ev. Nil for finite sets.
func Worst(ev *evaluate.Evaluator, pi, above []float64) ([]proof.Kernel, error) {
	m := ev.M
	if !m.Rectangular() {
		return nil, nil
	}
	if m.Problem.Uncertainty.Paper {
		return nil, fmt.Errorf("bound: the paper's update of the regularised set is no maximum over a set, so nothing bounds it from below")
	}
	n, err := newMembership(m)
	if err != nil {
		return nil, fmt.Errorf("bound: %w", err)
	}
	var list []proof.Kernel
	ev.Evaluate(pi)
	for p := range m.N + 1 { // the pieces after them are of older policies
		if cost, j := ev.Piece(p); above == nil || j > above[cost] {
			list = n.add(list, ev.PieceKernel(p))
		}
	}
	return list, nil
}

// Member is a kernel of a rectangular set as a member of it, moved into it.
func Member(m *model.Standard, ker *model.Kernel) (proof.Kernel, error) {
	n, err := newMembership(m)
	if err != nil {
		return proof.Kernel{}, fmt.Errorf("bound: %w", err)
	}
	return n.add(nil, ker)[0], nil
}

// Join adds kernels to a list, those that it has not yet.
func Join(list, more []proof.Kernel) []proof.Kernel {
	for i := range more {
		if !slices.ContainsFunc(list, func(o proof.Kernel) bool { return same(&o, &more[i]) }) {
			list = append(list, more[i])
		}
	}
	return list
}

// membership writes kernels of a rectangular set as members of it.
type membership struct {
	m    *model.Standard
	set  uncertainty.Set // penalties as they are
	q, p []float64       // nominal and given row of a pair, by state
	part []float64       // aligned with the support
}

func newMembership(m *model.Standard) (*membership, error) {
	set, err := uncertainty.New(m)
	if err != nil {
		return nil, err
	}
	return &membership{
		m: m, set: set,
		q: make([]float64, m.S), p: make([]float64, m.S), part: make([]float64, m.S),
	}, nil
}

// add appends the kernel, moved inward, unless it is there already.
func (n *membership) add(list []proof.Kernel, ker *model.Kernel) []proof.Kernel {
	m := n.m
	k := proof.Kernel{Rows: make([]float64, m.Pairs()*m.S)}
	regular := m.Problem.Uncertainty.Kind.Regularised()
	if regular {
		k.Penalty = make([]float64, m.Pairs())
	}
	for i := range m.Pairs() {
		support := n.set.Support(i)
		n.set.Nominal(n.part, i)
		clear(n.q)
		for j, s := range support {
			n.q[s] = n.part[j]
		}
		ker.Dense(n.p, i)
		row := k.Rows[i*m.S : (i+1)*m.S]
		sum, far := 0.0, 0.0
		for s, p := range n.p {
			far = max(far, math.Abs(p-n.q[s]))
		}
		t := n.drawn(len(support), far)
		for s, p := range n.p {
			row[s] = max(0, (1-t)*p+t*n.q[s])
			sum += row[s]
		}
		if far < 1e-13 {
			copy(row, n.q)
		} else {
			for s := range row {
				row[s] /= sum
			}
		}
		if regular {
			k.Penalty[i] = n.pays(row, support, i)
		}
	}
	return Join(list, []proof.Kernel{k})
}

// pays is at least what nature pays for a row of the regularised set, with room for the
// rounding of its logarithms: nothing for the nominal one.
func (n *membership) pays(row []float64, support []int, i int) float64 {
	moved := 0.0
	for j, s := range support {
		n.part[j] = row[s]
		moved += math.Abs(row[s] - n.q[s])
	}
	if moved == 0 {
		return 0
	}
	pay := n.set.Penalty(n.part[:len(support)], i)
	return n.m.Gamma * (max(0, pay)*(1+1e-12) + n.m.PriceAt(i, n.m.Problem.Uncertainty.Temperature)*moved*rounding)
}

// same reports whether two members differ by no more than would matter.
func same(a, b *proof.Kernel) bool {
	for j, v := range a.Rows {
		if math.Abs(v-b.Rows[j]) > 1e-7 {
			return false
		}
	}
	return true
}
