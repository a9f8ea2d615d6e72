package model_test

import (
	"encoding/json"
	"math"
	"slices"
	"strings"
	"testing"

	"rcmdplab/core/model"
)

const policy = `{"format": "rcmdp-policy/1", "states": ["good", "worn", "broken"], "actions": ["run", "repair"],
	"probabilities": [[1, 0], [0.25, 0.75], [0, 1]]}`

// encodePolicy is a policy of the problem as a document.
func encodePolicy(t testing.TB, pi []float64, p *model.Problem) []byte {
	b, err := json.Marshal(map[string]any{
		"format": "rcmdp-policy/1", "states": p.States, "actions": p.Actions, "probabilities": p.Layout.Grid(pi),
	})
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestDecodePolicy(t *testing.T) {
	p := decode(t, machine)
	want := []float64{1, 0, 0.25, 0.75, 1}
	for name, doc := range map[string]string{
		"plain":         policy,
		"null":          edit(t, policy, "[0, 1]", "[null, 1]"),
		"other order":   `{"probabilities": [[1, 0], [0.75, 0.25], [0, 1]], "actions": ["repair", "run"], "states": ["broken", "worn", "good"], "format": "rcmdp-policy/1"}`,
		"encoded again": string(encodePolicy(t, want, p)),
	} {
		pi, faults := model.DecodePolicy([]byte(doc), p)
		if len(faults) > 0 || !slices.Equal(pi, want) {
			t.Errorf("%s: %v %v, want %v", name, pi, faults, want)
		}
	}
	pi, faults := model.DecodePolicy([]byte(edit(t, policy, "[0.25, 0.75]", "[0.25, 0.7500000009]")), p)
	if len(faults) > 0 || !(math.Abs(pi[2]+pi[3]-1) <= 1e-15) || pi[2] == 0.25 {
		t.Errorf("a row within the tolerance comes back as %v %v", pi, faults)
	}
}

func TestPolicyFaults(t *testing.T) {
	p := decode(t, machine)
	for _, tc := range []struct {
		name   string
		change []string
		want   []string
	}{
		{"a problem", []string{"rcmdp-policy/1", "rcmdp/1"}, []string{
			`/format: found "rcmdp/1": this is a problem, and a policy ("rcmdp-policy/1") is wanted here`}},
		{"unknown field", []string{`"probabilities"`, `"seed": 1, "probabilities"`}, []string{
			`/seed: unknown field "seed"; the fields here are format, states, actions, horizon, probabilities`}},
		{"missing", []string{`"probabilities": [[1, 0], [0.25, 0.75], [0, 1]]`, `"probabilitys": 1`}, []string{
			`/probabilities: the field "probabilities" is missing; want one probability for each [state][action]`,
			`/probabilitys: unknown field "probabilitys"; did you mean "probabilities"?`}},
		{"another state", []string{`"worn"`, `"old"`}, []string{
			`/states/1: "old" is not a state of the problem`, `/states: the problem's state "worn" is missing here`}},
		{"an action more", []string{`"repair"]`, `"repair", "rest"]`}, []string{
			`/actions/2: "rest" is not an action of the problem`,
			`/probabilities/0: found 2 values for state "good"; want 3, one for each action (none for "rest")`,
			`/probabilities/1: found 2 values for state "worn"; want 3, one for each action (none for "rest")`,
			`/probabilities/2: found 2 values for state "broken"; want 3, one for each action (none for "rest")`}},
		{"not available", []string{"[0, 1]", "[0.5, 0.5]"}, []string{
			`/probabilities/2/0: action "run" in state "broken" is not available, and its probability is 0.5; want 0`}},
		{"sum", []string{"[0.25, 0.75]", "[0.25, 0.5]"}, []string{
			`/probabilities/1: the probabilities of state "worn" sum to 0.75; want 1 within 1e-9 (0.25 short)`}},
		{"sums off by a little", []string{"[0.25, 0.75]", "[0.25, 0.75001]", "[1, 0]", "[0.99999, 0]"}, []string{
			`/probabilities/0: the probabilities of state "good" sum to 0.99999; want 1 within 1e-9 (1e-05 short) [renormalise 2 rows]`,
			`/probabilities/1: the probabilities of state "worn" sum to 1.00001; want 1 within 1e-9 (1e-05 too much)`}},
		{"negative", []string{"[0.25, 0.75]", "[-0.25, 1.25]"}, []string{
			`/probabilities/1/0: the probability of action "run" in state "worn" is -0.25; want a probability between 0 and 1`,
			`/probabilities/1/1: the probability of action "repair" in state "worn" is 1.25; want a probability between 0 and 1`}},
		{"null where available", []string{"[0.25, 0.75]", "[null, 1]"}, []string{
			`/probabilities/1/0: found null; want a probability between 0 and 1`}},
		{"a row short", []string{", [0, 1]]", "]"}, []string{`/probabilities: found 2 rows; want 3, one for each state`}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			doc := edit(t, policy, tc.change...)
			_, got := model.DecodePolicy([]byte(doc), p)
			var lines []string
			for _, f := range got {
				lines = append(lines, said(f))
				if f.Fix != nil {
					if _, after := model.DecodePolicy([]byte(fix(t, doc, f.Fix)), p); len(after) >= len(got) {
						t.Errorf("after the fix %q: %v", f.Fix.Label, after)
					}
				}
			}
			if !slices.Equal(lines, tc.want) {
				t.Errorf("got\n\t%s\nwant\n\t%s", strings.Join(lines, "\n\t"), strings.Join(tc.want, "\n\t"))
			}
		})
	}
}

