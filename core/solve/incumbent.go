package solve

import (
	"math"
	"slices"

	"rcmdplab/core/evaluate"
	"rcmdplab/core/model"
)

// Best is the best policy seen anywhere in a run: the feasible one of least
// objective, or, while none is feasible, the one of least violation.
type Best struct {
	Policy       []float64 // by pair; nil before the first evaluation
	Objective    float64   // J_{c0,U}
	MaxViolation float64   // max_n J_{cn,U} - b_n
	Feasible     bool      // within the tolerance, see incumbent
}

func newBest() Best { return Best{Objective: math.NaN(), MaxViolation: math.NaN()} }

// Beats reports whether b is a better best policy than o. Anything beats no
// policy; a tie keeps what is there.
func (b *Best) Beats(o *Best) bool {
	if b.Policy == nil || o.Policy == nil {
		return b.Policy != nil
	}
	return rank{b.Feasible, b.Objective, b.MaxViolation}.beats(rank{o.Feasible, o.Objective, o.MaxViolation})
}

// rank is what policies are compared by: a feasible one before one that is not,
// then less objective, or while neither is feasible less violation. No tolerance
// enters: that is for accepting a policy, not for choosing between two.
type rank struct {
	feasible  bool
	objective float64 // J_0, a discounted total
	violation float64 // see excesses: a share of Scale; 0 or less when feasible
}

func (r rank) beats(o rank) bool {
	switch {
	case r.feasible != o.feasible:
		return r.feasible
	case r.feasible:
		return r.objective < o.objective
	}
	return r.violation < o.violation
}

// incumbent keeps the best policy of a run. Constraint n is met when
//
//	J_{c_n,U}(π) - b_n <= tol · Scale(n, b_n)
//
// (see model.Standard.Scale), or, where it is to be met for certain, when that
// holds with tol = 0 and the evaluator's error bound added to the return. Costs
// are taken about their centres, so that a common offset is not in the way.
type incumbent struct {
	best    *Best
	size    []float64 // Scale(n, b_n)
	never   []bool    // the constraint cannot bind, whatever the policy
	certain []bool    // the constraint is to be met for certain (shared by fresh ones)
	tol     float64   // share of Scale, >= 0

	rank rank // of best
}

func newIncumbent(m *model.Standard, best *Best, tol float64) *incumbent {
	k := &incumbent{
		best: best, never: neverBinding(m), tol: tol,
		size: make([]float64, m.N+1), certain: make([]bool, m.N+1),
	}
	for n := 1; n <= m.N; n++ {
		k.size[n] = m.Scale(n, m.B[n])
	}
	return k
}

// certainIncumbent is one that tolerates nothing until told so by allow.
func certainIncumbent(m *model.Standard, best *Best, tol float64) *incumbent {
	k := newIncumbent(m, best, tol)
	k.certain = slices.Repeat([]bool{true}, m.N+1)
	return k
}

// allow lets constraint n be exceeded by what the tolerance is of it.
func (k *incumbent) allow(n int) { k.certain[n] = false }

// allowAll is allow for every constraint.
func (k *incumbent) allowAll() { clear(k.certain) }

// fresh is an incumbent with the same rules and no policy yet.
func (k *incumbent) fresh(best *Best) *incumbent {
	f := *k
	f.best, f.rank = best, rank{}
	return &f
}

// tolerated reports whether some constraint need not be met for certain.
func (k *incumbent) tolerated() bool {
	for n := 1; n < len(k.certain); n++ {
		if !k.certain[n] && !k.never[n] {
			return true
		}
	}
	return false
}

// excess is how far constraint n is exceeded beyond what counts as none, as a
// share of its size.
func (k *incumbent) excess(ev *evaluate.Evaluator, n int) float64 {
	x := ev.Excess(n)
	if k.certain[n] {
		return share(x+ev.ErrorBound[n], k.size[n])
	}
	return share(x, k.size[n]) - k.tol
}

// share is x as a share of size; next to nothing, anything is infinitely much.
func share(x, size float64) float64 {
	if size == 0 && x != 0 {
		return math.Inf(int(math.Copysign(1, x)))
	}
	if size == 0 {
		return 0
	}
	return x / size
}

