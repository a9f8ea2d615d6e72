package model

import (
	"bytes"
	"fmt"
	"math"
	"strings"

	"rcmdplab/core/jsontext"
)

// Limits of a document, checked before anything of that size is allocated.
const (
	MaxBytes = 1 << 28 // length of a document
	MaxPairs = 1 << 22 // S·A
	MaxNext  = 1 << 25 // S·A·S, for costs that depend on the next state
)

// Decode reads a document of format rcmdp/1. Every fault is found in one go and
// listed in document order; with one or more faults the problem is nil.
// Warnings are about what is allowed and yet probably not meant.
//
// It never panics, whatever data holds. Time and memory are proportional to the
// document (within the limits above); no number in it is changed.
func Decode(data []byte) (*Problem, Faults, []string) {
	r, ok := newReader(data)
	if !ok {
		return nil, r.done(), nil
	}
	p := r.problem()
	if f := r.done(); len(f) > 0 {
		return nil, f, nil
	}
	return p, nil, p.warnings()
}

// newReader checks the grammar and stands at the document's value.
func newReader(data []byte) (*reader, bool) {
	r := &reader{s: -1, a: -1}
	if len(data) > MaxBytes {
		r.faultf(0, "", "the document is %d bytes long; at most %d are read", len(data), MaxBytes)
		return r, false
	}
	data = bytes.TrimPrefix(data, []byte("\ufeff")) // editors that mark UTF-8
	if len(bytes.TrimSpace(data)) == 0 {
		r.faultf(0, "", "the document is empty")
		return r, false
	}
	if f := checkGrammar(data); f != nil {
		r.fault(0, *f)
		return r, false
	}
	r.data = data
	return r, true
}

func (r *reader) problem() *Problem {
	const want = `an object that starts {"format": "rcmdp/1", ...}`
	where, ok := r.fields("", want, "format", "name", "description", "source", "states", "actions",
		"discount", "end", "horizon", "initial", "policies", "objective", "constraints", "uncertainty")
	if !ok || !r.format(where, "rcmdp/1") {
		return nil
	}
	p := &Problem{}
	for _, f := range []struct {
		name string
		dst  *string
	}{{"name", &p.Name}, {"description", &p.Description}, {"source", &p.Source}} {
		if r.seek(where, f.name) {
			*f.dst, _ = r.string("/"+f.name, "text in quotes")
		}
	}
	if !r.sizes(where) {
		return nil
	}
	p.States, p.Actions = r.states, r.actions
	if r.need(where, "discount", "a number γ with "+discounts) {
		p.Discount = r.discount()
	}
	if r.seek(where, "horizon") {
		p.Horizon = r.horizon()
		r.decisions = p.Horizon
	}
	if r.seek(where, "end") {
		was := len(r.faults)
		p.End = r.ends()
		r.end, r.endless = p.End, len(r.faults) > was
	}
	if r.need(where, "initial", "the initial distribution, one probability for each state") {
		p.Initial = r.initial()
	}
	if r.seek(where, "policies") {
		p.Deterministic = r.choice("/policies", "randomised", "deterministic") == 1
	}
	// What is available comes from the transitions, and costs are judged by it;
	// the faults are put in document order at the end.
	if r.need(where, "uncertainty", `the uncertainty set, for example {"kind": "finite", "kernels": [...]}`) {
		r.uncertainty(&p.Uncertainty)
	}
	taken := map[string]string{}
	if r.need(where, "objective", `the cost to optimise, {"name": ..., "values": ...}`) {
		r.objective(p, taken)
	}
	if r.seek(where, "constraints") {
		r.constraints(p, taken)
	}
	r.episodes(p, where)
	if r.available != nil {
		p.Layout = NewLayout(r.s, r.a, r.available)
	}
	return p
}

// seek moves to a member's value if it is there.
func (r *reader) seek(where map[string]int, name string) bool {
	i, ok := where[name]
	r.i = i
	return ok
}

// need is seek for a member of the outermost object that must be there.
func (r *reader) need(where map[string]int, name, what string) bool {
	ok := r.seek(where, name)
	if !ok {
		r.faultf(0, "/"+name, "the field %q is missing; want %s", name, what)
	}
	return ok
}

