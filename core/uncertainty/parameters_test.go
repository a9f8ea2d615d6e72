package uncertainty

import (
	"math"
	"strings"
	"testing"

	"rcmdplab/core/model"
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
		_, err := New(p.Standard())
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
	s, err := New(p.Standard())
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
		if maxDiff(row[:n], c.want) > 1e-15 || math.Abs(a.Value-dot(c.want, c.z)) > 1e-14 {
			t.Errorf("pair %d, z = %v: row %v with value %v, want %v", c.i, c.z, row[:n], a.Value, c.want)
		}
	}
}
