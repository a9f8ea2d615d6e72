package model_test

import (
	"math"
	"slices"
	"testing"

	"rcmdplab/core/internal/fixture"
	"rcmdplab/core/model"
)

// Decode never panics, and what it accepts survives encoding. A fault always
// says something, and a fix is applicable.
func FuzzDecode(f *testing.F) {
	for _, d := range documents {
		f.Add([]byte(d))
	}
	for _, tc := range faults {
		switch tc.uncertainty {
		case "no":
		case "":
			f.Add([]byte(edit(f, machine, tc.change...)))
		default:
			f.Add([]byte(edit(f, set(tc.uncertainty), tc.change...)))
		}
	}
	for _, name := range []string{"fig1_epigraph", "inventory", "machine_repair_tv"} {
		f.Add(fixture.Text(f, name))
	}
	f.Fuzz(func(t *testing.T, doc []byte) {
		p, faults, _ := model.Decode(doc)
		if (p == nil) != (len(faults) > 0) {
			t.Fatalf("problem %v with faults %v", p, faults)
		}
		for _, x := range faults {
			if x.Message == "" || (x.Fix != nil && (x.Fix.Label == "" || len(x.Fix.Patch) == 0)) {
				t.Fatalf("empty fault %+v", x)
			}
		}
		if p == nil {
			return
		}
		p.Standard()
		roundTrip(t, p)
	})
}

// DecodePolicy never panics, and what it accepts is a policy that survives
// encoding bit by bit.
func FuzzDecodePolicy(f *testing.F) {
	p := decode(f, machine)
	f.Add([]byte(policy))
	f.Add([]byte(edit(f, policy, "[0, 1]", "[null, 1]")))
	f.Add([]byte(edit(f, policy, "0.75", "0.7500000001")))
	f.Add([]byte(edit(f, policy, "0.75", "0.75001")))
	f.Add([]byte(`{"probabilities": [[1, 0], [0.75, 0.25], [0, 1]], "actions": ["repair", "run"], "states": ["broken", "worn", "good"], "format": "rcmdp-policy/1"}`))
	f.Add([]byte(`{"format": "rcmdp-policy/1", "states": ["a", "a"], "actions": [1], "probabilities": {"a": 1}}`))
	f.Fuzz(func(t *testing.T, doc []byte) {
		pi, faults := model.DecodePolicy(doc, p)
		if (pi == nil) != (len(faults) > 0) {
			t.Fatalf("policy %v with faults %v", pi, faults)
		}
		if pi == nil {
			return
		}
		for s := range p.Layout.S {
			sum := 0.0
			for _, x := range pi[p.Layout.Off[s]:p.Layout.Off[s+1]] {
				if !(x >= 0) {
					t.Fatalf("policy %v", pi)
				}
				sum += x
			}
			if !(math.Abs(sum-1) <= 2e-13) {
				t.Fatalf("state %d sums to %v", s, sum)
			}
		}
		again, faults := model.DecodePolicy(encodePolicy(t, pi, p), p)
		if len(faults) > 0 {
			t.Fatalf("encoded policy has faults: %v", faults)
		}
		for i := range pi {
			if pi[i] != again[i] {
				t.Fatalf("decoded again %v, want %v", again, pi)
			}
		}
	})
}

// A document that ends anywhere before its end is a fault, with a place, and no problem.
func TestADocumentThatIsCutShortIsAFault(t *testing.T) {
	doc := fixture.Problem(t, "fig1_conflict").Encode()
	for n := range doc {
		// Nothing lies behind what is read.
		if p, faults, _ := model.Decode(slices.Clip(slices.Clone(doc[:n]))); p != nil || len(faults) == 0 {
			t.Errorf("%d bytes of %d are taken for a document", n, len(doc))
		}
	}
}
