package instance

import (
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/stat/distmv"

	"rcmdplab/core/evaluate"
	"rcmdplab/core/model"
)

// Family is a family of random problems, one for each seed: the environments
// of the paper's experiments and others of their kind. Transition rows are
// Dirichlet(Transition, ..., Transition), the initial distribution is
// Dirichlet(Initial, ..., Initial), and a cost is 0 with probability ZeroCost
// and 1 otherwise. (With 0.1 a transition row is concentrated on few states, a
// GARNET of branching factor about 1.)
//
// Thresholds admit a policy by construction, by the recipe of the authors'
// published code: b_n = J_{c_n,U} of GreedyAverage, here rounded up to three
// decimals.
type Family struct {
	Name, Description string

	States, Actions, Kernels, Constraints int // sizes

	Discount    float64 // γ
	Transition  float64 // concentration of the rows
	Initial     float64 // concentration of the initial distribution
	ZeroCost    float64 // probability that a one-step cost is 0
	Temperature float64 // > 0: one nominal kernel, kl-regularized; Kernels does not count
}

// paper is a family with the distributions of the paper's experiments.
func paper(name string, s, a, m, n int, gamma float64) Family {
	return Family{Name: name, States: s, Actions: a, Kernels: m, Constraints: n, Discount: gamma, Transition: 0.1, Initial: 0.5, ZeroCost: 0.1}
}

// FamilyA is setting (a) of the experiments (sec:experiment details): five
// kernels.
func FamilyA() Family { return paper("Setting (a)", 7, 4, 5, 5, 0.995) }

// FamilyB is setting (b), regularised with C'_KL = 2 and the evaluator that is
// a contraction. With costs 0 with probability 0.1, as the paper has it, nature
// makes every policy cost H on most seeds; the default here is 0.5.
func FamilyB() Family {
	f := paper("Setting (b)", 5, 3, 1, 5, 0.99)
	f.Temperature, f.ZeroCost = 2, 0.5
	return f
}

// FamilyC is setting (c): one kernel, a constrained MDP without uncertainty.
func FamilyC() Family { return paper("Setting (c)", 7, 4, 1, 5, 0.99) }

// FamilyReference is the size of the authors' older published experiment.
func FamilyReference() Family { return paper("Reference size", 15, 5, 5, 1, 0.99) }

// SettingA is the problem of setting (a) for a seed: five kernels.
func SettingA(seed uint64) *model.Problem { return FamilyA().Problem(seed) }

// SettingB is the problem of setting (b) for a seed: KL-regularised.
func SettingB(seed uint64) *model.Problem { return FamilyB().Problem(seed) }

// SettingC is the problem of setting (c) for a seed: one kernel.
func SettingC(seed uint64) *model.Problem { return FamilyC().Problem(seed) }

// Problem draws the problem of a seed.
func (f Family) Problem(seed uint64) *model.Problem {
	source := rand.NewPCG(seed, 0x9e3779b97f4a7c15) // any constant will do: the golden ratio's bits
	r := rand.New(source)
	p := draft(f.Name, f.Description, f.Discount, numbered("s%d", 1, f.States), numbered("a%d", 1, f.Actions), nil)
	p.Source = fmt.Sprintf("Drawn at random with seed %d.", seed)
	row := func(alpha float64) []float64 { return dirichlet(source, f.States, alpha) }
	draw := func(name string) *model.Kernel {
		var rows []float64
		for range f.States * f.Actions {
			rows = append(rows, row(f.Transition)...)
		}
		k := model.NewKernel(f.States, rows)
		k.Name = name
		return k
	}
	if f.Temperature > 0 {
		p.Uncertainty = model.Uncertainty{Kind: model.KLRegularized, Nominal: draw(""), Temperature: f.Temperature}
	} else {
		p.Uncertainty.Kind = model.Finite
		for m := range f.Kernels {
			p.Uncertainty.Kernels = append(p.Uncertainty.Kernels, draw(fmt.Sprintf("P%d", m+1)))
		}
	}
	cost := func(name string) model.Cost {
		return model.Cost{Name: name, Values: table(p, func(_, _ int) float64 {
			if r.Float64() < f.ZeroCost {
				return 0
			}
			return 1
		})}
	}
	p.Objective = cost("c0")
	for n := range f.Constraints {
		p.Constraints = append(p.Constraints, model.Constraint{Cost: cost(fmt.Sprintf("c%d", n+1))})
	}
	p.Initial = row(f.Initial)
	setThresholds(p)
	return p
}

