package decide_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"rcmdplab/core/decide"
	"rcmdplab/core/evaluate"
	"rcmdplab/core/model"
	"rcmdplab/core/solve"
)

// layered draws an episode that goes from layer to layer and may end before the last, so that it is over after as many
// decisions as there are layers: states 2t and 2t+1 are the layer of time t, and two ends follow.
func layered(seed uint64) (p *model.Problem, layers int) {
	r := rand.New(rand.NewPCG(seed, 31))
	layers = 1 + r.IntN(3)
	s, a := 2*layers+2, 2
	p = &model.Problem{Discount: []float64{1, 1, .7}[r.IntN(3)], Initial: make([]float64, s), End: make([]bool, s), Maximize: r.IntN(3) == 0}
	p.Initial[0], p.Initial[1] = .75, .25
	p.End[s-2], p.End[s-1] = true, true
	avail := make([]bool, s*a)
	for i := range avail {
		avail[i] = i%a == 0 || i/a < s-2 && r.IntN(4) > 0
	}
	p.Layout = model.NewLayout(s, a, avail)
	p.Actions = []string{"x", "y"}
	for i := range s {
		p.States = append(p.States, fmt.Sprint("s", i))
	}
	cost := func(name string) model.Cost {
		c := model.Cost{Name: name}
		for i := range s * a {
			c.Values = append(c.Values, float64(r.IntN(9)-2))
			if p.End[i/a] {
				c.Values[i] = c.Values[i/a*a]
			}
		}
		return c
	}
	p.Objective = cost("cost")
	for n := range r.IntN(2) {
		p.Constraints = append(p.Constraints, model.Constraint{Cost: cost(fmt.Sprint("limit ", n)), Bound: float64(3 + r.IntN(6))})
	}
	kernel := func(name string) *model.Kernel {
		var rows []float64
		for _, from := range p.Layout.State {
			row := make([]float64, s)
			for parts := 4; parts > 0; parts-- {
				to := from/2*2 + 2 + r.IntN(2) // the next layer, or the ends behind the last
				if r.IntN(5) == 0 {
					to = s - 1 - r.IntN(2)
				}
				if p.End[from] {
					to = from
				}
				row[to] += .25
			}
			rows = append(rows, row...)
		}
		k := model.NewKernel(s, rows)
		k.Name = name
		return k
	}
	u := &p.Uncertainty
	if u.Kind = []model.Kind{model.Finite, model.Finite, model.L1, model.TV, model.Contamination, model.KL}[seed%6]; u.Kind == model.Finite {
		for k := range 1 + seed/6%2 {
			u.Kernels = append(u.Kernels, kernel(fmt.Sprint("m", k)))
		}
	} else {
		u.Nominal, u.Radius = kernel(""), []float64{.125}
	}
	return reread(p), layers
}

// firstModel is the first model of a problem alone.
func firstModel(p *model.Problem) *model.Problem {
	q := reread(p)
	q.Uncertainty.Kernels, q.Uncertainty.Weights = q.Uncertainty.Kernels[:1], nil
	over(q, 0)
	return reread(q)
}

// over averages every cost over a share of the models.
func over(p *model.Problem, share float64) {
	p.Objective.Over = share
	for n := range p.Constraints {
		p.Constraints[n].Over = share
	}
}

// same is a model said in two ways: a policy of either is one of the other, with the same returns.
type same struct {
	p, q        *model.Problem
	there, back func(pi []float64) []float64 // nil of a policy that the other does not have
	more        float64                      // what q pays beside what p pays
}

func itself(pi []float64) []float64 { return pi }

// longer and shorter have one more pair, or one less, in a state of one action that is added.
func longer(pi []float64) []float64  { return append(slices.Clone(pi), 1) }
func shorter(pi []float64) []float64 { return pi[:len(pi)-1] }

// ofThree is a model of one of three kinds, of which the first is at hand.
func ofThree(seed uint64, p *model.Problem) *model.Problem {
	switch seed % 3 {
	case 1:
		p, _ = layered(seed)
	case 2:
		p = balls(seed)
		p.Deterministic = false
	}
	return p
}

// unmixed is nil of a policy that mixes actions.
func unmixed(pi []float64) []float64 {
	for _, x := range pi {
		if x != 0 && x != 1 {
			return nil
		}
	}
	return pi
}

