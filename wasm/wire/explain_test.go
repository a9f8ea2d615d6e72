package wire

import (
	"encoding/json"
	"math"
	"testing"
)

// The terms that are written out of a state's value add up to it, for sets of
// several kinds, and rows of nature sum to one.
func TestExplainedTermsAddUp(t *testing.T) {
	for _, name := range []string{"machine_repair", "a_seed0", "rect_l1", "c_seed0"} {
		m := standard(t, name)
		policy := make([][]float64, m.S)
		uniform := m.Uniform()
		for s := range policy {
			policy[s] = make([]float64, m.A)
		}
		for x, p := range uniform {
			policy[m.State[x]][m.Act[x]] = p
		}
		text, err := json.Marshal(policy)
		if err != nil {
			t.Fatal(err)
		}
		for _, state := range []int{0, m.S - 1} {
			var v struct {
				State int
				Costs []struct {
					Name    string
					Value   float64
					Actions []struct {
						Probability, Value, Now, Onward float64
						Omitted                         int
						Next                            []struct {
							Probability, Value float64
							Reference          *float64
						}
					}
				}
				Limits []struct {
					Name    string
					Binding bool
					Price   *float64
				}
				States [][]struct {
					Action             int
					Probability, Extra float64
				}
			}
			options, _ := json.Marshal(map[string]int{"state": state})
			if _, e := answer(t, (&Session{}).Call("explain", document(t, name), text, options), &v); e != nil {
				t.Fatal(e)
			}
			if v.State != state || len(v.Costs) != m.N+1 || len(v.Limits) != m.N || len(v.States) != m.S {
				t.Fatalf("%s: state %d, %d costs, %d limits, %d states", name, v.State, len(v.Costs), len(v.Limits), len(v.States))
			}
			for _, c := range v.Costs {
				total := 0.0
				for _, a := range c.Actions {
					total += a.Probability * a.Value
					if !(math.Abs(a.Now+a.Onward-a.Value) <= 1e-9*(1+math.Abs(a.Value))) {
						t.Errorf("%s %s: %v now and %v onward make %v", name, c.Name, a.Now, a.Onward, a.Value)
					}
					onward, mass := 0.0, 0.0
					for _, next := range a.Next {
						onward += m.Gamma * next.Probability * next.Value
						mass += next.Probability
					}
					if a.Omitted == 0 && (!(math.Abs(onward-a.Onward) <= 1e-9*(1+math.Abs(onward))) || !(math.Abs(mass-1) <= 1e-9)) {
						t.Errorf("%s %s: successors make %v of %v with mass %v", name, c.Name, onward, a.Onward, mass)
					}
				}
				if !(math.Abs(total-c.Value) <= 1e-7*(1+math.Abs(total))) {
					t.Errorf("%s %s in state %d: terms make %v, value %v", name, c.Name, state, total, c.Value)
				}
			}
		}
	}
}

func TestExplainRefuses(t *testing.T) {
	policy := []byte(`[[1,0],[1,0],[1,0]]`)
	for _, options := range []string{`{"state":-1}`, `{"state":3}`, `{"state":0.5}`, `{"state":"good"}`, `[]`} {
		if _, e := answer(t, (&Session{}).Call("explain", document(t, "machine_repair"), policy, []byte(options)), nil); e == nil || e.Code != InvalidOption {
			t.Errorf("%s: %v", options, e)
		}
	}
	if _, e := answer(t, (&Session{}).Call("explain", document(t, "machine_repair"), []byte(`[[2,0],[1,0],[1,0]]`)), nil); e == nil || e.Code != InvalidOption {
		t.Errorf("a policy that is none: %v", e)
	}
}
