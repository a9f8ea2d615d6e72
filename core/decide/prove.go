package decide

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"rcmdplab/core/bound"
	"rcmdplab/core/evaluate"
	"rcmdplab/core/model"
	"rcmdplab/core/proof"
	"rcmdplab/core/solve"
)

// mostKernels limits the members of an infinite set that the proof uses: its
// work grows with their square, and further members rarely raise the bound.
const mostKernels = 24

// settings are those of the search for a bound.
func (r *runner) settings(kernels []proof.Kernel) bound.Settings {
	return bound.Settings{Gap: r.set.Gap, Record: true, Kernels: kernels, Allow: r.allow, Violation: true}
}

// mostAfter is how many boxes are spent on the least violation once it is proved
// that no policy is feasible: that is the answer, the rest is a kindness.
const mostAfter = 200

// impossible reports whether it is proved that no policy is feasible.
func (r *runner) impossible() bool { return r.door.infeasible != nil && !r.p.Best.Feasible }

// prove closes in by boxes of policies until the gap is closed.
func (r *runner) prove() {
	r.loosen()
	r.rowLow, r.rowBest = r.p.LowerBound, r.p.Best.Objective
	defer func() { r.p.Share = nil }()
	for r.begin() {
		r.p.Memory, r.p.Share = r.memory, r
		r.boxes(r.row, func(q *bound.Progress, work int64) bool {
			return r.over() && work >= cheap || q.Done && !r.over()
		})
		if r.search != nil {
			return
		}
	}
}

// beside works on the proof between two starts of the search: after the second one
// and whenever there have been twice as many, if a policy is found by then. The first
// boxes often bring more than all starts after the second, and so does the proof by
// values at its worst kernels. Where much is open the first turn is a long one: what a
// person sees after a second is the proof's.
func (r *runner) beside(starts int) {
	if r.m.Averaged() || starts < r.turns.next || !r.p.Best.Feasible || r.over() || r.set.Asked() {
		return
	}
	r.turns.next = 2 * starts
	r.second()
	r.turns.busy = true
	if !r.part(r.turns.ev, r.turn) {
		r.search, r.turns.next = nil, math.MaxInt // its state may be torn
	}
	r.turns.busy = false
}

// second makes the evaluator for what is done while the run's is busy.
func (r *runner) second() {
	if r.turns.ev == nil {
		var err error
		if r.turns.ev, err = evaluate.New(r.m); err != nil {
			panic("decide: " + err.Error()) // the same problem was accepted before
		}
	}
}

// turn is the proof's, for so much work.
func (r *runner) turn() {
	if r.search == nil {
		r.priced()
	}
	if r.over() || !r.going() || !r.begin() {
		return
	}
	from := int64(-1)
	r.p.Memory = r.memory
	r.boxes(r.tell, func(q *bound.Progress, work int64) bool {
		if from < 0 {
			from = work
		}
		return r.over() || q.Done || work-from >= cheap && (work >= opening || !r.farOff())
	})
}

// The first turn goes on, up to so much work, for as long as the bound is so much of the
// policy's value away.
const (
	opening = 1e9
	wideGap = 0.05
)

func (r *runner) farOff() bool {
	best := r.p.Best.Objective
	return best-r.door.bound() > wideGap*math.Abs(best)
}

// priced lets values prove what they can from the kernels that are worst for the best
// policy, once for each.
func (r *runner) priced() {
	if best := &r.p.Best; r.m.Rectangular() && best.Objective != r.valued {
		r.valued = best.Objective
		r.values(best.Policy)
	}
}

// idle is the evaluator that nothing else is in the middle of using.
func (r *runner) idle() *evaluate.Evaluator {
	if r.turns.busy {
		return r.turns.ev
	}
	return r.ev
}

