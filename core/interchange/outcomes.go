package interchange

import (
	"math"
	"slices"
	"strings"

	"rcmdplab/core/model"
)

// outcomeOrders are the orders in which people write what can happen, without the
// flag of Gymnasium: p probability, s next state, r reward.
var outcomeOrders = []Option{{"psr", "(probability, next state, reward)"}, {"spr", "(next state, probability, reward)"}, {"srp", "(next state, reward, probability)"}, {"prs", "(probability, reward, next state)"},
	{"ps", "(probability, next state)"}, {"sp", "(next state, probability)"}}

// order finds the order of outcomes without a flag and brings them to Gymnasium's; what
// fits decides, and else it is asked.
func (in *input) order(f *source, root *node) {
	lists := outcomeLists(root, nil)
	size := 0
	for _, list := range lists {
		for i := range list.kids {
			k := &list.kids[i]
			if size == 0 {
				size = k.len()
			}
			if k.kind != 'l' || k.len() != size || size < 1 || size > 3 || k.nth(size-1).kind == 't' {
				return // Gymnasium's, or judged there
			}
		}
	}
	if size < 2 {
		return
	}
	var fit []Option
	for _, o := range outcomeOrders {
		if len(o.Value) == size && fits(lists, o.Value, root) {
			fit = append(fit, o)
		}
	}
	if len(fit) == 0 {
		in.halt(f, int(lists[0].at), "each of %s is a list of %d, and in no order are they a probability and a next state of which the probabilities sum to 1", "these outcomes", size)
	}
	order := fit[0].Value
	if len(fit) > 1 {
		order = in.choose("outcomes", "What the parts of an outcome are", "", order, fit...)
		in.open("outcomes", "the numbers of an outcome can be read in more than one order")
	} else {
		in.note("outcomes are %s: they sum to 1 in this order only", fit[0].Label)
	}
	in.unpaid = in.unpaid || !strings.Contains(order, "r")
	for _, list := range lists {
		for i := range list.kids {
			k := &list.kids[i]
			of := func(part string) node {
				if at := strings.Index(order, part); at >= 0 {
					return k.nth(at)
				}
				return node{kind: '#', at: k.at}
			}
			*k = node{kind: 'l', at: k.at, kids: []node{of("p"), of("s"), of("r")}}
		}
	}
}

// outcomeLists are the lists of outcomes below a map or a list by state and action.
func outcomeLists(n *node, all []*node) []*node {
	for i := range n.kids {
		k := &n.kids[i]
		if k.kind == 'l' && len(k.kids) > 0 && k.kids[0].kind == 'l' && (len(k.kids[0].kids) == 0 || k.kids[0].kids[0].kind != 'l' && k.kids[0].kids[0].kind != 'm') {
			all = append(all, k)
		} else {
			all = outcomeLists(k, all)
		}
	}
	return all
}

// fits says whether the probabilities of each list sum to 1 in an order, and what
// stands for the next state is a name or a whole number.
func fits(lists []*node, order string, root *node) bool {
	p, s, r := strings.Index(order, "p"), strings.Index(order, "s"), strings.Index(order, "r")
	for _, list := range lists {
		sum := 0.0
		for i := range list.kids {
			k := &list.kids[i]
			t := k.nth(s)
			if k.nth(p).kind != '#' || r >= 0 && k.nth(r).kind != '#' || t.kind != '#' && t.kind != '"' || t.kind == '#' && (t.x < 0 || t.x != math.Trunc(t.x) || t.x >= float64(max(len(root.kids), 2*len(lists)+2))) {
				return false
			}
			x := k.nth(p).x
			if !(x >= 0) {
				return false
			}
			sum += x
		}
		if math.Abs(sum-1) > 1e-3 {
			return false
		}
	}
	return true
}

// endsIn are the states at which an episode ends, by a list of them.
func (in *input) endsIn(d *draft, list *node) []bool {
	stop := make([]bool, d.s)
	for _, name := range texts(list) {
		s := d.find(name)
		if s < 0 {
			in.failAt(d.src, int(list.at), "found %s as a state that ends an episode, which is none of the model", model.Quote(name))
			break
		}
		stop[s] = true
	}
	return stop
}

