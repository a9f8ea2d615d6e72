package certify

import (
	"fmt"
	"math"
	"slices"

	"rcmdplab/core/certify/enclosure"
	"rcmdplab/core/proof"
)

// tensorBox is a box to come.
//
// A move costs as much on a tensor of each piece as on one G. So where few moves are
// still to come, in the box and below it, the tensors stay as they are, for all boxes
// below, and the moves are made on each G instead: they are linear (tensors.plan).
type tensorBox struct {
	x     [][]float64 // nil: to be made again from the root, along path
	late  []move      // those to be made on each G
	still bool        // x is to stay as it is
	kept  int         // entries of x that no box after this one has
	moves int         // of points, since the root: each adds to the error
	path  *trail      // nil at the root
}

// move replaces every point i ≠ j of a state by the point a share of its way to j.
type move struct {
	state, j int       // j a point
	shares   []float64 // by point; that of j is not used
}

// trail is how a box came about: one split after another, each with the steps
// before it.
type trail struct {
	before *trail // the splits above, nil at the root
	node   int    // that was split, by place in the proof
	second bool   // this is its second child
}

// tree replays the boxes.
func (t *tensors) tree(nodes []proof.TensorNode) error {
	kept := 0
	stack := []tensorBox{{}}
	for k := 0; k < len(nodes); k++ {
		b := stack[len(stack)-1] // there is one, because the boxes form a tree
		stack = stack[:len(stack)-1]
		kept -= b.kept
		if t.left[k] == 0 { // all of it was replayed before
			k += t.size[k] - 1
			continue
		}
		if b.x == nil {
			b.x, b.late, b.still = t.again(nodes, b.path, k), nil, false
			if b.x == nil {
				return ErrLeft
			}
			b.kept = t.v * used(b.x)
		}
		closed, err := t.box(k, &nodes[k], &b)
		if err != nil {
			return err
		}
		n := &nodes[k]
		if n.State < 0 {
			if t.open && n.State == StillOpen {
				continue
			}
			if n.State != -1 || !closed {
				return &fault{k, -1, "its steps do not show that it holds no policy of the kind excluded, and it is not split"}
			}
			t.held[k] = true
			continue
		}
		if err := t.sane(n); err != nil {
			return &fault{k, -1, err.Error()}
		}
		t.held[k] = true
		one, two, ok := t.children(k, n, &b, mostCopies-kept)
		if !ok {
			return ErrLeft
		}
		kept += one.kept + two.kept
		stack = append(stack, two, one)
	}
	return nil
}

// children are the boxes that one is split into. Tensors that are to move are
// copied for the second while there is room. False when the check is left.
func (t *tensors) children(k int, n *proof.TensorNode, b *tensorBox, room int) (one, two tensorBox, ok bool) {
	one = tensorBox{still: b.still, moves: b.moves + 1, path: &trail{b.path, k, false}}
	two = one
	two.path = &trail{b.path, k, true}
	one.x = b.x
	if b.still {
		two.x, two.kept = b.x, b.kept
		one.late = append(slices.Clip(b.late), t.half(n, false))
		two.late = append(slices.Clip(b.late), t.half(n, true))
		return one, two, true
	}
	one.kept = t.v * used(b.x)
	if one.kept <= room {
		two.x = t.copies(b.x, k+1+t.size[k+1])
		two.kept = t.v * used(two.x)
		t.move(two.x, t.half(n, true))
	}
	t.move(one.x, t.half(n, false))
	return one, two, t.going(3 * one.kept)
}

func used(x [][]float64) int {
	n := 0
	for _, f := range x {
		if f != nil {
			n++
		}
	}
	return n
}

// copies are those of the tensors that box k needs.
func (t *tensors) copies(x [][]float64, k int) [][]float64 {
	c := make([][]float64, len(x))
	for p, f := range x {
		if t.needs[k].has(p) {
			c[p] = slices.Clone(f)
		}
	}
	return c
}

// again makes the tensors of a box from the root's, as far as the box needs them;
// nil when the check is left.
func (t *tensors) again(nodes []proof.TensorNode, path *trail, k int) [][]float64 {
	x := t.copies(t.root, k)
	work := t.v * used(x)
	var way []*trail
	for p := path; p != nil; p = p.before {
		way = append(way, p)
	}
	for _, p := range slices.Backward(way) {
		n := &nodes[p.node]
		for j := range n.Steps {
			if n.Steps[j].State >= 0 {
				t.move(x, moveOf(&n.Steps[j]))
				if !t.going(work) {
					return nil
				}
			}
		}
		t.move(x, t.half(n, p.second))
		if !t.going(work) {
			return nil
		}
	}
	return x
}

