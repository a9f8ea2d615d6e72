// Package interchange reads models written for other tools and writes ours for
// them: one file a format. A reader turns text into a draft, the one shape in
// which every format's transitions and rewards meet; build makes of a draft a
// problem of format rcmdp/1. Whatever a file leaves open is a Choice with the
// default that was taken; whatever was changed on the way is in the report.
// Nothing is repaired silently, and every fault says in which line and column.
//
// Read and Write are the doors, Formats the list. A table of rows and columns
// (Table) is cut here as well, for estimation and for blocks pasted into an editor.
// It rests on model and jsontext alone.
package interchange

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"sort"
	"strings"
	"unicode"

	"rcmdplab/core/jsontext"
	"rcmdplab/core/model"
)

// MaxBytes is the most text that is read, over all files of one model.
const MaxBytes = 50 << 20

// File is one file as it was dropped, chosen or pasted; Name may be empty.
type File struct {
	Name string // as given, with its extension; may be empty
	Data []byte // as it was read
}

// Options are the person's answers by the name of the choice, as JSON values.
// Besides the choices there is "format".
type Options map[string]jsontext.Value

// Choice is one thing that the files leave open.
type Choice struct {
	Name    string // its key in Options
	Label   string // the question, short
	Help    string // what it means
	Type    string // "number", "choice", "state", "states", "text", "limits" or "columns"
	Value   string // what was taken, as JSON
	Default string // what is taken when nothing is said, as JSON
	Given   bool   // the value was said, by the person or by the file
	Options []Option
	Min     float64 // numbers: Min <= x <= Max
	Max     float64 // see Min

	Open     bool     // nothing says it and the model depends on it: it is asked before anything is solved
	Why      string   // what keeps it open
	Readings []string // by option of an open choice: what the model then is, in words; may be nil
}

// Option is one answer to a Choice of type "choice".
type Option struct{ Value, Label string }

// Fault is one thing that keeps the files from being a model.
type Fault struct {
	File          string // which one, when there are several
	Line, Column  int    // 1-based; 0 when it belongs to no place
	Message       string
	State, Action string // by name, where the place belongs to one
	Fix           *Fix

	aside bool // it touches no transition
}

// Fix is a way out that the person can take: an answer to a choice.
type Fix struct {
	Label string // what it does, for a person
	Name  string // of the choice
	Value string // its JSON value
}

// Error is the fault in one line.
func (f Fault) Error() string {
	where := ""
	if f.Line > 0 {
		where = fmt.Sprintf("line %d, column %d: ", f.Line, f.Column)
	}
	if f.File != "" {
		where = f.File + ", " + where
		if f.Line == 0 {
			where = f.File + ": "
		}
	}
	return where + f.Message
}

// Import is what became of the files.
type Import struct {
	Format   string         // id of the format read, or "" when none was recognised
	Reason   string         // what it was recognised by
	Problem  *model.Problem // nil when there are faults, and of a log; by the defaults where a choice is open
	Faults   []Fault
	Choices  []Choice
	Report   []string // everything that was changed or left out, in order
	Warnings []string // what is allowed and yet probably not meant
	Table    *Table   // the cells, when the files are tables
	Columns  Columns  // what the columns of a log are, which is for estimation; nil for a model
	Counts   bool     // the table holds counts: estimating says more than dividing
}

// Format describes one format to a person.
type Format struct {
	ID, Title  string
	About      string   // one sentence: whose it is and what it carries
	Extensions []string // without the dot
	Reads      bool     // and is recognised by its text
	Writes     bool

	alone bool                 // one file is one model
	deep  bool                 // looks needs the whole text
	looks func(*source) string // why a file looks like it, "" when it does not
	read  func(*input) *draft
	write func(*writer)
}

// aliases are other names that people give to the formats.
var aliases = map[string]string{
	"rcmdp/1": "rcmdp", "mdptoolbox": "arrays", "quantecon": "arrays", "pomdp": "cassandra", "mdp": "cassandra", "pexp": "prism", "tra": "prism",
	"gymnasium": "gym", "csv": "table", "tsv": "table", "bmdp-tool": "bmdp", "storm": "drn", "rcraam": "craam",
}

// Formats lists the formats, the first to be asked in detection first.
func Formats() []Format {
	return []Format{rcmdpFormat, drnFormat, umbFormat, prismFormat, cassandraFormat, cs747Format, gymFormat, arraysFormat, craamFormat, bmdpFormat, tableFormat}
}

