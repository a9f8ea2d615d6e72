package interchange

import "rcmdplab/core/jsontext"

// Tidy is the table in the form that estimation reads: one transition a row,
// with columns state, action, next, count and the costs. It is nil when the
// columns do not say that much.
func Tidy(files []File, options Options) (columns []string, rows [][]jsontext.Value, faults []Fault) {
	in := newInput(files, options)
	r := &tables{in: in}
	if len(in.faults) == 0 {
		s := in.openSheet(in.files[0], true, false)
		if s != nil && len(in.faults) == 0 {
			s.values = "p" // counts stay what they are
			if r.src = s.file; s.layout == "wide" {
				r.wide(s)
			} else {
				r.long(s)
			}
		}
	}
	if len(in.faults) > 0 {
		return nil, nil, in.faults
	}
	columns = append([]string{"state", "action", "next", "count"}, r.costs...)
	for _, e := range r.rows {
		row := []jsontext.Value{jsontext.Value(quoted(r.states.all[e.s])), jsontext.Value(quoted(r.actions.all[e.a])), jsontext.Value(quoted(r.states.all[e.t])), jsontext.Value(num(e.p))}
		for k := range r.costs {
			x := 0.0
			if k < len(e.costs) {
				x = e.costs[k]
			}
			row = append(row, jsontext.Value(num(x)))
		}
		rows = append(rows, row)
	}
	return columns, rows, nil
}
