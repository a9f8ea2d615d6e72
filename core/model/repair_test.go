package model_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"rcmdplab/core/model"
)

// Text that is not JSON is one fault, by line and column, with the pointer of
// the value it is in.
func TestNotJSON(t *testing.T) {
	for _, tc := range []struct{ name, doc, pointer, message string }{
		{"empty", "", "", "the document is empty"},
		{"blank", " \n\t", "", "the document is empty"},
		{"word", "hello", "", "line 1, column 1: not JSON: invalid character 'h' looking for beginning of value"},
		{"cut", `{"format": "rcmdp/1", "states": ["a"`, "/states/0", "line 1, column 37: not JSON: unexpected end of JSON input"},
		{"comma", "{\n  \"states\": [\"γγ\", ],\n}", "/states/1", "line 2, column 20: not JSON: invalid character ']' looking for beginning of value; take away the comma before it"},
		{"two commas", edit(t, machine, "[0, 0.5, 0.5]", "[0,, 0.5]"), "/uncertainty/kernels/1/transitions/1/0/1",
			"line 14, column 73: not JSON: invalid character ',' looking for beginning of value"},
		{"comment", edit(t, machine, `"discount"`, `// γ`+"\n"+`"discount"`), "",
			"line 6, column 3: not JSON: invalid character '/' looking for beginning of object key string; JSON has no comments; notes go into \"description\" or \"source\""},
		{"bare word", edit(t, machine, `"minimize"`, "minimize"), "/objective/sense",
			"line 8, column 43: not JSON: invalid character 'm' looking for beginning of value"},
		{"half a NaN", edit(t, machine, "2.5", "Na"), "/constraints/0/atMost",
			"line 9, column 89: not JSON: invalid character 'N' looking for beginning of value"},
		{"NaN in a number", edit(t, machine, "2.5", "2NaN"), "/constraints/0/atMost",
			"line 9, column 90: not JSON: invalid character 'N' after object key:value pair"},
		{"NaN before a number", edit(t, machine, "2.5", "NaN5"), "/constraints/0/atMost",
			"line 9, column 92: not JSON: invalid character '5' after object key:value pair"},
		{"NaN as a name", `{"format": "rcmdp/1", NaN: 1}`, "", "line 1, column 23: not JSON: invalid character 'N' looking for beginning of object key string"},
		{"fraction", edit(t, machine, "2.5", "2/5"), "/constraints/0/atMost",
			"line 9, column 90: not JSON: invalid character '/' after object key:value pair"},
		{"two documents", machine + machine, "", "line 17, column 2: not JSON: invalid character '{' after top-level value"},
		{"not UTF-8", edit(t, machine, "Machine", "Mach\xffne"), "", "line 3, column 16: the text is not UTF-8"},
		{"depth", strings.Repeat("[", 20000), "", "line 1, column 10001: not JSON: invalid character '[' exceeded max depth"},
		{"list", "[]", "", `found a list; want an object that starts {"format": "rcmdp/1", ...}`},
		{"number", "-12.5e3", "", `found -12.5e3; want an object that starts {"format": "rcmdp/1", ...}`},
		{"NaN", "NaN", "", `found NaN; want an object that starts {"format": "rcmdp/1", ...}`},
		{"minus Infinity", "-Infinity", "", `found -Infinity; want an object that starts {"format": "rcmdp/1", ...}`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			p, faults, _ := model.Decode([]byte(tc.doc))
			if p != nil || len(faults) != 1 {
				t.Fatalf("faults %v, want one", faults)
			}
			if f := faults[0]; f.Pointer != tc.pointer || f.Message != tc.message {
				t.Errorf("got  %q: %s\nwant %q: %s", f.Pointer, f.Message, tc.pointer, tc.message)
			}
		})
	}
}

