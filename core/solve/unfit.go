package solve

import (
	"cmp"
	"fmt"
	"iter"

	"rcmdplab/core/evaluate"
	"rcmdplab/core/model"
)

// Why methods cannot run, see Algorithm.Unfit.

// refusing has methods run only on what they are fit for.
func refusing(all ...Algorithm) []Algorithm {
	for i, a := range all {
		if a.Unfit == nil {
			continue
		}
		all[i].Run = func(ev *evaluate.Evaluator, s Settings) iter.Seq[Progress] {
			if why := a.Unfit(ev.M); why != "" {
				return refuse(a.Title, why)
			}
			return a.Run(ev, s)
		}
	}
	return all
}

// refuse is the whole run of a method that does not apply.
func refuse(title, reason string) iter.Seq[Progress] {
	return func(yield func(Progress) bool) {
		p := Nothing()
		p.Status, p.Note = Failed, title+" was not run: "+reason+"."
		yield(p)
	}
}

// unfitManyKernels is why a method for one kernel cannot run.
func unfitManyKernels(m *model.Standard) string {
	switch {
	case m.Rectangular():
		return fmt.Sprintf("it needs a single transition kernel, and the uncertainty set is of kind %q", m.Problem.Uncertainty.Kind)
	case len(m.Kernels) != 1:
		return fmt.Sprintf("it needs a single transition kernel, and the uncertainty set has %d", len(m.Kernels))
	}
	return ""
}

// unfitConstrained is why a method without a place for constraints cannot run.
func unfitConstrained(m *model.Standard) string {
	if m.N == 0 {
		return ""
	}
	return fmt.Sprintf("it has no place for constraints, and the problem has %d", m.N)
}

// unfitPolicyIteration and unfitRobust are why the policy iterations cannot run.
func unfitPolicyIteration(m *model.Standard) string {
	return cmp.Or(unfitManyKernels(m), unfitConstrained(m))
}

func unfitRobust(m *model.Standard) string {
	if !m.Rectangular() {
		return "it needs a rectangular set, and here nature picks one of the kernels for good"
	}
	return unfitConstrained(m)
}

// unfitUndiscounted is why a method whose steps are stated for discounted costs cannot run.
func unfitUndiscounted(m *model.Standard) string {
	if !m.Total() {
		return ""
	}
	return "its steps are stated for discounted costs, and here nothing is discounted"
}
