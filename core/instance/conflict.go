package instance

import "rcmdplab/core/model"

// GradientConflict is the RCMDP of fig:non-grad-CMDP: two deterministic kernels
// under which the objective and the constraint pull the policy to opposite
// actions. With π_1 and π_2 the policies that always take a1 and a2, and
// H = 1/(1-γ), eq:pi2-returns gives
//
//	J_{c0,U}(π_1) = H/2 + H(γ+δ)/4,  J_{c1,U}(π_1) = H(3+γ)/4,
//	J_{c0,U}(π_2) = H(3+γ)/4,        J_{c1,U}(π_2) = H/2 + H(γ-δ)/2.
//
// μ is uniform; bound is b_1.
func GradientConflict(gamma, delta, bound float64) *model.Problem {
	p := draft("Gradient conflict", "Two kernels and two costs that pull the policy to opposite actions: "+
		"the worst kernels of the objective and of the constraint differ, and where their gradients cancel a Lagrangian method gets stuck.",
		gamma, []string{"s1", "s2", "s3", "s4"}, []string{"a1", "a2"}, nil)
	p.Source = "The example behind the paper's theorem on gradient dominance (fig:non-grad-CMDP)."
	copy(p.Initial, []float64{0.25, 0.25, 0.25, 0.25})
	p.Objective = model.Cost{Name: "c0", Values: []float64{delta, 1, 1, 1, 1, 1, 0, 0}}
	p.Constraints = []model.Constraint{{
		Cost:  model.Cost{Name: "c1", Values: []float64{1, round(gamma-delta, 1e12), 1, round(1-delta, 1e12), 0, 0, 1, 1}},
		Bound: bound,
	}}
	// Where a1 and a2 lead in s1, s2; s3 and s4 lead to one of the two for good.
	next := func(name string, fromS2, end int) *model.Kernel {
		return kernel(p, name, func(row []float64, s, a int) {
			switch {
			case s >= 2:
				row[end] = 1
			case s == 0:
				row[1-a] = 1 // a1 to s2, a2 stays
			case a == 0:
				row[fromS2] = 1
			default:
				row[1] = 1
			}
		})
	}
	p.Uncertainty = finite(next("P1", 0, 2), next("P2", 1, 3))
	return p
}

// conflictBound is the threshold at the given share of the way from what π_2
// attains to what π_1 attains, so that π_2 meets it.
func conflictBound(gamma, delta, share float64) float64 {
	h := 1 / (1 - gamma)
	low, high := h/2+h*(gamma-delta)/2, h*(3+gamma)/4
	return round(low+share*(high-low), 1e9)
}

var conflictShare = Parameter{Name: "slack", Label: "Threshold: 0 is what always a2 attains, 1 what always a1 attains", Min: 0.01, Max: 1}

func withDefault(p Parameter, x float64) Parameter {
	p.Default = x
	return p
}

var gradientConflict = example("gradient-conflict", "Gradient conflict",
	"Four states and two kernels on which the gradients of objective and constraint cancel, so that a Lagrangian method gets stuck.",
	[]Parameter{
		{Name: "discount", Label: "Discount γ", Default: 0.4, Min: 0.01, Max: 0.95},
		{Name: "delta", Label: "δ, how much cheaper the tempting action is", Default: 0.09, Min: 0, Max: 0.25},
		withDefault(conflictShare, 1./3),
	},
	func(p map[string]float64) *model.Problem {
		return GradientConflict(p["discount"], p["delta"], conflictBound(p["discount"], p["delta"], p["slack"]))
	})

var epigraph = example("gradient-conflict-epigraph", "Gradient conflict, epigraph",
	"The same four states with δ = 0 and a short horizon, small enough to draw the whole landscape of the epigraph form.",
	[]Parameter{
		{Name: "discount", Label: "Discount γ", Default: 0.1, Min: 0.01, Max: 0.9},
		withDefault(conflictShare, 2./9), // b_1 = 2/3 at the default discount
	},
	func(p map[string]float64) *model.Problem {
		q := GradientConflict(p["discount"], 0, conflictBound(p["discount"], 0, p["slack"]))
		q.Name = "Gradient conflict, epigraph"
		return q
	})
