package interchange_test

import (
	"strings"
	"testing"

	"rcmdplab/core/interchange"
	"rcmdplab/core/jsontext"
)

// A number of decisions comes from a call of a solver that knows one, from an array file, or as an answer.
func TestNumbersOfDecisionsComeIn(t *testing.T) {
	const forest = "P = [[[0.1, 0.9, 0], [0.1, 0, 0.9], [0.1, 0, 0.9]], [[1, 0, 0], [1, 0, 0], [1, 0, 0]]]\nR = [[0, 0], [0, 1], [4, 2]]\n"
	for _, tc := range []struct {
		text    string
		answers interchange.Options
		want    int
		gamma   float64
	}{
		{"import mdptoolbox\n" + forest + "fh = mdptoolbox.mdp.FiniteHorizon(P, R, 0.9, 3)\nfh.run()\n", nil, 3, .9},
		{"import mdptoolbox\n" + forest + "fh = mdptoolbox.mdp.FiniteHorizon(P, R, 1, N=12)\n", nil, 12, 1},
		{"import mdptoolbox\n" + forest + "vi = mdptoolbox.mdp.ValueIteration(P, R, 0.9, 3)\n", nil, 0, .9},
		{`{"P": [[[0.1, 0.9, 0], [0.1, 0, 0.9], [0.1, 0, 0.9]], [[1, 0, 0], [1, 0, 0], [1, 0, 0]]], "R": [[0, 0], [0, 1], [4, 2]], "discount": 1, "horizon": 5}`, nil, 5, 1},
		{forest, interchange.Options{"discount": jsontext.Value("1"), "horizon": jsontext.Value("7"), "axes": jsontext.Value(`"ASS"`)}, 7, 1},
	} {
		r := interchange.Read([]interchange.File{{Name: "forest", Data: []byte(tc.text)}}, tc.answers)
		if r.Problem == nil || len(r.Faults) > 0 || r.Problem.Horizon != tc.want || r.Problem.Discount != tc.gamma {
			t.Errorf("%s: %v %v", tc.text, r.Problem, r.Faults)
			continue
		}
		if told := strings.Contains(strings.Join(r.Report, " "), "decision"); told != (tc.want > 0) {
			t.Errorf("%s: the report says %q", tc.text, r.Report)
		}
	}
	r := interchange.Read([]interchange.File{{Name: "forest", Data: []byte("import mdptoolbox\n" + forest + "fh = mdptoolbox.mdp.FiniteHorizon(P, R, 0.9, 2.5)\n")}}, nil)
	if len(r.Faults) == 0 || !strings.Contains(r.Faults[0].Error(), "whole number") {
		t.Errorf("half a decision: %v", r.Faults)
	}
}

// The number of decisions is said in a call without any transitions too: that is a fault of the text.
func TestNumbersOfDecisionsWithoutTransitions(t *testing.T) {
	r := interchange.Read([]interchange.File{{Data: []byte("import mdptoolbox\nfh = mdptoolbox.mdp.FiniteHorizon([[1]], [[1]], 0.9, 3)\n")}}, nil)
	if r.Problem != nil || len(r.Faults) != 1 {
		t.Errorf("%v %v; want one fault", r.Problem, r.Faults)
	}
}
