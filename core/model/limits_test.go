package model_test

import (
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"testing"

	"rcmdplab/core/model"
)

// document reads a file of core/testdata.
func document(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile("../testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// refused is the first fault of a document that must have one.
func refused(t *testing.T, about, text string) model.Fault {
	t.Helper()
	_, faults, _ := model.Decode([]byte(text))
	if len(faults) == 0 {
		t.Fatalf("%s: accepted", about)
	}
	return faults[0]
}

func TestNumbersThatComputingCannotHoldAreRefusedInTheirPlace(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 3))
	number := func(low, high int) string { // ±d.ddde±k
		return []string{"", "-"}[r.IntN(2)] + strconv.FormatFloat(1+9*r.Float64(), 'f', 3, 64) + "e" + strconv.Itoa(low+r.IntN(high-low))
	}
	for range 50 {
		for about, c := range map[string]struct{ old, number, pointer string }{
			"a cost too large":  {"[[0, 2]", number(100, 308), "/objective/values/0/1"},
			"a cost too small":  {"[[0, 2]", number(-307, -101), "/objective/values/0/1"},
			"a limit too large": {`"atMost": 2.5`, number(112, 308), "/constraints/0/atMost"},
		} {
			text := strings.Replace(machine, c.old, strings.NewReplacer("2.5", c.number, " 2]", " "+c.number+"]").Replace(c.old), 1)
			f := refused(t, about+" "+c.number, text)
			if f.Pointer != c.pointer || !strings.Contains(f.Message, "64-bit floats") {
				t.Errorf("%s %s: %s: %s", about, c.number, f.Pointer, f.Message)
			}
			if strings.Contains(about, "cost") && (f.State != "good" || f.Action != "repair") {
				t.Errorf("%s: state %q, action %q", about, f.State, f.Action)
			}
		}
	}
	for _, name := range []string{"crash-cost-1e308", "crash-discount"} {
		if f := refused(t, name, document(t, "faults/"+name+".json")); f.Pointer == "" {
			t.Errorf("%s: %s has no place", name, f.Message)
		}
	}
}

// Below the normal range a number has lost digits, and one that is read as 0 all of
// them: no bound counts that, so it is refused where it stands.
func TestNumbersThatHaveLostDigitsAreRefusedInTheirPlace(t *testing.T) {
	ball := `{"format":"rcmdp/1","states":["s","t"],"actions":["go"],"discount":0.5,"initial":[0,1],"objective":{"values":[[0],[1]]},
		"uncertainty":{"kind":"kl","nominal":{"entries":[[0,0,1,1],[1,0,0,0],[1,0,1,1]]},"radius":[[0.25],[0]]}}`
	table := `{"format":"rcmdp/1","states":["s","t"],"actions":["go"],"discount":0.5,"initial":[0,1],"objective":{"values":[[0],[1]]},
		"uncertainty":{"kind":"l1","nominal":[[[0,1]],[[0,1]]],"radius":0.25}}`
	for _, c := range []struct{ about, text, old, new, pointer string }{
		{"an entry", ball, "[1,0,0,0]", "[1,0,0,X]", "/uncertainty/nominal/entries/1/3"},
		{"a table", table, "[[0,1]]]", "[[X,1]]]", "/uncertainty/nominal/1/0/0"},
		{"an initial probability", ball, `"initial":[0,1]`, `"initial":[X,1]`, "/initial/0"},
		{"a radius by pair", ball, "[0.25]", "[X]", "/uncertainty/radius/0/0"},
		{"a radius", table, `"radius":0.25`, `"radius":X`, "/uncertainty/radius"},
		{"a discount", ball, `"discount":0.5`, `"discount":X`, "/discount"},
		{"a cost", ball, "[[0],[1]]", "[[X],[1]]", "/objective/values/0/0"},
	} {
		for _, x := range []string{"5e-324", "2.2250738585072009e-308", "1e-310", "0.1e-400", "1e-4000"} {
			f := refused(t, c.about+" "+x, strings.Replace(c.text, c.old, strings.Replace(c.new, "X", x, 1), 1))
			if f.Pointer != c.pointer || !strings.Contains(f.Message, "found "+x) || f.Fix == nil || f.Fix.Patch[0].Value != "0" {
				t.Errorf("%s %s: %s: %s", c.about, x, f.Pointer, f.Message)
			}
		}
		for _, x := range []string{"0", "0.0", "0e5", "2.2250738585072014e-308"} {
			text := strings.Replace(c.text, c.old, strings.Replace(c.new, "X", x, 1), 1)
			if _, faults, _ := model.Decode([]byte(text)); len(faults) > 0 && !(c.about == "a cost" && x[0] != '0') {
				t.Errorf("%s %s: %v", c.about, x, faults)
			}
		}
	}
	p, faults, _ := model.Decode([]byte(ball))
	if p == nil {
		t.Fatal(faults)
	}
	policy := `{"format":"rcmdp-policy/1","states":["s","t"],"actions":["go","stay"],"probabilities":[[1,0],[1,0]]}`
	p.Actions, p.Layout = []string{"go", "stay"}, model.NewLayout(2, 2, nil)
	if pi, faults := model.DecodePolicy([]byte(strings.Replace(policy, "[1,0]", "[1,5e-324]", 1)), p); len(faults) > 0 || pi[1] != 5e-324 {
		t.Errorf("a policy's own numbers are kept: %v %v", pi, faults)
	}
}

