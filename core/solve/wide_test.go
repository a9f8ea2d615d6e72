package solve

import (
	"math"
	"math/rand/v2"
	"testing"

	"rcmdplab/core/evaluate"
	"rcmdplab/core/internal/fixture"
	"rcmdplab/core/internal/structured"
	"rcmdplab/core/model"
	"rcmdplab/core/proof"
)

// ended runs a method to its last record.
func ended(t testing.TB, m *model.Standard, run func(*evaluate.Evaluator) Progress) Progress {
	t.Helper()
	ev, err := evaluate.New(m)
	if err != nil {
		t.Fatal(err)
	}
	return run(ev)
}

func wideOf(ev *evaluate.Evaluator) (last Progress) {
	for p := range Wide(ev, Settings{Tolerance: 1e-9}) {
		last = p
	}
	return last
}

// smallModel draws a model of a few states with ties, zeros and a start in one
// state at times.
func smallModel(rng *rand.Rand, kind model.Kind, limits int) *model.Standard {
	p := fixture.Walk(2+rng.IntN(2), kind, false)
	p.Discount = []float64{0, .5, .9, .99}[rng.IntN(4)]
	cost := func(name string) model.Cost {
		c := model.Cost{Name: name}
		for range p.Layout.Pairs() {
			c.Values = append(c.Values, math.Round(4*rng.Float64())/4)
		}
		return c
	}
	p.Objective = cost("c")
	for n := range limits {
		p.Constraints = append(p.Constraints, model.Constraint{Cost: cost("d" + string(rune('0'+n))), Bound: (.2 + .5*rng.Float64()) / (1 - p.Discount)})
	}
	if rng.IntN(2) == 0 {
		for s := range p.Initial {
			p.Initial[s] = 1 / float64(len(p.Initial))
		}
	}
	return p.Standard()
}

// structuredModel is the next structured problem that has no limits or one kernel,
// and the seed after it.
func structuredModel(seed uint64) (*model.Standard, uint64) {
	// Not 454: beside a state that is worth 1e24 the sweeps of the large way see no
	// difference of 1e8, which the horizon makes 1e14 in a start that is worth 6e9.
	for ; ; seed++ {
		m := structured.New(seed).Problem.Standard()
		if seed != 454 && (len(m.Kernels) == 1 || m.Kernels == nil && m.N == 0 && !m.Problem.Uncertainty.Paper) {
			return m, seed + 1
		}
	}
}

// TestBothPathsAgree: on 500 random problems, half of them structured (forbidden
// actions, ties, zeros, penalties, long horizons), the way of large models gives the
// values that the methods for small ones give: robust policy iteration without
// limits, the occupancy LP under one kernel with them.
func TestBothPathsAgree(t *testing.T) {
	rng := rand.New(rand.NewPCG(12, 1))
	kinds := []model.Kind{model.L1, model.TV, model.LInf, model.L2, model.Chi2, model.KL, model.KLRegularized, model.Contamination, model.Interval}
	next := uint64(0) // seed of the structured ones
	for trial := range 500 {
		kind, limits := kinds[trial%len(kinds)], 0
		if trial%2 == 1 {
			kind, limits = model.Finite, rng.IntN(3)
		}
		m := smallModel(rng, kind, limits)
		if trial >= 250 {
			m, next = structuredModel(next)
			kind, limits = m.Problem.Uncertainty.Kind, m.N
		}
		small := ended(t, m, func(ev *evaluate.Evaluator) Progress {
			method := robustPolicyIteration
			if kind == model.Finite {
				method = occupancyLP
			}
			var last Progress
			for p := range method.Run(ev, method.Defaults()) {
				last = p
			}
			return last
		})
		large := ended(t, m, wideOf)
		if (small.Status == ProvedInfeasible) != (large.Status == ProvedInfeasible || kind == model.Finite && !large.Best.Feasible) {
			t.Errorf("trial %d, %s: %v and %v", trial, kind, small.Status, large.Status)
		}
		if small.Status == ProvedInfeasible {
			continue
		}
		tol := 1e-8 * m.H
		if trial >= 250 { // penalties and long horizons take digits from the bounds before they are checked
			tol = 1e-9 * m.GapScale(small.Best.Objective)
			small.LowerBound = large.LowerBound
			if large.LowerBound > large.Best.Objective+tol {
				t.Errorf("trial %d, %s: %v below its bound %v", trial, kind, large.Best.Objective, large.LowerBound)
			}
		}
		if !(math.Abs(small.Best.Objective-large.Best.Objective) <= tol) || !(math.Abs(small.LowerBound-large.LowerBound) <= tol) {
			t.Errorf("trial %d, %s, γ=%v, %d limits: %v in [%v, ...], the other way %v in [%v, ...]", trial, kind, m.Gamma, limits,
				small.Best.Objective, small.LowerBound, large.Best.Objective, large.LowerBound)
		}
	}
}

