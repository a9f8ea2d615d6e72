package evaluate

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"rcmdplab/core/model"
	"rcmdplab/core/vector"
)

// graph makes a kernel of two actions: "random" successors, a "grid" walked with
// slips, a "chain" pushed one way or the other, with an end that is never left ("ended"), or "dense" rows.
func graph(kind string, s int) (*model.Layout, *model.Kernel) {
	rng := rand.New(rand.NewPCG(1, uint64(s)))
	l := model.NewLayout(s, 2, nil)
	k := &model.Kernel{Ptr: []int{0}}
	w := int(math.Sqrt(float64(s)))
	for i := range l.Pairs() {
		at, a := l.State[i], l.Act[i]
		row := map[int]float64{}
		switch kind {
		case "random":
			for range 5 {
				row[rng.IntN(s)] += rng.ExpFloat64()
			}
		case "grid":
			for d, step := range [5]int{1, -1, w, -w, 0} {
				p := .05
				if d == 2*a {
					p = .8
				}
				row[min(max(at+step, 0), s-1)] += p
			}
		case "ended": // in the last state, which any may lead to
			if at == s-1 {
				row[at] = 1
				break
			}
			row[s-1] += .01
			fallthrough
		case "chain":
			step := 1 - 2*a
			row[min(max(at+step, 0), s-1)] += .7
			row[at] += .2
			row[min(max(at-step, 0), s-1)] += .1
		case "dense":
			for t := range s {
				row[t] = rng.ExpFloat64()
			}
		}
		sum := 0.0
		for _, p := range row {
			sum += p
		}
		from := len(k.Next)
		for t := range row {
			k.Next = append(k.Next, t)
		}
		slices.Sort(k.Next[from:])
		for _, t := range k.Next[from:] {
			k.Prob = append(k.Prob, row[t]/sum)
		}
		k.Ptr = append(k.Ptr, len(k.Next))
	}
	return l, k
}

// halfway is a policy that leaves the second action alone in some states.
func halfway(l *model.Layout) []float64 {
	rng := rand.New(rand.NewPCG(2, 2))
	pi := make([]float64, l.Pairs())
	for s := range l.S {
		pi[2*s+1] = rng.Float64() * float64(rng.IntN(2))
		pi[2*s] = 1 - pi[2*s+1]
	}
	return pi
}

// TestSystem holds both kinds of system against a general dense solver.
func TestSystem(t *testing.T) {
	for _, kind := range []string{"random", "grid", "chain", "ended", "dense"} {
		for _, s := range []int{1, 2, 3, 4, 5, 7, 8, 9, 16, 33, 70, 150} {
			for _, gamma := range []float64{0, .5, .99, .9999} {
				l, k := graph(kind, s)
				pi := halfway(l)
				a := mat.NewDense(s, s, nil)
				for st := range s {
					a.Set(st, st, 1)
				}
				for i := range l.Pairs() {
					next, p := k.Row(i)
					for j, u := range next {
						a.Set(l.State[i], u, a.At(l.State[i], u)-gamma*pi[i]*p[j])
					}
				}
				rng := rand.New(rand.NewPCG(3, 3))
				b := make([]float64, s)
				for i := range b {
					b[i] = rng.NormFloat64()
				}
				var forward, back mat.VecDense
				if err := forward.SolveVec(a, mat.NewVecDense(s, slices.Clone(b))); err != nil {
					t.Fatal(err)
				}
				if err := back.SolveVec(a.T(), mat.NewVecDense(s, slices.Clone(b))); err != nil {
					t.Fatal(err)
				}
				dense := eliminated(discounted(l, gamma))
				iterative := iterated(discounted(l, gamma))
				banded := iterated(discounted(l, gamma))
				for name, y := range map[string]*System{"dense": dense, "iterative": iterative, "banded": banded} {
					y.Load(l, pi, k)
					y.Factor()
					if y == banded && !y.sparse.eliminate(math.MaxInt) {
						t.Fatal("not eliminated")
					}
					h := 1 / (1 - gamma)
					tol := 1e-14 * float64(s+4) * h * h
					for _, c := range []struct {
						what  string
						solve func([]float64)
						want  []float64
					}{
						{"Solve", y.Solve, forward.RawVector().Data},
						{"SolveTransposed", y.SolveTransposed, back.RawVector().Data},
						{"SolveFrom", func(x []float64) { y.SolveFrom(x, b, 0, 0) }, forward.RawVector().Data},
						{"precondition", func(x []float64) { y.sparse.precondition(x, b) }, forward.RawVector().Data},
						{"preconditionTransposed", func(x []float64) { y.sparse.preconditionTransposed(x, b) }, back.RawVector().Data},
					} {
						if y != banded && strings.HasPrefix(c.what, "precondition") {
							continue // which is rough
						}
						x := slices.Clone(b)
						c.solve(x)
						for i := range x {
							if d := math.Abs(x[i] - c.want[i]); !(d <= tol) {
								t.Fatalf("%s %s S=%d γ=%v: %s gives %v at %d, want %v", name, kind, s, gamma, c.what, x[i], i, c.want[i])
							}
						}
					}
				}
			}
		}
	}
}

