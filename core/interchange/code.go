package interchange

import (
	"bytes"
	"math"
	"slices"
	"strings"

	"rcmdplab/core/jsontext"
	"rcmdplab/core/model"
)

// program reads code that only writes data down: assignments of values, of rows
// and of slices, in Python, R and Julia as notebooks have them, or one value by
// itself. Whatever else stands there is a fault, with the step that helps:
// nothing is passed over that might change the data.
type program struct {
	literals
	first []string              // names in the order in which they were first assigned
	vars  map[string]*node      // what they hold
	one   map[string]bool       // arrays whose indices count from 1
	of    map[string]bool       // names of what a known solver gave, which is no data
	last  string                // the name that was printed last
	bare  *node                 // a value without a name
	names map[string][][]string // the names along the axes of an array, as R has them
	tool  string                // whose calls there are
}

// howToPrint is what helps where data is computed.
const howToPrint = "it is not run here; print what it makes and open that: import json; print(json.dumps({'P': P.tolist(), 'R': R.tolist()})) in Python, jsonlite::toJSON(list(P = P, R = R)) in R, JSON.print(Dict(\"P\" => P, \"R\" => R)) in Julia, jsonencode(struct('P', P, 'R', R)) in MATLAB"

// parseLiterals reads a whole text, or halts: one value, or assignments, which become a map; false where there is nothing.
func parseLiterals(in *input, src *source) (n node, ok bool) {
	p := &program{literals: literals{in: in, src: src, d: src.data}, vars: map[string]*node{}, one: map[string]bool{}, of: map[string]bool{}}
	p.get = func(name string) *node { return p.vars[name] }
	p.matlab = bytes.Contains(src.data, []byte("(:,:,")) || bytes.Contains(src.data, []byte("(:, :,"))
	p.lines = p.matlab || bytes.Contains(src.data, []byte("[:, :, ")) || bytes.Contains(src.data, []byte("dims=")) || bytes.Contains(src.data, []byte("= zeros(")) && !bytes.Contains(src.data, []byte("import ")) || bytes.HasPrefix(src.data, []byte("using ")) || bytes.Contains(src.data, []byte("\nusing "))
	for p.rest(); p.i < len(p.d); p.rest() {
		p.statement()
	}
	in.tool = p.tool
	if p.bare != nil && len(p.first) == 0 {
		return *p.bare, true
	}
	n.kind = 'm'
	for _, name := range p.first {
		n.keys, n.kids = append(n.keys, name), append(n.kids, *p.vars[name])
	}
	p.axesNamed(&n)
	return n, len(n.keys) > 0
}

// cutPrompt takes off what precedes a line in a session, as In [5]:, Out[5]: or >>>; printed says that what follows was shown.
func cutPrompt(line string) (rest string, printed, ok bool) {
	for _, mark := range []string{">>> ", "... ", "julia> ", "> "} {
		if rest, ok = strings.CutPrefix(line, mark); ok {
			return rest, false, true
		}
	}
	for _, mark := range []string{"In [", "Out[", "Out ["} {
		number, rest, found := strings.Cut(strings.TrimPrefix(line, mark), "]:")
		if found && strings.HasPrefix(line, mark) && len(number) < 8 {
			return rest, mark != "In [", true
		}
	}
	return line, false, false
}

// prompt moves over what precedes a line in a session, and says whether what follows was printed.
func (p *program) prompt() bool {
	line := p.line()
	rest, printed, ok := cutPrompt(line)
	if p.i += len(line) - len(rest); ok && (line[0] == 'I' || line[0] == 'O') {
		p.space()
	}
	return printed
}

// skipLine moves to the end of the line.
func (p *literals) skipLine() {
	for p.i < len(p.d) && p.d[p.i] != '\n' {
		p.i++
	}
}

func (p *literals) line() string {
	line, _, _ := strings.Cut(string(p.d[p.i:min(len(p.d), p.i+400)]), "\n")
	return line
}

// refuseCode is the fault of what is no data.
func (p *literals) refuseCode(what string) {
	p.fail("%s: code that computes is no data, and %s", what, howToPrint)
}

