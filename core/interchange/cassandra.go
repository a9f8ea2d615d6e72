package interchange

import (
	"math"
	"slices"
	"strings"
)

var cassandraFormat = Format{
	ID: "cassandra", Title: "Cassandra .POMDP / .MDP", About: "The text format of pomdp-solve; of a partially observed problem the underlying MDP is taken.",
	Extensions: []string{"pomdp", "mdp"}, Reads: true, Writes: true, alone: true,
	looks: func(in *input) string {
		for _, f := range in.files {
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
	words []field
	i     int
	stop  bool

	states, actions, observations int
	stateAt, actionAt, obsAt      map[string]int
	stateNames, actionNames       []string

	discount   float64
	discountAt int
	cost       bool
	start      []float64
	t          [][]float64 // by a*S+s, nil where nothing was said
	tAt        []int
	o          [][]float64 // by a*S+s'
	cells      int
	work       int       // cells written, again and again ones counted
	r          []float64 // by the dimensions of rank
	rank       int       // 2: [a][s], 3: [a][s][s'], 4: [a][s][s'][o]
}

// readCassandra reads the preamble, then T, O and R in any order; later lines
// override earlier ones, so rows are judged at the end.
func readCassandra(in *input) *draft {
	c := &cassandra{in: in, src: in.files[0], discount: math.NaN(), rank: 2}
	if !c.cut() {
		return nil
	}
	for !c.stop && c.i < len(c.words) && len(in.faults) == 0 {
		c.statement()
	}
	if len(in.faults) > 0 {
		return nil
	}
	return c.draft()
}

// cut makes words of the text; a colon is a word of its own.
func (c *cassandra) cut() bool {
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
			c.in.failAt(c.src, at, "more than %d words: too many", maxTensor)
			return false
		}
	}
	return true
}

func (c *cassandra) fail(at int, format string, args ...any) {
	c.in.failAt(c.src, at, format, args...)
	c.stop = true
}

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

func (c *cassandra) colon() bool {
	if c.peek(0) != ":" {
		c.fail(c.at(), `found %s; want ":"`, quote(c.peek(0)))
		return false
	}
	c.i++
	return true
}

