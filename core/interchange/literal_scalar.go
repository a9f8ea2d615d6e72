package interchange

import (
	"math"
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
	case "np.nan", "numpy.nan", "math.nan":
		n.kind, n.x = '#', math.NaN()
		return
	}
	if w != "" && p.peek() == '(' {
		var args node
		args.at = int32(p.i)
		p.list(&args, '(', depth+1)
		if p.bad {
			return
		}
		at := n.at
		switch {
		case w == "c": // R
			*n = args
		case len(args.kids) > 0:
			*n = args.kids[0]
		case len(args.nums) > 0:
			n.kind, n.x = '#', args.nums[0]
		default:
			n.kind = 'n'
		}
		n.at = at
		return
	}
	p.i = start
	end := start
	for end < len(p.d) && end < start+20 && (wordByte(p.d[end]) || end == start) {
		end++
	}
	p.fail("found %s; want a number, a list or a map", quote(string(p.d[start:end])))
}
