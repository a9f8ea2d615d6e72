package instance

import "rcmdplab/core/model"

// grid is a square of cells: start in the top left corner, goal in the top
// right one, danger in between except in the bottom row, so that the short way
// is dangerous and the way around is long. Walls are moves that are not
// available; at the goal one stays.
func grid(size int, slip, limit float64) *model.Problem {
	const up, right, down, left, stay = 0, 1, 2, 3, 4
	states := cells("row %d, column %d", size, size)
	goal := size - 1
	states[0], states[goal] = "start", "goal"
	p := draft("Grid with a danger zone", "Walk around the danger zone or through it, while slipping or the wind moves you off your way.",
		0.95, states, []string{"up", "right", "down", "left", "stay"}, func(s, a int) bool {
			if s == goal || a == stay {
				return s == goal && a == stay
			}
			_, inside := ahead(s, a, size, size)
			return inside
		})
	p.Initial[0] = 1
	p.Objective = model.Cost{Name: "steps", Values: while(p, func(s int) bool { return s != goal })}
	p.Constraints = []model.Constraint{{
		Cost:  model.Cost{Name: "danger", Values: while(p, func(s int) bool { return s%size > 0 && s%size < size-1 && s/size < size-1 })},
		Bound: limit,
	}}
	// With probability slip the move goes one of the given ways instead, or
	// nowhere if a wall is there.
	weather := func(name string, ways func(a int) []int) *model.Kernel {
		k := kernel(p, name, func(row []float64, s, a int) {
			if s == goal {
				row[s] = 1
				return
			}
			next, _ := ahead(s, a, size, size)
			row[next] += 1 - slip
			to := ways(a)
			for _, w := range to {
				t, inside := ahead(s, w, size, size)
				if !inside {
					t = s
				}
				row[t] += slip / float64(len(to))
			}
		})
		k.Sparse, k.Named = true, true
		return k
	}
	p.Uncertainty = finite(
		weather("slippery", func(a int) []int { return []int{(a + 1) % 4, (a + 3) % 4} }),
		weather("wind upwards", func(int) []int { return []int{up} }),
		weather("wind downwards", func(int) []int { return []int{down} }),
	)
	return p
}

var gridWalk = example("grid", "Grid with a danger zone",
	"Cross a grid in few steps with a limit on the time spent in danger, whichever way the ground or the wind carries you.",
	[]Parameter{
		{Name: "size", Label: "Cells a side", Default: 4, Min: 3, Max: 5, Integer: true},
		{Name: "slip", Label: "Probability of being moved off the way", Default: 0.15, Min: 0, Max: 0.5},
		{Name: "danger", Label: "Largest discounted number of steps in danger", Default: 0.6, Min: 0.05, Max: 5},
	},
	func(p map[string]float64) *model.Problem { return grid(int(p["size"]), p["slip"], p["danger"]) })
