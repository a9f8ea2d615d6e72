package interchange

import "rcmdplab/core/model"

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
		c.fail(c.at(), "found %s; want %s", model.Count(len(c.words)-c.i, "word"), model.Count(n, "number"))
	}
	row := make([]float64, n)
	for k := range row {
		row[k] = c.number()
	}
	return row
}

// maxWork is how many cells may be written in all: lines with wildcards write
// many, and later ones override them.
const maxWork = 1 << 27

// spend counts cells that are about to be written.
func (c *cassandra) spend(n int) {
	if c.work += n; c.work > maxWork {
		c.fail(c.at(), "lines with * say more than %d values, most of them again and again: too many", maxWork)
	}
}

// put stores a copy of a row in a table.
func (c *cassandra) put(table [][]float64, g int, row []float64) {
	if table[g] == nil {
		if c.cells += len(row); c.cells > maxTensor {
			c.fail(c.at(), "more than %d probabilities: too many", maxTensor)
		}
		table[g] = make([]float64, len(row))
	}
	copy(table[g], row)
}

// dim is one of the things that a statement is about.
type dim struct {
	noun  string
	n     int            // how many there are
	names map[string]int // of them; nil for numbers alone
}

// values reads what T:, O: and R: share: ids of the first things, and a number, a row or a matrix over those that
// are left, as many as there are or, of probabilities, told by a word.
func (c *cassandra) values(dims []dim, probabilities bool) (box [4][2]int, given int, v []float64) {
	for k := range box {
		box[k] = [2]int{0, 1}
	}
	for k, d := range dims {
		box[k][1] = d.n
	}
	for given < len(dims) {
		d := dims[given]
		box[given][0], box[given][1] = c.which(d.noun, d.n, d.names)
		if given++; c.peek(0) != ":" {
			break
		}
		c.i++
	}
	if !probabilities && c.observations == 0 && given == len(dims) && c.peek(0) == "*" {
		c.i++ // any observation, as lines have it that come from a file with some
	}
	last, rows := dims[len(dims)-1].n, 1
	switch len(dims) - given {
	case 0:
		last = 1
	case 2:
		rows = dims[given].n
	case 3:
		c.fail(c.at(), `found %s; want ":" and a state`, model.Quote(c.peek(0)))
	}
	square, word := dims[len(dims)-1].noun == "state", c.peek(0)
	told := probabilities && given < len(dims) && (word == "uniform" || word == "reset" && square || word == "identity" && square && given == 1)
	if told {
		c.i++
		c.spend(rows * last)
	}
	for i := range rows {
		switch {
		case !told:
			v = append(v, c.row(last)...)
		case word == "identity":
			v = append(v, make([]float64, last)...)
			v[i*last+i] = 1
		case word == "reset" && c.start != nil:
			v = append(v, c.start...)
		default:
			v = append(v, uniformRow(last)...)
		}
	}
	return box, given, v
}

// table reads T: or O:, of what is led to or seen.
func (c *cassandra) table(table [][]float64, to dim) {
	at := c.at()
	box, given, v := c.values([]dim{{"action", c.actions, c.actionAt}, {"state", c.states, c.stateAt}, to}, true)
	c.spend((box[0][1] - box[0][0]) * (box[1][1] - box[1][0]) * to.n)
	for a := box[0][0]; a < box[0][1]; a++ {
		for s := box[1][0]; s < box[1][1]; s++ {
			g, row := a*c.states+s, v
			switch given {
			case 1:
				row = v[s*to.n : (s+1)*to.n]
			case 3:
				if row = table[g]; row == nil {
					row = make([]float64, to.n)
				}
				for t := box[2][0]; t < box[2][1]; t++ {
					row[t] = v[0]
				}
			}
			if c.put(table, g, row); to.noun == "state" {
				c.tAt[g] = at
			}
		}
	}
}

// promote makes room for rewards by next state (rank 3) or by observation too
// (rank 4).
func (c *cassandra) promote(rank int) {
	for c.rank < rank {
		n := c.states
		if c.rank == 3 {
			n = c.observations
		}
		if n > maxTensor/len(c.r) {
			c.fail(c.at(), "rewards for each action, state, next state and observation are more than %d numbers: too many", maxTensor)
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
}

// set gives the rewards of a box of ids the value x.
func (c *cassandra) set(box [4][2]int, x float64) {
	sizes, rank := [4]int{c.actions, c.states, c.states, max(c.observations, 1)}, 2
	for k, n := range sizes {
		if k > 1 && box[k] != [2]int{0, n} {
			rank = k + 1
		}
	}
	c.promote(rank)
	cells := 1
	for k := range box {
		if k >= c.rank {
			box[k], sizes[k] = [2]int{0, 1}, 1
		}
		cells *= box[k][1] - box[k][0]
	}
	c.spend(cells)
	for i := box[0][0]; i < box[0][1]; i++ {
		for j := box[1][0]; j < box[1][1]; j++ {
			for k := box[2][0]; k < box[2][1]; k++ {
				at := ((i*c.states+j)*sizes[2] + k) * sizes[3]
				for l := box[3][0]; l < box[3][1]; l++ {
					c.r[at+l] = x
				}
			}
		}
	}
}

// reward reads a cell, a row or a matrix of rewards. With observations the
// last index is the observation, without them the next state.
func (c *cassandra) reward() {
	dims := []dim{{"action", c.actions, c.actionAt}, {"state", c.states, c.stateAt}, {"state", c.states, c.stateAt}}
	if c.observations > 0 {
		dims = append(dims, dim{"observation", c.observations, c.obsAt})
	}
	box, given, v := c.values(dims, false)
	for i, x := range v {
		for k := len(dims) - 1; k >= given; k-- {
			box[k] = [2]int{i % dims[k].n, i%dims[k].n + 1}
			i /= dims[k].n
		}
		c.set(box, x)
	}
}
