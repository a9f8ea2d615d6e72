package interchange

import (
	"bytes"
	"slices"
	"strings"

	"rcmdplab/core/model"
)

// node is a value of JSON, of a Python literal or of what NumPy and R print:
// a list, a map, a number, a text, true, false or nothing.
type node struct {
	kind byte    // 'l' list, 'm' map, '#' number, '"' text, 't' true or false, 'n' nothing
	at   int32   // byte
	x    float64 // number; 1 for true
	text string
	kids []node    // of a list, or the values of a map
	keys []string  // of a map
	nums []float64 // of a list that holds numbers alone, instead of kids
	ats  []int32   // their places
}

// maxNodes bounds the memory that lists of lists can take, maxNesting the
// stack.
const (
	maxNodes   = 2 << 20
	maxNesting = 64
)

// literals reads nested values: JSON, Python (tuples, single quotes, None,
// True, trailing commas, np.array(...), comments), NumPy's print-out (numbers
// separated by spaces), and R's c(...).
type literals struct {
	in    *input
	src   *source
	d     []byte // the text
	i     int    // byte of what comes next
	nodes int    // made so far

	get    func(name string) *node // what a name holds, where there are names
	lines  bool                    // lines in brackets are rows, as in MATLAB and Julia
	matlab bool                    // % begins a comment
	slots  []slot                  // where the next value goes
	order  []string                // the names in the brackets of the call that was read last
	dims   *node                   // the names along the axes of the array that was read last
	shaped bool                    // an array was made of sizes beside one another, as in Julia
}

// rest moves over what may stand between assignments and says whether the text
// is over.
func (p *literals) rest() bool {
	for {
		p.space()
		if p.i < len(p.d) && (p.d[p.i] == ';' || p.d[p.i] == ',') {
			p.i++
			continue
		}
		return p.i >= len(p.d)
	}
}

// fail halts where the reading is.
func (p *literals) fail(format string, args ...any) { p.in.halt(p.src, p.i, format, args...) }

// valueAt is the value that begins at a byte of a text; false where there is none.
func valueAt(s *source, at int) (n node, ok bool) {
	p := &literals{in: &input{}, src: s, d: s.data, i: at}
	ok = try(func() { n = p.value(0) })
	return n, ok
}

func (p *literals) peek() byte {
	if p.i < len(p.d) {
		return p.d[p.i]
	}
	return 0
}

// space moves over white space and comments.
func (p *literals) space() {
	for p.i < len(p.d) {
		switch c := p.d[p.i]; {
		case c == ' ' || c == '\t' || c == '\r' || c == '\n':
			p.i++
		case p.matlab && bytes.HasPrefix(p.d[p.i:], []byte("...")): // goes on in the next line
			p.i += 3
		case c == '#' || c == '%' && p.matlab || c == '/' && p.i+1 < len(p.d) && p.d[p.i+1] == '/':
			for p.i < len(p.d) && p.d[p.i] != '\n' {
				p.i++
			}
		default:
			return
		}
	}
}

func wordByte(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || c == '.' || c >= 0x80
}

// word reads a name, with dots.
func (p *literals) word() string {
	start := p.i
	for p.i < len(p.d) && wordByte(p.d[p.i]) {
		p.i++
	}
	return string(p.d[start:p.i])
}

// assignment reads "name =" or "name <-"; without one it stays where it is.
func (p *literals) assignment() string {
	start := p.i
	c := p.peek()
	if c >= '0' && c <= '9' || !wordByte(c) {
		return ""
	}
	name := p.word()
	p.blanks()
	if p.peek() == ':' {
		p.i++
	} else if !p.becomes() {
		p.i = start
		return ""
	}
	p.space()
	return name
}

// blanks moves over white space within a line.
func (p *literals) blanks() {
	for p.peek() == ' ' || p.peek() == '\t' {
		p.i++
	}
}

// becomes moves over the = or <- of an assignment, and says whether there is one.
func (p *literals) becomes() bool {
	p.blanks()
	rest := p.d[p.i:]
	switch {
	case bytes.HasPrefix(rest, []byte("<-")):
		p.i += 2
	case bytes.HasPrefix(rest, []byte("=")) && !bytes.HasPrefix(rest, []byte("==")):
		p.i++
	default:
		return false
	}
	return true
}

// value reads one value, or halts.
func (p *literals) value(depth int) (n node) {
	p.space()
	n.at = int32(p.i)
	if p.nodes++; p.nodes > maxNodes {
		p.fail("more than %d values that are no plain numbers in rows: too many", maxNodes)
	}
	if depth > maxNesting {
		p.fail("lists are nested more than %d deep", maxNesting)
	}
	switch c := p.peek(); {
	case c == '[' || c == '(':
		p.list(&n, c, depth)
	case c == '{':
		p.dict(&n, '}', ":", depth)
	case c == '"' || c == '\'':
		n.kind, n.text = '"', p.quoted(c)
	case c == ':' && p.i+1 < len(p.d) && wordByte(p.d[p.i+1]): // a symbol of Julia's
		p.i++
		n.kind, n.text = '"', p.word()
	case c == 0 && p.i >= len(p.d):
		p.fail("the text ends where a value is wanted")
	default:
		p.scalar(&n, depth)
	}
	if n.kind == '#' {
		p.operate(&n, depth, 0)
	}
	return n
}

