package certify

import (
	"fmt"
	"math/big"

	"rcmdplab/core/certify/enclosure"
	"rcmdplab/core/certify/guess"
	"rcmdplab/core/proof"
)

// Proofs by rays, against a rectangular set in which nature answers two groups
// of costs with a kernel for each.
//
// Read: weights A and B >= 0 of the costs in the two groups, rays r_k = (1-t_k, t_k) from t = 0 to 1, a value
// V_k(s) for each of them and each state, the number of the ray to start on, and rows for
// some pairs and rays, which are suggestions.
//
// Computed: m_g >= the largest cost of group g, for the norm ‖β‖ = m_0 β_0 + m_1 β_1 (any m > 0
// would do) and the largest excess
//
//	e = max_{s,a,k} (V_k(s) - r_k·(c_A, c_B) - γ Σ_s' W(s', (w_0 p(s'), w_1 q(s')))) / ‖r_k‖,  (w_0, w_1) = r_k,
//
// with costs of the next state in the sum, for rows p and q that nature may use: of the search, of the proof, the
// nominal one, or any one for both. W(s, β) = x V_c(s) + y V_c+1(s) + l_0 V_0(s) + l_1 V_K(s), where x, y >= 0 are floats for which
// what is left of β, l = β - x r_c - y r_c+1, is not negative; V_0 and V_K are those of t = 0 and 1. All of it is in intervals:
// their widths are the error terms. Then w_0 J_0 + Σ w_n (J_n - b_n) >= ⟨μ, V_k⟩ - ‖r_k‖ H max(e, 0) - Σ w_n b_n for
// w = r_k·(A, B) of the starting ray is compared with the claim.
//
// Why the claim follows. With shares β >= 0 of the groups, let
//
//	(TV)(s,β) = min_a { β_0 c_A + β_1 c_B + γ max_{p,q ∈ U(s,a)} Σ_s' V(s', (β_0 p(s'), β_1 q(s'))) }.
//
// T is monotone and contracts by γ next to ‖β‖, so it has one fixed point V*. For every policy
// π, G(s,β) = β_0 J_{A,U}(s) + β_1 J_{B,U}(s), made of the
// policy's robust values, has G >= TG: what Σ_a π(a|s) averages is no less than
// its minimum, and nature's answers to each group for itself are a choice of p
// and q. So G >= V*, and Σ w_n J_n >= V*(μ, r_k).
//
// V* is homogeneous in β, and concave, for (β_0 p, β_1 q) ranges over a convex
// cone and minima of concave functions are concave: so V*(s, β) is at least V* of any parts of
// β added up. Let D be the largest V_k(s) - V*(s, r_k) next to ‖r_k‖. Then V*(s', β) >= W(s', β) - D⁺ ‖β‖, as the parts
// that W is of are shares of rays, and β in all, hence V*(s, r_k) = (TV*)(s, r_k) >= V_k(s) - ‖r_k‖ (e + γ D⁺), and D <= e + γ D⁺: D <= H max(e, 0).
//
// At discount 1 no excess is let pass: with E the ends,
//
//	V_k(s) <= r_k·(c_A, c_B) + Σ_s' W(s', (w_0 p(s'), w_1 q(s')))  for all pairs off E,  V_k(s) <= r_k·(c_A, c_B)  on E.
//
// Let Y(s, β) be the largest Σ_k x_k V_k(s) over x >= 0 with Σ_k x_k r_k = β. It is concave and homogeneous in β, V_k(s) or more
// on r_k, and W or more. Off E, Y <= TY: the rows of the rays, mixed as the parts x_k of β are, are rows that nature may use for β,
// as the set of a pair is convex. On E, Y(s, β) <= β·(c_A, c_B).
//
// A policy π that counts ends surely under every kernel. From each state that it comes to there is then a least probability of
// an end within S steps, whatever nature does: else, step by step, some row of the closed set would keep the play where none leads on for sure, and
// these rows together for ever. So its longest expected time w is finite, and w >= 1 + Σ_a π(a|s) sup_p Σ_s'∉E p(s') w(s') off E.
// With G as above, the robust values at discount 1, for all rows p and q of the set
//
//	G(s, β) >= Σ_a π(a|s) (β·(c_A, c_B) + Σ_s' G(s', (β_0 p(s'), β_1 q(s'))))  off E,  G(s, β) = β·(c_A, c_B)  on E.
//
// Let d be the largest (Y - G)(s, β) / (w(s) (β_0 + β_1)) over the states off E that π comes to; there is one, as Y and G are homogeneous and continuous in β.
// Were d > 0, then for the rows p and q of Y at each pair
//
//	(Y - G)(s, β) <= Σ_a π(a|s) Σ_s'∉E (Y - G)(s', (β_0 p(s'), β_1 q(s'))) <= d Σ_a π(a|s) Σ_s'∉E w(s') (β_0 p(s') + β_1 q(s')) <= d (w(s) - 1) (β_0 + β_1),
//
// and so d <= d (1 - 1/max w). Hence Y <= G, and Σ w_n J_n >= ⟨μ, V_k⟩ on the starting ray, whatever the signs of costs. Policies
// that may go on for ever are not spoken of: they do not count.

