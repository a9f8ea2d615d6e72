package model_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"rcmdplab/core/internal/fixture"
	"rcmdplab/core/model"
)

// iterate is the discounted total cost of a policy from μ by summing 200 terms
// of the series (γ <= 0.6 here, so what is left out is below 1e-44), on the
// document's own S×A grid. c is what one step from (g, s') costs.
func iterate(l *model.Layout, k *model.Kernel, mu, pi []float64, gamma float64, c func(g, next int) float64) float64 {
	d, total := slices.Clone(mu), 0.0
	for t := range 200 {
		e := make([]float64, l.S)
		for i, s := range l.State {
			next, prob := k.Row(i)
			for j, n := range next {
				w := d[s] * pi[i] * prob[j]
				total += math.Pow(gamma, float64(t)) * w * c(s*l.A+l.Act[i], n)
				e[n] += w
			}
		}
		d = e
	}
	return total
}

// randomProblem has one objective and constraints of every sense and scale,
// with and without costs of the next state, and unavailable pairs.
func randomProblem(r *rand.Rand) *model.Problem {
	l := randomLayout(r, 2+r.IntN(4), 2+r.IntN(3))
	p := &model.Problem{Layout: l, Discount: 0.6 * r.Float64(), Maximize: r.IntN(2) == 0}
	for i := range l.S {
		p.States = append(p.States, fmt.Sprint("s", i))
	}
	for i := range l.A {
		p.Actions = append(p.Actions, fmt.Sprint("a", i))
	}
	distribution := func() []float64 {
		v, sum := make([]float64, l.S), 0.0
		for i := range v {
			v[i] = r.ExpFloat64()
			sum += v[i]
		}
		for i := range v {
			v[i] /= sum
		}
		return v
	}
	p.Initial = distribution()
	cost := func(name string, n int) model.Cost {
		c := model.Cost{Name: name, Average: r.IntN(2) == 0}
		width := 1
		if n%2 == 1 {
			width = l.S
		}
		v := make([]float64, l.S*l.A*width)
		for g := range l.S * l.A {
			missing := l.Pair(g/l.A, g%l.A) < 0
			for j := range width {
				v[g*width+j] = 10 * r.NormFloat64()
				if missing {
					v[g*width+j] = math.NaN()
				}
			}
		}
		if width == 1 {
			c.Values = v
		} else {
			c.Next = v
		}
		return c
	}
	p.Objective = cost("c0", r.IntN(2))
	for n := range 4 {
		p.Constraints = append(p.Constraints, model.Constraint{Cost: cost(fmt.Sprint("c", n+1), n), Bound: 10 * r.NormFloat64(), AtLeast: n >= 2})
	}
	p.Uncertainty.Kind = model.Finite
	for m := range 2 {
		var rows []float64
		for range l.Pairs() {
			rows = append(rows, distribution()...)
		}
		k := model.NewKernel(l.S, rows)
		k.Name = fmt.Sprint("P", m)
		p.Uncertainty.Kernels = append(p.Uncertainty.Kernels, k)
	}
	return p
}

// What a person sees and what is solved are the same numbers up to the sign
// and the scale: a return computed with the document's own costs is Present of
// the return of the internal ones, and violations agree.
func TestStandard(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 1))
	for range 300 {
		p := randomProblem(r)
		m, l := p.Standard(), p.Layout
		pi := l.Uniform()
		for i := range pi {
			pi[i] *= r.Float64() + 0.1
		}
		l.Project(pi)
		for n := range len(p.Constraints) + 1 {
			c, bound, atLeast := &p.Objective, 0.0, p.Maximize
			if n > 0 {
				q := &p.Constraints[n-1]
				c, bound, atLeast = &q.Cost, q.Bound, q.AtLeast
			}
			lo, hi := m.Bounds(n)
			shown := iterate(l, p.Uncertainty.Kernels[1], p.Initial, pi, p.Discount, func(g, next int) float64 {
				if c.Next != nil {
					return c.Next[g*l.S+next]
				}
				return c.Values[g]
			})
			if c.Average {
				shown *= 1 - p.Discount
			}
			inner := iterate(l, m.Kernels[1], m.Mu, pi, m.Gamma, func(g, next int) float64 {
				i := l.Pair(g/l.A, g%l.A)
				x := 0.0
				if m.CNext[n] != nil {
					x = m.CNext[n][i*l.S+next]
				} else {
					x = m.C[n][i]
				}
				if x < lo || x > hi {
					t.Fatalf("cost %d is %v outside Bounds [%v, %v]", n, x, lo, hi)
				}
				return x
			})
			const tol = 1e-10 // sums of 200·S²·A terms of size 10
			if got := m.Present(n, inner); !(math.Abs(got-shown) <= tol) {
				t.Fatalf("cost %d: presented %v, want %v", n, got, shown)
			}
			if back := m.Internal(n, m.Present(n, inner)); !(math.Abs(back-inner) <= tol) {
				t.Fatalf("cost %d: Internal of Present is %v, want %v", n, back, inner)
			}
			if m.Flipped(n) != atLeast || m.CostName(n) != c.Name {
				t.Fatalf("cost %d: flipped %v, name %q", n, m.Flipped(n), m.CostName(n))
			}
			if n == 0 {
				if !math.IsInf(m.B[0], 1) {
					t.Fatalf("threshold of the objective %v", m.B[0])
				}
				continue
			}
			want := shown - bound
			if atLeast {
				want = -want
			}
			if got := m.PresentViolation(n, inner-m.B[n]); !(math.Abs(got-want) <= tol) {
				t.Fatalf("constraint %d: violation %v, want %v", n, got, want)
			}
		}
		roundTrip(t, p)
	}
}

