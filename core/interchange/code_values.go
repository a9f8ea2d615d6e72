package interchange

import (
	"cmp"
	"math"
	"strings"

	"rcmdplab/core/model"
)

// keyOf is the key of a map as text: a number, a text, or several of them behind
// one another for a tuple.
func keyOf(k *node) string {
	switch k.kind {
	case '#':
		return model.Num(k.x)
	case '"':
		return k.text
	case 'l':
		var all []string
		for i := range k.len() {
			e := k.nth(i)
			all = append(all, keyOf(&e))
		}
		return strings.Join(all, tuple)
	}
	return ""
}

// tuple stands between the parts of a key that is several.
const tuple = "\x1f"

// wrappers are calls that leave the value that they are given as it is.
var wrappers = map[string]bool{"array": true, "asarray": true, "matrix": true, "list": true, "tuple": true, "dict": true, "float": true, "int": true, "float64": true, "float32": true, "int64": true, "int32": true, "bool_": true, "bool": true,
	"deque": true, "OrderedDict": true, "Matrix": true, "tensor": true, "csr_matrix": true, "coo_matrix": true, "Array": true, "DeviceArray": true, "str_": true, "as.matrix": true, "as.numeric": true}

// args reads what stands in the brackets of a call.
func (p *literals) args(depth int) (all []node, named map[string]node) {
	named = map[string]node{}
	var order []string
	open := p.i
	p.i++
	for {
		p.space()
		switch {
		case p.i >= len(p.d):
			p.i = open
			p.fail("a bracket is opened here and never closed")
		case p.peek() == ')':
			p.i++
			p.order = order
			return all, named
		case p.peek() == ',' || p.peek() == ';': // Julia sets names apart by the latter
			p.i++
			continue
		}
		at := p.i
		name := p.assignment()
		if name == "dimnames" {
			v := p.value(depth + 1)
			if v.kind == 'l' || v.kind == 'm' {
				p.dims = &v
			}
			continue
		}
		if name == "dtype" || name == "copy" { // what numbers are kept as
			for depth := 0; p.i < len(p.d) && (depth > 0 || p.peek() != ',' && p.peek() != ')'); p.i++ {
				depth += map[byte]int{'(': 1, '[': 1, ')': -1, ']': -1}[p.peek()]
			}
			continue
		}
		if v := p.value(depth + 1); name != "" {
			named[name] = v
			order = append(order, name)
		} else {
			all = append(all, v)
		}
		if p.i == at {
			p.fail("found %s; want a value", model.Quote(string(p.d[p.i:p.i+1])))
		}
	}
}

// call reads the arguments of a function and gives what it makes: of those that
// only write data down.
func (p *literals) call(f string, depth int) (n node) {
	at := p.i
	short := f[strings.LastIndexByte(f, '.')+1:]
	if short == "defaultdict" { // defaultdict(<class 'dict'>, {...})
		if i := strings.IndexByte(string(p.d[p.i:min(len(p.d), p.i+300)]), '{'); i > 0 {
			p.i += i
			n = p.value(depth + 1)
			if p.space(); p.peek() == ')' {
				p.i++
				return n
			}
		}
	}
	if short == "float" && p.i+1 < len(p.d) && (p.d[p.i+1] == '"' || p.d[p.i+1] == '\'') {
		args, _ := p.args(depth)
		if len(args) == 1 {
			if x, ok := plain(strings.TrimSpace(args[0].text)); ok {
				return node{kind: '#', x: x, at: int32(at)}
			}
		}
		p.i = at
		p.refuseCode("float of a text that is no number")
	}
	if short == "Dict" || short == "OrderedDict" && p.i+1 < len(p.d) && p.d[p.i+1] != '[' && p.d[p.i+1] != '{' && p.d[p.i+1] != '(' {
		n = node{kind: 'm', at: int32(at)}
		p.dict(&n, ')', "=>", depth)
		return n
	}
	args, named := p.args(depth)
	if len(args) == 0 && len(named) > 1 && short != "" && short[0] >= 'A' && short[0] <= 'Z' { // Transition(state=0, ...)
		n = node{kind: 'm', at: int32(at)}
		for _, name := range p.order {
			n.keys, n.kids = append(n.keys, name), append(n.kids, named[name])
		}
		return n
	}
	if short == "deque" {
		delete(named, "maxlen")
	}
	axis := named["dims"].x
	axis = cmp.Or(axis, named["axis"].x+1)
	delete(named, "dims")
	if short == "stack" {
		delete(named, "axis")
	}
	c := &invocation{f: f, short: short, at: at, args: args, named: named, order: p.order, axis: axis}
	if c.means() {
		for _, makes := range []func() (node, bool){c.record, c.sequence, func() (node, bool) { return p.arrayOf(c) }} {
			if v, ok := makes(); ok {
				return v
			}
		}
	}
	p.i = at
	p.refuseCode("found the call " + f + "(...)")
	return n
}

