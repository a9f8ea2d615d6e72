package proof

import (
	"bytes"
	"math"
	"math/rand/v2"
	"reflect"
	"testing"
)

// What is coded is read back, whatever the bits and however unlikely, in about as many
// bytes as the odds say.
func TestBitsAreCodedByTheirOdds(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 4))
	for _, share := range []float64{0, 0.01, 0.5, 0.9, 1} {
		const n = 20000
		bits := make([]int, n)
		for i := range bits {
			bits[i] = btoi(rng.Float64() < share)
			if i > n*9/10 { // as nobody expects by then: carries run far
				bits[i] = 1 - bits[i]
			}
		}
		code := func(a *arithmetic) {
			var o odds
			var tree [8]odds
			for i := range bits {
				if bit := a.bit(&o, bits[i]); bit != bits[i] {
					t.Fatalf("share %v: bit %d is read as %d", share, i, bit)
				}
				if v := i * i % 1000; a.reading && i%100 == 0 && a.number(tree[:], 3, 10, 0) != v || !a.reading && i%100 == 0 && a.number(tree[:], 3, 10, v) != v {
					t.Fatalf("share %v: number %d is read otherwise", share, i)
				}
			}
		}
		w := newArithmetic(nil, false)
		code(&w)
		b := w.end()
		if entropy := -share*math.Log2(share+1e-300) - (1-share)*math.Log2(1-share+1e-300); float64(len(b)) > n/8*(entropy+0.01)*1.15+n/80*7+1000 {
			t.Errorf("share %v: %d bytes", share, len(b))
		}
		r := newArithmetic(b, true)
		if code(&r); r.bad || r.at != len(b) {
			t.Errorf("share %v: %d of %d bytes are read", share, r.at, len(b))
		}
	}
}

// anyTensor is a tree of boxes with numbers of every size that fits, and no sense.
func anyTensor(rng *rand.Rand) *Tensor {
	states, pieces := 1+rng.IntN(20), 1+rng.IntN(1+rng.IntN(200))
	points := make([]int, states)
	for s := range points {
		points[s] = 2 + rng.IntN(3)*rng.IntN(40)
	}
	some := func(bits, high int) float64 {
		return math.Ldexp(float64(rng.Uint64N(1<<bits)), high-bits)
	}
	x := &Tensor{}
	for open := 1; open > 0; {
		n := TensorNode{State: -1}
		for range rng.IntN(4) {
			s := TensorStep{State: rng.IntN(states+1) - 1}
			for p := rng.IntN(9); p < pieces; p += 1 + rng.IntN(9) {
				s.Pieces = append(s.Pieces, p)
				s.Lambda = append(s.Lambda, some(1+rng.IntN(mostLambda), 0))
			}
			if size := rng.IntN(2*exponentMid) - exponentMid; len(s.Lambda) > 0 {
				bits := 1 + rng.IntN(mostLambda)
				for i := range s.Lambda {
					s.Lambda[i] = some(bits, size)
				}
				s.Lambda[rng.IntN(len(s.Lambda))] = math.Ldexp(1, size-1)
			}
			if s.State >= 0 {
				s.Shift = make([]float64, points[s.State])
				s.J = rng.IntN(len(s.Shift))
				for i, bits := range rng.Perm(len(s.Shift)) {
					if i != s.J {
						s.Shift[i] = some(1+bits%mostShare, 0)
					}
				}
			}
			n.Steps = append(n.Steps, s)
		}
		if len(x.Nodes) < 60 && rng.IntN(3) > 0 {
			n.State, n.Theta = rng.IntN(states), []float64{0.5, some(thetaBits, 0)}[rng.IntN(2)]
			n.I, n.J = rng.IntN(points[n.State]), rng.IntN(points[n.State])
		}
		x.Nodes = append(x.Nodes, n)
		open += 2*btoi(n.State >= 0) - 1
	}
	return x
}

// A tree of any numbers is read back as it was written, and not when it is cut off or
// has more behind it.
func TestAnyTreeIsCoded(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 1))
	for range 100 {
		x := anyTensor(rng)
		b, err := x.code()
		if err != nil {
			t.Fatal(err)
		}
		back := new(Tensor)
		if err := back.decode(b); err != nil || !reflect.DeepEqual(x.Nodes, back.Nodes) {
			t.Fatalf("%d boxes are read back otherwise (%v)", len(x.Nodes), err)
		}
		for _, other := range [][]byte{b[:rng.IntN(len(b))], b[:len(b)-1], append(bytes.Clone(b), 0), append(bytes.Clone(b), 1)} {
			if err := new(Tensor).decode(other); err == nil {
				t.Fatalf("%d bytes are read instead of %d", len(other), len(b))
			}
		}
	}
}

// Prices of sizes that have no code are refused, those next to them are not.
func TestPricesBeyondTheCodeAreRefused(t *testing.T) {
	for _, size := range []int{-exponentMid - 1, -exponentMid, exponentMid - 1, exponentMid} {
		x := &Tensor{Nodes: []TensorNode{{State: -1, Steps: []TensorStep{{State: -1, Pieces: []int{0}, Lambda: []float64{math.Ldexp(1, size-1)}}}}}}
		_, err := x.code()
		if has := size >= -exponentMid && size < exponentMid; (err == nil) != has {
			t.Errorf("a price of %g: %v", x.Nodes[0].Steps[0].Lambda[0], err)
		}
	}
}

// A few bytes of what is most likely do not become a great tree: what is coded in so
// few has zeros behind it.
func TestLikelyTreesHaveTheirBytes(t *testing.T) {
	x := &Tensor{}
	for range 3000 {
		x.Nodes = append(x.Nodes, TensorNode{Theta: 0.5, J: 1}, TensorNode{State: -1})
	}
	x.Nodes = append(x.Nodes, TensorNode{State: -1})
	b, err := x.code()
	if err != nil {
		t.Fatal(err)
	}
	back := new(Tensor)
	if err := back.decode(b); err != nil || !reflect.DeepEqual(x, back) {
		t.Errorf("it is read back otherwise (%v)", err)
	}
	if content := 8 * len(x.Nodes); content > mostContent(len(b)) || b[len(b)-1] != 0 {
		t.Errorf("%d bytes hold %d", len(b), content)
	}
	for _, other := range [][]byte{b[:len(b)-1], bytes.TrimRight(b, "\x00"), append(bytes.Clone(b), 0), append(bytes.Clone(b[:len(b)-1]), 1)} {
		if err := new(Tensor).decode(other); err == nil {
			t.Errorf("%d bytes are read instead of %d", len(other), len(b))
		}
	}
}
