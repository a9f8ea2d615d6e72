package solve

import (
	"iter"
	"math"

	"rcmdplab/core/evaluate"
)

var robustPolicyIteration = Algorithm{
	ID:            "robust-policy-iteration",
	Title:         "Robust policy iteration",
	Shape:         Exact,
	Solves:        "A rectangular set, no constraints: exact, with a checked lower bound.",
	Options:       improvementOptions,
	Deterministic: true,
	Run:           runRobustPolicyIteration,
	Unfit:         unfitRobust,
}

// runRobustPolicyIteration is policy iteration on the robust Bellman operator
// of eq:robust DP for a rectangular set (Iyengar 2005; Nilim and El Ghaoui
// 2005), see improvements. The paper's printed update is no such operator, and has no
// bound here.
func runRobustPolicyIteration(ev *evaluate.Evaluator, s Settings) iter.Seq[Progress] {
	if !ev.M.Problem.Uncertainty.Paper {
		return improvements(ev, s, nil)
	}
	return sequence(ev, 0, s.Tolerance, func(p *Progress, inc *incumbent, pass func() bool) bool {
		x := newPrinted(ev)
		likeliest(ev.M, x.choice, s.InitialPolicy)
		for p.K = 0; ; p.K++ {
			pi, changed := x.improve(0)
			inc.offer(ev, pi)
			p.Policy, p.Iterations = pi, int64(p.K+1)
			p.report(ev)
			if !changed || p.K+1 >= s.OuterIterations {
				return true
			}
			if !pass() {
				return false
			}
		}
	})
}

// printed is policy improvement against the paper's printed update, over which no game
// is played: by the evaluator's values of each policy.
type printed struct {
	ev        *evaluate.Evaluator
	choice    []int     // the pair taken in each state
	v, q      []float64 // values by state; action values by pair
	last, now float64   // sums of the values, of the last policy and of this one
}

func newPrinted(ev *evaluate.Evaluator) *printed {
	ev.SetTolerance(exactness)
	m := ev.M
	x := &printed{ev: ev, choice: make([]int, m.S), v: make([]float64, m.S), q: make([]float64, m.Pairs()), now: math.Inf(1)}
	copy(x.choice, m.Off)
	return x
}

// improve evaluates the present choice and moves every state to its action of least Q
// for cost n, where that is below the state's value by more than rounding. It reports
// whether to go on: a state moved, and the values fell.
func (x *printed) improve(n int) (pi []float64, changed bool) {
	m := x.ev.M
	pi = m.Deterministic(x.choice)
	x.ev.Evaluate(pi)
	x.ev.Values(x.v, n)
	x.ev.ActionValues(x.q, n)
	for s, now := range x.choice {
		least := min(x.v[s], x.q[now])
		least -= exactness * math.Abs(least)
		for i := m.Off[s]; i < m.Off[s+1]; i++ {
			if i != now && x.q[i] < least {
				least, x.choice[s], changed = x.q[i], i, true
			}
		}
	}
	x.last, x.now = x.now, 0
	for _, v := range x.v {
		x.now += v
	}
	return pi, changed && x.now < x.last
}
