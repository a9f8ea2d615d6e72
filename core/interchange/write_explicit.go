package interchange

import (
	"math"
	"slices"
	"strings"

	"rcmdplab/core/model"
)

// writePrism writes one .pexp file.
func writePrism(w *writer) {
	p, l := w.p, w.p.Layout
	w.one()
	w.unlisted()
	if w.ext = "pexp"; len(w.refused) > 0 {
		return
	}
	names := tokens(w.costNames())
	w.str("# rcmdp: " + w.answers(names) + "\n")
	w.printf("# Transitions (%s)\n", map[bool]string{true: "IMDP", false: "MDP"}[w.interval()])
	n := 0
	for i := range l.Pairs() {
		w.bounds(i, func(int, float64, float64) { n++ })
	}
	w.printf("%d %d %d\n", l.S, l.Pairs(), n)
	labels := tokens(p.Actions)
	w.each(func(i, s, k, t int, lo, hi float64) {
		w.printf("%d %d %d %s %s\n", s, k, t, w.chance(lo, hi, ","), labels[l.Act[i]])
	})
	w.str("\n# Labels\n0=\"init\" 1=\"deadlock\" 2=\"end\"\n")
	for s, x := range p.Initial {
		if x > 0 {
			w.printf("%d: 0\n", s)
		}
		if p.Ends(s) {
			w.printf("%d: 2\n", s)
		}
	}
	for j, c := range w.costs() {
		w.printf("\n# Reward structure \"%s\"\n# State rewards\n%d 0\n\n# Reward structure \"%s\"\n# Transition rewards\n%d %d %d\n", names[j], l.S, names[j], l.S, l.Pairs(), n)
		w.each(func(i, s, k, t int, _, _ float64) {
			w.printf("%d %d %d %v\n", s, k, t, w.value(c, i, t))
		})
	}
}

func writeDRN(w *writer) {
	p, l := w.p, w.p.Layout
	w.one()
	names := tokens(w.costNames())
	for _, c := range w.costs() {
		if c.Next != nil {
			w.refuse("the cost " + model.Quote(c.Name) + ", which depends on the next state")
		}
	}
	if len(w.refused) > 0 {
		return
	}
	w.str("// rcmdp: " + w.answers(names) + "\n@type: MDP\n@value_type: " + map[bool]string{true: "double-interval", false: "double"}[w.interval()] + "\n@parameters\n\n@reward_models\n" + strings.Join(names, " "))
	w.printf("\n@nr_states\n%d\n@nr_choices\n%d\n@model\n", l.S, l.Pairs())
	labels := tokens(p.Actions)
	for s := range l.S {
		w.printf("state %d", s)
		if p.Initial[s] > 0 {
			w.str(" init")
		}
		if p.Ends(s) {
			w.str(" end")
		}
		w.str("\n")
		for i := l.Off[s]; i < l.Off[s+1]; i++ {
			w.str("\taction " + labels[l.Act[i]] + " [")
			w.row(w.gives(i, 0), ", ")
			w.str("]\n")
			w.bounds(i, func(t int, lo, hi float64) { w.printf("\t\t%d : %s\n", t, w.chance(lo, hi, ", ")) })
		}
	}
}

func writeBMDP(w *writer) {
	l := w.p.Layout
	if !w.interval() {
		w.refuse("a set of kind " + string(w.p.Uncertainty.Kind))
		return
	}
	w.objectiveOnly()
	if c := &w.p.Objective; c.Next != nil || slices.ContainsFunc(c.Values, func(x float64) bool { return x != 0 && !math.IsNaN(x) }) {
		w.drop("rewards")
	}
	w.leave("the discount, the start and the names")
	w.printf("%d\n%d\n0\n", l.S, l.A)
	w.each(func(i, s, _, t int, lo, hi float64) {
		w.printf("%d %d %d %v %v\n", s, l.Act[i], t, lo, hi)
	})
}
