package bound

import (
	"math"
	"testing"

	"rcmdplab/core/evaluate"
	"rcmdplab/core/internal/fixture"
	"rcmdplab/core/model"
)

// TestRectangular bounds every fixture with a rectangular set: the first stage
// reaches the fixture's own bound, nothing passes the best known value, and the
// problem without its constraints is closed to within rounding.
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
			var policies [][]float64
			if known.BestKnown != nil && known.BestKnown.Policy != nil {
				policies = append(policies, known.BestKnown.Policy.Flat(m.Layout))
			}
			kernels, err := Subset(ev, policies)
			if err != nil {
				t.Fatal(err)
			}
			s, err := New(m, Settings{Record: true, Kernels: kernels})
			if err != nil {
				t.Fatal(err)
			}
			feasible := known.BestKnown != nil && known.BestKnown.Status == ""
			if feasible {
				s.Incumbent(m.Internal(0, known.BestKnown.Objective), 0, true)
			}
			first, last, point, added := math.Inf(-1), Progress{}, 0, 0
			for last = range s.Run() {
				if last.Stage == Ladder && last.PointID != point {
					point = last.PointID
					worst, err := Worst(ev, last.Point)
					if err != nil {
						t.Fatal(err)
					}
					k, err := s.Extend(worst[:1])
					if err != nil {
						t.Fatal(err)
					}
					added += k
				}
				if last.Stage == Kernels && last.Nodes == 0 {
					first = last.LowerBound
				}
				if last.Nodes >= 6 {
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
				if known.LowerBound != nil {
					if want := m.Internal(0, *known.LowerBound); first < want-1e-6*m.H {
						t.Errorf("first stage %v, want %v", first, want)
					}
				}
				t.Logf("%d + %d kernels, first %.6f, then %.6f, best %.6f", len(kernels), added, first, last.LowerBound, best)
			}
			if c := s.Certificate(); c != nil {
				if err := replay(m, c); err != nil {
					t.Error(err)
				}
			}
			unconstrained(t, m, known)
		})
	}
}

// unconstrained checks that one kernel closes the problem without constraints.
func unconstrained(t *testing.T, m *model.Standard, known *fixture.Known) {
	if known.RobustUnconstrained == nil {
		return
	}
	p := *m.Problem
	p.Constraints = nil
	m = p.Standard()
	ev, err := evaluate.New(m)
	if err != nil {
		t.Fatal(err)
	}
	kernels, err := Subset(ev, nil)
	if err != nil {
		t.Fatal(err)
	}
	s, err := New(m, Settings{Kernels: kernels, Gap: 1e-7})
	if err != nil {
		t.Fatal(err)
	}
	best := m.Internal(0, known.RobustUnconstrained.Value)
	s.Incumbent(best, math.Inf(-1), true)
	var last Progress
	for last = range s.Run() {
		if last.Nodes > 0 {
			break
		}
	}
	if !last.Done || last.LowerBound > best+1e-7 {
		t.Errorf("without constraints: bound %v, optimum %v", last.LowerBound, best)
	}
}
