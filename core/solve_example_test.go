package core_test

import (
	"fmt"
	"slices"

	"rcmdplab/core/certify"
	"rcmdplab/core/decide"
	"rcmdplab/core/evaluate"
	"rcmdplab/core/model"
	"rcmdplab/core/solve"
)

// Example solves a document natively with the default method and has the
// checker look at what it claims: what the page does, without a page.
func Example() {
	document := []byte(`{"format": "rcmdp/1", "states": ["good", "broken"], "actions": ["run", "repair"],
		"discount": 0.9, "initial": [1, 0],
		"objective": {"name": "money", "values": [[0, 2], [5, 4]]},
		"constraints": [{"name": "downtime", "values": [[0, 0], [1, 1]], "atMost": 2}],
		"uncertainty": {"kind": "l1", "radius": 0.1, "nominal": [[[0.8, 0.2], [1, 0]], [[0, 1], [1, 0]]]}}`)
	problem, faults, _ := model.Decode(document)
	if len(faults) > 0 {
		fmt.Println(faults)
		return
	}
	standard := problem.Standard()
	evaluator, err := evaluate.New(standard)
	if err != nil {
		fmt.Println(err)
		return
	}
	method, _ := decide.Find("solve")
	var last solve.Progress
	for p := range method.Run(evaluator, method.Defaults()) {
		last = p // its slices are the run's: good until the next record
	}
	certificate := last.Certificate
	report := certify.Check(problem, *certificate, slices.Clone(last.Best.Policy))
	fmt.Println(last.Status, report.OK)
	fmt.Printf("%.4f, and no policy is better than %.4f\n", last.Best.Objective, report.LowerBound)
	// Output:
	// proved-optimal true
	// 7.3469, and no policy is better than 7.3469
}
