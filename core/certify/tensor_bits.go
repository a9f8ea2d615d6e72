package certify

import "math"

// bitWriter appends bits, the least significant first.
type bitWriter struct {
	b    []byte // whole bytes so far
	last uint64 // bits that do not fill a byte yet
	n    int    // how many
	bad  bool   // a number was out of range
}

// put appends a number of so many bits, at most 56.
func (w *bitWriter) put(v, bits int) {
	if v < 0 || v>>bits != 0 {
		w.bad = true
		return
	}
	w.last |= uint64(v) << w.n
	for w.n += bits; w.n >= 8; w.n -= 8 {
		w.b = append(w.b, byte(w.last))
		w.last >>= 8
	}
}

// end fills the last byte with zeros.
func (w *bitWriter) end() []byte {
	if w.n > 0 {
		w.put(0, 8-w.n)
	}
	return w.b
}

// bitReader is the inverse of bitWriter. When bits are missing it says so, and all
// that follows is zero.
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

// grid is the coarsest grid of so many bits that numbers 0 <= v < 2^high are on:
// they are multiples of 2^(high-bits).
func grid(v []float64, high, least, most int) (bits int, ok bool) {
	bits = least
	for _, x := range v {
		for x = math.Ldexp(x, bits-high); x != math.Floor(x); x *= 2 {
			if bits++; bits > most {
				return 0, false
			}
		}
	}
	return bits, true
}