// list reads what is in brackets, separated by commas, semicolons or space.
func (p *literals) list(n *node, open byte, depth int) {
	closing := byte(']')
	if open == '(' {
		closing = ')'
	}
	n.kind = 'l'
	p.i++
	commas := false
	var rows []node
	row := func() {
		rows = append(rows, node{kind: 'l', at: n.at, kids: n.kids, nums: n.nums, ats: n.ats})
		n.kids, n.nums, n.ats = nil, nil, nil
	}
	for {
		before := p.i
		p.space()
		if p.lines && open == '[' && n.len() > 0 && p.peek() != closing && bytes.IndexByte(p.d[before:p.i], '\n') >= 0 {
			row()
		}
		for p.peek() == ',' || p.peek() == ';' {
			if p.peek() == ';' && n.len() > 0 { // as in Julia and MATLAB
				row()
			}
			commas = true
			p.i++
			p.space()
		}
		switch {
		case p.i >= len(p.d):
			p.i = int(n.at)
			p.fail("a bracket is opened here and never closed")
		case p.peek() == closing:
			p.i++
			if rows != nil {
				if n.len() > 0 {
					row()
				}
				n.kids = rows
			}
			if open == '(' && !commas && len(n.nums) == 1 { // (1 - p), not (1,)
				*n = node{kind: '#', x: n.nums[0], at: n.ats[0]}
			}
			return
		}
		if strings.HasPrefix(string(p.d[p.i:min(p.i+3, len(p.d))]), "...") {
			p.fail("the list is shortened with ...: print all of it (numpy.set_printoptions(threshold=numpy.inf), or tolist())")
		}
		at := p.i
		if len(n.kids) == 0 {
			if x, ok := p.number(); ok {
				k := node{kind: '#', x: x, at: int32(at)}
				p.operate(&k, depth, 0)
				n.nums, n.ats = append(n.nums, k.x), append(n.ats, int32(at))
				continue
			}
		}
		kid := p.value(depth + 1)
		p.spreadOut(n)
		if kid.kind == '#' && len(n.kids) == 0 {
			n.nums, n.ats = append(n.nums, kid.x), append(n.ats, kid.at)
		} else {
			n.kids = append(n.kids, kid)
		}
		if p.i == at {
			p.fail("found %s; want a value or %q", model.Quote(string(p.d[p.i:min(p.i+1, len(p.d))])), string(closing))
		}
	}
}

// spreadOut makes elements of a list's numbers, where they are not alone any more.
func (p *literals) spreadOut(n *node) {
	for i, x := range n.nums {
		n.kids = append(n.kids, node{kind: '#', at: n.ats[i], x: x})
	}
	if p.nodes += len(n.nums); p.nodes > maxNodes {
		p.fail("more than %d values that are no plain numbers in rows: too many", maxNodes)
	}
	n.nums, n.ats = nil, nil
}

// dict reads a map up to what closes it, with a mark between a key, which may be a number or a text, and its value.
func (p *literals) dict(n *node, closing byte, mark string, depth int) {
	n.kind = 'm'
	p.i++
	for {
		p.space()
		for p.peek() == ',' {
			p.i++
			p.space()
		}
		switch {
		case p.i >= len(p.d):
			p.i = int(n.at)
			p.fail("a brace is opened here and never closed")
		case p.peek() == closing:
			p.i++
			return
		}
		k := p.value(depth + 1)
		key := keyOf(&k)
		if k.kind != '#' && k.kind != '"' && (k.kind != 'l' || key == "") {
			p.i = int(k.at)
			p.fail("found a list or nothing as a key; want a number or a text")
		}
		if p.space(); !bytes.HasPrefix(p.d[p.i:], []byte(mark)) {
			p.fail(`want %q behind the key %s`, mark, model.Quote(key))
		}
		p.i += len(mark)
		n.keys, n.kids = append(n.keys, key), append(n.kids, p.value(depth+1))
	}
}

// find is the member of a map by any of its names, or nil.
func (n *node) find(names ...string) *node {
	for i, k := range n.keys {
		if slices.Contains(names, k) {
			return &n.kids[i]
		}
	}
	return nil
}

// member is the member of a map by a name, added as a value of a kind where there is none.
func (n *node) member(key string, kind byte, at int32) *node {
	found := n.find(key)
	if found == nil {
		n.keys, n.kids = append(n.keys, key), append(n.kids, node{kind: kind, at: at})
		found = &n.kids[len(n.kids)-1]
	}
	return found
}

// len is the number of elements of a list or map.
func (n *node) len() int { return max(len(n.nums), len(n.kids)) }

// nth is an element of a list.
func (n *node) nth(i int) node {
	if n.nums != nil {
		return node{kind: '#', at: n.ats[i], x: n.nums[i]}
	}
	return n.kids[i]
}
