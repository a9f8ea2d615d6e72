package interchange_test

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"testing"

	"rcmdplab/core/interchange"
	"rcmdplab/core/model"
)

// total is the expected total of a reward until done, from the text of a chain alone: what Storm and PRISM compute for
// R{"name"}=? [ F "done" ].
func total(t *testing.T, text, id, name string) float64 {
	t.Helper()
	var n, init, done, reward int
	var p [][]float64
	var r []float64
	number := func(s string) float64 {
		x, err := strconv.ParseFloat(strings.Trim(s, "[],"), 64)
		if err != nil {
			t.Fatal(err)
		}
		return x
	}
	size := func() {
		for range n {
			p, r = append(p, make([]float64, n)), append(r, 0)
		}
	}
	lines := strings.Split(text, "\n")
	state, section := 0, ""
	for at, line := range lines {
		w := strings.Fields(line)
		switch {
		case len(w) == 0:
		case id == "drn" && w[0] == "@nr_states":
			n = int(number(lines[at+1]))
			size()
		case id == "drn" && at > 0 && lines[at-1] == "@reward_models":
			for k, word := range w {
				if word == name {
					reward = k
				}
			}
		case id == "drn" && w[0] == "state":
			state = int(number(w[1]))
			inside, after, _ := strings.Cut(line[strings.Index(line, "[")+1:], "]")
			r[state] = number(strings.TrimSpace(strings.Split(inside, ",")[reward]))
			if strings.Contains(after, "init") {
				init = state
			}
			if strings.Contains(after, "done") {
				done = state
			}
		case id == "drn" && len(w) == 3 && w[1] == ":" && len(p) > 0:
			p[state][int(number(w[0]))] = number(w[2])
		case id == "prism" && w[0] == "#":
			if strings.Contains(line, "Reward structure") {
				section = line
			} else if !strings.Contains(line, "State rewards") {
				section = line
			}
		case id == "prism" && strings.Contains(section, "Transitions") && len(w) == 2 && len(p) == 0:
			n = int(number(w[0]))
			size()
		case id == "prism" && strings.Contains(section, "Transitions"):
			p[int(number(w[0]))][int(number(w[1]))] = number(w[2])
		case id == "prism" && strings.Contains(section, "Labels") && len(w) == 2 && strings.HasSuffix(w[0], ":"):
			if s, _ := strconv.Atoi(strings.TrimSuffix(w[0], ":")); w[1] == "0" {
				init = s
			} else if w[1] == "2" {
				done = s
			}
		case id == "prism" && strings.Contains(section, `"`+name+`"`) && len(w) == 2 && !strings.HasPrefix(lines[at-1], "# State"):
			r[int(number(w[0]))] = number(w[1])
		}
	}
	for s, row := range p {
		sum := 0.
		for _, x := range row {
			sum += x
		}
		if !(math.Abs(sum-1) <= 1e-12) {
			t.Fatalf("%s: row %d sums to %v\n%s", id, s, sum, text)
		}
	}
	v := make([]float64, n) // by repeated substitution: every way leads to done
	for range 200_000 {
		most := 0.
		for s := range v {
			if s == done {
				continue
			}
			x := r[s]
			for to, q := range p[s] {
				x += q * v[to]
			}
			most = max(most, math.Abs(x-v[s])/(1+math.Abs(x)))
			v[s] = x
		}
		if most < 1e-15 {
			break
		}
	}
	return v[init]
}

