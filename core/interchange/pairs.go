package interchange

import "slices"

// pairRows reads one row a pair, as Howard's tables are printed: the probability
// of each next state in p1..pn and what the transition gives in r1..rn or c1..cn.
func (r *tables) pairRows(s *sheet) {
	if !r.need(s, roleState, roleLabel) {
		return
	}
	r.fill(s)
	to, gives := make([]int, len(s.role)), map[[2]string]int{} // kind and next state: column
	for i := range s.Rows {
		if c := s.column(roleState); s.Rows[i][c] != "" {
			r.id(s, i, c, &r.states, "a state")
		}
	}
	plain := slices.Clone(s.role)
	var kinds []string
	for c, role := range s.role {
		kind, of := s.byNext(s.Columns[c])
		switch {
		case role == roleLabel:
			to[c] = r.states.id(of)
		case kind == role && kind != "": // a cost by next state
			gives[[2]string{kind, of}] = c
			plain[c] = roleNone
			if !slices.Contains(kinds, kind) {
				kinds = append(kinds, kind)
			}
		}
	}
	costs := r.costColumns(&sheet{Table: s.Table, file: s.file, role: plain})
	first := len(r.costs)
	for _, kind := range kinds {
		r.costs, r.rewards, r.told = append(r.costs, unique(r.costs, kind)), append(r.rewards, kind == roleReward), append(r.told, true)
	}
	for i := range s.Rows {
		st, a, ok := r.label(s, i)
		if !ok {
			continue
		}
		same := r.values(s, i, costs)
		for c, role := range s.role {
			if role != roleLabel || s.Rows[i][c] == "" {
				continue
			}
			p, ok := r.number(s, i, c, "a probability")
			if !ok {
				continue
			}
			v := append(slices.Clone(same), make([]float64, len(r.costs)-len(same))...)
			_, of := numbered(s.Columns[c])
			for k, kind := range kinds {
				if at, ok := gives[[2]string{kind, of}]; ok && s.Rows[i][at] != "" {
					v[first+k], _ = r.number(s, i, at, "the "+s.Columns[at])
				}
			}
			r.rows = append(r.rows, rowOf{s: st, a: a, t: to[c], p: p, hi: p, at: s.where(i, c), costs: v})
		}
	}
	r.scale(s)
}