// begin makes the search for a bound, from the best policy there is, unless it is there
// or there is to be none.
func (r *runner) begin() bool {
	if r.checks.refused || r.m.Total() {
		return false
	}
	if r.turns.ev == nil {
		r.turns.ev = r.ev
	}
	if r.search == nil {
		r.allow = r.missing()
		kernels, err := r.choose()
		if r.left {
			return false
		}
		if err == nil {
			r.search, err = bound.New(r.m, r.settings(kernels))
		}
		if err != nil {
			r.door.say(fmt.Sprintf("No lower bound: %s.", strings.TrimPrefix(err.Error(), "bound: ")))
			return false
		}
		r.search.Proved(r.door.bound())
		r.told, r.point, r.polishes = math.Inf(1), 0, 0 // of another search, which crashed or was refused
	}
	if r.local == nil {
		r.local = solve.NewLocal(r.turns.ev)
	}
	r.inform()
	return true
}

// Once a point of a relaxation has led to no better policy, the next local solve from one
// waits for such a part more boxes: of few states it takes as long as half a box.
const seldom = 4

// boxes closes in by boxes of policies, each with a record by tell, until enough says
// so, being told of all the work so far in numbers read or written.
func (r *runner) boxes(tell func() bool, enough func(q *bound.Progress, work int64) bool) {
	last := 0 // boxes when it was not proved that no policy is feasible
	for q := range r.search.Run() {
		r.p.Nodes, r.p.Threshold, r.p.Waiting = q.Nodes, q.Target, q.Waiting
		r.p.Open, r.p.Rest = q.OpenNodes, q.Rest
		if !r.laterJudged(q) && !r.judge(r.tick) {
			return
		}
		r.follow(&q)
		if q.PointID != r.point {
			r.point = q.PointID
			if was := r.p.Best; !was.Feasible || q.Nodes >= r.polishes {
				if r.polish(q.Point); r.p.Best.Objective == was.Objective {
					r.polishes = q.Nodes + 1 + q.Nodes/seldom
				}
			}
			if r.going() {
				r.refine(q)
			}
		}
		if !r.impossible() {
			last = q.Nodes
		}
		switch {
		case !r.going() || !tell() || r.near() || q.Nodes > last+mostAfter:
			return
		case enough(&q, q.Work+boxRecord*int64(q.Nodes)):
			return
		case q.Done:
			r.search.Narrow(0)
		}
	}
}

// binding is the share of a limit's scale within which the best policy makes use of
// it. A better one, found later, will do so too, and may miss it within the tolerance.
const binding = 1e-6

// missing is what the search is to allow for at limits that the best policy makes use
// of: the whole tolerance, so that the proof holds beside whichever policy is best in
// the end, and is not judged anew for it when somebody waits. Nil where there are none.
func (r *runner) missing() (allow []float64) {
	if !r.p.Best.Feasible {
		return nil
	}
	r.turns.ev.Evaluate(r.p.Best.Policy)
	for n := 1; n <= r.m.N; n++ {
		scale := r.m.Scale(n, r.m.B[n])
		if r.turns.ev.J[n]+r.turns.ev.ErrorBound[n] > r.m.B[n]-binding*scale || !r.found {
			if allow == nil {
				allow = make([]float64, r.m.N)
			}
			allow[n-1] = r.door.missed * scale
		}
	}
	return allow
}

// judge gives new proofs to the door, and reports whether the search may go on. One whose
// claim is refused believes what is not so, and aims beyond it: it ends, with what was
// accepted before. One that goes on from a saved state, which may be anybody's, begins anew.
func (r *runner) judge(more func() bool) bool {
	for _, x := range []struct {
		claim *proof.Claim
		last  **proof.Claim
	}{{r.search.Certificate(), &r.checks.lower}, {r.search.ViolationCertificate(), &r.checks.violation}} {
		if x.claim == *x.last {
			continue
		}
		switch r.door.offer(x.claim, more) {
		case heard, left: // who asks for the end does not wait for it
			*x.last = x.claim
		case refused:
			r.checks, r.search = checks{refused: !r.resumed}, nil
			r.resumed = false
			return false
		}
	}
	return true
}

// longCheck is of how many boxes a proof takes long to check.
const longCheck = 32

