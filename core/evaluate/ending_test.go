package evaluate

import (
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"rcmdplab/core/model"
)

// precise is J under kernel k, by cost, by elimination in 300 bits, for systems whose entries lie
// near the diagonal. A row sums to 1-γ, and the decimal of γ is meant.
func precise(m *model.Standard, pi []float64, k int) []float64 {
	const prec = 300
	number := func(x float64) *big.Float { return new(big.Float).SetPrec(prec).SetFloat64(x) }
	rest := new(big.Float).SetPrec(prec).Quo(number(1), number(math.Round(1/m.Rest)))
	gamma := new(big.Float).SetPrec(prec).Sub(number(1), rest)
	rows := make([]map[int]*big.Float, m.S)
	costs, v := make([][]float64, m.N+1), make([][]*big.Float, m.S) // v by state and cost
	for n := range costs {
		costs[n] = m.ExpectedCost(n, m.Kernels[k])
	}
	for s := range m.S {
		row := map[int]*big.Float{s: new(big.Float).SetPrec(prec).Set(rest)}
		for range costs {
			v[s] = append(v[s], number(0))
		}
		for i := m.Off[s]; i < m.Off[s+1]; i++ {
			for n, c := range costs {
				v[s][n].Add(v[s][n], number(0).Mul(number(pi[i]), number(c[i])))
			}
			next, prob := m.Kernels[k].Row(i)
			for j, t := range next {
				if x := number(0).Mul(number(pi[i]), number(prob[j])); t != s && x.Sign() != 0 {
					x.Mul(x, gamma)
					if row[t] == nil {
						row[t] = number(0)
					}
					row[t].Sub(row[t], x)
					row[s].Add(row[s], x)
				}
			}
		}
		for { // eliminate what is before the diagonal
			first := s
			for t := range row {
				first = min(first, t)
			}
			if first == s {
				break
			}
			f := number(0).Quo(row[first], rows[first][first])
			for t, x := range rows[first] {
				if row[t] == nil {
					row[t] = number(0)
				}
				row[t].Sub(row[t], number(0).Mul(f, x))
			}
			delete(row, first)
			for n := range costs {
				v[s][n].Sub(v[s][n], number(0).Mul(f, v[first][n]))
			}
		}
		rows[s] = row
	}
	all := make([]float64, len(costs))
	for n := range costs {
		j := number(0)
		for s := m.S - 1; s >= 0; s-- {
			for t, x := range rows[s] {
				if t != s {
					v[s][n].Sub(v[s][n], number(0).Mul(x, v[t][n]))
				}
			}
			v[s][n].Quo(v[s][n], rows[s][s])
			j.Add(j, number(0).Mul(number(m.Mu[s]), v[s][n]))
		}
		all[n], _ = j.Float64()
	}
	return all
}

// walks is a walk of s steps to an end with accidents that throw back, under two kernels:
// one cost is paid on the way, one by the accident, one in the first half alone, and one
// for ever, with which the end costs something too.
func walks(s int, horizon float64) *model.Standard {
	l := model.NewLayout(s, 2, nil)
	p := &model.Problem{Layout: l, Discount: 1 - 1/horizon, States: make([]string, s), Actions: make([]string, 2), Initial: make([]float64, s)}
	p.Initial[0] = 1
	cost := func(of func(s, a int) float64) model.Cost {
		v := make([]float64, l.Pairs())
		for i := range v {
			v[i] = of(l.State[i], l.Act[i])
		}
		return model.Cost{Values: v}
	}
	on := func(is bool) float64 {
		if is {
			return 1
		}
		return 0
	}
	p.Objective = cost(func(t, a int) float64 { return float64(1+a) * on(t < s-1) })
	p.Constraints = []model.Constraint{
		{Cost: cost(func(t, a int) float64 { return 0.002 * float64(1-a) * on(t < s-1) }), Bound: 0.5},
		{Cost: cost(func(t, a int) float64 { return on(t < s/2) }), Bound: float64(s)},
		{Cost: cost(func(t, a int) float64 { return 0.5 + 0.25*float64(t%3) }), Bound: horizon},
	}
	for k := range 2 {
		ker := &model.Kernel{Ptr: []int{0}}
		for i := range l.Pairs() {
			t, r := l.State[i], float64(k+1)/1024
			switch {
			case t == s-1:
				ker.Next, ker.Prob = append(ker.Next, t), append(ker.Prob, 1)
			case l.Act[i] == 1 || t < 5:
				ker.Next, ker.Prob = append(ker.Next, t, t+1), append(ker.Prob, 0.25, 0.75)
			default:
				ker.Next, ker.Prob = append(ker.Next, t-5, t+1), append(ker.Prob, r, 1-r)
			}
			ker.Ptr = append(ker.Ptr, len(ker.Next))
		}
		p.Uncertainty.Kernels = append(p.Uncertainty.Kernels, ker)
	}
	p.Uncertainty.Kind = model.Finite
	return p.Standard()
}

