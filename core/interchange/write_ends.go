package interchange

import (
	"slices"

	"rcmdplab/core/model"
)

// ends makes of a problem whose episodes end one that a format without ends can say. There a state that is never
// left and costs nothing is one, and an end that costs something leads to one more state of that kind. Other states
// of that kind would come back as ends where nothing is discounted, and sets that reach every state would move ends.
func (w *writer) ends() {
	p := w.p
	if !slices.Contains(p.End, true) {
		return
	}
	if p.Uncertainty.SupportAll {
		w.refuse("ends of episodes beside a set that reaches every state, which would lead out of them")
		return
	}
	costly, some := make([]bool, len(p.States)), false
	for s := range p.States {
		free := true
		for _, c := range w.costs() {
			for i := p.Layout.Off[s]; i < p.Layout.Off[s+1]; i++ {
				free = free && w.value(c, i, s) == 0
			}
		}
		switch {
		case p.End[s]:
			costly[s], some = !free, some || !free
		case p.Discount == 1 && free && w.stays(s):
			w.refuse("state " + model.Quote(p.States[s]) + ", which is never left, costs nothing and is no end: it would come back as one")
			return
		}
	}
	switch {
	case some:
		w.p = lengthened(p, costly)
		w.leave("the ends that cost something: each leads to the added state " + model.Quote(w.p.States[len(p.States)]))
	case p.Discount < 1:
		w.leave("the ends, which come back as states that are never left and cost nothing")
	}
}

// stays reports whether a state is never left.
func (w *writer) stays(s int) bool {
	for _, k := range w.p.Uncertainty.Every() {
		for i := w.p.Layout.Off[s]; i < w.p.Layout.Off[s+1]; i++ {
			next, prob := k.Row(i)
			for j, t := range next {
				if t != s && prob[j] > 0 {
					return false
				}
			}
		}
	}
	return true
}

// lengthened is the same problem with one more state, an end that costs nothing: it is where those lead that cost something.
func lengthened(p *model.Problem, costly []bool) *model.Problem {
	q, s, a, l := *p, len(p.States), len(p.Actions), p.Layout
	q.States = append(slices.Clone(p.States), unique(p.States, "over"))
	q.Initial = append(slices.Clone(p.Initial), 0)
	q.End = append(slices.Clone(p.End), true)
	available := make([]bool, (s+1)*a)
	for i, from := range l.State {
		available[from*a+l.Act[i]] = true
		q.End[from] = p.End[from] && !costly[from]
	}
	available[s*a] = true
	q.Layout = model.NewLayout(s+1, a, available)
	more := func(c *model.Cost) {
		if c.Next == nil {
			c.Values = append(slices.Clone(c.Values), make([]float64, a)...)
			return
		}
		next := make([]float64, (s+1)*a*(s+1))
		for g := range s * a { // an end costs the same wherever it leads
			copy(next[g*(s+1):], c.Next[g*s:(g+1)*s])
			next[g*(s+1)+s] = c.Next[g*s]
		}
		c.Next = next
	}
	more(&q.Objective)
	q.Constraints = slices.Clone(p.Constraints)
	for n := range q.Constraints {
		more(&q.Constraints[n].Cost)
	}
	kernel := func(k *model.Kernel) *model.Kernel {
		c := &model.Kernel{Name: k.Name, Sparse: k.Sparse, Named: k.Named, Ptr: []int{0}}
		for i, from := range l.State {
			if costly[from] {
				c.AddRow([]int{s}, []float64{1})
			} else {
				c.AddRow(k.Row(i))
			}
		}
		c.AddRow([]int{s}, []float64{1})
		return c
	}
	q.Uncertainty.Map(kernel)
	return &q
}
