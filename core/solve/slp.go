package solve

import (
	"fmt"
	"iter"
	"math"
	"slices"
	"strings"

	"rcmdplab/core/evaluate"
	"rcmdplab/core/model"
)

var slp = Algorithm{
	ID:     "slp",
	Title:  "Sequential LP",
	Shape:  Search,
	Solves: "Any model. A local search from many starts: no guarantee but the lower bound it reports, which one kernel alone gives.",
	Options: []Option{
		{"starts", "integer", 40, 1, 100000, "Starting policies tried."},
		{"seed", "seed", 1, 0, 1 << 53, "Seed of the random starting policies."},
		{"initialPolicy", "policy", 0, 0, 0, "The first start; uniform when not given."},
		{"tolerance", "number", 1e-9, 0, 1e-3, "A gap to the lower bound, and where no policy is strictly inside the constraints a violation, that count as none: shares of the return or of the limit, or of the range of returns if that is smaller."},
	},
	Averages: true,
	Run:      runSLP,
}

// runSLP runs Local from many starts and keeps the best policy. Records come
// after each step of a local solve (K is the start, Inner the step) and at the
// end of each start. The constrained MDPs of single kernels of the set, solved
// exactly for their policies as starts, bound the objective from below as
// well: a larger set can only cost more.
//
// Constraints are to be met for certain, up to the evaluator's error, except
// where that leaves no room (see tight): there, and everywhere once all starts
// have ended without a feasible policy, what the tolerance allows counts.
func runSLP(ev *evaluate.Evaluator, s Settings) iter.Seq[Progress] {
	return func(yield func(Progress) bool) {
		defer ev.KeepKernels(0)
		ev.Restart()
		m := ev.M
		r := &slpRun{ev: ev, m: m, set: s, yield: yield, p: Nothing()}
		if n := impossible(m, s.Tolerance); n > 0 {
			r.p.Status, r.p.Note = ProvedInfeasible, "No policy is feasible: "+whyImpossible(m, n)
			yield(r.p)
			return
		}
		r.inc = certainIncumbent(m, &r.p.Best, s.Tolerance)
		r.l = NewLocal(ev)
		r.l.more = r.record
		r.from = newStarts(ev, s, r.inc)
		r.from.more = r.record
		r.run()
	}
}

// bought is by how much a policy that uses the tolerance where a constraint leaves
// no room has to be better than one that does not, as a share of the objective.
const bought = 1e-6

// slpRun is one run in progress.
type slpRun struct {
	ev    *evaluate.Evaluator
	m     *model.Standard
	set   Settings
	yield func(Progress) bool
	left  bool // whoever pulls has left

	p      Progress   // the record that goes out next
	inc    *incumbent // of all starts
	l      *Local     // the local search
	from   *starts    // the starting policies
	bought float64    // an objective better by no more than this does not count
	values []float64  // by start: the objective reached, +Inf when infeasible
}

// record yields the present state; it reports whether to go on.
func (r *slpRun) record() bool {
	r.p.Evaluations, r.p.Iterations = r.ev.Count, r.l.solves
	r.left = r.left || !r.yield(r.p)
	return !r.left
}

func (r *slpRun) run() {
	p, m := &r.p, r.m
	about := []string{leftOut(m, r.inc.never)}
	for p.K = range r.set.Starts {
		p.Step = false
		pi := r.from.next(p)
		if r.left {
			return
		}
		if p.Status != Running {
			r.yield(*p)
			return
		}
		if r.from.fixed != nil { // constraints without room are known now
			r.admit(r.from.fixed)
		}
		r.l.closed, r.bought = r.from.mask(p.K), 0
		if r.l.closed == nil && r.from.fixed != nil && r.from.fixed.any() {
			// What the tolerance can buy is no better policy.
			r.bought = bought * m.Scale(0, p.Best.Objective)
		}
		if !r.start(pi) {
			return
		}
		if p.near(m, r.set.Tolerance) || r.agreed() {
			break
		}
	}
	if !p.Best.Feasible && m.N > 0 && !r.lastResort() {
		return
	}
	p.Step = false
	if p.Best.Feasible && p.Best.Objective > p.LowerBound {
		// Once more from the best policy, closer to the thresholds.
		r.l.closest, r.l.closed, r.bought = leastMargin, r.from.mask(0), 0
		p.K++
		if !r.local(slices.Clone(p.Best.Policy), r.inc) {
			return
		}
		p.Policy, p.Objective, p.MaxViolation = p.Best.Policy, p.Best.Objective, p.Best.MaxViolation
	}
	if p.Best.Feasible && r.inc.tolerated() {
		about = append(about, "The thresholds leave no room: the policy meets them within the tolerance.")
	}
	about = slices.Insert(about, 0, r.summary())
	p.Note = ""
	conclude(p, m, r.set.Tolerance)
	p.Note = strings.Join(strings.Fields(strings.Join(append([]string{p.Note}, about...), " ")), " ")
	r.yield(*p)
}

