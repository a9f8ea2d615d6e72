package certify

import (
	"errors"
	"math"
	"math/bits"
	"slices"

	"rcmdplab/core/jsontext"
)

// A proof by tensors stands in the document as
//
//	"tensor": {"scale": [...], "weight": [...], "tree": base64}
//
// where tree is a sequence of bits, the least significant of each byte and number
// first:
//
//	sizes  number of states and of pieces (8 bits each), and by state that of its
//	       points (16 bits)
//	node   steps, then what ends it
//	push   0 (2 bits), state, j, shares, multipliers
//	close  1 (2 bits), multipliers
//	split  2 (2 bits), state, i, j, θ·2^24 (24 bits)
//	none   3 (2 bits): the node is not split
//	shares their bits k >= 1 (5 bits), and ℓ·2^k of every point but j (k bits each)
//	multipliers   a bit by piece: whether it has one; if any has, e+32 (6 bits), where
//	       2^e/2 <= the largest λ < 2^e, their bits k >= 1 (6 bits), and λ·2^(k-e) of
//	       those that have one (k bits each)
//
// A state, a point and a piece have as many bits as the largest needs. All that
// follows the last node is up to 7 zeros. Tensor.read takes what earlier versions
// wrote as well.

const (
	pushBits = iota
	closeBits
	splitBits
	noneBits
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
	b, err := t.bits()
	if err != nil {
		return err
	}
	w.bytes("tree", b)
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
	var tree, boxes []byte
	if err := v.Decode(jsontext.Fields{"scale": &t.Scale, "weight": &t.Weight, "tree": base64To(&tree), "boxes": base64To(&boxes)}, unknown); err != nil {
		return err
	}
	if len(boxes) > 0 && len(tree) > 0 {
		return wrong("/boxes", "the proof has a tree as well; want one of them")
	}
	if len(boxes) > 0 {
		return t.readBytes(boxes)
	}
	return t.readBits(tree)
}

// tensorSizes are what a tree's bits begin with.
type tensorSizes struct {
	pieces int   // one more than the largest in use
	points []int // by state, how many
}

func (z *tensorSizes) state() int      { return bits.Len(uint(max(len(z.points), 1) - 1)) }
func (z *tensorSizes) point(s int) int { return bits.Len(uint(max(z.points[s], 1) - 1)) }

// sizes are the least that a tree needs.
func (t *Tensor) sizes() (z tensorSizes, err error) {
	see := func(state, points int) {
		for state >= len(z.points) {
			z.points = append(z.points, 0)
		}
		z.points[state] = max(z.points[state], points)
	}
	for k := range t.Nodes {
		n := &t.Nodes[k]
		for j := range n.Steps {
			s := &n.Steps[j]
			if len(s.Pieces) != len(s.Lambda) || s.State < -1 || s.State > 255 {
				return z, errTensorGrid
			}
			for i, p := range s.Pieces {
				if p < 0 || p > 254 || i > 0 && p <= s.Pieces[i-1] {
					return z, errTensorGrid
				}
				z.pieces = max(z.pieces, p+1)
			}
			if s.State >= 0 {
				see(s.State, len(s.Shift))
			}
		}
		if n.State < -1 || n.State > 255 || n.State >= 0 && (n.I < 0 || n.J < 0) {
			return z, errTensorGrid
		}
		if n.State >= 0 {
			see(n.State, max(n.I, n.J)+1)
		}
	}
	return z, nil
}

func (t *Tensor) bits() ([]byte, error) {
	if len(t.Nodes) == 0 {
		return nil, nil
	}
	z, err := t.sizes()
	if err != nil {
		return nil, err
	}
	w := new(bitWriter)
	w.put(len(z.points), 8)
	w.put(z.pieces, 8)
	for _, a := range z.points {
		w.put(a, 16)
	}
	for k := range t.Nodes {
		n := &t.Nodes[k]
		for j := range n.Steps {
			if !w.step(&n.Steps[j], &z) {
				return nil, errTensorGrid
			}
		}
		if n.State < 0 {
			w.put(noneBits, 2)
			continue
		}
		theta := math.Ldexp(n.Theta, thetaBits)
		if !(theta >= 0 && theta < 1<<thetaBits) || theta != math.Floor(theta) {
			return nil, errTensorGrid
		}
		w.put(splitBits, 2)
		w.put(n.State, z.state())
		w.put(n.I, z.point(n.State))
		w.put(n.J, z.point(n.State))
		w.put(int(theta), thetaBits)
	}
	if w.bad {
		return nil, errTensorGrid
	}
	return w.end(), nil
}

