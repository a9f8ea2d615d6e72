// Package decide is the default method: it searches for the best policy and
// proves how far from the best it can at most be, each side helping the other.
// The search is sequential LP from many starts (package solve); the proof is
// the ladder of package bound, whose relaxations suggest further starts; what
// is claimed at the end is what package certify accepts.
package decide

import (
	"fmt"
	"iter"
	"math"
	"strings"

	"rcmdplab/core/bound"
	"rcmdplab/core/certify"
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
		{Name: "gap", Type: "number", Default: 0.01, Min: 0, Max: 1, Help: "Stop when the policy found is within this share of the proved bound; 0 goes on to rounding accuracy."},
		{Name: "timeLimit", Type: "number", Default: 30, Min: 0, Max: 1e6, Help: "Stop after so many seconds; the run can be continued. 0 is no limit."},
		{Name: "starts", Type: "integer", Default: 40, Min: 1, Max: 100000, Help: "Starting policies of the search, before the proof begins."},
		{Name: "seed", Type: "seed", Default: 1, Min: 0, Max: 1 << 53, Help: "Seed of the random starting policies."},
		{Name: "initialPolicy", Type: "policy", Help: "The first start; uniform when not given."},
		{Name: "tolerance", Type: "number", Default: 1e-7, Min: 0, Max: 1e-3, Help: "A gap up to this share of the objective's range of returns is called closed."},
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
	unit float64 // range of returns of the objective

	search  *bound.Search
	local   *solve.Local
	point   int          // PointID last polished
	small   *solve.Local // of the finite problem made of the members in use
	members int          // how many they were then
	nodes   int          // boxes when a member was last added
	told    float64      // objective last told to the bound
	rowLow  float64      // numbers of the last row of the trace
	rowBest float64
	rows    int
}

func run(ev *evaluate.Evaluator, s solve.Settings) iter.Seq[solve.Progress] {
	return func(yield func(solve.Progress) bool) {
		r := &runner{ev: ev, m: ev.M, set: s, told: math.Inf(1)}
		lo, hi := r.m.Bounds(0)
		r.unit = (hi - lo) * r.m.H
		if !(r.unit > 0) {
			r.unit = math.Max(1, math.Abs(hi)*r.m.H)
		}
		if !r.resume() && !r.find(yield) || !r.prove(yield) {
			return
		}
		left := false
		r.conclude(func() bool {
			left = !yield(r.p)
			return !left
		})
		if !left {
			yield(r.p)
		}
	}
}

// mostMemory is the size above which what is saved of a run leaves out the tree
// of the target being worked on: the bound proved so far is kept, and the
// target is begun again.
const mostMemory = 16 << 20

// memory is the state of the proof as bytes.
func (r *runner) memory() []byte {
	st := r.search.State()
	b := st.Bytes()
	if len(b) > mostMemory {
		st.Tree, st.Open, st.Target, st.Relax = nil, nil, math.NaN(), 0
		b = st.Bytes()
	}
	return b
}

// resume goes on where an earlier run was left, when it had begun its proof.
func (r *runner) resume() bool {
	from := r.set.Resume
	if from == nil || from.Best.Policy == nil || r.set.Memory == nil {
		return false
	}
	st, err := bound.ReadState(r.set.Memory)
	if err != nil {
		return false
	}
	if r.search, err = bound.Restore(r.m, r.settings(nil), st); err != nil {
		r.search = nil
		return false
	}
	r.p = *from
	r.p.Evaluations, r.p.Iterations, r.p.Step, r.p.Status = 0, 0, false, solve.Running
	r.p.Best.Policy = append([]float64(nil), from.Best.Policy...)
	r.p.LowerBound, r.p.Nodes = st.LowerBound, st.Nodes
	r.p.ProvedInfeasible, r.p.ViolationBound = st.Infeasible, st.ViolationLower
	r.rows = from.K + 1
	return true
}

// settings are those of the bound.
func (r *runner) settings(kernels []bound.Kernel) bound.Settings {
	return bound.Settings{Gap: r.set.Gap, Record: true, Kernels: kernels, Violation: true}
}

// find runs the search and passes its records on.
func (r *runner) find(yield func(solve.Progress) bool) bool {
	alg, _ := solve.Find("slp")
	s := alg.Defaults()
	s.Starts, s.Seed, s.InitialPolicy = r.set.Starts, r.set.Seed, r.set.InitialPolicy
	for p := range alg.Run(r.ev, s) {
		final := p.Status != solve.Running
		r.p = p
		r.p.Status = solve.Running
		r.p.LowerBound = math.Inf(-1) // only bounds with a certificate are shown
		if p.Step {
			r.rows = p.K + 1
		}
		if final {
			return true
		}
		if !yield(r.p) {
			return false
		}
		if r.asked() {
			return true
		}
	}
	return true
}

// asked reports whether whoever pulls wants the end.
func (r *runner) asked() bool { return r.set.Stop != nil && *r.set.Stop }

