// Package bound proves how good a policy can be at best: lower bounds on the
// worst-case objective over all stationary policies that meet the constraints,
// and proofs that no policy meets them. Nothing here searches for policies;
// whoever runs it supplies the best one known (Search.Incumbent) and may use
// the policies that the relaxations suggest (Progress.Point).
//
// Most bounds come from prices and one value function (Pricing). Search closes
// in on what they leave open, target by target:
//
//	until the gap is closed:
//		choose a target between the bound and the best policy known
//		start a tree of boxes: all policies
//		while a box is open, and the target is worth it:
//			show the box empty of policies that reach the target, or split it
//		all shown empty: the target is the new bound
//
// What shows a box empty are the occupancies of several kernels of the set at
// once (the ladder, tree.go): the target cuts each one's polytope, which confines
// the policy and the ratios between the occupancies. For few kernels and few
// deterministic policies it is what the returns, multi-affine in the policy,
// come to at its corners (tensors.go), and such a tree bounds at any time. Boxes
// may be worked on elsewhere (Part). Each is a prover (prover.go); what was tried for them
// is in tried.md.
//
// Every number is a safe bound (lp.SafeBound): valid for any multipliers and
// whatever the rounding. A Certificate records the multipliers, from which
// package certify repeats the proof with other code.
package bound

import (
	"cmp"
	"fmt"
	"iter"
	"math"

	"rcmdplab/core/model"
	"rcmdplab/core/proof"
)

// Settings are the options of a search.
type Settings struct {
	Gap      float64 // stop when upper - lower <= Gap |upper|; 0 asks for rounding accuracy
	Fraction float64 // share of the gap that a target closes; 0 is 1/3
	Record   bool    // keep certificates of trees (tens of kilobytes a node)

	// Kernels are the members of an infinite set to bound with, see Worst;
	// ignored for a finite set, which is used whole.
	Kernels []proof.Kernel

	// Allow, by constraint from 1, is added to the thresholds: what is proved then
	// holds for policies that miss a limit by no more. Nil: nothing.
	Allow []float64

	// Ladder bounds by the ladder also where tensors would do, see corners.fits.
	Ladder bool

	// Violation asks, once infeasibility is proved, for the least maximal
	// violation from below, as far as a policy's violation is known from above.
	Violation bool
}

// Stage is what a search is busy with.
type Stage int

// The stages.
const (
	Ladder     Stage = iota // targets of the objective
	Infeasible              // the constraints alone
	Violation               // the constraints relaxed
)

// Progress is one record of a search; slices change with the next record.
type Progress struct {
	Stage Stage

	// LowerBound is a proved bound on the worst-case objective of every policy
	// that meets the constraints, in the internal convention; -Inf when none.
	LowerBound float64
	Infeasible bool // proved: no policy meets the constraints

	// ViolationLower is a proved bound on the least maximal violation; -Inf
	// when nothing is proved, 0 or more once infeasibility is.
	ViolationLower float64

	Target    float64 // the target being worked on; NaN when none
	Relax     float64 // what is added to every threshold meanwhile
	Nodes     int     // boxes worked on, all targets
	OpenNodes int     // boxes of this target still to be closed
	Rest      float64 // boxes expected until the gap asked for is reached; 0 when not known
	Steps     int64   // simplex steps, all targets
	Work      int64   // numbers read or written since New or Restore, about

	// Point is a policy suggested by the last relaxation, or nil: a start for a
	// local search. PointID changes when Point does.
	Point   []float64
	PointID int

	// Waiting: every open box is handed out (Split); pull again after a Join.
	Waiting bool

	// Done: nothing more will be proved, because the gap of the settings is
	// reached, or the accuracy of the arithmetic, or because the problem is too
	// large for the ladder. Narrow may ask for more then.
	Done bool
}

// Search is one search for bounds: it chooses who proves, and keeps what is known. It
// keeps all its state, so that Run can be left and called again, and State can be
// saved and restored.
type Search struct {
	known
	provers []prover // by preference
	at      prover   // who has the present target, or had the last; nil before the first
}

// New makes a search for a problem. Finite sets are used whole; for others
// Settings.Kernels names members of the set.
func New(m *model.Standard, set Settings) (*Search, error) {
	d, err := dataOf(m, set.Kernels, set.Allow)
	if err != nil {
		return nil, fmt.Errorf("bound: %w", err)
	}
	set.Fraction = cmp.Or(set.Fraction, 1.0/3)
	s := &Search{known: known{
		m: m, d: d, set: set,
		lower: math.Inf(-1), upper: math.Inf(1), excess: math.Inf(1), vlower: math.Inf(-1),
		target: math.NaN(),
	}}
	if m.Rectangular() {
		s.kernels = set.Kernels
	}
	s.provers = []prover{newCorners(&s.known), newLadder(&s.known)}
	return s, nil
}

// Incumbent tells the search of a policy: its worst-case objective and maximal
// violation, rounded up by their errors. A policy counts as feasible when the
// violation is at most 0, or is called so by feasible.
func (s *Search) Incumbent(objective, violation float64, feasible bool) {
	if feasible && objective < s.upper {
		s.upper, s.stuck = objective, 0
	}
	if violation < s.excess {
		s.excess, s.stuck = violation, 0
	}
}

// Proved tells the search of a lower bound proved elsewhere, from which its
// targets start.
func (s *Search) Proved(lower float64) { s.lower = max(s.lower, lower) }

// Narrow asks for a smaller gap than that of the settings; a Run that is Done goes on.
func (s *Search) Narrow(gap float64) { s.set.Gap, s.stuck = min(s.set.Gap, gap), 0 }

// Certificate returns the proof of the lower bound or of infeasibility, nil
// when there is none or it was not recorded.
func (s *Search) Certificate() *proof.Claim { return s.proof }

// ViolationCertificate is the proof of ViolationLower beyond 0.
func (s *Search) ViolationCertificate() *proof.Claim { return s.vproof }

// Run searches from where the last Run was left until the gap is closed, with
// a record after every box and within long ones. It may be left at any record.
func (s *Search) Run() iter.Seq[Progress] {
	return func(yield func(Progress) bool) {
		more := func() bool { return yield(s.progress()) }
		for {
			for !s.finished() {
				s.takeIn() // kernels that were added meanwhile
				if s.at == nil || !s.at.open() {
					if s.at = s.fitting(); s.at == nil {
						break // with the kernels that were added
					}
					s.at.aim()
				}
				if !s.at.work(more) {
					return
				}
			}
			p := s.progress()
			p.Done = true
			if !yield(p) || s.finished() { // or asked to Narrow
				return
			}
		}
	}
}

// fitting is who is to prove the next target; nil when it is out of everybody's reach.
func (s *Search) fitting() prover {
	for _, p := range s.provers {
		if p.fits() {
			return p
		}
	}
	return nil
}

// finished reports whether there is nothing left to prove, or no way to.
func (s *Search) finished() bool { return s.done() || s.fitting() == nil }

func (s *Search) progress() Progress {
	p := Progress{
		Stage: s.stage(), LowerBound: s.lower, Infeasible: s.infeas, ViolationLower: s.vlower,
		Target: s.target, Relax: s.relax, Nodes: s.nodes, Steps: s.steps, Work: s.spent, Point: s.point, PointID: s.pointID,
	}
	if s.at != nil && s.at.open() {
		s.at.count(&p)
	}
	return p
}
