package game_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"rcmdplab/core/evaluate"
	"rcmdplab/core/game"
	"rcmdplab/core/internal/bellman"
	"rcmdplab/core/internal/fixture"
	"rcmdplab/core/model"
	"rcmdplab/core/vector"
)

func walk(n int, kind model.Kind) *model.Problem { return fixture.Walk(n, kind, false) }

func allKinds() []model.Kind {
	return []model.Kind{model.L1, model.TV, model.LInf, model.L2, model.Chi2, model.KL, model.KLRegularized, model.Contamination, model.Interval}
}

// valueIteration is the plain method: V <- TV until MacQueen's bounds meet, V* - TV between γ/(1-γ) times the least
// and the largest move.
func valueIteration(t *testing.T, m *model.Standard, w []float64) float64 {
	t.Helper()
	op := bellman.New(t, m)
	v, q := make([]float64, m.S), make([]float64, m.Pairs())
	for range 200000 {
		op.Apply(q, nil, v, w)
		low, high := math.Inf(1), math.Inf(-1)
		for s := range v {
			least := slices.Min(q[m.Off[s]:m.Off[s+1]])
			low, high = min(low, least-v[s]), max(high, least-v[s])
			v[s] = least
		}
		if far := m.Gamma * m.H; far*(high-low) <= 1e-13*(1+vector.Largest(v)) {
			return vector.Dot(m.Mu, v) + far*(high+low)/2
		}
	}
	t.Fatal("value iteration does not end")
	return 0
}

// TestGameIsTheFixedPoint: on grids and random models of every kind, with
// weights on several costs, the values are those of plain value iteration, and
// the gap said is met.
func TestGameIsTheFixedPoint(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 8))
	check := func(m *model.Standard, w []float64) {
		t.Helper()
		x := game.New(m, nil)
		want := valueIteration(t, m, w)
		size := 0.0
		for n, y := range w {
			lo, hi := m.Bounds(n)
			size += y * max(hi, -lo)
		}
		for _, again := range []bool{false, true} {
			x.Play(w, 1e-11*size*m.H, nil)
			gap := x.Gap()
			if !(gap <= 1e-10*size*m.H) || !(math.Abs(x.Lower()-want) <= 1e-9*size*m.H) {
				t.Fatalf("%s, S=%d, γ=%v, again %v: got %v with a gap of %g, want %v", m.Problem.Uncertainty.Kind, m.S, m.Gamma, again, x.Lower(), gap, want)
			}
		}
	}
	for _, kind := range allKinds() {
		p := walk(8, kind)
		check(p.Standard(), []float64{1})
		p.Uncertainty.SupportAll = true
		check(p.Standard(), []float64{1})
		for range 6 {
			m := randomRectangular(rng, kind)
			w := make([]float64, m.N+1)
			w[0] = rng.Float64() // together 1: the plain operator pays one price
			w[1] = 1 - w[0]
			check(m, w)
		}
	}
}

// randomRectangular draws a small model of a kind with two costs, one of the
// next state at times.
func randomRectangular(rng *rand.Rand, kind model.Kind) *model.Standard {
	p := walk(2+rng.IntN(3), kind)
	p.Discount = []float64{0, .5, .9, .99}[rng.IntN(4)]
	s, pairs := p.Layout.S, p.Layout.Pairs()
	p.Uncertainty.SupportAll = rng.IntN(2) == 0
	cost := func(name string) model.Cost {
		c := model.Cost{Name: name}
		if rng.IntN(3) == 0 {
			for range pairs * s {
				c.Next = append(c.Next, math.Round(4*rng.Float64())/4)
			}
			return c
		}
		for range pairs {
			c.Values = append(c.Values, rng.NormFloat64())
		}
		return c
	}
	p.Objective = cost("c")
	p.Constraints = []model.Constraint{{Cost: cost("d"), Bound: 1}}
	return p.Standard()
}

// TestGameUnderOneKernel is policy iteration: the values of value iteration,
// and an occupancy measure that gives the same return.
func TestGameUnderOneKernel(t *testing.T) {
	for _, gamma := range []float64{.5, .95, .9999} {
		for _, n := range []int{3, 12} {
			p := walk(n, model.Finite)
			p.Discount = gamma
			m := p.Standard()
			if game.New(m, nil) != nil {
				t.Fatal("a finite set has no robust operator")
			}
			x := game.New(m, m.Kernels[0])
			x.Play([]float64{1}, 0, nil)
			v := make([]float64, m.S)
			for range int(40 * m.H) {
				far := 0.0
				for s := range v {
					best := math.Inf(1)
					for i := m.Off[s]; i < m.Off[s+1]; i++ {
						next, prob := m.Kernels[0].Row(i)
						q := m.C[0][i]
						for j, to := range next {
							q += gamma * prob[j] * v[to]
						}
						best = min(best, q)
					}
					far = max(far, math.Abs(best-v[s]))
					v[s] = best
				}
				if far < 1e-15*m.H {
					break
				}
			}
			d := make([]float64, m.S)
			x.Occupancy(d, nil, 1e-14*m.H)
			paid := 0.0
			for s, i := range x.Choice {
				paid += d[s] * m.C[0][i]
			}
			if tol := 1e-11 * m.H; !(math.Abs(x.Lower()-v[0]) <= tol) || !(math.Abs(paid-v[0]) <= tol) {
				t.Errorf("γ=%v, n=%d: %v and by the measure %v, want %v", gamma, n, x.Lower(), paid, v[0])
			}
		}
	}
}

