package solve

import (
	"iter"
	"math"
	"slices"

	"rcmdplab/core/evaluate"
	"rcmdplab/core/lp"
	"rcmdplab/core/model"
)

// Local is one local solve of the constrained problem itself, without
// bisection: a trust-region sequential linear programming method with
// second-order corrections. At the policy π it solves, over steps Δ within
// the trust region,
//
//	min t + ρ v   s.t.   J_p + ⟨∇J_p, Δ⟩ <= t          for objective pieces,
//	                     J_p - b_n + ⟨∇J_p, Δ⟩ <= v    for pieces of constraint n,
//	                     π + Δ a policy,  v >= 0,
//
// one row for every piece (cost and kernel) that the evaluator keeps, accepts
// the step if the exact penalty function max J_0 + ρ max(0, max_n J_n - b_n)
// falls by a share of what the program predicts, and otherwise corrects the
// program for the curvature met at the trial policy or shrinks the region. ρ
// grows when the program cannot reduce the violation at the present one, so
// that an infeasible start is restored.
//
// For rectangular sets the pieces are the worst kernel of each cost and older
// ones kept, which describe the kinks where it jumps.
//
// Returns are taken about their centres and divided by what errors in them are
// judged next to (model.Standard.Scale, at b_n and at the present objective), so
// the constants below are shares of that. Thresholds are approached from inside
// by a margin, so that the policies found satisfy J_n <= b_n with the evaluator's
// error bound added; those at the edge, which leave no room for one, are moved
// outwards by half of what the tolerance allows. Constraints that cannot bind are
// left out, and pairs that are closed stay at probability 0.
//
// A Local holds its work space; Run after Run allocates little. It sets the
// evaluator's tolerance and the number of kernels it keeps, and between two
// records of a run nobody else may evaluate with it.
type Local struct {
	ev    *evaluate.Evaluator
	m     *model.Standard
	u     []float64 // 1 / Scale
	ratio float64   // the least Scale of a constraint, as a share of its range of returns
	never []bool    // by cost: it cannot bind

	closed []bool  // by pair; nil when all are open
	edge   []bool  // by constraint
	tol    float64 // violation that counts as none, as a share of Scale

	more func() bool // when not nil: called within long work; false ends the run
	left bool        // more has said no
	work float64     // about how many multiplications so far

	large     *stepper  // instead of prog, where the model is large
	constants []float64 // of the pieces in the program of large

	prog    *lp.LP  // of the step: Δ by pair, then t and v
	cols    []int32 // work: all columns of prog
	simplex int     // rows that keep Σ_a Δ(s,a) = 0
	rows    int     // rows of pieces made so far

	pi, trial, good []float64 // by pair: the policy, the one on trial, the best trial of this step
	pieces          []piece   // at pi, or at the policy of the last program
	matched         int       // pieces that are the same at every policy, or the worst case of the same cost
	fixed           bool      // there are no others
	closest         float64   // the margin asked for
	margin          []float64 // by constraint: kept, because of evaluation errors
	rho, radius     float64   // of the penalty, for scaled returns; of the trust region, a probability
	opening         float64   // ρ at the start of a run when it is known; 0 when not
	reach           float64   // the radius at the start of a run
	objective       float64   // scaled, at pi
	violation       float64   // scaled, at pi
	at              bool      // the evaluator's policy is pi
	modelled        bool      // pieces are of pi

	solves int64 // programs solved in this run
}

const (
	safeMargin  = 1e-9  // distance kept from thresholds
	leastMargin = 1e-12 // the same when only a last bit is to be gained
	flat        = 1e-11 // a predicted decrease below this is none
	exactness   = 1e-11 // of the evaluator
	kept        = 2     // older kernels a cost, for the kinks of l1 balls (bound/tried.md)
	firstRho    = 10.0
	largestRho  = 1e7
)

