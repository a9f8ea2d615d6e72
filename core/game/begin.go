package game

import (
	"math"

	"rcmdplab/core/evaluate"
	"rcmdplab/core/model"
	"rcmdplab/core/uncertainty"
)

// New makes the work space of a game: under one kernel, over whose rows costs of
// the next state are averaged, or with nil against the problem's rectangular set.
// It gives nil where there is no such operator: a finite set, or the paper's
// update, which is no maximum.
func New(m *model.Standard, k *model.Kernel) *Game {
	x := &Game{
		m: m, weight: m.H, w: make([]float64, m.N+1), C: make([][]float64, m.N+1), flat: make([]float64, m.Pairs()),
		v: make([]float64, m.S), tv: make([]float64, m.S), d: make([]float64, m.S), Choice: make([]int, m.S), rows: make([]int, m.S),
	}
	copy(x.Choice, m.Off)
	copy(x.C, m.C)
	entries, rows := 0, m.Pairs()
	if k != nil {
		x.ker, x.fixed, x.reward, entries = k, true, x.flat, len(k.Next)
		for n := range x.C {
			x.C[n] = m.ExpectedCost(n, k)
		}
		for i, end := range k.Ptr[1:] {
			x.widest = max(x.widest, end-k.Ptr[i])
		}
		x.findEnds(k.Ptr)
		x.nominal, x.ker = k, x.ending(k)
	} else {
		if !m.Rectangular() || m.Problem.Uncertainty.Paper {
			return nil
		}
		p := evaluate.NewPattern(m, x.makeSet(1))
		entries, x.fixed, x.widest = p.Entries, p.Fixed, p.Widest
		x.z, x.prob = make([]float64, p.Widest), make([]float64, p.Widest)
		x.ker = &model.Kernel{Ptr: p.Ptr, Next: p.Next, Prob: make([]float64, len(p.Next))}
		x.findEnds(p.Ptr)
		for i := range p.Ptr[1:] {
			if !x.ended(m.State[i]) {
				x.set.Nominal(x.ker.Prob[p.Ptr[i]:p.Ptr[i+1]], i)
			}
		}
		if !x.fixed {
			x.nominal, rows = m.NormalisedNominal(), m.S
			for s := range x.rows {
				x.rows[s] = s
			}
		}
		x.reward, x.paid = make([]float64, rows), make([]float64, rows)
	}
	x.system = evaluate.NewSystem(m, entries)
	return x
}

// findEnds finds the states where play ends. Row i begins at ptr[i]; where none is listed each leads somewhere.
func (x *Game) findEnds(ptr []int) {
	m := x.m
	for i, s := range m.State {
		leads := len(ptr) == 1 || ptr[i+1] > ptr[i]
		if leads && (m.Rest > 0 || !m.Absorbs(s)) {
			continue
		}
		if x.end == nil {
			x.end = make([]bool, m.S)
		}
		x.end[s] = true
	}
}

// ended reports whether play ends in s.
func (x *Game) ended(s int) bool { return x.end != nil && x.end[s] }

// ending is a kernel without the rows of states where play ends.
func (x *Game) ending(k *model.Kernel) *model.Kernel {
	if x.end == nil {
		return k
	}
	q := &model.Kernel{Ptr: make([]int, 1, len(k.Ptr))}
	for i, s := range x.m.State {
		next, prob := k.Row(i)
		if x.end[s] {
			next, prob = nil, nil
		}
		q.AddRow(next, prob)
	}
	return q
}

// makeSet makes the set for a weight: Σ_n w_n, which multiplies the price of KL.
func (x *Game) makeSet(weight float64) uncertainty.Set {
	set, err := uncertainty.NewWeighted(x.m, weight)
	if err != nil {
		panic("game: " + err.Error()) // the evaluator has made one
	}
	x.set, x.total = set, weight
	return set
}

// KeepPace has the game ask within its steps; cut, it is done with no bounds.
func (x *Game) KeepPace(p *evaluate.Pace) *Game {
	if x == nil {
		return nil
	}
	x.pace = p
	x.system.KeepPace(p)
	return x
}

// Close has the game leave out the pairs that are marked, nil for none, and moves
// choices that are; every state must keep a pair.
func (x *Game) Close(closed []bool) {
	x.closed, x.episodes = closed, nil
	Open(x.m.Layout, x.Choice, closed)
}

