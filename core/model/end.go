package model

import (
	"math"
	"slices"
)

// Episodes. In a state of "end" the cost of that state is paid once, on arrival, and then nothing
// more happens: reaching any of them ends the episode, and mass of the initial distribution that
// is on one pays at once. With "discount": 1 nothing else ends it, and only policies count that
// reach an end surely under every kernel of the set.
//
// An end has nothing to choose. Whatever the document lists there, its first action leads back to
// it under every kernel, outside the uncertainty set, and no other action is available: the one
// form in which everything downstream knows ends.

// Total reports whether costs are totals of whole episodes, "discount": 1 and no horizon.
func (p *Problem) Total() bool { return p.Discount == 1 && p.Horizon == 0 }

// Ends reports whether s is an end state.
func (p *Problem) Ends(s int) bool { return p.End != nil && p.End[s] }

// EndCost is cost c of an end state.
func (p *Problem) EndCost(c *Cost, s int) float64 { return c.At(s*len(p.Actions), s, len(p.States)) }

// ends reads the end states, by name or 0-based index.
func (r *reader) ends() []bool {
	const base, want = "/end", `a list of the states in which an episode ends, such as ["goal"]`
	if !r.into(Fault{Pointer: base}, want) {
		return nil
	}
	end, some := make([]bool, max(r.s, 0)), false
	for k := 0; r.more(']'); k++ {
		start, p := r.i, at(base, k)
		s := -1
		if r.kind() == text {
			name, ok := r.string(p, "the name of a state")
			if !ok || r.s < 0 {
				continue
			}
			known := false
			if s, known = r.stateAt[name]; !known {
				f := Fault{Pointer: p, Message: "found " + Quote(name) + ", which is not a state of the model"}
				if w := meant(name, r.states); w != "" {
					f.Fix = &Fix{"write " + Quote(w), []Replace{{p, Quote(w)}}}
				}
				r.fault(start, f)
				continue
			}
		} else {
			x, ok := r.finite(Fault{Pointer: p}, "the name or the 0-based index of a state")
			if !ok || r.s < 0 {
				continue
			}
			if x != math.Trunc(x) || x < 0 || x >= float64(r.s) {
				r.faultf(start, p, "found %s; want the name of a state or its index, from 0 to %d", Num(x), r.s-1)
				continue
			}
			s = int(x)
		}
		if end[s] {
			r.faultf(start, p, "state %s is listed twice", Quote(r.states[s]))
		}
		end[s], some = true, true
	}
	if !some {
		return nil
	}
	return end
}

// bothWays is how a model without discounting can be written.
const bothWays = `name the states in which an episode ends ("end": ["goal"]), or give the number of decisions ("horizon": 24)`

// episodes judges what goes with a discount of 1 and what does not.
func (r *reader) episodes(p *Problem, where map[string]int) {
	if i, ok := where["horizon"]; ok {
		r.timed(p, i)
		return
	}
	if !p.Total() {
		return
	}
	here := where["discount"]
	if p.End == nil {
		if i, ok := where["end"]; !ok || r.bare(i) {
			r.faultf(here, "/discount", "found 1: nothing is discounted, so the model has to end by itself: %s. Or take a discount below 1, 0.99 for about 100 steps", bothWays)
		}
		return
	}
	if k := p.Uncertainty.Kind; k.Regularised() {
		r.faultf(here, "/discount", `found 1, with a set of kind %q: there nature may keep any loop going at a finite price, so that no episode ends surely. Take a set of kind "kl", a discount below 1, or a number of decisions ("horizon": 24)`, k)
	}
	for q, c := range p.costs {
		if c.Average {
			r.faultf(here, q+"/scale", `%s has "scale": "average", an average over discounted time, which has no meaning at discount 1; write "total"`, Quote(c.Name))
		}
	}
}

// costs are all costs by their places.
func (p *Problem) costs(yield func(pointer string, c *Cost) bool) {
	more := yield("/objective", &p.Objective)
	for n := range p.Constraints {
		more = more && yield(at("/constraints", n), &p.Constraints[n].Cost)
	}
}

// bare reports whether an empty list is at byte i, which is no fault yet.
func (r *reader) bare(i int) bool {
	c := cursor{r.data, i}
	if c.kind() != list {
		return false
	}
	c.i++
	return !c.more(']')
}

