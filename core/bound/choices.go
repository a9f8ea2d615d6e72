package bound

import (
	"container/heap"
	"math"
	"slices"

	"rcmdplab/core/evaluate"
	"rcmdplab/core/game"
	"rcmdplab/core/model"
	"rcmdplab/core/proof"
)

// ChoiceSearch bounds averages over models, and where policies take one action in each state closes
// in on the best of them: branch and bound over the pairs that are left. At a node weak duality under
// every model (dual), or against the rectangular set, bounds all policies made of those pairs; what it does not
// close is split in a state where the policies it rests on differ. The policies met on the way
// are told, with what changing them state by state makes of them.
//
// Its proof at any time is the tree with the prices of its leaves (proof.Choices). Where policies may mix, the
// root is all of it.
type ChoiceSearch struct {
	m     *model.Standard
	ev    *evaluate.Evaluator
	price *Pricing
	met   func(policy []float64) (objective float64, counts bool)
	allow []float64 // by constraint from 1: what is added to its threshold; nil: nothing

	games []*game.Game // by model, or against the rectangular set
	duals []*dual      // one for each model by itself, or one for all together; of a rectangular set one, under a kernel of it
	root  *choiceNode
	open  byBound[*choiceNode]
	tried map[string]bool // policies that were evaluated

	best   float64 // of the policies told that count; +Inf
	slack  float64 // a node this near to best is closed
	Nodes  int     // bounded so far
	Work   float64 // numbers read or written, about
	closed float64 // the least bound of the nodes that are closed; +Inf
}

// choiceNode is one node of the tree.
type choiceNode struct {
	closed []bool // by pair: not left
	keep   []int  // pairs of one state that the first child keeps; nil: not split
	kids   [2]*choiceNode

	bound   float64     // proved of the objective, but for rounding; +Inf where no policy meets the limits
	price   []float64   // by cost; price[0] is 0 where the limits alone close it
	share   [][]float64 // by cost and model
	endless int         // at discount 1: 1 + a model under which none of these policies surely ends; 0: none
	pools   [][][]*cut  // by dual and player
}

func (n *choiceNode) least() float64 { return n.bound }

// byBound is a heap of nodes of a tree that wait, that of least bound first.
type byBound[N interface{ least() float64 }] []N

func (h byBound[N]) Len() int           { return len(h) }
func (h byBound[N]) Less(i, j int) bool { return h[i].least() < h[j].least() }
func (h byBound[N]) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }
func (h *byBound[N]) Push(x any)        { *h = append(*h, x.(N)) }
func (h *byBound[N]) Pop() any {
	old := *h
	n := old[len(old)-1]
	*h = old[:len(old)-1]
	return n
}

// mostTogether is how many mixtures and prices one program may hold: beyond, models count alone where
// they can.
const mostTogether = 48

// NewChoiceSearch makes a search with an evaluator of its own for policies of one action a state; met
// judges one that seems to be the best so far. It fails where nothing bounds the problem.
func NewChoiceSearch(ev *evaluate.Evaluator, allow []float64, met func(policy []float64) (objective float64, counts bool)) (*ChoiceSearch, error) {
	m := ev.M
	price, err := NewPricing(m)
	if err != nil {
		return nil, err
	}
	x := &ChoiceSearch{m: m, ev: ev, price: price, met: met, allow: allow, tried: map[string]bool{}, best: math.Inf(1), closed: math.Inf(1)}
	lo, hi := m.Bounds(0)
	x.slack = 1e-10 * m.GapScale((hi-lo)*m.H)
	x.root = &choiceNode{closed: make([]bool, m.Pairs()), bound: math.Inf(-1)}
	if m.Rectangular() {
		x.games = []*game.Game{game.New(m, nil)}
		return x, nil
	}
	for _, k := range m.Kernels {
		x.games = append(x.games, game.New(m, k))
	}
	all := make([]int, len(m.Kernels))
	for k := range all {
		all[k] = k
	}
	alone := !slices.ContainsFunc(m.Over[1:], func(share float64) bool { return share > 0 }) && (m.Over[0] == 1 || len(all)*(m.N+1) > mostTogether)
	groups := [][]int{all}
	if alone || len(all) == 1 {
		groups = nil
		for k := range all {
			groups = append(groups, all[k:k+1])
		}
	}
	for _, models := range groups {
		y := x.newDual(models)
		for _, k := range models {
			y.players = append(y.players, player{x.games[k]})
		}
		x.duals = append(x.duals, y)
	}
	return x, nil
}

