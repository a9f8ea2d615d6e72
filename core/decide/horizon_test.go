package decide

import (
	"fmt"
	"math"
	"testing"

	"rcmdplab/core/evaluate"
	"rcmdplab/core/internal/fixture"
	"rcmdplab/core/solve"
)

// toGoal is a way to a goal where nothing is paid, against a rectangular set, with a
// limit that binds; avoided is what an action that nobody needs costs there.
func toGoal(set string, gamma, avoided float64) string {
	return fmt.Sprintf(`{"format":"rcmdp/1","name":"to the goal","states":["x","y","goal"],"actions":["a","b"],"discount":%v,"initial":[1,0,0],
		"objective":{"name":"c","values":[[1,4],[2,3],[0,%v]]},"constraints":[{"name":"d","values":[[3,0],[1,0],[0,0]],"atMost":9}],
		"uncertainty":{%s,"nominal":[[[0.6,0.2,0.2],[0.2,0.6,0.2]],[[0.1,0.6,0.3],[0.3,0.3,0.4]],[[0,0,1],[0,0,1]]]}}`, gamma, avoided, set)
}

// pressed is the end of the default method's run for the smallest gap, which may take so many boxes.
func pressed(t *testing.T, doc string, boxes int) (last solve.Progress) {
	t.Helper()
	m := fixture.Decode(t, doc).Standard()
	ev, err := evaluate.New(m)
	if err != nil {
		t.Fatal(err)
	}
	s, stop := Method.Defaults(), false
	s.Starts, s.Gap, s.Stop = 8, 0, &stop
	for last = range Method.Run(ev, s) {
		stop = last.Nodes > boxes
	}
	return last
}

// What the range of costs comes to over a long horizon is no excuse: next to what the
// policy costs until the goal, which is little, the gap closes at any discount. Not
// where nature can keep play from the goal either, which a member of the set
// that was moved a billionth inwards could not.
func TestGapsCloseAtLongHorizons(t *testing.T) {
	cases := map[string][]float64{
		`"kind":"kl","radius":0.05`:                {0.9, 0.9999, 0.9999999},
		`"kind":"chi2","radius":0.05`:              {0.9999, 0.9999999},
		`"kind":"l2","radius":0.2`:                 {0.9999, 0.9999999},
		`"kind":"l1","radius":0.2`:                 {0.9, 0.9999999},
		`"kind":"l1","radius":1.2`:                 {0.9999},
		`"kind":"l2","radius":0.6`:                 {0.9999},
		`"kind":"kl-regularized","temperature":5`:  {0.9999},
		`"kind":"kl-regularized","temperature":20`: {0.9999},
	}
	for set, discounts := range cases {
		for _, gamma := range discounts {
			last := pressed(t, toGoal(set, gamma, 0), 40)
			if gap := last.Best.Objective - last.LowerBound; last.Status != solve.ProvedOptimal || !(gap <= 1e-7*last.Best.Objective) {
				t.Errorf("%s, γ = %v: %v, value %v and bound %v after %d boxes: %s", set, gamma, last.Status, last.Best.Objective, last.LowerBound, last.Nodes, last.Note)
			}
		}
	}
}

// A penalty of 1e9 that nobody has to pay leaves the proof the digits of what is paid.
func TestGapsCloseBesideAPenalty(t *testing.T) {
	for _, c := range []struct {
		set   string
		gamma float64
	}{
		{`"kind":"l2","radius":0.2`, 0.9}, {`"kind":"kl","radius":0.05`, 0.9}, {`"kind":"kl","radius":0.05`, 0.9999},
		{`"kind":"chi2","radius":0.05`, 0.9999}, {`"kind":"kl-regularized","temperature":5`, 0.9999}, {`"kind":"contamination","radius":0.3`, 0.9},
	} {
		last := pressed(t, toGoal(c.set, c.gamma, 1e9), 60)
		without := pressed(t, toGoal(c.set, c.gamma, 0), 40)
		if !last.Best.Feasible || math.Abs(last.Best.Objective-without.Best.Objective) > 1e-6*without.Best.Objective {
			t.Errorf("%s, γ = %v: value %v, without the penalty %v", c.set, c.gamma, last.Best.Objective, without.Best.Objective)
		}
		if gap := last.Best.Objective - last.LowerBound; !(gap <= 0.01*last.Best.Objective) {
			t.Errorf("%s, γ = %v: value %v and bound %v after %d boxes: %s", c.set, c.gamma, last.Best.Objective, last.LowerBound, last.Nodes, last.Note)
		}
	}
}
