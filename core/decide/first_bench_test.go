package decide_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"strings"
	"testing"
	"time"

	"rcmdplab/core/decide"
	"rcmdplab/core/evaluate"
	"rcmdplab/core/instance"
	"rcmdplab/core/internal/fixture"
	"rcmdplab/core/model"
	"rcmdplab/core/solve"
)

// BenchmarkFirstSecond tells how far the checked bound is from the policy after a
// second of processor time, in percent of its value, for models that are answered
// while somebody looks on: what an impatient person sees. It runs in wasm only.
func BenchmarkFirstSecond(b *testing.B) {
	if runtime.GOOS != "js" {
		b.Skip("what counts is the page's solver")
	}
	for _, name := range fixture.Names(b) {
		if strings.HasPrefix(name, "b_seed") || strings.HasPrefix(name, "rect_") {
			b.Run(name, func(b *testing.B) { firstSecond(b, fixture.Problem(b, name)) })
		}
	}
	for seed := uint64(5); seed < 25; seed++ {
		b.Run(fmt.Sprint("setting-a/", seed), func(b *testing.B) { firstSecond(b, instance.SettingA(seed)) })
		b.Run(fmt.Sprint("setting-b/", seed), func(b *testing.B) { firstSecond(b, instance.SettingB(seed)) })
	}
	for seed := uint64(5); seed < 15; seed++ {
		b.Run(fmt.Sprint("chi2/", seed), func(b *testing.B) { firstSecond(b, limitedTwice(b, model.Chi2, seed)) })
		b.Run(fmt.Sprint("kl-regularized/", seed), func(b *testing.B) { firstSecond(b, limitedTwice(b, model.KLRegularized, seed)) })
	}
}

// limitedTwice is a random problem of setting (b) with two limits and with costs of
// any size, its set one of the kind given.
func limitedTwice(t testing.TB, kind model.Kind, seed uint64) *model.Problem {
	f := instance.FamilyB()
	f.Constraints, f.Discount, f.Transition, f.States = 2, .95, 1, 5+int(seed%4)
	p := f.Problem(seed)
	anyCosts(rand.New(rand.NewPCG(seed, 1)), p)
	p.Uncertainty.Kind = kind
	if kind != model.KLRegularized {
		p.Uncertainty.Temperature, p.Uncertainty.Radius = 0, []float64{.1}
	}
	limitAsAverage(t, p)
	return p
}

// nothingOpen stands for a gap of 0, which is printed as no number that can be read.
const nothingOpen = 1e-9

// firstSecond runs the default method until the gap is within its default or the
// second is over.
func firstSecond(b *testing.B, p *model.Problem) {
	open, took := math.Inf(1), time.Second
	for b.Loop() {
		ev, err := evaluate.New(p.Standard())
		if err != nil {
			b.Fatal(err)
		}
		stop := false
		s := decide.Method.Defaults()
		s.Stop = &stop
		from := fixture.CPU()
		for q := range decide.Method.Run(ev, s) {
			now := fixture.CPU() - from
			if stop = stop || now > time.Second; stop {
				continue
			}
			gap := nothingOpen
			switch {
			case q.Status == solve.ProvedOptimal: // of a value of 0 there is no percent
			case q.Best.Feasible && q.Best.Objective > q.LowerBound:
				gap = min(1e6, 100*(q.Best.Objective-q.LowerBound)/math.Abs(q.Best.Objective))
			case !q.Best.Feasible && !q.ProvedInfeasible:
				gap = 1e6
			}
			if open = min(open, gap); gap <= 10 {
				took = min(took, now)
			}
		}
	}
	b.ReportMetric(open, "percent/second")
	b.ReportMetric(float64(took.Milliseconds()), "ms/10-percent")
}
