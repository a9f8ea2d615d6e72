package certify

import (
	"math/big"

	"rcmdplab/core/certify/enclosure"
	"rcmdplab/core/proof"
)

// Proofs about policies that mix actions, for averages over few models, by boxes of policies.
//
// Read: a tree whose nodes split a box between two of the points of a state; at each leaf prices
// λ_n >= 0 of the limits and by cost a mixture r_n of the models, as at the leaves of choices.go; scales u_k > 0 of the models; and
// prices o >= 0 by cost and model, a list for each model and one for all of them, of what a model meets by itself: J_nk <= b_n, where
// Q_n has the mixture of model k alone; none at a leaf about the limits. The limit b_0 of the objective is the number under which the proof speaks of it.
//
// A box has for each state as many points as it has actions, each a distribution over them, and holds the policies of which
// every π(s,·) is in the hull of the points of s. The first has the actions themselves for points, and holds all policies. A
// split between i and j makes two boxes, in which the point half-way between them takes the place of i, and of j. These cover the
// box: β_i i + β_j j is 2 β_i times the middle and β_j - β_i times j where β_i <= β_j, and the other way round otherwise.
//
// Computed: for each choice c of a point for every state, a corner, and each model k, D_k(c) = det(I - γP_k^c), and D_k(c) J_nk(c)
// for every cost. At the first box by elimination without subtractions (corners.go); a split moves the corners of a point
// half-way to those of another, since D_k and D_k J_nk (Cramer's rule) are affine in each π(s,·). At a leaf, with
// q = w r_0 (w = 1, or 0 for a leaf that is about the limits alone), K_k = q_k J_0k + Σ_n λ_n r_nk J_nk, and for a list o of prices
// F_o = Σ_nk o_nk D_k (J_nk - b_n),
//
//	L_k <= min_c (D_k K_k + F_o(k)) / D_k,  h(c) = max_k D_k(c) / u_k,
//	bound = Σ_k L_k + min_c (Σ_k D_k(c) (K_k(c) - L_k) / u_k + F_o(c)) / h(c) - Σ_n λ_n b_n,
//
// or b_0, if that is less and there are such prices.
//
// Why a leaf follows. For a policy of the box D_k and D_k J_nk are averages of those of the corners, with weights β_c that are the same for
// all k and n, and so are sums of multiples of them. Let the policy meet the limits, with an objective of at most b_0.
// Then J_nk <= ρ_n(J_n) <= b_n where o_nk > 0, as ρ is the largest over Q: so F_o <= 0 at the policy, and
// D_k K_k >= D_k K_k + F_o(k) = Σ_c β_c (D_k K_k + F_o(k))(c) >= L_k Σ_c β_c D_k(c), which is L_k D_k: K_k is at least L_k. With
// H = Σ_c β_c h(c), a positive number that D_k / u_k is at most, hence
//
//	Σ_k (K_k - L_k) >= Σ_k D_k (K_k - L_k) / (u_k H) >= (Σ_k D_k (K_k - L_k) / u_k + F_o) / H,
//
// which is an average, with weights β_c h(c) / H, of what the minimum is taken of. And w ρ_0(J_0) + Σ_n λ_n ρ_n(J_n) >= Σ_k K_k, with
// ρ_n(J_n) <= b_n. So w J_0 is at least the bound, or above b_0. The claim is the least of the leaves, as for other trees.
//
// At discount 1 a proof names a discount g < 1, at which all of it is computed, in rows that lead nowhere from an end, and with costs in which
// every end costs K_n more, so that none is below 0. A policy that surely ends pays exactly one end: that adds K_n to J_n, and to
// what limits it. Where costs off the ends are not below 0 either, no return of such a policy is above its own at 1, under any
// kernel; so the least of w J_0 + Σ_n λ_n (J_n - b_n) over policies at g bounds it for those that count at 1.
//
// Errors: all of it is in intervals. Those of D_k and D_k J_nk are made by sums, products and quotients of numbers >= 0 alone but
// for the costs, and a split adds and halves; L_k is an end of an interval, so that it is what the proof takes it for.

