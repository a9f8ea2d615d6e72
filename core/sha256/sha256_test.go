package sha256

import (
	"crypto/sha256"
	"encoding/hex"
	"math/rand/v2"
	"strconv"
	"testing"
)

// Every length around the ends of blocks, and larger ones at random.
func TestAgainstTheStandardLibrary(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for i := range 500 {
		n := i
		if i >= 300 {
			n = r.IntN(20000)
		}
		data := make([]byte, n)
		for k := range data {
			data[k] = byte(r.Uint32())
		}
		sum := sha256.Sum256(data)
		if got, want := Hex(data), hex.EncodeToString(sum[:]); got != want {
			t.Fatalf("%d bytes: got %s, want %s", n, got, want)
		}
	}
}

// A long text is hashed with a pause after each half megabyte.
func TestPauses(t *testing.T) {
	data, paused := make([]byte, 3*between+100), 0
	if got := HexWhile(data, func() { paused++ }); got != Hex(data) || paused != 3 {
		t.Errorf("%s after %d pauses; want %s after 3", got, paused, Hex(data))
	}
}

func BenchmarkHex(b *testing.B) {
	for _, n := range []int{1 << 10, 1 << 20} {
		b.Run(strconv.Itoa(n), func(b *testing.B) {
			data := make([]byte, n)
			b.SetBytes(int64(n))
			b.ReportAllocs()
			for b.Loop() {
				Hex(data)
			}
		})
	}
}
