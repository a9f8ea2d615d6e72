package certify

import (
	"fmt"
	"math"
	"slices"
)

// tensorBox is a box to come.
type tensorBox struct {
	x     [][]float64 // nil: to be made again from the root, along path
	moves int         // of points, since the root: each adds to the error
	depth int         // splits above it
	path  *trail      // nil at the root
}

// trail is how a box came about: one split after another, each with the steps
// before it.
type trail struct {
	before *trail // the splits above, nil at the root
	node   int    // that was split, by place in the proof
	second bool   // this is its second child
}

// tree replays the boxes.
func (t *tensors) tree(nodes []TensorNode) error {
	kept := 0
	stack := []tensorBox{{}}
	for k := range nodes {
		b := stack[len(stack)-1] // there is one, because the boxes form a tree
		stack = stack[:len(stack)-1]
		if b.x == nil {
			b.x = t.again(nodes, b.path, k)
			if b.x == nil {
				return errLeft
			}
		} else {
			kept -= t.v * used(b.x)
		}
		t.depth = max(t.depth, b.depth)
		closed, err := t.box(k, &nodes[k], &b)
		if err != nil {
			return err
		}
		n := &nodes[k]
		if n.State < 0 {
			if n.State != -1 || !closed {
				return &fault{k, -1, "its steps do not show that it holds no policy of the kind excluded, and it is not split"}
			}
			continue
		}
		if err := t.sane(n); err != nil {
			return &fault{k, -1, err.Error()}
		}
		one := tensorBox{depth: b.depth + 1, moves: b.moves + 1, path: &trail{b.path, k, false}}
		two := tensorBox{depth: b.depth + 1, moves: b.moves + 1, path: &trail{b.path, k, true}}
		if kept+t.v*used(b.x) <= mostCopies {
			for _, f := range b.x {
				two.x = append(two.x, slices.Clone(f))
			}
			kept += t.v * used(two.x)
			t.half(two.x, n, true)
		}
		t.half(b.x, n, false)
		if !t.going(3 * t.v * used(b.x)) {
			return errLeft
		}
		one.x = b.x
		kept += t.v * used(one.x)
		stack = append(stack, two, one)
	}
	return nil
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

// again makes the tensors of a box from the root's, as far as the box needs them;
// nil when the check is left.
func (t *tensors) again(nodes []TensorNode, path *trail, k int) [][]float64 {
	x := make([][]float64, len(t.root))
	for p, f := range t.root {
		if t.needs[k].has(p) {
			x[p] = slices.Clone(f)
		}
	}
	work := t.v * used(x)
	var way []*trail
	for p := path; p != nil; p = p.before {
		way = append(way, p)
	}
	for _, p := range slices.Backward(way) {
		n := &nodes[p.node]
		for j := range n.Steps {
			if n.Steps[j].State >= 0 {
				t.push(x, &n.Steps[j])
				if !t.going(work) {
					return nil
				}
			}
		}
		t.half(x, n, p.second)
		if !t.going(work) {
			return nil
		}
	}
	return x
}

// sane checks a split. θ is a multiple of 2^-24, so that 1-θ is exact and both
// children have the same point.
func (t *tensors) sane(n *TensorNode) error {
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
func (t *tensors) box(k int, n *TensorNode, b *tensorBox) (closed bool, err error) {
	for p := range b.x { // what is not needed from here on
		if !t.needs[k].has(p) {
			b.x[p] = nil
		}
	}
	for j := range n.Steps {
		if closed {
			return false, &fault{k, j, "the box is closed before this step"}
		}
		s := &n.Steps[j]
		need := t.combine(b, s)
		t.steps++
		if !t.going(t.v * (len(s.Pieces) + used(b.x))) {
			return false, errLeft
		}
		if s.State == -1 {
			low := math.Inf(1)
			for _, g := range t.sum {
				low = min(low, g)
			}
			if !(low > need) {
				return false, &fault{k, j, fmt.Sprintf("its multipliers give at least %v; want more than %v", low, need)}
			}
			closed = true
			continue
		}
		if err := t.pushable(s, need); err != nil {
			return false, &fault{k, j, err.Error()}
		}
		t.push(b.x, s)
		b.moves++
	}
	return closed, nil
}

// combine fills sum with G and returns what it must exceed: the errors of the
// pieces, and (terms+1)·2^-53 of the sizes for the products and the sum, doubled
// with room.
func (t *tensors) combine(b *tensorBox, s *TensorStep) (need float64) {
	clear(t.sum)
	terms := float64(len(s.Pieces) + 3)
	for i, p := range s.Pieces {
		if l := s.Lambda[i]; l > 0 {
			need += l * (t.first[p] + ulp*t.most[p]*(4*float64(b.moves)+terms))
		}
	}
	const part = 512 // of the sum at a time, which stays at hand
	for from := 0; from < t.v; from += part {
		sum := t.sum[from:min(from+part, t.v)]
		i := 0
		for ; i+4 <= len(s.Pieces); i += 4 {
			l, p := s.Lambda[i:i+4], s.Pieces[i:i+4]
			l0, l1, l2, l3 := l[0], l[1], l[2], l[3]
			f0, f1 := b.x[p[0]][from:][:len(sum)], b.x[p[1]][from:][:len(sum)]
			f2, f3 := b.x[p[2]][from:][:len(sum)], b.x[p[3]][from:][:len(sum)]
			for c, v := range sum {
				sum[c] = v + float64(l0*f0[c]) + float64(l1*f1[c]) + float64(l2*f2[c]) + float64(l3*f3[c])
			}
		}
		for ; i < len(s.Pieces); i++ {
			l, f := s.Lambda[i], b.x[s.Pieces[i]][from:][:len(sum)]
			for c, v := range sum {
				sum[c] = v + float64(l*f[c])
			}
		}
	}
	return need*(1+1e-12) + underflow
}

// pushable checks that G allows the shares of a step.
func (t *tensors) pushable(s *TensorStep, need float64) error {
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
		for o := 0; o < t.v; o += a * stride {
			to := t.sum[o+s.J*stride:][:stride]
			for c, g := range t.sum[o+i*stride:][:stride] {
				end := g
				if y := to[c]; y < g {
					end = g + l*(y-g) - 4*ulp*(math.Abs(g)+math.Abs(y))
				}
				if !(end > need) {
					return fmt.Errorf("its multipliers give %v at a point that it cuts off; want more than %v", end, need)
				}
			}
		}
	}
	return nil
}

// push moves the points of a state, and half the one of a split's child.
func (t *tensors) push(x [][]float64, s *TensorStep) {
	for i, l := range s.Shift {
		if i != s.J && l != 0 {
			t.move(x, s.State, i, s.J, l)
		}
	}
}

func (t *tensors) half(x [][]float64, n *TensorNode, second bool) {
	if second {
		t.move(x, n.State, n.J, n.I, 1-n.Theta)
	} else {
		t.move(x, n.State, n.I, n.J, n.Theta)
	}
}

// move replaces point i of state s by the point a share l of its way to j.
func (t *tensors) move(x [][]float64, s, i, j int, l float64) {
	stride, block := t.stride[s], t.stride[s]*t.actions[s]
	for _, f := range x {
		if stride < 16 { // entries one by one: short slices cost more than they save
			for o := range min(stride, len(f)) {
				for from, to := o+i*stride, o+j*stride; from < len(f) && to < len(f); from, to = from+block, to+block {
					f[from] += float64(l * (f[to] - f[from]))
				}
			}
			continue
		}
		for o := 0; o < len(f); o += block {
			from, to := f[o+i*stride:][:stride], f[o+j*stride:][:stride]
			to = to[:len(from)]
			for c, v := range from {
				from[c] = v + float64(l*(to[c]-v))
			}
		}
	}
}
