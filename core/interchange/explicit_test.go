package interchange_test

import (
	"slices"
	"strings"
	"testing"

	"rcmdplab/core/interchange"
	"rcmdplab/core/model"
)

// robot is a small robot on a grid in PRISM's one-file form, with three reward
// structures and intervals.
const robot = `# Transitions (IMDP)
4 6 8
0 0 0 [0.4,0.4] east
0 0 1 [0.6,0.6] east
0 1 2 [0.8,0.9] south
0 1 3 [1/10,2/10] south
1 0 1 [1,1] stuck
2 0 3 [1,1] east
2 1 2 [1,1] east
3 0 3 [1,1] stuck

# States
(x,y)
0:(0,0)
1:(1,0)
2:(0,1)
3:(1,1)

# Labels
0="init" 1="deadlock" 2="goal" 3="far away"
0: 0
1: 2
3: 2 3

# Reward structure "time"
# State rewards
4 2
0 1
2 1

# Reward structure "time"
# Transition rewards
4 6 0

# Reward structure "energy"
# State rewards
4 0

# Reward structure "energy"
# Transition rewards
4 6 3
0 0 0 2
0 0 1 2
0 1 2 7
`

func TestRobotIMDPIsTheSameFromBothFormats(t *testing.T) {
	tra, lab, sta := caseFile(t, "intervalmdp/multiObj_robotIMDP.tra"), caseFile(t, "intervalmdp/multiObj_robotIMDP.lab"), caseFile(t, "intervalmdp/multiObj_robotIMDP.sta")
	p := imported(t, `{"discount":0.99}`, lab, tra, sta)
	q := imported(t, `{"discount":0.99}`, caseFile(t, "intervalmdp/multiObj_robotIMDP.txt"))
	if n := len(p.Uncertainty.Lower.Next); len(p.States) != 207 || p.Layout.Pairs() != 828 || n != 2784 {
		t.Errorf("%d states, %d choices, %d transitions", len(p.States), p.Layout.Pairs(), n)
	}
	if !slices.Equal(p.States, q.States) || !slices.Equal(p.Actions, q.Actions) {
		t.Errorf("the names differ: %v and %v, actions %v and %v", p.States[:3], q.States[:3], p.Actions, q.Actions)
	}
	x, y := p.Uncertainty, q.Uncertainty
	if x.Kind != model.Interval || !slices.Equal(x.Lower.Next, y.Lower.Next) || !slices.Equal(x.Lower.Prob, y.Lower.Prob) || !slices.Equal(x.Upper.Prob, y.Upper.Prob) {
		t.Error("the intervals differ")
	}
	for _, m := range []*model.Problem{p, q} {
		v := robustValue(m)
		near(t, "pessimistic value of state 0", v[0], .5526722, 5e-8)
		near(t, "value of the goal", v[206], 1, 1e-12)
		if !m.Maximize || !m.Objective.Average {
			t.Error("reaching the goal is not maximised as an average")
		}
	}
	if r := interchange.Read([]interchange.File{tra}, options(t, `{"goal":"206"}`)); !slices.ContainsFunc(r.Report, func(s string) bool {
		return strings.Contains(s, "pessimistically") && strings.Contains(s, "not computed")
	}) {
		t.Errorf("it is not said that the optimistic value is not computed: %q", r.Report)
	}
	alone := imported(t, `{"goal":"206","discount":0.99}`, tra)
	near(t, "with the goal named by number", robustValue(alone)[0], .5526722, 5e-8)
}

func TestPrismInOneFile(t *testing.T) {
	p := imported(t, `{"limits":{"energy":{"atMost":5}}}`, text(robot))
	if !slices.Equal(p.States, []string{"x=0,y=0", "x=1,y=0", "x=0,y=1", "x=1,y=1"}) || !slices.Equal(p.Actions, []string{"east", "south", "stuck", "east #2"}) {
		t.Errorf("states %q, actions %q", p.States, p.Actions)
	}
	if p.Objective.Name != "time" || p.Maximize || p.Objective.Values[0] != 1 || p.Objective.Values[4] != 0 || len(p.Constraints) != 1 {
		t.Errorf("objective %+v, %d constraints", p.Objective, len(p.Constraints))
	}
	if c := p.Constraints[0]; c.Next == nil || c.Next[(0*4+1)*4+2] != 7 || c.Next[(0*4+1)*4+3] != 0 || c.Next[0] != 2 {
		t.Errorf("energy %v", c.Next)
	}
	_, lo := p.Uncertainty.Lower.Row(1)
	_, hi := p.Uncertainty.Upper.Row(1)
	if !slices.Equal(lo, []float64{.8, .1}) || !slices.Equal(hi, []float64{.9, .2}) {
		t.Errorf("the row of south is %v to %v", lo, hi)
	}
}

