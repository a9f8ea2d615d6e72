package interchange

import (
	"math"

	"rcmdplab/core/model"
)

// long reads one transition a row.
func (r *tables) long(s *sheet) {
	r.need(s, roleState, roleNext)
	r.fill(s)
	lo, hi, v := s.column(roleLower), s.column(roleUpper), s.column(roleP)
	if v < 0 {
		v = s.column(roleCount)
	}
	bounds := lo >= 0 && hi >= 0
	_, said := r.in.answer("layout")
	certain := !bounds && v < 0 && said
	if !bounds && v < 0 && !said {
		r.need(s, roleP)
	}
	if certain {
		r.in.note("no column holds a probability: what a line says happens for certain")
	}
	r.bounds = r.bounds || bounds
	costs, next, kernel := r.costColumns(s), s.column(roleNext), s.column(roleKernel)
	blanks, done := 0, s.column(roleDone)
	for i := range s.Rows {
		try(func() {
			e, ok := rowOf{at: s.where(i, next)}, true
			e.s, e.a = r.label(s, i)
			e.t = r.filled(s, i, next, &r.states, "a next state")
			if kernel >= 0 {
				e.kernel = r.id(s, i, kernel, &r.kernels, "a kernel")
			}
			switch {
			case certain:
				e.p, e.hi = 1, 1
			case bounds:
				e.p, ok = r.number(s, i, lo, "the lower bound")
				e.at = s.where(i, lo)
				if ok {
					e.hi, ok = r.number(s, i, hi, "the upper bound")
				}
			case s.Rows[i][v] == "" && !r.ids:
				blanks++
			default:
				e.p, ok = r.number(s, i, v, "the probability")
				e.hi, e.at = e.p, s.where(i, v)
			}
			if !ok {
				r.of(s, i)
				return
			}
			if done >= 0 {
				if e.ends, ok = model.Flag(s.Rows[i][done]); !ok {
					r.in.failAt(s.file, s.where(i, done), "found %s; want true or false: whether the episode ends there", model.Quote(s.Rows[i][done]))
				}
			}
			before := len(r.in.faults)
			if e.costs = r.values(s, i, costs); len(r.in.faults) > before {
				r.of(s, i)
			}
			r.rows = append(r.rows, e)
		})
	}
	if blanks > 0 {
		r.in.note("%s: taken as 0", model.Count(blanks, "blank probability"))
	}
	r.scale(s)
}

// of says of which state and action the last fault is.
func (r *tables) of(s *sheet, i int) {
	if n := len(r.in.faults); n > 0 {
		r.in.faults[n-1].State = s.Rows[i][s.column(roleState)]
		if c := s.column(roleAction); c >= 0 {
			r.in.faults[n-1].Action = s.Rows[i][c]
		}
	}
}

// scale turns percentages and counts into probabilities.
func (r *tables) scale(s *sheet) {
	switch s.values {
	case "percent":
		for i := range r.rows {
			r.rows[i].p /= 100
			r.rows[i].hi = r.rows[i].p
		}
		r.in.note("percentages: divided by 100")
	case "count":
		type key struct{ k, s, a int }
		sums := map[key]float64{}
		for i := range r.rows {
			e := &r.rows[i]
			if !(e.p >= 0) || math.IsInf(e.p, 0) {
				r.in.failAt(s.file, e.at, "the count is %s; want a number >= 0", show(e.p))
				return
			}
			sums[key{e.kernel, e.s, e.a}] += e.p
		}
		for i := range r.rows {
			e := &r.rows[i]
			if sum := sums[key{e.kernel, e.s, e.a}]; sum > 0 {
				e.p /= sum
				e.hi = e.p
			}
		}
		r.in.note("counts: each row is divided by its sum; how sure the probabilities are is lost (estimate keeps it)")
	}
}

// sheet reads costs by state and action, or by state alone.
func (r *tables) sheet(s *sheet) {
	r.need(s, roleState)
	r.fill(s)
	costs := r.costColumns(s)
	every := s.column(roleAction) < 0
	known := len(r.states.All)
	for i := range s.Rows {
		try(func() {
			e := rowOf{a: -1, t: -1, at: s.where(i, s.column(roleState))}
			if every {
				e.s = r.id(s, i, s.column(roleState), &r.states, "a state")
			} else {
				e.s, e.a = r.label(s, i)
			}
			if !r.ids && e.s >= known {
				r.in.halt(s.file, e.at, "%s is no state of the transitions", model.Quote(s.Rows[i][s.column(roleState)]))
			}
			e.costs = r.values(s, i, costs)
			r.pairs = append(r.pairs, e)
		})
	}
}
