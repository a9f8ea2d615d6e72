package certify

import (
	"errors"
	"fmt"
	"math"

	"rcmdplab/core/proof"
)

// replay reads the proof of a certificate. It holds the ranges that are known
// of every policy of the current box that satisfies the hypotheses, and the
// frame, a copy of them from which rows and boxes of columns are built: the
// multipliers were found for those.
//
// The boxes start with that of all policies. A node takes the next box; its
// steps tighten the ranges in order; a split at pair i and value v leaves two
// boxes, π(i) <= v, taken first, and π(i) >= v, with the ranges the node ended
// with. Together they are the node's box, so the boxes that are shown empty
// cover all policies when, at the end, none is left over. No step is trusted:
// every range is recomputed from the multipliers with outward rounding.
//
// A node has nothing but the ranges handed to it: the frame of the box before is
// that of other policies, so a node that bounds before it has opened is at fault.
type replay struct {
	x      *relaxation
	g      *ranges     // of the box in work
	frame  *ranges     // rows are built from these, once framed
	framed bool        // the box in work has opened
	bound  int         // inequalities recomputed
	depth  int         // deepest box
	more   func() bool // false: the check is left
	since  int         // numbers worked on since more was asked
}

// mostRanges is how many numbers may be kept of boxes to come: a few bytes of a
// certificate are a split, which takes a copy of all ranges.
const mostRanges = 1 << 23

// fault is what is wrong with a proof, and where.
type fault struct {
	node, step int    // step -1: the node as a whole
	what       string // a clause that goes on from the place
}

// Error says it for a person.
func (f *fault) Error() string {
	if f.step < 0 {
		return fmt.Sprintf("box %d: %s", f.node, f.what)
	}
	return fmt.Sprintf("box %d, step %d: %s", f.node, f.step, f.what)
}

