package bound

import (
	"math"

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
// back. So states that a pair leads to for nothing and that are worth the same, up to η, are made one:
// with one number, the least, and one time, that of the pairs which lead out of them.

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
}

// Of each power of ten, η next to the largest value; θ is so many times η.
const leastGain, mostGain, apart = 4e-16, 1e-8, 1e5

// settled are values that satisfy V <= TV at discount 1, from those of the game's choice and the rows
// that answer them; nil when none were found.
func settled(m *model.Standard, g *game.Game, ker *model.Kernel, pay, w []float64) []float64 {
	t := &ties{
		m: m, ker: ker, pay: pay, may: make([]bool, m.Pairs()), end: make([]float64, m.S), slack: make([]float64, m.Pairs()),
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
	t.safe()
	size := 0.0
	for i, s := range m.State {
		if t.may[i] {
			size = max(size, math.Abs(t.v[s]))
		}
		t.slack[i] = pay[i]
		to, p := ker.Row(i)
		for j, u := range to {
			t.slack[i] += p[j] * (t.v[u] - t.v[s])
		}
	}
	first := make([]float64, m.S)
	g.Time(first)
	for gain := leastGain; gain <= mostGain; gain *= 10 {
		if v := t.try(gain*size, size, first); v != nil {
			return v
		}
	}
	return nil
}

// safe marks the pairs that a policy may take which surely ends under the rows.
func (t *ties) safe() {
	m := t.m
	x := make([]bool, m.S)
	for s := range x {
		x[s] = true
	}
	leads := func(i int, marked []bool) (some, all bool) {
		all = true
		to, p := t.ker.Row(i)
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
	m := t.m
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

// join makes one what pairs lead to for nothing and is worth the same, up to so much.
func (t *ties) join(apart float64) {
	m := t.m
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
		if !t.may[i] || t.pay[i] != 0 {
			continue
		}
		to, p := t.ker.Row(i)
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
	m := t.m
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
					to, p := t.ker.Row(i)
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
