package tensor

import (
	"fmt"
	"math"
	"os"
	"reflect"
	"slices"
	"testing"

	"rcmdplab/core/model"
)

// standard is one of the problems of setting (a).
func standard(t testing.TB, k int) *model.Standard {
	t.Helper()
	text, err := os.ReadFile(fmt.Sprintf("../testdata/random%d.json", k))
	if err != nil {
		t.Fatal(err)
	}
	doc, faults, _ := model.Decode(text)
	if len(faults) > 0 {
		t.Fatal(faults)
	}
	return doc.Standard()
}

// random is one of the problems of setting (a), with the value of its best
// policy known.
func random(t testing.TB, k int) (p *Problem, best float64) {
	t.Helper()
	m := standard(t, k)
	p = &Problem{Layout: m.Layout, Gamma: m.Gamma, Rest: m.Rest, Mu: m.Mu, Kernels: m.Kernels}
	for n := range m.N + 1 {
		lo, hi := m.Bounds(n)
		w := hi - lo
		p.Slope = append(p.Slope, 0)
		p.Base = append(p.Base, (m.B[n]/m.H-lo)/w)
		if n == 0 {
			p.Base[0], p.Slope[0] = -lo/w, 1/(m.H*w)
		}
	}
	for range m.Kernels {
		var all [][]float64
		for n := range m.N + 1 {
			lo, hi := m.Bounds(n)
			c := make([]float64, m.Pairs())
			for i := range c {
				c[i] = (m.C[n][i] - lo) / (hi - lo)
			}
			all = append(all, c)
		}
		p.Cost = append(p.Cost, all)
	}
	return p, map[int]float64{3: 115.68875042228836, 4: 148.21493594580758, 7: 168.22333632554535, 8: 100.6890006429203}[k]
}

func always() bool { return true }

// The same boxes give the same bits, whatever the loops run on.
func TestBoundBits(t *testing.T) {
	p, best := random(t, 3)
	tree := New(p, best*0.99)
	for range 5 {
		tree.Step(always)
	}
	if got, want := math.Float64bits(tree.Bound()), uint64(0x405a3963fce649ee); got != want {
		t.Errorf("after 5 boxes the bound is %v with bits %#x; want %#x", tree.Bound(), got, want)
	}
	for tree.Step(always) {
	}
	if tree.Bound() != best*0.99 || tree.Open() != 0 {
		t.Errorf("the tree ends at %v with %d boxes open", tree.Bound(), tree.Open())
	}
}

// An eased target keeps what is closed, and closes what is known to close at it.
func TestEase(t *testing.T) {
	p, best := random(t, 4)
	tree := New(p, best*0.99)
	for range 12 {
		tree.Step(always)
	}
	low, open := tree.Bound(), tree.Open()
	tree.Ease(low + 0.3*(tree.Tau()-low))
	if tree.Bound() < low || tree.Open() > open {
		t.Errorf("eased from %v with %d boxes open to %v with %d", low, open, tree.Bound(), tree.Open())
	}
	tree.Ease(low)
	if tree.Open() != 0 || tree.Bound() != low {
		t.Errorf("at the bound itself %d boxes are open", tree.Open())
	}
}

// Boxes handed out and worked on elsewhere, to the end or in part, or lost, come
// back into one tree that closes; a saved tree goes on as if never left.
func TestBoxesTravel(t *testing.T) {
	p, best := random(t, 4)
	tree := New(p, best*0.995)
	parts, boxes := 0, 0
	for k := 0; tree.Open() > 0; k++ {
		if k > 400 {
			t.Fatal("no end")
		}
		tree.Step(always)
		b, ok := tree.Split()
		if !ok {
			continue
		}
		parts++
		switch parts % 4 {
		case 0:
			tree.Return(b.Place)
			continue
		case 1: // through a save of the whole, with the box out
			again, err := Restore(p, tree.Save())
			if err != nil {
				t.Fatal(err)
			}
			if again.Open() != tree.Open() || again.Bound() != tree.Bound() || again.Shut() != tree.Shut() {
				t.Fatalf("restored with %d boxes open, bound %v, %v closed; want %d, %v, %v", again.Open(), again.Bound(), again.Shut(), tree.Open(), tree.Bound(), tree.Shut())
			}
		}
		part, err := Part(p, tree.Head(), b)
		if err != nil {
			t.Fatal(err)
		}
		for n := 0; n < 6 && part.Step(always); n++ {
			boxes++
		}
		if !tree.Join(part.Save()) {
			t.Fatal("a part was refused")
		}
		if tree.Join(part.Save()) {
			t.Fatal("a part was taken twice")
		}
	}
	if parts < 4 || boxes < 8 {
		t.Errorf("%d parts with %d boxes", parts, boxes)
	}
	if n := len(tree.Proof().Nodes); n != len(tree.nodes) || n < tree.Done() {
		t.Errorf("a proof of %d boxes from %d places", n, len(tree.nodes))
	}
}

