package decide_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"rcmdplab/core/certify"
	"rcmdplab/core/decide"
	"rcmdplab/core/evaluate"
	"rcmdplab/core/model"
	"rcmdplab/core/solve"
	"rcmdplab/core/uncertainty"
)

// sparseEpisode is a problem at discount 1 by rows: the last two states are ends, the episode begins in the first.
func sparseEpisode(states, actions int, kind model.Kind, row func(s, a int) map[int]float64, cost func(s int) float64) *model.Problem {
	there := make([]bool, states*actions)
	end := make([]bool, states)
	end[states-1], end[states-2] = true, true
	for i := range there {
		there[i] = !end[i/actions] || i%actions == 0
	}
	p := &model.Problem{Layout: model.NewLayout(states, actions, there), Discount: 1, End: end, Initial: make([]float64, states), Objective: model.Cost{Name: "cost"}}
	p.Initial[0] = 1
	for s := range states {
		p.States = append(p.States, "s"+strconv.Itoa(s))
		for range actions {
			p.Objective.Values = append(p.Objective.Values, cost(s))
		}
	}
	for a := range actions {
		p.Actions = append(p.Actions, "a"+strconv.Itoa(a))
	}
	k := &model.Kernel{Name: "k", Ptr: []int{0}, Sparse: true}
	for i, s := range p.Layout.State {
		r := map[int]float64{s: 1}
		if !end[s] {
			r = row(s, p.Layout.Act[i])
		}
		var next []int
		for t, q := range r {
			if q > 0 {
				next = append(next, t)
			}
		}
		slices.Sort(next)
		for _, t := range next {
			k.Next, k.Prob = append(k.Next, t), append(k.Prob, r[t])
		}
		k.Ptr = append(k.Ptr, len(k.Next))
	}
	if p.Uncertainty = (model.Uncertainty{Kind: kind, Nominal: k, Radius: []float64{.05}}); kind == model.Finite {
		p.Uncertainty = model.Uncertainty{Kind: kind, Kernels: []*model.Kernel{k}}
	}
	return p
}

// corridor is so many states long: one step forward for sure, slowly, or two that may fail, go back, or fall.
func corridor(states int) (row func(s, a int) map[int]float64, cost func(s int) float64) {
	goal, fallen := states-2, states-1
	row = func(s, a int) map[int]float64 {
		if a == 0 {
			return map[int]float64{s + 1: .9, s: .1}
		}
		r := map[int]float64{fallen: 1e-6}
		r[min(s+2, goal)] += .8
		r[max(s-1, 0)] += .2 - 1e-6
		return r
	}
	return row, func(s int) float64 { return float64(b2i(s < goal)) }
}

// lingering is a ladder of which the first rung may be left, for good with 9/10 and for nothing with 1/10. By the other action
// one stays for nothing, and climbs with 1/10 from each rung to the next; who is on the last falls. That happens once in 1e40
// steps or so, and no float64 tells the values of the first rungs apart.
func lingering(states int) (row func(s, a int) map[int]float64, cost func(s int) float64) {
	goal, fallen := states-2, states-1
	row = func(s, a int) map[int]float64 {
		switch {
		case s == goal-1:
			return map[int]float64{fallen: 1}
		case s == 0 && a == 1:
			return map[int]float64{goal: .9, fallen: .1}
		}
		return map[int]float64{s + 1: .1, 0: .9}
	}
	return row, func(s int) float64 { return -float64(b2i(s == goal)) }
}

func b2i(is bool) int {
	if is {
		return 1
	}
	return 0
}

// scatteredEpisode leads anywhere, by five of its states a step, in some of which one is held for good: what comes to those does so by one action only.
func scatteredEpisode(states int) (row func(s, a int) map[int]float64, cost func(s int) float64) {
	r := rand.New(rand.NewPCG(9, 1))
	costs, trap := make([]float64, states), make([]bool, states)
	rows := make([]map[int]float64, 3*states)
	for s := range states - 2 {
		costs[s], trap[s] = math.Round(100*r.Float64())/100, s%19 == 7
	}
	for i := range rows {
		rows[i] = map[int]float64{}
		for range 5 {
			to := r.IntN(states)
			if trap[to] && i%3 > 0 {
				to = states - 2
			}
			rows[i][to] += .2
		}
		if trap[i/3] {
			rows[i] = map[int]float64{i / 3: 1}
		}
	}
	return func(s, a int) map[int]float64 { return rows[3*s+a] }, func(s int) float64 { return costs[s] }
}