func formatOf(id string) (Format, error) {
	given := id
	id = strings.ToLower(strings.TrimSpace(id))
	if other, ok := aliases[id]; ok {
		id = other
	}
	var ids []string
	for _, f := range Formats() {
		if f.ID == id {
			return f, nil
		}
		ids = append(ids, f.ID)
	}
	return Format{}, fmt.Errorf("there is no format %s; there are %s", model.Quote(given), strings.Join(ids, ", "))
}

// Read makes a problem of the files, in the format that options name or that
// they look like. It never fails otherwise than by faults, and it never
// panics: time and memory are proportional to the text, which is at most
// MaxBytes long.
func Read(files []File, options Options) *Import {
	in := newInput(files, options)
	if len(in.faults) == 0 {
		in.run()
	}
	r := in.result()
	r.readings(files, options)
	return r
}

func (in *input) run() {
	var f Format
	if !try(func() { f = in.recognise() }) {
		return
	}
	if f.read == nil {
		in.problem = readRCMDP(in)
		return
	}
	var d *draft
	try(func() { d = f.read(in) })
	if d == nil || len(in.faults) > 0 {
		if d != nil { // the form still shows what can be chosen
			in.judgeOthers(d)
			in.ask(d)
		}
		return
	}
	in.problem = in.build(d)
}

// recognise is the format that was asked for, or the one that the text shows, with the files that are of it.
func (in *input) recognise() (f Format) {
	f, in.reason = in.whichFormat()
	if in.format = f.ID; f.alone {
		in.only(f)
	}
	return f
}

// whichFormat is that format, and what tells it.
func (in *input) whichFormat() (f Format, why string) {
	if raw, given := in.given["format"]; given {
		id, isText := raw.Text()
		if isText && id != "" && id != "auto" {
			f, err := formatOf(id)
			if err != nil {
				in.haltBy(Fault{Message: err.Error()})
			}
			return f, "you chose it"
		}
	}
	heads := make([]*source, len(in.files))
	for i, s := range in.files {
		heads[i] = s.head()
		if what := foreign(heads[i].data); what != "" {
			in.haltBy(Fault{File: s.shown, Message: "this is " + what})
		}
	}
	for _, f = range Formats() {
		for i, s := range in.files {
			if !f.deep {
				s = heads[i]
			}
			if why = f.looks(s); why != "" {
				return f, why
			}
		}
	}
	if len(in.files) == 1 && bytes.HasPrefix(bytes.TrimSpace(in.files[0].data), []byte("{")) && ours(in.files[0].data) { // its reader says what is missing
		return rcmdpFormat, "it is a JSON object"
	}
	var titles []string
	for _, f = range Formats() {
		if f.Reads {
			titles = append(titles, f.Title)
		}
	}
	in.halt(in.files[0], 0, "this looks like none of the formats that can be read: %s; choose the format if it is one of them", strings.Join(titles, ", "))
	return Format{}, ""
}

// ours says whether a JSON object has a field of a problem of ours.
func ours(d []byte) bool {
	for _, field := range []string{`"format"`, `"states"`, `"actions"`, `"discount"`, `"objective"`, `"constraints"`, `"uncertainty"`} {
		if bytes.Contains(d, []byte(field)) {
			return true
		}
	}
	return false
}

// foreign names the kinds of text that people bring and that are no model
// written out, and says how to come by one; "" for all others.
func foreign(head []byte) string {
	const compile = "; build it with the program that it is for and export the result: as DRN (storm --exportbuild model.drn) or explicitly (prism -exportmodel model.all)"
	text := string(bytes.ToLower(bytes.TrimSpace(head)))
	for _, k := range []struct{ begins, holds, what string }{
		{"<!doctype", "", "a web page, not the file it shows; save the file itself"},
		{"<html", "", "a web page, not the file it shows; save the file itself"},
		{"<?xml", "", "XML, which no format read here is written in"},
		{"digraph", "", "a drawing for Graphviz, whose labels are free text; write a table with one transition a row: state, action, next state, probability, reward"},
		{"graph {", "", "a drawing for Graphviz, whose labels are free text; write a table with one transition a row: state, action, next state, probability, reward"},
		{"(define (", "", "PPDDL, which describes states by facts" + compile},
		{"domain ", "{", "RDDL, which describes states by variables" + compile},
		{"", "pvariables {", "RDDL, which describes states by variables" + compile},
		{"(0, ", ")\t", "a sparse matrix as SciPy prints it; print(json.dumps(P.toarray().tolist())) in Python writes it as JSON"},
		{"", `"jani-version"`, "a JANI model, which describes states by variables" + compile},
		{"", "= {[", "MATLAB code; in MATLAB, jsonencode(struct('P', P, 'R', R)) writes the arrays as JSON"},
		{"", "={[", "MATLAB code; in MATLAB, jsonencode(struct('P', P, 'R', R)) writes the arrays as JSON"},
	} {
		if strings.HasPrefix(text, k.begins) && strings.Contains(text, k.holds) {
			return k.what
		}
	}
	if looksYAML(head) {
		return "YAML; JSON of the same form is read: python3 -c 'import sys, json, yaml; json.dump(yaml.safe_load(sys.stdin), sys.stdout)' < model.yaml > model.json"
	}
	if strings.Contains(text, "\nmodule ") && strings.Contains(text, "->") {
		return "a program in PRISM's language, which describes states by variables" + compile
	}
	return ""
}