// modest is the share of a limit's scale that a price has to bring besides: without it rounding makes
// prices of limits without room as high as they may be. A proof counts without it.
const modest = 1e-10

// newDual is one without players yet.
func (x *ChoiceSearch) newDual(models []int) *dual {
	m := x.m
	y := &dual{m: m, models: models, b: slices.Clone(m.B), cap: make([]float64, m.N+1), unit: make([]float64, m.N+1), price: make([]float64, m.N+1), share: make([][]float64, m.N+1)}
	y.best.share = make([][]float64, m.N+1)
	lo, hi := m.Bounds(0)
	for n := range y.share {
		y.share[n] = make([]float64, len(models))
		if n == 0 {
			continue
		}
		size := m.Scale(n, m.B[n])
		if size == 0 {
			size = 1
		}
		y.unit[n], y.cap[n] = 1/size, 10*max(hi-lo, 1e-9)*min(m.H, 1e3)/size
		if y.b[n] += modest * size; n <= len(x.allow) {
			y.b[n] += x.allow[n-1]
		}
	}
	return y
}

// Widen is Pricing.Widen of its leaves: false below discount 1, where the checker needs no room.
func (x *ChoiceSearch) Widen() bool { return x.m.Total() && x.price.Widen() }

// Known tells a policy that counts, found elsewhere.
func (x *ChoiceSearch) Known(objective float64) { x.best = min(x.best, objective) }

// Bound is the least return of the objective that any policy has that meets the limits, as far as is known
// and but for rounding; +Inf when none does.
func (x *ChoiceSearch) Bound() float64 {
	low := x.closed
	if len(x.open) > 0 {
		low = min(low, x.open[0].bound)
	}
	return low
}

// Open is how many nodes wait.
func (x *ChoiceSearch) Open() int { return len(x.open) }

// target is what a node has to prove to be closed.
func (x *ChoiceSearch) target() float64 { return x.best - x.slack }

// Begin bounds the root. False when more says no.
func (x *ChoiceSearch) Begin(more func() bool) bool {
	n := x.root
	for _, y := range x.duals {
		for c := range y.price {
			y.price[c] = 0
			for j, k := range y.models {
				y.share[c][j] = 1
				if len(y.models) > 1 {
					y.share[c][j] = x.m.Weights[k]
				}
			}
		}
		y.price[0] = 1
		n.pools = append(n.pools, make([][]*cut, len(y.models)))
	}
	ok := x.node(n, more)
	if ok {
		x.take(n)
	}
	return ok
}

// take puts a node among those that wait, or are closed.
func (x *ChoiceSearch) take(n *choiceNode) {
	x.Nodes++
	if n.bound >= x.target() || n.price[0] == 0 || !x.m.Problem.Deterministic {
		x.closed = min(x.closed, n.bound)
		n.pools = nil
	} else {
		heap.Push(&x.open, n)
	}
}