// statement reads one line, or as many as its brackets span.
func (p *program) statement() {
	printed := p.prompt()
	at, line := p.i, strings.TrimSpace(p.line())
	if !printed && p.passed(line) {
		return
	}
	if name := p.target(); name != "" {
		p.into(name)
		return
	}
	p.i = at
	if names := p.several(); names != nil {
		p.spread(names)
		return
	}
	p.i = at
	if p.naming() {
		return
	}
	if !printed && (wordByte(p.peek()) && (p.peek() < '0' || p.peek() > '9')) {
		if name := p.word(); p.peek() == '\n' || p.peek() == '\r' || p.peek() == 0 || strings.HasPrefix(strings.TrimSpace(p.line()), "#") {
			if root, _, _ := strings.Cut(name, "."); p.vars[name] == nil && !p.of[root] && !literalWord(name) {
				p.last = name // printed below, perhaps
			}
			if !literalWord(name) {
				return
			}
		} else if p.peek() == '(' && p.known(name, "") {
			return
		}
		p.i = at
	}
	var v node
	if !try(func() { v = p.whole() }) {
		p.unread(at)
		return
	}
	switch {
	case printed && p.last != "":
		p.set(p.last, v)
	case p.bare == nil && len(p.first) == 0:
		p.bare = &v
	default:
		p.i = at
		p.fail("a value without a name; want one value, or name = value for each")
	}
}

// unread passes over what was shown of a name that no model has, up to the next prompt; of any other it halts.
func (p *program) unread(at int) {
	if p.last == "" || roleByName(p.last[strings.LastIndexByte(p.last, '.')+1:]) != "" || roleOf(p.last) != "" {
		panic(halted{})
	}
	p.in.faults = p.in.faults[:max(0, len(p.in.faults)-1)]
	for p.i = at; p.i < len(p.d); {
		if p.skipLine(); p.i < len(p.d) {
			p.i++
		}
		if _, printed, ok := cutPrompt(p.line()); ok && !printed {
			return
		}
	}
}

// several reads "a, b =" or "[a, b] =".
func (p *program) several() (names []string) {
	bracket := p.peek() == '['
	if bracket {
		p.i++
	}
	for {
		p.blanks()
		name := p.word()
		if name == "" || name[0] >= '0' && name[0] <= '9' {
			return nil
		}
		names = append(names, name)
		if p.blanks(); p.peek() != ',' {
			break
		}
		p.i++
	}
	if bracket {
		if p.peek() != ']' {
			return nil
		}
		p.i++
	}
	if len(names) < 2 || !p.becomes() {
		return nil
	}
	p.space()
	return names
}

// spread gives several names the values behind them, one each; what a solver found is none.
func (p *program) spread(names []string) {
	if at := p.i; wordByte(p.peek()) {
		if f := p.word(); p.peek() == '(' && p.known(f, names[0]) {
			for _, name := range names {
				p.of[name] = true
			}
			return
		}
		p.i = at
	}
	var values []node
	for {
		v := p.value(0)
		values = append(values, v)
		if p.peek() == ' ' {
			p.i++
		}
		if p.peek() != ',' {
			p.after(&v)
			break
		}
		p.i++
	}
	if len(values) == 1 && values[0].len() == len(names) {
		values = values[0].all()
	}
	if len(values) != len(names) {
		p.fail("found %s for %d names", model.Count(len(values), "value"), len(names))
	}
	for i, name := range names {
		p.set(name, values[i])
	}
}

// naming reads R's dimnames(P) <- list(...) and the like, which change no number.
func (p *program) naming() bool {
	start := p.i
	f := p.word()
	if f != "dimnames" && f != "names" && f != "rownames" && f != "colnames" || p.peek() != '(' {
		p.i = start
		return false
	}
	p.i++
	of := p.word()
	if p.peek() != ')' {
		p.i = start
		return false
	}
	if p.i++; !p.becomes() {
		p.i = start
		return false
	}
	v := p.whole()
	to := p.vars[of]
	switch {
	case to == nil:
		p.i = start
		p.fail("%s is not there to be named", model.Quote(of))
	case f == "dimnames":
		p.label(of, &v)
	case f == "names" && to.kind == 'l' && to.len() == v.len():
		all := to.all()
		*to = node{kind: 'm', at: to.at, keys: texts(&v), kids: all}
	}
	return true
}

