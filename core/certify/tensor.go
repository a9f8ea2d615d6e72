package certify

import (
	"fmt"
	"math"
	"slices"
)

// Tensor is a proof by tensors, for problems with few kernels and few
// deterministic policies.
//
// # What is proved
//
// For kernel m let D_m(π) = det(I - γP_m^π), which is positive, and
//
//	F_{n,m}(π) = D_m(π) (c̃_{n,m}·x_m - b̃_n)
//
// in the units of relaxation. By Cramer's rule D_m(π) d_m(s) is a determinant
// whose row s does not depend on the policy, so F is affine in each row π(s,·).
// A policy that satisfies the hypotheses has F_{n,m}(π) <= 0 for all n and m.
//
// A box holds the policies with π(s,·) in the hull of A_s points, for every
// state. Over it F(π) is an average of the values F(c) at choices c of a point
// for every state, with weights that are the same for all n and m. So
//
//	close  with λ >= 0 and G(c) = Σ λ_{n,m} F_{n,m}(c) > 0 at every c the box
//	       holds no policy that satisfies the hypotheses;
//	push   with λ >= 0 and G(c) > 0 at every c with c_s ≠ j, and shares
//	       0 <= ℓ_i < 1 with (1-ℓ_i) G(i,c) + ℓ_i G(j,c) > 0 for every choice c of
//	       the other states: point i of state s may be moved to (1-ℓ_i) i + ℓ_i j,
//	       for all i ≠ j at once. What is cut off is the hull of the points i ≠ j
//	       and of where they went, a box of the same kind at all of whose points
//	       G > 0;
//	split  at the point between i and j of state s a share θ of the way from i:
//	       the two boxes in which it takes the place of i, and of j, cover the box.
//
// The first box is that of all policies. It may be scaled: weights w_s(a) > 0
// multiply F(c) by Π w_s(c_s), which amounts to other weights of the same
// averages and one positive factor of all F(π).
type Tensor struct {
	Scale  []int // by kernel: F is taken times 2^Scale
	Weight []int // by pair: w is 2^Weight; nil: all 1
	Nodes  []TensorNode
}

// TensorNode is one box, in preorder: steps, then a split; or, with State = -1,
// the last step closes it.
type TensorNode struct {
	Steps []TensorStep
	State int
	I, J  int
	Theta float64
}

// TensorStep closes a box (State = -1) or pushes the facet opposite point J.
type TensorStep struct {
	State, J int
	Pieces   []int     // m(N+1)+n of the multipliers
	Lambda   []float64 // the multipliers
	Shift    []float64 // ℓ by point; that of J is not used
}

// The largest sizes that a proof by tensors is replayed for.
const (
	mostTensor = 1 << 20 // entries of all F
	mostPieces = 128
	mostLabour = 1e8      // steps of elimination
	mostCopies = 12 << 20 // entries kept for boxes to come
)

// tensors replays a proof. Entries are float64 whose errors are bounded for
// each piece k by
//
//	first[k] + 4 ulp · most[k] · (moves so far)
//
// because a move x + ℓ(y - x) with 0 <= ℓ <= 1 passes on at most the larger of
// the errors of x and y, and with |x|, |y| <= most the rounding of the
// difference (at most ulp·most), of the product (as much again) and of the sum
// (half of that) adds less than 4 ulp·most, which leaves room for what errors
// do to most itself.
type tensors struct {
	*relaxation
	actions []int
	stride  []int
	v       int         // choices
	costs   int         // N+1
	root    [][]float64 // by piece, nil where it is not used
	first   []float64
	most    []float64
	needs   []pieceSet // by node: pieces used in it and below
	sum     []float64  // G
	steps   int
	depth   int
}

type pieceSet [mostPieces / 64]uint64

func (p *pieceSet) add(k int)      { p[k/64] |= 1 << (k % 64) }
func (p *pieceSet) has(k int) bool { return p[k/64]>>(k%64)&1 == 1 }

// tensor checks a proof by tensors for kernels of the instance.
func (p *replay) tensor(in *instance, kernels [][]row, c *Tensor) error {
	t := &tensors{relaxation: p.x, costs: len(in.costs), v: 1}
	labour := 1.0
	for s := range t.S {
		a := t.Off[s+1] - t.Off[s]
		t.actions = append(t.actions, a)
		t.stride = append(t.stride, t.v)
		if t.v*a*len(kernels)*t.costs > mostTensor {
			return fmt.Errorf("it is by tensors, and there are more than %d entries", mostTensor)
		}
		t.v *= a
		labour = float64(t.v) * float64(len(kernels)*t.S*(t.S+t.costs))
	}
	if len(kernels)*t.costs > mostPieces || labour > mostLabour {
		return fmt.Errorf("it is by tensors, and there are too many states, kernels or costs for that")
	}
	if err := t.shape(c, len(kernels)); err != nil {
		return err
	}
	if err := t.need(c.Nodes); err != nil {
		return err
	}
	t.root = make([][]float64, len(kernels)*t.costs)
	t.first, t.most = make([]float64, len(t.root)), make([]float64, len(t.root))
	t.sum = make([]float64, t.v)
	for m := range kernels {
		if !p.more() {
			return fmt.Errorf("the check was left before model %d", m)
		}
		if err := t.kernel(in, kernels[m], m, c); err != nil {
			return err
		}
	}
	err := t.tree(c.Nodes, p.more)
	p.bound, p.depth = t.steps, t.depth
	return err
}

