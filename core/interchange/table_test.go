package interchange_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"rcmdplab/core/interchange"
	"rcmdplab/core/model"
)

// machine is a model of two states and two actions in many layouts.
const machine = "state,action,next,p,cost\ngood,run,good,0.9,1\ngood,run,bad,0.1,1\ngood,fix,good,1,3\nbad,fix,good,0.8,4\nbad,fix,bad,0.2,4\n"

func rowsOf(p *model.Problem) string {
	var b strings.Builder
	k := p.Uncertainty.Kernels[0]
	for i := range p.Layout.Pairs() {
		next, prob := k.Row(i)
		fmt.Fprintf(&b, "%s %s", p.States[p.Layout.State[i]], p.Actions[p.Layout.Act[i]])
		for j, t := range next {
			if prob[j] > 0 {
				fmt.Fprintf(&b, " %s:%g", p.States[t], prob[j])
			}
		}
		b.WriteString("\n")
	}
	return b.String()
}

const machineRows = "good run good:0.9 bad:0.1\ngood fix good:1\nbad fix good:0.8 bad:0.2\n"

func TestTheSameTableInEveryLayout(t *testing.T) {
	for name, table := range map[string]string{
		"long":                              machine,
		"semicolons, decimal commas":        strings.NewReplacer(",", ";", ".", ",").Replace(machine),
		"tabs":                              strings.ReplaceAll(machine, ",", "\t"),
		"comments":                          "# of May, 3; 4\n# and June\n" + strings.ReplaceAll(machine, "bad,fix,good", "# mended, at last\nbad,fix,good"),
		"a pasted block with trailing tabs": strings.ReplaceAll(strings.ReplaceAll(machine, ",", "\t"), "\n", "\t\r\n"),
		"percent signs":                     strings.NewReplacer("0.9", "90%", "0.1", "10 %", ",1,3", ",100%,3", "0.8", "80%", "0.2", "20%").Replace(machine),
		"no header":                         strings.SplitN(machine, "\n", 2)[1],
		"other names, other order":          "Probability;To;From;Action\n0.9;good;good;run\n0.1;bad;good;run\n1;good;good;fix\n0.8;good;bad;fix\n0.2;bad;bad;fix\n",
		"a header in another language":      strings.Replace(machine, "state,action,next,p,cost", "Zustand,Aktion,wohin,p,Kosten", 1),
		"merged cells":                      "state\taction\tnext\tp\ngood\trun\tgood\t0.9\n\t\tbad\t0.1\n\tfix\tgood\t1\nbad\tfix\tgood\t0.8\n\t\tbad\t0.2\n",
		"wide":                              "state;action;good;bad\ngood;run;0,9;0,1\ngood;fix;1;\nbad;fix;0,8;0,2\n",
		"wide, without names":               ";;good;bad\ngood;run;0,9;0,1\n;fix;1;0\nbad;fix;0,8;0,2\n",
		"wide, no header":                   "good run 0.9 0.1\ngood fix 1 0\nbad fix 0.8 0.2\n",
		"wide, a row of zeros":              "state\taction\tgood\tbad\ngood\trun\t90%\t10%\ngood\tfix\t100%\t0\nbad\trun\t0\t0\nbad\tfix\t80%\t20%",
		"counts":                            "state,action,next,count\ngood,run,good,9\ngood,run,bad,1\ngood,fix,good,7\nbad,fix,good,8\nbad,fix,bad,2\n",
		"records":                           `[{"state":"good","action":"run","next":"good","p":0.9,"cost":1},{"state":"good","action":"run","next":"bad","p":0.1,"cost":1},{"state":"good","action":"fix","next":"good","p":1,"cost":3},{"cost":4,"state":"bad","action":"fix","next":"good","p":0.8},{"state":"bad","action":"fix","next":"bad","p":0.2,"cost":4}]`,
		"records, one a line":               `{"s":"good","a":"run","s'":"good","p":"90%"}` + "\n" + `{"s":"good","a":"run","s'":"bad","p":"10%"}` + "\n" + `{"s":"good","a":"fix","s'":"good","p":1}` + "\n" + `{"s":"bad","a":"fix","s'":"good","p":0.8,"note":null}` + "\n" + `{"s":"bad","a":"fix","s'":"bad","p":0.2}` + "\n",
		"Markdown":                          "| state | action | next | p |\n|:---|---|---|---:|\n| good | run | good | 0.9 |\n| good | run | bad | 0.1 |\n| good | fix | good | 1 |\n| bad | fix | good | 0.8 |\n| bad | fix | bad | 0.2 |\n",
		"percentages without a sign":        "state,action,next,p\ngood,run,good,90.0\ngood,run,bad,10\ngood,fix,good,100\nbad,fix,good,80.0\nbad,fix,bad,20\n",
	} {
		choices := ""
		if name == "percentages without a sign" {
			choices = `{"values":"percent"}`
		}
		r := interchange.Read([]interchange.File{text(table)}, options(t, choices))
		if r.Problem == nil {
			t.Errorf("%s: %v", name, r.Faults)
			continue
		}
		if got := rowsOf(r.Problem); got != machineRows {
			t.Errorf("%s: got\n%swant\n%s(report %q)", name, got, machineRows, r.Report)
		}
	}
}

