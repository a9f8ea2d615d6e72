// Package bound proves how good a policy can be at best: lower bounds on the
// worst-case objective over all stationary policies that meet the constraints,
// and proofs that no policy meets them. Nothing here searches for policies;
// whoever runs it supplies the best one known (Search.Incumbent) and may use
// the policies that the relaxations suggest (Progress.Point).
//
// Bounds come from kernels of the uncertainty set, each of which gives a
// relaxation: the linear program of its constrained MDP alone (stage Kernels),
// then proofs by branch and bound that no policy reaches a target (stage
// Ladder): the target cuts every kernel's occupancy polytope, which confines
// the policy and the ratios between the kernels' occupancies; what is left is
// split. The lower bound moves only when the whole tree of a target is closed.
//
// Every number is a safe bound (lp.SafeBound): valid for any multipliers and
// whatever the rounding. A Certificate records the multipliers, from which
// package certify repeats the proof with other code.
package bound

import (
	"fmt"
	"iter"
	"math"
	"slices"

	"rcmdplab/core/bound/tensor"
	"rcmdplab/core/lp"
	"rcmdplab/core/model"
)

// Settings are the options of a search.
type Settings struct {
	Gap      float64 // stop when upper - lower <= Gap |upper|; 0 asks for rounding accuracy
	Fraction float64 // share of the gap that a target closes; 0 is 1/3
	Record   bool    // keep certificates of trees (tens of kilobytes a node)

	// Kernels are the members of an infinite set to bound with, see Subset;
	// ignored for a finite set, which is used whole.
	Kernels []Kernel

	// Allow, by constraint from 1, is added to the thresholds: what is proved then
	// holds for policies that miss a limit by no more. Nil: nothing.
	Allow []float64

	// Ladder bounds by the ladder also where tensors would do, see byTensors.
	Ladder bool

	// Violation asks, once infeasibility is proved, for the least maximal
	// violation from below, as far as a policy's violation is known from above.
	Violation bool
}

// Stage is what a search is busy with.
type Stage int

// The stages. Append only: the numbers are part of the wire format.
const (
	Kernels    Stage = iota // one linear program a kernel
	Ladder                  // targets of the objective
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
	Rest      float64 // boxes expected until the target is closed; 0 when not known
	Steps     int64   // simplex steps, all targets

	// Point is a policy suggested by the last relaxation, or nil: a start for a
	// local search. PointID changes when Point does.
	Point   []float64
	PointID int

	// Waiting: every open box is handed out (Split); pull again after a Join.
	Waiting bool

	// Done: nothing more will be proved, because the gap of the settings is
	// reached, or the accuracy of the arithmetic, or, with TooLarge, because the
	// ladder is out of reach.
	Done     bool
	TooLarge bool
}

// Search is one search for bounds. It keeps all its state, so that Run can be
// left and called again, and State can be saved and restored.
type Search struct {
	m       *model.Standard
	d       *data // every kernel, for the first stage
	td      *data // those of the ladder
	set     Settings
	kernels []Kernel // of d, nil for a finite set
	joint   []Kernel // of td
	pending []Kernel // given to Extend, not yet taken in

	// What is known: returns of the objective and violations J_n - b_n, discounted
	// totals in the internal convention.
	lower  float64 // no policy that meets the limits has less; -Inf
	upper  float64 // of the best feasible policy known; +Inf
	infeas bool    // proved: no policy meets the limits
	vlower float64 // every policy's largest violation is at least that; -Inf
	excess float64 // least maximal violation known; +Inf
	proof  *Certificate
	vproof *Certificate // of vlower beyond 0

	// The target being worked on: no policy reaches target (a return; NaN none,
	// +Inf the limits alone) with limits raised by relax (a violation, >= 0).
	target   float64
	relax    float64
	tree     *tree        // of boxes not yet shown empty; nil between two targets
	out      map[int]open // boxes handed out, by place in the tree
	fraction float64      // share of the gap that the next target closes, in (0, 1]
	stuck    int          // targets given up at the least fraction in a row

	single  int       // kernels done in stage Kernels
	program *system   // of the next one, when begun
	nodes   int       // boxes of earlier targets
	steps   int64     // simplex steps of earlier targets
	point   []float64 // policy suggested by the last relaxation, by pair
	pointID int       // counts the points

	tensors  *tensor.Tree // of the target, where byTensors
	mode     bool         // of tensors: the parameter is the target
	live     bool         // the bound's proof is in tensors
	shown    float64      // the bound when its proof was last taken from there
	shownAt  int64        // the work then
	patience float64      // work after which the target of tensors is eased
	reachFor float64      // share of the gap that a target of tensors leaves open
	eased    bool         // the target of the present tree was
	budget   int          // boxes that a part by tensors works on
	sub      bool         // works on one Part only:
	place    int          // its place in the tree it is from
	shut     bool         // closed
	part     []Node       // what was recorded
}

