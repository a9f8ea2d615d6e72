package interchange

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"rcmdplab/core/jsontext"
	"rcmdplab/core/model"
)

// source is one file's text, in UTF-8 without byte-order mark.
type source struct {
	name  string
	shown string  // the name, when faults must say which file
	data  []byte  // its text
	whole *source // of which data is only the beginning; nil where it is all
}

// head is the beginning of a file, up to the end of a line: what it takes to
// see what it is.
func (s *source) head() *source {
	const most = 64 << 10
	d, whole := s.data, (*source)(nil)
	if len(d) > most {
		d, whole = d[:most], s
		if i := bytes.LastIndexByte(d, '\n'); i > 0 {
			d = d[:i+1]
		}
	}
	return &source{name: s.name, shown: s.shown, data: d, whole: whole}
}

// input is one import in progress: the texts, the answers, and what has been
// found out so far.
type input struct {
	files []*source // as they came
	given Options   // the person's answers
	said  Options   // answers that the file itself gives, in a comment of ours

	format, reason string         // id of the format and what it was recognised by
	problem        *model.Problem // nil while there are faults
	choices        []Choice       // what was left open, in order
	faults         []Fault
	dropped        int      // faults beyond those kept
	report         []string // what was changed or left out
	warnings       []string // what is allowed and yet probably not meant
	table          *Table   // when the files are tables
	counts         bool     // its numbers are counts
	columns        Columns  // of a table that is a log
	tool           string   // whose calls stand in a text of code, as in tools
	opened         map[string]opening
	unpaid         bool // outcomes have no reward in them
	from           *int // what ids count from, 0 or 1; nil until it matters
	zero           bool // some id was 0
}

// opening is why a choice is open, and which of its answers are possible.
type opening struct {
	why     string
	answers []string // nil for all
}

// open says that a choice decides what the model is and that nothing tells it:
// unless the person or the file said it, it is asked.
func (in *input) open(name, why string, answers ...string) {
	if in.opened == nil {
		in.opened = map[string]opening{}
	}
	in.opened[name] = opening{why, answers}
}

// maxFaults is how many faults are listed; the rest is counted.
const maxFaults = 50

func newInput(files []File, options Options) *input {
	in := &input{given: options, said: Options{}}
	total := 0
	for _, f := range files {
		total += len(f.Data)
	}
	if total > MaxBytes {
		in.fail(Fault{Message: fmt.Sprintf("the text is %d MB long; at most %d MB are read", total>>20, MaxBytes>>20)})
		return in
	}
	for _, f := range files {
		s := &source{name: f.Name, data: f.Data}
		if len(files) > 1 {
			if s.shown = f.Name; s.shown == "" {
				s.shown = fmt.Sprintf("file %d", len(in.files)+1)
			}
		}
		in.files = append(in.files, s)
		in.decode(s)
	}
	if len(in.files) == 0 {
		in.fail(Fault{Message: "there is no file"})
	}
	return in
}

// decode brings the text of a file to UTF-8, or says why it is no text.
func (in *input) decode(s *source) {
	d := s.data
	if kind := binary(d); kind != "" {
		in.fail(Fault{File: s.shown, Message: "this is " + kind})
		return
	}
	switch {
	case bytes.HasPrefix(d, []byte("\xff\xfe")):
		d = fromUTF16(d[2:], 0, 1)
		in.note("the text was UTF-16")
	case len(d) > 3 && d[1] == 0 && d[3] == 0 && d[0] != 0: // as some programs write it, without a mark
		d = fromUTF16(d, 0, 1)
		in.note("the text was UTF-16")
	case bytes.HasPrefix(d, []byte("\xfe\xff")):
		d = fromUTF16(d[2:], 1, 0)
		in.note("the text was UTF-16")
	}
	d = bytes.TrimPrefix(d, []byte("\ufeff"))
	if bytes.IndexByte(d, '\n') < 0 && bytes.IndexByte(d, '\r') >= 0 { // lines as on an old Macintosh
		d = bytes.ReplaceAll(d, []byte("\r"), []byte("\n"))
	}
	s.data = d
	if i := invalid(d); i >= 0 {
		if in.choose("encoding", "How is the text encoded?", "Not all of the text is UTF-8.", "windows-1252",
			Option{"windows-1252", "Windows-1252 (western Europe)"}, Option{"latin-1", "Latin-1"}, Option{"utf-8", "UTF-8: refuse it"}) == "utf-8" {
			in.fail(s.at(i, fmt.Sprintf("byte 0x%02x is not UTF-8 text", d[i])))
			return
		}
		in.note("the text is not UTF-8: read as Windows-1252")
		s.data = fromWindows(d)
	}
	if in.notebook(s) || in.rewritten(s) {
		return
	}
	if len(bytes.TrimSpace(s.data)) == 0 {
		in.fail(Fault{File: s.shown, Message: "the file is empty"})
	}
	if i := bytes.IndexByte(s.data, 0); i >= 0 {
		in.fail(s.at(i, "a zero byte: this is no text"))
	}
}