// The largest sizes that boxes are judged for.
const (
	mostMixed  = 1 << 18 // numbers at the corners of a box
	mostNested = 1 << 23 // of all boxes from the first to a leaf
)

// mixtures are the corners of the box at hand.
type mixtures struct {
	in      *instance
	stride  []int        // by state: how far apart the corners of its points are
	corners int          // of a box
	width   int          // numbers of a corner: for each model D, then D J by cost
	boxes   [][]interval // from the first to the one at hand, by corner
	gamma   *big.Rat     // the discount that they are judged at
	shift   []*big.Rat   // by cost: K
}

// newMixtures has the box of all policies; at discount 1 judged at another.
func (in *instance) newMixtures(discount float64, more func() bool) *mixtures {
	x := &mixtures{in: in, width: len(in.kernels) * (len(in.costs) + 1), gamma: in.gamma}
	switch g := enclosure.Point(discount); {
	case in.kernels == nil:
		refuse("it splits boxes of policies, which is for finite sets")
	case in.total != (g != zero):
		refuse("it is judged at the discount %v; want one below 1 where that of the problem is 1, and none else", discount)
	case in.total && !(zero.Less(g) && g.Less(one)):
		refuse("it is judged at the discount %v; want a number between 0 and 1", discount)
	case in.total:
		x.gamma = new(big.Rat).SetFloat64(discount)
	}
	x.lift()
	if x.stride, x.corners = strides(in.Layout, mostMixed/x.width); x.corners == 0 {
		refuse("it splits boxes of policies, and there are too many states, actions or models for that")
	}
	root, p := make([]interval, x.corners*x.width), pace{more: more}
	x.boxes = [][]interval{root}
	for k, rows := range in.kernels {
		costs := make([][]interval, len(in.costs))
		for n := range costs {
			for i := range rows {
				c := in.expected(n, i, &rows[i])
				if in.ends(i) {
					c.Add(c, x.shift[n])
				}
				costs[n] = append(costs[n], enclosure.Around(c))
			}
		}
		e := corners{in: in, rows: rows, gamma: x.gamma, costs: costs, stride: x.stride, going: p.going}
		e.told = func(corner int, d interval, dj []interval) {
			at := root[corner*x.width+k*(len(dj)+1):]
			at[0] = d
			copy(at[1:], dj)
		}
		e.visit()
	}
	return x
}

// lift finds what is added to what ends cost, and fails where something else costs less than 0.
func (x *mixtures) lift() {
	in := x.in
	for n := range in.costs {
		shift := new(big.Rat)
		x.shift = append(x.shift, shift)
		for k := range in.kernels {
			for i := range in.State {
				c := in.expected(n, i, &in.kernels[k][i])
				switch {
				case !in.total || c.Sign() >= 0:
				case !in.ends(i):
					refuse("%s costs %v in %q, and at discount 1 boxes are for costs that are nowhere below 0 but at the ends", in.pairName(i), enclosure.Nearest(c), in.costName(n))
				case new(big.Rat).Neg(c).Cmp(shift) > 0:
					shift.Neg(c)
				}
			}
		}
	}
}

// half is what a point is moved by.
var half = enclosure.Point(.5)

// move goes to the box in which the middle between points i and j takes the place of i; back leaves it.
func (x *mixtures) move(i, j int) {
	in, s := x.in, x.in.State[i]
	if (len(x.boxes)+1)*x.corners*x.width > mostNested {
		refuse("its boxes are too many in one another")
	}
	depth := len(x.boxes)
	if depth == cap(x.boxes) || x.boxes[:depth+1][depth] == nil {
		x.boxes = append(x.boxes, make([]interval, x.corners*x.width))
	}
	x.boxes = x.boxes[:depth+1] // whose numbers an earlier box left
	was, now := x.boxes[depth-1], x.boxes[depth]
	copy(now, was)
	block := x.stride[s] * x.width
	for from := 0; from < len(now); from += block * (in.Off[s+1] - in.Off[s]) {
		a, b := now[from+(i-in.Off[s])*block:][:block], was[from+(j-in.Off[s])*block:][:block]
		for k := range a {
			a[k] = a[k].Add(b[k]).Mul(half)
		}
	}
}

