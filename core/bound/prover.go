package bound

import (
	"math"

	"rcmdplab/core/model"
	"rcmdplab/core/proof"
)

// prover is a way to prove targets, by a tree of boxes of policies. It chooses how
// near the next target is, works on its tree, and takes what it proves into what is
// known. Search knows of no more than this.
type prover interface {
	fits() bool                               // the problem is within reach
	open() bool                               // there is a tree
	aim()                                     // begins the tree of the next target with one box: every policy
	work(more func() bool) bool               // until the target is reached, given up or overtaken by what was learnt; false when left
	count(p *Progress)                        // adds what the open tree came to
	widen(before *data)                       // members of an infinite set joined: what is known of the open boxes stays true
	split() (Part, bool)                      // hands out an open box when another remains
	shared() bool                             // a box is handed out
	handed(r PartResult)                      // a box was, before the search was saved, if it is open again
	join(r PartResult) bool                   // takes a box back; false when it is of no use any more
	publish()                                 // takes the proof of what an open tree proves by now
	draft() *proof.Claim                      // of the proof of the open tree, where one is made
	save(st *State)                           // the state of its own
	restore(st *State) (took bool, err error) // the inverse; took reports whether the open tree is its own
}

// known is what a search knows, and the target being worked on.
type known struct {
	m       *model.Standard
	d       *data // of the kernels in use
	set     Settings
	kernels []proof.Kernel // in use; nil for a finite set
	pending []proof.Kernel // given to Extend, not yet taken in

	// What is known: returns of the objective and violations J_n - b_n, discounted
	// totals in the internal convention.
	lower  float64 // no policy that meets the limits has less; -Inf
	upper  float64 // of the best feasible policy known; +Inf
	infeas bool    // proved: no policy meets the limits
	vlower float64 // every policy's largest violation is at least that; -Inf
	excess float64 // least maximal violation known; +Inf
	proof  *proof.Claim
	vproof *proof.Claim // of vlower beyond 0

	// The target being worked on: no policy reaches target (a return; NaN none,
	// +Inf the limits alone) with limits raised by relax (a violation, >= 0).
	target float64
	relax  float64

	stuck   int       // targets in a row that brought nothing, or were given up at the least step
	nodes   int       // boxes of earlier targets
	steps   int64     // simplex steps of earlier targets
	spent   int64     // work on earlier targets, see Progress.Work
	point   []float64 // policy suggested by the last relaxation, by pair
	pointID int       // counts the points
}

// mostStuck is how often targets may fail at the least step before the search
// gives up: the accuracy of the arithmetic is reached.
const mostStuck = 3

// slack is the gap that counts as closed, of the objective or of a violation: the share
// asked for, and what is small next to the value, or the limits, and to the range of returns.
// (A share of the range alone is all there is to gain at a long horizon or beside a penalty.)
func (s *known) slack(v float64) float64 {
	size := s.m.GapScale(v)
	if s.infeas {
		size = math.Abs(v)
		for _, n := range s.d.costs {
			size = max(size, s.m.Scale(n, s.m.B[n]))
		}
	}
	return max(s.set.Gap*math.Abs(v), 1e-10*size)
}

// done reports whether the gap is closed, or the accuracy of the arithmetic reached.
func (k *known) done() bool {
	switch {
	case k.stuck >= mostStuck:
		return true
	case k.infeas:
		return !k.set.Violation || k.excess-k.vlower <= k.slack(k.excess) || math.IsInf(k.excess, 1)
	}
	return !math.IsInf(k.upper, 1) && k.upper-k.lower <= k.slack(k.upper)
}

// stage is what the present target is about.
func (k *known) stage() Stage {
	switch {
	case !math.IsInf(k.target, 1):
		return Ladder
	case k.infeas && k.relax > 0:
		return Violation
	}
	return Infeasible
}

// leave leaves the target, whose tree came to so much.
func (k *known) leave(nodes int, steps, spent int64) {
	k.nodes += nodes
	k.steps += steps
	k.spent += spent
	k.target, k.relax = math.NaN(), 0
}

// suggest takes a policy that the relaxation suggests.
func (k *known) suggest(point []float64) {
	k.point = append(k.point[:0], point...)
	k.pointID++
}