// prove runs the bound until its gap is closed. It reports false when left.
func (r *runner) prove(yield func(solve.Progress) bool) bool {
	r.p.Step = false
	if r.asked() {
		return true
	}
	r.rowLow, r.rowBest = r.p.LowerBound, r.p.Best.Objective
	if r.search == nil {
		kernels, err := r.choose(yield)
		if err == nil {
			r.search, err = bound.New(r.m, r.settings(kernels))
		}
		if err != nil {
			r.p.Note = join(r.p.Note, fmt.Sprintf("No lower bound: %s.", strings.TrimPrefix(err.Error(), "bound: ")))
			return true
		}
	}
	r.local = solve.NewLocal(r.ev)
	r.p.Memory, r.p.Share = r.memory, r
	r.tell()
	for q := range r.search.Run() {
		r.take(q)
		if q.PointID != r.point && q.Stage != bound.Violation {
			r.point = q.PointID
			if !r.polish(q.Point, yield) {
				return false
			}
			r.refine(q)
		}
		if q.Done || r.asked() {
			break
		}
		if !r.yieldRow(yield) {
			return false
		}
	}
	return true
}

// yieldRow yields a record: a row of the trace when the interval has changed.
func (r *runner) yieldRow(yield func(solve.Progress) bool) bool {
	r.p.Step = r.p.LowerBound != r.rowLow || r.p.Best.Objective != r.rowBest && r.p.Best.Feasible
	if r.p.Step {
		r.p.K = r.rows
		r.rows++
		r.rowLow, r.rowBest = r.p.LowerBound, r.p.Best.Objective
		r.p.Policy, r.p.Objective, r.p.MaxViolation = r.p.Best.Policy, r.p.Best.Objective, r.p.Best.MaxViolation
	}
	ok := yield(r.p)
	r.p.Step = false
	return ok
}

// take copies what the bound knows.
func (r *runner) take(q bound.Progress) {
	r.p.LowerBound = math.Max(r.p.LowerBound, q.LowerBound)
	r.p.Nodes, r.p.Threshold, r.p.Waiting = q.Nodes, q.Target, q.Waiting
	r.p.ProvedInfeasible, r.p.ViolationBound = q.Infeasible, q.ViolationLower
}

// tell gives the bound the best policy known, rounded up by its error.
func (r *runner) tell() {
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
func (r *runner) polish(pi []float64, yield func(solve.Progress) bool) bool {
	if pi == nil {
		return true
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
		if q.Status != solve.Running {
			break
		}
		if !yield(r.p) {
			return false
		}
		if r.asked() {
			break
		}
	}
	r.tell()
	return true
}

// choose chooses the members of an infinite set to bound with, by outer
// approximation: the worst kernels of the best policy make a finite problem;
// where its own best policy costs less than what was found, that policy's worst
// kernels join, until the finite problem costs as much as the whole set.
func (r *runner) choose(yield func(solve.Progress) bool) ([]bound.Kernel, error) {
	if r.m.Kernels != nil || r.p.Best.Policy == nil {
		return nil, nil
	}
	policies := [][]float64{append([]float64(nil), r.p.Best.Policy...)}
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
			if b := local.Polish(start); b.Feasible && b.Objective < found.Objective {
				found = b
			}
			if !yield(r.p) {
				return kernels, nil
			}
		}
		if !found.Feasible || found.Objective >= r.p.Best.Objective-0.1*r.set.Gap*math.Abs(r.p.Best.Objective)-r.set.Tolerance*r.unit {
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
		b := r.small.Polish(from)
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

// conclude is the last record: what was found and proved, as far as the
// independent checker accepts it.
func (r *runner) conclude(more func() bool) {
	p := &r.p
	p.Step = false
	if r.local != nil {
		r.ev.KeepKernels(0)
	}
	p.Policy, p.Objective, p.MaxViolation = p.Best.Policy, p.Best.Objective, p.Best.MaxViolation
	last := *p
	last.Status = solve.NoFeasibleFound
	if p.Best.Feasible {
		last.Status = solve.Feasible
	}
	if r.search != nil {
		judge(r.m, &last, r.search.Certificate(), r.set.Tolerance*r.unit, more)
	}
	last.Step, last.K = true, r.rows
	*p = last
}

// judge lets the checker decide what may be claimed of a last record: it sets
// the status, the lower bound and the certificate. A gap up to tolerance
// counts as closed. It asks more between the boxes of the proof.
func judge(m *model.Standard, p *solve.Progress, c *bound.Certificate, tolerance float64, more func() bool) {
	if c == nil {
		return
	}
	cert := certificate(c)
	cert.Problem = m.Problem.Hash()
	if report := certify.NewChecker(m.Problem).Check(&cert, nil, more); !report.OK {
		p.LowerBound = math.Inf(-1)
		p.Note = join(p.Note, "The proof found did not pass the independent check, so no bound is claimed: "+last(report.Reasons))
		return
	}
	p.Certificate = cert
	if cert.Infeasible() {
		p.Status, p.ProvedInfeasible = solve.ProvedInfeasible, true
		return
	}
	p.LowerBound = cert.Target
	if !p.Best.Feasible {
		return
	}
	p.Status = solve.Bounded
	exact := certify.Check(m.Problem, certify.Certificate{Target: math.Inf(1)}, p.Best.Policy)
	if !exact.OK {
		p.Note = join(p.Note, "The policy meets the constraints as evaluated, but not beyond all rounding: "+last(exact.Reasons))
		return
	}
	if exact.Objective-p.LowerBound <= tolerance {
		p.Status = solve.ProvedOptimal
	}
}

func last(reasons []string) string {
	if len(reasons) == 0 {
		return "no reason was given."
	}
	return reasons[len(reasons)-1]
}

func join(a, b string) string {
	if a == "" {
		return b
	}
	return a + " " + b
}
