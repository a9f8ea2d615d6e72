package certify

import (
	"fmt"
	"math/big"
	"slices"

	"rcmdplab/core/certify/enclosure"
	"rcmdplab/core/proof"
)

// Proofs by values under every model, and trees of actions with such proofs at their leaves.
//
// Read: a tree whose nodes split the pairs that are left of one state in two; at each leaf prices
// λ_n >= 0 of the limits, by cost a mixture r_n of the models, and one value a state and model.
//
// Computed at a leaf: with q = w r_0 (w = 1, or 0 for a leaf that is about the limits alone), for each
// model k with weight the least residual e_k = min (Q_k(i) - V_k(s)) over the pairs i that are left, of the weighted
// cost c_k = q_k c_0 + Σ_n λ_n r_nk c_n under that model, as for a proof by values (values.go), and
//
//	bound = Σ_k (⟨μ, V_k⟩ + H e_k) - Σ_n λ_n b_n.
//
// A rectangular set counts as one model, under which nature answers. r_n is what average.go calls
// an element of Q of cost n: for a mean the weights themselves, which no leaf can name otherwise; for
// a share α at most w_k/α; for the worst any mixture. What a leaf names is put into Q exactly: cut at
// w_k/α, and what is missing from 1 filled in from the first model on, both no more than rounding.
//
// Why a leaf follows. For every policy that takes pairs left at the leaf only, and meets the limits,
//
//	w ρ_0(J_0) >= Σ_k q_k J_0k,   b_n >= ρ_n(J_n) >= Σ_k r_nk J_nk,
//
// as ρ is the largest over Q; and q_k J_0k + Σ_n λ_n r_nk J_nk is the return of c_k under model k, at least
// ⟨μ, V_k⟩ + H e_k by the argument of values.go, the minimum being over the pairs left. So w J_0 is at least the bound.
//
// Why a tree follows. The first child of a node keeps the pairs named, of one state, the second the others of it: a
// policy of one action a state takes one of them, so it is in one of the two, and by induction at one leaf. One that
// mixes need be in neither: a certificate of more than one leaf has to say that it is about the others alone,
// and is judged beside no other problem. The claim is the least of the leaves: of the bounds of those with
// w = 1, where all with w = 0 have a bound above 0; or, where all are of the latter kind, that no policy meets the limits.
//
// At discount 1 (episodes.go) the term of a model is ⟨μ, V_k⟩ where V_k satisfies V <= TV for the pairs that are left, those
// that a policy of them may take which surely ends under that model; and a leaf may say that under a model none of its
// policies surely ends, which is asked of the model's rows.

// mostDeep is how deep a tree is followed: each node takes some hundred bytes of the stack, which ends a page that runs out of it.
const mostDeep = 1 << 13

// treeOf is a tree being walked.
type treeOf struct {
	in     *instance
	c      *proof.Claim
	closed []bool    // by pair: not left at the node
	box    *mixtures // of policies, where these are split instead; nil
	at     int       // nodes read
	depth  int       // nodes that the one at hand is in
	leaves int       // of them

	bound *big.Rat // the least of the leaves about the objective; nil before the first
	worst *big.Rat // the least violation that a leaf about the limits leaves, over its prices; nil before the first
}

// choices is what a tree proves, see worth: of the limits, Σ λ_n (ρ_n - b_n) at each leaf over Σ λ_n.
func (in *instance) choices(c *proof.Claim, more func() bool) (bound, prices *big.Rat, how string) {
	t := in.walk(c, more)
	switch {
	case c.Infeasible() != (t.bound == nil):
		refuse("it is about the objective where its leaves are about the limits alone, or the other way round")
	case t.bound == nil && t.worst == nil:
		refuse("its leaves say only that no policy surely ends, and nothing of a limit or the objective")
	case t.bound == nil:
		t.bound = t.worst
	}
	what, how := "every policy", "evaluated as exact fractions"
	if c.Choices.Deterministic {
		what = "every policy of one action in each state, and for no other"
	}
	if in.wide != nil {
		how = "rounded outwards"
	}
	how = fmt.Sprintf("Prices and values at %s prove the claim for %s: %s, %s.", plural(t.leaves, "leaf", "leaves"), what, plural(t.leaves*in.Pairs(), "inequality", "inequalities"), how)
	if t.box != nil {
		how = fmt.Sprintf("Prices at %s of policies prove the claim for every policy: the determinants at %s each, rounded outwards.", plural(t.leaves, "box", "boxes"), plural(t.box.corners, "corner", "corners"))
	}
	return t.bound, big.NewRat(1, 1), how
}

// walk judges every leaf of the proof.
func (in *instance) walk(c *proof.Claim, more func() bool) *treeOf {
	tree := c.Choices
	if tree.Deterministic && !in.p.Deterministic {
		refuse("it is about policies of one action in each state alone, and the problem allows others")
	}
	t := &treeOf{in: in, c: c, closed: make([]bool, in.Pairs())}
	if !enclosure.Usable(tree.Discount) || !enclosure.Usable(tree.Under) {
		refuse("its discount, or the objective under which it speaks, is no finite number")
	}
	if !tree.Deterministic && len(tree.Nodes) > 0 && (tree.Nodes[0].Between != nil || tree.Nodes[0].Leaf() && tree.Nodes[0].V == nil && tree.Nodes[0].Endless == 0) {
		t.box = in.newMixtures(tree.Discount, more)
	}
	t.node(more)
	if t.at != len(tree.Nodes) {
		refuse("%d nodes follow the end of the tree", len(tree.Nodes)-t.at)
	}
	return t
}

