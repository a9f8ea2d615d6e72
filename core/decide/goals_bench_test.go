package decide_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"testing"

	"rcmdplab/core/decide"
	"rcmdplab/core/evaluate"
	"rcmdplab/core/instance"
	"rcmdplab/core/internal/fixture"
	"rcmdplab/core/model"
)

// BenchmarkGoal times whole solves whose time in wasm next to the native one has a goal, each as
// often as to take a second or so: a page's solver is seldom asked once.
func BenchmarkGoal(b *testing.B) {
	gap := decide.Method.Defaults().Gap
	for _, goal := range []struct {
		name string
		runs int
		p    *model.Problem
	}{
		{"machine-repair", 3000, fixture.Problem(b, "machine_repair")},
		{"l1/S=10000", 8, fixture.Walk(100, model.L1, false)},
		{"kl+limit/S=900", 2, fixture.Walk(30, model.KL, true)},
		{"setting-a/seed=0", 1, fixture.Problem(b, "a_seed0")},
	} {
		b.Run(goal.name, func(b *testing.B) { clocked(b, goal.p.Standard(), gap, goal.runs) })
	}
}

// gapSeconds is after how much processor time BenchmarkGap tells what is open.
const gapSeconds = 5

// BenchmarkGap tells what the checked bound leaves open after some seconds, in percent
// of the policy's value, for random models whose boxes take long: five successors a pair,
// two limits, three actions under a rectangular set, four under five kernels. Natively
// only, and once however often it is asked for: it is the same again.
func BenchmarkGap(b *testing.B) {
	if runtime.GOOS == "js" {
		b.Skip("what it says of the method it says natively")
	}
	for _, tc := range []struct {
		kind   model.Kind
		states int
		radius float64
	}{{model.KL, 16, .1}, {model.L1, 16, .3}, {model.KL, 25, .1}, {model.L1, 25, .3}, {model.L1, 40, .3}, {model.Finite, 25, 0}, {model.Finite, 50, 0}} {
		open := math.NaN()
		b.Run(fmt.Sprintf("%s/S=%d", tc.kind, tc.states), func(b *testing.B) {
			for b.Loop() {
				if math.IsNaN(open) {
					open = openAfter(b, fewSuccessors(b, tc.kind, tc.states, tc.radius))
				}
			}
			b.ReportMetric(open, fmt.Sprintf("percent/%ds", gapSeconds))
		})
	}
}

func openAfter(b *testing.B, p *model.Problem) (open float64) {
	ev, err := evaluate.New(p.Standard())
	if err != nil {
		b.Fatal(err)
	}
	stop := false
	s := decide.Method.Defaults()
	s.Gap, s.Stop = .001, &stop
	from := fixture.CPU()
	for q := range decide.Method.Run(ev, s) {
		if !stop {
			open = 100 * (q.Best.Objective - q.LowerBound) / math.Abs(q.Best.Objective)
		}
		stop = (fixture.CPU() - from).Seconds() > gapSeconds
	}
	return max(open, nothingOpen)
}

// fewSuccessors is a random problem with costs of any size, its limits what the average
// of the best policies for each cost comes to.
func fewSuccessors(t testing.TB, kind model.Kind, states int, radius float64) *model.Problem {
	f := instance.FamilyB()
	f.States, f.Actions, f.Constraints, f.Discount = states, 3, 2, .95
	if kind == model.Finite {
		f.Actions = 4
	}
	p := f.Problem(1)
	r := rand.New(rand.NewPCG(1, 2))
	anyCosts(r, p)
	draw := func() *model.Kernel {
		rows := make([]float64, p.Layout.Pairs()*states)
		for i := range p.Layout.Pairs() {
			row, sum := rows[i*states:(i+1)*states], 0.0
			for _, s := range r.Perm(states)[:5] {
				row[s] = r.ExpFloat64()
				sum += row[s]
			}
			for s := range row {
				row[s] /= sum
			}
		}
		return model.NewKernel(states, rows)
	}
	for s := range p.Initial {
		p.Initial[s] = 1 / float64(states)
	}
	if p.Uncertainty = (model.Uncertainty{Kind: kind}); kind == model.Finite {
		for range 5 {
			p.Uncertainty.Kernels = append(p.Uncertainty.Kernels, draw())
		}
	} else {
		p.Uncertainty.Nominal, p.Uncertainty.Radius = draw(), []float64{radius}
	}
	limitAsAverage(t, p)
	return p
}

// anyCosts draws the costs evenly from 0 to 1.
func anyCosts(r *rand.Rand, p *model.Problem) {
	costs := []*model.Cost{&p.Objective}
	for n := range p.Constraints {
		costs = append(costs, &p.Constraints[n].Cost)
	}
	for _, c := range costs {
		for i := range c.Values {
			c.Values[i] = math.Round(1e3*r.Float64()) / 1e3
		}
	}
}

// limitAsAverage sets the limits to what the average of the policies that are best for
// one cost comes to, hardly more.
func limitAsAverage(t testing.TB, p *model.Problem) {
	ev, err := evaluate.New(p.Standard())
	if err != nil {
		t.Fatal(err)
	}
	ev.Evaluate(instance.GreedyAverage(p))
	for n := range p.Constraints {
		p.Constraints[n].Bound = math.Ceil((ev.J[n+1]+ev.ErrorBound[n+1])*1e3) / 1e3
	}
}
