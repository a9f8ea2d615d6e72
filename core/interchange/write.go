package interchange

import (
	"fmt"
	"slices"
	"strings"

	"rcmdplab/core/model"
)

// Written is a problem in another format.
type Written struct {
	Text      []byte   // of the file
	Extension string   // without the dot
	Lost      []string // what the format has no place for, and which an import would ask again
}

// writer is one export in progress. Formats fill b; refuse says what the format
// cannot mean at all, drop what can only be left out with the person's word,
// leave what is a setting that an import asks for.
type writer struct {
	p       *model.Problem // being written
	b       []byte         // so far
	refused []string       // what the format cannot carry, and a file would be wrong without
	dropped []string       // what it cannot carry, left out when the person allows it
	lost    []string       // what an import asks again
	ext     string         // of the file, without the dot
}

// Write writes a problem in a format that can carry it. What another tool's
// format has no place for goes into a comment where it has comments, which
// Read understands; where it has none it is in Lost. A problem whose meaning
// the format cannot hold is refused, with the reasons; lossy allows what can
// be left out (constraints, the set around a nominal kernel).
func Write(p *model.Problem, id string, lossy bool) (*Written, error) {
	f, err := formatOf(id)
	if err != nil {
		return nil, err
	}
	w := &writer{p: p, ext: f.Extensions[0]}
	if f.ID != rcmdpFormat.ID {
		w.classes()
	}
	if len(w.refused) == 0 {
		f.write(w)
	}
	switch {
	case len(w.refused) > 0:
		return nil, fmt.Errorf("%s cannot carry %s", f.Title, strings.Join(w.refused, ", and "))
	case len(w.dropped) > 0 && !lossy:
		return nil, fmt.Errorf("%s cannot carry %s; with lossy it is left out", f.Title, strings.Join(w.dropped, ", and "))
	}
	return &Written{w.b, w.ext, append(w.dropped, w.lost...)}, nil
}

// classes leaves of a problem what a format of others can say: totals and discounted totals, against the worst of
// the models, by plans that may mix actions.
func (w *writer) classes() {
	p := w.p
	if p.Horizon > 0 {
		w.p = p.Plain()
		w.leave(fmt.Sprintf("the number of decisions (%d), for which each state is there once at each time", p.Horizon))
	}
	if p.Deterministic {
		w.drop("that plans take one action in each state")
	}
	if w.several() && p.Averaged() {
		w.drop("averages over the models")
	} else if w.several() && p.Uncertainty.Weights != nil {
		w.leave("the weights of the models")
	}
	w.ends()
}

func (w *writer) str(s string)                  { w.b = append(w.b, s...) }
func (w *writer) printf(f string, args ...any)  { w.b = fmt.Appendf(w.b, f, args...) }
func (w *writer) ball() bool                    { return w.p.Uncertainty.Nominal != nil }
func (w *writer) interval() bool                { return w.p.Uncertainty.Lower != nil }
func (w *writer) several() bool                 { return len(w.p.Uncertainty.Kernels) > 1 }
func (w *writer) pair(i int) (s, a int)         { return w.p.Layout.State[i], w.p.Layout.Act[i] }
func (w *writer) grid(c *model.Cost, i int) int { s, a := w.pair(i); return s*w.p.Layout.A + a }

// row writes numbers in a line, with something between them.
func (w *writer) row(values []float64, between string) {
	for i, x := range values {
		if i > 0 {
			w.str(between)
		}
		w.printf("%v", x)
	}
}

// chance is a probability, or an interval with something between its ends.
func (w *writer) chance(lo, hi float64, between string) string {
	if w.interval() {
		return fmt.Sprintf("[%v%s%v]", lo, between, hi)
	}
	return fmt.Sprint(lo)
}

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
	if !w.interval() {
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

// gives are all costs of pair i leading to t.
func (w *writer) gives(i, t int) (all []float64) {
	for _, c := range w.costs() {
		all = append(all, w.value(c, i, t))
	}
	return all
}

// costs are the objective and the constraints' costs.
func (w *writer) costs() []*model.Cost {
	all := []*model.Cost{&w.p.Objective}
	for i := range w.p.Constraints {
		all = append(all, &w.p.Constraints[i].Cost)
	}
	return all
}

// start is the only initial state, or -1.
func (w *writer) start() int { return slices.Index(w.p.Initial, 1) }

// each walks the transitions with the number of the choice in its state.
func (w *writer) each(f func(i, s, k, t int, lo, hi float64)) {
	for i := range w.p.Layout.Pairs() {
		s := w.p.Layout.State[i]
		w.bounds(i, func(t int, lo, hi float64) { f(i, s, i-w.p.Layout.Off[s], t, lo, hi) })
	}
}
