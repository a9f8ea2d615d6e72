package certify

import (
	"os"
	"slices"
	"testing"

	"rcmdplab/core/bound"
	"rcmdplab/core/model"
	"rcmdplab/core/proof"
)

// inProgress is the certificate as it was when only so many of its boxes were done.
func inProgress(c *proof.Claim, done int) *proof.Claim {
	d := copyOf(c)
	nodes, left := d.Tensor.Nodes, done
	var out []proof.TensorNode
	k := 0
	var walk func(open bool)
	walk = func(open bool) {
		n := nodes[k]
		k++
		if left--; left < 0 && !open {
			open = true
			out = append(out, proof.TensorNode{State: StillOpen})
		} else if !open {
			out = append(out, n)
		}
		if n.State >= 0 {
			walk(open)
			walk(open)
		}
	}
	walk(false)
	d.Tensor.Nodes = out
	return d
}

// A proof that was followed while it was made is accepted as it is without, and with
// the same words; what is left to do is only what is new.
func TestAProofThatWasFollowedHasLessToCheck(t *testing.T) {
	p, _, c := tampered(t)
	count := func(k *Checker) (r Report, asked int) {
		r = k.Check(c, nil, func() bool { asked++; return true })
		return r, asked
	}
	fresh := NewChecker(p)
	want, _ := count(fresh)
	k := NewChecker(p)
	for done := 1; done < len(c.Tensor.Nodes); done += 3 {
		before := NewChecker(p)
		before.Follow(inProgress(c, done), always)
		k.Follow(inProgress(c, done), always)
		if held := len(k.seen.held); held != done {
			t.Fatalf("of %d boxes %d are held", done, held)
		}
		if got, _ := count(before); !got.OK || got.Reasons[1] != want.Reasons[1] {
			t.Fatalf("followed once, %d boxes: %q; want %q", done, got.Reasons, want.Reasons)
		}
		if got, _ := count(k); !got.OK || got.Reasons[1] != want.Reasons[1] {
			t.Fatalf("followed up to %d boxes: %q; want %q", done, got.Reasons, want.Reasons)
		}
	}
	if r := k.Check(inProgress(c, 3), nil, always); r.OK {
		t.Errorf("a proof with boxes left open is accepted: %q", r.Reasons)
	}
	k.Follow(c, always)
	if got, _ := count(k); !got.OK {
		t.Errorf("%q", got.Reasons)
	}
}

// What a search gives to be followed is what its proof becomes.
func TestASearchIsFollowed(t *testing.T) {
	text, err := os.ReadFile("../bound/testdata/random7.json")
	if err != nil {
		t.Fatal(err)
	}
	p, _, _ := model.Decode(text)
	s, err := bound.New(p.Standard(), bound.Settings{Record: true, Gap: 0.005})
	if err != nil {
		t.Fatal(err)
	}
	s.Incumbent(168.2234, 0, true) // hardly more than the best
	k, nodes := NewChecker(p), 0
	for q := range s.Run() {
		if d := s.Draft(); d != nil && q.Nodes > nodes+2 {
			nodes = q.Nodes
			c := *of(p, d)
			k.Follow(&c, always)
		}
	}
	c := *of(p, s.Certificate())
	x := &tensors{}
	x.recall(&c, k.seen)
	held := 0
	for _, h := range x.held {
		if h {
			held++
		}
	}
	if len(x.held) < 9 || held < len(x.held)*2/3 {
		t.Errorf("of %d boxes of the proof %d were followed", len(x.held), held)
	}
	if r := k.Check(&c, nil, always); !r.OK {
		t.Fatalf("%q", r.Reasons)
	}
}

