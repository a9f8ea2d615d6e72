package evaluate

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"rcmdplab/core/model"
)

// shape is a random finite problem's size and traits.
type shape struct {
	s, a, m, n    int
	gamma         float64
	missing, next bool
}

// random makes a problem of the shape: rows concentrated like Dirichlet(0.1),
// costs of both signs, some actions missing, some costs of the next state.
func random(sh shape, seed uint64) *model.Standard {
	r := rand.New(rand.NewPCG(seed, 1))
	avail := make([]bool, sh.s*sh.a)
	for i := range avail {
		avail[i] = !sh.missing || i%sh.a == 0 || r.Float64() < 0.6
	}
	l := model.NewLayout(sh.s, sh.a, avail)
	simplex := func(n int, sharp float64) []float64 {
		p, sum := make([]float64, n), 0.0
		for i := range p {
			p[i] = math.Pow(r.ExpFloat64(), sharp)
			sum += p[i]
		}
		for i := range p {
			p[i] /= sum
		}
		return p
	}
	cost := func(n int) model.Cost {
		c := model.Cost{Name: fmt.Sprint("c", n)}
		if sh.next && n%2 == 1 {
			c.Next = make([]float64, sh.s*sh.a*sh.s)
			for i := range c.Next {
				c.Next[i] = 4*r.Float64() - 1
			}
			return c
		}
		c.Values = make([]float64, sh.s*sh.a)
		for i := range c.Values {
			c.Values[i] = 4*r.Float64() - 1
		}
		return c
	}
	p := &model.Problem{Discount: sh.gamma, Initial: simplex(sh.s, 1), Layout: l, Objective: cost(0)}
	p.States, p.Actions = make([]string, sh.s), make([]string, sh.a)
	for n := 1; n <= sh.n; n++ {
		p.Constraints = append(p.Constraints, model.Constraint{Cost: cost(n), Bound: r.Float64()})
	}
	p.Uncertainty.Kind = model.Finite
	for range sh.m {
		var rows []float64
		for range l.Pairs() {
			rows = append(rows, simplex(sh.s, 6)...)
		}
		p.Uncertainty.Kernels = append(p.Uncertainty.Kernels, model.NewKernel(sh.s, rows))
	}
	return p.Standard()
}

func randomPolicy(l *model.Layout, r *rand.Rand) []float64 {
	pi := make([]float64, l.Pairs())
	for s := range l.S {
		row, sum := pi[l.Off[s]:l.Off[s+1]], 0.0
		for i := range row {
			if i == 0 || r.Float64() < 0.7 { // some zeros: rows of weight 0 are skipped
				row[i] = r.ExpFloat64()
			}
			sum += row[i]
		}
		for i := range row {
			row[i] /= sum
		}
	}
	return pi
}

var shapes = []shape{
	{1, 1, 1, 0, 0, false, false},
	{2, 2, 1, 1, 0.9, false, false},
	{3, 4, 2, 2, 0.5, true, true},
	{7, 4, 5, 5, 0.995, false, false},
	{8, 3, 2, 1, 0.99, true, false},
	{9, 3, 3, 2, 0.99, true, true},
	{15, 5, 5, 1, 0.995, false, true},
	{16, 2, 2, 3, 0.95, true, false},
	{17, 5, 2, 1, 0.9, false, false},
	{40, 3, 2, 2, 0.99, true, true},
}

// oracle evaluates with gonum/mat, every matrix written out: V = (I-γP^π)⁻¹c^π,
// d = (I-γP^π)⁻ᵀμ.
type oracle struct {
	v, d []float64
	q, g []float64
	j    float64
}

