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
// printed there; here it is what a browser on two cores does in minutes.
type Preset struct {
	Plan
	Says string // what the figure shows, for its caption
}

// Presets lists the three settings of the paper's comparison. Quick ones have
// the same shape with fewer, longer steps: they end within seconds, and
// EpiRC-PGS ends with objectives within 1% of H of the long ones.
//
// The problems are those of the first ten seeds on which there is something to
// choose: with seeds 2 and 9 of setting (a), and 0 and 6 of setting (c), one
// kernel alone makes every policy cost H.
func Presets(quick bool) []Preset {
	seedsA := []uint64{0, 1, 3, 4, 5, 6, 7, 8, 10, 11}
	seedsB := []uint64{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}
	seedsC := []uint64{1, 2, 3, 4, 5, 7, 8, 9, 10, 11}
	epi := func(k, t int, alpha float64) Method {
		return Method{Name: "EpiRC-PGS", Settings: solve.Settings{Algorithm: "epirc-pgs", OuterIterations: k, InnerIterations: t, StepSize: alpha, Tolerance: 1e-11}}
	}
	lf := func(name, id string, k, t int, alpha, lambda float64) Method {
		return Method{Name: name, Settings: solve.Settings{Algorithm: id, OuterIterations: k, InnerIterations: t, StepSize: alpha, MultiplierStepSize: lambda, Tolerance: 1e-11}}
	}
	const lambda = 0.01
	uniform := Method{Name: "Uniform", Settings: solve.Settings{Algorithm: "uniform", Tolerance: 1e-11}, Level: true}
	lp := Method{Name: "LP", Settings: solve.Settings{Algorithm: "occupancy-lp", Tolerance: 1e-9}, Level: true}
	// Not the paper's: what another search finds, where no LP is exact.
	slp := Method{Name: "Sequential LP", Settings: solve.Settings{Algorithm: "slp", Starts: 16, Seed: 1, Tolerance: 1e-9}, Level: true}
	if quick {
		slp.Settings.Starts = 8
	}
	type size struct {
		epiK, lfK, epiT, lfT int     // outer and inner steps of EpiRC-PGS and the Lagrangian
		epiAlpha, lfAlpha    float64 // their step sizes
	}
	a, b, c := size{20, 100, 10000, 10000, 5e-5, 5e-5}, size{20, 100, 1000, 1000, 5e-4, 5e-4}, size{20, 200, 10000, 10000, 5e-5, 5e-5}
	if quick {
		a, b, c = size{15, 50, 2000, 300, 3e-4, 1e-3}, size{15, 40, 300, 100, 1e-3, 4e-3}, size{15, 50, 3000, 300, 1.5e-4, 1e-3}
	}
	return []Preset{
		{
			Plan{Setting{"a", "Finite set of five kernels", "setting-a", instance.SettingA}, seedsA, []Method{
				uniform, lf("LF", "lagrangian", a.lfK, a.lfT, a.lfAlpha, lambda),
				lf("LF, policy average", "lagrangian-policy-average", a.lfK, a.lfT, a.lfAlpha, lambda), epi(a.epiK, a.epiT, a.epiAlpha), slp,
			}},
			"S = 7, A = 4, five kernels, five constraints, γ = 0.995.",
		},
		{
			Plan{Setting{"b", "KL-regularised set", "setting-b", instance.SettingB}, seedsB, []Method{
				uniform, lf("LF", "lagrangian", b.lfK, b.lfT, b.lfAlpha, lambda),
				lf("LF, policy average", "lagrangian-policy-average", b.lfK, b.lfT, b.lfAlpha, lambda), epi(b.epiK, b.epiT, b.epiAlpha), slp,
			}},
			"S = 5, A = 3, five constraints, γ = 0.99, temperature 2.",
		},
		{
			Plan{Setting{"c", "One kernel", "setting-c", instance.SettingC}, seedsC, []Method{
				uniform, lf("LF", "lagrangian", c.lfK, c.lfT, c.lfAlpha, lambda),
				lf("LF, policy average", "lagrangian-policy-average", c.lfK, c.lfT, c.lfAlpha, lambda),
				lf("LF, occupancy average", "lagrangian-occupancy-average", c.lfK, c.lfT, c.lfAlpha, lambda), epi(c.epiK, c.epiT, c.epiAlpha), lp,
			}},
			"S = 7, A = 4, one kernel, five constraints, γ = 0.99: a constrained MDP, solved exactly by the LP.",
		},
	}
}
