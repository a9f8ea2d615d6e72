package instance

import "rcmdplab/core/model"

// machine is the model shared by the machine repair examples; the limit is the
// share of (discounted) time that the machine may be broken.
func machine(discount, limit float64) *model.Problem {
	p := draft("Machine repair", "Run or repair one machine: running it worn is cheap until it breaks, and a broken machine stops the line.",
		discount, []string{"good", "worn", "broken"}, []string{"run", "repair"},
		func(s, a int) bool { return s < 2 || a == 1 })
	p.Initial[0] = 1
	p.Objective = model.Cost{Name: "money", Values: table(p, func(s, a int) float64 {
		return [][]float64{{0, 2}, {0.2, 3}, {0, 3}}[s][a]
	})}
	p.Constraints = []model.Constraint{{
		Cost:  model.Cost{Name: "downtime", Average: true, Values: byState(p, 0, 0, 1)},
		Bound: limit,
	}}
	return p
}

func machineNominal(p *model.Problem) *model.Kernel {
	return listed(p, "nominal", [][][]float64{
		{{0.9, 0.1, 0}, {1, 0, 0}},
		{{0, 0.8, 0.2}, {0.95, 0.05, 0}},
		{nil, {0.8, 0, 0.2}},
	})
}

var machineParameters = []Parameter{
	{Name: "discount", Label: "Discount γ", Default: 0.95, Min: 0.5, Max: 0.99},
	{Name: "downtime", Label: "Largest share of time broken", Default: 0.1, Min: 0.01, Max: 0.5},
}

var machineRepair = example("machine-repair", "Machine repair",
	"Run or repair one machine, as cheaply as a limit on downtime allows, whichever of three wear models is true.",
	machineParameters,
	func(q map[string]float64) *model.Problem {
		p := machine(q["discount"], q["downtime"])
		p.Uncertainty = finite(
			machineNominal(p),
			listed(p, "harsh", [][][]float64{
				{{0.75, 0.25, 0}, {1, 0, 0}},
				{{0, 0.65, 0.35}, {0.95, 0.05, 0}},
				{nil, {0.8, 0, 0.2}},
			}),
			listed(p, "poor parts", [][][]float64{
				{{0.9, 0.1, 0}, {0.9, 0.1, 0}},
				{{0, 0.8, 0.2}, {0.7, 0.3, 0}},
				{nil, {0.5, 0.2, 0.3}},
			}),
		)
		return p
	})

var machineRepairL1 = example("machine-repair-l1", "Machine repair, any wear near the model",
	"The same machine when each row of the wear model may be off by a radius in the l1 norm.",
	append([]Parameter{{Name: "radius", Label: "l1 radius around each row", Default: 0.3, Min: 0, Max: 2}}, machineParameters...),
	func(q map[string]float64) *model.Problem {
		p := machine(q["discount"], q["downtime"])
		p.Name = "Machine repair, l1"
		p.Uncertainty = model.Uncertainty{Kind: model.L1, Nominal: machineNominal(p), Radius: []float64{q["radius"]}}
		return p
	})

var maintenanceRule = example("maintenance-rule", "A maintenance rule",
	"The same machine and wear models when the plan has to be a rule: one action in each state, with no dice.",
	machineParameters,
	func(q map[string]float64) *model.Problem {
		p := machineRepair.Make(q)
		p.Name, p.Deterministic = "A maintenance rule", true
		p.Description = "Run or repair one machine by a rule that fits on a card: one action in each state. A plan that tosses a coin may be cheaper; how much is beside the answer."
		return p
	})
