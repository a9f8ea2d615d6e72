package evaluate

import (
	"math"

	"rcmdplab/core/model"
)

// KeepKernels asks for up to k older worst kernels of each cost to be kept and
// evaluated at every new policy, as further pieces (see Pieces). Each is in the
// set, so its return is a lower bound of the worst case that also holds at a
// kink, where the worst kernel jumps: what a cutting-plane method needs for l1
// and linf sets. Off (0) by default. Costs one linear solve a kernel and
// evaluation; finite sets and the paper's update ignore it.
func (e *Evaluator) KeepKernels(k int) {
	r, ok := e.inner.(*rectangular)
	if !ok {
		return
	}
	r.keep = k
	r.faces = r.faces[:r.m.N+1]
	r.old = r.old[:0]
	if k > 0 {
		for range r.m.N + 1 {
			r.old = append(r.old, r.newResponse())
		}
	}
}

// jump is the change of a probability from which two kernels count as different.
const jump = 1e-3

// remember copies the answer to the last policy before the next replaces it.
func (r *rectangular) remember(n int) {
	f, to := r.faces[n], r.old[n]
	r.complete(f)
	to.begin(f.is)
	for i := range r.m.Pairs() {
		to.keep(f.is, i)
	}
	clear(to.stale)
	to.any = false
}

// retain makes a face of the remembered answer of cost n when nature has left
// it, in the place of the oldest once there are keep.
func (r *rectangular) retain(n int) {
	old := r.old[n]
	if !differ(old.ker, r.faces[n].is.ker, jump) {
		return
	}
	count, oldest := 0, -1
	for k, f := range r.faces[r.m.N+1:] {
		if f.n != n {
			continue
		}
		if !differ(old.ker, f.is.ker, jump) {
			return
		}
		if count++; oldest < 0 {
			oldest = r.m.N + 1 + k
		}
	}
	if count < r.keep {
		f := r.addFace(n)
		f.is, r.old[n] = old, f.is
		return
	}
	f := r.faces[oldest]
	copy(r.faces[oldest:], r.faces[oldest+1:])
	r.faces[len(r.faces)-1] = f
	f.is, r.old[n] = old, f.is
}

// differ reports whether some probability differs by more than least.
func differ(a, b *model.Kernel, least float64) bool {
	if same(a.Next, b.Next) {
		for j, x := range a.Prob {
			if math.Abs(x-b.Prob[j]) > least {
				return true
			}
		}
		return false
	}
	for i := range len(a.Ptr) - 1 {
		na, pa := a.Row(i)
		nb, pb := b.Row(i)
		for len(na) > 0 || len(nb) > 0 {
			d := 0.0
			switch {
			case len(nb) == 0 || len(na) > 0 && na[0] < nb[0]:
				d = pa[0]
				na, pa = na[1:], pa[1:]
			case len(na) == 0 || nb[0] < na[0]:
				d = pb[0]
				nb, pb = nb[1:], pb[1:]
			default:
				d = math.Abs(pa[0] - pb[0])
				na, pa, nb, pb = na[1:], pa[1:], nb[1:], pb[1:]
			}
			if d > least {
				return true
			}
		}
	}
	return false
}