func (o *oracle) solve(m *model.Standard, pi []float64, k, n int) {
	s := m.S
	a, c := mat.NewDense(s, s, nil), mat.NewVecDense(s, nil)
	ec := make([]float64, m.Pairs())
	row := make([]float64, s)
	for i := range ec {
		m.Kernels[k].Dense(row, i)
		for t, x := range row {
			if m.CNext[n] != nil {
				ec[i] += x * m.CNext[n][i*s+t]
			}
			a.Set(m.State[i], t, a.At(m.State[i], t)-m.Gamma*pi[i]*x)
		}
		if m.CNext[n] == nil {
			ec[i] = m.C[n][i]
		}
		c.SetVec(m.State[i], c.AtVec(m.State[i])+pi[i]*ec[i])
	}
	for t := range s {
		a.Set(t, t, a.At(t, t)+1)
	}
	var lu mat.LU
	lu.Factorize(a)
	var v, d mat.VecDense
	if lu.SolveVecTo(&v, false, c) != nil || lu.SolveVecTo(&d, true, mat.NewVecDense(s, append([]float64(nil), m.Mu...))) != nil {
		panic("singular")
	}
	o.v, o.d = v.RawVector().Data, d.RawVector().Data
	o.q, o.g = make([]float64, len(ec)), make([]float64, len(ec))
	for i := range ec {
		m.Kernels[k].Dense(row, i)
		t := 0.0
		for j, x := range row {
			t += x * o.v[j]
		}
		o.q[i] = ec[i] + m.Gamma*t
		o.g[i] = o.d[m.State[i]] * o.q[i]
	}
	o.j = 0
	for t := range s {
		o.j += m.Mu[t] * o.v[t]
	}
}

// natures returns the block path and the general path of one problem.
func natures(m *model.Standard) map[string]*Evaluator {
	fast, err := New(m)
	if err != nil {
		panic(err)
	}
	slow := newEvaluator(m)
	f := newFinite(slow)
	if b, ok := f.(*block); ok {
		g := b.finite
		g.e = slow
		g.plain()
		f = &g
	}
	slow.inner = f
	return map[string]*Evaluator{"block": fast, "plain": slow}
}

// Everything an Evaluator says of a finite set equals the dense formulas
// written with gonum/mat, within the evaluator's own error bound for returns.
func TestFiniteAgainstMatrixFormulas(t *testing.T) {
	for _, sh := range shapes {
		m := random(sh, 7)
		r := rand.New(rand.NewPCG(3, uint64(sh.s)))
		pi := randomPolicy(m.Layout, r)
		for name, e := range natures(m) {
			// A first evaluation of another policy must leave nothing behind.
			e.Evaluate(randomPolicy(m.Layout, r))
			e.Evaluate(pi)
			g, q := make([]float64, m.Pairs()), make([]float64, m.Pairs())
			v, d := make([]float64, m.S), make([]float64, m.S)
			for n := range m.N + 1 {
				worst, at := math.Inf(-1), -1
				for k := range m.Kernels {
					var o oracle
					o.solve(m, pi, k, n)
					if o.j > worst {
						worst, at = o.j, k
					}
					p := k*(m.N+1) + n
					scale := 4 * m.H
					near := func(what string, got, want, tol float64) {
						t.Helper()
						if !(math.Abs(got-want) <= tol) {
							t.Errorf("%v %s cost %d kernel %d: %s = %.17g, want %.17g", sh, name, n, k, what, got, want)
						}
					}
					if pn, j := e.Piece(p); pn != n {
						t.Fatalf("piece %d is of cost %d, want %d", p, pn, n)
					} else {
						near("J", j, o.j, e.ErrorBound[n])
					}
					e.PieceGradient(g, p)
					e.inner.action(q, p)
					e.inner.value(v, p)
					e.PieceOccupancy(d, p)
					e.raise(q, n)
					e.raise(v, n)
					base, sum := e.total(n, 0), 0.0
					for i := range g { // pieces are of the centred cost
						near("gradient", g[i]+o.d[m.State[i]]*base, o.g[i], 1e-13*scale*m.H*m.H)
						near("Q", q[i], o.q[i], 1e-13*scale*m.H)
					}
					for s := range v {
						near("V", v[s], o.v[s], 1e-13*scale*m.H)
						near("d", d[s], o.d[s]/m.H, 1e-13*m.H)
						sum += d[s]
					}
					near("sum of d", sum, 1, 1e-13*m.H)
				}
				if e.Worst(n) != at || !(math.Abs(e.J[n]-worst) <= e.ErrorBound[n]) {
					t.Errorf("%v %s: worst of cost %d is kernel %d at %v, want %d at %v", sh, name, n, e.Worst(n), e.J[n], at, worst)
				}
			}
		}
	}
}

