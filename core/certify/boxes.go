package certify

import (
	"rcmdplab/core/certify/enclosure"
	"rcmdplab/core/proof"
)

// Proofs by boxes.
//
// Read: a tree of boxes of policies in preorder; for each its steps, then a split of a pair
// i at v, or none. A step opens (the frame becomes the ranges), refreshes one ratio of the frame,
// closes (draws simple consequences) or bounds: multipliers y of rows for a target f.
//
// Computed: the box of all policies has the ranges of root. A split leaves two boxes,
// π(i) <= v, taken first, and π(i) >= v, with the ranges that the node ended with: together
// they are the node's box. A bound step adds y times rows of the table at row, built from the
// frame, in an enclosure.Residual, which counts the errors of its coefficients and sums, to
//
//	f >= w = Σ_i y_i end_i + Σ_j min(r_j lo_j, r_j hi_j),  r = f - Aᵀy rounded down,
//
// after Neumaier and Shcherbina (Safe bounds in linear and mixed-integer programming, 2004),
// and draws what bounding says. Nothing is trusted: any multipliers give a bound that holds.
//
// Why the claim follows. INVARIANT: when a node begins, and after each of its steps,
// its ranges hold every policy of its box that satisfies the hypotheses, and so does its
// frame once it has one. The root's do. A copy of ranges holds what they hold; close and
// bound replace an end by one that all those policies satisfy; a split adds π(i) <= v or
// π(i) >= v, which is what makes a policy one of that child. All that a node may use is
// handed to it in box and ends with it, so no range of one child serves the other. A node without a
// split has been shown empty: w > 0 for f = 0, or an end beyond the other. As at the end no
// box is left over, the empty ones cover all policies: none satisfies the hypotheses.

// box is all that the steps of a node may use.
type box struct {
	g     *ranges // known of every policy of the box that satisfies the hypotheses
	frame *ranges // a copy, from which rows and boxes of columns are built: multipliers were found for it; nil before the node opens
	depth int     // splits above it
	empty bool    // shown to hold no such policy
}

// mostRanges is how many numbers may be kept of boxes to come: a few bytes of a
// certificate are a split, which takes a copy of all ranges.
const mostRanges = 1 << 23

// tree replays a proof by boxes.
func (p *replay) tree(nodes []proof.Node) {
	root := p.root()
	stack := []box{{g: root}}
	deepest := max(64, mostRanges/root.size())
	k, j := 0, -1
	defer within(func() string { return spot(k, j) })
	for k = range nodes {
		onwards(true, p.more)
		if len(stack) == 0 {
			refuse("every policy is covered before this box; it belongs to no split")
		}
		b := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		p.depth = max(p.depth, b.depth)
		for j = range nodes[k].Steps {
			if b.empty { // it, or one that it lies in
				break
			}
			p.going(p.labour(&nodes[k].Steps[j]))
			p.step(&b, &nodes[k].Steps[j])
		}
		j = -1
		i, at := nodes[k].Pair, nodes[k].At
		switch {
		case i == -1 && !b.empty:
			refuse("its steps do not show that it holds no policy of the kind excluded, and it is not split")
		case i == -1:
		case len(stack) >= deepest:
			refuse("it is split, and %d boxes are kept already", len(stack))
		case i < -1 || i >= p.Pairs() || !enclosure.Point(at).AtMost(one) || !zero.AtMost(enclosure.Point(at)):
			refuse("it is split at pair %d and %v; want a pair below %d and a probability", i, at, p.Pairs())
		default:
			low, high := box{g: b.g.clone(), depth: b.depth + 1, empty: b.empty}, box{g: b.g, depth: b.depth + 1, empty: b.empty}
			low.empty = !narrow(&low.g.policy[i], enclosure.Of(0, at)) || low.empty
			high.empty = !narrow(&high.g.policy[i], enclosure.Of(at, 1)) || high.empty
			stack = append(stack, high, low)
		}
	}
	if n := len(stack); n > 0 {
		k = len(nodes)
		refuse("the tree ends with %d boxes of policies left over", n)
	}
}

// labour is about how many numbers a step works on: that of a few bytes is no more than
// the model and its kernels are large.
func (x *relaxation) labour(s *proof.Step) int {
	switch s.Kind {
	case proof.Open:
		return x.kernels * x.kernels * x.S
	case proof.Close:
		return x.kernels * x.kernels * x.kernels * x.S
	case proof.Bound:
		return (len(s.Rows) + 2*x.kernels) * x.Pairs()
	}
	return 1
}

