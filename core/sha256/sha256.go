// Package sha256 is the hash SHA-256 (FIPS 180-4), which names problems by
// their content. The standard library's comes with the machinery of a
// certified cryptographic module, larger than all of this by two orders; nothing
// secret is hashed here.
package sha256

import (
	"encoding/binary"
	"encoding/hex"
	"math/bits"
)

// Hex is the SHA-256 of data in hexadecimal.
func Hex(data []byte) string { return HexWhile(data, func() {}) }

// between is how many bytes there are between two calls of HexWhile's pause.
const between = 1 << 19

// HexWhile is Hex that calls pause every few milliseconds.
func HexWhile(data []byte, pause func()) string {
	h := [8]uint32{0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19}
	whole := len(data) &^ 63
	for i := 0; i < whole; i += 64 {
		block(&h, data[i:i+64])
		if i%between == between-64 {
			pause()
		}
	}
	tail := append(make([]byte, 0, 128), data[whole:]...)
	tail = append(tail, 0x80)
	for len(tail)%64 != 56 {
		tail = append(tail, 0)
	}
	tail = binary.BigEndian.AppendUint64(tail, uint64(len(data))*8)
	for ; len(tail) > 0; tail = tail[64:] {
		block(&h, tail[:64])
	}
	var sum []byte
	for _, x := range h {
		sum = binary.BigEndian.AppendUint32(sum, x)
	}
	return hex.EncodeToString(sum)
}

func block(h *[8]uint32, p []byte) {
	var w [64]uint32
	for i := range 16 {
		w[i] = binary.BigEndian.Uint32(p[4*i:])
	}
	for i := 16; i < 64; i++ {
		x, y := w[i-15], w[i-2]
		w[i] = w[i-16] + w[i-7] +
			(bits.RotateLeft32(x, -7) ^ bits.RotateLeft32(x, -18) ^ x>>3) +
			(bits.RotateLeft32(y, -17) ^ bits.RotateLeft32(y, -19) ^ y>>10)
	}
	a, b, c, d, e, f, g, k := h[0], h[1], h[2], h[3], h[4], h[5], h[6], h[7]
	// Eight rounds at a time: the names move on, and no number has to.
	for i := 0; i < 64; i += 8 {
		r, x := roundConstants[i:i+8:i+8], w[i:i+8:i+8]
		d, k = round(a, b, c, d, e, f, g, k, r[0]+x[0])
		c, g = round(k, a, b, c, d, e, f, g, r[1]+x[1])
		b, f = round(g, k, a, b, c, d, e, f, r[2]+x[2])
		a, e = round(f, g, k, a, b, c, d, e, r[3]+x[3])
		k, d = round(e, f, g, k, a, b, c, d, r[4]+x[4])
		g, c = round(d, e, f, g, k, a, b, c, r[5]+x[5])
		f, b = round(c, d, e, f, g, k, a, b, r[6]+x[6])
		e, a = round(b, c, d, e, f, g, k, a, r[7]+x[7])
	}
	for i, x := range [8]uint32{a, b, c, d, e, f, g, k} {
		h[i] += x
	}
}

// round is one round for what its constant and its word sum to; it gives the new
// values of d and of k.
func round(a, b, c, d, e, f, g, k, word uint32) (uint32, uint32) {
	t := k + word + (bits.RotateLeft32(e, -6) ^ bits.RotateLeft32(e, -11) ^ bits.RotateLeft32(e, -25)) + (g ^ e&(f^g))
	return d + t, t + (bits.RotateLeft32(a, -2) ^ bits.RotateLeft32(a, -13) ^ bits.RotateLeft32(a, -22)) + (a&b | c&(a|b))
}

// roundConstants are the first 32 bits of the fractional parts of the cube
// roots of the first 64 primes.
var roundConstants = [64]uint32{
	0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
	0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
	0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
	0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
	0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
	0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
	0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
	0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
}
