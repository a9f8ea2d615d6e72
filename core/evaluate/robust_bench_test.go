package evaluate

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"rcmdplab/core/internal/fixture"
	"rcmdplab/core/model"
)

// benchKinds are the sets, with radii at which nature has room.
var benchKinds = []struct {
	name string
	u    model.Uncertainty
}{
	{"kl", model.Uncertainty{Kind: model.KL, Radius: []float64{.1}}},
	{"kl-regularized", model.Uncertainty{Kind: model.KLRegularized, Temperature: 2}},
	{"l1", model.Uncertainty{Kind: model.L1, Radius: []float64{.2}}},
	{"l1-all", model.Uncertainty{Kind: model.L1, Radius: []float64{.2}, SupportAll: true}},
	{"l2", model.Uncertainty{Kind: model.L2, Radius: []float64{.1}}},
	{"linf", model.Uncertainty{Kind: model.LInf, Radius: []float64{.05}}},
	{"chi2", model.Uncertainty{Kind: model.Chi2, Radius: []float64{.2}}},
	{"contamination", model.Uncertainty{Kind: model.Contamination, Radius: []float64{.1}}},
	{"interval", model.Uncertainty{Kind: model.Interval}},
}

// benchProblem has s states, 3 actions, b successors a pair and one cost.
func benchProblem(u model.Uncertainty, s, b int, gamma float64) *model.Standard {
	const a = 3
	rng := rand.New(rand.NewPCG(uint64(s), uint64(b)))
	l := model.NewLayout(s, a, nil)
	k := &model.Kernel{Ptr: []int{0}}
	lo, hi := &model.Kernel{}, &model.Kernel{}
	seen := make([]int, s)
	for i := range l.Pairs() {
		var next []int
		if b == s {
			for t := range s {
				next = append(next, t)
			}
		}
		for len(next) < b {
			if t := rng.IntN(s); seen[t] != i+1 {
				seen[t] = i + 1
				next = append(next, t)
			}
		}
		slices.Sort(next)
		from, sum := len(k.Prob), 0.0
		for range next {
			x := math.Pow(rng.ExpFloat64(), 2)
			k.Prob = append(k.Prob, x)
			sum += x
		}
		for j := from; j < len(k.Prob); j++ {
			k.Prob[j] /= sum
			lo.Prob, hi.Prob = append(lo.Prob, k.Prob[j]*.8), append(hi.Prob, min(1, k.Prob[j]*1.2+.01/float64(b)))
		}
		k.Next, k.Ptr = append(k.Next, next...), append(k.Ptr, len(k.Prob))
	}
	lo.Ptr, lo.Next, hi.Ptr, hi.Next = k.Ptr, k.Next, k.Ptr, k.Next
	u.Nominal, u.Lower, u.Upper = k, lo, hi
	c, init := make([]float64, s*a), make([]float64, s)
	for i := range c {
		c[i] = rng.Float64()
	}
	for i := range init {
		init[i] = 1 / float64(s)
	}
	p := &model.Problem{
		Discount: gamma, Initial: init, Layout: l, Uncertainty: u, States: make([]string, s), Actions: make([]string, a),
		Objective: model.Cost{Name: "c", Values: c},
	}
	return p.Standard()
}

// nearby draws policies a small step apart, as a search meets them.
func nearby(l *model.Layout, n int) [][]float64 {
	rng := rand.New(rand.NewPCG(9, 9))
	pi := l.Uniform()
	var all [][]float64
	for range n {
		for i := range pi {
			pi[i] += .02 * rng.NormFloat64()
		}
		l.Project(pi)
		all = append(all, slices.Clone(pi))
	}
	return all
}

