package bound

import (
	"container/heap"
	"math"
	"slices"

	"rcmdplab/core/lp"
	"rcmdplab/core/model"
	"rcmdplab/core/proof"
)

// MixtureSearch bounds averages over few models for policies that mix actions, where there are few policies of one action a
// state: branch and bound over boxes of policies, the hulls of so many points for each state. What it rests on is said at
// package certify (mixtures.go); prices and shares of the models are made best for a box by Kelley's method, a program in as
// few variables as there are models and limits, over the corners of the box that matter.
type MixtureSearch struct {
	m       *model.Standard
	b       []float64   // thresholds by cost, raised by what is allowed
	shift   []float64   // by cost, at discount 1: what is added to what ends cost, so that it is not below 0
	unit    []float64   // by cost: its largest price
	corners int         // ways to take a point for each state
	stride  []int       // by state: how far apart its points are among the corners
	width   int         // numbers of a corner: for each model D, then D J for each cost
	root    []float64   // by corner, of the policies of one action a state
	at      []float64   // the same of the box that is worked on
	points  [][]float64 // of it by pair: what the point that the action began as takes, by action
	open    byBound[*mixtureNode]
	tree    *mixtureNode
	best    float64 // of the policies told; +Inf
	closed  float64 // the least bound of boxes that are closed; +Inf

	Nodes int     // boxes bounded so far
	Work  float64 // numbers read or written, about
}

// mixtureNode is a box of policies.
type mixtureNode struct {
	moves []move      // that led to it
	bound float64     // proved of the objective, but for rounding
	price []float64   // by cost, that of the objective is 1
	share [][]float64 // by cost and model
	seen  []int       // corners that its program rests on
	cut   [2]int      // pairs of one state: the points between which it is split
	split bool
	kids  [2]*mixtureNode
}

// move puts point i of a state half-way to point j, both named by their pairs.
type move struct{ i, j int }

func (n *mixtureNode) least() float64 { return n.bound }

// mostMixed is the most numbers of all corners that are worked with.
const mostMixed = 200_000

// NewMixtureSearch is a search for a problem, nil where there is none: other sets than finite ones, plans that may not mix, models
// of too many policies, and episodes in which something but an end costs less than 0. Limits are raised by what is allowed, nil for nothing.
func NewMixtureSearch(m *model.Standard, allow []float64) *MixtureSearch {
	if m.Kernels == nil || m.Problem.Deterministic {
		return nil
	}
	gamma, rest := m.Gamma, m.Rest
	if m.Total() {
		m, gamma, rest = m.Problem.Standard().AtOne(), atDiscount, 1-atDiscount
	}
	x := &MixtureSearch{m: m, b: slices.Clone(m.B), shift: make([]float64, m.N+1), unit: make([]float64, m.N+1), corners: 1, width: len(m.Kernels) * (m.N + 2), best: math.Inf(1), closed: math.Inf(1)}
	for s := range m.S {
		x.stride = append(x.stride, x.corners)
		if x.corners *= m.Off[s+1] - m.Off[s]; x.corners*x.width > mostMixed {
			return nil
		}
	}
	lo, hi := m.Bounds(0)
	for n := 1; n <= m.N; n++ {
		size := m.Scale(n, m.B[n])
		if n <= len(allow) {
			x.b[n] += allow[n-1]
		}
		x.unit[n] = 1e3 * max(hi-lo, 1e-9) * m.H / max(size, 1e-300)
	}
	if !x.lift() {
		return nil
	}
	x.root, x.at = make([]float64, x.corners*x.width), make([]float64, x.corners*x.width)
	x.fill(gamma, rest)
	x.tree = &mixtureNode{bound: math.Inf(-1)}
	return x
}

// atDiscount is what episodes are judged at.
const atDiscount = 1 - 0x1p-24

