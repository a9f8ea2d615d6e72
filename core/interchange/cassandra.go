package interchange

import (
	"math"
	"strings"

	"rcmdplab/core/model"
)

var cassandraFormat = Format{
	ID: "cassandra", Title: "Cassandra .POMDP / .MDP", About: ".POMDP (the MDP beneath it) and .MDP of pomdp-solve. Rewards that depend on the observation are refused, or averaged if you say so.",
	Extensions: []string{"pomdp", "mdp"}, Reads: true, Writes: true, alone: true,
	looks: func(f *source) string {
		found := 0
		for at, line := range f.lines {
			if at > 20000 {
				break
			}
			word, _, colon := strings.Cut(strings.TrimSpace(line), ":")
			switch strings.TrimSpace(word) {
			case "discount", "values", "states", "actions", "observations", "start", "T", "R", "O":
				if colon {
					found++
				}
			}
		}
		if found >= 3 {
			return "it has lines discount:, states:, T: and R:"
		}
		return ""
	},
	read: readCassandra, write: writeCassandra,
}

// maxTensor is the most numbers that a table of transitions, observations or
// rewards may take.
const maxTensor = 1 << 23

// cassandra is the reading of one file, word by word.
type cassandra struct {
	in    *input
	src   *source
	words []field // of the file, in order
	i     int     // the next word

	states, actions, observations int            // sizes, 0 until said
	stateAt, actionAt, obsAt      map[string]int // index by name
	stateNames, actionNames       []string

	discount   float64     // NaN until said
	discountAt int         // byte
	cost       bool        // values are costs, not rewards
	start      []float64   // by state; nil until said
	t          [][]float64 // by a*S+s, nil where nothing was said
	tAt        []int       // byte where each was last said
	o          [][]float64 // by a*S+s'
	cells      int         // of all tables, held
	work       int         // cells written, again and again ones counted
	r          []float64   // by the dimensions of rank
	rank       int         // 2: [a][s], 3: [a][s][s'], 4: [a][s][s'][o]
}

// readCassandra reads the preamble, then T, O and R in any order; later lines
// override earlier ones, so rows are judged at the end.
func readCassandra(in *input) *draft {
	c := &cassandra{in: in, src: in.files[0], discount: math.NaN(), rank: 2}
	c.cut()
	for c.i < len(c.words) {
		c.statement()
	}
	return c.draft()
}

// cut makes words of the text; a colon is a word of its own.
func (c *cassandra) cut() {
	for at, line := range c.src.lines {
		if i := strings.IndexByte(line, '#'); i >= 0 {
			c.in.remark(line[i:])
			line = line[:i]
		}
		for i := 0; i < len(line); {
			b := line[i]
			start := i
			switch {
			case b == ' ' || b == '\t' || b == '\r':
				i++
				continue
			case b == ':':
				i++
			default:
				for i < len(line) && line[i] != ':' && line[i] != ' ' && line[i] != '\t' && line[i] != '\r' {
					i++
				}
			}
			c.words = append(c.words, field{line[start:i], at + start})
		}
		if len(c.words) > maxTensor {
			c.in.halt(c.src, at, "more than %d words: too many", maxTensor)
		}
	}
}

func (c *cassandra) fail(at int, format string, args ...any) { c.in.halt(c.src, at, format, args...) }

func (c *cassandra) peek(k int) string {
	if c.i+k < len(c.words) {
		return c.words[c.i+k].s
	}
	return ""
}

func (c *cassandra) at() int {
	if c.i < len(c.words) {
		return c.words[c.i].at
	}
	return len(c.src.data)
}

// opens says whether a statement begins k words ahead.
func (c *cassandra) opens(k int) bool {
	switch c.peek(k) {
	case "discount", "values", "states", "actions", "observations", "T", "O", "R":
		return c.peek(k+1) == ":"
	case "start":
		n := c.peek(k + 1)
		return n == ":" || n == "include" || n == "exclude"
	}
	return false
}

func (c *cassandra) colon() {
	if c.peek(0) != ":" {
		c.fail(c.at(), `found %s; want ":"`, model.Quote(c.peek(0)))
	}
	c.i++
}

