package solve

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"rcmdplab/core/evaluate"
	"rcmdplab/core/internal/fixture"
	"rcmdplab/core/model"
)

// garnet is a random finite problem of the paper's kind: concentrated rows,
// costs 0 or 1.
func garnet(s, a, m, n int, gamma float64, seed uint64) *model.Standard {
	r := rand.New(rand.NewPCG(seed, 2))
	l := model.NewLayout(s, a, nil)
	simplex := func(sharp float64) []float64 {
		p, sum := make([]float64, s), 0.0
		for i := range p {
			p[i] = math.Pow(r.ExpFloat64(), sharp)
			sum += p[i]
		}
		for i := range p {
			p[i] /= sum
		}
		return p
	}
	cost := func() model.Cost {
		c := model.Cost{Values: make([]float64, s*a)}
		for i := range c.Values {
			if r.Float64() > 0.1 {
				c.Values[i] = 1
			}
		}
		return c
	}
	p := &model.Problem{Discount: gamma, Initial: simplex(1), Layout: l, Objective: cost(), States: make([]string, s), Actions: make([]string, a)}
	for range n {
		p.Constraints = append(p.Constraints, model.Constraint{Cost: cost(), Bound: 0.8 / (1 - gamma)})
	}
	p.Uncertainty.Kind = model.Finite
	for range m {
		var rows []float64
		for range l.Pairs() {
			rows = append(rows, simplex(6)...)
		}
		p.Uncertainty.Kernels = append(p.Uncertainty.Kernels, model.NewKernel(s, rows))
	}
	return p.Standard()
}

// matrixDescent is the inner iteration written plainly with gonum/mat: the
// baseline of the benchmark and the cross-check of the test.
type matrixDescent struct {
	m     *model.Standard
	p     []*mat.Dense // pairs × S, by kernel
	pi    []float64
	b0    float64
	alpha float64
}

func newMatrixDescent(m *model.Standard, b0, alpha float64) *matrixDescent {
	x := &matrixDescent{m: m, pi: m.Uniform(), b0: b0, alpha: alpha}
	for _, k := range m.Kernels {
		d := mat.NewDense(m.Pairs(), m.S, nil)
		for i := range m.Pairs() {
			k.Dense(d.RawRowView(i), i)
		}
		x.p = append(x.p, d)
	}
	return x
}

func (x *matrixDescent) step() {
	m, s := x.m, x.m.S
	cost := make([]*mat.VecDense, m.N+1)
	for n := range cost {
		cost[n] = mat.NewVecDense(s, nil)
		for st := range s {
			a, b := m.Off[st], m.Off[st+1]
			cost[n].SetVec(st, mat.Dot(mat.NewVecDense(b-a, x.pi[a:b]), mat.NewVecDense(b-a, m.C[n][a:b])))
		}
	}
	best, bn, bk := math.Inf(-1), 0, 0
	lus, ds := make([]mat.LU, len(x.p)), make([]mat.VecDense, len(x.p))
	for k, p := range x.p {
		sys := mat.NewDense(s, s, nil)
		for st := range s {
			a, b := m.Off[st], m.Off[st+1]
			var row mat.VecDense
			row.MulVec(p.Slice(a, b, 0, s).T(), mat.NewVecDense(b-a, x.pi[a:b]))
			for t := range s {
				sys.Set(st, t, -m.Gamma*row.AtVec(t))
			}
			sys.Set(st, st, sys.At(st, st)+1)
		}
		lus[k].Factorize(sys)
		if lus[k].SolveVecTo(&ds[k], true, mat.NewVecDense(s, m.Mu)) != nil {
			panic("singular")
		}
		for n := range cost {
			b := m.B[n]
			if n == 0 {
				b = x.b0
			}
			if v := mat.Dot(&ds[k], cost[n]) - b; v > best {
				best, bn, bk = v, n, k
			}
		}
	}
	var v, q mat.VecDense
	if lus[bk].SolveVecTo(&v, false, cost[bn]) != nil {
		panic("singular")
	}
	q.MulVec(x.p[bk], &v)
	for i := range x.pi {
		x.pi[i] -= x.alpha * ds[bk].AtVec(m.State[i]) * (m.C[bn][i] + m.Gamma*q.AtVec(i))
	}
	m.Project(x.pi)
}

func newInner(m *model.Standard, b0, alpha float64) *descent {
	ev, err := evaluate.New(m)
	if err != nil {
		panic(err)
	}
	b := newBest()
	d := newDescent(ev, Settings{StepSize: alpha}, newIncumbent(m, &b, 1e-11))
	d.begin(b0)
	return d
}

// The iteration that runs and the one written with gonum/mat walk the same
// path: 400 steps, policies equal to 1e-12.
func TestInnerIterationAgainstMatrixForm(t *testing.T) {
	for _, m := range []*model.Standard{garnet(7, 4, 5, 5, 0.995, 1), garnet(15, 5, 5, 1, 0.995, 2), garnet(20, 3, 2, 2, 0.9, 3)} {
		b0 := m.H / 2
		d := newInner(m, b0, 5e-5)
		x := newMatrixDescent(m, b0, 5e-5)
		for range 400 {
			d.step()
			x.step()
		}
		for i := range x.pi {
			if !(math.Abs(x.pi[i]-d.pi[i]) <= 1e-12) {
				t.Fatalf("S=%d pair %d: %v, matrix form %v", m.S, i, d.pi[i], x.pi[i])
			}
		}
	}
}

// One inner iteration of algo:Min-Phi in setting (a) and in the size of the
// authors' older experiment: evaluation of all costs, gradient, step,
// projection. The baseline is the same written with gonum/mat.
func BenchmarkInnerIteration(b *testing.B) {
	for _, z := range []struct {
		name       string
		s, a, m, n int
	}{{"S=7/A=4/M=5/N=5", 7, 4, 5, 5}, {"S=15/A=5/M=5/N=1", 15, 5, 5, 1}} {
		m := garnet(z.s, z.a, z.m, z.n, 0.995, 1)
		b.Run(z.name+"/method=ours", func(b *testing.B) {
			d := newInner(m, m.H/2, 5e-5)
			b.ReportAllocs()
			from := fixture.CPU()
			for b.Loop() {
				d.step()
			}
			b.ReportMetric(float64(fixture.CPU()-from)/float64(b.N), "cpu-ns/run")
		})
		b.Run(z.name+"/method=gonum", func(b *testing.B) {
			x := newMatrixDescent(m, m.H/2, 5e-5)
			b.ReportAllocs()
			from := fixture.CPU()
			for b.Loop() {
				x.step()
			}
			b.ReportMetric(float64(fixture.CPU()-from)/float64(b.N), "cpu-ns/run")
		})
	}
}
