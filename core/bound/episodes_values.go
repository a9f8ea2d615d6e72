package bound

import (
	"math"
	"slices"

	"rcmdplab/core/evaluate"
	"rcmdplab/core/game"
	"rcmdplab/core/model"
)

// Values at discount 1. There V has to satisfy V <= TV to the last digit, as no horizon makes up for what is
// missing, and V <= c at the ends. The values of the best policy do, but for rounding; those of episodes that are lost for
// nothing with a tiny probability in each step do with something to spare, see lossy. One thing stands against that.
//
// States that come to one another for nothing, and by pairs that lead to nothing but states of nearly the same value, are in one
// another's way: where such pairs hold the play for good they have one value, exactly, V <= PV there and back, and where
// they lose it once in 1e20 steps no float64 tells their values apart. They are made one, a class, and the best policy is
// sought anew where each class is left by one pair, that costs no more than a step: values, which are no larger, of a
// problem in which waiting is not worth while. One number for a class satisfies V <= TV at pairs that stay within.

// ties is what the values of the choice are made of: which pairs count and which states are one.
type ties struct {
	m      *model.Standard
	ker    *model.Kernel // nature's rows
	pay    []float64     // by pair: what the row pays
	may    []bool        // by pair: a policy that surely ends under nature's rows may take it
	choice []int         // by state: the pair that the best policy takes
	v      []float64     // by state
	size   float64       // the largest magnitude of what counts
	end    []float64     // by state: the weighted cost of an end
	class  []int         // by state: the first state of its class
	way    []int         // by state: a pair that leads nearer to an end, -1 for none
	rank   []int         // by state: states that come nearer to an end before it, -1 for no way
	taken  []int         // by class: the pair it is left by, -1 by none
	room   float64       // what a pair has to come to above its value, next to the numbers in it

	pace *evaluate.Pace // asked within long work; may be nil
}

// nearness is by how much, next to the largest value, those of states differ that may be made one.
var nearness = []float64{1e-14, 1e-12, 1e-10, 1e-8}