// binary names the kinds of file that people drop and that are no text.
func binary(d []byte) string {
	for _, k := range []struct{ magic, what string }{
		{"PK\x03\x04", "a zip archive, as .xlsx workbooks and .npz files are; save the sheet as CSV, or the arrays as JSON"},
		{"\x93NUMPY", "a NumPy .npy file; save it as JSON: json.dump(P.tolist(), file)"},
		{"\x1f\x8b", "compressed with gzip; unpack it first (a .umb model is unpacked by the page and the library)"},
		{"\xfd7zXZ", "compressed with xz; unpack it first"},
		{"BZh", "compressed with bzip2; unpack it first"},
		{"PAR1", "a Parquet file; save the table as CSV: df.to_csv('table.csv', index=False)"},
		{"MATLAB 5.0 MAT-file", "a MAT-file; in MATLAB, jsonencode(struct('P', P, 'R', R)) writes the arrays as JSON"},
		{"\x89HDF", "an HDF5 or netCDF file, which cannot be read here; export the model in another format"},
		{"CDF\x01", "a netCDF file, which cannot be read here; export the model in another format"},
		{"\x89PNG", "a picture"},
		{"%PDF", "a PDF"},
		{"\xd0\xcf\x11\xe0", "an old Excel workbook; save the sheet as CSV"},
		{"\x80\x04\x95", "a Python pickle, which runs code when it is read; write the model as JSON"},
	} {
		if bytes.HasPrefix(d, []byte(k.magic)) {
			return k.what
		}
	}
	return ""
}

func fromUTF16(d []byte, lo, hi int) []byte {
	units := make([]uint16, 0, len(d)/2)
	for i := 0; i+1 < len(d); i += 2 {
		units = append(units, uint16(d[i+lo])|uint16(d[i+hi])<<8)
	}
	var b []byte
	for _, r := range utf16.Decode(units) {
		b = utf8.AppendRune(b, r)
	}
	return b
}

// windows are the characters of the bytes 0x80 to 0x9f in Windows-1252.
var windows = [32]rune{0x20ac, 0x81, 0x201a, 0x192, 0x201e, 0x2026, 0x2020, 0x2021, 0x2c6, 0x2030, 0x160, 0x2039, 0x152, 0x8d, 0x17d, 0x8f, 0x90, 0x2018, 0x2019, 0x201c, 0x201d, 0x2022, 0x2013, 0x2014, 0x2dc, 0x2122, 0x161, 0x203a, 0x153, 0x9d, 0x17e, 0x178}

func fromWindows(d []byte) (b []byte) {
	for _, c := range d {
		if r := rune(c); c >= 0x80 && c < 0xa0 {
			b = utf8.AppendRune(b, windows[c-0x80])
		} else {
			b = utf8.AppendRune(b, r)
		}
	}
	return b
}

// invalid is the first byte that is not UTF-8, or -1.
func invalid(d []byte) int {
	if utf8.Valid(d) {
		return -1
	}
	for i := 0; i < len(d); {
		r, n := utf8.DecodeRune(d[i:])
		if r == utf8.RuneError && n == 1 {
			return i
		}
		i += n
	}
	return -1
}

// at is a fault at byte i of the file.
func (s *source) at(i int, message string) Fault {
	i = max(0, min(i, len(s.data)))
	start := 1 + bytes.LastIndexByte(s.data[:i], '\n')
	return Fault{File: s.shown, Line: 1 + bytes.Count(s.data[:i], []byte("\n")), Column: 1 + utf8.RuneCount(s.data[start:i]), Message: message}
}

func (in *input) fail(f Fault) {
	if len(in.faults) >= maxFaults {
		in.dropped++
		return
	}
	in.faults = append(in.faults, f)
}

