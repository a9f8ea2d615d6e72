package wire_test

import (
	"bytes"
	"encoding/binary"
	"math"
	"testing"

	"rcmdplab/wasm/wire"
)

// What is packed is unpacked, bit for bit.
func FuzzPack(f *testing.F) {
	special := []byte{}
	for _, x := range []float64{0, math.Copysign(0, -1), math.NaN(), math.Inf(1), math.Inf(-1), 5e-324, math.MaxFloat64} {
		special = binary.LittleEndian.AppendUint64(special, math.Float64bits(x))
	}
	f.Add([]byte(`{"value":null}`), "k", special, "", []byte{})
	f.Add([]byte{}, "", []byte{}, "état", special)
	f.Fuzz(func(t *testing.T, text []byte, name string, raw []byte, name2 string, raw2 []byte) {
		columns := []wire.Column{{Name: name, Data: numbersOf(raw)}, {Name: name2, Bytes: raw2}, {Name: name2, Data: numbersOf(raw2)}}
		message := wire.Pack(text, columns...)
		gotText, got, err := wire.Unpack(message)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(gotText, text) || len(got) != len(columns) {
			t.Fatalf("text %q and %d columns, want %q and %d", gotText, len(got), text, len(columns))
		}
		for i, c := range columns {
			if got[i].Name != c.Name || len(got[i].Data) != len(c.Data) || !bytes.Equal(got[i].Bytes, c.Bytes) || (got[i].Bytes == nil) != (c.Bytes == nil) {
				t.Fatalf("column %d: %q of %d and %d, want %q of %d and %d", i, got[i].Name, len(got[i].Data), len(got[i].Bytes), c.Name, len(c.Data), len(c.Bytes))
			}
			for j, x := range c.Data {
				if math.Float64bits(got[i].Data[j]) != math.Float64bits(x) {
					t.Errorf("column %d, value %d: %x, want %x", i, j, got[i].Data[j], x)
				}
			}
		}
	})
}

func numbersOf(raw []byte) []float64 {
	v := make([]float64, len(raw)/8)
	for i := range v {
		v[i] = math.Float64frombits(binary.LittleEndian.Uint64(raw[8*i:]))
	}
	return v
}

// Bytes that Pack did not write are refused, and the others are written back.
func FuzzUnpack(f *testing.F) {
	f.Add(wire.Pack([]byte("{}"), wire.Column{Name: "k", Data: []float64{1, math.NaN()}}, wire.Column{Name: "", Data: nil}, wire.Column{Name: "b", Bytes: []byte{1, 2, 3}}))
	f.Add([]byte{})
	f.Add([]byte{255, 255, 255, 255, 255, 255, 255, 255})
	f.Add([]byte{0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 255, 255, 255, 127})
	f.Fuzz(func(t *testing.T, b []byte) {
		text, columns, err := wire.Unpack(b)
		if err != nil {
			return
		}
		if again := wire.Pack(text, columns...); !bytes.Equal(again, b) {
			t.Errorf("unpacked and packed again:\n%x, want\n%x", again, b)
		}
	})
}

func TestUnpackRefusesCuts(t *testing.T) {
	whole := wire.Pack([]byte(`{"a":1}`), wire.Column{Name: "k", Data: []float64{1, 2, 3}}, wire.Column{Name: "b", Bytes: []byte{1, 2, 3}}, wire.Column{Name: "low", Data: []float64{4}})
	for n := range whole {
		if _, _, err := wire.Unpack(whole[:n]); err == nil {
			t.Errorf("%d of %d bytes were accepted", n, len(whole))
		}
	}
	if _, _, err := wire.Unpack(append(whole, 0)); err == nil {
		t.Error("a byte too many was accepted")
	}
}
