package instance

import "rcmdplab/core/model"

var sideEffects = Parameter{Name: "effects", Label: "Largest average side effects", Default: 0.1, Min: 0.02, Max: 0.5}

var clinic = example("clinic", "When to start a medicine",
	"Start one drug, start two or wait, when three risk models disagree and the limit on side effects must hold in each of them.",
	[]Parameter{sideEffects}, clinicModel)

// clinicAverage weighs the models: how good a plan is counts on average, its limit in the worst of them, and it is a rule.
var clinicAverage = example("clinic-average", "A rule for the average patient",
	"The same medicine when the models have weights: healthy years count on average over them, side effects in the tail, and the plan is one action in each state.",
	[]Parameter{sideEffects, {Name: "tail", Label: "Share of the models in the tail", Default: 0.4, Min: 0.05, Max: 1}},
	func(q map[string]float64) *model.Problem {
		p := clinicModel(q)
		p.Name = "A rule for the average patient"
		p.Description = "One plan for three models of one disease, as in the literature on multi-model decision processes: the mean over the models by how far each is trusted, a limit on the mean over the worst of them, and one action in each state, so that it fits on a card."
		p.Uncertainty.Weights = []float64{0.5, 0.3, 0.2}
		p.Objective.Over, p.Constraints[0].Over, p.Deterministic = 1, q["tail"], true
		return p
	})

func clinicModel(q map[string]float64) *model.Problem {
	p := draft("When to start a medicine", "Years of a patient's life between low and high risk of a heart event. Each model puts other numbers on the same clinic; one treatment plan has to serve whichever is right.",
		0.97, []string{"low risk", "raised risk", "high risk", "after an event", "dead"}, []string{"wait", "one drug", "two drugs"},
		func(s, a int) bool { return s != 4 || a == 0 })
	p.Source = "The form, one plan for several models of one disease, follows Steimle, Kaufman and Denton, Multi-model Markov decision processes, 2021. The numbers are made up for this page and are no medical advice."
	p.Initial[0], p.Initial[1] = 0.6, 0.4
	p.Maximize = true
	p.Objective = model.Cost{Name: "healthy years", Values: byState(p, 1, 1, 0.95, 0.7, 0)}
	p.Constraints = []model.Constraint{{
		Cost:  model.Cost{Name: "side effects", Average: true, Values: byAction(p, 0, 0.2, 0.6)},
		Bound: q["effects"],
	}}
	// Yearly: from low to raised, from raised to high, the risk of an event in
	// each of the first three states, what a drug leaves of it.
	risk := func(name string, rise, climb, low, raised, high, leaves float64) *model.Kernel {
		return kernel(p, name, func(row []float64, s, a int) {
			kept := []float64{1, leaves, leaves * leaves}[a]
			switch s {
			case 0, 1:
				up, event := []float64{rise, climb}[s], []float64{low, raised}[s]*kept
				row[s+1], row[3], row[4] = up*kept, event*0.8, event*0.2
				row[s] = 1 - up*kept - event
			case 2:
				event := high * kept
				row[2], row[3], row[4] = 1-event, event*0.7, event*0.3
			case 3:
				row[4] = 0.12 * kept
				row[3] = 1 - row[4]
			default:
				row[4] = 1
			}
		})
	}
	p.Uncertainty = finite(
		risk("cohort A", 0.10, 0.10, 0.01, 0.04, 0.10, 0.75),
		risk("cohort B", 0.06, 0.14, 0.005, 0.03, 0.16, 0.85),
		risk("registry", 0.14, 0.08, 0.015, 0.05, 0.08, 0.65),
	)
	return p
}
