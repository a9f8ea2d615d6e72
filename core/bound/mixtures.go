package bound

import (
	"container/heap"
	"math"
	"slices"

	"rcmdplab/core/model"
	"rcmdplab/core/proof"
	"rcmdplab/core/vector"
)

// MixtureSearch bounds the objective over policies that mix actions, of averages over few models and of episodes under several,
// where there are few policies of one action a state: branch and bound over boxes of policies. What it rests on, and the letters, are
// at package certify (mixtures.go). What a box has of D and D J is in mixtures_box.go; its prices are made best by Kelley's method
// over the corners that matter (mixtures_prices.go), and these say where it is split (mixtures_split.go).
type MixtureSearch struct {
	policyBox
	b      []float64 // thresholds by cost, raised by what is allowed and by shift; that of the objective is the best told, +Inf
	shift  []float64 // by cost, at discount 1: what is added to what ends cost, so that it is not below 0
	unit   []float64 // by cost: its largest price
	scale  []float64 // by model: u of the box that is worked on
	limits bool      // it is asked whether any policy meets the limits, whatever the objective

	open   byBound[*mixtureNode]
	tree   *mixtureNode
	closed float64 // the least bound of boxes that are not split any more; +Inf

	// Of the box that is worked on, at the prices asked of last.
	even  []float64 // by corner: 1/h
	own   []float64 // by model and corner: D K
	over  []float64 // by corner: what is divided by h
	low   []float64 // by model: L
	rest  float64   // the least of over/h
	worth []float64 // by corner: D K + F, of one model

	Nodes int     // boxes bounded so far
	Work  float64 // numbers read or written, about
}

// mixtureNode is a box of policies.
type mixtureNode struct {
	moves  []move     // that led to it
	bound  float64    // proved of the objective, but for rounding
	prices *boxPrices // that prove it, or that of the box it is of
	scale  []float64  // by model: u that its parts begin with
	seen   []int      // corners that its program rests on
	cut    move       // the points between which it is split
	split  bool
	kids   [2]*mixtureNode
}

// move puts point i of a state half-way to point j, both named by their pairs.
type move struct{ i, j int }

func (n *mixtureNode) least() float64 { return n.bound }

// NewMixtureSearch is a search for a problem, nil where there is none: other sets than finite ones, plans that may not mix, models
// of too many policies, and episodes in which something but an end costs less than 0. Limits are raised by what is allowed, nil for nothing.
func NewMixtureSearch(m *model.Standard, allow []float64) *MixtureSearch {
	if m.Rectangular() || m.Problem.Deterministic {
		return nil
	}
	gamma, rest := m.Gamma, m.Rest
	if m.Total() {
		m, gamma, rest = m.Problem.Standard().AtOne(), atDiscount, 1-atDiscount
	}
	x := &MixtureSearch{b: slices.Clone(m.B), shift: make([]float64, m.N+1), unit: make([]float64, m.N+1), closed: math.Inf(1), tree: &mixtureNode{bound: math.Inf(-1)}}
	if !x.lift(m) || !x.policyBox.lay(m) {
		return nil
	}
	x.b[0], x.unit[0] = math.Inf(1), mostPrice
	lo, hi := m.Bounds(0)
	for n := 1; n <= m.N; n++ {
		if n <= len(allow) {
			x.b[n] += allow[n-1]
		}
		x.unit[n] = mostPrice * max(hi-lo, 1e-9) * m.H / max(m.Scale(n, m.B[n]), 1e-300)
		x.b[n] += x.shift[n]
	}
	x.fill(gamma, rest, x.shift)
	x.even, x.over, x.worth = make([]float64, x.corners), make([]float64, x.corners), make([]float64, x.corners)
	x.own, x.low = make([]float64, len(m.Kernels)*x.corners), make([]float64, len(m.Kernels))
	return x
}

// mostPrice is the largest price of a limit, in ranges of the objective for the limit's own size.
const mostPrice = 1e3

// atDiscount is what episodes are judged at.
const atDiscount = 1 - 0x1p-24

