package interchange

import (
	"bytes"
	"math"
	"slices"
	"strings"

	"rcmdplab/core/jsontext"
)

var arraysFormat = Format{
	ID: "arrays", Title: "Arrays P and R (MDPtoolbox, QuantEcon)", About: "Nested lists as JSON, Python, NumPy or R write them: P by action, state, next state (or state first), R by state and action or by transition; QuantEcon's R, Q, beta, dense or by pairs.",
	Extensions: []string{"json", "py", "txt"}, Reads: true, Writes: true, deep: true,
	looks: looksArrays, read: readArrays, write: writeArrays,
}

func looksArrays(in *input) string {
	for _, f := range in.files {
		t := strings.TrimSpace(string(f.data[:min(len(f.data), 3000)]))
		if t == "" {
			continue
		}
		squeezed := strings.Join(strings.Fields(strings.NewReplacer("(", "[", "array", "", "np.", "", "numpy.", "").Replace(t)), "")
		if strings.HasPrefix(squeezed, "[[[") || strings.HasPrefix(squeezed, "[[[[") {
			return "it is a list of lists of lists"
		}
		for _, key := range []string{"P", "Q", "T", "transitions", "R", "reward", "rewards", "lower"} {
			for _, mark := range []string{`"`, "'"} {
				i := bytes.Index(f.data, []byte(mark+key+mark))
				if t[0] == '{' && i >= 0 && bytes.HasPrefix(bytes.TrimLeft(f.data[i+len(key)+2:], " \t\r\n"), []byte(":")) {
					return "it has the arrays of an MDP by name"
				}
			}
		}
		for _, sign := range []string{"P=[", "Q=[", "T=[", "R=[", "P<-", "P=c["} {
			if strings.HasPrefix(squeezed, sign) || strings.Contains(squeezed, ";"+sign) || strings.Contains(squeezed, "]"+sign) || strings.Contains(squeezed, "asnp"+sign) {
				return "it assigns the arrays of an MDP"
			}
		}
	}
	return ""
}

// array is a rectangular array of numbers of any rank up to four.
type array struct {
	name  string
	shape []int
	v     []float64
	at    []int32
	from  int32
}

// index is the place in v of an index.
func (a *array) index(i ...int) int {
	n := 0
	for k, x := range i {
		n = n*a.shape[k] + x
	}
	return n
}

// flatten makes an array of nested lists, or says where they are uneven.
func flatten(in *input, f *source, name string, n *node) *array {
	a := &array{name: name, from: n.at}
	if n.kind == '#' {
		return &array{name: name, v: []float64{n.x}, at: []int32{n.at}, from: n.at}
	}
	for k := n; k.kind == 'l'; {
		a.shape = append(a.shape, k.len())
		if len(a.shape) > 4 {
			in.failAt(f, int(n.at), "%s is nested more than four deep", name)
			return nil
		}
		if k.nums != nil || len(k.kids) == 0 {
			break
		}
		k = &k.kids[0]
	}
	var walk func(n *node, depth int) bool
	walk = func(n *node, depth int) bool {
		if depth == len(a.shape) {
			switch n.kind {
			case '#':
				a.v, a.at = append(a.v, n.x), append(a.at, n.at)
			case 'n':
				a.v, a.at = append(a.v, math.NaN()), append(a.at, n.at)
			default:
				in.failAt(f, int(n.at), "want a number in %s", name)
				return false
			}
			return true
		}
		if n.kind == 'n' && depth == len(a.shape)-1 { // a missing row
			for range a.shape[depth] {
				a.v, a.at = append(a.v, math.NaN()), append(a.at, n.at)
			}
			return true
		}
		if n.kind != 'l' || n.len() != a.shape[depth] {
			in.failAt(f, int(n.at), "found %s in %s; want %d, as in the rows before", plural(n.len(), "element"), name, a.shape[depth])
			return false
		}
		if n.nums != nil && depth == len(a.shape)-1 {
			a.v, a.at = append(a.v, n.nums...), append(a.at, n.ats...)
			return true
		}
		for i := range n.len() {
			k := n.nth(i)
			if !walk(&k, depth+1) {
				return false
			}
		}
		return true
	}
	if !walk(n, 0) {
		return nil
	}
	return a
}