// beside reads what stands beside a table of outcomes: rewards by state or by state
// and action, and the states that end an episode. A reward of a state where nothing
// can be done, or where an episode ends, is had once: on the way to an added state.
func (g *gymTable) beside(in *input, f *source, d *draft, root *node) {
	var initial, ends *node // read when the states have their names
	for i, k := range root.keys {
		n := &root.kids[i]
		switch role := roleByName(k); {
		case role == "initial":
			initial = n
		case role == "states":
			if names := texts(n); len(names) == d.own && len(g.states.All) == 0 {
				copy(d.states, names)
				if d.states == nil {
					d.states = names
				}
			}
		case role == "p" || role == "discount" || slices.Contains(choiceNames, k) || k == "initial_state_distrib" || k == "isd" || role == "actions":
		case role == "ends":
			ends = n
		case roleOf(k) == roleReward || roleOf(k) == roleCost:
			g.costs(in, f, d, k, n)
		default:
			in.note("%s is left out", model.Quote(k))
		}
	}
	if initial != nil {
		d.begin(in, initial)
	}
	stop := make([]bool, d.s)
	if ends != nil {
		stop = in.endsIn(d, ends)
	}
	g.once(in, d, stop)
}

// costs reads rewards or costs by state, or by state and action.
func (g *gymTable) costs(in *input, f *source, d *draft, name string, n *node) {
	c := (&arrayFile{}).cost(d, name)
	if c.name != "reward" && roleOf(name) == roleReward {
		d.objective = c.name
	}
	each := func(n *node, of *model.Names, size int, yield func(i int, k node)) {
		for j := range n.len() {
			key, i := "", j
			k := node{}
			if n.kind == 'm' {
				key, k = n.keys[j], n.kids[j]
				if i = of.Place(key); i < 0 || i >= size {
					in.failAt(f, int(k.at), "%s has %s, which is none of the model", model.Quote(name), model.Quote(key))
					return
				}
			} else if k = n.nth(j); j >= size {
				in.failAt(f, int(n.at), "%s has %d numbers; want %d", model.Quote(name), n.len(), size)
				return
			}
			yield(i, k)
		}
	}
	each(n, &g.states, d.s, func(s int, k node) {
		if k.kind == '#' {
			d.onState(c, s, k.x)
			return
		}
		each(&k, &g.actions, d.a, func(a int, x node) {
			if x.kind != '#' {
				in.failAt(f, int(x.at), "want a number in %s", model.Quote(name))
				return
			}
			d.onPair(c, s, a, x.x)
		})
	})
}

// once gives states that end an episode, or where nothing can be done, and that have a
// reward of their own, a way to an added state on which it is had.
func (g *gymTable) once(in *input, d *draft, stop []bool) {
	some := make([]bool, d.s)
	for i := range d.entries {
		some[d.entries[i].s] = true
	}
	var with []int
	for s := range some {
		if some[s] && !stop[s] {
			continue
		}
		gives := false
		for _, c := range d.costs {
			gives = gives || c.pair != nil && slices.ContainsFunc(c.pair[s*d.a:(s+1)*d.a], func(x float64) bool { return x != 0 })
		}
		if gives {
			with = append(with, s)
		} else if stop[s] {
			d.terminal[s] = true
		}
	}
	if len(with) == 0 {
		return
	}
	d.keep(func(e entry) bool { return !slices.Contains(with, int(e.s)) })
	end := d.grow("after the end")
	d.terminal[end] = true
	for _, s := range with {
		for a := range d.a {
			d.leads(s, a, end)
			if a == 0 && !some[s] {
				break
			}
		}
	}
	in.note("%s with a reward of its own where an episode ends: it is had once, on the way to the added state %s", model.Count(len(with), "state"), model.Quote(d.state(end)))
}
