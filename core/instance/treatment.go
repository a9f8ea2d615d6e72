package instance

import "rcmdplab/core/model"

var treatment = example("treatment", "Treatment plan",
	"Keep a patient's burden of illness low within a limit on side effects, when studies give only intervals for how well each treatment works.",
	[]Parameter{
		{Name: "width", Label: "Half-width of each interval", Default: 0.05, Min: 0, Max: 0.3},
		{Name: "effects", Label: "Largest average side effects", Default: 0.25, Min: 0.05, Max: 1},
	},
	func(q map[string]float64) *model.Problem {
		p := draft("Treatment plan", "Watch, give tablets or give infusions as an illness comes and goes; what works better is harder to bear.",
			0.95, []string{"well", "mild", "severe", "in hospital"}, []string{"watch", "tablets", "infusion"},
			func(s, a int) bool { return (s != 0 || a < 2) && (s != 3 || a == 2) })
		copy(p.Initial, []float64{0, 1, 0, 0})
		p.Objective = model.Cost{Name: "burden", Values: byState(p, 0, 1, 3, 6)}
		p.Constraints = []model.Constraint{{
			Cost:  model.Cost{Name: "side effects", Average: true, Values: byAction(p, 0, 0.3, 1)},
			Bound: q["effects"],
		}}
		rows := [][][]float64{
			{{0.85, 0.12, 0.03, 0}, {0.93, 0.05, 0.02, 0}, nil},
			{{0.2, 0.5, 0.25, 0.05}, {0.45, 0.4, 0.12, 0.03}, {0.6, 0.3, 0.08, 0.02}},
			{{0.02, 0.18, 0.5, 0.3}, {0.1, 0.3, 0.45, 0.15}, {0.3, 0.4, 0.2, 0.1}},
			{nil, nil, {0.1, 0.3, 0.3, 0.3}},
		}
		shifted := func(by float64) *model.Kernel {
			return kernel(p, "", func(row []float64, s, a int) {
				for t, x := range rows[s][a] {
					if x > 0 { // what no study has seen stays impossible
						row[t] = min(1, max(0, x+by))
					}
				}
			})
		}
		p.Uncertainty = model.Uncertainty{Kind: model.Interval, Lower: shifted(-q["width"]), Upper: shifted(q["width"])}
		return p
	})
