package certify

import (
	"reflect"
	"testing"

	"rcmdplab/core/proof"
)

// clone copies a certificate deeply, by its document, which checks the codec
// on the way.
func clone(t testing.TB, c *proof.Claim) *proof.Claim { return copier(t, c)() }

// copier gives as many such copies as wanted.
func copier(t testing.TB, c *proof.Claim) func() *proof.Claim {
	t.Helper()
	text, err := c.Encode()
	if err != nil {
		t.Fatal(err)
	}
	return func() *proof.Claim {
		d, err := proof.Decode(text)
		if err != nil {
			t.Fatal(err)
		}
		return &d
	}
}

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

// FuzzCheck: any text is read or refused, what is read is written and read back the
// same, and is checked without a panic, as a proof about each problem at hand: what is
// accepted is below what a policy has that meets the limits.
func FuzzCheck(f *testing.F) {
	var known []Honest
	for _, q := range Honests(f) {
		if text, err := q.Cert.Encode(); err == nil && len(text) < 20_000 {
			f.Add(text)
			known = append(known, q)
		}
	}
	f.Add([]byte(`{"format":"` + proof.Format + `","target":1,"values":{"kernel":0,"prices":[0,1],"values":[1,2,3,4]}}`))
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
			c.Problem = q.P.Hash()
			steps := 0
			r := NewChecker(q.P).Check(&c, nil, func() bool { steps++; return steps < 2000 })
			if !r.OK || q.Policy == nil {
				continue
			}
			if e, err := Evaluate(q.P, q.Policy); err != nil || !(r.LowerBound <= e.Returns[0].Hi) {
				t.Fatalf("%s: claims %v; a policy that meets the limits has %v (%v)", q.Name, r.LowerBound, e.Returns, err)
			}
		}
	})
}
