package solve

import (
	"fmt"
	"iter"
	"math"

	"rcmdplab/core/evaluate"
	"rcmdplab/core/model"
)

var robustPolicyIteration = Algorithm{
	ID:     "robust-policy-iteration",
	Title:  "Robust policy iteration",
	Solves: "A rectangular set, no constraints: exact, with a checked lower bound.",
	Options: []Option{
		{"outerIterations", "integer", 1000, 1, 1000000, "Largest number of improvement steps; a few are enough."},
		{"initialPolicy", "policy", 0, 0, 0, "Where to start (its likeliest actions); the first available actions when not given."},
		{"tolerance", "number", 1e-9, 0, 1, "The gap to the lower bound, as a share of the range of returns, that counts as proved."},
	},
	Run: runRobustPolicyIteration,
}

// runRobustPolicyIteration is policy iteration on the robust Bellman operator
// of eq:robust DP for a rectangular set (Iyengar 2005; Nilim and El Ghaoui
// 2005): the worst-case values V of the policy, then in every state the action
// of least
//
//	Q(s,a) = max_{p ∈ U(s,a)} c(s,a) + γ ⟨p, V⟩.
//
// Each record's lower bound is from the residual e = min_s min_a Q(s,a) - V(s)
// of that operator, which is monotone and a contraction: no policy's worst case
// is below ⟨μ, V⟩ + H min(e, 0). Q is attained by kernels of the set, so
// rounding, which is taken off, is all that stands between it and the exact
// one from above. The paper's printed update is no such operator, and has no
// bound here.
func runRobustPolicyIteration(ev *evaluate.Evaluator, s Settings) iter.Seq[Progress] {
	m := ev.M
	reason := ""
	switch {
	case m.Problem.Uncertainty.Kind == model.Finite:
		reason = "it needs a rectangular set, and here nature picks one of the kernels for good"
	case m.N > 0:
		reason = fmt.Sprintf("it has no place for constraints, and the problem has %d", m.N)
	}
	if reason != "" {
		return refuse("Robust policy iteration", reason)
	}
	return func(yield func(Progress) bool) {
		ev.Restart()
		p, x := newProgress(), newRobustMDP(ev)
		inc := newIncumbent(m, &p.Best, 0)
		likeliest(m, x.choice, s.InitialPolicy)
		for p.K = 0; ; p.K++ {
			pi, bound, changed := x.improve(0)
			changed = inc.offer(ev, pi) && changed
			p.LowerBound = max(p.LowerBound, bound)
			p.Policy, p.Iterations = pi, int64(p.K+1)
			p.report(ev)
			if !changed || p.K+1 >= s.OuterIterations {
				break
			}
			if !yield(p) {
				return
			}
		}
		conclude(&p, ev, s.Tolerance*unit(m, inc.w))
		yield(p)
	}
}

// robustMDP is a rectangular problem as a decision problem against nature: one
// cost at a time, deterministic policies, one pair a state.
type robustMDP struct {
	ev     *evaluate.Evaluator
	m      *model.Standard
	choice []int
	v, q   []float64
}

// newRobustMDP also sets the evaluator's tolerance.
func newRobustMDP(ev *evaluate.Evaluator) *robustMDP {
	m := ev.M
	ev.SetTolerance(exactness)
	x := &robustMDP{ev: ev, m: m, choice: make([]int, m.S), v: make([]float64, m.S), q: make([]float64, m.Pairs())}
	copy(x.choice, m.Off)
	return x
}

// improve evaluates the present choice and moves every state to its action of
// least Q for cost n, where that is below the state's value by more than the
// evaluation's error. It returns the policy evaluated, the lower bound that its
// values give on min_π J_{c_n,U}(π), and whether a state moved.
func (x *robustMDP) improve(n int) (pi []float64, bound float64, changed bool) {
	m := x.m
	pi = m.Deterministic(x.choice)
	x.ev.Evaluate(pi)
	x.ev.Values(x.v, n)
	x.ev.ActionValues(x.q, n)
	bound = math.Inf(-1)
	if !m.Problem.Uncertainty.Paper {
		bound = residualBound(m, n, x.v, x.q)
	}
	lo, hi := m.Bounds(n)
	clear := exactness * (hi - lo) * m.H
	for s := range x.choice {
		least := min(x.v[s], x.q[x.choice[s]]) - clear
		for i := m.Off[s]; i < m.Off[s+1]; i++ {
			if i != x.choice[s] && x.q[i] < least {
				least, x.choice[s], changed = x.q[i], i, true
			}
		}
	}
	return pi, bound, changed
}

// optimal improves until nothing moves or the return stops falling.
func (x *robustMDP) optimal(n int) (pi []float64, bound float64) {
	bound = math.Inf(-1)
	last := math.Inf(1)
	for {
		p, b, changed := x.improve(n)
		bound = max(bound, b)
		if x.ev.J[n] >= last {
			return pi, bound
		}
		pi, last = p, x.ev.J[n]
		if !changed {
			return pi, bound
		}
	}
}

// residualBound is ⟨μ, v⟩ + H min(0, min Q - v) for cost n, less rounding: sums
// of S products of size |v| and of the cost in Q, and as many in the first
// term.
func residualBound(m *model.Standard, n int, v, q []float64) float64 {
	const u = 0x1p-53
	e, j, size := 0.0, 0.0, 0.0
	for i, s := range m.State {
		e = min(e, q[i]-v[s])
	}
	for s, p := range m.Mu {
		j += p * v[s]
		size = max(size, math.Abs(v[s]))
	}
	lo, hi := m.Bounds(n)
	noise := u * float64(2*m.S+8) * (size + max(hi, -lo))
	return j + m.H*(1+1e-12*m.H)*(e-noise) - noise
}