// TestIterativeLarge: residuals at the level of rounding, and the bound on
// returns that follows.
func TestIterativeLarge(t *testing.T) {
	for _, kind := range []string{"random", "grid", "chain"} {
		for _, gamma := range []float64{.99, .9999} {
			const s = 2000
			l, k := graph(kind, s)
			y := NewSystem(discounted(l, gamma), len(k.Next))
			if !y.Iterative() {
				t.Fatal("2000 states with five successors are solved densely")
			}
			y.Load(l, halfway(l), k)
			y.Factor()
			x, d, c := make([]float64, s), make([]float64, s), make([]float64, s)
			rng := rand.New(rand.NewPCG(4, 4))
			for i := range x {
				c[i], d[i] = rng.Float64(), 1/float64(s)
			}
			copy(x, c)
			y.Solve(x)
			r := make([]float64, s)
			y.sparse.apply(r, x)
			most := 0.0
			for i := range r {
				most = max(most, math.Abs(r[i]-c[i]))
			}
			if h := 1 / (1 - gamma); most > 1e-15*h*8 {
				t.Errorf("%s γ=%v: residual %g", kind, gamma, most)
			}
			y.SolveTransposed(d)
			byValues, byOccupancy, bound := dot(x, slices.Repeat([]float64{1 / float64(s)}, s)), dot(d, c), y.ReturnError(1)
			if diff := math.Abs(byValues - byOccupancy); diff > 2*bound {
				t.Errorf("%s γ=%v: returns %v and %v are %g apart, bound %g", kind, gamma, byValues, byOccupancy, diff, bound)
			}
			if h := 1 / (1 - gamma); bound > 1e-9*h {
				t.Errorf("%s γ=%v: bound %g", kind, gamma, bound)
			}
		}
	}
}

// discounted is what systems ask of a problem.
func discounted(l *model.Layout, gamma float64) *model.Standard {
	return &model.Standard{Layout: l, Gamma: gamma, Rest: model.Rest(gamma)}
}

// TestIterativeFallsBack: when BiCGStab cannot move, contraction sweeps finish.
func TestIterativeFallsBack(t *testing.T) {
	l, k := graph("random", 300)
	a := newSparse(discounted(l, .9))
	a.load(halfway(l), k)
	a.factor()
	b := make([]float64, 300)
	for i := range b {
		b[i] = float64(i % 7)
	}
	want, got := slices.Clone(b), slices.Clone(b)
	a.solve(want, nil, 0, 0)
	nothing := func(dst, x []float64) { clear(dst) }
	a.iterate(got, nil, 0, 0, &operations{a.apply, nothing, vector.Largest, twice})
	for i := range got {
		if d := math.Abs(got[i] - want[i]); !(d <= 1e-12) {
			t.Fatalf("x[%d] = %v, want %v", i, got[i], want[i])
		}
	}
}

// corridor makes a deterministic walk over a w by w grid, of one action: each
// cell leads towards the last, which absorbs; every few cells one stays for
// good. From a start in one state BiCGStab breaks down at once.
func corridor(w int) (*model.Layout, *model.Kernel) {
	s := w * w
	l := model.NewLayout(s, 1, nil)
	k := &model.Kernel{Ptr: []int{0}}
	for i := range s {
		row := map[int]float64{}
		right, down := i+1, i+w
		if i%w == w-1 {
			right = i
		}
		if down >= s {
			down = i
		}
		switch {
		case i == s-1 || i%37 == 36:
			row[i] = 1
		default:
			row[right] += .8
			row[down] += .1
			row[max(i-w, i%w)] += .1
		}
		next := make([]int, 0, 3)
		for t := range row {
			next = append(next, t)
		}
		slices.Sort(next)
		for _, t := range next {
			k.Next, k.Prob = append(k.Next, t), append(k.Prob, row[t])
		}
		k.Ptr = append(k.Ptr, len(k.Next))
	}
	return l, k
}

