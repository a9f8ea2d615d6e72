package solve

import (
	"iter"
	"math"
	"slices"

	"rcmdplab/core/evaluate"
	"rcmdplab/core/game"
	"rcmdplab/core/model"
	"rcmdplab/core/proof"
)

// wide is the search for models of hundreds to tens of thousands of states: one
// pass of work in time that grows with the size of the model, not with its
// square, and a bound beside it.
//
// Without limits, against a rectangular set or under one kernel, it is exact
// (game.Game). With limits and one kernel it is exact too (cmdp). With
// limits and a rectangular set the bound comes by turns: nature's kernel at the
// saddle point of the weighted cost, then the exact multipliers of that kernel's
// constrained problem; neither half can lower it. The search starts from
// policies that are best for multipliers raised until the limits are met at the
// worst, and goes on by Local. A finite set takes the best bound of one of its
// kernels and starts from their optimal mixtures.
type wide struct {
	ev    *evaluate.Evaluator
	m     *model.Standard
	set   Settings
	p     Progress // the record that goes out next
	inc   *incumbent
	local *Local              // made when it is first needed
	w     []float64           // the weights of the best bound
	bound bool                // look for a bound alone
	tight *tight              // limits that leave no room; nil when all do
	turn  []int               // the pairs that the work in progress takes now
	pull  func(Progress) bool // takes a record; false: no more is wanted
	left  bool                // pull has said so
}

// Wide runs the search; see wide. Its records carry proposals of proofs; it ends
// when it has nothing more to try.
func Wide(ev *evaluate.Evaluator, s Settings) iter.Seq[Progress] { return runWide(ev, s, false) }

// Bounds is Wide without its search for policies.
func Bounds(ev *evaluate.Evaluator, s Settings) iter.Seq[Progress] { return runWide(ev, s, true) }

// mostMissed is the share of a limit's size that a policy may miss it by, however large a gap counts as closed.
const mostMissed = 1e-9

func runWide(ev *evaluate.Evaluator, s Settings, bound bool) iter.Seq[Progress] {
	return func(yield func(Progress) bool) {
		ev.Restart()
		x := &wide{ev: ev, m: ev.M, set: s, p: Nothing(), bound: bound, pull: yield, w: make([]float64, ev.M.N+1)}
		x.w[0] = 1
		x.inc = certainIncumbent(x.m, &x.p.Best, max(min(s.Tolerance, mostMissed), 1e-12))
		ev.SetTolerance(exactness)
		defer ev.KeepKernels(0)
		ev.Pace(x.tick)
		defer ev.Pace(nil)
		x.run()
		ev.Pace(x.still)
		x.makeDo()
		if x.tolerate(); x.left {
			return
		}
		x.p.Policy, x.p.Objective, x.p.MaxViolation = x.p.Best.Policy, x.p.Best.Objective, x.p.Best.MaxViolation
		x.p.Step = true
		conclude(&x.p, x.m, s.Tolerance)
		yield(x.p)
	}
}

func (x *wide) run() {
	m := x.m
	if n := impossible(m, x.inc.tol); n > 0 {
		x.never(n)
		return
	}
	switch {
	case m.Problem.Uncertainty.Paper && x.bound:
	case m.Problem.Uncertainty.Paper:
		x.search(m.Uniform(), make([]float64, m.N+1))
	case m.Rectangular() && m.N == 0:
		x.saddlePoint()
	case m.Rectangular():
		x.rectangular()
	default:
		x.finite()
	}
}

// makeDo gives a search that was stopped before it had a policy the one that it was
// at.
func (x *wide) makeDo() {
	switch {
	case x.left || x.bound || x.p.Best.Policy != nil:
	case x.turn != nil:
		x.offer(x.m.Deterministic(x.turn))
	default:
		x.offer(x.m.Uniform())
	}
}

// never proposes that limit n cannot be met because the least one-step cost at
// every step exceeds it.
func (x *wide) never(n int) {
	lo, _ := x.m.Bounds(n)
	w, v := make([]float64, x.m.N+1), make([]float64, x.m.S)
	w[n] = 1
	for s := range v {
		v[s] = lo * x.m.H
	}
	x.offer(x.m.Uniform())
	x.propose(proof.ByValues(0, w, v, lo*x.m.H-x.m.B[n]))
}

// tick yields a record of now; false when nobody wants more.
func (x *wide) tick() bool {
	if x.left || x.set.Stop != nil && *x.set.Stop {
		return false
	}
	return x.still()
}

// still is tick for work that goes on when the search is stopped.
func (x *wide) still() bool {
	if !x.left {
		x.p.Evaluations = x.ev.Count
		x.left = !x.pull(x.p)
		x.p.Step, x.p.Proposal = false, nil
	}
	return !x.left
}

// propose yields a record with a proof.
func (x *wide) propose(c *proof.Claim) bool {
	x.p.Proposal = c
	if !c.Infeasible() && c.Target > x.p.LowerBound {
		x.p.LowerBound, x.w[0] = c.Target, 1
		copy(x.w[1:], c.Values.Prices)
		x.p.Multipliers = x.w[1:]
	}
	x.p.Step = true
	x.p.K++
	return x.tick()
}