func (r *reader) format(where map[string]int, want string) bool {
	if !r.need(where, "format", fmt.Sprintf("%q", want)) {
		return true // one missing line must not hide the rest
	}
	start := r.i
	s, ok := r.string("/format", fmt.Sprintf("%q", want))
	switch {
	case !ok, s == want:
		return true
	case s == "rcmdp/1" || s == "rcmdp-policy/1":
		kind := map[string]string{"rcmdp/1": "a problem", "rcmdp-policy/1": "a policy"}
		r.faults = r.faults[:0]
		r.faultf(start, "/format", "found %q: this is %s, and %s (%q) is wanted here", s, kind[s], kind[want], want)
		return false
	}
	f := Fault{Pointer: "/format", Message: fmt.Sprintf("found %s; want %q", Quote(s), want)}
	if family, _, _ := strings.Cut(want, "/"); strings.HasPrefix(s, family+"/") { // another version may mean other things
		f.Message = fmt.Sprintf("found %s; this version reads %q", Quote(s), want)
	} else {
		f.Fix = &Fix{fmt.Sprintf("write %q", want), []Replace{{"/format", fmt.Sprintf("%q", want)}}}
	}
	r.fault(start, f)
	return true
}

// sizes reads states and actions. It returns false when there is no point in
// going on.
func (r *reader) sizes(where map[string]int) bool {
	if r.need(where, "states", "a list of names, one for each state") {
		if r.states, r.stateAt = r.names("/states", "state"); r.states != nil {
			r.s = len(r.states)
		}
	}
	if r.need(where, "actions", "a list of names, one for each action") {
		if r.actions, r.actionAt = r.names("/actions", "action"); r.actions != nil {
			r.a = len(r.actions)
		}
	}
	if r.s > 0 && r.a > 0 && r.s > MaxPairs/r.a {
		r.faultf(where["states"], "/states", "%d states times %d actions are %d pairs; at most %d are read",
			r.s, r.a, r.s*r.a, MaxPairs)
		return false
	}
	return true
}

// minComplement is the least 1-γ, with room for the rounding of 0.999999999999.
const minComplement = 0.9999 / MaxHorizon

// discounts are those that a document may have.
const discounts = `0 <= γ < 1, or 1 with "end" or "horizon"`

func (r *reader) discount() float64 {
	const p = "/discount"
	start := r.i
	x, ok := r.finite(Fault{Pointer: p}, "a number γ with "+discounts)
	switch {
	case !ok:
	case x == 1: // see episodes
	case x < 1 && 1-x < minComplement:
		r.faultf(start, p, "found %s; want a γ of at most 0.999999999999: closer to 1, 64-bit floats hold too few digits of the effective horizon 1/(1-γ), which is above %s here. "+
			"Take 0.999999 for a horizon of a million steps", Num(x), Num(MaxHorizon))
	case x < 0 || x > 1:
		f := Fault{Pointer: p, Message: fmt.Sprintf("found %s; want %s", Num(x), discounts)}
		if x >= 2 && x < 100 {
			f.Message += "; a percentage is written as a fraction"
			f.Fix = &Fix{"write " + Num(x/100), []Replace{{p, Num(x / 100)}}}
		}
		r.fault(start, f)
	}
	return x
}

func (r *reader) initial() []float64 {
	const p, want = "/initial", "a list of probabilities, one for each state"
	start, ok, sum := r.i, true, 0.0
	if !r.into(Fault{Pointer: p}, want) {
		return nil
	}
	mu := []float64{}
	for r.more(']') {
		x, good := r.simple(0, 1)
		if !good {
			f := r.pair(at(p, len(mu)), len(mu), -1)
			x, good = r.probability(f, "the initial probability of "+f.in())
		}
		ok = ok && good
		mu = append(mu, x)
		sum += x
	}
	if r.s >= 0 && len(mu) != r.s {
		r.faultf(start, p, "found %s; want %d, one for each state%s", Count(len(mu), "probability"), r.s, commas(len(mu), r.s))
		return nil
	}
	if !ok {
		return nil
	}
	if off := math.Abs(sum - 1); off > RowTolerance+slack {
		f := Fault{Pointer: p, Message: "the initial distribution sums to " + offBy(sum)}
		if off <= RepairTolerance+slack {
			f.Fix = &Fix{"renormalise the initial distribution", []Replace{{p, string(jsontext.AppendNumbers(nil, normalised(mu)))}}}
		}
		r.fault(start, f)
	}
	return mu
}

// probability reads a number in [0, 1]. A row of one successor may have all of a
// sum's rounding in that number, so one a little above 1 is left to the check of the sum.
func (r *reader) probability(f Fault, what string) (x float64, ok bool) {
	start := r.i
	x, ok = r.finite(f, "a probability between 0 and 1")
	if ok && (x < 0 || x > 1+RepairTolerance) {
		f.Message = fmt.Sprintf("%s is %s; want a probability between 0 and 1", what, Num(x))
		if x < 0 && x >= -RowTolerance { // what is left of 1 - 0.9 - 0.1
			f.Fix = &Fix{"write 0", []Replace{{f.Pointer, "0"}}}
		}
		r.fault(start, f)
		return x, false
	}
	return x, ok
}
