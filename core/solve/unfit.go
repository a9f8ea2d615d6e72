package solve

import "rcmdplab/core/model"

// unfitManyKernels is why a method for one kernel cannot run; see
// Algorithm.Unfit.
func unfitManyKernels(m *model.Standard) string {
	_, reason := singleKernel(m)
	return reason
}

// unfitUnconstrained is why a method for one kernel and no constraints cannot
// run.
func unfitUnconstrained(m *model.Standard) string {
	if reason := unfitManyKernels(m); reason != "" {
		return reason
	}
	return unconstrained(m)
}
