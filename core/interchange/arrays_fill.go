package interchange

import (
	"math"
	"slices"
	"strconv"

	"rcmdplab/core/model"
)

func (af *arrayFile) dense(in *input, f *source) *draft {
	p := af.p
	if len(p.shape) == 2 && p.shape[0] == p.shape[1] { // a chain
		p.shape = append([]int{1}, p.shape...)
		if af.upper != nil && len(af.upper.shape) == 2 {
			af.upper.shape = append([]int{1}, af.upper.shape...)
		}
		in.note("the transitions are one matrix: a chain with one action")
	}
	if len(p.shape) != 3 {
		in.halt(f, int(p.from), "the transitions are %s deep; want three: action, state, next state", model.Count(len(p.shape), "list"))
	}
	fit := p.orders()
	if len(fit) == 0 {
		in.halt(f, int(p.from), "the transitions are %d × %d × %d numbers; two of the three sizes must be the number of states", p.shape[0], p.shape[1], p.shape[2])
	}
	order := in.askAxes(af, fit)
	ns, na := p.sizes(order)
	if len(fit) > 1 && !p.stochastic(order) {
		in.warnings = append(in.warnings, "in this order of the axes rows do not sum to 1")
	}
	d := in.newDraft(f, ns, na, int(p.from))
	d.dense = ns*ns*na <= 1<<16
	d.bare = true
	if d.interval = af.lower != nil && af.upper != nil; d.interval && !slices.Equal(af.lower.shape, af.upper.shape) {
		in.halt(f, int(af.upper.from), "the bounds have different shapes")
	}
	for s := range ns {
		for a := range na {
			af.row(in, d, order, s, a)
		}
	}
	af.finish(in, d, f, order)
	return d
}

// row adds the successors of a pair: a row of NaN is not available.
func (af *arrayFile) row(in *input, d *draft, order string, s, a int) {
	before := len(d.entries)
	for t := range d.s {
		k := af.p.get(order, s, a, t)
		x := af.p.v[k]
		if math.IsNaN(x) && af.p.every(order, s, a, math.IsNaN) { // a row of null
			break
		}
		hi := x
		if d.interval {
			hi = af.upper.v[k]
		}
		if x != 0 || hi != 0 {
			d.add(in, 0, s, a, t, x, hi, int(af.p.at[k]))
		}
	}
	if len(d.entries) == before {
		k := af.p.get(order, s, a, s)
		d.push(0, s, a, s, 0, 0, int(af.p.at[k])) // zeros: judged with the other rows
	}
}

// pairs reads QuantEcon's state-action pair form: R[i], Q[i][s'], and which
// state and action i stands for.
func (af *arrayFile) pairs(in *input, f *source) *draft {
	q := af.p
	n := q.shape[0]
	if len(af.s.v) != n || len(af.a.v) != n {
		in.halt(f, int(af.s.from), "%d states and %d actions for %s of Q; want one of each", len(af.s.v), len(af.a.v), model.Count(n, "row"))
	}
	na := 0
	for i, x := range af.a.v {
		if y := af.s.v[i]; x != math.Trunc(x) || x < 0 || x > float64(len(f.data)) || y != math.Trunc(y) || y < 0 || y >= float64(q.shape[1]) {
			in.halt(f, int(af.a.at[i]), "pair %d is state %s and action %s; want whole numbers from 0, states below %d", i, show(y), show(x), q.shape[1])
		}
		na = max(na, int(x)+1)
	}
	d := in.newDraft(f, q.shape[1], na, int(q.from))
	d.bare = true
	for i := range n {
		s, a := int(af.s.v[i]), int(af.a.v[i])
		for t := range d.s {
			if x := q.v[i*d.s+t]; x != 0 {
				d.add(in, 0, s, a, t, x, x, int(q.at[i*d.s+t]))
			}
		}
	}
	rewards := af.rewards
	af.rewards = nil
	af.finish(in, d, f, "SAS")
	for _, r := range rewards {
		c := af.cost(d, r.name)
		if len(r.shape) != 1 || len(r.v) != n {
			in.failAt(f, int(r.from), "%s has %d numbers; want %d, one for each pair", r.name, len(r.v), n)
			continue
		}
		for i, x := range r.v {
			d.onPair(c, int(af.s.v[i]), int(af.a.v[i]), x)
		}
	}
	return d
}