// New makes a search for a problem. Finite sets are used whole; for others
// Settings.Kernels names members of the set.
func New(m *model.Standard, set Settings) (*Search, error) {
	d, err := relaxation(m, set.Kernels, set.Allow)
	if err != nil {
		return nil, fmt.Errorf("bound: %w", err)
	}
	if set.Fraction == 0 {
		set.Fraction = 1.0 / 3
	}
	s := &Search{
		m: m, d: d, td: d, set: set,
		lower: math.Inf(-1), upper: math.Inf(1), excess: math.Inf(1), vlower: math.Inf(-1),
		target: math.NaN(), fraction: set.Fraction, out: map[int]open{}, reachFor: leaves,
	}
	if m.Kernels == nil {
		s.kernels = set.Kernels
		for _, k := range set.Kernels {
			if !k.Alone {
				s.joint = append(s.joint, k)
			}
		}
		if len(s.joint) == 0 { // all alone: the ladder has nothing else
			s.kernels = slices.Clone(s.kernels)
			for i := range s.kernels {
				s.kernels[i].Alone = false
			}
			s.joint = s.kernels
		}
		if s.td, err = relaxation(m, s.joint, set.Allow); err != nil {
			return nil, fmt.Errorf("bound: %w", err)
		}
	}
	return s, nil
}

// relaxation is the data of the given kernels, or of a finite set's.
func relaxation(m *model.Standard, given []Kernel, allow []float64) (*data, error) {
	kernels, penalties, err := members(m, given)
	if err != nil {
		return nil, err
	}
	if allow != nil && len(allow) != m.N {
		return nil, fmt.Errorf("%d allowances for %d constraints", len(allow), m.N)
	}
	if m.Pairs() >= maxIndex || len(kernels) >= maxKernels {
		return nil, fmt.Errorf("%d state-action pairs and %d kernels; at most %d and %d are supported", m.Pairs(), len(kernels), maxIndex-1, maxKernels-1)
	}
	d := newData(m, kernels, penalties)
	d.allow = allow
	return d, nil
}

