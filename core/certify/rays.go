package certify

import (
	"errors"
	"fmt"
	"math"
	"math/big"

	"rcmdplab/core/certify/enclosure"
	"rcmdplab/core/proof"
)

// Proofs by rays, against a rectangular set in which nature answers two groups
// of costs with a kernel for each. With weights A and B >= 0 of the costs in the
// two groups and shares β = (β_0, β_1) >= 0 of the groups, let
//
//	(TV)(s,β) = min_a { β_0 c_A + β_1 c_B + γ max_{p,q ∈ U(s,a)} Σ_s' V(s', (β_0 p(s'), β_1 q(s'))) }.
//
// T is monotone and contracts by γ next to ‖β‖ = m_0 β_0 + m_1 β_1, for any m > 0,
// so it has one fixed point V*. For every policy π, G(s,β) = β_0 J_{A,U}(s) + β_1 J_{B,U}(s), made of the
// policy's robust values, has G >= TG: what Σ_a π(a|s) averages is no less than
// its minimum, and nature's answers to each group for itself are a choice of p
// and q. So G >= V*, and with B_n the weighted prices, w_0 J_0 + Σ w_n J_n >=
// V*(μ, β) for w = β_0 A + β_1 B.
//
// V* is homogeneous in β, and concave, for (β_0 p, β_1 q) ranges over a convex
// cone and minima of concave functions are concave. V is given on rays r_k =
// (1-t_k, t_k) of every state; a β between two rays is x r_j + y r_k with
// x, y >= 0, and V*(s,β) >= x V*(s,r_j) + y V*(s,r_k). Let e be the largest excess,
// next to ‖r_k‖, of V_k(s) over what any action leaves with some rows p, q of the
// set and these interpolations in the place of V; then V_k(s) - ‖r_k‖ H max(e, 0)
// <= V*(s, r_k), since the largest difference D of the two sides, next to ‖r_k‖,
// has D <= e + γ max(D, 0). (Here m_g is the largest cost of group g.)
//
// Most rows are found here; where that does not suffice they come with the proof.
// All are checked, see rowset.

// fit says what is wrong with the form of a proof by rays.
func (in *instance) fit(c *proof.Claim) error {
	y, u := c.Rays, &in.p.Uncertainty
	n := len(y.T)
	switch {
	case shapeOf(u.Kind).family == alone || shapeOf(u.Kind).family == priced:
		return fmt.Errorf("it is about a rectangular set without a price, and this one is of kind %q", u.Kind)
	case n < 3 || len(y.V) != n || y.Start < 0 || y.Start >= n-1:
		return fmt.Errorf("it has %d rays, values on %d and starts on number %d; want three or more", n, len(y.V), y.Start)
	case y.T[0] != 0 || y.T[n-1] != 1:
		return errors.New("its rays do not go from 0 to 1")
	}
	for k, t := range y.T {
		if k > 0 && !(t > y.T[k-1]) {
			return errors.New("its rays do not rise")
		}
		if len(y.V[k]) != in.S || !finiteAll(y.V[k]) {
			return fmt.Errorf("ray %d has %d values; want a finite one for each of %d states", k, len(y.V[k]), in.S)
		}
	}
	if len(y.Pair) != len(y.Ray) {
		return fmt.Errorf("it brings rows for %d pairs and %d rays; want as many", len(y.Pair), len(y.Ray))
	}
	for n := range in.costs {
		for g := range y.Groups {
			if len(y.Groups[g]) != len(in.costs) || !(y.Groups[g][n] >= 0) || math.IsInf(y.Groups[g][n], 1) {
				return fmt.Errorf("a group does not weigh each of %d costs with a number >= 0", len(in.costs))
			}
		}
		if !(y.Groups[0][n] == 0 || y.Groups[1][n] == 0) {
			return fmt.Errorf("cost %q is in both groups", in.costName(n))
		}
	}
	if w := y.Groups[0][0]; y.Groups[1][0] != 0 || w != 1 && (w != 0 || !c.Infeasible()) || w == 1 && c.Infeasible() {
		return fmt.Errorf("the objective has the weight %v in the first group", w)
	}
	return nil
}

// reading is a check of a proof by rays.
type reading struct {
	*image
	y     *proof.Rays // the proof being read
	rows  *rowset     // of both groups; one row at a time
	floor [2]float64  // no value is below -(floor_0 β_0 + floor_1 β_1)
	size  [2]float64  // m

	pair           int        // being looked at
	cost, doubt    [2]float64 // of the pair by group, without costs of the next state
	onward         bool
	after, unsure  [2][]float64 // the rest by successor
	p, q, dp, dq   []float64    // nature's rows, and how well they are known
	z0, z1         []float64    // work by successor: what the set is asked with; rows between two
	trial0, trial1 []float64    // its answers

	given, entry int                    // how much of the rows of the proof is read
	wanting      func(j int, e float64) // told of ray j of the pair when it falls short by e; may be nil
}