func TestPrismDialects(t *testing.T) {
	fair := func(p *model.Problem) {
		t.Helper()
		_, prob := p.Uncertainty.Kernels[0].Row(0)
		if !slices.Equal(prob, []float64{.4, .6}) || len(p.States) != 2 {
			t.Errorf("row %v, %d states", prob, len(p.States))
		}
	}
	fair(imported(t, "", interchange.File{"a.tra", []byte("2 3\n0 0 2/5\n0 1 3/5\n1 1 1\n")}))
	fair(imported(t, "", interchange.File{"a.tra", []byte("mdp\n0 0 0 0.4 go\r\n0 0 1 0.6 go\r\n1 0 1 1 go\r\n")}))
	fair(imported(t, "", interchange.File{"a.tra", []byte("2 2 3\n0 0.4:0 0.6:1 go\n1 1:1 go")}))
	fair(imported(t, "", interchange.File{"a.tra", []byte("2 2 99\n0 0 0 0.4\n0 0 1 0.6\n1 0 1 1\n")}))
	fair(imported(t, "", interchange.File{"a.tra", []byte("2 2 3 1\n- - 0 - 0\n0 0 0 0.4 0 go\n0 0 1 0.6 0 go\n1 0 1 1 0\n")}))
	r := interchange.Read([]interchange.File{{"a.tra", []byte("2 2 99\n0 0 0 0.4\n0 0 1 0.6\n1 0 1 1\n")}}, nil)
	if !strings.Contains(strings.Join(r.Report, "\n"), "99") {
		t.Errorf("the header's wrong count is not said: %q", r.Report)
	}
	p := imported(t, "", interchange.File{"a.tra", []byte("2 2 3\n0 0 0 0.4 go\n0 0 1 0.6 go\n1 0 1 1\n")}, interchange.File{"a.srew", []byte("2 1\n0 5\n")}, interchange.File{"a.trew", []byte("2 2 1\n1 0 1 -3\n")})
	if p.Objective.Values[0] != 5 || p.Objective.Values[3]+p.Objective.Values[2] != -3 {
		t.Errorf("rewards %v of actions %q", p.Objective.Values, p.Actions)
	}
}

func TestPrismFaultsSayWhere(t *testing.T) {
	refused(t, "", []interchange.File{{"a.tra", []byte("2 2 3\n0 0 0 0.4\n0 0 5 0.6\n")}}, "line 3, column 5", "state 5")
	refused(t, "", []interchange.File{{"a.tra", []byte("2 2 3\n0 0 0 1.4\n")}}, "line 2, column 7", "1.4")
	refused(t, "", []interchange.File{{"a.tra", []byte("2 2 3\n0 0 0 0.4\n0 0 0 0.6\n")}}, "line 3", "listed twice")
	refused(t, "", []interchange.File{{"a.tra", []byte("2 2 3\n0 0 0 [0.9,0.1]\n")}}, "line 2", "lower <= upper")
	refused(t, "", []interchange.File{{"a.tra", []byte("2 2 3\n0 0 0 [0.1,0.2]\n")}}, "line 2", "upper bounds")
	refused(t, "", []interchange.File{{"a.srew", []byte("2 1\n0 5\n")}}, "no transitions")
	refused(t, "", []interchange.File{{"a.tra", []byte("1 1\n0 0 1\n")}, {"a.srew", []byte("1 1\n0 x\n")}}, "a.srew", "line 2, column 3")
	refused(t, "", []interchange.File{{"", []byte("# Transitions (CTMC)\n1 1\n0 0 200\n")}}, "CTMC")
	refused(t, "", []interchange.File{{"a.tra", []byte("900000000 1 1\n0 0 0 1\n")}}, "cannot be right")
}

func TestIntervalsMayStartAtZeroAndMayBeTight(t *testing.T) {
	p := imported(t, "", interchange.File{"a.tra", []byte("2 2 4\n0 0 0 [0,0.5]\n0 0 1 [0.5,1]\n1 0 0 [0.06,0.06]\n1 0 1 [0.94,0.94]\n")})
	if next, prob := p.Uncertainty.Lower.Row(0); len(next) != 2 || prob[0] != 0 {
		t.Errorf("the successor [0, 0.5] became %v %v", next, prob)
	}
	var b strings.Builder
	b.WriteString("10 10 19\n")
	for i := range 9 {
		b.WriteString("0 0 " + string(rune('1'+i)) + " [0.1111111111111111,0.2]\n")
	}
	for i := range 9 {
		s := string(rune('1' + i))
		b.WriteString(s + " 0 " + s + " [1,1]\n")
	}
	imported(t, "", interchange.File{"a.tra", []byte(b.String())})
}

const storm = `// Exported by storm
@type: MDP
@value_type: double-interval
@parameters

@reward_models
steps energy
@nr_states
3
@nr_choices
3
@model
state 0 {6} init [1, 0.5] "far away"
	action __NOLABEL__
		0 : [0.4, 0.6]
		1 : [0.4,0.6]
	action go [0, 2]
		2 : 1
state 1 [7] target
    action go [1/2, 0]
        1 : [1, 1]
state 2 [0, 0] target
	action go
		2 : [1,1]
`

