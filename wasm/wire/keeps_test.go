package wire

import (
	"fmt"
	"math"
	"os"
	"testing"

	"rcmdplab/core/decide"
)

// claims is what a reply says to be proved: a bound of the objective, -Inf for none,
// or that no policy meets the constraints.
type claims struct {
	bound      float64 // internal units: below the value, whatever the sense
	infeasible bool    // proved
}

func (c claims) nothing() bool { return math.IsInf(c.bound, -1) && !c.infeasible }

// less reports whether something was lost since: rounding and what a policy misses
// of a limit may take the last digits.
func (c claims) less(was claims) bool {
	if was.infeasible {
		return !c.infeasible
	}
	return !(c.bound >= was.bound-1e-8*max(1, math.Abs(was.bound)))
}

// What was once shown of a model is not lost by resuming, stopping, stopping again,
// or ending by time, whatever the method and whenever that is.
func TestWhatWasShownIsNotLost(t *testing.T) {
	boxes, err := os.ReadFile("../../core/bound/testdata/random4.json")
	if err != nil {
		t.Fatal(err)
	}
	models := map[string][]byte{
		"two kernels": document(t, "fig1_conflict_feasible"),
		"one kernel":  document(t, "machine_repair"),
		"a ball":      document(t, "machine_repair_kl"),
		"infeasible":  document(t, "gridworld3x3_l1_infeasible"),
		"boxes":       boxes,
	}
	wanted := map[string]string{"gap": "0", "starts": "2", "outerIterations": "2", "innerIterations": "20"}
	shown := map[string]int{}
	for name, doc := range models {
		for _, a := range decide.Algorithms() {
			begin := fmt.Appendf(nil, `{"algorithm":%q`, a.ID)
			for _, o := range table(a) {
				if x := wanted[o.Name]; x != "" {
					begin = fmt.Appendf(begin, ",%q:%s", o.Name, x)
				}
			}
			for _, first := range []string{atFirst, afterBoxes} {
				was, saved := interrupted(t, begin, doc, nil, first)
				if first == afterBoxes && a.ID != decide.Method.ID || was.nothing() || !resumable(t, saved) {
					continue // it has shown nothing, or came to its end
				}
				shown[a.ID]++
				for _, second := range interruptions {
					now, again := interrupted(t, begin, doc, saved, second)
					if second != left && now.less(was) { // what is not judged yet is not claimed
						t.Errorf("%s, %s %s: %+v after a run %s, %+v before", name, a.ID, first, now, second, was)
					}
					for _, third := range interruptions {
						if !resumable(t, again) {
							continue
						}
						if now, _ := interrupted(t, begin, doc, again, third); third != left && now.less(was) {
							t.Errorf("%s, %s %s: %+v after runs %s, then %s, %+v before", name, a.ID, first, now, second, third, was)
						}
					}
				}
			}
		}
	}
	if id := decide.Method.ID; shown[id] == 0 { // the others prove at their end
		t.Errorf("%s has shown nothing that could be lost", id)
	}
}

// The ways to interrupt a run: the first ones of one that has something to lose, the
// others of one that continues it.
const (
	atFirst    = "stopped once something is shown"
	afterBoxes = "stopped after some boxes"
	before     = "stopped before its first record"
	at         = "stopped at its first record"
	late       = "out of time at once"
	left       = "left for a snapshot of its first record"
)

var interruptions = []string{before, at, late, left}

// interrupted begins a run, from what was saved of another if that is not nil, and
// interrupts it. It returns what its last reply claims, and that reply.
func interrupted(t *testing.T, options, doc, saved []byte, how string) (claims, []byte) {
	t.Helper()
	end := unlimited
	if how == late {
		end = `,"timeLimit":1e6}`
	}
	parts := [][]byte{append(options[:len(options):len(options)], end...), doc}
	if saved != nil {
		parts = append(parts, []byte("checkpoint"), saved)
	}
	var s Session
	if _, err := answer(t, s.Call("begin", parts...), nil); err != nil {
		t.Fatal(err)
	}
	s.Call("keep")
	now := 0.0
	var reply []byte
	for records := 0; reply == nil; records++ {
		p := &s.run.last
		something := p.LowerBound > math.Inf(-1) || p.ProvedInfeasible
		switch {
		case how == atFirst && something, how == afterBoxes && something && p.Nodes >= 4, how == before, how == at && records == 1:
			s.Call("stop")
		case how == late:
			now += 1e7
		case how == left && records == 1:
			snapshot := s.Call("snapshot")
			return claimsOf(t, snapshot), snapshot
		}
		reply = s.Step(func() float64 { return now }, -1, false)
		if records > 20000 {
			t.Fatal("does not end")
		}
	}
	return claimsOf(t, reply), reply
}

// resumable reports whether a reply has what it takes to go on.
func resumable(t *testing.T, reply []byte) bool {
	t.Helper()
	columns, err := answer(t, reply, nil)
	if err != nil {
		t.Fatal(err)
	}
	return columns[columnNumbers] != nil
}

// claimsOf reads the claims of a reply.
func claimsOf(t *testing.T, reply []byte) claims {
	t.Helper()
	var v struct{ Result result }
	if _, err := answer(t, reply, &v); err != nil {
		t.Fatal(err)
	}
	c := claims{bound: math.Inf(-1), infeasible: v.Result.Status == "proved-infeasible"}
	o := v.Result.Objective
	switch {
	case o.LowerBound != nil:
		c.bound = *o.LowerBound
	case o.UpperBound != nil:
		c.bound = -*o.UpperBound
	}
	return c
}
