// Package decide is the default method: it searches for the best policy and
// proves how far from the best it can at most be, each side helping the other.
// The search is sequential LP from many starts (package solve); the proof is
// the ladder of package bound, whose relaxations suggest further starts; what
// is claimed at the end is what package certify accepts.
package decide

import (
	"encoding/binary"
	"fmt"
	"iter"
	"math"
	"slices"
	"strings"

	"rcmdplab/core/bound"
	"rcmdplab/core/evaluate"
	"rcmdplab/core/model"
	"rcmdplab/core/solve"
)

// Algorithms lists every method, the default one first.
func Algorithms() []solve.Algorithm {
	all := []solve.Algorithm{Method}
	for _, a := range solve.Algorithms() {
		all = append(all, checked(a))
	}
	return all
}

// Find returns the method with the id.
func Find(id string) (solve.Algorithm, bool) {
	for _, a := range Algorithms() {
		if a.ID == id {
			return a, true
		}
	}
	return solve.Algorithm{}, false
}

// Method is the default method, "solve".
var Method = solve.Algorithm{
	ID:    "solve",
	Title: "Search and proof",
	Solves: "Any problem with an evaluator. A local search from many starts, and a lower bound that closes on it by branch and bound: " +
		"exact in the end on small problems, an interval that shrinks with time on others.",
	Options: []solve.Option{
		{Name: "gap", Type: "number", Default: 0.01, Min: 0, Max: 1, Help: "Stop when the policy found is within this share of the proved bound, or closer where that takes a moment only; 0 goes on to rounding accuracy."},
		{Name: "timeLimit", Type: "number", Default: 30, Min: 0, Max: 1e6, Help: "Stop after so many seconds; the run can be continued. 0 is no limit."},
		{Name: "starts", Type: "integer", Default: 40, Min: 1, Max: 100000, Help: "Starting policies of the search, before the proof begins."},
		{Name: "seed", Type: "seed", Default: 1, Min: 0, Max: 1 << 53, Help: "Seed of the random starting policies."},
		{Name: "initialPolicy", Type: "policy", Help: "The first start; uniform when not given."},
		{Name: "tolerance", Type: "number", Default: 1e-7, Min: 0, Max: 1e-3, Help: "A gap up to this share of the objective's size is called closed; a limit may be missed by 1e-9 of its own."},
	},
	Run:       run,
	Shares:    true,
	Concludes: true,
	Resumes:   true,
}

// mostKernels limits the members of an infinite set that the proof uses: its
// work grows with their square, and further members rarely raise the bound.
const mostKernels = 24

type runner struct {
	ev   *evaluate.Evaluator
	m    *model.Standard
	set  solve.Settings
	p    solve.Progress
	door *door // says what may be claimed

	search  *bound.Search
	local   *solve.Local
	point   int                // PointID last polished
	small   *solve.Local       // of the finite problem made of the members in use
	members int                // how many they were then
	nodes   int                // boxes when a member was last added
	told    float64            // objective last told to the bound
	judged  *bound.Certificate // the proofs last given to the door
	judgedV *bound.Certificate
	rowLow  float64 // numbers of the last row of the trace
	rowBest float64
	rows    int

	allow []float64 // what the search's limits are raised by, see bound.Settings
	yield func(solve.Progress) bool
	loose solve.Best // the best policy that meets the limits within the tolerance only
	found bool       // the search for a policy has come to its end
	left  bool       // yield has said no: nothing may be yielded any more
}

// run searches, proves what values prove, then closes in by boxes of policies,
// each with records in between, and ends with what may be claimed.
func run(ev *evaluate.Evaluator, s solve.Settings) iter.Seq[solve.Progress] {
	return func(yield func(solve.Progress) bool) {
		r := &runner{ev: ev, m: ev.M, set: s, p: nothing(), told: math.Inf(1), door: newDoor(ev.M, s), yield: yield}
		r.door.missed = min(r.door.missed, mostMissed)
		resumed := r.resume()
		if solve.Large(r.m) {
			r.wide()
		} else {
			r.closely(resumed)
		}
		if r.left {
			return
		}
		if r.search != nil && endingOf(s) == late { // a tree in progress bounds too
			r.search.Publish()
			r.judge(r.tell)
			if r.left {
				return
			}
		}
		if r.local != nil {
			ev.KeepKernels(0)
		}
		r.p.Memory, r.p.Share = r.memory, nil
		r.door.conclude(&r.p, endingOf(s), r.tell)
		if !r.left {
			r.p.Policy, r.p.Objective, r.p.MaxViolation = r.p.Best.Policy, r.p.Best.Objective, r.p.Best.MaxViolation
			r.p.Step, r.p.K = true, r.rows
			yield(r.p)
		}
	}
}