// members lists the kernels to bound with.
func members(m *model.Standard, given []Kernel) (kernels []*model.Kernel, penalties [][]float64, err error) {
	if m.Kernels != nil {
		return m.Kernels, nil, nil
	}
	if len(given) == 0 {
		return nil, nil, fmt.Errorf("a %s set needs members to bound with; see Subset", m.Problem.Uncertainty.Kind)
	}
	paid := false
	for _, k := range given {
		kernels = append(kernels, model.NewKernel(m.S, k.Rows))
		p := k.Penalty
		if p == nil {
			p = make([]float64, m.Pairs())
		} else {
			paid = true
		}
		penalties = append(penalties, p)
	}
	if !paid {
		penalties = nil
	}
	return kernels, penalties, nil
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
// targets start. The kernels are then not bounded one by one.
func (s *Search) Proved(lower float64) {
	s.lower, s.single = max(s.lower, lower), s.d.mn
}

// Certificate returns the proof of the lower bound or of infeasibility, nil
// when there is none or it was not recorded.
func (s *Search) Certificate() *Certificate { return s.proof }

// ViolationCertificate is the proof of ViolationLower beyond 0.
func (s *Search) ViolationCertificate() *Certificate { return s.vproof }

func (s *Search) progress(st Stage) Progress {
	p := Progress{
		Stage: st, LowerBound: s.lower, Infeasible: s.infeas, ViolationLower: s.vlower,
		Target: s.target, Relax: s.relax, Nodes: s.nodes, Steps: s.steps, Point: s.point, PointID: s.pointID,
		TooLarge: s.tooLarge(),
	}
	if s.tree != nil {
		p.Nodes += s.tree.done
		p.Steps += s.tree.steps
		p.OpenNodes = len(s.tree.stack) + len(s.out)
		p.Waiting = len(s.tree.stack) == 0 && len(s.out) > 0
	}
	if t := s.tensors; t != nil {
		p.Nodes += t.Done()
		p.OpenNodes = t.Open()
		p.Waiting = t.Idle() && t.Out() > 0
		p.Rest = t.Rest()
	}
	return p
}

// Run searches from where the last Run was left until the gap is closed, with
// a record every few linear programs. It may be left at any record.
func (s *Search) Run() iter.Seq[Progress] {
	return func(yield func(Progress) bool) {
		if !s.sub && !s.runKernels(yield) {
			return
		}
		for !s.finished() {
			s.takeIn()
			if !s.sub && !s.runKernels(yield) { // of those added
				return
			}
			if s.byTensors() {
				if !s.runTensors(func() bool { return yield(s.progress(s.stage())) }) {
					return
				}
				if s.sub {
					break
				}
				continue
			}
			if s.tooLarge() {
				break
			}
			if s.tree == nil {
				s.aim()
			}
			st := s.stage()
			if !s.runTree(func() bool { return yield(s.progress(st)) }) {
				return
			}
			if s.sub {
				break
			}
		}
		p := s.progress(s.stage())
		p.Done = true
		yield(p)
	}
}

// mostColumns is up to how many columns the coupling relaxation is tried.
const mostColumns = 3000

// tooLarge reports whether the ladder is out of reach: only the first stage
// bounds then.
func (s *Search) tooLarge() bool { return s.td.n*(s.td.mn+1) > mostColumns }

// finished reports whether there is nothing left to prove.
func (s *Search) finished() bool {
	if s.sub {
		return s.tree == nil && s.tensors == nil
	}
	if s.stuck >= mostStuck {
		return true
	}
	if s.infeas {
		return !s.set.Violation || s.excess-s.vlower <= s.slack(s.excess) || math.IsInf(s.excess, 1)
	}
	return !math.IsInf(s.upper, 1) && s.upper-s.lower <= s.slack(s.upper)
}

// mostStuck is how often targets may fail at the least step before the search
// gives up: the accuracy of the arithmetic is reached.
const mostStuck = 3

// slack is the gap that counts as closed.
func (s *Search) slack(v float64) float64 {
	return max(s.set.Gap*math.Abs(v), 1e-10*s.m.H*s.d.w[0])
}

func (s *Search) stage() Stage {
	switch {
	case !math.IsInf(s.target, 1):
		return Ladder
	case s.tensors != nil && !s.infeas:
	case s.relax > 0:
		return Violation
	}
	return Infeasible
}

// aim chooses the next target and makes its tree.
func (s *Search) aim() {
	s.target, s.relax = math.Inf(1), 0
	switch {
	case s.infeas:
		low := max(0, s.vlower)
		s.relax = low + s.fraction*(s.excess-low)
	case !math.IsInf(s.upper, 1):
		low := s.lower
		if math.IsInf(low, -1) {
			low = s.d.value(0, 0)
		}
		s.target = low + s.fraction*(s.upper-low)
	}
	s.tree = s.td.newTree(s.td.limits(s.target, s.relax), s.set.Record)
}

// tooLong reports whether the target of the tree takes out of proportion: more
// steps than all before it should lead one to expect with most of the policies
// still open, or twice as many because of one hard corner.
func (s *Search) tooLong() bool {
	t := s.tree
	patience := max(t.patience, leastPatience, 2*s.steps)
	if s.sub || s.stage() != Ladder || s.bold() || t.steps < patience {
		return false
	}
	if t.steps >= 2*patience {
		return true
	}
	left := 0.0 // share of the boxes' halvings that is open
	for i := range t.stack {
		left += math.Ldexp(1, -t.stack[i].depth)
	}
	for _, o := range s.out {
		left += math.Ldexp(1, -o.depth)
	}
	return left > 0.3
}

// ease lowers the target of the tree. What is closed stays closed and what is
// known of the open boxes stays true, because fewer policies reach a lower
// target: nothing is lost but the height of the step.
func (s *Search) ease() {
	t := s.tree
	s.target = s.lower + easeShare*(s.target-s.lower)
	t.limits = s.td.limits(s.target, s.relax)
	t.patience = t.steps + t.steps/2
}

// outdated reports whether a better policy has made the target pointless.
func (s *Search) outdated() bool {
	switch s.stage() {
	case Ladder:
		return s.upper <= s.target
	case Violation:
		return s.excess <= s.relax
	}
	return !s.sub && !math.IsInf(s.upper, 1)
}

// runTree works on the current target; false when left from outside.
func (s *Search) runTree(yield func() bool) bool {
	t := s.tree
	left, count := false, 0
	t.halted = false
	t.pause = func() bool {
		if !yield() {
			left = true
			return false
		}
		return !s.outdated()
	}
	t.tick = func() bool {
		if count++; count%8 != 0 {
			return true
		}
		return t.pause()
	}
	for len(t.stack) > 0 && !s.outdated() {
		if len(s.pending) > 0 {
			return true // to be taken in first
		}
		if t.stuck() || s.bold() && t.done >= boldBoxes {
			break
		}
		before := t.points
		if !t.step() {
			break
		}
		if s.tooLong() {
			s.ease()
		}
		if t.points != before {
			s.point = append(s.point[:0], t.point[:s.d.n]...)
			s.pointID++
		}
		if !yield() {
			left = true
			break
		}
		if s.tree != t { // closed by Join
			return true
		}
	}
	if left {
		return false
	}
	if len(t.stack) == 0 {
		if len(s.out) > 0 { // waiting for boxes handed out
			for len(t.stack) == 0 && s.tree == t {
				if !yield() {
					return false
				}
			}
			return true
		}
		s.closed()
		return true
	}
	// Given up: outdated, too bold, or a box too small to split. Aim lower next time.
	if !s.outdated() && !s.sub {
		if s.bold() {
			s.fraction = s.set.Fraction
		} else if s.fraction /= 2; s.fraction < 1e-3 {
			s.fraction = 1e-3
			s.stuck++
		}
	}
	s.drop()
	return true
}

// A target that closes in so few boxes makes the next one bolder, as far as
// boldFraction of the gap; a bold one is given up after boldBoxes.
const (
	easyBoxes    = 3
	boldBoxes    = 16
	boldFraction = 0.75
)

func (s *Search) bold() bool { return !s.sub && s.fraction > s.set.Fraction }

// closed takes in that the tree of the current target is closed.
func (s *Search) closed() {
	if s.sub {
		s.shut, s.part = true, s.tree.preorder(0)
		s.drop()
		return
	}
	var c *Certificate
	if s.set.Record {
		c = &Certificate{Target: s.target, Relax: s.relax, Allow: s.set.Allow, Kernels: s.joint, Nodes: s.tree.preorder(0)}
	}
	switch s.stage() {
	case Ladder:
		s.lower, s.proof = s.target, c
	case Infeasible:
		s.infeas, s.vlower, s.proof = true, max(0, s.vlower), c
	case Violation:
		s.vlower, s.vproof = s.relax, c
	}
	if s.tree.done <= easyBoxes && s.fraction >= s.set.Fraction {
		s.fraction = max(s.set.Fraction, min(boldFraction, 1.5*s.fraction))
	} else {
		s.fraction = s.set.Fraction
	}
	s.drop()
}

func (s *Search) drop() {
	s.nodes += s.tree.done
	s.steps += s.tree.steps
	s.tree = nil
	if !s.sub {
		s.target, s.relax = math.NaN(), 0
	}
	clear(s.out)
}

// runKernels solves the linear program of each kernel's constrained MDP: the
// largest value bounds the objective from below, and one that is infeasible
// proves that no policy meets the constraints.
func (s *Search) runKernels(yield func(Progress) bool) bool {
	d := s.d
	for ; s.single < d.mn && !s.infeas; s.single++ {
		m := s.single
		y := s.program
		if y == nil || y.ms[0] != m {
			y = d.newSystem([]int{m}, false, kernelTol)
			y.open(d.newRanges(), d.limits(math.Inf(1), 0))
			copy(y.obj, d.cost[m][0])
			y.lp.SetCosts(y.obj)
			s.program = y
		}
		st := y.solve(func() bool { return yield(s.progress(Kernels)) })
		if st == lp.Paused {
			return false
		}
		s.program = nil
		s.steps += y.lp.Steps
		mult := y.multipliers(false)
		switch st {
		case lp.Infeasible:
			if margin, ok := y.lp.SafeInfeasible(mult); ok && margin > farkasSlim {
				s.infeas, s.vlower = true, 0
				s.proof = s.singleProof(m, math.Inf(1), y)
			}
		case lp.Optimal:
			if v := d.value(0, y.lp.SafeBound(y.obj, mult)); v > s.lower {
				s.lower = v
				s.proof = s.singleProof(m, v, y)
			}
			s.suggest(y, m)
		}
		if !yield(s.progress(Kernels)) {
			s.single++
			return false
		}
	}
	return true
}

// singleProof records the multipliers of the flow and cost rows.
func (s *Search) singleProof(m int, target float64, y *system) *Certificate {
	mult := make([]float64, s.d.s+s.m.N+1)
	for i, r := range y.rows {
		switch r.Kind() {
		case Flow:
			mult[r.Index()] = y.y[i]
		case Cost:
			mult[s.d.s+r.Index()] = y.y[i]
		}
	}
	return &Certificate{Target: target, Allow: s.set.Allow, Kernels: s.kernels, Single: &Single{M: m, Y: mult}}
}

// suggest makes the policy of kernel m's occupancies the suggested point.
func (s *Search) suggest(y *system, m int) {
	x := y.lp.X()
	s.point = append(s.point[:0], s.m.Uniform()...)
	for st := range s.d.s {
		a, b := s.m.Off[st], s.m.Off[st+1]
		sum := 0.0
		for i := a; i < b; i++ {
			sum += x[y.at[m]+i]
		}
		if sum > 1e-9 {
			for i := a; i < b; i++ {
				s.point[i] = x[y.at[m]+i] / sum
			}
		}
	}
	s.pointID++
}

// preorder lists the subtree at place k.
func (t *tree) preorder(k int) []Node {
	var out []Node
	for stack := []int{k}; len(stack) > 0; {
		n := &t.nodes[stack[len(stack)-1]]
		stack = stack[:len(stack)-1]
		out = append(out, Node{Steps: n.Steps, Pair: n.Pair, At: n.At})
		if n.Pair >= 0 {
			stack = append(stack, n.Right, n.Left)
		}
	}
	return out
}

// stuck reports whether the next box is too small to split: the target is not
// provable at this accuracy.
func (t *tree) stuck() bool {
	g := t.stack[len(t.stack)-1].g
	for i, u := range g.u {
		if u-g.l[i] >= 1e-7 {
			return false
		}
	}
	return true
}
