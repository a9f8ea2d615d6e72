package decide_test

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"rcmdplab/core/certify"
	"rcmdplab/core/decide"
	"rcmdplab/core/evaluate"
	"rcmdplab/core/model"
	"rcmdplab/core/solve"
)

// right answers to the files of testdata/faults that are feasible, found by
// hand, by policy iteration in numpy or by HiGHS.
var right = map[string]float64{
	"constant-cost": 3, "crash-listed-zero-kl": 4.538222369166057, "crash-listed-zero-kl-regularized": 4.969248079661835,
	"discount-1-1e-12": 999999999995, "f1-penalty-false-proof": 200, "f1c-penalty-one-kernel": 52.76532310252375,
	"f2-long-horizon-no-feasible": 2.33333316666665, "f3-long-horizon-loose-bound": 0.7053025757324696, "f4-robust-pi-stops": 8.1,
	"f4b-robust-pi-riverswim": 7660.095593640168, "f5-rows-within-1e-9": 33, "f6-optimum-zero": 0, "f6b-optimum-zero-concert": 0,
	"f7-constant-objective": 10, "forbidden2-finite": 5.263157894736842, "forbidden2-l1": 5.524861878453039,
	"forbidden-cycle4-finite": 5.170650956716487, "forbidden-chain2-contamination": 5.414995116249747, "hazard4-l1-atmost0": 5.2981621875,
	"two-limits-exactly-tight": 0, "river3-l1-rpi": 8.296421343411, "rpi-grid4-klreg": 1.99, "rpi-grid9-l1-099": 5.643255939449,
	"tight-river3-1e-17": 6.924640573604, "tiny-constraint": 5, "tiny-cost": 1e-8, "tiny-occupancy-below-bound": 2.11, "zero-optimum": 0,
	"shift-1e6-occupancy": 10000001.4280807,
}

// known are all problems with an answer, small enough to be varied.
func known(t testing.TB) map[string]struct {
	p     *model.Problem
	value float64
} {
	t.Helper()
	all := map[string]struct {
		p     *model.Problem
		value float64
	}{}
	for _, dir := range []string{"faults", "public"} {
		files, err := filepath.Glob("../testdata/" + dir + "/*.json")
		if err != nil || len(files) == 0 {
			t.Fatal("no problems in ", dir)
		}
		for _, file := range files {
			b, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			var wrapped struct {
				Document json.RawMessage
				Right    struct{ Value any }
			}
			name := strings.TrimSuffix(filepath.Base(file), ".json")
			value, ok := right[name]
			if json.Unmarshal(b, &wrapped) == nil && wrapped.Document != nil {
				b = wrapped.Document
				if v, is := wrapped.Right.Value.(float64); is && dir == "public" {
					value, ok = v, true
				}
			}
			if !ok {
				continue
			}
			p, faults, _ := model.Decode(b)
			if len(faults) > 0 {
				t.Fatalf("%s: %v", name, faults)
			}
			all[name] = struct {
				p     *model.Problem
				value float64
			}{p, value}
		}
	}
	if len(all) < 50 {
		t.Fatalf("only %d problems with an answer", len(all))
	}
	return all
}

// mapped is the cost with f applied to every one-step value.
func mapped(c model.Cost, f func(float64) float64) model.Cost {
	for _, list := range []*[]float64{&c.Values, &c.Next} {
		if *list != nil {
			v := make([]float64, len(*list))
			for i, x := range *list {
				v[i] = f(x)
			}
			*list = v
		}
	}
	return c
}

func times(k float64) func(float64) float64 { return func(x float64) float64 { return k * x } }

// variants are the same problem said otherwise, and what its value then is.
// Factors are powers of 2, so that nothing is rounded.
func variants(p *model.Problem, value float64) map[string]struct {
	p     *model.Problem
	value float64
} {
	type v = struct {
		p     *model.Problem
		value float64
	}
	out := map[string]v{"as it is": {p, value}}
	objective := func(f func(float64) float64, to float64, maximise bool) v {
		q := *p
		q.Objective, q.Maximize = mapped(p.Objective, f), maximise
		return v{&q, to}
	}
	for name, k := range map[string]float64{"tiny costs": 0x1p-40, "huge costs": 0x1p40} {
		x := objective(times(k), value*k, p.Maximize)
		x.p.Uncertainty.Temperature *= k // of the regularised set, without limits here
		out[name] = x
	}
	out["the other sense"] = objective(times(-1), -value, !p.Maximize)
	if !p.Objective.Average && p.Discount < 0.9999 {
		out["shifted by 1024"] = objective(func(x float64) float64 { return x + 1024 }, value+1024/(1-p.Discount), p.Maximize)
	}
	if len(p.Constraints) > 0 {
		for name, k := range map[string]float64{"tiny limits": 0x1p-40, "huge limits": 0x1p40} {
			q := *p
			q.Constraints = append([]model.Constraint(nil), p.Constraints...)
			for i := range q.Constraints {
				q.Constraints[i].Cost, q.Constraints[i].Bound = mapped(p.Constraints[i].Cost, times(k)), k*p.Constraints[i].Bound
			}
			out[name] = v{&q, value}
		}
		q := *p
		q.Constraints = append([]model.Constraint(nil), p.Constraints...)
		for i := range q.Constraints {
			c := &q.Constraints[i]
			c.Cost, c.Bound, c.AtLeast = mapped(c.Cost, times(-1)), -c.Bound, !c.AtLeast
		}
		out["limits from the other side"] = v{&q, value}
	}
	return out
}