// looksYAML says whether a text is YAML with the parts of a model: keys at the
// beginning of lines, and lists or maps of YAML's behind or below them.
func looksYAML(head []byte) bool {
	keys, marks := 0, 0
	if nestedYAML(head) {
		return true
	}
	for line := range bytes.Lines(head) {
		item := bytes.HasPrefix(line, []byte("- "))
		key, rest, ok := bytes.Cut(bytes.TrimRight(bytes.TrimPrefix(line, []byte("- ")), " \r\n"), []byte(":"))
		if item && ok && roleOf(string(key)) != "" {
			keys, marks = keys+1, marks+1
		}
		switch rest = bytes.TrimSpace(rest); {
		case bytes.HasPrefix(line, []byte("---")), bytes.HasPrefix(bytes.TrimSpace(line), []byte("- ")):
			marks++
		case ok && len(key) > 0 && slices.Contains([]string{"states", "actions", "transitions", "rewards", "reward", "costs", "P", "R", "discount", "gamma", "initial"}, string(key)):
			keys++
			if len(rest) == 0 || rest[0] == '[' || rest[0] == '{' {
				marks++
			}
		}
	}
	return keys >= 2 && marks >= 2
}

// nestedYAML says whether every line is a key of a map, some of them below another.
func nestedYAML(head []byte) bool {
	below := 0
	for line := range bytes.Lines(head) {
		t := bytes.TrimSpace(line)
		if len(t) == 0 || t[0] == '#' {
			continue
		}
		key, rest, ok := bytes.Cut(t, []byte(":"))
		rest = bytes.TrimSpace(rest)
		if !ok || len(key) == 0 || bytes.ContainsAny(key, "[](){}\"=<,;\t") || len(rest) > 0 && rest[0] != '{' && rest[0] != '[' {
			return false
		}
		if line[0] == ' ' {
			below++
		}
	}
	return below > 1
}

// only leaves the one file of a format whose files stand alone; others beside
// it are left out, and two models halt.
func (in *input) only(f Format) {
	var found []*source
	for _, s := range in.files {
		if len(in.files) == 1 || f.looks(s) != "" {
			found = append(found, s)
		}
	}
	switch len(found) {
	case 1:
		for _, s := range in.files {
			if s != found[0] {
				in.note("%s is no part of a model of this format and is left out", model.Quote(s.shown))
			}
		}
		in.files = found
	case 0:
		in.haltBy(Fault{Message: fmt.Sprintf("one file is one model in the format %s, and here are %d", f.Title, len(in.files))})
	default:
		in.haltBy(Fault{Message: fmt.Sprintf("%s and %s are two models; open one at a time", model.Quote(found[0].shown), model.Quote(found[1].shown))})
	}
}

// readRCMDP passes our own format on to its own reader.
func readRCMDP(in *input) *model.Problem {
	p, faults, warnings := model.Decode(in.files[0].data)
	for _, f := range faults {
		in.fail(Fault{File: in.files[0].shown, Message: strings.TrimPrefix(f.Pointer+": "+f.Message, ": "), State: f.State, Action: f.Action})
	}
	in.warnings = append(in.warnings, warnings...)
	return p
}

