package interchange

import (
	"fmt"
	"strings"

	"rcmdplab/core/model"
)

// rename gives states, actions and costs the names that were said.
func (in *input) rename(d *draft) {
	if to, all := in.named(d, "states", d.s, d.states, false); all != nil {
		d.states = all
		d.renumber(to, nil)
		d.initial = moved(d.initial, to, len(all))
		if d.terminal != nil {
			was := d.terminal
			d.terminal = make([]bool, d.s)
			for s, t := range was {
				d.terminal[to[s]] = t
			}
		}
		for i := range d.labels {
			for j, s := range d.labels[i].states {
				d.labels[i].states[j] = to[s]
			}
		}
		for _, c := range d.costs {
			c.pair = shuffled(c.pair, d.a, func(s, a int) int { return to[s]*d.a + a }, d.s*d.a)
		}
	}
	if to, all := in.named(d, "actions", d.a, d.actions, true); all != nil {
		d.renumber(nil, to)
		for _, c := range d.costs {
			c.pair = shuffled(c.pair, d.a, func(s, a int) int { return s*len(all) + to[a] }, d.s*len(all))
		}
		d.actions, d.a = all, len(all)
	}
	if v, ok := in.answer("costNames"); ok {
		for name, x := range v.Members {
			for _, c := range d.costs {
				if t, isText := x.Text(); isText && c.name == name {
					c.name = t
					break
				}
			}
		}
	}
	if v, ok := in.answer("average"); ok {
		for _, x := range v.Elements {
			for _, c := range d.costs {
				if t, _ := x.Text(); t == c.name {
					c.average = true
				}
			}
		}
	}
}

// renumber puts states and actions of the transitions at their new places; nil: at those they have.
func (d *draft) renumber(states, actions []int) {
	for i := range d.entries {
		e := &d.entries[i]
		if states != nil {
			e.s, e.t = int32(states[e.s]), int32(states[e.t])
		}
		if actions != nil {
			e.a = int32(actions[e.a])
		}
	}
}

func moved(v []float64, to []int, n int) []float64 {
	if v == nil {
		return nil
	}
	out := make([]float64, n)
	for i, x := range v {
		out[to[i]] = x
	}
	return out
}

func shuffled(pair []float64, a int, to func(s, a int) int, n int) []float64 {
	if pair == nil {
		return nil
	}
	out := make([]float64, n)
	for g, x := range pair {
		out[to(g/a, g%a)] = x
	}
	return out
}

// named reads a list of names for things that the file numbers or names
// itself: its own names in another order, or new ones. It returns where each
// thing goes; nil when nothing was said.
func (in *input) named(d *draft, key string, n int, own []string, more bool) (to []int, all []string) {
	v, ok := in.answer(key)
	if !ok {
		return nil, nil
	}
	for _, x := range v.Elements {
		t, isText := x.Text()
		if !isText {
			t = string(x)
		}
		all = append(all, t)
	}
	to = make([]int, n)
	matched := false
	for _, as := range [](func(string) string){strings.Clone, token} { // as they stand, or else as a format of bare words has them
		if matched = own != nil && (len(all) == n || more && len(all) > n) && places(to, own, all, as); matched {
			break
		}
	}
	switch {
	case matched:
	case len(all) == n || more && len(all) > n && own == nil:
		for i := range to {
			to[i] = i
		}
	default:
		in.fail(Fault{Message: fmt.Sprintf("%s: found %s; the model has %d", key, model.Count(len(all), "name"), n)})
		return nil, nil
	}
	if len(all) > model.MaxPairs/max(1, d.s) && more {
		in.fail(Fault{Message: fmt.Sprintf("%s: %d names are too many", key, len(all))})
		return nil, nil
	}
	return to, all
}

// places writes to to where each of the names that are there stands among all. False where that is not told by them.
func places(to []int, own, all []string, as func(string) string) bool {
	at := map[string]int{}
	for i, name := range all {
		at[as(name)] = i
	}
	for i, name := range own {
		j, found := at[as(name)]
		if !found || len(at) < len(all) {
			return false
		}
		if i < len(to) {
			to[i] = j
		}
	}
	return true
}