// Step splits the node of least bound. It reports whether nothing is left to do; left when more said no.
func (x *ChoiceSearch) Step(more func() bool) (done, left bool) {
	for len(x.open) > 0 {
		n := heap.Pop(&x.open).(*choiceNode)
		keep := x.branch(n)
		if n.bound >= x.target() || keep == nil {
			x.closed = min(x.closed, n.bound)
			n.pools = nil
			continue
		}
		n.keep = keep
		s := x.m.State[keep[0]]
		for side := range n.kids {
			kid := &choiceNode{closed: slices.Clone(n.closed), bound: n.bound, price: n.price, share: n.share}
			for i := x.m.Off[s]; i < x.m.Off[s+1]; i++ {
				if slices.Contains(keep, i) != (side == 0) {
					kid.closed[i] = true
				}
			}
			for _, pool := range n.pools {
				kid.pools = append(kid.pools, slices.Clone(pool))
				for j := range pool {
					kid.pools[len(kid.pools)-1][j] = slices.Clone(pool[j])
				}
			}
			if !x.node(kid, more) { // as if it had not been split
				n.keep = nil
				heap.Push(&x.open, n)
				return false, true
			}
			n.kids[side] = kid
		}
		n.pools = nil
		for _, kid := range n.kids {
			x.take(kid)
		}
		return len(x.open) == 0, false
	}
	return true, false
}

// node bounds a node. False when more says no.
func (x *ChoiceSearch) node(n *choiceNode, more func() bool) bool {
	if k := x.endless(n); k >= 0 { // none of them counts
		n.bound, n.price = math.Inf(1), make([]float64, x.m.N+1)
		n.endless = k + 1
		return true
	}
	if choice := x.only(n); choice != nil {
		x.single(n, choice)
		return true
	}
	if x.m.Rectangular() {
		return x.robust(n, more)
	}
	return x.solve(n, more)
}

// only is the pair left in each state where a node has one policy, nil else.
func (x *ChoiceSearch) only(n *choiceNode) (choice []int) {
	choice = make([]int, 0, x.m.S)
	for i, closed := range n.closed {
		if closed {
			continue
		}
		if x.m.State[i] != len(choice) {
			return nil
		}
		choice = append(choice, i)
	}
	return choice
}

// single bounds a node of one policy by one of its costs, under the mixture of the models that is worst for it: of the limit that
// it misses most, or else of the objective. No prices prove more, and a program that seeks them rounds.
func (x *ChoiceSearch) single(n *choiceNode, choice []int) {
	m := x.m
	x.policy(choice)
	x.ev.Evaluate(m.Deterministic(choice))
	cost, most := 0, meets
	for c := 1; c <= m.N; c++ {
		noise := 2*x.ev.ErrorBound[c] + 8*model.Roundoff*math.Abs(m.B[c])
		if by := x.over(c); by > max(most, noise/m.Scale(c, m.B[c])) {
			cost, most = c, by
		}
	}
	if n.bound = x.ev.Centred(0); cost > 0 {
		n.bound = math.Inf(1)
	}
	n.price, n.share, n.pools = make([]float64, m.N+1), make([][]float64, m.N+1), nil
	n.price[cost] = 1
	for c := range n.share {
		if n.share[c] = []float64{1}; !m.Rectangular() {
			n.share[c] = x.ev.Shares(c)
		}
	}
}

// solve bounds a node of a finite problem.
func (x *ChoiceSearch) solve(n *choiceNode, more func() bool) bool {
	m := x.m
	before := n.bound
	low := make([]float64, len(x.duals))
	for g, y := range x.duals {
		y.pool = n.pools[g]
		for c := range n.price { // where the parent ended
			y.price[c] = n.price[c]
			for j, k := range y.models {
				if y.share[c][j] = n.share[c][k]; len(y.models) == 1 {
					y.share[c][j] = 1
				}
			}
		}
		y.price[0], y.limits = 1, false
		target, near := x.enough(before)
		if !y.maximise(n.closed, target, near, more) {
			return false
		}
		low[g] = y.best.low
		y.weigh()
		if m.N > 0 && (math.IsInf(x.best, 1) || y.capped(y.best.price)) && y.best.low < x.target() {
			price, share, ok := x.impossible(y, n.closed, more)
			if !ok {
				return false
			}
			if price != nil {
				n.pools[g] = y.pool
				n.bound = math.Inf(1)
				n.price, n.share = price, share
				return true
			}
		}
		n.pools[g] = y.pool
		x.meet(y)
	}
	if price, share, bound := x.together(low); bound >= before || n.price == nil { // else what the parent proves holds here
		n.price, n.share, n.bound = price, share, bound
	}
	return true
}

