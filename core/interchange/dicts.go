package interchange

import (
	"math"
	"slices"
	"strings"

	"rcmdplab/core/model"
)

// dicts are maps by name: P[state][action][next], or with the names together in
// one key, P[(state, action)][next]. Rewards likewise, as far as they go.
type dicts struct {
	in      *input
	f       *source // where places are
	states  model.Names
	actions model.Names
	rows    []rowOf // transitions; a cost has t = -1 where it is of a pair, a = -1 where it is of a state
}

// deep is how far maps are nested, keys of several parts counted by part; -1
// where they are uneven or end in something else than numbers.
func (n *node) deep() int {
	if n.kind == '#' || n.kind == 'n' || n.kind == 'l' && len(n.nums) > 0 {
		return 0
	}
	if n.kind != 'm' || len(n.kids) == 0 {
		return -1
	}
	depth := -1
	for i, k := range n.keys {
		d := n.kids[i].deep()
		if n.kids[i].kind == 'm' && len(n.kids[i].kids) == 0 { // a pair that has nothing
			continue
		}
		if d >= 0 {
			d += 1 + strings.Count(k, tuple)
		}
		if depth >= 0 && d != depth || d < 0 {
			return -1
		}
		depth = d
	}
	return depth
}

// walk gives every number with the names that lead to it.
func (n *node) walk(before []string, yield func(names []string, leaf *node) bool) bool {
	if n.kind != 'm' {
		return yield(before, n)
	}
	for i, k := range n.keys {
		if !n.kids[i].walk(append(slices.Clip(before), strings.Split(k, tuple)...), yield) {
			return false
		}
	}
	return true
}

// readDicts reads P and the rewards beside it; root holds them by name.
func readDicts(in *input, f *source, root, p *node) *draft {
	r := &dicts{in: in, f: f}
	for _, n := range []*node{root.find("states", "S", "state_names"), root.find("actions", "A", "action_names")} {
		to := &r.states
		if n != nil && n == root.find("actions", "A", "action_names") {
			to = &r.actions
		}
		if n != nil && n.kind == 'l' {
			for _, name := range texts(n) {
				to.ID(name)
			}
		}
	}
	given := [2]bool{len(r.states.All) > 0, len(r.actions.All) > 0}
	p.walk(nil, func(names []string, _ *node) bool {
		r.states.ID(names[0])
		return true
	})
	r.rows = r.numbers(p)
	var costs []string
	var values [][]rowOf
	af := arrayFile{}
	discount, initial, ends := math.NaN(), (*node)(nil), (*node)(nil)
	for i, k := range root.keys {
		n := &root.kids[i]
		switch role := roleByName(k); {
		case n == p || slices.Contains([]string{"states", "S", "state_names", "actions", "A", "action_names", "format"}, k):
		case role == "discount" && n.kind == '#':
			discount = n.x
		case role == "initial":
			initial = n
		case role == "sense" && n.kind == '"':
			af.sense = n.text
		case role == "ends":
			ends = n
		case n.deep() >= 1 && n.deep() <= 3:
			costs, values = append(costs, k), append(values, r.numbers(n))
		case k != "" && slices.Contains(choiceNames, k):
		default:
			in.failAt(f, int(n.at), "%s is neither a number nor a map by state, state and action, or transition, as the transitions are", model.Quote(k))
		}
	}
	if len(in.faults) > 0 {
		return nil
	}
	known := len(r.states.All)
	st, ac := identity(known), identity(len(r.actions.All))
	if !given[0] {
		st = r.states.Sort()
	}
	if !given[1] {
		ac = r.actions.Sort()
	}
	d := in.newDraft(f, known, max(1, len(r.actions.All)), int(p.at))
	d.states, d.actions, d.bare, d.discount = r.states.All, r.actions.All, true, discount
	for _, e := range r.rows {
		d.add(in, 0, st[e.s], ac[e.a], st[e.t], e.p, e.p, e.at)
	}
	r.costs(d, &af, costs, values, st, ac)
	if initial != nil {
		d.begin(in, initial)
	}
	if ends != nil {
		d.terminal = in.endsIn(d, ends)
	}
	return d
}

// begin reads where play starts: a state, one probability for each of the file's own states, or a map of them.
func (d *draft) begin(in *input, n *node) {
	mu, sum, count, found := make([]float64, d.s), 0.0, n.len(), ""
	add := func(s int, x float64) {
		mu[s] += x
		sum += x
	}
	named := func(name string, x float64) {
		if s := d.find(name); s >= 0 {
			add(s, x)
		} else if x != 0 {
			found = model.Quote(name)
		}
	}
	switch {
	case n.kind == '"' || n.kind == '#' && d.own > 1:
		named(keyOf(n), 1)
	case len(n.nums) == 1 && d.own > 1: // a state in a list of its own
		named(model.Num(n.nums[0]), 1)
	case n.kind == 'm':
		for i, k := range n.keys {
			named(k, n.kids[i].x)
		}
	case count == d.s || count == d.own || n.kind == '#':
		for s, k := range n.all() {
			add(s, k.x)
		}
	}
	if d.initial = mu; found != "" || math.Abs(sum-1) > model.RowTolerance {
		if found == "" {
			found = model.Count(count, "value") + " that sum to " + model.Digits(sum, 12)
		}
		in.failAside(d.src, int(n.at), "found %s for where it starts; want a state, or probabilities that sum to 1 over the %s that are there", found, model.Count(d.own, "state"))
	}
}

func identity(n int) []int {
	all := make([]int, n)
	for i := range all {
		all[i] = i
	}
	return all
}

