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
	w.scale()
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
		w.printf("transition %d %d %d %v %v\n", s, l.Act[i], t, sign*w.value(&w.p.Objective, i, t)+0, p)
	})
	w.printf("mdptype %s\ndiscount  %v\n", kind, w.p.Discount)
}

func writeGym(w *writer) {
	l := w.p.Layout
	w.plainKernel()
	w.objectiveOnly()
	sign := w.sign()
	w.leave("the discount, the start and the names")
	w.scale()
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
	w.unlisted()
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
	w.printf("# rcmdp: %s\ndiscount: %v\nvalues: %s\n", said, p.Discount, name)
	w.things("states", p.States)
	w.things("actions", p.Actions)
	w.str("start: ")
	w.row(p.Initial, " ")
	w.str("\n")
	row := make([]float64, l.S)
	for i := range l.Pairs() {
		w.printf("T: %s : %d ", w.action(i), l.State[i])
		w.kernel().Dense(row, i)
		w.row(row, " ")
		w.str("\n")
	}
	for i := range l.Pairs() {
		if p.Objective.Next == nil {
			w.printf("R: %s : %d : * %v\n", w.action(i), l.State[i], w.value(&p.Objective, i, 0))
			continue
		}
		for t := range row {
			row[t] = w.value(&p.Objective, i, t)
		}
		w.printf("R: %s : %d ", w.action(i), l.State[i])
		w.row(row, " ")
		w.str("\n")
	}
}

// scale says that an average comes back as a total.
func (w *writer) scale() {
	if w.p.Objective.Average {
		w.leave("the scale of the objective")
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