// excesses is the largest excess over the constraints that can bind, -Inf when
// none can; the policy is feasible when it is not above 0.
func (k *incumbent) excesses(ev *evaluate.Evaluator) float64 {
	v := math.Inf(-1)
	for n := 1; n < len(k.size); n++ {
		if !k.never[n] {
			v = max(v, k.excess(ev, n))
		}
	}
	return v
}

// exceeded is the constraint that is exceeded most, each excess weighed by w, of those that can bind; 0 when none
// is exceeded by more than so much.
func (k *incumbent) exceeded(ev *evaluate.Evaluator, w []float64, by float64) (n int) {
	for i := 1; i < len(k.size); i++ {
		if x := w[i] * ev.Excess(i); x > by && !k.never[i] {
			by, n = x, i
		}
	}
	return n
}

// offer keeps the policy, which must be the evaluator's, if it is better. It
// reports whether it was kept.
func (k *incumbent) offer(ev *evaluate.Evaluator, pi []float64) bool {
	return k.offerExceeding(ev, pi, k.excesses(ev))
}

// offerExceeding is offer where the excesses are known.
func (k *incumbent) offerExceeding(ev *evaluate.Evaluator, pi []float64, v float64) bool {
	r := rank{v <= 0, ev.Centred(0), v}
	b := k.best
	if b.Policy != nil && !r.beats(k.rank) {
		return false
	}
	if r.feasible && ev.Endless(pi) { // as if it missed a limit by any amount
		if r.feasible, r.violation = false, math.Inf(1); b.Policy != nil && !r.beats(k.rank) {
			return false
		}
	}
	k.rank = r
	b.Policy = append(b.Policy[:0], pi...)
	b.Objective, b.Feasible = ev.J[0], r.feasible
	b.MaxViolation = k.maxViolation(ev)
	return true
}

// merge takes over the best policy of another incumbent if it is better, and if
// both are feasible by more than the given difference of the objectives.
func (k *incumbent) merge(o *incumbent, by float64) {
	a, b := k.best, o.best
	r := o.rank
	if r.feasible && k.rank.feasible {
		r.objective += by
	}
	if b.Policy == nil || a.Policy != nil && !r.beats(k.rank) {
		return
	}
	k.rank = o.rank
	pi := append(a.Policy[:0], b.Policy...)
	*a = *b
	a.Policy = pi
}

// again judges the best policy anew, after a change of what is allowed or of
// what is known about it. It is evaluated, which is not counted.
func (k *incumbent) again(ev *evaluate.Evaluator) {
	if k.best.Policy == nil {
		return
	}
	pi := k.best.Policy
	ev.Evaluate(pi)
	ev.Count--
	k.best.Policy = nil
	k.offer(ev, pi)
}

// maxViolation is Evaluator.MaxViolation, except that a constraint that cannot
// bind is not violated by the rounding of its return.
func (k *incumbent) maxViolation(ev *evaluate.Evaluator) float64 {
	v := math.Inf(-1)
	for n := 1; n < len(k.size); n++ {
		x := ev.Excess(n)
		if k.never[n] {
			x = min(x, 0)
		}
		v = max(v, x)
	}
	return v
}

// neverBinding marks the constraints that every policy meets.
func neverBinding(m *model.Standard) []bool {
	never := make([]bool, m.N+1)
	for n := 1; n <= m.N; n++ {
		never[n] = m.CannotBind(n)
	}
	return never
}

// impossible is the first constraint that no policy meets within the tolerance
// because even the least one-step cost at every step exceeds the threshold, 0
// when there is none. The margin covers the rounding of H and of the product.
func impossible(m *model.Standard, tolerance float64) int {
	c, _ := m.Centre()
	for n := 1; n <= m.N && !m.Total(); n++ { // an episode may have one step
		lo, hi := c.Bounds(n)
		if lo*m.H-c.B[n] > max(1e-12*m.H*max(-lo, hi), tolerance*m.Scale(n, m.B[n])) {
			return n
		}
	}
	return 0
}