// worthOfRays is what the proof shows: Σ_n w_n (J_n - b_n) is at least that for
// every policy, the weight of the objective being 1, or 0 with an infeasible
// claim; prices is Σ_{n>0} w_n.
func (x *image) worthOfRays(c *proof.Claim, more func() bool) (bound, prices float64, err error) {
	k, err := x.read(c)
	if err != nil {
		return 0, 0, err
	}
	excess, err := k.excess(more)
	if err != nil {
		return 0, 0, err
	}
	t := k.y.T[k.y.Start]
	worth := k.base()
	if excess > 0 {
		worth = worth.Sub(enclosure.Of(0, enclosure.Up(excess*(1+4*enclosure.Ulp))).Mul(enclosure.Of(0, k.norm(k.y.Start)*(1+8*enclosure.Ulp))).Mul(x.h))
	}
	shares := [2]enclosure.Interval{enclosure.Point(1).Sub(enclosure.Point(t)), enclosure.Point(t)}
	if t == 0 {
		shares[0] = enclosure.Point(1)
	}
	total := enclosure.Interval{}
	for n := 1; n < len(x.costs); n++ {
		for g := range k.y.Groups {
			if w := k.y.Groups[g][n]; w > 0 && shares[g].Hi() > 0 {
				w := shares[g].Mul(enclosure.Point(w))
				total = total.Add(w)
				if limit := x.limit(c, n); limit.Sign() != 0 {
					worth = worth.Sub(w.Mul(enclosure.Around(limit)))
				}
			}
		}
	}
	if k.y.Groups[0][0] == 1 {
		worth, total = worth.Div(shares[0]), total.Div(shares[0])
	}
	return worth.Lo(), total.Hi(), nil
}

// read begins a check.
func (x *image) read(c *proof.Claim) (*reading, error) {
	if err := x.fit(c); err != nil {
		return nil, err
	}
	rows, err := x.newRowset(nil, 1, false)
	if err != nil {
		return nil, err
	}
	if rows.open || rows.dense {
		return nil, errors.New("mass may go to any state, and a proof by rays keeps to the successors listed")
	}
	k := &reading{image: x, y: c.Rays, rows: rows}
	k.prepare()
	return k, nil
}

// Wanting lists the pairs and rays for which the rows found for a proof by rays
// leave less than its values by more than few, as a share of the costs of a step.
func (k *Checker) Wanting(c proof.Claim, few float64, more func() bool) (pairs, rays []int, err error) {
	in, err := k.instance(&c, more)
	if err != nil || c.Rays == nil {
		return nil, nil, err
	}
	y, err := in.wide.read(&c)
	if err != nil {
		return nil, nil, err
	}
	y.wanting = func(j int, e float64) {
		if e > few {
			pairs, rays = append(pairs, y.pair), append(rays, j)
		}
	}
	_, err = y.excess(more)
	return pairs, rays, err
}

// prepare finds the least and the largest cost of a step and makes room.
func (k *reading) prepare() {
	least := [2]float64{}
	for n := range k.costs {
		low, high, c := math.Inf(1), 0.0, k.costAt(n)
		for i := range k.Pairs() {
			g, w, values := k.State[i]*k.A+k.Act[i], 1, c.Values
			if c.Next != nil {
				w, values = k.S, c.Next
			}
			for _, v := range values[g*w : (g+1)*w] {
				low, high = min(low, k.flip[n]*v), max(high, math.Abs(v))
			}
		}
		for g := range k.y.Groups {
			if w := k.y.Groups[g][n]; w > 0 {
				least[g] = enclosure.Down(least[g] + enclosure.Down(w*enclosure.Down(low)))
				k.size[g] += w * high
				k.onward = k.onward || c.Next != nil
			}
		}
	}
	most := max(k.size[0], k.size[1], 0x1p-500)
	for g := range k.size {
		if k.size[g] == 0 {
			k.size[g] = 0x1p-40 * most
		}
		k.size[g] = max(k.size[g], 0x1p-200*most) // any m > 0 will do: ‖β‖ is a normal number
	}
	for g, low := range least {
		k.floor[g] = enclosure.Up(max(0, -low) * k.h.Hi())
	}
	widest := 0
	for i := range k.Pairs() {
		widest = max(widest, k.rows.given.Ptr[i+1]-k.rows.given.Ptr[i])
	}
	for _, v := range []*[]float64{&k.p, &k.q, &k.dp, &k.dq, &k.z0, &k.z1, &k.trial0, &k.trial1, &k.after[0], &k.after[1], &k.unsure[0], &k.unsure[1]} {
		*v = make([]float64, widest)
	}
}

