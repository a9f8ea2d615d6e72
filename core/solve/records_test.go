package solve

import (
	"testing"

	"rcmdplab/core/evaluate"
	"rcmdplab/core/model"
)

// field is a grid of side w whose last state is the goal; every seventh state is
// dangerous.
func field(w int, kind model.Kind) *model.Problem {
	s := w * w
	rows, time, danger := make([]float64, 4*s*s), make([]float64, 4*s), make([]float64, 4*s)
	for i := range 4 * s {
		at, a := i/4, i%4
		if at == s-1 {
			rows[i*s+at] = 1
			continue
		}
		time[i] = 1
		if at%7 == 5 {
			danger[i] = 1
		}
		for turn, p := range [3]float64{0.8, 0.1, 0.1} {
			d := [4][2]int{{0, 1}, {1, 0}, {0, -1}, {-1, 0}}[(a+[3]int{0, 1, 3}[turn])%4]
			r, c := min(max(at/w+d[0], 0), w-1), min(max(at%w+d[1], 0), w-1)
			rows[i*s+r*w+c] += p
		}
	}
	p := &model.Problem{
		Layout: model.NewLayout(s, 4, nil), Discount: 0.95, Initial: make([]float64, s), States: make([]string, s), Actions: make([]string, 4),
		Objective:   model.Cost{Values: time},
		Constraints: []model.Constraint{{Cost: model.Cost{Values: danger}, Bound: 1.5}},
	}
	p.Initial[0] = 1
	k := model.NewKernel(s, rows)
	p.Uncertainty = model.Uncertainty{Kind: kind, Nominal: k, Radius: []float64{0.2}}
	if kind == model.Finite {
		p.Uncertainty = model.Uncertainty{Kind: kind, Kernels: []*model.Kernel{k}}
	}
	return p
}

// TestRecordsComeOften: whoever pulls can stop a method within a few evaluations,
// which at this size take a few milliseconds each.
func TestRecordsComeOften(t *testing.T) {
	for _, kind := range []model.Kind{model.Finite, model.L1} {
		for _, limited := range []bool{true, false} {
			p := field(15, kind)
			if !limited {
				p.Constraints = nil
			}
			m := p.Standard()
			for _, a := range Algorithms() {
				ev, err := evaluate.New(m)
				if err != nil {
					t.Fatal(err)
				}
				s := a.Defaults()
				s.InitialPolicy = m.Uniform()
				last, records := ev.Count, 0
				for p := range a.Run(ev, s) {
					if p.Status == Failed {
						break
					}
					if n := ev.Count - last; n > 4 {
						t.Errorf("%s, %s: %d evaluations before record %d", a.ID, kind, n, records)
					}
					last = ev.Count
					if records++; records == 40 {
						break
					}
				}
			}
		}
	}
}

// TestALargeGridTakesFewEvaluations counts what a grid of 100 states costs the search, by
// start: how many are made is chance, for it ends when several have come to the best value.
func TestALargeGridTakesFewEvaluations(t *testing.T) {
	ev, err := evaluate.New(field(10, model.L1).Standard())
	if err != nil {
		t.Fatal(err)
	}
	p := finish(t, "slp", ev, nil)
	if starts := int64(p.K); !p.Best.Feasible || p.Evaluations > 190*starts {
		t.Errorf("%v after %d evaluations in %d starts", p.Status, p.Evaluations, starts)
	}
	t.Logf("%d evaluations, %d linear programs, %s", p.Evaluations, p.Iterations, p.Note)
}
