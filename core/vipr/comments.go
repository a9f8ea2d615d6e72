package vipr

import (
	"fmt"
	"strconv"
	"strings"

	"rcmdplab/core/model"
)

// comments say what the program means, for the part that no checker of programs sees: the document, what its
// variables are called there, and the set that the rows are of.
func (g *program) comments(w *lines) {
	p := g.p
	say := func(format string, args ...any) { w.text("% ").text(fmt.Sprintf(format, args...)).text("\n") }
	names := func(list []string) string {
		quoted := make([]string, len(list))
		for k, name := range list {
			quoted[k] = strconv.Itoa(k) + " " + strconv.QuoteToASCII(name)
		}
		return strings.Join(quoted, ", ")
	}
	say("A proof of RCMDP Lab by values, as a linear program over discounted visits x_STATE_ACTION under one kernel.")
	say("Document: %s, SHA-256 of its content %s", strconv.QuoteToASCII(p.Name), p.Hash())
	say("States: %s", names(p.States))
	say("Actions: %s", names(p.Actions))
	if len(g.states) < p.Layout.S {
		say("The program has the %d of %d states that can be reached under this kernel.", len(g.states), p.Layout.S)
	}
	cost := func(c *model.Cost, flip bool) string {
		out := "the discounted total of " + strconv.QuoteToASCII(c.Name)
		if flip {
			out += ", negated"
		}
		if c.Average {
			out += "; the document tells it times 1 - discount"
		}
		return out
	}
	say("Objective: %s", cost(&p.Objective, p.Maximize))
	for n := range p.Constraints {
		k := &p.Constraints[n]
		extra := ""
		if len(g.c.Allow) > 0 && g.c.Allow[n] != 0 || g.c.Relax != 0 {
			extra = "; the limit is the document's and what the certificate adds to it"
		}
		say("limit_%d: %s%s", n+1, cost(&k.Cost, k.AtLeast), extra)
	}
	u := &p.Uncertainty
	if u.Kernels != nil {
		say("The kernel is number %d of the document's list, from 0.", g.c.Values.Kernel)
		return
	}
	say("The kernel is made of rows of the document's %s set, one a pair. That they are is to be seen from the lines below.", u.Kind)
	for k, i := range g.pairs {
		g.member(w, k, i)
	}
}

// member is the set of a pair, for the row that the program has there.
func (g *program) member(w *lines, k, i int) {
	l := nature{g}
	list := func(name string, r *row) {
		w.text(" ").text(name)
		for j, s := range r.next {
			w.text(" ").text(strconv.Itoa(s)).text(":").text(r.prob[j].RatString())
		}
	}
	u := &g.p.Uncertainty
	w.text("% ").text(g.variable(k))
	list("row", &g.rows[k])
	if u.Lower != nil {
		low, high, _ := l.ends(i)
		list("from", &low)
		list("to", &high)
	} else {
		next, prob := u.Nominal.Row(i)
		q := normalised(next, prob)
		w.text(" radius ").text(l.radius(i).RatString())
		list("nominal", &q)
	}
	w.text("\n")
}
