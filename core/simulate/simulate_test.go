package simulate_test

import (
	"math"
	"slices"
	"testing"

	"rcmdplab/core/evaluate"
	"rcmdplab/core/internal/fixture"
	"rcmdplab/core/model"
	"rcmdplab/core/simulate"
)

func evaluator(t testing.TB, name string) *evaluate.Evaluator {
	t.Helper()
	ev, err := evaluate.New(fixture.Problem(t, name).Standard())
	if err != nil {
		t.Fatal(err)
	}
	return ev
}

// skewed is a policy that is nowhere uniform.
func skewed(l *model.Layout) []float64 {
	pi := make([]float64, l.Pairs())
	for s := range l.S {
		sum := 0.0
		for i := l.Off[s]; i < l.Off[s+1]; i++ {
			pi[i] = float64(1 + (i*7+s)%5)
			sum += pi[i]
		}
		for i := l.Off[s]; i < l.Off[s+1]; i++ {
			pi[i] /= sum
		}
	}
	return pi
}

// interval is a problem with an interval around its nominal kernel.
func interval(p *model.Problem) *model.Problem {
	k := p.Uncertainty.Nominal
	lower, upper := *k, *k
	lower.Prob, upper.Prob = slices.Clone(k.Prob), slices.Clone(k.Prob)
	for i, x := range k.Prob {
		lower.Prob[i], upper.Prob[i] = 0.8*x, min(1, x+0.3)
	}
	p.Uncertainty = model.Uncertainty{Kind: model.Interval, Lower: &lower, Upper: &upper}
	return p
}

func totals(x *simulate.Simulator, seed uint64, episodes int) [][]float64 {
	out := make([][]float64, x.M.N+1)
	row := make([]float64, x.M.N+1)
	for e := range episodes {
		x.Totals(row, seed, e)
		for n, v := range row {
			out[n] = append(out[n], v)
		}
	}
	return out
}

// The mean of many episodes is the return that evaluate computes, within five
// standard errors and what the horizon cuts off, under the nominal kernel and
// under the worst one of each cost.
func TestMeansAgreeWithReturns(t *testing.T) {
	episodes := 400
	if testing.Short() {
		episodes = 50
	}
	for name, p := range map[string]*model.Problem{
		"finite": fixture.Problem(t, "a_seed0"), "regularised": fixture.Problem(t, "b_seed0"),
		"l1": fixture.Problem(t, "machine_repair_l1"), "interval": interval(fixture.Problem(t, "machine_repair_l1")),
	} {
		ev, err := evaluate.New(p.Standard())
		if err != nil {
			t.Fatal(err)
		}
		m := ev.M
		pi := skewed(m.Layout)
		nominal, err := simulate.Nominal(m)
		if err != nil {
			t.Fatal(err)
		}
		for n := -1; n <= m.N; n++ {
			k := nominal
			if n >= 0 {
				k = simulate.Worst(ev, pi, n)
			}
			want, err := simulate.Returns(m, pi, k)
			if err != nil {
				t.Fatal(err)
			}
			if n >= 0 && m.Problem.Uncertainty.Kind != model.KLRegularized && !(math.Abs(want[n]-ev.J[n]) <= 1e-6*m.H) {
				t.Errorf("%s: the worst kernel of cost %d gives %v, the worst return is %v", name, n, want[n], ev.J[n])
			}
			x := simulate.New(m, pi, k, 0)
			for c, sums := range totals(x, 5, episodes) {
				s := simulate.SpreadOf(sums)
				if off := math.Abs(s.Mean - want[c]); off > 5*s.StandardError+x.Truncation(c)+1e-12*m.H {
					t.Errorf("%s, kernel %d, cost %d: mean %v ± %v, return %v", name, n, c, s.Mean, s.StandardError, want[c])
				}
			}
		}
	}
}

// Over many seeds the distance of the mean to the return, in standard errors,
// has variance 1: neither the draws nor the errors are off.
func TestStandardErrorsAreOfTheRightSize(t *testing.T) {
	if testing.Short() {
		t.Skip("a test of the draws, which are the same everywhere")
	}
	ev := evaluator(t, "machine_repair")
	m, pi := ev.M, skewed(ev.M.Layout)
	k, _ := simulate.Nominal(m)
	want, err := simulate.Returns(m, pi, k)
	if err != nil {
		t.Fatal(err)
	}
	x := simulate.New(m, pi, k, 0)
	const seeds = 200
	square, mean := 0.0, 0.0
	for seed := range uint64(seeds) {
		s := simulate.SpreadOf(totals(x, seed, 60)[0])
		z := (s.Mean - want[0]) / s.StandardError
		square += z * z / seeds
		mean += z / seeds
	}
	if !(math.Abs(square-1) <= 5*math.Sqrt(2./seeds)) || !(math.Abs(mean) <= 5/math.Sqrt(seeds)) {
		t.Errorf("standardised distances have mean %v and mean square %v, want 0 and 1", mean, square)
	}
}

