package interchange_test

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"rcmdplab/core/interchange"
	"rcmdplab/core/jsontext"
	"rcmdplab/core/model"
)

// strangeFile is one file as somebody has it, and what it must come to.
type strangeFile struct {
	name, model string // of a model that is written out in the same file as a plain table
	asks, says  string
	log         bool
	with        string // an answer, name=value
	data        []byte
}

// strangeFiles are those of testdata/strange.txt, with the models written out.
func strangeFiles(t testing.TB) (files []strangeFile, models map[string][]byte) {
	data, err := os.ReadFile("testdata/strange.txt")
	if err != nil {
		t.Fatal(err)
	}
	models = map[string][]byte{}
	for _, part := range strings.Split("\n"+string(data), "\n-- ")[1:] {
		head, body, _ := strings.Cut(part, "\n")
		w := strings.Fields(head)
		if w[0] == "model" {
			models[w[1]] = []byte(body + "\n")
			continue
		}
		f := strangeFile{name: w[0], data: []byte(body + "\n")}
		for i := 1; i < len(w); i++ {
			switch w[i] {
			case "log":
				f.log = true
			case "asks":
				i++
				f.asks = w[i]
			case "with":
				i++
				f.with = w[i]
			case "says":
				f.says = strings.Join(w[i+1:], " ")
				i = len(w)
			default:
				f.model = w[i]
			}
		}
		files = append(files, f)
	}
	return files, models
}

// strangely reads a file with a discount and what it is said to need.
func strangely(f strangeFile, data []byte) *interchange.Import {
	with := interchange.Options{"discount": jsontext.Value("0.9")}
	if name, value, ok := strings.Cut(f.with, "="); ok {
		with[name] = jsontext.AppendString(nil, value)
	}
	return interchange.Read([]interchange.File{{f.name, data}}, with)
}

// TestFilesAsStrangersHoldThemComeToTheSameModelAsAPlainTable: whatever the notation, the
// optimum is that of the same numbers in one transition a row.
func TestFilesAsStrangersHoldThemComeToTheSameModelAsAPlainTable(t *testing.T) {
	files, models := strangeFiles(t)
	used := maps.Clone(models)
	for _, f := range files {
		if asks := strings.Join(openedNames(interchange.Read([]interchange.File{{f.name, f.data}}, nil)), " "); asks != f.asks {
			t.Errorf("%s asks %q, want %q", f.name, asks, f.asks)
		}
		r := strangely(f, f.data)
		switch {
		case f.says != "":
			if r.Problem != nil || len(r.Faults) != 1 || !strings.Contains(r.Faults[0].Message, f.says) {
				t.Errorf("%s: %v; want one sentence with %q", f.name, r.Faults, f.says)
			}
		case f.log:
			if c := r.Columns; c == nil || r.Problem != nil || f.with == "" && (c["state"] == nil || c["action"] == nil || c["next"] == nil && c["episode"] == nil) {
				t.Errorf("%s is no log: %+v, %v", f.name, c, r.Faults)
			}
		case r.Problem == nil:
			t.Errorf("%s: %v", f.name, r.Faults)
		default:
			delete(used, f.model)
			want := strangely(strangeFile{}, models[f.model])
			r.Problem.Discount, want.Problem.Discount = 0.9, 0.9
			if got, want := optimum(t, r.Problem), optimum(t, want.Problem); !(math.Abs(got-want) <= 1e-9*(1+math.Abs(want))) {
				t.Errorf("%s: %v, want %v", f.name, got, want)
			}
		}
	}
	for name := range used {
		t.Errorf("no file is the model %s", name)
	}
}

func FuzzStrange(f *testing.F) {
	files, _ := strangeFiles(f)
	var seeds []string
	for _, file := range files {
		seeds = append(seeds, string(file.data))
	}
	fuzz(f, "", seeds...)
}