func (c *cassandra) statement() {
	key, at := c.peek(0), c.at()
	if !c.opens(0) {
		c.fail(at, "found %s; want discount:, values:, states:, actions:, observations:, start:, T:, O: or R:", model.Quote(key))
	}
	if c.i++; key == "start" {
		c.starting()
		return
	}
	c.colon()
	switch key {
	case "T", "O", "R":
		c.sizes(at)
	}
	switch key {
	case "T":
		c.table(c.t, dim{"state", c.states, c.stateAt})
	case "O":
		if c.observations == 0 {
			c.fail(c.at(), "observations: must come before O:")
		}
		c.table(c.o, dim{"observation", c.observations, c.obsAt})
	case "R":
		c.reward()
	case "discount":
		c.discountAt = c.at()
		c.discount = c.number()
	case "values":
		switch word := c.peek(0); word {
		case "reward", "rewards":
		case "cost", "costs":
			c.cost = true
		default:
			c.fail(c.at(), "found %s; want reward or cost", model.Quote(word))
		}
		c.i++
	case "states":
		c.states, c.stateNames, c.stateAt = c.list("state")
	case "actions":
		c.actions, c.actionNames, c.actionAt = c.list("action")
	case "observations":
		c.observations, _, c.obsAt = c.list("observation")
	}
}

// list reads a number of things, or their names.
func (c *cassandra) list(noun string) (n int, all []string, at map[string]int) {
	_, second := (field{c.peek(1), 0}).whole()
	if n, ok := (field{c.peek(0), 0}).whole(); ok && !second {
		if n < 1 || n > most(len(c.src.data)) {
			c.fail(c.at(), "%s: this number cannot be right", model.Count(n, noun))
		}
		c.i++
		return n, nil, nil
	}
	at = map[string]int{}
	for c.i < len(c.words) && !c.opens(0) {
		name := c.peek(0)
		if _, twice := at[name]; twice || name == ":" {
			c.fail(c.at(), "found %s; want names of %ss that differ", model.Quote(name), noun)
		}
		at[name] = len(all)
		all = append(all, name)
		c.i++
	}
	if len(all) == 0 {
		c.fail(c.at(), "no %s is named", noun)
	}
	return len(all), all, at
}

// sizes asks that states and actions are known, and makes room for T.
func (c *cassandra) sizes(at int) {
	if c.states == 0 || c.actions == 0 {
		c.fail(at, "states: and actions: must come before T:, O: and R:")
	}
	if c.t == nil {
		if c.states > maxTensor/c.actions {
			c.fail(at, "%d states times %d actions are too many pairs", c.states, c.actions)
		}
		c.t, c.tAt = make([][]float64, c.states*c.actions), make([]int, c.states*c.actions)
		c.o = make([][]float64, c.states*c.actions)
		c.r = make([]float64, c.states*c.actions)
	}
}

func (c *cassandra) number() float64 {
	x := c.in.amount(c.src, field{c.peek(0), c.at()})
	c.i++
	return x
}

// which reads a name, a number or *, as a range of ids.
func (c *cassandra) which(noun string, n int, names map[string]int) (from, to int) {
	word := c.peek(0)
	if word == "*" {
		c.i++
		return 0, n
	}
	if i, ok := names[word]; ok {
		c.i++
		return i, i + 1
	}
	if i, ok := (field{word, 0}).whole(); ok && i < n {
		c.i++
		return i, i + 1
	}
	c.fail(c.at(), "found %s, which is no %s (there are %d)", model.Quote(word), noun, n)
	return 0, 0
}

func (c *cassandra) starting() {
	word := c.peek(0)
	listed := word == "include" || word == "exclude"
	if listed {
		c.i++
	}
	c.colon()
	in := make([]bool, c.states)
	mark := func() {
		from, to := c.which("state", c.states, c.stateAt)
		for s := from; s < to; s++ {
			in[s] = true
		}
	}
	switch _, isNumber := rational(c.peek(0)); {
	case listed:
		for c.i < len(c.words) && !c.opens(0) {
			mark()
		}
	case c.states == 0:
		c.fail(c.at(), "states: must come before start:")
	case c.peek(0) == "uniform":
		c.i++
		c.start = uniformRow(c.states)
		return
	case c.states > 1 && (!isNumber || c.opens(1) || c.i+1 >= len(c.words)):
		mark()
	default:
		c.startRow()
		return
	}
	n := count(in)
	if word == "exclude" {
		n = c.states - n
	}
	c.start = make([]float64, c.states)
	for s := range in {
		if in[s] == (word != "exclude") {
			c.start[s] = 1 / float64(n)
		}
	}
}

// startRow reads the start as one probability for each state.
func (c *cassandra) startRow() {
	c.start = c.row(c.states)
	sum := model.Sum(c.start)
	if math.Abs(sum-1) > 1e-4 {
		c.fail(c.at(), "the start distribution sums to %s; want 1", model.Digits(sum, 12))
	}
	if sum != 1 && math.Abs(sum-1) > 1e-9 {
		model.Normalise(c.start, c.start)
		c.in.note("the start distribution sums to %s: divided by it", model.Digits(sum, 12))
	}
}
