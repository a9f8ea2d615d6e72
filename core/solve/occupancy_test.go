package solve

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"rcmdplab/core/evaluate"
	"rcmdplab/core/internal/fixture"
	"rcmdplab/core/model"
)

// randomCMDP is a one-kernel problem with missing actions, costs of the next
// state, negative and unscaled costs, and thresholds of one of the kinds that
// break linear programs.
type randomCMDP struct {
	*model.Standard
	kind string
}

var cmdpKinds = []string{"mixed", "loose", "infeasible", "barely infeasible", "at the minimum", "duplicated", "equal costs", "unscaled"}

func newRandomCMDP(seed uint64) randomCMDP {
	r := rand.New(rand.NewPCG(seed, 7))
	kind := cmdpKinds[seed%uint64(len(cmdpKinds))]
	s, a, n := 1+r.IntN(30), 1+r.IntN(5), r.IntN(21)
	if kind != "mixed" && kind != "loose" && kind != "unscaled" {
		n = max(n, 1)
	}
	available := make([]bool, s*a)
	for i := range available {
		available[i] = r.Float64() < 0.8
	}
	for st := range s {
		available[st*a+r.IntN(a)] = true
	}
	l := model.NewLayout(s, a, available)
	var rows []float64
	sharp := []float64{0, 1, 6}[r.IntN(3)] // 0: deterministic transitions
	for range l.Pairs() {
		row, sum := make([]float64, s), 0.0
		if sharp == 0 {
			row[r.IntN(s)] = 1
		} else {
			for j := range row {
				row[j] = math.Pow(r.ExpFloat64(), sharp)
				sum += row[j]
			}
			for j := range row {
				row[j] /= sum
			}
		}
		rows = append(rows, row...)
	}
	mu := make([]float64, s)
	if r.IntN(2) == 0 {
		mu[r.IntN(s)] = 1
	} else {
		for j := range mu {
			mu[j] = 1 / float64(s)
		}
	}
	gamma := []float64{0, 0.5, 0.9, 0.99, 0.995}[r.IntN(5)]
	cost := func() model.Cost {
		c := model.Cost{Name: "c"}
		unit, offset := 1.0, 0.0
		if kind == "unscaled" {
			unit, offset = math.Pow(10, float64(r.IntN(9)-4)), r.NormFloat64()
		}
		value := func() float64 {
			if r.IntN(2) == 0 {
				return unit * (offset + float64(r.IntN(2)))
			}
			return unit * (offset + r.Float64())
		}
		if r.IntN(4) == 0 {
			c.Next = make([]float64, s*a*s)
			for i := range c.Next {
				c.Next[i] = value()
			}
		} else {
			c.Values = make([]float64, s*a)
			for i := range c.Values {
				c.Values[i] = value()
			}
		}
		return c
	}
	p := &model.Problem{
		States: make([]string, s), Actions: make([]string, a), Layout: l, Discount: gamma, Initial: mu,
		Objective: cost(), Uncertainty: model.Uncertainty{Kind: model.Finite, Kernels: []*model.Kernel{model.NewKernel(s, rows)}},
	}
	for range n {
		p.Constraints = append(p.Constraints, model.Constraint{Cost: cost()})
	}
	if kind == "duplicated" {
		p.Constraints = append(p.Constraints, p.Constraints...)
	}
	if kind == "equal costs" {
		for i := range p.Constraints {
			p.Constraints[i].Cost = p.Objective
		}
	}
	m := p.Standard()
	x := newMDP(m, m.Kernels[0])
	// The returns of a random mixture are thresholds that can be met.
	mixed := make([]float64, m.N+1)
	for range 3 {
		for st := range x.Choice {
			x.Choice[st] = m.Off[st] + r.IntN(m.Off[st+1]-m.Off[st])
		}
		x.occupancy()
		j := make([]float64, m.N+1)
		x.Returns(j, x.d)
		for i := range j {
			mixed[i] += (x.base(i) + j[i]) / 3
		}
	}
	for i := 1; i <= m.N; i++ {
		lo, hi := m.Bounds(i)
		slack := 0.1 * r.Float64() * (hi - lo) * m.H
		m.B[i] = mixed[i]
		switch kind {
		case "mixed", "unscaled", "duplicated":
			if r.IntN(2) == 0 {
				m.B[i] += slack
			}
		case "loose":
			m.B[i] += slack + 0.01*(hi-lo)*m.H
		}
	}
	least := func(i int) []float64 { // returns of a policy of least J_i
		x.optimal(i)
		x.occupancy()
		j := make([]float64, m.N+1)
		x.Returns(j, x.d)
		for n := range j {
			j[n] += x.base(n)
		}
		return j
	}
	if m.N > 0 {
		i := 1 + r.IntN(m.N)
		switch kind {
		case "infeasible":
			m.B[i] = least(i)[i] - 0.01*m.H
		case "barely infeasible":
			m.B[i] = least(i)[i] - 1e-6*m.H
		case "at the minimum": // and the others met by the policy that attains it
			copy(m.B[1:], least(i)[1:])
			for j := 1; j <= m.N; j++ {
				if j != i && r.IntN(2) == 0 {
					m.B[j] += 0.1 * r.Float64() * m.H
				}
			}
		case "equal costs":
			for i := 1; i <= m.N; i++ {
				m.B[i] = least(1)[1] + 0.1*r.Float64()*m.H
			}
		}
	}
	return randomCMDP{m, kind}
}

