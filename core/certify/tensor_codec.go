package certify

import (
	"encoding/binary"
	"errors"
	"math"

	"rcmdplab/core/jsontext"
)

// A proof by tensors stands in the document as
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
// with the least significant byte first. What does not fit these grids is not
// written.

var errTensorGrid = errors.New("a number of the proof by tensors does not fit the grid it is written on")

func (w *writer) tensor(t *Tensor) error {
	w.text(`,"tensor":{"scale":`).integers(t.Scale)
	if t.Weight != nil {
		w.text(`,"weight":`).integers(t.Weight)
	}
	var b []byte
	for k := range t.Nodes {
		var err error
		if b, err = t.Nodes[k].append(b); err != nil {
			return err
		}
	}
	w.bytes("boxes", b)
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

func (n *TensorNode) append(b []byte) ([]byte, error) {
	b = binary.AppendUvarint(b, uint64(len(n.Steps)))
	for i := range n.Steps {
		var err error
		if b, err = n.Steps[i].append(b); err != nil {
			return nil, err
		}
	}
	if n.State < -1 {
		return nil, errTensorGrid
	}
	b = binary.AppendUvarint(b, uint64(n.State+1))
	if n.State < 0 {
		return b, nil
	}
	theta := n.Theta * (1 << 24)
	if !isByte(n.I) || !isByte(n.J) || !(theta >= 0 && theta < 1<<24) || theta != math.Floor(theta) {
		return nil, errTensorGrid
	}
	at := uint32(theta)
	return append(b, byte(n.I), byte(n.J), byte(at), byte(at>>8), byte(at>>16)), nil
}

func isByte(v int) bool { return v >= 0 && v < 256 }

func (s *TensorStep) append(b []byte) ([]byte, error) {
	if s.State < -1 || !isByte(s.J) || !isByte(len(s.Shift)) || !isByte(len(s.Pieces)) || len(s.Pieces) != len(s.Lambda) {
		return nil, errTensorGrid
	}
	b = binary.AppendUvarint(b, uint64(s.State+1))
	if s.State >= 0 {
		b = append(b, byte(s.J), byte(len(s.Shift)))
		for _, l := range s.Shift {
			l *= 1 << 16
			if !(l >= 0 && l < 1<<16) || l != math.Floor(l) {
				return nil, errTensorGrid
			}
			b = binary.LittleEndian.AppendUint16(b, uint16(l))
		}
	}
	b = append(b, byte(len(s.Pieces)))
	for i, p := range s.Pieces {
		bits := math.Float32bits(float32(s.Lambda[i]))
		if !isByte(p) || bits&255 != 0 || float64(math.Float32frombits(bits)) != s.Lambda[i] {
			return nil, errTensorGrid
		}
		b = append(b, byte(p), byte(bits>>8), byte(bits>>16), byte(bits>>24))
	}
	return b, nil
}

func (t *Tensor) read(v jsontext.Value) error {
	var b []byte
	if err := v.Decode(jsontext.Fields{"scale": &t.Scale, "weight": &t.Weight, "boxes": base64To(&b)}, unknown); err != nil {
		return err
	}
	r := tensorReader{b: b}
	for len(r.b) > 0 && !r.bad {
		t.Nodes = append(t.Nodes, r.node())
	}
	if r.bad {
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
