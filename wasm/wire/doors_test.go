package wire

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"rcmdplab/core/evaluate"
	"rcmdplab/core/model"
	"rcmdplab/core/solve"
)

// estimateOf makes a model of a log as it is in a file, its columns by their names.
func estimateOf(t *testing.T, s *Session, name, text, options string) (e estimated, err *Error) {
	t.Helper()
	var table json.RawMessage
	if _, err = answer(t, s.Call("tidy", []byte(`{}`), []byte(name), []byte(text)), &table); err != nil {
		return e, err
	}
	_, err = answer(t, s.Call("estimate", table, []byte(options)), &e)
	return e, err
}

// valueOf is the best objective of a problem with one kernel and no limits.
func valueOf(t *testing.T, problem json.RawMessage) (best float64) {
	t.Helper()
	p, faults, _ := model.Decode(problem)
	if len(faults) > 0 {
		t.Fatal(faults)
	}
	m := p.Standard()
	ev, err := evaluate.New(m)
	if err != nil {
		t.Fatal(err)
	}
	method, _ := solve.Find("policy-iteration")
	for g := range method.Run(ev, method.Defaults()) {
		best = m.Present(0, g.Best.Objective)
	}
	return best
}

// TestLogsAsPeopleHoldThem: episodes are cut at done, where nothing is paid any
// more, and begin with the states after one.
func TestLogsAsPeopleHoldThem(t *testing.T) {
	var s Session
	for _, d := range []struct {
		name, options string
		states        int
		value         float64
		episodes      int
	}{
		{"a2-log-obs.csv", `{"kind":"nominal","discount":0.9}`, 3, math.NaN(), 2},
		{"b1-log-sarsd.csv", `{"kind":"nominal","discount":0.9}`, 3, math.NaN(), 2},
		{"b8-log-last-row.csv", `{"kind":"nominal","discount":0.9}`, 3, math.NaN(), 2},
		{"a3-log-done.csv", `{"kind":"nominal","discount":0.9,"initial":"up"}`, 3, 3.6736402, 0},
	} {
		data, err := os.ReadFile("../../core/testdata/cases/doors/" + d.name)
		if err != nil {
			t.Fatal(err)
		}
		e, refused := estimateOf(t, &s, d.name, string(data), d.options)
		if refused != nil {
			t.Errorf("%s: %v", d.name, refused)
			continue
		}
		var doc struct{ States []string }
		if err := json.Unmarshal(e.Problem, &doc); err != nil || len(doc.States) != d.states || d.episodes > 0 && e.Summary.Episodes != d.episodes {
			t.Errorf("%s: %v, %d episodes; want %d states, %d episodes", d.name, doc.States, e.Summary.Episodes, d.states, d.episodes)
		}
		if got := valueOf(t, e.Problem); !math.IsNaN(d.value) && !(math.Abs(got-d.value) <= 1e-6) {
			t.Errorf("%s: %v, want %v", d.name, got, d.value)
		}

		// In another order: the same model where steps are numbered, else the start is asked.
		lines := strings.Split(strings.TrimSpace(string(data)), "\n")
		rand.New(rand.NewPCG(1, 1)).Shuffle(len(lines)-1, func(i, j int) { lines[i+1], lines[j+1] = lines[j+1], lines[i+1] })
		mixed, refused := estimateOf(t, &s, d.name, strings.Join(lines, "\n"), strings.ReplaceAll(d.options, `,"initial":"up"`, ""))
		switch stepped := strings.HasPrefix(d.name, "b8"); {
		case stepped && (refused != nil || valueOf(t, mixed.Problem) != valueOf(t, e.Problem)):
			t.Errorf("%s shuffled: %v", d.name, refused)
		case !stepped && (refused == nil || refused.Code != ChoiceNeeded || refused.Faults[0].Pointer != "/initial"):
			t.Errorf("%s shuffled: %v; want to be asked for the start", d.name, refused)
		}
		if d.value > 0 {
			again, refused := estimateOf(t, &s, d.name, strings.Join(lines, "\n"), d.options)
			if refused != nil || !(math.Abs(valueOf(t, again.Problem)-d.value) <= 1e-6) {
				t.Errorf("%s shuffled, with its start: %v", d.name, refused)
			}
		}

		// One step less is another log, and is read.
		if _, refused := estimateOf(t, &s, d.name, strings.Join(slices.Delete(strings.Split(strings.TrimSpace(string(data)), "\n"), 2, 3), "\n"), d.options); refused != nil && refused.Code != ChoiceNeeded {
			t.Errorf("%s without a line: %v", d.name, refused)
		}
	}
}

// TestHeadingsOfOnesOwn: machine is the episode, week the step, and neither is
// what is optimised; dates order steps as numbers do.
func TestHeadingsOfOnesOwn(t *testing.T) {
	var s Session
	log := "machine; week; state; action; cost_eur; downtime_h; next_state\nM1;1;wear 03;run;1,5;0;wear 10\nM1;2;wear 10;run;1.234,5;0;failed\nM1;3;failed;fix;20;8;wear 03\nM2;1;wear 03;run;1,5;0;wear 03\n"
	if _, refused := estimateOf(t, &s, "", log, `{}`); refused == nil || refused.Code != ChoiceNeeded || !strings.Contains(refused.Message, "cost_eur or downtime_h") {
		t.Errorf("%v; want to be asked which of two columns is the objective", refused)
	}
	for _, text := range []string{log, strings.NewReplacer(";1;", ";05.01.2026;", ";2;", ";12.01.2026;", ";3;", ";19.01.2026;").Replace(log)} {
		e, refused := estimateOf(t, &s, "", text, `{"objective":"cost_eur","constraints":[{"column":"downtime_h","atMost":40}],"kind":"nominal"}`)
		if refused != nil {
			t.Fatal(refused)
		}
		var doc struct {
			States    []string
			Objective struct{ Values [][]*float64 }
		}
		if err := json.Unmarshal(e.Problem, &doc); err != nil || !slices.Equal(doc.States, []string{"wear 03", "wear 10", "failed"}) || e.Summary.Episodes != 2 || *doc.Objective.Values[1][0] != 1234.5 {
			t.Errorf("%s, %d episodes", e.Problem, e.Summary.Episodes)
		}
	}
}