// TestOccupancyFromOneState: the measure of a start in a single state is exact
// to rounding after few products, whatever the discount. (Sweeps would take
// about 30/(1-γ) of them.)
func TestOccupancyFromOneState(t *testing.T) {
	for _, gamma := range []float64{.95, .99, .999, .9999} {
		for _, start := range []int{0, 1, 450} {
			l, k := corridor(30)
			a := newSparse(discounted(l, gamma))
			a.load(slices.Repeat([]float64{1}, l.S), k)
			a.factor()
			d := make([]float64, l.S)
			d[start] = 1
			a.products = 0
			a.solveTransposed(d, nil, 0)
			h := 1 / (1 - gamma)
			if a.residual > 1e-14*h || a.products > 400 {
				t.Errorf("γ=%v from state %d: residual %g after %d products", gamma, start, a.residual, a.products)
			}
			if sum := total(d); !(math.Abs(sum-h) <= 1e-12*h*h) {
				t.Errorf("γ=%v from state %d: the measure sums to %v, want %v", gamma, start, sum, h)
			}
		}
	}
}

// TestMinimalResidual: GMRES alone solves what it is given.
func TestMinimalResidual(t *testing.T) {
	l, k := graph("grid", 400)
	a := newSparse(discounted(l, .99))
	a.load(halfway(l), k)
	a.factor()
	b := make([]float64, 400)
	for i := range b {
		b[i] = float64(i % 7)
	}
	is := &operations{a.apply, a.precondition, vector.Largest, twice}
	x := make([]float64, 400)
	for range 10 {
		is.apply(a.r, x)
		for i := range a.r {
			a.r[i] = b[i] - a.r[i]
		}
		a.minimal(x, 1e-12, is)
	}
	is.apply(a.r, x)
	for i, y := range a.r {
		if d := math.Abs(b[i] - y); !(d <= 1e-11) {
			t.Fatalf("the residual in state %d is %g", i, d)
		}
	}
}

// TestLoadPairs: a deterministic policy given by its pairs is that policy.
func TestLoadPairs(t *testing.T) {
	for _, s := range []int{5, 150} {
		l, k := graph("grid", s)
		pi, choice := make([]float64, l.Pairs()), make([]int, s)
		for st := range s {
			choice[st] = l.Off[st] + st%2
			pi[choice[st]] = 1
		}
		x, y := NewSystem(discounted(l, .9), len(k.Next)), NewSystem(discounted(l, .9), len(k.Next))
		x.Load(l, pi, k)
		y.LoadPairs(choice, k)
		v, w := make([]float64, s), make([]float64, s)
		for st := range s {
			v[st], w[st] = float64(st), float64(st)
		}
		x.Factor()
		y.Factor()
		x.Solve(v)
		y.Solve(w)
		if !slices.Equal(v, w) {
			t.Errorf("S=%d: the two systems give different values", s)
		}
	}
}

// BenchmarkSystem compares one factorisation with a solve and a transposed solve
// by elimination and by iteration, to find where the one overtakes the other.
func BenchmarkSystem(b *testing.B) {
	for _, kind := range []string{"random", "grid", "chain", "dense"} {
		for _, s := range []int{50, 100, 200, 400, 1000, 5000} {
			run := func(name string, system func(l *model.Layout) *System) {
				b.Run(fmt.Sprintf("%s/%s/S=%d", name, kind, s), func(b *testing.B) {
					l, k := graph(kind, s)
					pi, y := halfway(l), system(l)
					x := make([]float64, s)
					y.Load(l, pi, k) // the pattern, once
					b.ReportAllocs()
					for b.Loop() {
						y.Load(l, pi, k)
						y.Factor()
						for i := range x {
							x[i] = float64(i % 5)
						}
						y.Solve(x)
						for i := range x {
							x[i] = 1 / float64(s)
						}
						y.SolveTransposed(x)
					}
				})
			}
			if s <= 1000 {
				run("elimination", func(l *model.Layout) *System { return eliminated(discounted(l, .99)) })
			}
			if kind != "dense" || s <= 400 {
				run("iteration", func(l *model.Layout) *System {
					return iterated(discounted(l, .99))
				})
			}
		}
	}
}
