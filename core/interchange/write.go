package interchange

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"rcmdplab/core/jsontext"
	"rcmdplab/core/model"
)

// Written is a problem in another format.
type Written struct {
	Text      []byte
	Extension string
	Lost      []string // what the format has no place for, and which an import would ask again
}

// writer is one export in progress. Formats fill b; refuse says what the format
// cannot mean at all, drop what can only be left out with the person's word,
// leave what is a setting that an import asks for.
type writer struct {
	p       *model.Problem
	b       []byte
	refused []string
	dropped []string
	lost    []string
	ext     string
}

// Write writes a problem in a format that can carry it. What another tool's
// format has no place for goes into a comment where it has comments, which
// Read understands; where it has none it is in Lost. A problem whose meaning
// the format cannot hold is refused, with the reasons; lossy allows what can
// be left out (constraints, the set around a nominal kernel).
func Write(p *model.Problem, id string, lossy bool) (*Written, error) {
	f, ok := formatOf(id)
	if !ok || f.write == nil {
		var ids []string
		for _, f := range Formats() {
			ids = append(ids, f.ID)
		}
		return nil, fmt.Errorf("there is no format %s; there are %s", quote(id), strings.Join(ids, ", "))
	}
	w := &writer{p: p, ext: f.Extensions[0]}
	f.write(w)
	switch {
	case len(w.refused) > 0:
		return nil, fmt.Errorf("%s cannot carry %s", f.Title, strings.Join(w.refused, ", and "))
	case len(w.dropped) > 0 && !lossy:
		return nil, fmt.Errorf("%s cannot carry %s; with lossy it is left out", f.Title, strings.Join(w.dropped, ", and "))
	}
	return &Written{w.b, w.ext, append(w.dropped, w.lost...)}, nil
}

func (w *writer) refuse(what string) { w.refused = append(w.refused, what) }
func (w *writer) drop(what string)   { w.dropped = append(w.dropped, what) }
func (w *writer) leave(what string)  { w.lost = append(w.lost, what) }

func (w *writer) str(s string) { w.b = append(w.b, s...) }
func (w *writer) num(x float64) {
	w.b = strconv.AppendFloat(w.b, x, 'g', -1, 64)
}
func (w *writer) printf(f string, args ...any)  { w.b = fmt.Appendf(w.b, f, args...) }
func (w *writer) ball() bool                    { return w.p.Uncertainty.Nominal != nil }
func (w *writer) interval() bool                { return w.p.Uncertainty.Kind == model.Interval }
func (w *writer) several() bool                 { return len(w.p.Uncertainty.Kernels) > 1 }
func (w *writer) pair(i int) (s, a int)         { return w.p.Layout.State[i], w.p.Layout.Act[i] }
func (w *writer) grid(c *model.Cost, i int) int { s, a := w.pair(i); return s*w.p.Layout.A + a }

// kernel is the kernel of a problem with one, the nominal one, or the lower
// bounds.
func (w *writer) kernel() *model.Kernel {
	u := &w.p.Uncertainty
	switch {
	case u.Nominal != nil:
		return u.Nominal
	case u.Lower != nil:
		return u.Lower
	}
	return u.Kernels[0]
}

// bounds calls f for each successor of pair i with the interval, over what
// either end lists.
func (w *writer) bounds(i int, f func(t int, lo, hi float64)) {
	u := &w.p.Uncertainty
	next, prob := w.kernel().Row(i)
	if u.Kind != model.Interval {
		for j, t := range next {
			f(t, prob[j], prob[j])
		}
		return
	}
	above, upper := u.Upper.Row(i)
	for j, k := 0, 0; j < len(next) || k < len(above); {
		switch {
		case k == len(above) || j < len(next) && next[j] < above[k]:
			f(next[j], prob[j], 0)
			j++
		case j == len(next) || above[k] < next[j]:
			f(above[k], 0, upper[k])
			k++
		default:
			f(next[j], prob[j], upper[k])
			j, k = j+1, k+1
		}
	}
}

// value is a cost of pair i leading to t.
func (w *writer) value(c *model.Cost, i, t int) float64 {
	g := w.grid(c, i)
	if c.Next != nil {
		return c.Next[g*w.p.Layout.S+t]
	}
	return c.Values[g]
}

// costs are the objective and the constraints' costs.
func (w *writer) costs() []*model.Cost {
	all := []*model.Cost{&w.p.Objective}
	for i := range w.p.Constraints {
		all = append(all, &w.p.Constraints[i].Cost)
	}
	return all
}