func TestTheLargestAndSmallestNumbersAreAccepted(t *testing.T) {
	for _, c := range [][2]string{
		{"[[0, 2]", "[[1e100, 2]"}, {"[[0, 2]", "[[-1e-100, 2]"}, {`"atMost": 2.5`, `"atMost": 1e112`},
		{"0.95", "0.999999999999"}, {"0.95", "1e-300"},
	} {
		if _, faults, _ := model.Decode([]byte(strings.Replace(machine, c[0], c[1], 1))); len(faults) > 0 {
			t.Errorf("%s: %v", c[1], faults)
		}
	}
}

func TestFaultsSayWhatIsWrittenHere(t *testing.T) {
	for _, c := range []struct{ about, old, new, pointer, says string }{
		{"Python's None", "[null, 4]", "[None, 4]", "/objective/values/2/0", "JSON writes null"},
		{"Python's True", "[null, 4]", "[True, 4]", "/objective/values/2/0", "JSON writes true"},
		{"nan", "[null, 4]", "[nan, 4]", "/objective/values/2/0", "null"},
		{"single quotes", `"good"`, `'good'`, "/states/0", "double quotes"},
		{"a percentage", "0.95", "95%", "", "a fraction"},
		{"a percentage in quotes", "0.95", `"95%"`, "/discount", "as a fraction"},
		{"a decimal comma in quotes", "0.95", `"0,95"`, "/discount", "with a decimal point"},
		{"a decimal comma", "[0.9, 0.1, 0]", "[0,9, 0,1, 0,0]", "/uncertainty/kernels/0/transitions/0/0", "a decimal comma?"},
		{"minus infinity", "[[0, 2]", "[[-Infinity, 2]", "/objective/values/0/0", "has null for its row"},
		{"a forbidding cost", "[[0, 2]", "[[-1e300, 2]", "/objective/values/0/0", "has null for its row"},
		{"a row of zeros", "[0.9, 0.1, 0]", "[0, 0, 0]", "/uncertainty/kernels/0/transitions/0/0", "has null instead of a row"},
		{"a missing row", "[[0, 0.7, 0.3], [1, 0, 0]]", "[[0, 0.7, 0.3]]", "/uncertainty/kernels/0/transitions/1", `none for "repair"`},
	} {
		if !strings.Contains(machine, c.old) {
			t.Fatalf("%s: no %s in the document", c.about, c.old)
		}
		f := refused(t, c.about, strings.Replace(machine, c.old, c.new, 1))
		if c.pointer != "" && f.Pointer != c.pointer || !strings.Contains(f.Message, c.says) {
			t.Errorf("%s: %s: %s", c.about, f.Pointer, f.Message)
		}
	}
	sparse := `{"format":"rcmdp/1","states":["good one","bad"],"actions":["go"],"discount":0.9,"initial":[1,0],"objective":{"values":[[0],[1]]},
		"uncertainty":{"kind":"finite","kernels":[{"transitions":{"entries":[["Good_One","go","bad",1],["bad","go","bad",1]]}}]}}`
	if f := refused(t, "a name in another case", sparse); !strings.Contains(f.Message, `did you mean "good one"?`) || f.Fix == nil {
		t.Errorf("a name in another case: %s", f.Message)
	}
}

// warned is what a document is warned of, all in one.
func warned(t *testing.T, text string) string {
	t.Helper()
	_, faults, w := model.Decode([]byte(text))
	if len(faults) > 0 {
		t.Fatal(faults)
	}
	return strings.Join(w, "\n")
}

func TestSilentMeaningsAreSaid(t *testing.T) {
	if w := warned(t, document(t, "faults/f8-dense-zero.json")); !strings.Contains(w, "nature has no choice anywhere") {
		t.Errorf("a set without freedom: %q", w)
	}
	if w := warned(t, document(t, "faults/crash-listed-zero-l1.json")); !strings.Contains(w, "1 successor of probability 0 is listed") {
		t.Errorf("a listed zero: %q", w)
	}
	if w := warned(t, document(t, "faults/crash-listed-zero-kl.json")); strings.Contains(w, "listed") {
		t.Errorf("a listed zero of a divergence has no meaning: %q", w)
	}
	square := document(t, "faults/f9-square-axis-order.json")
	if w := warned(t, square); !strings.Contains(w, "does not say which comes first") {
		t.Errorf("as many states as actions: %q", w)
	}
	same := strings.Replace(square, `[[0.9,0.1],[0,1]],[[1,0],[0.8,0.2]]`, `[[0.9,0.1],[1,0]],[[1,0],[0.8,0.2]]`, 1)
	if same == square {
		t.Fatal("the document has changed")
	}
	if w := warned(t, same); w != "" {
		t.Errorf("either order says the same: %q", w)
	}
	if w := warned(t, document(t, "faults/f1-penalty-false-proof.json")); !strings.Contains(w, `first for action "forbidden" in state "s"`) {
		t.Errorf("a penalty: %q", w)
	}
	if w := warned(t, machine); w != "" {
		t.Errorf("an ordinary document: %q", w)
	}
}