// TestTwoIndependentCausesAreTwoSentences: each fault alone is one sentence, and both are
// said where they are of different pairs; what one of them leads to is not said.
func TestTwoIndependentCausesAreTwoSentences(t *testing.T) {
	for name, c := range map[string]struct{ text, a, badA, saysA, b, badB, saysB string }{
		"table": {"state,action,next,p,reward\ngood,run,good,0.9,10\ngood,run,bad,0.1,10\ngood,fix,good,1,5\nbad,run,bad,1,1\nbad,fix,good,0.8,2\nbad,fix,bad,0.2,2\n",
			"good,0.8,2", "good,O.8,2", `found "O.8"`, "bad,1,1", "bad,0.7,1", "sum to 0.7"},
		"table, costs": {"state,action,next,p,reward\ngood,run,good,0.9,10\ngood,run,bad,0.1,10\ngood,fix,good,1,5\nbad,run,bad,1,1\nbad,fix,good,0.8,2\nbad,fix,bad,0.2,2\n",
			"good,0.8,2", "good,0.8,two", `found "two"`, "bad,1,1", "bad,1.7,1", "is 1.7; want a probability"},
		"DRN": {"@type: MDP\n@parameters\n\n@reward_models\nr\n@nr_states\n2\n@nr_choices\n3\n@model\nstate 0 init\n\taction a [1]\n\t\t0 : 0.5\n\t\t1 : 0.5\n\taction b [0]\n\t\t1 : 1\nstate 1\n\taction a [0]\n\t\t1 : 1\n",
			"\t\t0 : 0.5", "\t\t0 : 1.5", "is 1.5; want a probability", "b [0]\n\t\t1 : 1", "b [0]\n\t\t1 : 0.7", "sum to 0.7"},
		"gym": {`{"0": {"0": [[0.5, 0, 1, false], [0.5, 1, 0, true]], "1": [[1, 1, 0, true]]},` + "\n" + `"1": {"0": [[1, 1, 0, true]]}}`,
			"[0.5, 0, 1, false]", "[5, 0, 1, false]", "is 5; want a probability", `"1": [[1, 1,`, `"1": [[0.7, 1,`, "sum to 0.7"},
		"arrays": {"{\"P\": [[[0.5, 0.5], [0, 1]],\n [[1, 0], [0, 1]], [[0.5, 0.5], [0, 1]]],\n \"R\": [[1, 2, 3], [3, 4, 5]], \"discount\": 0.9}", "[1, 2, 3], [3, 4, 5]", "[1, 2], [3, 4]", "want one for each state", "[[1, 0]", "[[0.7, 0]", "sum to 0.7"},
		"CS747":  {"numStates 2\nnumActions 2\nend 1\ntransition 0 0 0 1 0.5\ntransition 0 0 1 1 0.5\ntransition 0 1 1 2 1\nmdptype episodic\ndiscount 0.9\n", "1 1 0.5", "1 1 5", "is 5; want a probability", "1 2 1\n", "1 2 0.7\n", "sum to 0.7"},
	} {
		said := func(bad ...string) (all []string, text string) {
			s := strings.NewReplacer(bad...).Replace(c.text)
			r := interchange.Read([]interchange.File{text1(s)}, interchange.Options{"discount": jsontext.Value("0.9")})
			kinds := map[string]bool{}
			for _, f := range r.Faults {
				if k := causeOf(f.Message); !kinds[k] {
					kinds[k] = true
					all = append(all, f.Error())
				}
			}
			return all, strings.Join(all, "\n")
		}
		if all, _ := said(); len(all) > 0 {
			t.Errorf("%s: %q", name, all)
		}
		if all, s := said(c.a, c.badA); len(all) != 1 || !strings.Contains(s, c.saysA) {
			t.Errorf("%s, the first: %q", name, all)
		}
		if all, s := said(c.b, c.badB); len(all) != 1 || !strings.Contains(s, c.saysB) {
			t.Errorf("%s, the second: %q", name, all)
		}
		if all, s := said(c.a, c.badA, c.b, c.badB); len(all) != 2 || !strings.Contains(s, c.saysA) || !strings.Contains(s, c.saysB) {
			t.Errorf("%s, both: %q", name, all)
		}
	}
}

func text1(s string) interchange.File { return interchange.File{"", []byte(s)} }

