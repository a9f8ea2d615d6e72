package experiment

import (
	"rcmdplab/core/instance"
	"rcmdplab/core/model"
	"rcmdplab/core/solve"
)

// Setting is a family of problems by seed.
type Setting struct {
	ID, Title string
	Example   string // the gallery's id; its parameter "seed" makes the same problems
	Make      func(seed uint64) *model.Problem
}

// Preset is an experiment of the paper: a setting and its methods with the
// hyperparameters of sec:experiment details. The number of outer steps is not
// printed there; it is long enough here for the curves to settle.
type Preset struct {
	Plan
	Says string // what the figure shows, for its caption
}

// Presets lists the three settings of the paper's comparison. Quick ones have
// the same shape with fewer, longer steps: they end within seconds.
func Presets(quick bool) []Preset {
	seeds := make([]uint64, 10)
	for i := range seeds {
		seeds[i] = uint64(i)
	}
	epi := func(k, t int, alpha float64) Method {
		return Method{"EpiRC-PGS", solve.Settings{Algorithm: "epirc-pgs", OuterIterations: k, InnerIterations: t, StepSize: alpha, Tolerance: 1e-11}}
	}
	lf := func(name, id string, k, t int, alpha, lambda float64) Method {
		return Method{name, solve.Settings{Algorithm: id, OuterIterations: k, InnerIterations: t, StepSize: alpha, MultiplierStepSize: lambda, Tolerance: 1e-11}}
	}
	const lambda = 0.01
	uniform := Method{"Uniform", solve.Settings{Algorithm: "uniform", Tolerance: 1e-11}}
	lp := Method{"LP", solve.Settings{Algorithm: "occupancy-lp", Tolerance: 1e-9}}
	type size struct {
		epiK, lfK, t int
		alpha        float64
	}
	a, b, c := size{20, 100, 10000, 5e-5}, size{20, 100, 1000, 5e-4}, size{20, 300, 10000, 5e-5}
	if quick {
		a, b, c = size{15, 60, 500, 5e-4}, size{15, 60, 150, 3e-3}, size{15, 60, 500, 5e-4}
	}
	return []Preset{
		{
			Plan{Setting{"a", "Finite set of five kernels", "setting-a", instance.SettingA}, seeds, []Method{
				uniform, lf("LF", "lagrangian", a.lfK, a.t, a.alpha, lambda),
				lf("LF, policy average", "lagrangian-policy-average", a.lfK, a.t, a.alpha, lambda), epi(a.epiK, a.t, a.alpha),
			}},
			"S = 7, A = 4, five kernels, five constraints, γ = 0.995.",
		},
		{
			Plan{Setting{"b", "KL-regularised set", "setting-b", instance.SettingB}, seeds, []Method{
				uniform, lf("LF", "lagrangian", b.lfK, b.t, b.alpha, lambda),
				lf("LF, policy average", "lagrangian-policy-average", b.lfK, b.t, b.alpha, lambda), epi(b.epiK, b.t, b.alpha),
			}},
			"S = 5, A = 3, five constraints, γ = 0.99, temperature 2.",
		},
		{
			Plan{Setting{"c", "One kernel", "setting-c", instance.SettingC}, seeds, []Method{
				uniform, lf("LF", "lagrangian", c.lfK, c.t, c.alpha, lambda),
				lf("LF, policy average", "lagrangian-policy-average", c.lfK, c.t, c.alpha, lambda),
				lf("LF, occupancy average", "lagrangian-occupancy-average", c.lfK, c.t, c.alpha, lambda), epi(c.epiK, c.t, c.alpha), lp,
			}},
			"S = 7, A = 4, one kernel, five constraints, γ = 0.99: a constrained MDP, solved exactly by the LP.",
		},
	}
}
