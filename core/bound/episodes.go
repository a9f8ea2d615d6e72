package bound

import (
	"math"
	"slices"

	"rcmdplab/core/evaluate"
	"rcmdplab/core/game"
	"rcmdplab/core/model"
)

// Values at discount 1. There V has to satisfy V <= TV to the last digit, as no horizon makes up for what is
// missing, and V <= c at the ends. The values v of the best policy do, but for rounding; v - ηw does where w is
// a time: a pair that leads on in w(s) - 1 steps gains η. Two things stand against that.
//
// Pairs that cost as little as the best one lead on in their own time: w is that of the slowest
// of all that are within θ of it, and the others have θ to spare.
//
// States that are reached from one another for nothing have one value, exactly: V <= PV there and
// back. They are made one: with one number, the least, and one time, that of the pairs which lead out of them.

// ties is what the values of the choice are made of: which pairs count and which states are one.
type ties struct {
	m     *model.Standard
	ker   *model.Kernel // nature's rows
	pay   []float64     // by pair: what the row pays
	may   []bool        // by pair: a policy that surely ends under nature's rows may take it
	v     []float64     // by state
	end   []float64     // by state: the weighted cost of an end
	slack []float64     // by pair: what it comes to less v
	class []int         // by state: the first state of its class
	next  []int         // by state: the next of its class, -1 at the end
	level []float64     // by class: its value
	time  []float64     // by class: w

	pace *evaluate.Pace // asked within long work; may be nil
}

// Of each power of ten, η next to the largest value; θ is one of so many times η, which w must not exceed.
const leastGain, mostGain = 4e-16, 1e-8

var slowness = []float64{30, 1e3, 1e5, 1e7}

// inwards is by how much prices are changed, as a share, where there are no values for them: those of the stand-in
// may be off by what it charges for time, with which a cycle that comes to nothing earns.
// Models of more states than mostInwards are not tried again: of them the checker asks for values of every state.
var inwards = []float64{0, -1e-9, 1e-9, -1e-7, 1e-7}

const mostInwards = 64

// atOne goes on from the stand-in's game to the costs as they are, and finds values there, for prices that
// are those given or next to them; the values are nil when none were found, the game is when more says no.
func (x *Pricing) atOne(g *game.Game, w []float64, k int, more func() bool) (one *game.Game, prices, v []float64) {
	m, again := x.m, false
	first, reached := []int(nil), []bool(nil) // of the first try: the best choice, and what matters
	defer func() {
		if again {
			copy(x.choice, first)
			x.game = nil // of another problem
		}
	}()
	for _, by := range inwards {
		for apart := range 2 { // then without the states that do not matter
			if apart > 0 {
				q := without(m, reached)
				if q == nil || m.S > mostInwards {
					break
				}
				m = q
			}
			near := x.moved(w, by)
			if again = first != nil; again {
				x.game = nil
				if g = x.played(m, nil, near, k, more); g == nil {
					return nil, nil, nil
				}
			}
			start, _ := g.Values()
			if one = x.played(m.AtOne(), start, near, k, more); one == nil {
				return nil, nil, nil
			}
			if first == nil {
				first = slices.Clone(x.choice)
			}
			one.Refine()
			ker, pay := one.Kernel()
			if v, reached = settled(m, one, ker, pay, near, nil, x.pace); v != nil || x.pace.Cut() {
				return one, near, v
			}
		}
		if len(w) == 1 || m.S > mostInwards {
			break
		}
	}
	return one, w, nil
}

// moved are the prices changed by a share of them, without those that amount to nothing.
func (x *Pricing) moved(w []float64, by float64) []float64 {
	w = slices.Clone(w)
	size := x.m.Dearest(0)
	if size == 0 {
		size = 1
	}
	for n := 1; n < len(w) && by != 0; n++ {
		if w[n] *= 1 + by; w[n]*x.m.Dearest(n) < 1e-9*w[0]*size {
			w[n] = 0
		}
	}
	return w
}

// without is the problem in which states that are not reached end what comes to them; nil when there are none.
func without(m *model.Standard, reached []bool) *model.Standard {
	lost, some := make([]bool, m.S), false
	for s := range lost {
		unreached := !reached[s] && !m.Ends(s)
		lost[s], some = m.Lost(s) || unreached, some || unreached && !m.Lost(s)
	}
	if !some {
		return nil
	}
	return m.WithLost(lost)
}

