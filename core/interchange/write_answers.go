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
