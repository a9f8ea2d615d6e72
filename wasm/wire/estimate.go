package wire

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"rcmdplab/core/estimate"
	"rcmdplab/core/interchange"
	"rcmdplab/core/jsontext"
	"rcmdplab/core/model"
)

// estimate makes a model of logs: part 0 is the table {"columns", "rows"}, part
// 1 the options.
func (s *Session) estimate(parts [][]byte) []byte {
	var from string
	table := readTable(part(parts, 0), &from)
	columns := interchange.LogColumns(table.Columns, table.Cells)
	o := readEstimate(part(parts, 1), columns)
	d, faults := estimate.Read(table, estimate.Columns(columns))
	refuseAll(InvalidProblem, faults)
	refuseAll(ChoiceNeeded, openObjective(d, &o, columns))
	r, faults := estimate.Run(d, o)
	code := InvalidOption
	if d.Unordered && o.Initial == "" {
		code = ChoiceNeeded
	}
	refuseAll(code, faults)
	if from != "" {
		r.Problem.Source += "; of " + from
	}
	t := value().open('{').key("problem").document(r.Problem).key("heldOut").document(r.HeldOut)
	t.key("warnings").strs(r.Warnings).key("summary")
	writeEstimate(t, d, r)
	return t.close('}').done()
}

// openObjective is the question that a log leaves open: what is optimised, and
// whether more or less of it is better.
func openObjective(d *estimate.Data, o *estimate.Options, columns interchange.Columns) model.Faults {
	var names []string
	for _, c := range d.Costs {
		names = append(names, c.Name)
	}
	switch {
	case o.Objective != "" || len(names) == 0:
		return nil
	case len(names) > 1:
		return model.Faults{{Pointer: "/objective", Message: "objective: the log does not say which column is to be optimised; want " + strings.Join(names, " or ") +
			`, as {"column": "` + names[0] + `", "sense": "minimize"}; others can have a limit`}}
	case o.Sense == "" && slices.Contains(columns["number"], names[0]):
		return model.Faults{{Pointer: "/objective/sense", Message: "objective: the name " + names[0] + ` does not say whether more or less of it is better; want {"column": "` + names[0] + `", "sense": "minimize"} or "maximize"`}}
	}
	return nil
}

// readTable reads rows of words and numbers; nothing is an empty cell.
func readTable(raw []byte, from *string) (t estimate.Table) {
	bad := func(pointer, format string, args ...any) {
		refuseAll(InvalidProblem, model.Faults{{Pointer: pointer, Message: fmt.Sprintf(format, args...)}})
	}
	v, err := jsontext.Parse(raw)
	if err != nil || v.Kind() != '{' {
		bad("", `a table is an object {"columns": [...], "rows": [[...], ...]}`)
	}
	var rows jsontext.Value
	if err := v.Decode(jsontext.Fields{"columns": &t.Columns, "rows": &rows, "from": from}, nil); err != nil {
		var e *jsontext.ValueError
		if errors.As(err, &e) {
			bad(e.Pointer, "%s", e.Message)
		}
		refuse(Unsupported, err.Error())
	}
	if rows.Kind() != '[' {
		bad("/rows", "want a list of rows, one list of cells for each")
	}
	for i, row := range rows.Elements {
		n := 0
		for j, c := range row.Elements {
			switch c.Kind() {
			case '"':
				s, _ := c.Text()
				t.Cells = append(t.Cells, s)
			case '0', 't':
				t.Cells = append(t.Cells, string(c))
			case 'n':
				t.Cells = append(t.Cells, "")
			default:
				bad(fmt.Sprintf("/rows/%d/%d", i, j), "row %d: found %s; want a word or a number", i+1, brief(c))
			}
			n++
		}
		if n != len(t.Columns) {
			bad(fmt.Sprintf("/rows/%d", i), "row %d has %s; want %d, one for each column", i+1, model.Count(n, "cell"), len(t.Columns))
		}
	}
	return t
}

// word reads a string.
func word(to func(string)) func(jsontext.Value) error {
	return func(v jsontext.Value) error {
		var s string
		err := v.Set(&s)
		to(s)
		return err
	}
}

// costOption reads the name of a column, or an object with it, its scale and
// what else more allows.
func costOption(column *string, average *bool, more jsontext.Fields) func(jsontext.Value) error {
	return func(v jsontext.Value) error {
		if s, ok := v.Text(); ok {
			*column = s
			return nil
		}
		more["column"] = column
		more["scale"] = word(func(s string) { *average = s == "average" })
		return v.Decode(more, func(name string) error {
			return &jsontext.ValueError{Pointer: "/" + jsontext.Escape(name), Message: "no such field"}
		})
	}
}

