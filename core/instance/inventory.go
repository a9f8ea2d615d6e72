package instance

import "rcmdplab/core/model"

// shelf is the model shared by the inventory examples: a shelf for four items,
// orders of at most two that arrive at once, demand of at most two a day. The
// service is the share of days that close with something left, so it depends
// on the next state.
func shelf(service float64) *model.Problem {
	const capacity = 4
	states := append([]string{"empty"}, numbered("%d left", 1, capacity)...)
	p := draft("Inventory", "Order each evening for the next day: stock costs money, and a shelf that is empty at closing time costs customers.",
		0.95, states, []string{"order none", "order 1", "order 2"}, func(s, a int) bool { return s+a <= capacity })
	copy(p.Initial, []float64{0, 0, 1, 0, 0})
	p.Objective = model.Cost{Name: "money", Average: true, Values: table(p, func(s, a int) float64 {
		order := []float64{0, 1.5, 2}[a] // the second item of a delivery is cheap
		return round(order+0.2*float64(s+a), 1e9)
	})}
	next := make([]float64, p.Layout.S*p.Layout.A*p.Layout.S)
	for i := range next {
		if i%p.Layout.S > 0 {
			next[i] = 1
		}
	}
	p.Constraints = []model.Constraint{{
		Cost: model.Cost{Name: "service", Next: next, Average: true}, Bound: service, AtLeast: true,
	}}
	return p
}

// demand is the kernel in which d items are asked for with probability of[d].
func demand(p *model.Problem, name string, of ...float64) *model.Kernel {
	return kernel(p, name, func(row []float64, s, a int) {
		for d, q := range of {
			row[max(s+a-d, 0)] += q
		}
	})
}

var serviceLevel = Parameter{Name: "service", Label: "Least share of days that close with stock", Default: 0.8, Min: 0.5, Max: 0.99}

var inventory = example("inventory", "Inventory with a service level",
	"Order stock as cheaply as possible while at least a given share of days closes with something left, in a quiet, a steady and a busy season.",
	[]Parameter{serviceLevel},
	func(q map[string]float64) *model.Problem {
		p := shelf(q["service"])
		p.Uncertainty = finite(demand(p, "steady", 0.2, 0.5, 0.3), demand(p, "quiet", 0.5, 0.4, 0.1), demand(p, "busy", 0.1, 0.3, 0.6))
		return p
	})

var inventoryKL = example("inventory-kl", "Inventory, demand known roughly",
	"The same shelf when the distribution of demand may differ from the steady one by a radius in relative entropy.",
	[]Parameter{{Name: "radius", Label: "KL radius around each row", Default: 0.1, Min: 0, Max: 1}, serviceLevel},
	func(q map[string]float64) *model.Problem {
		p := shelf(q["service"])
		p.Name = "Inventory, KL"
		p.Uncertainty = model.Uncertainty{Kind: model.KL, Nominal: demand(p, "steady", 0.2, 0.5, 0.3), Radius: []float64{q["radius"]}}
		return p
	})
