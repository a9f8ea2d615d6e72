package certify

import (
	"bytes"
	"math"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"rcmdplab/core/bound"
	"rcmdplab/core/model"
	"rcmdplab/core/proof"
)

// byTensors proves a bound by tensors, nil when a proof by one kernel is better.
func byTensors(t testing.TB, p *model.Problem, set bound.Settings, objective, violation float64) (lower, least *proof.Claim) {
	t.Helper()
	set.Record = true
	s, err := bound.New(p.Standard(), set)
	if err != nil {
		t.Fatal(err)
	}
	s.Incumbent(objective, violation, !math.IsInf(objective, 1))
	for r := range s.Run() {
		if r.Nodes > 60 {
			break
		}
	}
	read := func(c *proof.Claim) *proof.Claim {
		if c == nil || c.Tensor == nil {
			return nil
		}
		d := *of(p, c)
		return &d
	}
	return read(s.Certificate()), read(s.ViolationCertificate())
}

func copyOf(c *proof.Claim) *proof.Claim {
	d, x := *c, *c.Tensor
	x.Nodes = slices.Clone(x.Nodes)
	for i := range x.Nodes {
		n := &x.Nodes[i]
		n.Steps = slices.Clone(n.Steps)
		for j := range n.Steps {
			s := &n.Steps[j]
			s.Pieces, s.Lambda, s.Shift = slices.Clone(s.Pieces), slices.Clone(s.Lambda), slices.Clone(s.Shift)
		}
	}
	x.Scale, x.Weight = slices.Clone(x.Scale), slices.Clone(x.Weight)
	d.Tensor = &x
	return &d
}

// What tensors prove of random problems is accepted, survives the document, is
// no more than a policy that meets the constraints has, and holds for no target
// above that.
func TestProofsByTensorsAreAccepted(t *testing.T) {
	rng := rand.New(rand.NewPCG(31, 41))
	count, split := 0, 0
	for range 130 {
		p, best, value := bounded(t, rng, model.Finite, 0.02)
		c, _ := byTensors(t, p, bound.Settings{Gap: 1e-3}, value, 0)
		if c == nil {
			continue
		}
		count++
		if len(c.Tensor.Nodes) > 1 {
			split++
		}
		text, err := c.Encode()
		if err != nil {
			t.Fatal(err)
		}
		back, err := proof.Decode(text)
		if err != nil {
			t.Fatal(err)
		}
		if again, _ := back.Encode(); !bytes.Equal(text, again) {
			t.Fatal("a proof by tensors changes in a document")
		}
		r := Check(p, back, best)
		if !r.OK || !(r.LowerBound < r.Objective) {
			t.Fatalf("%q", r.Reasons)
		}
		back.Target = r.Objective * (1 + 1e-9*math.Copysign(1, r.Objective))
		if r := Check(p, back, nil); r.OK {
			t.Errorf("a target above what a policy has is proved impossible: %q", r.Reasons)
		}
	}
	if count < 20 || split < 15 {
		t.Errorf("%d proofs, %d with splits; want 20 and 15", count, split)
	}
}

// Thresholds that no policy meets: the proof is accepted, and no larger
// violation than a policy has is.
func TestInfeasibilityByTensors(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 9))
	count := 0
	for range 30 {
		if count == 6 {
			break
		}
		p, _, _ := bounded(t, rng, model.Finite, 0.01)
		m := p.Standard()
		for n := range p.Constraints {
			lo, hi := m.Bounds(n + 1)
			p.Constraints[n].Bound = m.Present(n+1, m.B[n+1]-0.3*(hi-lo)*m.H)
		}
		if m = p.Standard(); m.N == 0 {
			continue
		}
		excess := math.Inf(1)
		for range 200 {
			e, err := Evaluate(p, randomPolicy(rng, p.Layout))
			if err != nil {
				t.Fatal(err)
			}
			v := 0.0
			for n := 1; n <= m.N; n++ {
				v = max(v, e.Returns[n].Hi-m.B[n])
			}
			excess = min(excess, v)
		}
		if excess <= 0 {
			continue
		}
		c, least := byTensors(t, p, bound.Settings{Gap: 0.2, Violation: true}, math.Inf(1), excess)
		if c == nil || least == nil {
			continue
		}
		count++
		if r := Check(p, *c, nil); !r.OK || !math.IsInf(r.LowerBound, 1) {
			t.Errorf("infeasibility: %q", r.Reasons)
		}
		if r := Check(p, *least, nil); !r.OK || !(r.LeastViolation > 0 && r.LeastViolation < excess) {
			t.Errorf("least violation %v of %v: %q", r.LeastViolation, excess, r.Reasons)
		}
		wrong := *least
		wrong.Relax = excess * 1.0000001
		if r := Check(p, wrong, nil); r.OK {
			t.Errorf("every policy is said to miss a limit by more than one does: %q", r.Reasons)
		}
	}
	if count < 4 {
		t.Errorf("%d proofs of infeasibility; want 4", count)
	}
}

