package certify

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"rcmdplab/core/certify/enclosure"
	"rcmdplab/core/evaluate"
	"rcmdplab/core/internal/fixture"
	"rcmdplab/core/model"
)

func rat(x float64) *big.Rat { return new(big.Rat).SetFloat64(x) }

// holds reports whether an interval holds a number.
func holds(a enclosure.Interval, r *big.Rat) bool {
	return (math.IsInf(a.Lo(), -1) || rat(a.Lo()).Cmp(r) <= 0) && (math.IsInf(a.Hi(), 1) || rat(a.Hi()).Cmp(r) >= 0)
}

// plainly computes J_n by Gauss' elimination on fractions, straight from the
// definitions: another route than the integer determinants.
func plainly(in *instance, rows []row, grid []int64, n int) *big.Rat {
	s := in.S
	a := make([][]*big.Rat, s)
	for i := range a {
		a[i] = make([]*big.Rat, s+1)
		for j := range a[i] {
			a[i][j] = new(big.Rat)
		}
		a[i][i].SetInt64(1)
		for k := in.Off[i]; k < in.Off[i+1]; k++ {
			w := gridRat(grid[k])
			c := new(big.Rat)
			for j, to := range rows[k].next {
				p := rows[k].at(j)
				if in.costs[n].onward {
					c.Add(c, new(big.Rat).Mul(p, in.costs[n].list[k*s+to]))
				}
				p.Mul(p, w).Mul(p, in.gamma)
				a[i][to].Sub(a[i][to], p)
			}
			if !in.costs[n].onward {
				c = in.costs[n].list[k]
			}
			a[i][s].Add(a[i][s], new(big.Rat).Mul(w, c))
		}
	}
	for k := range s {
		for i := range s {
			if i == k {
				continue
			}
			f := new(big.Rat).Quo(a[i][k], a[k][k])
			for j := k; j <= s; j++ {
				a[i][j].Sub(a[i][j], new(big.Rat).Mul(f, a[k][j]))
			}
		}
	}
	j := new(big.Rat)
	for i, to := range in.mu.next {
		v := new(big.Rat).Quo(a[to][s], a[to][to])
		j.Add(j, v.Mul(v, in.mu.at(i)))
	}
	return j
}

func mustInstance(t testing.TB, p *model.Problem) *instance {
	t.Helper()
	in := newInstance(p, always)
	return in
}

func randomPolicy(rng *rand.Rand, l *model.Layout) []float64 {
	pi := make([]float64, l.Pairs())
	for s := range l.S {
		a, b, total := l.Off[s], l.Off[s+1], 0.0
		for i := a; i < b; i++ {
			if pi[i] = math.Pow(rng.ExpFloat64(), 3); rng.IntN(4) == 0 {
				pi[i] = 0
			}
			total += pi[i]
		}
		if total == 0 {
			pi[a], total = 1, 1
		}
		for i := a; i < b; i++ {
			pi[i] /= total
		}
	}
	return pi
}

