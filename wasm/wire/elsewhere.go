package wire

import (
	"math"
	"slices"

	"rcmdplab/core/evaluate"
	"rcmdplab/core/game"
	"rcmdplab/core/model"
	"rcmdplab/core/solve"
)

// A plan says what to do in every state, also in those that it never comes to
// from where it begins: there a method leaves anything, as it changes no return.
// What is shown there is the best action: against the worst case of the cost that
// is optimised plus the limits at their prices, or against the kernel that counts most.

// reached says of each state whether the plan can come to it under some kernel.
func reached(m *model.Standard, pi []float64) []bool {
	u := &m.Problem.Uncertainty
	return m.Reached(func(i int, come func(s int)) {
		if pi[i] > 0 {
			successors(m, u, i, come)
		}
	})
}

// successors are the states that a pair can lead to under some kernel.
func successors(m *model.Standard, u *model.Uncertainty, i int, visit func(int)) {
	each := func(k *model.Kernel, listed bool) {
		next, prob := k.Row(i)
		for j, t := range next {
			if listed || prob[j] > 0 {
				visit(t)
			}
		}
	}
	moves := slices.ContainsFunc(u.Radius, func(r float64) bool { return r > 0 }) // by nature
	switch {
	case !m.Rectangular():
		for _, k := range m.Kernels {
			each(k, false)
		}
	case u.Upper != nil:
		each(u.Upper, false)
	case u.SupportAll && moves:
		for t := range m.S {
			visit(t)
		}
	default:
		each(u.Nominal, moves && u.Kind.Reaches())
	}
}

// mostLooks bounds the work of finding best actions elsewhere, in transitions
// looked at.
const mostLooks = 2e8

// mostPriced is for how many states the prices of limits are worked out, where the
// method gives none: it takes a linear program.
const mostPriced = 100

// complete gives the best action in the states that the plan never comes to;
// multipliers are the prices of the limits, where there are any. The evaluator has
// evaluated the plan.
func complete(ev *evaluate.Evaluator, pi, multipliers []float64, at []bool) []float64 {
	m := ev.M
	w := make([]float64, m.N+1)
	w[0] = 1
	if len(multipliers) == 0 && m.N > 0 && m.S <= mostPriced {
		if prices, known := solve.LocalPrices(ev, pi); known {
			multipliers = prices.Lambda[1:]
		}
		ev.Evaluate(pi)
	}
	for n, price := range multipliers {
		if n < m.N && price > 0 && !math.IsInf(price, 0) {
			w[n+1] = price
		}
	}
	var x *game.Game
	size := 0
	if q := ev.Shares(0); q != nil {
		k := slices.Index(q, slices.Max(q))
		x, size = game.New(m, m.Kernels[k]).KeepPace(ev.Own()), len(m.Kernels[k].Next)
	} else if x = game.New(m, nil).KeepPace(ev.Own()); x == nil { // the paper's update
		nominal := m.NormalisedNominal()
		x, size = game.New(m, nominal).KeepPace(ev.Own()), len(nominal.Next)
	} else {
		size = m.Pairs() * min(m.S, 100)
	}
	x.Weigh(w, 1e-12*m.H)
	for range int(min(2000, max(4, mostLooks/float64(size+1)))) {
		if x.Step() {
			break
		}
	}
	full := slices.Clone(pi)
	for s, there := range at {
		if !there {
			clear(full[m.Off[s]:m.Off[s+1]])
			full[x.Choice[s]] = 1
		}
	}
	return full
}

// completes says whether a method's plan is completed: one that is for use, not a
// method of a paper, whose policies are shown as they are, unless it is proved to be
// the best.
func completes(id string, status solve.Status) bool {
	return status == solve.ProvedOptimal || id == "solve" || id == "slp" || id == "occupancy-lp"
}
