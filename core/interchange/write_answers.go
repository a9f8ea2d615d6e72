package interchange

import (
	"fmt"
	"strconv"
	"strings"

	"rcmdplab/core/jsontext"
	"rcmdplab/core/model"
)

// answers writes the choices that bring back what a format has no place for.
// Names of costs as the format has them are given.
func (w *writer) answers(names []string) string {
	p := w.p
	start := string(jsontext.AppendNumbers(nil, p.Initial))
	if s := w.start(); s >= 0 {
		start = quoted(p.States[s])
	}
	var called, average, limits []string
	for i, c := range w.costs() {
		called = append(called, quoted(names[i])+":"+quoted(c.Name))
		if c.Average {
			average = append(average, c.Name)
		}
	}
	for _, c := range p.Constraints {
		limits = append(limits, fmt.Sprintf(`%s:{"%s":%s}`, quoted(c.Name), map[bool]string{true: "atLeast", false: "atMost"}[c.AtLeast], model.Num(c.Bound)))
	}
	said := fmt.Sprintf(`{"discount":%s,"initial":%s,"sense":"%s","states":%s,"actions":%s,"costNames":{%s},"average":%s,"objective":%s,"limits":{%s}`,
		model.Num(p.Discount), start, map[bool]string{true: "maximize", false: "minimize"}[p.Maximize], list(p.States), list(p.Actions),
		strings.Join(called, ","), list(average), quoted(p.Objective.Name), strings.Join(limits, ",")) + w.set()
	if p.Name != "" {
		said += `,"name":` + quoted(p.Name)
	}
	return said + "}"
}

// set writes the ball around a nominal kernel as answers.
func (w *writer) set() string {
	u := &w.p.Uncertainty
	if !w.ball() {
		return ""
	}
	if len(u.Radius) != 1 {
		w.drop(fmt.Sprintf("the set of kind %s with its parameters", u.Kind))
		return ""
	}
	return fmt.Sprintf(`,"uncertainty":"%s","radius":%s%s`, u.Kind, model.Num(u.Radius[0]), map[bool]string{true: `,"support":"all"`}[u.SupportAll])
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