// setThresholds makes GreedyAverage feasible with hardly any slack.
func setThresholds(p *model.Problem) {
	ev := evaluator(p.Standard())
	ev.Evaluate(GreedyAverage(p))
	for n := range p.Constraints {
		p.Constraints[n].Bound = math.Ceil((ev.J[n+1]+ev.ErrorBound[n+1])*1e3) / 1e3
	}
}

// GreedyAverage is the average of the deterministic policies that are best for
// one cost under one kernel (the nominal one of a set that is not finite), over
// all costs and kernels.
func GreedyAverage(p *model.Problem) []float64 {
	m := p.Standard()
	kernels := m.Models()
	sum := make([]float64, p.Layout.Pairs())
	for _, k := range kernels {
		ev := evaluator(m.Under(k))
		for n := range len(p.Constraints) + 1 {
			for i, x := range greedy(ev, n) {
				sum[i] += x
			}
		}
	}
	for i := range sum {
		sum[i] /= float64(len(kernels) * (len(p.Constraints) + 1))
	}
	return sum
}

func evaluator(m *model.Standard) *evaluate.Evaluator {
	ev, err := evaluate.New(m)
	if err != nil {
		panic("instance: " + err.Error())
	}
	return ev
}

// greedy is the policy that policy iteration finds for cost n under the one
// kernel of ev, from the first action of every state.
func greedy(ev *evaluate.Evaluator, n int) []float64 {
	l := ev.M.Layout
	choice := append([]int(nil), l.Off[:l.S]...)
	q := make([]float64, l.Pairs())
	for {
		pi := l.Deterministic(choice)
		ev.Evaluate(pi)
		ev.ActionValues(q, n)
		changed := false
		for s, now := range choice {
			for i := l.Off[s]; i < l.Off[s+1]; i++ {
				// A gain below the rounding of q could go round in circles.
				if q[i] < q[choice[s]]-1e-9*ev.M.H {
					choice[s] = i
				}
			}
			changed = changed || choice[s] != now
		}
		if !changed {
			return pi
		}
	}
}

// dirichlet draws n numbers from Dirichlet(alpha, ..., alpha).
func dirichlet(source rand.Source, n int, alpha float64) []float64 {
	parameters := make([]float64, n)
	for i := range parameters {
		parameters[i] = alpha
	}
	return distmv.NewDirichlet(parameters, source).Rand(nil)
}

var seed = Parameter{Name: "seed", Label: "Seed of the random numbers", Default: 1, Min: 0, Max: 999999, Integer: true}

// random is the example of a family.
func random(id, title, description string, f Family, more ...Parameter) Example {
	return example(id, title, description, append([]Parameter{seed}, more...), func(p map[string]float64) *model.Problem {
		g := f
		if z, ok := p["zeroCost"]; ok {
			g.ZeroCost = z
		}
		g.Description = description
		return g.Problem(uint64(p["seed"]))
	})
}

var (
	settingA = random("setting-a", "Random, five kernels",
		"Setting (a) of the paper's experiments: 7 states, 4 actions, 5 kernels, 5 constraints, drawn at random.", FamilyA())
	settingB = random("setting-b", "Random, KL-regularised",
		"Setting (b) of the paper's experiments: 5 states, 3 actions, 5 constraints, nature held back by relative entropy.", FamilyB(),
		Parameter{Name: "zeroCost", Label: "Probability that a cost is 0 (the paper's 0.1 leaves most seeds without a choice)", Default: 0.5, Min: 0.05, Max: 0.95})
	settingC = random("setting-c", "Random, one kernel",
		"Setting (c) of the paper's experiments: 7 states, 4 actions, 5 constraints and one kernel, a constrained MDP that a linear program solves.", FamilyC())
	reference = random("reference", "Random, larger",
		"The size of the authors' older experiment: 15 states, 5 actions, 5 kernels, one constraint, drawn at random.", FamilyReference())
)