// norm is ‖r_j‖, within 4 ulps.
func (k *reading) norm(j int) float64 {
	t := k.y.T[j]
	return k.size[0]*(1-t) + k.size[1]*t
}

// base encloses μ·V on the starting ray.
func (k *reading) base() enclosure.Interval { return k.startOf(k.y.V[k.y.Start]) }

// excess is at least the largest excess of a value over what an action leaves.
func (k *reading) excess(more func() bool) (excess float64, err error) {
	for i, s := range k.State {
		if i%64 == 0 && !more() {
			return 0, ErrLeft
		}
		if err := k.rows.load(i); err != nil {
			return 0, err
		}
		k.turn(i)
		for j := range k.y.T {
			norm := k.norm(j)
			enough := excess * norm * (1 - 8*enclosure.Ulp)
			if k.wanting != nil {
				enough = 0
			}
			e, err := k.short(j, k.y.V[j][s], enough)
			if err != nil {
				return 0, err
			}
			if e > 0 {
				e = enclosure.Up(e / norm * (1 + 8*enclosure.Ulp))
			}
			if k.wanting != nil && e > 0 {
				k.wanting(j, e)
			}
			if !(e <= excess) {
				if excess = e; math.IsNaN(e) {
					return 0, errors.New("a value is no number")
				}
			}
		}
	}
	if k.given < len(k.y.Pair) {
		return 0, fmt.Errorf("the rows that it brings are not in order from number %d on", k.given)
	}
	return excess, nil
}

// told takes the rows that the proof brings for ray j of the pair, if any.
func (k *reading) told(j int, p, q []float64) (ok bool, err error) {
	y := k.y
	if k.given >= len(y.Pair) || y.Pair[k.given] != k.pair || y.Ray[k.given] != j {
		return false, nil
	}
	n := len(p)
	if len(y.Rows)-k.entry < 2*n {
		return false, fmt.Errorf("it brings too few numbers for rows of %s", k.pairName(k.pair))
	}
	copy(p, y.Rows[k.entry:])
	copy(q, y.Rows[k.entry+n:])
	k.given, k.entry = k.given+1, k.entry+2*n
	for j := range p {
		p[j], q[j] = min(p[j], 1), min(q[j], 1)
	}
	for _, x := range y.Rows[k.entry-2*n : k.entry] {
		if !(x >= 0 && x <= 1+rowSlack) {
			return false, fmt.Errorf("it brings a row of %s with an entry of %v", k.pairName(k.pair), x)
		}
	}
	return true, nil
}

// rays checks a proof by rays and returns a sentence about it.
func (x *image) rays(c *proof.Claim, more func() bool) (string, error) {
	bound, _, err := x.worthOfRays(c, more)
	switch {
	case err != nil:
		return "", err
	case c.Infeasible() && !(bound > 0):
		return "", fmt.Errorf("its prices and values leave a weighted violation of %v; the claim needs a positive one", bound)
	case !c.Infeasible() && !(bound >= c.Target):
		return "", fmt.Errorf("its prices and values prove %v; it claims %v", bound, c.Target)
	}
	return fmt.Sprintf("One price for each limit and values for each state on %d rays prove the claim, with a worst kernel for the objective and another for the limits: %s, rounded outwards.",
		len(c.Rays.T), plural(x.Pairs()*len(c.Rays.T), "inequality", "inequalities")), nil
}

// strongestByRays is Checker.Strongest.
func (x *image) strongestByRays(c proof.Claim, more func() bool) (proof.Claim, error) {
	bound, prices, err := x.worthOfRays(&c, more)
	switch {
	case err != nil:
		return c, err
	case math.IsInf(bound, 0) || math.IsNaN(bound):
		return c, errors.New("the bound is no finite number")
	case !c.Infeasible():
		c.Target = bound
		return c, nil
	case !(bound > 0 && prices > 0):
		return c, errors.New("the values leave no weighted violation")
	}
	size := 0.0
	for n := 1; n < len(x.costs); n++ {
		size = max(size, math.Abs(enclosure.Nearest(new(big.Rat).Set(x.limit(&c, n)))))
	}
	c.Relax = max(0, enclosure.Down(enclosure.Down(bound/prices)*(1-64*enclosure.Ulp)-64*enclosure.Ulp*size))
	return c, nil
}