// settled are values that satisfy V <= TV at discount 1, from those of the game's choice and the rows
// that answer them, for the pairs that are left; nil when none were found, or no more was wanted. It also marks the states that such pairs
// come to: what is asked of values elsewhere may have no answer, and stands in the way of these.
func settled(m *model.Standard, g *game.Game, ker *model.Kernel, pay, w []float64, closed []bool, pace *evaluate.Pace) (v []float64, reached []bool) {
	t := &ties{
		pace: pace, m: m, ker: ker, pay: pay, may: make([]bool, m.Pairs()), end: make([]float64, m.S), slack: make([]float64, m.Pairs()),
		class: make([]int, m.S), next: make([]int, m.S), level: make([]float64, m.S), time: make([]float64, m.S),
	}
	t.v, _ = g.Values()
	for s := range t.end {
		if m.Ends(s) {
			for n, x := range w {
				t.end[s] += x * math.Abs(m.Paid(n, m.Off[s], s))
			}
		}
	}
	e := evaluate.EpisodesUnder(m, ker, closed, pace)
	for i, s := range m.State {
		t.may[i] = e.Safe(i) && !m.Ends(s)
	}
	if reached = t.reached(); math.IsNaN(g.Value()) {
		return nil, reached
	}
	size := 0.0
	for i, s := range m.State {
		if t.may[i] {
			size = max(size, math.Abs(t.v[s]), math.Abs(pay[i]))
		}
		if m.Ends(s) {
			size = max(size, t.end[s])
		}
		t.slack[i] = pay[i]
		to, p := ker.Row(i)
		for j, u := range to {
			t.slack[i] += p[j] * (t.v[u] - t.v[s])
		}
	}
	t.join()
	for gain := leastGain; gain <= mostGain; gain *= 10 {
		for _, times := range slowness {
			if pace.Cut() {
				return nil, reached
			}
			if v := t.try(gain*size, times); v != nil {
				return v, reached
			}
		}
	}
	return t.risen(), reached
}

// reached marks the states that the pairs which count come to from the start.
func (t *ties) reached() []bool {
	return t.m.Reached(func(i int, come func(s int)) {
		to, p := t.ker.Row(i)
		for j, u := range to {
			if t.may[i] && p[j] > 0 {
				come(u)
			}
		}
	})
}

