package certify

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"rcmdplab/core/internal/fixture"
	"rcmdplab/core/model"
	"rcmdplab/core/proof"
)

// A pair whose ends list a trap to which no row of the set leads may be taken: values that are right only
// where it may not be prove nothing, whatever the number of states.
func TestATrapThatNoRowLeadsToClosesNothing(t *testing.T) {
	for _, states := range []int{6, exactStates + 10} {
		for _, fixed := range []bool{true, false} { // the row of s2 leads to the end for sure; or may lead to the trap
			p := trapped(t, states, fixed)
			for high := 1; high <= 3; high++ { // the pair before it is above what it comes to, or itself
				v := make([]float64, states)
				for s := range high {
					v[s] = 10
				}
				c := &proof.Claim{Problem: p.Hash(), Target: 9, Values: &proof.Values{V: v}}
				r := NewChecker(p).Check(c, nil, always)
				if r.OK == fixed {
					t.Errorf("%d states, sure %v, %d high: accepted %v, %q", states, fixed, high, r.OK, r.Reasons)
				}
			}
		}
	}
}

// trapped is a model of intervals in which play from s0 ends at a cost of 10, or by way of s1 and s2 for nothing.
func trapped(t *testing.T, states int, fixed bool) *model.Problem {
	var names []string
	var lower, upper [][][]float64
	var costs [][]float64
	end, trap := 3, 4
	row := func(to ...int) (r []float64) {
		r = make([]float64, states)
		for _, s := range to {
			r[s] = 1
		}
		return r
	}
	for s := range states {
		names = append(names, fmt.Sprint("s", s))
		low, high, cost := [][]float64{row(end), nil}, [][]float64{row(end), nil}, []float64{0, 0}
		switch s {
		case 0:
			low[1], high[1], cost = row(1), row(1), []float64{10, 0}
		case 1:
			low[0], high[0] = row(2), row(2)
		case 2:
			if high[0] = row(end, trap); !fixed {
				low[0] = row()
			}
		case trap:
			low[0], high[0] = row(trap), row(trap)
		}
		lower, upper, costs = append(lower, low), append(upper, high), append(costs, cost)
	}
	text, err := json.Marshal(map[string]any{"format": "rcmdp/1", "states": names, "actions": []string{"a", "b"}, "discount": 1, "end": []string{"s3"}, "initial": row(0),
		"objective": map[string]any{"name": "c", "values": costs}, "constraints": []any{}, "uncertainty": map[string]any{"kind": "interval", "lower": lower, "upper": upper}})
	if err != nil {
		t.Fatal(err)
	}
	return fixture.Decode(t, string(text))
}

// The return of an episode that ends once in 1/p steps is p⁻¹ times the cost of a step, whether that is a thousand or ten million million.
func TestSlowEpisodesAreEnclosed(t *testing.T) {
	for _, kind := range []string{`"finite", "kernels": [{"name": "k", "transitions": ROWS}]`, `"l1", "radius": 0, "nominal": ROWS`} {
		for _, p := range []float64{1e-3, 3e-8, 1e-13} {
			rows := fmt.Sprintf("[[[%v, %v]], [[0, 1]]]", 1-p, p)
			problem := fixture.Decode(t, `{"format": "rcmdp/1", "states": ["s", "end"], "actions": ["go"], "discount": 1, "end": ["end"], "initial": [1, 0],
				"objective": {"name": "c", "values": [[0.7], [0]]}, "constraints": [], "uncertainty": {"kind": `+strings.Replace(kind, "ROWS", rows, 1)+`}}`)
			e, err := Evaluate(problem, []float64{1, 1})
			if err != nil {
				t.Fatalf("%s, %v: %v", kind, p, err)
			}
			want := 0.7 / p
			if r := e.Returns[0]; !(r.Lo <= want*(1+1e-3) && r.Hi >= want*(1-1e-3) && r.Hi-r.Lo <= 1e-9*want) {
				t.Errorf("%s, %v: between %v and %v, want %v", kind, p, r.Lo, r.Hi, want)
			}
			// Nothing is lost of what a residual adds up to by then, as large models are judged.
			sure := []int64{gridOne, gridOne}
			exact := mustInstance(t, problem).returns(sure, e.Policy, 0, true, nil, always)[0]
			if r := mustImage(t, problem).returns(sure, e.Policy, 0, false, nil, always)[0]; r.lo.Cmp(exact.lo) > 0 || r.hi.Cmp(exact.hi) < 0 {
				t.Errorf("%s, %v: in intervals %v to %v, exactly %v", kind, p, r.lo, r.hi, exact.lo)
			}
		}
	}
}

// An end is paid once, also where costs are of the next state: the way there costs 2 or 5, half as likely each, and the end 7.
func TestAnEndIsPaidWhereCostsAreOfTheNextState(t *testing.T) {
	p := fixture.Decode(t, `{"format": "rcmdp/1", "states": ["s", "t", "end"], "actions": ["go"], "discount": 1, "end": ["end"], "initial": [1, 0, 0],
		"objective": {"name": "c", "values": [[[0, 1, 5]], [[0, 0, 1]], [[7, 7, 7]]]}, "constraints": [],
		"uncertainty": {"kind": "finite", "kernels": [{"name": "k", "transitions": [[[0, 0.5, 0.5]], [[0, 0, 1]], [[0, 0, 1]]]}]}}`)
	e, err := Evaluate(p, []float64{1, 1, 1})
	if err != nil || e.Returns[0].Lo != 10.5 || e.Returns[0].Hi != 10.5 {
		t.Errorf("%+v, %v", e.Returns, err)
	}
	c := &proof.Claim{Problem: p.Hash(), Target: 10.5, Values: &proof.Values{V: []float64{10.5, 8, 7}}}
	if r := NewChecker(p).Check(c, nil, always); !r.OK {
		t.Error(r.Reasons)
	}
	c.Values.V[2] = 7.5
	if r := NewChecker(p).Check(c, nil, always); r.OK {
		t.Error("an end is believed to cost more than it does")
	}
}
