package certify

import (
	"math"
	"math/bits"
	"slices"
)

// Versions between wrote a proof by tensors as
//
//	"tensor": {"scale": [...], "weight": [...], "tree": base64}
//
// where tree is the sequence of numbers that tensor_codec.go describes as plain bits,
// the least significant of each byte and number first, with these differences: θ
// is always written with its 24 bits, a multiplier with all of its k, and all that
// follows the last node is up to 7 zeros. It is read, and not written any more.

// readBits reads a tree of an earlier version.
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
	if _, err := t.code(); r.bad || err != nil || len(t.Nodes) == 0 { // what is read can be written
		return wrong("/tree", "box %d is cut off or malformed", max(0, len(t.Nodes)-1))
	}
	return nil
}

func (r *bitReader) node(z *tensorSizes) (n TensorNode) {
	for !r.bad {
		switch r.get(2) {
		case pushKind:
			n.Steps = append(n.Steps, r.push(z))
		case closeKind:
			s := TensorStep{State: -1}
			r.multipliers(&s, z)
			n.Steps = append(n.Steps, s)
		case splitKind:
			if n.State = r.state(z); !r.bad {
				n.I, n.J = r.point(n.State, z), r.point(n.State, z)
				n.Theta = math.Ldexp(float64(r.get(thetaBits)), -thetaBits)
			}
			return n
		case noneKind:
			n.State = -1
			return n
		}
	}
	return n
}

// state reads one that there is, and point a point of it.
func (r *bitReader) state(z *tensorSizes) int {
	s := r.get(bits.Len(uint(max(len(z.points), 1) - 1)))
	if s >= len(z.points) {
		r.bad = true
		return 0
	}
	return s
}

func (r *bitReader) point(s int, z *tensorSizes) int {
	i := r.get(bits.Len(uint(max(z.points[s], 1) - 1)))
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

// bitReader reads bits, the least significant first. When bits are missing it says so,
// and all that follows is zero.
type bitReader struct {
	b    []byte // what is left to read
	last uint64 // bits of the byte before that
	n    int    // how many
	bad  bool   // bits were missing, or what they say is out of range
}

func (r *bitReader) get(bits int) int {
	for r.n < bits {
		if len(r.b) == 0 {
			r.bad, r.last, r.n = true, 0, 0
			return 0
		}
		r.last |= uint64(r.b[0]) << r.n
		r.b, r.n = r.b[1:], r.n+8
	}
	v := r.last & (1<<bits - 1)
	r.last >>= bits
	r.n -= bits
	return int(v)
}

// ended reports whether nothing follows but zeros that fill the last byte.
func (r *bitReader) ended() bool {
	return !r.bad && len(r.b) == 0 && r.n < 8 && r.last == 0
}
