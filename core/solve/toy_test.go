package solve

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"rcmdplab/core/evaluate"
	"rcmdplab/core/model"
)

// Kinds of ordinary model on which a search can go wrong, each in random
// variants whose answers are found without anything that is tested here:
// rational returns of every deterministic policy, mixtures of two of them, and
// value iteration.

// toy is a model of one kernel in whole 64ths, so that its returns are rational.
type toy struct {
	s, a     int
	gamma    float64
	rows     []float64 // [(s*a+i)*s+s']
	c        [2][]float64
	limit    float64 // of cost 1; NaN without one
	absorbed bool    // the last state is absorbing, at no cost
}

func newToy(r *rand.Rand, s, a int, gamma float64, absorbed bool) *toy {
	t := &toy{s: s, a: a, gamma: gamma, limit: math.NaN(), absorbed: absorbed, rows: make([]float64, s*a*s)}
	for n := range t.c {
		t.c[n] = make([]float64, s*a)
	}
	for i := range s * a {
		row := t.rows[i*s : (i+1)*s]
		if absorbed && i/a == s-1 {
			row[s-1] = 1
			continue
		}
		left := 64
		if absorbed { // every action makes for the goal
			k := 4 + r.IntN(30)
			row[s-1], left = float64(k)/64, left-k
		}
		for left > 0 {
			k := min(left, 1+r.IntN(40))
			row[r.IntN(s)] += float64(k) / 64
			left -= k
		}
		for n := range t.c {
			t.c[n][i] = float64(1 + r.IntN(32))
		}
	}
	return t
}

func (t *toy) problem() *model.Problem {
	p := &model.Problem{
		Layout: model.NewLayout(t.s, t.a, nil), Discount: t.gamma, Initial: make([]float64, t.s),
		States: make([]string, t.s), Actions: make([]string, t.a),
		Objective: model.Cost{Name: "c", Values: t.c[0]},
	}
	p.Initial[0] = 1
	if !math.IsNaN(t.limit) {
		p.Constraints = []model.Constraint{{Cost: model.Cost{Name: "d", Values: t.c[1]}, Bound: t.limit}}
	}
	p.Uncertainty = model.Uncertainty{Kind: model.Finite, Kernels: []*model.Kernel{model.NewKernel(t.s, t.rows)}}
	return p
}

// returns are J_0 and J_1 of a deterministic policy, by rational elimination.
func (t *toy) returns(choice []int) [2]float64 {
	s := t.s
	rat := func(x float64) *big.Rat { return new(big.Rat).SetFloat64(x) }
	m := make([][]*big.Rat, s)
	for i := range m {
		g := i*t.a + choice[i]
		for j := range s {
			x := new(big.Rat).Mul(rat(-t.gamma), rat(t.rows[g*s+j]))
			if i == j {
				x.Add(x, big.NewRat(1, 1))
			}
			m[i] = append(m[i], x)
		}
		m[i] = append(m[i], rat(t.c[0][g]), rat(t.c[1][g]))
	}
	for k := range s {
		for i := range s {
			if i == k || m[i][k].Sign() == 0 {
				continue
			}
			f := new(big.Rat).Quo(m[i][k], m[k][k])
			for j := k; j < s+2; j++ {
				m[i][j].Sub(m[i][j], new(big.Rat).Mul(f, m[k][j]))
			}
		}
	}
	var j [2]float64
	for n := range j {
		j[n], _ = new(big.Rat).Quo(m[0][s+n], m[0][0]).Float64()
	}
	return j
}

// all lists the returns of every deterministic policy.
func (t *toy) all() (list [][2]float64) {
	choice := make([]int, t.s)
	for {
		list = append(list, t.returns(choice))
		k := 0
		for ; k < t.s; k++ {
			if choice[k]++; choice[k] < t.a {
				break
			}
			choice[k] = 0
		}
		if k == t.s {
			return list
		}
	}
}

// optimum is the least J_0 with J_1 <= limit over all policies: under one kernel
// that of a mixture of at most two deterministic ones. +Inf when there is none.
func (t *toy) optimum() float64 {
	best := math.Inf(1)
	list := t.all()
	for _, x := range list {
		if math.IsNaN(t.limit) || x[1] <= t.limit {
			best = min(best, x[0])
			continue
		}
		for _, y := range list {
			if y[1] < t.limit {
				w := (t.limit - y[1]) / (x[1] - y[1])
				best = min(best, y[0]+w*(x[0]-y[0]))
			}
		}
	}
	return best
}

