package instance

import "rcmdplab/core/model"

// LocalMinimum has two kernels and a policy that is a strict local minimum of
// the worst-case return and far from the best: policies near "bail in both
// gates" are all worse than it, while "go in both gates" costs a fraction. It
// refutes that a stationary point of a finite uncertainty set is optimal; loss
// is the cost of having bailed once.
//
// Kernel 1 leads from the start to the left gate, from there on to the right
// one; kernel 2 has the roles of the gates swapped. With p, q the probabilities
// of going in the left and the right gate, γ = 0.9 and loss = 0.7,
// J(0,0) = 5.749 and J(1,1) = 0.340.
func LocalMinimum(gamma, loss float64) *model.Problem {
	p := draft("Local minimum", "Two gates whose order nature picks. Going through both is cheap, but going a little more often through one of them alone is punished under one kernel or the other, "+
		"so that bailing out at both is a strict local minimum.",
		gamma, []string{"start", "left gate", "right gate", "through", "loss", "disaster"}, []string{"go", "bail"}, nil)
	copy(p.Initial, []float64{0.9, 0.02, 0.02, 0.02, 0.02, 0.02})
	p.Objective = model.Cost{Name: "cost", Values: byState(p, 0, 0, 0, 0, loss, 1)}
	order := func(name string, first, second int) *model.Kernel {
		return kernel(p, name, func(row []float64, s, a int) {
			switch {
			case s == 0:
				row[first] = 1
			case s == first:
				row[[]int{second, 4}[a]] = 1
			case s == second:
				row[[]int{3, 5}[a]] = 1
			default:
				row[s] = 1
			}
		})
	}
	p.Uncertainty = finite(order("left first", 1, 2), order("right first", 2, 1))
	return p
}

var localMinimum = example("local-minimum", "A strict local minimum",
	"Two gates in an order that nature picks: a descent method that starts careful stays there, at many times the least cost.",
	[]Parameter{
		{Name: "discount", Label: "Discount γ", Default: 0.9, Min: 0.5, Max: 0.95},
		{Name: "loss", Label: "Cost per step after bailing out at the first gate", Default: 0.7, Min: 0.1, Max: 0.9},
	},
	func(p map[string]float64) *model.Problem { return LocalMinimum(p["discount"], p["loss"]) })
