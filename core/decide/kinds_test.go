package decide

import (
	"encoding/json"
	"math"
	"os"
	"path"
	"strings"
	"testing"

	"rcmdplab/core/evaluate"
	"rcmdplab/core/model"
	"rcmdplab/core/solve"
)

// right is what is right of a model in core/testdata/faults: the optimum in the
// person's numbers, NaN where it is not known, ±Inf where no policy is feasible.
// The public cases have theirs beside the model.
var right = map[string]float64{
	"constant-cost":                    3,
	"crash-listed-zero-kl":             4.538222369,
	"crash-listed-zero-kl-regularized": 4.969248080,
	"crash-listed-zero-l1":             4.103448276,
	"discount-1-1e-12":                 999999999995,
	"f1-penalty-false-proof":           200,
	"f1c-penalty-one-kernel":           52.76532310252375,
	"f2-long-horizon-no-feasible":      2.33333316666665,
	"f3-long-horizon-loose-bound":      0.7053025757324696,
	"f4-robust-pi-stops":               8.1,
	"f4b-robust-pi-riverswim":          7660.095593640168,
	"f5-rows-within-1e-9":              33,
	"f6-optimum-zero":                  0,
	"f6b-optimum-zero-concert":         0,
	"f7-constant-objective":            10,
	"f8-dense-zero":                    0,
	"f9-square-axis-order":             1.978021978021978,
	"forbidden-chain2-contamination":   5.414995116,
	"forbidden-cycle4-finite":          5.170650957,
	"forbidden2-finite":                5.263157895,
	"forbidden2-l1":                    5.524861878,
	"hazard4-l1-atmost0":               5.2981621875,
	"impossible-l1":                    math.Inf(1),
	"infeasible-l1":                    math.Inf(1),
	"river3-l1-rpi":                    8.296421343,
	"rpi-grid4-klreg":                  1.99,
	"rpi-grid9-l1-099":                 5.643255939,
	"shift-1e6-occupancy":              10000001.428058,
	"slow-grid100-l1":                  math.NaN(),
	"tight-river3-1e-17":               6.924640574,
	"tiny-constraint":                  5,
	"tiny-constraint-infeasible":       math.Inf(1),
	"tiny-cost":                        1e-8,
	"tiny-occupancy-below-bound":       2.11,
	"tiny-river3-starts8":              4.977,
	"two-limits-exactly-tight":         0,
	"zero-optimum":                     0,
}

// known is a model of core/testdata with what is right of it.
type known struct {
	name      string
	problem   *model.Problem
	value     float64
	tolerance float64
}

// knowns reads the models of a folder; those that validation refuses are not
// among them.
func knowns(t *testing.T, folder string) (list []known) {
	t.Helper()
	dir := path.Join("../testdata", folder)
	files, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		text, err := os.ReadFile(path.Join(dir, f.Name()))
		if err != nil {
			t.Fatal(err)
		}
		k := known{name: strings.TrimSuffix(f.Name(), ".json"), tolerance: 1e-6}
		if folder == "public" {
			var x struct {
				Right struct {
					Value     *float64
					Tolerance float64
					Status    string
				}
				Document json.RawMessage
			}
			if err := json.Unmarshal(text, &x); err != nil {
				t.Fatal(err)
			}
			text = x.Document
			k.value, k.tolerance = math.NaN(), x.Right.Tolerance
			if x.Right.Value != nil {
				k.value = *x.Right.Value
			}
			if x.Right.Status == "proved-infeasible" {
				k.value = math.Inf(1)
			}
		} else {
			v, ok := right[k.name]
			if !ok && !strings.HasPrefix(k.name, "crash-") {
				t.Errorf("%s: nobody says what is right", k.name)
			}
			k.value = v
		}
		var faults model.Faults
		if k.problem, faults, _ = model.Decode(text); len(faults) > 0 {
			if _, ok := right[k.name]; ok || folder == "public" {
				t.Errorf("%s: %v", k.name, faults)
			}
			continue
		}
		list = append(list, k)
	}
	return list
}

// claims reports whether a method says it finds the optimum of such a problem.
// The default method and the search from many starts are held to it as well.
func claims(id string, p *model.Problem) bool {
	finite, limits := p.Uncertainty.Kind == model.Finite, len(p.Constraints)
	switch id {
	case "solve", "slp":
		return true
	case "occupancy-lp":
		return finite && len(p.Uncertainty.Kernels) == 1
	case "policy-iteration":
		return finite && len(p.Uncertainty.Kernels) == 1 && limits == 0
	case "robust-policy-iteration":
		return !finite && limits == 0
	}
	return false
}

// TestEveryMethodIsRightOnModelsOfEachKind: the optimum by every method that
// claims it, and by no method a value better than that or a policy that exceeds a
// limit by more than the tolerance says.
func TestEveryMethodIsRightOnModelsOfEachKind(t *testing.T) {
	for _, k := range append(knowns(t, "faults"), knowns(t, "public")...) {
		m := k.problem.Standard()
		ev, err := evaluate.New(m)
		if err != nil {
			t.Fatal(err)
		}
		for _, a := range Algorithms() {
			if a.ID == "evaluate" || math.IsNaN(k.value) && a.ID == "solve" {
				continue
			}
			got := ended(a, ev, k)
			if got.Status == solve.Failed {
				if claims(a.ID, k.problem) {
					t.Errorf("%s: %s failed: %s", k.name, a.ID, got.Note)
				}
				continue
			}
			switch {
			case math.IsInf(k.value, 0):
				if got.Best.Feasible || claims(a.ID, k.problem) && got.Status != solve.ProvedInfeasible {
					t.Errorf("%s: %s says %v, and no policy is feasible", k.name, a.ID, got.Status)
				}
				continue
			case claims(a.ID, k.problem) && !got.Best.Feasible:
				t.Errorf("%s: %s says %v", k.name, a.ID, got.Status)
			}
			if !got.Best.Feasible {
				continue
			}
			ev.Evaluate(got.Best.Policy)
			for n := 1; n <= m.N; n++ {
				if x := ev.Excess(n); x > 1e-7*m.Scale(n, m.B[n])+ev.ErrorBound[n] {
					t.Errorf("%s: %s exceeds limit %d by %g next to %g", k.name, a.ID, n, x, m.Scale(n, m.B[n]))
				}
			}
			if math.IsNaN(k.value) {
				continue
			}
			off := got.Best.Objective - m.Internal(0, k.value) // positive is worse
			if size := k.tolerance * max(m.Scale(0, m.Internal(0, k.value)), math.Abs(k.value)*1e-3); off < -size || off > size && claims(a.ID, k.problem) {
				t.Errorf("%s: %s gives %.12g, right is %.12g", k.name, a.ID, m.Present(0, got.Best.Objective), k.value)
			}
		}
	}
}

// ended runs a method with few steps, and asks it to stop after many records.
func ended(a solve.Algorithm, ev *evaluate.Evaluator, k known) (last solve.Progress) {
	s := a.Defaults()
	s.OuterIterations, s.InnerIterations = min(s.OuterIterations, 30), min(s.InnerIterations, 64)
	s.Starts = min(s.Starts, 10)
	if k.name == "f2-long-horizon-no-feasible" || a.ID == "policy-iteration" || a.ID == "robust-policy-iteration" {
		s.OuterIterations = a.Defaults().OuterIterations
	}
	stop := false
	s.Stop = &stop
	records := 0
	for p := range a.Run(ev, s) {
		last = p
		if records++; records > 2000 {
			if stop = true; !a.Concludes && records > 20000 {
				break
			}
		}
	}
	return last
}
