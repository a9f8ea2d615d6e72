package interchange_test

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"

	"rcmdplab/core/interchange"
)

// door is a file as people hold it and what it comes to: a value, what it asks, that it is
// a log, or the one sentence that helps. testdata/doors.json has them, which the library, the command and the page are held to as well.
type door struct {
	Files   string          // with spaces between
	Choices json.RawMessage // that answer what is open
	Value   *float64        // of the best plan; none where nobody published it
	Within  float64         // of that value, where more than rounding
	Asks    string          // without answers, with spaces between; discount is not listed
	Says    string          // of the report, any of them between bars
	Refused string          // the sentence
	Log     bool            // steps that were taken
}

func doorsOf(t *testing.T) (doors []door) {
	data, err := os.ReadFile("testdata/doors.json")
	if err == nil {
		err = json.Unmarshal(data, &doors)
	}
	if err != nil {
		t.Fatal(err)
	}
	return doors
}

func doorFiles(t *testing.T, names string) (files []interchange.File) {
	for _, name := range strings.Fields(names) {
		files = append(files, caseFile(t, path.Join("doors", name)))
	}
	return files
}

// opened lists what is asked, without the discount.
func openedNames(r *interchange.Import) (names []string) {
	for _, c := range r.Choices {
		if c.Open && c.Name != "discount" {
			names = append(names, c.Name)
		}
	}
	return names
}

func TestEveryDoorComesToWhatItSays(t *testing.T) {
	for _, d := range doorsOf(t) {
		files := doorFiles(t, d.Files)
		bare := interchange.Read(files, nil)
		if got := strings.Join(openedNames(bare), " "); got != d.Asks {
			t.Errorf("%s asks %q, want %q", d.Files, got, d.Asks)
		}
		for _, c := range bare.Choices {
			if c.Open && len(c.Options) > 1 && (len(c.Readings) != len(c.Options) || c.Readings[0] == c.Readings[1]) {
				t.Errorf("%s: the readings of %s are %q", d.Files, c.Name, c.Readings)
			}
		}
		r := interchange.Read(files, options(t, string(d.Choices)))
		report := strings.Join(r.Report, "\n")
		if d.Says != "" && !slices.ContainsFunc(strings.Split(d.Says, "|"), func(s string) bool { return strings.Contains(report, s) }) {
			t.Errorf("%s says %q, want %q", d.Files, report, d.Says)
		}
		switch {
		case d.Log:
			if r.Columns == nil || r.Problem != nil {
				t.Errorf("%s is no log: %v", d.Files, r.Faults)
			}
		case d.Refused != "":
			if r.Problem != nil || len(r.Faults) != 1 || !strings.Contains(r.Faults[0].Message, d.Refused) {
				t.Errorf("%s: faults %v; want one sentence with %q", d.Files, r.Faults, d.Refused)
			}
		case r.Problem == nil:
			t.Errorf("%s: %v", d.Files, r.Faults)
		case d.Value != nil && !(math.Abs(optimum(t, r.Problem)-*d.Value) <= max(1e-7, d.Within)):
			t.Errorf("%s: %v, want %v", d.Files, optimum(t, r.Problem), *d.Value)
		}
	}
	for _, c := range interchange.Read(doorFiles(t, "a4-duration.csv"), nil).Choices {
		if c.Name == "objective" && c.Default != `"reward"` {
			t.Errorf("a duration is proposed as the objective: %s", c.Default)
		}
	}
	r := interchange.Read(doorFiles(t, "b3-run.csv b3-fix.csv"), nil)
	if p := r.Problem; p == nil || !slices.Equal(p.Actions, []string{"fix", "run"}) || len(p.States) != 2 || p.Uncertainty.Kernels[0].Prob[0] != 1 {
		t.Errorf("matrices: %v", r.Faults)
	}
	r = interchange.Read(doorFiles(t, "b9-ctmc.tra"), options(t, `{"rates":"uniformise"}`))
	if p := r.Problem; p == nil {
		t.Errorf("rates: %v", r.Faults)
	} else if _, prob := p.Uncertainty.Kernels[0].Row(0); !(math.Abs(prob[2]-200./201) <= 1e-12) || !(math.Abs(prob[0]-.5/201) <= 1e-15) {
		t.Errorf("uniformised row %v", prob)
	}
}

// renamed are other words for the columns of a table.
var renamed = map[string]string{"state": "From", "action": "Decision", "alternative": "Choice", "next": "To", "next_state": "new state", "probability": "Prob", "reward": "profit_eur", "cost": "cost (k€)", "duration": "time_h"}

