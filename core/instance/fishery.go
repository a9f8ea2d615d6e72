package instance

import "rcmdplab/core/model"

var fishery = example("fishery", "Fishery",
	"Catch as much as possible over the years while the stock may be collapsed for a small share of the time only, in normal and in warm years.",
	[]Parameter{
		{Name: "discount", Label: "Discount γ", Default: 0.95, Min: 0.5, Max: 0.99},
		{Name: "collapse", Label: "Largest share of time collapsed", Default: 0.05, Min: 0.01, Max: 0.5},
	},
	func(q map[string]float64) *model.Problem {
		p := draft("Fishery", "Rest, catch little or catch much: a stock that is fished down may collapse, and then it must be left to recover.",
			q["discount"], []string{"collapsed", "scarce", "fair", "plenty"}, []string{"rest", "catch little", "catch much"},
			func(s, a int) bool { return s > 0 || a == 0 })
		p.Initial[3] = 1
		p.Maximize = true
		p.Objective = model.Cost{Name: "catch", Values: table(p, func(s, a int) float64 {
			return [][]float64{{0, 0, 0}, {0, 1, 1.5}, {0, 2, 3}, {0, 2, 4}}[s][a]
		})}
		p.Constraints = []model.Constraint{{
			Cost:  model.Cost{Name: "collapse", Average: true, Values: byState(p, 1, 0, 0, 0)},
			Bound: q["collapse"],
		}}
		p.Uncertainty = finite(
			listed(p, "normal years", [][][]float64{
				{{0.6, 0.4, 0, 0}, nil, nil},
				{{0.02, 0.28, 0.7, 0}, {0.1, 0.5, 0.4, 0}, {0.5, 0.4, 0.1, 0}},
				{{0, 0.05, 0.35, 0.6}, {0.01, 0.19, 0.6, 0.2}, {0.1, 0.5, 0.4, 0}},
				{{0, 0, 0.1, 0.9}, {0, 0.05, 0.25, 0.7}, {0.02, 0.18, 0.5, 0.3}},
			}),
			listed(p, "warm years", [][][]float64{
				{{0.75, 0.25, 0, 0}, nil, nil},
				{{0.05, 0.45, 0.5, 0}, {0.2, 0.55, 0.25, 0}, {0.6, 0.35, 0.05, 0}},
				{{0, 0.1, 0.5, 0.4}, {0.03, 0.27, 0.6, 0.1}, {0.15, 0.55, 0.3, 0}},
				{{0, 0.02, 0.18, 0.8}, {0, 0.1, 0.4, 0.5}, {0.02, 0.28, 0.5, 0.2}},
			}),
		)
		return p
	})
