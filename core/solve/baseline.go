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
		{"tolerance", "number", 1e-9, 0, 1e-3, "A violation up to this share of a constraint's limit, or of the range of returns if that is smaller, counts as none."},
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
		{"tolerance", "number", 1e-9, 0, 1e-3, "A violation up to this share of a constraint's limit, or of the range of returns if that is smaller, counts as none."},
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
	return func(yield func(Progress) bool) {
		ev.Restart()
		m, p := ev.M, Nothing()
		inc := newIncumbent(m, &p.Best, s.Tolerance)
		ev.Evaluate(pi)
		inc.offer(ev, pi)
		p.Policy = pi
		p.report(ev)
		conclude(&p, m, 0)
		if !p.Best.Feasible {
			if ev.Endless(pi) { // see decide
				yield(p)
				return
			}
			v, n := ev.MaxViolation()
			p.Note = fmt.Sprintf("The policy violates constraint %q by %.6g.", m.CostName(n), m.PresentViolation(n, v))
		}
		yield(p)
	}
}