// closely searches and proves with all that a small model allows.
func (r *runner) closely(resumed bool) {
	if !resumed {
		r.meet(r.m.ClonePolicy(r.set.InitialPolicy))
		r.values(nil)
	}
	if r.going() && !r.over() && !r.found {
		r.find()
	}
	if r.going() && !r.closed() && r.search == nil && r.m.Kernels == nil {
		r.values(r.p.Best.Policy)
	}
	if !r.p.Best.Feasible && r.loose.Policy != nil {
		r.p.Best = r.loose
	}
	if r.going() && !r.closed() {
		r.prove()
	}
}

// values lets one value function prove what it can; policies met count.
func (r *runner) values(policy []float64) {
	r.p.Step = false
	r.door.byValues(r.ev, policy, r.meet, r.tick)
}

// meet takes in a policy met on the way, if it is the best so far. One that
// meets the limits only within the tolerance waits until no other is found.
func (r *runner) meet(pi []float64) {
	b := r.door.prefer(r.ev, &r.p.Best, pi)
	r.p.Evaluations = r.ev.Count
	if b.Feasible {
		return
	}
	if b = r.door.evaluated(r.ev, pi, 0.9*r.door.missed); b.Feasible && b.Beats(&r.loose) {
		b.Policy = slices.Clone(pi)
		r.loose = b
	}
}

// tell yields a record of now; false when whoever pulls has left.
func (r *runner) tell() bool {
	if r.left {
		return false
	}
	r.door.pass(&r.p)
	r.left = !r.yield(r.door.held(r.p))
	return !r.left
}

// tick is tell for work that ends when it is asked to.
func (r *runner) tick() bool { return r.tell() && r.going() }

// going reports whether there is somebody who wants more.
func (r *runner) going() bool { return !r.left && !r.set.Asked() }

// over reports whether the gap asked for is reached: that of the objective or,
// when no policy is feasible, that of the least violation.
func (r *runner) over() bool {
	best := &r.p.Best
	if r.door.infeasible != nil && !best.Feasible {
		return best.MaxViolation-r.door.least <= r.set.Gap*best.MaxViolation
	}
	return best.Feasible && best.Objective-r.door.bound <= r.set.Gap*math.Abs(best.Objective) || r.closed()
}

// closed reports whether nothing is left of the gap.
func (r *runner) closed() bool {
	best := &r.p.Best
	return best.Feasible && best.Objective-r.door.bound <= r.door.closed*r.m.GapScale(best.Objective)/4
}

// A proof may take cheap work, in numbers read or written, whatever gap was asked
// for: many small problems are closed in the blink of an eye. Each box counts as
// much as the records about it.
const (
	cheap     = 1e8
	boxRecord = 1e6
)

// mostMemory is the size above which what is saved of a run leaves out the tree
// of the target being worked on: the bound proved so far is kept, and the
// target is begun again.
const mostMemory = 16 << 20

// memory is what a later run needs as bytes: whether the search for a policy was
// over, the proofs accepted and the state of the search for more, when there is one.
func (r *runner) memory() []byte {
	proofs := bound.State{LowerBound: math.NaN(), Proof: r.door.source.proof, ViolationProof: r.door.source.infeasible, Target: math.NaN()}
	b := []byte{0}
	if r.found {
		b[0] = 1
	}
	b = block(b, proofs.Bytes())
	if r.search == nil {
		return b
	}
	st := r.search.State()
	state := st.Bytes()
	if len(state) > mostMemory {
		st.Tree, st.Open, st.Tensors, st.Target, st.Relax = nil, nil, nil, math.NaN(), 0
		state = st.Bytes()
	}
	return append(b, state...)
}

// block appends bytes with their length before them; unblock is its inverse.
func block(b, part []byte) []byte {
	return append(binary.LittleEndian.AppendUint32(b, uint32(len(part))), part...)
}

