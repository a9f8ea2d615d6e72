package decide

import (
	"encoding/binary"
	"math"

	"rcmdplab/core/bound"
	"rcmdplab/core/solve"
)

// mostMemory is the size above which what is saved of a run leaves out the tree
// of the target being worked on: the bound proved so far is kept, and the
// target is begun again.
const mostMemory = 16 << 20

// memory is what a later run needs as bytes: whether the search for a policy was
// over, and the state of the search for a proof, when there is one.
func (r *runner) memory() []byte {
	b := []byte{0}
	if r.found {
		b[0] = 1
	}
	if r.search == nil {
		return b
	}
	st := r.search.State()
	state := st.Bytes()
	if len(state) > mostMemory {
		st.Tree, st.Open, st.Tensors, st.Target, st.Relax = nil, nil, nil, math.NaN(), 0
		state = st.Bytes()
	}
	return append(b, state...)
}

// block appends bytes with their length before them; unblock is its inverse.
func block(b, part []byte) []byte {
	return append(binary.LittleEndian.AppendUint32(b, uint32(len(part))), part...)
}

func unblock(b []byte) (part, rest []byte, ok bool) {
	if len(b) < 4 || uint64(binary.LittleEndian.Uint32(b)) > uint64(len(b)-4) {
		return nil, nil, false
	}
	n := 4 + int(binary.LittleEndian.Uint32(b))
	return b[4:n], b[n:], true
}

// resume goes on where an earlier run was left, when it had begun its proof:
// with its best policy and the state of its search.
func (r *runner) resume() bool {
	from := r.set.Resume
	if from == nil || from.Best.Policy == nil || len(r.set.Memory) == 0 {
		return false
	}
	var st bound.State
	if rest := r.set.Memory[1:]; len(rest) > 0 {
		var err error
		if st, err = bound.ReadState(rest); err != nil {
			return false
		}
		if r.search, err = bound.Restore(r.m, r.settings(nil), st); err != nil {
			r.search = nil
			return false
		}
		r.allow = st.Allow
	}
	r.p, r.found = *from, r.set.Memory[0] == 1
	r.p.Evaluations, r.p.Iterations, r.p.Step, r.p.Status = 0, 0, false, solve.Running
	r.p.Best.Policy = append([]float64(nil), from.Best.Policy...)
	r.p.Nodes = st.Nodes
	r.rows = from.K + 1
	if r.search != nil {
		r.p.Joined = r.search.Settle(partResults(r.set.Results))
	}
	return true
}
