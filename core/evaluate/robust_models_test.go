package evaluate_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"rcmdplab/core/internal/bellman"
	"rcmdplab/core/model"
)

// kinds are the sets with a radius that matters.
var kinds = []model.Uncertainty{
	{Kind: model.KL, Radius: []float64{.1}},
	{Kind: model.KL, Radius: []float64{2}},
	{Kind: model.KLRegularized, Temperature: 2},
	{Kind: model.KLRegularized, Temperature: .05},
	{Kind: model.L1, Radius: []float64{.3}},
	{Kind: model.L1, Radius: []float64{.3}, SupportAll: true},
	{Kind: model.TV, Radius: []float64{.1}, SupportAll: true},
	{Kind: model.L2, Radius: []float64{.2}},
	{Kind: model.L2, Radius: []float64{.2}, SupportAll: true},
	{Kind: model.LInf, Radius: []float64{.1}},
	{Kind: model.LInf, Radius: []float64{.1}, SupportAll: true},
	{Kind: model.Chi2, Radius: []float64{.5}},
	{Kind: model.Contamination, Radius: []float64{.2}},
	{Kind: model.Contamination, Radius: []float64{.2}, SupportAll: true},
	{Kind: model.Interval},
}

func label(u model.Uncertainty) string {
	s := string(u.Kind)
	if u.SupportAll {
		s += "/all"
	}
	if len(u.Radius) == 1 {
		s += fmt.Sprint("/", u.Radius[0])
	} else if u.Temperature > 0 {
		s += fmt.Sprint("/", u.Temperature)
	}
	return s
}

// sparseProblem draws a problem with s states, up to a actions of which some
// are missing, b successors a pair (s: dense rows), two constraints, and costs
// of both signs of which the last depends on the next state when s is small.
func sparseProblem(u model.Uncertainty, s, a, b int, gamma float64, seed uint64) *model.Standard {
	rng := rand.New(rand.NewPCG(seed, uint64(s)))
	have := make([]bool, s*a)
	for i := range have {
		have[i] = i%a == 0 || rng.IntN(4) > 0
	}
	l := model.NewLayout(s, a, have)
	k := &model.Kernel{Sparse: true, Ptr: []int{0}}
	lo, hi := &model.Kernel{}, &model.Kernel{}
	for range l.Pairs() {
		next := rng.Perm(s)[:b]
		slices.Sort(next)
		p, sum := make([]float64, b), 0.0
		for j := range p {
			p[j] = math.Pow(rng.ExpFloat64(), 3)
			if rng.IntN(8) == 0 && j > 0 {
				p[j] = 0 // listed zeros
			}
			sum += p[j]
		}
		for j := range p {
			p[j] /= sum
			lo.Prob, hi.Prob = append(lo.Prob, max(0, p[j]-.1)), append(hi.Prob, min(1, p[j]+.1))
		}
		k.Next, k.Prob, k.Ptr = append(k.Next, next...), append(k.Prob, p...), append(k.Ptr, len(k.Next)+b)
	}
	lo.Ptr, lo.Next, hi.Ptr, hi.Next = k.Ptr, k.Next, k.Ptr, k.Next
	u.Nominal, u.Lower, u.Upper = k, lo, hi
	cost := func(next bool) model.Cost {
		c := model.Cost{Name: "c"}
		if next {
			c.Next = make([]float64, s*a*s)
			for i := range c.Next {
				c.Next[i] = 3*rng.Float64() - 1
			}
			return c
		}
		c.Values = make([]float64, s*a)
		for i := range c.Values {
			c.Values[i] = 3*rng.Float64() - 1
		}
		return c
	}
	init := make([]float64, s)
	for i := range init {
		init[i] = 1 / float64(s)
	}
	p := &model.Problem{
		States: names("s", s), Actions: names("a", a), Discount: gamma, Initial: init, Layout: l, Uncertainty: u,
		Objective: cost(false), Constraints: []model.Constraint{{Cost: cost(false)}, {Cost: cost(s <= 12), AtLeast: true}},
	}
	return p.Standard()
}

// randomPolicy leaves some actions untaken.
func randomPolicy(rng *rand.Rand, l *model.Layout) []float64 {
	pi := make([]float64, l.Pairs())
	for s := range l.S {
		row := pi[l.Off[s]:l.Off[s+1]]
		sum := 0.0
		for i := range row {
			if i == 0 || rng.IntN(3) > 0 {
				row[i] = rng.ExpFloat64()
			}
			sum += row[i]
		}
		for i := range row {
			row[i] /= sum
		}
	}
	return pi
}

// valueIteration applies the policy's robust operator to v until it moves by less than tol: the values are then
// the operator's within tol H, from wherever it began.
func valueIteration(tb testing.TB, m *model.Standard, pi []float64, n int, v []float64, tol float64) {
	op := bellman.New(tb, m)
	q, w := make([]float64, m.Pairs()), make([]float64, m.N+1)
	w[n] = 1
	for {
		op.Apply(q, nil, v, w)
		move := 0.0
		for s := range v {
			t := 0.0
			for i := m.Off[s]; i < m.Off[s+1]; i++ {
				t += pi[i] * q[i]
			}
			move = max(move, math.Abs(t-v[s]))
			v[s] = t
		}
		if move <= tol {
			return
		}
	}
}

func inner(x, y []float64) float64 {
	t := 0.0
	for i := range x {
		t += x[i] * y[i]
	}
	return t
}

// plainReturn is the return of cost n under one kernel, by sweeps. r is the
// one-step cost by pair.
func plainReturn(m *model.Standard, k *model.Kernel, pi, r []float64) float64 {
	v, w := make([]float64, m.S), make([]float64, m.S)
	for range int(40*m.H) + 10 {
		for s := range v {
			w[s] = 0
			for i := m.Off[s]; i < m.Off[s+1]; i++ {
				if pi[i] == 0 {
					continue
				}
				t := r[i]
				next, p := k.Row(i)
				for j, u := range next {
					t += m.Gamma * p[j] * v[u]
				}
				w[s] += pi[i] * t
			}
		}
		v, w = w, v
	}
	return inner(m.Mu, v)
}

// stepCost is the expected one-step cost by pair under a kernel.
func stepCost(m *model.Standard, k *model.Kernel, n int) []float64 {
	if m.CNext[n] == nil {
		return m.C[n]
	}
	c := make([]float64, m.Pairs())
	for i := range c {
		next, p := k.Row(i)
		for j, u := range next {
			c[i] += p[j] * m.CNext[n][i*m.S+u]
		}
	}
	return c
}

// shapes of random problems: dense and sparse rows, and one above the size from
// which systems are solved by iteration.
var shapes = []struct {
	s, a, b int
	gamma   float64
}{{5, 3, 5, .95}, {12, 3, 4, .9}, {140, 2, 5, .8}, {3, 2, 2, 0}}
