package model_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"rcmdplab/core/model"
)

// randomLayout has s states with one to a available actions each.
func randomLayout(r *rand.Rand, s, a int) *model.Layout {
	available := make([]bool, s*a)
	for i := range s {
		for j := range a {
			available[i*a+j] = r.IntN(2) == 0
		}
		available[i*a+r.IntN(a)] = true
	}
	return model.NewLayout(s, a, available)
}

func TestLayout(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for range 200 {
		s, a := 1+r.IntN(6), 1+r.IntN(5)
		available := make([]bool, s*a)
		for i := range available {
			available[i] = r.IntN(2) == 0
		}
		l := model.NewLayout(s, a, available)
		pairs := 0
		for g, have := range available {
			want := -1
			if have {
				want = pairs
				if l.State[pairs] != g/a || l.Act[pairs] != g%a || pairs < l.Off[g/a] || pairs >= l.Off[g/a+1] {
					t.Fatalf("pair %d is not (%d, %d): %+v", pairs, g/a, g%a, l)
				}
				pairs++
			}
			if got := l.Pair(g/a, g%a); got != want {
				t.Fatalf("Pair(%d, %d) = %d, want %d", g/a, g%a, got, want)
			}
		}
		if l.Pairs() != pairs || l.Off[0] != 0 || l.Off[s] != pairs || len(l.State) != pairs {
			t.Fatalf("%d pairs, want %d: %+v", l.Pairs(), pairs, l)
		}
	}
	if l := model.NewLayout(3, 2, nil); l.Pairs() != 6 {
		t.Errorf("nil means every action: %+v", l)
	}
}

func TestPolicies(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 1))
	for range 100 {
		l := randomLayout(r, 1+r.IntN(6), 1+r.IntN(5))
		u := l.Uniform()
		grid := l.Grid(u)
		choice := make([]int, l.S)
		for s := range l.S {
			n := float64(l.Off[s+1] - l.Off[s])
			choice[s] = l.Off[s] + r.IntN(l.Off[s+1]-l.Off[s])
			for a := range l.A {
				want := 0.0
				if l.Pair(s, a) >= 0 {
					want = 1 / n
				}
				if grid[s][a] != want {
					t.Fatalf("uniform policy of %+v is %v", l, grid)
				}
			}
		}
		d := l.Deterministic(choice)
		for i := range d {
			if want := slices.Contains(choice, i); (d[i] == 1) != want || (d[i] == 0) == want {
				t.Fatalf("deterministic policy %v for %v", d, choice)
			}
		}
		c := l.ClonePolicy(u)
		c[0] = -1
		if u[0] == -1 || !slices.Equal(l.ClonePolicy(nil), u) {
			t.Fatal("a clone shares its numbers, or nil is not the uniform policy")
		}
	}
}

// sortedProjection is the textbook projection on the simplex by sorting
// (Held, Wolfe and Crowder 1974), written apart from the one under test.
func sortedProjection(v []float64) []float64 {
	u := slices.Clone(v)
	slices.SortFunc(u, func(a, b float64) int {
		switch {
		case a > b:
			return -1
		case a < b:
			return 1
		}
		return 0
	})
	sum, theta := 0.0, 0.0
	for k, x := range u {
		sum += x
		if t := (sum - 1) / float64(k+1); x > t {
			theta = t
		}
	}
	w := make([]float64, len(v))
	for i, x := range v {
		w[i] = math.Max(x-theta, 0)
	}
	return w
}

