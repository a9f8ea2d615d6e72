package certify

import (
	"math/big"
	"math/bits"
	"slices"

	"rcmdplab/core/certify/enclosure"
	"rcmdplab/core/proof"
)

// Proofs by tensors, for problems with few kernels and few
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

// The largest sizes that a proof by tensors is replayed for.
const (
	mostTensor = 1 << 20 // entries of all F
	mostPieces = 128
	mostLabour = 100_000_000 // steps of elimination
	mostCopies = 12 << 20    // entries kept for boxes to come
)

// F is worked out by elimination in intervals (corners.go), entered in an enclosure.Ball, moved, and added up there; a step
// holds when the least of what comes out is above 0 by more than the ball's radius.
//
// Why the claim follows. A box that a step closes holds none of the policies excluded, and what a push cuts off
// holds none; a split leaves two boxes that cover theirs. So when every box is closed or split into boxes that are,
// the first holds none. What a box may use is handed to it (tensorBox): the moves that led to it.

// tensors replays a proof.
type tensors struct {
	*replay
	actions []int             // by state
	stride  []int             // by state: how far apart in a tensor its points are
	v       int               // choices
	costs   int               // N+1
	root    []*enclosure.Ball // by piece, nil where it is not used
	open    bool              // boxes may be StillOpen
	node    int               // at hand
	step    int               // of it, -1 for it as a whole
	seen    *seen             // what was seen to hold before
	held    []bool            // by node: it was seen to hold
	needs   []pieceSet        // by node: pieces used in what is not held of it and below
	below   []int             // by node: steps in what is not held of it and below
	size    []int             // by node: of it and those below, how many
	sum     *enclosure.Ball   // G
	terms   []*enclosure.Ball // work: what is added up
}

type pieceSet [mostPieces / 64]uint64

func (p *pieceSet) add(pieces []int) {
	for _, k := range pieces {
		p[k/64] |= 1 << (k % 64)
	}
}

func (p *pieceSet) join(q pieceSet) { p[0], p[1] = p[0]|q[0], p[1]|q[1] }
func (p *pieceSet) count() int      { return bits.OnesCount64(p[0]) + bits.OnesCount64(p[1]) }
func (p *pieceSet) has(k int) bool  { return p[k/64]>>(k%64)&1 == 1 }

// tensor prepares a check of a proof by tensors for kernels of the instance, of which boxes may
// be left open where that is said, and some are known to hold: that of its tree is to follow.
func (p *replay) tensor(in *instance, kernels [][]row, c *proof.Claim, known *seen, open bool) *tensors {
	t := &tensors{replay: p, costs: len(in.costs), open: open}
	pieces := len(kernels) * t.costs
	if t.sized(mostTensor / pieces); t.v == 0 || pieces > mostPieces || t.v*len(kernels)*t.S*(t.S+t.costs) > mostLabour {
		refuse("it is by tensors, and there are too many states, actions, kernels or costs for that")
	}
	nodes := c.Tensor.Nodes
	t.shape(c.Tensor, len(kernels))
	t.recall(c, known)
	p.depth = t.survey(nodes)
	t.root, t.sum = make([]*enclosure.Ball, pieces), enclosure.NewBall(t.v)
	for m := range kernels {
		t.kernel(in, kernels[m], m, c.Tensor, t.needs[0])
	}
	return t
}

func (t *tensors) spot() string { return spot(t.node, t.step) }

// sized lays out the choices, of which there must not be more than most: else v is 0.
func (t *tensors) sized(most int) {
	for s := range t.S {
		t.actions = append(t.actions, t.Off[s+1]-t.Off[s])
	}
	t.stride, t.v = strides(t.Layout, most)
}