// BenchmarkRobust times one evaluation of a policy near the last one, and in the
// same run robust value iteration from the last values to the same accuracy.
// steps are linear solves (and sweeps of row maxima) an evaluation, vi-sweeps
// those of value iteration.
func BenchmarkRobust(b *testing.B) {
	for _, k := range benchKinds {
		for _, z := range []struct{ s, b int }{{5, 5}, {20, 20}, {100, 100}, {300, 300}, {1000, 5}, {5000, 5}} {
			b.Run(fmt.Sprintf("%s/S=%d/successors=%d", k.name, z.s, z.b), func(b *testing.B) {
				m := benchProblem(k.u, z.s, z.b, .99)
				e, err := New(m)
				if err != nil {
					b.Fatal(err)
				}
				pis := nearby(m.Layout, 8)
				for _, pi := range pis {
					e.Evaluate(pi)
				}
				r, made := e.inner.(*rectangular), int64(0)
				r.steps, made = 0, productsOf(r)
				i := 0
				b.ReportAllocs()
				for b.Loop() {
					e.Evaluate(pis[i%len(pis)])
					i++
				}
				each := float64(b.Elapsed().Nanoseconds()) / float64(i)
				steps := float64(r.steps) / float64(i)
				products := float64(productsOf(r)-made)/float64(i) + steps
				b.ReportMetric(steps, "steps")
				// Value iteration from the values of the policy before.
				v := slices.Clone(r.faces[0].v)
				_, highest := m.Bounds(0)
				start := time.Now()
				sweeps := sweepUntil(r, pis[i%len(pis)], v, 1e-9*highest)
				vi := float64(time.Since(start).Nanoseconds()) * max(1, sweeps/200)
				b.ReportMetric(sweeps, "vi-sweeps")
				b.ReportMetric(vi/each, "vi-time/time")
				b.ReportMetric(sweeps/products, "vi-products/products")
			})
		}
	}
}

// sweepUntil is plain robust value iteration until TV - V is below residual,
// which bounds the error by residual H. From sweep 200 on the count goes by the
// rate at which the residual falls, for the large models.
func sweepUntil(r *rectangular, pi, v []float64, residual float64) (sweeps float64) {
	const most, stretch = 200, 50
	r.load(pi)
	f, earlier := r.faces[0], 0.0
	for {
		lo, up, _ := r.respond(r.spare, f.is, 0, v)
		res := max(-lo, up)
		if sweeps++; res <= residual {
			return sweeps
		} else if sweeps == most-stretch {
			earlier = res
		} else if sweeps == most {
			return sweeps + math.Log(res/residual)/math.Log(earlier/res)*stretch
		}
		average(r.guess, r.m.Off, r.pi, r.spare.r)
		for s, t := range r.guess { // V ← c + γ ⟨p, V⟩
			for i := r.m.Off[s]; i < r.m.Off[s+1]; i++ {
				next, p := r.spare.ker.Row(i)
				for j, u := range next {
					t += r.m.Gamma * r.pi[i] * p[j] * v[u]
				}
			}
			r.guess[s] = t
		}
		copy(v, r.guess)
	}
}

// BenchmarkRowMaxima times one sweep of row maxima over sparse rows with five
// successors at S = 1000 and then 5000 and reports the exponent of its growth.
func BenchmarkRowMaxima(b *testing.B) {
	for _, k := range benchKinds {
		b.Run(k.name, func(b *testing.B) {
			var each [2]float64
			for size, s := range []int{1000, 5000} {
				e, err := New(benchProblem(k.u, s, 5, .99))
				if err != nil {
					b.Fatal(err)
				}
				e.Evaluate(e.M.Uniform())
				r := e.inner.(*rectangular)
				f := r.faces[0]
				each[size] = math.Inf(1)
				for range 20 { // the least of a few: the machine may be shared
					start := time.Now()
					r.respond(r.spare, f.is, 0, f.v)
					each[size] = min(each[size], float64(time.Since(start).Nanoseconds()))
				}
			}
			for b.Loop() {
			}
			b.ReportMetric(each[1]/float64(5000*3), "ns/row")
			b.ReportMetric(math.Log(each[1]/each[0])/math.Log(5), "exponent")
		})
	}
}

// BenchmarkKLInner is one inner iteration of the paper's setting (b), all six
// costs: evaluate, take the worst cost's gradient, step, project.
func BenchmarkKLInner(b *testing.B) {
	for _, paper := range []bool{false, true} {
		name := map[bool]string{false: "soft", true: "paper"}[paper]
		b.Run(name, func(b *testing.B) {
			p := fixture.Problem(b, "b_seed0")
			p.Uncertainty.Paper = paper
			m := p.Standard()
			e, err := New(m)
			if err != nil {
				b.Fatal(err)
			}
			pi, g := m.Uniform(), make([]float64, m.Pairs())
			b.ReportAllocs()
			k := 0
			for b.Loop() {
				if k++; k%1000 == 0 {
					copy(pi, m.Uniform())
				}
				e.Evaluate(pi)
				_, n := e.Delta(70)
				e.Gradient(g, n)
				for i := range pi {
					pi[i] -= 5e-4 * g[i] / m.H
				}
				m.Project(pi)
			}
		})
	}
}

// productsOf counts matrix-vector products of the iterative solver.
func productsOf(r *rectangular) int64 {
	if y := r.systems[0].sparse; y != nil {
		return y.products
	}
	return 0
}