// lift finds what is added to what ends cost; false where something else costs less than 0.
func (x *MixtureSearch) lift(m *model.Standard) bool {
	for _, ker := range m.Kernels {
		for n := range m.N + 1 {
			for i, c := range m.ExpectedCost(n, ker) {
				switch {
				case !m.Total() || c >= 0:
				case !m.Ends(m.State[i]):
					return false
				default:
					x.shift[n] = max(x.shift[n], -c)
				}
			}
		}
	}
	return true
}

// Known tells the value of a policy that counts.
func (x *MixtureSearch) Known(objective float64) { x.b[0] = min(x.b[0], objective+x.shift[0]) }

// Limits asks whether any policy meets the limits, from before Begin on: boxes are bounded by what limits are missed by, next to their
// sizes and weighted, and closed where that is above 0. Prices are then held by these sizes alone: an objective may be the same for all policies.
func (x *MixtureSearch) Limits() {
	x.limits, x.shift[0], x.b[0] = true, 0, leastMiss
	for n := range x.unit {
		x.unit[n] = math.Inf(1)
	}
}

// Missing is how far the bound is from closing all boxes.
func (x *MixtureSearch) Missing() float64 { return x.best() - x.Bound() }

// leastMiss is what a limit is missed by, next to its size, for a box to be closed.
const leastMiss = 1e-9

// best is the least value told; +Inf.
func (x *MixtureSearch) best() float64 { return x.b[0] - x.shift[0] }

// Bound is proved of the objective, but for rounding.
func (x *MixtureSearch) Bound() float64 {
	low := x.closed
	if len(x.open) > 0 {
		low = min(low, x.open[0].bound)
	}
	if x.Nodes == 0 {
		low = math.Inf(-1)
	}
	return low
}

// Open is how many boxes wait.
func (x *MixtureSearch) Open() int { return len(x.open) }

// Begin bounds all policies.
func (x *MixtureSearch) Begin() {
	x.enter(nil)
	x.box(x.tree)
	x.take(x.tree)
}

// take puts a box where it belongs: it is not split where it is closed, is one policy, or lies so deep that the checker would not follow.
func (x *MixtureSearch) take(n *mixtureNode) {
	if x.Nodes++; n.bound >= x.best() || n.cut == (move{}) || (len(n.moves)+2)*len(x.at) > mostNested {
		x.closed = min(x.closed, n.bound)
		n.seen = nil
		return
	}
	heap.Push(&x.open, n)
}

// mostNested is the most numbers of all boxes that one is in, as at package certify.
const mostNested = 1 << 23

// Step splits the box of least bound and reports whether nothing is left to do.
func (x *MixtureSearch) Step() (done bool) {
	if len(x.open) > 0 && x.open[0].bound < min(x.best(), x.closed) {
		n := heap.Pop(&x.open).(*mixtureNode)
		n.split = true
		x.enter(n.moves)
		x.keep()
		for side, e := range [2]move{n.cut, {n.cut.j, n.cut.i}} {
			kid := &mixtureNode{moves: append(slices.Clip(n.moves), e), bound: n.bound, prices: n.prices, scale: n.scale, seen: n.seen}
			n.kids[side] = kid
			x.part(e)
			x.box(kid)
			x.take(kid)
		}
		n.seen = nil
	}
	return len(x.open) == 0 || x.open[0].bound >= min(x.best(), x.closed)
}

// programWork is about what the program of a box takes, in numbers read or written.
const programWork = 1e5

// box bounds the box at hand and chooses where it is split.
func (x *MixtureSearch) box(n *mixtureNode) {
	x.Work += programWork
	x.level(n.scale)
	p, prices, was := x.newProgram(), n.prices, n.bound
	for _, c := range n.seen {
		p.add(c)
	}
	if prices == nil {
		prices = x.noPrices()
	}
	p.improve(prices, func(value float64, prices *boxPrices) (closed bool) {
		if value -= x.shift[0]; n.prices == nil || value > n.bound {
			n.bound, n.prices = max(n.bound, value), prices.at(x.scale)
		}
		return n.bound >= x.best()
	}, func(high float64) bool {
		high, left := high-x.shift[0], x.best()-n.bound
		return high < x.best() && high-n.bound <= .1*left || high-n.bound <= 1e-9*(1+math.Abs(high))
	})
	if n.bound >= x.best() {
		return
	}
	if best := x.best(); !x.limits && !math.IsInf(best, 1) && n.bound <= was+fewGained*(best-was) {
		low := math.Inf(-1)
		p.within()
		p.improve(p.prices(), func(value float64, prices *boxPrices) bool {
			low = max(low, value-prices.price[0]*x.b[0])
			return false
		}, func(high float64) bool { return high-low <= .1*math.Abs(low) })
	}
	x.divide(n, p)
}

