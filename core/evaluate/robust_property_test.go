package evaluate_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"rcmdplab/core/evaluate"
	"rcmdplab/core/internal/bellman"
	"rcmdplab/core/model"
)

// TestWorstCase checks, for every set on random problems: the return against
// value iteration within the bound; the kernel reported is one that attains it;
// starting warm changes nothing; kernels of the set do no better.
func TestWorstCase(t *testing.T) {
	for _, u := range kinds {
		for _, z := range shapes {
			t.Run(fmt.Sprintf("%s/S=%d", label(u), z.s), func(t *testing.T) {
				m := sparseProblem(u, z.s, z.a, z.b, z.gamma, 7)
				rng := rand.New(rand.NewPCG(7, 7))
				warm, err := evaluate.New(m)
				if err != nil {
					t.Fatal(err)
				}
				policies := 3
				if z.s > 100 {
					policies = 1 // value iteration is slow
				}
				for range policies {
					pi := randomPolicy(rng, m.Layout)
					warm.Evaluate(pi)
					cold, _ := evaluate.New(m)
					cold.Evaluate(pi)
					for n := range m.N + 1 {
						lowest, highest := m.Bounds(n)
						scale := (highest - lowest) * m.H
						bound := warm.ErrorBound[n]
						if !(bound <= 1e-9*scale) {
							t.Errorf("cost %d: bound %g on a range of %g", n, bound, scale)
						}
						v := make([]float64, m.S)
						warm.Values(v, n)
						valueIteration(t, m, pi, n, v, 1e-14*scale)
						want, slack := inner(m.Mu, v), 2e-14*scale*m.H
						if d := math.Abs(warm.J[n] - want); !(d <= bound+slack) {
							t.Errorf("cost %d: J = %.15g, by value iteration %.15g, apart %g with a bound of %g", n, warm.J[n], want, d, bound)
						}
						if d := math.Abs(cold.J[n] - want); !(d <= cold.ErrorBound[n]+slack) {
							t.Errorf("cost %d: cold J = %.15g, by value iteration %.15g, bound %g", n, cold.J[n], want, cold.ErrorBound[n])
						}
						if u.Kind == model.KLRegularized {
							continue // its returns are of no one kernel
						}
						k := warm.PieceKernel(n)
						if j := plainReturn(m, k, pi, stepCost(m, k, n)); !(math.Abs(j-want) <= 1e-9*scale) {
							t.Errorf("cost %d: the kernel reported returns %.15g, want %.15g", n, j, want)
						}
						w := make([]float64, m.N+1)
						w[n] = 1
						for range 3 {
							for s := range v {
								v[s] = rng.NormFloat64()
							}
							k := bellman.New(t, m).Apply(make([]float64, m.Pairs()), nil, v, w)
							if j := plainReturn(m, k, pi, stepCost(m, k, n)); j > want+1e-9*scale {
								t.Errorf("cost %d: a kernel of the set returns %.15g, the worst case %.15g", n, j, want)
							}
						}
					}
				}
			})
		}
	}
}

