package bound

import (
	"math"
	"slices"

	"rcmdplab/core/evaluate"
	"rcmdplab/core/game"
	"rcmdplab/core/model"
)

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
			if math.IsNaN(one.Value()) {
				m = ending(m, k, nil, x.choice, x.pace)
				if one = x.played(m.AtOne(), start, near, k, more); one == nil {
					return nil, nil, nil
				}
			}
			if first == nil {
				first = slices.Clone(x.choice)
			}
			if one.Endless() {
				if len(w) == 1 {
					x.collects = x.collecting(one, w, k, more)
				}
				return one, near, nil
			}
			one.Refine()
			ker, pay := one.Kernel()
			if v, reached = settled(m, one, ker, pay, near, nil, x.room, x.pace); v != nil || x.pace.Cut() {
				return one, near, v
			}
		}
		if len(w) == 1 || m.S > mostInwards {
			break
		}
	}
	return one, w, nil
}

// ending is a problem whose game at discount 1 has values, from a choice of pairs not closed that it makes one that ends: of the
// stand-in the best may go on for ever, where to be lost costs less than what a limit is on; and where no policy surely ends
// under this kernel, though under another, there are no values.
func ending(m *model.Standard, k int, closed []bool, choice []int, pace *evaluate.Pace) *model.Standard {
	e := evaluate.EpisodesUnder(m, kernel(m, k), closed, pace)
	e.Ending(choice, func(int) float64 { return 1 })
	lost := e.Lost()
	if lost == nil {
		return m
	}
	for s, is := range lost {
		lost[s] = is || m.Lost(s)
	}
	return m.WithLost(lost)
}

// longer are the probabilities with which an episode is lost in a step where it is asked what a cycle earns.
var longer = []float64{1e-4, 1e-6}

// Collects is the state of a large model from which the objective falls for as long as one stays, at the worst of the set or of
// the models, as far as the proofs have come across one; -1 where they have not.
func (x *Pricing) Collects() int { return x.collects }

// collecting is such a state of a game that went on for ever: what it costs there falls in proportion to its time.
func (x *Pricing) collecting(one *game.Game, w []float64, k int, more func() bool) int {
	closed := make([]bool, x.m.Pairs())
	for i, s := range x.m.State {
		closed[i] = one.Choice[s] != i
	}
	var worth [2][]float64
	for j, lost := range longer {
		m := x.m.Timeless(lost)
		for k := range max(1, len(m.Kernels)) {
			g := game.New(m, kernel(m, k))
			g.Start(nil, one.Choice)
			g.Close(closed)
			if g.KeepPace(x.pace); !g.Play(w, 0, more) || x.pace.Cut() {
				return -1
			}
			v, _ := g.Values()
			for s := range worth[j] {
				v[s] = max(v[s], worth[j][s])
			}
			worth[j] = v
		}
	}
	state := -1
	for s, is := range evaluate.EpisodesUnder(x.m, kernel(x.m, k), nil, x.pace).Lingering(one.Choice) {
		if is && worth[0][s] < 0 && worth[1][s] < worth[0][s]/2*longer[0]/longer[1] && (state < 0 || worth[1][s] < worth[1][state]) {
			state = s
		}
	}
	return state
}

// kernel is number k of a finite set, nil of another.
func kernel(m *model.Standard, k int) *model.Kernel {
	if m.Rectangular() {
		return nil
	}
	return m.Kernels[k]
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

// leastRoom is the share of the numbers in a residual that it has to be at least: rounding of the checker's, in
// fractions or of rows that are given. Rows that it finds by itself, and draws into the set, are off by more: by what is
// to be seen. Each time it refuses the room is so many times as much, up to the most, and stays so.
const leastRoom, moreRoom, mostRoom = 0x1p-51, 0x1p6, 0x1p-27

// Widen has the values at discount 1 leave the checker more room, and reports whether that is still to be tried.
func (x *Pricing) Widen() bool {
	if x.room *= moreRoom; x.room > mostRoom {
		x.room = leastRoom
		return false
	}
	return true
}
