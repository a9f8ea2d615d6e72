package interchange

import (
	"slices"
	"strconv"

	"rcmdplab/core/model"
)

// wide reads one row for each pair: one column for each next state, called as it is or, as Howard's tables
// are printed, p1..pn; and what a transition gives in r1..rn or c1..cn.
func (r *tables) wide(s *sheet) {
	r.need(s, roleState, roleLabel)
	r.fill(s)
	for i := range s.Rows { // the order of states is that of the rows
		if c := s.column(roleState); s.Rows[i][c] != "" {
			r.id(s, i, c, &r.states, "a state")
		}
	}
	to, gives := make([]int, len(s.role)), map[[2]string]int{} // kind and next state: column
	named := make([]string, len(s.role))                       // the next state of a column
	plain := slices.Clone(s.role)
	var kinds []string
	for c, role := range s.role {
		kind := ""
		if named[c] = s.Columns[c]; s.layout == "pairs" {
			kind, named[c] = s.byNext(s.Columns[c])
		}
		switch {
		case role == roleLabel:
			to[c] = r.states.ID(named[c])
			if x, err := strconv.Atoi(named[c]); r.ids && err == nil {
				to[c] = x
			}
		case kind == role && kind != "": // a cost by next state
			gives[[2]string{kind, named[c]}] = c
			plain[c] = roleNone
			if !slices.Contains(kinds, kind) {
				kinds = append(kinds, kind)
			}
		}
	}
	costs := r.costColumns(&sheet{Table: s.Table, file: s.file, role: plain})
	first, blanks := len(r.costs), 0
	for _, kind := range kinds {
		r.costs, r.rewards, r.told = append(r.costs, unique(r.costs, kind)), append(r.rewards, kind == roleReward), append(r.told, true)
	}
	for i := range s.Rows {
		try(func() {
			st, a := r.label(s, i)
			same := r.values(s, i, costs)
			for c, role := range s.role {
				if role != roleLabel {
					continue
				}
				if s.Rows[i][c] == "" {
					blanks++
					continue
				}
				p, ok := r.number(s, i, c, "a probability")
				if !ok || p == 0 && s.layout == "wide" {
					continue
				}
				v := same
				for k, kind := range kinds {
					if at, ok := gives[[2]string{kind, named[c]}]; ok && s.Rows[i][at] != "" {
						v = append(slices.Clone(v), make([]float64, len(r.costs)-len(v))...)
						v[first+k], _ = r.number(s, i, at, "the "+s.Columns[at])
					}
				}
				r.rows = append(r.rows, rowOf{s: st, a: a, t: to[c], p: p, hi: p, at: s.where(i, c), costs: v})
			}
		})
	}
	if blanks > 0 {
		r.in.note("%s: taken as 0", model.Count(blanks, "blank cell"))
	}
	r.scale(s)
}