// randomProblem draws a small problem of the kind: missing actions, an initial
// distribution with zeros, costs of either sense, scale, sign and dependence
// on the next state, zeros in transition rows.
func randomProblem(rng *rand.Rand, kind model.Kind) *model.Problem {
	s, a := 1+rng.IntN(4), 1+rng.IntN(3)
	available := make([]bool, s*a)
	for i := range s {
		for j := range a {
			available[i*a+j] = rng.IntN(4) > 0
		}
		available[i*a+rng.IntN(a)] = true
	}
	l := model.NewLayout(s, a, available)
	p := &model.Problem{Name: "random", Layout: l, Discount: math.Round(100*rng.Float64()*0.97) / 100, Maximize: rng.IntN(2) == 0}
	for i := range s {
		p.States = append(p.States, fmt.Sprint("s", i))
	}
	for j := range a {
		p.Actions = append(p.Actions, fmt.Sprint("a", j))
	}
	distribution := func() []float64 {
		v, total := make([]float64, s), 0.0
		for i := range v {
			if rng.IntN(3) > 0 {
				v[i] = math.Pow(rng.Float64(), float64(1+rng.IntN(6)))
			}
			total += v[i]
		}
		if total == 0 {
			v[rng.IntN(s)], total = 1, 1
		}
		for i := range v {
			v[i] /= total
		}
		return v
	}
	p.Initial = distribution()
	cost := func(name string) model.Cost {
		c := model.Cost{Name: name, Average: rng.IntN(3) == 0}
		scale, shift := math.Pow(10, float64(rng.IntN(5)-2)), float64(rng.IntN(3)-1)
		draw := func(n int) []float64 {
			v := make([]float64, n)
			for i := range v {
				v[i] = scale * (rng.Float64() + shift)
			}
			return v
		}
		if rng.IntN(3) == 0 {
			c.Next = draw(s * a * s)
		} else {
			c.Values = draw(s * a)
		}
		return c
	}
	p.Objective = cost("objective")
	for n := range rng.IntN(3) {
		p.Constraints = append(p.Constraints, model.Constraint{Cost: cost(fmt.Sprint("c", n)), AtLeast: rng.IntN(2) == 0})
	}
	kernel := func() *model.Kernel {
		var rows []float64
		for range l.Pairs() {
			rows = append(rows, distribution()...)
		}
		k := model.NewKernel(s, rows)
		k.Name = fmt.Sprint("k", len(p.Uncertainty.Kernels))
		return k
	}
	u := &p.Uncertainty
	u.Kind = kind
	switch kind {
	case model.Finite:
		for range 1 + rng.IntN(3) {
			u.Kernels = append(u.Kernels, kernel())
		}
	case model.Interval:
		var lo, hi []float64
		for range l.Pairs() {
			for _, x := range distribution() {
				w := rng.Float64() * float64(rng.IntN(2))
				lo, hi = append(lo, max(0, x-w/3)), append(hi, min(1, x+w))
			}
		}
		u.Lower, u.Upper = model.NewKernel(s, lo), model.NewKernel(s, hi)
	default:
		u.Nominal = kernel()
		u.SupportAll = rng.IntN(2) == 0
		radius := func() float64 { return float64(rng.IntN(3)) / 2 * math.Pow(rng.Float64(), 3) }
		u.Radius = []float64{radius()}
		if rng.IntN(2) == 0 {
			u.Radius = make([]float64, s*a)
			for i := range u.Radius {
				u.Radius[i] = radius()
			}
		}
		if kind == model.KLRegularized {
			u.Radius, u.Temperature = nil, math.Exp(2*rng.NormFloat64())
		}
	}
	// Bounds near the returns of some policy, so that verdicts differ.
	for n := range p.Constraints {
		c := &p.Constraints[n]
		m := 0.0
		for _, v := range [][]float64{c.Values, c.Next} {
			for _, x := range v {
				m += x / float64(len(v))
			}
		}
		if c.Bound = m; !c.Average {
			c.Bound = m / (1 - p.Discount)
		}
	}
	return p
}

func TestExactReturnsAgreeWithPlainElimination(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 1))
	verdicts := map[Verdict]int{}
	for range 300 {
		p := randomProblem(rng, model.Finite)
		in := mustInstance(t, p)
		policy := randomPolicy(rng, p.Layout)
		e, err := Evaluate(p, policy)
		if err != nil {
			t.Fatal(err)
		}
		if !e.Exact {
			t.Fatal("a small problem was not evaluated exactly")
		}
		grid := in.onGrid(policy)
		for n, r := range e.Returns {
			var worst *big.Rat
			for _, rows := range in.kernels {
				if j := plainly(in, rows, grid, n); worst == nil || j.Cmp(worst) > 0 {
					worst = j
				}
			}
			if want := enclosure.Around(worst); r.Lo != want.Lo() || r.Hi != want.Hi() {
				t.Fatalf("cost %d: got %v, want %v", n, r, want)
			}
			if n > 0 {
				verdicts[r.Verdict]++
				if slack := new(big.Rat).Sub(in.b[n], worst); (slack.Sign() >= 0) != (r.Verdict == Met) || rat(r.Slack).Cmp(slack) > 0 {
					t.Fatalf("cost %d: verdict %v with slack %v", n, r, slack)
				}
			}
		}
		// The enclosure of large problems must hold the exact number too.
		for k, rows := range in.kernels {
			for n, v := range residuals(t, p, k, e.Policy) {
				j := plainly(in, rows, grid, n)
				scale := max(1, math.Abs(v.Hi()))
				if h := 1 / (1 - p.Discount); !holds(v, j) || v.Hi()-v.Lo() > 1e-13*h*h*scale {
					t.Fatalf("kernel %d, cost %d: enclosure %v does not hold %v, or is too wide", k, n, v, enclosure.Nearest(j))
				}
			}
		}
	}
	if verdicts[Met] < 50 || verdicts[Violated] < 50 {
		t.Errorf("verdicts %v: the test sees too little of one side", verdicts)
	}
}

// residuals are the returns of a policy under one kernel, by residuals.
func residuals(t testing.TB, p *model.Problem, kernel int, pi []float64) (ranges []enclosure.Interval) {
	t.Helper()
	x := mustImage(t, p)
	for n := range x.costs {
		y := x.alone(p.Uncertainty.Kernels[kernel], n)
		r := y.returns(pi, nil, always)
		ranges = append(ranges, r)
	}
	return ranges
}

