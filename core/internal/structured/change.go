package structured

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"rcmdplab/core/model"
)

// Change makes another problem of one, whose answer then follows from the
// first's: its optimum, in the internal convention, is Factor times the old
// one plus Offset, or at least that when the change is Tighter.
type Change struct {
	Name           string         // for a failure's message
	Problem        *model.Problem // as it was made; what a person has is read again
	Factor, Offset float64        // of the objective, see above
	Tighter        bool           // a limit is stricter; the values of policies are the same
	Uniform        bool           // the uniform policy is still the same policy
	Shifted        bool           // limits and their costs were shifted: a limit may be missed by another share of the costs
}

// Changes lists the changes that apply to a problem, drawn from a seed.
func Changes(p *model.Problem, seed uint64) []Change {
	r := rand.New(rand.NewPCG(seed, 0xc4a9e))
	var all []Change
	text := p.Encode()
	add := func(name string, uniform bool, change func(q *model.Problem) bool) *Change {
		q := read(text)
		if !change(q) {
			return nil
		}
		all = append(all, Change{Name: name, Problem: q, Factor: 1, Uniform: uniform})
		return &all[len(all)-1]
	}
	u := &p.Uncertainty
	add("states in another order", true, func(q *model.Problem) bool {
		rearrange(q, r.Perm(len(q.States)), identity(len(q.Actions)))
		return true
	})
	add("actions in another order", true, func(q *model.Problem) bool {
		rearrange(q, identity(len(q.States)), r.Perm(len(q.Actions)))
		return true
	})
	add("an action twice", false, func(q *model.Problem) bool {
		rearrange(q, identity(len(q.States)), append(identity(len(q.Actions)), r.IntN(len(q.Actions))))
		return true
	})
	// Nature may go to a state that is new when the support is every state.
	add("a state that nothing leads to", true, func(q *model.Problem) bool {
		if u.SupportAll || (u.Kind == model.Interval) {
			return false
		}
		rearrange(q, append(identity(len(q.States)), r.IntN(len(q.States))), identity(len(q.Actions)))
		q.Initial[len(q.Initial)-1] = 0
		return true
	})
	add("kernels in another order, one twice", true, func(q *model.Problem) bool {
		if u.Kind != model.Finite {
			return false
		}
		ks := q.Uncertainty.Kernels
		r.Shuffle(len(ks), func(i, j int) { ks[i], ks[j] = ks[j], ks[i] })
		again := *ks[0]
		again.Name = "the same again"
		q.Uncertainty.Kernels = append(ks, &again)
		return true
	})
	add("a limit that cannot bind", true, func(q *model.Problem) bool {
		c := q.Objective
		c.Name, c.Average = "loose", false
		q.Constraints = append(q.Constraints, model.Constraint{Cost: c, Bound: 2*largestCost(&c)/model.Rest(q.Discount) + 1})
		return true
	})
	add("senses the other way round", true, func(q *model.Problem) bool {
		q.Maximize = !q.Maximize
		remade(&q.Objective, -1, 0)
		for i := range q.Constraints {
			c := &q.Constraints[i]
			c.AtLeast, c.Bound = !c.AtLeast, -c.Bound
			remade(&c.Cost, -1, 0)
		}
		return true
	})
	// The temperature is in the units of the cost.
	k, o := pick(r, 1e-6, 1.0/3, 7, 1e6), pick(r, 0.0, 0, -2, 5)
	if c := add(fmt.Sprintf("costs times %g plus %g of their size", k, o), true, func(q *model.Problem) bool {
		if u.Kind == model.KLRegularized {
			return false
		}
		o *= k * largestCost(&q.Objective)
		remade(&q.Objective, k, o)
		for i := range q.Constraints {
			c := &q.Constraints[i]
			k, o := pick(r, 1e-3, 1, 3), pick(r, 0.0, 1)*largestCost(&c.Cost)
			remade(&c.Cost, k, o)
			if h := 1 / model.Rest(q.Discount); c.Average {
				c.Bound = k*c.Bound + o
			} else {
				c.Bound = k*c.Bound + o*h
			}
		}
		return true
	}); c != nil {
		c.Factor, c.Offset, c.Shifted = k, o/model.Rest(p.Discount), len(p.Constraints) > 0
		if p.Maximize {
			c.Offset = -c.Offset
		}
	}
	if c := add("a stricter limit", true, func(q *model.Problem) bool {
		if len(q.Constraints) == 0 {
			return false
		}
		n := r.IntN(len(q.Constraints))
		m := q.Standard()
		q.Constraints[n].Bound = m.Present(n+1, m.B[n+1]-pick(r, 1e-6, 1e-3, 0.1)*m.Scale(n+1, m.B[n+1]))
		return true
	}); c != nil {
		c.Tighter = true
	}
	return all
}

