package evaluate

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"rcmdplab/core/model"
)

// goals is a random problem of one kernel whose last state is absorbing at no
// cost: rows are multiples of 1/1024, so that they and γ are exact. Costs lie
// within [-1, 2]; with a penalty, actions of it cost 1e9 in the first cost.
func goals(r *rand.Rand, s, a int, gamma float64, penalty bool, offset float64) *model.Standard {
	l := model.NewLayout(s, a, nil)
	rows := make([]float64, l.Pairs()*s)
	for i, st := range l.State {
		row := rows[i*s : (i+1)*s]
		if st == s-1 {
			row[st] = 1
			continue
		}
		left := 1024
		for left > 0 {
			k := min(left, 1+r.IntN(600))
			row[r.IntN(s)] += float64(k) / 1024
			left -= k
		}
	}
	cost := func() model.Cost {
		v := make([]float64, l.Pairs())
		for i, st := range l.State {
			if st < s-1 || offset != 0 {
				v[i] = float64(r.IntN(385)-128)/128 + offset
			}
		}
		return model.Cost{Values: v}
	}
	p := &model.Problem{
		States: make([]string, s), Actions: make([]string, a), Layout: l, Discount: gamma, Initial: make([]float64, s),
		Objective: cost(), Constraints: []model.Constraint{{Cost: cost(), Bound: 1 + offset/(1-gamma)}},
	}
	p.Initial[0] = 1
	if penalty {
		for i := range l.State {
			if l.Act[i] == a-1 && l.State[i] < s-1 {
				p.Objective.Values[i] = 1e9
			}
		}
	}
	p.Uncertainty = model.Uncertainty{Kind: model.Finite, Kernels: []*model.Kernel{model.NewKernel(s, rows)}}
	return p.Standard()
}

// exactReturn is J_n by rational elimination, every row of the policy taken as
// what its first action leaves of 1.
func exactReturn(m *model.Standard, pi []float64, n int) *big.Rat {
	s := m.S
	rat := func(x float64) *big.Rat { return new(big.Rat).SetFloat64(x) }
	a := make([][]*big.Rat, s) // I - γP^π | c^π
	row := make([]float64, s)
	for i := range s {
		a[i] = make([]*big.Rat, s+1)
		for j := range a[i] {
			a[i][j] = new(big.Rat)
		}
		a[i][i].SetInt64(1)
		left := big.NewRat(1, 1)
		for p := m.Off[i+1] - 1; p >= m.Off[i]; p-- {
			w := rat(pi[p])
			if p == m.Off[i] {
				w = left
			}
			left = new(big.Rat).Sub(left, w)
			m.Kernels[0].Dense(row, p)
			for j, x := range row {
				t := new(big.Rat).Mul(w, rat(x))
				a[i][j].Sub(a[i][j], t.Mul(t, rat(m.Gamma)))
			}
			t := new(big.Rat).Mul(w, rat(m.C[n][p]))
			a[i][s].Add(a[i][s], t)
		}
	}
	for k := range s {
		for i := range s {
			if i == k || a[i][k].Sign() == 0 {
				continue
			}
			f := new(big.Rat).Quo(a[i][k], a[k][k])
			for j := k; j <= s; j++ {
				a[i][j].Sub(a[i][j], new(big.Rat).Mul(f, a[k][j]))
			}
		}
	}
	j := new(big.Rat)
	for k := range s {
		j.Add(j, new(big.Rat).Mul(rat(m.Mu[k]), new(big.Rat).Quo(a[k][s], a[k][k])))
	}
	return j
}

// TestReturnsAtLongHorizons: an absorbing goal at no cost, however far the
// horizon, costs no accuracy, neither in returns nor in what is said of their
// errors; nor does a penalty that is not paid, nor an offset.
func TestReturnsAtLongHorizons(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 2))
	for _, c := range []struct {
		name    string
		gamma   float64
		penalty bool
		offset  float64
	}{
		{"short", 0.875, false, 0},
		{"γ = 1-2⁻²³", 1 - 0x1p-23, false, 0},
		{"γ = 1-2⁻³⁹", 1 - 0x1p-39, false, 0},
		{"a penalty not paid", 1 - 0x1p-7, true, 0},
		{"an offset of 2³⁰", 1 - 0x1p-7, false, 1 << 30},
	} {
		for range 6 {
			m := goals(r, 4, 3, c.gamma, c.penalty, c.offset)
			pi := make([]float64, m.Pairs())
			for s := range m.S {
				k := float64(r.IntN(9)) / 8
				pi[m.Off[s]], pi[m.Off[s]+1] = 1-k, k
			}
			for name, e := range natures(m) {
				e.Evaluate(pi)
				for n := range m.N + 1 {
					exact := exactReturn(m, pi, n)
					size, _ := new(big.Rat).Abs(exact).Float64()
					if n == 1 { // about the limit
						b := new(big.Rat).SetFloat64(m.B[1])
						size, _ = new(big.Rat).Abs(b).Float64()
						exact.Sub(exact, b)
					} else {
						exact.Sub(exact, new(big.Rat).SetFloat64(e.total(0, 0)))
					}
					got, _ := exact.Float64()
					x := e.Centred(n)
					if n == 1 {
						x = e.Excess(n)
					}
					bound := e.ErrorBound[n]
					if !(math.Abs(x-got) <= bound+2e-16*size) {
						t.Errorf("%s, %s, cost %d: %.17g, exact %.17g, said to be within %g", c.name, name, n, x, got, bound)
					}
					if scale := m.Scale(n, 4); bound > 1e-12*max(scale, 20) {
						t.Errorf("%s, %s, cost %d: error bound %g next to %g", c.name, name, n, bound, scale)
					}
				}
			}
		}
	}
}

// TestBallsAtLongHorizons: nature keeps the walker half its radius longer away
// from the goal, so J = 1/(1 - γ(stay + r/2)); the error bound knows that only
// the time outside the goal counts.
func TestBallsAtLongHorizons(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 4))
	for _, gamma := range []float64{0.99, 1 - 0x1p-20, 1 - 0x1p-30, 1 - 0x1p-39} {
		for _, kind := range []model.Kind{model.L1, model.TV, model.LInf, model.Contamination} {
			stay, radius := float64(1+r.IntN(6))/8, float64(r.IntN(4))/32
			want := map[model.Kind]float64{model.L1: stay + radius/2, model.TV: stay + radius, model.LInf: stay + radius, model.Contamination: (1-radius)*stay + radius}[kind]
			p := &model.Problem{
				Layout: model.NewLayout(2, 1, nil), Discount: gamma, Initial: []float64{1, 0}, States: make([]string, 2), Actions: make([]string, 1),
				Objective:   model.Cost{Values: []float64{1, 0}},
				Uncertainty: model.Uncertainty{Kind: kind, Nominal: model.NewKernel(2, []float64{stay, 1 - stay, 0, 1}), Radius: []float64{radius}},
			}
			e, err := New(p.Standard())
			if err != nil {
				t.Fatal(err)
			}
			e.Evaluate([]float64{1, 1})
			j := 1 / (1 - gamma*want)
			if b := e.ErrorBound[0]; !(math.Abs(e.J[0]-j) <= b+1e-15*j) || b > 1e-11*j {
				t.Errorf("%s, γ = 1-%.1e: %.17g within %g, want %.17g", kind, 1-gamma, e.J[0], b, j)
			}
		}
	}
}