// fit says what is wrong with the form of a proof by rays.
func (in *instance) fit(c *proof.Claim) {
	y, u := c.Rays, &in.p.Uncertainty
	n := len(y.T)
	switch {
	case shapeOf(u.Kind).family == alone || shapeOf(u.Kind).family == priced:
		refuse("it is about a rectangular set without a price, and this one is of kind %q", u.Kind)
	case n < 3 || len(y.V) != n || y.Start < 0 || y.Start >= n-1:
		refuse("it has %d rays, values on %d and starts on number %d; want three or more", n, len(y.V), y.Start)
	case enclosure.Point(y.T[0]) != zero || enclosure.Point(y.T[n-1]) != one:
		refuse("its rays do not go from 0 to 1")
	}
	for k, t := range y.T {
		if k > 0 && !enclosure.Point(y.T[k-1]).Less(enclosure.Point(t)) {
			refuse("its rays do not rise")
		}
		if len(y.V[k]) != in.S || !finiteAll(y.V[k]) {
			refuse("ray %d has %d values; want a finite one for each of %d states", k, len(y.V[k]), in.S)
		}
	}
	if len(y.Pair) != len(y.Ray) {
		refuse("it brings rows for %d pairs and %d rays; want as many", len(y.Pair), len(y.Ray))
	}
	for n := range in.costs {
		both := true
		for g := range y.Groups {
			if len(y.Groups[g]) != len(in.costs) || !enclosure.Share(y.Groups[g][n]) {
				refuse("a group does not weigh each of %d costs with a number >= 0", len(in.costs))
			}
			both = both && enclosure.Point(y.Groups[g][n]) != zero
		}
		if both {
			refuse("cost %q is in both groups", in.costName(n))
		}
	}
	want := one
	if c.Infeasible() {
		want = zero
	}
	if enclosure.Point(y.Groups[0][0]) != want || enclosure.Point(y.Groups[1][0]) != zero {
		refuse("the objective has the weight %v in the first group", y.Groups[0][0])
	}
}

// reading is a check of a proof by rays.
type reading struct {
	*image
	y      *proof.Rays // the proof being read
	rows   *rowset     // of both groups; one row at a time
	search guess.Rays  // what only guesses
	groups [2]sweep    // the weighted costs of each
	size   [2]interval // m

	pair  int           // being looked at
	cost  [2]interval   // of the pair by group, without costs of the next state
	after [2][]interval // the rest by successor
	p, q  []interval    // nature's rows

	given, entry int                     // how much of the rows of the proof is read
	wanting      func(j int, e interval) // told of ray j of the pair when it may fall short by e; may be nil
}

// worthOfRays is what the proof shows: Σ_n w_n (J_n - b_n) is at least that for
// every policy, the weight of the objective being 1, or 0 with an infeasible
// claim; prices is Σ_{n>0} w_n.
func (x *image) worthOfRays(c *proof.Claim, more func() bool) (bound, prices *big.Rat) {
	k := x.read(c)
	excess := k.excess(more)
	start := k.y.Start
	value := k.startOf(k.y.V[start])
	if !x.total {
		value = value.Sub(excess.Mul(k.norm(start)).Mul(x.h))
	}
	bound = lowerEnd(value)
	t := new(big.Rat).SetFloat64(k.y.T[start])
	shares := [2]*big.Rat{new(big.Rat).Sub(big.NewRat(1, 1), t), t}
	prices = new(big.Rat)
	for n := 1; n < len(x.costs); n++ {
		for g := range shares {
			w := new(big.Rat).SetFloat64(k.y.Groups[g][n])
			prices.Add(prices, w.Mul(w, shares[g]))
			bound.Sub(bound, w.Mul(w, x.limit(c, n)))
		}
	}
	if !c.Infeasible() {
		bound, prices = bound.Quo(bound, shares[0]), prices.Quo(prices, shares[0])
	}
	return bound, prices
}

