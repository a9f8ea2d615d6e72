package solve

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"rcmdplab/core/evaluate"
	"rcmdplab/core/internal/bellman"
	"rcmdplab/core/model"
)

func TestLongHorizonsWithAGoal(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 10))
	for _, gamma := range []float64{0.999, 0.999999, 0.9999999, 1 - 0x1p-36} {
		for range 6 {
			x := newToy(r, 3, 2, gamma, true)
			about := fmt.Sprintf("γ = 1-%.1e", 1-gamma)
			answers(t, about, x.problem(), exacts(x.problem().Standard()), x.optimum())
			x.between(0.5)
			answers(t, about+" with a limit", x.problem(), exacts(x.problem().Standard()), x.optimum())
		}
	}
}

func TestPenaltiesDoNotHideTheRest(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 11))
	for _, size := range []float64{1e6, 1e9, 1e12} {
		for range 6 {
			x := newToy(r, 3, 3, 0.95, false)
			for s := range x.s { // one action of each state is not to be taken
				x.c[0][s*x.a+r.IntN(x.a)] = size
			}
			about := fmt.Sprintf("penalties of %g", size)
			answers(t, about, x.problem(), exacts(x.problem().Standard()), x.optimum())
			x.between(0.6)
			answers(t, about+" with a limit", x.problem(), exacts(x.problem().Standard()), x.optimum())
		}
	}
}

// TestAnswersFollowUnitOffsetAndSense: a cost in another unit, with something
// added to it everywhere, or turned round, has the answer that follows.
func TestAnswersFollowUnitOffsetAndSense(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 12))
	for range 5 {
		x := newToy(r, 3, 2, 0.9, false)
		x.between(0.4)
		h := 1 / (1 - x.gamma)
		want := x.optimum()
		for _, unit := range [][2]float64{{1, 1}, {1e-9, 1}, {1, 1e-8}, {1e6, 1e-10}, {1e-12, 1e9}} {
			for _, offset := range [][2]float64{{0, 0}, {1e6, 0}, {0, 1e6}, {-1e7, 1e5}} {
				p := x.problem()
				change := func(values []float64, n int, sign float64) []float64 {
					v := make([]float64, len(values))
					for i, c := range values {
						v[i] = sign * unit[n] * (c + offset[n])
					}
					return v
				}
				for _, turned := range []bool{false, true} {
					sign := 1.0
					if turned {
						sign = -1
					}
					q := *p
					q.Maximize = turned
					q.Objective.Values = change(p.Objective.Values, 0, sign)
					c := p.Constraints[0]
					c.AtLeast = turned
					c.Values, c.Bound = change(c.Values, 1, sign), sign*unit[1]*(c.Bound+offset[1]*h)
					q.Constraints = []model.Constraint{c}
					about := fmt.Sprintf("units %v, offsets %v, turned %v", unit, offset, turned)
					answers(t, about, &q, exacts(q.Standard()), sign*unit[0]*(want+offset[0]*h))
				}
			}
		}
	}
}

func TestZeroAndConstantCosts(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 13))
	for _, c := range []float64{0, 1, -1, 0.3, 1e-9, -1e8} {
		x := newToy(r, 3, 2, 0.9, false)
		for i := range x.c[0] {
			x.c[0][i] = c
		}
		answers(t, fmt.Sprintf("every cost is %g", c), x.problem(), exacts(x.problem().Standard()), x.optimum())
		x.between(0.3)
		answers(t, fmt.Sprintf("every cost is %g, with a limit", c), x.problem(), exacts(x.problem().Standard()), x.optimum())
	}
}

// forbidden is a model in which cost 1 is paid for some actions, in some states
// for all, and must not be: the limit is 0. In state 0 there is a way out.
func forbidden(r *rand.Rand, u model.Uncertainty) *model.Problem {
	s, a := 4+r.IntN(3), 2+r.IntN(2)
	l := model.NewLayout(s, a, nil)
	kernel := func() *model.Kernel {
		rows := make([]float64, s*a*s)
		for i := range s * a {
			row := rows[i*s : (i+1)*s]
			if i%a == 0 && i/a < s/2 { // a way that stays on the safe side
				row[r.IntN(s/2)] = 1
				continue
			}
			row[r.IntN(s)] += 0.75
			row[r.IntN(s)] += 0.25
		}
		return model.NewKernel(s, rows)
	}
	cost, pay := make([]float64, s*a), make([]float64, s*a)
	for i := range cost {
		cost[i] = float64(r.IntN(9))
		if i/a >= s/2 && r.IntN(3) > 0 || i%a > 0 && r.IntN(3) == 0 {
			pay[i] = []float64{1, 0.25, 1e-8}[r.IntN(3)]
		}
	}
	pay[s*a-1] = 1
	p := &model.Problem{
		Layout: l, Discount: []float64{0.8, 0.95}[r.IntN(2)], Initial: make([]float64, s), States: make([]string, s), Actions: make([]string, a),
		Objective:   model.Cost{Name: "c", Values: cost},
		Constraints: []model.Constraint{{Cost: model.Cost{Name: "d", Values: pay}}}, Uncertainty: u,
	}
	p.Initial[0] = 1
	if u.Kind == model.Finite {
		p.Uncertainty.Kernels = []*model.Kernel{kernel(), kernel()}[:1+r.IntN(2)]
	} else {
		p.Uncertainty.Nominal = kernel()
	}
	return p
}

