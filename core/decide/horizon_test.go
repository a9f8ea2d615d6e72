package decide_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"rcmdplab/core/decide"
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
	s, stop := decide.Method.Defaults(), false
	s.Starts, s.Gap, s.Stop = 8, 0, &stop
	for last = range decide.Method.Run(ev, s) {
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
		if !last.Best.Feasible || !(math.Abs(last.Best.Objective-without.Best.Objective) <= 1e-6*without.Best.Objective) {
			t.Errorf("%s, γ = %v: value %v, without the penalty %v", c.set, c.gamma, last.Best.Objective, without.Best.Objective)
		}
		if gap := last.Best.Objective - last.LowerBound; !(gap <= 0.01*last.Best.Objective) {
			t.Errorf("%s, γ = %v: value %v and bound %v after %d boxes: %s", c.set, c.gamma, last.Best.Objective, last.LowerBound, last.Nodes, last.Note)
		}
	}
}

// walk is a walk of n steps to an end. A step at a rush costs 1 and not 2, and may be an
// accident, which throws back by five; n/1200 accidents are allowed at .002 a rush, which
// are n/2.4 rushes. Each costs 6·.002 further steps in the worse kernel, so that
//
//	J = 2 (n + .012·n/2.4) - n/2.4,
//
// less at most .07 for rushes in the first five states, which throw back by less.
func walk(n int, set string) (doc string, value float64) {
	var a, b, effort, accidents []string
	for s := range n {
		for k, r := range []float64{0.001, 0.002} {
			row := fmt.Sprintf("[%d,0,%d,%v],[%d,0,%d,%v],[%d,1,%d,1]", s, s+1, 1-r, s, max(s-5, 0), r, s, s+1)
			if k == 0 {
				a = append(a, row)
			} else {
				b = append(b, row)
			}
		}
		effort, accidents = append(effort, "[1,2]"), append(accidents, "[0.002,0]")
	}
	end := fmt.Sprintf("[%d,0,%d,1],[%d,1,%d,1]", n, n, n, n)
	kernel := func(rows []string) string { return `{"entries":[` + strings.Join(append(rows, end), ",") + `]}` }
	uncertainty := fmt.Sprintf(`"kind":"finite","kernels":[{"name":"a","transitions":%s},{"name":"b","transitions":%s}]`, kernel(a), kernel(b))
	if set != "" {
		uncertainty = set + `,"nominal":` + kernel(b)
	}
	states := make([]string, n+1)
	for s := range states {
		states[s] = fmt.Sprintf("%q", fmt.Sprint(s))
	}
	rushes := float64(n) / 2.4
	return fmt.Sprintf(`{"format":"rcmdp/1","name":"a long walk","states":[%s],"actions":["rush","walk"],"discount":0.999999999,"initial":[1%s],
		"objective":{"name":"effort","values":[%s,[0,0]]},"constraints":[{"name":"accidents","values":[%s,[0,0]],"atMost":%v}],"uncertainty":{%s}}`,
		strings.Join(states, ","), strings.Repeat(",0", n), strings.Join(effort, ","), strings.Join(accidents, ","), 0.002*rushes, uncertainty), 2*(float64(n)+0.012*rushes) - rushes
}

// Policies of large models are feasible at long horizons as those of small ones are: what
// comes after the end is no error of what comes before.
func TestWalksToAnEndAtALongHorizon(t *testing.T) {
	for _, n := range []int{60, 600, 1500} {
		for _, set := range []string{"", `"kind":"contamination","radius":0`} {
			doc, want := walk(n, set)
			last := pressed(t, doc, 3)
			if b := &last.Best; !b.Feasible || b.Objective < want-0.07 || b.Objective > want*1.001 || !(last.LowerBound > 0.99*want) {
				t.Errorf("%d states, %s: %v, value %v and bound %v, want %v: %s", n, set, last.Status, b.Objective, last.LowerBound, want, last.Note)
			}
		}
	}
}
