package solve

import (
	"fmt"
	"iter"

	"rcmdplab/core/evaluate"
)

var uniform = Algorithm{
	ID:     "uniform",
	Title:  "Uniform policy",
	Shape:  Exact,
	Solves: "Any model. Evaluates the policy that takes every available action evenly.",
	Options: []Option{
		tolerating(1e-9),
	},
	Averages: true,
	Run: func(ev *evaluate.Evaluator, s Settings) iter.Seq[Progress] {
		return runOnce(ev, ev.M.Uniform(), s)
	},
}

var evaluateOnly = Algorithm{
	ID:     "evaluate",
	Title:  "Evaluate a policy",
	Shape:  Given,
	Solves: "Any model. Evaluates the policy given and changes nothing.",
	Options: []Option{
		{"initialPolicy", "policy", 0, 0, 0, "The policy to evaluate; required."},
		tolerating(1e-9),
	},
	Deterministic: true,
	Averages:      true,
	Run: func(ev *evaluate.Evaluator, s Settings) iter.Seq[Progress] {
		if s.InitialPolicy == nil {
			return refuse("Evaluation", "it needs a policy, and initialPolicy is not given")
		}
		return runOnce(ev, s.InitialPolicy, s)
	},
}

// runOnce evaluates one policy.
func runOnce(ev *evaluate.Evaluator, pi []float64, s Settings) iter.Seq[Progress] {
	return sequence(ev, s.Tolerance, 0, func(p *Progress, inc *incumbent, _ func() bool) bool {
		ev.Evaluate(pi)
		inc.offer(ev, pi)
		p.Policy = pi
		p.report(ev)
		if !p.Best.Feasible && !ev.Endless(pi) { // see decide
			v, n := ev.MaxViolation()
			p.Note = fmt.Sprintf("The policy violates constraint %q by %.6g.", ev.M.CostName(n), ev.M.PresentViolation(n, v))
		}
		return true
	})
}