// TestRobustGradient compares gradients with central differences along random
// directions, where the set's maximiser does not jump; and the same piece's
// rows with its kernel.
func TestRobustGradient(t *testing.T) {
	for _, u := range kinds {
		t.Run(label(u), func(t *testing.T) {
			m := sparseProblem(u, 6, 3, 6, .9, 3)
			rng := rand.New(rand.NewPCG(3, 3))
			e, err := evaluate.New(m)
			if err != nil {
				t.Fatal(err)
			}
			e.SetTolerance(1e-13)
			pi := m.Uniform()
			e.Evaluate(pi)
			grad := make([][]float64, m.N+1)
			for n := range grad {
				grad[n] = make([]float64, m.Pairs())
				e.Gradient(grad[n], n)
				d, q, c := make([]float64, m.S), make([]float64, m.Pairs()), make([]float64, m.S)
				e.Occupancy(d, n)
				e.ActionValues(q, n)
				e.Values(c, n)
				if sum := inner(d, slices.Repeat([]float64{1}, m.S)); !(math.Abs(sum-1) <= 1e-12) {
					t.Errorf("cost %d: the occupancy measure sums to %v", n, sum)
				}
				for i := range q {
					if want := m.H * d[m.State[i]] * q[i]; !(math.Abs(grad[n][i]-want) <= 1e-12*math.Abs(want)) {
						t.Errorf("cost %d: gradient %v of pair %d, H d Q = %v", n, grad[n][i], i, want)
					}
				}
				if j := inner(m.Mu, c); !(math.Abs(j-e.J[n]) <= 1e-12*m.H) {
					t.Errorf("cost %d: J = %v, ⟨μ, V⟩ = %v", n, e.J[n], j)
				}
				row, dense := make([]float64, m.S), make([]float64, m.S)
				for i := range m.Pairs() {
					e.WorstRow(row, n, i)
					e.PieceKernel(n).Dense(dense, i)
					if !slices.Equal(row, dense) {
						t.Fatalf("cost %d: row %d is %v, in the kernel %v", n, i, row, dense)
					}
				}
			}
			const h = 1e-5
			for range 5 {
				dir := make([]float64, m.Pairs())
				for s := range m.S {
					row, sum := dir[m.Off[s]:m.Off[s+1]], 0.0
					for i := range row {
						row[i] = rng.NormFloat64()
						sum += row[i]
					}
					for i := range row {
						row[i] -= sum / float64(len(row))
					}
				}
				var j [2][]float64
				for k, sign := range []float64{1, -1} {
					at := slices.Clone(pi)
					for i := range at {
						at[i] += sign * h * dir[i]
					}
					e.Evaluate(at)
					j[k] = slices.Clone(e.J)
				}
				for n := range grad {
					got, want := inner(grad[n], dir), (j[0][n]-j[1][n])/(2*h)
					// Third derivatives times h², and rounding of size H u / h.
					if !(math.Abs(got-want) <= 1e-6*(1+math.Abs(want))) {
						t.Errorf("cost %d: derivative %v, by differences %v", n, got, want)
					}
				}
			}
		})
	}
}

// TestKeepKernels: kept kernels are pieces of their own whose returns stay below
// the worst case and are those of their kernels.
func TestKeepKernels(t *testing.T) {
	for _, u := range kinds {
		t.Run(label(u), func(t *testing.T) {
			m := sparseProblem(u, 8, 3, 5, .9, 11)
			rng := rand.New(rand.NewPCG(11, 1))
			e, err := evaluate.New(m)
			if err != nil {
				t.Fatal(err)
			}
			e.KeepKernels(3)
			most := 0
			for range 12 {
				pi := randomPolicy(rng, m.Layout)
				e.Evaluate(pi)
				most = max(most, e.Pieces())
				count := make([]int, m.N+1)
				for p := range e.Pieces() {
					n, j := e.Piece(p)
					count[n]++
					if j > e.J[n]+1e-9*m.H {
						t.Errorf("piece %d of cost %d: %v above the worst case %v", p, n, j, e.J[n])
					}
					if p <= m.N && (n != p || !(math.Abs(j-e.J[n]) <= 1e-12*m.H)) {
						t.Errorf("piece %d is of cost %d with return %v, J = %v", p, n, j, e.J[n])
					}
					if u.Kind == model.KLRegularized {
						continue
					}
					k := e.PieceKernel(p)
					if want := plainReturn(m, k, pi, stepCost(m, k, n)); !(math.Abs(j-want) <= 1e-8*m.H) {
						t.Errorf("piece %d of cost %d: %v, its kernel returns %v", p, n, j, want)
					}
				}
				if slices.Max(count) > 4 {
					t.Errorf("pieces by cost: %v, want at most 1 + 3", count)
				}
			}
			if most == m.N+1 {
				t.Error("no kernel was ever kept")
			}
			e.KeepKernels(0)
			e.Evaluate(m.Uniform())
			if e.Pieces() != m.N+1 {
				t.Errorf("%d pieces after switching off", e.Pieces())
			}
		})
	}
}

// TestRobustAllocations: nothing allocates once warm.
func TestRobustAllocations(t *testing.T) {
	for _, u := range kinds {
		for _, z := range shapes[:3] {
			m := sparseProblem(u, z.s, z.a, z.b, z.gamma, 5)
			e, err := evaluate.New(m)
			if err != nil {
				t.Fatal(err)
			}
			rng := rand.New(rand.NewPCG(5, 5))
			pis := [][]float64{randomPolicy(rng, m.Layout), m.Uniform()}
			dst := make([]float64, m.Pairs())
			step := func() {
				for _, pi := range pis {
					e.Evaluate(pi)
					e.Gradient(dst, 0)
				}
			}
			for range 3 {
				step() // patterns of sparse answers grow to their size
			}
			if n := testing.AllocsPerRun(1, step); n > 0 {
				t.Errorf("%s S=%d: %v allocations an evaluation", label(u), z.s, n/2)
			}
		}
	}
}