// tree replays a proof by boxes.
func (p *replay) tree(nodes []proof.Node) error {
	type box struct {
		g     *ranges
		depth int  // splits above it
		empty bool // known before its steps: it lies in a box that was shown empty
	}
	p.frame = p.x.root().clone()
	stack := []box{{g: p.x.root()}}
	deepest := max(64, mostRanges/p.frame.size())
	for k := range nodes {
		if !p.more() {
			return &fault{k, -1, "the check was left before this box"}
		}
		if len(stack) == 0 {
			return &fault{k, -1, "every policy is covered before this box; it belongs to no split"}
		}
		b := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		p.g, p.framed, p.depth = b.g, false, max(p.depth, b.depth)
		empty := b.empty
		for j := range nodes[k].Steps {
			if empty {
				break
			}
			if p.since += p.x.labour(&nodes[k].Steps[j]); p.since > 1<<17 {
				if p.since = 0; !p.more() {
					return &fault{k, j, "the check was left before this step"}
				}
			}
			e, err := p.step(&nodes[k].Steps[j])
			if err != nil {
				return &fault{k, j, err.Error()}
			}
			empty = e
		}
		i, at := nodes[k].Pair, nodes[k].At
		switch {
		case i == -1 && !empty:
			return &fault{k, -1, "its steps do not show that it holds no policy of the kind excluded, and it is not split"}
		case i == -1:
		case len(stack) >= deepest:
			return &fault{k, -1, fmt.Sprintf("it is split, and %d boxes are kept already", len(stack))}
		case i < -1 || i >= p.x.Pairs() || !(at >= 0 && at <= 1):
			return &fault{k, -1, fmt.Sprintf("it is split at pair %d and %v; want a pair below %d and a probability", i, at, p.x.Pairs())}
		default:
			low, high := p.g.clone(), p.g
			low.u[i], high.l[i] = min(low.u[i], at), max(high.l[i], at)
			stack = append(stack, box{high, b.depth + 1, empty}, box{low, b.depth + 1, empty})
		}
	}
	if n := len(stack); n > 0 {
		return &fault{len(nodes), -1, fmt.Sprintf("the tree ends with %d boxes of policies left over", n)}
	}
	return nil
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

// step does one step; empty when it shows that the box holds no policy that
// satisfies the hypotheses.
func (p *replay) step(s *proof.Step) (empty bool, err error) {
	switch s.Kind {
	case proof.Open:
		p.frame.copy(p.g)
		p.framed = true
		return false, nil
	case proof.Refresh, proof.Bound:
		if !p.framed {
			return false, errors.New("it uses ranges of the box before it has opened")
		}
	}
	switch s.Kind {
	case proof.Refresh:
		if s.M < 0 || s.M >= p.x.kernels || s.M2 < 0 || s.M2 >= p.x.kernels || s.Index < 0 || s.Index >= p.x.S {
			return false, fmt.Errorf("there is no ratio of kernels %d and %d in state %d", s.M, s.M2, s.Index)
		}
		k := p.x.ratio(s.M, s.M2, s.Index)
		p.frame.R[k] = p.g.R[k]
		return false, nil
	case proof.Close:
		return p.x.close(p.g), nil
	case proof.Bound:
		return p.bounding(s)
	}
	return false, fmt.Errorf("there is no step of kind %d", s.Kind)
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
func (p *replay) bounding(s *proof.Step) (empty bool, err error) {
	x := p.x
	if len(s.Rows) != len(s.Y) {
		return false, fmt.Errorf("%d rows have %d multipliers", len(s.Rows), len(s.Y))
	}
	c, err := x.columns(s.M, s.M2)
	if err != nil {
		return false, err
	}
	if math.IsNaN(s.Rho) || math.IsInf(s.Rho, 0) {
		return false, fmt.Errorf("the factor ρ is %v", s.Rho)
	}
	x.acc.reset(c.count)
	state, err := x.aim(s, &c)
	if err != nil {
		return false, err
	}
	for k, r := range s.Rows {
		if err := x.row(&c, p.frame, r, s.Y[k]); err != nil {
			return false, err
		}
	}
	w := x.acc.bound(x.box(&c, p.frame))
	p.bound++
	return p.conclude(s, state, w)
}

// aim puts the function f of the step's target into the accumulator, on the
// columns used, and returns the state that it is about.
func (x *relaxation) aim(s *proof.Step, c *columns) (state int, err error) {
	state = s.Index
	ofPair := s.Target == proof.PolicyLow || s.Target == proof.PolicyHigh
	if s.Target != proof.Empty {
		size := x.S
		if ofPair {
			size = x.Pairs()
		}
		if s.Index < 0 || s.Index >= size {
			return 0, fmt.Errorf("the index of a target is %d; want one below %d", s.Index, size)
		}
		if ofPair {
			state = x.State[s.Index]
		}
		if s.Of < 0 || s.Of >= x.kernels || c.at[s.Of] < 0 {
			return 0, fmt.Errorf("the target is about kernel %d, which the step does not use", s.Of)
		}
		if s.Target == proof.RatioHigh && (s.To < 0 || s.To >= x.kernels || s.To == s.Of || c.at[s.To] < 0) {
			return 0, fmt.Errorf("the target is about kernels %d and %d, which are not two kernels of the step", s.Of, s.To)
		}
	}
	occupancy := func(m int, t float64) {
		for i := x.Off[state]; i < x.Off[state+1]; i++ {
			x.acc.target(c.at[m]+i, t)
		}
	}
	switch s.Target {
	case proof.Empty:
	case proof.OccupancyLow:
		occupancy(s.Of, 1)
	case proof.OccupancyHigh:
		occupancy(s.Of, -1)
	case proof.PolicyLow:
		occupancy(s.Of, -s.Rho)
		x.acc.target(c.at[s.Of]+s.Index, 1)
	case proof.PolicyHigh:
		occupancy(s.Of, s.Rho)
		x.acc.target(c.at[s.Of]+s.Index, -1)
	case proof.RatioHigh:
		occupancy(s.Of, -1)
		occupancy(s.To, s.Rho)
	default:
		return 0, fmt.Errorf("there is no target %d", s.Target)
	}
	return state, nil
}

// conclude draws the consequence of w <= f.
func (p *replay) conclude(s *proof.Step, state int, w float64) (empty bool, err error) {
	x, g := p.x, p.g
	k := s.Of*x.S + state
	var shift float64 // what the last three targets add to ρ, at least
	switch s.Target {
	case proof.PolicyLow, proof.PolicyHigh:
		shift = up(max(-w, 0) / positive(g.L[k]))
	case proof.RatioHigh:
		shift = up(max(-w, 0) / positive(g.L[s.To*x.S+state]))
	}
	switch s.Target {
	case proof.Empty:
		return w > 0, nil
	case proof.OccupancyLow:
		err = raise(&g.L[k], w, s.Value)
	case proof.OccupancyHigh:
		err = lower(&g.U[k], -w, s.Value)
	case proof.PolicyLow:
		err = raise(&g.l[s.Index], down(s.Rho-shift), s.Value)
	case proof.PolicyHigh:
		err = lower(&g.u[s.Index], up(s.Rho+shift), s.Value)
	case proof.RatioHigh:
		err = lower(&g.R[x.ratio(s.Of, s.To, state)], up(s.Rho+shift), s.Value)
	}
	return false, err
}

// positive is v where v > 0 and NaN elsewhere: what it divides proves nothing.
func positive(v float64) float64 {
	if v > 0 {
		return v
	}
	return math.NaN()
}

// agreement is the relative difference between a claimed range and the one
// recomputed that is put down to rounding; the looser of the two is used.
const agreement = 1e-6

// raise lifts the lower end of a range to the looser of what is proved and
// what is claimed, where that tightens it.
func raise(end *float64, proved, claimed float64) error {
	if !(claimed <= proved+agreement*max(math.Abs(proved), math.Abs(claimed))) {
		return fmt.Errorf("its multipliers prove a lower end of %v; it claims %v", proved, claimed)
	}
	if v := min(proved, claimed); v > *end {
		*end = v
	}
	return nil
}

// lower is raise for an upper end.
func lower(end *float64, proved, claimed float64) error {
	if !(claimed >= proved-agreement*max(math.Abs(proved), math.Abs(claimed))) {
		return fmt.Errorf("its multipliers prove an upper end of %v; it claims %v", proved, claimed)
	}
	if v := max(proved, claimed); v < *end {
		*end = v
	}
	return nil
}

// close draws the simple consequences of the ranges, once, in this order; it
// reports whether it shows the box empty.
//
//  1. u_i <- 1 - Σ_{other i' of the state} l_i', l_i <- 1 - Σ_{others} u_i', pair after pair;
//     empty when Σ l > 1, Σ u < 1 or l_i > u_i
//  2. R_{m,m'}(s) <- U_m(s)/L_m'(s) for m ≠ m' where L_m'(s) > 0
//  3. R_{m,m'}(s) <- R_{m,q}(s) R_{q,m'}(s), for q, for m, for m', all different
//  4. for m, for m' ≠ m: U_m(s) <- R_{m,m'}(s) U_m'(s), L_m'(s) <- L_m(s)/R_{m,m'}(s);
//     empty when R_{m,m'}(s) R_{m',m}(s) < 1, for d_m <= R d_m' <= R R' d_m < d_m
//     needs d_m = 0, where L_m(s) > 0; or when L_m(s) > U_m(s)
func (x *relaxation) close(g *ranges) (empty bool) {
	for s := range x.S {
		a, b := x.Off[s], x.Off[s+1]
		for i := a; i < b; i++ {
			var l, u sum
			for k := a; k < b; k++ {
				if k != i {
					l.add(g.l[k])
					u.add(g.u[k])
				}
			}
			g.u[i] = min(g.u[i], up(1-l.bounds(0).lo))
			g.l[i] = max(g.l[i], down(1-u.bounds(0).hi))
		}
		var l, u sum
		for i := a; i < b; i++ {
			empty = empty || g.l[i] > g.u[i]
			l.add(g.l[i])
			u.add(g.u[i])
		}
		empty = empty || l.bounds(0).lo > 1 || u.bounds(0).hi < 1
	}
	for m := range x.kernels {
		for o := range x.kernels {
			for s := range x.S {
				if low := g.L[o*x.S+s]; m != o && low > 0 {
					r := x.ratio(m, o, s)
					g.R[r] = min(g.R[r], up(g.U[m*x.S+s]/low))
				}
			}
		}
	}
	for q := range x.kernels {
		for m := range x.kernels {
			for o := range x.kernels {
				if m == q || o == q || m == o {
					continue
				}
				a, b, r := x.ratio(m, q, 0), x.ratio(q, o, 0), x.ratio(m, o, 0)
				for s := range x.S {
					if v := up(g.R[a+s] * g.R[b+s]); v < g.R[r+s] { // false for the NaN of 0·Inf
						g.R[r+s] = v
					}
				}
			}
		}
	}
	for m := range x.kernels {
		for o := range x.kernels {
			for s := range x.S {
				r, back := g.R[x.ratio(m, o, s)], g.R[x.ratio(o, m, s)]
				if m == o || math.IsInf(r, 1) {
					continue
				}
				i, j := m*x.S+s, o*x.S+s
				empty = empty || up(r*back) < 1 && g.L[i] > 0
				if v := up(r * g.U[j]); v < g.U[i] {
					g.U[i] = v
				}
				if v := down(g.L[i] / r); v > g.L[j] && r > 0 {
					g.L[j] = v
				}
			}
		}
	}
	for k := range g.L {
		empty = empty || g.L[k] > g.U[k]
	}
	return empty
}
