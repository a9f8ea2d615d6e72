package interchange

import (
	"slices"
	"strconv"
	"strings"

	"rcmdplab/core/jsontext"
)

func writeCS747(w *writer) {
	l := w.p.Layout
	w.plainKernel()
	w.objectiveOnly()
	sign := w.sign()
	start := w.start()
	if start < 0 {
		w.leave("the initial distribution")
	}
	w.leave("the names")
	if w.p.Objective.Average {
		w.leave("the scale of the objective")
	}
	w.printf("numStates %d\nnumActions %d\nstart %d\nend", l.S, l.A, start)
	kind := "continuing"
	for s := range l.S {
		if w.p.Ends(s) {
			kind = "episodic"
			w.printf(" %d", s)
		}
	}
	if kind == "continuing" {
		w.str(" -1")
	}
	w.str("\n")
	w.each(func(i, s, _, t int, p, _ float64) {
		w.printf("transition %d %d %d ", s, l.Act[i], t)
		w.num(sign*w.value(&w.p.Objective, i, t) + 0)
		w.str(" ")
		w.num(p)
		w.str("\n")
	})
	w.str("mdptype " + kind + "\ndiscount  ")
	w.num(w.p.Discount)
	w.str("\n")
}

func writeGym(w *writer) {
	l := w.p.Layout
	w.plainKernel()
	w.objectiveOnly()
	sign := w.sign()
	w.leave("the discount, the start and the names")
	if w.p.Objective.Average {
		w.leave("the scale of the objective")
	}
	w.str("{")
	for i := range l.Pairs() {
		s, a := w.pair(i)
		if i == l.Off[s] {
			if i > 0 {
				w.str("}, ")
			}
			w.printf("\"%d\": {", s)
		} else {
			w.str(", ")
		}
		w.printf("\"%d\": [", a)
		first := true
		w.bounds(i, func(t int, p, _ float64) {
			if !first {
				w.str(", ")
			}
			first = false
			w.b = jsontext.AppendNumber(append(w.b, '['), p)
			w.printf(", %d, ", t)
			w.b = jsontext.AppendNumber(w.b, sign*w.value(&w.p.Objective, i, t)+0)
			w.printf(", %t]", w.p.Ends(t))
		})
		w.str("]")
	}
	w.str("}}\n")
}

func writeCassandra(w *writer) {
	p, l := w.p, w.p.Layout
	w.plainKernelOrSaid()
	w.objectiveOnly()
	if len(w.refused) == 0 {
		w.zeros()
	}
	for s := range l.S {
		if n := l.Off[s+1] - l.Off[s]; n < l.A && !p.Ends(s) {
			w.refuse("actions that are not available in every state")
			break
		}
	}
	if w.ext = "MDP"; len(w.refused) > 0 {
		return
	}
	name := map[bool]string{true: "reward", false: "cost"}[p.Maximize]
	said := w.answers(append([]string{name}, w.costNames()[1:]...))
	w.str("# rcmdp: " + said + "\ndiscount: ")
	w.num(p.Discount)
	w.str("\nvalues: " + name + "\n")
	w.things("states", p.States)
	w.things("actions", p.Actions)
	w.str("start:")
	for _, x := range p.Initial {
		w.str(" ")
		w.num(x)
	}
	w.str("\n")
	row := make([]float64, l.S)
	for i := range l.Pairs() {
		w.printf("T: %s : %d", w.action(i), l.State[i])
		w.kernel().Dense(row, i)
		for _, x := range row {
			w.str(" ")
			w.num(x)
		}
		w.str("\n")
	}
	for i := range l.Pairs() {
		if p.Objective.Next == nil {
			w.printf("R: %s : %d : * ", w.action(i), l.State[i])
			w.num(w.value(&p.Objective, i, 0))
			w.str("\n")
			continue
		}
		w.printf("R: %s : %d", w.action(i), l.State[i])
		for t := range l.S {
			w.str(" ")
			w.num(w.value(&p.Objective, i, t))
		}
		w.str("\n")
	}
}

// action is the number of a pair's action, or all of them in an end.
func (w *writer) action(i int) string {
	s, a := w.pair(i)
	if w.p.Ends(s) {
		return "*"
	}
	return strconv.Itoa(a)
}

// things writes names that the format can hold, or their number.
func (w *writer) things(key string, names []string) {
	for i, n := range names {
		if !identifier(n) || slices.Index(names, n) != i || slices.Contains([]string{"uniform", "identity", "reset", "include", "exclude", "reward", "cost", "T", "R", "O", "start", "states", "actions", "observations", "values", "discount"}, n) {
			w.printf("%s: %d\n", key, len(names))
			return
		}
	}
	w.str(key + ": " + strings.Join(names, " ") + "\n")
}
