package instance

import (
	"bytes"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"rcmdplab/core/evaluate"
	"rcmdplab/core/internal/fixture"
	"rcmdplab/core/model"
	"rcmdplab/core/uncertainty"
)

// returns is the worst-case return of every cost of a policy, in the person's
// units.
func returns(t *testing.T, p *model.Problem, pi []float64) []float64 {
	t.Helper()
	m := p.Standard()
	ev, err := evaluate.New(m)
	if err != nil {
		t.Fatal(err)
	}
	ev.Evaluate(pi)
	out := make([]float64, m.N+1)
	for n := range out {
		out[n] = m.Present(n, ev.J[n])
	}
	return out
}

// violation is the largest violation of a policy in the person's units, NaN
// when there is no constraint.
func violation(t *testing.T, p *model.Problem, pi []float64) float64 {
	t.Helper()
	worst := math.NaN()
	for n, j := range returns(t, p, pi)[1:] {
		v := j - p.Constraints[n].Bound
		if p.Constraints[n].AtLeast {
			v = -v
		}
		if !(v <= worst) {
			worst = v
		}
	}
	return worst
}

// best is the policy that robust value iteration finds for cost n alone: for a
// finite set against the kernel that may change at every step, which is enough
// to have a good candidate.
func best(t *testing.T, p *model.Problem, n int) []float64 {
	t.Helper()
	m := p.Standard()
	var set uncertainty.Set
	if p.Uncertainty.Kind != model.Finite {
		var err error
		if set, err = uncertainty.New(m); err != nil {
			t.Fatal(err)
		}
	}
	v, w, choice := make([]float64, m.S), make([]float64, m.S), make([]int, m.S)
	cost := func(i, next int) float64 {
		if m.CNext[n] != nil {
			return m.CNext[n][i*m.S+next]
		}
		return m.C[n][i]
	}
	for range 4000 {
		change := 0.0
		for s := range m.S {
			w[s] = math.Inf(1)
			for i := m.Off[s]; i < m.Off[s+1]; i++ {
				q := math.Inf(-1)
				for _, k := range m.Kernels {
					x := 0.0
					next, prob := k.Row(i)
					for j, to := range next {
						x += prob[j] * (cost(i, to) + m.Gamma*v[to])
					}
					q = math.Max(q, x)
				}
				if set != nil {
					z := make([]float64, len(set.Support(i)))
					for j, to := range set.Support(i) {
						z[j] = cost(i, to) + m.Gamma*v[to]
					}
					q = set.Answer(make([]float64, len(z)), i, z).Value
				}
				if q < w[s]-1e-12 {
					w[s], choice[s] = q, i
				}
			}
			change = math.Max(change, math.Abs(w[s]-v[s]))
		}
		copy(v, w)
		if change < 1e-10 {
			break
		}
	}
	return m.Deterministic(choice)
}

// Every example is a valid document at the default, least and largest value of
// every parameter, and comes out of its own text unchanged.
func TestExamplesAreValid(t *testing.T) {
	seen := map[string]bool{}
	for _, e := range Examples() {
		t.Run(e.ID, func(t *testing.T) {
			if seen[e.ID] || e.ID == "" || e.Title == "" || !strings.HasSuffix(e.Description, ".") {
				t.Errorf("example %+v lacks a unique id, a title or a sentence", e)
			}
			seen[e.ID] = true
			sets := []map[string]float64{nil}
			for _, q := range e.Parameters {
				if q.Name == "" || q.Label == "" || !(q.Min <= q.Default && q.Default <= q.Max) {
					t.Errorf("parameter %+v", q)
				}
				var more []map[string]float64
				for _, s := range sets { // every combination of default, least, largest
					for _, x := range []float64{q.Default, q.Min, q.Max} {
						m := map[string]float64{q.Name: x}
						for k, y := range s {
							m[k] = y
						}
						more = append(more, m)
					}
				}
				sets = more
			}
			for _, s := range sets {
				p := e.Make(s)
				text := p.Encode()
				q, faults, _ := model.Decode(text)
				if len(faults) > 0 {
					t.Fatalf("%v: %v", s, faults)
				}
				if !bytes.Equal(q.Encode(), text) || !slices.Equal(q.Layout.Off, p.Layout.Off) {
					t.Fatalf("%v: decoded to another problem", s)
				}
				for i, k := range q.Uncertainty.Kernels {
					if !slices.Equal(k.Prob, p.Uncertainty.Kernels[i].Prob) || !slices.Equal(k.Next, p.Uncertainty.Kernels[i].Next) {
						t.Fatalf("%v: kernel %d decoded to another one", s, i)
					}
				}
				if again := e.Make(s).Hash(); again != p.Hash() {
					t.Fatalf("%v: made twice, two problems", s)
				}
				if len(p.States) > 30 && e.ID != "plain" {
					t.Errorf("%v: %d states are too many to look at", s, len(p.States))
				}
				if p.Name == "" || p.Description == "" {
					t.Errorf("%v: no name or description in the document", s)
				}
			}
			if w := warnings(t, e.Make(nil)); len(w) > 0 {
				t.Errorf("warnings at the defaults: %q", w)
			}
		})
	}
}