// TestPaperTracking: along paths of policies, small steps and jumps, the tracked
// fixed point is the limit of the printed update from V = 0, found by sweeps.
func TestPaperTracking(t *testing.T) {
	for _, z := range shapes {
		for _, tau := range []float64{.3, 2} {
			u := model.Uncertainty{Kind: model.KLRegularized, Temperature: tau, Paper: true}
			m := sparseProblem(u, z.s, z.a, z.b, z.gamma, 13)
			e, err := evaluate.New(m)
			if err != nil {
				t.Fatal(err)
			}
			rng := rand.New(rand.NewPCG(13, 1))
			var pi []float64
			for k := range 12 {
				if k%4 == 0 {
					pi = randomPolicy(rng, m.Layout)
				} else {
					for i := range pi {
						pi[i] += .05 * rng.NormFloat64()
					}
					m.Project(pi)
				}
				e.Evaluate(pi)
				for n := range m.N + 1 {
					lowest, highest := m.Bounds(n)
					want, moved := printedUpdate(m, pi, n)
					if moved > 1e-9*highest {
						cold, _ := evaluate.New(m)
						if cold.Evaluate(pi); len(cold.Warnings()) == 0 {
							t.Errorf("S=%d τ=%v policy %d cost %d: the update moves by %g for ever and nothing is said", z.s, tau, k, n, moved)
						}
						continue
					}
					if d := math.Abs(e.J[n] - want); !(d <= 1e-8*(highest-lowest)*m.H) {
						t.Errorf("S=%d τ=%v policy %d cost %d: J = %.12g, by sweeps from 0 %.12g", z.s, tau, k, n, e.J[n], want)
					}
				}
			}
			if w := e.Warnings(); len(w) > 0 {
				t.Logf("S=%d τ=%v: %q", z.s, tau, w)
			}
		}
	}
}

// printedUpdate iterates V ← Σ_a π (c + γ ⟨P*, V⟩), P* ∝ P e^{V/τ}, from V = 0
// and returns ⟨μ, V⟩ and the last move.
func printedUpdate(m *model.Standard, pi []float64, n int) (j, moved float64) {
	v, w := make([]float64, m.S), make([]float64, m.S)
	k, tau := m.NormalisedNominal(), m.Problem.Uncertainty.Temperature
	row := make([]float64, m.S)
	for sweep := 0; sweep < 5 || moved > 1e-14*m.H && sweep < int(100*m.H); sweep++ {
		moved = 0
		for s := range v {
			w[s] = 0
			for i := m.Off[s]; i < m.Off[s+1]; i++ {
				next, prob := k.Row(i)
				z := row[:len(next)]
				top := math.Inf(-1)
				for l, u := range next {
					z[l] = m.Gamma * v[u]
					if m.CNext[n] != nil {
						z[l] += m.CNext[n][i*m.S+u]
					}
					if prob[l] > 0 {
						top = max(top, z[l])
					}
				}
				mass, sum := 0.0, 0.0
				for l, y := range z {
					if prob[l] == 0 {
						continue
					}
					// z = c + γ V is tilted at γ τ, so that costs of the state tilt alike.
					x := prob[l] * math.Exp((y-top)/(m.Gamma*tau))
					if m.Gamma == 0 {
						x = 0
						if y == top {
							x = prob[l]
						}
					}
					mass += x
					sum += x * y
				}
				q := sum / mass
				if m.CNext[n] == nil {
					q += m.C[n][i]
				}
				w[s] += pi[i] * q
			}
			moved = max(moved, math.Abs(w[s]-v[s]))
		}
		v, w = w, v
	}
	return inner(m.Mu, v), moved
}

