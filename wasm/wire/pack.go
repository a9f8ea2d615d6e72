package wire

import (
	"encoding/binary"
	"errors"
	"math"
	"slices"
)

// A Column is a run of numbers that travels as it is, bit for bit: NaN,
// infinities and -0 included. In JavaScript it is a Float64Array. Bytes, when not
// nil, take the place of the numbers: a checkpoint or a box of a proof, whose
// layout is the affair of whoever made it. In JavaScript they are a Uint8Array.
type Column struct {
	Name  string    // of the member that takes it in the reply
	Data  []float64 // float64s, little-endian on the way
	Bytes []byte
}

// find is the column of a name, nil where there is none.
func find(columns []Column, name string) *Column {
	if i := slices.IndexFunc(columns, func(c Column) bool { return c.Name == name }); i >= 0 {
		return &columns[i]
	}
	return nil
}

// ofBytes marks, in the length of its name, a column of bytes. Messages saved by
// versions that had none read as they did.
const ofBytes = 1 << 31

// Pack joins a JSON text and columns into one message:
//
//	u32 length of the text, u32 number of columns,
//	for each column: u32 length of its name, its highest bit set for bytes,
//	u32 number of values, its name,
//	the text, zeros up to a multiple of 8,
//	the values of all columns, bytes with zeros up to a multiple of 8;
//
// little endian throughout. The padding lets the receiver view the values in
// place instead of copying them.
func Pack(text []byte, columns ...Column) []byte {
	size := 8 + len(text)
	for _, c := range columns {
		size += 8 + len(c.Name)
	}
	size = (size + 7) &^ 7
	for _, c := range columns {
		size += 8*len(c.Data) + (len(c.Bytes)+7)&^7
	}
	b := make([]byte, 0, size)
	u32 := binary.LittleEndian.AppendUint32
	b = u32(u32(b, uint32(len(text))), uint32(len(columns)))
	for _, c := range columns {
		name, values := uint32(len(c.Name)), len(c.Data)
		if c.Bytes != nil {
			name, values = name|ofBytes, len(c.Bytes)
		}
		b = append(u32(u32(b, name), uint32(values)), c.Name...)
	}
	b = pad(append(b, text...))
	for _, c := range columns {
		if c.Bytes != nil {
			b = pad(append(b, c.Bytes...))
			continue
		}
		for _, x := range c.Data {
			b = binary.LittleEndian.AppendUint64(b, math.Float64bits(x))
		}
	}
	return b
}

func pad(b []byte) []byte {
	for len(b)%8 != 0 {
		b = append(b, 0)
	}
	return b
}

// errMessage is the one fault of a message that Pack did not write.
var errMessage = errors.New("wire: the message is cut short or was not packed by Pack")

// Unpack is the inverse of Pack. It accepts exactly what Pack writes; the text
// and columns of bytes share memory with b, the numbers do not.
func Unpack(b []byte) (text []byte, columns []Column, err error) {
	r := reader{b: b}
	n, count := r.u32(), r.u32()
	sizes := []int{}
	for range count {
		if r.bad {
			return nil, nil, errMessage
		}
		name, bytes := r.marked()
		values := r.u32()
		c := Column{Name: string(r.take(name))}
		if bytes {
			c.Bytes = []byte{}
		}
		columns, sizes = append(columns, c), append(sizes, values)
	}
	text = r.take(n)
	r.padding()
	for i, n := range sizes {
		if columns[i].Bytes != nil {
			columns[i].Bytes = r.take(n)
			r.padding()
			continue
		}
		if n > len(b)/8 {
			return nil, nil, errMessage
		}
		raw := r.take(8 * n)
		if r.bad {
			return nil, nil, errMessage
		}
		data := make([]float64, n)
		for j := range data {
			data[j] = math.Float64frombits(binary.LittleEndian.Uint64(raw[8*j:]))
		}
		columns[i].Data = data
	}
	if r.bad || r.at != len(b) {
		return nil, nil, errMessage
	}
	return text, columns, nil
}

// reader takes pieces off a message and remembers whether one was missing.
type reader struct {
	b   []byte // the whole message
	at  int    // byte of what comes next
	bad bool   // a piece was missing
}

func (r *reader) take(n int) []byte {
	if r.bad || n > len(r.b)-r.at {
		r.bad = true
		return nil
	}
	r.at += n
	return r.b[r.at-n : r.at]
}

// padding takes zeros up to a multiple of 8.
func (r *reader) padding() {
	for _, z := range r.take(-r.at & 7) {
		r.bad = r.bad || z != 0
	}
}

func (r *reader) u32() int {
	n, marked := r.marked()
	r.bad = r.bad || marked
	return n
}

// marked takes a number of 31 bits, which an int of 32 holds, and its mark.
func (r *reader) marked() (n int, mark bool) {
	p := r.take(4)
	if p == nil {
		return 0, false
	}
	x := binary.LittleEndian.Uint32(p)
	return int(x &^ ofBytes), x&ofBytes != 0
}
