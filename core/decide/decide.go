// Package decide is the default method: it searches for the best policy and
// proves how far from the best it can at most be, each side helping the other.
// The search is sequential LP from many starts (package solve); the proof is
// the ladder of package bound, whose relaxations suggest further starts; what
// is claimed at the end is what package certify accepts.
//
// Algorithms lists every method, each behind the same door (claim.go), which alone
// writes status, bounds and certificates: whatever a method found, a reply claims
// what the checker accepted. Method is the default one, Part works on a part of its
// proof elsewhere, Adopt offers what was found for a neighbour. The only room that
// may import solve, bound and certify together.
package decide

import (
	"iter"
	"math"
	"slices"

	"rcmdplab/core/bound"
	"rcmdplab/core/evaluate"
	"rcmdplab/core/proof"
	"rcmdplab/core/solve"
)

// Algorithms lists every method, the default one first.
func Algorithms() []solve.Algorithm {
	all := []solve.Algorithm{fitting(Method)}
	for _, a := range solve.Algorithms() {
		all = append(all, checked(fitting(a)))
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
	Shape: solve.Search,
	Solves: "Any model. A local search from many starts, and a lower bound that closes in on it by branch and bound: " +
		"exact in the end on small problems, an interval that shrinks with time on others.",
	Options: []solve.Option{
		{Name: "gap", Type: "number", Default: 0.01, Min: 0, Max: 1, Help: "Stop when the policy found is within this share of the proved bound, or closer where that takes a moment only; 0 goes on to rounding accuracy."},
		{Name: "timeLimit", Type: "number", Default: 30, Min: 0, Max: 1e6, Help: "Stop after so many seconds of the clock, whatever share of a processor there was; the run can be continued. 0 is no limit."},
		{Name: "starts", Type: "integer", Default: 40, Min: 1, Max: 100000, Help: "Starting policies of the search, before the proof begins."},
		{Name: "seed", Type: "seed", Default: 1, Min: 0, Max: 1 << 53, Help: "Seed of the random starting policies."},
		{Name: "initialPolicy", Type: "policy", Help: "The first start; uniform when not given."},
		{Name: "tolerance", Type: "number", Default: 1e-7, Min: 0, Max: 1e-3, Help: "A gap up to this share of the objective's size is called closed, a ten-millionth at most; a limit may be missed by 1e-9 of its own."},
	},
	Deterministic: true,
	Averages:      true,
	Run:           run,
	Shares:        true,
	Concludes:     true,
	Resumes:       true,
}

// runner is a run of the default method.
type runner struct {
	teller
	table
	seeking
	proving
	resumed bool // it goes on where another was left
}

// table is the trace so far.
type table struct {
	rows    int     // of them
	rowLow  float64 // the bound in the last one
	rowBest float64 // the objective of the best policy there
}

// seeking is the search for a policy.
type seeking struct {
	own   []float64  // the best policy of a method that runs on
	loose solve.Best // the best policy that meets the limits within the tolerance only
	found bool       // the search has come to its end
	fixes bool       // a policy is being mended
}

// proving is the search for a bound.
type proving struct {
	search   *bound.Search // by boxes; nil before it begins
	allow    []float64     // what its limits are raised by, see bound.Settings
	local    *solve.Local  // polishes what its relaxations suggest
	point    int           // PointID last seen
	polishes int           // boxes before which no point is polished
	told     float64       // objective last told to it
	valued   float64       // the best policy's objective when values were last found at its worst kernels
	turns    turns
	members  members
	checks   checks
}

// turns are those of the proof while a policy is sought.
type turns struct {
	ev   *evaluate.Evaluator // of the proof, which may be worked on while the run's is busy; nil before
	busy bool                // the run's is in the middle of the search
	next int                 // starts of the search after which the proof is next worked on
}

// members are those of an infinite set that the proof uses.
type members struct {
	small *solve.Local // of the finite problem made of them
	count int          // how many they were then
	nodes int          // boxes when one was last added
}

// checks are what the checker has seen of the proof.
type checks struct {
	lower     *proof.Claim // last given to the door
	violation *proof.Claim // of the least violation
	follows   int          // boxes at which the checker follows again
	refused   bool         // it has refused one, and no more is sought by boxes
}

// run searches, proves what values prove, then closes in by boxes of policies,
// each with records in between, and ends with what may be claimed.
func run(ev *evaluate.Evaluator, s solve.Settings) iter.Seq[solve.Progress] {
	return func(yield func(solve.Progress) bool) {
		newRunner(ev, s, yield).run()
	}
}

func newRunner(ev *evaluate.Evaluator, s solve.Settings, yield func(solve.Progress) bool) *runner {
	r := &runner{teller: newTeller(ev, s, yield), proving: proving{told: math.Inf(1), valued: math.NaN(), turns: turns{next: 2}}}
	r.door.missed = min(r.door.missed, mostMissed)
	r.resumed = r.resume()
	return r
}

func (r *runner) run() {
	for _, stage := range r.stages() {
		if !r.left && stage.due() && !r.part(r.ev, stage.work) {
			r.search = nil // its state may be torn
		}
	}
	if r.going() && r.m.Total() && r.door.lower == nil {
		r.part(r.ev, r.earns)
	}
	r.part(r.ev, r.last)
	if r.left {
		return
	}
	if r.conclude(); !r.left {
		r.p.Policy, r.p.Objective, r.p.MaxViolation = r.p.Best.Policy, r.p.Best.Objective, r.p.Best.MaxViolation
		r.p.Step, r.p.K = true, r.rows
		r.send(r.p)
	}
}

// stage is a part of the method, which is worked on where it is due.
type stage struct {
	due  func() bool
	work func()
}

// stages are the parts in their order. Who asks for the end before the first still gets
// a policy.
func (r *runner) stages() []stage {
	short := func() bool { return r.going() && !r.over() }
	open := func() bool { return r.going() && !r.near() }
	if r.m.Averaged() || r.m.Problem.Deterministic {
		return []stage{
			{func() bool { return len(r.door.unheard) > 0 }, r.hear},
			{func() bool { return true }, r.first},
			{func() bool { return open() && !r.m.Problem.Deterministic && !r.found }, r.find},
			{open, r.plans},
		}
	}
	heard := stage{func() bool { return len(r.door.unheard) > 0 }, r.hear}
	if solve.Large(r.m) {
		return []stage{heard,
			{func() bool { return true }, r.wide},
			{short, r.apart},
			{func() bool { return short() && bound.Reaches(r.m) }, r.prove},
		}
	}
	return []stage{heard,
		{func() bool { return !r.resumed }, r.first},
		{func() bool { return open() && !r.found }, r.find},
		{func() bool { return open() && (r.search == nil || !r.resumed) }, r.priced},
		{func() bool { return open() && r.m.Total() && r.found && !r.p.Best.Feasible && !r.impossible() }, r.vain},
		{open, r.prove},
		{func() bool { return open() && r.m.Total() && r.m.Rectangular() }, r.apart},
		{func() bool { return open() && !r.over() && r.m.Total() && len(r.m.Kernels) > 1 }, r.mixtures},
	}
}

// first evaluates the policy to begin with and lets values prove what they can.
func (r *runner) first() {
	from := r.m.ClonePolicy(r.set.InitialPolicy)
	if r.m.Problem.Deterministic {
		from = single(r.m, from)
	}
	r.meet(from)
	r.values(nil)
}

// last gives the door what a search that was asked to end has proved, and the checker
// what helps it with the policy.
func (r *runner) last() {
	r.loosen()
	if r.search != nil && r.set.Asked() && !r.left {
		if endingOf(r.set) == late { // a tree in progress bounds too
			r.search.Publish()
		}
		r.judge(patience(r.set, r.m, r.tell))
	}
	r.ev.Pace(r.tell)
	r.suggest()
	r.ev.Pace(nil)
	if r.local != nil {
		r.ev.KeepKernels(0)
	}
	r.p.Memory, r.p.Share = r.memory, nil
}

// loosen takes a policy that meets the limits within the tolerance where no other was found.
func (r *runner) loosen() {
	if !r.p.Best.Feasible && r.loose.Policy != nil {
		r.p.Best = r.loose
	}
}

// values lets one value function prove what it can; policies met count.
func (r *runner) values(policy []float64) {
	r.p.Step = false
	r.dual.prove(r.idle(), policy, r.meet, r.tick)
}

// meet takes in a policy met on the way, if it is the best so far. One that
// meets the limits only within the tolerance waits until no other is found.
func (r *runner) meet(pi []float64) {
	b := r.door.prefer(r.idle(), &r.p.Best, pi)
	r.p.Evaluations = r.evaluations()
	if b.Feasible {
		return
	}
	r.mend(pi)
	if b = r.door.evaluated(r.idle(), pi, 0.9*r.door.missed); b.Feasible && b.Beats(&r.loose) {
		b.Policy = slices.Clone(pi)
		r.loose = b
	}
}

// over reports whether the gap asked for is reached: that of the objective or,
// when no policy is feasible, that of the least violation.
func (r *runner) over() bool {
	best := &r.p.Best
	if r.door.infeasible != nil && !best.Feasible {
		return best.MaxViolation-r.door.infeasible.Relax <= r.set.Gap*best.MaxViolation
	}
	return best.Feasible && best.Objective-r.door.bound() <= r.set.Gap*math.Abs(best.Objective) || r.near()
}

// near reports whether nothing is left of the gap.
func (r *runner) near() bool {
	best := &r.p.Best
	return best.Feasible && best.Objective-r.door.bound() <= r.door.none*r.m.GapScale(best.Objective)/4
}

// A proof may take cheap work, in numbers read or written, whatever gap was asked
// for: many small problems are closed in the blink of an eye. Each box counts as
// much as the records about it.
const (
	cheap     = 1e8
	boxRecord = 1e6
)

// find runs the search for a policy and passes its records on, the proof having its
// turns. Within the gap asked for it goes on while it is cheap: a bound found at once
// says nothing of how good the policy is that was met beside it.
func (r *runner) find() {
	alg, _ := solve.Find("slp")
	s := alg.Defaults()
	s.Starts, s.Seed, s.InitialPolicy = r.set.Starts, r.set.Seed, r.set.InitialPolicy
	first, own := r.rows, int64(0) // rows before its own; of the iterations, its own so far
	var at []float64               // where the start in progress is
	for p := range alg.Run(r.ev, s) {
		was := &r.p
		p.Iterations, own = was.Iterations+p.Iterations-own, p.Iterations
		p.K, p.Joined, p.Nodes, p.Memory = first+p.K, was.Joined, was.Nodes, was.Memory
		final := p.Status != solve.Running
		r.take(p)
		r.p.Status, r.p.Evaluations = solve.Running, r.evaluations()
		if p.Step {
			r.rows = p.K + 1
		}
		r.found = final
		if final || !r.tell() || r.set.Asked() || r.search == nil && (r.near() || r.over() && r.ev.Work()*float64(r.ev.Count) > cheap) {
			break
		}
		if p.Step {
			r.p.Step = false
			r.mend(at)
			r.beside(p.K + 1 - first)
		} else {
			at = p.Policy
		}
	}
}

// take makes p the record that goes out next, with the better of the two best
// policies: what is best to a method, where violations are shares of their limits'
// sizes, need not be here.
func (r *runner) take(p solve.Progress) {
	best := r.p.Best
	if r.p = p; best.Beats(&p.Best) {
		r.p.Best = best
	} else {
		r.own = kept(&r.p, r.own)
	}
}
