package solve

import (
	"fmt"
	"iter"
	"math"

	"rcmdplab/core/evaluate"
	"rcmdplab/core/model"
)

var policyIteration = Algorithm{
	ID:     "policy-iteration",
	Title:  "Policy iteration",
	Solves: "One kernel, no constraints: exact, with a checked lower bound.",
	Options: []Option{
		{"outerIterations", "integer", 1000, 1, 1000000, "Largest number of improvement steps; a few are enough."},
		{"initialPolicy", "policy", 0, 0, 0, "Where to start (its likeliest actions); the first available actions when not given."},
		{"tolerance", "number", 1e-9, 0, 1, "The gap to the lower bound, as a share of the range of returns, that counts as proved."},
	},
	Run: runPolicyIteration,
}

// singleKernel is the only kernel of the problem, or the reason why there is
// none.
func singleKernel(m *model.Standard) (*model.Kernel, string) {
	switch {
	case m.Problem.Uncertainty.Kind != model.Finite:
		return nil, fmt.Sprintf("it needs a single transition kernel, and the uncertainty set is of kind %q", m.Problem.Uncertainty.Kind)
	case len(m.Kernels) != 1:
		return nil, fmt.Sprintf("it needs a single transition kernel, and the uncertainty set has %d", len(m.Kernels))
	}
	return m.Kernels[0], ""
}

// refuse is the whole run of a method that does not apply.
func refuse(title, reason string) iter.Seq[Progress] {
	return func(yield func(Progress) bool) {
		p := newProgress()
		p.Status, p.Note = Failed, title+" was not run: "+reason+"."
		yield(p)
	}
}

// newProgress is a record with every number undefined.
func newProgress() Progress {
	nan := math.NaN()
	return Progress{
		Threshold: nan, Low: nan, High: nan, Delta: nan, ActiveCost: -1, ActiveKernel: -1,
		Objective: nan, MaxViolation: nan, Best: newBest(), LowerBound: math.Inf(-1),
	}
}

// unit is the size of the objective's returns that tolerances are shares of:
// H for costs in [0, 1].
func unit(m *model.Standard, w []float64) float64 { return m.H / w[0] }

// runPolicyIteration is Howard's policy iteration: evaluate, act greedily,
// until nothing changes. Each record's lower bound is from the Bellman
// residual of the current values.
func runPolicyIteration(ev *evaluate.Evaluator, s Settings) iter.Seq[Progress] {
	m := ev.M
	k, reason := singleKernel(m)
	if reason == "" && m.N > 0 {
		reason = fmt.Sprintf("it has no place for constraints, and the problem has %d", m.N)
	}
	if reason != "" {
		return refuse("Policy iteration", reason)
	}
	return func(yield func(Progress) bool) {
		ev.Restart()
		p, x := newProgress(), newMDP(m, k)
		inc := newIncumbent(m, &p.Best, 0)
		likeliest(m, x.choice, s.InitialPolicy)
		only := []float64{1}
		for p.K = 0; ; p.K++ {
			pi := m.Deterministic(x.choice)
			ev.Evaluate(pi)
			inc.offer(ev, pi)
			changed := x.improve(x.c[0])
			p.LowerBound = max(p.LowerBound, x.bound(only))
			p.Policy, p.Objective, p.MaxViolation = pi, ev.J[0], math.Inf(-1)
			p.Step, p.Evaluations, p.Iterations = true, ev.Count, x.factorisations
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

// likeliest writes the most probable pair of each state, the first of them on
// a tie or when pi is nil.
func likeliest(m *model.Standard, choice []int, pi []float64) {
	copy(choice, m.Off)
	if pi == nil {
		return
	}
	for s := range choice {
		for i := m.Off[s]; i < m.Off[s+1]; i++ {
			if pi[i] > pi[choice[s]] {
				choice[s] = i
			}
		}
	}
}

// conclude sets the final status from the best policy and the lower bound. The gap counts the error that the evaluation
// of the policy may have.
func conclude(p *Progress, ev *evaluate.Evaluator, tol float64) {
	gap := p.Best.Objective + ev.ErrorBound[0] - p.LowerBound
	switch {
	case !p.Best.Feasible:
		p.Status = NoFeasibleFound
	case gap <= tol:
		p.Status = ProvedOptimal
	case !math.IsInf(p.LowerBound, -1):
		p.Status = Bounded
	default:
		p.Status = Feasible
	}
}
