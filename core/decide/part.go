package decide

import (
	"bytes"
	"fmt"
	"iter"
	"math"

	"rcmdplab/core/bound"
	"rcmdplab/core/evaluate"
	"rcmdplab/core/solve"
)

// Split hands out an open box of the target being worked on, with the members
// of an infinite set that it is about: what Part needs. See solve.Sharer. Nothing is handed out
// once it is proved that no policy is feasible: what is still done then is to be over soon (mostAfter), and
// how long a box takes elsewhere, by which no box here is counted, nobody can tell.
func (r *runner) Split() ([]byte, bool) {
	if r.impossible() {
		return nil, false
	}
	part, ok := r.search.Split()
	if !ok {
		return nil, false
	}
	members := bound.State{Kernels: r.search.Members(), Allow: r.allow}
	return append(block([]byte{tagPart}, members.Bytes()), part.Bytes()...), true
}

// The first byte of what travels between workers says what it is.
const (
	tagPart   = 'p' // a part, as handed out
	tagResult = 'r' // what became of one
)

// Join takes what became of a part, or a part itself, which is then worked on
// here again.
func (r *runner) Join(result []byte) bool {
	if len(result) == 0 {
		return false
	}
	switch result[0] {
	case tagResult:
		x, err := bound.ReadPartResult(result[1:])
		return err == nil && r.search.Join(x)
	case tagPart:
		_, part, err := readPart(result)
		return err == nil && r.search.Join(bound.PartResult{Target: part.Target, Relax: part.Relax, Place: part.Box.Place})
	}
	return false
}

// partResults reads what became of parts; what is none is left out.
func partResults(results [][]byte) (read []bound.PartResult) {
	for _, b := range results {
		if len(b) == 0 || b[0] != tagResult {
			continue
		}
		if x, err := bound.ReadPartResult(b[1:]); err == nil {
			read = append(read, x)
		}
	}
	return read
}

// PartID is the id of Part, which no list of methods has.
const PartID = "part"

// Part is the method that works on one part handed out by Split, for the
// problem of the evaluator: until it is closed, or for a short while, for a run
// that goes on meanwhile. The last record's Memory gives what Join takes. What the part
// has in common with the one before it is kept; nil for a part by itself.
func Part(part []byte, short bool, kept *Kept) solve.Algorithm {
	return solve.Algorithm{ID: PartID, Title: "Part of a proof", Concludes: true,
		Run: func(ev *evaluate.Evaluator, s solve.Settings) iter.Seq[solve.Progress] {
			return func(yield func(solve.Progress) bool) { runPart(ev, s, part, short, kept, yield) }
		}}
}

// Kept is what a worker keeps from one part to the next of the same run.
type Kept struct {
	search  *bound.PartSearch // on the last part; nil before
	members []byte            // kernels and allowances that it was made with, as they came
}

func runPart(ev *evaluate.Evaluator, s solve.Settings, part []byte, short bool, kept *Kept, yield func(solve.Progress) bool) {
	p := solve.Nothing()
	search, err := openPart(ev, part, kept)
	if err != nil {
		p.Status, p.Note = solve.Failed, err.Error()
		yield(p)
		return
	}
	most := int64(math.MaxInt64)
	if short {
		most = search.Short()
	}
	for p.Nodes = range search.Run(most) {
		if s.Asked() {
			break
		}
		if !yield(p) {
			return
		}
	}
	p.Status = solve.Stopped // a part claims nothing by itself
	p.Memory = func() []byte {
		x := search.Result()
		return append([]byte{tagResult}, x.Bytes()...)
	}
	yield(p)
}

func openPart(ev *evaluate.Evaluator, b []byte, kept *Kept) (*bound.PartSearch, error) {
	members, part, err := readPart(b)
	if err != nil {
		return nil, err
	}
	head := members.Bytes()
	if kept != nil && kept.search != nil && bytes.Equal(head, kept.members) && kept.search.Again(part) {
		return kept.search, nil
	}
	search, err := bound.NewPart(ev.M, bound.Settings{Record: true, Kernels: members.Kernels, Allow: members.Allow}, part)
	if kept != nil {
		kept.search, kept.members = search, head
	}
	return search, err
}

// readPart is the inverse of Split.
func readPart(b []byte) (members bound.State, part bound.Part, err error) {
	if len(b) == 0 || b[0] != tagPart {
		return members, part, fmt.Errorf("decide: %w", bound.ErrCoding)
	}
	head, rest, ok := unblock(b[1:])
	if !ok {
		return members, part, fmt.Errorf("decide: %w", bound.ErrCoding)
	}
	if members, err = bound.ReadState(head); err != nil {
		return members, part, err
	}
	part, err = bound.ReadPart(rest)
	return members, part, err
}
