package certify

import (
	"math"
	"reflect"
	"strings"
	"testing"
)

func TestDocumentsRoundTrip(t *testing.T) {
	for _, q := range proofs(t) {
		text, err := q.cert.Encode()
		if err != nil {
			t.Fatal(err)
		}
		c, err := Decode(text)
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
	c := Certificate{Target: 1, Nodes: []Node{{Pair: -1, Steps: []Step{{Kind: Bound, M2: -1, Value: 0.5, Rows: []Row{3, 4}, Y: []float64{0.1, 1}}}}}}
	if d := clone(t, &c); !reflect.DeepEqual(*d, c) {
		t.Errorf("got %+v, want %+v", *d, c)
	}
}

func TestWhatCannotBeWrittenIsRefused(t *testing.T) {
	for name, c := range map[string]Certificate{
		"target":      {Target: math.NaN()},
		"target -Inf": {Target: math.Inf(-1)},
		"rows":        {Nodes: []Node{{Steps: []Step{{Kind: Bound, Rows: []Row{1}}}}}},
		"kind":        {Nodes: []Node{{Steps: []Step{{Kind: 17}}}}},
		"step target": {Nodes: []Node{{Steps: []Step{{Kind: Bound, Target: 17}}}}},
		"rho":         {Nodes: []Node{{Steps: []Step{{Kind: Bound, Rho: math.Inf(1)}}}}},
	} {
		if _, err := c.Encode(); err == nil {
			t.Errorf("%s: written", name)
		}
	}
}

func TestWrongDocumentsAreExplained(t *testing.T) {
	step := func(s string) string {
		return `{"format":"rcmdp-certificate/2","problem":"x","target":1,"relax":0,"nodes":[{"steps":[{` + s + `}]}]}`
	}
	for _, tc := range []struct{ text, want string }{
		{``, "EOF"},
		{`{`, "unexpected EOF"},
		{`[]`, "got an array"},
		{`{"single":{},"format":"rcmdp-certificate/1"}`, `/format: got "rcmdp-certificate/1"; want "rcmdp-certificate/2"`},
		{`{"format":"rcmdp-certificate/2","target":5,"target":null}`, "/target: the field occurs twice"},
		{step(`"kind":"bound","kernels":[0,-1],"target":"empty","rho":1,"rho":2`), "/nodes/0/steps/0/rho: the field occurs twice"},
		{`{"format":"rcmdp-certificate/2","extra":1}`, `unknown field "extra"`},
		{`{"format":"rcmdp-certificate/2"} {}`, "text after the end"},
		{`{"format":"rcmdp-certificate/2","target":"high"}`, "/target: got a string"},
		{`{"format":"rcmdp-certificate/2","nodes":[{"split":{"pair":-2}}]}`, "/nodes/0/split/pair: got -2"},
		{`{"format":"rcmdp-certificate/2","values":{"column":"AAAA"}}`, "/values/column: got 3 bytes; want 8 for each number"},
		{`{"format":"rcmdp-certificate/2","guesses":["AAAAAAAA8D8=","?"]}`, "/guesses/1: illegal base64"},
		{step(`"kind":"jump"`), `/nodes/0/steps/0/kind: got "jump"; want one of ["open"`},
		{step(`"kind":"refresh"`), "/nodes/0/steps/0/kernels: got 0 numbers; want 2"},
		{step(`"kind":"bound","kernels":[0,-1],"target":"moon"`), `/nodes/0/steps/0/target: got "moon"`},
		{step(`"kind":"bound","kernels":[0,-1],"target":"empty","rows":"AAAAAA=="`), "/nodes/0/steps/0/rows: got 4 bytes"},
		{step(`"kind":"bound","kernels":[0,-1],"target":"empty","rows":"AAA=","multipliers":"AAA="`), "/nodes/0/steps/0/rows: got 2 bytes"},
		{step(`"kind":"bound","kernels":[0,-1],"target":"empty","rows":"AAAAAA==","multipliers":"AACAfw=="`), "/nodes/0/steps/0/multipliers: number 0 is +Inf"},
	} {
		_, err := Decode([]byte(tc.text))
		if err == nil || !strings.HasPrefix(err.Error(), "certificate: ") || !strings.Contains(err.Error(), tc.want) {
			t.Errorf("%s\ngot  %v\nwant %s", tc.text, err, tc.want)
		}
	}
}

// FuzzDecode: any text is read or refused, what is read is written and read
// back the same, and is checked without a panic. A problem of the right hash is
// at hand, so that the proof is replayed.
func FuzzDecode(f *testing.F) {
	var known []proof
	for _, q := range proofs(f) {
		if text, err := q.cert.Encode(); err == nil && len(text) < 20_000 {
			f.Add(text)
			known = append(known, q)
		}
	}
	p, _, tensor := tampered(f)
	if text, err := tensor.Encode(); err == nil {
		f.Add(text)
		known = append(known, proof{"tensor", p, nil, *tensor})
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		c, err := Decode(text)
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
			if r := Check(q.p, c, nil); r.OK && q.policy != nil && !(r.LowerBound <= q.worth(t)) && !c.empty() {
				t.Fatalf("%s: claims %v; a feasible policy has %v", q.name, r.LowerBound, q.worth(t))
			}
		}
	})
}
