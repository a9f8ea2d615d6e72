package decide_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"

	"rcmdplab/core/decide"
	"rcmdplab/core/evaluate"
	"rcmdplab/core/game"
	"rcmdplab/core/internal/fixture"
	"rcmdplab/core/model"
	"rcmdplab/core/solve"
)

// scattered is shapeless with limits a little above the worst returns of
// the policy that is best for the sum of all costs, under the first kernel of a
// finite set: they bind, and can be met.
func scattered(t testing.TB, states int, kind model.Kind, kernels, limits int) *model.Problem {
	t.Helper()
	p := shapeless(states, kind, kernels, limits)
	m := p.Standard()
	ev, err := evaluate.New(m)
	if err != nil {
		t.Fatal(err)
	}
	var first *model.Kernel
	if m.Kernels != nil {
		first = m.Kernels[0]
	}
	g := game.New(m, first).KeepPace(ev.Own())
	w := make([]float64, m.N+1)
	for n := range w {
		w[n] = 1
	}
	g.Play(w, 1e-9*m.H, nil)
	ev.Evaluate(m.Deterministic(g.Choice))
	for n := range p.Constraints {
		p.Constraints[n].Bound = ev.J[n+1] + .002*m.H
	}
	return p
}

// TestFiniteSetsOfLargeModels: a finite set over a few hundred states is answered
// by a policy that meets its limits and bounded by one of its kernels; where boxes
// of policies are within reach they are tried as well.
func TestFiniteSetsOfLargeModels(t *testing.T) {
	p := scattered(t, 200, model.Finite, 5, 2)
	got := solved(t, p.Standard())
	if got.Status != solve.Bounded || !got.Best.Feasible || !(got.Best.Objective-got.LowerBound < .06*got.Best.Objective) {
		t.Errorf("%v: %v above %v", got.Status, got.Best.Objective, got.LowerBound)
	}
	m := scattered(t, 66, model.Finite, 2, 1).Standard()
	ev, err := evaluate.New(m)
	if err != nil {
		t.Fatal(err)
	}
	stop, boxes := false, 0
	s := decide.Method.Defaults()
	s.Gap, s.Stop = 0, &stop
	for q := range decide.Method.Run(ev, s) {
		boxes, stop = max(boxes, q.Nodes), q.Nodes > 0
	}
	if boxes == 0 {
		t.Error("no boxes were tried")
	}
}

// shapeless is a sparse model without a shape: five random successors a pair, four
// actions, costs between 0 and 1, a start anywhere, γ = .95. The set is around its
// kernel as in fixture.Walk; a finite one has so many kernels on the same successors. The
// limits are 0, and for the caller to set.
func shapeless(states int, kind model.Kind, kernels, limits int) *model.Problem {
	const actions, successors = 4, 5
	r := rand.New(rand.NewPCG(uint64(states), 5))
	l := model.NewLayout(states, actions, nil)
	p := &model.Problem{Name: "scattered " + strconv.Itoa(states), Layout: l, Discount: .95, Initial: make([]float64, states)}
	for s := range states {
		p.States, p.Initial[s] = append(p.States, strconv.Itoa(s)), 1/float64(states)
	}
	for a := range actions {
		p.Actions = append(p.Actions, strconv.Itoa(a))
	}
	k := &model.Kernel{Ptr: []int{0}, Sparse: true}
	for range l.Pairs() {
		from := len(k.Next)
		for len(k.Next) < from+min(successors, states) {
			if t := r.IntN(states); !slices.Contains(k.Next[from:], t) {
				k.Next = append(k.Next, t)
			}
		}
		slices.Sort(k.Next[from:])
		k.Prob = append(k.Prob, drawn(r, len(k.Next)-from)...)
		k.Ptr = append(k.Ptr, len(k.Next))
	}
	cost := func(name string) model.Cost {
		c := model.Cost{Name: name}
		for range l.Pairs() {
			c.Values = append(c.Values, r.Float64())
		}
		return c
	}
	p.Objective = cost("cost")
	for n := range limits {
		p.Constraints = append(p.Constraints, model.Constraint{Cost: cost("limited " + strconv.Itoa(n+1))})
	}
	if p.Uncertainty = fixture.Walk(2, kind, false).Uncertainty; kind != model.Finite {
		p.Uncertainty.Nominal = k
		return p
	}
	p.Uncertainty.Kernels = nil
	for m := range kernels {
		other := &model.Kernel{Name: "kernel " + strconv.Itoa(m+1), Ptr: k.Ptr, Next: k.Next, Sparse: true}
		for i := range l.Pairs() {
			_, row := k.Row(i)
			row = slices.Clone(row)
			sum := 0.0
			for j := range row {
				row[j] *= math.Exp(1.5 * r.NormFloat64())
				sum += row[j]
			}
			for _, x := range row {
				other.Prob = append(other.Prob, x/sum)
			}
		}
		p.Uncertainty.Kernels = append(p.Uncertainty.Kernels, other)
	}
	return p
}

// drawn is a random distribution over n.
func drawn(r *rand.Rand, n int) []float64 {
	q, sum := make([]float64, n), 0.0
	for j := range q {
		q[j] = r.ExpFloat64()
		sum += q[j]
	}
	for j := range q {
		q[j] /= sum
	}
	return q
}

// TestAStopKeepsTheBound: of a policy that meets a limit exactly the checker says so in the time that a stop leaves, and the
// bound stays that was there.
func TestAStopKeepsTheBound(t *testing.T) {
	p := scattered(t, 60, model.Finite, 4, 2)
	for i := range p.Constraints[0].Values {
		p.Constraints[0].Values[i] = float64(b2i(i%4 == 3)) // one action is not to be taken
	}
	p.Constraints[0].Bound = 0
	ev, err := evaluate.New(p.Standard())
	if err != nil {
		t.Fatal(err)
	}
	stop, low := false, math.Inf(-1)
	s := decide.Method.Defaults()
	s.Stop = &stop
	var last solve.Progress
	for last = range decide.Method.Run(ev, s) {
		if !stop && last.Best.Feasible && !math.IsInf(last.LowerBound, -1) {
			stop, low = true, last.LowerBound
		}
	}
	if last.Status != solve.Stopped || !last.Best.Feasible || !(last.LowerBound >= low) || last.Certificate == nil {
		t.Errorf("%v with %v of [%v, ], above %v before: %s", last.Status, last.Best.Objective, last.LowerBound, low, last.Note)
	}
}
