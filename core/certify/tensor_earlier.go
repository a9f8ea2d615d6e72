package certify

import (
	"encoding/binary"
	"math"
)

// Earlier versions wrote a proof by tensors as
//
//	"tensor": {"scale": [...], "weight": [...], "boxes": base64}
//
// where boxes holds the nodes one after the other:
//
//	node   number of steps (varint), then the steps; then state+1 of the split
//	       (varint), 0: none; and for a split i, j (bytes), θ·2^24 (3 bytes)
//	step   state+1 (varint), 0: it closes; for a push j and the number of points
//	       (bytes) and ℓ·2^16 of each point (2 bytes); then the number of pieces
//	       (byte), each piece (byte) and each multiplier (the 3 high bytes of its
//	       float32)
//
// with the least significant byte first. It is read, and not written any more.

// readBytes reads boxes of an earlier version.
func (t *Tensor) readBytes(b []byte) error {
	r := tensorReader{b: b}
	for len(r.b) > 0 && !r.bad {
		t.Nodes = append(t.Nodes, r.node())
	}
	if _, err := t.code(); r.bad || err != nil { // what is read can be written
		return wrong("/boxes", "box %d is cut off or malformed", len(t.Nodes)-1)
	}
	return nil
}

type tensorReader struct {
	b   []byte // what is left to read
	bad bool   // all that follows is zero
}

func (r *tensorReader) byte() int {
	if len(r.b) == 0 {
		r.bad = true
		return 0
	}
	v := r.b[0]
	r.b = r.b[1:]
	return int(v)
}

func (r *tensorReader) varint() int {
	v, n := binary.Uvarint(r.b)
	if n <= 0 || v > 1<<30 {
		r.bad, r.b = true, nil
		return 0
	}
	r.b = r.b[n:]
	return int(v)
}

func (r *tensorReader) node() (n TensorNode) {
	for count := r.varint(); count > 0 && !r.bad; count-- {
		n.Steps = append(n.Steps, r.step())
	}
	if n.State = r.varint() - 1; n.State >= 0 {
		n.I, n.J = r.byte(), r.byte()
		at := r.byte()
		at |= r.byte() << 8
		at |= r.byte() << 16
		n.Theta = math.Ldexp(float64(at), -24)
	}
	return n
}

func (r *tensorReader) step() (s TensorStep) {
	if s.State = r.varint() - 1; s.State >= 0 {
		s.J = r.byte()
		for count := r.byte(); count > 0; count-- {
			l := r.byte()
			l |= r.byte() << 8
			s.Shift = append(s.Shift, math.Ldexp(float64(l), -16))
		}
	}
	for count := r.byte(); count > 0 && !r.bad; count-- {
		s.Pieces = append(s.Pieces, r.byte())
		bits := uint32(r.byte()) << 8
		bits |= uint32(r.byte()) << 16
		bits |= uint32(r.byte()) << 24
		l := float64(math.Float32frombits(bits))
		if math.IsNaN(l) || math.IsInf(l, 0) {
			r.bad = true
		}
		s.Lambda = append(s.Lambda, l)
	}
	return s
}