func TestMatricesWithoutLabels(t *testing.T) {
	for _, table := range []string{"0.9\t0.1\n0.8\t0.2\n1\t0\n1\t0\n", "0,9;0,1\n0,8;0,2\n1;0\n1;0\n", "90 10\n80 20\n100 0\n100 0"} {
		p := imported(t, "", text(table))
		if len(p.States) != 2 || len(p.Actions) != 2 {
			t.Fatalf("%d states, %d actions", len(p.States), len(p.Actions))
		}
		if _, prob := p.Uncertainty.Kernels[0].Row(0); prob[0] != .9 {
			t.Errorf("%q: first row %v", table, prob)
		}
	}
	p := imported(t, "", text("good\tbad\n0.9\t0.1\n0.8\t0.2\n"))
	if !slices.Equal(p.States, []string{"good", "bad"}) {
		t.Errorf("states %q", p.States)
	}
}

func TestCountsAreRecognised(t *testing.T) {
	r := interchange.Read([]interchange.File{text("state;action;next;count\na;go;b;3\na;go;a;7\nb;go;b;1\n")}, nil)
	if !r.Counts || r.Problem == nil {
		t.Fatalf("counts %v, faults %v", r.Counts, r.Faults)
	}
	if r.Problem.Maximize { // there are no rewards: what is entered later is a cost, as its name says
		t.Error("a cost of 0 everywhere is maximised")
	}
	tidy, faults, _ := interchange.Tidy([]interchange.File{text("state;action;a;b\na;go;7;3\nb;go;0;1,5\n")}, nil)
	if len(faults) > 0 || !slices.Equal(tidy.Columns, []string{"state", "action", "next", "count"}) || len(tidy.Rows) != 3 || string(tidy.Rows[2][3]) != "1.5" {
		t.Errorf("tidy: %v %v", tidy, faults)
	}
}

func TestANumberThatNamesAStateIsThatState(t *testing.T) {
	p := imported(t, `{"initial":2}`, text("state,action,next,p\n1,go,2,1\n2,go,3,1\n3,go,1,1\n"))
	if p.Initial[1] != 1 {
		t.Errorf("states %q, start %v", p.States, p.Initial)
	}
}

func TestLogsAreSentOn(t *testing.T) {
	r := interchange.Read([]interchange.File{text("episode;step;state;action;next;cost\n1;0;a;go;b;1\n1;1;b;go;a;2\n")}, nil)
	if r.Columns == nil || r.Problem != nil || len(r.Faults) != 0 {
		t.Errorf("log %v, faults %v", r.Columns, r.Faults)
	}
}

func TestCostSheetsBelongToTransitions(t *testing.T) {
	sheet := interchange.File{"costs.csv", []byte("state;action;cost;risk\ngood;run;1,5;0\ngood;fix;3;0\nbad;fix;4;1\n")}
	p := imported(t, `{"limits":{"risk":{"atMost":2}}}`, sheet, interchange.File{"p.csv", []byte("state,action,next,p\ngood,run,good,0.9\ngood,run,bad,0.1\ngood,fix,good,1\nbad,fix,good,0.8\nbad,fix,bad,0.2\n")})
	if p.Maximize || p.Objective.Name != "cost" || p.Objective.Values[0] != 1.5 || p.Objective.Values[3] != 4 || len(p.Constraints) != 1 {
		t.Errorf("objective %+v, limits %+v", p.Objective, p.Constraints)
	}
	refused(t, "", []interchange.File{sheet}, "no transitions")
	wrong := interchange.File{"costs.csv", []byte("state;action;cost\ngood;run;1\nugly;run;2\n")}
	refused(t, "", []interchange.File{{"p.csv", []byte(machine)}, wrong}, "costs.csv", "line 3", "ugly")
}

