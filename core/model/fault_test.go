package model_test

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"testing"

	"rcmdplab/core/model"
)

// edit replaces a text that occurs once in a document.
func edit(t testing.TB, doc string, change ...string) string {
	t.Helper()
	for i := 0; i < len(change); i += 2 {
		if strings.Count(doc, change[i]) != 1 {
			t.Fatalf("%q occurs %d times", change[i], strings.Count(doc, change[i]))
		}
		doc = strings.Replace(doc, change[i], change[i+1], 1)
	}
	return doc
}

// fix applies a patch as a person's page would.
func fix(t testing.TB, doc string, f *model.Fix) string {
	t.Helper()
	var tree any
	if err := json.Unmarshal([]byte(doc), &tree); err != nil {
		t.Fatal(err)
	}
	for _, r := range f.Patch {
		var value any
		if err := json.Unmarshal([]byte(r.Value), &value); err != nil {
			t.Fatalf("the value %q of the fix is not JSON: %v", r.Value, err)
		}
		path := strings.Split(r.Pointer, "/")[1:]
		node := tree
		for i, p := range path {
			last := i == len(path)-1
			switch n := node.(type) {
			case map[string]any:
				if _, ok := n[p]; !ok {
					t.Fatalf("the fix replaces %s, which is not there", r.Pointer)
				}
				if last {
					n[p] = value
				}
				node = n[p]
			case []any:
				k, err := strconv.Atoi(p)
				if err != nil || k >= len(n) {
					t.Fatalf("the fix replaces %s, which is not there", r.Pointer)
				}
				if last {
					n[k] = value
				}
				node = n[k]
			default:
				t.Fatalf("the fix replaces %s, which is not there", r.Pointer)
			}
		}
	}
	out, err := json.Marshal(tree)
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

const (
	kernel1 = "/uncertainty/kernels/1/transitions"
	kl      = `{"kind": "kl", "nominal": ` + dense + `, "radius": 0.1}`
	ball    = `{"kind": "l1", "nominal": ` + dense + `, "radius": 0.1, "support": "all"}`
	soft    = `{"kind": "kl-regularized", "nominal": ` + dense + `, "temperature": 2, "evaluator": "soft"}`
	mixed   = `{"kind": "contamination", "nominal": ` + dense + `, "radius": 0.1}`
	byEntry = `{"kind": "kl", "nominal": ` + indexed + `, "radius": 0.1}`
	between = `{"kind": "interval", "lower": ` + lowerB + `, "upper": ` + upperB + `}`
)

// faults holds one wrong document each, with all that is said about it:
// "pointer: message", and " [fix]" when one is offered.
var faults = []struct {
	name, uncertainty string   // instead of that of machine
	change            []string // old, new, ...
	want              []string
}{
	{"format of a policy", "", []string{`"rcmdp/1"`, `"rcmdp-policy/1"`}, []string{
		`/format: found "rcmdp-policy/1": this is a policy, and a problem ("rcmdp/1") is wanted here`,
	}},
	{"format of the future", "", []string{`"rcmdp/1"`, `"rcmdp/2"`}, []string{
		`/format: found "rcmdp/2"; this version reads "rcmdp/1"`,
	}},
	{"format misspelt", "", []string{`"rcmdp/1"`, `"RCMDP"`}, []string{
		`/format: found "RCMDP"; want "rcmdp/1" [write "rcmdp/1"]`,
	}},
	{"no format", "", []string{`"format": "rcmdp/1",`, ``}, []string{
		`/format: the field "format" is missing; want "rcmdp/1"`,
	}},
	{"format is a number", "", []string{`"rcmdp/1"`, `1`}, []string{
		`/format: found 1; want "rcmdp/1"`,
	}},
	{"unknown field", "", []string{`"discount": 0.95`, `"gamma": 0.9, "discount": 0.95`}, []string{
		`/gamma: unknown field "gamma"; did you mean "discount"?`,
	}},
	{"field with a slash", "", []string{`"discount": 0.95`, `"a/b~c": 0.9, "discount": 0.95`}, []string{
		`/a~1b~0c: unknown field "a/b~c"; the fields here are format, name, description, source, states, actions, discount, end, horizon, initial, policies, objective, constraints, uncertainty`,
	}},
	{"misspelt field", "", []string{`"initial"`, `"inital"`}, []string{
		`/initial: the field "initial" is missing; want the initial distribution, one probability for each state`,
		`/inital: unknown field "inital"; did you mean "initial"?`,
	}},
	{"duplicate field", "", []string{`"discount": 0.95`, `"discount": 0.95, "discount": 0.9`}, []string{
		`/discount: the field "discount" occurs twice; keep one`,
	}},
	{"name is null", "", []string{`"name": "Machine repair"`, `"name": null`}, []string{
		`/name: found null; want text in quotes`,
	}},
	{"states no list", "", []string{`["good", "worn", "broken"]`, `3`}, []string{
		`/states: found 3; want a list of names, one for each state`,
	}},
	{"no states", "", []string{`["good", "worn", "broken"]`, `[]`}, []string{
		`/states: the list is empty; want at least one state`,
	}},
	{"state twice", "", []string{`["good", "worn", "broken"]`, `["good", "worn", "good"]`}, []string{
		`/states/2: the name "good" is taken by state 1; names must differ`,
	}},
	{"state without a name", "", []string{`["good", "worn", "broken"]`, `["good", "", "broken"]`}, []string{
		`/states/1: the name of a state is empty`,
	}},
	{"state is a number", "", []string{`["good", "worn", "broken"]`, `["good", 1, "broken"]`}, []string{
		`/states/1: found 1; want a name in quotes`,
	}},
	{"action without a name", "", []string{`["run", "repair"]`, `["run", ""]`}, []string{
		`/actions/1: the name of an action is empty`,
	}},
	{"no actions", "", []string{`"actions": ["run", "repair"],`, ``}, []string{
		`/actions: the field "actions" is missing; want a list of names, one for each action`,
	}},
	{"discount 1", "", []string{`0.95`, `1`}, []string{
		`/discount: found 1: nothing is discounted, so the model has to end by itself: name the states in which an episode ends ("end": ["goal"]), or give the number of decisions ("horizon": 24). Or take a discount below 1, 0.99 for about 100 steps`,
	}},
	{"discount 95", "", []string{`0.95`, `95`}, []string{
		`/discount: found 95; want 0 <= γ < 1, or 1 with "end" or "horizon"; a percentage is written as a fraction [write 0.95]`,
	}},
	{"negative discount", "", []string{`0.95`, `-0.5`}, []string{
		`/discount: found -0.5; want 0 <= γ < 1, or 1 with "end" or "horizon"`,
	}},
	{"discount in quotes", "", []string{`0.95`, `"0.95"`}, []string{
		`/discount: found the text "0.95"; want a number γ with 0 <= γ < 1, or 1 with "end" or "horizon", without quotes [write 0.95 without quotes]`,
	}},
	{"discount as a fraction", "", []string{`0.95`, `"19/20"`}, []string{
		`/discount: found the text "19/20"; want a number γ with 0 <= γ < 1, or 1 with "end" or "horizon", as a decimal number and without quotes [write 0.95 without quotes]`,
	}},
	{"discount null", "", []string{`0.95`, `null`}, []string{
		`/discount: found null; want a number γ with 0 <= γ < 1, or 1 with "end" or "horizon"`,
	}},
	{"discount NaN", "", []string{`0.95`, `NaN`}, []string{
		`/discount: found NaN, which is not a number; want a number γ with 0 <= γ < 1, or 1 with "end" or "horizon"`,
	}},
	{"initial too short", "", []string{`"initial": [1, 0, 0]`, `"initial": [0.5, 0.5]`}, []string{
		`/initial: found 2 probabilities; want 3, one for each state`,
	}},
	{"initial an object", "", []string{`"initial": [1, 0, 0]`, `"initial": {"good": 1}`}, []string{
		`/initial: found an object; want a list of probabilities, one for each state`,
	}},
	{"initial 1/3", "", []string{`"initial": [1, 0, 0]`, `"initial": [0.3333333333333333, 0.3333333333333333, 0]`}, []string{
		`/initial: the initial distribution sums to 0.666666666667; want 1 within 1e-9 (0.333 short)`,
	}},
	{"initial off by a little", "", []string{`"initial": [1, 0, 0]`, `"initial": [0.5, 0.25, 0.249999]`}, []string{
		`/initial: the initial distribution sums to 0.999999; want 1 within 1e-9 (1e-06 short) [renormalise the initial distribution]`,
	}},
	{"initial negative", "", []string{`"initial": [1, 0, 0]`, `"initial": [1.5, -0.5, 0]`}, []string{
		`/initial/0: the initial probability of state "good" is 1.5; want a probability between 0 and 1`,
		`/initial/1: the initial probability of state "worn" is -0.5; want a probability between 0 and 1`,
	}},
	{"no objective", "", []string{`"objective": {"name": "money", "sense": "minimize", "values": [[0, 2], [1, 2], [null, 4]]},`, ``}, []string{
		`/objective: the field "objective" is missing; want the cost to optimise, {"name": ..., "values": ...}`,
	}},
	{"objective a list", "", []string{`"objective": {"name": "money", "sense": "minimize", "values": [[0, 2], [1, 2], [null, 4]]}`, `"objective": [[0, 2], [1, 2], [null, 4]]`}, []string{
		`/objective: found a list; want a cost {"name": ..., "values": ...}`,
	}},
	{"sense max", "", []string{`"minimize"`, `"max"`}, []string{
		`/objective/sense: found "max"; want "minimize" or "maximize" [write "maximize"]`,
	}},
	{"sense maximise", "", []string{`"minimize"`, `"maximise"`}, []string{
		`/objective/sense: found "maximise"; want "minimize" or "maximize" [write "maximize"]`,
	}},
	{"sense best", "", []string{`"minimize"`, `"best"`}, []string{
		`/objective/sense: found "best"; want "minimize" or "maximize"`,
	}},
	{"objective with a limit", "", []string{`"sense": "minimize"`, `"atMost": 3`}, []string{
		`/objective/atMost: unknown field "atMost"; the fields here are name, sense, values, final, scale, over`,
	}},
	{"objective's name taken", "", []string{`"downtime"`, `"money"`}, []string{
		`/constraints/0/name: the name "money" is taken by the objective; names must differ`,
	}},
	{"cost without a name", "", []string{`"downtime"`, `""`}, []string{
		`/constraints/0/name: the name of a cost is empty`,
	}},
	{"scale", "", []string{`"atMost": 2.5`, `"scale": "mean", "atMost": 2.5`}, []string{
		`/constraints/0/scale: found "mean"; want "total" or "average"`,
	}},
	{"cost in quotes", "", []string{`[[0, 2], [1, 2]`, `[[0, "2"], [1, 2]`}, []string{
		`/objective/values/0/1: found the text "2"; want a cost, a finite number, without quotes [write 2 without quotes]`,
	}},
	{"cost -Infinity", "", []string{`[[0, 2], [1, 2]`, `[[0, -Infinity], [1, 2]`}, []string{
		`/objective/values/0/1: found -Infinity, which is not a number; want a cost, a finite number; an action that is not allowed has null for its row of transitions, and for its costs`,
	}},
	{"cost beyond a float", "", []string{`[[0, 2], [1, 2]`, `[[0, 1e999], [1, 2]`}, []string{
		`/objective/values/0/1: found 1e999, which is beyond the range of a 64-bit float (1.8e308); want a cost, a finite number`,
	}},
	{"cost true", "", []string{`[[0, 2], [1, 2]`, `[[0, true], [1, 2]`}, []string{
		`/objective/values/0/1: found true; want a cost, a finite number`,
	}},
	{"cost null where available", "", []string{`[[0, 2], [1, 2]`, `[[0, null], [1, 2]`}, []string{
		`/objective/values/0/1: found null; want a number, as action "repair" in state "good" is available`,
	}},
	{"costs of another shape", "", []string{`[[0, 0], [0, 0.25], [1, 1]]`, `[[0, 0, 1], [0, 0.25, 1]]`}, []string{
		`/constraints/0/values: found a list for each of the 2 actions; want one for each of the 3 states first, and the actions within [put states first]`,
	}},
	{"cost row too short", "", []string{`[[0, 0], [0, 0.25], [1, 1]]`, `[[0, 0], [0.25], [1, 1]]`}, []string{
		`/constraints/0/values/1: found 1 value for state "worn"; want 2, one for each action (none for "repair")`,
	}},
	{"cost row null", "", []string{`[[0, 0], [0, 0.25], [1, 1]]`, `[[0, 0], null, [1, 1]]`}, []string{
		`/constraints/0/values/1: found null for state "worn"; want a list with one value for each action: unavailable actions are null one by one, and every state needs one that is available`,
	}},
	{"costs a number", "", []string{`[[0, 0], [0, 0.25], [1, 1]]`, `0`}, []string{
		`/constraints/0/values: found 0; want a cost for each [state][action], or for each [state][action][next state]`,
	}},
	{"no costs", "", []string{`"values": [[0, 0], [0, 0.25], [1, 1]], `, ``}, []string{
		`/constraints/0/values: the field "values" is missing; want a cost for each [state][action], or for each [state][action][next state]`,
	}},
	{"next-state costs too short", "", []string{`[[0, 0], [0, 0.25], [1, 1]]`, `[[[0, 0, 0], [1, 1]], [[0, 0, 0], [1, 1, 1]], [null, [1, 1, 1]]]`}, []string{
		`/constraints/0/values/0/1: found 2 costs for action "repair" in state "good"; want 3, one for each next state`,
	}},
	{"next-state costs null", "", []string{`[[0, 0], [0, 0.25], [1, 1]]`, `[[[0, 0, 0], null], [[0, 0, 0], [1, 1, "x"]], [null, 4]]`}, []string{
		`/constraints/0/values/0/1: found null; want a number, as action "repair" in state "good" is available`,
		`/constraints/0/values/1/1/2: found the text "x"; want a cost, a finite number`,
		`/constraints/0/values/2/1: found 4; want a list with one cost for each next state, as elsewhere in this cost`,
	}},
	{"constraints an object", "", []string{`[{"name": "downtime", "values": [[0, 0], [0, 0.25], [1, 1]], "atMost": 2.5}]`, `{"downtime": 2.5}`}, []string{
		`/constraints: found an object; want a list of constraints (an empty one if there are none)`,
	}},
	{"constraint a number", "", []string{`[{"name": "downtime", "values": [[0, 0], [0, 0.25], [1, 1]], "atMost": 2.5}]`, `[2.5]`}, []string{
		`/constraints/0: found 2.5; want a constraint {"name": ..., "values": ..., "atMost": ...}`,
	}},
	{"both limits", "", []string{`"atMost": 2.5`, `"atMost": 2.5, "atLeast": 1`}, []string{
		`/constraints/0: constraint "downtime" has both "atMost" and "atLeast"; want exactly one of them (two limits are two constraints)`,
	}},
	{"no limit", "", []string{`, "atMost": 2.5`, ``}, []string{
		`/constraints/0: constraint "downtime" has no limit; want exactly one of "atMost" and "atLeast"`,
	}},
	{"limit null", "", []string{`"atMost": 2.5`, `"atMost": null`}, []string{
		`/constraints/0/atMost: found null; want a number`,
	}},
	{"threshold", "", []string{`"atMost": 2.5`, `"threshold": 2.5`}, []string{
		`/constraints/0: constraint "downtime" has no limit; want exactly one of "atMost" and "atLeast"`,
		`/constraints/0/threshold: unknown field "threshold"; did you mean "atMost"?`,
	}},
	{"no uncertainty", `no`, []string{}, []string{
		`/uncertainty: the field "uncertainty" is missing; want the uncertainty set, for example {"kind": "finite", "kernels": [...]}`,
	}},
	{"no kind", "", []string{`"kind": "finite",`, ``}, []string{
		`/uncertainty/kind: the field "kind" is missing; want "finite", "kl", "kl-regularized", "l1", "tv", "l2", "linf", "chi2", "contamination" or "interval"`,
	}},
	{"kind in other letters", "", []string{`"finite"`, `"Finite"`}, []string{
		`/uncertainty/kind: found "Finite"; want "finite", "kl", "kl-regularized", "l1", "tv", "l2", "linf", "chi2", "contamination" or "interval" [write "finite"]`,
	}},
	{"kind unknown", "", []string{`"finite"`, `"wasserstein"`}, []string{
		`/uncertainty/kind: found "wasserstein"; want "finite", "kl", "kl-regularized", "l1", "tv", "l2", "linf", "chi2", "contamination" or "interval"; a Wasserstein ball, whose rows are near by a distance between states, is not served; "l1" and "tv" with a radius are nearest`,
	}},
	{"no kernels", `{"kind": "finite", "kernels": []}`, []string{}, []string{
		`/uncertainty/kernels: the list is empty; want at least one kernel`,
	}},
	{"kernels missing", `{"kind": "finite"}`, []string{}, []string{
		`/uncertainty/kernels: the field "kernels" is missing; a set of kind "finite" has "kernels"`,
	}},
	{"kernel a list", `{"kind": "finite", "kernels": [` + dense + `]}`, []string{}, []string{
		`/uncertainty/kernels/0: found a list; want a kernel {"name": ..., "transitions": ...}`,
	}},
	{"kernel name taken", "", []string{`"harsh"`, `"nominal"`}, []string{
		`/uncertainty/kernels/1/name: the name "nominal" is taken by kernel 1; names must differ`,
	}},
	{"kernel without transitions", `{"kind": "finite", "kernels": [{"name": "calm"}]}`, []string{}, []string{
		`/uncertainty/kernels/0/transitions: the field "transitions" is missing; want [state][action][next state], or {"entries": [...]}`,
	}},
	{"row 1/3", "", []string{`[0.7, 0.3, 0]`, `[0.3333333333333333, 0.3333333333333333, 0]`}, []string{
		`/uncertainty/kernels/1/transitions/0/0: the probabilities of action "run" in state "good" under kernel "harsh" sum to 0.666666666667; want 1 within 1e-9 (0.333 short)`,
	}},
	{"rows off by a little", "", []string{`[0.7, 0.3, 0]`, `[0.7, 0.299999, 0]`, `[0.8, 0, 0.2]`, `[0.8, 0, 0.20005]`}, []string{
		`/uncertainty/kernels/1/transitions/0/0: the probabilities of action "run" in state "good" under kernel "harsh" sum to 0.999999; want 1 within 1e-9 (1e-06 short) [renormalise 2 rows]`,
		`/uncertainty/kernels/1/transitions/2/1: the probabilities of action "repair" in state "broken" under kernel "harsh" sum to 1.00005; want 1 within 1e-9 (5e-05 too much)`,
	}},
	{"one successor off by a little", "", []string{`[0.7, 0.3, 0]`, `[1.00001, 0, 0]`}, []string{
		`/uncertainty/kernels/1/transitions/0/0: the probabilities of action "run" in state "good" under kernel "harsh" sum to 1.00001; want 1 within 1e-9 (1e-05 too much) [renormalise 1 row]`,
	}},
	{"negative by rounding", "", []string{`[0.7, 0.3, 0]`, `[0.7, 0.3, -2.7e-17]`}, []string{
		`/uncertainty/kernels/1/transitions/0/0/2: the probability of action "run" in state "good" leading to "broken" is -2.7e-17; want a probability between 0 and 1 [write 0]`,
	}},
	{"initial above 1 by a little", "", []string{`"initial": [1, 0, 0]`, `"initial": [1.00001, 0, 0]`}, []string{
		`/initial: the initial distribution sums to 1.00001; want 1 within 1e-9 (1e-05 too much) [renormalise the initial distribution]`,
	}},
	{"probability 2", "", []string{`[0.7, 0.3, 0]`, `[2, 0, 0]`}, []string{
		`/uncertainty/kernels/1/transitions/0/0/0: the probability of action "run" in state "good" leading to "good" is 2; want a probability between 0 and 1`,
	}},
	{"negative probability", "", []string{`[0.7, 0.3, 0]`, `[1.3, -0.3, 0]`}, []string{
		`/uncertainty/kernels/1/transitions/0/0/0: the probability of action "run" in state "good" leading to "good" is 1.3; want a probability between 0 and 1`,
		`/uncertainty/kernels/1/transitions/0/0/1: the probability of action "run" in state "good" leading to "worn" is -0.3; want a probability between 0 and 1`,
	}},
	{"probability NaN", "", []string{`[0.7, 0.3, 0]`, `[0.7, NaN, 0]`}, []string{
		`/uncertainty/kernels/1/transitions/0/0/1: found NaN, which is not a number; want a probability between 0 and 1`,
	}},
	{"probability in quotes", "", []string{`[0.7, 0.3, 0]`, `[0.7, "0.3", 0]`}, []string{
		`/uncertainty/kernels/1/transitions/0/0/1: found the text "0.3"; want a probability between 0 and 1, without quotes [write 0.3 without quotes]`,
	}},
	{"row too short", "", []string{`[0.7, 0.3, 0]`, `[0.7, 0.3]`}, []string{
		`/uncertainty/kernels/1/transitions/0/0: found 2 probabilities for action "run" in state "good"; want 3, one for each next state`,
	}},
	{"row too long", "", []string{`[0.7, 0.3, 0]`, `[0.7, 0.3, 0, 0]`}, []string{
		`/uncertainty/kernels/1/transitions/0/0: found 4 probabilities for action "run" in state "good"; want 3, one for each next state`,
	}},
	{"row a number", "", []string{`[0.7, 0.3, 0]`, `1`}, []string{
		`/uncertainty/kernels/1/transitions/0/0: found 1; want a list with one probability for each next state, or null when the action is not available`,
	}},
	{"state without a row", "", []string{`[null, [0.8, 0, 0.2]]`, `[null]`}, []string{
		`/uncertainty/kernels/1/transitions/2: found 1 value for state "broken"; want 2, one for each action (none for "repair"); an action that is not available is null`,
	}},
	{"state null", "", []string{`[null, [0.8, 0, 0.2]]`, `null`}, []string{
		`/uncertainty/kernels/1/transitions/2: found null for state "broken"; want a list with one value for each action: unavailable actions are null one by one, and every state needs one that is available`,
	}},
	{"no available action", "", []string{`[null, [0.8, 0, 0.2]]`, `[null, null]`}, []string{
		`/uncertainty/kernels/1/transitions/2: no action is available in state "broken" (every row is null); every state needs one. A state that is never left has an action that leads back to it`,
		`/uncertainty/kernels/1/transitions/2/1: action "repair" in state "broken" is available under kernel "nominal" and not available under kernel "harsh"; the available actions must be the same throughout`,
	}},
	{"kernels disagree", "", []string{`[[0.7, 0.3, 0], [1, 0, 0]], [[0, 0.5, 0.5], [0.9, 0.1, 0]], [null,`, `[[0.7, 0.3, 0], null], [[0, 0.5, 0.5], [0.9, 0.1, 0]], [[1, 0, 0],`}, []string{
		`/uncertainty/kernels/1/transitions/0/1: action "repair" in state "good" is available under kernel "nominal" and not available under kernel "harsh"; the available actions must be the same throughout`,
		`/uncertainty/kernels/1/transitions/2/0: action "run" in state "broken" is available under kernel "harsh" and not available under kernel "nominal"; the available actions must be the same throughout`,
	}},
	{"too many states", "", []string{`[null, [0.8, 0, 0.2]]`, `[null, [0.8, 0, 0.2]], [null, [1, 0, 0]]`}, []string{
		`/uncertainty/kernels/1/transitions: found 4 rows; want 3, one for each state`,
	}},
	{"actions first", kl, []string{dense, `[[[0.9, 0.1, 0], [0, 0.7, 0.3], null], [[1, 0, 0], [1, 0, 0], [1, 0, 0]]]`}, []string{
		`/uncertainty/nominal: found a list for each of the 2 actions; want one for each of the 3 states first, and the actions within [put states first]`,
	}},
	{"transitions a number", kl, []string{dense, `0.5`}, []string{
		`/uncertainty/nominal: found 0.5; want transitions as [state][action][next state], or as {"entries": [...]}`,
	}},
	{"entries missing", kl, []string{dense, `{}`}, []string{
		`/uncertainty/nominal/entries: the field "entries" is missing; want a list of entries [state, action, next state, probability]`,
	}},
	{"entries no list", kl, []string{dense, `{"entries": 4}`}, []string{
		`/uncertainty/nominal/entries: found 4; want a list of entries [state, action, next state, probability]`,
	}},
	{"entry no list", kl, []string{dense, `{"entries": [5]}`}, []string{
		`/uncertainty/nominal/entries/0: found 5; want an entry [state, action, next state, probability]`,
	}},
	{"entry too short", byEntry, []string{`[2, 1, 0, 1]`, `[2, 1, 0]`}, []string{
		`/uncertainty/nominal/entries/0: found 3 values; want an entry [state, action, next state, probability]`,
	}},
	{"entry too long", byEntry, []string{`[2, 1, 0, 1]`, `[2, 1, 0, 1, 0]`}, []string{
		`/uncertainty/nominal/entries/0: found 5 values; want an entry [state, action, next state, probability]`,
	}},
	{"entry of an unknown state", byEntry, []string{`[2, 1, 0, 1]`, `["lost", 1, 0, 1]`}, []string{
		`/uncertainty/nominal/entries/0/0: found "lost", which is not the name of a state`,
	}},
	{"entry of an unknown action", byEntry, []string{`[2, 1, 0, 1]`, `[2, "rest", 0, 1]`}, []string{
		`/uncertainty/nominal/entries/0/1: found "rest", which is not the name of an action`,
	}},
	{"entry with a fractional index", byEntry, []string{`[2, 1, 0, 1]`, `[2, 1, 0.5, 1]`}, []string{
		`/uncertainty/nominal/entries/0/2: found 0.5 as a state; indices go from 0 to 2`,
	}},
	{"entry index null", byEntry, []string{`[2, 1, 0, 1]`, `[2, 1, null, 1]`}, []string{
		`/uncertainty/nominal/entries/0/2: found null; want the name or the 0-based index of a state`,
	}},
	{"entry index too large", byEntry, []string{`[2, 1, 0, 1]`, `[2, 1, 7, 1]`}, []string{
		`/uncertainty/nominal/entries/0/2: found 7 as a state; indices go from 0 to 2`,
	}},
	{"entry twice", byEntry, []string{`[2, 1, 0, 1]`, `[2, 1, 0, 0.5], [2, 1, 0, 0.5]`}, []string{
		`/uncertainty/nominal/entries/1: action "repair" in state "broken" leading to "good" is listed again, first by entry 0; add the probabilities up to one entry`,
	}},
	{"entry negative", byEntry, []string{`[2, 1, 0, 1]`, `[2, 1, 0, -1]`}, []string{
		`/uncertainty/nominal/entries/0/3: the probability of action "repair" in state "broken" leading to "good" is -1; want a probability between 0 and 1`,
	}},
	{"entry off", byEntry, []string{`[2, 1, 0, 1]`, `[2, 1, 0, 0.99]`}, []string{
		`/uncertainty/nominal/entries/0: the probabilities of action "repair" in state "broken" sum to 0.99; want 1 within 1e-9 (0.01 short)`,
	}},
	{"entries off by a little", byEntry, []string{`[0, 0, 0, 0.9]`, `[0, 0, 0, 0.90001]`}, []string{
		`/uncertainty/nominal/entries/2: the probabilities of action "run" in state "good" sum to 1.00001; want 1 within 1e-9 (1e-05 too much) [renormalise 1 row]`,
	}},
	{"entries without a state", byEntry, []string{`[2, 1, 0, 1], `, ``}, []string{
		`/uncertainty/nominal/entries: no action is available in state "broken" (no entry starts there); every state needs one. A state that is never left has an action that leads back to it`,
	}},
	{"indices from 1", `{"kind": "kl", "nominal": {"entries": [[1, 1, 2, 1], [2, 1, 3, 1], ["broken", 2, 1, 1]]}, "radius": 0}`, []string{}, []string{
		`/uncertainty/nominal/entries/1/2: found 3 as a state; indices go from 0 to 2; the state and action indices here seem to count from 1 [count state and action indices from 0]`,
		`/uncertainty/nominal/entries/2/1: found 2 as an action; indices go from 0 to 1`,
	}},
	{"states from 1", `{"kind": "kl", "nominal": {"entries": [[1, 0, 2, 1], [2, 0, 3, 1], [3, 1, 1, 1]]}, "radius": 0}`, []string{}, []string{
		`/uncertainty/nominal/entries/1/2: found 3 as a state; indices go from 0 to 2; the state indices here seem to count from 1 [count state indices from 0]`,
		`/uncertainty/nominal/entries/2/0: found 3 as a state; indices go from 0 to 2`,
	}},
	{"an end by another name", "", []string{`"discount": 0.95,`, `"discount": 1, "end": ["brokn"],`, `[null, [1, 0, 0]]`, `[null, null]`, `[null, [0.8, 0, 0.2]]`, `[null, null]`}, []string{
		`/end/0: found "brokn", which is not a state of the model [write "broken"]`,
	}},
	{"ends by numbers", "", []string{`"discount": 0.95,`, `"discount": 1, "end": [3, 0.5, true],`}, []string{
		`/end/0: found 3; want the name of a state or its index, from 0 to 2`,
		`/end/1: found 0.5; want the name of a state or its index, from 0 to 2`,
		`/end/2: found true; want the name or the 0-based index of a state`,
	}},
	{"an end twice", "", []string{`"discount": 0.95,`, `"discount": 1, "end": ["worn", 1],`, `[0, 0.7, 0.3], [1, 0, 0]`, `null, null`, `[0, 0.5, 0.5], [0.9, 0.1, 0]`, `null, null`, `[1, 2]`, `[1, 1]`, `[0, 0.25]`, `[0, null]`}, []string{
		`/end/1: state "worn" is listed twice`,
	}},
	{"no end at discount 1", "", []string{`"discount": 0.95,`, `"discount": 1, "end": [],`}, []string{
		`/discount: found 1: nothing is discounted, so the model has to end by itself: name the states in which an episode ends ("end": ["goal"]), or give the number of decisions ("horizon": 24). Or take a discount below 1, 0.99 for about 100 steps`,
	}},
	{"an end that is left, of two costs", "", []string{`"discount": 0.95,`, `"discount": 1, "end": ["worn"],`}, []string{
		`/objective/values/1/1: action "repair" in state "worn" costs 2 and action "run" costs 1 there, and "worn" is an end, where nothing is chosen any more; want one cost`,
		`/constraints/0/values/1/1: action "repair" in state "worn" costs 0.25 and action "run" costs 0 there, and "worn" is an end, where nothing is chosen any more; want one cost`,
		`/uncertainty/kernels/0/transitions/1/0: action "run" in state "worn" leads to "broken" under kernel "nominal", and "worn" is listed as an end, where the episode is over; leave its rows out, or take it off "end"`,
		`/uncertainty/kernels/0/transitions/1/1: action "repair" in state "worn" leads to "good" under kernel "nominal", and "worn" is listed as an end, where the episode is over; leave its rows out, or take it off "end"`,
		`/uncertainty/kernels/1/transitions/1/0: action "run" in state "worn" leads to "broken" under kernel "harsh", and "worn" is listed as an end, where the episode is over; leave its rows out, or take it off "end"`,
		`/uncertainty/kernels/1/transitions/1/1: action "repair" in state "worn" leads to "good" under kernel "harsh", and "worn" is listed as an end, where the episode is over; leave its rows out, or take it off "end"`,
	}},
	{"an end without a cost", "", []string{`"discount": 0.95,`, `"discount": 0.9, "end": ["broken"],`, `[null, 4]`, `[null, null]`, `[null, [1, 0, 0]]`, `[null, [0, 0, 1]]`, `[null, [0.8, 0, 0.2]]`, `[null, null]`}, []string{
		`/objective/values/2: state "broken" is an end and has no cost; want the number that is paid on arrival, 0 if there is none`,
	}},
	{"an average of episodes", "", []string{`"discount": 0.95,`, `"discount": 1, "end": ["broken"],`, `"name": "money",`, `"name": "money", "scale": "average",`, `[null, [1, 0, 0]]`, `[null, [0, 0, 1]]`, `[null, [0.8, 0, 0.2]]`, `[null, null]`}, []string{
		`/objective/scale: "money" has "scale": "average", an average over discounted time, which has no meaning at discount 1; write "total"`,
	}},
	{"no decision", "", []string{`"discount": 0.95,`, `"discount": 1, "horizon": 0,`}, []string{
		`/horizon: found 0, and without a decision there is nothing to find; want the number of decisions, a whole number from 1 on, such as 24, or leave "horizon" out where there is no end of them`,
	}},
	{"half a decision", "", []string{`"discount": 0.95,`, `"discount": 1, "horizon": 1.5,`}, []string{
		`/horizon: found 1.5; want the number of decisions, a whole number from 1 on, such as 24`,
	}},
	{"decisions in quotes", "", []string{`"discount": 0.95,`, `"discount": 1, "horizon": "24",`}, []string{
		`/horizon: found the text "24"; want the number of decisions, a whole number from 1 on, such as 24, without quotes [write 24 without quotes]`,
	}},
	{"too many decisions", "", []string{`"discount": 0.95,`, `"discount": 1, "horizon": 1000000,`}, []string{
		`/horizon: found 1000000: so many decisions in 3 states are 3000000 pairs of state and time, and at most 100000 are solved, which is 33333 decisions here; take fewer and longer steps, a discount below 1 in its place, or the states in which it ends ("end")`,
	}},
	{"an average over decisions", "", []string{`"discount": 0.95,`, `"discount": 1, "horizon": 24,`, `"name": "money",`, `"name": "money", "scale": "average",`}, []string{
		`/objective/scale: "money" has "scale": "average", an average over time without an end, which has no meaning with a horizon; write "total" [write "total"]`,
	}},
	{"tables of some decisions", "", []string{`"discount": 0.95,`, `"discount": 1, "horizon": 4,`, `[[0, 2], [1, 2], [null, 4]]`, `[[[0, 2], [1, 2], [null, 4]], [[0, 2], [1, 2], [null, 4]]]`}, []string{
		`/objective/values: found 2 tables; want 4, one for each decision, or one for all of them`,
	}},
	{"a cost missing in a decision", "", []string{`"discount": 0.95,`, `"discount": 1, "horizon": 2,`, `[[0, 2], [1, 2], [null, 4]]`, `[[[0, 2], [1, 2], [null, 4]], [[0, null], [1, 2], [null, 4]]]`}, []string{
		`/objective/values/1/0/1: found null; want a number, as action "repair" in state "good" is available`,
	}},
	{"the end of no horizon", "", []string{`[[0, 2], [1, 2], [null, 4]]`, `[[0, 2], [1, 2], [null, 4]], "final": [0, 1, 2]`}, []string{
		`/objective/final: this is paid when the last decision is over, and the model has no number of them; give "horizon", or leave this out`,
	}},
	{"the end of some states", "", []string{`"discount": 0.95,`, `"discount": 1, "horizon": 24,`, `[[0, 2], [1, 2], [null, 4]]`, `[[0, 2], [1, 2], [null, 4]], "final": [0, 1]`}, []string{
		`/objective/final: found 2 numbers; want 3, one for each state`,
	}},
	{"soft episodes", `{"kind": "kl-regularized", "nominal": [[[0.9, 0.1, 0], [1, 0, 0]], [[0, 0.7, 0.3], [1, 0, 0]], [null, [0, 0, 1]]], "temperature": 1}`, []string{`"discount": 0.95,`, `"discount": 1, "end": ["broken"],`}, []string{
		`/discount: found 1, with a set of kind "kl-regularized": there nature may keep any loop going at a finite price, so that no episode ends surely. Take a set of kind "kl", a discount below 1, or a number of decisions ("horizon": 24)`,
	}},
	{"fields of models that are not served", "", []string{`"discount": 0.95,`, `"discount": 0.95, "nature": "best",`, `"name": "downtime",`, `"name": "downtime", "equals": 1,`}, []string{
		`/nature: unknown field "nature"; nature takes the worst case; what a plan comes to at best stands beside the answer, and plans are not chosen by it`,
		`/constraints/0/equals: unknown field "equals"; a limit has one side; an equality is two limits of one cost, "atMost" and "atLeast", with two names`,
	}},
	{"policies of another word", "", []string{`"discount": 0.95,`, `"discount": 0.95, "policies": "determinstic",`}, []string{
		`/policies: found "determinstic"; want "randomised" or "deterministic" [write "deterministic"]`,
	}},
	{"a weight on one kernel alone", "", []string{`"name": "harsh",`, `"name": "harsh", "weight": 0.3,`}, []string{
		`/uncertainty/kernels/0/weight: kernel 1 has no weight and others have; want one on each, or on none (then all count alike)`,
	}},
	{"weights that sum to 2", "", []string{`"name": "nominal",`, `"name": "nominal", "weight": 1.5,`, `"name": "harsh",`, `"name": "harsh", "weight": 0.5,`}, []string{
		`/uncertainty/kernels: the weights of the kernels sum to 2; want 1 within 1e-9 (1 too much) [divide the weights by their sum]`,
	}},
	{"a weight below 0", "", []string{`"name": "nominal",`, `"name": "nominal", "weight": 1,`, `"name": "harsh",`, `"name": "harsh", "weight": -1,`}, []string{
		`/uncertainty/kernels/1/weight: found -1; want a weight, a number from 0 to 1`,
	}},
	{"a tail without its share", "", []string{`"name": "money",`, `"name": "money", "over": "cvar",`, `"name": "downtime",`, `"name": "downtime", "over": {},`}, []string{
		`/objective/over: found "cvar"; want "worst", "mean" or {"cvar": 0.1}: the mean over the worst share of the models, here a tenth`,
		`/constraints/0/over: found no "cvar"; want "worst", "mean" or {"cvar": 0.1}`,
	}},
	{"shares out of range", "", []string{`"name": "money",`, `"name": "money", "over": {"cvar": 10},`, `"name": "downtime",`, `"name": "downtime", "over": {"cvar": 0},`}, []string{
		`/objective/over/cvar: found 10; want a share α of the models with 0 < α <= 1 (at least 1e-9): the mean over the worst share α of them; a percentage is written as a fraction [write 0.1]`,
		`/constraints/0/over/cvar: found 0; want a share α of the models with 0 < α <= 1 (at least 1e-9): the mean over the worst share α of them; the worst model alone is "worst" [write "worst"]`,
	}},
	{"a mean spelt otherwise", "", []string{`"name": "money",`, `"name": "money", "over": "Mean",`, `"name": "downtime",`, `"name": "downtime", "over": 0.1,`}, []string{
		`/objective/over: found "Mean"; want "worst", "mean" or {"cvar": 0.1} [write "mean"]`,
		`/constraints/0/over: found 0.1; want "worst", "mean" or {"cvar": 0.1}`,
	}},
	{"a mean over a ball", kl, []string{`"name": "money",`, `"name": "money", "over": "mean",`, `"name": "downtime",`, `"name": "downtime", "over": "worst",`}, []string{
		`/objective/over: an average over models needs a list of them, and the uncertainty set is of kind "kl": its worst case is what counts. Take "worst", or a set of kind "finite" whose kernels have weights`,
	}},
	{"weights of a ball", kl, []string{`"radius": 0.1`, `"radius": 0.1, "weights": [0.5, 0.5]`}, []string{
		`/uncertainty/weights: unknown field "weights"; each kernel of a set of kind "finite" has its own "weight"; other sets have none`,
	}},
	{"kernels in a ball", kl, []string{`"radius": 0.1`, `"radius": 0.1, "kernels": []`}, []string{
		`/uncertainty/kernels: the field "kernels" does not belong to a set of kind "kl", which has "nominal" and "radius"`,
	}},
	{"support of kl", kl, []string{`"radius": 0.1`, `"radius": 0.1, "support": "all"`}, []string{
		`/uncertainty/support: the field "support" does not belong to a set of kind "kl", which has "nominal" and "radius"; this kind always keeps the support of the nominal row`,
	}},
	{"no radius", kl, []string{`, "radius": 0.1`, ``}, []string{
		`/uncertainty/radius: the field "radius" is missing; a set of kind "kl" has "nominal" and "radius"`,
	}},
	{"negative radius", kl, []string{`"radius": 0.1`, `"radius": -0.1`}, []string{
		`/uncertainty/radius: found -0.1; want a radius, a number >= 0`,
	}},
	{"radius NaN", kl, []string{`"radius": 0.1`, `"radius": NaN`}, []string{
		`/uncertainty/radius: found NaN, which is not a number; want a radius, a number >= 0`,
	}},
	{"radius an object", kl, []string{`"radius": 0.1`, `"radius": {"good": 1}`}, []string{
		`/uncertainty/radius: found an object; want a radius, a number >= 0, or one for each [state][action]`,
	}},
	{"radius table too short", kl, []string{`"radius": 0.1`, `"radius": [[0.1, 0.2], [0.1, 0.2]]`}, []string{
		`/uncertainty/radius: found 2 rows; want 3, one for each state`,
	}},
	{"radius table negative", kl, []string{`"radius": 0.1`, `"radius": [[0.1, 0.2], [0.1, -0.2], [null, 1]]`}, []string{
		`/uncertainty/radius/1/1: the radius of action "repair" in state "worn" is -0.2; want a radius, a number >= 0`,
	}},
	{"radius null where available", kl, []string{`"radius": 0.1`, `"radius": [[0.1, 0.2], [0.1, 1], [null, null]]`}, []string{
		`/uncertainty/radius/2/1: found null; want a number, as action "repair" in state "broken" is available`,
	}},
	{"contamination above 1", mixed, []string{`"radius": 0.1`, `"radius": 1.5`}, []string{
		`/uncertainty/radius: found 1.5; want a fraction R with 0 <= R <= 1`,
	}},
	{"support", ball, []string{`"all"`, `"full"`}, []string{
		`/uncertainty/support: found "full"; want "nominal" or "all" [write "all"]`,
	}},
	{"temperature 0", soft, []string{`"temperature": 2`, `"temperature": 0`}, []string{
		`/uncertainty/temperature: found 0; want a number above 0 (the nominal model is the limit of large temperatures)`,
	}},
	{"evaluator", soft, []string{`"soft"`, `"literal"`}, []string{
		`/uncertainty/evaluator: found "literal"; want "soft" or "paper"`,
	}},
	{"no temperature", soft, []string{`"temperature": 2, `, ``}, []string{
		`/uncertainty/temperature: the field "temperature" is missing; a set of kind "kl-regularized" has "nominal", "temperature" and "evaluator"`,
	}},
	{"crossed bounds", between, []string{`[0, 0.6, 0.2]`, `[0, 0.6, 0.5]`}, []string{
		`/uncertainty/lower/1/0/2: the lower bound of action "run" in state "worn" leading to "broken" is 0.5 and the upper bound is 0.4; want lower <= upper`,
	}},
	{"lower bounds above 1", between, []string{`[0, 0.6, 0.2]`, `[0, 0.7, 0.35]`}, []string{
		`/uncertainty/lower/1/0: the lower bounds of action "run" in state "worn" sum to 1.05; no distribution fits above them: want at most 1 (0.05 too much)`,
	}},
	{"upper bounds below 1", between, []string{`[0.9, 0.9, 0.3]`, `[0.3, 0.3, 0.3]`}, []string{
		`/uncertainty/upper/2/1: the upper bounds of action "repair" in state "broken" sum to 0.9; no distribution fits below them: want at least 1 (0.1 short)`,
	}},
	{"upper bound 2", between, []string{`[0.9, 0.9, 0.3]`, `[0.3, 2, 0.3]`}, []string{
		`/uncertainty/upper/2/1/1: the probability of action "repair" in state "broken" leading to "worn" is 2; want a probability between 0 and 1`,
	}},
	{"bounds disagree", between, []string{`[null, [0.9, 0.9, 0.3]]`, `[[1, 1, 1], [0.9, 0.9, 0.3]]`}, []string{
		`/uncertainty/upper/2/0: action "run" in state "broken" is available in the upper bounds and not available in the lower bounds; the available actions must be the same throughout`,
	}},
	{"uncertainty a list", `[]`, []string{}, []string{
		`/uncertainty: found a list; want an uncertainty set such as {"kind": "finite", "kernels": [...]}`,
	}},
	{"kind a number", `{"kind": 3}`, []string{}, []string{
		`/uncertainty/kind: found 3; want "finite", "kl", "kl-regularized", "l1", "tv", "l2", "linf", "chi2", "contamination" or "interval"`,
	}},
	{"kernels a number", `{"kind": "finite", "kernels": 5}`, []string{}, []string{
		`/uncertainty/kernels: found 5; want a list of kernels, each {"name": ..., "transitions": ...}`,
	}},
	{"upper bounds missing", `{"kind": "interval", "lower": ` + dense + `}`, []string{}, []string{
		`/uncertainty/upper: the field "upper" is missing; a set of kind "interval" has "lower" and "upper"`,
	}},
	{"lower bounds missing", `{"kind": "interval", "upper": ` + dense + `}`, []string{}, []string{
		`/uncertainty/lower: the field "lower" is missing; a set of kind "interval" has "lower" and "upper"`,
	}},
	{"sparse kernels disagree", `{"kind": "finite", "kernels": [{"transitions": ` + dense + `}, {"transitions": {"entries": [[0, 0, 0, 1], [1, 0, 0, 1], [1, 1, 0, 1], [2, 1, 0, 1]]}}]}`, []string{}, []string{
		`/uncertainty/kernels/1/transitions/entries: action "repair" in state "good" is available under kernel "P1" and not available under kernel "P2"; the available actions must be the same throughout`,
	}},
	{"state row a number", "", []string{`[null, [0.8, 0, 0.2]]`, `7`}, []string{
		`/uncertainty/kernels/1/transitions/2: found 7; want a list with one value for each action`,
	}},
	{"costs of states only", "", []string{`[[0, 0], [0, 0.25], [1, 1]]`, `[0, 0, 1]`}, []string{
		`/constraints/0/values/0: found 0; want a list with one value for each action`,
		`/constraints/0/values/1: found 0; want a list with one value for each action`,
		`/constraints/0/values/2: found 1; want a list with one value for each action`,
	}},
	{"indices from 1, names and no entry", `{"kind": "kl", "nominal": {"entries": [[1, 1, 2, 1], 5, [3, "repair", 1, 1]]}, "radius": 0}`, []string{}, []string{
		`/uncertainty/nominal/entries/1: found 5; want an entry [state, action, next state, probability]`,
		`/uncertainty/nominal/entries/2/0: found 3 as a state; indices go from 0 to 2; the state indices here seem to count from 1 [count state indices from 0]`,
	}},
	{"a long number", "", []string{`2.5`, `100000000000000000000000000000000000000000000000000e999`}, []string{
		`/constraints/0/atMost: found 100000000000000000000000000000000000000000000000000e999, which is beyond the range of a 64-bit float (1.8e308); want a number`,
	}},
	{"a long name", "", []string{`["good", "worn", "broken"]`, `["good", "worn", "broken", "long long long long long long long long long long long long ", "long long long long long long long long long long long long "]`}, []string{
		`/states/4: the name "long long long long long long long long ..." is taken by state 4; names must differ`,
		`/initial: found 3 probabilities; want 5, one for each state`,
		`/objective/values: found 3 rows; want 5, one for each state`,
		`/constraints/0/values: found 3 rows; want 5, one for each state`,
		`/uncertainty/kernels/0/transitions: found 3 rows; want 5, one for each state`,
		`/uncertainty/kernels/0/transitions/0/0: found 3 probabilities for action "run" in state "good"; want 5, one for each next state`,
		`/uncertainty/kernels/0/transitions/0/1: found 3 probabilities for action "repair" in state "good"; want 5, one for each next state`,
		`/uncertainty/kernels/0/transitions/1/0: found 3 probabilities for action "run" in state "worn"; want 5, one for each next state`,
		`/uncertainty/kernels/0/transitions/1/1: found 3 probabilities for action "repair" in state "worn"; want 5, one for each next state`,
		`/uncertainty/kernels/0/transitions/2/1: found 3 probabilities for action "repair" in state "broken"; want 5, one for each next state`,
		`/uncertainty/kernels/1/transitions: found 3 rows; want 5, one for each state`,
		`/uncertainty/kernels/1/transitions/0/0: found 3 probabilities for action "run" in state "good"; want 5, one for each next state`,
		`/uncertainty/kernels/1/transitions/0/1: found 3 probabilities for action "repair" in state "good"; want 5, one for each next state`,
		`/uncertainty/kernels/1/transitions/1/0: found 3 probabilities for action "run" in state "worn"; want 5, one for each next state`,
		`/uncertainty/kernels/1/transitions/1/1: found 3 probabilities for action "repair" in state "worn"; want 5, one for each next state`,
		`/uncertainty/kernels/1/transitions/2/1: found 3 probabilities for action "repair" in state "broken"; want 5, one for each next state`,
	}},
	{"nominal of an interval", between, []string{`"kind": "interval", `, `"kind": "interval", "nominal": ` + dense + `, `}, []string{
		`/uncertainty/nominal: the field "nominal" does not belong to a set of kind "interval", which has "lower" and "upper"`,
	}},
}

// said is a fault as one line.
func said(f model.Fault) string {
	s := f.Pointer + ": " + f.Message
	if f.Fix != nil {
		s += " [" + f.Fix.Label + "]"
	}
	return s
}

// Every wrong document is told what is wrong, where, and only that; a fix that
// is offered removes the fault.
func TestFaults(t *testing.T) {
	for _, tc := range faults {
		t.Run(tc.name, func(t *testing.T) {
			doc := machine
			switch tc.uncertainty {
			case "":
			case "no":
				doc = machine[:strings.Index(machine, `"constraints"`)] + `"constraints": []}`
			default:
				doc = set(tc.uncertainty)
			}
			doc = edit(t, doc, tc.change...)
			p, got, _ := model.Decode([]byte(doc))
			if p != nil || len(got) == 0 {
				t.Fatal("accepted")
			}
			lines := make([]string, len(got))
			for i, f := range got {
				lines[i] = said(f)
				if f.Fix != nil {
					checkFix(t, doc, f, len(got))
				}
			}
			if !slices.Equal(lines, tc.want) {
				t.Errorf("got\n\t%s\nwant\n\t%s", strings.Join(lines, "\n\t"), strings.Join(tc.want, "\n\t"))
			}
		})
	}
}

// checkFix applies a fix: its fault is gone, and no new one has come; a number that it names is the one that it writes.
func checkFix(t *testing.T, doc string, f model.Fault, n int) {
	t.Helper()
	if x, err := strconv.ParseFloat(strings.TrimPrefix(f.Fix.Label, "write "), 64); err == nil && len(f.Fix.Patch) == 1 && f.Fix.Patch[0].Value != model.Num(x) {
		t.Errorf("the fix %q writes %s", f.Fix.Label, f.Fix.Patch[0].Value)
	}
	_, after, _ := model.Decode([]byte(fix(t, doc, f.Fix)))
	if len(after) >= n {
		t.Errorf("after the fix %q there are still %d faults: %v", f.Fix.Label, len(after), after)
	}
	for _, g := range after {
		if g.Pointer == f.Pointer && g.Message == f.Message {
			t.Errorf("the fix %q leaves %s", f.Fix.Label, said(g))
		}
	}
}