func TestEpisodesAreTheSameInAnyOrder(t *testing.T) {
	ev := evaluator(t, "a_seed0")
	m, pi := ev.M, skewed(ev.M.Layout)
	k := m.Kernels[2]
	x, y := simulate.New(m, pi, k, 50), simulate.New(m, pi, k, 50)
	all := totals(x, 9, 20)
	row := make([]float64, m.N+1)
	for e := 19; e >= 0; e-- {
		y.Totals(row, 9, e)
		for n, v := range row {
			if v != all[n][e] {
				t.Fatalf("episode %d, cost %d: %v and %v", e, n, v, all[n][e])
			}
		}
	}
	if y.Totals(row, 10, 0); row[0] == all[0][0] {
		t.Error("another seed draws the same episode")
	}
}

func TestPathsAddUpToTotals(t *testing.T) {
	ev := evaluator(t, "machine_repair")
	m, pi := ev.M, skewed(ev.M.Layout)
	k, _ := simulate.Nominal(m)
	x := simulate.New(m, pi, k, 80)
	row := make([]float64, m.N+1)
	for e := range 10 {
		x.Totals(row, 3, e)
		path := x.Path(3, e, 1000)
		if len(path) != 80 {
			t.Fatalf("%d steps, want 80", len(path))
		}
		for n := range row {
			sum, weight := 0.0, 1.0
			for i, s := range path {
				if i > 0 && s.State != path[i-1].Next || m.State[s.Pair] != s.State || pi[s.Pair] == 0 {
					t.Fatalf("step %d: %+v after %+v", i, s, path[max(i-1, 0)])
				}
				sum += weight * simulate.Cost(m, n, s)
				weight *= m.Gamma
			}
			if !(math.Abs(sum-row[n]) <= 1e-12*m.H) {
				t.Errorf("episode %d, cost %d: steps add up to %v, total %v", e, n, sum, row[n])
			}
		}
	}
}

func TestTheTailIsWithinItsBound(t *testing.T) {
	ev := evaluator(t, "machine_repair")
	m, pi := ev.M, skewed(ev.M.Layout)
	k, _ := simulate.Nominal(m)
	short, long := simulate.New(m, pi, k, 20), simulate.New(m, pi, k, 2000)
	a, b := make([]float64, m.N+1), make([]float64, m.N+1)
	for e := range 50 {
		short.Totals(a, 1, e)
		long.Totals(b, 1, e)
		for n := range a {
			if off := math.Abs(a[n] - b[n]); off > short.Truncation(n)+1e-9 {
				t.Errorf("episode %d, cost %d: the tail is %v, its bound %v", e, n, off, short.Truncation(n))
			}
		}
	}
}

func TestSpreadOfFewTotals(t *testing.T) {
	if s := simulate.SpreadOf(nil); !math.IsNaN(s.Mean) || len(s.Quantiles) != len(simulate.Levels()) {
		t.Errorf("of none: %+v", s)
	}
	if s := simulate.SpreadOf([]float64{3}); s.Mean != 3 || !math.IsNaN(s.StandardError) || s.Quantiles[2] != 3 {
		t.Errorf("of one: %+v", s)
	}
	s := simulate.SpreadOf([]float64{4, 1, 3, 2})
	if s.Mean != 2.5 || !(math.Abs(s.StandardError-math.Sqrt(5./3)/2) <= 1e-15) || s.Quantiles[2] != 2 {
		t.Errorf("of four: %+v", s)
	}
}

func BenchmarkTotals(b *testing.B) {
	ev := evaluator(b, "a_seed0")
	x := simulate.New(ev.M, skewed(ev.M.Layout), ev.M.Kernels[0], 1000)
	row := make([]float64, ev.M.N+1)
	b.ReportAllocs()
	for e := 0; b.Loop(); e++ {
		x.Totals(row, 1, e)
	}
}
