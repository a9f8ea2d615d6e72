package wire

import (
	"strconv"

	"rcmdplab/core/interchange"
	"rcmdplab/core/jsontext"
	"rcmdplab/core/model"
)

// files reads name and data of each file from the parts.
func files(parts [][]byte) (all []interchange.File) {
	for i := 0; i+1 < len(parts); i += 2 {
		all = append(all, interchange.File{Name: string(parts[i]), Data: parts[i+1]})
	}
	return all
}

// inspect reads files of any format: part 0 holds the options, the others name
// and data of each file. The reply says everything, faults included: it never
// refuses because of the files.
func (s *Session) inspect(parts [][]byte) []byte {
	given, _ := members(part(parts, 0))
	r := interchange.Read(files(parts[min(1, len(parts)):]), interchange.Options(given))
	t := value().open('{').key("format").str(r.Format).key("title").str(formatTitle(r.Format)).key("reason").str(r.Reason)
	t.key("counts").bool(r.Counts).key("columns")
	t.columns(r.Columns)
	list(t.key("problem").document(r.Problem).key("errors"), r.Faults, t.importFault)
	list(t.key("warnings").strs(r.Warnings).key("report").strs(r.Report).key("choices"), r.Choices, t.choice)
	t.key("preview")
	t.preview(r)
	t.key("summary").maybe(r.Problem != nil, func() { writeSummary(t, r.Problem.Standard()) })
	return t.close('}').done()
}

func formatTitle(id string) string {
	for _, f := range interchange.Formats() {
		if f.ID == id {
			return f.Title
		}
	}
	return ""
}

// importFault writes a fault of files in the shape of those of a document,
// with its place beside the message.
func (t *text) importFault(f interchange.Fault) {
	t.open('{').key("pointer").str("").key("message").str(f.Error())
	if f.Line > 0 {
		t.key("line").int(int64(f.Line)).key("column").int(int64(f.Column))
	}
	for _, m := range []struct{ key, text string }{{"file", f.File}, {"state", f.State}, {"action", f.Action}} {
		if m.text != "" {
			t.key(m.key).str(m.text)
		}
	}
	if f.Fix != nil {
		t.key("choice").open('{').key("label").str(f.Fix.Label).key("name").str(f.Fix.Name).key("value").raw(f.Fix.Value).close('}')
	}
	t.close('}')
}

func (t *text) choice(c interchange.Choice) {
	t.open('{').key("name").str(c.Name).key("label").str(c.Label).key("help").str(c.Help).key("type").str(c.Type)
	t.key("value").raw(c.Value).key("default").raw(c.Default).key("given").bool(c.Given)
	if c.Type == "number" {
		t.key("min").num(c.Min).key("max").num(c.Max)
	}
	if len(c.Options) > 0 {
		list(t.key("options"), c.Options, func(o interchange.Option) {
			t.open('{').key("value").str(o.Value).key("label").str(o.Label).close('}')
		})
	}
	if t.key("open").bool(c.Open); c.Why != "" {
		t.key("why").str(c.Why)
	}
	if c.Readings != nil {
		t.key("readings").strs(c.Readings)
	}
	t.close('}')
}

// columns writes which columns of a log are what, null for a model.
func (t *text) columns(c interchange.Columns) {
	if c == nil {
		t.null()
		return
	}
	t.open('{')
	for _, role := range interchange.OneColumn {
		for _, name := range c[role] {
			t.key(role).str(name)
		}
	}
	for _, role := range interchange.ManyColumns {
		if len(c[role]) > 0 {
			t.key(role).strs(c[role])
		}
	}
	t.close('}')
}

// previewRows is how many rows a person sees before taking a model in.
const previewRows = 12

// preview writes the first rows: of the table as it was cut, or else the
// transitions by name.
func (t *text) preview(r *interchange.Import) {
	var columns []string
	var rows [][]string
	total := 0
	switch {
	case r.Table != nil:
		total = len(r.Table.Rows)
		columns, rows = r.Table.Columns, r.Table.Rows[:min(total, previewRows)]
	case r.Problem != nil:
		columns, rows, total = interchange.Transitions(r.Problem, previewRows)
	}
	list(t.open('{').key("columns").strs(columns).key("rows"), rows, func(row []string) { t.strs(row) })
	t.key("total").int(int64(total)).close('}')
}

// formats lists what can be read and written.
func (s *Session) formats(_ [][]byte) []byte {
	t := value()
	list(t, interchange.Formats(), func(f interchange.Format) {
		t.open('{').key("id").str(f.ID).key("title").str(f.Title).key("about").str(f.About).key("extensions").strs(f.Extensions)
		t.key("reads").bool(f.Reads).key("writes").bool(f.Writes).close('}')
	})
	return t.done()
}

// tidy cuts a table for estimation, one transition a row, and says what its
// columns are: part 0 holds the options, then come name and data.
func (s *Session) tidy(parts [][]byte) []byte {
	given, _ := members(part(parts, 0))
	tidy, faults, open := interchange.Tidy(files(parts[min(1, len(parts)):]), interchange.Options(given))
	refuseFiles(faults)
	if open != nil {
		f := model.Fault{Pointer: "/" + open.Name, Message: open.Name + ": " + open.Why}
		for i, o := range open.Options {
			f.Message += [2]string{"; want ", " or "}[min(i, 1)] + strconv.Quote(o.Value) + " (" + o.Label + ")"
		}
		refuseAll(ChoiceNeeded, model.Faults{f})
	}
	t := value().open('{').key("columns").strs(tidy.Columns)
	list(t.key("rows"), tidy.Rows, func(row []jsontext.Value) {
		list(t, row, func(x jsontext.Value) { t.raw(string(x)) })
	})
	t.key("map")
	t.columns(tidy.Map)
	t.key("from").str(tidy.From)
	return t.close('}').done()
}

func refuseFiles(faults []interchange.Fault) {
	var all model.Faults
	for _, f := range faults {
		all = append(all, model.Fault{Message: f.Error(), State: f.State, Action: f.Action})
	}
	refuseAll(InvalidProblem, all)
}

// export writes a problem in a format: part 0 is the document, part 1 the
// format's id as JSON, part 2 the options. With a policy it is the chain that it makes of a kernel.
func (s *Session) export(parts [][]byte) []byte {
	p, faults, _ := model.Decode(part(parts, 0))
	refuseAll(InvalidProblem, faults)
	v, _ := jsontext.Parse(part(parts, 1))
	id, _ := v.Text()
	given, _ := members(part(parts, 2))
	lossy, _ := given["lossy"].Bool()
	var out *interchange.Written
	var err error
	if raw, ok := given["policy"]; ok {
		pi := givenPolicy(raw, p.Standard())
		kernel := 0
		if k, ok := given["kernel"]; ok {
			x, ok := k.Number()
			if kernel = int(x); !ok || float64(kernel) != x {
				refuse(InvalidOption, "kernel is the number of a kernel, from 0")
			}
		}
		out, err = interchange.WriteChain(p, pi, kernel, id)
	} else {
		out, err = interchange.Write(p, id, lossy)
	}
	refuseOn(Unsupported, err)
	t := value().open('{').key("text").str(string(out.Text)).key("extension").str(out.Extension).key("lost").strs(out.Lost)
	return t.close('}').done()
}