// twins are the changes that say the same, each with a draw of it, nil where that has none.
var twins = map[string]func(seed uint64) *same{
	"a discounted model is an episode that ends with 1-γ a step": func(seed uint64) *same {
		p := averages(seed, false)
		over(p, 0)
		q := lasting(reread(p))
		return &same{reread(p), q, longer, shorter, atTheEnd}
	},
	"an end that is never reached": func(seed uint64) *same {
		p := ofThree(seed, lasting(firstModel(averages(seed, false))))
		q := grown(p)
		if q == nil {
			return nil
		}
		return &same{p, reread(q), longer, shorter, 0}
	},
	"more decisions than the longest way has": func(seed uint64) *same {
		p, layers := layered(seed)
		q := reread(p)
		q.Horizon = layers + int(seed%3)
		q = reread(q)
		n := p.Layout.Pairs()
		there := func(pi []float64) (all []float64) {
			for range q.Horizon {
				all = append(all, pi...)
			}
			for range p.States {
				all = append(all, 1)
			}
			return all
		}
		return &same{p, q, there, func(pi []float64) []float64 {
			one := make([]float64, n)
			for i, s := range p.Layout.State {
				t := 0
				if !p.Ends(s) {
					t = s / 2
				}
				one[i] = pi[t*n+i]
			}
			return one
		}, 0}
	},
	"the mean of one model is the worst": func(seed uint64) *same {
		p := firstModel(averages(seed, false))
		q := reread(p)
		over(q, []float64{1, .3}[seed%2])
		return &same{p, reread(q), itself, itself, 0}
	},
	"the mean of a model that is there twice": func(seed uint64) *same {
		p := firstModel(averages(seed, seed%2 == 0))
		q := reread(p)
		u := &q.Uncertainty
		twin := *u.Kernels[0]
		twin.Name = "twin"
		u.Kernels, u.Weights = append(u.Kernels, &twin), []float64{.3, .7}
		over(q, []float64{1, .3}[seed/2%2])
		return &same{p, reread(q), itself, itself, 0}
	},
	"one action a state is never better": func(seed uint64) *same {
		p := ofThree(seed, averages(seed, false))
		q := reread(p)
		q.Deterministic = true
		return &same{p, reread(q), unmixed, itself, 0}
	},
}

// Each method that claims both ways of saying a model makes the same of them: what it finds of one is worth as much in the
// other, by whichever road, and what it proves of one holds there.
func TestTheSameSaidInAnotherWay(t *testing.T) {
	for name, draw := range twins {
		ran := map[string]int{}
		for seed := range uint64(18) {
			x := draw(seed)
			if x == nil {
				continue
			}
			m, n := x.p.Standard(), x.q.Standard()
			more := n.Internal(0, x.more)
			worth := func(m *model.Standard, pi []float64) (j, missed float64) {
				ev, err := evaluate.New(m)
				if err != nil {
					t.Fatal(name, seed, err)
				}
				ev.Evaluate(pi)
				missed, _ = ev.MaxViolation()
				return ev.J[0], missed
			}
			for _, a := range decide.Algorithms() {
				if a.Unfit != nil && (a.Unfit(m) != "" || a.Unfit(n) != "") {
					continue
				}
				ran[a.ID]++
				what := fmt.Sprintf("%s, seed %d, %s", name, seed, a.ID)
				one, two := lastOf(t, a, m), lastOf(t, a, n)
				near := func(x, y float64) bool { return x == y || math.Abs(x-y) <= 1e-7*(1+math.Abs(x)) }
				for k, l := range []solve.Progress{one, two} {
					pi, from, to, over, add := l.Best.Policy, m, n, x.there, more
					if k == 1 {
						from, to, over, add = n, m, x.back, -more
					}
					if pi == nil {
						continue
					}
					j, missed := worth(from, pi)
					if pi = over(pi); pi == nil {
						continue
					}
					if i, misses := worth(to, pi); !near(j+add, i) || !near(missed, misses) || l.Best.Feasible && !near(j, l.Best.Objective) {
						t.Errorf("%s: %v missed by %v (%v is said), and %v missed by %v said in the other way (%d)", what, j+add, missed, l.Best.Objective, i, misses, k)
					}
				}
				two.Best.Objective, two.LowerBound = two.Best.Objective-more, two.LowerBound-more
				far := 1e-6 * (1 + math.Abs(one.Best.Objective))
				if x.q.Deterministic && two.Best.Feasible && unmixed(two.Best.Policy) == nil {
					t.Errorf("%s: a plan that mixes: %v", what, two.Best.Policy)
				}
				way := x.there(one.Best.Policy) != nil
				if two.Best.Feasible && one.LowerBound > two.Best.Objective+far || way && one.Best.Feasible && two.LowerBound > one.Best.Objective+far {
					t.Errorf("%s: [%v, %v] %v and [%v, %v] %v", what, one.LowerBound, one.Best.Objective, one.Status, two.LowerBound, two.Best.Objective, two.Status)
				}
				if one.ProvedInfeasible && two.Best.Feasible || way && one.Best.Feasible && two.ProvedInfeasible {
					t.Errorf("%s: %v and %v", what, one.Status, two.Status)
				}
			}
		}
		if len(ran) < 3 || ran["solve"] < 10 {
			t.Errorf("%s: only %v", name, ran)
		}
	}
}

// lastOf is the last record of a short run.
func lastOf(t *testing.T, a solve.Algorithm, m *model.Standard) (last solve.Progress) {
	ev, err := evaluate.New(m)
	if err != nil {
		t.Fatal(err)
	}
	few := a.Defaults()
	if a.ID != decide.Method.ID {
		few.OuterIterations, few.InnerIterations, few.Starts = 3, 20, 2
	}
	for last = range a.Run(ev, few) {
	}
	return last
}