// byValueIteration is the least cost from the first state, as in a textbook, from above where to go on for ever is free.
func byValueIteration(t *testing.T, p *model.Problem, from float64) float64 {
	t.Helper()
	m := p.Standard()
	var set uncertainty.Set
	if m.Kernels == nil {
		var err error
		if set, err = uncertainty.New(m); err != nil {
			t.Fatal(err)
		}
	}
	v, next, row := make([]float64, m.S), make([]float64, m.S), make([]float64, 16)
	for s := range v {
		if v[s] = from; m.Ends(s) {
			v[s] = p.EndCost(&p.Objective, s)
		}
	}
	for range 20000 {
		moved := 0.0
		if set != nil {
			set.Begin(v)
		}
		for s := range v {
			next[s] = v[s]
			if m.Ends(s) {
				continue
			}
			next[s] = math.Inf(1)
			for i := m.Off[s]; i < m.Off[s+1]; i++ {
				q := p.Objective.Values[s*m.A+m.Act[i]]
				if set != nil {
					q += set.Row(row[:len(set.Support(i))], i).Value
				} else {
					to, prob := m.Kernels[0].Row(i)
					for j, u := range to {
						q += prob[j] * v[u]
					}
				}
				next[s] = min(next[s], q)
			}
			moved = max(moved, math.Abs(next[s]-v[s]))
		}
		if v, next = next, v; moved < 1e-12 {
			break
		}
	}
	return v[0]
}

// Long corridors, loops that hardly lose anything, and rows that the checker draws into the set itself come to their values,
// by value iteration, with a proof to the last digits.
func TestLargeEpisodesAreProved(t *testing.T) {
	type shape = func(states int) (func(s, a int) map[int]float64, func(s int) float64)
	for _, c := range []struct {
		name            string
		shape           shape
		states, actions int
		kind            model.Kind
		from, within    float64
	}{
		{"corridor", corridor, 400, 2, model.Finite, 0, 1e-7},
		{"corridor", corridor, 400, 2, model.L1, 0, 1e-7},
		{"lingering", lingering, 40, 2, model.Finite, 0, 1e-7},
		{"lingering", lingering, 100, 2, model.L1, 0, 1e-6},
		{"scattered", scatteredEpisode, 80, 3, model.L1, 1e9, 1e-7},
		{"scattered", scatteredEpisode, 80, 3, model.Interval, 1e9, 1e-7},
		{"scattered", scatteredEpisode, 80, 3, model.Chi2, 1e9, 1e-6},
	} {
		row, cost := c.shape(c.states)
		p := sparseEpisode(c.states, c.actions, c.kind, row, cost)
		if k := p.Uncertainty.Nominal; c.kind == model.Interval {
			p.Uncertainty = model.Uncertainty{Kind: model.Interval, Lower: scaled(k, .9), Upper: scaled(k, 1.1)}
		}
		last, r := episode(t, p)
		want := byValueIteration(t, p, c.from)
		tol := c.within * (1 + math.Abs(want))
		if !r.OK || last.Status != solve.ProvedOptimal || !(math.Abs(last.Best.Objective-want) <= tol) || !(math.Abs(last.LowerBound-want) <= tol) {
			t.Errorf("%s of %d, %s: %v of [%v, ], want %v: %v %q %q", c.name, c.states, c.kind, last.Best.Objective, last.LowerBound, want, last.Status, last.Note, r.Reasons)
		}
	}
}

