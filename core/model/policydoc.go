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
// problem, one probability for each pair of its layout, unrolled where it has a horizon: then there is
// one table for each decision, or one for all of them. (What it says of end states is passed over.) States and actions are
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
	where, ok := r.fields("", want, "format", "states", "actions", "horizon", "probabilities")
	if !ok || !r.format(where, "rcmdp-policy/1") || !r.sizes(where) {
		return nil, r.done()
	}
	p = p.Unrolled()
	of := p.Document()
	toState := r.match("/states", where["states"], "state", r.states, of.States)
	toAction := r.match("/actions", where["actions"], "action", r.actions, of.Actions)
	if r.seek(where, "horizon") {
		r.sameHorizon(of.Horizon)
	}
	pi := make([]float64, p.Layout.Pairs())
	if r.need(where, "probabilities", "one probability for each [state][action]") {
		r.tables(pi, of, toState, toAction)
	}
	if f := r.done(); len(f) > 0 {
		return nil, f
	}
	l := p.Layout
	for s := range l.S {
		if p.Ends(s) {
			pi[l.Off[s]] = 1
		}
		row := pi[l.Off[s]:l.Off[s+1]]
		if math.Abs(Sum(row)-1) > policyNoise {
			Normalise(row, row)
		}
	}
	return pi, nil
}

// sameHorizon asks that a policy is for as many decisions as the problem has.
func (r *reader) sameHorizon(want int) {
	const p = "/horizon"
	start := r.i
	switch x, ok := r.finite(Fault{Pointer: p}, wantHorizon); {
	case !ok || x == float64(want):
	case want == 0:
		r.faultf(start, p, "found %s: the policy is one by time, and the problem has no number of decisions; give one table, or the problem a horizon", Num(x))
	default:
		r.faultf(start, p, "found %s: the policy is for %s, and the problem has %s; want a table for each of them, or one table for all", Num(x), Count(int(x), "decision"), Count(want, "decision"))
	}
}

// tables reads a policy of the document: one table or, with a horizon, one for each decision.
func (r *reader) tables(pi []float64, p *Problem, toState, toAction []int) {
	const base = "/probabilities"
	pairs := p.Layout.Pairs()
	if sizes := r.shape(); len(sizes) < 3 {
		r.policy(pi[:pairs], p, base, toState, toAction)
		for t := 1; t < p.Horizon; t++ {
			copy(pi[t*pairs:], pi[:pairs])
		}
		return
	} else if sizes[0] != p.Horizon {
		want := fmt.Sprintf("%d, one for each decision, or one table for all", p.Horizon)
		if p.Horizon == 0 {
			want = "one, [state][action]: the problem has no number of decisions"
		}
		r.faultf(r.i, base, "found %s; want %s", Count(sizes[0], "table"), want)
		return
	}
	t := 0
	for r.i++; r.more(']'); t++ {
		r.policy(pi[t*pairs:(t+1)*pairs], p, at(base, t), toState, toAction)
	}
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
			r.faultf(at0, at(base, i), "%s is not a%s of the problem", Quote(n), article(noun))
			ok = false
			continue
		}
		to[i], met[k] = k, true
	}
	for k, m := range met {
		if !m {
			r.faultf(at0, base, "the problem's %s %s is missing here", noun, Quote(of[k]))
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

func (r *reader) policy(pi []float64, p *Problem, base string, toState, toAction []int) {
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
				r.say(start, f, "%s is not available, and its probability is %s; want 0", f.in(), Num(x))
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
		sum := Sum(w.v)
		off := math.Abs(sum - 1)
		if w.bad || off <= RowTolerance+slack {
			continue
		}
		f := r.pair(at(base, s), s, -1)
		r.say(w.start, f, "the probabilities of %s sum to %s", f.in(), offBy(sum))
		if off <= RepairTolerance+slack {
			r.repair([]Replace{{f.Pointer, string(jsontext.AppendNumbers(nil, normalised(w.v)))}})
		}
	}
}