// try makes values that gain so much a step, where nothing that is nearly as good as the best takes more
// steps than most.
func (t *ties) try(gain, most float64) []float64 {
	m := t.m
	if !t.slowest(gain*most, most) {
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
		r, sum := t.pay[i], math.Abs(t.pay[i])
		to, p := t.ker.Row(i)
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
	s := t.m.State[i]
	to, p := t.ker.Row(i)
	for j, u := range to {
		if p[j] > 0 && t.class[u] != t.class[s] {
			return false
		}
	}
	return t.pay[i] == 0 && !t.m.Ends(s)
}

// join makes one what is reached from one another for nothing: the end components of the pairs
// that cost nothing, found by taking pairs away that may lead out of their strong component until none
// does (Courcoubetis and Yannakakis 1995).
func (t *ties) join() {
	m := t.m
	free := make([]bool, m.Pairs())
	for i := range free {
		free[i] = t.may[i] && t.pay[i] == 0
	}
	for again := true; again && t.pace.Spend(4*len(t.ker.Next)); {
		t.components(free)
		again = false
		for i, s := range m.State {
			to, p := t.ker.Row(i)
			for j, u := range to {
				if free[i] && p[j] > 0 && t.class[u] != t.class[s] {
					free[i], again = false, true
				}
			}
		}
	}
	last := make([]int, m.S)
	for s := range t.level {
		t.level[s], t.next[s] = math.Inf(1), -1
	}
	for s, c := range t.class {
		t.level[c] = min(t.level[c], t.v[s])
		if s != c {
			t.next[last[c]] = s
		}
		last[c] = s
	}
}

// components finds the strong components of the states by the pairs that are marked, and names each by
// its first state (Tarjan 1972, without recursion).
func (t *ties) components(free []bool) {
	m := t.m
	index, low := make([]int, m.S), make([]int, m.S) // from 1; of what is on the stack
	var stack, path []int
	at := make([][2]int, m.S) // by state on the path: pair and successor looked at next
	next := 1
	done := make([]bool, m.S)
	for root := range m.S {
		if index[root] != 0 {
			continue
		}
		path = append(path, root)
		for len(path) > 0 {
			s := path[len(path)-1]
			if index[s] == 0 {
				index[s], low[s] = next, next
				next++
				stack = append(stack, s)
				at[s] = [2]int{m.Off[s], 0}
			}
			down := -1
			for at[s][0] < m.Off[s+1] && down < 0 {
				i := at[s][0]
				to, p := t.ker.Row(i)
				if !free[i] || at[s][1] >= len(to) {
					at[s] = [2]int{i + 1, 0}
					continue
				}
				j := at[s][1]
				u := to[j]
				switch {
				case p[j] == 0 || done[u]:
				case index[u] == 0:
					down = u
					continue
				default:
					low[s] = min(low[s], low[u])
				}
				at[s][1]++
			}
			if down >= 0 {
				path = append(path, down)
				continue
			}
			if path = path[:len(path)-1]; low[s] == index[s] {
				first, k := s, len(stack)
				for k--; stack[k] != s; k-- {
					first = min(first, stack[k])
				}
				for _, u := range stack[k:] {
					t.class[u], done[u] = first, true
				}
				stack = stack[:k]
			}
			if len(path) > 0 {
				up := path[len(path)-1]
				low[up] = min(low[up], low[s])
			}
		}
	}
}

// rounds is how often times are made those of slower pairs.
const rounds = 60

// slowest finds w = 1 + max Pw over the pairs within theta of the best that lead out of their class, by
// policy iteration; false where that is more than most.
func (t *ties) slowest(theta, most float64) bool {
	m := t.m
	taken := make([]int, m.S) // by class: the pair it is left by, -1 by none
	for s := range taken {
		taken[s] = -1
	}
	least := make([]float64, m.S)
	for i, s := range m.State {
		if c := t.class[s]; t.may[i] && !t.within(i) && (taken[c] < 0 || t.slack[i] < least[c]) {
			taken[c], least[c] = i, t.slack[i]
		}
	}
	itself := make([]int, m.S)
	for s := range itself {
		itself[s] = s
	}
	sys := evaluate.NewSystem(m, len(t.ker.Next))
	sys.KeepPace(t.pace)
	for range rounds {
		if !t.pace.Spend(8 * len(t.ker.Next)) {
			return false
		}
		k := &model.Kernel{Ptr: make([]int, 1, m.S+1)}
		for s, c := range t.class {
			switch i := taken[c]; {
			case s == c && i >= 0:
				k.Next, k.Prob = t.append(k.Next, k.Prob, i)
				t.time[s] = 1
			case s == c:
				t.time[s] = 0
			default:
				k.Next, k.Prob, t.time[s] = append(k.Next, c), append(k.Prob, 1), 0
			}
			k.Ptr = append(k.Ptr, len(k.Next))
		}
		sys.LoadPairs(itself, k)
		sys.Factor()
		sys.Solve(t.time)
		slower := false
		for i, s := range m.State {
			c := t.class[s]
			if !(t.time[c] <= most) {
				return false
			}
			if !t.may[i] || t.slack[i] > theta || i == taken[c] || t.within(i) {
				continue
			}
			w := 1.0
			to, p := t.ker.Row(i)
			for j, u := range to {
				w += p[j] * t.time[t.class[u]]
			}
			if w > t.time[c]*(1+1e-9)+.25 {
				taken[c], slower = i, true
			}
		}
		if !slower {
			return true
		}
	}
	return false
}

// append appends the row of pair i, by classes in their order.
func (t *ties) append(next []int, prob []float64, i int) ([]int, []float64) {
	from := len(next)
	to, p := t.ker.Row(i)
	for j, u := range to {
		if p[j] == 0 {
			continue
		}
		c := t.class[u]
		k, found := slices.BinarySearch(next[from:], c)
		if k += from; found {
			prob[k] += p[j]
			continue
		}
		next, prob = slices.Insert(next, k, c), slices.Insert(prob, k, p[j])
	}
	return next, prob
}

// climbs is how often values rise.
const climbs = 4000

// risen is what is left where no time fits, because something that costs nearly as little as the best goes on
// nearly for ever: values that rise from where they are known to be too low, the least of the ends
// where nothing off the ends is below 0, each to what its pairs come to, rounded down. They hold
// whenever they are left. Nil where costs may be negative.
func (t *ties) risen() []float64 {
	m := t.m
	low := math.Inf(1)
	for i, s := range m.State {
		if m.Ends(s) {
			low = min(low, t.v[s]-0x1p-50*t.end[s])
		} else if t.may[i] && t.pay[i] < 0 {
			return nil
		}
	}
	v := make([]float64, m.S)
	for s := range v {
		if v[s] = low; m.Ends(s) {
			v[s] = t.v[s] - 0x1p-50*t.end[s]
		}
	}
	for climb := range climbs {
		if !t.pace.Spend(4 * len(t.ker.Next)) {
			return nil
		}
		rise := 0.0
		for k := range m.S {
			c := k
			if climb%2 == 1 {
				c = m.S - 1 - k
			}
			if t.class[c] != c || m.Ends(c) {
				continue
			}
			least := math.Inf(1)
			for s := c; s >= 0; s = t.next[s] {
				for i := m.Off[s]; i < m.Off[s+1]; i++ {
					if !t.may[i] || t.within(i) {
						continue
					}
					q, sum := t.pay[i], math.Abs(t.pay[i])
					to, p := t.ker.Row(i)
					for j, u := range to {
						q += p[j] * v[u]
						sum += p[j] * math.Abs(v[u])
					}
					least = min(least, q-0x1p-49*sum)
				}
			}
			if least > v[c] && !math.IsInf(least, 1) {
				rise = max(rise, least-v[c])
				for s := c; s >= 0; s = t.next[s] {
					v[s] = least
				}
			}
		}
		if rise <= 1e-14*math.Abs(low) {
			break
		}
	}
	return v
}
