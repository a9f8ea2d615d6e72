package bound

import (
	"math"

	"rcmdplab/core/bound/tensor"
)

// Certificate is a proof, as plain data, of one statement about a problem:
//
//	no policy has J_{n,P} <= b_n + Allow_n + Relax for every constraint n and
//	kernel P of the certificate, and J_{0,P} <= Target for every kernel P,
//
// in the internal convention of model.Standard. With Target = +Inf and Relax = 0
// it says that the problem is infeasible; with Relax = t > 0 that the least
// maximal violation exceeds t; with a finite Target and Relax = 0 that no
// policy can have a worst-case objective of Target or less. Fewer kernels only
// weaken the hypotheses, so any members of an infinite set will do.
//
// # Units
//
// Occupancies are normalised: x_m(i) = (1-γ) d_m(s) π(i) for pair i = (s,a),
// d_m(s) = Σ_a x_m(s,a), Σ_s d_m(s) = 1. With lo, hi = Standard.Bounds(n) and
// w = hi - lo (1 when hi = lo), costs are c̃_{n,m} = (c_{n,m} - lo)/w, where
// c_{n,m} is the one-step cost, averaged over kernel m's row when it depends on
// the next state, less the kernel's Penalty; so J_{n,m} = H (lo + w c̃_{n,m}·x_m),
// and thresholds are b̃_n = (b/H - lo)/w with b = Target for n = 0 and
// b_n + Relax otherwise.
//
// # State of a checker
//
// Ranges that hold for every policy of the box under consideration that
// satisfies the hypotheses:
//
//	l_i <= π(i) <= u_i             start [0, 1]
//	L_m(s) <= d_m(s) <= U_m(s)     start [(1-γ) μ(s), 1]
//	d_m(s) <= R_{m,m'}(s) d_m'(s)  start +Inf, 1 on the diagonal
//
// and a frame: a copy of the ranges from which steps build their rows. Nodes
// are in preorder; the children of a node start with the ranges the node ended
// with, the first with u_Pair lowered to At, the second with l_Pair raised to
// At.
//
// A step with multipliers y states, for the linear system whose rows are
// rebuilt from the frame (Row) and whose columns are boxed by the frame,
//
//	f >= w := Σ_i min(y_i rlo_i, y_i rhi_i) + Σ_j min(r_j lo_j, r_j hi_j),  r = f - Aᵀy
//
// where f is the linear function its Target names, with y_i taken as 0 where it
// asks for an infinite end. The consequence for the ranges is documented at the
// Target. Columns are boxed by l_i L_m(s) <= x_m(i) <= u_i U_m(s) and
// l_i <= π(i) <= u_i.
type Certificate struct {
	Problem string  // content hash of the problem document, set by the caller
	Target  float64 // T, a return; +Inf when the objective is not limited
	Relax   float64 // t, added to every threshold

	// Allow, by constraint from 1, is added to its threshold as well. Nil: nothing.
	Allow []float64

	// Kernels are the members of an infinite set that are used, in the order
	// that steps number them; nil for a finite set, whose kernels they number.
	Kernels []Kernel

	// One of these four is the proof: prices and one value function,
	Values *Values

	// values on rays,
	Rays *Rays

	// a tree of boxes by steps as above, in preorder,
	Nodes []Node

	// or a tree by tensors, see package tensor.
	Tensor *tensor.Proof
}

// Kernel is one member of a rectangular set: dense rows, pairs·S numbers, and
// for the regularised set what nature pays for each row, already discounted, by
// pair (nil: nothing).
type Kernel struct {
	Rows    []float64 // probabilities, [i*S+s']
	Penalty []float64 // discounted one-step cost, by pair
}

// Node is one box of policies: steps in order, then a split of pair Pair at At,
// or Pair = -1: the steps have shown the box to be empty of policies that
// satisfy the hypotheses.
type Node struct {
	Steps []Step  // in the order they are to be checked
	Pair  int     // where the box is split; -1: it is not
	At    float64 // a probability: π(Pair) <= At, then π(Pair) >= At
}

// StepKind says what a step is about.
type StepKind uint8

// The kinds of step. Append only: the numbers are part of the wire format.
const (
	// Open copies the ranges to the frame.
	Open StepKind = iota

	// Refresh copies R_{M,M2} of state Index to the frame.
	Refresh

	// Close draws the simple consequences, once, in this order. It shows the box
	// empty when a range is. (Nodes start with one; nothing is done unless a
	// step says so, because multipliers fit the ranges they were found for.)
	//
	//	1. u_i <- min(u_i, 1 - Σ_{other i' of the state} l_i'), l_i <- max(l_i, 1 - Σ_{others} u_i'), in order of i;
	//	   empty when Σ l > 1 or Σ u < 1 for a state
	//	2. R_{m,m'}(s) <- min(R_{m,m'}(s), U_m(s)/L_m'(s)) for m ≠ m' where L_m'(s) > 0
	//	3. for q, for m, for m', all different: R_{m,m'}(s) <- min(R_{m,m'}(s), R_{m,q}(s) R_{q,m'}(s))
	//	4. for m, for m' ≠ m: empty when R_{m,m'}(s) R_{m',m}(s) < 1;
	//	   U_m(s) <- min(U_m(s), R_{m,m'}(s) U_m'(s)), L_m'(s) <- max(L_m'(s), L_m(s)/R_{m,m'}(s));
	//	   empty when L_m(s) > U_m(s)
	Close

	// Bound is a step with multipliers over the columns x_M (M2 = -1), over
	// x_M and x_M2, or, with M = -1, over π and every x_m.
	Bound
)

