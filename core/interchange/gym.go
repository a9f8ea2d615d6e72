package interchange

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"rcmdplab/core/model"
)

var gymFormat = Format{
	ID: "gym", Title: "Gymnasium P", About: "env.P of Gymnasium's toy-text environments, as JSON or as Python prints it: P[state][action] = [(probability, next state, reward, terminated), ...]. Repeated next states add up; after terminated the value is 0; numbers in a fifth place, the info, are costs that can have a limit. Outcomes without a flag are read in whatever order sums to 1.",
	Extensions: []string{"json", "py", "txt"}, Reads: true, Writes: true, alone: true,
	looks: looksGym, read: readGym, write: writeGym,
}

func looksGym(f *source) string {
	t := strings.ToLower(string(f.data[:min(len(f.data), 4000)]))
	open := strings.IndexAny(t, "{[")
	if strings.HasPrefix(t, "in [") || strings.HasPrefix(t, "out[") { // shown in a session
		if i := strings.Index(t, "out["); i >= 0 {
			if _, shown, ok := strings.Cut(t[i:], "]:"); ok {
				t = shown
				open = strings.IndexAny(t, "{[")
			}
		}
	}
	if open < 0 || strings.ContainsAny(strings.TrimSpace(t[:open]), "\n;") {
		return ""
	}
	body := strings.NewReplacer(" ", "", "\t", "", "\r", "", "\n", "", "(", "[", ")", "]").Replace(t[open:])
	flags := false
	for _, word := range []string{",true]", ",false]", ",true,", ",false,", "np.true_]", "np.false_]"} {
		flags = flags || strings.Contains(body, word)
	}
	const why = "it lists (probability, next state, reward, terminated) by state and action"
	for _, start := range []string{"{0:", `{"0":`, "{'0':", "[[[", `{"p":`, "{'p':"} {
		if flags && strings.HasPrefix(body, start) || strings.HasPrefix(body, start+start+"[[") {
			return why
		}
	}
	if head, _, ok := strings.Cut(body, ":[["); ok && flags && strings.HasPrefix(body, "{") && strings.Count(head, "{") == 2 && !strings.Contains(head, "[") {
		return why
	}
	return ""
}

func readGym(in *input) *draft {
	f := in.files[0]
	root, ok := parseLiterals(in, f)
	if !ok {
		in.halt(f, 0, "no table P[state][action] is here")
	}
	return gymDraft(in, f, root)
}

// gymLike says whether a map leads to lists of outcomes by state and action.
func (n *node) gymLike() bool {
	for depth := 0; depth < 2; depth++ {
		if n.kind != 'm' || len(n.kids) == 0 {
			return false
		}
		n = &n.kids[0]
	}
	return n.kind == 'l' && len(n.nums) == 0 && (len(n.kids) == 0 || n.kids[0].kind == 'l')
}

// gymDraft reads the table in a text that was parsed.
func gymDraft(in *input, f *source, root node) *draft {
	discount := math.NaN()
	if g := root.find("discount", "gamma"); g != nil && g.kind == '#' {
		discount = g.x
	}
	start := root.find("initial_state_distrib", "isd", "initial")
	all := root
	if p := root.role("p"); p != nil {
		root = *p
	}
	in.order(f, &root)
	names := gymNames(&root)
	states, n := names.indexed(in, f, &root, "state")
	var rows []rowOf
	most := 0
	for s, kid := range states {
		if kid == nil {
			continue
		}
		try(func() {
			acts, m := names.indexed(in, f, kid, "action")
			most = max(most, m)
			for a, list := range acts {
				if list != nil {
					rows = names.outcomes(in, f, list, s, a, rows)
				}
			}
		})
		in.full()
	}
	if len(in.faults) > 0 {
		return nil
	}
	for _, e := range rows {
		n = max(n, min(e.t+1, len(f.data)))
	}
	d := in.newDraft(f, n, most, 0)
	d.addUp, d.discount, d.bare, d.objective = true, discount, true, "reward"
	if start != nil && start.kind == 'l' && len(start.nums) == n { // of the file's own states: an end that is added has none
		d.initial = start.nums
	}
	d.states, d.actions = names.states.All, names.actions.All
	names.fill(in, d, rows)
	if all.role("p") != nil {
		names.beside(in, f, d, &all)
	}
	return d
}

// gymTable is how the states and actions of a table are named, and what its
// outcomes hold besides.
type gymTable struct {
	states, actions model.Names // empty where they are numbers
	infos           []string    // numbers of the info maps, by name: costs
}

// gymNames are the names of states and actions in their natural order; none where
// all are whole numbers.
func gymNames(root *node) *gymTable {
	t := &gymTable{}
	if root.kind != 'm' {
		return t
	}
	whole := func(k string) bool { _, err := strconv.Atoi(k); return err == nil }
	named := [2]bool{}
	for i, s := range root.keys {
		t.states.ID(s)
		named[0] = named[0] || !whole(s)
		kid := &root.kids[i]
		for j, a := range kid.keys {
			t.actions.ID(a)
			named[1] = named[1] || !whole(a)
			for _, o := range kid.kids[j].kids {
				if o.kind == 'l' && o.len() > 1 && o.nth(1).kind == '"' {
					t.states.ID(o.nth(1).text)
				}
			}
		}
	}
	if t.states.Sort(); !named[0] {
		t.states = model.Names{}
	}
	if t.actions.Sort(); !named[1] {
		t.actions = model.Names{}
	}
	return t
}