// exacts are the methods that claim the optimum of one kernel; slp is to find it.
func exacts(m *model.Standard) []string {
	if m.N == 0 {
		return []string{"policy-iteration", "occupancy-lp", "slp"}
	}
	return []string{"occupancy-lp", "slp"}
}

// void is the same problem as an l1 ball of radius 0.
func void(p *model.Problem) *model.Problem {
	q := *p
	q.Uncertainty = model.Uncertainty{Kind: model.L1, Nominal: p.Uncertainty.Kernels[0], Radius: []float64{0}}
	return &q
}

// answers holds a problem's best value found by each method against want, in the
// person's numbers, within a share of what errors are judged next to.
func answers(t *testing.T, about string, p *model.Problem, methods []string, want float64) {
	t.Helper()
	m := p.Standard()
	if len(m.Kernels) == 1 {
		if m.N == 0 {
			answers(t, about+", as a ball", void(p), []string{"robust-policy-iteration"}, want)
		}
		answers(t, about+", as a ball", void(p), []string{"slp"}, want)
	}
	for _, id := range methods {
		ev, err := evaluate.New(m)
		if err != nil {
			t.Fatal(err)
		}
		got := finish(t, id, ev, func(s *Settings) { s.Starts = 12 })
		if math.IsInf(want, 0) {
			if got.Best.Feasible {
				t.Errorf("%s: %s calls %v feasible", about, id, m.Present(0, got.Best.Objective))
			}
			continue
		}
		j := m.Present(0, got.Best.Objective)
		if size := m.Scale(0, m.Internal(0, want)); !got.Best.Feasible || !(math.Abs(j-want) <= 1e-6*size+1e-15*math.Abs(want)) {
			t.Errorf("%s: %s gives %.12g (%v), right is %.12g", about, id, j, got.Status, want)
			continue
		}
		withinLimits(t, about+": "+id, ev, got.Best.Policy, 1e-9)
	}
}

// withinLimits holds a feasible policy against what the tolerance says.
func withinLimits(t *testing.T, about string, ev *evaluate.Evaluator, pi []float64, tolerance float64) {
	t.Helper()
	ev.Evaluate(pi)
	for n := 1; n <= ev.M.N; n++ {
		if x := ev.Excess(n); x > tolerance*ev.M.Scale(n, ev.M.B[n])+ev.ErrorBound[n] {
			t.Errorf("%s exceeds limit %d by %g next to %g", about, n, x, ev.M.Scale(n, ev.M.B[n]))
		}
	}
}

// between puts the limit between the least and the largest J_1.
func (t *toy) between(share float64) {
	lo, hi := math.Inf(1), math.Inf(-1)
	for _, x := range t.all() {
		lo, hi = min(lo, x[1]), max(hi, x[1])
	}
	t.limit = lo + share*(hi-lo)
}

// toyWorst is the worst expectation of v over the row of pair i: that of the
// kernel, or of the l1 ball around it on its own successors, by moving mass from
// the least to the largest.
func toyWorst(p *model.Problem, k *model.Kernel, i int, v []float64) float64 {
	next, prob := k.Row(i)
	top, at := math.Inf(-1), 0
	for j, s := range next {
		if v[s] > top {
			top, at = v[s], j
		}
	}
	q := append([]float64(nil), prob...)
	left := 0.0
	if p.Uncertainty.Kind == model.L1 {
		left = p.Uncertainty.Radius[0] / 2
	}
	for left > 0 {
		low := -1
		for j, s := range next {
			if q[j] > 0 && j != at && v[s] < top && (low < 0 || v[s] < v[next[low]]) {
				low = j
			}
		}
		if low < 0 {
			break
		}
		x := min(left, q[low])
		q[low], q[at], left = q[low]-x, q[at]+x, left-x
	}
	e := 0.0
	for j, s := range next {
		if q[j] > 0 { // an unreachable state may hold +Inf
			e += q[j] * v[s]
		}
	}
	return e
}
