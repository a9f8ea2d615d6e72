package wire

import (
	"encoding/binary"
	"errors"
	"math"
)

// A Column is a run of numbers that travels as it is, bit for bit: NaN,
// infinities and -0 included. In JavaScript it is a Float64Array.
type Column struct {
	Name string
	Data []float64
}

// Pack joins a JSON text and columns into one message:
//
//	u32 length of the text, u32 number of columns,
//	for each column: u32 length of its name, u32 number of values, its name,
//	the text, zeros up to a multiple of 8, the values of all columns;
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
		size += 8 * len(c.Data)
	}
	b := make([]byte, 0, size)
	u32 := binary.LittleEndian.AppendUint32
	b = u32(u32(b, uint32(len(text))), uint32(len(columns)))
	for _, c := range columns {
		b = append(u32(u32(b, uint32(len(c.Name))), uint32(len(c.Data))), c.Name...)
	}
	b = append(b, text...)
	for len(b)%8 != 0 {
		b = append(b, 0)
	}
	for _, c := range columns {
		for _, x := range c.Data {
			b = binary.LittleEndian.AppendUint64(b, math.Float64bits(x))
		}
	}
	return b
}

// errMessage is the one fault of a message that Pack did not write.
var errMessage = errors.New("wire: the message is cut short or was not packed by Pack")

// Unpack is the inverse of Pack. It accepts exactly what Pack writes; the text
// shares memory with b, the columns do not.
func Unpack(b []byte) (text []byte, columns []Column, err error) {
	r := reader{b: b}
	n, count := r.u32(), r.u32()
	sizes := []int{}
	for range count {
		if r.bad {
			return nil, nil, errMessage
		}
		name, values := r.u32(), r.u32()
		columns = append(columns, Column{Name: string(r.take(name))})
		sizes = append(sizes, values)
	}
	text = r.take(n)
	for _, z := range r.take(-r.at & 7) {
		r.bad = r.bad || z != 0
	}
	for i, n := range sizes {
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
	b   []byte
	at  int
	bad bool
}

func (r *reader) take(n int) []byte {
	if r.bad || n > len(r.b)-r.at {
		r.bad = true
		return nil
	}
	r.at += n
	return r.b[r.at-n : r.at]
}

func (r *reader) u32() int {
	p := r.take(4)
	if p == nil {
		return 0
	}
	n := binary.LittleEndian.Uint32(p)
	if n > math.MaxInt32 { // an int of 32 bits must hold it
		r.bad = true
		return 0
	}
	return int(n)
}