func literalWord(s string) bool {
	s = strings.ToLower(s)
	_, ok := constants[s]
	return ok || s == "nan" || s == "inf"
}

// passed moves over lines that load modules or only set something up.
func (p *program) passed(line string) bool {
	for _, start := range []string{"import ", "from ", "library(", "require(", "using ", "%", "!pip", "!conda", "pip install", "install.packages(", "set.seed(", "np.random.seed(", "np.set_printoptions(", "warnings.filterwarnings(", "assert ", "plt.", "sns.", "stopifnot("} {
		if strings.HasPrefix(line, start) && (start != "from " || strings.Contains(line, " import ")) {
			for word, tool := range map[string]string{"quantecon": "quantecon", "mdptoolbox": "mdptoolbox", "MDPtoolbox": "mdptoolbox-r"} {
				if strings.Contains(line, word) && p.tool == "" {
					p.tool = tool
				}
			}
			p.skipLine()
			return true
		}
	}
	for _, quotes := range []string{`"""`, "'''"} { // what a module says of itself
		if rest, ok := strings.CutPrefix(string(p.d[p.i:]), quotes); ok {
			text, _, closed := strings.Cut(rest, quotes)
			if p.i += len(text) + 2*len(quotes); !closed {
				p.i = len(p.d)
			}
			return true
		}
	}
	for _, start := range []string{"for ", "while ", "if ", "def ", "class ", "with ", "try:", "function ", "function(", "lambda ", "return ", "for(", "for (", "while(", "if (", "if(", "end", "else"} {
		if strings.HasPrefix(line, start) {
			p.refuseCode("line begins with " + model.Quote(strings.TrimSpace(start)))
			return true
		}
	}
	return false
}

// slot is one index of an assignment: a number, or all.
type slot struct {
	i   int    // from 0
	key string // as the key of a map
	all bool
}

// target reads "name =", "name <-" or "name[...] =" and leaves what precedes a
// value behind; "" where none is.
func (p *program) target() string {
	start := p.i
	if name := p.assignment(); name != "" {
		p.slots = nil
		return name
	}
	name := p.word()
	if name == "" || p.peek() != '[' && !(p.matlab && p.peek() == '(') {
		p.i = start
		return ""
	}
	slots, ok := p.index()
	for ok && p.peek() == '[' { // P[0][1]
		var more []slot
		more, ok = p.index()
		slots = append(slots, more...)
	}
	if !ok || !p.becomes() {
		p.i = start
		return ""
	}
	p.slots = slots
	return name
}

// index reads [0], [0, :], [,,1], ["good"], R's [[1]], or MATLAB's (:,:,1).
func (p *program) index() (slots []slot, ok bool) {
	closing := byte(']')
	if p.peek() == '(' {
		closing = ')'
	}
	p.i++
	for {
		p.space()
		switch c := p.peek(); {
		case c == ',' || c == closing: // R leaves out what is all
			slots = append(slots, slot{all: true})
		case c == '[':
			if len(slots) > 0 { // P[0, [1, 2]] = ... writes into several places
				return nil, false
			}
			if slots, ok = p.index(); !ok || p.peek() != closing || len(slots) != 1 {
				return nil, false
			}
			p.i++
			return slots, true
		case c == ':' && p.i+1 < len(p.d) && wordByte(p.d[p.i+1]): // a symbol of Julia's
			p.i++
			slots = append(slots, slot{key: p.word(), i: -1})
		case c == ':':
			p.i++
			slots = append(slots, slot{all: true})
		case c == '"' || c == '\'':
			slots = append(slots, slot{key: p.quoted(c), i: -1})
		case c == '(':
			k := p.value(0)
			slots = append(slots, slot{key: keyOf(&k), i: -1})
		default:
			x, isNumber := p.number()
			if k := p.named(p.ahead()); !isNumber && k != nil { // states[0], or a name for 0
				p.word()
				if k.kind == '"' {
					slots = append(slots, slot{key: k.text, i: -1})
					break
				}
				x, isNumber = k.x, k.kind == '#'
			}
			if !isNumber || x != math.Trunc(x) || math.Abs(x) > 1e9 {
				return nil, false
			}
			slots = append(slots, slot{i: int(x), key: model.Num(x)})
		}
		p.space()
		switch p.peek() {
		case ',':
			p.i++
		case closing:
			p.i++
			return slots, true
		default:
			return nil, false
		}
	}
}