// shape checks what stands beside the boxes.
func (t *tensors) shape(c *Tensor, kernels int) error {
	if len(c.Scale) != kernels || c.Weight != nil && len(c.Weight) != t.Pairs() {
		return fmt.Errorf("it scales %d models and %d pairs; want %d, and %d or none", len(c.Scale), len(c.Weight), kernels, t.Pairs())
	}
	for _, e := range append(slices.Clone(c.Scale), c.Weight...) {
		if e < -1000 || e > 1000 {
			return fmt.Errorf("it scales by 2^%d", e)
		}
	}
	return nil
}

// need lists, from the last box to the first, which pieces each and those below
// it use. It checks that the boxes form one tree.
func (t *tensors) need(nodes []TensorNode) error {
	t.needs = make([]pieceSet, len(nodes))
	var roots []int
	for k := len(nodes) - 1; k >= 0; k-- {
		n := &nodes[k]
		for j := range n.Steps {
			s := &n.Steps[j]
			if len(s.Pieces) != len(s.Lambda) {
				return &fault{k, j, fmt.Sprintf("%d pieces have %d multipliers", len(s.Pieces), len(s.Lambda))}
			}
			for i, p := range s.Pieces {
				if p < 0 || p >= t.kernels*t.costs {
					return &fault{k, j, fmt.Sprintf("there is no piece %d", p)}
				}
				if math.IsInf(t.limit[p%t.costs], 1) {
					return &fault{k, j, "it uses the objective, which the claim does not limit"}
				}
				if l := s.Lambda[i]; !(l >= 0) || math.IsInf(l, 1) {
					return &fault{k, j, fmt.Sprintf("a multiplier is %v; want a number >= 0", l)}
				}
				t.needs[k].add(p)
			}
		}
		if n.State >= 0 {
			if len(roots) < 2 {
				return &fault{k, -1, "the boxes it is split into are not there"}
			}
			for _, child := range roots[len(roots)-2:] {
				for i, w := range t.needs[child] {
					t.needs[k][i] |= w
				}
			}
			roots = roots[:len(roots)-2]
		}
		roots = append(roots, k)
	}
	if len(roots) != 1 {
		return &fault{0, -1, fmt.Sprintf("the boxes form %d trees; want one, of all policies", len(roots))}
	}
	return nil
}

// kernel fills the tensors of kernel m at the root. I - γP and the costs are
// intervals around the exact numbers. For one choice of actions after another,
// rows are eliminated in the order of the states, from the first whose action
// has changed; the pivots' product is D, and a last row -μ leaves the returns.
func (t *tensors) kernel(in *instance, rows []row, m int, c *Tensor) error {
	used := false
	for n := range t.costs {
		if k := m*t.costs + n; t.needs[0].has(k) {
			t.root[k], used = make([]float64, t.v), true
		}
	}
	if !used {
		return nil
	}
	order := t.byActions()
	w := t.S + t.costs
	given := make([]iv, t.Pairs()*w)
	for s, idx := range t.flowIdx[m*t.S : (m+1)*t.S] {
		// Flow row s has I - γP of its column s, by pair, rounded to within 3 roundoffs.
		col := slices.Index(order, s)
		for j, i := range idx {
			given[i*w+col] = within(t.flowVal[m*t.S+s][j], 3)
		}
	}
	for n := range t.costs {
		for i, v := range t.cost[m][n] {
			given[i*w+t.S+n] = within(v, 1)
		}
	}
	done := make([]iv, (t.S+1)*w) // eliminated rows, the last for -μ
	choice := make([]int, t.S)
	det := make([]iv, t.S+1)
	det[0] = point(1)
	for depth, at := 0, 0; ; {
		for ; depth < t.S; depth++ {
			s := order[depth]
			up := done[depth*w:][:w]
			copy(up, given[(t.Off[s]+choice[depth])*w:][:w])
			eliminate(up, done, depth, w)
			if !(up[depth].lo > 0) {
				return fmt.Errorf("model %d: a determinant cannot be told from 0", m)
			}
			det[depth+1] = det[depth].mul(up[depth])
		}
		last := done[t.S*w:][:w]
		clear(last)
		for depth, s := range order {
			last[depth] = t.start[s].neg() // (1-γ)μ
		}
		eliminate(last, done, t.S, w)
		t.enter(m, at, det[t.S], last[t.S:], c)
		for depth--; depth >= 0; depth-- {
			s := order[depth]
			if choice[depth]++; choice[depth] < t.actions[s] {
				at += t.stride[s]
				break
			}
			at -= (t.actions[s] - 1) * t.stride[s]
			choice[depth] = 0
		}
		if depth < 0 {
			return nil
		}
	}
}

