package instance

import (
	"fmt"
	"math"

	"rcmdplab/core/model"
)

// leadTime is an inventory whose orders arrive a day late: a state is what is on
// the shelf and what is on its way. The demand is known from counts of days.
var leadTime = example("inventory-lead-time", "Inventory that arrives a day late",
	"Order now what arrives tomorrow, with demand known only from the days that were counted: fewer days, a wider set, more stock.",
	[]Parameter{
		{Name: "days", Label: "Days counted", Default: 400, Min: 20, Max: 100000, Integer: true},
		{Name: "lost", Label: "Largest average of customers lost a day", Default: 0.3, Min: 0.1, Max: 1},
	},
	func(q map[string]float64) *model.Problem {
		const shelf, order = 3, 2
		share := []float64{0.3, 0.4, 0.2, 0.1} // of the days, by customers
		var states []string
		for h := range shelf + 1 {
			for o := range order + 1 {
				states = append(states, fmt.Sprintf("%d held, %d coming", h, o))
			}
		}
		held := func(s int) (hold, coming int) { return s / (order + 1), s % (order + 1) }
		p := draft("Inventory that arrives a day late", "An order of today is sold from tomorrow on. Demand is taken from counted days, and each row of the model may be off as far as so many days leave open.",
			0.95, states, []string{"order none", "order 1", "order 2"}, nil)
		p.Source = "Lost sales with a lead time of one day; the radius is that of Weissman et al., Inequalities for the l1 deviation of the empirical distribution, 2003, at 95% for one row of four outcomes. Counts and prices are this page's."
		p.Initial[2*(order+1)] = 1
		p.Objective = model.Cost{Name: "money", Average: true, Values: table(p, func(s, a int) float64 {
			hold, _ := held(s)
			return round(0.2*float64(hold)+float64(a), 1e9)
		})}
		p.Constraints = []model.Constraint{{
			Cost: model.Cost{Name: "lost customers", Average: true, Values: table(p, func(s, _ int) float64 {
				hold, _ := held(s)
				lost := 0.0
				for d, x := range share {
					lost += x * float64(max(d-hold, 0))
				}
				return round(lost, 1e9)
			})},
			Bound: q["lost"],
		}}
		radius := min(2, math.Sqrt(2/q["days"]*math.Log((math.Exp2(float64(len(share)))-2)/0.05)))
		p.Uncertainty = model.Uncertainty{Kind: model.L1, Radius: []float64{round(radius, 1e6)},
			Nominal: kernel(p, "", func(row []float64, s, a int) {
				hold, coming := held(s)
				for d, x := range share {
					row[min(max(hold-d, 0)+coming, shelf)*(order+1)+a] += x
				}
			})}
		return p
	})