// close gives the end states the one row that they have; what is listed there must lead nowhere else.
func (t *transitions) close(r *reader) {
	if !slices.Contains(r.end, true) {
		return
	}
	k := t.kernel
	c := &Kernel{Name: k.Name, Sparse: k.Sparse, Named: k.Named, Ptr: []int{0}}
	var pairs, rowStart, entry []int
	bad := map[int]bool{}
	i := 0
	for s := range r.s {
		if r.end[s] {
			for ; i < len(t.pairs) && t.pairs[i]/r.a == s; i++ {
				t.leaves(r, i, s)
				t.available[t.pairs[i]] = false
			}
			t.available[s*r.a] = true
			pairs, rowStart, entry = append(pairs, s*r.a), append(rowStart, t.start), append(entry, 0)
			c.AddRow([]int{s}, []float64{1})
			continue
		}
		for ; i < len(t.pairs) && t.pairs[i]/r.a == s; i++ {
			if t.bad[i] {
				bad[len(pairs)] = true
			}
			next, prob := k.Row(i)
			if t.entry != nil {
				entry = append(entry, t.entry[k.Ptr[i]:k.Ptr[i+1]]...)
			}
			pairs, rowStart = append(pairs, t.pairs[i]), append(rowStart, t.rowStart[i])
			c.AddRow(next, prob)
		}
	}
	if t.entry != nil {
		t.entry = entry
	}
	t.kernel, t.pairs, t.rowStart, t.bad = c, pairs, rowStart, bad
}

// leaves reports a row of an end state that leads out of it.
func (t *transitions) leaves(r *reader, i, s int) {
	next, prob := t.kernel.Row(i)
	for j, to := range next {
		if prob[j] > 0 && to != s {
			f := r.pair(t.rowPointer(r, i), s, t.pairs[i]%r.a)
			r.say(t.rowStart[i], f, "%s leads to %s%s, and %s is listed as an end, where the episode is over; leave its rows out, or take it off \"end\"",
				f.in(), Quote(r.states[to]), t.what, Quote(r.states[s]))
			return
		}
	}
}

// endCost makes the cost of an end state the one of the action that is left there. All that are
// given must be alike; of a cost of the next state it is the one of staying.
func (r *reader) endCost(c *Cost, base string, start int) {
	if len(c.Values) != r.s*r.a && len(c.Next) != r.s*r.a*r.s {
		return
	}
	for s, is := range r.end {
		if !is {
			continue
		}
		one, by := nan, 0
		for a := range r.a {
			g := s*r.a + a
			x := c.At(g, s, r.s)
			switch {
			case math.IsNaN(x):
			case math.IsNaN(one):
				one, by = x, a
			case x != one:
				f := r.pair(at(base, s, a), s, a)
				r.say(start, f, "%s costs %s and action %s costs %s there, and %s is an end, where nothing is chosen any more; want one cost",
					f.in(), Num(x), Quote(r.actions[by]), Num(one), Quote(r.states[s]))
			}
			for to := 0; c.Next != nil && to < r.s; to++ {
				if y := c.Next[g*r.s+to]; y != x && y != 0 && !math.IsNaN(y) && !math.IsNaN(x) {
					f := r.pair(at(base, s, a, to), s, a)
					r.say(start, f, "%s costs %s on the way to %s, and %s is an end, which is never left: what it costs is the entry for itself, here %s; want the same, or 0",
						f.in(), Num(y), Quote(r.states[to]), Quote(r.states[s]), Num(x))
					break
				}
			}
		}
		if math.IsNaN(one) {
			f := r.pair(at(base, s), s, -1)
			r.say(start, f, "%s is an end and has no cost; want the number that is paid on arrival, 0 if there is none", f.in())
			continue
		}
		if c.Next == nil {
			c.Values[s*r.a] = one
			continue
		}
		for to := range r.s {
			c.Next[s*r.a*r.s+to] = one
		}
	}
}

// endNames are the end states' names, in order.
func (p *Problem) endNames() (names []string) {
	for s, is := range p.End {
		if is {
			names = append(names, p.States[s])
		}
	}
	return names
}
