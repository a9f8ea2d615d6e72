package wire

import (
	"encoding/json"
	"math"
	"testing"

	"rcmdplab/core/evaluate"
)

// While a run goes on the page is told the best policy whenever there is a
// better one, and what is told of it is true of it.
func TestNewsCarryTheBestPolicy(t *testing.T) {
	s := &Session{}
	if _, e := answer(t, s.Call("begin", []byte(`{"algorithm":"slp","starts":8}`), document(t, "a_seed0")), nil); e != nil {
		t.Fatal(e)
	}
	m := standard(t, "a_seed0")
	ev, err := evaluate.New(m)
	if err != nil {
		t.Fatal(err)
	}
	told, best := 0, math.NaN()
	drive(t, s, func(text []byte) {
		var news struct {
			Value struct {
				Progress []struct{ Best *struct{ Objective float64 } }
				Policy   [][]float64
			}
		}
		if err := json.Unmarshal(text, &news); err != nil {
			t.Fatal(err)
		}
		records := news.Value.Progress
		if len(records) == 0 || records[len(records)-1].Best == nil {
			return
		}
		now := records[len(records)-1].Best.Objective
		if news.Value.Policy == nil {
			if told > 0 && now != best {
				t.Errorf("the best went from %v to %v without its policy", best, now)
			}
			return
		}
		told++
		best = now
		pi := make([]float64, 0, m.Pairs())
		for i := range m.Pairs() {
			pi = append(pi, news.Value.Policy[m.State[i]][m.Act[i]])
		}
		ev.Evaluate(pi)
		if got := m.Present(0, ev.J[0]); !(math.Abs(got-now) <= 1e-9*math.Abs(now)) {
			t.Errorf("policy %d costs %v, told %v", told, got, now)
		}
	})
	if told == 0 {
		t.Error("no policy was told")
	}
}

// The summary of a problem names the methods that cannot run on it, with the
// words in which they would refuse.
func TestSummaryNamesUnfitMethods(t *testing.T) {
	for name, want := range map[string][]string{
		"a_seed0": {"lagrangian-occupancy-average", "policy-mixing", "occupancy-lp", "policy-iteration", "robust-policy-iteration"},
		"c_seed0": {"policy-iteration", "robust-policy-iteration"},
		"rect_l1": {"lagrangian-occupancy-average", "policy-mixing", "occupancy-lp", "policy-iteration", "robust-policy-iteration"},
	} {
		var v struct {
			Summary struct {
				Unfit []struct{ Algorithm, Reason string }
			}
		}
		if _, e := answer(t, (&Session{}).Call("validate", document(t, name)), &v); e != nil {
			t.Fatal(e)
		}
		got := []string{}
		for _, u := range v.Summary.Unfit {
			got = append(got, u.Algorithm)
			if u.Reason == "" {
				t.Errorf("%s: %s without a reason", name, u.Algorithm)
			}
		}
		if len(got) != len(want) {
			t.Errorf("%s: unfit %v, want %v", name, got, want)
			continue
		}
		for i := range want {
			if got[i] != want[i] {
				t.Errorf("%s: unfit %v, want %v", name, got, want)
			}
		}
	}
}