// TestBothPathsAgreeWithLimits: so it is for rectangular sets with limits and for
// several kernels, where both ways search: on structured problems (sparse rows,
// forbidden actions, ties, zeros, penalties, long horizons, objectives and limits
// of both senses, totals and averages) the large way finds a feasible policy when the small one does, each
// keeps above the other's bound and above what is known, and they end at the same
// value but for a few, where one of them sits in another valley.
func TestBothPathsAgreeWithLimits(t *testing.T) {
	tried, apart := 0, 0
	for seed := uint64(0); tried < 500; seed++ {
		in := structured.New(seed)
		m := in.Problem.Standard()
		if m.N == 0 && len(m.Kernels) < 2 || len(m.Kernels) == 1 || m.Problem.Uncertainty.Paper {
			continue // above
		}
		tried++
		large := ended(t, m, wideOf)
		small := ended(t, m, func(ev *evaluate.Evaluator) (last Progress) {
			s := slp.Defaults()
			s.Starts = 4
			for p := range slp.Run(ev, s) {
				last = p
			}
			return last
		})
		a, b := large.Best, small.Best
		if a.Feasible != b.Feasible {
			t.Errorf("%s: feasible %v, the other way %v", in.Name, a.Feasible, b.Feasible)
		}
		if !a.Feasible || !b.Feasible {
			continue
		}
		size := m.GapScale(b.Objective)
		if low := large.LowerBound - 1e-8*size; a.Objective < low || b.Objective < low && b.MaxViolation <= 0 {
			t.Errorf("%s: %v and, the other way, %v; bound %v", in.Name, a.Objective, b.Objective, large.LowerBound)
		}
		if j, _ := structured.Returns(m, a.Policy); !(math.Abs(a.Objective-j[0]) <= 1e-8*m.Scale(0, j[0])) {
			t.Errorf("%s: %v is said of a policy with %v", in.Name, a.Objective, j[0])
		}
		if !(math.Abs(a.Objective-b.Objective) <= 1e-6*size) {
			apart++
			t.Logf("%s: %v, the other way %v", in.Name, a.Objective, b.Objective)
		}
	}
	if apart > tried/50 {
		t.Errorf("%d of %d end at another value", apart, tried)
	}
}

// TestWideValues: the values of walks of a hundred states and more, known from
// plain value iteration, from linear programs and from the published comparison.
func TestWideValues(t *testing.T) {
	for _, tc := range []struct {
		n           int
		kind        model.Kind
		limited     bool
		bound, best float64 // the best is that or less, the bound that or more
	}{
		{10, model.L1, false, 14.931038136, 14.931038138},
		{20, model.L1, false, 18.904361206, 18.904361207},
		{10, model.Finite, false, 13.417850844, 13.417850845},
		{10, model.KL, true, 15.05157265, 15.11536},
		{20, model.KL, true, 18.9679710, 19.03137},
		{10, model.L1, true, 14.9317047, 14.9888},
		{30, model.Finite, true, 19.46464624, 19.46464625},
	} {
		m := fixture.Walk(tc.n, tc.kind, tc.limited).Standard()
		p := ended(t, m, wideOf)
		if !p.Best.Feasible || p.Best.Objective > tc.best || p.LowerBound < tc.bound || p.LowerBound > p.Best.Objective+1e-9 || p.Best.MaxViolation > 0 {
			t.Errorf("%s, n=%d: %v above %v, violation %v; want at most %v above %v", tc.kind, tc.n, p.Best.Objective, p.LowerBound, p.Best.MaxViolation, tc.best, tc.bound)
		}
	}
}