// checkProjection checks the optimality conditions of min ½‖x-v‖² on the
// simplex: x >= 0, Σx = 1, and v - x is one number θ where x > 0 and at most θ
// elsewhere. tol is what subtracting numbers of v's size rounds away.
func checkProjection(t *testing.T, v, x []float64, tol float64) {
	t.Helper()
	sum, theta := 0.0, math.Inf(1)
	for i := range x {
		sum += x[i]
		if !(x[i] >= 0) {
			t.Fatalf("negative entry: %v of %v", x, v)
		}
		if x[i] > 0 {
			theta = math.Min(theta, v[i]-x[i])
		}
	}
	if !(math.Abs(sum-1) <= 1e-15*float64(len(x)+1)) {
		t.Fatalf("sum is 1%+g: %v of %v", sum-1, x, v)
	}
	for i := range x {
		if d := v[i] - x[i]; (x[i] > 0 && d > theta+tol) || (x[i] == 0 && d > theta+tol) {
			t.Fatalf("%v is not the projection of %v: multiplier %v at %d, %v elsewhere", x, v, d, i, theta)
		}
	}
}

func TestProject(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 1))
	for n := range 20000 {
		l := randomLayout(r, 1+r.IntN(3), 1+r.IntN(8))
		scale := math.Pow(10, float64(r.IntN(13)-6))
		v := make([]float64, l.Pairs())
		for i := range v {
			switch n % 4 {
			case 0:
				v[i] = scale * r.NormFloat64()
			case 1: // ties
				v[i] = float64(r.IntN(3)) / 2
			case 2: // a step from a policy, the use of eq:policy update
				v[i] = r.Float64() - 1e-4*r.NormFloat64()
			case 3: // far below or above
				v[i] = scale*1e3 + r.Float64()
			}
		}
		x := slices.Clone(v)
		l.Project(x)
		for s := range l.S {
			vs, xs := v[l.Off[s]:l.Off[s+1]], x[l.Off[s]:l.Off[s+1]]
			size := 1.0
			for _, y := range vs {
				size = math.Max(size, math.Abs(y))
			}
			tol := 1e-15 * size * float64(len(vs)+1)
			checkProjection(t, vs, xs, tol)
			for i, y := range sortedProjection(vs) {
				if !(math.Abs(y-xs[i]) <= tol) {
					t.Fatalf("projection of %v is %v, by sorting %v", vs, xs, sortedProjection(vs))
				}
			}
		}
		again := slices.Clone(x)
		l.Project(again)
		for i := range x {
			if !(math.Abs(again[i]-x[i]) <= 1e-15) {
				t.Fatalf("projected twice: %v, once: %v", again, x)
			}
		}
	}
}

// A step so long that the numbers hold no unit any more still gives a policy.
func TestProjectHugeSteps(t *testing.T) {
	l := model.NewLayout(1, 3, nil)
	for _, tc := range []struct{ v, want []float64 }{
		{[]float64{1e20, 0, -1e20}, []float64{1, 0, 0}},
		{[]float64{-1e300, -1e300, -1.7e308}, []float64{0.5, 0.5, 0}},
		{[]float64{math.MaxFloat64, -math.MaxFloat64, 0}, []float64{1, 0, 0}},
		{[]float64{1e17, 1e17, 1e17}, []float64{1. / 3, 1. / 3, 1. / 3}},
		{[]float64{0, math.Inf(-1), 0.5}, []float64{0.25, 0, 0.75}},
	} {
		x := slices.Clone(tc.v)
		l.Project(x)
		for i := range x {
			if !(math.Abs(x[i]-tc.want[i]) <= 1e-15) {
				t.Errorf("projection of %v is %v, want %v", tc.v, x, tc.want)
				break
			}
		}
	}
}

func BenchmarkProject(b *testing.B) {
	for _, z := range []struct{ s, a int }{{7, 4}, {15, 5}, {400, 5}} {
		b.Run(size(z.s, z.a), func(b *testing.B) {
			r := rand.New(rand.NewPCG(4, 1))
			l := model.NewLayout(z.s, z.a, nil)
			v := make([]float64, l.Pairs())
			for i := range v {
				v[i] = r.Float64()
			}
			x := slices.Clone(v)
			b.ReportAllocs()
			for b.Loop() {
				copy(x, v)
				l.Project(x)
			}
		})
	}
}