// TestRobustExtremes: evaluation ends, with a bound that says what was reached,
// where rounding or the horizon leaves little to reach: γ close to 1, costs of
// 1e8, costs that are all equal, balls that hold everything or nothing.
func TestRobustExtremes(t *testing.T) {
	for _, u := range kinds {
		for _, c := range []struct {
			name   string
			gamma  float64
			radius float64 // 0: as it is
			cost   func(x float64) float64
			share  float64 // of the range, that the bound may be
		}{
			{"γ = 1-1e-6", 1 - 1e-6, 0, func(x float64) float64 { return x }, 1e-7},
			{"γ = 1-1e-9", 1 - 1e-9, 0, func(x float64) float64 { return x }, 1e-3},
			{"costs of 1e8", .99, 0, func(x float64) float64 { return 1e8 * (1 + 1e-6*x) }, 1e-3},
			{"tiny costs", .99, 0, func(x float64) float64 { return 1e-30 * x }, 1e-9},
			{"equal costs", .99, 0, func(float64) float64 { return 3 }, math.Inf(1)},
			{"no costs", .99, 0, func(float64) float64 { return 0 }, math.Inf(1)},
			{"the whole simplex", .9, 1e3, func(x float64) float64 { return x }, 1e-9},
			{"a point", .9, 1e-300, func(x float64) float64 { return x }, 1e-9},
		} {
			v := u
			if c.radius > 0 && v.Kind != model.Interval && v.Kind != model.KLRegularized {
				v.Radius = []float64{c.radius}
				if v.Kind == model.Contamination {
					v.Radius[0] = min(c.radius, 1)
				}
			}
			m := sparseProblem(v, 6, 2, 4, c.gamma, 17)
			recost := func(k *model.Cost) {
				for _, x := range [][]float64{k.Values, k.Next} {
					for i := range x {
						x[i] = c.cost(x[i])
					}
				}
			}
			recost(&m.Problem.Objective)
			for n := range m.N {
				recost(&m.Problem.Constraints[n].Cost)
			}
			m = m.Problem.Standard()
			e, err := evaluate.New(m)
			if err != nil {
				t.Fatal(err)
			}
			rng := rand.New(rand.NewPCG(17, 17))
			for range 3 {
				e.Evaluate(randomPolicy(rng, m.Layout))
				for n, j := range e.J {
					lowest, highest := m.Bounds(n)
					if b := e.ErrorBound[n]; !(b >= 0 && b <= c.share*(highest-lowest)*m.H) && !math.IsInf(c.share, 1) {
						t.Errorf("%s, %s: J_%d = %v within %g, range %g", label(u), c.name, n, j, b, (highest-lowest)*m.H)
					}
					slack := e.ErrorBound[n]
					if !(j >= lowest*m.H-slack && j <= highest*m.H+slack) && u.Kind != model.KLRegularized {
						t.Errorf("%s, %s: J_%d = %v outside [%v, %v]", label(u), c.name, n, j, lowest*m.H, highest*m.H)
					}
					if math.IsInf(c.share, 1) && !(slack <= 1e-11*(1+math.Abs(j))) {
						t.Errorf("%s, %s: J_%d = %v within %g", label(u), c.name, n, j, slack)
					}
				}
			}
		}
	}
}

// TestOneStateAfterTheOther: from a nominal kernel that stays where it is, nature
// learns of the cost at the end of a chain one state a step.
func TestOneStateAfterTheOther(t *testing.T) {
	const s, gamma = 600, .999
	k := &model.Kernel{Sparse: true, Ptr: []int{0}}
	for i := range s {
		k.Next, k.Prob = append(k.Next, i), append(k.Prob, 1)
		if i+1 < s {
			k.Next, k.Prob = append(k.Next, i+1), append(k.Prob, 0)
		}
		k.Ptr = append(k.Ptr, len(k.Next))
	}
	cost, init := make([]float64, s), make([]float64, s)
	cost[s-1], init[0] = 1, 1
	p := &model.Problem{
		States: names("s", s), Actions: []string{"a"}, Discount: gamma, Initial: init, Layout: model.NewLayout(s, 1, nil),
		Objective:   model.Cost{Name: "c", Values: cost},
		Uncertainty: model.Uncertainty{Kind: model.Contamination, Nominal: k, Radius: []float64{1}},
	}
	m := p.Standard()
	e, err := evaluate.New(m)
	if err != nil {
		t.Fatal(err)
	}
	e.Evaluate(m.Uniform())
	if want := math.Pow(gamma, s-1) / (1 - gamma); !(math.Abs(e.J[0]-want) <= e.ErrorBound[0]) || e.ErrorBound[0] > 1e-9*m.H {
		t.Errorf("J = %.12g within %g, want %.12g", e.J[0], e.ErrorBound[0], want)
	}
	if steps := e.Solves(); steps > 24 {
		t.Errorf("%d linear solves", steps)
	}
}
