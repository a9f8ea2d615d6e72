package proof

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"

	"rcmdplab/core/jsontext"
)

// Node is one box of policies: steps in order, then a split of pair Pair at At,
// or Pair = -1: the steps have shown the box to be empty of policies that
// satisfy the hypotheses.
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

	// Bound is a step with multipliers, sought over the columns x_M (M2 = -1), over
	// x_M and x_M2, or, with M = -1, over π and every x_m. A check goes by what its rows name.
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
	// RowKinds is how many there are.
	RowKinds
)

// Row names one inequality: kind, kernel, other kernel, index (state, pair or
// cost), packed in 32 bits of 4, 7, 7 and 14.
type Row uint32

// The largest numbers that a Row can name.
const (
	MaxKernels = 1 << 7
	MaxIndex   = 1 << 14
)

// NewRow packs the name of an inequality.
func NewRow(k RowKind, m, other, index int) Row {
	return Row(k)<<28 | Row(m)<<21 | Row(other)<<14 | Row(index)
}

// Kind is the family of the row.
func (r Row) Kind() RowKind { return RowKind(r >> 28) }

// Kernel is m.
func (r Row) Kernel() int { return int(r>>21) & (MaxKernels - 1) }

// Other is m' of a ratio row, 0 for the others.
func (r Row) Other() int { return int(r>>14) & (MaxKernels - 1) }

// Index is the row's state (Flow, Occupancy, Simplex), cost (Cost) or pair.
func (r Row) Index() int { return int(r) & (MaxIndex - 1) }

func kindNames() []string { return []string{"open", "refresh", "close", "bound"} }

func targetNames() []string {
	return []string{"empty", "occupancy-low", "occupancy-high", "policy-low", "policy-high", "ratio-high"}
}

// In the document:
//
//	"nodes": [{"steps", "split"}, ...]   split {"pair", "at"}; none: shown empty
//	step     {"kind", "target", "kernels", "of", "to", "index", "rho", "value", "rows", "multipliers", "multipliers64"}
//
// Names of kinds and targets are words, the kernels of a step M and M2; rows and multipliers are base64 of little-endian
// uint32 and float32 (float64 in multipliers64, where single precision does not hold them all).
func (w *writer) nodes(nodes []Node) error {
	for i, n := range nodes {
		w.first(i, `,"nodes":[`).text("{")
		for j := range n.Steps {
			w.first(j, `"steps":[`)
			if err := w.step(&n.Steps[j]); err != nil {
				return fmt.Errorf("/nodes/%d/steps/%d: %w", i, j, err)
			}
			w.last(j, len(n.Steps))
		}
		if n.Pair >= 0 {
			if len(n.Steps) > 0 {
				w.text(",")
			}
			w.text(`"split":{"pair":`).number(float64(n.Pair)).text(`,"at":`).number(n.At).text("}")
		}
		w.text("}").last(i, len(nodes))
	}
	return nil
}

func (w *writer) step(s *Step) error {
	kinds, targets := kindNames(), targetNames()
	if int(s.Kind) >= len(kinds) || int(s.Target) >= len(targets) || len(s.Rows) != len(s.Y) {
		return fmt.Errorf("kind %d, target %d, %d rows and %d multipliers make no step", s.Kind, s.Target, len(s.Rows), len(s.Y))
	}
	w.text(`{"kind":"` + kinds[s.Kind] + `"`)
	unlessZero := func(name string, x float64) {
		if x != 0 {
			w.text(`,"` + name + `":`).number(x)
		}
	}
	if s.Kind == Bound {
		w.text(`,"target":"` + targets[s.Target] + `"`)
	}
	if s.Kind == Bound || s.Kind == Refresh {
		w.text(`,"kernels":`).numbers([]float64{float64(s.M), float64(s.M2)})
	}
	if s.Kind == Bound {
		unlessZero("of", float64(s.Of))
		unlessZero("to", float64(s.To))
	}
	if s.Kind == Bound || s.Kind == Refresh {
		unlessZero("index", float64(s.Index))
	}
	if s.Kind == Bound {
		unlessZero("rho", s.Rho)
		unlessZero("value", s.Value)
		var rows, single, double []byte
		for _, r := range s.Rows {
			rows = binary.LittleEndian.AppendUint32(rows, uint32(r))
		}
		for _, y := range s.Y {
			single = binary.LittleEndian.AppendUint32(single, math.Float32bits(float32(y)))
			double = binary.LittleEndian.AppendUint64(double, math.Float64bits(y))
		}
		w.bytes("rows", rows)
		if slices.ContainsFunc(s.Y, func(y float64) bool { return float64(float32(y)) != y }) {
			w.bytes("multipliers64", double)
		} else {
			w.bytes("multipliers", single)
		}
	}
	w.text("}")
	return nil
}

func (n *Node) read(v jsontext.Value) error {
	n.Pair = -1
	split := func(v jsontext.Value) error {
		n.Pair = 0
		if err := v.Decode(jsontext.Fields{"pair": &n.Pair, "at": &n.At}, unknown); err != nil || n.Pair >= 0 {
			return err
		}
		return wrong("/pair", "got %d; want a number >= 0", n.Pair)
	}
	return v.Decode(jsontext.Fields{"steps": jsontext.List(&n.Steps, (*Step).read), "split": split}, unknown)
}

func (s *Step) read(v jsontext.Value) error {
	var kindName, targetName string
	var kernels []int
	var rows, single, double []byte
	err := v.Decode(jsontext.Fields{"kind": &kindName, "target": &targetName, "kernels": &kernels, "of": &s.Of, "to": &s.To, "index": &s.Index,
		"rho": &s.Rho, "value": &s.Value, "rows": base64To(&rows), "multipliers": base64To(&single), "multipliers64": base64To(&double)}, unknown)
	if err != nil {
		return err
	}
	kind := slices.Index(kindNames(), kindName)
	if kind < 0 {
		return wrong("/kind", "got %q; want one of %q", kindName, kindNames())
	}
	s.Kind = StepKind(kind)
	if s.Kind == Bound || s.Kind == Refresh {
		if len(kernels) != 2 {
			return wrong("/kernels", "got %d numbers; want 2", len(kernels))
		}
		s.M, s.M2 = kernels[0], kernels[1]
	}
	if s.Kind != Bound {
		return nil
	}
	target := slices.Index(targetNames(), targetName)
	if target < 0 {
		return wrong("/target", "got %q; want one of %q", targetName, targetNames())
	}
	s.Target = Target(target)
	n := len(rows) / 4
	if len(rows)%4 != 0 || len(single)+len(double)/2 != 4*n || len(double)%8 != 0 || len(single)*len(double) > 0 {
		return wrong("/rows", "got %d bytes of rows, %d of multipliers and %d of multipliers64; want 4 a row, and 4 or 8 a multiplier", len(rows), len(single), len(double))
	}
	for k := range n {
		s.Rows = append(s.Rows, Row(binary.LittleEndian.Uint32(rows[4*k:])))
		if len(double) > 0 {
			s.Y = append(s.Y, math.Float64frombits(binary.LittleEndian.Uint64(double[8*k:])))
		} else {
			s.Y = append(s.Y, float64(math.Float32frombits(binary.LittleEndian.Uint32(single[4*k:]))))
		}
		if y := s.Y[k]; math.IsNaN(y) || math.IsInf(y, 0) {
			return wrong("/multipliers", "number %d is %v; want a finite number", k, y)
		}
	}
	return nil
}