// Every verdict on 1000 random constrained MDPs, degenerate and infeasible
// ones included, is right and carries numbers that prove it.
func TestOccupancyLPOnRandomProblems(t *testing.T) {
	count := 1000
	if testing.Short() {
		count = 160
	}
	verdicts := map[string]map[Status]int{}
	worstGap, worstViolation := 0.0, 0.0
	for seed := range count {
		m := newRandomCMDP(uint64(seed))
		ev, err := evaluate.New(m.Standard)
		if err != nil {
			t.Fatal(err)
		}
		p := finish(t, "occupancy-lp", ev, nil)
		if verdicts[m.kind] == nil {
			verdicts[m.kind] = map[Status]int{}
		}
		verdicts[m.kind][p.Status]++
		name := fmt.Sprintf("seed %d (%s, S=%d N=%d γ=%v)", seed, m.kind, m.S, m.N, m.Gamma)
		infeasible := m.kind == "infeasible" || m.kind == "barely infeasible"
		switch {
		case p.Status == ProvedInfeasible && infeasible:
			// The ray again, by value iteration instead of policy iteration.
			if v := leastWeighted(m.Standard, append([]float64{0}, p.Multipliers...)); !(v > 0) {
				t.Errorf("%s: the ray gives %v, want > 0", name, v)
			}
		case (p.Status == ProvedOptimal || p.Status == Bounded) && !infeasible:
			w := costScales(m.Standard)
			gap := (p.Best.Objective - p.LowerBound) * w[0] / m.H
			worstGap = max(worstGap, gap)
			for n := 1; n <= m.N; n++ {
				worstViolation = max(worstViolation, (ev.J[n]-m.B[n])*w[n]/m.H)
			}
			if dual := leastWeighted(m.Standard, append([]float64{1}, p.Multipliers...)); !near(dual, p.LowerBound, 1e-9*m.H/w[0]) {
				t.Errorf("%s: the multipliers give a bound of %v, reported %v", name, dual, p.LowerBound)
			}
			for i, r := range p.ReducedCosts {
				if r < -1e-9*m.H/w[0] {
					t.Errorf("%s: reduced cost of pair %d is %v", name, i, r)
				}
			}
		default:
			t.Errorf("%s: %v (%s)", name, p.Status, p.Note)
		}
	}
	if worstGap > 1e-9 || worstViolation > 1e-9 {
		t.Errorf("largest gap %.1e H, largest violation %.1e H", worstGap, worstViolation)
	}
	t.Logf("%d problems: %v; largest gap %.1e H, largest violation %.1e H", count, verdicts, worstGap, worstViolation)
}

// leastWeighted is min_π Σ w_n J_n(π) - Σ_{n>=1} w_n b_n by value iteration, until MacQueen's bounds meet: with d the
// moves of a sweep, V* - TV lies between γ/(1-γ) min d and γ/(1-γ) max d.
func leastWeighted(m *model.Standard, w []float64) float64 {
	k := m.Kernels[0]
	v, next := make([]float64, m.S), make([]float64, m.S)
	cost := make([]float64, m.Pairs())
	for i := range cost {
		to, prob := k.Row(i)
		for n := range w {
			if m.CNext[n] == nil {
				cost[i] += w[n] * m.C[n][i]
				continue
			}
			for j, s := range to {
				cost[i] += w[n] * prob[j] * m.CNext[n][i*m.S+s]
			}
		}
	}
	j := 0.0
	for range 1 + int(40*m.H) {
		least, most, size := math.Inf(1), math.Inf(-1), 0.0
		for s := range next {
			next[s] = math.Inf(1)
			for i := m.Off[s]; i < m.Off[s+1]; i++ {
				q := 0.0
				to, prob := k.Row(i)
				for j, t := range to {
					q += prob[j] * v[t]
				}
				next[s] = min(next[s], cost[i]+m.Gamma*q)
			}
			least, most, size = min(least, next[s]-v[s]), max(most, next[s]-v[s]), max(size, math.Abs(next[s]))
		}
		v, next = next, v
		if far := m.Gamma * m.H * (most - least); far <= 1e-14*m.H*size {
			j = m.Gamma * m.H * (most + least) / 2
			break
		}
	}
	for s, p := range m.Mu {
		j += p * v[s]
	}
	for n := 1; n < len(w); n++ {
		j -= w[n] * m.B[n]
	}
	return j
}

// The optima and multipliers of the one-kernel fixtures, certified by duality
// to 6e-10 when they were made.
func TestOccupancyLPOnFixtures(t *testing.T) {
	n := 0
	for _, name := range fixture.Names(t) {
		want := fixture.Expected(t, name).CMDPLP
		if want == nil {
			continue
		}
		n++
		ev := fixtureEvaluator(t, name)
		p := finish(t, "occupancy-lp", ev, nil)
		if p.Status != ProvedOptimal || !near(p.Best.Objective, want.Optimum, 1e-8) || p.Best.MaxViolation > 0 {
			t.Errorf("%s: %v, objective %.12g (violation %g), want %.12g", name, p.Status, p.Best.Objective, p.Best.MaxViolation, want.Optimum)
		}
		for i, l := range want.Multipliers {
			if !near(p.Multipliers[i], l, 1e-6) {
				t.Errorf("%s: λ_%d = %v, want %v", name, i+1, p.Multipliers[i], l)
			}
		}
		t.Logf("%s: gap %.1e after %d columns and %d factorisations", name, p.Best.Objective-p.LowerBound, p.K, p.Iterations)
	}
	if n < 5 {
		t.Errorf("%d one-kernel fixtures, want at least 5", n)
	}
}
