package interchange

import (
	"strconv"
	"strings"
)

// field is one word of a line and where it is.
type field struct {
	s  string // a word of the line
	at int    // byte
}

// lines walks the lines of a file that are not blank, with where they start.
func (s *source) lines(yield func(at int, line string) bool) {
	text := string(s.data)
	for i := 0; i < len(text); {
		j := strings.IndexByte(text[i:], '\n')
		if j < 0 {
			j = len(text) - i
		}
		if line := strings.TrimRight(text[i:i+j], " \t\r"); strings.TrimSpace(line) != "" && !yield(i, line) {
			return
		}
		i += j + 1
	}
}

// fields cuts a line at white space; what is in brackets, braces or double
// quotes is one word.
func fields(line string, at int) []field {
	all := make([]field, 0, 6)
	for i := 0; i < len(line); {
		if c := line[i]; c == ' ' || c == '\t' || c == '\r' {
			i++
			continue
		}
		start, depth, quotes := i, 0, false
		for ; i < len(line); i++ {
			c := line[i]
			if c == '"' {
				quotes = !quotes
			}
			if quotes {
				continue
			}
			if c == '[' || c == '{' {
				depth++
			} else if c == ']' || c == '}' {
				depth--
			} else if depth <= 0 && (c == ' ' || c == '\t' || c == '\r') {
				break
			}
		}
		all = append(all, field{line[start:i], at + start})
	}
	return all
}

// whole reads a whole number from 0.
func (f field) whole() (int, bool) {
	n, err := strconv.Atoi(f.s)
	return n, err == nil && n >= 0
}

// id reads a whole number in [0, n) or reports why it is none.
func (in *input) id(s *source, f field, noun string, n int) (int, bool) {
	x, ok := f.whole()
	if !ok {
		in.failAt(s, f.at, "found %s; want the number of a %s", quote(f.s), noun)
		return 0, false
	}
	if x >= n {
		in.failAt(s, f.at, "%s %d; %ss go from 0 to %d", noun, x, noun, n-1)
		return 0, false
	}
	return x, true
}

// probability reads a number, a fraction or, where intervals may stand, an
// interval [lower, upper].
func (in *input) probability(s *source, f field) (lo, hi float64, interval, ok bool) {
	text := f.s
	if strings.HasPrefix(text, "[") && strings.HasSuffix(text, "]") {
		l, h, found := strings.Cut(text[1:len(text)-1], ",")
		if found {
			lo, ok = rational(strings.TrimSpace(l))
			if ok {
				hi, ok = rational(strings.TrimSpace(h))
			}
		}
		if !found || !ok {
			in.failAt(s, f.at, "found %s; want an interval [lower, upper]", quote(text))
		}
		return lo, hi, true, found && ok
	}
	if lo, ok = rational(text); !ok {
		in.failAt(s, f.at, "found %s; want a probability", quote(text))
	}
	return lo, lo, false, ok
}

// amount reads a reward.
func (in *input) amount(s *source, f field) (float64, bool) {
	x, ok := rational(f.s)
	if !ok {
		in.failAt(s, f.at, "found %s; want a number", quote(f.s))
	}
	return x, ok
}

// choices turns the choices of each state into actions: a label names the
// action, a second choice of the same label in one state gets a number, and a
// choice without a label has its place as its name.
type choices struct {
	actions names          // names met
	taken   map[[2]int]int // by state and action: the number of the last choice with that name
	twice   int            // choices that had the name of another in their state
	order   []int          // where each action went, after finish
}

// action is the action of the k-th choice of a state, the first time it is met.
func (c *choices) action(s, k int, label string) int {
	if c.taken == nil {
		c.taken = map[[2]int]int{}
	}
	stem := label
	if stem == "" {
		stem = strconv.Itoa(k)
	}
	a := c.actions.id(stem)
	first := [2]int{s, a}
	for n := c.taken[first] + 1; c.taken[[2]int{s, a}] > 0; n++ {
		if n == 2 {
			c.twice++
		}
		c.taken[first] = n
		a = c.actions.id(stem + " #" + strconv.Itoa(n))
	}
	c.taken[[2]int{s, a}] = max(1, c.taken[[2]int{s, a}])
	return a
}

// finish puts actions that are numbers in order and renumbers the entries.
func (c *choices) finish(in *input, d *draft) {
	if len(c.actions.all) == 0 {
		c.actions.id("go")
	}
	to := c.actions.sorted()
	c.order = to
	d.actions, d.a = c.actions.all, len(c.actions.all)
	for i := range d.entries {
		d.entries[i].a = int32(to[d.entries[i].a])
	}
	if c.twice > 0 {
		in.note("%s with the label of another choice of the same state: numbered", plural(c.twice, "choice"))
	}
}