// step writes a step; false when a number is on no grid.
func (w *bitWriter) step(s *TensorStep, z *tensorSizes) bool {
	if s.State < 0 {
		w.put(closeBits, 2)
		return w.multipliers(s, z)
	}
	a := z.points[s.State]
	if s.J < 0 || s.J >= a || len(s.Shift) != a || s.Shift[s.J] != 0 || !within(s.Shift, 1) {
		return false
	}
	k, ok := grid(s.Shift, 0, 1, mostShare)
	if !ok {
		return false
	}
	w.put(pushBits, 2)
	w.put(s.State, z.state())
	w.put(s.J, z.point(s.State))
	w.put(k, 5)
	for i, l := range s.Shift {
		if i != s.J {
			w.put(int(math.Ldexp(l, k)), k)
		}
	}
	return w.multipliers(s, z)
}

// within reports whether all numbers are from 0 up to, but not, most.
func within(v []float64, most float64) bool {
	for _, x := range v {
		if !(x >= 0 && x < most) {
			return false
		}
	}
	return true
}

func (w *bitWriter) multipliers(s *TensorStep, z *tensorSizes) bool {
	next := 0
	for p := range z.pieces {
		has := 0
		if next < len(s.Pieces) && s.Pieces[next] == p {
			has = 1
			next++
		}
		w.put(has, 1)
	}
	if next == 0 {
		return true
	}
	top := 0.0
	for _, l := range s.Lambda {
		top = max(top, l)
	}
	_, e := math.Frexp(top)
	if !within(s.Lambda, math.Ldexp(1, e)) || e < -exponentMid || e >= exponentMid {
		return false
	}
	k, ok := grid(s.Lambda, e, 1, mostLambda)
	if !ok {
		return false
	}
	w.put(e+exponentMid, 6)
	w.put(k, 6)
	for _, l := range s.Lambda {
		w.put(int(math.Ldexp(l, k-e)), k)
	}
	return true
}

// readBits is the inverse of bits.
func (t *Tensor) readBits(b []byte) error {
	if len(b) == 0 {
		return nil
	}
	r := &bitReader{b: b}
	z := tensorSizes{points: make([]int, r.get(8))}
	z.pieces = r.get(8)
	for s := range z.points {
		z.points[s] = r.get(16)
	}
	for !r.bad && !r.ended() {
		t.Nodes = append(t.Nodes, r.node(&z))
	}
	if r.bad {
		return wrong("/tree", "box %d is cut off or malformed", max(0, len(t.Nodes)-1))
	}
	return nil
}

func (r *bitReader) node(z *tensorSizes) (n TensorNode) {
	for !r.bad {
		switch r.get(2) {
		case pushBits:
			n.Steps = append(n.Steps, r.push(z))
		case closeBits:
			s := TensorStep{State: -1}
			r.multipliers(&s, z)
			n.Steps = append(n.Steps, s)
		case splitBits:
			if n.State = r.state(z); !r.bad {
				n.I, n.J = r.point(n.State, z), r.point(n.State, z)
				n.Theta = math.Ldexp(float64(r.get(thetaBits)), -thetaBits)
			}
			return n
		case noneBits:
			n.State = -1
			return n
		}
	}
	return n
}

// state reads one that there is, and point a point of it.
func (r *bitReader) state(z *tensorSizes) int {
	s := r.get(z.state())
	if s >= len(z.points) {
		r.bad = true
		return 0
	}
	return s
}

func (r *bitReader) point(s int, z *tensorSizes) int {
	i := r.get(z.point(s))
	r.bad = r.bad || i >= z.points[s]
	return i
}

func (r *bitReader) push(z *tensorSizes) (s TensorStep) {
	if s.State = r.state(z); r.bad {
		return s
	}
	s.J = r.point(s.State, z)
	k := r.get(5)
	if r.bad = r.bad || k == 0; r.bad { // numbers of no bits would make much of little
		return s
	}
	s.Shift = make([]float64, z.points[s.State])
	for i := range s.Shift {
		if i != s.J {
			s.Shift[i] = math.Ldexp(float64(r.get(k)), -k)
		}
	}
	r.multipliers(&s, z)
	return s
}

func (r *bitReader) multipliers(s *TensorStep, z *tensorSizes) {
	for p := range z.pieces {
		if r.get(1) == 1 {
			s.Pieces = append(s.Pieces, p)
		}
	}
	if len(s.Pieces) == 0 {
		return
	}
	e := r.get(6) - exponentMid
	k := r.get(6)
	if k == 0 || k > mostLambda {
		r.bad = true
		return
	}
	s.Lambda = make([]float64, len(s.Pieces))
	for i := range s.Lambda {
		s.Lambda[i] = math.Ldexp(float64(r.get(k)), e-k)
	}
	if _, top := math.Frexp(slices.Max(s.Lambda)); top != e { // another way to write the same
		r.bad = true
	}
}