// one asks that there is one kernel, with a ball around it or not.
func (w *writer) one() {
	if w.several() {
		w.refuse(plural(len(w.p.Uncertainty.Kernels), "kernel"))
	}
}

// plainKernel asks that there is one kernel and nothing around it.
func (w *writer) plainKernel() {
	w.one()
	if w.interval() {
		w.refuse("intervals")
	}
	if w.ball() {
		w.drop(fmt.Sprintf("the set of kind %s around the nominal kernel", w.p.Uncertainty.Kind))
	}
}

// objectiveOnly asks that there are no limits.
func (w *writer) objectiveOnly() {
	if n := len(w.p.Constraints); n > 0 {
		w.drop(plural(n, "constraint"))
	}
}

// unlisted asks that costs of the next state are of listed successors, where
// nature can reach others.
func (w *writer) unlisted() {
	if !w.p.Uncertainty.SupportAll && w.p.Uncertainty.Kind != model.Contamination {
		return
	}
	for _, c := range w.costs() {
		if c.Next != nil {
			w.refuse("costs of next states that no row lists, which the set can reach")
			return
		}
	}
}

// zeros asks that a format of full matrices does not take listed zeros out of
// a support that the set keeps to.
func (w *writer) zeros() {
	switch u := &w.p.Uncertainty; u.Kind {
	case model.L1, model.TV, model.L2, model.LInf, model.Contamination:
		if !u.SupportAll && slices.Contains(w.kernel().Prob, 0) {
			w.refuse("zeros that rows list, which belong to the support")
		}
	}
}

// sign is -1 where a format maximises and the problem does not.
func (w *writer) sign() float64 {
	if w.p.Maximize {
		return 1
	}
	w.leave("the sense: costs are written as negative rewards")
	return -1
}

// start is the only initial state, or -1.
func (w *writer) start() int { return slices.Index(w.p.Initial, 1) }

// answers writes the choices that bring back what a format has no place for.
// Names of costs as the format has them are given.
func (w *writer) answers(names []string) string {
	p := w.p
	b := []byte(`{"discount":`)
	b = jsontext.AppendNumber(b, p.Discount)
	b = append(b, `,"initial":`...)
	if s := w.start(); s >= 0 {
		b = jsontext.AppendString(b, p.States[s])
	} else {
		b = jsontext.AppendNumbers(b, p.Initial)
	}
	b = append(append(b, `,"sense":`...), map[bool]string{true: `"maximize"`, false: `"minimize"`}[p.Maximize]...)
	b = append(append(b, `,"states":`...), list(p.States)...)
	b = append(append(b, `,"actions":`...), list(p.Actions)...)
	b = append(b, `,"costNames":{`...)
	var average []string
	for i, c := range w.costs() {
		if i > 0 {
			b = append(b, ',')
		}
		b = jsontext.AppendString(append(jsontext.AppendString(b, names[i]), ':'), c.Name)
		if c.Average {
			average = append(average, c.Name)
		}
	}
	b = append(append(b, `},"average":`...), list(average)...)
	b = append(append(b, `,"objective":`...), quoted(p.Objective.Name)...)
	b = append(b, `,"limits":{`...)
	for i := range p.Constraints {
		c := &p.Constraints[i]
		if i > 0 {
			b = append(b, ',')
		}
		b = append(jsontext.AppendString(b, c.Name), map[bool]string{true: `:{"atLeast":`, false: `:{"atMost":`}[c.AtLeast]...)
		b = append(jsontext.AppendNumber(b, c.Bound), '}')
	}
	b = append(b, '}')
	b = w.set(b)
	if p.Name != "" {
		b = jsontext.AppendString(append(b, `,"name":`...), p.Name)
	}
	return string(append(b, '}'))
}

// set writes the ball around a nominal kernel as answers.
func (w *writer) set(b []byte) []byte {
	u := &w.p.Uncertainty
	if !w.ball() {
		return b
	}
	if u.Kind == model.KLRegularized || len(u.Radius) != 1 {
		w.drop(fmt.Sprintf("the set of kind %s with its parameters", u.Kind))
		return b
	}
	b = append(append(b, `,"uncertainty":`...), quoted(string(u.Kind))...)
	b = jsontext.AppendNumber(append(b, `,"radius":`...), u.Radius[0])
	if u.SupportAll {
		b = append(b, `,"support":"all"`...)
	}
	return b
}

// costNames are the names as they are.
func (w *writer) costNames() (all []string) {
	for _, c := range w.costs() {
		all = append(all, c.Name)
	}
	return all
}