// sane checks a split. θ is a multiple of 2^-24, so that 1-θ is exact and both
// children have the same point.
func (t *tensors) sane(n *proof.TensorNode) error {
	if n.State >= t.S {
		return fmt.Errorf("it is split in state %d of %d", n.State, t.S)
	}
	if a := t.actions[n.State]; n.I < 0 || n.I >= a || n.J < 0 || n.J >= a || n.I == n.J {
		return fmt.Errorf("it is split between points %d and %d of %d", n.I, n.J, a)
	}
	if grid := n.Theta * (1 << 24); !(n.Theta > 0 && n.Theta < 1) || grid != math.Floor(grid) {
		return fmt.Errorf("it is split a share of %v of the way; want one between 0 and 1 on the grid of 2^-24", n.Theta)
	}
	return nil
}

// box does the steps of one box; closed when one of them closes it.
func (t *tensors) box(k int, n *proof.TensorNode, b *tensorBox) (closed bool, err error) {
	if !b.still {
		for p := range b.x { // what is not needed from here on
			if !t.needs[k].has(p) {
				b.x[p] = nil
			}
		}
		b.still = t.late[k] <= t.early[k]
	}
	for j := range n.Steps {
		if closed {
			return false, &fault{k, j, "the box is closed before this step"}
		}
		s := &n.Steps[j]
		if !t.held[k] {
			if err := t.holds(b, s); err == ErrLeft {
				return false, err
			} else if err != nil {
				return false, &fault{k, j, err.Error()}
			}
		}
		if s.State == -1 {
			closed = true
			continue
		}
		b.moves++
		if b.still {
			b.late = append(slices.Clip(b.late), moveOf(s))
			continue
		}
		t.move(b.x, moveOf(s))
		if !t.going(t.v * used(b.x)) {
			return false, ErrLeft
		}
	}
	return closed, nil
}

// holds checks one step.
func (t *tensors) holds(b *tensorBox, s *proof.TensorStep) error {
	need, size := t.combine(b, s)
	if !t.going(t.v * (len(s.Pieces) + len(b.late))) {
		return ErrLeft
	}
	if s.State != -1 {
		return t.pushable(s, need, size)
	}
	if low := least(t.sum); !(low > need) {
		return fmt.Errorf("its multipliers give at least %v; want more than %v", low, need)
	}
	return nil
}

// combine fills sum with G and returns what it must exceed: the errors of the
// pieces, and (terms+1)·2^-53 of the sizes for the products and the sum, doubled
// with room. No |G| is larger than size. Where that is not far below what overflows,
// nothing exceeds what it must; else every number is finite, so that comparisons
// see all of them.
func (t *tensors) combine(b *tensorBox, s *proof.TensorStep) (need, size float64) {
	terms := float64(len(s.Pieces) + 3)
	for i, p := range s.Pieces {
		l := s.Lambda[i]
		need += l * (t.first[p] + enclosure.Ulp*t.most[p]*(4*float64(b.moves)+terms))
		size += l * t.most[p] // NaN where a piece of no weight overflowed
	}
	t.add(b.x, s)
	for _, m := range b.late {
		t.move(t.only, m)
	}
	if size = 2 * size; !(size < 1e300) { // twice: with room for all rounding
		need = math.Inf(1)
	}
	return need*(1+1e-12) + enclosure.Underflow, size
}

// abreast is how many pieces are added at a time: the loop is much of it.
const abreast = 6

// add fills sum with the pieces of a step times their multipliers.
func (t *tensors) add(x [][]float64, s *proof.TensorStep) {
	if len(s.Pieces) == 0 {
		clear(t.sum)
		return
	}
	const part = 512 // of the sum at a time, which stays at hand
	for from := 0; from < t.v; from += part {
		sum := t.sum[from:min(from+part, t.v)]
		for first := 0; first < len(s.Pieces); first += abreast {
			var l [abreast]float64
			var f [abreast][]float64
			for i := range f { // what is missing has a multiplier of 0
				f[i] = x[s.Pieces[min(first+i, len(s.Pieces)-1)]][from:][:len(sum)]
				if first+i < len(s.Pieces) {
					l[i] = s.Lambda[first+i]
				}
			}
			if first == 0 {
				clear(sum)
			}
			addAll(sum, &f, &l)
		}
	}
}

func addAll(sum []float64, f *[abreast][]float64, l *[abreast]float64) {
	n := len(sum)
	a, b, c, d, e, g := f[0][:n], f[1][:n], f[2][:n], f[3][:n], f[4][:n], f[5][:n]
	la, lb, lc, ld, le, lg := l[0], l[1], l[2], l[3], l[4], l[5]
	for i, v := range sum {
		sum[i] = v + float64(la*a[i]) + float64(lb*b[i]) + float64(lc*c[i]) + float64(ld*d[i]) + float64(le*e[i]) + float64(lg*g[i])
	}
}

// least is the least of finite numbers.
func least(v []float64) float64 {
	low := v[0]
	for _, g := range v {
		if g < low {
			low = g
		}
	}
	return low
}

