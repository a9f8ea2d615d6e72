package bound

import (
	"math"
	"reflect"
	"slices"
	"sync"
	"testing"

	"rcmdplab/core/internal/fixture"
	"rcmdplab/core/model"
	"rcmdplab/core/proof"
)

// midway is a search of a fixture left in the middle of a target.
func midway(t testing.TB) *Search {
	t.Helper()
	half.Do(func() {
		half.m = fixture.Problem(t, "a_seed4").Standard()
		s, err := New(half.m, half.set)
		if err != nil {
			t.Fatal(err)
		}
		s.Incumbent(fixture.Expected(t, "a_seed4").BestKnown.Objective+1e-6, 0, true)
		for p := range s.Run() {
			if p.OpenNodes >= 3 && p.Nodes >= 4 {
				half.state = s.State()
				return
			}
		}
		t.Fatal("the search ended")
	})
	s, err := Restore(half.m, half.set, half.state)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// half is that search as it was left, worked once for all tests.
var half = struct {
	sync.Once
	m     *model.Standard
	set   Settings
	state State
}{set: Settings{Ladder: true, Gap: 1e-3, Record: true}}

// What is written is read back to the same values, and a search goes on from
// it exactly as the one it was taken from.
func TestStateRoundTrip(t *testing.T) {
	s := midway(t)
	st := s.State()
	back, err := ReadState(st.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	if math.IsNaN(st.Target) || len(st.Open) < 3 || len(st.Tree) < 5 || st.Proof == nil {
		t.Fatalf("nothing to lose: %d open, %d nodes", len(st.Open), len(st.Tree))
	}
	if !reflect.DeepEqual(st, back) {
		t.Error("a state read back is not the state written")
	}
	a, err := Restore(s.m, s.set, st)
	if err != nil {
		t.Fatal(err)
	}
	b, err := Restore(s.m, s.set, back)
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range []*Search{a, b} {
		for p := range x.Run() {
			if p.Nodes >= st.Nodes+2 {
				break
			}
		}
	}
	if x, y := a.State(), b.State(); !reflect.DeepEqual(x, y) {
		t.Error("two searches restored from one state went different ways")
	}
	part, ok := s.Split()
	if !ok {
		t.Fatal("nothing to split")
	}
	other, err := ReadPart(part.Bytes())
	if err != nil || !reflect.DeepEqual(part, other) {
		t.Errorf("a part read back differs (%v)", err)
	}
	r := PartResult{Target: 3, Relax: math.Inf(1), Place: 7, Closed: true, Boxes: 3, Steps: 1 << 40, Nodes: st.Proof.Nodes}
	if len(r.Nodes) == 0 {
		t.Fatal("the proof has no nodes")
	}
	if got, err := ReadPartResult(r.Bytes()); err != nil || !reflect.DeepEqual(r, got) {
		t.Errorf("a result read back differs (%v)", err)
	}
}

// Bytes that were cut, lengthened or changed are refused or read as something
// else of the same shape; nothing panics and nothing large is allocated.
func FuzzReadState(f *testing.F) {
	s := midway(f)
	st := s.State()
	st.Tree, st.Proof = st.Tree[:1], nil
	good := st.Bytes()
	f.Add(good)
	f.Add(good[:len(good)/2])
	f.Add([]byte{codecVersion})
	f.Fuzz(func(t *testing.T, b []byte) {
		x, err := ReadState(b)
		if err != nil {
			return
		}
		if y, err := ReadState(x.Bytes()); err != nil || len(y.Open) != len(x.Open) || len(y.Tree) != len(x.Tree) {
			t.Errorf("read as %d open boxes, written and read again as %d (%v)", len(x.Open), len(y.Open), err)
		}
		_, _ = ReadPart(b)
		_, _ = ReadPartResult(b)
	})
}

func TestReadStateRefusesDamage(t *testing.T) {
	st := midway(t).State()
	good := st.Bytes()
	for _, b := range [][]byte{nil, {0}, {codecVersion}, good[:len(good)-1], append(good[:len(good):len(good)], 0), good[:100]} {
		if _, err := ReadState(b); err == nil {
			t.Errorf("%d bytes of %d were taken for a state", len(b), len(good))
		}
	}
}

// Saved bytes that were damaged are refused, or make a search that runs: never a
// panic, and never an endless walk.
func FuzzRestoreAndRun(f *testing.F) {
	s := midway(f)
	m, st := s.m, s.State()
	valid := st.Bytes()
	f.Add(0, byte(0))
	for k := range 32 {
		f.Add(k*len(valid)/32, byte(1<<(k%8)))
	}
	f.Fuzz(func(t *testing.T, at int, change byte) {
		b := slices.Clone(valid)
		if at < 0 {
			at = -(at + 1)
		}
		b[at%len(b)] ^= change
		st, err := ReadState(b)
		if err != nil {
			return
		}
		x, err := Restore(m, Settings{Ladder: true, Gap: 1e-3, Record: true}, st)
		if err != nil {
			return
		}
		if again := x.State(); len(again.Bytes()) == 0 {
			t.Error("nothing to save")
		}
		if part, ok := x.Split(); ok {
			x.Join(PartResult{Target: part.Target, Relax: part.Relax, Place: part.Box.Place, Closed: true, Nodes: []proof.Node{{Pair: 0}, {Pair: -1}}})
		}
		records := 0
		for p := range x.Run() {
			if records++; records > 20 || p.Nodes > st.Nodes {
				break
			}
		}
	})
}

// A state in which a node is its own child, or two nodes have one, is refused.
func TestTreesWithLoopsAreRefused(t *testing.T) {
	s := midway(t)
	for what, damage := range map[string]func(st *State){
		"its own child":       func(st *State) { st.Tree[0].Left = 0 },
		"a shared child":      func(st *State) { st.Tree[0].Left = st.Tree[0].Right },
		"a box twice":         func(st *State) { st.Open[1].Place = st.Open[0].Place },
		"a box missing":       func(st *State) { st.Open = st.Open[1:] },
		"a pair too many":     func(st *State) { st.Tree[0].Pair = 1 << 20 },
		"an empty range":      func(st *State) { st.Open[0].Lower[0] = 2 },
		"a range of NaN":      func(st *State) { st.Open[0].Occupancy[0] = math.NaN() },
		"a bound of infinity": func(st *State) { st.LowerBound = math.Inf(1) },
		"a target of NaN":     func(st *State) { st.Target = math.NaN() },
		"a share of 0":        func(st *State) { st.Fraction = 0 },
		"a negative count":    func(st *State) { st.Nodes = -1 },
		"a row of twos":       func(st *State) { st.Kernels = []proof.Kernel{{Rows: make([]float64, s.m.Pairs()*s.m.S)}} },
	} {
		old := s.State()
		st, err := ReadState(old.Bytes())
		if err != nil {
			t.Fatal(err)
		}
		if damage(&st); what != "" {
			if _, err := Restore(s.m, s.set, st); err == nil {
				t.Errorf("%s: restored", what)
			}
		}
	}
}