// shape checks what stands beside the boxes.
func (t *tensors) shape(c *proof.Tensor, kernels int) {
	if len(c.Scale) != kernels || c.Weight != nil && len(c.Weight) != t.Pairs() {
		refuse("it scales %d models and %d pairs; want %d, and %d or none", len(c.Scale), len(c.Weight), kernels, t.Pairs())
	}
	for _, e := range append(slices.Clone(c.Scale), c.Weight...) {
		if e < -1000 || e > 1000 {
			refuse("it scales by 2^%d", e)
		}
	}
}

// survey checks that the boxes form one tree, with sound steps, and measures it: from the last box to the first how
// many each and those below it are, how deep, and which pieces and how many steps they have where they are not held.
func (t *tensors) survey(nodes []proof.TensorNode) (depth int) {
	defer within(t.spot)
	t.size, t.needs, t.below = make([]int, len(nodes)), make([]pieceSet, len(nodes)), make([]int, len(nodes))
	deep := make([]int, len(nodes)) // splits below it
	for k := len(nodes) - 1; k >= 0; k-- {
		n := &nodes[k]
		t.node, t.size[k] = k, 1
		t.bound += len(n.Steps)
		for t.step = range n.Steps {
			s := &n.Steps[t.step]
			t.sound(s)
			if !t.held[k] {
				t.needs[k].add(s.Pieces)
				t.below[k]++
			}
		}
		t.step = -1
		for part := 0; part < 2 && n.State >= 0; part++ {
			child := k + t.size[k]
			if child >= len(nodes) {
				refuse("the boxes it is split into are not there")
			}
			t.size[k] += t.size[child]
			t.below[k] += t.below[child]
			t.needs[k].join(t.needs[child])
			deep[k] = max(deep[k], deep[child]+1)
		}
	}
	if len(nodes) == 0 || t.size[0] != len(nodes) {
		refuse("the boxes form more or less than one tree, of all policies")
	}
	return deep[0]
}

// sound checks the multipliers of a step.
func (t *tensors) sound(s *proof.TensorStep) {
	if len(s.Pieces) != len(s.Lambda) {
		refuse("%d pieces have %d multipliers", len(s.Pieces), len(s.Lambda))
	}
	for i, p := range s.Pieces {
		l := enclosure.Point(s.Lambda[i])
		switch {
		case p < 0 || p >= t.kernels*t.costs:
			refuse("there is no piece %d", p)
		case !t.limit[p%t.costs].Finite():
			refuse("it uses the objective, which the claim does not limit")
		case !l.Finite() || !zero.AtMost(l):
			refuse("a multiplier is %v; want a number >= 0", s.Lambda[i])
		}
	}
}

// kernel fills the tensors of kernel m at the root, those that are needed: of each corner F = D (J - b̃) times 2^e, where
// J is of the costs (1-γ) c̃, and e adds up what the proof weighs the kernel and the pairs by.
func (t *tensors) kernel(in *instance, rows []row, m int, c *proof.Tensor, needed pieceSet) {
	rest := enclosure.Around(new(big.Rat).Inv(in.horizon))
	var balls []*enclosure.Ball
	var limits []interval
	e := corners{in: in, rows: rows, gamma: in.gamma, stride: t.stride, scale: c.Scale[m], weight: c.Weight, going: func(work int) { t.going(8 * work) }}
	for n := range t.costs {
		if k := m*t.costs + n; needed.has(k) {
			t.root[k] = enclosure.NewBall(t.v)
			var list []interval
			for _, c := range in.mapped(n, rows, t.paid[m]) {
				list = append(list, enclosure.Quotient(c.Num(), c.Denom()).Mul(rest))
			}
			balls, limits, e.costs = append(balls, t.root[k]), append(limits, enclosure.Point(t.limit[n].Hi())), append(e.costs, list)
		}
	}
	if len(balls) == 0 {
		return
	}
	e.told = func(corner int, d interval, dj []interval) {
		for n, b := range balls {
			b.Enter(corner, dj[n].Sub(d.Mul(limits[n])))
		}
	}
	e.visit()
}