// finish reads what goes beside the transitions.
func (af *arrayFile) finish(in *input, d *draft, f *source, order string) {
	if af.discount != nil && len(af.discount.v) == 1 {
		d.discount, d.discountAt = af.discount.v[0], int(af.discount.from)
	}
	if len(af.states) == d.s {
		d.states = af.states
	}
	if len(af.actions) == d.a {
		d.actions = af.actions
	}
	if af.initial != nil {
		d.begin(in, af.initial)
	}
	for _, r := range af.rewards {
		af.reward(in, d, f, r, order)
	}
	if af.ends != nil {
		d.terminal = in.endsIn(d, af.ends)
	}
	if af.possible != nil {
		af.allowed(in, d, f)
	}
}

// allowed holds a list of the actions of each state to the rows that are there.
func (af *arrayFile) allowed(in *input, d *draft, f *source) {
	lists := af.possible.kids
	can := make([]bool, d.s*d.a)
	for s, list := range lists {
		for _, name := range texts(&list) {
			a := slices.Index(d.actions, name)
			if x, err := strconv.Atoi(name); a < 0 && err == nil && x >= 0 && x < d.a {
				a = x
			}
			if a < 0 || s >= d.s {
				in.failAt(f, int(list.at), "found %s as an action of state %d, which is none of the model", model.Quote(name), s)
				return
			}
			can[s*d.a+a] = true
		}
	}
	if len(lists) != d.s {
		in.failAt(f, int(af.possible.at), "the actions of %s; the model has %d", model.Count(len(lists), "state"), d.s)
		return
	}
	left := 0
	d.keep(func(e entry) bool {
		if !can[int(e.s)*d.a+int(e.a)] && e.hi > 0 {
			left++
		}
		return can[int(e.s)*d.a+int(e.a)]
	})
	if left > 0 {
		in.note("%s of actions that the file says are not possible: left out", model.Count(left, "transition"))
	}
}

// cost finds or adds the reward or cost of an array's name; R is the reward of
// every tool that has one.
func (af *arrayFile) cost(d *draft, name string) *cost {
	c := d.costNamed(rewardName(name))
	switch roleOf(name) {
	case roleReward:
		c.better = "maximize"
	case roleCost:
		c.better = "minimize"
	}
	if c.name == "reward" {
		d.objective = c.name
	}
	if af.sense != "" {
		c.better = af.sense
	}
	c.length = slices.Contains(measures, wordOf(name))
	return c
}

func rewardName(name string) string {
	if name == "R" || name == "r" {
		return "reward"
	}
	return name
}

// reward adds an array of rewards: [S], [S][A], [A][S], or three axes in the
// order of P (any order that fits, when that one does not).
func (af *arrayFile) reward(in *input, d *draft, f *source, r *array, order string) {
	c := af.cost(d, r.name)
	switch len(r.shape) {
	case 1:
		if len(r.v) != d.s {
			break
		}
		for s, x := range r.v {
			d.onState(c, s, x)
		}
		return
	case 2:
		byState := r.shape[0] == d.s && r.shape[1] == d.a
		byAction := r.shape[0] == d.a && r.shape[1] == d.s
		if byState && byAction && d.s > 1 {
			byState = in.choose("rewardAxes", "Order of the axes of the rewards", "The sizes do not tell.", "SA", Option{"SA", "state, action"}, Option{"AS", "action, state"}) == "SA"
		}
		if byState || byAction {
			for s := range d.s {
				for a := range d.a {
					k := s*d.a + a
					if !byState {
						k = a*d.s + s
					}
					d.onPair(c, s, a, r.v[k])
				}
			}
			if !byState {
				in.note("%s is by action and state: turned", model.Quote(c.name))
			}
			return
		}
	case 3:
		if ns, na := r.sizes(order); ns != d.s || na != d.a || !r.fits(order) {
			order = ""
			for _, o := range axisOrders {
				if ns, na := r.sizes(o); order == "" && ns == d.s && na == d.a && r.fits(o) {
					order = o
				}
			}
		}
		if order == "" {
			break
		}
		for _, e := range d.entries {
			c.put(e.id, r.v[r.get(order, int(e.s), int(e.a), int(e.t))])
		}
		return
	}
	in.failAside(f, int(r.from), "%s has %s numbers; want one for each state (%d), for each state and action (%d × %d), or for each transition", r.name, times(r.shape), d.s, d.s, d.a)
}
