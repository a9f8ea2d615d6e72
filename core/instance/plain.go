package instance

import "rcmdplab/core/model"

// plainSide is the number of cells a side: 400 states, written down as entries.
const plainSide = 20

// plain is a square of cells to be crossed from the top left corner to the top
// right one: three in four moves succeed, the rest stay in place.
var plain = example("plain", "A plain of 400 cells",
	"Cross a large grid quickly with a limit on rough ground: sparse entries keep a model of 400 states small.",
	[]Parameter{{Name: "rough", Label: "Largest discounted number of steps on rough ground", Default: 4, Min: 0.5, Max: 20}},
	func(q map[string]float64) *model.Problem {
		goal := plainSide - 1
		to := func(s, a int) (int, bool) { return ahead(s, a, plainSide, plainSide) }
		p := draft("A plain of 400 cells", "Go from the top left to the top right corner, straight over rough ground or around it. A move may fail and leave you where you are, more often than measured by a radius.",
			0.98, cells("%d/%d", plainSide, plainSide), []string{"up", "right", "down", "left"}, func(s, a int) bool {
				_, inside := to(s, a)
				return s == goal && a == 2 || s != goal && inside
			})
		p.Source = "Made for this page."
		p.Initial[0] = 1
		p.Objective = model.Cost{Name: "steps", Values: while(p, func(s int) bool { return s != goal })}
		p.Constraints = []model.Constraint{{Cost: model.Cost{Name: "rough ground", Values: while(p, plainRough)}, Bound: q["rough"]}}
		l := p.Layout
		k := &model.Kernel{Sparse: true, Ptr: []int{0}}
		for i, s := range l.State {
			switch t, _ := to(s, l.Act[i]); {
			case s == goal:
				k.AddRow([]int{s}, []float64{1})
			case t < s:
				k.AddRow([]int{t, s}, []float64{0.75, 0.25})
			default:
				k.AddRow([]int{s, t}, []float64{0.25, 0.75})
			}
		}
		p.Uncertainty = model.Uncertainty{Kind: model.L1, Nominal: k, Radius: []float64{0.1}}
		return p
	})

// plainRough reports rough ground: ten columns between start and goal, down to
// row 12, so that the way around is longer by two dozen steps.
func plainRough(s int) bool {
	r, c := s/plainSide, s%plainSide
	return r < 12 && c >= 5 && c < 15
}