// step does one step of a box.
func (p *replay) step(b *box, s *proof.Step) {
	switch {
	case s.Kind == proof.Open:
		if b.frame == nil {
			b.frame = b.g.clone()
		} else {
			b.frame.copy(b.g)
		}
		return
	case s.Kind == proof.Close:
		b.empty = p.close(b.g)
		return
	case s.Kind != proof.Refresh && s.Kind != proof.Bound:
		refuse("there is no step of kind %d", s.Kind)
	case b.frame == nil:
		refuse("it uses ranges before it has opened")
	case s.Kind == proof.Bound:
		b.empty = p.bounding(b, s)
		return
	}
	if s.M < 0 || s.M >= p.kernels || s.M2 < 0 || s.M2 >= p.kernels || s.Index < 0 || s.Index >= p.S {
		refuse("there is no ratio of kernels %d and %d in state %d", s.M, s.M2, s.Index)
	}
	k := p.at(s.M, s.M2, s.Index)
	b.frame.ratio[k] = b.g.ratio[k]
}

// bounding recomputes a bound w <= f from the multipliers and draws its
// consequence, for the kernels m = Of and m' = To, the pair i or state s:
//
//	Empty          f = 0                 w > 0 is impossible for any policy: the box is empty
//	OccupancyLow   f = d_m(s)            L_m(s) <- w
//	OccupancyHigh  f = -d_m(s)           U_m(s) <- -w
//	PolicyLow      f = x_m(i) - ρ d_m    π(i) = x_m(i)/d_m >= ρ + w/d_m, so l_i <- ρ + min(w, 0)/L_m(s)
//	PolicyHigh     f = ρ d_m - x_m(i)    u_i <- ρ - min(w, 0)/L_m(s)
//	RatioHigh      f = ρ d_m' - d_m      d_m/d_m' <= ρ - w/d_m', so R_{m,m'}(s) <- ρ - min(w, 0)/L_m'(s)
//
// each only where it tightens; the last three need d > 0 and so L > 0. Where
// the step's Value is looser than what follows here it is taken instead, so
// that the ranges are those that later multipliers were found for. A Value that
// is tighter by more than rounding may explain is refused.
func (p *replay) bounding(b *box, s *proof.Step) (empty bool) {
	x := p.relaxation
	if len(s.Rows) != len(s.Y) {
		refuse("%d rows have %d multipliers", len(s.Rows), len(s.Y))
	}
	if !enclosure.Point(s.Rho).Finite() {
		refuse("the factor ρ is %v", s.Rho)
	}
	x.rest.Reset(x.kernels+1, x.Pairs())
	state := x.aim(s)
	for k, r := range s.Rows {
		x.row(b.frame, r, s.Y[k])
	}
	w := x.rest.Bound(x.box(b.frame))
	p.bound++
	return x.conclude(b.g, s, state, w)
}

// aim puts the function f of the step's target into the accumulator
// and returns the state that it is about.
func (x *relaxation) aim(s *proof.Step) (state int) {
	state = s.Index
	ofPair := s.Target == proof.PolicyLow || s.Target == proof.PolicyHigh
	if s.Target != proof.Empty {
		size := x.S
		if ofPair {
			size = x.Pairs()
		}
		if s.Index < 0 || s.Index >= size {
			refuse("the index of a target is %d; want one below %d", s.Index, size)
		}
		if ofPair {
			state = x.State[s.Index]
		}
		if s.Of < 0 || s.Of >= x.kernels {
			refuse("the target is about kernel %d of %d", s.Of, x.kernels)
		}
		if s.Target == proof.RatioHigh && (s.To < 0 || s.To >= x.kernels || s.To == s.Of) {
			refuse("the target is about kernels %d and %d, which are not two of %d", s.Of, s.To, x.kernels)
		}
	}
	occupancy := func(m int, t float64) {
		for i := x.Off[state]; i < x.Off[state+1]; i++ {
			x.rest.Aim(x.block(m)+i, t)
		}
	}
	switch s.Target {
	case proof.Empty:
	case proof.OccupancyLow:
		occupancy(s.Of, 1)
	case proof.OccupancyHigh:
		occupancy(s.Of, -1)
	case proof.PolicyLow:
		occupancy(s.Of, enclosure.Opposite(s.Rho))
		x.rest.Aim(x.block(s.Of)+s.Index, 1)
	case proof.PolicyHigh:
		occupancy(s.Of, s.Rho)
		x.rest.Aim(x.block(s.Of)+s.Index, -1)
	case proof.RatioHigh:
		occupancy(s.Of, -1)
		occupancy(s.To, s.Rho)
	default:
		refuse("there is no target %d", s.Target)
	}
	return state
}

