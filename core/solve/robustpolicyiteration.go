package solve

import (
	"iter"
	"math"

	"rcmdplab/core/evaluate"
	"rcmdplab/core/game"
	"rcmdplab/core/model"
)

var robustPolicyIteration = Algorithm{
	ID:      "robust-policy-iteration",
	Title:   "Robust policy iteration",
	Shape:   Exact,
	Solves:  "A rectangular set, no constraints: exact, with a checked lower bound.",
	Options: improvementOptions,
	Run:     runRobustPolicyIteration,
	Unfit:   unfitRobust,
}

// unfitRobust is why robust policy iteration cannot run.
func unfitRobust(m *model.Standard) string {
	if m.Problem.Uncertainty.Kind == model.Finite {
		return "it needs a rectangular set, and here nature picks one of the kernels for good"
	}
	return unconstrained(m)
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
	if reason := unfitRobust(m); reason != "" {
		return refuse("Robust policy iteration", reason)
	}
	if Large(m) && !m.Problem.Uncertainty.Paper {
		return saddleRun(ev, s, nil)
	}
	return func(yield func(Progress) bool) {
		ev.Restart()
		p, x := Nothing(), newRobustMDP(ev)
		defer x.done()
		inc := newIncumbent(m, &p.Best, 0)
		likeliest(m, x.choice, s.InitialPolicy)
		for p.K = 0; ; p.K++ {
			pi, bound, changed := x.improve(0)
			inc.offer(ev, pi)
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
		conclude(&p, m, s.Tolerance)
		yield(p)
	}
}

// robustMDP is a rectangular problem as a decision problem against nature: one
// cost at a time, deterministic policies, one pair a state.
type robustMDP struct {
	ev      *evaluate.Evaluator
	m       *model.Standard
	closed  []bool    // by pair: not to be taken; nil when all are open
	choice  []int     // the pair taken in each state
	v, q    []float64 // values by state; action values by pair
	last    []float64 // work: values one improvement ago
	started bool      // last holds values

	more func() bool // see mdp
}

// newRobustMDP also sets the evaluator's tolerance, and asks it for values that
// are right in every state, also in those that the present policy never visits:
// the next may. done takes that back.
func newRobustMDP(ev *evaluate.Evaluator) *robustMDP {
	m := ev.M
	ev.SetTolerance(exactness)
	ev.SetEverywhere(true)
	x := &robustMDP{
		ev: ev, m: m, choice: make([]int, m.S),
		v: make([]float64, m.S), q: make([]float64, m.Pairs()), last: make([]float64, m.S),
	}
	copy(x.choice, m.Off)
	return x
}

// close forbids pairs; every state must keep one.
func (x *robustMDP) close(closed []bool) {
	x.closed = closed
	game.Open(x.m.Layout, x.choice, closed)
}

func (x *robustMDP) done() { x.ev.SetEverywhere(false) }

// improve evaluates the present choice and moves every state to its action of
// least Q for cost n, where that is below the state's value by more than
// rounding. It returns the policy evaluated, the lower bound that its values
// give on min_π J_{c_n,U}(π), and whether to go on: a state moved, and the values
// fell somewhere since the last time. The return from the initial states may
// stay for many steps while states elsewhere improve.
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
	residual := x.ev.ErrorBound[n] / m.H // of the values, in every state
	for s, now := range x.choice {
		least := min(x.v[s], x.q[now])
		least -= roundoff*math.Abs(least) + min(residual, 1e-9*math.Abs(least))
		for i := m.Off[s]; i < m.Off[s+1]; i++ {
			if i == now || x.closed != nil && x.closed[i] {
				continue
			}
			if q := x.q[i]; q < least-roundoff*math.Abs(q) {
				least, x.choice[s], changed = q, i, true
			}
		}
	}
	if x.started && !fell(x.v, x.last) {
		changed = false
	}
	x.started = true
	copy(x.last, x.v)
	return pi, bound, changed
}

// mostSteps ends a policy iteration that rounding keeps moving between choices of
// equal value: no problem of ours takes half as many.
const mostSteps = 1000

// optimal improves until nothing moves, or more ends it. v and q are of the
// policy it returns.
func (x *robustMDP) optimal(n int) (pi []float64, bound float64, ok bool) {
	bound = math.Inf(-1)
	x.started = false
	for step := 0; ; step++ {
		p, b, changed := x.improve(n)
		bound = max(bound, b)
		if x.more != nil && !x.more() {
			return p, bound, false
		}
		if !changed || step == mostSteps {
			return p, bound, true
		}
	}
}

// residualBound is ⟨μ, v⟩ + H min(0, min Q - v) for cost n (MacQueen 1966, for
// nature's maximum with Iyengar 2005, theorem 3.2), less rounding: in each
// pair a sum of S products of size |v| and of its cost, and as many in the first
// term.
func residualBound(m *model.Standard, n int, v, q []float64) float64 {
	share := u * float64(2*m.S+8)
	e, j, size := 0.0, 0.0, 0.0
	for s, p := range m.Mu {
		j += p * v[s]
		size = max(size, math.Abs(v[s]))
	}
	for i, s := range m.State { // |q| + |v| is at least the size of the pair's cost
		e = min(e, q[i]-v[s]-share*(math.Abs(q[i])+2*size))
	}
	bound := j + m.H*(1+1e-12*m.H)*e - share*size
	if lo, _ := m.Bounds(n); lo >= 0 { // what costs nothing negative
		bound = max(bound, 0)
	}
	return bound
}
