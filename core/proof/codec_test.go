package proof

import (
	"encoding/base64"
	"math"
	"runtime"
	"strings"
	"testing"
)

func TestWhatCannotBeWrittenIsRefused(t *testing.T) {
	for name, c := range map[string]Claim{
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

// What is on no grid, or out of range, is not written.
func TestTensorsThatDoNotFitAreNotWritten(t *testing.T) {
	push := func(change func(s *TensorStep)) []TensorNode {
		s := TensorStep{State: 1, J: 0, Pieces: []int{0, 3}, Lambda: []float64{0.5, 0.25}, Shift: []float64{0, 0.5}}
		change(&s)
		return []TensorNode{{Steps: []TensorStep{s}, State: -1}}
	}
	if b, err := (&Tensor{Nodes: push(func(*TensorStep) {})}).code(); err != nil || len(b) == 0 {
		t.Fatal(err)
	}
	for name, nodes := range map[string][]TensorNode{
		"a split off the grid":         {{State: 0, J: 1, Theta: 1.0 / 3}},
		"a split at no number":         {{State: 0, J: 1, Theta: math.NaN()}},
		"a split of a point below 0":   {{State: 0, I: -1, Theta: 0.5}},
		"an undecided box":             {{State: -2}},
		"a state out of range":         push(func(s *TensorStep) { s.State = 300 }),
		"a point that is not there":    push(func(s *TensorStep) { s.J = 2 }),
		"a share of the point itself":  push(func(s *TensorStep) { s.Shift[0] = 0.5 }),
		"a share off the grid":         push(func(s *TensorStep) { s.Shift[1] = 1.0 / 3 }),
		"a share of 1":                 push(func(s *TensorStep) { s.Shift[1] = 1 }),
		"a share that is no number":    push(func(s *TensorStep) { s.Shift[1] = math.NaN() }),
		"a multiplier below 0":         push(func(s *TensorStep) { s.Lambda[1] = -0.25 }),
		"a multiplier too fine":        push(func(s *TensorStep) { s.Lambda[1] = 0x1p-60 }),
		"a multiplier that is too big": push(func(s *TensorStep) { s.Lambda[1] = 0x1p40 }),
		"an infinite multiplier":       push(func(s *TensorStep) { s.Lambda[1] = math.Inf(1) }),
		"a multiplier too many":        push(func(s *TensorStep) { s.Lambda = append(s.Lambda, 1) }),
		"a piece twice":                push(func(s *TensorStep) { s.Pieces[1] = 0 }),
		"a piece below 0":              push(func(s *TensorStep) { s.Pieces[0] = -1 }),
		"a piece out of range":         push(func(s *TensorStep) { s.Pieces[1] = 255 }),
	} {
		if _, err := (&Tensor{Nodes: nodes}).code(); err == nil {
			t.Errorf("%s: written", name)
		}
	}
}

// What a text becomes in memory is at most so many times as long, whatever it says.
func TestAFewBytesStayLittle(t *testing.T) {
	const n = 3000
	list := func(before, each, after string) string {
		return `{"format":"` + Format + `",` + before + strings.Repeat(each+",", n) + each + after + "}"
	}
	texts := map[string]string{
		"boxes":   list(`"nodes":[`, `{}`, `]`),
		"steps":   list(`"nodes":[{"steps":[`, `{"kind":"open"}`, `]}]`),
		"models":  list(`"kernels":[`, `{}`, `]`),
		"columns": list(`"guesses":[`, `""`, `]`),
		"groups":  list(`"rays":{"groups":[`, `[]`, `]}`),
		"numbers": list(`"allow":[`, `0`, `]`),
	}
	likely := &Tensor{}
	for k := range n { // steps of no multipliers, and of the fewest on ever other facets
		likely.Nodes = append(likely.Nodes, TensorNode{J: 1, Theta: .5},
			TensorNode{State: -1, Steps: []TensorStep{{State: -1}, {State: -1}, {State: k % 254, J: k / 254 % 2, Shift: []float64{0, 0}, Pieces: []int{254}, Lambda: []float64{.5}}}})
	}
	likely.Nodes = append(likely.Nodes, TensorNode{State: -1})
	coded, err := likely.code()
	if err != nil {
		t.Fatal(err)
	}
	texts["a tree"] = `{"format":"` + Format + `","tensor":{"scale":[],"coded":"` + base64.StdEncoding.EncodeToString(coded) + `"}}`
	for name, text := range texts {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		c, err := Decode([]byte(text))
		runtime.ReadMemStats(&after)
		if made := after.TotalAlloc - before.TotalAlloc; made > 150*uint64(len(text)) || err != nil && name != "groups" {
			t.Errorf("%s: %d bytes become %d (%v)", name, len(text), made, err)
		}
		runtime.KeepAlive(c)
	}
}

// A claim is empty when nothing is there to judge.
func TestOnlyNothingIsEmpty(t *testing.T) {
	if c := new(Claim); !c.Empty() {
		t.Error("nothing is not empty")
	}
	for what, c := range map[string]*Claim{
		"a problem": {Problem: "x"}, "a proof": {Nodes: make([]Node, 1)}, "values": {Values: &Values{}}, "a kernel": {Kernels: make([]Kernel, 1)},
	} {
		if c.Empty() {
			t.Errorf("%s is nothing", what)
		}
	}
}