// windy is a grid of so many states with walls and pits, where every step may be blown to any side and where one may wait: within
// its rooms to wander costs next to nothing, and to wait nothing. The last cell is the goal, every pit is its own way to the last state.
func windy(side int, wind float64) func(s, a int) map[int]float64 {
	r := rand.New(rand.NewPCG(7, 3))
	wall, pit := make([]bool, side*side), make([]bool, side*side)
	for s := range wall {
		u := r.Float64()
		wall[s], pit[s] = u < .1 && s > 0 && s < side*side-1, u > .97 && s > 0 && s < side*side-1
	}
	return func(s, a int) map[int]float64 {
		switch {
		case pit[s]:
			return map[int]float64{side * side: 1}
		case a == 4:
			return map[int]float64{s: 1}
		}
		row := map[int]float64{}
		for d, p := range [4]float64{wind / 4, wind / 4, wind / 4, wind / 4} {
			if d == a {
				p += 1 - wind
			}
			to := s
			if y, x := s/side+[]int{-1, 1, 0, 0}[d], s%side+[]int{0, 0, -1, 1}[d]; y >= 0 && x >= 0 && y < side && x < side && !wall[y*side+x] {
				to = y*side + x
			}
			row[to] += p
		}
		return row
	}
}

// The least probability of a fall, where time is free, is proved to the last digits, and so is the largest of the goal: no cycle
// earns where only ends pay.
func TestLargeGridsOfFreeMoves(t *testing.T) {
	const side = 24
	fall := func(s int) float64 { return float64(b2i(s == side*side)) }
	goal := func(s int) float64 { return -float64(b2i(s == side*side-1)) }
	var least float64 // probability of a fall under one kernel
	for _, c := range []struct {
		kind model.Kind
		cost func(s int) float64
		from float64 // of the value iteration
	}{{model.Finite, fall, 1}, {model.L1, fall, 1}, {model.KL, goal, 0}, {model.Interval, goal, 0}} {
		p := sparseEpisode(side*side+1, 5, c.kind, windy(side, .2), c.cost)
		if k := p.Uncertainty.Nominal; c.kind == model.Interval {
			p.Uncertainty = model.Uncertainty{Kind: model.Interval, Lower: scaled(k, .9), Upper: scaled(k, 1.1)}
		}
		last, r := episode(t, p)
		want := byValueIteration(t, p, c.from)
		if c.kind == model.Finite {
			least = want
		}
		if !r.OK || last.Status != solve.ProvedOptimal || !(math.Abs(last.Best.Objective-want) <= 1e-8) || !(math.Abs(last.LowerBound-want) <= 1e-8) {
			t.Errorf("%s: %v of [%v, ], want %v: %v %q %q", c.kind, last.Best.Objective, last.LowerBound, want, last.Status, last.Note, r.Reasons)
		}
	}
	p := sparseEpisode(side*side+1, 5, model.Finite, windy(side, .2), func(s int) float64 { return float64(b2i(s < side*side-1)) })
	falls := model.Cost{Name: "falls"}
	for i := range side*side + 1 {
		for range 5 {
			falls.Values = append(falls.Values, fall(i))
		}
	}
	free := byValueIteration(t, p, 0)
	p.Constraints = []model.Constraint{{Cost: falls, Bound: 1.5 * least}}
	last, r := episode(t, p)
	if !r.OK || last.Status != solve.ProvedOptimal || !(last.Best.Objective > 1.01*free) {
		t.Errorf("with a limit: %v of [%v, ], %v without: %v %q %q", last.Best.Objective, last.LowerBound, free, last.Status, last.Note, r.Reasons)
	}
	p = sparseEpisode(side*side+1, 5, model.Finite, windy(side, .2), goal)
	q := sparseEpisode(side*side+1, 5, model.Finite, windy(side, .4), goal)
	p.Uncertainty.Kernels = append(p.Uncertainty.Kernels, q.Uncertainty.Kernels...)
	last, r = episode(t, p)
	if !r.OK || last.Status != solve.ProvedOptimal || strings.Contains(last.Note, "unbounded") {
		t.Errorf("two kernels: %v of [%v, ]: %v %q %q", last.Best.Objective, last.LowerBound, last.Status, last.Note, r.Reasons)
	}
}