// near is what of a bound may be left out that will not close its node; before is that of the parent.
func (x *ChoiceSearch) near(before float64) float64 {
	missing := x.target() - before
	if !x.m.Problem.Deterministic {
		return 0
	}
	if math.IsInf(missing, 0) || math.IsNaN(missing) {
		lo, hi := x.m.Bounds(0)
		missing = 0.1 * (hi - lo) * x.m.H
	}
	return max(0.01*missing, x.slack/4)
}

// enough is what one program has to prove: where the bounds of models alone are averaged, each all it can.
func (x *ChoiceSearch) enough(before float64) (target, near float64) {
	if target, near = x.target(), x.near(before); len(x.duals) > 1 && x.m.Over[0] > 0 {
		target = math.Inf(1)
	}
	return target, near
}

// together makes one bound of those of each model alone: ρ_0 of them, at the vertex of the objective's mixtures.
func (x *ChoiceSearch) together(low []float64) (price []float64, share [][]float64, bound float64) {
	m := x.m
	if len(x.duals) == 1 {
		y := x.duals[0]
		price = slices.Clone(y.best.price)
		for _, r := range y.best.share {
			share = append(share, slices.Clone(r))
		}
		return price, share, y.best.low
	}
	q := make([]float64, len(low))
	evaluate.Tail(q, make([]int, len(low)), m.Weights, m.Over[0], func(k int) float64 { return low[k] })
	price, share = make([]float64, m.N+1), make([][]float64, m.N+1)
	price[0], share[0] = 1, q
	for k, y := range x.duals {
		if q[k] == 0 {
			continue
		}
		bound += q[k] * low[k]
		for n := 1; n <= m.N; n++ {
			price[n] += q[k] * y.best.price[n]
		}
	}
	for n := 1; n <= m.N; n++ {
		share[n] = make([]float64, len(low))
		for k, y := range x.duals {
			if q[k] != 0 && price[n] > 0 {
				share[n][k] = q[k] * y.best.price[n] / price[n]
			}
		}
		if price[n] == 0 {
			copy(share[n], q)
		}
	}
	return price, share, bound
}

// misses is the least violation, in shares of the limits' scales, that counts as one.
const misses = 1e-11

// impossible looks for prices of the limits alone by which no policy left meets them; nil when there
// are none.
func (x *ChoiceSearch) impossible(y *dual, closed []bool, more func() bool) (price []float64, share [][]float64, ok bool) {
	m := x.m
	y.limits = true
	was := y.best
	y.best.price, y.best.share = nil, make([][]float64, m.N+1)
	defer func() { y.limits, y.best = false, was }()
	y.price[0] = 0
	for n := 1; n <= m.N; n++ {
		y.price[n] = y.unit[n] / float64(m.N)
	}
	if !y.maximise(closed, misses, 0, more) {
		return nil, nil, false
	}
	if y.best.low < misses {
		return nil, nil, true
	}
	price = slices.Clone(y.best.price)
	for n, r := range y.best.share {
		all := make([]float64, max(1, len(m.Kernels)))
		for j, k := range y.models {
			if all[k] = r[j]; n == 0 {
				all[k] = 0
			}
		}
		share = append(share, all)
	}
	return price, share, true
}

// meet evaluates the policies that a dual rests on.
func (x *ChoiceSearch) meet(y *dual) {
	for _, pool := range y.pool {
		for _, c := range pool {
			if c.weight > 0 {
				x.policy(c.choice)
			}
		}
	}
}

// mostChanging bounds the work of trying every change of one state of a policy, in multiplications.
const mostChanging = 3e8

