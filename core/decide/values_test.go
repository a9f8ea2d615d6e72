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
		if !newDual(d).prove(ev, policy, nil, always) {
			t.Fatalf("%s: left", name)
		}
		// Without a feasible policy, only an empty relaxation is proved by values.
		if known.BestKnown != nil && known.BestKnown.Status == "" {
			best := m.Internal(0, known.BestKnown.Objective)
			if d.infeasible != nil || d.bound() > best+1e-8*m.H {
				t.Errorf("%s: bound %v (infeasible %v) above the best known %v", name, d.bound(), d.infeasible != nil, best)
			}
			if known.LowerBound != nil {
				if want := m.Internal(0, *known.LowerBound); d.bound() < want-1e-6*m.H {
					t.Errorf("%s: bound %v, a linear program gives %v", name, d.bound(), want)
				}
			}
			if len(m.Kernels) == 1 && best-d.bound() > 1e-8*m.H {
				t.Errorf("%s: one kernel: bound %v, best %v", name, d.bound(), best)
			}
		}
		for k, v := range known.SingleKernelLP { // of each kernel alone; nil: no policy meets the limits
			if v == nil && d.infeasible == nil {
				t.Errorf("%s: kernel %d alone proves that no policy meets the limits", name, k)
			} else if v != nil && d.infeasible == nil && d.bound() < m.Internal(0, *v)-2e-8*m.H {
				t.Errorf("%s: bound %v, kernel %d alone gives %v", name, d.bound(), k, m.Internal(0, *v))
			}
		}
		if known.RobustUnconstrained == nil || m.Kernels != nil {
			continue
		}
		open := *p
		open.Constraints = nil
		d, ev = opened(t, &open)
		newDual(d).prove(ev, nil, nil, always)
		if best := ev.M.Internal(0, known.RobustUnconstrained.Value); !(math.Abs(d.bound()-best) <= 1e-7*math.Abs(best)) {
			t.Errorf("%s without limits: bound %v, optimum %v", name, d.bound(), best)
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

// A limit that is the least that can be reached, in a cost of thousandths with a penalty
// of 1e6: a program in float64 takes the thousandths for nothing, and its prices prove
// little. The optimum, -4, is 1 a step less than nothing else does.
func TestTightLimitsBesideAPenalty(t *testing.T) {
	rows := `[[0,1,0,0],[0,0,1,0],[1,0,0,0],[1,0,0,0]],[[0,1,0,0],[0,0,0,1],[1,0,0,0],[0,1,0,0]],[[0,0,0,1],[0,0,1,0],[0,0,1,0],[1,0,0,0]],[[0,0,0,1],[0,0,0,1],[0,0,1,0],[0,1,0,0]]`
	for _, set := range []string{`{"kind":"l2","radius":0,"nominal":[` + rows + `]}`, `{"kind":"l1","radius":0,"nominal":[` + rows + `]}`} {
		p := fixture.Decode(t, `{"format":"rcmdp/1","name":"thousandths","states":["p","q","r","s"],"actions":["a","b","c","d"],"discount":0.5,"initial":[0.25,0.25,0.25,0.25],
			"objective":{"name":"c","values":[[-2,-2,-2,-2],[-2,-3,-2,-2],[-3,-2,-2,-2],[-3,-3,-2,-2]]},"constraints":[
			{"name":"other","values":[[0.588,0.051,0.011,0.007],[0.138,0.624,0.556,0.627],[0.769,0.392,0.631,0.663],[0.423,0.517,0.019,0.308]],"atLeast":0.7905},
			{"name":"tight","values":[[0.001,0.002,0.003,0.001],[0.002,0.003,0.001,0.002],[0.003,0.001,0.002,0.003],[1000000.001,0.002,0.003,0.001]],"atMost":0.002}],"uncertainty":`+set+`}`)
		ev, err := evaluate.New(p.Standard())
		if err != nil {
			t.Fatal(err)
		}
		var last solve.Progress
		s, stop := Method.Defaults(), false
		s.Starts, s.Stop = 6, &stop
		for last = range Method.Run(ev, s) {
			stop = last.Nodes > 20
		}
		if last.Status != solve.ProvedOptimal || !(math.Abs(last.Best.Objective+4) <= 1e-7) {
			t.Errorf("%s: %v with value %v and bound %v; want -4, proved: %s", p.Uncertainty.Kind, last.Status, last.Best.Objective, last.LowerBound, last.Note)
		}
	}
}