// named are the arrays and numbers of a file by what they are.
type arrayFile struct {
	p, s, a  *array // transitions, and QuantEcon's pair indices
	rewards  []*array
	discount *array
	initial  *array
	lower    *array
	upper    *array
	states   []string
	actions  []string
	sense    string
}

var arrayNames = map[string][]string{
	"p": {"P", "T", "Q", "p", "transitions", "transition", "probabilities", "transition_probabilities", "nominal"}, "lower": {"lower", "P_lower", "Plow"}, "upper": {"upper", "P_upper", "Phigh"},
	"discount": {"discount", "gamma", "beta", "γ", "discount_factor"}, "initial": {"initial", "mu", "mu0", "start", "p0", "rho", "alpha", "initial_distribution"},
	"s": {"s_indices", "state_indices"}, "a": {"a_indices", "action_indices"}, "states": {"states", "state_names"}, "actions": {"actions", "action_names"}, "sense": {"sense"},
}

func readArrays(in *input) *draft {
	var af arrayFile
	var f *source
	for _, file := range in.files {
		in.answersIn(file)
		root, ok := parseLiterals(in, file)
		if !ok {
			if len(in.faults) == 0 {
				in.failAt(file, 0, "no array is here")
			}
			return nil
		}
		if af.read(in, file, &root); len(in.faults) > 0 {
			return nil
		}
		if f == nil || af.p != nil && f != in.files[0] {
			f = file
		}
	}
	for _, file := range in.files { // places are those of the file with P
		if af.p != nil && int(af.p.from) < len(file.data) && len(in.files) == 1 {
			f = file
		}
	}
	if af.lower != nil && af.upper != nil {
		if af.p != nil {
			in.note("the bounds are taken; P beside them is left out")
		}
		af.p = af.lower
	}
	if af.p == nil {
		in.failAt(f, 0, "no transitions are here: want an array P of action, state, next state (or Q of state, action, next state)")
		return nil
	}
	if len(af.p.shape) == 2 && af.s != nil && af.a != nil {
		return af.pairs(in, f)
	}
	return af.dense(in, f)
}

// answersIn takes answers to choices that stand beside the arrays in JSON.
func (in *input) answersIn(f *source) {
	root, err := jsontext.Parse(f.data)
	if err != nil {
		return
	}
	for name, v := range root.Members {
		if slices.Contains(choiceNames, name) && name != "discount" && name != "initial" {
			in.said[name] = v
		} else if name == "initial" && v.Kind() == '"' {
			in.said[name] = v
		}
	}
}

// read sorts what a file holds by name.
func (af *arrayFile) read(in *input, f *source, root *node) {
	if root.kind == 'l' {
		af.p = flatten(in, f, "P", root)
		return
	}
	for i, k := range root.keys {
		n := &root.kids[i]
		if k == "initial" && n.kind == '"' { // a state by name: an answer
			continue
		}
		what := ""
		for role, names := range arrayNames {
			if slices.Contains(names, k) {
				what = role
			}
		}
		var to **array
		switch what {
		case "p":
			to = &af.p
		case "s":
			to = &af.s
		case "a":
			to = &af.a
		case "lower":
			to = &af.lower
		case "upper":
			to = &af.upper
		case "discount":
			to = &af.discount
		case "initial":
			to = &af.initial
		case "states":
			af.states = texts(n)
			continue
		case "actions":
			af.actions = texts(n)
			continue
		case "sense":
			af.sense = n.text
			continue
		}
		if what == "" && (slices.Contains(choiceNames, k) || k == "costs" && n.kind == 'm' && n.len() == 0) {
			continue // an answer to a choice, or nothing
		}
		if n.kind == 'm' && what == "" { // costs by name
			for j, name := range n.keys {
				if a := flatten(in, f, name, &n.kids[j]); a != nil && len(a.shape) > 0 {
					af.rewards = append(af.rewards, a)
				}
			}
			continue
		}
		if what == "" && n.kind != 'l' {
			in.note("%s is left out", quote(k))
			continue
		}
		if n.kind == 'm' {
			n = list2(n)
		}
		a := flatten(in, f, k, n)
		if a == nil {
			return
		}
		if to != nil {
			*to = a
		} else {
			af.rewards = append(af.rewards, a)
		}
	}
}