// Target names the function f of a Bound step and what f >= w implies.
type Target uint8

// The targets, for the kernels m = Of and m' = To of the step; s is the state
// Index, or the state of the pair Index; L and U on the right are those of the
// ranges, not of the frame. The range becomes the step's Value, which must be
// no tighter than what is written here: so that ranges agree to the last digits
// between checkers, which large ratios would otherwise amplify. Append only.
const (
	// Empty: f = 0; w > 0 shows the box empty.
	Empty Target = iota
	// OccupancyLow: f = d_m(s); L_m(s) <- max(L_m(s), w).
	OccupancyLow
	// OccupancyHigh: f = -d_m(s); U_m(s) <- min(U_m(s), -w).
	OccupancyHigh
	// PolicyLow: f = x_m(i) - Rho d_m(s), i = Index; l_i <- max(l_i, Rho + min(w, 0)/L_m(s)). Needs L_m(s) > 0.
	PolicyLow
	// PolicyHigh: f = Rho d_m(s) - x_m(i), i = Index; u_i <- min(u_i, Rho - min(w, 0)/L_m(s)). Needs L_m(s) > 0.
	PolicyHigh
	// RatioHigh: f = Rho d_m'(s) - d_m(s); R_{m,m'}(s) <- min(R_{m,m'}(s), Rho - min(w, 0)/L_m'(s)). Needs L_m'(s) > 0.
	RatioHigh
)

// Step is one step. Which fields matter depends on Kind.
type Step struct {
	Kind   StepKind  // Bound: a range by multipliers; Refresh: one by the others
	Target Target    // the range, and with it the f that the multipliers bound
	M, M2  int       // the columns used; Refresh: the ratio
	Of, To int       // Bound: the kernels its Target calls M and M2
	Index  int       // state, or pair, of the Target
	Rho    float64   // of the targets with one: a probability, or a ratio of occupancies
	Value  float64   // what the range becomes; w must imply as much or more
	Rows   []Row     // rows with a multiplier
	Y      []float64 // their multipliers, single precision unless the Target is Empty
}

// RowKind is a family of valid inequalities, all built from the frame.
type RowKind uint8

// The rows, for kernel m, kernel m' (Other), pair i = (s,a), state s. Append only.
const (
	// Flow: Σ_a x_m(s,a) - γ Σ_{s',a'} P_m(s|s',a') x_m(s',a') = (1-γ) μ(s).
	Flow RowKind = iota
	// Cost: c̃_{n,m}·x_m <= b̃_n, n = Index.
	Cost
	// Occupancy: L_m(s) <= d_m(s) <= U_m(s).
	Occupancy
	// BoxLow: x_m(i) - l_i d_m(s) >= 0.
	BoxLow
	// BoxHigh: u_i d_m(s) - x_m(i) >= 0.
	BoxHigh
	// RatioLow: (R x_m'(i) - x_m(i)) - l_i (R d_m'(s) - d_m(s)) >= 0, R = R_{m,m'}(s).
	RatioLow
	// RatioUp: u_i (R d_m'(s) - d_m(s)) - (R x_m'(i) - x_m(i)) >= 0, R = R_{m,m'}(s).
	RatioUp
	// Simplex: Σ_a π(s,a) = 1.
	Simplex
	// McCormick1: x_m(i) - l_i d_m(s) - L_m(s) π(i) >= -l_i L_m(s).
	McCormick1
	// McCormick2: x_m(i) - u_i d_m(s) - U_m(s) π(i) >= -u_i U_m(s).
	McCormick2
	// McCormick3: l_i d_m(s) + U_m(s) π(i) - x_m(i) >= l_i U_m(s).
	McCormick3
	// McCormick4: u_i d_m(s) + L_m(s) π(i) - x_m(i) >= u_i L_m(s).
	McCormick4
)

// Row names one inequality: kind, kernel, other kernel, index (state, pair or
// cost), packed in 32 bits of 4, 7, 7 and 14.
type Row uint32

const (
	maxKernels = 1 << 7
	maxIndex   = 1 << 14
)

func rowOf(k RowKind, m, other, index int) Row {
	return Row(k)<<28 | Row(m)<<21 | Row(other)<<14 | Row(index)
}

// Kind is the family of the row.
func (r Row) Kind() RowKind { return RowKind(r >> 28) }

// Kernel is m.
func (r Row) Kernel() int { return int(r>>21) & (maxKernels - 1) }

// Other is m' of a ratio row, 0 for the others.
func (r Row) Other() int { return int(r>>14) & (maxKernels - 1) }

// Index is the row's state (Flow, Occupancy, Simplex), cost (Cost) or pair.
func (r Row) Index() int { return int(r) & (maxIndex - 1) }

// Infeasible reports whether the certificate's statement is that no policy
// meets the constraints.
func (c *Certificate) Infeasible() bool { return math.IsInf(c.Target, 1) && c.Relax == 0 }
