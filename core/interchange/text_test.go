package interchange_test

import (
	"slices"
	"strings"
	"testing"

	"rcmdplab/core/interchange"
)

const tiger = `# The tiger behind one of two doors
discount: 0.75
values: reward
states: tiger-left tiger-right
actions: listen open-left open-right
observations: hear-left hear-right
start: uniform

T: listen identity
T: open-left uniform
T:open-right
uniform
O: listen
0.85 0.15
0.15 0.85
O: open-left uniform
O: open-right uniform
R: listen : * : * : * -1
R: open-left : tiger-left : * : * -100
R: open-left : tiger-right : * : * 10
R: open-right : tiger-left : * : * 10
R: open-right : 1 : * : * -1e2
`

func TestCassandraTakesTheUnderlyingMDP(t *testing.T) {
	p := imported(t, "", text(tiger))
	if p.Discount != .75 || !slices.Equal(p.States, []string{"tiger-left", "tiger-right"}) || !p.Maximize || p.Initial[0] != .5 {
		t.Errorf("discount %v, states %q, maximize %v, start %v", p.Discount, p.States, p.Maximize, p.Initial)
	}
	// Who sees the tiger opens the other door at once: 10 a step.
	near(t, "value", optimum(t, p), 40, 1e-9)
	r := interchange.Read([]interchange.File{text(tiger)}, nil)
	if !strings.Contains(strings.Join(r.Report, "\n"), "underlying MDP") || len(r.Warnings) == 0 {
		t.Errorf("that the observations are gone is not said: %q %q", r.Report, r.Warnings)
	}
}

func TestCassandraLaterLinesOverride(t *testing.T) {
	const head = "discount: 0.9\nvalues: cost\nstates: 3\nactions: a b\nstart: 1\n"
	p := imported(t, "", text(head+"T: * identity\nT: a : 0 0.5 0.5 0\nT: b : 2 : 0 1\nT: b : 2 : 2 0\nR: * : * : * 5\nR: a : 0 : * 1\nR: b : 0 2 3 4\n"))
	if p.Maximize || p.Initial[1] != 1 {
		t.Errorf("maximize %v, start %v", p.Maximize, p.Initial)
	}
	next, prob := p.Uncertainty.Kernels[0].Row(p.Layout.Pair(0, 0))
	if !slices.Equal(next, []int{0, 1}) || !slices.Equal(prob, []float64{.5, .5}) {
		t.Errorf("the overridden row is %v %v", next, prob)
	}
	if next, _ = p.Uncertainty.Kernels[0].Row(p.Layout.Pair(2, 1)); !slices.Equal(next, []int{0}) {
		t.Errorf("the overridden cells lead to %v", next)
	}
	if v := p.Objective.Values; v == nil || v[0] != 1 || v[1] != 2 || v[2] != 5 { // b in 0 stays in 0: 2
		t.Errorf("costs %v, by transition %v", v, p.Objective.Next)
	}
	// Lines that come from a file with observations say "any" of them, where there are none.
	if q := imported(t, "", text(head+"T: * identity\nR: * : * : * : * 5\nR: a : 0 : 0 : * 1\nR: b : 1 : 2 : * 7\n")); !slices.Equal(q.Objective.Values, []float64{1, 5, 5, 5, 5, 5}) {
		t.Errorf("costs %v", q.Objective.Values)
	}
	refused(t, "", []interchange.File{text(head + "T: * identity\nR: a : 0 : 0 : seen 5\n")}, "line 7, column 16", `found "seen"`)
	// A row that is only right in the end is not judged before; one that is not is refused.
	refused(t, "", []interchange.File{text(head + "T: * identity\nT: a : 0 : 1 0.5\nR: * : * : * 5\n")}, "line 7", `action "a" in state "0"`, "1.5")
}

func TestCassandraRewardsOfObservationsAreRefused(t *testing.T) {
	file := text(strings.Replace(tiger, "R: listen : * : * : * -1", "R: listen : * : * : hear-left -1\nR: listen : * : * : hear-right -3", 1))
	f := refused(t, "", []interchange.File{file}, "observation")
	if f.Fix == nil || f.Fix.Name != "observationRewards" {
		t.Errorf("no way out: %+v", f)
	}
	p := imported(t, `{"observationRewards":"expectation"}`, file)
	near(t, "listening on the left", p.Objective.Values[0], -.85-.45, 1e-12)
	near(t, "listening on the right", p.Objective.Values[3], -.15-2.55, 1e-12)
}

