package certify

import (
	"errors"
	"fmt"
	"math/big"

	"rcmdplab/core/certify/enclosure"
)

// Proofs about policies that mix actions, for averages over few models, by boxes of policies.
//
// Read: a tree whose nodes split a box between two of the points of a state; at each leaf prices λ_n >= 0 of the
// limits and by cost a mixture r_n of the models, as at the leaves of choices.go.
//
// A box has for each state as many points as it has actions, each a distribution over them, and holds the policies of which
// every π(s,·) is in the hull of the points of s. The first has the actions themselves for points, and holds all policies. A
// split between i and j makes two boxes, in which the point half-way between them takes the place of i, and of j. These cover the
// box: β_i i + β_j j is 2 β_i times the middle and β_j - β_i times j where β_i <= β_j, and the other way round otherwise.
//
// Computed: for each choice c of a point for every state, a corner, and each model k, D_k(c) = det(I - γP_k^c), and D_k(c) J_nk(c)
// for every cost. At the first box by elimination without subtractions; a split moves the corners of a point
// half-way to those of another, since D_k and D_k J_nk (Cramer's rule) are affine in each π(s,·). At a leaf, with
// q = w r_0 (w = 1, or 0 for a leaf that is about the limits alone) and
// K_k = q_k J_0k + Σ_n λ_n r_nk J_nk,
//
//	L_k <= min_c K_k(c),  u_k >= max_c D_k(c),  bound = Σ_k L_k + min_c Σ_k D_k(c) (K_k(c) - L_k) / u_k - Σ_n λ_n b_n.
//
// Why a leaf follows. For a policy of the box D_k and D_k K_k are averages of those of the corners, with weights that are the same for
// all k. So K_k, a ratio of such, with D_k > 0, is at least L_k, and D_k at most u_k, hence
//
//	Σ_k K_k >= Σ_k L_k + Σ_k (D_k / u_k) (K_k - L_k) >= Σ_k L_k + min_c Σ_k D_k(c) (K_k(c) - L_k) / u_k,
//
// as the sum in the middle is an average over the corners. And w ρ_0(J_0) + Σ_n λ_n ρ_n(J_n) >= Σ_k K_k, ρ being the largest over
// Q, with ρ_n(J_n) <= b_n for a policy that meets the limits. So w J_0 is at least the bound. The claim is the least of the leaves, as for other trees.
//
// At discount 1 a proof names a discount g < 1, at which all of it is computed, in rows that lead nowhere from an end, and with costs in which
// every end costs K_n more, so that none is below 0. A policy that surely ends pays exactly one end: that adds K_n to J_n, and to
// what limits it. Where costs off the ends are not below 0 either, no return of such a policy is above its own at 1, under any
// kernel; so the least of w J_0 + Σ_n λ_n (J_n - b_n) over policies at g bounds it for those that count at 1.
//
// Errors: all of it is in intervals. Those of D_k and D_k J_nk are made by sums, products and quotients of numbers >= 0 alone but
// for the costs, and a split adds and halves; L_k and u_k are ends of intervals, so that they are what the proof takes them for.

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
func (in *instance) newMixtures(discount float64, more func() bool) (*mixtures, error) {
	x := &mixtures{in: in, corners: 1, width: len(in.kernels) * (len(in.costs) + 1), gamma: in.gamma}
	switch g := enclosure.Point(discount); {
	case in.kernels == nil:
		return nil, errors.New("it splits boxes of policies, which is for finite sets")
	case in.total != (g != zero):
		return nil, fmt.Errorf("it is judged at the discount %v; want one below 1 where that of the problem is 1, and none else", discount)
	case in.total && !(zero.Less(g) && g.Less(one)):
		return nil, fmt.Errorf("it is judged at the discount %v; want a number between 0 and 1", discount)
	case in.total:
		x.gamma = new(big.Rat).SetFloat64(discount)
	}
	if err := x.lift(); err != nil {
		return nil, err
	}
	for s := range in.S {
		x.stride = append(x.stride, x.corners)
		if x.corners *= in.Off[s+1] - in.Off[s]; x.corners*x.width > mostMixed {
			return nil, errors.New("it splits boxes of policies, and there are too many states, actions or models for that")
		}
	}
	root := make([]interval, x.corners*x.width)
	x.boxes = [][]interval{root}
	for k, rows := range in.kernels {
		e := x.newEliminated(rows)
		for c := range x.corners {
			if c%64 == 0 && !more() {
				return nil, ErrLeft
			}
			e.corner(root[c*x.width+k*(len(in.costs)+1):][:len(in.costs)+1], func(s int) int {
				return in.Off[s] + c/x.stride[s]%(in.Off[s+1]-in.Off[s])
			})
		}
	}
	return x, nil
}

// lift finds what is added to what ends cost, and fails where something else costs less than 0.
func (x *mixtures) lift() error {
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
					return fmt.Errorf("%s costs %v in %q, and at discount 1 boxes are for costs that are nowhere below 0 but at the ends", in.pairName(i), enclosure.Nearest(c), in.costName(n))
				case new(big.Rat).Neg(c).Cmp(shift) > 0:
					shift.Neg(c)
				}
			}
		}
	}
	return nil
}

// eliminated works out corners of one model.
type eliminated struct {
	in    *instance
	lead  [][]interval // γ p by pair and successor
	cost  [][]interval // by cost and pair
	rest  []interval   // by pair: what of it leads out, 1-γ, or all
	start []interval   // μ

	a, over []interval   // γ P of what is not taken out yet, by row; what leads out of it, which with the row adds up to the diagonal
	c       [][]interval // by cost and state
	out     []interval   // pivots
}