// NewLocal makes the work space for the evaluator's problem.
func NewLocal(ev *evaluate.Evaluator) *Local {
	m := ev.M
	l := &Local{
		ev: ev, m: m, u: make([]float64, m.N+1), ratio: 1, never: neverBinding(m),
		edge: make([]bool, m.N+1), tol: 1e-9, margin: make([]float64, m.N+1),
		pi: make([]float64, m.Pairs()), trial: make([]float64, m.Pairs()), good: make([]float64, m.Pairs()),
		closest: safeMargin, matched: ev.Matched(), reach: 1,
	}
	for n := 1; n <= m.N; n++ {
		size := l.unit(n, m.B[n])
		l.u[n] = 1 / size
		if lo, hi := m.Bounds(n); !l.never[n] && hi > lo {
			l.ratio = min(l.ratio, size/((hi-lo)*m.H))
		}
	}
	ev.SetTolerance(exactness)
	ev.KeepKernels(kept)
	if Large(m) {
		l.byDual()
	}
	l.fixed = !m.Rectangular() && (!m.Averaged() || !slices.ContainsFunc(m.Over, func(share float64) bool { return share > 0 && share < 1 }))
	l.build()
	return l
}

// byDual has the steps come from a dual of a few numbers, whatever the size of the model.
func (l *Local) byDual() {
	n := l.m.Pairs()
	l.large = &stepper{off: l.m.Off, cost: make([]float64, n), move: make([]float64, n), delta: make([]float64, n)}
	if !l.m.Problem.Uncertainty.Kind.Linear() { // no kinks to describe
		l.ev.KeepKernels(0)
	}
}

// largeStates is where the simplex over all pairs stops paying.
const largeStates = 64

// Large reports whether a model is large for the methods whose programs and
// matrices grow with the square of it: more than 64 states.
func Large(m *model.Standard) bool { return m.S > largeStates }

// Run solves from the policy pi0 and yields a record an accepted or refused
// step. The last record has a final status; Best is the best policy of this
// run, feasible when no constraint that can bind is exceeded.
func (l *Local) Run(pi0 []float64) iter.Seq[Progress] {
	return func(yield func(Progress) bool) {
		p := Nothing()
		inc := certainIncumbent(l.m, &p.Best, l.tol)
		for i := range l.run(pi0, inc) {
			p.Inner, p.Policy, p.Evaluations, p.Iterations = i, l.pi, l.ev.Count, l.solves
			if !yield(p) {
				return
			}
		}
		conclude(&p, l.m, 0)
		yield(p)
	}
}

// run iterates from pi0, offering every policy it evaluates to inc, and yields
// the number of each iteration.
func (l *Local) run(pi0 []float64, inc *incumbent) iter.Seq[int] {
	return func(yield func(int) bool) {
		copy(l.pi, pi0)
		l.dropClosed()
		l.radius, l.left = l.reach, false
		for n := range l.margin {
			l.margin[n] = l.closest
		}
		l.evaluate(l.pi, inc)
		l.rescale()
		if l.rho = l.opening; l.rho == 0 {
			l.rho = firstRho * l.stiffness()
		}
		l.at, l.modelled = true, false
		stall, lost := 0, 0
		for i := range 200 {
			l.model()
			before := l.objective + l.rho*l.violation
			verdict, after := l.step(before, inc)
			if l.left || !yield(i) {
				return
			}
			switch verdict {
			case raised:
				continue
			case stationary:
				return
			case noVerdict:
				// Rebuild the program from nothing in a smaller region.
				if lost++; lost > 3 {
					return
				}
				l.build()
				l.radius *= 0.5
				continue
			}
			if verdict == accepted {
				if before-after < 1e-10 {
					stall++
				} else {
					stall = 0
				}
			}
			if l.radius < 1e-9 || stall >= 3 {
				return
			}
		}
	}
}

// dropClosed takes the closed pairs out of pi.
func (l *Local) dropClosed() {
	if l.closed == nil {
		return
	}
	for s := range l.m.S {
		a, b := l.m.Off[s], l.m.Off[s+1]
		sum, n := 0.0, 0.0
		for i := a; i < b; i++ {
			if l.closed[i] {
				l.pi[i] = 0
			} else {
				sum += l.pi[i]
				n++
			}
		}
		for i := a; i < b; i++ {
			switch {
			case l.closed[i]:
			case sum > 0:
				l.pi[i] /= sum
			default:
				l.pi[i] = 1 / n
			}
		}
	}
}

