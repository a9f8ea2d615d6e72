package certify

import (
	"bytes"
	"encoding/base64"
	"math"
	"reflect"
	"testing"
)

// Whichever byte of a tree is changed, in whichever bit, or if it is cut off: it
// is refused, or another proof of what is true, which is written as it is read.
func TestNoChangedByteProvesWhatIsFalse(t *testing.T) {
	p, best, c := tampered(t)
	tree, err := c.Tensor.code()
	if err != nil {
		t.Fatal(err)
	}
	refused, other := 0, 0
	try := func(b []byte) {
		text := append([]byte(`{"format":"`+Format+`","problem":"`+c.Problem+`","target":`), new(writer).number(best).b...)
		text = append(text, `,"tensor":{"scale":`...)
		text = append(text, new(writer).integers(c.Tensor.Scale).b...)
		if c.Tensor.Weight != nil {
			text = append(append(text, `,"weight":`...), new(writer).integers(c.Tensor.Weight).b...)
		}
		text = append(text, `,"coded":"`+base64.StdEncoding.EncodeToString(b)+`"}}`...)
		d, err := Decode(text)
		if err != nil {
			refused++
			return
		}
		if again, err := d.Encode(); err != nil {
			t.Fatalf("what is read cannot be written: %v", err)
		} else if e, err := Decode(again); err != nil || !reflect.DeepEqual(d, e) {
			t.Fatalf("what is written reads back otherwise (%v)", err)
		}
		if r := Check(p, d, nil); r.OK {
			t.Fatalf("the value of a policy is proved impossible: %q", r.Reasons)
		}
		if d.Target = c.Target; other == 0 && Check(p, d, nil).OK {
			other++
		}
	}
	for i := range tree {
		b := bytes.Clone(tree)
		b[i] ^= 1 << (i % 8)
		try(b)
		if b[i] = ^tree[i]; i%4 == 0 {
			try(b)
			try(tree[:i])
		}
	}
	if refused < len(tree)/20 || other == 0 {
		t.Errorf("of %d bytes, %d changes are no tree and %d another proof of the truth: too few to tell", len(tree), refused, other)
	}
}

// What is on no grid, or out of range, is not written.
func TestTensorsThatDoNotFitAreNotWritten(t *testing.T) {
	push := func(change func(s *TensorStep)) []TensorNode {
		s := TensorStep{State: 1, J: 0, Pieces: []int{0, 3}, Lambda: []float64{0.5, 0.25}, Shift: []float64{0, 0.5}}
		change(&s)
		return []TensorNode{{Steps: []TensorStep{s}, State: -1}}
	}
	if b, err := (&Tensor{Nodes: push(func(*TensorStep) {})}).code(); err != nil || len(b) == 0 {
		t.Fatal(err)
	}
	for name, nodes := range map[string][]TensorNode{
		"a split off the grid":         {{State: 0, J: 1, Theta: 1.0 / 3}},
		"a split at no number":         {{State: 0, J: 1, Theta: math.NaN()}},
		"a split of a point below 0":   {{State: 0, I: -1, Theta: 0.5}},
		"an undecided box":             {{State: -2}},
		"a state out of range":         push(func(s *TensorStep) { s.State = 300 }),
		"a point that is not there":    push(func(s *TensorStep) { s.J = 2 }),
		"a share of the point itself":  push(func(s *TensorStep) { s.Shift[0] = 0.5 }),
		"a share off the grid":         push(func(s *TensorStep) { s.Shift[1] = 1.0 / 3 }),
		"a share of 1":                 push(func(s *TensorStep) { s.Shift[1] = 1 }),
		"a share that is no number":    push(func(s *TensorStep) { s.Shift[1] = math.NaN() }),
		"a multiplier below 0":         push(func(s *TensorStep) { s.Lambda[1] = -0.25 }),
		"a multiplier too fine":        push(func(s *TensorStep) { s.Lambda[1] = 0x1p-60 }),
		"a multiplier that is too big": push(func(s *TensorStep) { s.Lambda[1] = 0x1p40 }),
		"an infinite multiplier":       push(func(s *TensorStep) { s.Lambda[1] = math.Inf(1) }),
		"a multiplier too many":        push(func(s *TensorStep) { s.Lambda = append(s.Lambda, 1) }),
		"a piece twice":                push(func(s *TensorStep) { s.Pieces[1] = 0 }),
		"a piece below 0":              push(func(s *TensorStep) { s.Pieces[0] = -1 }),
		"a piece out of range":         push(func(s *TensorStep) { s.Pieces[1] = 255 }),
	} {
		if _, err := (&Tensor{Nodes: nodes}).code(); err == nil {
			t.Errorf("%s: written", name)
		}
	}
}