// TestFilesInDisorderComeToTheSameOrToASentence: of all files here and among the doors, with a
// line missing, in another order, and with other headings.
func TestFilesInDisorderComeToTheSameOrToASentence(t *testing.T) {
	type file struct {
		name, text string
		with       interchange.Options
	}
	var all []file
	strange, _ := strangeFiles(t)
	for _, f := range strange {
		with := interchange.Options{}
		if name, value, ok := strings.Cut(f.with, "="); ok {
			with[name] = jsontext.AppendString(nil, value)
		}
		all = append(all, file{f.name, string(f.data), with})
	}
	for _, d := range doorsOf(t) {
		if names := strings.Fields(d.Files); len(names) == 1 {
			all = append(all, file{names[0], string(doorFiles(t, d.Files)[0].Data), options(t, string(d.Choices))})
		}
	}
	random := rand.New(rand.NewPCG(3, 4))
	read := func(f file, text string) *interchange.Import {
		with := maps.Clone(f.with)
		if with == nil {
			with = interchange.Options{}
		}
		with["discount"] = jsontext.Value("0.9")
		return interchange.Read([]interchange.File{{f.name, []byte(text)}}, with)
	}
	for _, f := range all {
		lines := strings.Split(strings.TrimRight(f.text, "\n"), "\n")
		whole := read(f, f.text)
		asked := f.with["layout"] != nil || f.with["objective"] != nil // by a name that is another then
		table := whole.Format == "table" && !asked && !strings.ContainsAny(f.text[:1], `{[(\#`) && !strings.HasSuffix(f.name, ".py") && !strings.HasSuffix(f.name, ".txt") && !strings.HasSuffix(f.name, ".tex") && !strings.HasPrefix(f.name, "k0") && len(lines) > 3
		judge := func(what string, r *interchange.Import, same bool) {
			kinds := distinctKinds(r.Faults)
			if r.Columns == nil && r.Problem == nil && (kinds == 0 || kinds > 2) || r.Problem != nil && kinds > 0 {
				t.Errorf("%s, %s: %d causes: %v", f.name, what, kinds, r.Faults)
			}
			if !same || whole.Problem == nil || r.Problem == nil || len(openedNames(r)) > 0 {
				if same && (r.Problem == nil) != (whole.Problem == nil) {
					t.Errorf("%s, %s: %v", f.name, what, r.Faults)
				}
				return
			}
			start := whole.Problem.States[slices.Index(whole.Problem.Initial, 1)]
			with := func(p *model.Problem) float64 {
				p.Initial = make([]float64, len(p.States))
				p.Initial[slices.Index(p.States, start)] = 1
				p.Discount = 0.9
				return optimum(t, p)
			}
			if got, want := with(r.Problem), with(whole.Problem); !(math.Abs(got-want) <= 1e-9*(1+math.Abs(want))) {
				t.Errorf("%s, %s: %v, want %v", f.name, what, got, want)
			}
		}
		if len(lines) < 60 {
			for i := range lines {
				judge(fmt.Sprint("without line ", i+1), read(f, strings.Join(slices.Delete(slices.Clone(lines), i, i+1), "\n")+"\n"), false)
			}
		}
		for range 3 {
			mixed := slices.Clone(lines)
			rest := mixed[1:]
			random.Shuffle(len(rest), func(i, j int) { rest[i], rest[j] = rest[j], rest[i] })
			judge("in another order", read(f, strings.Join(mixed, "\n")+"\n"), table && !strings.Contains(f.name, "md") && whole.Table.Title == "" && !strings.Contains(f.name, "pandas"))
		}
		if table {
			words := strings.Split(lines[0], whole.Table.Separator)
			for i, w := range words {
				words[i] = cmp.Or(renamed[w], w)
			}
			judge("with other headings", read(f, strings.Join(append([]string{strings.Join(words, whole.Table.Separator)}, lines[1:]...), "\n")+"\n"), true)
		}
	}
}

// TestAChainOfIntervalsHasItsNamesAndBounds: matrices without an axis of actions, their bounds and the names beside them.
func TestAChainOfIntervalsHasItsNamesAndBounds(t *testing.T) {
	r := interchange.Read([]interchange.File{text1(`{"lower": [[0.8, 0.1], [0.4, 0.5]], "upper": [[0.9, 0.2], [0.5, 0.6]], "R": [1, 2], "discount": 0.9, "states": ["up", "down"]}`)}, nil)
	if r.Problem == nil {
		t.Fatal(r.Faults)
	}
	u := r.Problem.Uncertainty
	if u.Kind != model.Interval || !slices.Equal(u.Lower.Prob, []float64{0.8, 0.1, 0.4, 0.5}) || !slices.Equal(u.Upper.Prob, []float64{0.9, 0.2, 0.5, 0.6}) {
		t.Errorf("%v of %v to %v", u.Kind, u.Lower, u.Upper)
	}
	if !slices.Equal(r.Problem.States, []string{"up", "down"}) {
		t.Errorf("states %q", r.Problem.States)
	}
}