func warnings(t *testing.T, p *model.Problem) []string {
	_, faults, w := model.Decode(p.Encode())
	if len(faults) > 0 {
		t.Fatal(faults)
	}
	return w
}

func TestExamplesOrder(t *testing.T) {
	e := Examples()
	if e[0].ID != "machine-repair" || e[1].ID != "gradient-conflict" {
		t.Errorf("the gallery starts with %s, %s", e[0].ID, e[1].ID)
	}
	kinds := map[model.Kind]bool{}
	maximize, atLeast, next, missing, sparse := false, false, false, false, false
	for _, x := range e {
		p := x.Make(nil)
		kinds[p.Uncertainty.Kind] = true
		maximize = maximize || p.Maximize
		missing = missing || p.Layout.Pairs() < p.Layout.S*p.Layout.A
		for _, k := range p.Uncertainty.Kernels {
			sparse = sparse || k.Sparse
		}
		for _, c := range p.Constraints {
			atLeast, next = atLeast || c.AtLeast, next || c.Next != nil
		}
	}
	for _, k := range []model.Kind{model.Finite, model.KL, model.KLRegularized, model.L1, model.Contamination, model.Interval} {
		if !kinds[k] {
			t.Errorf("no example with a set of kind %q", k)
		}
	}
	if !maximize || !atLeast || !next || !missing || !sparse {
		t.Errorf("maximize %v, atLeast %v, next-state costs %v, missing actions %v, sparse %v: all should occur", maximize, atLeast, next, missing, sparse)
	}
}

// What a model is there to show: ignoring the limits breaks them, and they can
// be kept with room to spare.
func TestConstraintsBind(t *testing.T) {
	for _, e := range Examples() {
		p := e.Make(nil).Unrolled()
		if len(p.Constraints) != 1 {
			continue
		}
		t.Run(e.ID, func(t *testing.T) {
			careless := violation(t, p, best(t, p, 0))
			careful := min(violation(t, p, best(t, p, 1)), violation(t, p, anyGreedy(p)), violation(t, p, p.Layout.Uniform()))
			t.Logf("violation %.4f when only the objective counts, %.4f when only the limit does", careless, careful)
			if !(careless > 1e-3*math.Abs(p.Constraints[0].Bound)) {
				t.Errorf("the policy of the objective alone violates the limit by %v: it does not bind", careless)
			}
			if !(careful < -1e-3*math.Abs(p.Constraints[0].Bound)) && e.ID != "reference" {
				t.Errorf("least violation %v: no room below the limit", careful)
			}
			if e.ID == "reference" && !(careful <= 0) {
				t.Errorf("violation %v of the policy that made the threshold", careful)
			}
		})
	}
}

// anyGreedy is GreedyAverage where there is a kernel to be greedy for.
func anyGreedy(p *model.Problem) []float64 {
	if p.Uncertainty.Kind == model.Interval {
		return p.Layout.Uniform()
	}
	return GreedyAverage(p)
}

// tol covers an LU solve with a condition number of at most 199.
const tol = 1e-12