func TestCassandraFaults(t *testing.T) {
	const head = "discount: 0.9\nvalues: reward\nstates: 2\nactions: 1\n"
	for _, c := range []struct{ body, words string }{
		{"T: 0\n1 0\n0", "numbers"}, {"T: 0 : 5 identity", "line 5, column 8"}, {"T: 0 : 0 0.5 x", "line 5"}, {"X: 1", "line 5, column 1"},
		{"T: 0 : 0 0.5 0.499\nT: 0 : 1 0 1\nR: 0 : * : * 1", "sum to 0.999"}, {"R: 0 : * : * 1", "not available"}, {"O: 0 uniform", "observations:"},
	} {
		r := interchange.Read([]interchange.File{text(head + c.body)}, nil)
		all := strings.Join(r.Report, "\n")
		for _, f := range r.Faults {
			all += f.Error()
		}
		if !strings.Contains(all, c.words) {
			t.Errorf("%q: got %q, want %q", c.body, all, c.words)
		}
	}
	refused(t, "", []interchange.File{text("values: reward\nstates: 1\nactions: 1\nT: 0 identity\nR: 0 : 0 : 0 1\n")}, "discount 1")
	refused(t, `{"format":"cassandra"}`, []interchange.File{text("states: 99999999\nactions: 99999\nT: * uniform\n")}, "cannot be right")
}

const planner = `numStates 3
numActions 2
start 0
end 2
transition 0 0 1 5 0.5
transition 0 0 0 -1 0.5
transition 0 1 2 1 1
transition 1 0 2 10 1
mdptype episodic
discount  0.9
`

func TestCS747(t *testing.T) {
	p := imported(t, "", text(planner))
	if p.Layout.Pair(1, 1) != -1 || len(p.States) != 3 {
		t.Errorf("%d states, pair (1,1) %d", len(p.States), p.Layout.Pair(1, 1))
	}
	// V(1) = 10, V(0) = .5 (5 + .9 · 10) + .5 (-1 + .9 V(0))
	near(t, "V(0)", optimum(t, p), 6.5/.55, 1e-9)
	near(t, "V(end)", optimum(t, from(t, p, 2)), 0, 0)
	p = imported(t, "", text(strings.Replace(planner, "0.9", "1.0", 1))) // V(0) = .5 (5 + 10) + .5 (-1 + V(0))
	near(t, "V(0) of whole episodes", optimum(t, p), 14, 1e-9)
	if !p.Total() || !p.Ends(2) || p.Ends(0) {
		t.Errorf("discount %v, ends %v", p.Discount, p.End)
	}
	refused(t, "", []interchange.File{text(strings.Replace(planner, "1 5 0.5", "7 5 0.5", 1))}, "line 5, column 16", "state 7")
	refused(t, "", []interchange.File{text(strings.Replace(planner, "1 5 0.5", "0 5 0.5", 1))}, "listed twice")
	refused(t, "", []interchange.File{text(strings.Replace(planner, "1 5 0.5", "1 5", 1))}, "line 5", "4 values")
	refused(t, "", []interchange.File{text("numStates 99999999\nnumActions 1\ntransition 0 0 0 0 1\n")}, "cannot be right")
}

func TestEndStateForTerminals(t *testing.T) {
	p := imported(t, `{"ends":"end"}`, text(planner))
	if !slices.Equal(p.States, []string{"0", "1", "2", "end"}) {
		t.Fatalf("states %q", p.States)
	}
	next, _ := p.Uncertainty.Kernels[0].Row(p.Layout.Pair(2, 0))
	if !slices.Equal(next, []int{3}) {
		t.Errorf("the terminal state leads to %v", next)
	}
	near(t, "V(0)", optimum(t, p), 6.5/.55, 1e-9)
}

func TestReachAGoal(t *testing.T) {
	p := imported(t, `{"goal":"2","initial":"0"}`, text(planner))
	near(t, "reaching", optimum(t, p), .9, 1e-9)
	q := imported(t, `{"goal":"2","objective":"reward","limits":{"reach 2":{"atLeast":0.8}}}`, text(planner))
	if len(q.Constraints) != 1 || !q.Constraints[0].AtLeast || !q.Constraints[0].Average {
		t.Errorf("constraints %+v", q.Constraints)
	}
}
