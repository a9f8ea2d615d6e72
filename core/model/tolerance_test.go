package model_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"rcmdplab/core/model"
)

// priced is a problem of one state and one action for each cost given, at γ = .9,
// so that H is 10, with one limit on the same cost.
func priced(costs []float64, bound float64) *model.Problem {
	p := &model.Problem{
		States: []string{"s"}, Discount: 0.9, Initial: []float64{1},
		Layout: model.NewLayout(1, len(costs), nil),
	}
	p.Objective.Values = costs
	p.Constraints = []model.Constraint{{Cost: model.Cost{Values: costs}, Bound: bound}}
	rows := []float64{}
	for range costs {
		p.Actions = append(p.Actions, "a")
		rows = append(rows, 1)
	}
	p.Uncertainty = model.Uncertainty{Kind: model.Finite, Kernels: []*model.Kernel{model.NewKernel(1, rows)}}
	return p
}

func TestScaleIsTheSmallerOfRangeAndValue(t *testing.T) {
	for _, c := range []struct {
		about string
		costs []float64
		value float64
		want  float64
		gap   float64
	}{
		{"a value well within the range of returns", []float64{0, 1, 2}, 5, 5, 5},
		{"a value beyond the range of returns", []float64{1e6, 1e6 + 1}, 1e7, 10, 10},
		{"a penalty far above the rest", []float64{1, 2, 1e9}, 5, 5, 5},
		{"a limit of zero, judged by the least cost", []float64{0, 1e-8, 3}, 0, 1e-8, 1e-14},
		{"a negative value", []float64{-2, -1}, -7, 7, 7},
		{"a least cost above the range of returns", []float64{100, 101}, 0, 10, 1e-4},
		{"a constant cost", []float64{3, 3}, 0, 30, 3e-5},
		{"a constant cost and its own return", []float64{3, 3}, 30, 30, 30},
		{"no cost at all", []float64{0, 0}, 0, 0, 0},
		{"no cost at all and a limit", []float64{0, 0}, 2, 2, 2},
	} {
		m := priced(c.costs, 0).Standard()
		near(t, c.about+": Scale", m.Scale(1, c.value), c.want)
		near(t, c.about+": GapScale", m.GapScale(c.value), c.gap)
	}
}

func near(t *testing.T, about string, got, want float64) {
	t.Helper()
	if !(math.Abs(got-want) <= 1e-12*math.Abs(want)) {
		t.Errorf("%s is %g, want %g", about, got, want)
	}
}

func TestScaleFollowsTheUnitAndIgnoresTheSense(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 1))
	for range 200 {
		costs := make([]float64, 1+r.IntN(6))
		for i := range costs {
			costs[i] = float64(r.IntN(7)-3) * math.Pow(10, float64(r.IntN(9)-4))
		}
		value := float64(r.IntN(5)-2) * math.Pow(10, float64(r.IntN(7)-3))
		m := priced(costs, value).Standard()
		factor := math.Pow(2, float64(r.IntN(40)-20))
		scaled := make([]float64, len(costs))
		for i, c := range costs {
			scaled[i] = factor * c
		}
		p := priced(scaled, factor*value)
		p.Maximize, p.Constraints[0].AtLeast = true, true
		other := p.Standard()
		near(t, "Scale in another unit", other.Scale(1, other.B[1]), factor*m.Scale(1, m.B[1]))
		near(t, "GapScale in another unit", other.GapScale(-factor*value), factor*m.GapScale(value))
	}
}

func TestScaleLooksAtAvailablePairsAndNextStates(t *testing.T) {
	p := &model.Problem{
		States: []string{"s", "t"}, Actions: []string{"a", "b"}, Discount: 0.5, Initial: []float64{1, 0},
		Layout: model.NewLayout(2, 2, []bool{true, true, true, false}),
	}
	p.Objective.Values = []float64{1, 2, 3, 1e9}
	p.Constraints = []model.Constraint{{Cost: model.Cost{Next: []float64{0, 4, 0, 0, 6, 0, math.NaN(), math.NaN()}, Average: true}, Bound: 3}}
	k := model.NewKernel(2, []float64{1, 0, 0, 1, 0.5, 0.5})
	p.Uncertainty = model.Uncertainty{Kind: model.Finite, Kernels: []*model.Kernel{k}}
	m := p.Standard()
	near(t, "the objective, whose largest cost is of a missing action", m.Scale(0, 100), 2*2)
	near(t, "a cost of the next state, limit an average", m.Scale(1, m.B[1]), 6)
	near(t, "a cost of the next state at zero", m.Scale(1, 0), 4)
	near(t, "a cost of the next state far out", m.Scale(1, 1e9), 6*2)
}
