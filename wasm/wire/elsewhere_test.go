package wire

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"strings"
	"testing"

	"rcmdplab/core/interchange"
	"rcmdplab/core/model"
)

// solveDocument runs a method on a document to its end.
func solveDocument(t *testing.T, doc []byte, options string) (r struct {
	Status      string
	Policy      [][]float64
	Reached     []bool
	Certificate json.RawMessage
	Objective   struct{ Value, Best float64 }
}) {
	t.Helper()
	var s Session
	if _, err := answer(t, s.Call("begin", []byte(options), doc), nil); err != nil {
		t.Fatal(err)
	}
	v := struct{ Result any }{&r}
	if _, err := answer(t, drive(t, &s, func([]byte) {}), &v); err != nil {
		t.Fatal(err)
	}
	return r
}

// bestValues are the values of all states under one kernel by value iteration, of
// a policy or, without one, of the best.
func bestValues(m *model.Standard, policy [][]float64) []float64 {
	v := make([]float64, m.S)
	for range int(math.Log(1e-13)/math.Log(m.Gamma)) + 2 {
		w := make([]float64, m.S)
		for s := range w {
			w[s] = math.Inf(1)
			mean := 0.0
			for i := m.Off[s]; i < m.Off[s+1]; i++ {
				q := m.C[0][i]
				next, prob := m.Kernels[0].Row(i)
				for j, n := range next {
					q += m.Gamma * prob[j] * v[n]
				}
				w[s] = min(w[s], q)
				if policy != nil {
					mean += policy[s][m.Act[i]] * q
				}
			}
			if policy != nil {
				w[s] = mean
			}
		}
		v = w
	}
	return v
}

// TestAPlanHasTheBestActionEverywhere: without limits and with one kernel, what the
// plan does is as good from every state as can be, also from those that it never
// comes to; the value and the certificate are of the same plan.
func TestAPlanHasTheBestActionEverywhere(t *testing.T) {
	for name, value := range map[string]float64{"c1-off-path.json": 151.8900843, "c2-coin-toss-9x9.json": math.NaN()} {
		data, err := os.ReadFile("../../core/testdata/cases/doors/" + name)
		if err != nil {
			t.Fatal(err)
		}
		p := interchange.Read([]interchange.File{{Name: name, Data: data}}, nil).Problem
		doc := p.Encode()
		m := p.Standard()
		want := bestValues(m, nil)
		for _, method := range []string{"solve", "policy-iteration", "occupancy-lp"} {
			r := solveDocument(t, doc, `{"algorithm":"`+method+`"}`)
			if !math.IsNaN(value) && !(math.Abs(r.Objective.Value-value) <= 1e-6) || r.Status != "proved-optimal" {
				t.Errorf("%s by %s: %v, %s; want %v", name, method, r.Objective.Value, r.Status, value)
			}
			if len(r.Reached) != m.S {
				t.Fatalf("%s by %s: reached is said of %d states", name, method, len(r.Reached))
			}
			elsewhere := 0
			for s, row := range r.Policy {
				for _, p := range row {
					if p != 0 && p != 1 {
						t.Errorf("%s by %s: state %d has %v", name, method, s, row)
					}
				}
				if !r.Reached[s] {
					elsewhere++
				}
			}
			if name[0] == 'c' && elsewhere == 0 {
				t.Errorf("%s by %s: every state is reached", name, method)
			}
			got := bestValues(m, r.Policy)
			for s := range got {
				if !(math.Abs(got[s]-want[s]) <= 1e-7*(1+math.Abs(want[s]))) {
					t.Errorf("%s by %s: from state %d the plan gives %v, the best is %v", name, method, s, got[s], want[s])
				}
			}
			policy, _ := json.Marshal(r.Policy)
			var s Session
			var report struct{ OK bool }
			if _, err := answer(t, s.Call("check", doc, r.Certificate, policy), &report); err != nil || !report.OK {
				t.Errorf("%s by %s: the certificate is not accepted with this plan: %v", name, method, err)
			}
		}
	}
}

