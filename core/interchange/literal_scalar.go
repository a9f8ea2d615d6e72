package interchange

import (
	"math"
	"slices"
	"strings"

	"rcmdplab/core/jsontext"
)

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
		return ""
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

// scalar reads a number, a literal word or a call such as np.array(...).
func (p *literals) scalar(n *node, depth int) {
	if x, ok := p.number(); ok {
		n.kind, n.x = '#', x
		return
	}
	start := p.i
	negative := p.peek() == '-'
	if negative {
		p.i++
	}
	w := p.word()
	switch strings.ToLower(w) {
	case "true":
		n.kind, n.x = 't', 1
		return
	case "false":
		n.kind = 't'
		return
	case "none", "null", "na":
		n.kind = 'n'
		return
	case "np.inf", "numpy.inf", "math.inf", "np.infty":
		n.kind, n.x = '#', math.Inf(1)
		if negative {
			n.x = math.Inf(-1)
		}
		return
	case "np.true_":
		n.kind, n.x = 't', 1
		return
	case "np.false_":
		n.kind = 't'
		return
	case "np.nan", "numpy.nan", "math.nan":
		n.kind, n.x = '#', math.NaN()
		return
	}
	if v := p.named(w); v != nil && !negative {
		at := n.at
		*n = *v
		n.at = at
		return
	}
	if w != "" && p.peek() == '(' {
		at := n.at
		*n = p.call(w, depth+1)
		if n.at = at; negative && n.kind == '#' {
			n.x = -n.x
		} else if negative && !p.bad {
			p.refuseCode("found a minus before a value that is no number")
		}
		return
	}
	p.i = start
	end := start
	for end < len(p.d) && end < start+20 && (wordByte(p.d[end]) || end == start) {
		end++
	}
	p.fail("found %s; want a number, a list or a map", quote(string(p.d[start:end])))
}
