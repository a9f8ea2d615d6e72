package interchange

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"rcmdplab/core/jsontext"
	"rcmdplab/core/model"
)

// mostReadText is how long a text may be for its other readings to be shown: each
// is read as if it had been chosen.
const mostReadText = 1 << 20

// readings says of each answer to an open question what the model then is, where
// the answers differ.
func (r *Import) readings(files []File, given Options) {
	total := 0
	for _, f := range files {
		total += len(f.Data)
	}
	for i := range r.Choices {
		c := &r.Choices[i]
		if !c.Open || len(c.Options) < 2 || total > mostReadText {
			continue
		}
		var all []*Import
		for _, o := range c.Options {
			with := maps.Clone(given)
			if with == nil {
				with = Options{}
			}
			with[c.Name] = jsontext.Value(quoted(o.Value))
			in := newInput(files, with)
			if len(in.faults) == 0 {
				in.run()
			}
			all = append(all, in.result())
		}
		c.Readings = told(all)
	}
}

// told are the readings in words: of the first pair in which they differ.
func told(all []*Import) (words []string) {
	var pairs [][2]string
	for _, r := range all {
		if p := r.Problem; p != nil {
			for g, s := range p.Layout.State {
				pairs = append(pairs, [2]string{p.States[s], p.Actions[p.Layout.Act[g]]})
			}
		}
	}
	say := func(pair [2]string) (lines []string) {
		for _, r := range all {
			line := ""
			switch {
			case r.Problem != nil && pair[0] != "":
				line = pairText(r.Problem, pair[0], pair[1])
			case r.Columns != nil:
				line = fmt.Sprintf("a log of %s, of which a model is estimated", model.Count(len(r.Table.Rows), "step"))
			case len(r.Faults) > 0:
				line = "it cannot be read so: " + r.Faults[0].Error()
			}
			lines = append(lines, line)
		}
		return lines
	}
	best := -1
	for _, pair := range pairs[:min(len(pairs), 2000)] { // the first in which most of them differ
		lines := say(pair)
		if n := len(slices.Compact(slices.Sorted(slices.Values(lines)))); n > best {
			best, words = n, lines
		}
		if best == len(all) {
			break
		}
	}
	if words == nil {
		words = say([2]string{})
	}
	return words
}

// pairText is what a model says of a state and an action by name.
func pairText(p *model.Problem, state, action string) string {
	s, a := slices.Index(p.States, state), slices.Index(p.Actions, action)
	head := fmt.Sprintf("in state %s, action %s ", model.Quote(state), model.Quote(action))
	if s < 0 || a < 0 || p.Layout.Pair(s, a) < 0 {
		return head + "is not there"
	}
	next, prob := (&writer{p: p}).kernel().Row(p.Layout.Pair(s, a))
	var to []string
	gives, mean := p.Objective.Values, 0.0
	if gives != nil {
		mean = gives[s*len(p.Actions)+a]
	}
	for j, t := range next {
		if prob[j] == 0 {
			continue
		}
		if gives == nil {
			mean += prob[j] * p.Objective.Next[(s*len(p.Actions)+a)*len(p.States)+t]
		}
		to = append(to, fmt.Sprintf("%s (%s)", model.Quote(p.States[t]), model.Digits(prob[j], 4)))
	}
	if len(to) > 4 {
		to = append(to[:3], "...")
	}
	verb := "costs"
	if p.Maximize {
		verb = "gives"
	}
	return fmt.Sprintf("%s%s %s (%s) and leads to %s", head, verb, model.Digits(mean, 6), p.Objective.Name, strings.Join(to, ", "))
}
