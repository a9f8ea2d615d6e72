package certify

import "math"

// Certificate is a proof, as plain data, of one statement about a problem:
//
//	no policy has J_{n,P} <= b_n + Allow_n + Relax for every constraint n and
//	kernel P of the certificate, and J_{0,P} < Target for every kernel P,
//
// in the internal convention of model.Standard. With Target = +Inf and
// Relax = 0 it says that the problem is infeasible; with Relax = t > 0 that the
// least maximal violation exceeds t; with a finite Target that no policy that
// meets the constraints has a worst-case objective below Target. A subset
// of nature's kernels only weakens the hypotheses, so any will do.
//
// The proof is by one value function (Values), by values on rays (Rays), by a tree of
// boxes of policies (Nodes), read in the units of relaxation (relax.go) and replayed as
// documented at replay (replay.go), or by tensors (Tensor).
type Certificate struct {
	Problem string  // content hash of the problem document
	Target  float64 // T, a return; +Inf when the objective is not limited
	Relax   float64 // t >= 0, added to every threshold

	// Allow >= 0, by constraint from 1, is added to its threshold as well: what a
	// policy that meets the limits up to rounding may miss them by. Nil: nothing.
	Allow []float64

	// Kernels are members of an infinite set, in the order that steps number
	// them. A finite set's kernels are numbered as in the document.
	Kernels []Kernel

	Values *Values // a proof by a value function, or nil
	Rays   *Rays   // a proof by values on rays, or nil
	Nodes  []Node  // a proof by a tree of boxes, in preorder
	Tensor *Tensor // a proof by tensors, or nil

	// Guesses may come with a proof: value functions near those of the policy it
	// came with, by kernel of a finite set and cost, [kernel·(N+1)+n]. They prove
	// nothing; a check of that policy is faster with them.
	Guesses [][]float64
}

// Kernel is one member of a rectangular set: dense rows, pairs·S numbers, and
// for the regularised set at least what nature pays for each row,
// γ·temperature·KL, by pair.
type Kernel struct {
	Rows    []float64 // probabilities, [i*S+s']
	Penalty []float64 // discounted one-step cost, by pair; nil: nothing
}

// Node is one box of policies: steps in order, then a split of pair Pair at At,
// or Pair = -1 when the steps have shown the box to be empty of policies that
// satisfy the hypotheses.
type Node struct {
	Steps []Step  // in the order they are replayed
	Pair  int     // that is split; -1: none is
	At    float64 // a probability: π(Pair) <= At, then π(Pair) >= At
}

// StepKind says what a step does.
type StepKind uint8

// The kinds of step, in the numbers of the wire format.
const (
	Open    StepKind = iota // copy the ranges to the frame
	Refresh                 // copy one ratio to the frame
	Close                   // draw the simple consequences of the ranges
	Bound                   // tighten a range by multipliers
)

// Target names what a Bound step bounds from below.
type Target uint8

// The targets, in the numbers of the wire format; consequence says what each
// gives.
const (
	Empty Target = iota
	OccupancyLow
	OccupancyHigh
	PolicyLow
	PolicyHigh
	RatioHigh
)

// Step is one step. Which fields matter depends on Kind.
type Step struct {
	Kind   StepKind  // Open, Refresh, Close or Bound
	Target Target    // Bound: the range that changes
	M, M2  int       // Bound: the kernels whose columns are used; Refresh: the ratio
	Of, To int       // Bound: the kernels of the target
	Index  int       // state, or pair, of the target
	Rho    float64   // of the targets with one: a probability, or a ratio of occupancies
	Value  float64   // Bound: what the range of the target becomes
	Rows   []Row     // rows with a multiplier
	Y      []float64 // their multipliers
}

// RowKind is a family of valid inequalities.
type RowKind uint8

// The rows, in the numbers of the wire format; relaxation.row says what they
// are and why they hold.
const (
	Flow RowKind = iota
	Cost
	Occupancy
	BoxLow
	BoxHigh
	RatioLow
	RatioUp
	Simplex
	McCormick1
	McCormick2
	McCormick3
	McCormick4
	rowKinds
)

// Row names one inequality: kind, kernel, other kernel and index in 4, 7, 7 and
// 14 bits, the highest first.
type Row uint32

// The largest numbers that a Row can name.
const (
	maxKernels = 1 << 7
	maxIndex   = 1 << 14
)

// NewRow packs the name of an inequality.
func NewRow(k RowKind, m, other, index int) Row {
	return Row(k)<<28 | Row(m)<<21 | Row(other)<<14 | Row(index)
}

// Kind is the family of the row.
func (r Row) Kind() RowKind { return RowKind(r >> 28) }

// Kernel is the kernel that the row is about.
func (r Row) Kernel() int { return int(r>>21) % maxKernels }

// Other is the second kernel of a ratio row.
func (r Row) Other() int { return int(r>>14) % maxKernels }

// Index is a state (Flow, Occupancy, Simplex), a cost (Cost) or a pair.
func (r Row) Index() int { return int(r) % maxIndex }

// Infeasible reports whether the statement is that no policy meets the
// constraints.
func (c *Certificate) Infeasible() bool { return math.IsInf(c.Target, 1) }