func unblock(b []byte) (part, rest []byte, ok bool) {
	if len(b) < 4 || uint64(binary.LittleEndian.Uint32(b)) > uint64(len(b)-4) {
		return nil, nil, false
	}
	n := 4 + int(binary.LittleEndian.Uint32(b))
	return b[4:n], b[n:], true
}

// resume goes on where an earlier run was left, when it had begun its proof:
// with its best policy and with those of its proofs that still convince.
func (r *runner) resume() bool {
	from := r.set.Resume
	if from == nil || from.Best.Policy == nil || r.set.Memory == nil {
		return false
	}
	if len(r.set.Memory) == 0 {
		return false
	}
	first, rest, ok := unblock(r.set.Memory[1:])
	if !ok {
		return false
	}
	proofs, err := bound.ReadState(first)
	if err != nil {
		return false
	}
	var st bound.State
	if len(rest) > 0 {
		if st, err = bound.ReadState(rest); err != nil {
			return false
		}
		if r.search, err = bound.Restore(r.m, r.settings(nil), st); err != nil {
			r.search = nil
			return false
		}
		r.allow = st.Allow
	}
	r.p, r.found = *from, r.set.Memory[0] == 1
	r.p.Evaluations, r.p.Iterations, r.p.Step, r.p.Status = 0, 0, false, solve.Running
	r.p.Best.Policy = append([]float64(nil), from.Best.Policy...)
	r.p.Nodes = st.Nodes
	r.rows = from.K + 1
	for _, c := range []*bound.Certificate{proofs.Proof, proofs.ViolationProof, st.Proof, st.ViolationProof} {
		if r.going() {
			r.door.offer(c, r.tick)
		}
	}
	r.judged, r.judgedV = st.Proof, st.ViolationProof
	return true
}

// settings are those of the search for a bound.
func (r *runner) settings(kernels []bound.Kernel) bound.Settings {
	return bound.Settings{Gap: r.set.Gap, Record: true, Kernels: kernels, Allow: r.allow, Violation: true}
}

// find runs the search for a policy and passes its records on.
func (r *runner) find() {
	alg, _ := solve.Find("slp")
	s := alg.Defaults()
	s.Starts, s.Seed, s.InitialPolicy = r.set.Starts, r.set.Seed, r.set.InitialPolicy
	base := r.p.Iterations
	for p := range alg.Run(r.ev, s) {
		p.Iterations += base
		final, best := p.Status != solve.Running, r.p.Best
		r.p = p
		if r.p.Status = solve.Running; best.Beats(&r.p.Best) {
			r.p.Best = best
		}
		if p.Step {
			r.rows = p.K + 1
		}
		r.found = final
		if final || !r.tell() || r.set.Asked() {
			break
		}
	}
	r.p.Best.Policy = slices.Clone(r.p.Best.Policy)
}

// mostAfter is how many boxes are spent on the least violation once it is proved
// that no policy is feasible: that is the answer, the rest is a kindness.
const mostAfter = 200

// prove closes in by boxes of policies until the gap is closed.
func (r *runner) prove() {
	r.rowLow, r.rowBest = r.p.LowerBound, r.p.Best.Objective
	if r.search == nil {
		r.allow = r.missing()
		kernels, err := r.choose()
		if r.left {
			return
		}
		if err == nil {
			r.search, err = bound.New(r.m, r.settings(kernels))
		}
		if err != nil {
			r.p.Note = join(r.p.Note, fmt.Sprintf("No lower bound: %s.", strings.TrimPrefix(err.Error(), "bound: ")))
			return
		}
		r.search.Proved(r.door.bound)
	}
	r.local = solve.NewLocal(r.ev)
	r.p.Memory, r.p.Share = r.memory, r
	r.inform()
	last := 0 // boxes when it was not proved that no policy is feasible
	for q := range r.search.Run() {
		r.p.Nodes, r.p.Threshold, r.p.Waiting = q.Nodes, q.Target, q.Waiting
		r.p.Open, r.p.Rest = q.OpenNodes, q.Rest
		r.judge(r.tick)
		if q.PointID != r.point {
			r.point = q.PointID
			r.polish(q.Point)
			if r.going() {
				r.refine(q)
			}
		}
		if r.door.infeasible == nil || r.p.Best.Feasible {
			last = q.Nodes
		}
		switch {
		case !r.going() || !r.row() || r.closed() || q.Nodes > last+mostAfter:
			return
		case r.over() && q.Work+boxRecord*int64(q.Nodes) >= cheap || q.Done && !r.over():
			return
		case q.Done:
			r.search.Narrow(0)
		}
	}
}