// fewGained is the share of what was open up to which a part has gained nothing.
const fewGained = 1e-4

// level sets the scales u of the models, at first such that they count alike at an average corner, and h with them.
func (x *MixtureSearch) level(scale []float64) {
	if x.scale = scale; scale == nil {
		x.scale = make([]float64, len(x.m.Kernels))
		for c := range x.corners {
			sum := 0.0
			for k := range x.scale {
				sum += x.det(k)[c]
			}
			for k := range x.scale {
				x.scale[k] += x.det(k)[c] / sum
			}
		}
	}
	for k, u := range x.scale {
		for c, y := range x.inverse(k) {
			if y *= u; k == 0 || y < x.even[c] {
				x.even[c] = y
			}
		}
	}
}

// prove is what prices prove of the box, with what is added to what ends cost, and the corners that it rests on.
func (x *MixtureSearch) prove(p *boxPrices) (value float64, at []int) {
	m, k := x.m, len(x.m.Kernels)
	clear(x.over)
	for j, u := range x.scale {
		own := x.own[j*x.corners:][:x.corners]
		clear(own)
		for n, price := range p.price {
			x.add(own, j, n, price*p.share[n][j])
		}
		copy(x.worth, own)
		x.alone(x.worth, p.of(j))
		low, where := lowest(x.worth, x.inverse(j))
		x.low[j] = low
		value, at = value+low, append(at, where)
		vector.Axpy(x.over, own, 1/u)
		vector.Axpy(x.over, x.det(j), -low/u)
	}
	x.alone(x.over, p.of(k))
	rest, where := lowest(x.over, x.even)
	x.rest = rest
	for n := 1; n <= m.N; n++ {
		value -= p.price[n] * x.b[n]
	}
	x.Work += float64(2 * len(x.at))
	return value + rest, append(at, where)
}

// alone adds F: what models meet by themselves, at prices by cost and model.
func (x *MixtureSearch) alone(sum, prices []float64) {
	k := len(x.m.Kernels)
	for i, price := range prices {
		if price != 0 {
			x.add(sum, i%k, i/k, price)
			vector.Axpy(sum, x.det(i%k), -price*x.b[i/k])
		}
	}
}

// Proof is the tree as it is by now, for the checker to say what it proves.
func (x *MixtureSearch) Proof(allow []float64) *proof.Claim {
	c := &proof.Claim{Target: math.NaN(), Allow: allow, Choices: &proof.Choices{Under: min(x.best(), math.MaxFloat64)}}
	if x.limits {
		c.Target = math.Inf(1)
	}
	if x.m.Total() {
		c.Choices.Discount = atDiscount
	}
	var walk func(n *mixtureNode)
	walk = func(n *mixtureNode) {
		if n.split {
			c.Choices.Nodes = append(c.Choices.Nodes, proof.Choice{Between: []int{n.cut.i, n.cut.j}})
			walk(n.kids[0])
			walk(n.kids[1])
			return
		}
		p := n.prices
		leaf := proof.Choice{Prices: p.price[1:], Shares: make([][]float64, x.m.N+1), Scales: p.scale, Limits: x.limits}
		for n, r := range p.share {
			if x.shared(n) && p.price[n] > 0 {
				leaf.Shares[n] = r
			}
		}
		if slices.Max(p.alone) > 0 {
			leaf.Alone = p.alone
		}
		c.Choices.Nodes = append(c.Choices.Nodes, leaf)
	}
	walk(x.tree)
	return c
}
