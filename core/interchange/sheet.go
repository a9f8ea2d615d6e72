package interchange

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"rcmdplab/core/jsontext"
)

// sheet is one table with what its columns mean.
type sheet struct {
	*Table
	layout string   // "long", "wide" or "costs"
	role   []string // by column
	values string   // "p", "percent" or "count"
	file   *source  // where its cells' places are
}

// column is the first column of a role, or -1.
func (s *sheet) column(role string) int { return slices.Index(s.role, role) }

var layouts = []Option{{"long", "one transition a row: state, action, next state, value"}, {"wide", "one column for each next state"}, {"costs", "a cost sheet: state, action, costs"}}

var roleOptions = []Option{{roleState, "state"}, {roleAction, "action"}, {roleNext, "next state"}, {roleP, "probability"}, {roleCount, "count"}, {roleCost, "cost (less is better)"},
	{roleReward, "reward (more is better)"}, {roleLower, "lower bound"}, {roleUpper, "upper bound"}, {roleKernel, "kernel"}, {roleLabel, "value by next state"}, {roleNone, "leave out"}}

// openSheet cuts a file and asks what its columns are. The choices are those of
// the first file; others are taken as they look.
func (in *input) openSheet(f *source, first, ids bool) *sheet {
	o := TableOptions{}
	if first {
		o.Separator, o.Decimal, o.Header = in.tableAnswers()
	}
	t, err := cut(f, o)
	if err != nil {
		in.fail(err.(Fault))
		return nil
	}
	if !ids {
		if assumed := t.complete(); assumed != "" {
			in.note("%s", assumed)
		}
	}
	s := &sheet{Table: t, file: f, layout: t.layoutOf()}
	if first {
		in.table = t
		in.askTable(t, o)
		looks := s.layout
		if looks == "" {
			looks = "long"
		}
		s.layout = in.choose("layout", "Layout", "What a row of the table is.", looks, layouts...)
	}
	s.role = t.roles(s.layout)
	if first {
		in.askColumns(s)
	}
	if s.values = "p"; !ids {
		s.values = s.valueKind()
	}
	if first && !ids && s.layout != "costs" && s.column(roleLower) < 0 {
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
func (in *input) askTable(t *Table, o TableOptions) {
	looks := func(name, label string, given, found string, options ...Option) {
		c := Choice{Name: name, Label: label, Type: "choice", Value: quoted(found), Default: quoted(found), Given: given != "", Options: options}
		if !slices.ContainsFunc(options, func(p Option) bool { return p.Value == found }) {
			in.fail(Fault{Message: name + ": " + quote(found) + " is not one of the answers"})
		}
		in.offer(c)
	}
	looks("separator", "Columns are separated by", o.Separator, t.Separator, Option{"tab", "tab"}, Option{";", "semicolon"}, Option{",", "comma"}, Option{"|", "bar"}, Option{"space", "spaces"})
	looks("decimal", "Decimal mark", o.Decimal, t.Decimal, Option{".", "point (0.5)"}, Option{",", "comma (0,5)"})
	header := "no"
	if t.Header {
		header = "yes"
	}
	looks("header", "The first row holds names", o.Header, header, Option{"yes", "yes"}, Option{"no", "no"})
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
			s.role, c.Given, c.Value = given, true, list(given)
		} else {
			in.fail(Fault{Message: fmt.Sprintf("columns: found %d roles; the table has %s", len(given), plural(len(s.role), "column"))})
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

// list writes words as a list of JSON.
func list(words []string) string { return string(jsontext.AppendStrings(nil, words)) }

// valueKind says what the numbers look like.
func (s *sheet) valueKind() string {
	cells := func(yield func(string) bool) {
		for _, row := range s.Rows {
			for c, role := range s.role {
				if (role == roleLabel || role == roleP || role == roleCount) && !yield(row[c]) {
					return
				}
			}
		}
	}
	switch {
	case s.column(roleCount) >= 0 || s.wholeAbove(cells):
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

// names numbers the names of states, actions or kernels in order of first
// appearance; numbers are put in order at the end.
type names struct {
	all   []string       // in order of first appearance
	index map[string]int // place in all
}

func (n *names) id(name string) int {
	if n.index == nil {
		n.index = map[string]int{}
	}
	if i, ok := n.index[name]; ok {
		return i
	}
	n.index[name] = len(n.all)
	n.all = append(n.all, name)
	return len(n.all) - 1
}

// sorted puts names that are all whole numbers in their order and returns
// where each went.
func (n *names) sorted() []int {
	to := make([]int, len(n.all))
	order := make([]int, len(n.all))
	values := make([]float64, len(n.all))
	whole := true
	for i, name := range n.all {
		order[i] = i
		x, err := strconv.ParseFloat(name, 64)
		values[i], whole = x, whole && err == nil
	}
	if whole {
		slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(values[i], values[j]) })
	}
	all := make([]string, len(n.all))
	for i, j := range order {
		to[j], all[i] = i, n.all[j]
	}
	n.all = all
	return to
}
