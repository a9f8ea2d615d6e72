package interchange

import (
	"fmt"
	"slices"
	"strings"

	"rcmdplab/core/model"
)

func writeCraam(w *writer) {
	if w.ext = "csv"; w.interval() {
		w.refuse("intervals")
		return
	}
	if w.ball() {
		w.drop(fmt.Sprintf("the set of kind %s around the nominal kernel", w.p.Uncertainty.Kind))
	}
	w.unlisted()
	sign := w.sign()
	w.leave("the discount, the start, the limits and the names")
	w.str("idstatefrom,idaction,")
	kernels := w.p.Uncertainty.Every()
	if len(kernels) > 1 {
		w.str("idoutcome,")
	}
	w.str("idstateto,probability,reward")
	for i := range w.p.Constraints {
		w.str("," + cell("cost "+w.p.Constraints[i].Name))
	}
	w.str("\n")
	for k, kernel := range kernels {
		outcome := ""
		if len(kernels) > 1 {
			outcome = fmt.Sprintf("%d,", k)
		}
		w.listed(kernel, func(i, t int, p float64) {
			s, a := w.pair(i)
			values := w.gives(i, t)
			values[0] = sign*values[0] + 0
			w.printf("%d,%d,%s%d,%v,", s, a, outcome, t, p)
			w.row(values, ",")
			w.str("\n")
		})
	}
}

// listed walks the transitions of one kernel.
func (w *writer) listed(k *model.Kernel, f func(i, t int, p float64)) {
	for i := range w.p.Layout.Pairs() {
		next, prob := k.Row(i)
		for j, t := range next {
			f(i, t, prob[j])
		}
	}
}

// cell writes a cell of a CSV file.
func cell(s string) string {
	if s == "" || strings.ContainsAny(s, ",;\t\"\n\r|#") || s != strings.TrimSpace(s) {
		return `"` + strings.ReplaceAll(s, `"`, `""`) + `"`
	}
	return s
}

// writeTable writes one transition a row, by name, with a comment that brings
// back the rest.
func writeTable(w *writer) {
	p := w.p
	w.unlisted()
	if w.ext = "csv"; len(w.refused) > 0 {
		return
	}
	for _, names := range [][]string{p.States, p.Actions} {
		for i, n := range names {
			if t := strings.TrimSpace(n); t != n || strings.ContainsAny(n, "\r\n") || slices.Index(names, n) != i {
				w.refuse("the name " + model.Quote(n) + ", which begins or ends in space")
				return
			}
		}
	}
	names := w.costNames()
	said := w.answers(names)
	roles := []string{roleState, roleAction, roleNext}
	head := "state,action,next"
	kernels := p.Uncertainty.Kernels
	switch {
	case w.interval():
		roles, head = append(roles, roleLower, roleUpper), head+",lower,upper"
	case len(kernels) > 1:
		roles, head = append(roles, roleKernel, roleP), head+",kernel,probability"
	default:
		roles, head = append(roles, roleP), head+",probability"
	}
	for _, n := range names {
		roles, head = append(roles, roleCost), head+","+cell(n)
	}
	w.str("# rcmdp: " + said[:len(said)-1] + `,"separator":",","decimal":".","header":"yes","layout":"long","values":"p","columns":` + list(roles) + "}\n" + head + "\n")
	line := func(i, t int, values ...string) {
		s, a := w.pair(i)
		w.str(strings.Join(append([]string{cell(p.States[s]), cell(p.Actions[a]), cell(p.States[t])}, values...), ",") + ",")
		w.row(w.gives(i, t), ",")
		w.str("\n")
	}
	if len(kernels) > 1 {
		for _, k := range kernels {
			w.listed(k, func(i, t int, p float64) { line(i, t, cell(k.Name), model.Num(p)) })
		}
		return
	}
	w.each(func(i, _, _, t int, lo, hi float64) {
		if w.interval() {
			line(i, t, model.Num(lo), model.Num(hi))
		} else {
			line(i, t, model.Num(lo))
		}
	})
}

// Transitions are the first ones of a problem as a table has them, under the first kernel of several, and how many there are.
func Transitions(p *model.Problem, most int) (columns []string, rows [][]string, total int) {
	w := &writer{p: p}
	if columns = []string{"state", "action", "next", "probability"}; w.interval() {
		columns = []string{"state", "action", "next", "lower", "upper"}
	}
	w.each(func(i, s, _, t int, lo, hi float64) {
		if total++; total <= most {
			row := []string{p.States[s], p.Actions[p.Layout.Act[i]], p.States[t], model.Digits(lo, 6), model.Digits(hi, 6)}
			rows = append(rows, row[:len(columns)])
		}
	})
	return columns, rows, total
}