// read begins a check.
func (x *image) read(c *proof.Claim) *reading {
	x.fit(c)
	rows := x.newRowset(nil, one, false)
	if rows.open || rows.dense {
		refuse("mass may go to any state, and a proof by rays keeps to the successors listed")
	}
	k := &reading{image: x, y: c.Rays, rows: rows, search: guess.Rays{T: c.Rays.T, V: c.Rays.V, Gamma: x.g.Hi()}}
	k.prepare()
	return k
}

// ray is r_j.
func (k *reading) ray(j int) [2]interval {
	t := enclosure.Point(k.y.T[j])
	return [2]interval{one.Sub(t), t}
}

// prepare finds the largest cost of a step.
func (k *reading) prepare() {
	for n := range k.costs {
		all, _ := k.extent(k.image.p.Cost(n), true) // which was read before
		low, high := k.turned(n, all.Lo()).Mul(k.growths()), k.turned(n, all.Hi()).Mul(k.growths())
		for g := range k.groups {
			w := enclosure.Point(k.y.Groups[g][n])
			k.groups[g].image, k.groups[g].w = k.image, append(k.groups[g].w, w)
			k.size[g] = k.size[g].Add(w.Mul(low.Abs().Max(high.Abs())))
		}
	}
	most := k.size[0].Max(k.size[1]).Max(enclosure.Point(0x1p-500))
	for g := range k.size {
		share := enclosure.Point(0x1p-200) // ‖β‖ is a normal number
		if k.size[g] == zero {
			share = enclosure.Point(0x1p-40)
		}
		k.size[g] = enclosure.Point(k.size[g].Max(most.Mul(share)).Hi())
	}
}

// norm is ‖r_j‖.
func (k *reading) norm(j int) interval {
	r := k.ray(j)
	return k.size[0].Mul(r[0]).Add(k.size[1].Mul(r[1]))
}

// excess is the largest excess of a value over what an action leaves next to the norm, and not below 0; at discount 1 it refuses any.
func (k *reading) excess(more func() bool) (excess interval) {
	for i, s := range k.State {
		onwards(i%64 == 0, more)
		k.rows.load(i)
		k.turn(i)
		for j := range k.y.T {
			norm, enough := k.norm(j), zero
			if k.wanting == nil {
				enough = excess.Mul(norm)
			}
			e := k.short(j, enclosure.Point(k.y.V[j][s]), enough)
			e = e.Max(zero).Div(norm)
			switch {
			case k.wanting != nil:
				k.wanting(j, e)
			case k.total && !e.AtMost(zero):
				refuse("the value of ray %d is above what %s leaves, and at discount 1 nothing makes up for that", j, k.pairName(i))
			}
			excess = excess.Max(e)
		}
	}
	if k.given < len(k.y.Pair) {
		refuse("the rows that it brings are not in order from number %d on", k.given)
	}
	return excess
}

// told takes the rows that the proof brings for ray j of the pair, if any.
func (k *reading) told(j int) (p, q []float64) {
	y := k.y
	if k.given >= len(y.Pair) || y.Pair[k.given] != k.pair || y.Ray[k.given] != j {
		return nil, nil
	}
	n := len(k.rows.next)
	if len(y.Rows)-k.entry < 2*n {
		refuse("it brings too few numbers for rows of %s", k.pairName(k.pair))
	}
	rows := y.Rows[k.entry:][:2*n]
	for _, x := range rows {
		if p := enclosure.Point(x); !p.Finite() || p.Sign() < 0 || !p.AtMost(enclosure.Point(1+rowSlack)) {
			refuse("it brings a row of %s with an entry of %v", k.pairName(k.pair), x)
		}
	}
	k.given, k.entry = k.given+1, k.entry+2*n
	return rows[:n], rows[n:]
}

// rays is what a proof by rays shows, see worth.
func (in *instance) rays(c *proof.Claim, more func() bool) (bound, prices *big.Rat, how string) {
	how = fmt.Sprintf("One price for each limit and values for each state on %d rays prove the claim, with a worst kernel for the objective and another for the limits: %s, rounded outwards.",
		len(c.Rays.T), plural(in.Pairs()*len(c.Rays.T), "inequality", "inequalities"))
	bound, prices = in.wide.worthOfRays(c, more)
	return bound, prices, how
}