// ahead is the word that comes next, which is left there.
func (p *program) ahead() string {
	start := p.i
	w := p.word()
	p.i = start
	return w
}

// into reads the value behind a target and puts it where it belongs.
func (p *program) into(name string) {
	at, slots := p.i, p.slots
	from := strings.Contains(string(p.d[max(0, at-3):at]), "<-")
	p.space()
	if slots == nil && wordByte(p.peek()) && (p.peek() < '0' || p.peek() > '9') {
		if f := p.word(); p.peek() == '(' && p.known(f, name) {
			return
		} else if root, _, _ := strings.Cut(f, "."); p.of[root] && root != f { // what a solver found
			p.skipLine()
			p.of[name] = true
			return
		}
		p.i = at
		p.space()
	}
	p.shaped, p.dims = false, nil
	v := p.whole()
	if slots == nil {
		p.one[name] = from || p.shaped
		p.set(name, v)
		p.label(name, p.dims)
		return
	}
	to := p.vars[name]
	if p.matlab && len(slots) == 3 && slots[0].all && slots[1].all && v.depth() == 2 {
		to = p.slab(name, slots[2].i-1, &v)
	}
	if to == nil {
		p.i = at
		p.fail("%s is not there to be written into", model.Quote(name))
	}
	one := p.one[name] || from || p.matlab
	for k := range slots {
		if slots[k].i >= 0 && one {
			slots[k].i--
		}
		if axes := p.names[name]; slots[k].i < 0 && k < len(axes) {
			slots[k].i = slices.Index(axes[k], slots[k].key)
		}
	}
	if one && to.kind == 'l' && to.len() == slots[0].i && len(slots) == 1 && (to.len() == 0 || to.kids != nil) { // R's lists grow
		to.kids = append(to.kids, v)
		return
	}
	if one && to.kind == 'l' && to.len() == 0 && slots[0].key != "" {
		to.kind = 'm'
	}
	if !to.put(slots, &v) {
		p.i = at
		p.fail("what is written into %s does not have the shape of the place it goes to", model.Quote(name))
	}
}

// slab is an array with room for one more matrix along its third axis, where that is
// the next one: in MATLAB arrays grow.
func (p *program) slab(name string, k int, v *node) *node {
	to := p.vars[name]
	if to == nil && k == 0 && len(v.kids) > 0 {
		p.set(name, block([]int{v.len(), v.kids[0].len(), 1}, int(v.at), func([]int) float64 { return 0 }))
		return p.vars[name]
	}
	if to == nil || to.depth() != 3 || to.kids[0].kids[0].len() != k {
		return to
	}
	for i := range to.kids {
		for j := range to.kids[i].kids {
			row := &to.kids[i].kids[j]
			row.nums, row.ats = append(row.nums, 0), append(row.ats, v.at)
		}
	}
	return to
}

// label keeps the names along the axes of an array.
func (p *program) label(name string, dims *node) {
	if dims == nil {
		return
	}
	var axes [][]string
	for _, axis := range dims.all() {
		axes = append(axes, texts(&axis))
	}
	if p.names == nil {
		p.names = map[string][][]string{}
	}
	p.names[name] = axes
}