// safest is the least worst case of the objective over the policies that never
// pay cost 1, by value iteration on what the evaluator's operator says of single
// pairs; +Inf when every policy pays. Under several kernels it is a bound only.
func safest(t *testing.T, p *model.Problem) float64 {
	m := p.Standard()
	open := make([]bool, m.Pairs())
	for i := range open {
		open[i] = m.C[1][i] == 0
	}
	rows := m.Kernels
	if rows == nil {
		rows = []*model.Kernel{m.NormalisedNominal()}
	}
	for again := true; again; { // pairs that may lead where everything is closed
		again = false
		for i := range open {
			for _, k := range rows {
				next, prob := k.Row(i)
				for j, s := range next {
					stuck := true
					for q := m.Off[s]; q < m.Off[s+1]; q++ {
						stuck = stuck && !open[q]
					}
					if open[i] && prob[j] > 0 && stuck {
						open[i], again = false, true
					}
				}
			}
		}
	}
	v, next := make([]float64, m.S), make([]float64, m.S)
	for sweep := 0; sweep < int(40*m.H); sweep++ {
		for s := range m.S {
			next[s] = math.Inf(1)
			for i := m.Off[s]; i < m.Off[s+1]; i++ {
				if !open[i] {
					continue
				}
				worst := math.Inf(-1)
				for _, k := range rows {
					worst = max(worst, m.C[0][i]+m.Gamma*toyWorst(p, k, i, v))
				}
				next[s] = min(next[s], worst)
			}
		}
		v, next = next, v
	}
	return v[0]
}

func TestWhatIsForbiddenIsAvoidedAtNoFurtherCost(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 14))
	solved := 0
	for _, u := range []model.Uncertainty{{Kind: model.Finite}, {Kind: model.L1, Radius: []float64{0.2}}} {
		for range 25 {
			p := forbidden(r, u)
			want := safest(t, p)
			if math.IsInf(want, 1) {
				continue
			}
			solved++
			if len(p.Uncertainty.Kernels) == 2 { // nature, who chooses for good, can do no worse
				ev, err := evaluate.New(p.Standard())
				if err != nil {
					t.Fatal(err)
				}
				if got := finish(t, "slp", ev, nil).Best; !got.Feasible || got.Objective > want+1e-6*math.Abs(want) {
					t.Errorf("forbidden under two kernels: slp gives %v (%v), a policy has %v at the worst", got.Objective, got.Feasible, want)
				} else {
					withinLimits(t, "forbidden under two kernels: slp", ev, got.Policy, 1e-9)
				}
				p.Uncertainty.Kernels[1] = p.Uncertainty.Kernels[0] // the same answer, asked twice
				if want = safest(t, p); math.IsInf(want, 1) {
					continue
				}
			}
			methods := []string{"slp"}
			if len(p.Uncertainty.Kernels) == 1 {
				methods = append(methods, "occupancy-lp")
			}
			answers(t, fmt.Sprintf("forbidden, %s", u.Kind), p, methods, want)
		}
	}
	if solved < 30 {
		t.Errorf("only %d problems could be met", solved)
	}
}

func TestLimitsAtTheLeastPossibleAreMet(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 15))
	for range 20 {
		x := newToy(r, 3, 2, 0.9, false)
		for i := range x.c[1] { // ties, so that there is something to choose
			x.c[1][i] = float64(r.IntN(2))
		}
		x.c[1][0] = 1 // next to a cost that is 0 everywhere, any limit below 0 is far
		x.between(0)
		for _, off := range []float64{0, 1e-17, -1e-17, 2e-16} { // rounding of what a person computed
			y := *x
			y.limit += off * max(1, math.Abs(x.limit))
			want := math.Inf(1)
			for _, j := range x.all() {
				if j[1] <= x.limit*(1+1e-14) {
					want = min(want, j[0])
				}
			}
			answers(t, "a limit at the least possible", y.problem(), exacts(y.problem().Standard()), want)
		}
	}
}