// TestCostsThatEnd: in a large model as in a small one, what a horizon adds beyond the end
// of a cost neither spoils its return nor counts in its error bound; a cost that goes on
// for ever is no worse than the horizon makes it.
func TestCostsThatEnd(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 29))
	for _, s := range []int{40, 601, 1500} {
		for _, horizon := range []float64{1e2, 1e4, 1e6, 1e9} {
			m := walks(s, horizon)
			e, err := New(m)
			if err != nil {
				t.Fatal(err)
			}
			pi := make([]float64, m.Pairs())
			for range 2 { // the second begins where the first ended
				for st := range m.S {
					k := float64(r.IntN(9)) / 8
					pi[m.Off[st]], pi[m.Off[st]+1] = 1-k, k
				}
				e.Evaluate(pi)
				exact := make([][]float64, len(m.Kernels))
				for k := range exact {
					exact[k] = precise(m, pi, k)
				}
				for n := range m.N + 1 {
					want := math.Inf(-1)
					for _, j := range exact {
						want = max(want, j[n])
					}
					off, bound := math.Abs(e.J[n]-want), e.ErrorBound[n]
					if !(off <= bound+4e-16*want) {
						t.Errorf("%d states, horizon %g, cost %d: %.17g, want %.17g, said to be within %g", s, horizon, n, e.J[n], want, bound)
					}
					if n < 3 && bound > 1e-9*want {
						t.Errorf("%d states, horizon %g, cost %d: error bound %g on %g", s, horizon, n, bound, want)
					}
				}
				d := make([]float64, m.S)
				e.Occupancy(d, 0)
				if sum := dot(d, slices.Repeat([]float64{1}, m.S)); !(math.Abs(sum-1) <= 1e-9) {
					t.Errorf("%d states, horizon %g: the measure sums to %v", s, horizon, sum)
				}
			}
		}
	}
}

// TestErrorsOfWrongMeasures: whatever is wrong with a measure, its residual and the time
// for which a cost goes on bound what that does to the return, and by little more; a time
// that is too short is found out.
func TestErrorsOfWrongMeasures(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 30))
	m := walks(601, 1e9)
	e, err := New(m)
	if err != nil {
		t.Fatal(err)
	}
	pi := make([]float64, m.Pairs())
	for s := range m.S {
		k := float64(r.IntN(9)) / 8
		pi[m.Off[s]], pi[m.Off[s]+1] = 1-k, k
	}
	e.Evaluate(pi)
	f := e.inner.(*finite)
	for k, x := range f.ends {
		d := f.d[k*m.S : (k+1)*m.S]
		all := precise(m, pi, k)
		for n, exact := range all[:m.N] {
			average(f.spend, m.Off, pi, f.expCost[k*(m.N+1)+n])
			for range 20 {
				wrong := slices.Clone(d)
				for range 1 + r.IntN(5) {
					wrong[r.IntN(m.S)] += (r.Float64() - 0.5) * math.Pow(10, -float64(r.IntN(8)))
				}
				if r.IntN(2) == 0 { // guesses of W that are none
					for range 3 {
						x.time[n][r.IntN(m.S)] *= r.Float64()
					}
				}
				x.residual(wrong, m.Mu)
				off, bound := math.Abs(dot(wrong, f.spend)-exact), x.error(n, wrong, m.H)
				if !(off <= bound) || bound > 1e5 {
					t.Errorf("kernel %d, cost %d: off by %g, said to be within %g", k, n, off, bound)
				}
			}
		}
	}
}

// TestTimesThatAreTooShort: where a step costs the same all the way, the time for which that
// goes on is all there is to the bound, and one that is too short is found out.
func TestTimesThatAreTooShort(t *testing.T) {
	m := walks(601, 1e9)
	e, err := New(m)
	if err != nil {
		t.Fatal(err)
	}
	pi := make([]float64, m.Pairs())
	for s := range m.S {
		pi[m.Off[s]+1] = 1
	}
	e.Evaluate(pi)
	f := e.inner.(*finite)
	x, d := f.ends[0], f.d[:m.S]
	const short = 0.125
	for s := range d {
		d[s] *= 1 - short
	}
	off := short * precise(m, pi, 0)[0]
	for how, change := range map[string]func(w []float64){
		"untouched":             func([]float64) {},
		"half everywhere":       func(w []float64) { scale(w, 0.5) },
		"a third everywhere":    func(w []float64) { scale(w, 1./3) },
		"a tenth at the start":  func(w []float64) { w[0] /= 10 },
		"none in one state":     func(w []float64) { w[300] = 0 },
		"below 0 in one state":  func(w []float64) { w[300] = -w[300] },
		"a hundredth all along": func(w []float64) { scale(w, 0.01) },
	} {
		change(x.time[0])
		x.residual(d, m.Mu)
		if bound := x.error(0, d, m.H); !(bound >= off*(1-1e-12)) || bound > off*1.01 {
			t.Errorf("%s: off by %v, said to be within %v", how, off, bound)
		}
	}
}

func scale(w []float64, by float64) {
	for s := range w {
		w[s] *= by
	}
}
