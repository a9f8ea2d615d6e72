package certify

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"reflect"
	"slices"
	"testing"

	"rcmdplab/core/proof"
)

// Whichever byte of a tree is changed, in whichever bit, or if it is cut off: it
// is refused, or another proof of what is true, which is written as it is read.
func TestNoChangedByteProvesWhatIsFalse(t *testing.T) {
	p, best, c := tampered(t)
	whole, err := c.Encode()
	if err != nil {
		t.Fatal(err)
	}
	const field = `"coded":"`
	from := bytes.Index(whole, []byte(field)) + len(field)
	to := from + bytes.IndexByte(whole[from:], '"')
	tree, err := base64.StdEncoding.DecodeString(string(whole[from:to]))
	if err != nil {
		t.Fatal(err)
	}
	refused, other := 0, 0
	try := func(b []byte) {
		text := slices.Concat(whole[:from], []byte(base64.StdEncoding.EncodeToString(b)), whole[to:])
		text = bytes.Replace(text, fmt.Appendf(nil, `"target":%v`, c.Target), fmt.Appendf(nil, `"target":%v`, best), 1)
		d, err := proof.Decode(text)
		if err != nil {
			refused++
			return
		}
		if again, err := d.Encode(); err != nil {
			t.Fatalf("what is read cannot be written: %v", err)
		} else if e, err := proof.Decode(again); err != nil || !reflect.DeepEqual(d, e) {
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
