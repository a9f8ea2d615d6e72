package bound

import (
	"math"
	"slices"

	"rcmdplab/core/model"
	"rcmdplab/core/proof"
)

// Values at discount 1. There V has to satisfy V <= TV to the last digit, as no horizon makes up for what is
// missing, and V <= c at the ends. The values v of the best policy do, but for rounding; v - ηw does where w is
// a time: a pair that leads on in w(s) - 1 steps gains η. Two things stand against that.
//
// Pairs that cost as little as the best one lead on in their own time: w is that of the slowest
// of all that are within θ of it, and the others have θ to spare.
//
// States that are reached from one another for nothing have one value, exactly: V <= PV there and
// back. So states that a pair leads to for nothing and that are worth the same, up to η, are made one:
// with one number, the least, and one time, that of the pairs which lead out of them.

// proveTotal is Prove at discount 1: the best policy of the stand-in, then at the costs as they are.
func (x *Pricing) proveTotal(w []float64, k int, more func() bool) (c *proof.Claim, ker *model.Kernel, value float64) {
	g, err := x.newDuel(w, k)
	if err != nil {
		panic("bound: " + err.Error()) // the set was accepted when its evaluator was made
	}
	if !g.solve(x.choice, more) {
		return nil, nil, 0
	}
	if g.plain(w, k); !g.solve(x.choice, more) {
		return nil, nil, 0
	}
	value = g.mean
	for s, p := range x.m.Mu {
		value += p * g.v[s]
	}
	c = &proof.Claim{Target: math.NaN(), Values: &proof.Values{Prices: slices.Clone(w[1:]), V: g.settled(w, x.choice)}}
	if w[0] == 0 {
		c.Target = math.Inf(1)
	}
	if x.m.Kernels != nil {
		c.Values.Kernel = k
	}
	return c, g.ker, value
}

// Prefer finds the policy that is best for the weights, without a proof.
func (x *Pricing) Prefer(w []float64, k int) {
	if g, err := x.newDuel(w, k); err == nil {
		g.solve(x.choice, func() bool { return true })
	}
}

// plain turns to the document's own costs at discount 1, without the price of time that the stand-in has.
// The values of ends, and of states that are lost, are known.
func (g *duel) plain(w []float64, k int) {
	m := *g.m
	m.Gamma, m.Rest = 1, 0
	g.known = make([]float64, m.S)
	clear(g.flat)
	clear(g.onward)
	for n, v := range w {
		if v == 0 {
			continue
		}
		for i, s := range m.State {
			switch {
			case m.Ends(s):
				g.known[s] += v * m.Paid(n, i, s)
			case m.Lost(s):
				g.known[s] += v * m.ExpectedCost(n, g.ker)[i] / g.m.Rest
			case m.CNext[n] == nil:
				g.flat[i] += v * m.Paid(n, i, s)
			case g.set == nil:
				to, p := g.ker.Row(i)
				for j, t := range to {
					g.flat[i] += v * p[j] * m.Paid(n, i, t)
				}
			default:
				to, _ := g.ker.Row(i)
				for _, t := range to {
					g.onward[i*m.S+t] += v * m.Paid(n, i, t)
				}
			}
		}
	}
	if g.set == nil {
		copy(g.pay, g.flat)
	}
	g.m = &m
}

// strict is what an action has to gain at discount 1 to be taken: one that is as good, but for rounding,
// may lead round and round, where a policy that ends goes on ending with gains alone.
func (g *duel) strict() float64 {
	size := 0.0
	for s, v := range g.v {
		if g.known != nil && !g.m.Lost(s) {
			size = max(size, math.Abs(v+g.mean))
		}
	}
	return 1e-14 * size
}

// ties is what the values of the choice are made of: which pairs count and which states are one.
type ties struct {
	g     *duel
	may   []bool    // by pair: a policy that surely ends under nature's rows may take it
	v     []float64 // by state
	end   []float64 // by state: the weighted cost of an end
	slack []float64 // by pair: what it comes to less v
	class []int     // by state: the first state of its class
	next  []int     // by state: the next of its class, -1 at the end
	level []float64 // by class: its value
	time  []float64 // by class: w
}

// Of each power of ten, η next to the largest value; θ is so many times η.
const leastGain, mostGain, apart = 4e-16, 1e-8, 1e5

// settled are values that satisfy V <= TV at discount 1, nil when none were found.
func (g *duel) settled(w []float64, choice []int) []float64 {
	m := g.m
	t := &ties{
		g: g, may: make([]bool, m.Pairs()), v: make([]float64, m.S), end: make([]float64, m.S), slack: make([]float64, m.Pairs()),
		class: make([]int, m.S), next: make([]int, m.S), level: make([]float64, m.S), time: make([]float64, m.S),
	}
	g.evaluate(choice, handedOn)
	size := 0.0
	for s := range t.v {
		if t.v[s] = g.v[s] + g.mean; m.Ends(s) {
			t.v[s] = g.known[s]
			for n, x := range w {
				t.end[s] += x * math.Abs(m.Paid(n, m.Off[s], s))
			}
		}
	}
	t.safe()
	for i, s := range m.State {
		if t.may[i] {
			size = max(size, math.Abs(t.v[s]))
		}
	}
	if g.set != nil {
		g.v, g.mean, g.gain = t.v, 0, 0 // what rows answer
	}
	for i, s := range m.State {
		if g.set != nil && t.may[i] {
			g.answer(i)
		}
		t.slack[i] = g.pay[i]
		to, p := g.ker.Row(i)
		for j, u := range to {
			t.slack[i] += p[j] * (t.v[u] - t.v[s])
		}
	}
	first := g.times(choice)
	for gain := leastGain; gain <= mostGain; gain *= 10 {
		if v := t.try(gain*size, size, first); v != nil {
			return v
		}
	}
	return nil
}