// The closed forms of eq:pi2-returns, for the policies that always take a1 and
// always a2.
func TestGradientConflict(t *testing.T) {
	for _, g := range []float64{0.01, 0.1, 0.4, 0.9, 0.99} {
		for _, d := range []float64{0, 0.09, 0.25} {
			p := GradientConflict(g, d, 1)
			h := 1 / (1 - g)
			ev, err := evaluate.New(p.Standard())
			if err != nil {
				t.Fatal(err)
			}
			for a, want := range [2][4]float64{
				{h/2 + h/4*(g+d), h/2 + d/4, h / 4 * (3 - g), h / 4 * (3 + g)},
				{h / 4 * (3 + g), h / 4 * (3 - g), h/2 - h*d/2, h/2 + h*g/2 - h*d/2},
			} {
				ev.Evaluate(p.Layout.Deterministic([]int{a, 2 + a, 4 + a, 6 + a}))
				got := map[[2]int]float64{}
				for q := range ev.Pieces() {
					n, j := ev.Piece(q)
					m := 0
					if _, ok := got[[2]int{n, 0}]; ok {
						m = 1
					}
					got[[2]int{n, m}] = j
				}
				for i, w := range want {
					if x := got[[2]int{i / 2, i % 2}]; !(math.Abs(x-w) <= tol*h) {
						t.Errorf("γ=%v δ=%v: J_c%d,P%d of always a%d is %.15g, want %.15g", g, d, i/2, i%2+1, a+1, x, w)
					}
				}
			}
			low, high := h/2+h*(g-d)/2, h*(3+g)/4
			if b := conflictBound(g, d, 0.25); !(math.Abs(b-(low+0.25*(high-low))) <= 1e-9) || !(b > low) {
				t.Errorf("γ=%v δ=%v: threshold %v, want a quarter of the way from %v to %v", g, d, b, low, high)
			}
		}
	}
}

// The gallery has the problems that the fixtures know the answers of.
func TestGalleryMatchesFixtures(t *testing.T) {
	for name, p := range map[string]*model.Problem{
		"fig1_conflict_feasible": gradientConflict.Make(nil),
		"fig1_conflict":          GradientConflict(0.4, 0.09, 0),
		"fig1_epigraph":          GradientConflict(0.1, 0, 2./3),
	} {
		f := fixture.Problem(t, name)
		q := *p
		q.Name, q.Description, q.Source = f.Name, f.Description, f.Source
		if got, want := string(q.Encode()), string(f.Encode()); got != want {
			t.Errorf("%s: got\n%s\nwant\n%s", name, got, want)
		}
	}
	if b := epigraph.Make(nil).Constraints[0].Bound; !(math.Abs(b-2./3) <= 1e-9) {
		t.Errorf("b_1 of the epigraph example is %v, want 2/3", b)
	}
}

// The numbers of the counterexample, by hand: with p, q the probabilities of
// going at the left and the right gate, w the loss and ε = 0.02,
// J_1 = (0.9γ+ε) V(left) + ε (V(right) + wH + H), V(right) = (1-q)γH,
// V(left) = γ p V(right) + (1-p) γ w H, and J_2 has p and q swapped.
func TestLocalMinimum(t *testing.T) {
	const eps = 0.02
	for _, g := range []float64{0.5, 0.9, 0.95} {
		for _, w := range []float64{0.4, 0.7} {
			m := LocalMinimum(g, w).Standard()
			ev, err := evaluate.New(m)
			if err != nil {
				t.Fatal(err)
			}
			h := 1 / (1 - g)
			one := func(p, q float64) float64 {
				second := (1 - q) * g * h
				first := g*p*second + (1-p)*g*w*h
				return (0.9*g+eps)*first + eps*(second+w*h+h)
			}
			worst := func(p, q float64) float64 {
				pi := m.Uniform()
				pi[m.Pair(1, 0)], pi[m.Pair(1, 1)] = p, 1-p
				pi[m.Pair(2, 0)], pi[m.Pair(2, 1)] = q, 1-q
				ev.Evaluate(pi)
				if want := math.Max(one(p, q), one(q, p)); !(math.Abs(ev.J[0]-want) <= tol*h) {
					t.Fatalf("γ=%v w=%v: J(%v, %v) = %.15g, want %.15g", g, w, p, q, ev.J[0], want)
				}
				return ev.J[0]
			}
			for p := 0.0; p <= 1; p += 0.25 {
				for q := 0.0; q <= 1; q += 0.25 {
					worst(p, q)
				}
			}
			if g != 0.9 || w != 0.7 {
				continue
			}
			zero := worst(0, 0)
			if !(math.Abs(zero-5.749) <= 1e-3) || !(math.Abs(worst(1, 1)-0.340) <= 1e-3) {
				t.Errorf("J(0,0) = %v, J(1,1) = %v, want 5.749 and 0.340", zero, worst(1, 1))
			}
			for p := 0.0; p <= 0.36; p += 0.02 {
				for q := 0.0; p+q <= 0.36; q += 0.02 {
					if p+q > 0 && !(worst(p, q) > zero) {
						t.Errorf("J(%v, %v) = %v is not above J(0, 0) = %v", p, q, worst(p, q), zero)
					}
				}
			}
		}
	}
}

