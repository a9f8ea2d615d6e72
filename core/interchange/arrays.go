package interchange

import (
	"bytes"
	"cmp"
	"math"
	"slices"
	"strings"

	"rcmdplab/core/jsontext"
	"rcmdplab/core/model"
)

var arraysFormat = Format{
	ID: "arrays", Title: "Arrays P and R (MDPtoolbox, QuantEcon)", About: "P and R of MDPtoolbox, or R, Q and beta of QuantEcon (also by pairs), as JSON, Python, NumPy, R, Julia or MATLAB write them: code that only writes data down (sums and products of numbers too), whole notebooks and sessions, matrices in LaTeX. P by action, state, next state or in another order, which the sizes, the sums of rows or the names tell, or which is asked; R by state, by state and action, or by transition. Also maps by name, P[state][action][next state] or with (state, action) as the key, and lists of records, in JSON, Python, Julia or YAML (.yaml). A reward of −∞ and a row of zeros mean that the action is not available.",
	Extensions: []string{"json", "py", "txt"}, Reads: true, Writes: true, deep: true,
	looks: looksArrays, read: readArrays, write: writeArrays,
}

func looksArrays(f *source) string {
	t := strings.TrimSpace(string(f.data[:min(len(f.data), 3000)]))
	if t == "" {
		return ""
	}
	if looksPrinted(f) {
		return "it is an array as R prints it"
	}
	if firstRecord(f) != nil || frame(f) != nil { // a table whose columns are called as arrays are
		return ""
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
	if why := mapsOf(f, t); why != "" {
		return why
	}
	if assigned(f.data) {
		return "it assigns the arrays of an MDP"
	}
	if looksCode(f.data) {
		return "it is code that assigns values"
	}
	return ""
}

// mapsOf says why a JSON object holds arrays: a member is called transitions, or it is itself the
// distributions of next states by state and action.
func mapsOf(f *source, head string) string {
	if head[0] != '{' {
		return ""
	}
	for rest := head; ; {
		_, behind, ok := strings.Cut(rest, `"`)
		name, after, closed := strings.Cut(behind, `"`)
		if !ok || !closed {
			break
		}
		if rest = after; roleByName(name) == "p" && strings.HasPrefix(strings.TrimLeft(after, " "), ":") {
			return "it has the arrays of an MDP by name"
		}
	}
	if len(f.data) > mostReadText {
		return ""
	}
	if root, ok := valueAt(f, 0); ok && root.distributions() {
		return "it has distributions of next states by state and action"
	}
	return ""
}

// distributions says whether maps by state and action lead to probabilities of next states that sum to 1.
func (n *node) distributions() bool {
	if n.kind != 'm' || n.deep() != 3 {
		return false
	}
	for i := range n.kids {
		for j := range n.kids[i].kids {
			sum := 0.0
			for _, p := range n.kids[i].kids[j].kids {
				sum += p.x
			}
			if math.Abs(sum-1) > 1e-3 {
				return false
			}
		}
	}
	return true
}

// looksCode says whether a line of a text gives a name a list, a map or what a call
// makes, or loads a module: such a text is no table, whatever separates its words.
func looksCode(data []byte) bool {
	for line := range bytes.Lines(data[:min(len(data), 16<<10)]) {
		t := bytes.TrimRight(line, " \r\n")
		for _, start := range []string{"import ", "from ", "library(", "using ", "def ", "class "} {
			if bytes.HasPrefix(t, []byte(start)) && !bytes.ContainsAny(t, ",;\t") && (start != "from " || bytes.Contains(t, []byte(" import "))) {
				return true
			}
		}
		n := 0
		for n < len(t) && (wordByte(t[n]) || n > 0 && t[n] == ' ') {
			n++
		}
		rest, ok := bytes.CutPrefix(t[n:], []byte("="))
		if !ok {
			rest, ok = bytes.CutPrefix(t[n:], []byte("<-"))
		}
		if rest = bytes.TrimLeft(rest, " "); !ok || n == 0 || len(rest) == 0 || bytes.ContainsRune(bytes.TrimSpace(t[:n]), ' ') {
			continue
		}
		for n = 0; n < len(rest) && wordByte(rest[n]); n++ {
		}
		if bytes.IndexByte([]byte("[{("), rest[min(n, len(rest)-1)]) >= 0 {
			return true
		}
	}
	return false
}

// assigned says whether lines of a text assign transitions by one of their names,
// whole or in part.
func assigned(data []byte) bool {
	for line := range bytes.Lines(data[:min(len(data), 64<<10)]) {
		behind, _, _ := cutPrompt(string(bytes.TrimSpace(line)))
		t, n := bytes.TrimSpace([]byte(behind)), 0
		for n < len(t) && wordByte(t[n]) {
			n++
		}
		name, rest := string(t[:n]), bytes.TrimLeft(t[n:], " \t")
		if roleByName(name) != "p" {
			continue
		}
		if len(rest) == 0 && bytes.HasPrefix(bytes.TrimSpace(line), []byte("In [")) { // shown in a session
			return true
		}
		if i := bytes.IndexAny(rest, "])"); len(rest) > 0 && (rest[0] == '[' || rest[0] == '(') && i > 0 { // P[0] = ..., P(:,:,1) = ...
			rest = bytes.TrimLeft(rest[i+1:], "]) \t")
		}
		value := bytes.HasPrefix(rest, []byte("<-")) || bytes.HasPrefix(rest, []byte("=")) && !bytes.HasPrefix(rest, []byte("=="))
		if value && !bytes.HasPrefix(bytes.TrimLeft(rest, "=<- "), []byte("{[")) { // a cell of MATLAB's
			return true
		}
	}
	return false
}

// digitsOnly says whether names are only numbers.
func digitsOnly(names []string) bool {
	return !slices.ContainsFunc(names, func(s string) bool { return strings.Trim(s, "0123456789") != "" })
}

// flatten makes an array of nested lists, or halts where they are uneven.
func flatten(in *input, f *source, name string, n *node) *array {
	a := &array{name: name, from: n.at}
	if n.kind == '#' {
		return &array{name: name, v: []float64{n.x}, at: []int32{n.at}, from: n.at}
	}
	for k := n; k.kind == 'l'; {
		a.shape = append(a.shape, k.len())
		if len(a.shape) > 4 {
			in.halt(f, int(n.at), "%s is nested more than four deep", name)
		}
		if k.nums != nil || len(k.kids) == 0 {
			break
		}
		k = &k.kids[0]
	}
	var walk func(n *node, depth int)
	walk = func(n *node, depth int) {
		switch last := depth == len(a.shape)-1; {
		case depth == len(a.shape) && (n.kind == '#' || n.kind == 'n'):
			x := n.x
			if n.kind == 'n' {
				x = math.NaN()
			}
			a.v, a.at = append(a.v, x), append(a.at, n.at)
		case depth == len(a.shape):
			in.halt(f, int(n.at), "want a number in %s", name)
		case n.kind == 'n' && last: // a missing row
			for range a.shape[depth] {
				a.v, a.at = append(a.v, math.NaN()), append(a.at, n.at)
			}
		case n.kind != 'l' || n.len() != a.shape[depth]:
			in.halt(f, int(n.at), "found %s in %s; want %d, as in the rows before", model.Count(n.len(), "element"), name, a.shape[depth])
		case n.nums != nil && last:
			a.v, a.at = append(a.v, n.nums...), append(a.at, n.ats...)
		default:
			for i := range n.len() {
				k := n.nth(i)
				walk(&k, depth+1)
			}
		}
	}
	walk(n, 0)
	return a
}

// named are the arrays and numbers of a file by what they are.
type arrayFile struct {
	p, s, a  *array   // transitions, and QuantEcon's pair indices
	rewards  []*array // one array, or one an action
	discount *array   // a scalar; may be nil, as may all below
	lower    *array   // interval ends, with upper instead of p
	upper    *array
	initial  *node // where it starts; may be nil
	ends     *node // the states that end an episode; may be nil
	possible *node // by state, the actions that there are; may be nil
	byAction bool  // the transitions are matrices by a name
	states   []string
	actions  []string
	sense    string // as in draft
	tool     string // whose names these are, "" where they are anybody's
}

var arrayNames = map[string][]string{
	"p": {"P", "T", "Q", "p", "transitions", "transition", "probabilities", "transition_probabilities", "nominal"}, "lower": {"lower", "P_lower", "Plow"}, "upper": {"upper", "P_upper", "Phigh"},
	"discount": {"discount", "gamma", "beta", "γ", "β", "discount_factor"}, "initial": {"initial", "mu", "mu0", "start", "p0", "rho", "alpha", "initial_distribution", "start_state", "initial_state", "init", "s0", "start_distribution"},
	"ends": {"terminals", "terminal", "terminal_states", "absorbing_states", "absorbing", "goal_states", "goals", "end_states"}, "possible": {"possible_actions", "available_actions", "legal_actions", "valid_actions"},
	"s": {"s_indices", "state_indices"}, "a": {"a_indices", "action_indices"}, "states": {"states", "state_names"}, "actions": {"actions", "action_names"}, "sense": {"sense"},
}

func readArrays(in *input) *draft {
	var af arrayFile
	var f *source
	for _, file := range in.files {
		in.answersIn(file)
		if printed := af.rPrint(in, file); printed != nil {
			af.p, f = printed, file
			continue
		}
		root, ok := parseLiterals(in, file)
		if !ok {
			in.halt(file, 0, "no array is here")
		}
		af.tool = cmp.Or(af.tool, in.tool)
		if root.kind == 'm' {
			if len(root.kids) == 1 && root.role("p") == nil && root.kids[0].kind == 'm' && root.kids[0].role("p") != nil { // mdp = {...}
				root = root.kids[0]
			}
			if root.role("p") == nil && (root.outcomesByPair() || root.distributions()) { // the transitions themselves
				root = node{kind: 'm', at: root.at, keys: []string{"P"}, kids: []node{root}}
			}
			in.transitionsIn(&root)
			root.together()
			root.listed()
			for i, k := range root.keys {
				if roleOf(k) == roleReward || roleOf(k) == roleCost {
					root.kids[i].byActions(root.role("p"))
				}
			}
			if in.unpaid = root.unpacked(); in.unpaid && len(in.files) > 1 {
				in.unpaid = false
			}
		}
		if p := root.role("p"); p != nil && p.kind == 'm' && len(in.files) == 1 {
			if p.gymLike() {
				return gymDraft(in, file, root)
			}
			if depth := p.deep(); depth == 3 || depth == 2 && p.rows(root.role("states")) {
				return readDicts(in, file, &root, p)
			}
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
		in.halt(f, 0, "no transitions are here: want an array P of action, state, next state (or Q of state, action, next state)")
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
		what := roleByName(k)
		to := map[string]**array{"p": &af.p, "s": &af.s, "a": &af.a, "lower": &af.lower, "upper": &af.upper, "discount": &af.discount}[what]
		if k == "Q" && what == "p" && root.find("R") != nil || what == "s" {
			af.tool = "quantecon"
		}
		switch {
		case what == "states":
			af.states = texts(n)
		case what == "actions":
			af.actions = texts(n)
		case what == "sense":
			af.sense = n.text
		case what == "initial":
			af.initial = n
		case what == "ends":
			af.ends = n
		case what == "possible":
			if af.possible = n; n.kids == nil { // of one action each
				af.possible = &node{kind: 'l', at: n.at, kids: n.all()}
			}
		case what == "" && (slices.Contains(choiceNames, k) || k == "costs" && n.kind == 'm' && n.len() == 0): // an answer to a choice, or nothing
		case what == "" && n.kind == 'm': // costs by name
			for j, name := range n.keys {
				try(func() {
					if a := flatten(in, f, name, &n.kids[j]); len(a.shape) > 0 {
						af.rewards = append(af.rewards, a)
					}
				})
			}
		case what == "" && n.kind != 'l':
			in.note("%s is left out", model.Quote(k))
		default:
			if n.kind == 'm' {
				if what == "p" && af.actions == nil {
					af.actions, af.byAction = n.keys, true
				}
				n = list2(n)
			}
			if a := flatten(in, f, k, n); to != nil {
				*to = a
			} else {
				af.rewards = append(af.rewards, a)
			}
		}
	}
}