// policy evaluates a policy, once, with what changing it state by state makes of it.
func (x *ChoiceSearch) policy(choice []int) {
	if x.known(choice) {
		return
	}
	if !x.m.Problem.Deterministic {
		x.met(x.m.Deterministic(choice))
		return
	}
	now := slices.Clone(choice)
	value, miss := x.value(now)
	x.tell(now, value, miss)
	if float64(x.m.Pairs())*x.ev.Work() > mostChanging || x.Nodes > 16 && x.Nodes%16 != 0 {
		return
	}
	for changed := true; changed; {
		changed = false
		for s := range now {
			was := now[s]
			for i := x.m.Off[s]; i < x.m.Off[s+1]; i++ {
				if i == was {
					continue
				}
				now[s] = i
				if v, d := x.value(now); d < miss || d == miss && v < value-1e-13*math.Abs(value) {
					value, miss, was, changed = v, d, i, true
				}
			}
			now[s] = was
		}
	}
	if !x.known(now) {
		x.tell(now, value, miss)
	}
}

// known reports whether a policy was met before.
func (x *ChoiceSearch) known(choice []int) bool {
	key := make([]byte, 0, 2*len(choice))
	for s, i := range choice {
		a := i - x.m.Off[s]
		key = append(key, byte(a), byte(a>>8))
	}
	if x.tried[string(key)] {
		return true
	}
	x.tried[string(key)] = true
	return false
}

// meets is the share of a limit's scale up to which a policy meets it but for rounding.
const meets = 1e-12

// value is what a policy costs and by which share of its scale it misses a limit, 0 for rounding or nothing.
func (x *ChoiceSearch) value(choice []int) (objective, miss float64) {
	x.ev.Evaluate(x.m.Deterministic(choice))
	x.Work += x.ev.Work()
	for n := 1; n <= x.m.N; n++ {
		if by := x.over(n); by > meets {
			miss = max(miss, by)
		}
	}
	return x.ev.Centred(0), miss
}

// over is by which share of its scale the policy evaluated last misses limit n, beyond what is allowed.
func (x *ChoiceSearch) over(n int) float64 {
	by := x.ev.Excess(n)
	if n <= len(x.allow) {
		by -= x.allow[n-1]
	}
	return by / x.m.Scale(n, x.m.B[n])
}

// tell tells a policy that may be the best so far.
func (x *ChoiceSearch) tell(choice []int, value, miss float64) {
	if miss > 0 && !math.IsInf(x.best, 1) {
		return
	}
	if objective, counts := x.met(x.m.Deterministic(choice)); counts {
		x.best = min(x.best, objective)
	}
}

// branch chooses the pairs that the first child keeps: of the state where the policies that the bound rests
// on differ most, by how often they come by, what most of them take. Nil where one policy is left.
func (x *ChoiceSearch) branch(n *choiceNode) []int {
	m := x.m
	mass, visits := make([]float64, m.Pairs()), make([]float64, m.S)
	for g, pools := range n.pools {
		for j, pool := range pools {
			q := 1.0
			if !m.Rectangular() {
				q = n.share[0][x.duals[g].models[j]] + 1e-6
			}
			for _, c := range pool {
				for s, i := range c.choice {
					mass[i] += q * c.weight * c.visits[s]
					visits[s] += q * c.weight * c.visits[s]
				}
			}
		}
	}
	pick, most, keep := -1, -1.0, -1
	for s := range m.S {
		top, left := -1, 0
		for i := m.Off[s]; i < m.Off[s+1]; i++ {
			if n.closed[i] {
				continue
			}
			left++
			if top < 0 || mass[i] > mass[top] {
				top = i
			}
		}
		if left < 2 {
			continue
		}
		// Those that differ come first, then those that are seen.
		if score := (visits[s] - mass[top]) + 1e-9*visits[s]; score > most {
			pick, most, keep = s, score, top
		}
	}
	if pick < 0 {
		return nil
	}
	return []int{keep}
}