// conclude draws the consequence of f being in w, of which the lower end is known.
func (x *relaxation) conclude(g *ranges, s *proof.Step, state int, w interval) (empty bool) {
	if s.Target == proof.Empty {
		return w.Sign() > 0
	}
	k := s.Of*x.S + state
	rho, down := enclosure.Point(s.Rho), w.Neg().Max(zero) // from 0 to what w is below it
	proved, end, lower := w, &g.occupancy[k], false
	switch s.Target {
	case proof.OccupancyLow:
		lower = true
	case proof.OccupancyHigh:
		proved = w.Neg()
	case proof.PolicyLow:
		proved, end, lower = rho.Sub(down.Div(lowest(g.occupancy[k]))), &g.policy[s.Index], true
	case proof.PolicyHigh:
		proved, end = rho.Add(down.Div(lowest(g.occupancy[k]))), &g.policy[s.Index]
	case proof.RatioHigh:
		proved, end = rho.Add(down.Div(lowest(g.occupancy[s.To*x.S+state]))), nil
	}
	by := agreed(proved, lower, s.Value)
	if end == nil {
		lessen(&g.ratio[x.at(s.Of, s.To, state)], by)
		return false
	}
	return !narrow(end, by)
}

// lowest is the lower end of a range.
func lowest(a interval) interval { return enclosure.Point(a.Lo()) }

// agreement is the relative difference between a claimed range and the one
// recomputed that is put down to rounding; the looser of the two is used.
var agreement = enclosure.Point(1e-6)

// agreed is the range, with a lower or an upper end, that is the looser one of what is proved and
// what is claimed.
func agreed(proved interval, lower bool, claimed float64) interval {
	end, value, line := enclosure.Point(proved.Hi()), enclosure.Point(claimed), enclosure.Line()
	if lower {
		end = lowest(proved)
	}
	room := agreement.Mul(end.Abs().Max(value.Abs()))
	switch {
	case lower && !value.AtMost(end.Add(room)):
		refuse("its multipliers prove a lower end of %v; it claims %v", proved.Lo(), claimed)
	case !lower && !end.Sub(room).AtMost(value):
		refuse("its multipliers prove an upper end of %v; it claims %v", proved.Hi(), claimed)
	case lower:
		return end.Min(value).Upto(line)
	}
	return line.Upto(end.Max(value))
}

// close draws the simple consequences of the ranges, once, in this order; it
// reports whether it shows the box empty.
//
//  1. π(i) <- 1 - Σ_{other i' of the state} π(i'), pair after pair; empty where that leaves nothing
//  2. R_{m,m'}(s) <- U_m(s)/L_m'(s) for m ≠ m' where L_m'(s) > 0
//  3. R_{m,m'}(s) <- R_{m,q}(s) R_{q,m'}(s), for q, for m, for m', all different
//  4. for m, for m' ≠ m: U_m(s) <- R_{m,m'}(s) U_m'(s), L_m'(s) <- L_m(s)/R_{m,m'}(s);
//     empty when R_{m,m'}(s) R_{m',m}(s) < 1, for d_m <= R d_m' <= R R' d_m < d_m
//     needs d_m = 0, where L_m(s) > 0; or where that leaves nothing
func (x *relaxation) close(g *ranges) (empty bool) {
	for s := range x.S {
		for i := x.Off[s]; i < x.Off[s+1]; i++ {
			left := one
			for k := x.Off[s]; k < x.Off[s+1]; k++ {
				if k != i {
					left = left.Sub(g.policy[k])
				}
			}
			empty = !narrow(&g.policy[i], left) || empty
		}
	}
	x.pairwise(func(m, o, s int) {
		if d := g.occupancy[o*x.S+s]; d.Sign() > 0 {
			lessen(&g.ratio[x.at(m, o, s)], g.occupancy[m*x.S+s].Div(d))
		}
	})
	for q := range x.kernels {
		x.pairwise(func(m, o, s int) {
			if m != q && o != q {
				lessen(&g.ratio[x.at(m, o, s)], g.ratio[x.at(m, q, s)].Mul(g.ratio[x.at(q, o, s)]))
			}
		})
	}
	x.pairwise(func(m, o, s int) {
		r, back := g.ratio[x.at(m, o, s)], g.ratio[x.at(o, m, s)]
		if !r.Finite() {
			return
		}
		d, other := &g.occupancy[m*x.S+s], &g.occupancy[o*x.S+s]
		empty = empty || d.Sign() > 0 && r.Mul(back).Less(one)
		empty = !narrow(d, enclosure.Line().Upto(r.Mul(*other))) || empty
		if r.Sign() > 0 {
			empty = !narrow(other, d.Div(r).Upto(enclosure.Line())) || empty
		}
	})
	return empty
}

// pairwise visits two different kernels in each state.
func (x *relaxation) pairwise(visit func(m, o, s int)) {
	for m := range x.kernels {
		for o := range x.kernels {
			for s := range x.S {
				if m != o {
					visit(m, o, s)
				}
			}
		}
	}
}