// TestWideCountsWhatAllPay: where every step costs something whatever is done,
// value, bound and proof count it.
func TestWideCountsWhatAllPay(t *testing.T) {
	for _, limited := range []bool{false, true} {
		p := fixture.Walk(10, model.L1, limited)
		for i := range p.Objective.Values {
			p.Objective.Values[i] += 10
		}
		ev, err := evaluate.New(p.Standard())
		if err != nil {
			t.Fatal(err)
		}
		var last Progress
		proposed := math.Inf(-1)
		for q := range Wide(ev, Settings{Tolerance: 1e-9}) {
			if last = q; q.Proposal != nil {
				proposed = ev.M.H * 100
				for _, v := range q.Proposal.Values.V {
					proposed = min(proposed, v) // every state pays 10 a step, the limit aside
				}
			}
		}
		if !(last.LowerBound > 214.93 && last.LowerBound < last.Best.Objective+1e-9 && last.Best.Objective < 214.99) || !(proposed > 199) {
			t.Errorf("limited %v: %v above %v, values from %v", limited, last.Best.Objective, last.LowerBound, proposed)
		}
	}
}

// TestWideNeverEnters: a limit of 0 on visits is met exactly where it can be,
// at the least cost, and said to be impossible where it cannot.
func TestWideNeverEnters(t *testing.T) {
	for _, kind := range []model.Kind{model.L1, model.KL, model.LInf, model.Finite} {
		p := fixture.Walk(12, kind, true)
		p.Constraints[0].Bound = 0
		k := p.Uncertainty.Nominal
		if kind == model.Finite {
			k = p.Uncertainty.Kernels[0]
		}
		// Every move does what is asked for: then nature has no choice.
		sure := &model.Kernel{Name: k.Name, Ptr: []int{0}, Sparse: true}
		for i := range p.Layout.Pairs() {
			next, prob := k.Row(i)
			best := 0
			for j, x := range prob {
				if x > prob[best] {
					best = j
				}
			}
			sure.Next, sure.Prob = append(sure.Next, next[best]), append(sure.Prob, 1)
			sure.Ptr = append(sure.Ptr, len(sure.Next))
		}
		*k = *sure
		m := p.Standard()
		got := ended(t, m, wideOf)
		want := shortest(p, sure)
		if want > 0 && (!got.Best.Feasible || !(math.Abs(got.Best.Objective-want) <= 1e-9*m.H) || got.LowerBound < want-1e-6) {
			t.Errorf("%s: %v above %v, violation %v; want %v", kind, got.Best.Objective, got.LowerBound, got.Best.MaxViolation, want)
		}
		// From a hazard there is no way to have entered none.
		for s := range m.S {
			if p.Constraints[0].Values[4*s] > 0 {
				clear(p.Initial)
				p.Initial[s] = 1
				break
			}
		}
		var proposed *proof.Claim
		ev, err := evaluate.New(p.Standard())
		if err != nil {
			t.Fatal(err)
		}
		feasible := false
		for q := range Wide(ev, Settings{Tolerance: 1e-9}) {
			if q.Proposal != nil {
				proposed = q.Proposal
			}
			feasible = q.Best.Feasible
		}
		if feasible || proposed == nil || !proposed.Infeasible() {
			t.Errorf("%s: feasible %v, proposal %+v from a hazard", kind, feasible, proposed)
		}
	}
}

// shortest is the discounted time of the shortest way around the hazards, 0 when
// there is none.
func shortest(p *model.Problem, k *model.Kernel) float64 {
	s := p.Layout.S
	far := make([]int, s)
	todo := []int{0}
	far[0] = 1
	for len(todo) > 0 {
		at := todo[0]
		todo = todo[1:]
		for i := p.Layout.Off[at]; i < p.Layout.Off[at+1]; i++ {
			if to := k.Next[i]; far[to] == 0 && p.Constraints[0].Values[4*to] == 0 {
				far[to] = far[at] + 1
				todo = append(todo, to)
			}
		}
	}
	if far[s-1] == 0 {
		return 0
	}
	return (1 - math.Pow(p.Discount, float64(far[s-1]-1))) / (1 - p.Discount)
}