// roleByName is what a name is in arrayNames, or a longer one of transitions.
func roleByName(k string) string {
	for role, names := range arrayNames {
		if slices.Contains(names, k) {
			return role
		}
	}
	if slices.Contains([]string{"transitionprobs", "transitionprob", "transitionprobability", "transitionprobabilities", "transprobs", "transprob", "transitionmatrix", "transitionmatrices", "transitionmodel", "transitionfunction", "transitiontable",
		"transitiontensor", "transitionkernel", "dynamics", "transmat", "trans", "psas", "pssa", "tsas", "probs"}, wordOf(k)) {
		return "p"
	}
	return ""
}

// role is the member of a map that a name says is this.
func (n *node) role(what string) *node {
	for i, k := range n.keys {
		if roleByName(k) == what {
			return &n.kids[i]
		}
	}
	return nil
}

// transitionsIn finds the transitions among values of which none is called so: the
// only one that is three deep and holds distributions.
func (in *input) transitionsIn(root *node) {
	if root.role("p") != nil || root.role("lower") != nil {
		return
	}
	found := -1
	for i := range root.kids {
		k := &root.kids[i]
		if roleOf(root.keys[i]) != "" || !(k.gymLike() || k.deep() == 3 || k.depth() == 3 || k.outcomesByPair() || k.kind == 'l' && len(k.kids) > 0 && byPair(k.kids[:1]) != nil) {
			continue
		}
		if found >= 0 {
			return
		}
		found = i
	}
	if found >= 0 {
		in.note("%s is taken for the transitions: nothing else is of three parts", model.Quote(root.keys[found]))
		root.keys[found] = "P"
	}
}

// together puts the matrices P1, P2 or P_run, P_fix into one map P by what is behind the letter, where
// nothing else is the transitions.
func (n *node) together() {
	if n.role("p") != nil || n.role("lower") != nil {
		return
	}
	for _, letter := range []string{"P", "T", "Q", "p"} {
		all, size := node{kind: 'm', at: n.at}, -1
		for i, k := range n.keys {
			kid := &n.kids[i]
			of := strings.TrimLeft(strings.TrimPrefix(k, letter), "_.")
			if !strings.HasPrefix(k, letter) || of == "" || kid.depth() != 2 || kid.len() != kid.kids[0].len() {
				continue
			}
			if all.at = kid.at; size >= 0 && kid.len() != size {
				return
			}
			size = kid.len()
			all.keys, all.kids = append(all.keys, of), append(all.kids, *kid)
		}
		if len(all.keys) > 1 {
			rest := node{kind: 'm', at: n.at, keys: []string{"P"}, kids: []node{all}}
			for i, k := range n.keys {
				if !strings.HasPrefix(k, letter) || !slices.Contains(all.keys, strings.TrimLeft(strings.TrimPrefix(k, letter), "_.")) {
					rest.keys, rest.kids = append(rest.keys, k), append(rest.kids, n.kids[i])
				}
			}
			*n = rest
			return
		}
	}
}

// depth is how far lists are nested, by their first elements.
func (n *node) depth() int {
	switch {
	case n.kind != 'l' || n.len() == 0:
		return 0
	case n.nums != nil:
		return 1
	}
	return 1 + n.kids[0].depth()
}

// rows says whether maps by state and action lead to one list of probabilities each, over
// the states that are named or that the outermost keys are; they then become maps.
func (n *node) rows(states *node) bool {
	var names []string
	if states != nil && states.kind == 'l' {
		names = texts(states)
	} else {
		for _, k := range n.keys {
			if s, _, _ := strings.Cut(k, tuple); !slices.Contains(names, s) {
				names = append(names, s)
			}
		}
	}
	var leaves []*node
	fits := n.walk(nil, func(path []string, leaf *node) bool {
		leaves = append(leaves, leaf)
		return len(path) == 2 && leaf.kind == 'l' && len(leaf.nums) == len(names)
	})
	for _, leaf := range leaves {
		if !fits {
			break
		}
		m := node{kind: 'm', at: leaf.at}
		for i, x := range leaf.nums {
			m.keys, m.kids = append(m.keys, names[i]), append(m.kids, node{kind: '#', x: x, at: leaf.ats[i]})
		}
		*leaf = m
	}
	return fits
}

// numbers are the numbers of nested maps by their names.
func (r *dicts) numbers(n *node) (rows []rowOf) {
	depth := n.deep()
	n.walk(nil, func(names []string, leaf *node) bool {
		e := rowOf{a: -1, t: -1, p: leaf.x, at: int(leaf.at)}
		if len(names) != depth {
			return true
		}
		e.s = r.states.ID(names[0])
		if depth > 1 {
			e.a = r.actions.ID(names[1])
		}
		if depth > 2 {
			e.t = r.states.ID(names[2])
		}
		rows = append(rows, e)
		return len(rows) < maxCells
	})
	return rows
}

// costs puts rewards and costs where they belong.
func (r *dicts) costs(d *draft, af *arrayFile, names []string, values [][]rowOf, st, ac []int) {
	type key struct{ s, a, t int32 }
	at := map[key]int32{}
	for _, e := range d.entries {
		at[key{e.s, e.a, e.t}] = e.id
	}
	for k, name := range names {
		c := af.cost(d, name)
		for _, e := range values[k] {
			switch s := st[e.s]; {
			case e.a < 0:
				d.onState(c, s, e.p)
			case e.t < 0:
				d.onPair(c, s, ac[e.a], e.p)
			default:
				if id, ok := at[key{int32(s), int32(ac[e.a]), int32(st[e.t])}]; ok { // else it never happens
					c.put(id, e.p)
				}
			}
		}
	}
	if len(names) == 1 && d.costs[0].better == "minimize" {
		d.sense = "minimize"
	}
}