// TestReachedIsWhatNatureAllows: a state that only a kernel that nature may take
// leads to is reached; with limits, what is done elsewhere has the limits' prices.
func TestReachedIsWhatNatureAllows(t *testing.T) {
	const doc = `{"format":"rcmdp/1","states":["a","b","c","d"],"actions":["x","y"],"discount":0.9,"initial":[1,0,0,0],
		"objective":{"name":"cost","values":[[0,1],[1,0],[2,5],[3,0]]},"constraints":[{"name":"risk","values":[[0.5,0],[0,1],[0,0],[0,100]],"atMost":4.9}],
		"uncertainty":{"kind":"KIND","nominal":{"entries":[["a","x","a",1],["a","y","a",1],["a","x","b",0],["b","x","a",1],["b","y","a",1],["c","x","a",1],["c","y","a",1],["d","x","a",1],["d","y","a",1]]},"radius":0.2}}`
	for kind, want := range map[string][]bool{"l1": {true, true, false, false}, "kl": {true, false, false, false}} {
		r := solveDocument(t, []byte(strings.Replace(doc, "KIND", kind, 1)), `{}`)
		for s, there := range want {
			if r.Reached[s] != there {
				t.Errorf("%s: state %d reached: %v", kind, s, r.Reached[s])
			}
		}
		if r.Policy[2][0] != 1 {
			t.Errorf("%s: in c, %v", kind, r.Policy[2])
		}
		if r.Policy[3][0] != 1 { // the limit binds, and the cheap action costs a hundred of it
			t.Errorf("%s: in d, %v", kind, r.Policy[3])
		}
	}
}

// TestChainsAreWrittenOrRefused: a policy's chain by a call, and what there is no chain of, with its sentence.
func TestChainsAreWrittenOrRefused(t *testing.T) {
	const document = `{"format":"rcmdp/1","states":["a"],"actions":["x"],"discount":0.5,"initial":[1],"objective":{"name":"cost","values":[[3]]},"constraints":[],
		"uncertainty":{"kind":"finite","kernels":[{"transitions":[[[1]]]}]}}`
	for options, want := range map[string]string{
		`{"policy":[[1]]}`:                  "@type: DTMC",
		`{"policy":[[1]],"kernel":0}`:       "@type: DTMC",
		`{"policy":[[1]],"kernel":1}`:       "no kernel 1",
		`{"policy":[[1]],"kernel":0.5}`:     "number of a kernel",
		`{"policy":[[0.5]]}`:                "sum",
		`{"policy":{"format":"elsewhere"}}`: "rcmdp-policy/1",
	} {
		reply := string((&Session{}).Call("export", []byte(document), []byte(`"drn"`), []byte(options)))
		if !strings.Contains(reply, want) {
			t.Errorf("%s: %s; want %q", options, reply, want)
		}
	}
}