// TestATableInDisorderIsTheSameTable: rows in another order and columns by other
// names come to the same value, or ask the same; a line that is missing never
// passes where others of its pair are there.
func TestATableInDisorderIsTheSameTable(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for _, name := range []string{"a4-duration.csv", "b4-howard-wide.csv", "k05c-howard-long.csv", "k07-tijms64.csv", "k08-machine-finite.csv"} {
		f := caseFile(t, path.Join("doors", name))
		lines := strings.Split(strings.TrimSpace(string(f.Data)), "\n")
		head, rows := lines[0], lines[1:]
		choices := `{"discount":0.9,"initial":"` + strings.SplitN(rows[0], ",", 2)[0] + `"}`
		want := interchange.Read([]interchange.File{f}, options(t, choices))
		read := func(head string, rows []string) *interchange.Import {
			return interchange.Read([]interchange.File{{f.Name, []byte(head + "\n" + strings.Join(rows, "\n") + "\n")}}, options(t, choices))
		}
		same := func(what string, r *interchange.Import) {
			if r.Problem == nil {
				t.Errorf("%s, %s: %v", name, what, r.Faults)
				return
			}
			if strings.Join(openedNames(r), " ") != strings.Join(openedNames(want), " ") {
				t.Errorf("%s, %s: asks %v, not %v", name, what, openedNames(r), openedNames(want))
			}
			if got, want := optimum(t, r.Problem), optimum(t, want.Problem); !(math.Abs(got-want) <= 1e-9*(1+math.Abs(want))) {
				t.Errorf("%s, %s: %v, want %v", name, what, got, want)
			}
		}
		for range 3 {
			mixed := slices.Clone(rows)
			random.Shuffle(len(mixed), func(i, j int) { mixed[i], mixed[j] = mixed[j], mixed[i] })
			same("shuffled", read(head, mixed))
		}
		words := strings.Split(head, ",")
		for i, w := range words {
			if r, ok := renamed[w]; ok {
				words[i] = r
			}
		}
		same("renamed", read(strings.Join(words, ","), rows))
		if name == "b4-howard-wide.csv" {
			continue
		}
		for i, row := range rows {
			r := read(head, slices.Delete(slices.Clone(rows), i, i+1))
			w := strings.Split(row, ",")
			pair, p := w[0]+","+w[1]+",", w[3]
			others := slices.ContainsFunc(rows, func(o string) bool { return o != row && strings.HasPrefix(o, pair) })
			if others && p != "0" && r.Problem != nil {
				t.Errorf("%s without %q passes", name, row)
			}
			if kinds := distinctKinds(r.Faults); kinds > 1 {
				t.Errorf("%s without %q: %d causes: %v", name, row, kinds, r.Faults)
			}
		}
	}
}

// causeOf is a message without what it quotes and counts.
func causeOf(message string) string { return particulars.ReplaceAllString(message, "") }

var particulars = regexp.MustCompile(`"[^"]*"|[^\pL ]`)

func distinctKinds(faults []interchange.Fault) int {
	kinds := map[string]bool{}
	for _, f := range faults {
		if !strings.HasPrefix(f.Message, "and ") {
			kinds[causeOf(f.Message)] = true
		}
	}
	return len(kinds)
}

func TestCodeThatComputesIsNotRun(t *testing.T) {
	for _, code := range []string{
		"P = np.zeros((2,2,2))\nfor a in range(2):\n    P[a] = [[1, 0], [0, 1]]\n",
		"P = softmax([[[1, 2], [3, 4]]])\n", "P = np.array([[[1, 0], [0, 1]]]) * 0.5\n", "P = [[[1, 0], [0, 1]]]\nR = R0 + 1\n", "P = [[[1, 0], [0, 1]]]\nP = normalise(P)\n",
		"P = np.random.dirichlet([1, 1], size=(2, 2))\n", "P = [[[1, 0], [0, 1]]]\nP[0].sort()\n", "P = np.zeros((2,2,2), order='F')\nP[0] = [[1, 0], [0, 1]]\n",
		"P = [[[1, 0], [0, 1]]]\nif True:\n    P = [[[0, 1], [0, 1]]]\n", "P = np.zeros((1,2,2))\nP[0] = [[1, 0]]\n", "P = np.zeros((1,2,2))\nP[1] = [[1, 0], [0, 1]]\n", "P = [[[x for x in range(2)]]]\n",
	} {
		if r := interchange.Read([]interchange.File{text(code)}, nil); r.Problem != nil || len(r.Faults) != 1 {
			t.Errorf("%q: problem %v, faults %v", code, r.Problem != nil, r.Faults)
		}
	}
}