// A part's tree takes another box of the same tree as a new one would, to the bit,
// and no box of a tree at another target.
func TestAPartTakesAnotherBox(t *testing.T) {
	p, best := random(t, 4)
	tree := New(p, best*0.99)
	for range 12 {
		tree.Step(always)
	}
	first, _ := tree.Split()
	second, ok := tree.Split()
	if !ok {
		t.Fatal("two boxes are not to be had")
	}
	part, err := Part(p, tree.Head(), first)
	if err != nil {
		t.Fatal(err)
	}
	part.Step(always)
	if !part.Again(tree.Head(), second) {
		t.Fatal("another box of the tree is refused")
	}
	fresh, err := Part(p, tree.Head(), second)
	if err != nil {
		t.Fatal(err)
	}
	for range 3 {
		part.Step(always)
		fresh.Step(always)
	}
	if got, want := part.Save(), fresh.Save(); !reflect.DeepEqual(got, want) {
		t.Error("another box is worked on otherwise than by a new tree")
	}
	other := tree.Head()
	other.Tau *= 0.999
	if part.Again(other, first) {
		t.Error("a box of another target is taken")
	}
	other = tree.Head()
	if other.Key++; part.Again(other, first) {
		t.Error("a box of another problem is taken")
	}
	if first.Gain = nil; part.Again(tree.Head(), first) {
		t.Error("a damaged box is taken")
	}
}

// A tree that is renewed for another parameter, in the middle of its work or closed, goes
// on as a new one would, to the bit.
func TestARenewedTreeIsANewOne(t *testing.T) {
	p, best := random(t, 3)
	for _, boxes := range []int{0, 12, math.MaxInt} {
		tree := New(p, best*0.97)
		for k := 0; k < boxes && tree.Step(always); k++ {
		}
		tree.Split()
		tree.Renew(best * 0.99)
		fresh := New(p, best*0.99)
		for range 12 {
			tree.Step(always)
			fresh.Step(always)
		}
		if got, want := tree.Save(), fresh.Save(); !reflect.DeepEqual(got, want) || got.Done == 0 {
			t.Errorf("after %d boxes a renewed tree goes on otherwise than a new one", boxes)
		}
	}
}

func TestDamagedTreesAreRefused(t *testing.T) {
	p, best := random(t, 4)
	tree := New(p, best*0.99)
	for range 6 {
		tree.Step(always)
	}
	for name, do := range map[string]func(s *State){
		"no nodes":                   func(s *State) { s.Nodes = nil },
		"a child before its parent":  func(s *State) { s.Nodes[0].Left = 0 },
		"a child beyond the end":     func(s *State) { s.Nodes[0].Left = len(s.Nodes) },
		"a box at a closed place":    func(s *State) { s.Open[0].Place = 0 },
		"a box at no place":          func(s *State) { s.Open[0].Place = -1 },
		"a box missing":              func(s *State) { s.Open = s.Open[1:] },
		"a box twice":                func(s *State) { s.Open = append(s.Open, s.Open[0]) },
		"points of another problem":  func(s *State) { s.Open[0].Points = s.Open[0].Points[1:] },
		"gains of another problem":   func(s *State) { s.Open[0].Gain = nil },
		"a piece that is not there":  func(s *State) { s.Open[0].Pieces[0] = -1 },
		"pieces out of order":        func(s *State) { slices.Reverse(s.Open[0].Pieces) },
		"a vertex that is not there": func(s *State) { s.Open[0].Pool[0] = 1 << 20 },
		"a reach that is no number":  func(s *State) { s.Open[0].Reach = math.NaN() },
		"multipliers too few":        func(s *State) { s.Open[0].Lambda = s.Open[0].Lambda[1:] },
		"weights of another problem": func(s *State) { s.Weight = []int{1} },
		"tensors of other kernels":   func(s *State) { s.Key++ },
	} {
		s := tree.Save()
		do(&s)
		if _, err := Restore(p, s); err == nil {
			t.Errorf("%s: restored", name)
		}
	}
}

// A proof to its end, on the instance that is closed soonest.
func BenchmarkProof(b *testing.B) {
	p, best := random(b, 3)
	for b.Loop() {
		tree := New(p, best*0.99)
		for tree.Step(always) {
		}
	}
}

// What is kept of an open box is what its points make of the root, and no two
// boxes share it, also when there is room for few.
func TestKeptTensorsAreRebuilt(t *testing.T) {
	p, best := random(t, 8)
	tree := New(p, best*0.999)
	tree.room = 4
	compared := 0
	for range 24 {
		tree.Step(always)
		seen := map[*slab]bool{}
		for i := range tree.open {
			b := &tree.open[i]
			if b.kept == nil {
				continue
			}
			if seen[b.kept] {
				t.Fatal("two boxes share their tensors")
			}
			seen[b.kept] = true
			if compared++; compared%8 != 0 {
				continue
			}
			f := &slab{x: make([]float64, len(tree.whole))}
			whole := *b
			whole.Pieces = b.kept.pieces
			tree.tensors(f, &whole)
			for k, v := range f.x {
				if d := math.Abs(v - b.kept.x[k]); !(d <= 1e-12) {
					t.Fatalf("box at %d: entry %d of piece %d is %v, rebuilt %v", b.Place, k%tree.v, k/tree.v, b.kept.x[k], v)
				}
			}
		}
	}
	if compared < 16 {
		t.Errorf("%d boxes", compared)
	}
}

// Depth first closes a tree just as the other order does, with no more boxes open
// at a time than there are splits above the deepest, and one.
func TestDepthFirst(t *testing.T) {
	p, best := random(t, 7)
	tree := New(p, best*0.99)
	tree.DepthFirst()
	most, deepest := 0, 0
	for tree.Step(always) {
		most = max(most, tree.Open())
		for i := range tree.open {
			deepest = max(deepest, tree.open[i].Depth)
		}
	}
	if tree.Open() != 0 || tree.Bound() != tree.Tau() || tree.Shut() != 1 {
		t.Errorf("%d boxes open, bound %v at the target %v", tree.Open(), tree.Bound(), tree.Tau())
	}
	if deepest < 2 || most > deepest+1 {
		t.Errorf("%d boxes were open together, at most %d splits deep", most, deepest)
	}
}