// invocation is a call with what was read between its brackets.
type invocation struct {
	f, short string // its name, and what is behind the last dot of that
	at       int    // byte
	args     []node
	named    map[string]node
	order    []string // of the names
	axis     float64  // along which parts are put together, from 1
}

// means says whether the names are known: order='F' and the like would change the meaning.
func (c *invocation) means() bool {
	for name, v := range c.named {
		if c.frame() && (len(c.args) == 0 || name == "columns") {
			continue
		}
		if c.short != "matrix" && c.short != "array" && c.short != "list" && c.short != "rep" || v.kind == '"' {
			return false
		}
	}
	return true
}

// frame says whether the call makes a data frame.
func (c *invocation) frame() bool {
	return c.f == "data.frame" || c.f == "tibble" || c.short == "DataFrame"
}

// pick is an argument by its name or else by its place.
func (c *invocation) pick(name string, i int) *node {
	if v, ok := c.named[name]; ok {
		return &v
	}
	if i < len(c.args) {
		return &c.args[i]
	}
	return nil
}

// record makes maps: of lists with names, and of data frames by their columns.
func (c *invocation) record() (n node, ok bool) {
	n = node{kind: 'm', at: int32(c.at)}
	switch one := len(c.args) == 1 && len(c.named) == 0; {
	case c.frame() && one && c.args[0].kind == 'm':
		return c.args[0], true
	case c.short == "DataFrame" && len(c.args) > 0 && c.args[0].kind == 'l' && c.named["columns"].kind == 'l': // rows under headings
		n.keys, n.kids = []string{"columns", "data"}, []node{c.named["columns"], c.args[0]}
		return n, true
	case len(c.args) == 0 && (c.f == "list" && len(c.named) > 0 || c.frame() && len(c.named) > 1):
		for _, name := range c.order {
			n.keys, n.kids = append(n.keys, name), append(n.kids, c.named[name])
		}
		return n, true
	}
	return n, false
}

// sequence makes numbers and lists, and leaves what is wrapped as it is.
func (c *invocation) sequence() (n node, ok bool) {
	args := c.args
	number := func(i int) bool { return i < len(args) && args[i].kind == '#' }
	counts := func(i int) bool { return number(i) && args[i].x >= 0 && args[i].x <= 1e6 }
	switch list := len(args) == 1 && len(c.named) == 0; {
	case c.short == "Fraction" && len(args) == 2 && number(0) && number(1) && args[1].x != 0:
		return node{kind: '#', x: args[0].x / args[1].x, at: int32(c.at)}, true
	case c.f == "c":
		return listOf(args, c.at), true
	case c.f == "list" && len(args) > 1 && len(c.named) == 0, c.f == "rbind", c.short == "vcat" && len(args) > 0: // R's, and Julia's
		return node{kind: 'l', at: int32(c.at), kids: args}, true
	case c.f == "cbind" && len(args) > 1 && len(c.named) == 0 && args[0].nums != nil: // columns of one length
		return across(args, c.at)
	case c.short == "stack" && len(args) == 1 && c.axis == 1 && args[0].kind == 'l':
		return args[0], true
	case c.f == "cat" && c.axis == 3 && len(args) > 0: // matrices one behind the other, along the third axis
		return behind(args, c.at)
	case c.f == "rep" && len(args) == 2 && counts(1):
		var all []node
		for range int(args[1].x) {
			all = append(all, args[0])
		}
		return listOf(all, c.at), true
	case c.f == "range" && len(args) == 1 && counts(0):
		n = node{kind: 'l', at: int32(c.at)}
		for i := range int(args[0].x) {
			n.nums, n.ats = append(n.nums, float64(i)), append(n.ats, int32(c.at))
		}
		return n, true
	case (c.f == "len" || c.f == "length") && len(args) == 1 && (args[0].kind == 'l' || args[0].kind == 'm'):
		return node{kind: '#', x: float64(args[0].len()), at: int32(c.at)}, true
	case wrappers[c.short] && list && !(c.f == "matrix" && (number(0) || args[0].nums != nil)):
		n = args[0]
		n.at = int32(c.at)
		return n, true
	case wrappers[c.short] && len(args) == 0 && len(c.named) == 0:
		return node{kind: 'l', at: int32(c.at)}, true
	}
	return n, false
}