// offer evaluates a policy and keeps it if it is the best.
func (x *wide) offer(pi []float64) {
	x.ev.Evaluate(pi)
	x.inc.offer(x.ev, pi)
	x.p.Policy, x.p.Objective = pi, x.ev.J[0]
	x.p.MaxViolation, _ = x.ev.MaxViolation()
}

// tolerate accepts a policy that meets the limits up to what counts as none,
// where none was found that does so for certain.
func (x *wide) tolerate() {
	if x.left || x.p.Best.Feasible || x.p.Best.Policy == nil {
		return
	}
	x.inc.allowAll()
	x.inc.again(x.ev)
}

// near reports whether the gap asked for is reached.
func (x *wide) near() bool {
	b := &x.p.Best
	return b.Feasible && b.Objective-x.p.LowerBound <= max(x.set.Gap/100*math.Abs(b.Objective), x.set.Tolerance*x.m.GapScale(b.Objective))
}

// gapOf is how near the two sides of a saddle point are to come, for weights w.
func (x *wide) gapOf(w []float64) float64 {
	size := 0.0
	for n, y := range w {
		lo, hi := x.m.Bounds(n)
		size += y * (hi - lo)
	}
	return 1e-11 * size * x.m.H
}

// settle runs a saddle to its end.
func (x *wide) settle(g *game.Game, w []float64) bool {
	x.turn = g.Choice
	return g.Play(w, x.gapOf(w), func() bool {
		x.p.Iterations++
		return x.tick()
	}) && !x.ev.Cut()
}

// saddlePoint is the exact answer without limits.
func (x *wide) saddlePoint() {
	g := game.New(x.m, nil).KeepPace(x.ev.Own())
	likeliest(x.m, g.Choice, x.set.InitialPolicy)
	if x.settle(g, x.w) {
		v, _ := g.Values()
		x.ev.Near(0, v)
		x.offer(x.m.Deterministic(g.Choice))
		x.propose(proof.ByValues(0, x.w, v, g.Lower()))
	}
}

// search runs Local from a policy; the penalty starts from the multipliers w.
func (x *wide) search(from, w []float64) bool {
	if x.local == nil {
		x.local = NewLocal(x.ev)
		x.local.byDual()
		x.local.tol, x.local.more = x.inc.tol, x.tick
		if x.tight != nil {
			if x.tight.any() {
				x.local.closed = x.tight.closed
			}
			copy(x.local.edge, x.tight.is)
		}
	}
	l := x.local
	most := 0.0
	for n := 1; n < len(w); n++ {
		most = max(most, w[n]*l.unit(n, x.m.B[n])/l.unit(0, x.p.Best.Objective))
	}
	l.opening, l.reach = max(4*most, 1e-4), .3
	if !x.p.Best.Feasible {
		l.opening = max(l.opening, firstRho)
	}
	before, slow := math.Inf(1), 0
	for i := range l.run(from, x.inc) {
		x.p.Inner, x.p.Policy = i, l.pi
		x.p.Objective, x.p.MaxViolation = x.p.Best.Objective, x.p.Best.MaxViolation
		x.p.Iterations++
		if !x.tick() {
			return false
		}
		if x.near() {
			break
		}
		b := &x.p.Best
		if !b.Feasible || l.violation > 0 && i < 60 { // on the way back inside
			continue
		}
		// The last digits come slowly, and none of them closes the gap.
		if gap := b.Objective - x.p.LowerBound; before-b.Objective <= 1e-4*gap {
			if slow++; slow > 12 {
				break
			}
		} else {
			before, slow = b.Objective, 0
		}
	}
	return x.pullBack(slices.Clone(l.pi))
}

// pullBack looks for a feasible policy on the way from the best one to a better
// one that exceeds a limit, as near as a secant comes to where it is met: a
// local search may end outside by a rounding error. Where whatever is near does
// so too, as about a policy whose return is the limit, that one is taken.
func (x *wide) pullBack(to []float64) bool {
	b := &x.p.Best
	x.ev.Evaluate(to)
	high, value := x.inc.excesses(x.ev), x.ev.J[0]
	if !b.Feasible || x.m.N == 0 || !(high > 0) || value >= b.Objective {
		return true
	}
	from := slices.Clone(b.Policy)
	x.ev.Evaluate(from)
	if low := x.inc.excesses(x.ev); low < 0 && !x.secant(from, to, low, high) {
		return false
	}
	if high <= x.inc.tol && b.Objective-value > x.set.Tolerance*x.m.GapScale(b.Objective) {
		x.inc.allowAll()
		x.offer(to)
	}
	return true
}

// secant offers policies between two, whose largest excesses are below 0 and above.
func (x *wide) secant(from, to []float64, low, high float64) bool {
	a, c := 0.0, 1.0
	pi := make([]float64, len(to))
	for range 12 {
		t := a + (c-a)*low/(low-high)
		if t = min(t, c-1e-3*(c-a)*min(1, -low)); !(t > a && t < c) {
			break
		}
		for i := range pi {
			pi[i] = (1-t)*from[i] + t*to[i]
		}
		x.offer(pi)
		if !x.tick() {
			return false
		}
		switch f := x.inc.excesses(x.ev); {
		case f > 0:
			c, high = t, f
			low /= 2 // Illinois: the other end is stale
		case f > -1e-8:
			return true
		default:
			a, low = t, f
			high /= 2
		}
	}
	return true
}
