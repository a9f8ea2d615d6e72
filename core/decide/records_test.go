package decide_test

import (
	"math"
	"testing"

	"rcmdplab/core/decide"
	"rcmdplab/core/evaluate"
	"rcmdplab/core/model"
)

// TestRecordsSpeakOfTheirPolicies: limits that no policy meets, in units that are
// far apart: what misses one by the most is then not what misses the other by
// the largest share. In every record of every method the numbers of the best policy are its own.
func TestRecordsSpeakOfTheirPolicies(t *testing.T) {
	seen := 0
	for _, states := range []int{5, 9} {
		for _, kind := range []model.Kind{model.Finite, model.L1} {
			p := shapeless(states, kind, 1, 2)
			far := &p.Constraints[1]
			for i := range far.Values {
				far.Values[i] *= 1e-8
			}
			h := p.Standard().H
			p.Constraints[0].Bound, far.Bound = .3*h, 1e-9*h
			m := p.Standard()
			ev, err := evaluate.New(m)
			if err != nil {
				t.Fatal(err)
			}
			other, err := evaluate.New(m)
			if err != nil {
				t.Fatal(err)
			}
			for _, id := range []string{"solve", "slp", "penalty", "rnpg", "mirror-descent"} {
				a, _ := decide.Find(id)
				s := a.Defaults()
				s.Starts, s.OuterIterations, s.InnerIterations = 4, 3, 40
				records := 0
				for q := range a.Run(ev, s) {
					b := &q.Best
					if b.Policy == nil {
						continue
					}
					if records++; records > 60 {
						break
					}
					seen++
					other.Evaluate(b.Policy)
					v, _ := other.MaxViolation()
					if !(math.Abs(other.J[0]-b.Objective) <= 1e-9*m.H) || !(math.Abs(v-b.MaxViolation) <= 1e-9*m.H) {
						t.Errorf("%s, %d states, %s: the record says %v and a violation of %v, its policy has %v and %v",
							id, states, kind, b.Objective, b.MaxViolation, other.J[0], v)
						break
					}
				}
			}
		}
	}
	if seen < 40 {
		t.Errorf("%d records", seen)
	}
}
