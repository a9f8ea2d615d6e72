package instance

import "rcmdplab/core/model"

var riverSwim = example("river-swim", "River swim",
	"Float down to a small reward or swim up against the current to a large one, when each row of the model may be off by a radius in the l1 norm.",
	[]Parameter{
		{Name: "radius", Label: "l1 radius around each row", Default: 0.4, Min: 0, Max: 2},
		{Name: "support", Label: "Jumps never seen may happen", Default: 0, Min: 0, Max: 1, Integer: true},
	},
	func(q map[string]float64) *model.Problem {
		const last = 5
		p := draft("River swim", "Six places along a river. Floating down always works; a stroke against the current mostly keeps the swimmer in place. What nature may do decides whether swimming is worth it: "+
			"only the moves seen before, or a jump to anywhere.",
			0.95, []string{"mouth", "place 2", "place 3", "place 4", "place 5", "source"}, []string{"float", "swim"}, nil)
		p.Source = "Chain, probabilities and rewards of RiverSwim: Strehl and Littman, An analysis of model-based interval estimation for Markov decision processes, 2008. The discount and the radius are this page's."
		p.Initial[1], p.Initial[2] = 0.5, 0.5
		p.Maximize = true
		p.Objective = model.Cost{Name: "reward", Values: table(p, func(s, a int) float64 {
			switch {
			case s == 0 && a == 0:
				return 5
			case s == last && a == 1:
				return 10000
			}
			return 0
		})}
		p.Uncertainty = model.Uncertainty{Kind: model.L1, Radius: []float64{q["radius"]}, SupportAll: q["support"] == 1,
			Nominal: kernel(p, "", func(row []float64, s, a int) {
				switch {
				case a == 0:
					row[max(s-1, 0)] = 1
				case s == 0:
					row[0], row[1] = 0.7, 0.3
				case s == last:
					row[last-1], row[last] = 0.3, 0.7
				default:
					row[s-1], row[s], row[s+1] = 0.1, 0.6, 0.3
				}
			})}
		return p
	})