// list2 makes a list of a map with the values in their order, as for arrays by
// name of action.
func list2(n *node) *node { return &node{kind: 'l', at: n.at, kids: n.kids} }

func texts(n *node) (all []string) {
	for i := range n.len() {
		if k := n.nth(i); k.kind == '#' {
			all = append(all, num(k.x))
		} else {
			all = append(all, k.text)
		}
	}
	return all
}

// axes are the orders of the three axes of P, by their letters.
var axisNames = map[string]string{"ASS": "action, state, next state (MDPtoolbox)", "SAS": "state, action, next state (QuantEcon, the paper)", "SSA": "state, next state, action (R, Matlab)"}

// orders are the axis orders that an array's shape and rows allow, the most
// usual first.
func (a *array) orders() (fit []string) {
	d := a.shape
	var shape []string
	if d[1] == d[2] {
		shape = append(shape, "ASS")
	}
	if d[0] == d[2] {
		shape = append(shape, "SAS")
	}
	if d[0] == d[1] {
		shape = append(shape, "SSA")
	}
	if len(shape) > 1 {
		for _, o := range shape {
			if a.stochastic(o) {
				fit = append(fit, o)
			}
		}
	}
	if len(fit) == 0 {
		fit = shape
	}
	return fit
}

// sizes are S and A in an order.
func (a *array) sizes(order string) (s, acts int) {
	switch order {
	case "ASS":
		return a.shape[1], a.shape[0]
	case "SAS":
		return a.shape[0], a.shape[1]
	}
	return a.shape[0], a.shape[2]
}

func (a *array) get(order string, s, act, t int) int {
	switch order {
	case "ASS":
		return a.index(act, s, t)
	case "SAS":
		return a.index(s, act, t)
	}
	return a.index(s, t, act)
}

// stochastic says whether rows sum to about 1, or to 0, in an order.
func (a *array) stochastic(order string) bool {
	ns, na := a.sizes(order)
	for s := range ns {
		for act := range na {
			sum := 0.0
			for t := range ns {
				if x := a.v[a.get(order, s, act, t)]; !math.IsNaN(x) {
					sum += x
				}
			}
			if math.Abs(sum-1) > 1e-3 && sum != 0 {
				return false
			}
		}
	}
	return true
}

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
		in.failAt(f, int(p.from), "the transitions are %s deep; want three: action, state, next state", plural(len(p.shape), "list"))
		return nil
	}
	fit := p.orders()
	if len(fit) == 0 {
		in.failAt(f, int(p.from), "the transitions are %d × %d × %d numbers; two of the three sizes must be the number of states", p.shape[0], p.shape[1], p.shape[2])
		return nil
	}
	order := fit[0]
	if len(fit) > 1 {
		var options []Option
		for _, o := range fit {
			options = append(options, Option{o, axisNames[o]})
		}
		order = in.choose("axes", "Order of the axes of P", "The sizes do not tell.", order, options...)
		if _, said := in.answer("axes"); !said {
			in.note("the sizes do not tell the order of the axes of P: %s is taken", axisNames[order])
			in.warnings = append(in.warnings, "the order of the axes of P is ambiguous, as there are as many states as actions; check that it is "+axisNames[order])
		}
	} else if order != "ASS" {
		in.note("the axes of P are %s", axisNames[order])
	}
	ns, na := p.sizes(order)
	if len(fit) > 1 && !p.stochastic(order) {
		in.warnings = append(in.warnings, "in this order of the axes rows do not sum to 1")
	}
	d := in.newDraft(f, ns, na, int(p.from))
	if d == nil {
		return nil
	}
	d.dense = ns*ns*na <= 1<<16
	if d.interval = af.lower != nil && af.upper != nil; d.interval && !slices.Equal(af.lower.shape, af.upper.shape) {
		in.failAt(f, int(af.upper.from), "the bounds have different shapes")
		return nil
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
		if math.IsNaN(x) && af.missing(order, d.s, s, a) { // a row of null
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
		d.entries = append(d.entries, entry{0, int32(s), int32(a), int32(s), af.p.at[k], 0, 0}) // zeros: judged with the other rows
	}
}