var rcmdpFormat = Format{
	ID: "rcmdp", Title: "RCMDP Lab document", About: "This lab's own format, rcmdp/1: everything that a problem has.", Extensions: []string{"json"}, Reads: true, Writes: true, alone: true, deep: true,
	looks: func(f *source) string {
		t := bytes.TrimLeft(f.data, " \t\r\n")
		if len(t) == 0 || t[0] != '{' {
			return ""
		}
		if bytes.Contains(t[:min(len(t), 4096)], []byte(`"rcmdp/`)) {
			return `it says "format": "rcmdp/1"`
		}
		if _, rest, ok := bytes.Cut(t, []byte(`"uncertainty"`)); ok && bytes.HasPrefix(bytes.TrimLeft(rest, " :\t\r\n"), []byte("{")) {
			return "it has an uncertainty set"
		}
		return ""
	},
	write: func(w *writer) { w.b = append(w.b, w.p.Encode()...) },
}

// result gathers what there is to say.
func (in *input) result() *Import {
	r := &Import{Format: in.format, Reason: in.reason, Choices: in.choices, Report: in.report, Warnings: in.warnings, Table: in.table, Counts: in.counts, Columns: in.columns}
	for name := range in.given {
		known := name == "format" || slices.ContainsFunc(in.choices, func(c Choice) bool { return c.Name == name }) || slices.Contains(choiceNames, name)
		if !known {
			in.fail(Fault{Message: fmt.Sprintf("%s is no choice of an import; there are format, %s", model.Quote(name), strings.Join(choiceNames, ", "))})
		}
	}
	sort.SliceStable(in.faults, func(i, j int) bool {
		x, y := in.faults[i], in.faults[j]
		return cmp.Or(strings.Compare(x.File, y.File), x.Line-y.Line, x.Column-y.Column) < 0
	})
	lines := 0
	for _, s := range in.files {
		lines += 1 + bytes.Count(s.data, []byte("\n"))
	}
	r.Faults = causes(in.faults, in.dropped, lines)
	if len(r.Faults) == 0 {
		r.Problem = in.problem
	}
	for i := range r.Choices {
		c := &r.Choices[i]
		open := in.opened[c.Name]
		if layout := in.opened["layout"].why; layout != "" && c.Name != "layout" && !in.answered("layout") { // what else is open depends on it
			open = opening{}
		}
		c.Why = open.why
		c.Open = c.Why != "" && !c.Given
		if value, err := jsontext.Parse([]byte(c.Value)); err == nil && open.answers != nil {
			if taken, _ := value.Text(); slices.Contains(open.answers, taken) {
				c.Options = slices.DeleteFunc(slices.Clone(c.Options), func(o Option) bool { return !slices.Contains(open.answers, o.Value) })
			}
		}
	}
	return r
}

// mostShown is how many places of one cause are told, and of how many causes.
const mostShown = 3

// causes keeps the first cause, faults of its kind in a few places, and others that it
// cannot have led to: of another kind, in lines and of pairs of which nothing was said before. Where the
// first is in half of the lines, the text is not what it was taken for, and all else may follow from that.
func causes(faults []Fault, dropped, lines int) (kept []Fault) {
	var kinds []string
	said := map[string]bool{}
	for len(kinds) < mostShown {
		kind, shown, more := "", 0, 0
		var places []string
		for _, f := range faults {
			k := kindOf(f.Message)
			at := fmt.Sprint(f.File, "\x00", f.Line)
			pair := f.State + "\x00" + f.Action
			if slices.Contains(kinds, k) || f.State == "" && f.Line > 0 && said[at] || f.State != "" && said[pair] || len(kinds) > 0 && f.Line == 0 && f.State == "" && !f.aside || kind != "" && k != kind {
				continue
			}
			kind = k
			if places = append(places, at, pair); shown < mostShown {
				kept = append(kept, f)
				shown++
			} else {
				more++
			}
		}
		if kind == "" {
			break
		}
		if kinds = append(kinds, kind); len(kinds) == 1 {
			more += dropped
		}
		if more > 0 {
			kept = append(kept, Fault{Message: fmt.Sprintf("and %d more like it", more)})
		}
		if dropped > 0 || shown+more > 1 && 2*(shown+more) >= lines-1 {
			break
		}
		for _, p := range places {
			said[p] = p != "\x00"
		}
	}
	return kept
}

// kindOf is a message without what it quotes and counts.
func kindOf(message string) string {
	var b strings.Builder
	quoted := false
	for _, r := range message {
		if r == '"' {
			quoted = !quoted
		}
		if !quoted && (unicode.IsLetter(r) || r == ' ') {
			b.WriteRune(r)
		}
	}
	return b.String()
}