// evaluate evaluates a policy and offers it. The margin covers twice the error
// bound; where none is known, as of a policy that may never end, it stays.
func (l *Local) evaluate(pi []float64, inc *incumbent) {
	l.ev.Evaluate(pi)
	l.work += l.ev.Work()
	inc.offer(l.ev, pi)
	for n, e := range l.ev.ErrorBound {
		if !math.IsInf(e, 1) {
			l.margin[n] = max(l.margin[n], 2*l.u[n]*e)
		}
	}
}

// values are the two parts of the exact penalty function at the evaluator's
// policy.
func (l *Local) values() (objective, violation float64) {
	for n := 1; n <= l.m.N; n++ {
		if !l.never[n] {
			violation = max(violation, l.scaled(n, l.ev.Excess(n)))
		}
	}
	return l.u[0] * l.ev.Centred(0), violation
}

// verdict is the outcome of one iteration.
type verdict int

const (
	accepted verdict = iota
	refused
	raised     // ρ was raised instead
	stationary // the program predicts no decrease
	noVerdict  // the program was not solved
)

// step solves the program, tries its policy, once more with a second-order
// correction if the decrease falls short of the prediction, and moves. before
// is the penalty function at pi; after is that of the new pi.
func (l *Local) step(before float64, inc *incumbent) (_ verdict, after float64) {
	n := l.m.Pairs()
	l.setRows()
	l.setRegion()
	if l.solve() != lp.Optimal {
		return noVerdict, before
	}
	x, t, v := l.answer(n)
	predicted := before - (t + l.rho*v)
	if l.large != nil && l.large.most > l.rho/2 && l.rho < largestRho {
		l.rho *= 4 // the multiplier is near its bound
		return raised, before
	}
	if predicted < flat {
		if v > 1e-10 && l.rho < largestRho {
			l.rho *= 10
			return raised, before
		}
		return stationary, before
	}
	length := l.try(x)
	after = l.penalty(inc)
	copy(l.good, l.trial)
	last := true // the evaluator's policy is good
	if before-after < 0.3*predicted {
		// The same gradients through the values met at the trial policy.
		l.correct()
		if l.solve() == lp.Optimal {
			x, _, _ := l.answer(n)
			l.try(x)
			if f := l.penalty(inc); f < after-1e-14 {
				after = f
				copy(l.good, l.trial)
			} else {
				last = false
			}
		}
	}
	q := (before - after) / predicted
	switch {
	case q < 0.25:
		l.radius = 0.35 * max(length, 1e-15)
	case q > 0.75 && length > 0.99*l.radius:
		l.radius = min(1, 2.5*l.radius)
	}
	if q <= 0.02 {
		return refused, before
	}
	l.pi, l.good = l.good, l.pi
	l.at, l.modelled = last, false
	return accepted, after
}

// answer is the step, and the two parts of the program's value at it.
func (l *Local) answer(n int) (delta []float64, t, v float64) {
	if l.large != nil {
		return l.large.delta, l.large.t, l.large.v
	}
	x := l.prog.X()
	return x[:n], x[n], x[n+1]
}

// penalty is the exact penalty function of the trial policy.
func (l *Local) penalty(inc *incumbent) float64 {
	l.evaluate(l.trial, inc)
	l.at = false
	objective, violation := l.values()
	return objective + l.rho*violation
}

// try writes the policy π + Δ to trial and returns the longest |Δ|.
func (l *Local) try(delta []float64) float64 {
	longest := 0.0
	for s := range l.m.S {
		a, b := l.m.Off[s], l.m.Off[s+1]
		sum := 0.0
		for i := a; i < b; i++ {
			longest = max(longest, math.Abs(delta[i]))
			l.trial[i] = max(0, l.pi[i]+delta[i])
			sum += l.trial[i]
		}
		for i := a; i < b; i++ {
			l.trial[i] /= sum
		}
	}
	return longest
}
