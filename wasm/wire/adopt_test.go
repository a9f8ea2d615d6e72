package wire

import (
	"encoding/json"
	"fmt"
	"testing"
)

// What one run found is claimed by another of a problem with a looser limit,
// and its proof by one with a tighter limit.
func TestARunAdoptsWhatOthersFound(t *testing.T) {
	solved := func(problem []byte, parts ...[]byte) (r struct {
		Status      string
		Policy      [][]float64
		Certificate json.RawMessage
		Objective   struct{ Value, LowerBound float64 }
	}) {
		var s Session
		if _, err := answer(t, s.Call("begin", append([][]byte{[]byte(`{"starts":2}`), problem}, parts...)...), nil); err != nil {
			t.Fatal(err)
		}
		var reply struct{ Result json.RawMessage }
		if _, err := answer(t, drive(t, &s, nil), &reply); err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(reply.Result, &r); err != nil {
			t.Fatal(err)
		}
		return r
	}
	doc := map[string]any{}
	if err := json.Unmarshal(document(t, "machine_repair"), &doc); err != nil {
		t.Fatal(err)
	}
	limit := doc["constraints"].([]any)[0].(map[string]any)
	at := func(by float64) []byte {
		was := limit["atMost"].(float64)
		limit["atMost"] = was + by
		b, _ := json.Marshal(doc)
		limit["atMost"] = was
		return b
	}
	tight, loose := solved(at(-0.05)), solved(at(0.05))
	policy, _ := json.Marshal(tight.Policy)
	got := solved(at(0), []byte("found"), fmt.Appendf(nil, `{"policies":[null,%s],"proofs":[%s]}`, policy, loose.Certificate))
	if got.Objective.Value != tight.Objective.Value || got.Objective.LowerBound < loose.Objective.LowerBound-1e-9 || got.Status != "bounded" {
		t.Errorf("%s %+v, from %+v and %+v", got.Status, got.Objective, tight.Objective, loose.Objective)
	}
	again := solved(at(0), []byte("found"), fmt.Appendf(nil, `{"starts":[null,%s],"proofs":[%s]}`, policy, loose.Certificate))
	if again.Status != "bounded" && again.Status != "proved-optimal" || again.Objective.Value > got.Objective.Value+1e-9 || again.Objective.Value < got.Objective.LowerBound {
		t.Errorf("from a start: %s %+v, adopted %+v", again.Status, again.Objective, got.Objective)
	}
	var s Session
	for _, bad := range []string{`{"policies":[[[1]]]}`, `{"starts":[[[1]]]}`, `{"proofs":[{}]}`, `[]`} {
		if _, err := answer(t, s.Call("begin", []byte(`{}`), at(0), []byte("found"), []byte(bad)), nil); err == nil || err.Code != InvalidOption {
			t.Errorf("%s: %v", bad, err)
		}
	}
}
