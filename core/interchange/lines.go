package interchange

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"rcmdplab/core/model"
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

// rows gives each line that is no comment and its words, until as many faults are met as are listed.
func (in *input) rows(s *source, row func(line string, w []field)) {
	for at, line := range s.lines {
		in.full()
		if w := fields(line, at); strings.HasPrefix(w[0].s, "#") {
			in.remark(line)
		} else {
			row(line, w)
		}
	}
}

// full halts after as many faults as are listed.
func (in *input) full() {
	if len(in.faults) >= maxFaults {
		panic(halted{})
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

// id reads the number of a state, an action or a choice and returns it as one in [0, n),
// or halts. States and actions may count from 1, which is asked for
// where a number is just beyond the last and none was 0 so far.
func (in *input) id(s *source, f field, noun string, n int) int {
	x, ok := f.whole()
	if !ok {
		in.halt(s, f.at, "found %s; want the number of a %s", model.Quote(f.s), noun)
	}
	base := 0
	if noun != "choice" {
		base = in.base()
		in.zero = in.zero || x == 0
	}
	if x < base || x >= n+base {
		before := len(in.faults)
		in.failAt(s, f.at, "%s %d; %ss go from %d to %d", noun, x, noun, base, n-1+base)
		if x == n && base == 0 && noun != "choice" && !in.zero && len(in.faults) > before {
			in.askBase()
			in.faults[before].Fix = fromOne
		}
		panic(halted{})
	}
	return x - base
}

// ids reads the numbers of things: s of a state, a of an action, c of a choice.
func (in *input) ids(s *source, w []field, d *draft, things string) (all [3]int) {
	for i, thing := range things {
		noun, n := "state", d.s
		switch thing {
		case 'a':
			noun, n = "action", d.a
		case 'c':
			noun, n = "choice", most(len(s.data))
		}
		all[i] = in.id(s, w[i], noun, n)
	}
	return all
}

// fromOne is the fix for ids that count from 1 and were read as counting from 0.
var fromOne = &Fix{"count ids from 1", "base", `"1"`}

// base is what the ids of states and actions count from, 0 unless that was answered.
func (in *input) base() int {
	if in.from == nil {
		from := 0
		if _, said := in.answer("base"); said && in.askBase() == "1" {
			from = 1
			in.note("ids count from 1: reduced by 1")
		}
		in.from = &from
	}
	return *in.from
}

// fromOne asks whether ids that go from 1 count from there; else it halts.
func (in *input) fromOne(src *source, at, high int) {
	if in.askBase() == "1" {
		return
	}
	f := src.at(at, fmt.Sprintf("the ids of states go from 1 to %d, and here they count from 0", high))
	f.Fix = fromOne
	in.haltBy(f)
}

func (in *input) askBase() string {
	return in.choose("base", "Ids count from", "No state has the id 0.", "0", Option{"0", "0: state 0 is missing"}, Option{"1", "1"})
}

// probability reads a number, a fraction or, where intervals may stand, an
// interval [lower, upper].
func (in *input) probability(s *source, f field) (lo, hi float64, interval bool) {
	ends, want := []string{f.s}, "a probability"
	if interval = strings.HasPrefix(f.s, "[") && strings.HasSuffix(f.s, "]"); interval {
		ends, want = strings.Split(f.s[1:len(f.s)-1], ","), "an interval [lower, upper]"
	}
	lo, ok := rational(strings.TrimSpace(ends[0]))
	hi, right := rational(strings.TrimSpace(ends[len(ends)-1]))
	if !ok || !right || interval && len(ends) != 2 {
		in.halt(s, f.at, "found %s; want %s", model.Quote(f.s), want)
	}
	return lo, hi, interval
}

// amount reads a reward.
func (in *input) amount(s *source, f field) float64 {
	x, ok := rational(f.s)
	if !ok {
		in.halt(s, f.at, "found %s; want a number", model.Quote(f.s))
	}
	return x
}

// choices turns the choices of each state into actions: a label names the
// action, a second choice of the same label in one state gets a number, and a
// choice without a label has its place as its name.
type choices struct {
	actions model.Names    // names met
	taken   map[[2]int]int // by state and action: the number of the last choice with that name
	twice   int            // choices that had the name of another in their state
	order   []int          // where each action went, after finish
}

// action is the action of the k-th choice of a state, the first time it is met.
func (c *choices) action(s, k int, label string) int {
	if c.taken == nil {
		c.taken = map[[2]int]int{}
	}
	stem := cmp.Or(label, strconv.Itoa(k))
	a := c.actions.ID(stem)
	first := [2]int{s, a}
	for n := c.taken[first] + 1; c.taken[[2]int{s, a}] > 0; n++ {
		if n == 2 {
			c.twice++
		}
		c.taken[first] = n
		a = c.actions.ID(stem + " #" + strconv.Itoa(n))
	}
	c.taken[[2]int{s, a}] = max(1, c.taken[[2]int{s, a}])
	return a
}

// finish puts actions that are numbers in order and renumbers the entries.
func (c *choices) finish(in *input, d *draft) {
	if len(c.actions.All) == 0 {
		c.actions.ID("go")
	}
	to := c.actions.Sort()
	c.order = to
	d.actions, d.a = c.actions.All, len(c.actions.All)
	d.renumber(nil, to)
	if c.twice > 0 {
		in.note("%s with the label of another choice of the same state: numbered", model.Count(c.twice, "choice"))
	}
}

// half is a draft of what was read in spite of faults, of which the rows can be judged.
func (c *choices) half(in *input, d *draft) *draft {
	c.finish(in, d)
	d.check(in, 0)
	return d
}