// token is a name as one word.
func token(name string) string {
	t := strings.Join(strings.Fields(strings.Map(func(r rune) rune {
		if strings.ContainsRune(`"[]{}:#,`, r) || r < ' ' {
			return ' '
		}
		return r
	}, name)), "_")
	if t == "" {
		return "_"
	}
	return t
}

// tokens are the names as one word each, or numbers when two would be one.
func tokens(names []string) []string {
	out, taken := make([]string, len(names)), map[string]bool{}
	for i, n := range names {
		out[i] = token(n)
		if taken[out[i]] {
			for j := range out {
				out[j] = strconv.Itoa(j)
			}
			return out
		}
		taken[out[i]] = true
	}
	return out
}

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
		w.printf("%d %d %d ", s, k, t)
		if w.interval() {
			w.str("[")
			w.num(lo)
			w.str(",")
			w.num(hi)
			w.str("]")
		} else {
			w.num(lo)
		}
		w.str(" " + labels[l.Act[i]] + "\n")
	})
	w.str("\n# Labels\n0=\"init\" 1=\"deadlock\"\n")
	for s, x := range p.Initial {
		if x > 0 {
			w.printf("%d: 0\n", s)
		}
	}
	for j, c := range w.costs() {
		w.printf("\n# Reward structure \"%s\"\n# State rewards\n%d 0\n\n# Reward structure \"%s\"\n# Transition rewards\n%d %d %d\n", names[j], l.S, names[j], l.S, l.Pairs(), n)
		w.each(func(i, s, k, t int, _, _ float64) {
			w.printf("%d %d %d ", s, k, t)
			w.num(w.value(c, i, t))
			w.str("\n")
		})
	}
}

// each walks the transitions with the number of the choice in its state.
func (w *writer) each(f func(i, s, k, t int, lo, hi float64)) {
	for i := range w.p.Layout.Pairs() {
		s := w.p.Layout.State[i]
		w.bounds(i, func(t int, lo, hi float64) { f(i, s, i-w.p.Layout.Off[s], t, lo, hi) })
	}
}

func writeDRN(w *writer) {
	p, l := w.p, w.p.Layout
	w.one()
	names := tokens(w.costNames())
	for _, c := range w.costs() {
		if c.Next != nil {
			w.refuse("the cost " + quote(c.Name) + ", which depends on the next state")
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
		w.str("\n")
		for i := l.Off[s]; i < l.Off[s+1]; i++ {
			w.str("\taction " + labels[l.Act[i]] + " [")
			for j, c := range w.costs() {
				if j > 0 {
					w.str(", ")
				}
				w.num(w.value(c, i, 0))
			}
			w.str("]\n")
			w.bounds(i, func(t int, lo, hi float64) {
				w.printf("\t\t%d : ", t)
				if w.interval() {
					w.str("[")
					w.num(lo)
					w.str(", ")
					w.num(hi)
					w.str("]\n")
				} else {
					w.num(lo)
					w.str("\n")
				}
			})
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
		w.printf("%d %d %d ", s, l.Act[i], t)
		w.num(lo)
		w.str(" ")
		w.num(hi)
		w.str("\n")
	})
}

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
	w.printf("numStates %d\nnumActions %d\nstart %d\nend -1\n", l.S, l.A, start)
	w.each(func(i, s, _, t int, p, _ float64) {
		w.printf("transition %d %d %d ", s, l.Act[i], t)
		w.num(sign*w.value(&w.p.Objective, i, t) + 0)
		w.str(" ")
		w.num(p)
		w.str("\n")
	})
	w.str("mdptype continuing\ndiscount  ")
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
			w.str(", false]")
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
	if l.Pairs() != l.S*l.A {
		w.refuse("actions that are not available in every state")
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
		s, a := w.pair(i)
		w.printf("T: %d : %d", a, s)
		w.kernel().Dense(row, i)
		for _, x := range row {
			w.str(" ")
			w.num(x)
		}
		w.str("\n")
	}
	for i := range l.Pairs() {
		s, a := w.pair(i)
		if p.Objective.Next == nil {
			w.printf("R: %d : %d : * ", a, s)
			w.num(w.value(&p.Objective, i, 0))
			w.str("\n")
			continue
		}
		w.printf("R: %d : %d", a, s)
		for t := range l.S {
			w.str(" ")
			w.num(w.value(&p.Objective, i, t))
		}
		w.str("\n")
	}
}

