package wire

import (
	"bytes"
	"encoding/json"
	"os"
	"strings"
	"testing"
)

type report struct {
	OK, Infeasible                                                       bool
	Objective, LowerBound, UpperBound, Gap, LeastViolation, Value, Bound *float64
	Allow                                                                []float64
	Reasons                                                              []string
}

// proved solves a problem by the default method and gives the raw result.
func proved(t *testing.T, doc []byte) (result, json.RawMessage, json.RawMessage) {
	t.Helper()
	var s Session
	if _, err := answer(t, s.Call("begin", []byte(`{"algorithm":"solve"}`), doc), nil); err != nil {
		t.Fatal(err)
	}
	reply := drive(t, &s, nil)
	var v struct{ Result result }
	var raw struct {
		Result struct{ Certificate, Policy json.RawMessage }
	}
	if _, err := answer(t, reply, &v); err != nil {
		t.Fatal(err)
	}
	if _, err := answer(t, reply, &raw); err != nil {
		t.Fatal(err)
	}
	return v.Result, raw.Result.Certificate, raw.Result.Policy
}

func judged(t *testing.T, parts ...[]byte) report {
	t.Helper()
	var s Session
	var r report
	if _, err := answer(t, s.Call("check", parts...), &r); err != nil {
		t.Fatal(err)
	}
	return r
}

func TestCertificateTravels(t *testing.T) {
	doc := document(t, "machine_repair")
	got, cert, policy := proved(t, doc)
	if got.Objective.LowerBound == nil || len(cert) == 0 {
		t.Fatalf("%s, bound %v, certificate of %d bytes", got.Status, got.Objective.LowerBound, len(cert))
	}
	r := judged(t, doc, cert, policy)
	if !r.OK || r.LowerBound == nil || *r.LowerBound != *got.Objective.LowerBound || r.Objective == nil || r.UpperBound != nil ||
		*r.Bound != *r.LowerBound || *r.Value != *r.Objective {
		t.Errorf("report %+v, want a bound of %v", r, *got.Objective.LowerBound)
	}
	// The policy alone, the certificate alone.
	if r := judged(t, doc, []byte("null"), policy); !r.OK || r.LowerBound != nil || r.Objective == nil {
		t.Errorf("policy alone: %+v", r)
	}
	if r := judged(t, doc, cert); !r.OK || r.LowerBound == nil || r.Objective != nil {
		t.Errorf("certificate alone: %+v", r)
	}
	// A higher claim does not hold.
	higher := bytes.Replace(cert, []byte(`"target":`), []byte(`"target":1`), 1)
	if r := judged(t, doc, higher); r.OK || r.LowerBound != nil || len(r.Reasons) == 0 {
		t.Errorf("a raised claim was accepted: %+v", r)
	}
	// Nor one about another problem.
	other := edited(t, "machine_repair", `"discount":0.9`, `"discount":0.89`)
	if r := judged(t, other, cert); r.OK || !strings.Contains(strings.Join(r.Reasons, " "), "another problem") {
		t.Errorf("another problem: %+v", r)
	}
}

// What a certificate allows is part of what is said of it, and has a cap; what an
// earlier version wrote proves nothing, and the policy is judged all the same.
func TestCheckSaysWhatIsAllowed(t *testing.T) {
	doc, err := os.ReadFile("../../core/certify/testdata/claims/allow.json")
	if err != nil {
		t.Fatal(err)
	}
	allow, err := os.ReadFile("../../core/certify/testdata/claims/allow.cert.json")
	if err != nil {
		t.Fatal(err)
	}
	policy := func(row string) []byte {
		return []byte(`{"format":"rcmdp-policy/1","states":["a"],"actions":["cheap","safe"],"probabilities":[` + row + `]}`)
	}
	if r := judged(t, doc, allow, policy("[1,0]")); r.OK || r.Allow != nil || r.Gap != nil || r.Bound != nil {
		t.Errorf("a limit may be missed by any amount: %+v", r)
	}
	little := bytes.Replace(allow, []byte("1000000000"), []byte("5e-7"), 1)
	if r := judged(t, doc, little, policy("[0,1]")); !r.OK || len(r.Allow) != 1 || r.Allow[0] != 5e-7 || *r.Gap < 2 || *r.Value != 2 || *r.Bound != 0 {
		t.Errorf("%+v", r)
	}
	if r := judged(t, doc, little, policy("[1,0]")); r.OK || r.Objective != nil || *r.Value != 5e-324 && *r.Value != 0 {
		t.Errorf("a policy that misses its limit by 2: %+v", r)
	}
	old := bytes.Replace(little, []byte("certificate/2"), []byte("certificate/1"), 1)
	if r := judged(t, doc, old, policy("[0,1]")); r.OK || *r.Objective != 2 || r.Bound != nil || !strings.Contains(r.Reasons[len(r.Reasons)-1], "earlier version") {
		t.Errorf("of an earlier version: %+v", r)
	}
}

func TestCheckInfeasible(t *testing.T) {
	doc := document(t, "fig1_conflict")
	got, cert, policy := proved(t, doc)
	if got.Status != "proved-infeasible" {
		t.Fatalf("status %s", got.Status)
	}
	if r := judged(t, doc, cert); !r.OK || !r.Infeasible || r.LowerBound != nil {
		t.Errorf("report %+v", r)
	}
	// The policy that misses least is part of the same result: the two agree.
	if r := judged(t, doc, cert, policy); !r.OK || !r.Infeasible || r.Objective != nil || !strings.Contains(r.Reasons[len(r.Reasons)-1], "agrees") {
		t.Errorf("with the policy that misses least: %+v", r)
	}
	if r := judged(t, doc, []byte("null"), policy); r.OK || r.Infeasible {
		t.Errorf("the policy alone: %+v", r)
	}
}

func TestCheckRefuses(t *testing.T) {
	for _, cert := range []string{"", "{", "[]", "7", `{"format":"x"}`, `{"format":"rcmdp-certificate/2","nodes":[{"split":{"pair":-1}}]}`} {
		var s Session
		if _, err := answer(t, s.Call("check", document(t, "machine_repair"), []byte(cert)), nil); err == nil || err.Code != InvalidOption {
			t.Errorf("certificate %q: %v", cert, err)
		}
	}
}