// limitOption reads one limit of an estimate.
func limitOption(l *estimate.Limit, v jsontext.Value) error {
	bound := func(v jsontext.Value) error { return v.Set(&l.Bound) }
	return costOption(&l.Column, &l.Average, jsontext.Fields{
		"atMost":  bound,
		"atLeast": func(v jsontext.Value) error { l.AtLeast = true; return bound(v) },
	})(v)
}

// estimateOptions are the options of an estimate by name; what is said of columns
// goes before what their names say.
func estimateOptions(o *estimate.Options, columns interchange.Columns) jsontext.Fields {
	return jsontext.Fields{
		"kind":       word(func(s string) { o.Kind = estimate.Kind(s) }),
		"untried":    word(func(s string) { o.Untried = estimate.Untried(s) }),
		"confidence": &o.Confidence, "samples": &o.Samples, "successors": &o.Successors,
		"prior": func(v jsontext.Value) error {
			err := v.Set(&o.Prior)
			if err == nil && o.Prior < 0 {
				return &jsontext.ValueError{Message: "got " + string(v) + "; want a number >= 0"}
			}
			return err
		},
		"seed": func(v jsontext.Value) (err error) {
			var message string
			if o.Seed, message = readSeed(v); message != "" {
				return &jsontext.ValueError{Message: message}
			}
			return nil
		},
		"heldOut": &o.HeldOut, "resamples": &o.Resamples, "name": &o.Name, "discount": &o.Discount, "initial": &o.Initial,
		"objective":   costOption(&o.Objective, &o.Average, jsontext.Fields{"sense": word(func(s string) { o.Sense = s })}),
		"constraints": jsontext.List(&o.Limits, limitOption),
		"columns": func(v jsontext.Value) error {
			for role, x := range v.Members {
				var names []string
				if name, ok := x.Text(); ok {
					names = []string{name}
				} else if x.Kind() != '[' || x.Set(&names) != nil {
					return &jsontext.ValueError{Pointer: "/" + jsontext.Escape(role), Message: "want the name of a column, or a list of them"}
				}
				if !columns.Set(role, names) {
					return &jsontext.ValueError{Pointer: "/" + jsontext.Escape(role), Message: "no such role of a column, or more than one column for it; the roles are episode, step, state, action, next and count with one column, done, cut, cost, reward and number (cost or reward) with any number"}
				}
			}
			return nil
		},
	}
}

// readEstimate reads the options of an estimate and what they say of columns.
func readEstimate(raw []byte, columns interchange.Columns) (o estimate.Options) {
	o.Prior = -1
	fields := estimateOptions(&o, columns)
	each(raw, func(name string, v jsontext.Value) model.Faults {
		to, known := fields[name]
		if !known {
			return wrong(name + ": no such option of an estimate")
		}
		var e *jsontext.ValueError
		if v.Kind() != 'n' && errors.As(v.Set(to), &e) {
			return model.Faults{{Pointer: e.Pointer, Message: name + ": " + e.Message}}
		}
		return nil
	})
	return o
}

func writeEstimate(t *text, d *estimate.Data, r *estimate.Result) {
	o := &r.Options
	t.open('{').key("kind").str(string(o.Kind)).key("title").str(r.About.Title).key("formula").str(r.About.Formula)
	t.key("source").str(r.About.Source).key("guarantee").str(r.About.Guarantee)
	t.key("confidence").num(o.Confidence).key("reached").num(r.Reached).key("share").num(r.Share)
	t.key("samples").int(int64(o.Samples)).key("untried").str(string(o.Untried)).key("successors").str(o.Successors)
	t.key("seed").str(strconv.FormatUint(o.Seed, 10)).key("initial").str(o.Initial)
	t.key("steps").num(r.Steps).key("episodes").int(int64(r.Episodes))
	t.key("states").int(int64(len(d.States))).key("actions").int(int64(len(d.Actions)))
	t.key("tried").int(int64(len(r.Pairs))).key("neverTried").int(int64(r.Untried)).key("ends").strs(r.Ends)
	list(t.key("costs"), d.Costs, func(c estimate.Column) { t.str(c.Name) })
	list(t.key("gains"), d.Costs, func(c estimate.Column) {
		if c.Gain {
			t.str(c.Name)
		}
	})
	t.key("rows").int(int64(d.Rows())).key("unordered").bool(d.Unordered)
	t.key("heldOutSteps").num(r.HeldOutSteps).key("heldOutMissing").num(r.HeldOutMissing)
	list(t.key("pairs"), r.Pairs, func(p estimate.Pair) {
		t.open('{').key("state").str(p.State).key("action").str(p.Action).key("n").num(p.N)
		t.key("successors").int(int64(p.Successors)).key("radius").num(p.Radius).close('}')
	})
	t.close('}')
}