// The default method gives the right answer to every known problem, however it
// is said, and what it claims holds: the certificate is accepted, the value is
// on the right side of the bound, and under one kernel or without limits it is
// proved.
func TestKnownAnswersHoweverTheyAreSaid(t *testing.T) {
	method := decide.Method
	for name, k := range known(t) {
		for how, v := range variants(k.p, k.value) {
			if how == "shifted by 1024" && strings.HasPrefix(name, "tiny") || how != "as it is" && testing.Short() {
				continue // what is tiny is lost in what is added
			}
			m := v.p.Standard()
			ev, err := evaluate.New(m)
			if err != nil {
				t.Fatal(err)
			}
			s, stop := method.Defaults(), false
			s.Gap, s.Starts, s.Stop, s.Late = 1e-6, 12, &stop, &stop
			var p solve.Progress
			for p = range method.Run(ev, s) {
				stop = p.Nodes > 40
			}
			size := max(math.Abs(v.value), 1e-6*m.GapScale(0))
			near := 1e-6
			if how == "shifted by 1024" {
				near = 1e-9 // the shift is the most of it
			}
			if got := m.Present(0, p.Best.Objective); !p.Best.Feasible || !(math.Abs(got-v.value) <= near*size) {
				t.Errorf("%s, %s: %v with value %v, want %v (%s)", name, how, p.Status, got, v.value, p.Note)
				continue
			}
			if p.LowerBound > p.Best.Objective {
				t.Errorf("%s, %s: bound %v above the value %v", name, how, p.LowerBound, p.Best.Objective)
			}
			cert, ok := p.Certificate, p.Certificate != nil
			if !ok && (p.Status == solve.Bounded || p.Status == solve.ProvedOptimal) {
				t.Errorf("%s, %s: %v without a certificate", name, how, p.Status)
				continue
			}
			if r := certify.NewChecker(v.p).Check(cert, p.Best.Policy, always); ok && !r.OK {
				t.Errorf("%s, %s: refused: %s", name, how, strings.Join(r.Reasons, " "))
			}
			if one := len(m.Kernels) == 1 || m.N == 0 && m.Kernels == nil; one && p.Status != solve.ProvedOptimal {
				t.Errorf("%s, %s: only %v, value %v, bound %v (%s)", name, how, p.Status, p.Best.Objective, p.LowerBound, p.Note)
			}
		}
	}
}

// Problems that no policy can meet are proved so, whatever their unit, with the
// least violation to within a share of it.
func TestImpossibleLimitsAreProved(t *testing.T) {
	for _, name := range []string{"faults/impossible-l1", "faults/infeasible-l1", "faults/tiny-constraint-infeasible", "public/N09d", "public/N12b"} {
		b, err := os.ReadFile("../testdata/" + name + ".json")
		if err != nil {
			t.Fatal(err)
		}
		var wrapped struct{ Document json.RawMessage }
		if json.Unmarshal(b, &wrapped) == nil && wrapped.Document != nil {
			b = wrapped.Document
		}
		problem, faults, _ := model.Decode(b)
		if len(faults) > 0 {
			t.Fatal(faults)
		}
		for how, v := range variants(problem, 0) {
			ev, err := evaluate.New(v.p.Standard())
			if err != nil {
				t.Fatal(err)
			}
			s := decide.Method.Defaults()
			s.Starts = 4
			var p solve.Progress
			for p = range decide.Method.Run(ev, s) {
			}
			cert, ok := p.Certificate, p.Certificate != nil
			if p.Status != solve.ProvedInfeasible || !ok || p.Best.Feasible || !(p.ViolationBound > 0 && p.ViolationBound <= p.Best.MaxViolation) {
				t.Errorf("%s, %s: %v, violation between %v and %v (%s)", name, how, p.Status, p.ViolationBound, p.Best.MaxViolation, p.Note)
				continue
			}
			if r := certify.NewChecker(v.p).Check(cert, nil, always); !r.OK || r.LeastViolation != p.ViolationBound {
				t.Errorf("%s, %s: the checker gives %v for %v: %q", name, how, r.LeastViolation, p.ViolationBound, r.Reasons)
			}
		}
	}
}
