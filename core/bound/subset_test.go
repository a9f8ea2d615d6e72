package bound

import (
	"math"
	"testing"

	"rcmdplab/core/evaluate"
	"rcmdplab/core/internal/fixture"
	"rcmdplab/core/proof"
)

// TestRectangular bounds every fixture with a rectangular set by its worst
// kernels: nothing passes the best known value.
func TestRectangular(t *testing.T) {
	for _, name := range fixture.Names(t) {
		m := fixture.Problem(t, name).Standard()
		if m.Kernels != nil {
			continue
		}
		t.Run(name, func(t *testing.T) {
			known := fixture.Expected(t, name)
			ev, err := evaluate.New(m)
			if err != nil {
				t.Fatal(err)
			}
			policies := [][]float64{m.Uniform()}
			if known.BestKnown != nil && known.BestKnown.Policy != nil {
				policies = append(policies, known.BestKnown.Policy.Flat(m.Layout))
			}
			var kernels []proof.Kernel
			for _, pi := range policies {
				worst, err := Worst(ev, pi, nil)
				if err != nil {
					t.Fatal(err)
				}
				kernels = Join(kernels, worst)
			}
			// Targets within reach, and beyond it: members join an open tree.
			for fraction, beyond := range map[float64]float64{0: 0, 0.9: 0.2} {
				s, err := New(m, Settings{Ladder: true, Record: true, Kernels: kernels, Fraction: fraction})
				if err != nil {
					t.Fatal(err)
				}
				feasible := known.BestKnown != nil && known.BestKnown.Status == ""
				if feasible {
					best := m.Internal(0, known.BestKnown.Objective)
					s.Incumbent(best+beyond*math.Abs(best), 0, true)
				}
				last, point, added := Progress{}, 0, 0
				for last = range s.Run() {
					if last.Stage == Ladder && last.PointID != point {
						point = last.PointID
						worst, err := Worst(ev, last.Point, nil)
						if err != nil {
							t.Fatal(err)
						}
						k, err := s.Extend(worst[:1])
						if err != nil {
							t.Fatal(err)
						}
						added += k
					}
					if last.Nodes >= 3 {
						break
					}
				}
				if !feasible {
					if !last.Infeasible {
						t.Fatalf("not proved infeasible: %+v", last)
					}
				} else {
					best := m.Internal(0, known.BestKnown.Objective)
					if last.Infeasible || last.LowerBound > best+1e-7 {
						t.Fatalf("bound %v (infeasible %v) above the best known %v", last.LowerBound, last.Infeasible, best)
					}
					t.Logf("%d + %d kernels, bound %.6f, best %.6f", len(kernels), added, last.LowerBound, best)
				}
				if c := s.Certificate(); c != nil {
					if err := replay(m, c); err != nil {
						t.Error(err)
					}
				}
			}
		})
	}
}