// Every kind of change to a proof that removes its reason is found, at every
// place where it can be made.
func TestTamperedTensors(t *testing.T) {
	p, best, c := tampered(t)
	if r := Check(p, *c, nil); !r.OK {
		t.Fatalf("%q", r.Reasons)
	}
	type change struct {
		name string
		do   func(n *proof.TensorNode, s *proof.TensorStep) bool // false: does not apply
		some bool                                                // another proof may come of it: refused once is enough
	}
	onPush := func(do func(s *proof.TensorStep)) func(*proof.TensorNode, *proof.TensorStep) bool {
		return func(_ *proof.TensorNode, s *proof.TensorStep) bool {
			if s == nil || s.State < 0 {
				return false
			}
			do(s)
			return true
		}
	}
	onStep := func(do func(s *proof.TensorStep)) func(*proof.TensorNode, *proof.TensorStep) bool {
		return func(_ *proof.TensorNode, s *proof.TensorStep) bool {
			if s == nil {
				return false
			}
			do(s)
			return true
		}
	}
	onSplit := func(do func(n *proof.TensorNode)) func(*proof.TensorNode, *proof.TensorStep) bool {
		return func(n *proof.TensorNode, s *proof.TensorStep) bool {
			if s != nil || n.State < 0 {
				return false
			}
			do(n)
			return true
		}
	}
	largest := func(v []float64) int {
		k := 0
		for i := range v {
			if v[i] > v[k] {
				k = i
			}
		}
		return k
	}
	for _, tc := range []change{
		{"a multiplier below 0", onStep(func(s *proof.TensorStep) { s.Lambda[0] = -s.Lambda[0] }), false},
		{"a multiplier that is no number", onStep(func(s *proof.TensorStep) { s.Lambda[0] = math.NaN() }), false},
		{"an infinite multiplier", onStep(func(s *proof.TensorStep) { s.Lambda[0] = math.Inf(1) }), false},
		{"no multipliers", onStep(func(s *proof.TensorStep) { s.Pieces, s.Lambda = nil, nil }), false},
		{"multipliers of 0", onStep(func(s *proof.TensorStep) { clear(s.Lambda) }), false},
		{"the largest multiplier dropped", onStep(func(s *proof.TensorStep) { s.Lambda[largest(s.Lambda)] = 0 }), true},
		{"shares as far as can be", onPush(func(s *proof.TensorStep) {
			for i := range s.Shift {
				s.Shift[i] = 1 - 0x1p-16
			}
		}), true},
		{"a push towards another point", onPush(func(s *proof.TensorStep) {
			k := (s.J + 1) % len(s.Shift)
			s.Shift[s.J], s.Shift[k], s.J = s.Shift[k], 0, k
		}), true},
		{"the shortest share made longer", onPush(func(s *proof.TensorStep) {
			least := (s.J + 1) % len(s.Shift)
			for k, l := range s.Shift {
				if k != s.J && l < s.Shift[least] {
					least = k
				}
			}
			s.Shift[least] += 0.5 * (1 - s.Shift[least])
		}), true},
		{"a multiplier of another size", onStep(func(s *proof.TensorStep) { s.Lambda[largest(s.Lambda)] *= 1.5 }), true},
		{"a multiplier of another piece", onStep(func(s *proof.TensorStep) {
			k := largest(s.Lambda)
			s.Pieces[k] = (s.Pieces[k] + 1) % 4
		}), true},
		{"a split elsewhere", onSplit(func(n *proof.TensorNode) { n.Theta = 0x1p-10 }), true},
		{"a split of another edge", onSplit(func(n *proof.TensorNode) { n.I, n.J = n.J, n.I }), true},
		{"a piece too many", onStep(func(s *proof.TensorStep) { s.Pieces = append(s.Pieces, 0) }), false},
		{"a piece that is not there", onStep(func(s *proof.TensorStep) { s.Pieces[0] = 127 }), false},
		{"a piece below 0", onStep(func(s *proof.TensorStep) { s.Pieces[0] = -1 }), false},
		{"a share of 1", onPush(func(s *proof.TensorStep) { s.Shift[(s.J+1)%len(s.Shift)] = 1 }), false},
		{"a share below 0", onPush(func(s *proof.TensorStep) { s.Shift[(s.J+1)%len(s.Shift)] = -0.25 }), false},
		{"a share that is no number", onPush(func(s *proof.TensorStep) { s.Shift[(s.J+1)%len(s.Shift)] = math.NaN() }), false},
		{"shares too few", onPush(func(s *proof.TensorStep) { s.Shift = s.Shift[1:] }), false},
		{"a point that is not there", onPush(func(s *proof.TensorStep) { s.J = len(s.Shift) }), false},
		{"a state that is not there", onPush(func(s *proof.TensorStep) { s.State = 7 }), false},
		{"a push that claims to close", onPush(func(s *proof.TensorStep) { s.State = -1 }), true},
		{"a state below -1", onStep(func(s *proof.TensorStep) { s.State = -2 }), false},
		{"a split between a point and itself", onSplit(func(n *proof.TensorNode) { n.J = n.I }), false},
		{"a split at an end", onSplit(func(n *proof.TensorNode) { n.Theta = 0 }), false},
		{"a split at the other end", onSplit(func(n *proof.TensorNode) { n.Theta = 1 }), false},
		{"a split off the grid", onSplit(func(n *proof.TensorNode) { n.Theta = 1.0 / 3 }), false},
		{"a split at no number", onSplit(func(n *proof.TensorNode) { n.Theta = math.NaN() }), false},
		{"a split of a point that is not there", onSplit(func(n *proof.TensorNode) { n.I = 100 }), false},
		{"a split of a state that is not there", onSplit(func(n *proof.TensorNode) { n.State = 7 }), false},
		{"a box that is left open", onSplit(func(n *proof.TensorNode) { n.State = -1 }), false},
		{"a box that is left undecided", onSplit(func(n *proof.TensorNode) { n.State = -2 }), false},
	} {
		tried, refused := 0, 0
		for i := range c.Tensor.Nodes {
			for j := -1; j < len(c.Tensor.Nodes[i].Steps); j++ {
				if tried >= 6 { // a replay each
					break
				}
				d := copyOf(c)
				n := &d.Tensor.Nodes[i]
				var s *proof.TensorStep
				if j >= 0 {
					s = &n.Steps[j]
				}
				if !tc.do(n, s) {
					continue
				}
				tried++
				if r := Check(p, *d, nil); !r.OK {
					refused++
				} else if !tc.some {
					t.Errorf("%s (box %d, step %d): accepted", tc.name, i, j)
				}
			}
		}
		if tried == 0 || refused == 0 {
			t.Errorf("%s: tried %d times, refused %d", tc.name, tried, refused)
		}
	}
	pairs := p.Layout.Pairs()
	for name, do := range map[string]func(x *proof.Tensor){
		"a box dropped at the end":   func(x *proof.Tensor) { x.Nodes = x.Nodes[:len(x.Nodes)-1] },
		"a box dropped at the start": func(x *proof.Tensor) { x.Nodes = x.Nodes[1:] },
		"a box too many":             func(x *proof.Tensor) { x.Nodes = append(x.Nodes, x.Nodes[len(x.Nodes)-1]) },
		"no boxes":                   func(x *proof.Tensor) { x.Nodes = nil },
		"two boxes swapped": func(x *proof.Tensor) {
			n := len(x.Nodes)
			x.Nodes[n-1], x.Nodes[0] = x.Nodes[0], x.Nodes[n-1]
		},
		"a model scaled otherwise":  func(x *proof.Tensor) { x.Scale[0] += 20 },
		"a scale out of range":      func(x *proof.Tensor) { x.Scale[0] = 5000 },
		"a scale too few":           func(x *proof.Tensor) { x.Scale = x.Scale[1:] },
		"weights of too few pairs":  func(x *proof.Tensor) { x.Weight = []int{1} },
		"the root scaled otherwise": func(x *proof.Tensor) { x.Weight = make([]int, pairs); x.Weight[0], x.Weight[pairs-1] = 9, -9 },
	} {
		d := copyOf(c)
		do(d.Tensor)
		if r := Check(p, *d, nil); r.OK {
			t.Errorf("%s: accepted", name)
		}
	}
	d := copyOf(c)
	d.Values = &proof.Values{V: make([]float64, p.Layout.S), Prices: make([]float64, len(p.Constraints))}
	if r := Check(p, *d, nil); r.OK {
		t.Error("two proofs in one certificate are accepted")
	}
	d = copyOf(c)
	d.Target = best
	if r := Check(p, *d, nil); r.OK {
		t.Error("the best value itself is proved impossible")
	}
}

