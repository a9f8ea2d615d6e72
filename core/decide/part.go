package decide

import (
	"encoding/binary"
	"fmt"
	"iter"

	"rcmdplab/core/bound"
	"rcmdplab/core/evaluate"
	"rcmdplab/core/solve"
)

// Split hands out an open box of the target being worked on, with the members
// of an infinite set that it is about: what Part needs. See solve.Sharer.
func (r *runner) Split() ([]byte, bool) {
	part, ok := r.search.Split()
	if !ok {
		return nil, false
	}
	members := bound.State{Kernels: r.search.Members(), Allow: r.allow}
	head := members.Bytes()
	b := binary.LittleEndian.AppendUint32(nil, uint32(len(head)))
	return append(append(b, head...), part.Bytes()...), true
}

// Join takes what became of a part, or a part itself, which is then worked on
// here again.
func (r *runner) Join(result []byte) bool {
	x, err := bound.ReadPartResult(result)
	if err != nil {
		_, part, err := readPart(result)
		if err != nil {
			return false
		}
		x = bound.PartResult{Target: part.Target, Relax: part.Relax, Place: part.Box.Place}
	}
	return r.search.Join(x)
}

// PartID is the id of Part, which no list of methods has.
const PartID = "part"

// Part is the method that works on one part handed out by Split, for the
// problem of the evaluator. The last record's Memory gives what Join takes.
func Part(part []byte) solve.Algorithm {
	return solve.Algorithm{ID: PartID, Title: "Part of a proof", Concludes: true,
		Run: func(ev *evaluate.Evaluator, s solve.Settings) iter.Seq[solve.Progress] {
			return func(yield func(solve.Progress) bool) { runPart(ev, s, part, yield) }
		}}
}

func runPart(ev *evaluate.Evaluator, s solve.Settings, part []byte, yield func(solve.Progress) bool) {
	p := nothing()
	search, err := openPart(ev, part)
	if err != nil {
		p.Status, p.Note = solve.Failed, err.Error()
		yield(p)
		return
	}
	for q := range search.Run() {
		p.Nodes = q.Nodes
		if q.Done || s.Asked() {
			break
		}
		if !yield(p) {
			return
		}
	}
	p.Status = solve.Stopped // a part claims nothing by itself
	p.Memory = func() []byte {
		x := search.Result()
		return x.Bytes()
	}
	yield(p)
}

func openPart(ev *evaluate.Evaluator, b []byte) (*bound.Search, error) {
	members, part, err := readPart(b)
	if err != nil {
		return nil, err
	}
	return bound.NewPart(ev.M, bound.Settings{Record: true, Kernels: members.Kernels, Allow: members.Allow}, part)
}

// readPart is the inverse of Split.
func readPart(b []byte) (members bound.State, part bound.Part, err error) {
	if len(b) < 4 || uint64(binary.LittleEndian.Uint32(b)) > uint64(len(b)-4) {
		return members, part, fmt.Errorf("decide: %w", bound.ErrCoding)
	}
	n := int(binary.LittleEndian.Uint32(b))
	if members, err = bound.ReadState(b[4 : 4+n]); err != nil {
		return members, part, err
	}
	part, err = bound.ReadPart(b[4+n:])
	return members, part, err
}
