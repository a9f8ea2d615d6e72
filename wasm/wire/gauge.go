package wire

// gauge tells which part of the time a run had a processor. A worker has no clock of
// its own processor time, so now and then a fixed piece of work is timed: where others
// run on the same processors, it takes as much longer on average than at its best as the
// run does. Times are in seconds.
type gauge struct {
	inside float64 // spent in steps
	steps  int     // so far
	n      int     // pieces timed
	total  float64 // of the groups that are full
	group  float64 // of the present one
	least  float64 // of a group; 0 before the first
	state  uint32  // of the work, so that it is not optimised away
}

const (
	gaugeEvery = 4  // steps for one piece, which takes about 0.2 ms: a third of a percent of the time
	gaugeGroup = 16 // pieces: a clock that is coarse is right on average
	gaugeLeast = 4  // groups before anything is said
)

// step is told before each step.
func (g *gauge) step(clock func() float64) {
	if g.steps++; g.steps%gaugeEvery != 0 {
		return
	}
	from := clock()
	x := g.state | 1
	for range 100_000 {
		x ^= x << 13
		x ^= x >> 17
		x ^= x << 5
	}
	g.state = x
	g.piece(clock() - from)
}

func (g *gauge) piece(seconds float64) {
	g.group += seconds
	if g.n++; g.n%gaugeGroup != 0 {
		return
	}
	if g.total += g.group; g.least == 0 || g.group < g.least {
		g.least = g.group
	}
	g.group = 0
}

// had is about how long the run had a processor; as long as it was in steps where that is not known.
func (g *gauge) had() float64 {
	groups := g.n / gaugeGroup
	if groups < gaugeLeast || g.total <= 0 {
		return g.inside
	}
	return g.inside * g.least * float64(groups) / g.total
}