// node judges the next node and those below it.
func (t *treeOf) node(more func() bool) {
	if t.at == len(t.c.Choices.Nodes) {
		refuse("the tree is cut off")
	}
	if t.depth++; t.depth > mostDeep {
		refuse("more than %d of its nodes are in one another", mostDeep)
	}
	defer func() { t.depth-- }()
	n := &t.c.Choices.Nodes[t.at]
	place := t.at
	t.at++
	if n.Leaf() {
		t.leaf(n, more)
		return
	}
	if n.Between != nil {
		t.between(n, place, more)
		return
	}
	if !t.c.Choices.Deterministic {
		refuse("it splits actions, which leaves out the policies that mix them, and does not say that it is about others alone")
	}
	if len(n.Keep) == 0 || n.Keep[0] < 0 || n.Keep[0] >= t.in.Pairs() {
		refuse("node %d keeps nothing", place)
	}
	s := t.in.State[n.Keep[0]]
	from, to := t.in.Off[s], t.in.Off[s+1]
	kept := make([]bool, to-from)
	for _, i := range n.Keep {
		if i < from || i >= to || kept[i-from] || t.closed[i] {
			refuse("node %d keeps pair %d, which is not left of one state with the others", place, i)
		}
		kept[i-from] = true
	}
	before := slices.Clone(t.closed[from:to])
	defer copy(t.closed[from:to], before)
	others := 0
	for _, first := range [2]bool{true, false} {
		for i := from; i < to; i++ {
			if t.closed[i] = before[i-from] || kept[i-from] != first; !first && !t.closed[i] {
				others++
			}
		}
		if !first && others == 0 {
			refuse("node %d leaves nothing to its second child", place)
		}
		t.node(more)
	}
}

// between judges a node that splits a box of policies, and those below it.
func (t *treeOf) between(n *proof.Choice, place int, more func() bool) {
	in := t.in
	switch {
	case t.box == nil:
		refuse("node %d splits a box of policies in a tree of actions", place)
	case len(n.Between) != 2 || n.Between[0] < 0 || n.Between[0] >= in.Pairs() || n.Between[1] < 0 || n.Between[1] >= in.Pairs() ||
		n.Between[0] == n.Between[1] || in.State[n.Between[0]] != in.State[n.Between[1]]:
		refuse("node %d is not split between two points of one state", place)
	}
	for side := range n.Between {
		t.box.move(n.Between[side], n.Between[1-side])
		t.node(more)
		t.box.back()
	}
}

// leaf judges a leaf.
func (t *treeOf) leaf(n *proof.Choice, more func() bool) {
	t.leaves++
	defer within(func() string { return fmt.Sprintf("leaf %d:", t.leaves) })
	in, models := t.in, t.in.models()
	if n.Endless != 0 {
		in.endless(n.Endless-1, t.closed)
		return
	}
	if t.box != nil && len(n.V)+len(n.Low) > 0 {
		refuse("it has values, and is one of a box of policies")
	}
	switch {
	case t.box == nil && len(n.V) != models || len(n.Low) != 0 && len(n.Low) != models:
		refuse("it has values of %d and %d models; there are %d", len(n.V), len(n.Low), models)
	case len(n.Shares) > len(in.costs):
		refuse("it has shares of %d costs; there are %d", len(n.Shares), len(in.costs))
	}
	w, charge, prices := in.weighed(t.c, n.Prices, n.Limits)
	weights := make([][]*big.Rat, models) // by model and cost
	bound := charge.Neg(charge)
	for cost, price := range w {
		var shares []float64
		if cost < len(n.Shares) {
			shares = n.Shares[cost]
		}
		r := in.mixture(cost, shares, price.Sign() == 0)
		for k := range weights {
			weights[k] = append(weights[k], new(big.Rat).Mul(price, r[k]))
		}
		if t.box != nil {
			bound.Sub(bound, new(big.Rat).Mul(price, t.box.shift[cost]))
		}
	}
	if t.box != nil {
		onwards(true, more)
		least := t.box.least(t.c, n, weights)
		bound.Add(bound, least)
	}
	if n.Alone != nil {
		if under := new(big.Rat).SetFloat64(t.c.Choices.Under); under.Cmp(bound) < 0 {
			bound = under // or the objective is above that
		}
	}
	for k, w := range weights {
		if t.box != nil || !slices.ContainsFunc(w, func(x *big.Rat) bool { return x.Sign() != 0 }) {
			continue
		}
		var low []float64
		if len(n.Low) > 0 {
			low = n.Low[k]
		}
		least, _ := in.bounded(w, k, n.V[k], low, t.closed, more)
		bound.Add(bound, least)
	}
	if !n.Limits {
		if t.bound == nil || bound.Cmp(t.bound) < 0 {
			t.bound = bound
		}
		return
	}
	if bound.Sign() <= 0 {
		refuse("its prices and values leave a weighted violation of %v; a leaf about the limits needs a positive one", enclosure.Nearest(bound))
	}
	if rate := bound.Quo(bound, prices); t.worst == nil || rate.Cmp(t.worst) < 0 {
		t.worst = rate
	}
}

// endless proves that no policy of the pairs that are left counts at discount 1: under a model of a finite set none of them
// surely ends. Pairs that are closed lead nowhere, and so to no end.
func (in *instance) endless(k int, closed []bool) {
	kernels := in.p.Uncertainty.Kernels
	if !in.total || k < 0 || k >= len(kernels) {
		refuse("it says that no such policy surely ends, which is nothing against them here")
	}
	to := make([][]int, in.Pairs())
	for i := range to {
		next, prob := kernels[k].Row(i)
		for j, s := range next {
			if !closed[i] && enclosure.Point(prob[j]) != zero {
				to[i] = append(to[i], s)
			}
		}
	}
	if _, sure := leads(in.starts(), in.surely(to)); sure {
		refuse("some policy of the actions left surely ends under model %d", k+1)
	}
}