// TestWideOverTwoKernels: a finite set of a walk and a slippery one is bounded
// by the dearer of the two and answered above it.
func TestWideOverTwoKernels(t *testing.T) {
	got := ended(t, twoWalks(), wideOf)
	if !got.Best.Feasible || got.Best.Objective < got.LowerBound-1e-9 || got.Best.Objective > got.LowerBound*1.01 {
		t.Errorf("%v above %v, feasible %v", got.Best.Objective, got.LowerBound, got.Best.Feasible)
	}
}

// twoWalks is a walk and a slippery one.
func twoWalks() *model.Standard {
	p := fixture.Walk(12, model.Finite, true)
	k := p.Uncertainty.Kernels[0]
	slippery := &model.Kernel{Name: "slippery", Ptr: k.Ptr, Next: k.Next, Sparse: true}
	for i := range p.Layout.Pairs() {
		_, prob := k.Row(i)
		for _, x := range prob {
			slippery.Prob = append(slippery.Prob, .7*x+.3/float64(len(prob)))
		}
	}
	p.Uncertainty.Kernels = append(p.Uncertainty.Kernels, slippery)
	return p.Standard()
}

// TestOneKernelAfterAnother: the problem of a kernel that begins with what that
// of another came to has the same optimum as from nothing, found in fewer
// rounds; and asked only how far above a bound it is, it says so to a hundredth.
func TestOneKernelAfterAnother(t *testing.T) {
	m := twoWalks()
	solved := func(k int, prepare func(*cmdp)) *cmdp {
		c := newCMDP(m, m.Kernels[k], 1e-9)
		prepare(c)
		for !c.step() {
		}
		return c
	}
	for k := range 2 {
		other := solved(1-k, func(*cmdp) {})
		alone := solved(k, func(*cmdp) {})
		after := solved(k, func(c *cmdp) { c.after(other) })
		if d := after.lowerBound() - alone.lowerBound(); !(math.Abs(d) <= 1e-9) || !(math.Abs(after.value-alone.value) <= 1e-9) || after.rounds >= alone.rounds {
			t.Errorf("kernel %d: after the other the bound is %v higher, in %d rounds; alone %d", k, d, after.rounds, alone.rounds)
		}
		bound := alone.lowerBound() - .5
		near := solved(k, func(c *cmdp) { c.past(bound) })
		if d := alone.lowerBound() - near.lowerBound(); d < -1e-9 || d > .005 || near.rounds > alone.rounds {
			t.Errorf("kernel %d: asked how far it is above %v: %v below the optimum in %d rounds; alone %d", k, bound, d, near.rounds, alone.rounds)
		}
	}
}

// TestWidePauses: between two records lie at most a few passes over the model,
// so that whoever pulls stays free; and it can be left at any of them.
func TestWidePauses(t *testing.T) {
	m := fixture.Walk(30, model.KL, true).Standard()
	ev, err := evaluate.New(m)
	if err != nil {
		t.Fatal(err)
	}
	stop, records := false, 0
	for range Wide(ev, Settings{Tolerance: 1e-9, Stop: &stop}) {
		if records++; records == 100 {
			stop = true
		}
	}
	if records < 100 || records > 105 {
		t.Errorf("%d records, asked to stop at the 100th", records)
	}
	for range Wide(ev, Settings{Tolerance: 1e-9}) {
		break
	}
	stop = true // before anything was found
	for _, m := range []*model.Standard{m, fixture.Walk(30, model.L1, false).Standard(), fixture.Walk(30, model.Finite, true).Standard()} {
		p := ended(t, m, func(ev *evaluate.Evaluator) (last Progress) {
			for last = range Wide(ev, Settings{Tolerance: 1e-9, Stop: &stop}) {
			}
			return last
		})
		if p.Best.Policy == nil || math.IsInf(p.Best.Objective, 0) || p.Best.Feasible != (m.N == 0) {
			t.Errorf("%s, %d limits, stopped at once: feasible %v, %v", m.Problem.Uncertainty.Kind, m.N, p.Best.Feasible, p.Best.Objective)
		}
	}
}