// arrayOf makes arrays of sizes, of one number or of a list of them.
func (p *literals) arrayOf(c *invocation) (n node, ok bool) {
	args := c.args
	switch {
	case c.short == "zeros" || c.short == "ones" || c.short == "empty":
		fill := 0.0
		if c.short == "ones" {
			fill = 1
		}
		shape := args
		if len(args) == 1 && args[0].kind == 'l' {
			shape = args[0].all()
		} else if len(args) > 1 {
			p.shaped = true // Julia counts from 1
		}
		return filled(&node{kind: '#', x: fill}, p.sizes(shape), c.at, false)
	case c.short == "full" && len(args) == 2 && args[1].kind == '#':
		return filled(&args[1], p.sizes(args[0].all()), c.at, false)
	case (c.short == "eye" || c.short == "identity" || c.f == "diag") && len(args) == 1 && args[0].kind == '#':
		if n, ok = filled(&node{kind: '#'}, p.sizes([]node{args[0], args[0]}), c.at, false); ok {
			for i := range n.kids {
				n.kids[i].nums[i] = 1
			}
		}
		return n, ok
	case c.f == "matrix" && len(args) > 0 && (args[0].kind == '#' || args[0].nums != nil): // R, by columns
		return columns(&args[0], c.pick("nrow", 1), c.pick("ncol", 2), c.named["byrow"].x == 1, c.at)
	case c.f == "array" && len(args)+len(c.named) == 2 && c.pick("dim", 1) != nil && c.pick("dim", 1).kind == 'l': // R, the first axis fastest
		return filled(&args[0], p.sizes(c.pick("dim", 1).all()), c.at, false)
	}
	return n, false
}

// across puts lists of numbers beside one another, as the columns of a matrix.
func across(all []node, at int) (node, bool) {
	for i := range all {
		if all[i].kind != 'l' || all[i].nums == nil || len(all[i].nums) != len(all[0].nums) {
			return node{}, false
		}
	}
	return block([]int{len(all[0].nums), len(all)}, at, func(i []int) float64 { return all[i[1]].nums[i[0]] }), true
}

// behind puts matrices of one size behind one another along a third axis.
func behind(all []node, at int) (node, bool) {
	rows, cols := all[0].len(), 0
	if rows > 0 && len(all[0].kids) == rows {
		cols = all[0].kids[0].len()
	}
	for i := range all {
		if all[i].kind != 'l' || len(all[i].kids) != rows || cols == 0 {
			return node{}, false
		}
		for j := range all[i].kids {
			if len(all[i].kids[j].nums) != cols {
				return node{}, false
			}
		}
	}
	return block([]int{rows, cols, len(all)}, at, func(i []int) float64 { return all[i[2]].kids[i[0]].nums[i[1]] }), true
}

// all are the elements of a list, or the value itself.
func (n *node) all() (all []node) {
	if n.kind != 'l' {
		return []node{*n}
	}
	for i := range n.len() {
		all = append(all, n.nth(i))
	}
	return all
}

// listOf makes a list; of numbers alone in the short form.
func listOf(all []node, at int) node {
	n := node{kind: 'l', at: int32(at)}
	for _, v := range all {
		if v.kind != '#' {
			n.nums, n.ats, n.kids = nil, nil, all
			return n
		}
		n.nums, n.ats = append(n.nums, v.x), append(n.ats, v.at)
	}
	return n
}

