package bound

import (
	"math"
	"slices"

	"rcmdplab/core/game"
	"rcmdplab/core/model"
)

// robust bounds a node of a rectangular problem: prices are made best for nature's kernel, and nature answers
// them, in turn.
func (x *ChoiceSearch) robust(n *choiceNode, more func() bool) bool {
	m := x.m
	one := make([][]float64, m.N+1)
	for c := range one {
		one[c] = []float64{1}
	}
	price := make([]float64, m.N+1)
	if price[0] = 1; n.price != nil {
		copy(price, n.price)
	}
	g, best, limits, before := x.games[0], math.Inf(-1), false, n.bound
	try := func(price []float64) (*model.Kernel, bool) {
		if !played(g, price, n.closed, more) {
			return nil, false
		}
		low, least := g.Value(), 0.0
		for c := 1; c <= m.N; c++ {
			b := m.B[c]
			if c <= len(x.allow) {
				b += x.allow[c-1]
			}
			low -= price[c] * b
			least += price[c] * misses * m.Scale(c, m.B[c])
		}
		x.policy(g.Choice)
		if price[0] == 0 {
			if limits = low > least; limits {
				n.price, n.share, n.bound = slices.Clone(price), one, math.Inf(1)
			}
		} else if low > best {
			best = low
			n.price, n.share, n.bound = slices.Clone(price), one, max(low, before)
		}
		k, _ := g.Kernel()
		return k, true
	}
	ker, ok := try(price)
	if n.pools = nil; !ok || m.N == 0 {
		return ok
	}
	if ok = x.alternate(n, ker, &best, &limits, try, more); !ok || limits {
		return ok
	}
	// A limit's own worst kernel may be one under which the objective is cheap, and the other way round.
	for c := 1; c <= m.N && best < x.target(); c++ {
		clear(price)
		price[c] = 1
		if ker, ok = try(price); !ok || limits {
			return ok
		}
		if ok = x.alternate(n, ker, &best, &limits, try, more); !ok || limits {
			return ok
		}
	}
	return true
}

// mostTurns is how often prices and nature's kernel are made to fit each other at a node.
const mostTurns = 6

// alternate makes prices best for nature's kernel, which try answers with the next, until the bound no longer rises.
func (x *ChoiceSearch) alternate(n *choiceNode, ker *model.Kernel, best *float64, limits *bool, try func([]float64) (*model.Kernel, bool), more func() bool) bool {
	for range mostTurns {
		if *best >= x.target() {
			break
		}
		last := *best
		y := x.newDual([]int{0})
		y.players, y.pool = []player{{game.New(x.price.Under(ker), ker)}}, make([][]*cut, 1)
		if y.price[0] = 1; n.price != nil {
			copy(y.price, n.price)
		}
		for c := range y.share {
			y.share[c][0] = 1
		}
		if !y.maximise(n.closed, x.target(), x.near(n.bound), more) {
			return false
		}
		y.weigh()
		if math.IsInf(x.best, 1) || y.capped(y.best.price) {
			prices, _, ok := x.impossible(y, n.closed, more)
			if !ok {
				return false
			}
			if prices != nil {
				if _, ok := try(prices); !ok || *limits {
					return ok
				}
			}
		}
		n.pools = append(n.pools, [][]*cut{y.pool[0]})
		x.meet(y)
		ok := false
		if ker, ok = try(y.best.price); !ok {
			return false
		}
		if *best <= last+1e-12*math.Abs(last) {
			break
		}
	}
	return true
}