func TestTablesSayWhereTheyAreWrong(t *testing.T) {
	refused(t, "", []interchange.File{text("[{\"state\":\"a\",\"next\":\"a\",\"p\":1},\n {\"state\":\"b\",\"next\":\"a\",\"p\":\"x\"}]")}, "line 2, column 30", `"x"`)
	refused(t, "", []interchange.File{text("[{\"state\":\"a\",\"next\":[\"a\"],\"p\":1}]")}, "line 1, column 22", "list")
	refused(t, "", []interchange.File{text("[{\"state\":\"a\",\"next\":\"a\",\"p\":1},\n7]")}, "line 2, column 1", "object")
	refused(t, "", []interchange.File{text(strings.Replace(machine, "0.9", "0.x", 1))}, "line 2, column 15", "0.x")
	refused(t, "", []interchange.File{text(strings.Replace(machine, "good,run,bad,0.1,1", "good,run,good,0.1,1", 1))}, "line 3", "listed twice")
	refused(t, "", []interchange.File{text("state,action,next,p\ngood,run,\"good,1\n")}, "line 2, column 10", "never closed")
	refused(t, `{"columns":["state","next"]}`, []interchange.File{text(machine)}, "2 roles")
	refused(t, `{"columns":["state","action","x","p","cost"]}`, []interchange.File{text(machine)}, "columns")
}

// TestBlankCostsAreSaid: a row that ends before its costs costs nothing, which the
// report says.
// A decimal comma between commas, in every number or in one, makes a row longer than the header.
func TestARowIsNoLongerThanTheHeader(t *testing.T) {
	for name, table := range map[string]string{
		"every number": strings.ReplaceAll(machine, "0.", "0,"),
		"each row":     "state,action,next,p,cost\na,x,b,0,5,1\na,x,a,0,5,1\nb,x,a,1,0,2\n",
		"one number":   strings.Replace(machine, "0.8", "0,8", 1),
		"a cost":       strings.Replace(machine, "0.8,4", "0.8,4,5", 1),
		"craam":        "idstatefrom,idaction,idstateto,probability,reward\n0,0,0,0,5,1\n0,0,1,0.5,1\n1,0,1,1,2\n",
	} {
		r := interchange.Read([]interchange.File{{"", []byte(table)}}, nil)
		if r.Problem != nil || len(r.Faults) != 1 {
			t.Fatalf("%s: read, or more than one fault: %v", name, r.Faults)
		}
		if f := r.Faults[0]; f.Line == 0 || f.Column == 0 || !strings.Contains(f.Message, "6 cells, and the header 5; a number with a decimal comma") {
			t.Errorf("%s: line %d, column %d: %s", name, f.Line, f.Column, f.Message)
		}
	}
	for name, table := range map[string]string{
		"quoted":       strings.NewReplacer("0.9", `"0,9"`, "0.1", `"0,1"`, "0.8", `"0,8"`, "0.2", `"0,2"`).Replace(machine),
		"blank beyond": strings.ReplaceAll(machine, "4\n", "4,,\n"),
	} {
		if r := interchange.Read([]interchange.File{{"", []byte(table)}}, nil); r.Problem == nil || rowsOf(r.Problem) != machineRows {
			t.Errorf("%s: not read: %v", name, r.Faults)
		}
	}
}

// Of numbers without headings nothing says whether the last is a cost or a reward: that is asked.
func TestCostsWithoutAHeadingAreAsked(t *testing.T) {
	for _, table := range []string{"0,0,0,0.5,1\n0,0,1,0.5,1\n1,0,1,1,2\n", "0;0;0;0,5;1\n0;0;1;0,5;1\n1;0;1;1;2\n"} {
		r := interchange.Read([]interchange.File{{"", []byte(table)}}, nil)
		if len(r.Faults) > 0 || !slices.ContainsFunc(r.Choices, func(c interchange.Choice) bool { return c.Name == "sense" && c.Open }) {
			t.Errorf("%q: %v, and it is not asked", table, r.Faults)
		}
	}
}

func TestBlankCostsAreSaid(t *testing.T) {
	for _, head := range []string{"idstatefrom,idaction,idstateto,probability,reward\n", "state,action,next,p,cost\n"} {
		for _, last := range []string{"1,0,0,1,", "1,0,0,1"} {
			r := interchange.Read([]interchange.File{text(head + "0,0,1,1,3\n" + last + "\n")}, nil)
			if r.Problem == nil || !strings.Contains(strings.Join(r.Report, "\n"), "1 blank cell of costs") {
				t.Errorf("%q: %v, %q", head+last, r.Faults, r.Report)
			}
		}
	}
}

func TestTableChoicesChangeWhatWasRecognised(t *testing.T) {
	p := imported(t, `{"columns":["next","action","state","p","ignore"]}`, text("a,go,b,1,7\nb,go,c,1,7\nc,go,a,1,7\n"))
	if got := rowsOf(p); !strings.Contains(got, "b go a:1") {
		t.Errorf("with next and state exchanged:\n%s", got)
	}
	q := imported(t, `{"decimal":",","separator":";"}`, text("state;action;next;p\na;go;b;0,5\na;go;a;0,5\nb;go;b;1\n"))
	if len(q.States) != 2 {
		t.Errorf("states %q", q.States)
	}
	r := imported(t, `{"states":["healthy","ill"],"actions":["treat"]}`, text("0.9 0.1\n0.8 0.2\n"))
	if !slices.Equal(r.States, []string{"healthy", "ill"}) || r.Actions[0] != "treat" {
		t.Errorf("names %q %q", r.States, r.Actions)
	}
}

