package uncertainty_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"rcmdplab/core/internal/fixture"
	"rcmdplab/core/model"
	"rcmdplab/core/uncertainty"
)

// TestBadParameters: what a document's validation lets through by mistake is
// refused here, by state and action name. Each case breaks one thing.
func TestBadParameters(t *testing.T) {
	kernel := func(p ...float64) *model.Kernel {
		return &model.Kernel{Ptr: []int{0, 2, 4}, Next: []int{0, 1, 0, 1}, Prob: p}
	}
	q := kernel(.5, .5, .2, .8)
	for _, c := range []struct {
		name string
		u    model.Uncertainty
		say  []string
	}{
		{"finite", model.Uncertainty{Kind: model.Finite}, []string{"not rectangular"}},
		{"unknown", model.Uncertainty{Kind: "wasserstein", Nominal: q, Radius: []float64{1}}, []string{"unknown kind", "wasserstein"}},
		{"no radius", model.Uncertainty{Kind: model.KL, Nominal: q}, []string{"radius"}},
		{"negative radius", model.Uncertainty{Kind: model.L1, Nominal: q, Radius: []float64{-.1}}, []string{`"go"`, `"left"`, "-0.1", ">= 0"}},
		{"NaN radius", model.Uncertainty{Kind: model.Chi2, Nominal: q, Radius: []float64{.1, math.NaN()}}, []string{`"right"`, "NaN"}},
		{"share above 1", model.Uncertainty{Kind: model.Contamination, Nominal: q, Radius: []float64{1, 1.5}}, []string{`"right"`, "1.5", "between 0 and 1"}},
		{"temperature 0", model.Uncertainty{Kind: model.KLRegularized, Nominal: q}, []string{"temperature is 0", "positive"}},
		{"temperature NaN", model.Uncertainty{Kind: model.KLRegularized, Nominal: q, Temperature: math.NaN()}, []string{"NaN"}},
		{"lower above upper", model.Uncertainty{Kind: model.Interval, Lower: kernel(.5, .5, .3, .2), Upper: kernel(.6, .6, .2, .9)}, []string{`"right"`, `"left"`, "[0.3, 0.2]"}},
		{"lower negative", model.Uncertainty{Kind: model.Interval, Lower: kernel(-.5, .5, .3, .2), Upper: kernel(.6, .6, .4, .9)}, []string{"[-0.5, 0.6]"}},
		{"lower sums above 1", model.Uncertainty{Kind: model.Interval, Lower: kernel(.5, .6, .1, .2), Upper: kernel(.6, .6, .2, .9)}, []string{`"left"`, "1.1", "lower sum <= 1"}},
		{"upper sums below 1", model.Uncertainty{Kind: model.Interval, Lower: kernel(.1, .1, .1, .2), Upper: kernel(.4, .4, .2, .9)}, []string{"0.8", "upper sum"}},
	} {
		p := &model.Problem{
			States: []string{"left", "right"}, Actions: []string{"go"}, Discount: .9, Initial: []float64{1, 0}, Layout: model.NewLayout(2, 1, nil),
			Objective: model.Cost{Values: []float64{0, 1}}, Uncertainty: c.u,
		}
		_, err := uncertainty.New(p.Standard())
		if err == nil {
			t.Errorf("%s: accepted", c.name)
			continue
		}
		for _, x := range c.say {
			if !strings.Contains(err.Error(), x) {
				t.Errorf("%s: %q does not say %q", c.name, err, x)
			}
		}
	}
}

// TestIntervalEdges: sums that are 1 up to rounding leave no freedom, [0, x] lets
// the support vanish, and successors of either end count.
func TestIntervalEdges(t *testing.T) {
	third := 1.0 / 3
	lo := &model.Kernel{Ptr: []int{0, 3, 3, 4}, Next: []int{0, 1, 2, 1}, Prob: []float64{third, third, third, 1 + 1e-12}}
	hi := &model.Kernel{Ptr: []int{0, 3, 6, 7}, Next: []int{0, 1, 2, 0, 1, 2, 1}, Prob: []float64{1, 1, 1, .6, .5, 1, 1 + 1e-12}}
	p := &model.Problem{
		States: names("s", 3), Actions: []string{"a"}, Discount: .9, Initial: []float64{1, 0, 0}, Layout: model.NewLayout(3, 1, nil),
		Objective: model.Cost{Values: []float64{0, 1, 2}}, Uncertainty: model.Uncertainty{Kind: model.Interval, Lower: lo, Upper: hi},
	}
	s, err := uncertainty.New(p.Standard())
	if err != nil {
		t.Fatal(err)
	}
	row := make([]float64, 3)
	for _, c := range []struct {
		i    int
		z    []float64
		want []float64
	}{
		{0, []float64{1, 2, 3}, []float64{third, third, third}},
		{1, []float64{3, 2, 1}, []float64{.6, .4, 0}},
		{1, []float64{1, 2, 3}, []float64{0, 0, 1}},
		{2, []float64{5}, []float64{1}},
	} {
		n := len(c.z)
		a := s.Answer(row[:n], c.i, c.z)
		if maxDiff(row[:n], c.want) > 1e-15 || !(math.Abs(a.Value-dot(c.want, c.z)) <= 1e-14) {
			t.Errorf("pair %d, z = %v: row %v with value %v, want %v", c.i, c.z, row[:n], a.Value, c.want)
		}
	}
}

// Down to the least normal probability nature's answer and its price are numbers, and those
// that a root found by bisection gives.
func TestUnlikelySuccessorsAreAnswered(t *testing.T) {
	for _, q := range []float64{0x1p-1022, 1e-306, 1e-300, 1e-200, 1e-50, 1e-12} {
		doc := fmt.Sprintf(`{"format":"rcmdp/1","states":["s","t"],"actions":["a"],"discount":0.5,"initial":[1,0],"objective":{"values":[[0],[1]]},
			"uncertainty":{"nominal":{"entries":[[0,0,0,1],[0,0,1,%v],[1,0,1,1]]},`, q)
		lo, hi := 0.0, 1.0
		for range 200 {
			if p := (lo + hi) / 2; p*math.Log(p/q)+(1-p)*math.Log1p(-p)-(1-p)*math.Log1p(-q) > .3 {
				hi = p
			} else {
				lo = p
			}
		}
		row, z := make([]float64, 2), []float64{0, 2000}
		ball, err := uncertainty.New(fixture.Decode(t, doc+`"kind":"kl","radius":0.3}}`).Standard())
		if err != nil {
			t.Fatal(err)
		}
		if v := ball.Answer(row, 0, z).Value; !(math.Abs(v-2000*lo) <= 1e-11*2000*lo) || !(row[1] > 0) {
			t.Errorf("q = %v: %v, want %v", q, v, 2000*lo)
		}
		price, err := uncertainty.New(fixture.Decode(t, doc+`"kind":"kl-regularized","temperature":1}}`).Standard())
		if err != nil {
			t.Fatal(err)
		}
		want := 2000 + math.Log(q)
		a := price.Answer(row, 0, z)
		if p := price.Penalty([]float64{0, 1}, 0); !(math.Abs(a.Value-want) <= 1e-12*want) || !(math.Abs(p+math.Log(q)) <= 1e-12*p) || !(math.Abs(a.Penalty+math.Log(q)) <= 1e-11*p) {
			t.Errorf("q = %v: %v at the price of %v and %v, want %v at %v", q, a.Value, a.Penalty, p, want, -math.Log(q))
		}
	}
}