// indexed reads a list, or a map whose keys are whole numbers from 0, or names.
func (g *gymTable) indexed(in *input, f *source, n *node, noun string) (kids []*node, count int) {
	switch n.kind {
	case 'l':
		for i := range n.kids {
			kids = append(kids, &n.kids[i])
		}
		if len(n.nums) > 0 {
			in.failAt(f, int(n.at), "found numbers; want a list or a map with one element for each %s", noun)
		}
		return kids, len(kids)
	case 'm':
		for i, k := range n.keys {
			of := &g.states
			if noun == "action" {
				of = &g.actions
			}
			x := of.Place(k)
			if x < 0 || x > len(f.data) {
				in.halt(f, int(n.kids[i].at), "found %s as the number of a %s; want a whole number from 0", model.Quote(k), noun)
			}
			for len(kids) <= x {
				kids = append(kids, nil)
			}
			if kids[x] != nil {
				in.failAt(f, int(n.kids[i].at), "%s %d is there twice", noun, x)
			}
			kids[x] = &n.kids[i]
		}
		return kids, len(kids)
	case 'n':
		return nil, 0
	}
	in.failAt(f, int(n.at), "want a list or a map with one element for each %s", noun)
	return nil, 0
}

// outcomes reads (probability, next state, reward, terminated) of a pair: rows whose first cost is the reward.
func (g *gymTable) outcomes(in *input, f *source, list *node, s, a int, all []rowOf) []rowOf {
	if list.kind == 'n' {
		return all
	}
	if list.kind != 'l' || len(list.nums) > 0 {
		in.failAt(f, int(list.at), "want a list of (probability, next state, reward, terminated)")
		return all
	}
	for i := range list.kids {
		k := &list.kids[i]
		if k.kind != 'l' || k.len() < 3 || k.len() > 5 || k.len() == 5 && k.nth(4).kind != 'm' {
			in.failAt(f, int(k.at), "want (probability, next state, reward, terminated)")
			continue
		}
		p, t, r, end := k.nth(0), k.nth(1), k.nth(2), node{kind: 't'}
		if place := g.states.Place(t.text); t.kind == '"' && place >= 0 {
			t = node{kind: '#', x: float64(place), at: t.at}
		}
		if k.len() >= 4 {
			end = k.nth(3)
		}
		switch {
		case p.kind != '#' || t.kind != '#' || r.kind != '#':
			in.failAt(f, int(k.at), "want three numbers: probability, next state, reward")
		case t.x != math.Trunc(t.x) || t.x < 0 || t.x > float64(len(f.data)):
			in.failAt(f, int(t.at), "found %s as a next state; want a whole number from 0", show(t.x))
		case end.kind != 't' && !(end.kind == '#' && (end.x == 0 || end.x == 1)):
			in.failAt(f, int(end.at), "want true or false: whether the episode is terminated")
		default:
			e := rowOf{s: s, a: a, t: int(t.x), p: p.x, hi: p.x, at: int(p.at), ends: end.x == 1, costs: []float64{r.x}}
			if k.len() == 5 {
				e.costs = g.info(&k.kids[4], e.costs)
			}
			all = append(all, e)
		}
	}
	return all
}

// info adds the numbers of an info map; they are costs, for a limit.
func (g *gymTable) info(m *node, values []float64) []float64 {
	for i, name := range m.keys {
		if m.kids[i].kind != '#' && m.kids[i].kind != 't' || name == "prob" {
			continue
		}
		k := slices.Index(g.infos, name)
		if k < 0 {
			k = len(g.infos)
			g.infos = append(g.infos, name)
		}
		for len(values) <= 1+k {
			values = append(values, 0)
		}
		values[1+k] = m.kids[i].x
	}
	return values
}

// fill puts the outcomes together, and marks the states that are worth getting to.
func (g *gymTable) fill(in *input, d *draft, rows []rowOf) {
	d.costNamed("reward").better = "maximize"
	for _, name := range g.infos {
		d.costNamed(name).better = "minimize"
	}
	d.transitions(in, rows, "terminated")
	if d.s == d.own && slices.Contains(d.terminal, true) { // else twins are
		var goals []int
		for s, t := range d.terminal {
			if t && slices.ContainsFunc(rows, func(e rowOf) bool { return e.t == s && e.s != s && e.costs[0] > 0 }) {
				goals = append(goals, s)
			}
		}
		if len(goals) > 0 && len(goals) < d.s {
			d.labels = append(d.labels, label{"goal", goals})
		}
	}
	if in.unpaid {
		d.costs, d.objective = d.costs[1:], ""
	}
}
