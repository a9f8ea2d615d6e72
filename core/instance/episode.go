package instance

import "rcmdplab/core/model"

// episode makes a draft one of episodes: nothing is discounted, and each ends in one of the given states.
func episode(p *model.Problem, ends ...int) *model.Problem {
	p.Discount, p.End = 1, make([]bool, len(p.States))
	for _, s := range ends {
		p.End[s] = true
	}
	p.Initial[0] = 1
	return p
}

// counted is a cost of 1 at one end, whose total is the probability that an episode ends there.
func counted(p *model.Problem, name string, end int) model.Cost {
	return model.Cost{Name: name, Values: while(p, func(s int) bool { return s == end })}
}

// perStep is a cost of 1 for each step before the end, whose total is the length of an episode.
func perStep(p *model.Problem, name string) model.Cost {
	return model.Cost{Name: name, Values: while(p, func(s int) bool { return !p.End[s] })}
}

var unfairDie = example("die", "A die from an unfair coin",
	"Throw a die by flipping a coin that may be unfair: few flips, and a six often enough whichever way the coin leans. No discount: every throw ends.",
	[]Parameter{
		{Name: "lean", Label: "How far heads may be from a half", Default: 0.1, Min: 0, Max: 0.4},
		{Name: "six", Label: "Smallest probability of a six", Default: 0.16, Min: 0, Max: 0.3},
	},
	func(q map[string]float64) *model.Problem {
		const flips = 7 // states before an end, which are the six faces
		states := append(numbered("flip %d", 0, flips), numbered("face %d", 1, 6)...)
		p := episode(draft("A die from an unfair coin", "Knuth and Yao's die: a coin is flipped, three times or more, until a face is thrown. It may be unfair, and nobody knows which way. Before each flip the plan may turn the coin over; a coin that is turned over by chance is fair.",
			1, states, []string{"as it is", "turned over"}, func(s, a int) bool { return s < flips || a == 0 }), 7, 8, 9, 10, 11, 12)
		p.Source = "Knuth and Yao, The complexity of nonuniform random number generation, 1976; the coin's two sides of doubt are ours."
		p.Objective = perStep(p, "flips")
		p.Constraints = []model.Constraint{{Cost: counted(p, "a six", 12), AtLeast: true, Bound: q["six"]}}
		heads := []int{1, 3, 5, 1, 8, 10, 2}  // where heads leads
		tails := []int{2, 4, 6, 7, 9, 11, 12} // and tails
		coin := func(name string, h float64) *model.Kernel {
			return kernel(p, name, func(row []float64, s, a int) {
				if s >= flips {
					row[s] = 1
					return
				}
				h := []float64{h, 1 - h}[a]
				row[heads[s]], row[tails[s]] = h, 1-h
			})
		}
		p.Uncertainty = finite(coin("fair", 0.5), coin("leans to heads", 0.5+q["lean"]), coin("leans to tails", 0.5-q["lean"]))
		return p
	})

var trapGrid = example("grid-trap", "Grid with a trap",
	"To the goal in few steps, with a limit on the probability of falling into the trap beside the way. No discount: every walk ends.",
	[]Parameter{
		{Name: "slip", Label: "Largest probability of slipping aside", Default: 0.2, Min: 0.02, Max: 0.4},
		{Name: "falling", Label: "Largest probability of falling", Default: 0.05, Min: 0, Max: 0.5},
	},
	func(q map[string]float64) *model.Problem {
		const rows, columns, goal, trap = 3, 4, 3, 7
		states := cells("row %d, column %d", rows, columns)
		states[goal], states[trap] = "goal", "trap"
		p := episode(draft("Grid with a trap", "A walk from the lower left corner to the goal, past a trap. Nobody knows how slippery the ground is. A cost of 1 that is paid in the trap alone is the probability of falling into it.",
			1, states, []string{"up", "right", "down", "left"}, func(s, a int) bool { return s != goal && s != trap || a == 0 }), goal, trap)
		p.Initial[0], p.Initial[(rows-1)*columns] = 0, 1
		p.Objective = perStep(p, "steps")
		p.Constraints = []model.Constraint{{Cost: counted(p, "falling", trap), Bound: q["falling"]}}
		step := func(s, a int) int { // against a wall one stays
			if to, inside := ahead(s, a, rows, columns); inside {
				return to
			}
			return s
		}
		ground := func(name string, slip float64) *model.Kernel {
			k := kernel(p, name, func(row []float64, s, a int) {
				if p.End[s] {
					row[s] = 1
					return
				}
				row[step(s, a)] += 1 - slip
				row[step(s, (a+1)%4)] += slip / 2
				row[step(s, (a+3)%4)] += slip / 2
			})
			k.Sparse, k.Named = true, true
			return k
		}
		p.Uncertainty = finite(ground("dry", q["slip"]/4), ground("wet", q["slip"]))
		return p
	})
