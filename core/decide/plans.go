package decide

import (
	"fmt"
	"math"

	"rcmdplab/core/bound"
	"rcmdplab/core/evaluate"
	"rcmdplab/core/model"
	"rcmdplab/core/solve"
)

// plans closes in on the best policy of one action a state, or bounds averages over the models by
// weak duality under each: see bound.ChoiceSearch.
//
// Where it proves that none meets the limits but for the tolerance, those that meet them within that are compared anew.
func (r *runner) plans() {
	if r.choices(nil); r.left || !r.going() || r.door.infeasible == nil || !r.p.Best.Feasible && r.loose.Policy == nil {
		return
	}
	r.loosen()
	r.door.lower, r.door.priced = nil, nil // of those that meet them exactly, which none does
	allow := make([]float64, r.m.N)
	for n := range allow {
		b := r.m.B[n+1]
		allow[n] = max(r.door.missed*r.m.Scale(n+1, b), 8*model.Roundoff*math.Abs(b))
	}
	r.choices(allow)
}

// choices is plans for thresholds that are raised by what is allowed; nil: nothing.
func (r *runner) choices(allow []float64) {
	ev, err := evaluate.New(r.m)
	if err != nil {
		panic("decide: " + err.Error()) // the same problem was accepted before
	}
	x, err := bound.NewChoiceSearch(ev, allow, func(pi []float64) (float64, bool) {
		if r.meet(pi); allow != nil && r.loose.Beats(&r.p.Best) {
			r.p.Best = r.loose
		}
		return r.p.Best.Objective, r.p.Best.Feasible
	})
	if err != nil {
		r.door.say(fmt.Sprintf("No lower bound: %s.", err))
		return
	}
	if r.p.Best.Feasible {
		x.Known(r.p.Best.Objective)
	}
	if !x.Begin(r.tick) {
		return
	}
	r.rowLow, r.rowBest = r.p.LowerBound, r.p.Best.Objective
	r.byChoices(x)
	all := r.door.bound() // of every policy, those that mix as well
	defer func() { r.price(all) }()
	next := 16 // nodes at which the proof is next judged
	for done, left := x.Open() == 0, false; !done && !left && !r.near(); {
		done, left = x.Step(r.tick)
		r.p.Nodes, r.p.Open = x.Nodes, x.Open()
		if best := &r.p.Best; !left && (x.Nodes >= next || !done && best.Feasible && best.Objective-x.Bound() <= r.set.Gap*math.Abs(best.Objective) && x.Work >= cheap) {
			next = 4 * x.Nodes
			r.byChoices(x)
			if r.over() && x.Work >= cheap {
				return
			}
		}
		if !r.row() {
			return
		}
	}
	if r.left || endingOf(r.set) == stopped {
		return
	}
	if r.byChoices(x); !r.left && r.row() && r.going() && !r.near() {
		r.mixtures()
	}
}

// Up to so many boxes, or so much work on them, may come to nothing; beyond, four times as many have to bring a tenth of what is missing.
const (
	fewBoxes = 128
	fewWork  = 2.5e8
)

// mixtures closes in on the best policy that mixes actions, where there are few of one action a state: see
// bound.MixtureSearch.
func (r *runner) mixtures() {
	best := &r.p.Best
	x := bound.NewMixtureSearch(r.m, nil)
	if x == nil {
		return
	}
	if !best.Feasible {
		if !r.impossible() {
			r.missed(x)
		}
		return
	}
	x.Known(best.Objective)
	x.Begin()
	next, missing := 8, math.Inf(1) // boxes at which the proof is next judged; what was missing then
	for done := x.Open() == 0; !done && r.row() && r.going(); {
		done = x.Step()
		r.p.Nodes, r.p.Open = x.Nodes, x.Open()
		enough := best.Objective-x.Bound() <= r.set.Gap*math.Abs(best.Objective) && x.Work >= cheap
		if x.Nodes >= next || done || enough {
			next = 4 * x.Nodes
			was := missing
			missing = x.Missing()
			if x.Nodes > fewBoxes && x.Work > fewWork && missing > 0.9*was { // the least need not be attained
				done = true
			}
			if v := r.door.offer(x.Proof(nil), r.tick); v == refused || r.near() || enough && r.over() {
				return
			}
		}
	}
	if !r.left && endingOf(r.set) != stopped {
		r.door.offer(x.Proof(nil), r.tell)
	}
}

// missed asks the search whether any policy meets the limits, for as long as four times as many boxes bring a tenth of what is missing.
func (r *runner) missed(x *bound.MixtureSearch) {
	x.Limits()
	x.Begin()
	next, missing := fewBoxes, math.Inf(1)
	for done := x.Open() == 0; !done && r.row() && r.going(); {
		done = x.Step()
		if r.p.Nodes, r.p.Open = x.Nodes, x.Open(); x.Nodes >= next {
			if x.Work > fewWork && x.Missing() > 0.9*missing {
				return
			}
			next, missing = 4*x.Nodes, x.Missing()
		}
	}
	if !r.left && x.Bound() > 0 {
		r.door.offer(x.Proof(nil), r.tell)
	}
}

// price says what it costs to take one action in each state, next to what is proved of the policies that may mix them.
func (r *runner) price(all float64) {
	best := &r.p.Best
	if !r.m.Problem.Deterministic || !best.Feasible || math.IsInf(all, -1) {
		return
	}
	if best.Objective-all <= r.door.none*r.m.GapScale(best.Objective) {
		r.door.say("Plans that mix actions are no better.")
		return
	}
	than := "less"
	if r.m.Flipped(0) {
		than = "more"
	}
	r.door.say(fmt.Sprintf("One action in each state: %.6g; plans that mix actions come to no %s than %.6g.", r.m.Present(0, best.Objective), than, r.m.Present(0, all)))
}

// byChoices offers what the tree proves by now, with more room for the checker's rounding each time it is refused.
func (r *runner) byChoices(x *bound.ChoiceSearch) {
	for c := x.Proof(r.tick); c != nil && r.door.offer(c, r.tick) == refused && x.Widen(); {
		c = x.Proof(r.tick)
	}
}

// mixes reports whether a policy takes more than one action in some state.
func mixes(pi []float64) bool {
	for _, p := range pi {
		if p != 0 && p != 1 {
			return true
		}
	}
	return false
}

// single is a policy of one action in each state near the one given: the likeliest, the first of them on a tie.
func single(m *model.Standard, pi []float64) []float64 {
	one := make([]float64, len(pi))
	for s := range m.S {
		top := m.Off[s]
		for i := top; i < m.Off[s+1]; i++ {
			if pi[i] > pi[top] {
				top = i
			}
		}
		one[top] = 1
	}
	return one
}

// fitting is a method that refuses what it does not serve: policies of one action a state where it
// mixes actions, averages over models where it follows the worst one.
func fitting(a solve.Algorithm) solve.Algorithm {
	own := a.Unfit
	a.Unfit = func(m *model.Standard) string {
		switch {
		case m.Problem.Deterministic && !a.Deterministic:
			return "it looks among policies that mix actions, and the model asks for one action in each state"
		case m.Averaged() && !a.Averages:
			return "it follows the worst model, and the model asks for an average over the models"
		case own == nil:
			return ""
		}
		return own(m)
	}
	return a
}