// settled are values that satisfy V <= TV at discount 1, from those of the game's choice and the rows
// that answer them, for the pairs that are left; nil when none were found, or no more was wanted. It also marks the states that such pairs
// come to: what is asked of values elsewhere may have no answer, and stands in the way of these.
func settled(m *model.Standard, g *game.Game, ker *model.Kernel, pay, w []float64, closed []bool, room float64, pace *evaluate.Pace) (v []float64, reached []bool) {
	t := &ties{
		room: room, pace: pace, m: m, ker: ker, pay: pay, may: make([]bool, m.Pairs()), choice: g.Choice, end: make([]float64, m.S),
		class: make([]int, m.S), taken: make([]int, m.S),
	}
	worth, _ := g.Values()
	t.v = slices.Clone(worth)
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
	for i, s := range m.State {
		if t.may[i] {
			t.size = max(t.size, math.Abs(t.v[s]), math.Abs(pay[i]))
		}
		if m.Ends(s) {
			t.size = max(t.size, t.end[s])
		}
	}
	t.ways()
	classes := 0
	for k, near := range nearness {
		copy(t.v, worth)
		was := classes
		if classes = t.join(near * t.size); k > 0 && classes == was || !t.levels() {
			continue
		}
		if v := t.lossy(); v != nil || pace.Cut() {
			return v, reached
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

// within reports whether pair i leads for nothing to states that are one with its own.
func (t *ties) within(i int) bool {
	s := t.m.State[i]
	return t.pay[i] == 0 && !t.m.Ends(s) && t.only(i, func(u int) bool { return t.class[u] == t.class[s] })
}

// only reports whether pair i leads to none but such states.
func (t *ties) only(i int, such func(u int) bool) bool {
	to, p := t.ker.Row(i)
	for j, u := range to {
		if p[j] > 0 && !such(u) {
			return false
		}
	}
	return true
}

// join makes one what comes to one another by pairs that cost nothing and lead to nothing but values so near, and
// says how many classes there are.
func (t *ties) join(near float64) (classes int) {
	m := t.m
	free := make([]bool, m.Pairs())
	for i, s := range m.State {
		free[i] = t.may[i] && t.pay[i] == 0 && t.only(i, func(u int) bool { return math.Abs(t.v[u]-t.v[s]) <= near })
	}
	t.pace.Spend(8 * len(t.ker.Next))
	t.components(free)
	for s, c := range t.class {
		if s == c {
			classes++
		}
		t.v[c] = min(t.v[c], t.v[s])
	}
	for s, c := range t.class {
		t.v[s] = t.v[c]
	}
	return classes
}

// ways finds for each state a pair that may lead nearer to an end: by the pairs of the choice, and where those lead
// nowhere by any that count.
func (t *ties) ways() {
	m := t.m
	ptr := make([]int, m.S+2)
	for i, counts := range t.may {
		to, _ := t.ker.Row(i)
		for _, u := range to {
			if counts {
				ptr[u+2]++
			}
		}
	}
	for s := range m.S {
		ptr[s+2] += ptr[s+1]
	}
	into := make([]int, ptr[m.S+1])
	for i, counts := range t.may {
		to, _ := t.ker.Row(i)
		for _, u := range to {
			if counts {
				into[ptr[u+1]] = i
				ptr[u+1]++
			}
		}
	}
	t.way, t.rank = make([]int, m.S), make([]int, m.S)
	var queue []int
	for s := range m.S {
		if t.way[s], t.rank[s] = -1, -1; m.Ends(s) {
			t.rank[s] = len(queue)
			queue = append(queue, s)
		}
	}
	for _, any := range []bool{false, true} {
		for k := 0; k < len(queue); k++ {
			u := queue[k]
			for _, i := range into[ptr[u]:ptr[u+1]] {
				if s := m.State[i]; t.rank[s] < 0 && (any || t.choice[s] == i) && t.leadsTo(i, u) {
					t.way[s], t.rank[s] = i, len(queue)
					queue = append(queue, s)
				}
			}
		}
	}
}

// leadsTo reports whether pair i leads to a state with some probability.
func (t *ties) leadsTo(i, u int) bool { return !t.only(i, func(to int) bool { return to != u }) }

// levels makes the values those of the best policy where states of a class have one, by policy iteration from
// one that ends: a class is left by the first of its states on the way to an end. False where there are no such values.
func (t *ties) levels() bool {
	m := t.m
	alone := true
	for c := range t.taken {
		t.taken[c] = -1
	}
	for s, c := range t.class {
		if i := t.taken[c]; t.way[s] >= 0 && (i < 0 || t.rank[s] < t.rank[m.State[i]]) {
			t.taken[c] = t.way[s]
		}
		alone = alone && s == c
	}
	return alone || t.best()
}

// lack is what pair i comes to more than a value of its state.
func (t *ties) lack(i int, v float64) float64 {
	x := t.pay[i]
	to, p := t.ker.Row(i)
	for j, u := range to {
		x += p[j] * (t.v[u] - v)
	}
	return x
}

// rounds is how often policies are improved.
const rounds = 60

// best is the policy iteration of levels.
func (t *ties) best() bool {
	m := t.m
	sys := evaluate.NewSystem(m, len(t.ker.Next))
	sys.KeepPace(t.pace)
	d, strict := make([]float64, m.S), 1e-14*t.size
	for range rounds {
		t.load(sys)
		for range 3 {
			for s, c := range t.class {
				if d[s] = 0; s == c && t.taken[c] >= 0 {
					d[s] = t.lack(t.taken[c], t.v[c])
				}
			}
			sys.Solve(d)
			for s, c := range t.class {
				if t.v[s] += d[c]; !(math.Abs(t.v[s]) <= 1e15*t.size) {
					return false
				}
			}
		}
		better := false
		for i, s := range m.State {
			if c := t.class[s]; t.may[i] && i != t.taken[c] && !t.within(i) && t.lack(i, t.v[c]) < min(0, t.lack(t.taken[c], t.v[c]))-strict {
				t.taken[c], better = i, true
			}
		}
		if !better || t.pace.Cut() {
			break
		}
	}
	return !t.pace.Cut()
}

// load makes the system that of the pairs by which classes are left.
func (t *ties) load(sys *evaluate.System) {
	k, itself := &model.Kernel{Ptr: make([]int, 1, t.m.S+1)}, make([]int, t.m.S)
	for s, c := range t.class {
		switch i := t.taken[c]; {
		case s != c:
			k.Next, k.Prob = append(k.Next, c), append(k.Prob, 1)
		case i >= 0:
			k.Next, k.Prob = t.append(k.Next, k.Prob, i)
		}
		itself[s] = s
		k.Ptr = append(k.Ptr, len(k.Next))
	}
	sys.LoadPairs(itself, k)
	sys.Factor()
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

// climbs is how often values rise; of large models they do not.
const climbs, mostClimbing = 4000, 1000

// risen is what is left where no time fits, because something that costs nearly as little as the best goes on
// nearly for ever: values that rise from where they are known to be too low, the least of the ends
// where nothing off the ends is below 0, each to what its pairs come to, rounded down. They hold
// whenever they are left. Nil where costs may be negative.
func (t *ties) risen() []float64 {
	m := t.m
	if m.S > mostClimbing {
		return nil
	}
	low := math.Inf(1)
	for i, s := range m.State {
		if m.Ends(s) {
			low = min(low, t.v[s]-0x1p-50*t.end[s])
		} else if t.may[i] && t.pay[i] < 0 {
			return nil
		}
	}
	v, next := make([]float64, m.S), make([]int, m.S) // by state: the next of its class, -1 at the end
	last := make([]int, m.S)
	for s, c := range t.class {
		if v[s] = low; m.Ends(s) {
			v[s] = t.v[s] - 0x1p-50*t.end[s]
		}
		if next[s] = -1; s != c {
			next[last[c]] = s
		}
		last[c] = s
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
			for s := c; s >= 0; s = next[s] {
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
				for s := c; s >= 0; s = next[s] {
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
