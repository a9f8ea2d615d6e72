package certify

import (
	"slices"

	"rcmdplab/core/certify/enclosure"
	"rcmdplab/core/proof"
)

// tensorBox is a box to come.
//
// A move costs as much on a tensor of each piece as on one G. So where few steps are
// still to come, in the box and below it, the tensors stay as they are, for all boxes
// below, and the moves are made on each G instead: they are linear.
type tensorBox struct {
	x     []*enclosure.Ball
	late  []move // those to be made on each G
	still bool   // x is to stay as it is
	kept  int    // entries of x that no box after this one has
}

// move replaces every point i ≠ j of a state by the point a share of its way to j.
type move struct {
	state, j int       // j a point
	shares   []float64 // by point; that of j is not used
}

// tree replays the boxes.
func (t *tensors) tree(nodes []proof.TensorNode) {
	defer within(t.spot)
	kept := 0
	stack := []tensorBox{{x: t.root}}
	for k := range nodes {
		t.node, t.step = k, -1
		b := stack[len(stack)-1] // there is one, because the boxes form a tree
		stack = stack[:len(stack)-1]
		kept -= b.kept
		n := &nodes[k]
		closed := t.box(n, &b)
		if n.State < 0 {
			if t.open && n.State == StillOpen {
				continue
			}
			if n.State != -1 || !closed {
				refuse("its steps do not show that it holds no policy of the kind excluded, and it is not split")
			}
			t.held[k] = true
			continue
		}
		t.sane(n)
		t.held[k] = true
		one, two := t.children(n, &b, mostCopies-kept)
		kept += one.kept + two.kept
		stack = append(stack, two, one)
	}
}

// children are the boxes that one is split into. Tensors that are to move are
// copied for the second while there is room; else they stay as they are.
func (t *tensors) children(n *proof.TensorNode, b *tensorBox, room int) (one, two tensorBox) {
	if b.kept = t.v * used(b.x); 2*b.kept > room {
		b.still = true
	}
	one, two = *b, *b
	if b.still {
		one.kept = 0 // two has it after one
	} else {
		two.x = t.copies(b.x, t.node+1+t.size[t.node+1])
		two.kept = t.v * used(two.x)
	}
	t.push(&one, t.half(n, false))
	t.push(&two, t.half(n, true))
	return one, two
}

func used(x []*enclosure.Ball) int {
	n := 0
	for _, f := range x {
		if f != nil {
			n++
		}
	}
	return n
}

// copies are those of the tensors that box k needs.
func (t *tensors) copies(x []*enclosure.Ball, k int) []*enclosure.Ball {
	c := make([]*enclosure.Ball, len(x))
	for p, f := range x {
		if t.needs[k].has(p) {
			c[p] = f.Copy()
		}
	}
	return c
}

// thetaBits is how fine the grid of θ is.
const thetaBits = 24

// sane checks a split. θ is a multiple of 2^-24, so that 1-θ is exact and both
// children have the same point.
func (t *tensors) sane(n *proof.TensorNode) {
	if n.State >= t.S {
		refuse("it is split in state %d of %d", n.State, t.S)
	}
	if a := t.actions[n.State]; n.I < 0 || n.I >= a || n.J < 0 || n.J >= a || n.I == n.J {
		refuse("it is split between points %d and %d of %d", n.I, n.J, a)
	}
	if grid := enclosure.OnGrid(n.Theta, thetaBits); !enclosure.Share(n.Theta) || !enclosure.Point(n.Theta).Less(one) || grid == 0 || enclosure.Point(enclosure.FromGrid(grid, thetaBits)) != enclosure.Point(n.Theta) {
		refuse("it is split a share of %v of the way; want one between 0 and 1 on the grid of 2^-24", n.Theta)
	}
}

// box does the steps of one box; closed when one of them closes it.
func (t *tensors) box(n *proof.TensorNode, b *tensorBox) (closed bool) {
	k := t.node
	if !b.still {
		for p := range b.x { // what is not needed from here on
			if !t.needs[k].has(p) {
				b.x[p] = nil
			}
		}
		b.still = t.below[k] <= 2*t.needs[k].count()
	}
	for t.step = range n.Steps {
		if closed {
			refuse("the box is closed before this step")
		}
		s := &n.Steps[t.step]
		if !t.held[k] {
			t.holds(b, s)
		}
		if closed = s.State == -1; !closed {
			t.push(b, move{s.State, s.J, s.Shift})
		}
	}
	t.step = -1
	return closed
}

// push makes a move in the box at hand, or in a part of it, if that matters to any step from there on.
func (t *tensors) push(b *tensorBox, m move) {
	switch {
	case t.below[t.node] == 0:
		return
	case b.still:
		b.late = append(slices.Clip(b.late), m)
		return
	}
	for _, f := range b.x {
		if f != nil {
			f.Lerp(t.stride[m.state], m.shares, m.j)
		}
	}
	t.going(t.v * used(b.x))
}

// holds checks one step.
func (t *tensors) holds(b *tensorBox, s *proof.TensorStep) {
	t.terms = t.terms[:0]
	for _, p := range s.Pieces {
		t.terms = append(t.terms, b.x[p])
	}
	t.sum.Combine(t.terms, s.Lambda)
	for _, m := range b.late {
		t.sum.Lerp(t.stride[m.state], m.shares, m.j)
	}
	t.going(t.v * (len(s.Pieces) + len(b.late)))
	if s.State != -1 {
		t.pushable(s)
		return
	}
	if low := t.sum.Least(); low.Sign() <= 0 {
		refuse("its multipliers give %v at least; want more than 0", low.Lo())
	}
}

// pushable checks that G allows the shares of a step:
// that it is positive at every point i ≠ j and where that goes.
func (t *tensors) pushable(s *proof.TensorStep) {
	if s.State < 0 || s.State >= t.S {
		refuse("there is no state %d", s.State)
	}
	a, stride := t.actions[s.State], t.stride[s.State]
	if s.J < 0 || s.J >= a || len(s.Shift) != a {
		refuse("it pushes %d points towards point %d; the state has %d", len(s.Shift), s.J, a)
	}
	for i, l := range s.Shift {
		if i == s.J {
			continue
		}
		if share := enclosure.Point(l); !zero.AtMost(share) || !share.Less(one) {
			refuse("it moves a point by a share of %v; want one from 0 up to 1", l)
		}
		if low := t.sum.LeastLerp(stride, a, i, s.J, l); low.Sign() <= 0 {
			refuse("its multipliers give %v at least at a point that it cuts off; want more than 0", low.Lo())
		}
	}
}

// half is the move of a child of a split.
func (t *tensors) half(n *proof.TensorNode, second bool) move {
	shares := make([]float64, t.actions[n.State])
	if second {
		shares[n.J] = enclosure.FromGrid(1<<thetaBits-enclosure.OnGrid(n.Theta, thetaBits), thetaBits) // 1-θ
		return move{n.State, n.I, shares}
	}
	shares[n.I] = n.Theta
	return move{n.State, n.J, shares}
}