// What was followed excuses nothing: whatever is changed in the proof since, or in
// its claim, the verdict is that of a checker that never saw it.
func TestWhatWasFollowedExcusesNothing(t *testing.T) {
	p, best, c := tampered(t)
	k := NewChecker(p)
	k.Follow(c, always)
	kept := k.seen
	changes, refused := 0, 0
	try := func(change func(d *proof.Claim)) {
		d := copyOf(c)
		change(d)
		changes++
		want, got := NewChecker(p).Check(d, nil, always), k.Check(d, nil, always)
		if want.OK != got.OK {
			t.Errorf("accepted %v; by a checker that never saw it %v: %q", got.OK, want.OK, want.Reasons)
		}
		if !want.OK {
			refused++
		}
		if k.seen != kept {
			t.Fatal("a check changes what was followed")
		}
	}
	for i := range c.Tensor.Nodes {
		for j := range c.Tensor.Nodes[i].Steps {
			step := func(d *proof.Claim) *proof.TensorStep { return &d.Tensor.Nodes[i].Steps[j] }
			try(func(d *proof.Claim) { clear(step(d).Lambda) })
			if s := step(c); s.State >= 0 {
				try(func(d *proof.Claim) {
					for i := range s.Shift {
						if i != s.J {
							step(d).Shift[i] = 1 - 0x1p-16
						}
					}
				})
			}
		}
		if n := c.Tensor.Nodes[i]; n.State >= 0 {
			try(func(d *proof.Claim) { d.Tensor.Nodes[i].I, d.Tensor.Nodes[i].J = n.J, n.I })
			try(func(d *proof.Claim) { d.Tensor.Nodes[i].State = StillOpen })
		} else {
			try(func(d *proof.Claim) { d.Tensor.Nodes[i].Steps = nil })
		}
	}
	for _, change := range []func(d *proof.Claim){
		func(d *proof.Claim) { d.Target = best },
		func(d *proof.Claim) { d.Relax = 1e3 },
		func(d *proof.Claim) { d.Allow = []float64{1e3} },
		func(d *proof.Claim) { d.Tensor.Scale[0] += 20 },
		func(d *proof.Claim) { d.Tensor.Nodes = d.Tensor.Nodes[:len(d.Tensor.Nodes)-1] },
		func(d *proof.Claim) { d.Problem = "another" },
	} {
		try(change)
	}
	if refused < changes/2 {
		t.Errorf("%d of %d changes are refused: too few to tell", refused, changes)
	}
	// Nor does what changes in the caller's memory afterwards.
	d := copyOf(c)
	k.Follow(d, always)
	d.Tensor.Nodes[0].Steps[0].Lambda[0] = 0
	clear(d.Tensor.Nodes[0].Steps[0].Lambda)
	if k.Check(d, nil, always).OK != NewChecker(p).Check(d, nil, always).OK {
		t.Error("the certificate was changed in memory after it was followed, and is taken for what it was")
	}
}

// A box that does not hold is not kept, and a follower that was left keeps what it
// had got to.
func TestAFollowerKeepsOnlyWhatHolds(t *testing.T) {
	p, _, c := tampered(t)
	bad := copyOf(c)
	last := len(bad.Tensor.Nodes) - 1
	clear(bad.Tensor.Nodes[last].Steps[0].Lambda)
	k := NewChecker(p)
	k.Follow(bad, always)
	x := &tensors{}
	if x.recall(bad, k.seen); x.held[last] || !x.held[0] {
		t.Error("a box that does not hold is kept, or one that does is not")
	}
	// The same boxes as parts of another are others.
	whole := NewChecker(p)
	whole.Follow(c, always)
	under := copyOf(c)
	under.Tensor.Nodes = slices.Concat([]proof.TensorNode{{State: 0, J: 1, Theta: .5}}, c.Tensor.Nodes, c.Tensor.Nodes)
	if x.recall(under, whole.seen); slices.Contains(x.held, true) {
		t.Error("what was seen of a box is taken for what a part of another does")
	}
	if r := k.Check(bad, nil, always); r.OK {
		t.Errorf("%q", r.Reasons)
	}
	if r := k.Check(c, nil, always); !r.OK {
		t.Errorf("%q", r.Reasons)
	}
	k = NewChecker(p)
	k.Follow(c, func() bool { return false })
	if r := k.Check(c, nil, always); !r.OK {
		t.Errorf("after a follower that was left at once: %q", r.Reasons)
	}
}