// TestChainsReproduceReturns: known values of a policy, read out of the chain that is written of it.
func TestChainsReproduceReturns(t *testing.T) {
	for _, tc := range []struct {
		name, document, cost string
		policy               func(s, a int) float64
		kernel               int
		want                 float64
	}{
		{ // the best of its four policies takes its second action in state 0 and its first in state 1
			"two states", `{"format":"rcmdp/1","states":["a","b"],"actions":["x","y"],"discount":0.99,"initial":[1,0],"objective":{"name":"gain","sense":"maximize","values":[[5,10],[-1,2]]},"constraints":[],
			"uncertainty":{"kind":"finite","kernels":[{"name":"k","transitions":[[[0.5,0.5],[0,1]],[[0.8,0.2],[0.1,0.9]]]}]}}`, "gain",
			func(s, a int) float64 { return map[bool]float64{true: 1}[a == 1-s] }, 0, 392.2991071428571, // V0 = 10 + .99 V1, V1 = -1 + .99 (.8 V0 + .2 V1)
		},
		{ // c/(1-γ), and what a start that is spread has of it
			"one cost", `{"format":"rcmdp/1","states":["a","b"],"actions":["x"],"discount":0.9,"initial":[0.25,0.75],"objective":{"name":"cost","values":[[3],[3]]},"constraints":[{"name":"wear out","atMost":1,"values":[[[0,4]],[[4,4]]]}],
			"uncertainty":{"kind":"l1","radius":0.1,"nominal":[[[0.5,0.5]],[[0,1]]]}}`, "cost",
			func(int, int) float64 { return 1 }, 0, 30,
		},
		{ // an end is paid once: 2 + .5·.8·7, and the half that goes on with .8
			"an end", `{"format":"rcmdp/1","states":["a","goal"],"actions":["x"],"discount":0.8,"initial":[1,0],"end":["goal"],"objective":{"name":"cost","values":[[2],[7]]},"constraints":[],
			"uncertainty":{"kind":"finite","kernels":[{"name":"k","transitions":[[[0.5,0.5]],[null]]}]}}`, "cost",
			func(int, int) float64 { return 1 }, 0, (2 + .8*.5*7) / (1 - .8*.5),
		},
	} {
		p, faults, _ := model.Decode([]byte(tc.document))
		if p == nil {
			t.Fatalf("%s: %v", tc.name, faults)
		}
		policy := make([]float64, p.Layout.Pairs())
		for i := range policy {
			policy[i] = tc.policy(p.Layout.State[i], p.Layout.Act[i])
		}
		for _, id := range []string{"drn", "prism"} {
			w, err := interchange.WriteChain(p, policy, tc.kernel, id)
			if err != nil {
				t.Fatalf("%s: %v", tc.name, err)
			}
			if got := total(t, string(w.Text), id, tc.cost); !(math.Abs(got-tc.want) <= 1e-6*math.Abs(tc.want)) {
				t.Errorf("%s, %s: %v; want %v\n%s", tc.name, id, got, tc.want, w.Text)
			}
			if r := interchange.Read([]interchange.File{{Name: "chain." + w.Extension, Data: w.Text}}, nil); len(r.Faults) > 0 {
				t.Errorf("%s, %s: our own reader: %v\n%s", tc.name, id, r.Faults, w.Text)
			}
		}
	}
}

func TestChainsThatThereAreNotAreRefused(t *testing.T) {
	p, faults, _ := model.Decode([]byte(`{"format":"rcmdp/1","states":["a"],"actions":["x"],"discount":0.9,"initial":[1],"objective":{"name":"cost","values":[[1]]},"constraints":[],
		"uncertainty":{"kind":"interval","lower":[[[1]]],"upper":[[[1]]]}}`))
	if p == nil {
		t.Fatal(faults)
	}
	q, _, _ := model.Decode([]byte(strings.Replace(string(p.Encode()), `"kind":"interval","lower":[[[1]]],"upper":[[[1]]]`, `"kind":"finite","kernels":[{"transitions":[[[1]]]}]`, 1)))
	if q == nil {
		t.Fatalf("no finite twin of %s", p.Encode())
	}
	for _, tc := range []struct {
		p      *model.Problem
		kernel int
		id     string
		want   string
	}{{p, 0, "drn", "no single kernel"}, {q, 1, "drn", "no kernel 1"}, {q, -1, "prism", "no kernel -1"}, {q, 0, "gym", "drn or prism"}} {
		if _, err := interchange.WriteChain(tc.p, []float64{1}, tc.kernel, tc.id); err == nil || !strings.Contains(fmt.Sprint(err), tc.want) {
			t.Errorf("%v; want %q", err, tc.want)
		}
	}
}