// Everything is wrong at first. One field is repaired at a time, in an order
// that is not the document's: what is told must be exactly the rest, in
// document order, until the last repair.
func TestRepairOneFieldAtATime(t *testing.T) {
	type part struct {
		pointer     string // of the fault
		wrong, good string
		order       int // when it is repaired
	}
	parts := []part{
		{"/format", `"format": "RCMDP/1"`, `"format": "rcmdp/1"`, 7},
		{"/name", `"name": 7`, `"name": "m"`, 3},
		{"/discount", `"discount": 1`, `"discount": 0.5`, 12},
		{"/initial", `"initial": [0.5, 0.4]`, `"initial": [0.5, 0.5]`, 0},
		{"/note", `"note": "unknown"`, `"source": "here"`, 9},
		{"/objective/sense", `"objective": {"sense": "minimum-ish"`, `"objective": {"sense": "minimize"`, 1},
		{"/objective/values/1/0", `"values": [[1, 2], [null, 3]]}`, `"values": [[1, 2], [0, 3]]}`, 5},
		{"/constraints/0", `"constraints": [{"name": "c", "values": [[1, 2], [0, 3]]}`, `"constraints": [{"name": "c", "values": [[1, 2], [0, 3]], "atMost": 1}`, 11},
		{"/constraints/1/values", `{"name": "d", "values": [[1, 2]], "atLeast": 1}`, `{"name": "d", "values": [[1, 2], [3, 4]], "atLeast": 1}`, 2},
		{"/constraints/2/name", `{"name": "c", "values": [[1, 2], [0, 3]], "atMost": 1}]`, `{"name": "e", "values": [[1, 2], [0, 3]], "atMost": 1}]`, 13},
		{"/uncertainty/kernels/0/transitions/0/1", `"uncertainty": {"kind": "finite", "kernels": [{"transitions": [[[1, 0], [0.5, 0.4]]`, `"uncertainty": {"kind": "finite", "kernels": [{"transitions": [[[1, 0], [0.5, 0.5]]`, 4},
		{"/uncertainty/kernels/0/transitions/1/1/1", `[[1, 0], [0, "1"]]]}`, `[[1, 0], [0, 1]]]}`, 8},
		{"/uncertainty/kernels/1/transitions/1/0", `{"name": "Q", "transitions": [[[1, 0], [0, 1]], [null, [0, 1]]]}]`, `{"name": "Q", "transitions": [[[1, 0], [0, 1]], [[1, 0], [0, 1]]]}]`, 10},
		{"/uncertainty/radius", `"radius": 3}`, `"note": 3}`, 6},
	}
	// The last part has no good text that leaves the field in place: it goes.
	parts[len(parts)-1].good = ""
	for step := 0; step <= len(parts); step++ {
		var pieces []string
		var want []string
		closing := "}"
		for i, p := range parts {
			text := p.good
			if p.order >= step {
				text = p.wrong
				want = append(want, p.pointer)
			}
			if i == len(parts)-1 && text != "" {
				closing = ""
			}
			if text != "" {
				pieces = append(pieces, text)
			}
			if i == 1 {
				pieces = append(pieces, `"states": ["x", "y"], "actions": ["l", "r"]`)
			}
		}
		doc := "{" + strings.Join(pieces, ", ") + closing + "}"
		p, faults, _ := model.Decode([]byte(doc))
		var got []string
		for _, f := range faults {
			got = append(got, f.Pointer)
		}
		if !slices.Equal(got, want) {
			t.Fatalf("after %d repairs the faults are at\n\t%s\nwant\n\t%s\n%s", step, strings.Join(got, "\n\t"), strings.Join(want, "\n\t"), doc)
		}
		if (p != nil) != (step == len(parts)) {
			t.Fatalf("after %d repairs of %d the problem is %v", step, len(parts), p)
		}
	}
}

func TestFaultsAreNamedAndCounted(t *testing.T) {
	doc := edit(t, machine, "[0.7, 0.3, 0]", "[0.7, 0.2, 0]")
	_, faults, _ := model.Decode([]byte(doc))
	if len(faults) != 1 || faults[0].State != "good" || faults[0].Action != "run" {
		t.Fatalf("faults %+v", faults)
	}
	if got := faults.Error(); got != faults[0].Pointer+": "+faults[0].Message {
		t.Errorf("error %q", got)
	}
	// One cause repeated: the list is cut, and says so.
	entries := strings.TrimSuffix(strings.Repeat(`["good", "run", "lost", 1],`, 5000), ",")
	_, faults, _ = model.Decode([]byte(set(`{"kind": "kl", "radius": 0, "nominal": {"entries": [` + entries + `]}}`)))
	if len(faults) != 1001 || faults[1000].Message != "4000 more faults are not listed" {
		t.Errorf("%d faults, the last is %v", len(faults), faults[len(faults)-1])
	}
}

// A short document must not make the reader allocate what it merely names.
func TestHugeSizesAreRefused(t *testing.T) {
	names := func(n int) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, `,"%d"`, i)
		}
		return "[" + b.String()[1:] + "]"
	}
	doc := func(s, a int, rest string) string {
		return `{"format":"rcmdp/1","states":` + names(s) + `,"actions":` + names(a) + `,"discount":0.5,"initial":[1]` + rest + `}`
	}
	_, faults, _ := model.Decode([]byte(doc(3000, 2000, "")))
	if len(faults) != 1 || faults[0].Message != "3000 states times 2000 actions are 6000000 pairs; at most 4194304 are read" {
		t.Errorf("faults %v", faults)
	}
	nulls := "[[" + strings.TrimSuffix(strings.Repeat("null,", 9), ",") + ",[1]]]"
	_, faults, _ = model.Decode([]byte(doc(2000, 10, `,"objective":{"values":`+nulls+`}`)))
	if i := slices.IndexFunc(faults, func(f model.Fault) bool { return f.Pointer == "/objective/values" }); i < 0 ||
		faults[i].Message != "2000 states squared times 10 actions are too many costs; at most 33554432 are read" {
		t.Errorf("faults %v", faults)
	}
}