func TestCodeIsReadWhereItIsData(t *testing.T) {
	toolbox := []string{"[[0.5 0.5][0.8 0.2]] [[0 1][0.1 0.9]]"}
	for name, code := range map[string]string{
		"Python":          "import numpy as np\nP = np.array([[[0.5, 0.5], [0.8, 0.2]], [[0, 1], [0.1, 0.9]]], dtype=float)  # by action\nR = np.array([[5, 10], [-1, 2]])\ngamma = 0.9\n",
		"a call":          "import mdptoolbox\nP = [[[0.5, 0.5], [0.8, 0.2]], [[0, 1], [0.1, 0.9]]]\nR = [[5, 10], [-1, 2]]\nvi = mdptoolbox.mdp.ValueIteration(P, R, 0.9)\nvi.run()\nprint(vi.policy)\n",
		"prompts":         "In [4]: P\nOut[4]: \narray([[[0.5, 0.5],\n        [0.8, 0.2]],\n\n       [[0. , 1. ],\n        [0.1, 0.9]]])\nIn [5]: R\nOut[5]: array([[ 5, 10],\n       [-1,  2]])\n",
		"by entry":        "P = np.zeros((2, 2, 2))\nP[0, 0, :] = 0.5\nP[0][1][0] = .8\nP[0, 1, 1] = .2\nP[1, 0, 1] = 1\nP[1, 1] = [.1, .9]\nR = [[5, 10], [-1, 2]]\n",
		"names":           "P0 = [[0.5, 0.5], [0.8, 0.2]]\nP1 = [[0, 1], [0.1, 0.9]]\nP = [P0, P1]\nR = [[5, 10], [-1, 2]]\n",
		"stacked":         "P = np.stack([[[0.5, 0.5], [0.8, 0.2]], [[0, 1], [0.1, 0.9]]])\nR = np.array([[5, 10], [-1, 2]])\n",
		"R, by columns":   "P <- array(c(0.5, 0.8, 0.5, 0.2, 0, 0.1, 1, 0.9), dim = c(2, 2, 2))\nR <- matrix(c(5, -1, 10, 2), nrow = 2)\n",
		"R, as printed":   ", , 1\n\n     [,1] [,2]\n[1,]  0.5  0.5\n[2,]  0.8  0.2\n\n, , 2\n\n     [,1] [,2]\n[1,]  0.0  1.0\n[2,]  0.1  0.9\n\n",
		"Julia":           "P = zeros(2, 2, 2)\nP[:, :, 1] = [0.5 0.5; 0.8 0.2]\nP[:, :, 2] = [0 1; 0.1 0.9]\nR = [5 10; -1 2]\n",
		"fractions":       "from fractions import Fraction\nP = [[[Fraction(1, 2), 1/2], [4/5, 1/5]], [[0, 1], [1/10, 9/10]]]\nR = [[5, 10], [-1, 2]]\n",
		"a notebook":      `{"cells":[{"cell_type":"markdown","source":["# an example"]},{"cell_type":"code","source":["import numpy as np\n","P = np.array([[[0.5, 0.5], [0.8, 0.2]], [[0, 1], [0.1, 0.9]]])\n"],"outputs":[]},{"cell_type":"code","source":"R = [[5, 10], [-1, 2]]","outputs":[]}],"nbformat":4,"metadata":{}}`,
		"what was shown":  `{"cells":[{"cell_type":"code","execution_count":1,"source":["env = gym.make('x')\n","P = env.P"],"outputs":[]},{"cell_type":"code","execution_count":2,"source":"P","outputs":[{"output_type":"execute_result","data":{"text/plain":["[[[0.5, 0.5], [0.8, 0.2]],\n"," [[0, 1], [0.1, 0.9]]]"]}}]}],"nbformat":4}`,
		"maps":            `{"transitions": {"0": {"0": {"0": 0.5, "1": 0.5}, "1": {"1": 1}}, "1": {"0": {"0": 0.8, "1": 0.2}, "1": {"0": 0.1, "1": 0.9}}}, "rewards": {"0": {"0": 5, "1": 10}, "1": {"0": -1, "1": 2}}}`,
		"a key for three": "P = {(0, 0, 0): 0.5, (0, 0, 1): 0.5, (0, 1, 1): 1, (1, 0, 0): 0.8, (1, 0, 1): 0.2, (1, 1, 0): 0.1, (1, 1, 1): 0.9}\nR = {(0, 0): 5, (0, 1): 10, (1, 0): -1, (1, 1): 2}\n",
	} {
		choices := `{"axes":"ASS"}`
		if strings.HasPrefix(name, "R") || name == "Julia" {
			choices = ""
		}
		r := interchange.Read([]interchange.File{text(code)}, options(t, choices))
		if r.Problem == nil {
			t.Errorf("%s: %v", name, r.Faults)
			continue
		}
		row := make([]float64, 2)
		var got []string
		for _, i := range []int{0, 2, 1, 3} {
			r.Problem.Uncertainty.Kernels[0].Dense(row, i)
			got = append(got, fmt.Sprint(row))
		}
		if s := fmt.Sprintf("[%s%s] [%s%s]", got[0], got[1], got[2], got[3]); s != toolbox[0] {
			t.Errorf("%s: %s", name, s)
		}
		if v := r.Problem.Objective.Values; !strings.Contains(name, "printed") && name != "what was shown" && name != "a notebook " && !slices.Equal(v, []float64{5, 10, -1, 2}) {
			t.Errorf("%s: rewards %v", name, v)
		}
	}
}