// laterJudged reports whether a new proof waits for its check, which takes long,
// until there are boxes of the next target, if others can work on them meanwhile.
func (r *runner) laterJudged(q bound.Progress) bool {
	c := r.search.Certificate()
	return r.p.Share != nil && !q.Done && q.OpenNodes < 2 && c != nil && c != r.checks.lower && c.Boxes() > longCheck
}

// After so many boxes, or a tenth more than before, the checker follows: a check at
// the end leaves other workers without boxes, one in between does not.
const followed = 100

// follow lets the checker follow the proof in progress now and then, where others
// work on its boxes.
func (r *runner) follow(q *bound.Progress) {
	if q.Nodes < r.checks.follows || !r.search.Shared() {
		return
	}
	first := r.checks.follows == 0
	if r.checks.follows = q.Nodes + max(followed, q.Nodes/10); q.OpenNodes > 1 && !first {
		if c := r.search.Draft(); c != nil {
			r.door.checker.Follow(c, r.tick)
		}
	}
}

// row yields a record: a row of the trace when the interval has changed.
func (r *runner) row() bool {
	r.door.pass(&r.p)
	r.p.Step = r.p.LowerBound != r.rowLow || r.p.Best.Objective != r.rowBest && r.p.Best.Feasible
	if r.p.Step {
		r.p.K = r.rows
		r.rows++
		r.rowLow, r.rowBest = r.p.LowerBound, r.p.Best.Objective
		r.p.Policy, r.p.Objective, r.p.MaxViolation = r.p.Best.Policy, r.p.Best.Objective, r.p.Best.MaxViolation
	}
	ok := r.tell()
	r.p.Step = false
	return ok
}

// inform gives the search the best policy known, rounded up by its error.
func (r *runner) inform() {
	b := r.p.Best
	if b.Policy == nil || b.Feasible && b.Objective == r.told {
		return
	}
	r.told = b.Objective
	r.turns.ev.Evaluate(b.Policy)
	v := math.Inf(-1)
	for n := 1; n <= r.m.N; n++ {
		v = math.Max(v, r.turns.ev.J[n]+r.turns.ev.ErrorBound[n]-r.m.B[n])
	}
	r.search.Incumbent(r.turns.ev.J[0]+r.turns.ev.ErrorBound[0], v, b.Feasible)
}

// evaluations are those of the search and of the proof.
func (r *runner) evaluations() int64 {
	if r.turns.ev == nil || r.turns.ev == r.ev {
		return r.ev.Count
	}
	return r.ev.Count + r.turns.ev.Count
}

// polish starts a local solve from a policy that the relaxation suggests.
func (r *runner) polish(pi []float64) {
	if pi == nil {
		return
	}
	before := r.p.Iterations
	from := append([]float64(nil), pi...)
	r.m.Project(from)
	for q := range r.local.Run(from) {
		r.p.Evaluations, r.p.Iterations = r.evaluations(), before+q.Iterations
		if q.Best.Beats(&r.p.Best) {
			best := q.Best
			best.Policy = append([]float64(nil), best.Policy...)
			r.p.Best = best
		}
		if q.Status != solve.Running || !r.tick() {
			break
		}
	}
	r.inform()
}

// descend is a local solve of a finite problem, with a record after each step.
func (r *runner) descend(l *solve.Local, from []float64) (best solve.Best) {
	for q := range l.Run(from) {
		if best = q.Best; !r.tick() {
			break
		}
	}
	return best
}