func TestReturnsOfFixtures(t *testing.T) {
	for _, name := range fixture.Names(t) {
		p := fixture.Problem(t, name)
		if p.Uncertainty.Kind != model.Finite {
			continue
		}
		t.Run(name, func(t *testing.T) {
			known, in := fixture.Expected(t, name), mustInstance(t, p)
			m := p.Standard()
			for key, policy := range known.Policies {
				e, err := Evaluate(p, policy.Flat(p.Layout))
				if err != nil {
					t.Fatal(err)
				}
				for n, r := range e.Returns {
					want, h := m.Internal(n, known.Evaluations[key].J[n]), known.H
					// The grid of 2^-48 moves a return by at most S·2^-48·H²; the fixture is good to 4e-12.
					tol := float64(p.Layout.S)*0x1p-48*h*h + 1e-11
					if !(r.Lo <= r.Hi && math.Abs(r.Lo-want) <= tol && math.Abs(r.Hi-want) <= tol) {
						t.Errorf("%s, cost %d: proved [%v, %v], want %v within %v", key, n, r.Lo, r.Hi, want, tol)
					}
				}
				if testing.Short() {
					continue // whole numbers divide the same everywhere
				}
				exact := known.Exact[key]
				grid := in.onGrid(policy.Flat(p.Layout))
				for k, rows := range in.kernels {
					if exact == nil || !e.Exact {
						break
					}
					for n, j := range in.exactSystem(rows, grid).solve() {
						want, _ := new(big.Rat).SetString(exact[n][k])
						d, _ := new(big.Rat).Sub(j, want).Float64()
						if h := known.H; math.Abs(d) > float64(p.Layout.S)*0x1p-48*h*h {
							t.Errorf("%s, cost %d, kernel %d: differs from the exact enclosure.Fraction by %v", key, n, k, d)
						}
					}
				}
			}
		})
	}
}

// TestLargeProblemsAreEnclosed compares the enclosure with package evaluate
// where exact fractions would take too long.
func TestLargeProblemsAreEnclosed(t *testing.T) {
	rng := rand.New(rand.NewPCG(18, 1))
	p := garnet(rng, 60, 3, 2, 0.99)
	pi := randomPolicy(rng, p.Layout)
	e, err := Evaluate(p, pi)
	if err != nil {
		t.Fatal(err)
	}
	if e.Exact {
		t.Fatal("evaluated exactly; want a larger problem")
	}
	ev, err := evaluate.New(p.Standard())
	if err != nil {
		t.Fatal(err)
	}
	ev.Evaluate(e.Policy)
	for n, r := range e.Returns {
		if !(r.Lo <= r.Hi && r.Hi-r.Lo < 1e-9 && math.Abs(r.Hi-ev.J[n]) < 1e-9+ev.ErrorBound[n]) {
			t.Errorf("cost %d: proved [%v, %v], evaluated %v", n, r.Lo, r.Hi, ev.J[n])
		}
		if n > 0 && r.Verdict != Met {
			t.Errorf("constraint %d: verdict %v with slack %v", n, r.Verdict, r.Slack)
		}
	}
	// A threshold inside the enclosure is decided by exact residuals.
	wide := residuals(t, p, 0, e.Policy)[1]
	if other := residuals(t, p, 1, e.Policy)[1]; other.Hi() > wide.Hi() {
		wide = other
	}
	p.Constraints[0].Bound = wide.Lo() + (wide.Hi()-wide.Lo())/2
	if e, _ = Evaluate(p, pi); e.Returns[1].Verdict == Undecided || !(e.Returns[1].Hi-e.Returns[1].Lo < (wide.Hi()-wide.Lo())/100) {
		t.Errorf("a threshold within [%v, %v] gives %+v", wide.Lo(), wide.Hi(), e.Returns[1])
	}
	p.Constraints[0].Bound = e.Returns[1].Lo - 1e-6
	if e, _ = Evaluate(p, pi); e.Returns[1].Verdict != Violated {
		t.Errorf("a threshold below %v gives %v", e.Returns[1].Lo, e.Returns[1].Verdict)
	}
}

// garnet is a random problem of a given size with one constraint that every
// policy meets.
func garnet(rng *rand.Rand, s, a, kernels int, gamma float64) *model.Problem {
	p := &model.Problem{Name: "garnet", Layout: model.NewLayout(s, a, nil), Discount: gamma}
	for i := range s {
		p.States = append(p.States, fmt.Sprint("s", i))
		p.Initial = append(p.Initial, 1/float64(s))
	}
	for j := range a {
		p.Actions = append(p.Actions, fmt.Sprint("a", j))
	}
	costs := func(name string) model.Cost {
		c := model.Cost{Name: name}
		for range s * a {
			c.Values = append(c.Values, rng.Float64())
		}
		return c
	}
	p.Objective = costs("objective")
	p.Constraints = []model.Constraint{{Cost: costs("constraint"), Bound: 1 / (1 - gamma)}}
	p.Uncertainty.Kind = model.Finite
	for k := range kernels {
		var rows []float64
		for range s * a {
			row, total := make([]float64, s), 0.0
			for j := range row {
				row[j] = math.Pow(rng.Float64(), 10)
				total += row[j]
			}
			for j := range row {
				row[j] /= total
			}
			rows = append(rows, row...)
		}
		ker := model.NewKernel(s, rows)
		ker.Name = fmt.Sprint("k", k)
		p.Uncertainty.Kernels = append(p.Uncertainty.Kernels, ker)
	}
	return p
}

