package instance

import "rcmdplab/core/model"

var road = example("road-year", "A road over twelve months",
	"Keep a road good for a year on a budget, and hand it over in a fair state, whether the winter is mild or hard. Twelve decisions, then it is over.",
	[]Parameter{
		{Name: "budget", Label: "Budget for the whole year", Default: 3.5, Min: 0, Max: 20},
		{Name: "handover", Label: "What a broken road costs when it is handed over", Default: 12, Min: 0, Max: 50},
	},
	func(q map[string]float64) *model.Problem {
		const months, good, broken = 12, 0, 3
		p := draft("A road over twelve months", "Each month a road is left alone, patched or renewed. It wears, faster if the winter is hard; nobody knows which it will be, and it stays so all year. Bad roads bring complaints, twice as many from December to February. The budget is for the year, and in the end the road is handed over.",
			1, []string{"good", "fair", "poor", "broken"}, []string{"leave", "patch", "renew"}, nil)
		p.Horizon = months
		p.Initial[good] = 1
		p.Objective = model.Cost{Name: "complaints", Final: []float64{0, q["handover"] / 6, q["handover"] / 2, q["handover"]}}
		for t := range months {
			season := 1.0 // the first month is July
			if t >= 5 && t <= 7 {
				season = 2
			}
			p.Objective.Steps = append(p.Objective.Steps, model.Cost{Values: table(p, func(s, _ int) float64 { return season * []float64{0, 1, 3, 6}[s] })})
		}
		p.Constraints = []model.Constraint{{
			Cost:  model.Cost{Name: "budget", Values: byAction(p, 0, 1, 4)},
			Bound: q["budget"],
		}}
		wear := func(name string, worse float64) *model.Kernel {
			return kernel(p, name, func(row []float64, s, a int) {
				from := []int{s, max(s-1, good), good}[a] // after the work, before the wear of the month
				row[min(from+1, broken)] += worse
				row[from] += 1 - worse
			})
		}
		p.Uncertainty = finite(wear("mild winter", 0.25), wear("hard winter", 0.45))
		return p
	})