// byActions orders the states by their number of actions, so that what is
// eliminated first changes least.
func (t *tensors) byActions() []int {
	order := make([]int, t.S)
	for s := range order {
		order[s] = s
	}
	slices.SortStableFunc(order, func(a, b int) int { return t.actions[a] - t.actions[b] })
	return order
}

// within is the interval of numbers within k unit roundoffs of v.
func within(v float64, k int) iv {
	a, b := v, v
	for range k {
		a, b = down(a), up(b)
	}
	return iv{a, b}
}

// eliminate subtracts multiples of the first rows so that as many columns of
// row are 0.
func eliminate(row, done []iv, columns, w int) {
	for k := range columns {
		p := row[k]
		if p.lo == 0 && p.hi == 0 {
			continue
		}
		pivot := done[k*w:][:w]
		f := p.div(pivot[k])
		for j := k + 1; j < w; j++ {
			if e := pivot[j]; e.lo != 0 || e.hi != 0 {
				row[j] = row[j].sub(f.mul(e))
			}
		}
	}
}

// enter puts F of one choice of actions into the root's tensors, with the
// bounds of its size and error.
func (t *tensors) enter(m, at int, det iv, returns []iv, c *Tensor) {
	e := c.Scale[m]
	if c.Weight != nil {
		for s := range t.S {
			e += c.Weight[t.Off[s]+at/t.stride[s]%t.actions[s]]
		}
	}
	for n := range t.costs {
		k := m*t.costs + n
		if t.root[k] == nil {
			continue
		}
		f := det.mul(returns[n].sub(point(t.limit[n]))).scale(e)
		v := f.lo + (f.hi-f.lo)/2
		t.root[k][at] = v
		r := max(up(f.hi-v), up(v-f.lo))
		if !(r >= 0) || math.IsInf(v, 0) { // NaN or overflow: nothing holds
			r = math.Inf(1)
		}
		t.first[k] = max(t.first[k], r)
		t.most[k] = max(t.most[k], math.Abs(v)+r)
	}
}

// tensorBox is a box to come.
type tensorBox struct {
	x     [][]float64 // nil: to be made again from the root, along path
	moves int
	depth int
	path  *trail
}

// trail is how a box came about: one split after another, each with the steps
// before it.
type trail struct {
	before *trail
	node   int
	second bool
}

// tree replays the boxes.
func (t *tensors) tree(nodes []TensorNode, more func() bool) error {
	kept := 0
	stack := []tensorBox{{}}
	for k := range nodes {
		if !more() {
			return &fault{k, -1, "the check was left before this box"}
		}
		b := stack[len(stack)-1] // there is one, because the boxes form a tree
		stack = stack[:len(stack)-1]
		if b.x == nil {
			b.x = t.again(nodes, b.path, k)
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

// again makes the tensors of a box from the root's, as far as the box needs them.
func (t *tensors) again(nodes []TensorNode, path *trail, k int) [][]float64 {
	x := make([][]float64, len(t.root))
	for p, f := range t.root {
		if t.needs[k].has(p) {
			x[p] = slices.Clone(f)
		}
	}
	var walk func(*trail)
	walk = func(p *trail) {
		if p == nil {
			return
		}
		walk(p.before)
		n := &nodes[p.node]
		for j := range n.Steps {
			if n.Steps[j].State >= 0 {
				t.push(x, &n.Steps[j])
			}
		}
		t.half(x, n, p.second)
	}
	walk(path)
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
		to := min(from+part, t.v)
		sum := t.sum[from:to]
		piece := func(i int) (l float64, f []float64) { return s.Lambda[i], b.x[s.Pieces[i]][from:to][:len(sum)] }
		i := 0
		for ; i+4 <= len(s.Pieces); i += 4 {
			l0, f0 := piece(i)
			l1, f1 := piece(i + 1)
			l2, f2 := piece(i + 2)
			l3, f3 := piece(i + 3)
			for c, v := range sum {
				sum[c] = v + float64(l0*f0[c]) + float64(l1*f1[c]) + float64(l2*f2[c]) + float64(l3*f3[c])
			}
		}
		for ; i < len(s.Pieces); i++ {
			l, f := piece(i)
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

// push moves the points of a state, and half those of a split's child.
func (t *tensors) push(x [][]float64, s *TensorStep) {
	for i, l := range s.Shift {
		if i != s.J {
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
	if l == 0 {
		return
	}
	stride := t.stride[s]
	for _, f := range x {
		for o := 0; o < len(f); o += t.actions[s] * stride {
			from, to := f[o+i*stride:][:stride], f[o+j*stride:][:stride]
			for c, v := range from {
				from[c] = v + float64(l*(to[c]-v))
			}
		}
	}
}
