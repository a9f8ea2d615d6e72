package interchange

import (
	"math"
	"slices"
	"strings"

	"rcmdplab/core/jsontext"
	"rcmdplab/core/model"
)

// constants are the words, in lower case, that stand for a value.
var constants = map[string]node{
	"true": {kind: 't', x: 1}, "false": {kind: 't'}, "np.true_": {kind: 't', x: 1}, "np.false_": {kind: 't'}, "none": {kind: 'n'}, "null": {kind: 'n'}, "na": {kind: 'n'},
	"np.inf": {kind: '#', x: math.Inf(1)}, "numpy.inf": {kind: '#', x: math.Inf(1)}, "math.inf": {kind: '#', x: math.Inf(1)}, "np.infty": {kind: '#', x: math.Inf(1)},
	"np.nan": {kind: '#', x: math.NaN()}, "numpy.nan": {kind: '#', x: math.NaN()}, "math.nan": {kind: '#', x: math.NaN()},
}

func (p *literals) quoted(mark byte) string {
	start := p.i
	for p.i++; p.i < len(p.d) && p.d[p.i] != mark; p.i++ {
		if p.d[p.i] == '\\' {
			p.i++
		}
	}
	if p.i >= len(p.d) {
		p.i = start
		p.fail("a quote is opened here and never closed")
	}
	p.i++
	raw := p.d[start:p.i]
	if mark == '"' && jsontext.Check(raw) == nil {
		return jsontext.Unquote(raw)
	}
	return strings.ReplaceAll(string(raw[1:len(raw)-1]), "\\"+string(mark), string(mark))
}

// named is a copy of what a name holds, nil where it is none.
func (p *literals) named(w string) *node {
	if p.get == nil || p.get(w) == nil {
		return nil
	}
	n := clone(p.get(w))
	return &n
}

func clone(n *node) node {
	c := *n
	c.nums, c.ats, c.keys = slices.Clone(n.nums), slices.Clone(n.ats), slices.Clone(n.keys)
	c.kids = nil
	for i := range n.kids {
		c.kids = append(c.kids, clone(&n.kids[i]))
	}
	return c
}

// number reads a number that stands by itself, with inf, nan and fractions;
// without one it stays where it is.
func (p *literals) number() (float64, bool) {
	start, j := p.i, p.i
	for j < len(p.d) && (wordByte(p.d[j]) || p.d[j] == '+' || p.d[j] == '-' || p.d[j] == '/' && j+1 < len(p.d) && p.d[j+1] != '/') {
		j++
	}
	if j == start || j-start > 400 {
		return 0, false
	}
	c := p.d[start]
	if c > '9' && c != 'i' && c != 'I' && c != 'n' && c != 'N' {
		return 0, false
	}
	x, ok := rational(strings.TrimSuffix(string(p.d[start:j]), "L"))
	if ok {
		p.i = j
	}
	return x, ok
}

// prefix reads the number that a sum or a product begins with, as in 1-p.
func (p *literals) prefix() (float64, bool) {
	j := p.i
	for j < len(p.d) && (p.d[j] >= '0' && p.d[j] <= '9' || p.d[j] == '.' ||
		j > p.i && (p.d[j] == 'e' || p.d[j] == 'E') || j > p.i && (p.d[j] == '-' || p.d[j] == '+') && (p.d[j-1] == 'e' || p.d[j-1] == 'E')) {
		j++
	}
	if j == p.i || j < len(p.d) && wordByte(p.d[j]) {
		return 0, false
	}
	x, ok := plain(string(p.d[p.i:j]))
	if ok {
		p.i = j
	}
	return x, ok
}

// operate takes a number on through what is added to it, taken from it, or multiplied
// with it: of numbers and names of numbers alone. Where spaces separate numbers, as
// NumPy prints them, "a -b" is two of them and "a - b" is one. level is 1 within a product, 2 within a power.
func (p *literals) operate(n *node, depth, level int) {
	for {
		start := p.i
		p.blanks()
		op, next := p.peek(), byte(0)
		if p.i+1 < len(p.d) {
			next = p.d[p.i+1]
		}
		power := op == '*' && next == '*' || op == '^'
		sum := op == '+' || op == '-'
		if !power && op != '*' && op != '/' && !sum || op == '/' && next == '/' || sum && (level > 0 || next == '=' || p.i > start && next != ' ') || level > 1 && !power || op == '*' && next == '=' {
			p.i = start
			return
		}
		if p.i++; power && op == '*' {
			p.i++
		}
		p.space()
		at := p.i
		b := p.operand(depth)
		if b.kind != '#' {
			p.i = at
			p.refuseCode("found an array where a number is added or multiplied")
		}
		if sum {
			p.operate(&b, depth, 1)
		} else if !power {
			p.operate(&b, depth, 2)
		}
		switch {
		case power:
			n.x = math.Pow(n.x, b.x)
		case op == '+':
			n.x += b.x
		case op == '-':
			n.x -= b.x
		case op == '*':
			n.x *= b.x
		default:
			n.x /= b.x
		}
	}
}

// operand is one number, a name of one, or a bracket around a sum.
func (p *literals) operand(depth int) (n node) {
	n.at = int32(p.i)
	if p.nodes++; depth > maxNesting {
		p.fail("brackets are nested more than %d deep", maxNesting)
	}
	if x, ok := p.prefix(); ok {
		return node{kind: '#', x: x, at: n.at}
	}
	if p.peek() == '(' {
		p.list(&n, '(', depth+1)
		return n
	}
	p.scalar(&n, depth+1)
	return n
}

// scalar reads a number, a literal word or a call such as np.array(...).
func (p *literals) scalar(n *node, depth int) {
	x, ok := p.number()
	if !ok {
		x, ok = p.prefix()
	}
	if ok {
		n.kind, n.x = '#', x
		return
	}
	start := p.i
	negative := p.peek() == '-'
	if negative {
		p.i++
	}
	w := p.word()
	at, v := n.at, p.named(w)
	if constant, ok := constants[strings.ToLower(w)]; ok {
		v = &constant
	} else if v == nil && p.get != nil && (w == "T" || w == "F") { // R's
		v = &node{kind: 't', x: map[string]float64{"T": 1}[w]}
	}
	if call := w != "" && p.peek() == '('; call || v != nil && p.peek() != '[' {
		if call {
			*n = p.call(w, depth+1)
		} else {
			*n = *v
		}
		if n.at = at; negative && n.kind == '#' {
			n.x = -n.x
		} else if negative {
			p.refuseCode("found a minus before a value that is no number")
		}
		return
	}
	p.i = start
	end := start
	for end < len(p.d) && end < start+20 && (wordByte(p.d[end]) || end == start) {
		end++
	}
	found := model.Quote(string(p.d[start:end]))
	if w != "" && p.get != nil && (w[0] >= 'a' && w[0] <= 'z' || w[0] >= 'A' && w[0] <= 'Z') {
		p.refuseCode("found " + found)
	}
	p.fail("found %s; want a number, a list or a map", found)
}
