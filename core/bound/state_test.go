package bound

import (
	"bytes"
	"encoding/gob"
	"math"
	"testing"

	"rcmdplab/core/proof"
)

// TestState stops a search again and again, each time after a few records,
// carries it on from its saved data, and replays the certificate of the end.
func TestState(t *testing.T) {
	m, best := problem(t, "random4")
	set := Settings{Ladder: true, Gap: 0.04, Record: true}
	s, err := New(m, set)
	if err != nil {
		t.Fatal(err)
	}
	s.Incumbent(best, 0, true)
	s.Proved(132.79) // by one kernel alone
	last := Progress{LowerBound: math.Inf(-1)}
	stops := 0
	for !last.Done && stops < 500 {
		count := 0
		for p := range s.Run() {
			if p.LowerBound < last.LowerBound {
				t.Fatalf("the bound fell from %v to %v", last.LowerBound, p.LowerBound)
			}
			last = p
			if count++; count > 40 {
				break
			}
		}
		var buf bytes.Buffer // plain data: it survives any encoding
		if err := gob.NewEncoder(&buf).Encode(s.State()); err != nil {
			t.Fatal(err)
		}
		var st State
		if err := gob.NewDecoder(&buf).Decode(&st); err != nil {
			t.Fatal(err)
		}
		if s, err = Restore(m, set, st); err != nil {
			t.Fatal(err)
		}
		stops++
	}
	if !last.Done || stops < 5 {
		t.Fatalf("after %d stops: %+v", stops, last)
	}
	if err := replay(m, s.Certificate()); err != nil {
		t.Error(err)
	}
}

// TestParts hands boxes to a second search whenever there are any.
func TestParts(t *testing.T) {
	m, best := problem(t, "a_seed3")
	set := Settings{Ladder: true, Gap: 0.014, Record: true}
	s, err := New(m, set)
	if err != nil {
		t.Fatal(err)
	}
	s.Incumbent(best+1e-6, 0, true)
	var last Progress
	var parts, stale, back int
	for last = range s.Run() {
		part, ok := s.Split()
		if !ok {
			continue
		}
		w, err := NewPart(m, set, part)
		if err != nil {
			t.Fatal(err)
		}
		parts++
		count := 0
		for range w.Run(ShortPart) {
			if count++; parts%2 == 0 && count > 3 {
				break // gives up
			}
		}
		r := w.Result()
		if !r.Closed {
			back++
		}
		if !s.Join(r) {
			stale++
		}
	}
	if !last.Done || best-last.LowerBound > set.Gap*best*(1+1e-9) || parts < 6 || back < 2 {
		t.Fatalf("%d parts, %d unfinished, %d stale: %+v", parts, back, stale, last)
	}
	if err := replay(m, s.Certificate()); err != nil {
		t.Error(err)
	}
}

// What others say of the boxes of a saved search is taken in before it goes on,
// each box once; when all are said to be closed, so is the target.
func TestSettle(t *testing.T) {
	s := midway(t)
	target := s.target
	for _, ok := s.Split(); ok; _, ok = s.Split() {
	}
	st := s.State()
	var results []PartResult
	for _, box := range st.Open {
		results = append(results, PartResult{Target: st.Target, Relax: st.Relax, Place: box.Place, Closed: true, Nodes: []proof.Node{{Pair: -1}}})
	}
	s, err := Restore(s.m, s.set, st)
	if err != nil {
		t.Fatal(err)
	}
	// Of no use: one of a lower target, one of no box, one a second time.
	first, lower, other := results[0], results[0], results[0]
	lower.Target--
	other.Place = 1 << 20
	if got := s.Settle([]PartResult{lower, other, first, first}); got != 1 || len(s.at.(*ladder).tree.stack) != len(results)-1 {
		t.Fatalf("%d results were of use, and %d boxes are left of %d", got, len(s.at.(*ladder).tree.stack), len(results))
	}
	if got := s.Settle(results[1:]); got != len(results)-1 || s.lower != target {
		t.Fatalf("%d of %d were of use, and the bound is %v, want %v", got, len(results)-1, s.lower, target)
	}
}