// So is it where systems are eliminated still, and rows come of a search: what waiting for ever costs there is less than they are off by.
func TestGridsOfFreeMoves(t *testing.T) {
	const side = 16
	for _, kind := range []model.Kind{model.KL, model.Chi2, model.L2, model.TV} {
		p := sparseEpisode(side*side+1, 5, kind, windy(side, .2), func(s int) float64 { return -float64(b2i(s == side*side-1)) })
		last, r := episode(t, p)
		want := byValueIteration(t, p, 0)
		if !r.OK || last.Status != solve.ProvedOptimal || !(math.Abs(last.Best.Objective-want) <= 1e-8) || !(math.Abs(last.LowerBound-want) <= 1e-8) {
			t.Errorf("%s: %v of [%v, ], want %v: %v %q %q", kind, last.Best.Objective, last.LowerBound, want, last.Status, last.Note, r.Reasons)
		}
	}
}

// Where a limit is on what nature reaches soonest, what it costs is known although nature could make play last much longer
// than under its worst kernel for that.
func TestGridsOfFreeMovesWithALimit(t *testing.T) {
	const side = 16
	fall := func(s int) float64 { return float64(b2i(s == side*side)) }
	for _, kind := range []model.Kind{model.KL, model.L2, model.LInf} {
		p := sparseEpisode(side*side+1, 5, kind, windy(side, .2), func(s int) float64 { return float64(b2i(s < side*side-1)) })
		least := byValueIteration(t, sparseEpisode(side*side+1, 5, kind, windy(side, .2), fall), 1)
		falls := model.Cost{Name: "falls"}
		for i := range side*side + 1 {
			for range 5 {
				falls.Values = append(falls.Values, fall(i))
			}
		}
		p.Constraints = []model.Constraint{{Cost: falls, Bound: 1.5 * least}}
		last, r := episode(t, p)
		if !r.OK || !last.Best.Feasible || !(last.LowerBound > .7*last.Best.Objective) {
			t.Errorf("%s: %v of [%v, ] with at most %v falls: %v %q %q", kind, last.Best.Objective, last.LowerBound, 1.5*least, last.Status, last.Note, r.Reasons)
		}
	}
}

// patrol walks a ring of so many places, to the left, to the right or not. Alarms come at two of them, which age until somebody is
// there, or something happens; it ends at any step. Moves cost 1 and what happens 10; limited is what happens.
func patrol(places int, kind model.Kind) *model.Problem {
	const quit = .2
	row := func(s, a int) map[int]float64 {
		at, alarm := (s/6+[]int{places - 1, 1, 0}[a])%places, s%6
		r := map[int]float64{6 * places: quit}
		to := func(alarm int, p float64) { r[6*at+alarm] += p * (1 - quit) }
		site := (alarm - 1) / 2 * (places / 2)
		switch {
		case alarm == 0 || alarm == 5:
			to(0, .8)
			to(1, .1)
			to(3, .1)
		case at == site:
			to(0, 1)
		case alarm%2 == 1:
			to(alarm, .7)
			to(alarm+1, .3)
		default:
			to(alarm, .5)
			to(5, .5)
		}
		return r
	}
	happens := func(s int) float64 { return float64(b2i(s < 6*places && s%6 == 5)) }
	p := sparseEpisode(6*places+2, 3, kind, row, func(s int) float64 { return 10 * happens(s) })
	c := model.Cost{Name: "happens"}
	for s := range p.States {
		for a := range 3 {
			c.Values = append(c.Values, happens(s))
			p.Objective.Values[3*s+a] += float64(b2i(a < 2 && s < 6*places))
		}
	}
	p.Constraints = []model.Constraint{{Cost: c}}
	return p
}