// missing says whether all numbers of a row are undefined.
func (af *arrayFile) missing(order string, n, s, a int) bool {
	for t := range n {
		if !math.IsNaN(af.p.v[af.p.get(order, s, a, t)]) {
			return false
		}
	}
	return true
}

// pairs reads QuantEcon's state-action pair form: R[i], Q[i][s'], and which
// state and action i stands for.
func (af *arrayFile) pairs(in *input, f *source) *draft {
	q := af.p
	n := q.shape[0]
	if len(af.s.v) != n || len(af.a.v) != n {
		in.failAt(f, int(af.s.from), "%d states and %d actions for %s of Q; want one of each", len(af.s.v), len(af.a.v), plural(n, "row"))
		return nil
	}
	na := 0
	for i, x := range af.a.v {
		if y := af.s.v[i]; x != math.Trunc(x) || x < 0 || x > float64(len(f.data)) || y != math.Trunc(y) || y < 0 || y >= float64(q.shape[1]) {
			in.failAt(f, int(af.a.at[i]), "pair %d is state %s and action %s; want whole numbers from 0, states below %d", i, show(y), show(x), q.shape[1])
			return nil
		}
		na = max(na, int(x)+1)
	}
	d := in.newDraft(f, q.shape[1], na, int(q.from))
	if d == nil {
		return nil
	}
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
		c := d.costNamed(rewardName(r.name))
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
	if af.sense == "minimize" {
		d.sense = "minimize"
	}
	if m := af.initial; m != nil {
		sum := 0.0
		for _, x := range m.v {
			sum += x
		}
		switch {
		case len(m.v) == 1 && d.s > 1 && m.v[0] >= 0 && m.v[0] < float64(d.s) && m.v[0] == math.Trunc(m.v[0]):
			d.initial = make([]float64, d.s)
			d.initial[int(m.v[0])] = 1
		case len(m.v) != d.s:
			in.failAt(f, int(m.from), "the initial distribution has %d numbers; want %d", len(m.v), d.s)
		case math.Abs(sum-1) > 1e-9:
			in.failAt(f, int(m.from), "the initial distribution sums to %s; want 1", digits(sum, 12))
		default:
			d.initial = m.v
		}
	}
	for _, r := range af.rewards {
		af.reward(in, d, f, r, order)
	}
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
	name := rewardName(r.name)
	if w := strings.ToLower(name); len(d.costs) == 0 && (strings.HasPrefix(w, "cost") || w == "c") && af.sense == "" {
		d.sense = "minimize"
	}
	c := d.costNamed(name)
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
				in.note("%s is by action and state: turned", quote(name))
			}
			return
		}
	case 3:
		if ns, na := r.sizes(order); ns != d.s || na != d.a || !r.fits(order) {
			order = ""
			for _, o := range []string{"ASS", "SAS", "SSA"} {
				if ns, na := r.sizes(o); order == "" && ns == d.s && na == d.a && r.fits(o) {
					order = o
				}
			}
		}
		if order == "" {
			break
		}
		for len(c.entry) < len(d.entries) {
			c.entry = append(c.entry, 0)
		}
		for i := range d.entries {
			e := &d.entries[i]
			c.entry[i] = r.v[r.get(order, int(e.s), int(e.a), int(e.t))]
		}
		return
	}
	in.failAt(f, int(r.from), "%s has %s numbers; want one for each state (%d), for each state and action (%d × %d), or for each transition", name, times(r.shape), d.s, d.s, d.a)
}

func (a *array) fits(order string) bool {
	switch order {
	case "ASS":
		return a.shape[1] == a.shape[2]
	case "SAS":
		return a.shape[0] == a.shape[2]
	}
	return a.shape[0] == a.shape[1]
}

func times(shape []int) string {
	var all []string
	for _, n := range shape {
		all = append(all, num(float64(n)))
	}
	return strings.Join(all, " × ")
}