func (x *mixtures) newEliminated(rows []row) *eliminated {
	in := x.in
	e := &eliminated{in: in, start: make([]interval, in.S)}
	gamma, rest := enclosure.Around(x.gamma), enclosure.Around(new(big.Rat).Sub(big.NewRat(1, 1), x.gamma))
	for i := range rows {
		lead := make([]interval, in.S)
		if in.ends(i) {
			e.lead, e.rest = append(e.lead, lead), append(e.rest, one)
			continue
		}
		e.rest = append(e.rest, rest)
		for j, s := range rows[i].next {
			lead[s] = gamma.Mul(enclosure.Quotient(rows[i].num[j], rows[i].den))
		}
		e.lead = append(e.lead, lead)
	}
	for n := range in.costs {
		var cost []interval
		for i := range rows {
			c := in.expected(n, i, &rows[i])
			if in.ends(i) {
				c.Add(c, x.shift[n])
			}
			cost = append(cost, enclosure.Around(c))
		}
		e.cost, e.c = append(e.cost, cost), append(e.c, make([]interval, in.S))
	}
	for j, s := range in.mu.next {
		e.start[s] = enclosure.Quotient(in.mu.num[j], in.mu.den)
	}
	e.a, e.over, e.out = make([]interval, in.S*in.S), make([]interval, in.S), make([]interval, in.S)
	return e
}

// corner writes D and D J by cost of the policy that takes one pair a state.
func (e *eliminated) corner(dst []interval, pair func(s int) int) {
	size := e.in.S
	for s := range size {
		i := pair(s)
		copy(e.a[s*size:], e.lead[i])
		e.over[s] = e.rest[i]
		for n, cost := range e.cost {
			e.c[n][s] = cost[i]
		}
	}
	d := one
	for s := range size {
		above := e.a[s*size : (s+1)*size]
		out := e.over[s]
		for _, x := range above[s+1:] {
			out = out.Add(x)
		}
		e.out[s], d = out, d.Mul(out)
		for t := s + 1; t < size; t++ {
			below := e.a[t*size : (t+1)*size]
			if below[s] == zero {
				continue
			}
			f := below[s].Div(out)
			e.over[t] = e.over[t].Add(f.Mul(e.over[s]))
			for u := s + 1; u < size; u++ {
				below[u] = below[u].Add(f.Mul(above[u]))
			}
			for _, c := range e.c {
				c[t] = c[t].Add(f.Mul(c[s]))
			}
		}
	}
	dst[0] = d
	for n, c := range e.c {
		total := zero
		for s := size - 1; s >= 0; s-- {
			for t := s + 1; t < size; t++ {
				c[s] = c[s].Add(e.a[s*size+t].Mul(c[t]))
			}
			c[s] = c[s].Div(e.out[s])
			total = total.Add(e.start[s].Mul(c[s]))
		}
		dst[1+n] = d.Mul(total)
	}
}

// half is what a point is moved by.
var half = enclosure.Point(.5)

// move goes to the box in which the middle between points i and j takes the place of i; back leaves it.
func (x *mixtures) move(i, j int) error {
	in, s := x.in, x.in.State[i]
	if (len(x.boxes)+1)*x.corners*x.width > mostNested {
		return errors.New("its boxes are too many in one another")
	}
	was := x.boxes[len(x.boxes)-1]
	now := append([]interval(nil), was...)
	block := x.stride[s] * x.width
	for from := 0; from < len(now); from += block * (in.Off[s+1] - in.Off[s]) {
		a, b := now[from+(i-in.Off[s])*block:][:block], was[from+(j-in.Off[s])*block:][:block]
		for k := range a {
			a[k] = a[k].Add(b[k]).Mul(half)
		}
	}
	x.boxes = append(x.boxes, now)
	return nil
}

func (x *mixtures) back() { x.boxes = x.boxes[:len(x.boxes)-1] }

// least is a number that Σ_k K_k of no policy of the box at hand is below, with weights by model and cost.
func (x *mixtures) least(weights [][]*big.Rat) (*big.Rat, error) {
	at, w := x.boxes[len(x.boxes)-1], len(x.in.costs)+1
	terms, sum := make([]interval, x.corners), zero
	for k, list := range weights {
		y, some := make([]interval, len(list)), false
		for n, r := range list {
			y[n], some = enclosure.Around(r), some || r.Sign() != 0
		}
		if !some {
			continue
		}
		own := make([]interval, x.corners)
		var low, most interval // L and u
		for c := range own {
			d := at[c*x.width+k*w:][:w]
			for n, z := range d[1:] {
				own[c] = own[c].Add(y[n].Mul(z))
			}
			if worth := own[c].Div(d[0]); c == 0 {
				low, most = worth, d[0]
			} else {
				low, most = low.Min(worth), most.Max(d[0])
			}
		}
		low, most = enclosure.Point(low.Lo()), enclosure.Point(most.Hi())
		sum = sum.Add(low)
		for c := range own {
			terms[c] = terms[c].Add(own[c].Sub(low.Mul(at[c*x.width+k*w])).Div(most))
		}
	}
	least := terms[0]
	for _, t := range terms {
		least = least.Min(t)
	}
	if sum = sum.Add(least); !sum.Finite() {
		return nil, errors.New("what its prices come to is no finite number")
	}
	return new(big.Rat).SetFloat64(sum.Lo()), nil
}