func TestKernelDense(t *testing.T) {
	r := rand.New(rand.NewPCG(6, 1))
	for range 50 {
		s, pairs := 1+r.IntN(5), 1+r.IntN(6)
		rows := make([]float64, s*pairs)
		for i := range rows {
			if r.IntN(3) > 0 {
				rows[i] = r.Float64()
			}
		}
		k := model.NewKernel(s, rows)
		dst := make([]float64, s)
		for i := range pairs {
			dst[0] = -1 // Dense overwrites
			k.Dense(dst, i)
			if !slices.Equal(dst, rows[i*s:(i+1)*s]) {
				t.Fatalf("row %d is %v, want %v", i, dst, rows[i*s:(i+1)*s])
			}
		}
	}
}

func size(s, a int) string { return fmt.Sprintf("S=%d/A=%d", s, a) }

// chain is a document with s states, four actions and five successors a pair.
func chain(s int) []byte {
	const a, z = 4, 5
	var b strings.Builder
	names := func(letter string, n int) {
		for i := range n {
			if i > 0 {
				b.WriteByte(',')
			}
			b.WriteString(`"` + letter + strconv.Itoa(i) + `"`)
		}
	}
	b.WriteString(`{"format":"rcmdp/1","states":[`)
	names("s", s)
	b.WriteString(`],"actions":[`)
	names("a", a)
	b.WriteString(`],"discount":0.99,"initial":[1` + strings.Repeat(",0", s-1) + `],"objective":{"values":[[0.25,1,2,3]` +
		strings.Repeat(",[0.5,1,0.125,1]", s-1) + `]},"uncertainty":{"kind":"kl","radius":0.1,"nominal":{"entries":[`)
	for i := range s * a {
		for j := range z {
			if i+j > 0 {
				b.WriteByte(',')
			}
			fmt.Fprintf(&b, "[%d,%d,%d,0.2]", i/a, i%a, (i*7+j*13)%s)
		}
	}
	b.WriteString(`]}}}`)
	return []byte(b.String())
}

func BenchmarkDecode(b *testing.B) {
	run := func(name string, doc []byte) {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(doc)))
			b.ReportAllocs()
			for b.Loop() {
				if _, faults, _ := model.Decode(doc); len(faults) > 0 {
					b.Fatal(faults)
				}
			}
		})
	}
	run("a_seed0", fixture.Text(b, "a_seed0"))
	run("sparse/S=5000/A=4", chain(5000))
}

func BenchmarkEncode(b *testing.B) {
	p, faults, _ := model.Decode(chain(5000))
	if len(faults) > 0 {
		b.Fatal(faults)
	}
	b.Run("sparse/S=5000/A=4", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			p.Encode()
		}
	})
}

// A nominal kernel with float noise is rescaled inside and kept outside.
func TestNormalisedNominal(t *testing.T) {
	p := decode(t, set(strings.Replace(kl, "0.1, 0]", "0.1000000005, 0]", 1)))
	k := p.Standard().NormalisedNominal()
	for i := range p.Layout.Pairs() {
		sum := 0.0
		_, prob := k.Row(i)
		for _, x := range prob {
			sum += x
		}
		if !(math.Abs(sum-1) <= 1e-15) {
			t.Errorf("row %d sums to 1%+g", i, sum-1)
		}
	}
	if _, prob := p.Uncertainty.Nominal.Row(0); prob[1] != 0.1000000005 {
		t.Errorf("the problem's own row is %v", prob)
	}
}

// Weights are those of the document, or all alike, and every cost has its share of the models.
func TestWeights(t *testing.T) {
	for doc, want := range map[string][]float64{machine: {0.5, 0.5}, documents["averages"]: {0.7, 0.3}} {
		if got := decode(t, doc).Standard().Weights; !slices.Equal(got, want) {
			t.Errorf("weights %v, want %v", got, want)
		}
	}
	p := decode(t, documents["averages"])
	if got := p.Standard().Over; !slices.Equal(got, []float64{0.25, 1}) || !p.Averaged() || !p.Deterministic {
		t.Errorf("shares %v, averaged %v, deterministic %v", got, p.Averaged(), p.Deterministic)
	}
	if p = decode(t, machine); p.Averaged() || p.Deterministic {
		t.Error("the plain problem is averaged or deterministic")
	}
}
