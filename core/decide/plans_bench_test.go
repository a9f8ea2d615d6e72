package decide_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"testing"

	"rcmdplab/core/evaluate"
	"rcmdplab/core/model"
)

// BenchmarkAverages tells what is open after some seconds, in percent of the policy's value, of the worst of twenty models of 5
// states, 3 to 5 actions and as many models, over which costs are averaged. Natively only, and once however often it is asked for.
func BenchmarkAverages(b *testing.B) {
	if runtime.GOOS == "js" {
		b.Skip("what it says of the method it says natively")
	}
	worst, seed := nothingOpen, uint64(0)
	for b.Loop() {
		for ; seed < 20; seed++ {
			if open := openAfter(b, averagedModel(b, seed%10, seed >= 10)); open > worst { // none of an objective of 0 that is proved
				worst = open
			}
		}
	}
	b.ReportMetric(worst, fmt.Sprintf("percent/%ds", gapSeconds))
}

// averagedModel draws one: with dense rows and costs of any size, or with few successors, costs of 0 and of 10, and rows that models
// have in common. Limits lie between the least of some policies and what the uniform one comes to.
func averagedModel(t testing.TB, seed uint64, sparse bool) *model.Problem {
	const states = 5
	r := rand.New(rand.NewPCG(seed, 77))
	actions, models := 3+r.IntN(3), 3+r.IntN(3)
	p := &model.Problem{Layout: model.NewLayout(states, actions, nil), Discount: []float64{.9, .95}[r.IntN(2)], Initial: make([]float64, states)}
	for s := range states {
		p.Initial[s] = 1. / states
		p.States = append(p.States, fmt.Sprint("s", s))
	}
	for a := range actions {
		p.Actions = append(p.Actions, fmt.Sprint("a", a))
	}
	pairs := p.Layout.Pairs()
	p.Uncertainty.Kind = model.Finite
	var first []float64
	for k := range models {
		rows := make([]float64, pairs*states)
		for i := range pairs {
			row, sum := rows[i*states:(i+1)*states], 0.0
			switch {
			case sparse && k > 0 && r.IntN(3) == 0:
				copy(row, first[i*states:])
			case sparse:
				for _, q := range [][]float64{{1}, {.5, .5}, {.75, .25}, {.9, .1}}[r.IntN(4)] {
					row[r.IntN(states)] += q
				}
			default:
				for s := range row {
					row[s] = r.ExpFloat64()
					sum += row[s]
				}
				for s := range row {
					row[s] /= sum
				}
			}
		}
		if k == 0 {
			first = rows
		}
		p.Uncertainty.Kernels = append(p.Uncertainty.Kernels, model.NewKernel(states, rows))
		p.Uncertainty.Kernels[k].Name = fmt.Sprint("k", k)
	}
	cost := func(name string) (c model.Cost) {
		c.Name = name
		for range pairs {
			if sparse {
				c.Values = append(c.Values, []float64{0, 0, 1, 2, 10}[r.IntN(5)])
			} else {
				c.Values = append(c.Values, math.Round(1e3*r.Float64())/1e3)
			}
		}
		return c
	}
	over := []float64{1, .3, .5, 0}
	p.Objective = cost("o")
	p.Objective.Over = over[r.IntN(3)]
	for n := range 1 + r.IntN(2) {
		c := cost(fmt.Sprint("c", n))
		c.Over = over[r.IntN(4)]
		p.Constraints = append(p.Constraints, model.Constraint{Cost: c})
	}
	m := p.Standard()
	ev, err := evaluate.New(m)
	if err != nil {
		t.Fatal(err)
	}
	least := []float64{math.Inf(1), math.Inf(1), math.Inf(1)}
	for range 400 {
		pi := m.Uniform()
		for s := range states {
			row, sum := pi[m.Off[s]:m.Off[s+1]], 0.0
			for i := range row {
				row[i] = math.Pow(r.Float64(), 8)
				sum += row[i]
			}
			for i := range row {
				row[i] /= sum
			}
		}
		ev.Evaluate(pi)
		for n := range p.Constraints {
			least[n] = min(least[n], ev.J[n+1])
		}
	}
	ev.Evaluate(m.Uniform())
	for n := range p.Constraints {
		p.Constraints[n].Bound = math.Round(1e4*(.6*least[n]+.4*ev.J[n+1])) / 1e4
	}
	return p
}