func TestDRN(t *testing.T) {
	p := imported(t, `{"objective":"energy","limits":{"steps":{"atMost":9}}}`, text(storm))
	if !slices.Equal(p.Actions, []string{"0", "go"}) || p.Uncertainty.Kind != model.Interval || p.Layout.Pairs() != 4 {
		t.Fatalf("actions %q, set %s, %d pairs", p.Actions, p.Uncertainty.Kind, p.Layout.Pairs())
	}
	if v := p.Objective.Values; v[0] != .5 || v[1] != 2.5 || v[3] != 0 {
		t.Errorf("energy %v", v)
	}
	if v := p.Constraints[0].Values; v[0] != 1 || v[3] != 7.5 {
		t.Errorf("steps %v", v)
	}
	r := interchange.Read([]interchange.File{text(storm)}, nil)
	if !strings.Contains(strings.Join(r.Report, "\n"), "3 choices") {
		t.Errorf("3 choices for 4 are not said: %q", r.Report)
	}
	goal := imported(t, `{"goal":"target","discount":0.5}`, text(storm))
	near(t, "reaching a target", robustValue(goal)[0], .5, 1e-12)
}

func TestDRNDialectsAndFaults(t *testing.T) {
	exact := imported(t, "", text("@type: DTMC\n@placeholders\n$p : 2/5\n@nr_states\n2\n@model\nstate 0 init\n\taction 0\n\t\t0 : $p\n\t\t1 : 3/5\nstate 1\n\t1 : 1\n"))
	if _, prob := exact.Uncertainty.Kernels[0].Row(0); prob[0] != .4 {
		t.Errorf("2/5 became %v", prob[0])
	}
	head := "@type: MDP\n@nr_states\n2\n@model\n"
	refused(t, "", []interchange.File{text(head + "state 0\n\taction a\n\t\t0 : 0.5\n\t\t2 : 0.5\n")}, "line 8, column 3", "state 2")
	refused(t, "", []interchange.File{text(head + "state 0\n\taction a\n\t\t0 : 0.5 : 1\n")}, "line 7")
	refused(t, "", []interchange.File{text(head + "state 0\nstate 0\n")}, "line 6", "twice")
	refused(t, "", []interchange.File{text("@type: CTMC\n@nr_states\n2\n@model\n")}, "CTMC")
	refused(t, "", []interchange.File{text("@type: MDP\n@parameters\np q\n@nr_states\n2\n@model\n")}, "parameters")
	refused(t, "", []interchange.File{text("@type: MDP\n@model\nstate 0\n")}, "line 2", "nr_states")
	// A text that was cut off.
	refused(t, "", []interchange.File{text(head)}, "ends without a transition")
	refused(t, "", []interchange.File{text("@type: MDP\n@nr_states\n2\n")}, "ends without a transition")
	r := interchange.Read([]interchange.File{text(head + "state 0\n\taction a\n\t\t1 : 1\n")}, nil)
	if !strings.Contains(strings.Join(r.Warnings, "\n"), "describes 1 of its 2 states, the first that is missing is 1") {
		t.Errorf("a state that is missing is not said: %q", r.Warnings)
	}
	if r = interchange.Read([]interchange.File{text(storm)}, nil); !strings.Contains(strings.Join(r.Report, "\n"), "1 row of fewer than 2 rewards") {
		t.Errorf("a list that is too short is not said: %q", r.Report)
	}
}

func TestBMDPFaultsSayWhere(t *testing.T) {
	refused(t, "", []interchange.File{text("2\n1 \n1\n1\n0 0 1 0.5 1.5\n")}, "line 5, column 7", "1.5")
	refused(t, "", []interchange.File{text("2\n1\n1\n7\n0 0 1 0.5 1\n")}, "line 4", "state 7")
	refused(t, `{"format":"bmdp"}`, []interchange.File{text("2\n1\n")}, "ends before")
	refused(t, "", []interchange.File{text("2\n1\n0\n0 0 9 0.5 1\n")}, "line 4, column 5", "state 9")
}

// TestRatesToTheirOwnStateTakeNoRewardsAlong: uniformised, a rate from a state to itself is dropped; the
// rewards of the transitions beside it stay theirs.
func TestRatesToTheirOwnStateTakeNoRewardsAlong(t *testing.T) {
	files := []interchange.File{{"a.tra", []byte("2 4\n0 0 5\n0 1 2\n1 0 1\n1 1 4\n")}, {"a.trew", []byte("2 2\n0 1 7\n1 0 3\n")}}
	p := imported(t, `{"rates":"uniformise","discount":0.9}`, files...)
	next, _ := p.Uncertainty.Kernels[0].Row(1)
	if want := []float64{0, 7, 3, 0}; !slices.Equal(next, []int{0, 1}) || !slices.Equal(p.Objective.Next, want) {
		t.Errorf("costs %v to states %v from the second; want %v", p.Objective.Next, next, want)
	}
}