// sizes are the lengths that nodes say; nil when they are none, or too many.
func (p *literals) sizes(shape []node) (sizes []int) {
	total := 1
	for _, k := range shape {
		if k.kind != '#' || k.x < 1 || k.x != math.Trunc(k.x) || k.x > maxNodes {
			return nil
		}
		if total *= int(k.x); total > maxNodes {
			p.fail("an array of more than %d numbers: too many", maxNodes)
		}
		sizes = append(sizes, int(k.x))
	}
	return sizes
}

// filled is an array of the numbers of a value, or of one number throughout: row by row, or as R has it, with
// the first index fastest.
func filled(value *node, sizes []int, at int, byrow bool) (node, bool) {
	v, total := value.nums, 1
	if value.kind == '#' {
		v = []float64{value.x}
	}
	for _, n := range sizes {
		total *= n
	}
	if sizes == nil || len(v) != total && len(v) != 1 {
		return node{}, false
	}
	return block(sizes, at, func(i []int) float64 {
		k := 0
		for j := range sizes {
			if !byrow {
				j = len(sizes) - 1 - j
			}
			k = k*sizes[j] + i[j]
		}
		return v[min(k, len(v)-1)]
	}), true
}

// block is an array by its index.
func block(sizes []int, at int, value func([]int) float64) node {
	index := make([]int, len(sizes))
	var make_ func(k int) node
	make_ = func(k int) node {
		n := node{kind: 'l', at: int32(at)}
		for i := range sizes[k] {
			if index[k] = i; k == len(sizes)-1 {
				n.nums, n.ats = append(n.nums, value(index)), append(n.ats, int32(at))
			} else {
				n.kids = append(n.kids, make_(k+1))
			}
		}
		return n
	}
	return make_(0)
}

// columns is R's matrix(): filled by columns, or by rows where that is said.
func columns(data, nrow, ncol *node, byrow bool, at int) (node, bool) {
	n, rows, cols := max(1, len(data.nums)), 0, 0
	if nrow != nil {
		rows = int(nrow.x)
	}
	if ncol != nil {
		cols = int(ncol.x)
	}
	switch {
	case rows == 0 && cols == 0:
		rows, cols = n, 1
	case cols == 0 && rows > 0 && n%rows == 0:
		cols = n / rows
	case rows == 0 && cols > 0 && n%cols == 0:
		rows = n / cols
	}
	if rows < 1 || cols < 1 || rows > maxNodes/cols {
		return node{}, false
	}
	return filled(data, []int{rows, cols}, at, byrow)
}

// flat are the numbers of nested lists, row by row.
func (n *node) flat(into []float64) ([]float64, bool) {
	if n.kind == '#' {
		return append(into, n.x), true
	}
	into = append(into, n.nums...)
	ok := n.kind == 'l'
	for i := range n.kids {
		var fits bool
		into, fits = n.kids[i].flat(into)
		ok = ok && fits
	}
	return into, ok
}

// reshape gives the same numbers another shape, row by row.
func (p *literals) reshape(n *node, args []node) (ok bool) {
	if len(args) == 1 {
		args = args[0].all()
	}
	v, ok := n.flat(nil)
	if sizes := p.sizes(args); ok && len(v) > 1 {
		*n, ok = filled(&node{kind: 'l', nums: v}, sizes, int(n.at), true)
	}
	return ok
}

// put writes a value into a place of an array or a map, or one number in the place of
// all that are there; false when it does not fit.
func (n *node) put(slots []slot, v *node) bool {
	s := slot{all: true}
	if len(slots) > 0 {
		s, slots = slots[0], slots[1:]
	} else if n.kind != 'l' {
		*n = *v
		return true
	}
	if n.kind == 'm' {
		if s.all {
			return false
		}
		return n.member(s.key, 'm', v.at).put(slots, v)
	}
	each := s.all && v.kind == 'l'
	if n.kind != 'l' || !s.all && (s.i < 0 || s.i >= n.len()) || each && v.len() != n.len() {
		return false
	}
	from, to := s.i, s.i+1
	if s.all {
		from, to = 0, n.len()
	}
	for i := from; i < to; i++ {
		w := *v
		if each {
			w = v.nth(i)
		}
		switch {
		case n.kids != nil:
			if !n.kids[i].put(slots, &w) {
				return false
			}
		case len(slots) > 0 || w.kind != '#':
			return false
		default:
			n.nums[i], n.ats[i] = w.x, w.at
		}
	}
	return true
}
