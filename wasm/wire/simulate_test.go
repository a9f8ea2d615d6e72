package wire

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
)

type simulation struct {
	Kernel     string
	Horizon    int
	Truncation float64
	Costs      []struct {
		Name                 string
		Expected, Truncation float64
	}
}

const repairOften = `[[0.5,0.5],[0.25,0.75]]`

func TestSimulateInPartsIsSimulateInOne(t *testing.T) {
	var s Session
	problem := document(t, "machine_repair")
	var one, part simulation
	all, err := answer(t, s.Call("simulate", problem, []byte(repairOften), []byte(`{"episodes":30,"seed":4,"paths":2,"steps":5}`)), &one)
	if err != nil {
		t.Fatal(err)
	}
	var joined []float64
	for first := 0; first < 30; first += 10 {
		c, err := answer(t, s.Call("simulate", problem, []byte(repairOften), fmt.Appendf(nil, `{"episodes":10,"first":%d,"seed":"4"}`, first)), &part)
		if err != nil {
			t.Fatal(err)
		}
		joined = append(joined, c["totals.0"]...)
	}
	if !slices.Equal(joined, all["totals.0"]) {
		t.Error("episodes drawn in parts differ")
	}
	if len(all["path.1.states"]) != 6 || len(all["path.1.actions"]) != 5 || len(all["path.1.costs"]) != 5*len(one.Costs) || all["path.2.states"] != nil {
		t.Errorf("columns %v", all)
	}
	var spread []struct {
		Mean, StandardError float64
		Quantiles           []struct{ Level, Value float64 }
	}
	if _, err := answer(t, s.Call("spread", Pack(nil, Column{Name: "totals.0", Data: all["totals.0"]})), &spread); err != nil {
		t.Fatal(err)
	}
	if x := spread[0]; !(math.Abs(x.Mean-one.Costs[0].Expected) <= 6*x.StandardError+one.Truncation) || len(x.Quantiles) != 5 {
		t.Errorf("spread %+v, expected %+v", x, one.Costs[0])
	}
}

// The kernel may be named in several ways, and numbers are the person's own.
func TestSimulateUnderAKernel(t *testing.T) {
	var s Session
	problem := document(t, "machine_repair")
	m := standard(t, "machine_repair")
	for _, tc := range []struct{ kernel, label string }{
		{`"nominal"`, m.Kernels[0].Name}, {`1`, m.Kernels[1].Name}, {fmt.Sprintf("%q", m.Kernels[1].Name), m.Kernels[1].Name},
		{fmt.Sprintf(`{"worst":%q}`, m.CostName(1)), "worst for " + m.CostName(1)}, {`null`, m.Kernels[0].Name},
	} {
		var x simulation
		if _, err := answer(t, s.Call("simulate", problem, []byte(repairOften), []byte(`{"episodes":1,"kernel":`+tc.kernel+`}`)), &x); err != nil || x.Kernel != tc.label {
			t.Errorf("kernel %s: %v, %+v; want %s", tc.kernel, err, x, tc.label)
		}
	}
	for _, tc := range []struct{ options, message string }{
		{`{"kernel":9}`, "want a whole number from 0 to 2"},
		{`{"kernel":"wild"}`, "there is no kernel"},
		{`{"kernel":{"worst":"gold"}}`, `no cost "gold"`},
		{`{"kernel":[1]}`, "want an index"},
		{`{"episodes":-1}`, "episodes: got -1"},
		{`{"episodes":10000000,"horizon":1000}`, "too many"},
		{`{"seed":-1}`, "seed: got -1"},
		{`[]`, "object"},
	} {
		_, err := answer(t, s.Call("simulate", problem, []byte(repairOften), []byte(tc.options)), nil)
		if err == nil || !strings.Contains(err.Message, tc.message) {
			t.Errorf("%s: %v; want ...%s...", tc.options, err, tc.message)
		}
	}
	// A policy that does not fit.
	if _, err := answer(t, s.Call("simulate", problem, []byte(`[[1]]`), []byte(`{}`)), nil); err == nil || err.Code != InvalidOption {
		t.Errorf("a policy that does not fit: %v", err)
	}
}