func (c *cassandra) statement() {
	key, at := c.peek(0), c.at()
	if !c.opens(0) {
		c.fail(at, "found %s; want discount:, values:, states:, actions:, observations:, start:, T:, O: or R:", quote(key))
		return
	}
	c.i++
	switch key {
	case "start":
		c.starting()
		return
	case "T", "O", "R":
		if c.colon() && c.sizes(at) {
			switch key {
			case "T":
				c.transition()
			case "O":
				c.observe()
			case "R":
				c.reward()
			}
		}
		return
	}
	if !c.colon() {
		return
	}
	switch key {
	case "discount":
		c.discountAt = c.at()
		c.discount, _ = c.number()
	case "values":
		switch word := c.peek(0); word {
		case "reward", "rewards":
		case "cost", "costs":
			c.cost = true
		default:
			c.fail(c.at(), "found %s; want reward or cost", quote(word))
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
			c.fail(c.at(), "%s: this number cannot be right", plural(n, noun))
		}
		c.i++
		return n, nil, nil
	}
	at = map[string]int{}
	for c.i < len(c.words) && !c.opens(0) {
		name := c.peek(0)
		if _, twice := at[name]; twice || name == ":" {
			c.fail(c.at(), "found %s; want names of %ss that differ", quote(name), noun)
			return 0, nil, nil
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
func (c *cassandra) sizes(at int) bool {
	if c.states == 0 || c.actions == 0 {
		c.fail(at, "states: and actions: must come before T:, O: and R:")
		return false
	}
	if c.t == nil {
		if c.states > maxTensor/c.actions {
			c.fail(at, "%d states times %d actions are too many pairs", c.states, c.actions)
			return false
		}
		c.t, c.tAt = make([][]float64, c.states*c.actions), make([]int, c.states*c.actions)
		c.o = make([][]float64, c.states*c.actions)
		c.r = make([]float64, c.states*c.actions)
	}
	return true
}

func (c *cassandra) number() (float64, bool) {
	x, ok := rational(c.peek(0))
	if !ok {
		c.fail(c.at(), "found %s; want a number", quote(c.peek(0)))
	}
	c.i++
	return x, ok
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
	c.fail(c.at(), "found %s, which is no %s (there are %d)", quote(word), noun, n)
	return 0, 0
}

func (c *cassandra) starting() {
	word := c.peek(0)
	if word == "include" || word == "exclude" {
		c.i++
		if !c.colon() {
			return
		}
		in := make([]bool, c.states)
		n := 0
		for c.i < len(c.words) && !c.opens(0) && !c.stop {
			from, to := c.which("state", c.states, c.stateAt)
			for s := from; s < to; s++ {
				if !in[s] {
					in[s] = true
					n++
				}
			}
		}
		if word == "exclude" {
			n = c.states - n
		}
		c.start = make([]float64, c.states)
		for s := range in {
			if in[s] == (word == "include") {
				c.start[s] = 1 / float64(n)
			}
		}
		return
	}
	if !c.colon() {
		return
	}
	if c.states == 0 {
		c.fail(c.at(), "states: must come before start:")
		return
	}
	if c.peek(0) == "uniform" {
		c.i++
		c.start = uniformRow(c.states)
		return
	}
	if _, isNumber := rational(c.peek(0)); c.states > 1 && (!isNumber || c.opens(1) || c.i+1 >= len(c.words)) {
		from, to := c.which("state", c.states, c.stateAt)
		c.start = make([]float64, c.states)
		for s := from; s < to; s++ {
			c.start[s] = 1 / float64(to-from)
		}
		return
	}
	c.start = c.row(c.states)
	sum := 0.0
	for _, p := range c.start {
		sum += p
	}
	if !c.stop && math.Abs(sum-1) > 1e-4 {
		c.fail(c.at(), "the start distribution sums to %s; want 1", digits(sum, 12))
	}
	if sum != 1 && math.Abs(sum-1) > 1e-9 {
		for s := range c.start {
			c.start[s] /= sum
		}
		c.in.note("the start distribution sums to %s: divided by it", digits(sum, 12))
	}
}

func uniformRow(n int) []float64 {
	row := make([]float64, n)
	for i := range row {
		row[i] = 1 / float64(n)
	}
	return row
}

// row reads n numbers.
func (c *cassandra) row(n int) []float64 {
	if c.i+n > len(c.words) {
		c.fail(c.at(), "found %s; want %d numbers", plural(len(c.words)-c.i, "word"), n)
		return nil
	}
	row := make([]float64, n)
	for k := range row {
		if row[k], _ = c.number(); c.stop {
			return nil
		}
	}
	return row
}

// maxWork is how many cells may be written in all: lines with wildcards write
// many, and later ones override them.
const maxWork = 1 << 27

// spend counts cells that are about to be written.
func (c *cassandra) spend(n int) bool {
	if c.work += n; c.work > maxWork {
		c.fail(c.at(), "lines with * say more than %d values, most of them again and again: too many", maxWork)
		return false
	}
	return true
}

// put stores a copy of a row in a table.
func (c *cassandra) put(table [][]float64, g int, row []float64) {
	if table[g] == nil {
		if c.cells += len(row); c.cells > maxTensor {
			c.fail(c.at(), "more than %d probabilities: too many", maxTensor)
			return
		}
		table[g] = make([]float64, len(row))
	}
	copy(table[g], row)
}

// table reads what T: and O: share: a cell, a row or a matrix of n columns.
func (c *cassandra) table(table [][]float64, n int, noun string, names map[string]int) {
	at := c.at()
	a0, a1 := c.which("action", c.actions, c.actionAt)
	s0, s1, rows := 0, c.states, false
	if !c.stop && c.peek(0) == ":" {
		c.i++
		s0, s1 = c.which("state", c.states, c.stateAt)
		rows = true
	}
	if c.stop {
		return
	}
	each := func(f func(g, s int)) {
		if !c.spend((a1 - a0) * (s1 - s0) * n) {
			return
		}
		for a := a0; a < a1; a++ {
			for s := s0; s < s1 && !c.stop; s++ {
				f(a*c.states+s, s)
				if noun == "state" {
					c.tAt[a*c.states+s] = at
				}
			}
		}
	}
	switch {
	case rows && c.peek(0) == ":":
		c.i++
		t0, t1 := c.which(noun, n, names)
		x, ok := c.number()
		if !ok || c.stop {
			return
		}
		each(func(g, _ int) {
			if table[g] == nil {
				c.put(table, g, make([]float64, n))
			}
			if !c.stop {
				for t := t0; t < t1; t++ {
					table[g][t] = x
				}
			}
		})
	case c.peek(0) == "uniform":
		c.i++
		each(func(g, _ int) { c.put(table, g, uniformRow(n)) })
	case c.peek(0) == "identity" && !rows && noun == "state":
		c.i++
		each(func(g, s int) {
			c.put(table, g, make([]float64, n))
			if !c.stop {
				table[g][s] = 1
			}
		})
	case c.peek(0) == "reset" && noun == "state":
		c.i++
		start := c.start
		if start == nil {
			start = uniformRow(c.states)
		}
		each(func(g, _ int) { c.put(table, g, start) })
	case rows:
		if row := c.row(n); row != nil {
			each(func(g, _ int) { c.put(table, g, row) })
		}
	default:
		for s := range c.states {
			row := c.row(n)
			if row == nil || !c.spend((a1-a0)*n) {
				return
			}
			for a := a0; a < a1; a++ {
				c.put(table, a*c.states+s, row)
				if noun == "state" {
					c.tAt[a*c.states+s] = at
				}
			}
		}
	}
}

func (c *cassandra) transition() { c.table(c.t, c.states, "state", c.stateAt) }

func (c *cassandra) observe() {
	if c.observations == 0 {
		c.fail(c.at(), "observations: must come before O:")
		return
	}
	c.table(c.o, c.observations, "observation", c.obsAt)
}

// promote makes room for rewards by next state (rank 3) or by observation too
// (rank 4).
func (c *cassandra) promote(rank int) bool {
	for c.rank < rank {
		n := c.states
		if c.rank == 3 {
			n = c.observations
		}
		if n > maxTensor/len(c.r) {
			c.fail(c.at(), "rewards for each action, state, next state and observation are more than %d numbers: too many", maxTensor)
			return false
		}
		wide := make([]float64, 0, len(c.r)*n)
		for _, x := range c.r {
			for range n {
				wide = append(wide, x)
			}
		}
		c.r = wide
		c.rank++
	}
	return true
}

// set gives the rewards of a box of ids the value x.
func (c *cassandra) set(a, s, t, o [2]int, x float64) {
	rank := 2
	if t != [2]int{0, c.states} {
		rank = 3
	}
	if c.observations > 0 && o != [2]int{0, c.observations} {
		rank = 4
	}
	if !c.promote(rank) {
		return
	}
	n, m := 1, 1
	if c.rank >= 3 {
		n = c.states
	} else {
		t = [2]int{0, 1}
	}
	if c.rank == 4 {
		m = c.observations
	} else {
		o = [2]int{0, 1}
	}
	if !c.spend((a[1] - a[0]) * (s[1] - s[0]) * (t[1] - t[0]) * (o[1] - o[0])) {
		return
	}
	for i := a[0]; i < a[1]; i++ {
		for j := s[0]; j < s[1]; j++ {
			for k := t[0]; k < t[1]; k++ {
				at := ((i*c.states+j)*n + k) * m
				for l := o[0]; l < o[1]; l++ {
					c.r[at+l] = x
				}
			}
		}
	}
}

// reward reads a cell, a row or a matrix of rewards. With observations the
// last index is the observation, without them the next state.
func (c *cassandra) reward() {
	var box [4][2]int
	box[2], box[3] = [2]int{0, c.states}, [2]int{0, max(c.observations, 1)}
	dims := []struct {
		noun  string
		n     int
		names map[string]int
	}{{"action", c.actions, c.actionAt}, {"state", c.states, c.stateAt}, {"state", c.states, c.stateAt}, {"observation", c.observations, c.obsAt}}
	if c.observations == 0 {
		dims = dims[:3]
	}
	given := 0
	for given < len(dims) {
		d := dims[given]
		from, to := c.which(d.noun, d.n, d.names)
		if c.stop {
			return
		}
		box[given] = [2]int{from, to}
		if given++; c.peek(0) != ":" {
			break
		}
		c.i++
	}
	left := dims[given:]
	switch len(left) {
	case 0:
		if x, ok := c.number(); ok {
			c.set(box[0], box[1], box[2], box[3], x)
		}
	case 1, 2:
		rows := 1
		if len(left) == 2 {
			rows = left[0].n
		}
		for i := range rows {
			row := c.row(left[len(left)-1].n)
			if row == nil {
				return
			}
			if len(left) == 2 {
				box[given] = [2]int{i, i + 1}
			}
			for k, x := range row {
				box[len(dims)-1] = [2]int{k, k + 1}
				if c.set(box[0], box[1], box[2], box[3], x); c.stop {
					return
				}
			}
		}
	default:
		c.fail(c.at(), `found %s; want ":" and a state`, quote(c.peek(0)))
	}
}

// draft makes the underlying MDP.
func (c *cassandra) draft() *draft {
	in := c.in
	if c.t == nil {
		c.fail(len(c.src.data), "there are no transitions T:")
		return nil
	}
	d := in.newDraft(c.src, c.states, c.actions, 0)
	if d == nil {
		return nil
	}
	d.states, d.actions = c.stateNames, c.actionNames
	d.discount, d.discountAt = c.discount, c.discountAt
	if math.IsNaN(d.discount) {
		d.discount = 1 // the format's default
	}
	if c.cost {
		d.sense = "minimize"
	}
	if d.initial = c.start; d.initial == nil {
		d.initial = uniformRow(c.states)
		in.note("the file has no start: every state is equally likely, as the format says")
	}
	if c.observations > 0 {
		in.note("this is a partially observed problem: the underlying MDP is taken, in which the state is seen")
		in.warnings = append(in.warnings, "the problem was partially observed; here the state is seen, so the value is at least as good as it can be with observations")
		if !c.unobserved() {
			return nil
		}
	}
	cost := d.costNamed(map[bool]string{true: "cost", false: "reward"}[c.cost])
	for s := range c.states {
		for a := range c.actions {
			g := a*c.states + s
			if c.t[g] == nil {
				d.entries = append(d.entries, entry{0, int32(s), int32(a), int32(s), 0, 0, 0}) // zeros: judged with the other rows
			}
			for t, p := range c.t[g] {
				if p == 0 {
					continue
				}
				if d.add(in, 0, s, a, t, p, p, c.tAt[g]); len(in.faults) >= maxFaults {
					return nil
				}
				if c.rank == 3 {
					d.onEntry(cost, c.r[g*c.states+t])
				}
			}
			if c.rank == 2 {
				d.onPair(cost, s, a, c.r[g])
			}
		}
	}
	return d
}

// unobserved takes the observation out of the rewards: where they depend on
// it, only with the person's word.
func (c *cassandra) unobserved() bool {
	if c.rank < 4 {
		return true
	}
	m := c.observations
	depends := false
	for g := 0; g < len(c.r) && !depends; g += m {
		depends = slices.ContainsFunc(c.r[g:g+m], func(x float64) bool { return x != c.r[g] })
	}
	if depends && c.in.choose("observationRewards", "Rewards that depend on the observation", "The underlying MDP has no observations.", "refuse",
		Option{"refuse", "refuse the file"}, Option{"expectation", "take their expectation over the observation"}) == "refuse" {
		c.in.fail(Fault{File: c.src.shown, Message: "rewards depend on the observation, which the underlying MDP does not have; their expectation over it can be taken instead",
			Fix: &Fix{"take the expectation", "observationRewards", `"expectation"`}})
		return false
	}
	flat := make([]float64, len(c.r)/m)
	for i := range flat {
		row := c.r[i*m : (i+1)*m]
		if flat[i] = row[0]; !depends {
			continue
		}
		a, t := i/(c.states*c.states), i%c.states
		flat[i] = 0
		o := c.o[a*c.states+t]
		if o == nil {
			o = uniformRow(m)
		}
		for k, x := range row {
			flat[i] += o[k] * x
		}
	}
	if depends {
		c.in.note("rewards that depend on the observation: their expectation is taken")
	}
	c.r, c.rank = flat, 3
	return true
}

// identifier says whether the format can hold a name.
func identifier(name string) bool {
	for k, r := range name {
		letter := r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z'
		if !letter && (k == 0 || !(r >= '0' && r <= '9' || r == '_' || r == '-')) {
			return false
		}
	}
	return name != ""
}