func TestMixedUpFiles(t *testing.T) {
	refused(t, "", []interchange.File{{"a.drn", []byte(storm)}, {"b.drn", []byte(storm)}}, "two models")
	r := interchange.Read([]interchange.File{{"readme.txt", []byte("what this is\n")}, {"a.txt", []byte(planner)}}, nil)
	if r.Problem == nil || !strings.Contains(strings.Join(r.Report, "\n"), "readme.txt") {
		t.Errorf("faults %v, report %q", r.Faults, r.Report)
	}
	refused(t, `{"format":"drn"}`, []interchange.File{text(machine)}, "line 1", "@model")
	refused(t, `{"format":"cassandra"}`, []interchange.File{text(machine)}, "line 1")
	refused(t, `{"format":"cs747"}`, []interchange.File{text(machine)}, "line 1")
	refused(t, `{"format":"gym"}`, []interchange.File{text(planner)}, "line 1")
	refused(t, `{"format":"prism"}`, []interchange.File{text(machine)}, "line 1")
	refused(t, `{"format":"bmdp"}`, []interchange.File{text(planner)}, "line 1")
}

func TestUTF16AndLatin1(t *testing.T) {
	var wide []byte
	for _, r := range "\ufeff" + machine {
		wide = append(wide, byte(r), byte(r>>8))
	}
	p := imported(t, "", interchange.File{"excel.txt", wide})
	if rowsOf(p) != machineRows {
		t.Error("UTF-16 is read wrong")
	}
	if q := imported(t, "", interchange.File{"excel.txt", wide[2:]}); rowsOf(q) != machineRows {
		t.Error("UTF-16 without its mark is read wrong")
	}
	zurich := text("state,action,next,p\nz\xfcrich \x80,go,z\xfcrich \x80,1\n")
	if q := imported(t, "", zurich); q.States[0] != "zürich €" {
		t.Errorf("state %q", q.States[0])
	}
	refused(t, `{"encoding":"utf-8"}`, []interchange.File{zurich}, "line 2, column 2", "UTF-8")
	if q := imported(t, "", text(strings.ReplaceAll(machine, "\n", "\r"))); rowsOf(q) != machineRows {
		t.Error("carriage returns as line ends are read wrong")
	}
}

// The ends of intervals are read as they stand beside counts or percentages of the same rows (both ends were divided by the sum of the lower ones),
// and a line is a transition, and not a step that was taken, though pairs are there again.
func TestBoundsAreBoundsWhateverStandsBeside(t *testing.T) {
	for beside, x := range map[string][4]string{"count": {"9", "1", "5", "0"}, "p": {"90", "10", "100", "0"}} {
		p := imported(t, "", text(fmt.Sprintf("state,action,next,%s,lower,upper,reward\na,x,a,%s,.8,1,3\na,x,b,%s,0,.2,3\nb,x,a,%s,.9,1,2\nb,x,b,%s,0,.1,2\n", beside, x[0], x[1], x[2], x[3])))
		u := p.Uncertainty
		if u.Kind != model.Interval || !slices.Equal(u.Lower.Prob, []float64{.8, 0, .9, 0}) || !slices.Equal(u.Upper.Prob, []float64{1, .2, 1, .1}) {
			t.Errorf("%s: read as %s: %v to %v", beside, u.Kind, u.Lower, u.Upper)
		}
	}
}

// Matrices stacked along the third axis are one for each action, also where there is one.
func TestOneMatrixIsOneAction(t *testing.T) {
	for _, call := range []string{"cat([0.9 0.1; 0.2 0.8], dims=3)", "cat([0.9 0.1; 0.2 0.8]; dims=3)"} {
		p := imported(t, "", text("P = "+call+"\nR = [1; 2]\n"))
		if len(p.States) != 2 || len(p.Actions) != 1 {
			t.Errorf("%s: %d states, %d actions", call, len(p.States), len(p.Actions))
		}
	}
}

// An array that R printed has the names of its states and actions.
func TestNamesThatArePrintedAreKept(t *testing.T) {
	p := imported(t, "", text(", , run\n\n     good bad\ngood  0.9 0.1\nbad   0.0 1.0\n\n, , fix\n\n     good bad\ngood  1.0 0.0\nbad   0.8 0.2\n"))
	if !slices.Equal(p.States, []string{"good", "bad"}) || !slices.Equal(p.Actions, []string{"run", "fix"}) {
		t.Errorf("read as states %q and actions %q", p.States, p.Actions)
	}
}