// failAt is the usual fault: at byte i of a file.
func (in *input) failAt(s *source, i int, format string, args ...any) {
	if len(in.faults) >= maxFaults { // places are not free
		in.dropped++
		return
	}
	in.fail(s.at(i, fmt.Sprintf(format, args...)))
}

// halted is what halt throws and try catches.
type halted struct{}

// halt is the fault behind which nothing can be made of a piece of a text: whoever reads it ends here.
func (in *input) halt(s *source, i int, format string, args ...any) {
	in.failAt(s, i, format, args...)
	panic(halted{})
}

// haltBy is halt with a fault that says more.
func (in *input) haltBy(f Fault) {
	in.fail(f)
	panic(halted{})
}

// try has a piece of a text read (a line, a section, all of it) and says whether nothing halted that.
func try(read func()) (whole bool) {
	defer func() {
		if r := recover(); r != nil && r != any(halted{}) {
			panic(r)
		}
	}()
	read()
	return true
}

// failAside is a fault that touches no transition.
func (in *input) failAside(s *source, i int, format string, args ...any) {
	before := len(in.faults)
	if in.failAt(s, i, format, args...); len(in.faults) > before {
		in.faults[before].aside = true
	}
}

// note adds to the report.
func (in *input) note(format string, args ...any) {
	in.report = append(in.report, fmt.Sprintf(format, args...))
}

// answer is what was said about a choice, by the person or else by the file.
func (in *input) answer(name string) (jsontext.Value, bool) {
	if v, ok := in.given[name]; ok && v.Kind() != 'n' {
		return v, true
	}
	v, ok := in.said[name]
	return v, ok && v.Kind() != 'n'
}

func (in *input) answered(name string) bool {
	_, ok := in.answer(name)
	return ok
}

// offer lists a choice, once.
func (in *input) offer(c Choice) {
	for i := range in.choices {
		if in.choices[i].Name == c.Name {
			in.choices[i] = c
			return
		}
	}
	in.choices = append(in.choices, c)
}

// choose asks for one of several answers and gives the one taken.
func (in *input) choose(name, label, help, otherwise string, options ...Option) string {
	value, said := otherwise, false
	if v, ok := in.answer(name); ok {
		s, isText := v.Text()
		if !isText {
			s = string(v)
		}
		for _, o := range options {
			if o.Value == s {
				value, said = s, true
			}
		}
		if !said {
			var all []string
			for _, o := range options {
				all = append(all, model.Quote(o.Value))
			}
			in.fail(Fault{Message: fmt.Sprintf("%s: found %s; want one of %s", name, brief(v), strings.Join(all, ", "))})
		}
	}
	in.offer(Choice{Name: name, Label: label, Help: help, Type: "choice", Value: quoted(value), Default: quoted(otherwise), Given: said, Options: options})
	return value
}

// number asks for a number in [lo, hi].
func (in *input) number(name, label, help string, otherwise, lo, hi float64) float64 {
	value, said := otherwise, false
	if v, ok := in.answer(name); ok {
		x, isNumber := v.Number()
		if s, isText := v.Text(); isText {
			y, err := strconv.ParseFloat(strings.TrimSpace(s), 64)
			x, isNumber = y, err == nil
		}
		if isNumber && x >= lo && x <= hi {
			value, said = x, true
		} else {
			in.fail(Fault{Message: fmt.Sprintf("%s: found %s; want a number from %s to %s", name, brief(v), model.Num(lo), model.Num(hi))})
		}
	}
	in.offer(Choice{Name: name, Label: label, Help: help, Type: "number", Value: model.Num(value), Default: model.Num(otherwise), Given: said, Min: lo, Max: hi})
	return value
}

func quoted(s string) string { return string(jsontext.AppendString(nil, s)) }

func brief(v jsontext.Value) string {
	if len(v) > 40 {
		return string(v[:40]) + "..."
	}
	return string(v)
}

// remark reads a comment that our own writers leave: answers to the choices
// that another tool's format has no place for. The person's answers go first.
func (in *input) remark(comment string) {
	_, rest, ok := strings.Cut(comment, "rcmdp:")
	if !ok {
		return
	}
	v, err := jsontext.Parse([]byte(strings.TrimSpace(rest)))
	if err != nil {
		return
	}
	for name, x := range v.Members {
		in.said[name] = x
	}
}
