package model

import (
	"fmt"
	"math"

	"rcmdplab/core/jsontext"
)

// policyNoise is how far a row may be from 1 before DecodePolicy rescales it:
// beyond what adding up rounded probabilities does, so that policies of ours
// come back bit by bit.
const policyNoise = 1e-13

// DecodePolicy reads a document of format rcmdp-policy/1 as a policy of the
// problem, one probability for each pair of its layout. (What it says of end states is passed over.) States and actions are
// matched by name, in any order. Rows must sum to 1 within RowTolerance, and
// unavailable actions have 0 (or null). Rows come back summing to 1 up to
// rounding.
func DecodePolicy(data []byte, p *Problem) ([]float64, Faults) {
	r, ok := newReader(data)
	if !ok {
		return nil, r.done()
	}
	r.faint = true
	const want = `an object that starts {"format": "rcmdp-policy/1", ...}`
	where, ok := r.fields("", want, "format", "states", "actions", "probabilities")
	if !ok || !r.format(where, "rcmdp-policy/1") || !r.sizes(where) {
		return nil, r.done()
	}
	l := p.Layout
	toState := r.match("/states", where["states"], "state", r.states, p.States)
	toAction := r.match("/actions", where["actions"], "action", r.actions, p.Actions)
	pi := make([]float64, l.Pairs())
	if r.need(where, "probabilities", "one probability for each [state][action]") {
		r.policy(pi, p, toState, toAction)
	}
	if f := r.done(); len(f) > 0 {
		return nil, f
	}
	for s := range l.S {
		if p.Ends(s) {
			pi[l.Off[s]] = 1
		}
		row := pi[l.Off[s]:l.Off[s+1]]
		if math.Abs(total(row)-1) > policyNoise {
			copy(row, normalised(row))
		}
	}
	return pi, nil
}

// match finds the problem's number of each of the document's names; nil when
// the two lists do not hold the same names.
func (r *reader) match(base string, at0 int, noun string, names, of []string) []int {
	if names == nil {
		return nil
	}
	index := make(map[string]int, len(of))
	for i, n := range of {
		index[n] = i
	}
	to, ok := make([]int, len(names)), true
	met := make([]bool, len(of))
	for i, n := range names {
		k, known := index[n]
		if !known {
			r.faultf(at0, at(base, i), "%s is not a%s of the problem", quote(n), article(noun))
			ok = false
			continue
		}
		to[i], met[k] = k, true
	}
	for k, m := range met {
		if !m {
			r.faultf(at0, base, "the problem's %s %s is missing here", noun, quote(of[k]))
			ok = false
		}
	}
	if !ok {
		return nil
	}
	return to
}

// article puts a noun behind the "a" of a message.
func article(noun string) string {
	if noun == "action" {
		return "n action"
	}
	return " " + noun
}

func (r *reader) policy(pi []float64, p *Problem, toState, toAction []int) {
	const base = "/probabilities"
	l := p.Layout
	matched := toState != nil && toAction != nil
	type row struct {
		v     []float64 // probabilities by action
		start int       // byte
		bad   bool
	}
	rows := make([]row, max(r.s, 0))
	ok := r.grid(base, "one probability for each [state][action]", func(s, a int) {
		f := r.pair(at(base, s, a), s, a)
		start := r.i
		x, good := 0.0, true
		i := -1
		if matched {
			i = l.Pair(toState[s], toAction[a])
		}
		if r.kind() == null && i < 0 {
			r.raw()
		} else {
			x, good = r.probability(f, "the probability of "+f.in())
		}
		if matched {
			switch {
			case p.Ends(toState[s]): // nothing is chosen there, whatever is written
				good = false
			case i >= 0:
				pi[i] = x
			case good && x != 0:
				f.Message = fmt.Sprintf("%s is not available, and its probability is %s; want 0", f.in(), num(x))
				r.fault(start, f)
				good = false
			}
		}
		if s < len(rows) {
			if rows[s].v == nil {
				rows[s].start = start
			}
			rows[s].v = append(rows[s].v, x)
			rows[s].bad = rows[s].bad || !good
		}
	})
	if !ok {
		return
	}
	for s, w := range rows {
		sum := total(w.v)
		off := math.Abs(sum - 1)
		if w.bad || off <= RowTolerance+slack {
			continue
		}
		f := r.pair(at(base, s), s, -1)
		f.Message = fmt.Sprintf("the probabilities of %s sum to %s", f.in(), offBy(sum))
		r.fault(w.start, f)
		if off <= RepairTolerance+slack {
			r.repair([]Replace{{f.Pointer, string(jsontext.AppendNumbers(nil, normalised(w.v)))}})
		}
	}
}