// axesNamed gives the model the names of the states and actions that stand along the
// axes of its transitions: two of three axes have the same ones.
func (p *program) axesNamed(n *node) {
	for name, axes := range p.names {
		if roleByName(name) != "p" || len(axes) != 3 {
			continue
		}
		for k, other := range [][2]int{{1, 2}, {0, 2}, {0, 1}} {
			a, b := axes[other[0]], axes[other[1]]
			if !slices.Equal(a, b) || slices.Equal(a, axes[k]) || len(a) == 0 {
				continue
			}
			for what, all := range map[string][]string{"states": a, "actions": axes[k]} {
				if n.find(what) != nil || len(all) == 0 {
					continue
				}
				list := node{kind: 'l'}
				for _, text := range all {
					list.kids = append(list.kids, node{kind: '"', text: text})
				}
				n.keys, n.kids = append(n.keys, what), append(n.kids, list)
			}
		}
	}
}

// set gives a name a value; env.P is P.
func (p *program) set(name string, v node) {
	name = name[strings.LastIndexByte(name, '.')+1:]
	if p.vars[name] == nil {
		p.first = append(p.first, name)
	}
	p.vars[name] = &v
}

// whole reads a value and what may stand behind it on its line.
func (p *program) whole() node {
	v := p.value(0)
	p.after(&v)
	return v
}

// after reads what may stand behind a value on its line.
func (p *program) after(v *node) {
	for {
		p.blanks()
		switch c := p.peek(); {
		case c == '.' && p.i+1 < len(p.d):
			p.i++
			switch f := p.word(); {
			case p.peek() == '(' && (f == "tolist" || f == "copy" || f == "astype" || f == "toarray" || f == "todense"):
				p.call("float", 0)
			case p.peek() == '(' && f == "reshape":
				if args, _ := p.args(0); !p.reshape(v, args) {
					p.refuseCode("reshape to another number of entries")
				}
			default:
				p.refuseCode("found ." + f)
			}
		case c == '\n' || c == '\r' || c == 0 || c == '#' || c == ';' || c == ',':
			return
		default:
			p.refuseCode("found " + model.Quote(string(c)) + " behind a value")
		}
	}
}

// known reads a call of a solver that is known, or of what only prints: it tells
// the tool, and perhaps the discount.
func (p *program) known(f, to string) bool {
	start := p.i
	short := f[strings.LastIndexByte(f, '.')+1:]
	root, _, _ := strings.Cut(f, ".")
	tool := ""
	switch {
	case short == "DiscreteDP" || short == "DDP":
		tool = "quantecon"
	case strings.HasPrefix(f, "mdp_"):
		tool = "mdptoolbox-r"
	case strings.Contains(f, "mdptoolbox") || slices.Contains([]string{"ValueIteration", "PolicyIteration", "PolicyIterationModified", "QLearning", "RelativeValueIteration", "FiniteHorizon"}, short) && strings.HasPrefix(f, "mdp"):
		tool = "mdptoolbox"
	case p.of[root] || to == "" && slices.Contains([]string{"print", "display", "disp", "str", "cat", "println", "dim"}, f):
	default:
		return false
	}
	if tool == "" {
		if p.skipLine(); to != "" {
			p.of[to] = true
		}
		return true
	}
	var args []node
	var named map[string]node
	if !try(func() { args, named = p.args(0) }) {
		p.i = start
		return false
	}
	if p.tool = tool; to != "" {
		p.of[to] = true
	}
	if d, ok := named["discount"]; ok {
		p.set("discount", d)
	} else if d, ok := named["beta"]; ok {
		p.set("discount", d)
	} else if len(args) > 2 && args[2].kind == '#' && p.vars["discount"] == nil && p.vars["gamma"] == nil && p.vars["beta"] == nil {
		p.set("discount", args[2])
	}
	if short == "FiniteHorizon" || short == "mdp_finite_horizon" {
		n, ok := named["N"]
		if !ok && len(args) > 3 {
			n, ok = args[3], true
		}
		if ok && n.kind == '#' {
			p.in.said["horizon"] = jsontext.Value(model.Num(n.x))
		}
	}
	return true
}
