package instance

import "rcmdplab/core/model"

var callCentre = example("call-centre", "Call centre",
	"Staff a hotline with few agents while long queues stay rare, when now and then calls come as no model foresaw.",
	[]Parameter{
		{Name: "contamination", Label: "Probability that anything possible happens", Default: 0.05, Min: 0, Max: 1},
		{Name: "queues", Label: "Largest share of time with a long queue", Default: 0.2, Min: 0.01, Max: 1},
	},
	func(q map[string]float64) *model.Problem {
		const room = 5 // who finds five waiting hangs up
		states := append([]string{"nobody waits"}, numbered("%d waiting", 1, room)...)
		p := draft("Call centre", "Decide each quarter of an hour how many agents answer; each finishes a call with probability 0.6.",
			0.95, states, []string{"one agent", "two agents", "three agents"}, nil)
		p.Initial[0] = 1
		p.Objective = model.Cost{Name: "wages", Average: true, Values: byAction(p, 1, 2, 3)}
		p.Constraints = []model.Constraint{{
			Cost:  model.Cost{Name: "long queues", Average: true, Values: while(p, func(s int) bool { return s > 2 })},
			Bound: q["queues"],
		}}
		calls := []float64{0.4, 0.4, 0.2}
		finished := [][]float64{{1}, {0.4, 0.6}, {0.16, 0.48, 0.36}, {0.064, 0.288, 0.432, 0.216}} // binomial, 0.6
		p.Uncertainty = model.Uncertainty{Kind: model.Contamination, Radius: []float64{q["contamination"]},
			Nominal: kernel(p, "", func(row []float64, s, a int) {
				for done, f := range finished[min(s, a+1)] {
					for come, c := range calls {
						row[min(s-done+come, room)] += f * c
					}
				}
			})}
		return p
	})