// The thresholds of the random families admit the policy they were made from,
// by a margin below the rounding step, and the sizes are the paper's.
func TestSettings(t *testing.T) {
	for _, tc := range []struct {
		name          string
		make          func(uint64) *model.Problem
		s, a, m, n    int
		gamma, zeroes float64
	}{
		{"a", SettingA, 7, 4, 5, 5, 0.995, 0.1},
		{"b", SettingB, 5, 3, 0, 5, 0.99, 0.5},
		{"c", SettingC, 7, 4, 1, 5, 0.99, 0.1},
		{"reference", func(seed uint64) *model.Problem { return FamilyReference().Problem(seed) }, 15, 5, 5, 1, 0.99, 0.1},
	} {
		t.Run(tc.name, func(t *testing.T) {
			zero, all := 0.0, 0.0
			hashes := map[string]bool{}
			for seed := range uint64(20) {
				p := tc.make(seed)
				l := p.Layout
				if l.S != tc.s || l.A != tc.a || len(p.Uncertainty.Kernels) != tc.m || len(p.Constraints) != tc.n || p.Discount != tc.gamma || l.Pairs() != l.S*l.A {
					t.Fatalf("seed %d: %+v", seed, l)
				}
				if v := violation(t, p, GreedyAverage(p)); !(v <= 0 && v > -2e-3) {
					t.Errorf("seed %d: the policy behind the thresholds violates them by %v", seed, v)
				}
				for _, x := range p.Objective.Values {
					all++
					if x == 0 {
						zero++
					} else if x != 1 {
						t.Fatalf("cost %v", x)
					}
				}
				hashes[p.Hash()] = true
				if tc.make(seed).Hash() != p.Hash() {
					t.Errorf("seed %d: two problems", seed)
				}
			}
			if len(hashes) != 20 {
				t.Errorf("%d different problems from 20 seeds", len(hashes))
			}
			// 20·S·A coins, four standard deviations.
			if sd := math.Sqrt(tc.zeroes * (1 - tc.zeroes) / all); !(math.Abs(zero/all-tc.zeroes) <= 4*sd) {
				t.Errorf("%v of the costs are 0, want %v", zero/all, tc.zeroes)
			}
		})
	}
	p := FamilyReference().Problem(1)
	if p.Layout.S != 15 || p.Layout.A != 5 || len(p.Uncertainty.Kernels) != 5 {
		t.Errorf("reference %+v", p.Layout)
	}
}

// A component of Dirichlet(α, ..., α) has mean 1/n and variance
// (n-1)/(n²(nα+1)).
func TestRowsAreDirichlet(t *testing.T) {
	const draws = 200000
	source := rand.NewPCG(1, 2)
	for _, alpha := range []float64{0.1, 0.5} {
		const n = 7
		mean, variance := 0.0, 0.0
		for range draws {
			row, sum := dirichlet(source, n, alpha), 0.0
			for _, x := range row {
				sum += x
			}
			if !(math.Abs(sum-1) <= 1e-15*n) {
				t.Fatalf("sum 1%+g", sum-1)
			}
			mean += row[2] / draws
			variance += (row[2] - 1./n) * (row[2] - 1./n) / draws
		}
		want := (n - 1) / (n * n * (n*alpha + 1))
		if !(math.Abs(mean-1./n) <= 6*math.Sqrt(want/draws)) || !(math.Abs(variance-want) <= 6*math.Sqrt(want/draws)) {
			t.Errorf("α=%v: mean %v variance %v, want %v and %v", alpha, mean, variance, 1./n, want)
		}
	}
}

func BenchmarkSettingA(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		SettingA(1)
	}
}