func identity(n int) []int {
	order := make([]int, n)
	for i := range order {
		order[i] = i
	}
	return order
}

func largestCost(c *model.Cost) float64 {
	most := 0.0
	for _, x := range slices.Concat(c.Values, c.Next) {
		most = max(most, math.Abs(x))
	}
	return most
}

// remade replaces each one-step cost c by k c + o.
func remade(c *model.Cost, k, o float64) {
	for _, values := range [2][]float64{c.Values, c.Next} {
		for i := range values {
			values[i] = k*values[i] + o
		}
	}
}

// rearrange rebuilds a problem from its own states and actions in the given
// order; one that comes again is a copy that nothing leads to (a state) or
// that does the same (an action).
func rearrange(p *model.Problem, states, actions []int) {
	s, a := len(p.States), len(p.Actions)
	old := p.Layout
	available := make([]bool, 0, len(states)*len(actions))
	var pairs []int // old pair of each new one
	for _, x := range states {
		for _, y := range actions {
			i := old.Pair(x, y)
			available = append(available, i >= 0)
			if i >= 0 {
				pairs = append(pairs, i)
			}
		}
	}
	p.Layout = model.NewLayout(len(states), len(actions), available)
	p.States, p.Actions = renamed(p.States, states), renamed(p.Actions, actions)
	p.Initial = chosen(p.Initial, states, nil)
	grid := func(v []float64) []float64 {
		var w []float64
		for _, x := range states {
			for _, y := range actions {
				w = append(w, v[x*a+y])
			}
		}
		return w
	}
	cost := func(c *model.Cost) {
		if c.Values != nil {
			c.Values = grid(c.Values)
		}
		if c.Next != nil {
			var w []float64
			for _, x := range states {
				for _, y := range actions {
					w = append(w, chosen(c.Next[(x*a+y)*s:(x*a+y+1)*s], states, nil)...)
				}
			}
			c.Next = w
		}
	}
	cost(&p.Objective)
	for i := range p.Constraints {
		cost(&p.Constraints[i].Cost)
	}
	u := &p.Uncertainty
	if len(u.Radius) > 1 {
		u.Radius = grid(u.Radius)
	}
	kernel := func(k *model.Kernel) *model.Kernel {
		n := &model.Kernel{Name: k.Name, Sparse: k.Sparse, Named: k.Named, Ptr: []int{0}}
		for _, i := range pairs {
			next, prob := k.Row(i)
			for to, x := range states {
				if at := slices.Index(next, x); at >= 0 && slices.Index(states, x) == to {
					n.Next, n.Prob = append(n.Next, to), append(n.Prob, prob[at])
				}
			}
			n.Ptr = append(n.Ptr, len(n.Next))
		}
		return n
	}
	u.Map(kernel)
}

func renamed(names []string, order []int) []string {
	var out []string
	for _, i := range order {
		name := names[i]
		for slices.Contains(out, name) {
			name += " again"
		}
		out = append(out, name)
	}
	return out
}

func chosen(v []float64, order []int, out []float64) []float64 {
	for _, i := range order {
		out = append(out, v[i])
	}
	return out
}