func TestTwoLimitsThatLeaveOnePolicy(t *testing.T) {
	for _, u := range []model.Uncertainty{
		{Kind: model.Finite}, {Kind: model.L1, Radius: []float64{0.2}}, {Kind: model.KL, Radius: []float64{0.1}}, {Kind: model.Contamination, Radius: []float64{0.3}},
	} {
		for _, unit := range []float64{1, 1e-9, 1e7} {
			k := model.NewKernel(1, []float64{1, 1})
			if u.Kind == model.Finite {
				u.Kernels = []*model.Kernel{k}
			} else {
				u.Nominal = k
			}
			limit := func(values []float64, b float64) model.Constraint {
				return model.Constraint{Cost: model.Cost{Values: values}, Bound: b}
			}
			p := &model.Problem{
				Layout: model.NewLayout(1, 2, nil), Discount: 0.9, Initial: []float64{1}, States: []string{"x"}, Actions: []string{"a", "b"},
				Objective:   model.Cost{Values: []float64{1, 3}},
				Constraints: []model.Constraint{limit([]float64{unit, 0}, 5*unit), limit([]float64{0, unit}, 5*unit)}, Uncertainty: u,
			}
			answers(t, fmt.Sprintf("two limits, %s, unit %g", u.Kind, unit), p, []string{"slp"}, 20)
		}
	}
}

// TestRobustPolicyIterationGoesOnUntilNoStateImproves: rewards at the far end of
// a chain, against value iteration.
func TestRobustPolicyIterationGoesOnUntilNoStateImproves(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 16))
	for _, u := range []model.Uncertainty{
		{Kind: model.L1, Radius: []float64{0.2}}, {Kind: model.L1, Radius: []float64{0}}, {Kind: model.TV, Radius: []float64{0.05}},
		{Kind: model.LInf, Radius: []float64{0.05}}, {Kind: model.L2, Radius: []float64{0.1}}, {Kind: model.Chi2, Radius: []float64{0.1}},
		{Kind: model.KL, Radius: []float64{0.05}}, {Kind: model.KLRegularized, Temperature: 0.5}, {Kind: model.Contamination, Radius: []float64{0.05}},
	} {
		for range 3 {
			s := 4 + r.IntN(8)
			rows := make([]float64, 2*s*s)
			values := make([]float64, 2*s)
			for i := range 2 * s {
				row, at := rows[i*s:(i+1)*s], i/2
				step := 1 - 2*(i%2)
				row[min(max(at+step, 0), s-1)] += 0.75
				row[at] += 0.25
				values[i] = 1
			}
			values[1], values[2*s-2], values[2*s-1] = 0.995, 0, 0.5
			p := &model.Problem{
				Layout: model.NewLayout(s, 2, nil), Discount: 0.95, Initial: make([]float64, s), States: make([]string, s), Actions: make([]string, 2),
				Objective: model.Cost{Values: values}, Uncertainty: u,
			}
			p.Initial[0] = 1
			p.Uncertainty.Nominal = model.NewKernel(s, rows)
			m := p.Standard()
			op := bellman.New(t, m)
			v := make([]float64, s)
			q := make([]float64, m.Pairs())
			for range int(40 * m.H) {
				op.Apply(q, nil, v, []float64{1})
				for st := range v {
					v[st] = min(q[2*st], q[2*st+1])
				}
			}
			answers(t, fmt.Sprintf("a chain of %d, %s", s, u.Kind), p, []string{"robust-policy-iteration", "slp"}, v[0])
		}
	}
}

// TestSearchesNeverCallAViolationNone: whatever the unit of a limited cost, no
// method calls a policy feasible that exceeds the limit by more than its
// tolerance says, nor has a value below the optimum.
func TestSearchesNeverCallAViolationNone(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 17))
	for _, unit := range []float64{1, 1e-10, 1e9} {
		x := newToy(r, 3, 2, 0.9, false)
		x.between(0.3)
		want := x.optimum()
		for i := range x.c[1] {
			x.c[1][i] *= unit
		}
		x.limit *= unit
		m := x.problem().Standard()
		for _, a := range Algorithms() {
			ev, err := evaluate.New(m)
			if err != nil {
				t.Fatal(err)
			}
			got := finish(t, a.ID, ev, func(s *Settings) {
				s.OuterIterations, s.InnerIterations, s.Starts = min(s.OuterIterations, 30), 100, 5
				s.InitialPolicy = m.Uniform()
			})
			if !got.Best.Feasible {
				continue
			}
			withinLimits(t, fmt.Sprintf("unit %g: %s", unit, a.ID), ev, got.Best.Policy, 1e-9)
			if got.Best.Objective < want-1e-8*math.Abs(want) {
				t.Errorf("unit %g: %s gives %v, and no policy is below %v", unit, a.ID, got.Best.Objective, want)
			}
		}
	}
}
