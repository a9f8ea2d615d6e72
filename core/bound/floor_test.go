package bound

import (
	"math"
	"math/rand/v2"
	"testing"

	"rcmdplab/core/model"
)

// TestIncumbentAtTheLeastCost: beside a policy that costs no more than the least
// that steps can cost, and before anything is proved, a target is found below it:
// the search goes on from record to record or ends, and claims no more than that.
func TestIncumbentAtTheLeastCost(t *testing.T) {
	r := rand.New(rand.NewPCG(71, 1))
	for k := range 40 {
		m := small(t, r)
		offset, scale := []float64{0, 1, -3}[k%3], []float64{0, 1, 1e-8, 1e6}[k%4]
		p := *m.Problem
		p.Constraints = nil
		p.Objective = model.Cost{Name: "c", Values: make([]float64, p.Layout.S*p.Layout.A)}
		for i := range p.Objective.Values {
			p.Objective.Values[i] = offset + scale*float64(i%p.Layout.A)
		}
		s, err := New(p.Standard(), Settings{Record: true, Ladder: true})
		if err != nil {
			t.Fatal(err)
		}
		least := offset * m.H // of the first action, everywhere
		s.Incumbent(least, math.Inf(-1), true)
		records := 0
		for q := range s.Run() {
			if !(q.LowerBound <= least) {
				t.Fatalf("offset %v, scale %v: least %v, bound %v", offset, scale, least, q.LowerBound)
			}
			if records++; records == 20 {
				break
			}
		}
		if records == 0 {
			t.Errorf("offset %v, scale %v: no record", offset, scale)
		}
	}
}