// lift finds what is added to what ends cost; false where something else costs less than 0.
func (x *MixtureSearch) lift() bool {
	m := x.m
	if !m.Total() {
		return true
	}
	for _, ker := range m.Kernels {
		for n := range m.N + 1 {
			for i, c := range m.ExpectedCost(n, ker) {
				if c < 0 && !m.Ends(m.State[i]) {
					return false
				}
				x.shift[n] = max(x.shift[n], -c)
			}
		}
	}
	for n, by := range x.shift {
		x.b[n] += by
	}
	return true
}

// fill works out the corners at the root, each by elimination without subtractions.
func (x *MixtureSearch) fill(gamma, rest float64) {
	m := x.m
	a, c, v := make([]float64, m.S*m.S), make([]float64, m.S*(m.N+1)), make([]float64, m.S)
	over := make([]float64, m.S)
	for k, ker := range m.Kernels {
		costs := make([][]float64, m.N+1)
		for n := range costs {
			costs[n] = m.ExpectedCost(n, ker)
		}
		for corner := range x.corners {
			clear(a)
			for s := range m.S {
				i := m.Off[s] + corner/x.stride[s]%(m.Off[s+1]-m.Off[s])
				next, prob := ker.Row(i)
				for n := range costs {
					c[n*m.S+s] = costs[n][i]
				}
				if over[s] = rest; m.Total() && m.Ends(s) {
					over[s] = 1
					for n := range costs {
						c[n*m.S+s] += x.shift[n]
					}
					continue
				}
				for j, t := range next {
					a[s*m.S+t] = gamma * prob[j]
				}
			}
			d := 1.0
			for s := range m.S { // state s is taken out
				out := over[s]
				for _, y := range a[s*m.S+s+1 : (s+1)*m.S] {
					out += y
				}
				d *= out
				v[s] = out
				for t := s + 1; t < m.S; t++ {
					f := a[t*m.S+s] / out
					if f == 0 {
						continue
					}
					over[t] += f * over[s]
					for u := s + 1; u < m.S; u++ {
						a[t*m.S+u] += f * a[s*m.S+u]
					}
					for n := range costs {
						c[n*m.S+t] += f * c[n*m.S+s]
					}
				}
			}
			to := x.root[corner*x.width+k*(m.N+2):]
			to[0] = d
			for n := range costs {
				r, total := c[n*m.S:(n+1)*m.S], 0.0
				for s := m.S - 1; s >= 0; s-- {
					for t := s + 1; t < m.S; t++ {
						r[s] += a[s*m.S+t] * r[t]
					}
					r[s] /= v[s]
					total += m.Mu[s] * r[s]
				}
				to[1+n] = d * total
			}
		}
	}
}

// Known tells the value of a policy that counts.
func (x *MixtureSearch) Known(objective float64) { x.best = min(x.best, objective) }

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
	x.box(x.tree)
	x.take(x.tree)
}

func (x *MixtureSearch) take(n *mixtureNode) {
	if x.Nodes++; n.bound >= x.best {
		x.closed = min(x.closed, n.bound)
		n.seen = nil
		return
	}
	heap.Push(&x.open, n)
}

// Step splits the box of least bound and reports whether nothing is left to do.
func (x *MixtureSearch) Step() (done bool) {
	if len(x.open) == 0 {
		return true
	}
	n := heap.Pop(&x.open).(*mixtureNode)
	if n.bound >= x.best {
		x.closed = min(x.closed, n.bound)
		return len(x.open) == 0
	}
	n.split = true
	for side := range n.kids {
		e := move{n.cut[side], n.cut[1-side]}
		kid := &mixtureNode{moves: append(slices.Clip(n.moves), e), bound: n.bound, price: n.price, share: n.share, seen: n.seen}
		x.box(kid)
		n.kids[side] = kid
		x.take(kid)
	}
	n.seen = nil
	return len(x.open) == 0
}

