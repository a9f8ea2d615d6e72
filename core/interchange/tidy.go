package interchange

import (
	"rcmdplab/core/jsontext"
	"rcmdplab/core/model"
)

// TidyTable is a table in the form that estimation reads: one transition or count
// a row, and what its columns are.
type TidyTable struct {
	Columns []string
	Rows    [][]jsontext.Value // texts, numbers and truths
	Map     Columns
	From    string // the file and what was said of it, for the source of what is made of the table
}

// Tidy brings a table, or a log, to that form. There are faults when the columns
// do not say that much, and an open choice when they may be either.
func Tidy(files []File, options Options) (t *TidyTable, faults []Fault, open *Choice) {
	in := newInput(files, options)
	r := &tables{in: in}
	var s *sheet
	try(func() {
		if len(in.faults) > 0 {
			return
		}
		if s = in.openSheet(in.files[0], true, false); len(in.faults) > 0 || s.layout == "log" {
			return
		}
		s.values = "p"                           // counts stay what they are
		if r.src = s.file; s.layout == "costs" { // which estimation cannot read alone
			s.layout = "long"
		}
		r.read(s)
	})
	found := in.result()
	if len(found.Faults) > 0 {
		return nil, found.Faults, nil
	}
	for i := range found.Choices {
		if found.Choices[i].Open {
			return nil, nil, &found.Choices[i]
		}
	}
	from := in.files[0].name + in.kept()
	if s.layout == "log" {
		t = s.log()
		t.From = from
		return t, nil, nil
	}
	t = &TidyTable{From: from, Columns: append([]string{"state", "action", "next", "count"}, r.costs...), Map: Columns{}}
	for _, role := range t.Columns[:4] {
		t.Map[role] = []string{role}
	}
	for k, name := range r.costs {
		role := map[bool]string{true: roleReward, false: roleCost}[r.rewards[k]]
		t.Map[role] = append(t.Map[role], name)
	}
	for _, e := range r.rows {
		row := []jsontext.Value{jsontext.Value(quoted(r.states.All[e.s])), jsontext.Value(quoted(r.actions.All[e.a])), jsontext.Value(quoted(r.states.All[e.t])), jsontext.Value(model.Num(e.p))}
		for k := range r.costs {
			x := 0.0
			if k < len(e.costs) {
				x = e.costs[k]
			}
			row = append(row, jsontext.Value(model.Num(x)))
		}
		t.Rows = append(t.Rows, row)
	}
	return t, nil, nil
}

// log is a log as it stands, its costs and steps as numbers.
func (s *sheet) log() *TidyTable {
	t := &TidyTable{Columns: s.Columns, Map: s.columnMap()}
	for _, cells := range s.Rows {
		row := make([]jsontext.Value, len(cells))
		for c, cell := range cells {
			row[c] = jsontext.Value(quoted(cell))
			switch s.role[c] {
			case roleCost, roleReward, roleStep, roleCount:
				if x, ok := s.Number(cell); ok {
					row[c] = jsontext.Value(model.Num(x))
				}
			}
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}