func (x *mixtures) back() { x.boxes = x.boxes[:len(x.boxes)-1] }

// at is what is known of a model at a corner of the box at hand: D, then D J by cost.
func (x *mixtures) at(c, k int) []interval {
	w := len(x.in.costs) + 1
	return x.boxes[len(x.boxes)-1][c*x.width+k*w:][:w]
}

// alone adds F to a number of each corner, for prices by cost and model.
func (x *mixtures) alone(sum []interval, c *proof.Claim, n *proof.Choice, prices []float64) {
	in, models := x.in, len(x.in.kernels)
	for i, price := range prices {
		cost, k, f := i/models, i%models, enclosure.Point(price)
		if f == zero {
			continue
		}
		only := make([]float64, models)
		only[k] = 1
		switch {
		case !zero.AtMost(f):
			refuse("a price of model %d alone is %v; want one >= 0", k+1, price)
		case n.Limits: // by how much limits are missed at least is then told of any policy
			refuse("it is about the limits alone, and has a price of what a policy that meets them does")
		case in.mixture(cost, only, false)[k].Cmp(big.NewRat(1, 1)) != 0:
			refuse("it has a price of model %d alone in %q, where its weight allows less than all", k+1, in.costName(cost))
		}
		limit := new(big.Rat).SetFloat64(c.Choices.Under)
		if cost > 0 {
			limit = in.limit(c, cost)
		}
		b := enclosure.Around(limit.Add(limit, x.shift[cost]))
		for corner := range sum {
			d := x.at(corner, k)
			sum[corner] = sum[corner].Add(f.Mul(d[1+cost].Sub(b.Mul(d[0]))))
		}
	}
}

// least is a number that Σ_k K_k of no policy that the leaf n speaks of is below, with weights by model and cost.
func (x *mixtures) least(c *proof.Claim, n *proof.Choice, weights [][]*big.Rat) *big.Rat {
	models := len(weights)
	prices, size := n.Alone, len(x.in.costs)*models
	if len(prices) == 0 {
		prices = make([]float64, (models+1)*size)
	}
	if len(n.Scales) != models || len(prices) != (models+1)*size || !finiteAll(n.Scales) || !finiteAll(prices) {
		refuse("it has %d scales and %d prices of models alone; want %d, and %d or none, all finite", len(n.Scales), len(n.Alone), models, (models+1)*size)
	}
	h, over, sum := make([]interval, x.corners), make([]interval, x.corners), zero // h, what is divided by it, Σ L
	own, worth := make([]interval, x.corners), make([]interval, x.corners)         // D K, and with F
	for k, list := range weights {
		scale := enclosure.Point(n.Scales[k])
		if scale.Sign() <= 0 {
			refuse("a scale is %v; want one > 0", n.Scales[k])
		}
		clear(own)
		for cost, r := range list {
			if f := enclosure.Around(r); f != zero {
				for corner := range own {
					own[corner] = own[corner].Add(f.Mul(x.at(corner, k)[1+cost]))
				}
			}
		}
		copy(worth, own)
		x.alone(worth, c, n, prices[k*size:][:size])
		for corner := range worth {
			worth[corner] = worth[corner].Div(x.at(corner, k)[0])
		}
		low := enclosure.Point(leastOf(worth).Lo()) // L
		sum = sum.Add(low)
		for corner := range own {
			d := x.at(corner, k)[0]
			h[corner] = h[corner].Max(d.Div(scale))
			over[corner] = over[corner].Add(own[corner].Sub(low.Mul(d)).Div(scale))
		}
	}
	x.alone(over, c, n, prices[models*size:])
	for corner := range over {
		over[corner] = over[corner].Div(h[corner])
	}
	if sum = sum.Add(leastOf(over)); !sum.Finite() {
		refuse("what its prices come to is no finite number")
	}
	return new(big.Rat).SetFloat64(sum.Lo())
}

// leastOf holds the least of numbers.
func leastOf(list []interval) interval {
	least := list[0]
	for _, x := range list {
		least = least.Min(x)
	}
	return least
}
