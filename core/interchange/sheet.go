package interchange

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"rcmdplab/core/jsontext"
	"rcmdplab/core/model"
)

// sheet is one table with what its columns mean.
type sheet struct {
	*Table
	layout string   // one of layouts
	role   []string // by column
	values string   // "p", "percent" or "count"
	said   bool     // the person said what the columns are
	file   *source  // where its cells' places are
}

// column is the first column of a role, or -1.
func (s *sheet) column(role string) int { return slices.Index(s.role, role) }

var layouts = []Option{{"long", "one transition a row"}, {"wide", "one column for each next state"}, {"pairs", "one pair a row: p1, p2, ..., r1, ..."},
	{"costs", "a cost sheet: state, action, costs"}, {"log", "a log: one step that was taken a row"}}

var roleOptions = []Option{{roleState, "state"}, {roleAction, "action"}, {roleNext, "next state"}, {roleP, "probability"}, {roleCount, "count"}, {roleCost, "cost (less is better)"},
	{roleReward, "reward (more is better)"}, {roleLower, "lower bound"}, {roleUpper, "upper bound"}, {roleKernel, "kernel"},
	{roleEpisode, "episode"}, {roleStep, "step"}, {roleDone, "ends the episode (done)"}, {roleCut, "breaks it off (truncated)"}, {roleLabel, "value by next state"}, {roleNone, "leave out"}}

// openSheet cuts a file and asks what its columns are. The choices are those of
// the first file; others are taken as they look.
func (in *input) openSheet(f *source, first, ids bool) *sheet {
	o := TableOptions{}
	if first {
		o.Separator, o.Decimal, o.Header = in.tableAnswers()
	}
	t := in.cut(f, o)
	if !ids {
		if assumed := t.complete(); assumed != "" && len(in.files) > 1 && t.oneMatrix() {
			t.nameAction(in.actionOf(f))
			in.note("%s is the matrix of action %s", model.Quote(f.shown), model.Quote(t.Rows[0][1]))
		} else if assumed != "" {
			in.note("%s", assumed)
		}
	}
	if t.Title != "" {
		in.note("the line above the table is its title: %s", model.Quote(t.Title))
	}
	in.sameHeading(t)
	layout, open := t.layoutOf()
	s := &sheet{Table: t, file: f, layout: layout}
	if first {
		in.table = t
		in.askTable(t)
		s.layout = in.choose("layout", "Layout", "What a row of the table is.", cmp.Or(layout, "long"), layouts...)
		if open != "" {
			in.open("layout", open, "log", "long")
		}
	}
	s.role = t.roles(s.layout)
	if first {
		in.askColumns(s)
		s.logOrModel()
		for i, role := range s.role {
			if role == roleNone && roleOf(t.Columns[i]) == "" && !s.said && t.numbers(i) {
				in.note("%s numbers the rows and is left out", model.Quote(t.Columns[i]))
			}
		}
	}
	if s.values = "p"; !ids {
		s.values = s.valueKind()
	}
	if first && !ids && s.layout != "costs" && s.layout != "log" && s.column(roleLower) < 0 {
		s.values = in.choose("values", "The numbers are", "Counts are better used to estimate how sure the probabilities are.", s.values,
			Option{"p", "probabilities"}, Option{"percent", "percentages"}, Option{"count", "counts: how often it happened"})
		in.counts = s.values == "count"
	}
	return s
}

func (in *input) tableAnswers() (separator, decimal, header string) {
	for name, to := range map[string]*string{"separator": &separator, "decimal": &decimal, "header": &header} {
		if v, ok := in.answer(name); ok {
			*to, _ = v.Text()
		}
	}
	return separator, decimal, header
}

// askTable lists how the text was cut.
func (in *input) askTable(t *Table) {
	if t.Separator != "&" {
		in.choose("separator", "Columns are separated by", "", t.Separator, Option{"tab", "tab"}, Option{";", "semicolon"}, Option{",", "comma"}, Option{"|", "bar"}, Option{"space", "spaces"})
	}
	in.choose("decimal", "Decimal mark", "", t.Decimal, Option{".", "point (0.5)"}, Option{",", "comma (0,5)"})
	if t.either != "" {
		point, _ := parseNumber(t.either, false)
		comma, _ := parseNumber(t.either, true)
		in.open("decimal", fmt.Sprintf("%s is %s where the decimal mark is a point, and %s where it is a comma", model.Quote(t.either), model.Num(point), model.Num(comma)), ".", ",")
	}
	header := "no"
	if t.Header {
		header = "yes"
	}
	in.choose("header", "The first row holds names", "", header, Option{"yes", "yes"}, Option{"no", "no"})
}

