package instance

import "rcmdplab/core/model"

// ambulance cannot be had: in each season some policy keeps both limits, and
// none keeps them in both. Standing in the north a share x of the time, the
// north waits (1-x)·P(call there) and the south x·P(call there). It drives only
// when nobody calls, which is as likely in both seasons, so that x is the same
// in both: no policy can learn the season from the calls.
var ambulance = example("ambulance", "A promise nobody can keep",
	"One ambulance for two towns: either season's promise can be kept, both by one plan cannot, and there is a proof.",
	[]Parameter{{Name: "wait", Label: "Largest share of time a call waits, in each town", Default: 0.2, Min: 0.05, Max: 0.6}},
	func(q map[string]float64) *model.Problem {
		p := draft("A promise nobody can keep", "An ambulance stands in the north or in the south; a call from the other town waits, and only while nobody calls may it change its place. In summer the calls come from the north, in winter from the south.",
			0.95, []string{"north, no call", "north, call there", "north, call in the south", "south, no call", "south, call in the north", "south, call there"},
			[]string{"stay", "drive"}, func(s, a int) bool { return a == 0 || s%3 == 0 })
		p.Source = "Made for this page."
		p.Initial[0], p.Initial[3] = 0.5, 0.5
		p.Objective = model.Cost{Name: "driving", Average: true, Values: byAction(p, 0, 1)}
		waits := func(name string, in int) model.Constraint {
			return model.Constraint{Cost: model.Cost{Name: name, Average: true, Values: while(p, func(s int) bool { return s == in })}, Bound: q["wait"]}
		}
		p.Constraints = []model.Constraint{waits("north waits", 4), waits("south waits", 2)}
		season := func(name string, north, south float64) *model.Kernel {
			return kernel(p, name, func(row []float64, s, a int) {
				at := 3 * ((s/3 + a) % 2)
				row[at], row[at+1], row[at+2] = 1-north-south, north, south
			})
		}
		p.Uncertainty = finite(season("summer", 0.6, 0.2), season("winter", 0.2, 0.6))
		return p
	})