// A limit that is what a policy comes to is met by that policy, though whatever is near it misses the limit; one a little below the
// least that can be reached is met by none.
func TestALimitThatAPolicyComesTo(t *testing.T) {
	p := patrol(12, model.Contamination)
	limited := &p.Constraints[0]
	priced := *p
	priced.Constraints, priced.Objective.Values = nil, slices.Clone(p.Objective.Values)
	for i, x := range limited.Values {
		priced.Objective.Values[i] += 20 * x
	}
	best, _ := episode(t, &priced) // no policy with as much of what is limited costs less
	ev, err := evaluate.New(p.Standard())
	if err != nil {
		t.Fatal(err)
	}
	ev = ev.Untimed()
	ev.Evaluate(best.Best.Policy)
	want := ev.J[0]
	limited.Bound = ev.J[1]
	last, r := episode(t, p)
	if !r.OK || last.Status != solve.ProvedOptimal || !(math.Abs(last.Best.Objective-want) < 1e-6) {
		t.Errorf("%v of [%v, ], want %v: %v %q %q", last.Best.Objective, last.LowerBound, want, last.Status, last.Note, r.Reasons)
	}
	priced.Objective = limited.Cost
	limited.Bound = byValueIteration(t, &priced, 0) - 3e-9
	if last, r = episode(t, p); !r.OK || last.Status != solve.ProvedInfeasible {
		t.Errorf("less than the least: %v %q %q", last.Status, last.Note, r.Reasons)
	}
}

// Whatever is staked in a fair game of many steps, its end is as likely: that is proved, by more than values that rise from nothing.
func TestAFairGame(t *testing.T) {
	const goal = 150
	p := sparseEpisode(goal+2, 2, model.Finite, func(s, a int) map[int]float64 {
		stake := 1 + 9*a*b2i(s >= 10 && s+10 <= goal)
		if s == 0 {
			return map[int]float64{stake: .5, goal + 1: .5}
		}
		return map[int]float64{s - stake: .5, s + stake: .5}
	}, func(s int) float64 { return float64(b2i(s > goal)) })
	p.Initial[0], p.Initial[goal/2-1] = 0, 1
	const want = 1 - goal/2/(goal+1.)
	if last, r := episode(t, p); !r.OK || last.Status != solve.ProvedOptimal || !(math.Abs(last.LowerBound-want) < 1e-7) || !(math.Abs(last.Best.Objective-want) < 1e-7) {
		t.Errorf("%v of [%v, ], want %v: %v %q %q", last.Best.Objective, last.LowerBound, want, last.Status, last.Note, r.Reasons)
	}
}

// scaled is a kernel's rows times a factor, up to 1.
func scaled(k *model.Kernel, by float64) *model.Kernel {
	q := *k
	q.Prob = nil
	for _, x := range k.Prob {
		q.Prob = append(q.Prob, min(1, by*x))
	}
	return &q
}

// A large model with a cell that earns by free moves is told to have no least cost, with the cell; one that earns less than the way back to it costs is not.
func TestLargeModelsThatCollect(t *testing.T) {
	const side = 24
	goal := side*side - 1
	for _, kind := range []model.Kind{model.Finite, model.L1} {
		for gain, earns := range map[float64]bool{1.5: true, .5: false} {
			p := sparseEpisode(side*side+1, 4, kind, func(s, a int) map[int]float64 {
				r, c := s/side+[]int{-1, 1, 0, 0}[a], s%side+[]int{0, 0, -1, 1}[a]
				if r < 0 || c < 0 || r >= side || c >= side || s == 300 && a > 0 { // the cell is left on one side
					return map[int]float64{s - side*b2i(s == 300): 1}
				}
				return map[int]float64{r*side + c: 1}
			}, func(s int) float64 {
				switch {
				case s == 300:
					return -gain
				case s >= goal:
					return 0
				}
				return 1
			})
			ev, err := evaluate.New(p.Standard())
			if err != nil {
				t.Fatal(err)
			}
			var last solve.Progress
			for last = range decide.Method.Run(ev, decide.Method.Defaults()) {
			}
			if is := strings.Contains(last.Note, `unbounded: state "s300" can collect for ever`) || strings.Contains(last.Note, `unbounded: state "s276" can collect for ever`); is != earns || last.Best.Policy == nil {
				t.Errorf("%s, %v: %v %q", kind, gain, last.Status, last.Note)
			}
			if r := certify.NewChecker(p).Check(last.Certificate, last.Best.Policy, func() bool { return true }); !earns && (!r.OK || last.Status != solve.ProvedOptimal) {
				t.Errorf("%s, %v: %v %q", kind, gain, last.Status, r.Reasons)
			}
		}
	}
}
