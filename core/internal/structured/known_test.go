package structured_test

import (
	"math"
	"testing"

	"rcmdplab/core/internal/fixture"
	"rcmdplab/core/internal/structured"
)

// What is worked out here agrees with the published values: optima of one
// kernel, and of rectangular sets without limits.
func TestKnownAnswersOfFixtures(t *testing.T) {
	checked := 0
	for _, name := range fixture.Names(t) {
		p, want := fixture.Problem(t, name), fixture.Expected(t, name)
		var value float64
		switch {
		case want.CMDPLP != nil && len(p.Constraints) <= 2:
			value = want.CMDPLP.Optimum
		case want.RobustUnconstrained != nil && !p.Uncertainty.Paper:
			p.Constraints, value = nil, want.RobustUnconstrained.Value
		default:
			continue
		}
		m := p.Standard()
		k := structured.Know(p)
		if !k.Exact {
			continue // too many policies to list
		}
		checked++
		if got := m.Present(0, k.High); math.Abs(got-value) > 1e-7*math.Max(1, math.Abs(value)) {
			t.Errorf("%s: %v, published %v", name, got, value)
		}
	}
	if checked < 5 {
		t.Errorf("only %d fixtures were compared", checked)
	}
}

// The returns of a policy agree with those computed elsewhere, of every kind.
func TestReturnsOfFixtures(t *testing.T) {
	for _, name := range fixture.Names(t) {
		p, want := fixture.Problem(t, name), fixture.Expected(t, name)
		if p.Uncertainty.Paper {
			continue
		}
		m := p.Standard()
		for id, e := range want.Evaluations {
			j, _ := structured.Returns(m, want.Policies[id].Flat(m.Layout))
			for n := range j {
				if got := m.Present(n, j[n]); math.Abs(got-e.J[n]) > 1e-7*math.Max(1, math.Abs(e.J[n])) {
					t.Errorf("%s, policy %s: J_%d is %v, elsewhere %v", name, id, n, got, e.J[n])
				}
			}
		}
	}
}
