package proof

import (
	"errors"
	"fmt"
	"slices"

	"rcmdplab/core/jsontext"
)

// A proof by tensors stands in the document as
//
//	"tensor": {"scale": [...], "weight": [...], "coded": base64}
//
// where coded is what an arithmetic coder made of this sequence of numbers. Most of
// its bits are multipliers, and of these the high ones are much the same from one
// step to the next of its facet.
//
//	sizes  number of states and of pieces (8 bits each), and by state that of its
//	       points (16 bits)
//	node   steps, then what ends it, until the tree is whole
//	push   0 (2 bits), state, j, shares, multipliers
//	close  1 (2 bits), multipliers
//	split  2 (2 bits), state, i, j, 1 (1 bit) for θ = 1/2; else 0 and θ·2^24 (24 bits)
//	none   3 (2 bits): the node is not split
//	shares their bits k >= 1 (5 bits), and ℓ·2^k of every point but j (k bits each)
//	multipliers   a bit by piece: whether it has one; if any has, e+32 (6 bits), where
//	       2^e/2 <= the largest λ < 2^e, their bits k >= 1 (6 bits), and λ·2^(k-e) of
//	       those that have one: a 0 for each of its k bits before the first that is
//	       1, then, unless there is none, a 1 and the bits after that
//
// A state and a point have as many bits as the largest needs. Which odds are learnt
// for which bit is said where it is coded.

// Tensor is a proof by a tree of boxes of policies in preorder, of tensors: what it proves
// is said at package certify.
type Tensor struct {
	Scale  []int // by kernel: F is taken times 2^Scale
	Weight []int // by pair: w is 2^Weight; nil: all 1
	Nodes  []TensorNode
}

// TensorNode is one box, in preorder: steps, then a split; or, with State = -1,
// the last step closes it.
type TensorNode struct {
	Steps []TensorStep // in order
	State int          // that is split; -1: none is
	I, J  int          // points of State
	Theta float64      // share of the way, in (0, 1)
}

// TensorStep closes a box (State = -1) or pushes the facet opposite point J.
type TensorStep struct {
	State, J int       // whose points move towards point J; -1: the box is closed
	Pieces   []int     // m(N+1)+n of the multipliers
	Lambda   []float64 // the multipliers
	Shift    []float64 // ℓ by point; that of J is not used
}

const (
	pushKind = iota
	closeKind
	splitKind
	noneKind
)

const (
	thetaBits   = 24
	mostShare   = 24 // bits
	mostLambda  = 52 // bits
	exponentMid = 32
)

var errTensorGrid = errors.New("a number of the proof by tensors does not fit the grid it is written on")

func (w *writer) tensor(t *Tensor) error {
	w.text(`,"tensor":{"scale":`).integers(t.Scale)
	if t.Weight != nil {
		w.text(`,"weight":`).integers(t.Weight)
	}
	b, err := t.code()
	if err != nil {
		return fmt.Errorf("/tensor: %w", err)
	}
	w.bytes("coded", b)
	w.text("}")
	return nil
}

func (w *writer) integers(v []int) *writer {
	w.text("[")
	for i, x := range v {
		w.first(i, "").number(float64(x))
	}
	return w.text("]")
}

func (t *Tensor) read(v jsontext.Value) error {
	var coded []byte
	if err := v.Decode(jsontext.Fields{"scale": &t.Scale, "weight": &t.Weight, "coded": base64To(&coded)}, unknown); err != nil || len(coded) == 0 {
		return err
	}
	return t.decode(coded)
}

// tensorSizes are what a tree begins with.
type tensorSizes struct {
	pieces int   // one more than the largest in use
	points []int // by state, how many
}

// sizes are the least that a tree needs. It checks all that is no number on a grid.
func (t *Tensor) sizes() (z tensorSizes, ok bool) {
	see := func(state, points int) bool {
		if state < 0 || state > 254 || points > 1<<16-1 {
			return false
		}
		for state >= len(z.points) {
			z.points = append(z.points, 0)
		}
		z.points[state] = max(z.points[state], points)
		return true
	}
	open := 1
	for k := range t.Nodes {
		n := &t.Nodes[k]
		for j := range n.Steps {
			s := &n.Steps[j]
			if s.State != -1 && (s.J < 0 || s.J >= len(s.Shift) || !see(s.State, len(s.Shift))) || len(s.Pieces) != len(s.Lambda) {
				return z, false
			}
			for i, p := range s.Pieces {
				if p < 0 || p > 254 || i > 0 && p <= s.Pieces[i-1] {
					return z, false
				}
				z.pieces = max(z.pieces, p+1)
			}
		}
		if n.State != -1 && (n.I < 0 || n.J < 0 || !see(n.State, max(n.I, n.J)+1)) {
			return z, false
		}
		if open += 2*btoi(n.State >= 0) - 1; open == 0 && k < len(t.Nodes)-1 {
			return z, false
		}
	}
	return z, open == 0
}

// code writes a tree.
func (t *Tensor) code() ([]byte, error) {
	if len(t.Nodes) == 0 {
		return nil, nil
	}
	z, ok := t.sizes()
	if !ok {
		return nil, errTensorGrid
	}
	c := newTreeCoder(newArithmetic(nil, false), z)
	for k := range t.Nodes {
		c.node(&t.Nodes[k])
	}
	if c.bad {
		return nil, errTensorGrid
	}
	b := c.end()
	for c.content > mostContent(len(b)) {
		b = append(b, 0)
	}
	return b, nil
}

// decode is the inverse of code.
func (t *Tensor) decode(b []byte) error {
	c := newTreeCoder(newArithmetic(b, true), tensorSizes{})
	for open := 1; open > 0 && !c.bad; {
		var n TensorNode
		c.node(&n)
		t.Nodes = append(t.Nodes, n)
		open += 2*btoi(n.State >= 0) - 1
	}
	if rest := b[c.at:]; c.bad || len(rest) > 0 && c.content <= mostContent(len(b)-1) || slices.ContainsFunc(rest, func(x byte) bool { return x != 0 }) {
		return wrong("/coded", "box %d is cut off or malformed", max(0, len(t.Nodes)-1))
	}
	return nil
}

// mostContent is how many numbers of 8 bytes so many bytes may become, about twice what
// they do in fact: a few bytes of what is most likely must not fill all memory. What holds
// more is followed by zeros.
func mostContent(bytes int) int { return 4*bytes + 512 }