// TestGameIsLinear: at a hundred times the states the work per state is still
// a few dozen sweeps, and the pauses between two pieces of it are as many.
func TestGameIsLinear(t *testing.T) {
	for _, gamma := range []float64{.95, .999} {
		for _, kind := range []model.Kind{model.L1, model.KL, model.LInf} {
			p := walk(50, kind)
			p.Discount = gamma
			m := p.Standard()
			x := game.New(m, nil)
			x.Play([]float64{1}, 1e-9*m.H, nil)
			if gap := x.Gap(); gap > 1e-9*m.H || x.Sweeps > 200 || x.Solves > 60 {
				t.Errorf("%s, γ=%v: gap %g after %d sweeps and %d solves", kind, gamma, gap, x.Sweeps, x.Solves)
			}
		}
	}
}

// TestGameKernel: the completed kernel's rows all attain the operator at V.
func TestGameKernel(t *testing.T) {
	for _, all := range []bool{false, true} {
		p := walk(11, model.L1)
		p.Uncertainty.SupportAll = all
		m := p.Standard()
		x := game.New(m, nil)
		x.Play([]float64{1}, 1e-9, nil)
		k, _ := x.Kernel()
		q := make([]float64, m.Pairs())
		v, _ := x.Values()
		bellman.New(t, m).Apply(q, nil, v, []float64{1})
		for i := range q {
			next, prob := k.Row(i)
			y := m.C[0][i]
			for j, to := range next {
				y += m.Gamma * prob[j] * v[to]
			}
			if !(math.Abs(y-q[i]) <= 1e-12*m.H) {
				t.Fatalf("pair %d: the row gives %v, the operator %v", i, y, q[i])
			}
		}
	}
}

// TestGamePauses: a game of a model of 2 500 states asks at least every other sweep
// whether to go on.
func TestGamePauses(t *testing.T) {
	for _, kind := range []model.Kind{model.L1, model.KL} {
		m := fixture.Walk(50, kind, true).Standard()
		e, err := evaluate.New(m)
		if err != nil {
			t.Fatal(err)
		}
		asked := 0
		e.Pace(func() bool { asked++; return true })
		x := game.New(m, nil).KeepPace(e.Own())
		x.Play([]float64{1, 0}, 1e-9, nil)
		if asked < x.Sweeps/2 {
			t.Errorf("%s: %d sweeps asked %d times", kind, x.Sweeps, asked)
		}
	}
}

// TestGameAtDiscountOne: on a walk that ends, with no discount, values are those of a
// discount of almost 1, and a residual weighs the time until the end.
func TestGameAtDiscountOne(t *testing.T) {
	for _, n := range []int{6, 150} { // by elimination and by iteration
		atDiscountOne(t, n)
	}
}

func atDiscountOne(t *testing.T, n int) {
	t.Helper()
	// 0 is the end; from s > 0 one goes down by .9 (action 0, cost 1) or .5 (cost .4), else stays.
	l := model.NewLayout(n, 2, nil)
	k := &model.Kernel{Ptr: []int{0}, Sparse: true}
	c := make([]float64, 2*n)
	for i, s := range l.State {
		if s > 0 {
			p := []float64{.9, .5}[l.Act[i]]
			k.Next, k.Prob = append(k.Next, s-1, s), append(k.Prob, p, 1-p)
			c[i] = []float64{1, .4}[l.Act[i]]
		}
		k.Ptr = append(k.Ptr, len(k.Next))
	}
	mu := make([]float64, n)
	mu[n-1] = 1
	m := &model.Standard{Layout: l, Gamma: 1, H: math.Inf(1), Mu: mu, C: [][]float64{c}, CNext: [][]float64{nil}, Kernels: []*model.Kernel{k},
		Problem: &model.Problem{Layout: l, Discount: 1, Uncertainty: model.Uncertainty{Kind: model.Finite}}}
	x := game.New(m, k)
	x.Play([]float64{1}, 0, nil)
	w := make([]float64, n)
	x.Time(w)
	v, _ := x.Values()
	for s, v := range v { // .4/.5 = .8 a step down, two units of time each
		if !(math.Abs(v-.8*float64(s)) <= 1e-13*float64(n) && math.Abs(w[s]-2*float64(s)) <= 1e-12*float64(n)) {
			t.Errorf("state %d: %v in time %v", s, v, w[s])
		}
	}
	if got := x.Lower(); !(math.Abs(got-.8*float64(n-1)) <= 1e-11 && x.Gap() <= 1e-11) {
		t.Errorf("bound %v, gap %v", got, x.Gap())
	}
}
