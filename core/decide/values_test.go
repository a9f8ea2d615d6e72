package decide

import (
	"math"
	"testing"

	"rcmdplab/core/evaluate"
	"rcmdplab/core/internal/fixture"
	"rcmdplab/core/model"
	"rcmdplab/core/solve"
)

// opened gives a door and an evaluator of a problem.
func opened(t testing.TB, p *model.Problem) (*door, *evaluate.Evaluator) {
	t.Helper()
	ev, err := evaluate.New(p.Standard())
	if err != nil {
		t.Fatal(err)
	}
	return newDoor(ev.M, solve.Settings{Tolerance: 1e-9}), ev
}

func always() bool { return true }

// On every fixture one value function proves as much as the fixture's own bound,
// which linear programs gave, and nothing above the best policy known; without
// limits, and under one kernel, it proves the optimum.
func TestValuesReachTheBoundsOfLinearPrograms(t *testing.T) {
	for _, name := range fixture.Names(t) {
		p, known := fixture.Problem(t, name), fixture.Expected(t, name)
		d, ev := opened(t, p)
		m := ev.M
		var policy []float64
		if known.BestKnown != nil && known.BestKnown.Policy != nil {
			policy = known.BestKnown.Policy.Flat(m.Layout)
		}
		if !d.byValues(ev, policy, nil, always) {
			t.Fatalf("%s: left", name)
		}
		// Without a feasible policy, only an empty relaxation is proved by values.
		if known.BestKnown != nil && known.BestKnown.Status == "" {
			best := m.Internal(0, known.BestKnown.Objective)
			if d.infeasible != nil || d.bound > best+1e-8*m.H {
				t.Errorf("%s: bound %v (infeasible %v) above the best known %v", name, d.bound, d.infeasible != nil, best)
			}
			if known.LowerBound != nil {
				if want := m.Internal(0, *known.LowerBound); d.bound < want-1e-6*m.H {
					t.Errorf("%s: bound %v, a linear program gives %v", name, d.bound, want)
				}
			}
			if len(m.Kernels) == 1 && best-d.bound > 1e-8*m.H {
				t.Errorf("%s: one kernel: bound %v, best %v", name, d.bound, best)
			}
		}
		for k, v := range known.SingleKernelLP { // of each kernel alone; nil: no policy meets the limits
			if v == nil && d.infeasible == nil {
				t.Errorf("%s: kernel %d alone proves that no policy meets the limits", name, k)
			} else if v != nil && d.infeasible == nil && d.bound < m.Internal(0, *v)-2e-8*m.H {
				t.Errorf("%s: bound %v, kernel %d alone gives %v", name, d.bound, k, m.Internal(0, *v))
			}
		}
		if known.RobustUnconstrained == nil || m.Kernels != nil {
			continue
		}
		open := *p
		open.Constraints = nil
		d, ev = opened(t, &open)
		d.byValues(ev, nil, nil, always)
		if best := ev.M.Internal(0, known.RobustUnconstrained.Value); !(math.Abs(d.bound-best) <= 1e-7*math.Abs(best)) {
			t.Errorf("%s without limits: bound %v, optimum %v", name, d.bound, best)
		}
	}
}

// What is a billionth of the values, because most of them is common to every
// state, still decides: the cheaper of two actions is taken and proved best.
func TestSmallDifferencesBetweenLargeValues(t *testing.T) {
	const rows = `[[[0,1],[0,1]],[[0.5,0.5],[0.5,0.5]]]`
	for _, set := range []string{`{"kind":"finite","kernels":[{"transitions":` + rows + `}]}`, `{"kind":"contamination","radius":0.2,"support":"all","nominal":` + rows + `}`, `{"kind":"l1","radius":0.2,"nominal":` + rows + `}`} {
		for _, sense := range []string{"minimize", "maximize"} {
			better, worse := "1000000", "2000000"
			if sense == "maximize" {
				better, worse = worse, better
			}
			p, faults, _ := model.Decode([]byte(`{"format":"rcmdp/1","states":["x","y"],"actions":["worse","better"],"discount":0.9999999,"initial":[1,0],
				"objective":{"name":"c","sense":"` + sense + `","values":[[` + worse + `,` + better + `],[1e15,1e15]]},"uncertainty":` + set + `}`))
			if len(faults) > 0 {
				t.Fatal(faults)
			}
			for _, id := range []string{"solve", "policy-iteration", "robust-policy-iteration"} {
				a, _ := Find(id)
				ev, err := evaluate.New(p.Standard())
				if err != nil {
					t.Fatal(err)
				}
				var last solve.Progress
				for last = range a.Run(ev, a.Defaults()) {
				}
				if last.Status != solve.Failed && (last.Status != solve.ProvedOptimal || last.Best.Policy[1] != 1) {
					t.Errorf("%s, %s, %.30s: %v with %v", id, sense, set, last.Status, last.Best.Policy)
				}
			}
		}
	}
}
