package bound

import (
	"math"
	"testing"

	"rcmdplab/core/internal/fixture"
)

// TestFixtures bounds every finite fixture for a few boxes: nothing passes the
// best known value, and where the fixture's own bound meets it a target just below
// it is closed at once.
func TestFixtures(t *testing.T) {
	for _, name := range fixture.Names(t) {
		m := fixture.Problem(t, name).Standard()
		if m.Kernels == nil {
			continue
		}
		t.Run(name, func(t *testing.T) {
			known := fixture.Expected(t, name)
			if known.BestKnown == nil || known.BestKnown.Policy == nil || known.BestKnown.Status != "" {
				t.Skip("no feasible policy; see TestInfeasible")
			}
			best := m.Internal(0, known.BestKnown.Objective)
			s, err := New(m, Settings{Gap: 1e-9})
			if err != nil {
				t.Fatal(err)
			}
			s.Incumbent(best, 0, true)
			var last Progress
			for last = range s.Run() {
				if last.Nodes >= 6 {
					break
				}
			}
			unit := m.H * s.d.w[0]
			// Policies of the fixtures may violate by 1e-9.
			if last.Infeasible || last.LowerBound > best+1e-8*unit {
				t.Fatalf("bound %v (infeasible %v) above the best known %v", last.LowerBound, last.Infeasible, best)
			}
			if known.LowerBound == nil || math.Abs(*known.LowerBound-known.BestKnown.Objective) >= 1e-7*unit {
				return
			}
			if closed, boxes, _ := reach(m, best-1e-6*unit, 0, 6); !closed {
				t.Errorf("a target just below the optimum %v is not closed in %d boxes", best, boxes)
			}
		})
	}
}