// admit lets the constraints without room be met within the tolerance.
func (r *slpRun) admit(t *tight) {
	more := false
	for n, is := range t.is {
		if is && r.inc.certain[n] {
			r.inc.allow(n)
			r.l.edge[n], more = true, true
		}
	}
	if more {
		r.inc.again(r.ev)
	}
}

// start runs one local solve and yields its row.
func (r *slpRun) start(pi []float64) bool {
	p := &r.p
	found := newBest()
	own := r.inc.fresh(&found)
	if !r.local(pi, own) {
		return false
	}
	value := math.Inf(1)
	if found.Feasible {
		value = found.Objective
	}
	r.values = append(r.values, value)
	p.Policy, p.Objective, p.MaxViolation = found.Policy, found.Objective, found.MaxViolation
	p.Step = true
	return r.record()
}

// local runs the local solve, passing on what it finds.
func (r *slpRun) local(pi []float64, own *incumbent) bool {
	for i := range r.l.run(pi, own) {
		if own != r.inc {
			r.inc.merge(own, r.bought)
		}
		r.p.Inner, r.p.Policy = i, r.l.pi
		if !r.record() {
			return false
		}
	}
	if own != r.inc {
		r.inc.merge(own, r.bought)
	}
	return !r.left
}

// lastResort runs from the policy of least violation and a few more with every
// constraint met within the tolerance only.
func (r *slpRun) lastResort() bool {
	r.inc.allowAll()
	for n := range r.l.edge {
		r.l.edge[n] = true
	}
	r.inc.again(r.ev)
	r.l.closed = nil
	const more = 10
	for i := range min(more, r.set.Starts) {
		pi := slices.Clone(r.p.Best.Policy)
		r.p.Step = false
		if i > 0 || pi == nil {
			pi = r.from.next(&r.p)
			if r.left {
				return false
			}
		}
		r.p.K++
		if !r.start(pi) {
			return false
		}
	}
	return true
}

// agreed reports whether enough starts have ended at the best value for the size
// of the problem: all are tried where they are cheap.
func (r *slpRun) agreed() bool {
	const (
		cheap  = 1e8 // multiplications of all local solves so far
		enough = 4   // starts at the best value, beyond that
	)
	return r.p.Best.Feasible && r.l.work > cheap && r.same() >= enough
}

// leftOut names the constraints that no policy can exceed.
func leftOut(m *model.Standard, never []bool) string {
	var names []string
	for n := 1; n <= m.N; n++ {
		if never[n] {
			names = append(names, fmt.Sprintf("%q", m.CostName(n)))
		}
	}
	switch len(names) {
	case 0:
		return ""
	case 1:
		return "Constraint " + names[0] + " can never bind and was left out."
	}
	return "Constraints " + strings.Join(names, ", ") + " can never bind and were left out."
}

// whyImpossible is the reason that no policy meets constraint n, in the
// person's sense and sign of its cost.
func whyImpossible(m *model.Standard, n int) string {
	lo, _ := m.Bounds(n)
	if m.Flipped(n) {
		return fmt.Sprintf("constraint %q cannot be met, because its one-step value is at most %.6g everywhere.", m.CostName(n), -lo)
	}
	return fmt.Sprintf("constraint %q cannot be met, because its one-step value is at least %.6g everywhere.", m.CostName(n), lo)
}

// same is how many starts reached the best value, within a millionth of its size.
func (r *slpRun) same() int {
	same := 0
	j := r.p.Best.Objective
	for _, v := range r.values {
		if v <= j+1e-6*r.m.Scale(0, j) {
			same++
		}
	}
	return same
}

func (r *slpRun) summary() string {
	if !r.p.Best.Feasible {
		return fmt.Sprintf("No feasible policy found from %d starts.", len(r.values))
	}
	return fmt.Sprintf("%d of %d starts reached the best value.", r.same(), len(r.values))
}