// enter moves the tensors and the points to those of a box.
func (x *MixtureSearch) enter(n *mixtureNode) {
	m := x.m
	copy(x.at, x.root)
	x.points = make([][]float64, m.Pairs())
	for i, s := range m.State {
		x.points[i] = make([]float64, m.Off[s+1]-m.Off[s])
		x.points[i][i-m.Off[s]] = 1
	}
	for _, e := range n.moves {
		s := m.State[e.i]
		for k := range x.points[e.i] {
			x.points[e.i][k] = (x.points[e.i][k] + x.points[e.j][k]) / 2
		}
		stride, all := x.stride[s]*x.width, x.stride[s]*x.width*(m.Off[s+1]-m.Off[s])
		for from := 0; from < len(x.at); from += all {
			a, b := x.at[from+(e.i-m.Off[s])*stride:][:stride], x.at[from+(e.j-m.Off[s])*stride:][:stride]
			for k, y := range b {
				a[k] = (a[k] + y) / 2
			}
		}
	}
	x.Work += float64(len(x.at) + len(x.at)*len(n.moves)/2)
}

// mostCuts ends Kelley's method where it crawls.
const mostCuts = 25

// box bounds a box and chooses where it is split.
func (x *MixtureSearch) box(n *mixtureNode) {
	x.enter(n)
	m, k := x.m, len(x.m.Kernels)
	w := m.N + 2
	most := make([]float64, k) // of D
	for c := range x.corners {
		for j := range most {
			most[j] = max(most[j], x.at[c*x.width+j*w])
		}
	}
	p := x.program(most)
	seen := map[int]bool{}
	var list []int
	add := func(c int) {
		if !seen[c] {
			seen[c] = true
			list = append(list, c)
			x.rows(p, c, most)
		}
	}
	for _, c := range n.seen {
		add(c)
	}
	y := make([]float64, k*(m.N+1)) // by model and cost
	price, share := n.price, n.share
	if price == nil {
		price, share = x.even()
	}
	target := x.best
	var mass []float64
	for round := range mostCuts {
		x.weigh(y, price, share)
		value, at := x.worth(y, price, most)
		if value > n.bound || n.price == nil {
			n.bound, n.price, n.share = max(n.bound, value), price, share
		}
		for _, c := range at {
			add(c)
		}
		if n.bound >= target || p.Solve() != lp.Optimal {
			break
		}
		high := -p.Objective() - x.shift[0]
		mass = p.Duals(mass)
		if round > 2 && (high < target && high-n.bound <= .1*(target-n.bound) || high-n.bound <= 1e-9*(1+math.Abs(high))) {
			break
		}
		price, share = x.read(p)
	}
	n.seen = n.seen[:0:0]
	weight := make([]float64, m.Pairs())
	total, first := 0.0, x.firstRow()
	for j, c := range list {
		q := 0.0
		for r := range k + 1 {
			if row := first + j*(k+1) + r; row < len(mass) {
				q += math.Abs(mass[row])
			}
		}
		if q == 0 && j+4*k < len(list) {
			continue
		}
		n.seen = append(n.seen, c)
		total += q
		for s := range m.S {
			weight[m.Off[s]+c/x.stride[s]%(m.Off[s+1]-m.Off[s])] += q
		}
	}
	n.cut = x.edge(weight, total)
}

// edge is where a box is split: between points far apart of which what the bound rests on takes both.
func (x *MixtureSearch) edge(weight []float64, total float64) (cut [2]int) {
	m, most := x.m, -1.0
	for s := range m.S {
		for i := m.Off[s]; i < m.Off[s+1]; i++ {
			for j := i + 1; j < m.Off[s+1]; j++ {
				far := 0.0
				for k, y := range x.points[i] {
					far += math.Abs(y - x.points[j][k])
				}
				if score := far * (math.Sqrt(weight[i]*weight[j]) + 1e-3*total + 1e-9); score > most {
					most, cut = score, [2]int{i, j}
				}
			}
		}
	}
	return cut
}