// Proof is what the tree proves by now: its leaves with values under every model, to be judged. Nil when more says no.
func (x *ChoiceSearch) Proof(more func() bool) *proof.Claim {
	c := &proof.Claim{Target: math.NaN(), Allow: x.allow, Choices: &proof.Choices{Deterministic: x.root.keep != nil}}
	impossible := true
	var walk func(n *choiceNode) bool
	walk = func(n *choiceNode) bool {
		if n.keep != nil {
			c.Choices.Nodes = append(c.Choices.Nodes, proof.Choice{Keep: n.keep})
			return walk(n.kids[0]) && walk(n.kids[1])
		}
		leaf, ok := x.leaf(n, more)
		c.Choices.Nodes = append(c.Choices.Nodes, leaf)
		impossible = impossible && leaf.Limits
		return ok
	}
	if x.root.price == nil || !walk(x.root) {
		return nil
	}
	if impossible {
		c.Target = math.Inf(1)
	}
	return c
}

// leaf is the proof of a node by itself.
func (x *ChoiceSearch) leaf(n *choiceNode, more func() bool) (leaf proof.Choice, ok bool) {
	m := x.m
	if n.endless > 0 {
		return proof.Choice{Endless: n.endless}, true
	}
	models := max(1, len(m.Kernels))
	leaf = proof.Choice{Limits: n.price[0] == 0, Prices: slices.Clone(n.price[1:]), V: make([][]float64, models), Low: make([][]float64, models)}
	if models > 1 {
		leaf.Shares = make([][]float64, m.N+1)
		for c, r := range n.share {
			if m.Over[c] != 1 && n.price[c] > 0 {
				leaf.Shares[c] = r
			}
		}
	}
	w := make([]float64, m.N+1)
	for k := range models {
		idle := true
		for c := range w {
			w[c] = n.price[c] * n.share[c][k]
			idle = idle && w[c] == 0
		}
		if idle { // rounding may give it a share all the same
			leaf.V[k] = make([]float64, m.S)
			continue
		}
		g := x.games[k]
		if !played(g, w, n.closed, more) {
			return leaf, false
		}
		if m.Total() {
			if leaf.V[k] = x.atOne(k, w, n.closed, more); leaf.V[k] == nil {
				return leaf, false
			}
			continue
		}
		g.Refine()
		leaf.V[k], leaf.Low[k] = g.Values()
	}
	return leaf, true
}

// endless is a model under which no policy of the pairs that are left surely ends, -1 where none is found.
func (x *ChoiceSearch) endless(n *choiceNode) int {
	if !x.m.Total() {
		return -1
	}
	for k, ker := range x.m.Kernels {
		if s, _ := evaluate.EpisodesUnder(x.m, ker, n.closed, nil).Trapped(); s >= 0 {
			return k
		}
	}
	return -1
}

// atOne are values of a leaf at discount 1, under model k or against the set, from the game that was played on the
// stand-in; nil where none are found.
func (x *ChoiceSearch) atOne(k int, w []float64, closed []bool, more func() bool) []float64 {
	v, _ := x.games[k].Values()
	g := game.New(x.m.AtOne(), kernel(x.m, k))
	g.Start(v, x.games[k].Choice)
	pace := paced(more)
	if g.KeepPace(pace); !played(g, w, closed, more) || pace.Cut() {
		return nil
	}
	m := x.m
	if math.IsNaN(g.Value()) {
		choice := slices.Clone(g.Choice)
		m = ending(m, k, closed, choice, pace)
		g = game.New(m.AtOne(), kernel(m, k))
		g.Start(v, choice)
		if g.KeepPace(pace); !played(g, w, closed, more) || pace.Cut() {
			return nil
		}
	}
	g.Refine()
	rows, pay := g.Kernel()
	v, _ = settled(m, g, rows, pay, w, closed, x.price.room, pace)
	return v
}
