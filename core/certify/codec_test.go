package certify

import (
	"reflect"
	"testing"

	"rcmdplab/core/proof"
)

func TestDocumentsRoundTrip(t *testing.T) {
	for _, q := range proofs(t) {
		text, err := q.cert.Encode()
		if err != nil {
			t.Fatal(err)
		}
		c, err := proof.Decode(text)
		if err != nil {
			t.Fatalf("%s: %v", q.name, err)
		}
		if !reflect.DeepEqual(c, q.cert) {
			t.Errorf("%s: what is read back differs", q.name)
		}
		again, err := c.Encode()
		if err != nil || string(again) != string(text) {
			t.Errorf("%s: the document is not written the same twice (%v)", q.name, err)
		}
	}
	// Multipliers that single precision does not hold.
	c := proof.Claim{Target: 1, Nodes: []proof.Node{{Pair: -1, Steps: []proof.Step{{Kind: proof.Bound, M2: -1, Value: 0.5, Rows: []proof.Row{3, 4}, Y: []float64{0.1, 1}}}}}}
	if d := clone(t, &c); !reflect.DeepEqual(*d, c) {
		t.Errorf("got %+v, want %+v", *d, c)
	}
}

// FuzzDecode: any text is read or refused, what is read is written and read
// back the same, and is checked without a panic. A problem of the right hash is
// at hand, so that the proof is replayed.
func FuzzDecode(f *testing.F) {
	var known []made
	for _, q := range proofs(f) {
		if text, err := q.cert.Encode(); err == nil && len(text) < 20_000 {
			f.Add(text)
			known = append(known, q)
		}
	}
	p, _, tensor := tampered(f)
	if text, err := tensor.Encode(); err == nil {
		f.Add(text)
		known = append(known, made{"tensor", p, nil, *tensor})
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		c, err := proof.Decode(text)
		if err != nil {
			return
		}
		if d := clone(t, &c); !reflect.DeepEqual(*d, c) {
			// Empty lists may come back as nil; nothing else may change.
			if a, _ := d.Encode(); true {
				if b, _ := c.Encode(); string(a) != string(b) {
					t.Fatalf("%s\nreads back as\n%s", b, a)
				}
			}
		}
		for _, q := range known {
			if r := Check(q.p, c, nil); r.OK && q.policy != nil && !(r.LowerBound <= q.worth(t)) && !c.Empty() {
				t.Fatalf("%s: claims %v; a feasible policy has %v", q.name, r.LowerBound, q.worth(t))
			}
		}
	})
}
