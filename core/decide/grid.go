package decide

import (
	"math"
	"slices"

	"rcmdplab/core/certify"
	"rcmdplab/core/evaluate"
)

// grain is by how much the return of cost n may change when a policy is rounded to
// that grid: a step at every visit, each worth up to the range of returns.
func (d *door) grain(n int) float64 {
	lo, hi := d.m.Bounds(n)
	return certify.GridStep * (hi - lo) * d.m.H * d.m.H
}

// back judges a policy that limit n is missed by, if only because rounding it to the
// grid went the wrong way: beside a penalty of 1e6 one step is worth more than the
// tolerance. Then a few steps are taken back towards what is cheap for the limit.
// It returns the report of a policy on the grid that misses no limit by more than
// the tolerance, or nil.
func (d *door) back(r *certify.Report, n int, more func() bool) *certify.Report {
	const tries = 4 // each limit by itself, then together
	for range tries {
		miss := r.Evaluation.Returns[n].Hi - d.m.B[n]
		if !(miss <= float64(d.m.A)*d.grain(n)) {
			return nil
		}
		pi := d.stepped(r.Evaluation.Policy, n, miss)
		if pi == nil {
			return nil
		}
		next := d.checker.Check(nil, pi, more)
		if next.Left || next.Evaluation == nil {
			return nil
		}
		r = &next
		surely := false
		if _, n, surely = d.excess(r.Evaluation.Returns); !surely {
			return r
		}
	}
	return nil
}

// stepped is a policy on the grid with whole steps moved in one state from the action
// that is dearest for limit n, of those it takes, to the cheapest, so that its return
// falls by the amount and as little more as can be; nil where none does.
func (d *door) stepped(policy []float64, n int, amount float64) []float64 {
	m := d.m
	ev, err := evaluate.New(m)
	if err != nil {
		return nil
	}
	ev.Evaluate(policy)
	q, visits := make([]float64, m.Pairs()), make([]float64, m.S)
	ev.ActionValues(q, n)
	ev.Occupancy(visits, n)
	least, from, to, moved := math.Inf(1), -1, -1, 0.0
	for s := range m.S {
		dear, cheap := -1, -1
		for i := m.Off[s]; i < m.Off[s+1]; i++ {
			switch {
			case policy[i] == 0:
				continue
			case dear < 0:
				dear, cheap = i, i
			case q[i] > q[dear]:
				dear = i
			case q[i] < q[cheap]:
				cheap = i
			}
		}
		worth := certify.GridStep * m.H * visits[s] * (q[dear] - q[cheap])
		steps := math.Ceil(amount / worth)
		if worth > 0 && steps*worth < least && steps*certify.GridStep <= policy[dear] {
			least, from, to, moved = steps*worth, dear, cheap, steps*certify.GridStep
		}
	}
	if from < 0 {
		return nil
	}
	pi := slices.Clone(policy)
	pi[from] -= moved
	pi[to] += moved
	return pi
}