// Open moves the choices that are closed to the next open pair.
func Open(l *model.Layout, choice []int, closed []bool) {
	for s, i := range choice {
		for closed != nil && closed[i] {
			if i++; i == l.Off[s+1] {
				i = l.Off[s]
			}
		}
		choice[s] = i
	}
}

// spend counts answers of the set over so many rows and reports whether to go on.
func (x *Game) spend(rows int) bool {
	return x.pace.Spend(evaluate.RowWork * x.widest * rows)
}

// Weigh begins a new search, for the cost Σ_n w_n c_n, w >= 0 of length N+1,
// until the gap between its two bounds is at most gap. It starts where the last one
// ended, see Start.
func (x *Game) Weigh(w []float64, gap float64) {
	m := x.m
	copy(x.w, w)
	clear(x.flat)
	x.onward, x.span, x.most, x.size = false, 0, 0, 0
	lowest, highest, total := 0.0, 0.0, 0.0
	for n, weight := range w {
		if weight == 0 {
			continue
		}
		total += weight
		lo, hi := m.Bounds(n)
		lowest, highest = lowest+weight*lo, highest+weight*hi
		x.size += weight * max(hi, -lo)
		switch {
		case x.C[n] == nil:
			x.onward = true
		default:
			for i, c := range x.C[n] {
				x.flat[i] += weight * c
			}
		}
	}
	x.span, x.most, x.lowest = highest-lowest, max(highest, -lowest), lowest
	x.price(total)
	x.begin(gap)
}

// price makes the set of a regularised problem for the total weight.
func (x *Game) price(total float64) {
	m := x.m
	if x.set == nil || !m.Problem.Uncertainty.Kind.Regularised() {
		return
	}
	if x.onward {
		total *= m.Gamma
	}
	if was := x.total; total != was {
		x.makeSet(total)
		for i := range x.paid {
			if was > 0 {
				x.paid[i] *= total / was
			}
		}
	}
}

func (x *Game) begin(gap float64) {
	x.aim = gap
	x.best, x.sum, x.doubled, x.swept, x.patience = math.Inf(1), math.Inf(1), 0, false, 0
	x.begun, x.endless = false, false
	switch x.stage = choosing; {
	case x.lasting():
		x.stage, x.patience, x.goal, x.inner = solving, mostKept, 0, 0
		if x.set != nil {
			x.stage = answering
		}
	case x.set != nil && x.Sweeps == 0:
		x.stage, x.sweeps = sweeping, first
	case x.set == nil && !x.system.Iterative(): // what the choice is worth comes for next to nothing
		x.stage = solving
	}
}

// lasting reports whether policies are kept until nature has answered them, each of which has to end: at discount
// 1, and on the stand-in where systems are iterated, which do not bear with what goes on nearly for ever, or where nature
// has a set for each row: rows that come of a search are off by more than a step of what goes on for ever costs there.
func (x *Game) lasting() bool { return x.m.Rest == 0 || x.m.Total() && x.restrained() }

// restrained reports whether a game that lasts takes back what it chose where that need not end, see restrain.
func (x *Game) restrained() bool { return x.set != nil || x.system.Iterative() }

// shortStep is what a step counts for, next to the largest cost, where a way to an end is sought.
const shortStep = 1e-6

// ends makes the first choice one that ends, by the cheapest ways. Small games under one kernel are given such a one.
func (x *Game) ends() {
	if x.begun = true; !x.lasting() || !x.restrained() {
		return
	}
	if x.episodes == nil {
		var k *model.Kernel
		if x.set == nil {
			k = x.nominal
		}
		if x.episodes = evaluate.EpisodesUnder(x.m, k, x.closed, x.pace); x.pace.Cut() {
			x.episodes = nil
			return
		}
	}
	least, most := math.Inf(1), x.most // of what ends cost, and of all
	cost := func(i int) float64 {
		if x.ended(x.m.State[i]) && x.m.Rest > 0 {
			return x.flat[i] / x.m.Rest
		}
		return x.flat[i]
	}
	for s, i := range x.m.Off[:x.m.S] {
		if x.ended(s) {
			least, most = min(least, cost(i)), max(most, math.Abs(cost(i)))
		}
	}
	x.episodes.Ending(x.Choice, func(i int) float64 {
		if x.ended(x.m.State[i]) {
			return cost(i) - least
		}
		return max(cost(i), 0) + shortStep*max(most, model.MinCost)
	})
}