// choose chooses the members of an infinite set to bound with, by outer
// approximation: the worst kernels of the best policy make a finite problem;
// where its own best policy costs less than what was found, kernels under which that
// one costs more or misses a limit join, until the finite problem costs as much as
// the whole set.
func (r *runner) choose() ([]proof.Kernel, error) {
	best := &r.p.Best
	if r.m.S > mostClosely {
		return r.few()
	}
	kernels, err := bound.Worst(r.turns.ev, r.m.ClonePolicy(best.Policy), nil)
	policies := [][]float64{r.m.ClonePolicy(best.Policy)}
	for range 8 {
		if err != nil || len(kernels) == 0 || len(kernels) >= mostKernels || kernels[0].Penalty != nil {
			break
		}
		// The finite problem, from the policies known and the uniform one.
		ev, err := evaluate.New(r.finite(kernels))
		if err != nil {
			break
		}
		local := solve.NewLocal(ev)
		found := solve.Best{Objective: math.Inf(1)}
		for _, start := range append(policies, r.m.Uniform()) {
			if b := r.descend(local, start); b.Feasible && b.Objective < found.Objective {
				found = b
			}
			if !r.going() {
				return kernels, nil
			}
		}
		if !found.Feasible || found.Objective >= best.Objective-0.1*r.set.Gap*math.Abs(best.Objective)-r.door.none*r.m.GapScale(best.Objective) {
			break
		}
		policies = append(policies, slices.Clone(found.Policy))
		more, err := bound.Worst(r.turns.ev, found.Policy, r.beyond(found.Objective))
		if before := len(kernels); err == nil {
			if kernels = bound.Join(kernels, more); len(kernels) == before {
				break
			}
		}
	}
	return kernels, err
}

// mostClosely is up to how many states boxes are quick whatever the members. Beyond
// it each further one costs more than it brings.
const mostClosely = 12

// few are members for boxes that take long: the worst kernels of the best policy, of the
// objective and of the limits that it makes use of, and the one under which values prove
// most.
func (r *runner) few() ([]proof.Kernel, error) {
	above := r.beyond(math.Inf(-1))
	for n := 1; n <= r.m.N && r.p.Best.Feasible; n++ {
		above[n] -= binding * r.m.Scale(n, r.m.B[n])
	}
	kernels, err := bound.Worst(r.turns.ev, r.m.ClonePolicy(r.p.Best.Policy), above)
	under := r.dual.under
	if c := r.door.priced; under == nil && c != nil && r.dual.x != nil { // of a large model, with values from elsewhere
		_, under, _ = r.dual.x.Prove(append([]float64{1}, c.Prices()...), 0, r.tick)
	}
	if err == nil && r.m.Rectangular() && under != nil {
		var saddle proof.Kernel
		if saddle, err = bound.Member(r.m, under); err == nil {
			kernels = bound.Join(kernels, []proof.Kernel{saddle})
		}
	}
	return kernels, err
}

// beyond is by cost from which return on a kernel speaks against a policy: the limits,
// and a value of the objective.
func (r *runner) beyond(value float64) []float64 {
	b := slices.Clone(r.m.B)
	b[0] = value
	return b
}

// refine adds members of an infinite set when those in use cannot prove the
// target: a policy that meets it under all of them is sought from the point of
// the relaxation, and kernels under which that policy does not join. The regularised
// set has no finite problem of the same form, so its members are of the points
// themselves, now and then.
func (r *runner) refine(q bound.Progress) {
	members := r.search.Members()
	if !r.m.Rectangular() || len(members) == 0 || len(members) >= mostKernels || q.Stage != bound.Ladder {
		return
	}
	policy := q.Point
	if members[0].Penalty == nil {
		if r.members.small == nil || r.members.count != len(members) {
			ev, err := evaluate.New(r.finite(members))
			if err != nil {
				return
			}
			r.members.small, r.members.count = solve.NewLocal(ev), len(members)
		}
		from := append([]float64(nil), q.Point...)
		r.m.Project(from)
		b := r.descend(r.members.small, from)
		if !b.Feasible || b.Objective > q.Target {
			return
		}
		policy = b.Policy
	} else if q.Nodes < r.members.nodes+8 {
		return
	}
	r.members.nodes = q.Nodes
	if worst, err := bound.Worst(r.turns.ev, policy, r.beyond(q.Target)); err == nil {
		// A kernel list that does not fit leaves the search as it is.
		_, _ = r.search.Extend(worst)
	}
}

// finite is the problem with the given kernels as its set.
func (r *runner) finite(kernels []proof.Kernel) *model.Standard {
	var list []*model.Kernel
	for _, k := range kernels {
		list = append(list, model.NewKernel(r.m.S, k.Rows))
	}
	return r.m.Under(list...)
}
