package decide_test

import (
	"fmt"
	"math"
	"sync"
	"testing"

	"rcmdplab/core/certify"
	"rcmdplab/core/internal/structured"
	"rcmdplab/core/model"
	"rcmdplab/core/solve"
)

// lasting is the model in which an episode ends with probability 1-γ in each step instead of being
// discounted, nil where costs are of the next state or averages, or the set is no list of kernels.
func lasting(p *model.Problem) *model.Problem {
	if p.Uncertainty.Kind != model.Finite || p.Objective.Next != nil || p.Objective.Average || p.Averaged() || p.Deterministic {
		return nil
	}
	for _, c := range p.Constraints {
		if c.Next != nil || c.Average {
			return nil
		}
	}
	q := grown(p)
	if q == nil {
		return nil
	}
	g := p.Discount
	q.Discount = 1
	for a := range q.Actions {
		q.Objective.Values[len(p.States)*len(q.Actions)+a] = atTheEnd
	}
	for _, k := range q.Uncertainty.Kernels {
		next, prob, ptr := []int(nil), []float64(nil), []int{0}
		for i, s := range q.Layout.State {
			to, x := k.Row(i)
			for j, t := range to {
				if s == len(p.States) {
					next, prob = append(next, t), append(prob, x[j])
				} else if y := g * x[j]; y > 0 {
					next, prob = append(next, t), append(prob, y)
				}
			}
			if s < len(p.States) {
				next, prob = append(next, len(p.States)), append(prob, model.Rest(g))
			}
			ptr = append(ptr, len(next))
		}
		k.Next, k.Prob, k.Ptr = next, prob, ptr
	}
	return structured.Reread(q)
}

// atTheEnd is what the end of lasting costs: it is paid once, by every policy.
const atTheEnd = 2.5

// grown is the model with one more state, an end that costs nothing and nothing leads to, beside those that it has.
func grown(p *model.Problem) *model.Problem {
	if u := &p.Uncertainty; u.SupportAll || u.Kind == model.Interval || u.Kind == model.KLRegularized {
		return nil
	}
	q := structured.Reread(p)
	a := len(q.Actions)
	q.States = append(q.States, fmt.Sprint("over and out of ", len(q.States)))
	q.Initial = append(q.Initial, 0)
	q.End = make([]bool, len(q.States))
	copy(q.End, p.End)
	q.End[len(p.States)] = true
	more := func(c *model.Cost) bool {
		if c.Next != nil {
			return false
		}
		c.Values = append(c.Values, make([]float64, a)...)
		return true
	}
	if !more(&q.Objective) {
		return nil
	}
	for i := range q.Constraints {
		if !more(&q.Constraints[i].Cost) {
			return nil
		}
	}
	l := *q.Layout
	l.S++
	l.State, l.Act = append(append([]int(nil), l.State...), len(p.States)), append(append([]int(nil), l.Act...), 0)
	l.Off = append(append([]int(nil), l.Off...), len(l.State))
	q.Layout = &l
	u := &q.Uncertainty
	for _, k := range append([]*model.Kernel{u.Nominal}, u.Kernels...) {
		if k != nil {
			k.Next, k.Prob = append(k.Next, len(p.States)), append(k.Prob, 1)
			k.Ptr = append(k.Ptr, len(k.Next))
		}
	}
	if len(u.Radius) > 1 {
		u.Radius = append(u.Radius, make([]float64, a)...)
	}
	return q
}

// A discounted model is an episode that ends with 1-γ a step, and an end that nothing leads to changes nothing:
// what is proved of one is never above what is found of the other, and both are as near.
func TestEpisodesUnderChange(t *testing.T) {
	met := [2]int{}
	for seed := range uint64(400) {
		in := structured.New(seed)
		p := in.Problem
		if len(p.States) > 12 || p.Discount > .999 || p.Averaged() || p.Deterministic {
			continue
		}
		original := sync.OnceValues(func() (solve.Progress, certify.Report) { return episode(t, p) })
		for k, q := range []*model.Problem{lasting(p), grown(p)} {
			if q == nil || met[k] >= 60 {
				continue
			}
			if k == 1 {
				q = structured.Reread(q)
			}
			met[k]++
			a, ra := original()
			b, rb := episode(t, q)
			if !ra.OK && a.Certificate != nil || !rb.OK && b.Certificate != nil {
				t.Errorf("%s, change %d: %q %q", in.Name, k, ra.Reasons, rb.Reasons)
			}
			far, offset := 1e-6*p.Standard().GapScale(a.Best.Objective), 0.0
			if k == 0 {
				offset = q.Standard().Internal(0, atTheEnd)
			}
			far += 1e-8 * math.Abs(offset)
			b.Best.Objective, b.LowerBound = b.Best.Objective-offset, b.LowerBound-offset
			switch {
			case a.Best.Feasible != b.Best.Feasible:
				t.Errorf("%s, change %d: %v %v and %v %v", in.Name, k, a.Status, a.Note, b.Status, b.Note)
			case a.Status == solve.ProvedOptimal && b.Status == solve.ProvedOptimal && !(math.Abs(a.Best.Objective-b.Best.Objective) <= far),
				a.Best.Feasible && (a.LowerBound > b.Best.Objective+far || b.LowerBound > a.Best.Objective+far):
				t.Errorf("%s, change %d: [%v, %v] %v and [%v, %v] %v", in.Name, k, a.LowerBound, a.Best.Objective, a.Status, b.LowerBound, b.Best.Objective, b.Status)
			}
		}
	}
	if met[0] < 30 || met[1] < 30 {
		t.Errorf("only %v models were changed", met)
	}
}