// times is the time that the choice takes from each state.
func (g *duel) times(choice []int) []float64 {
	w := make([]float64, g.m.S)
	for s := range w {
		if !g.m.Absorbs(s) {
			w[s] = 1
		}
	}
	g.sys.LoadPairs(choice, g.ker)
	g.sys.Factor()
	g.sys.Solve(w)
	return w
}

// safe marks the pairs that a policy may take which surely ends under the rows.
func (t *ties) safe() {
	m := t.g.m
	x := make([]bool, m.S)
	for s := range x {
		x[s] = true
	}
	leads := func(i int, marked []bool) (some, all bool) {
		all = true
		to, p := t.g.ker.Row(i)
		for j, s := range to {
			if p[j] > 0 {
				some, all = some || marked[s], all && marked[s]
			}
		}
		return some, all
	}
	for {
		y := make([]bool, m.S)
		for s := range y {
			y[s] = m.Ends(s)
		}
		for more, back := true, false; more; back = !back {
			more = false
			for c := range m.S {
				s := c
				if back {
					s = m.S - 1 - c
				}
				for i := m.Off[s]; i < m.Off[s+1] && x[s] && !y[s]; i++ {
					some, _ := leads(i, y)
					if _, all := leads(i, x); some && all {
						y[s], more = true, true
					}
				}
			}
		}
		same := true
		for s := range x {
			same = same && x[s] == y[s]
		}
		if x = y; same {
			break
		}
	}
	for i, s := range m.State {
		_, all := leads(i, x)
		t.may[i] = x[s] && all && !m.Ends(s)
	}
}

// try makes values that gain so much a step; size is that of the largest.
func (t *ties) try(gain, size float64, first []float64) []float64 {
	m := t.g.m
	t.join(gain / 4)
	if !t.slowest(gain*apart, first) {
		return nil
	}
	v := make([]float64, m.S)
	for s := range v {
		c := t.class[s]
		if v[s] = t.level[c] - gain*t.time[c]; m.Ends(s) {
			v[s] = t.v[s] - 0x1p-50*t.end[s]
		}
	}
	for i, s := range m.State {
		if !t.may[i] || t.within(i) {
			continue
		}
		r, sum := t.g.pay[i], math.Abs(t.g.pay[i])
		to, p := t.g.ker.Row(i)
		for j, u := range to {
			r += p[j] * (v[u] - v[s])
			sum += p[j] * max(math.Abs(v[u]), math.Abs(v[s]))
		}
		if !(r >= 0x1p-51*sum) {
			return nil
		}
	}
	return v
}

// within reports whether pair i leads for nothing to states that are one with its own.
func (t *ties) within(i int) bool {
	s := t.g.m.State[i]
	to, p := t.g.ker.Row(i)
	for j, u := range to {
		if p[j] > 0 && t.class[u] != t.class[s] {
			return false
		}
	}
	return t.g.pay[i] == 0 && !t.g.m.Ends(s)
}

// join makes one what pairs lead to for nothing and is worth the same, up to so much.
func (t *ties) join(apart float64) {
	m := t.g.m
	for s := range t.class {
		t.class[s], t.next[s] = s, -1
	}
	find := func(s int) int {
		for t.class[s] != s {
			t.class[s] = t.class[t.class[s]]
			s = t.class[s]
		}
		return s
	}
	for i, s := range m.State {
		if !t.may[i] || t.g.pay[i] != 0 {
			continue
		}
		to, p := t.g.ker.Row(i)
		alike := true
		for j, u := range to {
			alike = alike && (p[j] == 0 || math.Abs(t.v[u]-t.v[s]) <= apart && !m.Ends(u))
		}
		for j, u := range to {
			if alike && p[j] > 0 {
				if a, b := find(s), find(u); a != b {
					t.class[max(a, b)] = min(a, b)
				}
			}
		}
	}
	for s := range t.class {
		t.class[s] = find(s)
		t.level[s] = math.Inf(1)
	}
	last := make([]int, m.S)
	for s, c := range t.class {
		t.level[c] = min(t.level[c], t.v[s])
		if s != c {
			t.next[last[c]] = s
		}
		last[c] = s
	}
}

// sweeps is how often times are made those of slower pairs.
const sweeps = 2000

// slowest finds w >= 1 + Pw over the pairs within theta of the best that lead out of their class, but for half a
// step, and doubles it; false when it does not settle.
func (t *ties) slowest(theta float64, first []float64) bool {
	m := t.g.m
	clear(t.time)
	for s, c := range t.class {
		t.time[c] = max(t.time[c], first[s])
		if m.Ends(s) {
			t.time[c] = 0
		}
	}
	for sweep := range sweeps {
		worst := 0.0
		for k := range m.S {
			c := k
			if sweep%2 == 1 {
				c = m.S - 1 - k
			}
			if t.class[c] != c || m.Ends(c) {
				continue
			}
			w := t.time[c]
			for s := c; s >= 0; s = t.next[s] {
				for i := m.Off[s]; i < m.Off[s+1]; i++ {
					if !t.may[i] || t.slack[i] > theta || t.within(i) {
						continue
					}
					own, rest := 0.0, 1.0
					to, p := t.g.ker.Row(i)
					for j, u := range to {
						if t.class[u] == c {
							own += p[j]
						} else {
							rest += p[j] * t.time[t.class[u]]
						}
					}
					w = max(w, rest/max(1-own, 1e-12))
				}
			}
			worst = max(worst, w-t.time[c])
			t.time[c] = w
		}
		if math.IsNaN(worst) || worst > 1e9 {
			return false
		}
		if worst <= .5 {
			for c := range t.time {
				t.time[c] *= 2
			}
			return true
		}
	}
	return false
}
