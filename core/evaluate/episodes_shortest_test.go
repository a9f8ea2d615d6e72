package evaluate

import (
	"math/rand/v2"
	"slices"
	"testing"

	"rcmdplab/core/model"
)

// TestEndingEnds: a choice of one action a state is kept where it surely ends from wherever some policy does, and is made one
// that does where it does not, with and without pairs closed, under a kernel and against sets by which nature can bar a way.
func TestEndingEnds(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 1))
	kept, made := 0, 0
	for trial := range 400 {
		m := scattered(rng, []model.Kind{model.Finite, model.L1, model.TV, model.Interval, model.KL}[trial%5])
		var k *model.Kernel
		if m.Kernels != nil {
			k = m.Kernels[0]
		}
		var closed []bool
		if trial%3 == 0 {
			closed = make([]bool, m.Pairs())
			for s := range m.S {
				closed[m.Off[s]+rng.IntN(2)] = rng.IntN(2) == 0
			}
		}
		e := EpisodesUnder(m, k, closed, nil)
		choice := make([]int, m.S)
		for s := range choice {
			if choice[s] = m.Off[s] + rng.IntN(2); closed != nil && closed[choice[s]] {
				choice[s] = 2*m.Off[s] + 1 - choice[s]
			}
		}
		endless := func() bool { // from any state that some policy ends from
			for s := range m.S {
				clear(m.Mu)
				if m.Mu[s] = 1; e.sure[0][s] && e.Endless(m.Deterministic(choice)) >= 0 {
					return true
				}
			}
			return false
		}
		was, before := endless(), slices.Clone(choice)
		switch is := e.Ending(choice, func(int) float64 { return 1 }); {
		case is == was:
			t.Fatalf("trial %d: kept %v, though endless %v", trial, is, was)
		case is:
			if kept++; !slices.Equal(choice, before) {
				t.Fatalf("trial %d: a choice that ends was changed", trial)
			}
		default:
			made++
		}
		if endless() {
			t.Fatalf("trial %d: %v, made of %v, may go on for ever", trial, choice, before)
		}
		for s, i := range choice {
			if closed != nil && closed[i] && e.sure[0][s] && !m.Ends(s) {
				t.Fatalf("trial %d: pair %d is closed", trial, i)
			}
		}
	}
	if kept < 20 || made < 20 {
		t.Errorf("%d kept, %d made", kept, made)
	}
}

// scattered is a model of six states at discount 1, the last an end, two actions each, which lead to one to three states.
func scattered(rng *rand.Rand, kind model.Kind) *model.Standard {
	const s = 6
	p := &model.Problem{
		Layout: model.NewLayout(s, 2, nil), Discount: 1, End: make([]bool, s), Initial: make([]float64, s),
		States: []string{"a", "b", "c", "d", "e", "f"}, Actions: []string{"x", "y"},
	}
	p.Initial[0], p.End[s-1] = 1, true
	k := &model.Kernel{Name: "k", Ptr: []int{0}, Sparse: true}
	var low, high []float64
	for i := range p.Layout.Pairs() {
		next := rng.Perm(s)[:1+rng.IntN(3)]
		if p.Layout.State[i] == s-1 {
			next = []int{s - 1}
		}
		slices.Sort(next)
		for _, t := range next {
			q := 1 / float64(len(next))
			k.Next, k.Prob = append(k.Next, t), append(k.Prob, q)
			low, high = append(low, max(0, q-.5*float64(rng.IntN(2)))), append(high, min(1, q+.5*float64(rng.IntN(2))))
		}
		k.Ptr = append(k.Ptr, len(k.Next))
		p.Objective.Values = append(p.Objective.Values, 1)
	}
	u := model.Uncertainty{Kind: kind, Nominal: k, Radius: []float64{[]float64{.1, 1.2, 2}[rng.IntN(3)]}}
	switch kind {
	case model.Finite:
		u = model.Uncertainty{Kind: kind, Kernels: []*model.Kernel{k}}
	case model.TV:
		u.Radius[0] /= 2
	case model.Interval:
		lo, hi := *k, *k
		lo.Prob, hi.Prob = low, high
		u = model.Uncertainty{Kind: kind, Lower: &lo, Upper: &hi}
	}
	p.Uncertainty = u
	return p.Standard()
}
