package interchange

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
