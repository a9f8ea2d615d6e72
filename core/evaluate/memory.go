package evaluate

import "rcmdplab/core/model"

// Memory estimates the bytes that the evaluator of a problem holds: its systems,
// the rows of nature's answers and a few vectors by pair. It is linear in the
// entries of the kernels where systems are solved by iteration, and has a square
// matrix for each kernel or cost where they are not.
func Memory(m *model.Standard) int64 {
	s, pairs := int64(m.S), int64(m.Pairs())
	system := func(entries int64) int64 {
		if dense(m, int(entries)) {
			return 8 * s * s
		}
		return 20*entries/max(1, int64(m.A)) + 8*50*s // the rows of a policy; BiCGStab and GMRES
	}
	total := int64(0)
	if !m.Rectangular() {
		for _, k := range m.Kernels {
			n := int64(len(k.Next))
			total += system(n) + 16*n + 8*pairs*int64(m.N+1)
			if m.H > longHorizon && !dense(m, int(n)) { // where costs end
				total += 4*n/max(1, int64(m.A)) + s*int64(64+17*(m.N+1))
			}
		}
		return total
	}
	u := &m.Problem.Uncertainty
	listed := int64(0)
	for _, k := range []*model.Kernel{u.Nominal, u.Lower, u.Upper} {
		if k != nil {
			listed = max(listed, int64(len(k.Next)))
		}
	}
	answers := int64(m.N+1)*2 + 2 // of each cost now and before, one spare, the saddle's
	return int64(m.N+1)*system(listed) + answers*(8*listed+17*pairs) + 40*listed
}
