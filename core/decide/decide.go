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
	"rcmdplab/core/model"
	"rcmdplab/core/proof"
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
	Shape: solve.Search,
	Solves: "Any model. A local search from many starts, and a lower bound that closes in on it by branch and bound: " +
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

type runner struct {
	ev   *evaluate.Evaluator
	m    *model.Standard
	set  solve.Settings // the person's settings
	p    solve.Progress // the record that goes out next
	door *door          // says what may be claimed

	search  *bound.Search       // for a bound by boxes; nil before it begins
	local   *solve.Local        // polishes what the relaxations suggest
	aside   *evaluate.Evaluator // of the proof, which may be worked on while ev is busy; nil before
	busy    bool                // ev is in the middle of the search
	pause   int                 // starts of the search after which the proof is next worked on
	valued  float64             // the best policy's objective when values were last found at its worst kernels
	point   int                 // PointID last polished
	small   *solve.Local        // of the finite problem made of the members in use
	members int                 // how many they were then
	nodes   int                 // boxes when a member was last added
	told    float64             // objective last told to the bound
	follows int                 // boxes at which the checker follows the proof again
	judged  *proof.Claim        // the proofs last given to the door
	judgedV *proof.Claim        // of the least violation
	rowLow  float64             // numbers of the last row of the trace
	rowBest float64             // the objective of the best policy there
	rows    int                 // of the trace so far

	allow []float64  // what the search's limits are raised by, see bound.Settings
	guard            // of whoever pulls, and of crashes
	own   []float64  // the best policy of a method that runs on
	loose solve.Best // the best policy that meets the limits within the tolerance only
	found bool       // the search for a policy has come to its end
	left  bool       // yield has said no: nothing may be yielded any more
}

// run searches, proves what values prove, then closes in by boxes of policies,
// each with records in between, and ends with what may be claimed.
func run(ev *evaluate.Evaluator, s solve.Settings) iter.Seq[solve.Progress] {
	return func(yield func(solve.Progress) bool) {
		r := &runner{ev: ev, m: ev.M, set: s, p: nothing(), told: math.Inf(1), valued: math.NaN(), pause: 2, door: newDoor(ev.M, s), guard: guard{pull: yield}}
		r.door.missed = min(r.door.missed, mostMissed)
		r.door.recall(s.Proofs)
		resumed := r.resume()
		r.part(ev, func() { r.door.hear(func() func() bool { return r.tick }) })
		if solve.Large(r.m) {
			r.part(ev, r.wide)
		} else {
			r.closely(resumed)
		}
		if r.left {
			return
		}
		if r.search != nil && r.set.Asked() {
			r.part(ev, r.last)
		}
		if r.left {
			return
		}
		if r.local != nil {
			ev.KeepKernels(0)
		}
		r.p.Memory, r.p.Share = r.memory, nil
		r.conclude(r.door, ev, &r.p, s, r.tell)
		if !r.left {
			r.p.Policy, r.p.Objective, r.p.MaxViolation = r.p.Best.Policy, r.p.Best.Objective, r.p.Best.MaxViolation
			r.p.Step, r.p.K = true, r.rows
			yield(r.p)
		}
	}
}

// last gives the door what a search that was asked to end has proved.
func (r *runner) last() {
	if endingOf(r.set) == late { // a tree in progress bounds too
		r.search.Publish()
	}
	r.judge(patience(r.set, r.m, r.tell))
}

// closely searches and proves with all that a small model allows.
func (r *runner) closely(resumed bool) {
	if !resumed {
		r.part(r.ev, func() {
			r.meet(r.m.ClonePolicy(r.set.InitialPolicy))
			r.values(nil)
		})
	}
	if r.going() && !r.closed() && !r.found {
		r.part(r.ev, r.find)
	}
	if r.going() && !r.closed() && (r.search == nil || !resumed) {
		r.part(r.ev, r.priced)
	}
	if !r.p.Best.Feasible && r.loose.Policy != nil {
		r.p.Best = r.loose
	}
	if r.going() && !r.closed() && !r.part(r.ev, r.prove) {
		r.search = nil // its state may be torn
	}
}

// values lets one value function prove what it can; policies met count.
func (r *runner) values(policy []float64) {
	r.p.Step = false
	r.door.byValues(r.idle(), policy, r.meet, r.tick)
}

// meet takes in a policy met on the way, if it is the best so far. One that
// meets the limits only within the tolerance waits until no other is found.
func (r *runner) meet(pi []float64) {
	b := r.door.prefer(r.idle(), &r.p.Best, pi)
	r.p.Evaluations = r.evaluations()
	if b.Feasible {
		return
	}
	if b = r.door.evaluated(r.idle(), pi, 0.9*r.door.missed); b.Feasible && b.Beats(&r.loose) {
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
		return best.MaxViolation-r.door.infeasible.Relax <= r.set.Gap*best.MaxViolation
	}
	return best.Feasible && best.Objective-r.door.bound() <= r.set.Gap*math.Abs(best.Objective) || r.closed()
}

// closed reports whether nothing is left of the gap.
func (r *runner) closed() bool {
	best := &r.p.Best
	return best.Feasible && best.Objective-r.door.bound() <= r.door.closed*r.m.GapScale(best.Objective)/4
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
		if final || !r.tell() || r.set.Asked() || r.search == nil && (r.closed() || r.over() && r.ev.Work()*float64(r.ev.Count) > cheap) {
			break
		}
		if p.Step {
			r.p.Step = false
			r.beside(p.K + 1 - first)
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

// kept copies the best policy of a record into own, which is returned: the method
// that made the record writes the next best over it.
func kept(p *solve.Progress, own []float64) []float64 {
	if p.Best.Policy != nil {
		own = append(own[:0], p.Best.Policy...)
		p.Best.Policy = own
	}
	return own
}
