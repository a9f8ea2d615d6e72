package interchange

import (
	"math"
	"slices"
	"strconv"
	"strings"
)

var gymFormat = Format{
	ID: "gym", Title: "Gymnasium P", About: "The transition table env.P of Gymnasium's toy-text environments, as JSON or as Python prints it: P[state][action] = [(probability, next state, reward, terminated), ...].",
	Extensions: []string{"json", "py", "txt"}, Reads: true, Writes: true, alone: true,
	looks: looksGym, read: readGym, write: writeGym,
}

func looksGym(in *input) string {
	for _, f := range in.files {
		t := strings.ToLower(string(f.data[:min(len(f.data), 4000)]))
		open := strings.IndexAny(t, "{[")
		if open < 0 || strings.ContainsAny(strings.TrimSpace(t[:open]), "\n;") {
			continue
		}
		body := strings.NewReplacer(" ", "", "\t", "", "\r", "", "\n", "", "(", "[", ")", "]").Replace(t[open:])
		flags := strings.Contains(body, ",true]") || strings.Contains(body, ",false]")
		for _, start := range []string{"{0:", `{"0":`, "{'0':", "[[[", `{"p":`, "{'p':"} {
			if flags && strings.HasPrefix(body, start) || strings.HasPrefix(body, start+start+"[[") {
				return "it lists (probability, next state, reward, terminated) by state and action"
			}
		}
	}
	return ""
}

// outcome is one (probability, next state, reward, terminated).
type outcome struct {
	p, r float64 // probability, reward
	t    int     // the next state
	ends bool    // the episode
	at   int     // byte
}

func readGym(in *input) *draft {
	f := in.files[0]
	root, ok := parseLiterals(in, f)
	if !ok {
		if len(in.faults) == 0 {
			in.failAt(f, 0, "no table P[state][action] is here")
		}
		return nil
	}
	discount := math.NaN()
	if g := root.find("discount", "gamma"); g != nil && g.kind == '#' {
		discount = g.x
	}
	start := root.find("initial_state_distrib", "isd", "initial")
	if p := root.find("P", "p", "transitions"); p != nil {
		root = *p
	}
	states, n := indexed(in, f, &root, "state")
	if len(in.faults) > 0 {
		return nil
	}
	rows := make([][][]outcome, n)
	most := 0
	for s, kid := range states {
		if kid == nil {
			continue
		}
		acts, m := indexed(in, f, kid, "action")
		most = max(most, m)
		rows[s] = make([][]outcome, m)
		for a, list := range acts {
			if list == nil {
				continue
			}
			rows[s][a] = outcomes(in, f, list)
			for _, o := range rows[s][a] {
				n = max(n, min(o.t+1, len(f.data)))
			}
		}
		if len(in.faults) >= maxFaults {
			return nil
		}
	}
	if len(in.faults) > 0 {
		return nil
	}
	d := in.newDraft(f, n, most, 0)
	if d == nil {
		return nil
	}
	d.addUp, d.discount, d.bare, d.objective = true, discount, true, "reward"
	if start != nil && start.kind == 'l' && len(start.nums) == n {
		d.initial = start.nums
	}
	fillGym(in, d, rows)
	return d
}

// indexed reads a list, or a map whose keys are whole numbers from 0.
func indexed(in *input, f *source, n *node, noun string) (kids []*node, count int) {
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
			x, err := strconv.Atoi(k)
			if err != nil || x < 0 || x > len(f.data) {
				in.failAt(f, int(n.kids[i].at), "found %s as the number of a %s; want a whole number from 0", quote(k), noun)
				return nil, 0
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

func outcomes(in *input, f *source, list *node) (all []outcome) {
	if list.kind == 'n' {
		return nil
	}
	if list.kind != 'l' || len(list.nums) > 0 {
		in.failAt(f, int(list.at), "want a list of (probability, next state, reward, terminated)")
		return nil
	}
	for i := range list.kids {
		k := &list.kids[i]
		if k.kind != 'l' || k.len() < 3 || k.len() > 4 {
			in.failAt(f, int(k.at), "want (probability, next state, reward, terminated)")
			continue
		}
		o := outcome{at: int(k.at)}
		p, t, r := k.nth(0), k.nth(1), k.nth(2)
		if p.kind != '#' || t.kind != '#' || r.kind != '#' {
			in.failAt(f, int(k.at), "want three numbers: probability, next state, reward")
			continue
		}
		if t.x != math.Trunc(t.x) || t.x < 0 || t.x > float64(len(f.data)) {
			in.failAt(f, int(t.at), "found %s as a next state; want a whole number from 0", show(t.x))
			continue
		}
		o.p, o.t, o.r, o.at = p.x, int(t.x), r.x, int(p.at)
		if k.len() == 4 {
			e := k.nth(3)
			if e.kind != 't' && !(e.kind == '#' && (e.x == 0 || e.x == 1)) {
				in.failAt(f, int(e.at), "want true or false: whether the episode is terminated")
				continue
			}
			o.ends = e.x == 1
		}
		all = append(all, o)
	}
	return all
}

// fillGym turns the flags into states: a state that is only ever entered with
// terminated set is the end of its episodes; one that is entered both ways
// gets a twin for the endings.
func fillGym(in *input, d *draft, rows [][][]outcome) {
	ends, goes := make([]bool, d.s), make([]bool, d.s)
	for s := range rows {
		for a := range rows[s] {
			for _, o := range rows[s][a] {
				if o.ends {
					ends[o.t] = true
				} else if s != o.t || !selfLoop(rows[s][a], s) {
					goes[o.t] = true
				}
			}
		}
	}
	d.terminal = make([]bool, d.s)
	twin := map[int]int{}
	own := 0
	c := d.costNamed("reward")
	c.better = "maximize"
	for t := range d.s {
		if !ends[t] {
			continue
		}
		if !goes[t] {
			d.terminal[t] = true
			if t < len(rows) && slices.ContainsFunc(rows[t], func(list []outcome) bool { return len(list) > 0 && !selfLoop(list, t) }) {
				own++
			}
			continue
		}
		twin[t] = d.grow(d.state(t) + " (end)")
		d.terminal[twin[t]] = true
	}
	if own > 0 {
		in.note("%s with rows of its own that are entered with terminated only: the value there is 0, so those rows are left out", plural(own, "state"))
	}
	if len(twin) > 0 {
		in.note("%s entered both with and without terminated: a twin stands for the endings", plural(len(twin), "state"))
	}
	for s := range rows {
		for a := range rows[s] {
			for _, o := range rows[s][a] {
				t := o.t
				if w, ok := twin[t]; ok && o.ends {
					t = w
				}
				d.add(in, 0, s, a, t, o.p, o.p, o.at)
				d.onEntry(c, o.r)
			}
		}
	}
	if len(twin) == 0 && slices.Contains(d.terminal, true) {
		var goals []int
		for s, t := range d.terminal {
			if t && entered(rows, s) > 0 {
				goals = append(goals, s)
			}
		}
		if len(goals) > 0 && len(goals) < d.s {
			d.labels = append(d.labels, label{"goal", goals})
		}
	}
	d.onPair(c, 0, 0, 0)
}

// entered is the largest reward for getting to a state.
func entered(rows [][][]outcome, t int) float64 {
	best := math.Inf(-1)
	for s := range rows {
		for a := range rows[s] {
			for _, o := range rows[s][a] {
				if o.t == t && s != t {
					best = max(best, o.r)
				}
			}
		}
	}
	return best
}

func selfLoop(list []outcome, s int) bool {
	for _, o := range list {
		if o.t != s {
			return false
		}
	}
	return true
}
