package bound

import (
	"testing"

	"rcmdplab/core/evaluate"
	"rcmdplab/core/internal/fixture"
)

// A target that is eased while its tree is open keeps what was closed: the tree
// ends with a certificate of the lower target, which replays, also when parts
// handed out under the higher one come back afterwards.
func TestEasedTarget(t *testing.T) {
	for _, parts := range []bool{false, true} {
		m, best := problem(t, "rect_kl")
		ev, err := evaluate.New(m)
		if err != nil {
			t.Fatal(err)
		}
		kernels, err := Worst(ev, fixture.Expected(t, "rect_kl").BestKnown.Policy.Flat(m.Layout), nil)
		if err != nil {
			t.Fatal(err)
		}
		set := Settings{Ladder: true, Gap: 1e-4, Record: true, Kernels: kernels}
		s, err := New(m, set)
		if err != nil {
			t.Fatal(err)
		}
		s.Incumbent(best, 0, true)
		var out []Part
		eased, low, closedBefore := 0.0, 0.0, 0
		for p := range s.Run() {
			if eased > 0 {
				if len(out) > 0 && p.OpenNodes <= len(out)+1 {
					part := out[0]
					out = out[1:]
					w, err := NewPart(m, set, part)
					if err != nil {
						t.Fatal(err)
					}
					for range w.Run(ShortPart) {
					}
					if !s.Join(w.Result()) {
						t.Error("a part of the target before it was eased was refused")
					}
				}
				if p.LowerBound > low || p.Nodes > 300 {
					break
				}
				continue
			}
			l, ok := s.at.(*ladder)
			if !ok || l.tree == nil || p.Stage != Ladder {
				continue
			}
			if p.Waiting { // this target is over but for the parts
				for _, part := range out {
					s.Join(PartResult{Target: part.Target, Relax: part.Relax, Place: part.Box.Place})
				}
				out = nil
				continue
			}
			if len(out) > 0 && out[0].Target != s.target {
				out = nil // given up meanwhile
			}
			if part, ok := s.Split(); ok && parts && len(out) < 2 {
				out = append(out, part)
			} else if ok {
				s.Join(PartResult{Target: part.Target, Relax: part.Relax, Place: part.Box.Place})
			}
			if l.tree.done >= 4 && len(l.tree.stack) >= 2 && (!parts || len(out) > 0) {
				for _, n := range l.tree.nodes {
					if n.Pair == -1 {
						closedBefore++
					}
				}
				if closedBefore == 0 {
					continue
				}
				high := s.target
				low = s.lower
				l.ease()
				if eased = s.target; !(eased < high && eased > s.lower) {
					t.Fatalf("eased from %v to %v above %v", high, eased, s.lower)
				}
			}
		}
		if eased == 0 || !(s.lower > low && s.lower <= eased) || closedBefore == 0 {
			t.Fatalf("parts %v: bound %v, eased to %v, %d closed before", parts, s.lower, eased, closedBefore)
		}
		if err := replay(m, s.Certificate()); err != nil {
			t.Errorf("parts %v: %v", parts, err)
		}
	}
}
