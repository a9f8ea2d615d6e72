package bound

import (
	"errors"
	"math"

	"rcmdplab/core/model"
	"rcmdplab/core/proof"
)

// Saved states and parts of them come back from storage and from other workers.
// What is checked here is what the search relies on; proofs in them are for the
// checker.

var errDamaged = errors.New("bound: this saved search is damaged or of another problem")

// most is a count that no search reaches.
const most = 1 << 50

// sound fails for a state that no search of the problem can have left.
func (st *State) sound(m *model.Standard) error {
	open := len(st.Open) > 0 || len(st.Tree) > 0
	switch {
	case math.IsNaN(st.LowerBound) || math.IsInf(st.LowerBound, 1) || math.IsNaN(st.ViolationLower) || math.IsInf(st.ViolationLower, 1),
		math.IsNaN(st.Upper) || math.IsInf(st.Upper, -1) || math.IsNaN(st.Excess) || math.IsInf(st.Excess, -1),
		!(st.Fraction > 0 && st.Fraction <= 1), st.Nodes < 0 || st.Nodes > most || st.Steps < 0 || st.Steps > most,
		open && (math.IsNaN(st.Target) || math.IsInf(st.Target, -1) || !(st.Relax >= 0) || math.IsInf(st.Relax, 1)):
		return errDamaged
	}
	for _, x := range st.Allow {
		if !(x >= 0) || math.IsInf(x, 1) {
			return errDamaged
		}
	}
	if err := soundKernels(m, st.Kernels); err != nil || !open {
		return err
	}
	if !soundTree(st.Tree, m.Pairs()) {
		return errDamaged
	}
	// Every open place has one box.
	boxes := map[int]bool{}
	for i := range st.Open {
		k := st.Open[i].Place
		if k < 0 || k >= len(st.Tree) || st.Tree[k].Pair != stillOpen || boxes[k] {
			return errDamaged
		}
		boxes[k] = true
	}
	for k := range st.Tree {
		if st.Tree[k].Pair == stillOpen && !boxes[k] {
			return errDamaged
		}
	}
	return nil
}

// soundTree reports whether the nodes are one tree from place 0, whose children
// come after their parents.
func soundTree(nodes []TreeNode, pairs int) bool {
	taken := make([]bool, len(nodes))
	for k := range nodes {
		n := &nodes[k]
		if n.Pair == -1 || n.Pair == stillOpen {
			continue
		}
		if n.Pair < 0 || n.Pair >= pairs || !(n.At >= 0 && n.At <= 1) {
			return false
		}
		for _, c := range [2]int{n.Left, n.Right} {
			if c <= k || c >= len(nodes) || taken[c] {
				return false
			}
			taken[c] = true
		}
	}
	for k := 1; k < len(nodes); k++ {
		if !taken[k] {
			return false
		}
	}
	return true
}

// soundKernels fails for rows that are no probabilities.
func soundKernels(m *model.Standard, kernels []proof.Kernel) error {
	for k := range kernels {
		x := &kernels[k]
		if len(x.Rows) != m.Pairs()*m.S || len(x.Penalty) != 0 && len(x.Penalty) != m.Pairs() {
			return errDamaged
		}
		sum := 0.0
		for i, p := range x.Rows {
			if !(p >= 0 && p <= 1+1e-9) {
				return errDamaged
			}
			if sum += p; i%m.S == m.S-1 {
				if !(math.Abs(sum-1) <= 1e-6) {
					return errDamaged
				}
				sum = 0
			}
		}
		for _, p := range x.Penalty {
			if !(p >= 0) || math.IsInf(p, 1) {
				return errDamaged
			}
		}
	}
	return nil
}

// sound fails for ranges that are none: of sizes that fit, see data.open.
func (b *Box) sound() error {
	within := func(low, high []float64) bool {
		for i, l := range low {
			if !(l >= 0 && l <= high[i] && high[i] <= 1+1e-9) {
				return false
			}
		}
		return true
	}
	if b.Depth < 0 || b.Depth > most || !within(b.Lower, b.Upper) || !within(b.OccupancyLow, b.Occupancy) {
		return errDamaged
	}
	for _, r := range b.Ratio {
		if !(r > 0) {
			return errDamaged
		}
	}
	for _, g := range b.Gain {
		if math.IsNaN(g) || math.IsInf(g, 0) {
			return errDamaged
		}
	}
	return nil
}

// sound fails for a result that is no whole tree.
func (r *PartResult) sound(pairs int) error {
	if r.Boxes < 0 || r.Boxes > most || r.Steps < 0 || r.Steps > most {
		return errDamaged
	}
	open := 1
	for _, n := range r.Nodes {
		if open == 0 || n.Pair < -1 || n.Pair >= pairs {
			return errDamaged
		}
		if open--; n.Pair >= 0 {
			open += 2
		}
	}
	if len(r.Nodes) > 0 && open > 0 {
		return errDamaged
	}
	return nil
}