// plainKernelOrSaid asks for one kernel; a ball around it goes into a comment.
func (w *writer) plainKernelOrSaid() {
	w.one()
	if w.interval() {
		w.refuse("intervals")
	}
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

func writeArrays(w *writer) {
	p := w.p
	w.one()
	w.unlisted()
	if len(w.refused) > 0 {
		return
	}
	w.zeros()
	names := append([]string{"reward"}, w.costNames()[1:]...)
	said := w.answers(names)
	w.str("{" + said[1:len(said)-1] + `,"axes":"ASS","rewardAxes":"SA",` + "\n")
	if w.interval() {
		w.str(`"lower": `)
		w.matrices(func(i, t int) float64 { return at(p.Uncertainty.Lower, i, t) })
		w.str(",\n\"upper\": ")
		w.matrices(func(i, t int) float64 { return at(p.Uncertainty.Upper, i, t) })
	} else {
		w.str(`"P": `)
		w.matrices(func(i, t int) float64 { return at(w.kernel(), i, t) })
	}
	w.str(",\n\"R\": ")
	w.array(&p.Objective)
	w.str(",\n\"costs\": {")
	for i := range p.Constraints {
		if i > 0 {
			w.str(",\n")
		}
		w.b = append(jsontext.AppendString(w.b, p.Constraints[i].Name), ": "...)
		w.array(&p.Constraints[i].Cost)
	}
	w.str("}}\n")
}

func at(k *model.Kernel, i, t int) float64 {
	next, prob := k.Row(i)
	if j, ok := slices.BinarySearch(next, t); ok {
		return prob[j]
	}
	return 0
}

// array writes a cost by state and action, or by action, state, next state.
func (w *writer) array(c *model.Cost) {
	l := w.p.Layout
	if c.Next != nil {
		w.matrices(func(i, t int) float64 { return w.value(c, i, t) })
		return
	}
	w.str("[")
	for s := range l.S {
		row := make([]float64, l.A)
		for a := range row {
			if row[a] = math.NaN(); l.Pair(s, a) >= 0 {
				row[a] = c.Values[s*l.A+a]
			}
		}
		if s > 0 {
			w.str(",")
		}
		w.b = jsontext.AppendNumbers(w.b, row)
	}
	w.str("]")
}

// matrices writes [A][S][S]; a pair that is not available is a row of null.
func (w *writer) matrices(f func(i, t int) float64) {
	l := w.p.Layout
	row := make([]float64, l.S)
	w.str("[")
	for a := range l.A {
		if a > 0 {
			w.str(",\n")
		}
		w.str("[")
		for s := range l.S {
			if s > 0 {
				w.str(",")
			}
			i := l.Pair(s, a)
			for t := range row {
				if row[t] = math.NaN(); i >= 0 {
					row[t] = f(i, t)
				}
			}
			w.b = jsontext.AppendNumbers(w.b, row)
		}
		w.str("]")
	}
	w.str("]")
}

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
	kernels := w.p.Uncertainty.Kernels
	if len(kernels) == 0 {
		kernels = []*model.Kernel{w.kernel()}
	}
	if len(kernels) > 1 {
		w.str("idoutcome,")
	}
	w.str("idstateto,probability,reward")
	for i := range w.p.Constraints {
		w.str("," + cell("cost "+w.p.Constraints[i].Name))
	}
	w.str("\n")
	for k, kernel := range kernels {
		for i := range w.p.Layout.Pairs() {
			s, a := w.pair(i)
			next, prob := kernel.Row(i)
			for j, t := range next {
				w.printf("%d,%d,", s, a)
				if len(kernels) > 1 {
					w.printf("%d,", k)
				}
				w.printf("%d,", t)
				w.num(prob[j])
				w.str(",")
				w.num(sign*w.value(&w.p.Objective, i, t) + 0)
				for n := range w.p.Constraints {
					w.str(",")
					w.num(w.value(&w.p.Constraints[n].Cost, i, t))
				}
				w.str("\n")
			}
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
				w.refuse("the name " + quote(n) + ", which begins or ends in space")
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
		w.str(cell(p.States[s]) + "," + cell(p.Actions[a]) + "," + cell(p.States[t]))
		for _, v := range values {
			w.str("," + v)
		}
		for _, c := range w.costs() {
			w.str(",")
			w.num(w.value(c, i, t))
		}
		w.str("\n")
	}
	if len(kernels) > 1 {
		for _, k := range kernels {
			for i := range p.Layout.Pairs() {
				next, prob := k.Row(i)
				for j, t := range next {
					line(i, t, cell(k.Name), num(prob[j]))
				}
			}
		}
		return
	}
	w.each(func(i, _, _, t int, lo, hi float64) {
		if w.interval() {
			line(i, t, num(lo), num(hi))
		} else {
			line(i, t, num(lo))
		}
	})
}