// pushable checks that G, which is no larger than size, allows the shares of a step:
// that it is positive at every point i ≠ j and where that goes. Of the latter what is
// computed is off by at most 2^-53 of |y-g|, of the product and of the sum, each below
// 2·size: 4 ulp·size is more.
func (t *tensors) pushable(s *proof.TensorStep, need, size float64) error {
	if s.State < 0 || s.State >= t.S {
		return fmt.Errorf("there is no state %d", s.State)
	}
	a, stride := t.actions[s.State], t.stride[s.State]
	if s.J < 0 || s.J >= a || len(s.Shift) != a {
		return fmt.Errorf("it pushes %d points towards point %d; the state has %d", len(s.Shift), s.J, a)
	}
	for i, l := range s.Shift {
		if i == s.J {
			continue
		}
		if !(l >= 0 && l < 1) {
			return fmt.Errorf("it moves a point by a share of %v; want one from 0 up to 1", l)
		}
		low, end := math.Inf(1), math.Inf(1)
		for o := 0; o < t.v; o += a * stride {
			from := t.sum[o+i*stride:][:stride]
			to := t.sum[o+s.J*stride:][:len(from)]
			for c, g := range from {
				if g < low {
					low = g
				}
				if g += float64(l * (to[c] - g)); g < end {
					end = g
				}
			}
		}
		if low = min(low, end-4*enclosure.Ulp*size); !(low > need) {
			return fmt.Errorf("its multipliers give %v at a point that it cuts off; want more than %v", low, need)
		}
	}
	return nil
}

// move is that of a push, and half that of a child of a split.
func moveOf(s *proof.TensorStep) move { return move{s.State, s.J, s.Shift} }

func (t *tensors) half(n *proof.TensorNode, second bool) move {
	shares := make([]float64, t.actions[n.State])
	if second {
		shares[n.J] = 1 - n.Theta
		return move{n.State, n.I, shares}
	}
	shares[n.I] = n.Theta
	return move{n.State, n.J, shares}
}

// move makes a move on every tensor.
func (t *tensors) move(x [][]float64, m move) {
	stride := t.stride[m.state]
	t.points = t.points[:0]
	for i, l := range m.shares {
		if i != m.j && l != 0 {
			t.points = append(t.points, i)
		}
	}
	for _, f := range x {
		switch {
		case stride >= 16:
			t.slices(f, m, stride)
		case stride%4 == 0:
			t.fours(f, m, stride)
		default:
			t.scattered(f, m, stride)
		}
	}
}

// slices makes a move slice by slice, three points at a time: the loop is much of a check.
func (t *tensors) slices(f []float64, m move, stride int) {
	block := stride * len(m.shares)
	for ; len(f) >= block; f = f[block:] {
		to := f[m.j*stride:][:stride]
		k := 0
		for ; k+3 <= len(t.points); k += 3 {
			p, q, r := t.points[k], t.points[k+1], t.points[k+2]
			a, b, c := f[p*stride:][:len(to)], f[q*stride:][:len(to)], f[r*stride:][:len(to)]
			la, lb, lc := m.shares[p], m.shares[q], m.shares[r]
			for i, y := range to {
				a[i] += float64(la * (y - a[i]))
				b[i] += float64(lb * (y - b[i]))
				c[i] += float64(lc * (y - c[i]))
			}
		}
		for ; k < len(t.points); k++ {
			a, la := f[t.points[k]*stride:][:len(to)], m.shares[t.points[k]]
			for i, y := range to {
				a[i] += float64(la * (y - a[i]))
			}
		}
	}
}

// fours makes a move four entries at a time, for slices that are short.
func (t *tensors) fours(f []float64, m move, stride int) {
	block := stride * len(m.shares)
	for ; len(f) >= block; f = f[block:] {
		for o := 0; o < stride; o += 4 {
			y := (*[4]float64)(f[m.j*stride+o:])
			for _, i := range t.points {
				a, l := (*[4]float64)(f[i*stride+o:]), m.shares[i]
				a[0] += float64(l * (y[0] - a[0]))
				a[1] += float64(l * (y[1] - a[1]))
				a[2] += float64(l * (y[2] - a[2]))
				a[3] += float64(l * (y[3] - a[3]))
			}
		}
	}
}

// scattered makes a move entry by entry, for slices that are so short that they cost
// more than they save.
func (t *tensors) scattered(f []float64, m move, stride int) {
	block := stride * len(m.shares)
	if stride == 1 && len(t.points) == 3 {
		p, q, r := t.points[0], t.points[1], t.points[2]
		la, lb, lc := m.shares[p], m.shares[q], m.shares[r]
		for ; len(f) >= block; f = f[block:] {
			b := f[:block]
			y := b[m.j]
			b[p] += float64(la * (y - b[p]))
			b[q] += float64(lb * (y - b[q]))
			b[r] += float64(lc * (y - b[r]))
		}
		return
	}
	for _, i := range t.points {
		l := m.shares[i]
		for o := range min(stride, len(f)) {
			for from, to := o+i*stride, o+m.j*stride; from < len(f) && to < len(f); from, to = from+block, to+block {
				f[from] += float64(l * (f[to] - f[from]))
			}
		}
	}
}