func TestTablesByTheirColumns(t *testing.T) {
	for name, s := range map[string]string{
		"lines":       "{\"obs\":0,\"action\":1,\"reward\":-1,\"next_obs\":1,\"terminated\":false}\n{\"obs\":1,\"action\":1,\"reward\":10,\"next_obs\":2,\"terminated\":true}\n",
		"a buffer":    `{"observations":[0,1],"actions":[1,1],"rewards":[-1,10],"next_observations":[1,2],"terminals":[false,true],"timeouts":[false,false]}`,
		"episodes":    `{"episodes":[{"observations":[0,1,2],"actions":[1,1],"rewards":[-1,10],"terminations":[false,true]},{"observations":[0,1],"actions":[1],"rewards":[0],"terminations":[false]}]}`,
		"split":       `{"columns":["state","action","next","reward","done"],"index":[0,1],"data":[["a","x","b",1,false],["b","x","a",0,true]]}`,
		"by columns":  `{"state":{"0":"a","1":"b"},"action":{"0":"x","1":"x"},"next_state":{"0":"b","1":"a"},"reward":{"0":1,"1":1},"done":{"0":false,"1":true}}`,
		"as records":  `[{"state":"a","action":"x","reward":-1,"next_state":"b","done":false},{"state":"b","action":"x","reward":-1,"next_state":"a","done":true}]`,
		"in brackets": `{"observations":[[0],[1]],"actions":[1,1],"rewards":[-1,10],"next_observations":[[1],[2]],"terminals":[0,1]}`,
	} {
		r := interchange.Read([]interchange.File{text(s)}, nil)
		if r.Columns == nil || len(r.Columns["state"]) != 1 || len(r.Columns["action"]) != 1 || len(r.Columns["reward"]) != 1 {
			t.Errorf("%s: %+v, %v", name, r.Columns, r.Faults)
		}
		if tidy, faults, _ := interchange.Tidy([]interchange.File{text(s)}, nil); len(faults) > 0 || len(tidy.Rows) < 2 {
			t.Errorf("%s: %v", name, faults)
		}
	}
	p := imported(t, `{"discount":0.9}`, text(`{"columns":["state","action","next","p"],"index":[0,1],"data":[["a","x","a",0.5],["a","x","end",0.5]]}`))
	if len(p.States) != 2 {
		t.Errorf("states %v", p.States)
	}
	refused(t, "", []interchange.File{text("from,to,rate\n0,1,3\n1,0,2\n")}, "continuous-time")
	for _, s := range []string{"Out[5]: \n{0: {0: [(1.0, 0, 2.0, False)]}}", "env.P = {0: {0: [(1.0, 0, 2.0, False)]}}", "In [3]: env.P\nOut[3]: {0: {0: [(1.0, 0, 2.0, False)]}}", "# the table\nP = {0: {0: [(1.0, 0, 2.0, False)]}}"} {
		if q := imported(t, `{"discount":0.5}`, text(s)); !(math.Abs(optimum(t, q)-4) <= 1e-9) {
			t.Errorf("%q: %v", s, optimum(t, q))
		}
	}
}

func FuzzFrames(f *testing.F) {
	fuzz(f, "table", `{"observations":[0,1,2],"actions":[1,1],"rewards":[-1,10],"terminals":[false,true]}`, `{"columns":["state","action","next","p"],"data":[["a","x","a",0.5],[]]}`, `[{"state":[1],"action":[2],"next":[]},{"state":{}}]`)
}
