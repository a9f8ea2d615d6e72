package estimate

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/stat/distmv"

	"rcmdplab/core/evaluate"
	"rcmdplab/core/model"
)

const (
	coverSets       = 2000 // simulated data sets
	coverConfidence = 0.9
	coverS, coverA  = 3, 2
)

// world draws a true kernel, rows by pair: Dirichlet(1, 1, 1), or as far from
// the edge as the share says.
func world(source rand.Source, middle float64) [][]float64 {
	rows := make([][]float64, coverS*coverA)
	for i := range rows {
		rows[i] = distmv.NewDirichlet([]float64{1, 1, 1}, source).Rand(nil)
		for j, p := range rows[i] {
			rows[i][j] = (1-middle)*p + middle/coverS
		}
	}
	return rows
}

// sample draws n transitions of every pair.
func sample(source rand.Source, rows [][]float64, n int) *Data {
	d := &Data{States: []string{"a", "b", "c"}, Actions: []string{"x", "y"}, Costs: []Column{{Name: "cost"}}}
	for i, p := range rows {
		left, mass := float64(n), 1.0
		for next, q := range p {
			count := left
			if next < coverS-1 {
				count = binomial(left, q/mass, source)
			}
			left, mass = left-count, mass-q
			d.State, d.Action, d.Next = append(d.State, i/coverA), append(d.Action, i%coverA), append(d.Next, next)
			d.Count, d.Costs[0].Values = append(d.Count, count), append(d.Costs[0].Values, float64(i%4))
		}
	}
	return d
}

// within reports whether the true row is in the set's row of pair i, by the
// set's definition.
func within(u *model.Uncertainty, i int, p []float64) bool {
	q, hi := make([]float64, coverS), make([]float64, coverS)
	distance := 0.0
	if u.Kind == model.Interval {
		u.Lower.Dense(q, i)
		u.Upper.Dense(hi, i)
		for j, x := range p {
			if x < q[j] || x > hi[j] {
				return false
			}
		}
		return true
	}
	u.Nominal.Dense(q, i)
	for j, x := range p {
		switch u.Kind {
		case model.L1:
			distance += math.Abs(x - q[j])
		case model.KL:
			distance += x * math.Log(x/q[j])
		case model.Chi2:
			distance += (x - q[j]) * (x - q[j]) / q[j]
		}
	}
	return distance <= u.Radius[i]
}

// atLeast is the least share of the data sets that a coverage of at least
// confidence gives but for a chance of a few in 10^5.
func atLeast(confidence float64) float64 {
	return confidence - 4*math.Sqrt(confidence*(1-confidence)/coverSets)
}

// In 2000 simulated data sets the estimated set holds the true kernel, all
// pairs at once, at least as often as is stated: for few tries where the
// guarantee is for every number of them, for many where it is a limit.
func TestSetsCoverTheTrueKernel(t *testing.T) {
	for _, tc := range []struct {
		kind   Kind
		tries  int
		middle float64
		limit  bool // what is stated is a limit that so few tries do not reach
	}{
		{L1, 5, 0, false}, {L1, 60, 0, false}, {Interval, 5, 0, false}, {Interval, 60, 0, false}, {Credible, 5, 0, false}, {Credible, 60, 0, false},
		{KL, 300, 0.3, true}, {Chi2, 300, 0.3, true}, {KL, 10000, 0.3, false}, {Chi2, 10000, 0.3, false},
	} {
		source := rand.NewPCG(7, uint64(tc.tries))
		r := rand.New(source)
		covered := 0
		for range coverSets {
			rows := world(source, tc.middle)
			o := Options{Kind: tc.kind, Confidence: coverConfidence, Prior: -1, Seed: r.Uint64()}
			if tc.kind == Credible {
				o.Prior = 1 // what the rows were drawn from
			}
			got, faults := Run(sample(source, rows, tc.tries), o)
			if len(faults) > 0 {
				t.Fatal(faults)
			}
			all := true
			for i, p := range rows {
				all = all && within(&got.Problem.Uncertainty, i, p)
			}
			if all {
				covered++
			}
		}
		share := float64(covered) / coverSets
		t.Logf("%-12s %5d tries of each pair: the true kernel is in %.3f of %d sets, stated %v", tc.kind, tc.tries, share, coverSets, coverConfidence)
		if least := atLeast(coverConfidence); share < least && !tc.limit || share < least-0.05 {
			t.Errorf("%s: covered %v, stated %v", tc.kind, share, coverConfidence)
		}
	}
}

// Of M samples of the posterior the worst is worse for a fixed policy than the
// truth with probability M/(M+1); the bootstrap comes close with many tries.
func TestSamplesAreWorseThanTheTruthAsOftenAsStated(t *testing.T) {
	for _, tc := range []struct {
		kind  Kind
		tries int
		slack float64 // of a limit that is not reached
	}{{Posterior, 10, 0}, {Bootstrap, 300, 0.01}} {
		source := rand.NewPCG(11, 3)
		r := rand.New(source)
		covered := 0
		for range coverSets {
			rows := world(source, 0)
			got, faults := Run(sample(source, rows, tc.tries), Options{Kind: tc.kind, Confidence: coverConfidence, Prior: 1, Seed: r.Uint64()})
			if len(faults) > 0 {
				t.Fatal(faults)
			}
			p := got.Problem
			p.Uncertainty.Kernels = p.Uncertainty.Kernels[1:] // without the nominal one
			if len(p.Uncertainty.Kernels) != 9 {
				t.Fatalf("%d samples for a confidence of 0.9, want 9", len(p.Uncertainty.Kernels))
			}
			worst := value(t, p)
			var flat []float64
			for _, row := range rows {
				flat = append(flat, row...)
			}
			p.Uncertainty.Kernels = []*model.Kernel{model.NewKernel(coverS, flat)}
			if value(t, p) <= worst {
				covered++
			}
		}
		share := float64(covered) / coverSets
		t.Logf("%-12s %4d tries of each pair: the truth is no worse in %.3f of %d sets, stated 0.9", tc.kind, tc.tries, share, coverSets)
		if share < atLeast(coverConfidence)-tc.slack {
			t.Errorf("%s: covered %v", tc.kind, share)
		}
	}
}

// value is the worst return of the uniform policy.
func value(t *testing.T, p *model.Problem) float64 {
	t.Helper()
	ev, err := evaluate.New(p.Standard())
	if err != nil {
		t.Fatal(err)
	}
	ev.Evaluate(ev.M.Uniform())
	return ev.J[0]
}