// A policy by time has one table for each decision; one table is the same at each.
func TestPoliciesByTime(t *testing.T) {
	p := decode(t, strings.Replace(machine, `"discount": 0.95,`, `"discount": 1, "horizon": 2,`, 1))
	m := p.Standard()
	tables := func(horizon, list string) string {
		return edit(t, policy, `"probabilities": [[1, 0], [0.25, 0.75], [0, 1]]`, horizon+`"probabilities": `+list)
	}
	const first, second = "[[1, 0], [0.25, 0.75], [0, 1]]", "[[0, 1], [0.5, 0.5], [0, 1]]"
	want := []float64{1, 0, 0.25, 0.75, 1, 0, 1, 0.5, 0.5, 1, 1}
	for _, doc := range []string{tables("", "["+first+","+second+"]"), tables(`"horizon": 2, `, "["+first+","+second+"]")} {
		pi, faults := model.DecodePolicy([]byte(doc), p)
		if len(faults) > 0 || !slices.Equal(pi, want) {
			t.Errorf("%v %v, want %v", pi, faults, want)
		}
		again, _ := json.Marshal(m.Tables(pi))
		if pi, faults = model.DecodePolicy([]byte(tables("", string(again))), m.Problem); len(faults) > 0 || !slices.Equal(pi, want) {
			t.Errorf("again: %v %v, want %v", pi, faults, want)
		}
	}
	if pi, faults := model.DecodePolicy([]byte(policy), p); len(faults) > 0 || !slices.Equal(pi, slices.Concat(want[:5], want[:5], want[10:])) {
		t.Errorf("one table for all: %v %v", pi, faults)
	}
	for doc, want := range map[string]string{
		tables("", "["+first+"]"):                                           `/probabilities: found 1 table; want 2, one for each decision, or one table for all`,
		tables(`"horizon": 3, `, "["+first+","+second+"]"):                  `/horizon: found 3: the policy is for 3 decisions, and the problem has 2 decisions; want a table for each of them, or one table for all`,
		tables("", "["+first+",[[0, 1], [0.5, 0.25], [0, 1]]]"):             `/probabilities/1/1: the probabilities of state "worn" sum to 0.75; want 1 within 1e-9 (0.25 short)`,
		edit(t, policy, `"probabilities"`, `"horizon": 5, "probabilities"`): `/horizon: found 5: the policy is for 5 decisions, and the problem has 2 decisions; want a table for each of them, or one table for all`,
	} {
		if _, faults := model.DecodePolicy([]byte(doc), p); len(faults) != 1 || said(faults[0]) != want {
			t.Errorf("got %v, want %s", faults, want)
		}
	}
	for _, doc := range []string{tables("", "["+first+","+second+"]"), tables(`"horizon": 2, `, first)} {
		if _, faults := model.DecodePolicy([]byte(doc), decode(t, machine)); len(faults) != 1 || !strings.Contains(faults[0].Message, "no number of decisions") {
			t.Errorf("without a horizon: %v", faults)
		}
	}
}
