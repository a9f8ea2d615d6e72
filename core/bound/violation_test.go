package bound

import (
	"math"
	"math/rand/v2"
	"testing"

	"rcmdplab/core/evaluate"
	"rcmdplab/core/internal/fixture"
	"rcmdplab/core/model"
	"rcmdplab/core/proof"
)

// least is the least maximal violation of a two-action problem by a dense grid.
func least(t testing.TB, m *model.Standard) float64 {
	t.Helper()
	ev, err := evaluate.New(m)
	if err != nil {
		t.Fatal(err)
	}
	best := math.Inf(1)
	at := m.Uniform()
	var walk func(s int)
	walk = func(s int) {
		if s == m.S {
			ev.Evaluate(at)
			v, _ := ev.MaxViolation()
			best = min(best, v)
			return
		}
		if m.Off[s+1]-m.Off[s] == 1 {
			walk(s + 1)
			return
		}
		for q := range 101 {
			at[m.Off[s]], at[m.Off[s]+1] = float64(q)/100, 1-float64(q)/100
			walk(s + 1)
		}
	}
	walk(0)
	return best
}

// TestViolation lowers the thresholds of random problems until no policy meets
// them: infeasibility is proved, and the least violation bounded from below by
// a number that no policy of a dense grid beats and that comes near.
func TestViolation(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12))
	done := 0
	for k := 0; done < 60; k++ {
		m := small(t, r)
		if m.N == 0 || m.S > 2 {
			continue
		}
		p := m.Problem
		unit := 0.0
		for i := range p.Constraints {
			lo, hi := m.Bounds(i + 1)
			unit = max(unit, m.H*(hi-lo))
			by := 0.5 * m.H * (hi - lo)
			if p.Constraints[i].AtLeast {
				by = -by
			}
			p.Constraints[i].Bound -= by
		}
		m = p.Standard()
		v := least(t, m)
		if v <= 1e-3*unit {
			continue
		}
		done++
		s, err := New(m, Settings{Ladder: true, Violation: true, Gap: 0.05, Record: true})
		if err != nil {
			t.Fatal(err)
		}
		s.Incumbent(math.Inf(1), v, false)
		var last Progress
		for last = range s.Run() {
			if last.ViolationLower > v {
				t.Fatalf("problem %d: violation at least %v, but a policy has %v", k, last.ViolationLower, v)
			}
			if last.Nodes > 300 {
				break
			}
		}
		if !last.Infeasible {
			t.Errorf("problem %d: least violation %v of %v not proved positive", k, v, unit)
		}
		if !last.Done {
			t.Errorf("problem %d: least violation only %v, a policy has %v", k, last.ViolationLower, v)
		}
		for _, c := range []*proof.Claim{s.Certificate(), s.ViolationCertificate()} {
			if c == nil {
				t.Fatal("no certificate")
			}
			if err := replay(m, c); err != nil {
				t.Errorf("problem %d: %v", k, err)
			}
		}
	}
}

// TestInfeasible proves the infeasible fixture with a finite set.
func TestInfeasible(t *testing.T) {
	m := fixture.Problem(t, "fig1_conflict").Standard()
	s, err := New(m, Settings{Ladder: true, Record: true})
	if err != nil {
		t.Fatal(err)
	}
	var last Progress
	for last = range s.Run() {
		if last.Nodes > 100 {
			break
		}
	}
	if !last.Infeasible || !last.Done {
		t.Fatalf("not proved infeasible: %+v", last)
	}
	if err := replay(m, s.Certificate()); err != nil {
		t.Error(err)
	}
}

// TestDropped leaves out a constraint that no policy can violate.
func TestDropped(t *testing.T) {
	p := *fixture.Problem(t, "fig1_epigraph")
	m := p.Standard()
	_, hi := m.Bounds(1)
	p.Constraints = append([]model.Constraint(nil), p.Constraints...)
	p.Constraints[0].Bound = hi * m.H
	s, err := New(p.Standard(), Settings{Ladder: true})
	if err != nil {
		t.Fatal(err)
	}
	if d := s.d.dropped; len(d) != 1 || d[0] != 1 {
		t.Errorf("dropped %v, want constraint 1", d)
	}
}