// tampered is a proof with splits and pushes of a random problem.
func tampered(t testing.TB) (p *model.Problem, best float64, c *proof.Claim) {
	toTamper.Do(func() {
		toTamper.p, toTamper.best, toTamper.c = makeToTamper(t)
	})
	return toTamper.p, toTamper.best, toTamper.c
}

// toTamper is made once for all tests, which change copies of it.
var toTamper struct {
	sync.Once
	p    *model.Problem
	best float64
	c    *proof.Claim
}

func makeToTamper(t testing.TB) (p *model.Problem, best float64, c *proof.Claim) {
	for seed := uint64(1787); ; seed++ { // the first of such a proof, when this was written
		p, _, best := bounded(t, rand.New(rand.NewPCG(77, seed)), model.Finite, 0.02)
		if p.Layout.S < 3 || p.Layout.Pairs() < 7 || len(p.Constraints) == 0 || len(p.Uncertainty.Kernels) < 2 {
			continue
		}
		c, _ := byTensors(t, p, bound.Settings{Gap: 0.01}, best, 0)
		pushes := 0
		if c != nil {
			for _, n := range c.Tensor.Nodes {
				for _, s := range n.Steps {
					if s.State >= 0 {
						pushes++
					}
				}
			}
		}
		if pushes >= 2 && len(c.Tensor.Nodes) >= 5 && len(c.Tensor.Nodes) < 200 {
			return p, best, c
		}
	}
}