// even are no prices, and models that count alike.
func (x *MixtureSearch) even() (price []float64, share [][]float64) {
	price = make([]float64, x.m.N+1)
	price[0] = 1
	for range price {
		share = append(share, slices.Clone(x.m.Weights))
	}
	return price, share
}

// weigh writes by model and cost what the return counts.
func (x *MixtureSearch) weigh(y, price []float64, share [][]float64) {
	for n, l := range price {
		for j := range x.m.Kernels {
			y[j*len(price)+n] = l * share[n][j]
		}
	}
}

// worth is what prices prove of the box, and the corners that it rests on.
func (x *MixtureSearch) worth(y, price, most []float64) (value float64, at []int) {
	m, w := x.m, x.m.N+2
	least := make([]float64, len(most))
	for j := range least {
		l, where := math.Inf(1), 0
		for c := range x.corners {
			d := x.at[c*x.width+j*w:][:w]
			sum := 0.0
			for n, z := range d[1:] {
				sum += y[j*(m.N+1)+n] * z
			}
			if sum /= d[0]; sum < l {
				l, where = sum, c
			}
		}
		least[j] = l
		at = append(at, where)
	}
	low, where := math.Inf(1), 0
	for c := range x.corners {
		g := 0.0
		for j, u := range most {
			d := x.at[c*x.width+j*w:][:w]
			sum := -least[j] * d[0]
			for n, z := range d[1:] {
				sum += y[j*(m.N+1)+n] * z
			}
			g += sum / u
		}
		if g < low {
			low, where = g, c
		}
	}
	x.Work += float64(2 * len(x.at))
	value = low - x.shift[0]
	for _, l := range least {
		value += l
	}
	for n := 1; n <= m.N; n++ {
		value -= price[n] * x.b[n]
	}
	return value, append(at, where)
}

// The columns of the program: the values of the models, the bound without the limits, prices, and shares times prices by
// cost and model, fixed at 0 for a mean.
func (x *MixtureSearch) columns() (value, price, share int) {
	k := len(x.m.Kernels)
	return k, k + 1, k + 1 + x.m.N
}

// firstRow is how many rows the program has before those of corners.
func (x *MixtureSearch) firstRow() int {
	rows := 0
	for _, share := range x.m.Over {
		if share != 1 {
			if rows++; share > 0 {
				rows += len(x.m.Kernels)
			}
		}
	}
	return rows
}

// program is that of a box, without the rows of corners.
func (x *MixtureSearch) program(most []float64) *lp.LP {
	m, k := x.m, len(x.m.Kernels)
	value, price, share := x.columns()
	p := lp.New(share + k*(m.N+1))
	lo, hi := m.Bounds(0)
	large := 1e3 * (1 + max(hi, -lo)) * m.H
	for j := range k {
		p.SetBounds(j, -large*1e3, large*1e3)
	}
	p.SetBounds(value, -large*1e3, large*1e3)
	p.SetCost(value, -1)
	for n := 1; n <= m.N; n++ {
		p.SetBounds(price+n-1, 0, x.unit[n])
		p.SetCost(price+n-1, x.b[n])
	}
	for n := range m.N + 1 {
		from := share + n*k
		if m.Over[n] == 1 {
			for j := range k {
				p.SetBounds(from+j, 0, 0)
			}
			continue
		}
		var cols []int32
		var coef []float64
		for j := range k {
			cols, coef = append(cols, int32(from+j)), append(coef, 1)
		}
		if n == 0 {
			p.AddRow(cols, coef, 1, 1)
		} else {
			p.AddRow(append(cols, int32(price+n-1)), append(coef, -1), 0, 0)
		}
		for j := range k {
			if m.Over[n] == 0 {
				break
			}
			if most := m.Weights[j] / m.Over[n]; n == 0 {
				p.AddRow([]int32{int32(from + j)}, []float64{1}, math.Inf(-1), most)
			} else {
				p.AddRow([]int32{int32(from + j), int32(price + n - 1)}, []float64{1, -most}, math.Inf(-1), 0)
			}
		}
	}
	return p
}