// missing is what the search is to allow for when the best policy meets a limit
// only within the tolerance: the whole of it. Nil otherwise.
func (r *runner) missing() (allow []float64) {
	if !r.p.Best.Feasible {
		return nil
	}
	r.ev.Evaluate(r.p.Best.Policy)
	for n := 1; n <= r.m.N; n++ {
		if r.ev.J[n]+r.ev.ErrorBound[n] > r.m.B[n] {
			if allow == nil {
				allow = make([]float64, r.m.N)
			}
			allow[n-1] = r.door.missed * r.m.Scale(n, r.m.B[n])
		}
	}
	return allow
}

// judge gives new proofs to the door.
func (r *runner) judge(more func() bool) {
	if c := r.search.Certificate(); c != r.judged {
		r.judged = c
		r.door.offer(c, more)
	}
	if c := r.search.ViolationCertificate(); c != r.judgedV {
		r.judgedV = c
		r.door.offer(c, more)
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
	r.ev.Evaluate(b.Policy)
	v := math.Inf(-1)
	for n := 1; n <= r.m.N; n++ {
		v = math.Max(v, r.ev.J[n]+r.ev.ErrorBound[n]-r.m.B[n])
	}
	r.search.Incumbent(r.ev.J[0]+r.ev.ErrorBound[0], v, b.Feasible)
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
		r.p.Evaluations, r.p.Iterations = q.Evaluations, before+q.Iterations
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
// where its own best policy costs less than what was found, that policy's worst
// kernels join, until the finite problem costs as much as the whole set.
func (r *runner) choose() ([]bound.Kernel, error) {
	if r.m.Kernels != nil {
		return nil, nil
	}
	policies := [][]float64{r.m.ClonePolicy(r.p.Best.Policy)}
	for range 8 {
		kernels, err := bound.Subset(r.ev, policies)
		if err != nil {
			return nil, err
		}
		if len(kernels) == 0 || len(kernels) >= mostKernels || kernels[0].Penalty != nil {
			return kernels, nil
		}
		// The finite problem, from the policies known and the uniform one.
		ev, err := evaluate.New(r.finite(kernels))
		if err != nil {
			return kernels, nil
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
		if !found.Feasible || found.Objective >= r.p.Best.Objective-0.1*r.set.Gap*math.Abs(r.p.Best.Objective)-r.door.closed*r.m.GapScale(r.p.Best.Objective) {
			return kernels, nil
		}
		policies = append(policies, append([]float64(nil), found.Policy...))
	}
	return bound.Subset(r.ev, policies)
}

// refine adds members of an infinite set when those in use cannot prove the
// target: a policy that meets it under all of them is sought from the point of
// the relaxation, and what is worst for that policy joins. The regularised set
// has no finite problem of the same form, so its members are those worst for
// the points themselves, now and then.
func (r *runner) refine(q bound.Progress) {
	members := r.search.Members()
	if r.m.Kernels != nil || len(members) == 0 || len(members) >= mostKernels || q.Stage != bound.Ladder {
		return
	}
	policy := q.Point
	if members[0].Penalty == nil {
		if r.small == nil || r.members != len(members) {
			ev, err := evaluate.New(r.finite(members))
			if err != nil {
				return
			}
			r.small, r.members = solve.NewLocal(ev), len(members)
		}
		from := append([]float64(nil), q.Point...)
		r.m.Project(from)
		b := r.descend(r.small, from)
		if !b.Feasible || b.Objective > q.Target {
			return
		}
		policy = b.Policy
	} else if q.Nodes < r.nodes+8 {
		return
	}
	r.nodes = q.Nodes
	if worst, err := bound.Worst(r.ev, policy); err == nil {
		// A kernel list that does not fit leaves the search as it is.
		_, _ = r.search.Extend(worst)
	}
}

// finite is the problem with the given kernels as its set.
func (r *runner) finite(kernels []bound.Kernel) *model.Standard {
	m, p := *r.m, *r.m.Problem
	p.Uncertainty = model.Uncertainty{Kind: model.Finite}
	m.Problem = &p
	for _, k := range kernels {
		m.Kernels = append(m.Kernels, model.NewKernel(m.S, k.Rows))
	}
	return &m
}