// A large set with few successors takes the iterative path and says the same
// as the dense formulas, within its own error bound.
func TestFiniteLargeAndSparse(t *testing.T) {
	const states, successors = 300, 5
	dense := random(shape{states, 2, 2, 1, 0.95, true, false}, 3)
	r := rand.New(rand.NewPCG(8, 8))
	p := *dense.Problem
	p.Uncertainty.Kernels = nil
	for range 2 {
		k := &model.Kernel{Ptr: []int{0}, Sparse: true}
		for range p.Layout.Pairs() {
			from := r.IntN(states - successors)
			for j := range successors {
				k.Next, k.Prob = append(k.Next, from+j), append(k.Prob, 1./successors)
			}
			k.Ptr = append(k.Ptr, len(k.Next))
		}
		p.Uncertainty.Kernels = append(p.Uncertainty.Kernels, k)
	}
	m := p.Standard()
	e, _ := New(m)
	if f, ok := e.inner.(*finite); !ok || !f.sys[0].Iterative() {
		t.Fatal("not the path this test is about")
	}
	pi, g := randomPolicy(m.Layout, r), make([]float64, m.Pairs())
	e.Evaluate(pi)
	for n := range m.N + 1 {
		for k := range m.Kernels {
			var o oracle
			o.solve(m, pi, k, n)
			piece := k*(m.N+1) + n
			if _, j := e.Piece(piece); !(math.Abs(j-o.j) <= e.ErrorBound[n]) || e.ErrorBound[n] > 1e-8 {
				t.Errorf("cost %d kernel %d: J = %v, want %v within %v", n, k, j, o.j, e.ErrorBound[n])
			}
			e.PieceGradient(g, piece)
			for i := range g {
				if !(math.Abs(g[i]-o.g[i]) <= 1e-9*m.H*m.H) {
					t.Fatalf("cost %d kernel %d: gradient at pair %d = %v, want %v", n, k, i, g[i], o.g[i])
				}
			}
		}
	}
}

// The gradient is the derivative of J along every direction that keeps rows
// summing to 1: central differences.
func TestGradientAgainstDifferences(t *testing.T) {
	for _, sh := range shapes[1:6] {
		m := random(sh, 11)
		e, _ := New(m)
		r := rand.New(rand.NewPCG(5, 5))
		pi, other := m.Uniform(), randomPolicy(m.Layout, r)
		g := make([]float64, m.Pairs())
		at := func(p int, h float64) float64 {
			x := make([]float64, len(pi))
			for i := range x {
				x[i] = pi[i] + h*(other[i]-pi[i])
			}
			e.Evaluate(x)
			_, j := e.Piece(p)
			return j
		}
		for p := range e.Pieces() {
			e.Evaluate(pi)
			e.PieceGradient(g, p)
			want := 0.0
			for i := range g {
				want += g[i] * (other[i] - pi[i])
			}
			const h = 1e-4
			// Richardson extrapolation: error O(h⁴).
			d1 := (at(p, h) - at(p, -h)) / (2 * h)
			d2 := (at(p, 2*h) - at(p, -2*h)) / (4 * h)
			if got := (4*d1 - d2) / 3; !(math.Abs(got-want) <= 1e-7*(1+math.Abs(want))*m.H) {
				t.Errorf("%v piece %d: difference %v, gradient %v", sh, p, got, want)
			}
		}
	}
}

func TestEvaluateAllocatesNothing(t *testing.T) {
	m := random(shapes[3], 1)
	for name, e := range natures(m) {
		pi, g := m.Uniform(), make([]float64, m.Pairs())
		if n := testing.AllocsPerRun(10, func() { e.Evaluate(pi); e.Gradient(g, 0) }); n != 0 {
			t.Errorf("%s: %v allocations a run", name, n)
		}
	}
}

func TestEvaluateRefusesAPolicyOfAnotherShape(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("no panic")
		}
	}()
	e, _ := New(random(shapes[1], 1))
	e.Evaluate(make([]float64, 3))
}