// rows adds those of a corner: each model's value is at most what it is there, and so is the bound.
func (x *MixtureSearch) rows(p *lp.LP, c int, most []float64) {
	m, k := x.m, len(x.m.Kernels)
	value, price, share := x.columns()
	w := m.N + 2
	cols, coef, right := []int32{int32(value)}, []float64{1}, 0.0
	whole := map[int]float64{}
	for j, u := range most {
		d := x.at[c*x.width+j*w:][:w]
		one, own := []int32{int32(j)}, []float64{1}
		limit := 0.0
		cols, coef = append(cols, int32(j)), append(coef, -(1-d[0]/u))
		for n, z := range d[1:] {
			switch {
			case m.Over[n] != 1:
				one, own = append(one, int32(share+n*k+j)), append(own, -z/d[0])
				cols, coef = append(cols, int32(share+n*k+j)), append(coef, -z/u)
			case n == 0:
				limit += m.Weights[j] * z / d[0]
				right += m.Weights[j] * z / u
			default:
				one, own = append(one, int32(price+n-1)), append(own, -m.Weights[j]*z/d[0])
				whole[price+n-1] -= m.Weights[j] * z / u
			}
		}
		p.AddRow(one, own, math.Inf(-1), limit)
	}
	for n := 1; n <= m.N; n++ {
		if z, some := whole[price+n-1]; some {
			cols, coef = append(cols, int32(price+n-1)), append(coef, z)
		}
	}
	p.AddRow(cols, coef, math.Inf(-1), right)
}

// read takes prices and shares from the program.
func (x *MixtureSearch) read(p *lp.LP) (price []float64, share [][]float64) {
	m, k := x.m, len(x.m.Kernels)
	_, first, from := x.columns()
	price, share = x.even()
	z := p.X()
	for n := range share {
		if n > 0 {
			price[n] = max(0, z[first+n-1])
		}
		if m.Over[n] == 1 {
			continue
		}
		sum := 0.0
		for j := range k {
			share[n][j] = max(0, z[from+n*k+j])
			sum += share[n][j]
		}
		for j := range k {
			if share[n][j] /= sum; !(sum > 0) {
				share[n][j] = m.Weights[j]
			}
		}
		left := 1.0
		for j := range k {
			share[n][j] = min(share[n][j], x.most(n, j))
			left -= share[n][j]
		}
		for j := range k { // what the program's tolerance took
			more := max(0, min(left, x.most(n, j)-share[n][j]))
			share[n][j] += more
			left -= more
		}
	}
	return price, share
}

// most is the largest share of a model in the return of cost n.
func (x *MixtureSearch) most(n, model int) float64 {
	if x.m.Over[n] == 0 {
		return 1
	}
	return x.m.Weights[model] / x.m.Over[n]
}

// Proof is the tree as it is by now, for the checker to say what it proves.
func (x *MixtureSearch) Proof(allow []float64) *proof.Claim {
	c := &proof.Claim{Target: math.NaN(), Allow: allow, Choices: &proof.Choices{}}
	if x.m.Total() {
		c.Choices.Discount = atDiscount
	}
	var walk func(n *mixtureNode)
	walk = func(n *mixtureNode) {
		if n.split {
			c.Choices.Nodes = append(c.Choices.Nodes, proof.Choice{Between: n.cut[:]})
			walk(n.kids[0])
			walk(n.kids[1])
			return
		}
		leaf := proof.Choice{Prices: slices.Clone(n.price[1:]), Shares: make([][]float64, x.m.N+1)}
		for k, r := range n.share {
			if x.m.Over[k] != 1 && n.price[k] > 0 {
				leaf.Shares[k] = r
			}
		}
		c.Choices.Nodes = append(c.Choices.Nodes, leaf)
	}
	walk(x.tree)
	return c
}
