package interchange

import (
	"maps"
	"math"
	"os"
	"strings"
	"testing"

	"rcmdplab/core/jsontext"
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
func strangely(f strangeFile, data []byte) *Import {
	with := Options{"discount": jsontext.Value("0.9")}
	if name, value, ok := strings.Cut(f.with, "="); ok {
		with[name] = jsontext.Value(quoted(value))
	}
	return Read([]File{{f.name, data}}, with)
}

// TestFilesAsStrangersHoldThemComeToTheSameModelAsAPlainTable: whatever the notation, the
// optimum is that of the same numbers in one transition a row.
func TestFilesAsStrangersHoldThemComeToTheSameModelAsAPlainTable(t *testing.T) {
	files, models := strangeFiles(t)
	used := maps.Clone(models)
	for _, f := range files {
		if asks := strings.Join(openedNames(Read([]File{{f.name, f.data}}, nil)), " "); asks != f.asks {
			t.Errorf("%s asks %q, want %q", f.name, asks, f.asks)
		}
		r := strangely(f, f.data)
		switch {
		case f.says != "":
			if r.Problem != nil || len(r.Faults) != 1 || !strings.Contains(r.Faults[0].Message, f.says) {
				t.Errorf("%s: %v; want one sentence with %q", f.name, r.Faults, f.says)
			}
		case f.log:
			if c := r.Columns; c == nil || r.Problem != nil || f.with == "" && (c.State == "" || c.Action == "" || c.Next == "") {
				t.Errorf("%s is no log: %+v, %v", f.name, c, r.Faults)
			}
		case r.Problem == nil:
			t.Errorf("%s: %v", f.name, r.Faults)
		default:
			delete(used, f.model)
			want := strangely(strangeFile{}, models[f.model])
			r.Problem.Discount, want.Problem.Discount = 0.9, 0.9
			if got, want := optimum(t, r.Problem), optimum(t, want.Problem); math.Abs(got-want) > 1e-9*(1+math.Abs(want)) {
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