func TestTheInstanceIsWhatWasTyped(t *testing.T) {
	for _, tc := range []struct {
		x    float64
		want string
	}{
		{0, "0"}, {1, "1"}, {0.1, "1/10"}, {-2.5, "-5/2"}, {1e-7, "1/10000000"}, {123456789, "123456789"}, {5e22, "50000000000000000000000"},
		{0.30000000000000004, "30000000000000004/100000000000000000"}, {5e-324, "5e-324"}, {math.MaxFloat64, "1.7976931348623157e308"},
	} {
		want, _ := new(big.Rat).SetString(tc.want)
		if got := enclosure.Decimal(tc.x); got.Cmp(want) != 0 || enclosure.Nearest(got) != tc.x {
			t.Errorf("%v is read as %v; want %v", tc.x, got, want)
		}
	}
	// Rows that miss 1 are divided by their exact sum, as the format says.
	for _, third := range []float64{1. / 3, 0.333333333} {
		r := distribution([]int{0, 1, 2}, []float64{third, third, third}, 0)
		if r.at(0).Cmp(big.NewRat(1, 3)) != 0 || r.at(2).Cmp(big.NewRat(1, 3)) != 0 || r.near[1] != 1./3 {
			t.Errorf("%v", r)
		}
	}
	for _, bad := range [][]float64{{}, {0.5, 0.4}, {1.5, -0.5}, {math.NaN(), 1}, {math.Inf(1)}} {
		if caught(func() { distribution(make([]int, len(bad)), bad, 0) }) == nil {
			t.Errorf("%v is taken for a distribution", bad)
		}
	}
	// Of ends that leave no room by rounding the first largest makes it; others stay, and are refused where they miss more.
	for _, ends := range []struct {
		end  int
		prob []float64
		want string // of the second; "": refused
	}{{-1, []float64{.25, .7500000005}, "3/4"}, {-1, []float64{.25, .5}, "1/2"}, {-1, []float64{.25, .8}, ""}, {1, []float64{.25, .7499999995}, "3/4"}, {1, []float64{1, .5}, "1/2"}, {1, []float64{.25, .7}, ""}} {
		var r row
		err := caught(func() { r = distribution([]int{0, 1}, ends.prob, ends.end) })
		if (err != nil) != (ends.want == "") || err == nil && r.at(1).RatString() != ends.want {
			t.Errorf("ends %v, %d: %v, %v", ends.prob, ends.end, r, err)
		}
	}
	if lo, hi := enclosure.Around(big.NewRat(1, 3)).Lo(), enclosure.Around(big.NewRat(1, 3)).Hi(); math.Nextafter(lo, 1) != hi || !holds(enclosure.Of(lo, hi), big.NewRat(1, 3)) {
		t.Errorf("1/3 is enclosed by [%b, %b]", lo, hi)
	}
	huge := new(big.Rat).Mul(rat(math.MaxFloat64), big.NewRat(2, 1))
	if v := enclosure.Around(huge); v.Lo() != math.MaxFloat64 || !math.IsInf(v.Hi(), 1) {
		t.Errorf("twice the largest float64 is enclosed by %v", v)
	}
}

func BenchmarkEvaluate(b *testing.B) {
	for _, name := range []string{"a_seed0", "ref_seed0"} {
		p := fixture.Problem(b, name)
		pi := randomPolicy(rand.New(rand.NewPCG(1, 1)), p.Layout)
		in := mustInstance(b, p)
		grid := in.onGrid(pi)
		b.Run(fmt.Sprintf("exact/S=%d/A=%d/U=%d", p.Layout.S, p.Layout.A, len(in.kernels)), func(b *testing.B) {
			for b.Loop() {
				for _, rows := range in.kernels {
					in.exactSystem(rows, grid).solve()
				}
			}
			b.ReportMetric(float64(in.work(in.kernels[0], grid)*len(in.kernels)), "products")
		})
		b.Run(fmt.Sprintf("enclosure/S=%d/A=%d/U=%d", p.Layout.S, p.Layout.A, len(in.kernels)), func(b *testing.B) {
			for b.Loop() {
				for k := range in.kernels {
					residuals(b, p, k, fromGrid(grid))
				}
			}
		})
	}
}