// askColumns asks what each column is.
func (in *input) askColumns(s *sheet) {
	c := Choice{Name: "columns", Label: "Columns", Help: "What each column holds.", Type: "columns", Options: roleOptions, Default: list(s.role)}
	c.Value = c.Default
	if v, ok := in.answer("columns"); ok {
		var given []string
		for _, e := range v.Elements {
			r, _ := e.Text()
			if !slices.ContainsFunc(roleOptions, func(o Option) bool { return o.Value == r }) {
				in.fail(Fault{Message: fmt.Sprintf("columns: found %s; want one of %s for each column", brief(e), strings.Join(optionValues(roleOptions), ", "))})
				return
			}
			given = append(given, r)
		}
		if len(given) == len(s.role) {
			s.role, s.said, c.Given, c.Value = given, true, true, list(given)
		} else {
			in.fail(Fault{Message: fmt.Sprintf("columns: found %d roles; the table has %s", len(given), model.Count(len(s.role), "column"))})
		}
	}
	in.offer(c)
}

func optionValues(options []Option) (all []string) {
	for _, o := range options {
		all = append(all, o.Value)
	}
	return all
}

// logOrModel lets the roles of the columns say whether the table is a log or a model.
func (s *sheet) logOrModel() {
	model := s.column(roleP) >= 0 || s.column(roleCount) >= 0 || s.column(roleLower) >= 0 || s.column(roleLabel) >= 0
	switch {
	case s.layout == "log" && model:
		s.layout = "long"
	case s.layout == "long" && !model && slices.ContainsFunc(s.role, func(r string) bool { return slices.Contains(logRoles, r) }):
		s.layout = "log"
	}
}

// sameHeading refuses two columns of one name.
func (in *input) sameHeading(t *Table) {
	for i, c := range t.Columns {
		if j := slices.Index(t.Columns, c); t.Header && c != "" && j < i {
			in.halt(t.src, t.where(-1, i), "the columns %d and %d are both called %s; rename one of them", j+1, i+1, model.Quote(c))
		}
	}
}

// Columns says which columns of a log are what, names by role; it is nil for a model.
type Columns map[string][]string

// OneColumn are the roles that a log has one column of, ManyColumns those of any number.
var (
	OneColumn   = []string{roleEpisode, roleStep, roleState, roleAction, roleNext, roleCount}
	ManyColumns = []string{roleDone, roleCut, roleCost, roleReward, roleNumber}
)

// Set says what columns are, in place of what was taken; false when there is no
// such role, or more columns than it has.
func (m Columns) Set(role string, names []string) bool {
	many := slices.Contains(ManyColumns, role)
	if !many && (len(names) > 1 || !slices.Contains(OneColumn, role)) {
		return false
	}
	for r, taken := range m {
		m[r] = slices.DeleteFunc(taken, func(s string) bool { return slices.Contains(names, s) })
	}
	if many || len(names) > 0 {
		m[role] = names
	}
	return true
}

// columnMap is what the columns of a log are.
func (s *sheet) columnMap() Columns { return mapOf(s.Columns, s.role, s.said) }

// mapOf sorts columns by role; said: a cost is one because the person said so.
func mapOf(columns, role []string, said bool) Columns {
	m := Columns{}
	for i, r := range role {
		if r == roleCost && roleOf(columns[i]) != roleCost && !said {
			r = roleNumber
		}
		if slices.Contains(ManyColumns, r) || slices.Contains(OneColumn, r) && m[r] == nil {
			m[r] = append(m[r], columns[i])
		}
	}
	return m
}

// LogColumns says what the columns of a log are by their names and cells (row by
// row), where nobody said: what given names is left to it.
func LogColumns(columns, cells []string) Columns {
	t := &Table{Columns: columns, Header: true, Decimal: "."}
	for i := 0; i+len(columns) <= len(cells) && len(columns) > 0; i += len(columns) {
		t.Rows = append(t.Rows, cells[i:i+len(columns)])
	}
	role := t.namedRoles(true)
	for i, c := range columns {
		if roleOf(c) == roleCount && !slices.Contains(role, roleCount) {
			role[i] = roleCount
		}
	}
	return mapOf(columns, role, false)
}

// list writes words as a list of JSON.
func list(words []string) string { return string(jsontext.AppendStrings(nil, words)) }

// valueKind says what the numbers look like.
func (s *sheet) valueKind() string {
	var columns []int
	for c, role := range s.role {
		if role == roleLabel || role == roleP || role == roleCount {
			columns = append(columns, c)
		}
	}
	switch {
	case s.column(roleLower) >= 0 && s.column(roleUpper) >= 0: // which are read, whatever stands beside them
	case s.column(roleCount) >= 0 || s.wholeAbove(columns):
		return "count"
	case s.sumsToHundred():
		return "percent"
	}
	return "p"
}

// sumsToHundred recognises percentages without their sign: each pair's numbers
// sum to 100.
func (s *sheet) sumsToHundred() bool {
	sums := map[string]float64{}
	for _, row := range s.Rows {
		key, sum := "", 0.0
		for c, role := range s.role {
			switch role {
			case roleState, roleAction, roleKernel:
				key += row[c] + "\x00"
			case roleLabel, roleP:
				if strings.Contains(row[c], "%") {
					return false
				}
				x, _ := s.Number(row[c])
				sum += x
			}
		}
		sums[key] += sum
	}
	for _, sum := range sums {
		if math.Abs(sum-100) > 0.05 {
			return false
		}
	}
	return len(sums) > 0
}