// Episodes at discount 1 by the wire: the value, the steps that it takes, a certificate that is accepted; a
// model that cannot end and one that collects for ever are refused with the state.
func TestEpisodes(t *testing.T) {
	read := func(name string) []byte {
		text, err := os.ReadFile("../../core/testdata/cases/models/" + name + ".json")
		if err != nil {
			t.Fatal(err)
		}
		var held struct{ Document json.RawMessage }
		if err := json.Unmarshal(text, &held); err != nil {
			t.Fatal(err)
		}
		return held.Document
	}
	for name, want := range map[string]float64{"total-die": 11. / 3, "total-russell-norvig": 0.7053082191780822, "free-corridor": 0.1, "trap-reward": 5} {
		doc := read(name)
		r := solveDocument(t, doc, `{}`)
		var s Session
		policy, _ := json.Marshal(r.Policy)
		v := struct {
			Ok        bool
			Objective float64
		}{}
		if _, err := answer(t, s.Call("check", doc, r.Certificate, policy), &v); err != nil || !v.Ok || r.Status != "proved-optimal" || !(math.Abs(r.Objective.Value-want) <= 1e-9) {
			t.Errorf("%s: %s %v, want %v; accepted %v, %v", name, r.Status, r.Objective.Value, want, v.Ok, err)
		}
		e := struct {
			Steps   float64
			Returns []struct{ Value, Best float64 }
		}{}
		if _, err := answer(t, s.Call("evaluate", doc, policy), &e); err != nil || !(e.Steps >= 1) || !(math.Abs(e.Returns[0].Value-want) <= 1e-8) {
			t.Errorf("%s: %v steps, %v: %v", name, e.Steps, e.Returns, err)
		}
		if best, told := e.Returns[0].Best, r.Objective.Best; !(math.Abs(best-want) <= 1e-13*want) || !(math.Abs(told-want) <= 1e-13*want) { // of one kernel: searches charge for time, answers do not
			t.Errorf("%s: %v and %v at best, want %v", name, best, told, want)
		}
	}
	const long = 700 // steps of 1, each of which succeeds half the time
	p := &model.Problem{Layout: model.NewLayout(long+1, 1, nil), Discount: 1, Actions: []string{"a"}, End: make([]bool, long+1), Initial: make([]float64, long+1), Objective: model.Cost{Name: "c"}}
	k := &model.Kernel{Ptr: []int{0}, Sparse: true}
	p.Initial[0], p.End[long] = 1, true
	for s := range long + 1 {
		p.States, p.Objective.Values = append(p.States, fmt.Sprint("s", s)), append(p.Objective.Values, 1)
		if k.Next, k.Prob = append(k.Next, s), append(k.Prob, 1); s < long {
			k.Next, k.Prob = append(k.Next, s+1), append(k.Prob[:len(k.Prob)-1], .5, .5)
		}
		k.Ptr = append(k.Ptr, len(k.Next))
	}
	p.Objective.Values[long] = 0
	p.Uncertainty = model.Uncertainty{Kind: model.L1, Nominal: k, Radius: []float64{0}}
	e := struct {
		Returns []struct{ Value, Best float64 }
	}{}
	policy := []byte("[" + strings.Repeat("[1],", long) + "[1]]")
	if _, err := answer(t, (&Session{}).Call("evaluate", p.Encode(), policy), &e); err != nil || !(math.Abs(e.Returns[0].Value-2*long) <= 1e-8) || !(math.Abs(e.Returns[0].Best-2*long) <= 1e-8) {
		t.Errorf("a long way: %v, %v", e.Returns, err)
	}
	var s Session
	trapped := strings.Replace(string(read("free-corridor")), `"end": ["trap", "goal"]`, `"end": ["goal"]`, 1)
	if _, err := answer(t, s.Call("begin", []byte(`{}`), []byte(trapped)), nil); err == nil || err.Code != InvalidProblem || !strings.Contains(err.Message, `may come to state "trap"`) {
		t.Errorf("a trap: %v", err)
	}
	v := struct {
		Ok     bool
		Errors []struct{ Pointer string }
	}{}
	if _, err := answer(t, s.Call("validate", []byte(trapped)), &v); err != nil || v.Ok || len(v.Errors) != 1 || v.Errors[0].Pointer != "/end" {
		t.Errorf("a trap is valid: %+v %v", v, err)
	}
	earns := strings.Replace(string(read("trap-reward")), `[0, 5]`, `[-1, 5]`, 1)
	earns = strings.Replace(earns, `["a", "x", "trap", 0.5], ["a", "x", "goal", 0.5]`, `["a", "x", "a", 1]`, 1)
	if _, err := answer(t, s.Call("begin", []byte(`{}`), []byte(earns)), nil); err == nil || !strings.Contains(err.Message, `unbounded: state "a" can collect for ever`) {
		t.Errorf("what collects for ever: %v", err)
	}
}
